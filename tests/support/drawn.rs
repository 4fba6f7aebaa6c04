//! Weights that need no file: each number is a function of its tensor's name, the tensor's shape
//! and its place. `tests/reference/drawn.py` draws the same.

use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Map, Value};

use super::indices;

/// Parts of the names of tables, whose rows are read one by one.
const TABLES: [&str; 5] = ["embed", "wte", "wpe", "shared", "relative"];

/// A counter through the finaliser of `MurmurHash3`.
pub fn hashed(seed: u32, at: usize) -> u32 {
    let mut h = (at as u32).wrapping_mul(0x9E37_79B9).wrapping_add(seed);
    h ^= h >> 16;
    h = h.wrapping_mul(0x85EB_CA6B);
    h ^= h >> 13;
    h = h.wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

/// A number in [-1, 1), exact in f32.
pub fn unit(seed: u32, at: usize) -> f32 {
    (hashed(seed, at) >> 16) as f32 / 32768.0 - 1.0
}

/// The `model.safetensors` of tensors with these shapes.
pub fn drawn_checkpoint(shapes: &Map<String, Value>) -> Vec<u8> {
    let all: Vec<(&str, Vec<usize>, Vec<u8>)> = shapes
        .iter()
        .map(|(name, shape)| {
            let shape = indices(shape);
            let bytes = drawn(name, &shape).into_iter().flat_map(f32::to_le_bytes).collect();
            (name.as_str(), shape, bytes)
        })
        .collect();
    let views = all.iter().map(|(name, shape, bytes)| {
        (*name, TensorView::new(Dtype::F32, shape.clone(), bytes).expect("bytes of the shape"))
    });
    safetensors::serialize(views, None).expect("tensors can be saved")
}

/// The weights of a tensor: gains around 1, small biases, tables, and matrices that keep the size
/// of what they read.
fn drawn(name: &str, shape: &[usize]) -> Vec<f32> {
    let inner: usize = shape.iter().skip(1).product();
    let is_table = TABLES.iter().any(|table| name.contains(table));
    let (factor, offset) = match shape.len() {
        0 | 1 if name.ends_with("weight") => (0.3, 1.0),
        0 | 1 => (0.2, 0.0),
        _ if is_table => (1.0, 0.0),
        _ => ((2.5 / (inner as f64).sqrt()) as f32, 0.0),
    };
    let seed = seed_of(name);
    (0..shape.iter().product()).map(|at| unit(seed, at) * factor + offset).collect()
}

/// FNV-1a.
fn seed_of(name: &str) -> u32 {
    name.bytes().fold(0x811C_9DC5, |h, byte| (h ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
