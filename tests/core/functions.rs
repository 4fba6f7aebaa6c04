//! Kernels and positional tables against references that were computed in f64.

use crate::support;

use headscope::backend::Cpu;
use headscope::kernels::lanes::{F32x4, for_each};
use headscope::kernels::math::{Erf, Exp, Tanh};
use headscope::kernels::rows;
use headscope::positions::{Layout, sinusoidal};
use support::Answers;
use support::operations::{FUNCTIONS, operations_on};
use wasm_bindgen_test::wasm_bindgen_test;

type Function = fn(F32x4) -> F32x4;

const POSITIONS: &[u8] = include_bytes!("../reference/positions.safetensors");
const POSITION_ROWS: &str = include_str!("../reference/positions.json");

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
    operations_on(Cpu, close).await;
}

#[wasm_bindgen_test(unsupported = test)]
fn rows_are_right() {
    let vectors = Answers::open(FUNCTIONS);
    let (x, shape) = vectors.get("softmax.x");
    let (y, _) = vectors.get("softmax.y");
    for (row, want) in x.chunks_exact(shape[1]).zip(y.chunks_exact(shape[1])) {
        let mut row = row.to_vec();
        rows::softmax_row(&mut row);
        close(&row, want, "softmax");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn sinusoids_are_right_in_both_layouts() {
    let vectors = Answers::open(POSITIONS);
    let rows: serde_json::Value = serde_json::from_str(POSITION_ROWS).unwrap();
    let mut compared = 0;
    for (name, layout) in [("interleaved", Layout::Interleaved), ("halves", Layout::SplitHalves)] {
        for (n, d) in [(19, 30), (7, 8), (257, 192)] {
            let key = format!("{name}.{n}x{d}");
            let (want, shape) = vectors.get(&key);
            let size = format!("{n}x{d}");
            let listed = &rows
                .as_array()
                .unwrap()
                .iter()
                .find(|table| table["name"] == size.as_str())
                .unwrap()["rows"];
            let table = sinusoidal(n, d, layout);
            for (index, want) in want.chunks_exact(shape[1]).enumerate() {
                let position = listed[index].as_u64().unwrap() as usize;
                close(&table.row(position).to_vec(), want, &format!("{key} row {position}"));
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "only {compared} rows were compared");
}
