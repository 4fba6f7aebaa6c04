//! The three bundled models beside Hugging Face's on text that they never saw: the body, for any
//! backend and however close it is to be.

use headscope::backend::Backend;
use serde_json::Value;

use super::parity::{Compare, compare_states};
use super::session::RunHandle;
use super::{Answers, Reference, finished, indices, request, tolerance};

/// Fifty sentences, random ids and a text under edits.
const INPUTS: usize = 52;

/// All inputs of a bundled model.
pub fn inputs(reference: &Reference) -> Vec<Value> {
    let inputs = reference.described()["inputs"].as_array().unwrap().clone();
    assert_eq!(inputs.len(), INPUTS, "{}: other inputs", reference.name);
    inputs
}

fn name(input: &Value) -> &str {
    input["name"].as_str().unwrap()
}

/// One row of the logits number by number, every row by its sums, and at each position the
/// best eight, which no other exceeds. Returns how many numbers of the reference were compared.
async fn compare_logits<B: Backend>(
    close: Compare,
    run: &RunHandle<B>,
    answers: &Answers<'_>,
    what: &str,
    input: &Value,
) -> usize {
    let logits = run.logits(None).unwrap().await.unwrap();
    let (n, vocabulary) = (logits.shape()[0], logits.shape()[1]);
    let rows = logits.into_data();
    let rows: Vec<&[f32]> = rows.chunks_exact(vocabulary).collect();

    let position = input["logits_position"].as_u64().unwrap() as usize;
    let (whole, _) = answers.get(&format!("{}.logits", name(input)));
    close(rows[position], &whole, &format!("{what}: logits at {position}"));

    let (best, shape) = answers.get(&format!("{}.top_logits", name(input)));
    assert_eq!(shape[0], n, "{what}: another number of positions");
    let ids = input["top_ids"].as_array().unwrap();
    for ((row, ids), best) in rows.iter().zip(ids).zip(best.chunks_exact(shape[1])) {
        let ids = indices(ids);
        let got: Vec<f32> = ids.iter().map(|&id| row[id]).collect();
        close(&got, best, &format!("{what}: the best logits"));
        let others = (0..vocabulary).filter(|id| !ids.contains(id)).map(|id| row[id]);
        let largest = others.fold(f32::NEG_INFINITY, f32::max);
        let least = best[best.len() - 1];
        assert!(largest <= least + tolerance(best), "{what}: {largest} is not among the best");
    }
    whole.len() + best.len() + compare_sums(&rows, answers, what, name(input))
}

/// A sum may be off by no more than a single logit of its row may be, although fifty are in it.
fn compare_sums(rows: &[&[f32]], answers: &Answers<'_>, what: &str, name: &str) -> usize {
    let (want, shape) = answers.get(&format!("{name}.logit_sums"));
    assert_eq!(shape[0], rows.len(), "{what}: another number of rows");
    for (position, (row, want)) in rows.iter().zip(want.chunks_exact(shape[1])).enumerate() {
        let got = logit_sums(row);
        assert_eq!(got.len(), want.len(), "{what}: another number of sums");
        let tolerance = tolerance(row);
        for (group, (got, want)) in got.iter().zip(want).enumerate() {
            assert!(
                (got - want).abs() <= tolerance,
                "{what}: the logits at {position}, group {group}, add up to {got}, not {want}"
            );
        }
    }
    want.len()
}

/// Every state, weight and row of logits of a bundled model.
pub async fn trained_on<B: Backend>(backend: B, close: Compare, reference: Reference) {
    let session = reference.load(backend);
    let answers = Answers::open(reference.answers);
    let mut compared = 0;
    for input in inputs(&reference) {
        let what = format!("{}: {}", reference.name, name(&input));
        let run = finished(&session, &request(&input, session.info().architecture), None).await;
        compared += compare_states(
            close,
            &session,
            &run,
            &answers,
            (name(&input), &what),
            false,
            usize::MAX,
        )
        .await;
        compared += compare_logits(close, &run, &answers, &what, &input).await;
    }
    assert!(compared > 500_000, "{}: only {compared} numbers were compared", reference.name);
}

// Every row of logits in little room: weighted sums of neighbouring ids, as
// `tests/reference/trained.py` wrote them.

const IDS_A_SUM: usize = 50;
const MULTIPLIER: u64 = 2_654_435_761;
const BITS: u64 = 1 << 32;

/// An id's weight: between a half and one, of either sign. Nothing in it is rounded.
fn weight(id: usize) -> f64 {
    let mixed = ((id as u64 + 1) * MULTIPLIER) % BITS;
    let size = 0.5 + (mixed % (1 << 24)) as f64 / f64::from(1 << 25);
    if mixed >= BITS / 2 { -size } else { size }
}

/// The sums of one row of logits, the last group as short as it comes.
fn logit_sums(row: &[f32]) -> Vec<f32> {
    let weighted: Vec<f64> =
        row.iter().enumerate().map(|(id, &logit)| f64::from(logit) * weight(id)).collect();
    weighted.chunks(IDS_A_SUM).map(|group| group.iter().sum::<f64>() as f32).collect()
}
