//! Cases of edits with what PyTorch computes under them, and runs that must be one another's
//! equals to the bit.

use headscope::backend::{Backend, Cpu};
use headscope::session::{RunHandle, Session};
use serde_json::{Value, json};

use super::{Answers, Reference, assert_same_bits, compare, everything, pause, request};

/// A model with its cases and their answers.
pub type Cases = (Reference, &'static str, &'static [u8]);

/// The [`Cases`] of a tiny model in a folder of `tests/reference`.
#[macro_export]
macro_rules! edited_cases {
    ($folder:literal, $name:literal) => {
        (
            reference!($name),
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/",
                $folder,
                "/",
                $name,
                ".json"
            )),
            &include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/reference/",
                $folder,
                "/",
                $name,
                ".safetensors"
            ))[..],
        )
    };
}

/// Compares all cases, each run taking over what it can from the one before it; gives how many
/// cases there were, and how many numbers.
pub async fn compare_all<B: Backend + Copy>(
    backend: B,
    models: impl IntoIterator<Item = Cases>,
) -> (usize, usize) {
    let (mut cases, mut numbers) = (0, 0);
    for (reference, described, answers) in models {
        let session = reference.load(backend);
        let answers = Answers::open(answers);
        let described: Vec<Value> = serde_json::from_str(described).unwrap();
        let mut earlier = None;
        for case in &described {
            let name = case["name"].as_str().unwrap();
            let sent = request(case, session.info().architecture);
            let run = session.begin(&sent, earlier.as_ref()).unwrap();
            let written: Vec<u32> =
                run.finish().await.unwrap().generated.iter().map(|token| token.chosen).collect();
            if let Some(generated) = case.get("generated") {
                assert_eq!(json!(written), *generated, "{}: {name}: another text", reference.name);
            }
            numbers += compare(name, everything(&session, &run).await, &answers);
            earlier = Some(run);
            cases += 1;
            pause().await;
        }
    }
    (cases, numbers)
}

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
