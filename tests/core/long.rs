//! Long texts come in pieces. A query of one place reads the rows that it is about, counted and not
//! timed; where a run is cut into steps changes no bit, its progress grows to the end, and a run
//! that was stopped at any step can be reused.

use crate::support;

use crate::support::{RunHandle, Session};
use headscope::axes::{Stack, Step};
use headscope::backend::Cpu;
use headscope::error::Code;
use headscope::run::{BlockRef, GenerateRequest, RunRequest};
use serde_json::{Value, json};
use support::counting::Counting;
use support::{
    Handle, Random, Reference, TARGET, assert_same_bits, finished, hidden, pattern, run_under,
    spectrum, step, steps, streams_of, under,
};

/// Tokens of the text.
const N: usize = 1000;

/// A translator whose limits allow a text as long, and counts.
fn long_model(reference: &Reference) -> (Session<Counting>, Counting) {
    let mut config: Value = serde_json::from_str(reference.config).unwrap();
    config["max_position_embeddings"] = N.into();
    let counting = Counting::default();
    let config = config.to_string();
    (Session::load(counting.clone(), &config, reference.checkpoint).unwrap(), counting)
}

/// An edit of some heads of the first encoder block.
fn low_rank(heads: &[usize], rank: usize) -> Value {
    json!({"stack": "encoder", "layers": [0], "heads": heads, "kind": "low-rank", "parameters": {"rank": rank}})
}

async fn long_run(session: &Session<Counting>) -> RunHandle<Counting> {
    let request = RunRequest {
        ids: Random(3).ids(N, session.info().vocab_size),
        target_ids: Some(vec![0.0, 7.0, 11.0]),
        ..RunRequest::default()
    };
    finished(session, &request, None).await
}

#[pollster::test]
async fn one_number_is_explained_from_the_rows_that_it_is_made_of() {
    let (session, counting) = long_model(&reference!("marian-tiny"));
    let run = long_run(&session).await;
    let d_model = session.info().d_model;
    for stack in ["encoder", "cross"] {
        let n_rows = if stack == "encoder" { N } else { 3 };
        let steps = steps(&run, (stack, 0, 1)).await;
        let widest = steps.iter().map(|one| one.tensor.shape()[1]).max().unwrap();
        for one in steps {
            let row = n_rows - 2;
            let column = 5;
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

#[pollster::test]
async fn the_steps_of_a_block_compute_each_pattern_once_and_in_pieces() {
    let (session, counting) = long_model(&bundled!("en-fr"));
    let run = long_run(&session).await;
    let mut work = run.steps("encoder", 1, 2).unwrap();
    let mut all = 0;
    let mut pieces = 0;
    counting.take();
    let steps = loop {
        if let Some(steps) = work.step().await.unwrap() {
            break steps;
        }
        let (read, patterns) = counting.take();
        assert_eq!(read, 0, "numbers were read before they were all there");
        assert!(patterns <= 4 * N * N / 3, "{patterns} cells at once");
        all += patterns;
        pieces += 1;
    };
    assert_eq!(counting.take().1, 0, "patterns were computed with the answer");
    assert_eq!(all, 4 * N * N, "four stages, each row once, in {pieces} pieces");
    for stage in ["raw", "scores", "masked", "weights"] {
        let whole = pattern(&run, ("encoder", 1, 2), stage).await;
        assert_same_bits(&step(&steps, stage).clone().into_data(), &whole.into_data(), stage);
    }
}

#[pollster::test]
async fn two_words_are_compared_by_their_own_rows() {
    let (session, counting) = long_model(&reference!("marian-tiny"));
    let run = long_run(&session).await;
    counting.take();
    let cosines = run.cosines("encoder", &[5, 6], &run, &[990]).unwrap().await.unwrap();
    assert_eq!(counting.take(), (3 * cosines.len() * session.info().d_model, 0));
}

/// The directions of one head's whole pattern are made in steps that a run can be stopped between,
/// once, whatever is read of them and whatever comes behind them.
#[pollster::test]
async fn a_pattern_of_low_rank_is_made_in_steps_and_once() {
    let (session, counting) = long_model(&reference!("marian-tiny"));
    let vocabulary = session.info().vocab_size;
    let request = |n: usize, more: &[Value]| {
        let edits = [&[low_rank(&[1], 8)], more].concat();
        under(&session, &Random(3).ids(n, vocabulary), &json!({ "attention": edits }))
    };
    let refused = session.begin(&request(513, &[]), None).err().unwrap();
    assert_eq!(refused.code, Code::SelectionTooLarge);
    assert!(refused.to_string().contains("at most 512 tokens"), "{refused}");

    let run = finished(&session, &request(512, &[]), None).await;
    let (steps, unprepared) = counting.take_prepared();
    assert!(steps > 20 && unprepared == 0, "{steps} steps, {unprepared} unprepared");
    let low = pattern(&run, ("encoder", 0, 1), "weights").await.into_data();
    run.thumbnails("encoder", 8, "weights", None).unwrap().await.unwrap();
    let cost = run.head_cost("encoder", 0, 1).unwrap().await.unwrap();
    // The pattern, f64s of it, and a triangle that is nearly as large.
    assert!((8 * 512 * 512..32 * 512 * 512).contains(&cost.bytes), "{cost:?}");
    assert!(cost.operations > 512 * 512 * 512, "{cost:?}");
    assert!(cost.pattern.relative.unwrap() < 1.0, "{cost:?}");
    assert!(low.iter().all(|cell| cell.is_finite()));

    // A run that only changes behind it reuses it.
    let more = [json!({"stack": "encoder", "layers": [1], "temperature": 2})];
    let next = finished(&session, &request(512, &more), Some(&run)).await;
    let again = pattern(&next, ("encoder", 0, 1), "weights").await.into_data();
    assert_same_bits(&again, &low, "reused");
    assert_eq!(counting.take_prepared(), (0, 0), "nothing was made again");
}

/// A head's directions count as much as the rows of a block, so that the bar moves while they are
/// made.
#[pollster::test]
async fn heads_of_low_rank_count_as_progress() {
    let (session, _) = long_model(&reference!("marian-tiny"));
    let edits = json!({"attention": [low_rank(&[0, 1], 8)]});
    let ids = Random(3).ids(256, session.info().vocab_size);
    let run = session.begin(&under(&session, &ids, &edits), None).unwrap();
    let mut reports = vec![run.step().await.unwrap()];
    while !reports[reports.len() - 1].finished {
        reports.push(run.step().await.unwrap());
    }
    let stacks = session.info().stacks;
    let [own, written] = [stacks.encoder, stacks.decoder].map(|stack| stack.unwrap().layers);
    assert!(reports.is_sorted_by_key(|report| report.done));
    let last = &reports[reports.len() - 1];
    assert_eq!([last.done, last.total], [(own + 2) * 256 + written * TARGET.len(); 2]);
    assert!(reports[0].done == 0 && reports[0].total == last.total, "{:?}", reports[0]);
    // One of them is known, and no row is done.
    assert!(reports.iter().any(|report| report.done == 256), "{reports:?}");
}

/// No matrix of a rank comes closer than by the singular values that are left out (Eckart and
/// Young); they are LAPACK's (`measures.rs`).
#[pollster::test]
async fn what_low_rank_leaves_of_a_long_text_is_as_small_as_can_be() {
    let (session, _) = long_model(&reference!("marian-tiny"));
    let ids = Random(3).ids(256, session.info().vocab_size);
    let plain = run_under(&session, &ids, &json!({})).await;
    let exact = pattern(&plain, ("encoder", 0, 1), "weights").await.into_data();
    let values = spectrum(&plain, ("encoder", 0, 1)).await.weights.values;
    for rank in [1, 4, 16] {
        let request = under(&session, &ids, &json!({"attention": [low_rank(&[1], rank)]}));
        let run = finished(&session, &request, Some(&plain)).await;
        let low = pattern(&run, ("encoder", 0, 1), "weights").await.into_data();
        let square = |x: f64| x * x;
        let apart: f64 =
            exact.iter().zip(&low).map(|(a, b)| square(f64::from(*a) - f64::from(*b))).sum();
        let left: f64 = values[rank..].iter().copied().map(square).sum();
        let whole: f64 = values.iter().copied().map(square).sum();
        assert!((apart - left).abs() <= 1e-5 * whole, "rank {rank}: {apart}, {left} of {whole}");
    }
}

const VOCABULARY: usize = 6000;

/// A text of 200 tokens for the bundled translator: dozens of units, several steps.
fn long_text() -> RunRequest {
    let mut random = Random(7);
    RunRequest {
        ids: random.ids(200, VOCABULARY),
        target_ids: Some(random.ids(180, VOCABULARY)),
        ..RunRequest::default()
    }
}

async fn assert_same_states(session: &Session<Cpu>, run: &Handle, other: &Handle, rows: usize) {
    for (stack, layers) in streams_of(session) {
        for layer in 0..=layers {
            let one = hidden(run, stack, layer).await.into_data();
            let two = hidden(other, stack, layer).await.into_data();
            let shared = if stack == "decoder" { rows * session.info().d_model } else { one.len() };
            assert_same_bits(&one[..shared], &two[..shared], &format!("{stack}.hidden.{layer}"));
        }
    }
}

#[pollster::test]
async fn progress_grows_to_its_end_in_several_steps() {
    let session = bundled!("en-fr").load(Cpu);
    let run = session.begin(&long_text(), None).unwrap();
    let mut done = 0;
    let mut steps = 0;
    let mut sources = 0;
    let mut blocks = Vec::new();
    loop {
        let report = run.step().await.unwrap();
        assert!(report.done > done || report.finished, "a step did nothing");
        assert_eq!(report.total, 3 * 200 + 3 * 180);
        // The block that is named is the one whose rows are missing.
        if let Some(BlockRef { stack, layer }) = report.at {
            let (before, rows) = if stack == Stack::Encoder { (0, 200) } else { (3 * 200, 180) };
            assert_eq!((report.done - before) / rows, layer);
            blocks.push((stack.name(), layer));
        }
        done = report.done;
        steps += 1;
        sources += usize::from(report.source_ready && !report.finished);
        if report.finished {
            break;
        }
    }
    assert_eq!(done, 3 * 200 + 3 * 180);
    assert!(steps > 4, "{steps} steps");
    assert!(
        blocks.contains(&("encoder", 1)) && blocks.last() == Some(&("decoder", 2)),
        "{blocks:?}"
    );
    assert!(sources > 0, "the source was never ready before the end");
}

#[pollster::test]
async fn of_a_text_that_is_written_the_first_word_comes_alone_and_the_rest_a_few_at_a_time() {
    let session = bundled!("en-fr").load(Cpu);
    let sent = RunRequest {
        ids: Random(8).ids(33, VOCABULARY),
        generate: Some(GenerateRequest {
            max_new_tokens: Some(40.0),
            ..GenerateRequest::default()
        }),
        ..RunRequest::default()
    };
    let run = session.begin(&sent, None).unwrap();
    let mut pieces = Vec::new();
    loop {
        let report = run.step().await.unwrap();
        pieces.extend(Some(report.generated.len()).filter(|&words| words > 0));
        if report.finished {
            break;
        }
    }
    assert_eq!(pieces[0], 1);
    assert!(pieces.len() > 3 && pieces.iter().all(|&words| words < 12), "{pieces:?}");
}

#[pollster::test]
async fn a_run_can_be_stopped_at_any_step_and_reused() {
    let session = bundled!("en-fr").load(Cpu);
    let fresh = finished(&session, &long_text(), None).await;
    for steps in 1.. {
        let left = session.begin(&long_text(), None).unwrap();
        let mut is_finished = false;
        for _ in 0..steps {
            is_finished = left.step().await.unwrap().finished;
        }
        if is_finished {
            assert!(steps > 3, "the whole run was {steps} steps");
            break;
        }
        let after = session.begin(&long_text(), Some(&left)).unwrap();
        let first = after.step().await.unwrap();
        assert!(steps == 1 || first.done > 100, "nothing was reused after {steps} steps");
        after.finish().await.unwrap();
        assert_same_states(&session, &fresh, &after, 180).await;
    }
}
