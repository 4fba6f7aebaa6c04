//! Recognition of files that are not supported weights, by their contents: Git LFS pointers, HTML
//! pages, adapters, and weights that another library quantised.

use super::tensors::WeightFile;
use crate::error::{Code, Error, Result};

/// The bytes at the start of a file by which its format is recognised.
pub(super) const START: u64 = 512;

/// Refuses a file that does not hold weights, by its first bytes.
pub(super) fn refuse_other_files(name: &str, start: &[u8]) -> Result<()> {
    let text = String::from_utf8_lossy(start).trim_start().to_ascii_lowercase();
    let got = if text.starts_with("version https://git-lfs.github.com") {
        "a pointer of Git LFS, in place of the file; fetch it with git lfs pull"
    } else if text.starts_with("<!doctype") || text.starts_with("<html") {
        "a page about the file; use the address that downloads it"
    } else if text.starts_with("{\"error\"") {
        "a server's answer that it could not give the file"
    } else if [b"lmgg", b"tjgg", b"fmgg", b"algg"].iter().any(|magic| start.starts_with(*magic)) {
        "a ggml file from before GGUF; convert the model again"
    } else if start.starts_with(b"\x89HDF\r\n") {
        "weights of TensorFlow or Keras (HDF5); save the model as safetensors"
    } else {
        return Ok(());
    };
    Err(Error::new(Code::CheckpointNotWeights, name, "weights", got))
}

/// Refuses weights that another library quantised and adapters, by the names of their tensors.
pub(super) fn refuse_other_kinds(files: &[WeightFile<'_>]) -> Result<()> {
    for file in files {
        let has = |end: &str| file.tensors.keys().any(|name| name.ends_with(end));
        let holds = |part: &str| file.tensors.keys().any(|name| name.contains(part));
        let is_of = |types: &[&str]| {
            file.tensors.values().any(|tensor| types.contains(&&*tensor.type_name))
        };
        if has(".lora_A.weight") || has(".lora_B.weight") || holds(".lora_A.default") {
            return Err(adapter(file.name()));
        }
        let method = if has(".qweight") {
            Some(if has(".g_idx") { "GPTQ" } else { "AWQ or GPTQ" })
        } else if holds(".quant_state.bitsandbytes") || has(".SCB") || has(".weight.absmax") {
            Some("bitsandbytes")
        } else if has(".weight_packed") {
            Some("compressed-tensors")
        } else if has(".scales") && has(".biases") && is_of(&["U32", "I32"]) {
            Some("MLX")
        } else if is_of(&["F8_E4M3", "F8_E5M2", "F8_E4M3FN"]) {
            Some("FP8")
        } else {
            None
        };
        if let Some(method) = method {
            return Err(quantized(file.name(), method));
        }
    }
    Ok(())
}

/// The error for weights that another library quantised.
pub fn quantized(place: &str, method: &str) -> Error {
    let expected = "weights in F32, F16 or BF16, or a GGUF file; open the model that this one was quantised from";
    Error::new(Code::CheckpointQuantized, place, expected, format!("weights quantised by {method}"))
}

/// The error for an adapter.
fn adapter(name: &str) -> Error {
    let expected = "the weights of a whole model; merge the adapter into its model and save that";
    Error::new(Code::CheckpointAdapter, name, expected, "an adapter (LoRA, PEFT) alone")
}
