//! Checkpoints taken apart and put together again.

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value, json};

use crate::support::Random;

/// A safetensors file of any header and data.
pub fn file(header: &[u8], data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], header, data].concat()
}

/// The bytes before a file's data.
pub fn header_bytes(file: &[u8]) -> usize {
    let length = file.first_chunk().map(|length| u64::from_le_bytes(*length));
    8 + usize::try_from(length.expect("a complete file")).expect("a small header")
}

/// A good file with another header.
pub fn with_header(file_bytes: &[u8], change: impl FnOnce(&mut Map<String, Value>)) -> Vec<u8> {
    let end = header_bytes(file_bytes);
    let mut header = serde_json::from_slice(&file_bytes[8..end]).expect("a good header");
    change(&mut header);
    file(Value::Object(header).to_string().as_bytes(), &file_bytes[end..])
}

/// The name of the tensor whose data comes first in a file, or last.
pub fn outermost(header: &Map<String, Value>, last: bool) -> String {
    let tensors = header.iter().filter(|(name, _)| *name != "__metadata__");
    let start = |(_, tensor): &(&String, &Value)| tensor["data_offsets"][0].as_u64();
    let found = if last { tensors.max_by_key(start) } else { tensors.min_by_key(start) };
    found.expect("a file with tensors").0.clone()
}

/// A checkpoint in parts.
pub struct Parts(Vec<Part>);
type Part = (String, Dtype, Vec<usize>, Vec<u8>);

impl Parts {
    pub fn of(file: &[u8]) -> Self {
        let file = SafeTensors::deserialize(file).expect("a good file");
        let mut parts: Vec<_> = file
            .tensors()
            .into_iter()
            .map(|(name, tensor)| {
                (name, tensor.dtype(), tensor.shape().to_vec(), tensor.data().to_vec())
            })
            .collect();
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        Self(parts)
    }

    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|part| part.0.clone()).collect()
    }

    pub fn shape(&self, name: &str) -> Vec<usize> {
        let part = self.0.iter().find(|part| part.0 == name);
        part.unwrap_or_else(|| panic!("no tensor {name}")).2.clone()
    }

    /// The file without one tensor.
    pub fn without(&self, name: &str) -> Vec<u8> {
        let rest = self.0.iter().filter(|part| part.0 != name);
        Self(rest.cloned().collect()).bytes()
    }

    /// The file with one tensor of zeros in another type and shape.
    pub fn with_zeros(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Vec<u8> {
        let bits = shape.iter().product::<usize>() * dtype.bitsize();
        self.with(name, |part| *part = (name.to_owned(), dtype, shape.to_vec(), vec![0; bits / 8]))
    }

    /// The file with one number of a tensor overwritten; negative places count from the
    /// end of it.
    pub fn with_number(&self, name: &str, from_end: bool, number: &[u8]) -> Vec<u8> {
        self.with(name, |(_, _, _, data)| {
            let at = if from_end { data.len() - number.len() } else { 0 };
            data[at..at + number.len()].copy_from_slice(number);
        })
    }

    fn with(&self, name: &str, change: impl FnOnce(&mut Part)) -> Vec<u8> {
        let mut parts = self.0.clone();
        let part = parts.iter_mut().find(|part| part.0 == name);
        change(part.unwrap_or_else(|| panic!("no tensor {name}")));
        Self(parts).bytes()
    }

    fn bytes(&self) -> Vec<u8> {
        let views = self.0.iter().map(|(name, dtype, shape, data)| {
            let view = TensorView::new(*dtype, shape.clone(), data);
            (name, view.expect("as many bytes as the shape needs"))
        });
        safetensors::serialize(views, None).expect("good parts")
    }
}

/// The smallest GPT-2 there can be: config and checkpoint, for tests that try every bit.
pub fn smallest_model() -> (String, Vec<u8>) {
    let config = json!({
        "model_type": "gpt2", "n_embd": 2, "n_layer": 1, "n_head": 1, "n_inner": 3,
        "vocab_size": 3, "n_positions": 2,
    });
    let shapes: [(&str, &[usize]); 16] = [
        ("wte.weight", &[3, 2]),
        ("wpe.weight", &[2, 2]),
        ("h.0.ln_1.weight", &[2]),
        ("h.0.ln_1.bias", &[2]),
        ("h.0.attn.c_attn.weight", &[2, 6]),
        ("h.0.attn.c_attn.bias", &[6]),
        ("h.0.attn.c_proj.weight", &[2, 2]),
        ("h.0.attn.c_proj.bias", &[2]),
        ("h.0.ln_2.weight", &[2]),
        ("h.0.ln_2.bias", &[2]),
        ("h.0.mlp.c_fc.weight", &[2, 3]),
        ("h.0.mlp.c_fc.bias", &[3]),
        ("h.0.mlp.c_proj.weight", &[3, 2]),
        ("h.0.mlp.c_proj.bias", &[2]),
        ("ln_f.weight", &[2]),
        ("ln_f.bias", &[2]),
    ];
    let mut random = Random(7);
    let parts = shapes.map(|(name, shape)| {
        let count = shape.iter().product();
        let numbers = (0..count).map(|_| random.below(1000) as f32 / 500.0 - 1.0);
        let data = numbers.flat_map(f32::to_le_bytes).collect();
        (name.to_owned(), Dtype::F32, shape.to_vec(), data)
    });
    (config.to_string(), Parts(parts.to_vec()).bytes())
}
