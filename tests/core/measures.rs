//! What is measured of heads follows from the patterns that can be read: the same numbers,
//! by plain loops over other answers of the same run; and the counts and special tokens
//! that come from outside change what they should and nothing else.

use crate::support;

use crate::support::Session;
use headscope::analysis::{Lexicon, Role};
use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::run::{GenerateRequest, HeadMeasures, RunRequest};
use support::{Handle, finished};
use wasm_bindgen_test::wasm_bindgen_test;

/// Sums in f64 of the very weights that are read.
const TOLERANCE: f64 = 1e-9;

/// Repeats, so that duplicates and induction are asked for as well.
const IDS: [f64; 9] = [5.0, 9.0, 13.0, 5.0, 9.0, 13.0, 5.0, 17.0, 2.0];
const TARGET: [f64; 6] = [60.0, 7.0, 11.0, 7.0, 11.0, 7.0];

fn lexicon(session: &Session<Cpu>) -> Lexicon {
    let counts = (0..session.info().vocab_size).map(|id| (id * 7 % 11) as f64);
    Lexicon { special: [2, 60].into(), unigrams: Some(counts.collect()) }
}

fn request(session: &Session<Cpu>) -> RunRequest {
    let target_ids = session.info().stacks.cross.map(|_| TARGET.to_vec());
    RunRequest { ids: IDS.to_vec(), target_ids, ..RunRequest::default() }
}

async fn measures(run: &Handle, stack: &str, lexicon: Lexicon) -> Vec<HeadMeasures> {
    run.measures(stack, lexicon).unwrap().await.unwrap()
}

/// One run of each family, with the stacks that it has.
async fn runs() -> Vec<(Session<Cpu>, Handle, Vec<(&'static str, usize, usize)>)> {
    let mut all = Vec::new();
    for reference in support::families() {
        let session = reference.load(Cpu);
        let run = finished(&session, &request(&session), None).await;
        let stacks = session.info().stacks;
        let named =
            [("encoder", stacks.encoder), ("decoder", stacks.decoder), ("cross", stacks.cross)];
        let there = named.into_iter().filter_map(|(name, stack)| Some((name, stack?)));
        let sizes = there.map(|(name, stack)| (name, stack.layers, stack.heads)).collect();
        all.push((session, run, sizes));
    }
    all
}

fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[track_caller]
fn assert_near(got: Option<f64>, want: Option<f64>, what: &str) {
    let near = match (got, want) {
        (Some(got), Some(want)) => (got - want).abs() < TOLERANCE,
        (got, want) => got == want,
    };
    assert!(near, "{what}: {got:?} instead of {want:?}");
}

/// The weights of a head as rows.
fn rows(pattern: &Tensor) -> Vec<Vec<f64>> {
    let weights = pattern.values().as_slice().unwrap();
    let row = |row: &[f32]| row.iter().copied().map(f64::from).collect();
    weights.chunks_exact(pattern.shape()[1]).map(row).collect()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn measures_follow_from_the_patterns_that_are_read() {
    for (session, run, stacks) in runs().await {
        for (stack, n_layers, n_heads) in stacks {
            let found = measures(&run, stack, lexicon(&session)).await;
            let places: Vec<_> = found.iter().map(|head| (head.layer, head.head)).collect();
            let expected = (0..n_layers).flat_map(|layer| (0..n_heads).map(move |h| (layer, h)));
            assert_eq!(places, expected.collect::<Vec<_>>());
            for head in found {
                let what =
                    format!("{:?} {stack} {}.{}", session.info().family, head.layer, head.head);
                let pattern = run.attention((stack, head.layer, head.head), "weights", None);
                check(&head, stack, &rows(&pattern.unwrap().await.unwrap()), &what);
            }
        }
    }
}

fn check(head: &HeadMeasures, stack: &str, rows: &[Vec<f64>], what: &str) {
    let entropy = |row: &Vec<f64>| {
        row.iter().filter(|&&weight| weight > 0.0).map(|weight| -weight * weight.ln()).sum()
    };
    assert_near(head.entropy, mean(rows.iter().map(entropy)), what);
    let cross = stack == "cross";
    let distance = |(query, row): (usize, &Vec<f64>)| {
        row.iter().enumerate().map(|(key, weight)| weight * (key as f64 - query as f64).abs()).sum()
    };
    let distances = mean(rows.iter().enumerate().map(distance)).filter(|_| !cross);
    assert_near(head.distance, distances, what);

    let n = rows.len();
    let pooled = |cells: Vec<(usize, Vec<usize>)>| {
        mean(cells.into_iter().map(|(query, keys)| keys.iter().map(|&key| rows[query][key]).sum()))
    };
    let within = |score: Option<f64>| score.filter(|_| !cross);
    let previous = within(pooled((1..n).map(|query| (query, vec![query - 1])).collect()));
    assert_near(head.roles.of(Role::Previous), previous, what);
    let next = pooled((0..n - 1).map(|query| (query, vec![query + 1])).collect());
    assert_near(head.roles.of(Role::Next), next.filter(|_| stack == "encoder"), what);
    let itself = within(pooled((0..n).map(|query| (query, vec![query])).collect()));
    assert_near(head.roles.of(Role::Itself), itself, what);
    let first = pooled((usize::from(!cross)..n).map(|query| (query, vec![0])).collect());
    assert_near(head.roles.of(Role::First), first, what);

    // Where an ordinary id stood before, counted by hand for these two texts.
    let from_target = cross || (stack == "decoder" && n == TARGET.len());
    let likes: Vec<(usize, Vec<usize>)> = if from_target {
        vec![(3, vec![1]), (4, vec![2]), (5, vec![1, 3])]
    } else {
        vec![(3, vec![0]), (4, vec![1]), (5, vec![2]), (6, vec![0, 3])]
    };
    let after =
        likes.iter().map(|(query, keys)| (*query, keys.iter().map(|key| key + 1).collect()));
    assert_near(head.roles.of(Role::Induction), within(pooled(after.collect())), what);
    if stack == "decoder" {
        assert_near(head.roles.of(Role::Duplicate), pooled(likes), what);
    }
    // The source ends with a special token, and the target begins with one.
    let separated = if from_target && !cross {
        None
    } else {
        let end = rows[0].len() - 1;
        let queries = if cross { 0..n } else { 0..n - 1 };
        pooled(queries.map(|query| (query, vec![end])).collect())
    };
    assert_near(head.roles.of(Role::Separator), separated, what);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn counts_decide_what_is_rare_and_nothing_else() {
    for (session, run, stacks) in runs().await {
        let known = lexicon(&session);
        let unknown = Lexicon { unigrams: None, ..known.clone() };
        for (stack, ..) in stacks {
            let with = measures(&run, stack, known.clone()).await;
            let without = measures(&run, stack, unknown.clone()).await;
            for (with, without) in with.iter().zip(&without) {
                assert!(with.roles.of(Role::Rare).is_some());
                assert_eq!(without.roles.of(Role::Rare), None);
                let others = Role::ALL.into_iter().filter(|&role| role != Role::Rare);
                for role in others {
                    assert_eq!(with.roles.of(role), without.roles.of(role));
                }
                assert_eq!((with.entropy, with.distance), (without.entropy, without.distance));
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn counts_of_another_vocabulary_are_refused_and_the_run_can_still_be_read() {
    let session = reference!("marian-tiny").load(Cpu);
    let run = finished(&session, &request(&session), None).await;
    let wrong = Lexicon { unigrams: Some(vec![1.0; 60]), ..Lexicon::default() };
    let error = run.measures("encoder", wrong).err().unwrap();
    assert_eq!(error.code.as_str(), "input/malformed");
    assert!(error.to_string().contains("expected 61"), "{error}");
    // Ids that no vocabulary has are special without effect.
    let beyond = Lexicon { special: [u32::MAX].into(), unigrams: None };
    let plain = measures(&run, "encoder", Lexicon::default()).await;
    assert_eq!(measures(&run, "encoder", beyond).await, plain);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_row_that_was_blocked_counts_nowhere() {
    let session = reference!("bert-tiny").load(Cpu);
    let edits = r#"{"masks":[{"layers":[0],"heads":[1],"block":[[0,0],[0,1],[0,2]]}]}"#;
    let blocked = RunRequest {
        ids: vec![5.0, 9.0, 13.0],
        edits: Some(serde_json::from_str(edits).unwrap()),
        ..RunRequest::default()
    };
    let run = finished(&session, &blocked, None).await;
    let found = measures(&run, "encoder", lexicon(&session)).await;
    let weights = run.attention(("encoder", 0, 1), "weights", None).unwrap().await.unwrap();
    let rows = rows(&weights);
    assert_eq!(rows[0], [0.0; 3]);
    let itself = mean([rows[1][1], rows[2][2]]);
    assert_near(found[1].roles.of(Role::Itself), itself, "the row without keys");
    assert_ne!(found[0].roles.of(Role::Itself), None);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_that_is_being_written_is_measured_as_far_as_it_is() {
    let session = reference!("gpt2-tiny").load(Cpu);
    let generate = Some(GenerateRequest { max_tokens: Some(4.0) });
    let writing = RunRequest { ids: vec![5.0, 9.0], generate, ..RunRequest::default() };
    let run = session.begin(&writing, None).unwrap();
    assert_eq!(
        run.measures("decoder", Lexicon::default()).err().unwrap().code.as_str(),
        "run/not-ready"
    );
    loop {
        let report = run.step().await.unwrap();
        if let Ok(reading) = run.measures("decoder", lexicon(&session)) {
            let whole = RunRequest {
                ids: run.target_ids().into_iter().map(f64::from).collect(),
                ..RunRequest::default()
            };
            let whole = finished(&session, &whole, None).await;
            assert_eq!(
                reading.await.unwrap(),
                measures(&whole, "decoder", lexicon(&session)).await
            );
        }
        if report.finished {
            break;
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn tallies_of_texts_are_pooled() {
    let session = reference!("gpt2-tiny").load(Cpu);
    let mut pooled = Vec::new();
    let mut counted = Vec::new();
    for ids in [&IDS[..3], &IDS[..7]] {
        let sent = RunRequest { ids: ids.to_vec(), ..RunRequest::default() };
        let run = finished(&session, &sent, None).await;
        let tallies = run.tallies("decoder", lexicon(&session)).unwrap().await.unwrap();
        if pooled.is_empty() {
            pooled.clone_from(&tallies);
        } else {
            pooled.iter_mut().zip(&tallies).for_each(|(all, one)| all.merge(one));
        }
        counted.push((ids.len() as f64, tallies[0].measures()));
    }
    // Each text weighs as much as it has queries behind the first.
    let weighed =
        |(n, head): &(f64, HeadMeasures)| (n - 1.0) * head.roles.of(Role::Previous).unwrap();
    let expected = counted.iter().map(weighed).sum::<f64>() / 8.0;
    assert_near(pooled[0].measures().roles.of(Role::Previous), Some(expected), "previous");
}
