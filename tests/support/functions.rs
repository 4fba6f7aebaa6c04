//! Operations of a backend beside what was computed for them in f64.

use headscope::backend::Backend;
use headscope::kernels::activation::Activation;

use super::parity::Compare;
use super::{Answers, assert_close};

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
