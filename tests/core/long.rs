//! What a question about one place of a long text costs: it reads the rows that it is about,
//! not the whole text's, and what needs every row comes in pieces. Counted, not timed.

use crate::support;

use crate::support::{RunHandle, Session};
use headscope::axes::Step;
use headscope::error::Code;
use headscope::run::RunRequest;
use serde_json::Value;
use support::counting::Counting;
use support::{Random, Reference, assert_same_bits, finished};
use wasm_bindgen_test::wasm_bindgen_test;

/// Tokens of the text.
const N: usize = 1000;

/// A translator that is given room for a text as long, and counts.
fn long_model(reference: &Reference) -> (Session<Counting>, Counting) {
    let mut config: Value = serde_json::from_str(reference.config).unwrap();
    config["max_position_embeddings"] = N.into();
    let counting = Counting::default();
    let config = config.to_string();
    (Session::load(counting.clone(), &config, reference.checkpoint).unwrap(), counting)
}

async fn long_run(session: &Session<Counting>) -> RunHandle<Counting> {
    let request = RunRequest {
        ids: Random(3).ids(N, session.info().vocab_size),
        target_ids: Some(vec![0.0, 7.0, 11.0]),
        ..RunRequest::default()
    };
    finished(session, &request, None).await
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn one_number_is_explained_from_the_rows_that_it_is_made_of() {
    let (session, counting) = long_model(&reference!("marian-tiny"));
    let run = long_run(&session).await;
    let d_model = session.info().d_model;
    for stack in ["encoder", "cross"] {
        let n_rows = if stack == "encoder" { N } else { 3 };
        let mut work = run.steps(stack, 0, 1).unwrap();
        let steps = loop {
            if let Some(steps) = work.step().await.unwrap() {
                break steps;
            }
        };
        let widest = steps.iter().map(|one| one.tensor.shape()[1]).max().unwrap();
        for one in steps {
            let (row, column) = (n_rows - 2, 5);
            counting.take();
            let made = run.explain((stack, 0, 1), one.step.name(), row, column).unwrap();
            let made = made.await.unwrap();
            let (read, patterns) = counting.take();
            let what = format!("{stack} {}", one.step.name());
            assert_eq!(made.value, one.tensor.values()[[row, column]], "{what}");
            // A column of the values is a number of every key; all else is a few rows.
            let most = if one.step == Step::Context { N * d_model } else { 0 } + 4 * widest;
            assert!(read <= most, "{what}: {read} numbers were read, more than {most}");
            assert!(patterns <= 5 * N, "{what}: {patterns} cells of patterns were computed");
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_steps_of_a_block_compute_each_pattern_once_and_in_pieces() {
    let (session, counting) = long_model(&bundled!("en-fr"));
    let run = long_run(&session).await;
    let mut work = run.steps("encoder", 1, 2).unwrap();
    let (mut all, mut pieces) = (0, 0);
    counting.take();
    let steps = loop {
        if let Some(steps) = work.step().await.unwrap() {
            break steps;
        }
        let (read, patterns) = counting.take();
        assert_eq!(read, 0, "numbers were read before they were all there");
        assert!(patterns <= 4 * N * N / 20, "{patterns} cells at once");
        all += patterns;
        pieces += 1;
    };
    assert_eq!(counting.take().1, 0, "patterns were computed with the answer");
    assert_eq!(all, 4 * N * N, "four stages, each row once, in {pieces} pieces");
    for stage in ["raw", "scores", "masked", "weights"] {
        let whole = run.attention(("encoder", 1, 2), stage, None).unwrap().await.unwrap();
        let found = steps.iter().find(|one| one.step.name() == stage).unwrap();
        assert_same_bits(&found.tensor.clone().into_data(), &whole.into_data(), stage);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn two_words_are_compared_by_their_own_rows() {
    let (session, counting) = long_model(&reference!("marian-tiny"));
    let run = long_run(&session).await;
    counting.take();
    let cosines = run.cosines("encoder", &[5, 6], &run, &[990]).unwrap().await.unwrap();
    assert_eq!(counting.take(), (3 * cosines.len() * session.info().d_model, 0));
}

/// The directions of one head's whole pattern are made in steps that a run can be stopped between,
/// once, whoever looks at them and whatever comes behind them.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_pattern_of_low_rank_is_made_in_steps_and_once() {
    let (session, counting) = long_model(&reference!("marian-tiny"));
    let vocabulary = session.info().vocab_size;
    let request = |n: usize, more: &str| RunRequest {
        ids: Random(3).ids(n, vocabulary),
        target_ids: Some(vec![0.0, 7.0]),
        edits: Some(
            serde_json::from_str(&format!(
                r#"{{"attention":[{{"stack":"encoder","layers":[0],"heads":[1],"kind":"low-rank",
                   "parameters":{{"rank":8}}}}{more}]}}"#
            ))
            .unwrap(),
        ),
        ..RunRequest::default()
    };
    let refused = session.begin(&request(513, ""), None).err().unwrap();
    assert_eq!(refused.code, Code::SelectionTooLarge);
    assert!(refused.to_string().contains("at most 512 tokens"), "{refused}");

    let run = finished(&session, &request(512, ""), None).await;
    let (steps, unprepared) = counting.take_prepared();
    assert!(steps > 20 && unprepared == 0, "{steps} steps, {unprepared} unprepared");
    let low = run.attention(("encoder", 0, 1), "weights", None).unwrap().await.unwrap().into_data();
    run.thumbnails("encoder", 8, "weights", None).unwrap().await.unwrap();
    let cost = run.head_cost("encoder", 0, 1).unwrap().await.unwrap();
    // The pattern, f64s of it, and a triangle that is nearly as large.
    assert!((8 * 512 * 512..32 * 512 * 512).contains(&cost.bytes), "{cost:?}");
    assert!(cost.operations > 512 * 512 * 512, "{cost:?}");
    assert!(cost.pattern.relative.unwrap() < 1.0, "{cost:?}");
    assert!(low.iter().all(|cell| cell.is_finite()));

    // What only changes behind it takes it over.
    let more = r#",{"stack":"encoder","layers":[1],"temperature":2}"#;
    let next = finished(&session, &request(512, more), Some(&run)).await;
    let again =
        next.attention(("encoder", 0, 1), "weights", None).unwrap().await.unwrap().into_data();
    assert_same_bits(&again, &low, "taken over");
    assert_eq!(counting.take_prepared(), (0, 0), "nothing was made again");
}

/// A head's directions count as much as the rows of a block, so that the bar moves while they are
/// made.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn heads_of_low_rank_count_as_progress() {
    let (session, _) = long_model(&reference!("marian-tiny"));
    let edits =
        r#"{"attention":[{"stack":"encoder","layers":[0],"heads":[0,1],"kind":"low-rank"}]}"#;
    let request = RunRequest {
        ids: Random(3).ids(256, session.info().vocab_size),
        target_ids: Some(vec![0.0, 7.0]),
        edits: Some(serde_json::from_str(edits).unwrap()),
        ..RunRequest::default()
    };
    let run = session.begin(&request, None).unwrap();
    let mut reports = vec![run.step().await.unwrap()];
    while !reports[reports.len() - 1].finished {
        reports.push(run.step().await.unwrap());
    }
    let stacks = session.info().stacks;
    let [own, written] = [stacks.encoder, stacks.decoder].map(|stack| stack.unwrap().layers);
    assert!(reports.is_sorted_by_key(|report| report.done));
    let last = &reports[reports.len() - 1];
    assert_eq!([last.done, last.total], [(own + 2) * 256 + written * 2; 2]);
    assert!(reports[0].done == 0 && reports[0].total == last.total, "{:?}", reports[0]);
    // One of them is known, and no row is done.
    assert!(reports.iter().any(|report| report.done == 256), "{reports:?}");
}

/// No matrix of a rank comes closer than by the singular values that are left out (Eckart and
/// Young); they are LAPACK's (`heads.rs`), taken by another room.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_low_rank_leaves_of_a_long_text_is_as_small_as_can_be() {
    let (session, _) = long_model(&reference!("marian-tiny"));
    let request = |edits: Option<&str>| RunRequest {
        ids: Random(3).ids(256, session.info().vocab_size),
        target_ids: Some(vec![0.0, 7.0]),
        edits: edits.map(|edits| serde_json::from_str(edits).unwrap()),
        ..RunRequest::default()
    };
    let plain = finished(&session, &request(None), None).await;
    let exact =
        plain.attention(("encoder", 0, 1), "weights", None).unwrap().await.unwrap().into_data();
    let mut work = plain.spectrum("encoder", 0, 1).unwrap().await.unwrap();
    let values = loop {
        if let Some(found) = work.step() {
            break found.weights.values;
        }
    };
    for rank in [1, 4, 16] {
        let edit = format!(
            r#"{{"attention":[{{"stack":"encoder","layers":[0],"heads":[1],"kind":"low-rank","parameters":{{"rank":{rank}}}}}]}}"#
        );
        let run = finished(&session, &request(Some(&edit)), Some(&plain)).await;
        let low =
            run.attention(("encoder", 0, 1), "weights", None).unwrap().await.unwrap().into_data();
        let square = |x: f64| x * x;
        let apart: f64 =
            exact.iter().zip(&low).map(|(a, b)| square(f64::from(*a) - f64::from(*b))).sum();
        let left: f64 = values[rank..].iter().copied().map(square).sum();
        let whole: f64 = values.iter().copied().map(square).sum();
        assert!((apart - left).abs() <= 1e-5 * whole, "rank {rank}: {apart}, {left} of {whole}");
    }
}
