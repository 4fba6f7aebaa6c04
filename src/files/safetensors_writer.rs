//! Safetensors as it is written: 8 bytes of header length, a JSON header, then the numbers, all
//! f32. The header says `"format": "pt"`, which `transformers` asks for.

use serde_json::{Map, Value, json};

/// The bytes of a file with these tensors: the name, the shape and the numbers of each, row-major.
pub fn to_safetensors<'a>(
    tensors: impl IntoIterator<Item = (&'a str, &'a [u64], &'a [f32])>,
) -> Vec<u8> {
    let mut header = Map::new();
    header.insert("__metadata__".to_owned(), json!({"format": "pt"}));
    let mut numbers = Vec::new();
    for (name, shape, values) in tensors {
        let from = numbers.len();
        numbers.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let offsets = [from, numbers.len()];
        let entry = json!({"dtype": "F32", "shape": shape, "data_offsets": offsets});
        header.insert(name.to_owned(), entry);
    }
    let mut header = Value::Object(header).to_string();
    // The numbers begin at a multiple of 8 bytes.
    while !header.len().is_multiple_of(8) {
        header.push(' ');
    }
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], header.as_bytes(), &numbers].concat()
}
