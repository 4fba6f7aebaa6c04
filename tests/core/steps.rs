//! Long texts are cut into units and steps. Where they are cut changes no bit, progress
//! grows to its end, and a run that was left anywhere can be taken over.

use crate::support;

use crate::support::Session;
use headscope::axes::Stack;
use headscope::backend::Cpu;
use headscope::run::{BlockRef, GenerateRequest, RunRequest};
use support::{Handle, Random, assert_same_bits, finished};
use wasm_bindgen_test::wasm_bindgen_test;

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
    let stacks = session.info().stacks;
    for (stack, found) in [("encoder", stacks.encoder), ("decoder", stacks.decoder)] {
        for layer in 0..=found.unwrap().layers {
            let [one, two] = [run, other].map(|run| run.hidden(stack, layer).unwrap());
            let (one, two) = (one.await.unwrap().into_data(), two.await.unwrap().into_data());
            let shared = if stack == "decoder" { rows * session.info().d_model } else { one.len() };
            assert_same_bits(&one[..shared], &two[..shared], &format!("{stack}.hidden.{layer}"));
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn progress_grows_to_its_end_in_several_steps() {
    let session = bundled!("en-fr").load(Cpu);
    let run = session.begin(&long_text(), None).unwrap();
    let (mut done, mut steps, mut sources) = (0, 0, 0);
    let mut blocks = Vec::new();
    loop {
        let report = run.step().await.unwrap();
        assert!(report.done > done || report.finished, "a step did nothing");
        assert_eq!(report.total, 3 * 200 + 3 * 180);
        // The block that is told is the one whose rows are missing.
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

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn of_a_text_that_is_written_the_first_word_comes_alone_and_the_rest_a_few_at_a_time() {
    let session = bundled!("en-fr").load(Cpu);
    let sent = RunRequest {
        ids: Random(8).ids(33, VOCABULARY),
        generate: Some(GenerateRequest { max_tokens: Some(40.0) }),
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

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn where_a_text_is_cut_changes_no_bit() {
    let session = bundled!("en-fr").load(Cpu);
    let long = finished(&session, &long_text(), None).await;
    // The first rows of the decoder alone are one unit; here they are a part of many.
    let mut short = long_text();
    short.target_ids.as_mut().unwrap().truncate(9);
    let short = finished(&session, &short, None).await;
    assert_same_states(&session, &long, &short, 9).await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_run_can_be_left_at_any_step_and_taken_over() {
    let session = bundled!("en-fr").load(Cpu);
    let fresh = finished(&session, &long_text(), None).await;
    for steps in [1, 2, 3, 5, 8] {
        let left = session.begin(&long_text(), None).unwrap();
        for _ in 0..steps {
            assert!(!left.step().await.unwrap().finished, "left only after its end");
        }
        let after = session.begin(&long_text(), Some(&left)).unwrap();
        let first = after.step().await.unwrap();
        assert!(steps == 1 || first.done > 100, "nothing was taken over after {steps} steps");
        after.finish().await.unwrap();
        assert_same_states(&session, &fresh, &after, 180).await;
    }
}
