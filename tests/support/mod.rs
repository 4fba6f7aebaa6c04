//! What the integration tests share: reference models, requests, runs and how their numbers
//! compare.

#![allow(dead_code, reason = "every test program uses its own part of it")]

use headscope::axes::Tensor;
use headscope::backend::{Backend, Cpu};
use headscope::model::Architecture;
use headscope::run::{GenerateRequest, RunRequest, Spectrum, StepTensor};
use safetensors::SafeTensors;
use serde_json::Value;

pub mod counting;
pub mod drawn;
pub mod parity;
mod session;
#[macro_use]
pub mod references;
#[macro_use]
pub mod trained;
pub use references::{MODELS, Reference, edited, families, tiny_models};
pub use session::{RunHandle, Session};

/// A run on the CPU backend.
pub type Handle = RunHandle<Cpu>;

/// One head: stack, layer, head.
pub type Head<'a> = (&'a str, usize, usize);

/// Against Hugging Face in f32: rounding of sums of a few thousand products, in another
/// order. Absolute part, and relative to the largest number of the tensor.
const ABSOLUTE: f32 = 1e-4;
const RELATIVE: f32 = 1e-5;

/// By how much a number may differ from PyTorch's in f64, in units of the largest number of
/// its tensor or of 1: f32 rounds in proportion to the size of what it adds up, `6·10⁻⁸` of it
/// at every step.
const EXACT: f32 = 1e-5;

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

/// By how much each of these numbers may differ from what was computed in f32.
pub fn tolerance(want: &[f32]) -> f32 {
    let largest = want.iter().fold(0f32, |largest, x| largest.max(x.abs()));
    ABSOLUTE + RELATIVE * largest
}

/// Panics where a number differs by more than [`tolerance`].
pub fn assert_close(got: &[f32], want: &[f32], what: &str) {
    assert_within(tolerance(want), got, want, what);
}

/// Panics where a number differs from what was computed in f64 by more than f32 rounds.
pub fn assert_exact(got: &[f32], want: &[f32], what: &str) {
    let largest = want.iter().fold(1f32, |largest, x| largest.max(x.abs()));
    assert_within(EXACT * largest, got, want, what);
}

/// Panics where a number differs by more than `allowed`.
pub fn assert_within(allowed: f32, got: &[f32], want: &[f32], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}: another shape");
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        // Of what is infinite there is no difference.
        let is_near = got == want || (got - want).abs() <= allowed;
        assert!(is_near, "{what}[{at}]: {got} instead of {want}, tolerance {allowed}");
    }
}

/// Panics unless every bit is the same.
pub fn assert_same_bits(got: &[f32], want: &[f32], what: &str) {
    let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(got), bits(want), "{what}: not bit-identical");
}

/// Panics unless all that can be read of two runs is the same to the bit.
pub async fn assert_same<B: Backend>(
    session: &Session<B>,
    got: &RunHandle<B>,
    want: &RunHandle<B>,
    what: &str,
) {
    assert_eq!(got.target_ids(), want.target_ids(), "{what}");
    let (got, want) = (everything(session, got).await, everything(session, want).await);
    assert_eq!(got.len(), want.len(), "{what}");
    for ((name, got), (_, want)) in got.into_iter().zip(want) {
        assert_same_bits(&got.into_data(), &want.into_data(), &format!("{what}: {name}"));
    }
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
    let mut request = RunRequest {
        ids: numbers("ids").unwrap(),
        pixels: numbers("pixels").map(|all| all.iter().map(|&pixel| pixel as f32).collect()),
        token_type_ids: numbers("token_type_ids"),
        attention_mask: numbers("attention_mask"),
        target_ids: numbers("target_ids"),
        generate: case
            .get("max_new_tokens")
            .map(|n| GenerateRequest { max_new_tokens: n.as_f64(), ..GenerateRequest::default() }),
        edits: case.get("edits").map(|edits| serde_json::from_value(edits.clone()).unwrap()),
        lenient: None,
        dropout: None,
    };
    if architecture == Architecture::EncoderDecoder && request.target_ids.is_none() {
        request.generate.get_or_insert_default();
    }
    request
}

/// A text that every tiny model reads.
pub const IDS: [f64; 6] = [29., 57., 27., 16., 15., 42.];
/// A text with repetitions, so that duplicates and induction are there.
pub const REPEATING: [f64; 9] = [5., 9., 13., 5., 9., 13., 5., 17., 2.];
/// The translation that goes with any text, with repetitions too.
pub const TARGET: [f64; 5] = [60., 7., 11., 7., 11.];

/// A request of ids under edits, with a translation where the model takes one; a model of images
/// gets one that the first id decides.
pub fn under<B: Backend>(session: &Session<B>, ids: &[f64], edits: &Value) -> RunRequest {
    let pixels = session.info().image.map(|image| {
        let n = image.channels * image.size[0] * image.size[1];
        (0..n).map(|at| ((at * at) as f32 + ids[0] as f32).sin()).collect::<Vec<f32>>()
    });
    RunRequest {
        ids: if pixels.is_some() { Vec::new() } else { ids.to_vec() },
        pixels,
        target_ids: session.info().stacks.cross.map(|_| TARGET.to_vec()),
        edits: Some(
            serde_json::from_value(edits.clone()).unwrap_or_else(|e| panic!("{e}: {edits}")),
        ),
        ..RunRequest::default()
    }
}

/// The finished run of ids under edits.
pub async fn run_under<B: Backend>(
    session: &Session<B>,
    ids: &[f64],
    edits: &Value,
) -> RunHandle<B> {
    finished(session, &under(session, ids, edits), None).await
}

/// One run of each family on a text with repetitions.
pub async fn repeating_runs() -> Vec<(&'static str, Session<Cpu>, Handle)> {
    let mut all = Vec::new();
    for reference in families() {
        let session = reference.load(Cpu);
        let run = run_under(&session, &REPEATING, &serde_json::json!({})).await;
        all.push((reference.name, session, run));
    }
    all
}

/// The same request, which writes what was its translation, or goes on with its text.
pub fn writing(request: RunRequest, max_tokens: f64) -> RunRequest {
    let generate =
        Some(GenerateRequest { max_new_tokens: Some(max_tokens), ..GenerateRequest::default() });
    RunRequest { target_ids: None, generate, ..request }
}

/// The request that reads at once what a run wrote for another.
pub fn reading<B: Backend>(session: &Session<B>, request: &RunRequest, ids: &[f64]) -> RunRequest {
    let request = RunRequest { generate: None, ..request.clone() };
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

/// The stacks that a model has: name, layers, heads.
pub fn stacks_of<B: Backend>(session: &Session<B>) -> Vec<(&'static str, usize, usize)> {
    let stacks = session.info().stacks;
    let named = [("encoder", stacks.encoder), ("decoder", stacks.decoder), ("cross", stacks.cross)];
    let there = named.into_iter().filter_map(|(name, stack)| Some((name, stack?)));
    there.map(|(name, stack)| (name, stack.layers, stack.heads)).collect()
}

/// Every head that a model has.
pub fn heads_of<B: Backend>(session: &Session<B>) -> Vec<Head<'static>> {
    let stacks = stacks_of(session).into_iter();
    let layers =
        stacks.flat_map(|(name, layers, heads)| (0..layers).map(move |l| (name, l, heads)));
    layers
        .flat_map(|(name, layer, heads)| (0..heads).map(move |head| (name, layer, head)))
        .collect()
}

/// The residual streams that a model has: name, layers.
pub fn streams_of<B: Backend>(session: &Session<B>) -> Vec<(&'static str, usize)> {
    let all = stacks_of(session).into_iter();
    all.filter(|(name, ..)| *name != "cross").map(|(name, layers, _)| (name, layers)).collect()
}

/// Whether a model has all stacks that edits name.
pub fn has_stacks_of<B: Backend>(session: &Session<B>, edits: &Value) -> bool {
    let (text, there) = (edits.to_string(), stacks_of(session));
    ["encoder", "decoder", "cross"].iter().all(|name| {
        there.iter().any(|(own, ..)| own == name) || !text.contains(&format!("\"{name}\""))
    })
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

/// The pattern of a head at a stage.
pub async fn pattern<B: Backend>(run: &RunHandle<B>, head: Head<'_>, stage: &str) -> Tensor {
    run.attention(head, stage, None).unwrap().await.unwrap()
}

/// The residual stream before a layer, or behind the last.
pub async fn hidden<B: Backend>(run: &RunHandle<B>, stack: &str, layer: usize) -> Tensor {
    run.hidden(stack, layer).unwrap().await.unwrap()
}

/// The singular values of a head.
pub async fn spectrum<B: Backend>(run: &RunHandle<B>, (stack, layer, head): Head<'_>) -> Spectrum {
    let mut work = run.spectrum(stack, layer, head).unwrap().await.unwrap();
    loop {
        if let Some(spectrum) = work.step() {
            return spectrum;
        }
    }
}

/// The address, as a refusal names it, of a step that the list of a block has and another stack
/// computes; `None` for a step of the stack itself.
pub fn address_elsewhere(stack: &str, step: &str) -> Option<String> {
    let after_cross = ["ff-", "neighbours", "convolved", "final"];
    match (stack, step) {
        ("decoder", "cross-attended") => Some("the step attended of layer".to_owned()),
        ("decoder", "cross-sum") => Some("the step sum of layer".to_owned()),
        ("decoder", "cross-normed") => Some("the step normed of layer".to_owned()),
        ("cross", "input") => Some("of the stack decoder".to_owned()),
        ("cross", "memory") => Some("of the stack encoder".to_owned()),
        ("cross", step) if after_cross.iter().any(|start| step.starts_with(start)) => {
            Some(format!("the step {step} of layer"))
        }
        _ => None,
    }
}

/// The steps of a block as one head sees it.
pub async fn steps<B: Backend>(
    run: &RunHandle<B>,
    (stack, layer, head): Head<'_>,
) -> Vec<StepTensor> {
    let mut work = run.steps(stack, layer, head).unwrap();
    loop {
        if let Some(steps) = work.step().await.unwrap() {
            return steps;
        }
    }
}

/// One of the steps by its name.
pub fn step<'a>(steps: &'a [StepTensor], name: &str) -> &'a Tensor {
    let found = steps.iter().find(|one| one.step.name() == name);
    &found.unwrap_or_else(|| panic!("no step {name}")).tensor
}

/// The rows of a matrix in f64.
pub fn rows(tensor: &Tensor) -> Vec<Vec<f64>> {
    let wide: Vec<f64> = tensor.values().iter().map(|&x| f64::from(x)).collect();
    wide.chunks_exact(tensor.shape()[1]).map(<[f64]>::to_vec).collect()
}

/// Everything that can be read of a run, named, in a fixed order.
pub async fn everything<B: Backend>(
    session: &Session<B>,
    run: &RunHandle<B>,
) -> Vec<(String, Tensor)> {
    let mut all = Vec::new();
    for at in heads_of(session) {
        for stage in ["raw", "scores", "masked", "weights"] {
            let name = format!("{}.attention.{}.{}.{stage}", at.0, at.1, at.2);
            all.push((name, pattern(run, at, stage).await));
        }
    }
    for (name, layers) in streams_of(session) {
        for layer in 0..=layers {
            all.push((format!("{name}.hidden.{layer}"), hidden(run, name, layer).await));
        }
    }
    if session.info().predicts {
        all.push(("logits".to_owned(), run.logits(None).unwrap().await.unwrap()));
    }
    all
}

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
    /// A whole number from 0 to `end − 1`.
    pub fn below(&mut self, end: usize) -> usize {
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

/// Lets the page, or Node, run its other tasks between two pieces of a long test.
#[cfg(target_arch = "wasm32")]
pub async fn pause() {
    use js_sys::{Function, Promise, Reflect, global};
    use wasm_bindgen::{JsCast, JsValue};

    let waited = Promise::new(&mut |resolve, _| {
        // A promise that is kept at once would be followed before any other task.
        let later: Function =
            Reflect::get(&global(), &"setTimeout".into()).unwrap().unchecked_into();
        later.call1(&JsValue::UNDEFINED, &resolve).unwrap();
    });
    wasm_bindgen_futures::JsFuture::from(waited).await.unwrap();
}

/// A native test has a thread of its own.
#[cfg(not(target_arch = "wasm32"))]
pub async fn pause() {}
