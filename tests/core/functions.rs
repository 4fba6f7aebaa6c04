//! Kernels and operations against references that were computed in f64.

use crate::support;

use headscope::backend::{Algebra, Cpu, Storage};
use headscope::kernels::activation::Activation;
use headscope::kernels::lanes::{F32x4, for_each};
use headscope::kernels::math::{Erf, Exp, Tanh};
use headscope::kernels::softmax;
use support::{Answers, assert_close};
use wasm_bindgen_test::wasm_bindgen_test;

/// Names of Hugging Face's activations, of which no two that differ here are one.
const ACTIVATIONS: [&str; 16] = [
    "gelu",
    "gelu_10",
    "gelu_fast",
    "gelu_new",
    "hardswish",
    "laplace",
    "leaky_relu",
    "linear",
    "mish",
    "quick_gelu",
    "relu",
    "relu2",
    "relu6",
    "sigmoid",
    "silu",
    "tanh",
];

type Function = fn(F32x4) -> F32x4;

/// Functions and rows, each with its arguments.
const FUNCTIONS: &[u8] = include_bytes!("../reference/functions.safetensors");

/// f32 rounding of the argument's last bits, for functions of moderate slope.
const TOLERANCE: f32 = 4e-6;

fn close(got: &[f32], want: &[f32], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (at, (g, w)) in got.iter().zip(want).enumerate() {
        let same = g == w || (g - w).abs() <= TOLERANCE * w.abs().max(1.0);
        assert!(same, "{what}[{at}]: {g} instead of {w}");
    }
}

fn mapped(x: &[f32], f: impl Fn(F32x4) -> F32x4) -> Vec<f32> {
    let mut out = Vec::new();
    for_each(x, 0.0, |lanes| out.extend(f(lanes).to_array()));
    out.truncate(x.len());
    out
}

#[wasm_bindgen_test(unsupported = test)]
fn elementwise_functions_are_right() {
    let vectors = Answers::open(FUNCTIONS);
    let pair =
        |name: &str| (vectors.get(&format!("{name}.x")).0, vectors.get(&format!("{name}.y")).0);
    let functions: [(&str, Function); 3] = [
        ("exp", |x| Exp::load().of(x)),
        ("tanh", |x| Tanh::load().of(x)),
        ("erf", |x| Erf::load().of(x)),
    ];
    for (name, f) in functions {
        let (x, y) = pair(name);
        close(&mapped(&x, f), &y, name);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn operations_are_right() {
    let vectors = Answers::open(FUNCTIONS);
    let of = |name: &str, part: &str| vectors.get(&format!("{name}.{part}"));
    let rows = |name: &str| {
        let (x, shape) = of(name, "x");
        let columns = shape.last().copied().unwrap();
        (Cpu.upload(x, columns), of(name, "y").0)
    };
    let (x, shape) = of("activation", "x");
    let x = Cpu.upload(x, shape[0]);
    for name in ACTIVATIONS {
        let activation = Activation::of_name(name).unwrap();
        let found = Cpu.read(&Cpu.activate(&x, activation)).await.unwrap();
        close(&found, &of("activation", name).0, name);
    }
    let (x, want) = rows("log_softmax");
    close(&Cpu.read(&Cpu.log_softmax(&x)).await.unwrap(), &want, "log_softmax");
    let (x, want) = rows("layer_norm");
    let [gain, bias] = ["gain", "bias"].map(|part| of("layer_norm", part).0);
    let columns = gain.len();
    let [gain, bias] = [gain, bias].map(|row| Cpu.upload(row, columns));
    let normed = Cpu.read(&Cpu.layer_norm(&x, &gain, &bias, 1e-5)).await.unwrap();
    assert_eq!(normed.len(), want.len());
    for (got, want) in normed.chunks(columns).zip(want.chunks(columns)) {
        // One of the rows stands far from zero, where f32 holds fewer digits.
        assert_close(got, want, "layer_norm");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn rows_are_right() {
    let vectors = Answers::open(FUNCTIONS);
    let (x, shape) = vectors.get("softmax.x");
    let (y, _) = vectors.get("softmax.y");
    for (row, want) in x.chunks_exact(shape[1]).zip(y.chunks_exact(shape[1])) {
        let mut row = row.to_vec();
        softmax::softmax_row(&mut row);
        close(&row, want, "softmax");
    }
}
