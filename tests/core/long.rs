//! What a question about one place of a long text costs: it reads the rows that it is about,
//! not the whole text's, and what needs every row comes in pieces. Counted, not timed.

use crate::support;

use headscope::axes::Step;
use headscope::run::RunRequest;
use headscope::session::{RunHandle, Session};
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
            if let Some(steps) = work.step() {
                break steps.await.unwrap();
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
        if let Some(steps) = work.step() {
            break steps.await.unwrap();
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
        let whole = run.attention("encoder", 1, 2, stage).unwrap().await.unwrap();
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
