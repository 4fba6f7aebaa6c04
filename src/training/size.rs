//! The memory of examples while they are learned, computed before any of it is allocated: the
//! recorded steps of every block stay until the reverse pass has used them.

use super::Example;
use crate::error::{Code, Error, Result};
use crate::model::ModelConfig;

/// The most bytes of the examples that pass the model side by side; wasm's memory ends at 4 GiB.
const MOST_BYTES: u64 = 1 << 30;
/// The most rows that pass the model side by side: more are no faster.
const MOST_ROWS: usize = 1024;

/// How many examples like one may pass the model side by side.
///
/// # Errors
/// `input/too-long` for an example that alone does not fit in memory.
pub(super) fn most_side_by_side(config: &ModelConfig, example: &Example) -> Result<usize> {
    let n_target = example.request.target_ids.as_ref().map_or(0, Vec::len);
    let n_tokens = example.request.ids.len().max(n_target).max(1);
    let bytes = bytes_of(config, n_tokens as u64);
    if bytes > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        let expected = format!(
            "at most {most} MiB of memory for an example; shorten it, or train a smaller model"
        );
        let got = format!("{n_tokens} tokens, {} MiB", bytes >> 20);
        return Err(Error::new(Code::InputTooLong, "the batch", expected, got));
    }
    let that_fit = usize::try_from(MOST_BYTES / bytes).unwrap_or(usize::MAX);
    Ok(that_fit.min(MOST_ROWS / n_tokens).max(1))
}

/// The bytes of the recorded steps of so many tokens in all blocks, and of their scores.
fn bytes_of(config: &ModelConfig, n_tokens: u64) -> u64 {
    let stacks = config.encoder.iter().chain(&config.decoder);
    let widths: u64 = stacks
        .map(|stack| {
            let width = config.d_model.max(stack.query_width());
            // Steps of both sublayers and of cross-attention, and the gradients of some.
            (stack.n_layers * (24 * width + 6 * stack.d_ff)) as u64
        })
        .sum();
    // Scores, their log-softmax, factors, and the gradients of both.
    let scores = 6 * config.n_vocabulary as u64;
    // The pattern of one head at a time.
    let pattern = 4 * n_tokens;
    let per_token = (widths + scores + pattern) * size_of::<f32>() as u64;
    n_tokens.saturating_mul(per_token)
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;
    use crate::backend::Cpu;
    use crate::files::{self, Bytes};
    use crate::model::Model;
    use crate::run::RunRequest;

    fn config(n_vocabulary: usize) -> ModelConfig {
        let config = include_str!("../../tests/reference/models/bert-tiny/config.json");
        let checkpoint = include_bytes!("../../tests/reference/models/bert-tiny/model.safetensors");
        let files = files::open(vec![Box::new(Bytes::new("model", checkpoint))]).unwrap();
        let config = Model::load(Cpu, Some(config), None, files).unwrap().config;
        ModelConfig { n_vocabulary, ..config }
    }

    fn most(n_vocabulary: usize, n_tokens: usize) -> Result<usize> {
        let request = RunRequest { ids: vec![5.0; n_tokens], ..RunRequest::default() };
        let example = Example { request, targets: Vec::new() };
        most_side_by_side(&config(n_vocabulary), &example)
    }

    #[test]
    fn examples_pass_side_by_side_as_far_as_rows_and_memory_allow() {
        assert_eq!(most(100, 32).unwrap(), MOST_ROWS / 32);
        assert_eq!(most(100, 2000).unwrap(), 1);
        // Six scores of four bytes for each entry of the vocabulary: 480 MB an example.
        assert_eq!(most(2_000_000, 10).unwrap(), 2);
        let refused = most(2_000_000, 40).unwrap_err();
        assert_eq!(refused.code, Code::InputTooLong);
    }
}
