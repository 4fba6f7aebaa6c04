//! A text that any model can be asked about under edits, and runs that must be one another's equals
//! to the bit.

use super::session::{RunHandle, Session};
use headscope::backend::{Backend, Cpu};
use headscope::run::{GenerateRequest, RunRequest};
use serde_json::Value;

use super::{assert_same_bits, everything};

/// Panics unless all that can be read of two runs is the same to the bit.
pub async fn assert_same(
    session: &Session<Cpu>,
    got: &RunHandle<Cpu>,
    want: &RunHandle<Cpu>,
    what: &str,
) {
    assert_eq!(got.target_ids(), want.target_ids(), "{what}");
    let (got, want) = (everything(session, got).await, everything(session, want).await);
    for ((name, got), (_, want)) in got.into_iter().zip(want) {
        assert_same_bits(&got.into_data(), &want.into_data(), &format!("{what}: {name}"));
    }
}

/// A text that every tiny model reads.
pub const IDS: [f64; 6] = [29., 57., 27., 16., 15., 42.];

/// A run of ids under edits, with a translation where the model takes one.
pub fn sent<B: Backend>(ids: &[f64], session: &Session<B>, edits: &Value) -> RunRequest {
    RunRequest {
        edits: Some(serde_json::from_value(edits.clone()).unwrap()),
        ..super::of_ids(session, ids, &[60., 5., 17., 3., 9.], None)
    }
}

/// The same run, which writes what was its translation, or goes on with its text.
pub fn writing(request: RunRequest, max_tokens: f64) -> RunRequest {
    let generate = Some(GenerateRequest { max_tokens: Some(max_tokens) });
    RunRequest { target_ids: None, generate, ..request }
}

/// The same run, which reads at once what was written.
pub fn reading<B: Backend>(request: RunRequest, session: &Session<B>, ids: &[f64]) -> RunRequest {
    let request = RunRequest { generate: None, ..request };
    if session.info().stacks.cross.is_some() {
        RunRequest { target_ids: Some(ids.to_vec()), ..request }
    } else {
        RunRequest { ids: ids.to_vec(), ..request }
    }
}

/// What went through a decoder, as it can be sent.
pub fn written_ids<B: Backend>(run: &RunHandle<B>) -> Vec<f64> {
    run.target_ids().into_iter().map(f64::from).collect()
}
