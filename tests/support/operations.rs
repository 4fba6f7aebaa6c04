//! Operations and attention alone, for any backend, beside numbers computed in f64 and PyTorch's.

use std::rc::Rc;

use headscope::attention::MultiHeadAttention;
use headscope::axes::Stage;
use headscope::backend::{Backend, Linear, Order};
use headscope::kernels::activation::Activation;
use headscope::masks::Mask;

use super::parity::Compare;
use super::{Answers, assert_close, assert_same_bits};

/// Functions and rows, each with its arguments.
pub const FUNCTIONS: &[u8] = include_bytes!("../reference/functions.safetensors");

/// Activations, the logarithm of softmax and layer norm.
pub async fn operations_on<B: Backend>(backend: B, close: Compare) {
    let vectors = Answers::open(FUNCTIONS);
    let of = |name: &str, part: &str| vectors.get(&format!("{name}.{part}"));
    let rows = |name: &str| {
        let (x, shape) = of(name, "x");
        let columns = shape.last().copied().unwrap();
        (backend.upload(x, columns), of(name, "y").0)
    };
    for (name, activation) in [
        ("gelu_erf", Activation::Gelu),
        ("gelu_tanh", Activation::GeluTanh),
        ("silu", Activation::Silu),
    ] {
        let (x, want) = rows(name);
        close(&backend.read(&backend.activate(&x, activation)).await.unwrap(), &want, name);
    }
    let (x, want) = rows("log_softmax");
    close(&backend.read(&backend.log_softmax(&x)).await.unwrap(), &want, "log_softmax");
    let (x, want) = rows("layer_norm");
    let [gain, bias] = ["gain", "bias"].map(|part| of("layer_norm", part).0);
    let columns = gain.len();
    let [gain, bias] = [gain, bias].map(|row| backend.upload(row, columns));
    let normed = backend.read(&backend.layer_norm(&x, &gain, &bias, 1e-5)).await.unwrap();
    assert_eq!(normed.len(), want.len());
    for (got, want) in normed.chunks(columns).zip(want.chunks(columns)) {
        // One of the rows stands far from zero, where f32 holds fewer digits.
        assert_close(got, want, "layer_norm");
    }
}

const MULTI_HEAD: &[u8] = include_bytes!("../reference/mha.safetensors");
/// How many tokens of each padded sequence are real.
const PADDED_LENGTHS: [usize; 2] = [5, 3];

fn linear<B: Backend>(
    backend: &B,
    weight: &[f32],
    inner: usize,
    order: Order,
    bias: Option<Vec<f32>>,
) -> Linear<B> {
    let outer = weight.len() / inner;
    let matrix = backend.matrix(weight, inner, outer, order);
    Linear::new(Rc::new(matrix), bias.map(|bias| backend.upload(bias, outer)))
}

/// The worked example: four words of three numbers, one head of width 3.
pub async fn worked_example<B: Backend>(backend: B) {
    let words = vec![1., 0., 0., 0., 1., 0., 1., 1., 0., 0., 0., 1.];
    let map = |weight: [f32; 9]| linear(&backend, &weight, 3, Order::InnerOuter, None);
    let maps = [
        map([2., 0., 2., 2., 0., 0., 2., 1., 2.]),
        map([2., 2., 2., 0., 2., 1., 0., 1., 1.]),
        map([1., 1., 0., 0., 1., 1., 0., 0., 0.]),
        map([1., 0., 0., 0., 1., 0., 0., 0., 1.]),
    ];
    let attention = plain_site(maps, 1, 3);
    let x = backend.upload(words, 3);
    let (output, spec) = attention.forward(&backend, &x, &x, &x, Mask::open());
    spec.fetch(&backend).await.unwrap();
    let raw = spec.pattern(&backend, 0, Stage::Raw);
    assert_eq!(raw, [8., 2., 10., 2., 4., 0., 4., 0., 12., 2., 14., 2., 10., 4., 14., 3.]);
    let weights = spec.pattern(&backend, 0, Stage::Weights);
    let first = [0.236_089_86, 0.007_389_88, 0.749_130_39, 0.007_389_88];
    let outputs = [
        [0.985_220_25, 1.741_740_51, 0.756_520_26],
        [0.909_652_65, 1.409_652_65, 0.5],
        [0.998_512_26, 1.758_493_34, 0.759_981_08],
        [0.995_603_86, 1.904_073_09, 0.908_469_23],
    ];
    let within = |got: &[f32], want: &[f64]| {
        for (got, want) in got.iter().zip(want) {
            assert!((f64::from(*got) - want).abs() < 1e-6, "{got} instead of {want}");
        }
    };
    within(&weights[..4], &first);
    let output = backend.read(&output).await.unwrap();
    assert_eq!(output.len(), 12);
    within(&output, outputs.as_flattened());
}

/// The module of the reference file, 4 heads of width 32.
fn module<B: Backend>(backend: &B, vectors: &Answers<'_>) -> MultiHeadAttention<B> {
    let part = |name: &str| {
        let (weight, _) = vectors.get(&format!("weight.{name}"));
        let (bias, _) = vectors.get(&format!("bias.{name}"));
        linear(backend, &weight, 128, Order::OuterInner, Some(bias))
    };
    plain_site(["query", "key", "value", "output"].map(part), 4, 32)
}

/// A site of the maps of queries, keys, values and output, as the paper of 2017 has it.
fn plain_site<B: Backend>(
    [query, key, value, output]: [Linear<B>; 4],
    n_heads: usize,
    head_dim: usize,
) -> MultiHeadAttention<B> {
    MultiHeadAttention {
        query,
        key,
        value,
        output,
        n_heads,
        n_kv_heads: n_heads,
        head_dim,
        query_norm: None,
        key_norm: None,
        scale: 1.0 / (head_dim as f32).sqrt(),
        cap: None,
        turns: None,
        relative: None,
        window: None,
    }
}

/// One sequence of a batch: outputs and the weights of all heads.
async fn sequence<B: Backend>(
    backend: &B,
    attention: &MultiHeadAttention<B>,
    [query, key, value]: [&[f32]; 3],
    mask: Mask,
) -> (Vec<f32>, Vec<f32>) {
    let [q, k, v] = [query, key, value].map(|x| backend.upload(x.to_vec(), 128));
    let (output, spec) = attention.forward(backend, &q, &k, &v, mask);
    spec.fetch(backend).await.unwrap();
    let mut weights = Vec::new();
    for head in 0..4 {
        weights.extend(spec.pattern(backend, head, Stage::Weights));
    }
    (backend.read(&output).await.unwrap(), weights)
}

/// Batches of it, and each sequence by itself.
pub async fn equals_pytorch<B: Backend>(backend: B) {
    let vectors = Answers::open(MULTI_HEAD);
    let attention = module(&backend, &vectors);
    for case in ["distinct", "padded"] {
        let part = |name: &str| vectors.get(&format!("{case}.{name}"));
        let ((query, shape), (key, _), (value, _)) = (part("query"), part("key"), part("value"));
        let ((outputs, _), (weights, _)) = (part("output"), part("attention"));
        assert_eq!(shape, [2, 5, 128]);
        for batch in 0..PADDED_LENGTHS.len() {
            let rows = batch * 5 * 128..(batch + 1) * 5 * 128;
            let length = if case == "padded" { PADDED_LENGTHS[batch] } else { 5 };
            let real: Vec<bool> = (0..5).map(|key| key < length).collect();
            let mask = Mask::open().padded(&real);
            let inputs = [&query[rows.clone()], &key[rows.clone()], &value[rows.clone()]];
            let (got, pattern) = sequence(&backend, &attention, inputs, mask).await;
            assert_close(&got, &outputs[rows.clone()], &format!("{case} {batch}: output"));
            let n = 4 * 5 * 5;
            assert_close(
                &pattern,
                &weights[batch * n..(batch + 1) * n],
                &format!("{case} {batch}: weights"),
            );

            // The same sequence by itself, without what it was padded with.
            let end = batch * 5 * 128 + length * 128;
            let alone = [&query[rows.start..end], &key[rows.start..end], &value[rows.start..end]];
            let (by_itself, _) = sequence(&backend, &attention, alone, Mask::open()).await;
            assert_same_bits(
                &by_itself,
                &got[..length * 128],
                &format!("{case} {batch}: by itself"),
            );
        }
    }
}
