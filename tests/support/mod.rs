//! What the integration tests share: the reference models (`references.rs`), comparing within
//! the house's tolerance, driving a session.

#![allow(dead_code, reason = "every test program uses its own part of it")]

use headscope::axes::Tensor;
use headscope::backend::Backend;
use headscope::model::Architecture;
use headscope::run::{GenerateRequest, RunRequest};
use safetensors::SafeTensors;
use serde_json::Value;

pub mod alone;
pub mod cases;
pub mod counting;
pub mod functions;
pub mod logit_sums;
pub mod mixtures;
pub mod parity;
mod pause;
mod session;
#[macro_use]
mod references;
#[macro_use]
pub mod trained;
pub use pause::pause;
pub use references::{Reference, families, heads_and_blocks, kinds, masks, placed, tiny_models};
pub use session::{RunHandle, Session};

/// Against Hugging Face in f32: rounding of sums of a few thousand products, in another
/// order. Absolute part, and relative to the largest number of the tensor.
pub const ABSOLUTE: f32 = 1e-4;
/// See [`ABSOLUTE`].
pub const RELATIVE: f32 = 1e-5;

/// Numbers out of a safetensors file.
pub struct Answers<'a>(SafeTensors<'a>);

impl<'a> Answers<'a> {
    /// Opens a file in memory.
    pub fn open(bytes: &'a [u8]) -> Self {
        Self(SafeTensors::deserialize(bytes).expect("a reference file is readable"))
    }

    /// Whether a tensor is there.
    pub fn has(&self, name: &str) -> bool {
        self.0.tensor(name).is_ok()
    }

    /// A tensor with its shape.
    pub fn get(&self, name: &str) -> (Vec<f32>, Vec<usize>) {
        let view = self.0.tensor(name).unwrap_or_else(|_| panic!("no reference tensor {name}"));
        let numbers =
            view.data().as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        (numbers, view.shape().to_vec())
    }
}

/// By how much each of these numbers may differ.
pub fn tolerance(want: &[f32]) -> f32 {
    let largest = want.iter().fold(0f32, |largest, x| largest.max(x.abs()));
    ABSOLUTE + RELATIVE * largest
}

/// Panics with the worst place where numbers differ by more than the house's tolerance.
pub fn assert_close(got: &[f32], want: &[f32], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}: another number of numbers");
    let tolerance = tolerance(want);
    for (at, (g, w)) in got.iter().zip(want).enumerate() {
        assert!(
            (g - w).abs() <= tolerance,
            "{what}[{at}]: {g} instead of {w}, tolerance {tolerance}"
        );
    }
}

/// Panics unless every bit is the same.
pub fn assert_same_bits(got: &[f32], want: &[f32], what: &str) {
    let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(got), bits(want), "{what}: not bit-identical");
}

/// The numbers of a list.
pub fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
}

/// A list of positions or ids.
pub fn indices(list: &Value) -> Vec<usize> {
    list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

/// A case as a request. One that names neither a target nor a length, of a model that
/// needs a target, is written to the end.
pub fn request(case: &Value, architecture: Architecture) -> RunRequest {
    let numbers = |field: &str| case.get(field).map(numbers);
    let mut sent = RunRequest {
        ids: numbers("ids").unwrap(),
        token_type_ids: numbers("token_type_ids"),
        attention_mask: numbers("attention_mask"),
        target_ids: numbers("target_ids"),
        generate: case.get("max_new_tokens").map(|n| GenerateRequest { max_tokens: n.as_f64() }),
        edits: case.get("edits").map(|edits| serde_json::from_value(edits.clone()).unwrap()),
    };
    if architecture == Architecture::EncoderDecoder && sent.target_ids.is_none() {
        sent.generate.get_or_insert_default();
    }
    sent
}

/// A run of ids, with a translation where the model takes one, under edits as they are sent.
pub fn of_ids<B: Backend>(
    session: &Session<B>,
    ids: &[f64],
    target_ids: &[f64],
    edits: Option<&str>,
) -> RunRequest {
    RunRequest {
        ids: ids.to_vec(),
        target_ids: session.info().stacks.cross.map(|_| target_ids.to_vec()),
        edits: edits.map(|edits| serde_json::from_str(edits).unwrap()),
        ..RunRequest::default()
    }
}

/// The stacks that a model has: name, layers, heads.
pub fn stacks_of<B: Backend>(session: &Session<B>) -> Vec<(&'static str, usize, usize)> {
    let stacks = session.info().stacks;
    let named = [("encoder", stacks.encoder), ("decoder", stacks.decoder), ("cross", stacks.cross)];
    let there = named.into_iter().filter_map(|(name, stack)| Some((name, stack?)));
    there.map(|(name, stack)| (name, stack.layers, stack.heads)).collect()
}

/// A finished run, and a pause after it.
pub async fn finished<B: Backend>(
    session: &Session<B>,
    request: &RunRequest,
    earlier: Option<&RunHandle<B>>,
) -> RunHandle<B> {
    let run = session.begin(request, earlier).unwrap_or_else(|error| panic!("{error}"));
    run.finish().await.unwrap();
    pause().await;
    run
}

/// Everything that can be read of a run, named, in a fixed order.
pub async fn everything<B: Backend>(
    session: &Session<B>,
    run: &RunHandle<B>,
) -> Vec<(String, Tensor)> {
    let info = session.info();
    let mut all = Vec::new();
    for (name, layers, heads) in stacks_of(session) {
        for layer in 0..layers {
            for head in 0..heads {
                for stage in ["raw", "scores", "masked", "weights"] {
                    let tensor =
                        run.attention((name, layer, head), stage, None).unwrap().await.unwrap();
                    all.push((format!("{name}.attention.{layer}.{head}.{stage}"), tensor));
                }
            }
        }
        if name != "cross" {
            for layer in 0..=layers {
                let tensor = run.hidden(name, layer).unwrap().await.unwrap();
                all.push((format!("{name}.hidden.{layer}"), tensor));
            }
        }
    }
    if info.predicts {
        all.push(("logits".to_owned(), run.logits(None).unwrap().await.unwrap()));
    }
    all
}

/// By how much a number may differ from PyTorch's in f64, in units of the largest number of
/// its tensor or of 1: f32 rounds in proportion to the size of what it adds up, `6·10⁻⁸` of it
/// at every step.
const EXACT: f32 = 1e-5;

/// Panics with the first place where numbers differ by more than that.
pub fn assert_exact(got: &[f32], want: &[f32], what: &str) {
    assert_within(EXACT, got, want, what);
}

fn assert_within(allowed: f32, got: &[f32], want: &[f32], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}: another shape");
    let largest = want.iter().fold(1f32, |largest, x| largest.max(x.abs()));
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        let error = (got - want).abs();
        assert!(error <= allowed * largest, "{what}[{at}]: {got} instead of {want}");
    }
}

/// A run on the CPU backend.
pub type Handle = RunHandle<headscope::backend::Cpu>;

/// Sets every number of an f32 tensor inside a checkpoint.
pub fn overwrite(checkpoint: &mut [u8], name: &str, value: f32) {
    let (range, header) = {
        let (header, metadata) = SafeTensors::read_metadata(checkpoint).unwrap();
        (metadata.info(name).unwrap_or_else(|| panic!("no tensor {name}")).data_offsets, header)
    };
    let start = 8 + header;
    for bytes in checkpoint[start + range.0..start + range.1].as_chunks_mut::<4>().0 {
        *bytes = value.to_le_bytes();
    }
}

/// A small seeded generator (`SplitMix64`, Steele et al. 2014), the same on every target.
pub struct Random(pub u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }

    /// Token ids of a vocabulary.
    pub fn ids(&mut self, n: usize, vocabulary: usize) -> Vec<f64> {
        (0..n).map(|_| self.below(vocabulary) as f64).collect()
    }
}
