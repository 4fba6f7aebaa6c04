//! The memory of one example while it is learned, computed before any of it is allocated: the
//! recorded steps of every block stay until the reverse pass has used them.

use super::Example;
use crate::error::{Code, Error, Result};
use crate::model::ModelConfig;

/// The most bytes of an example; wasm's memory ends at 4 GiB.
const LARGEST_EXAMPLE_BYTES: u64 = 1 << 30;

/// Refuses a batch with an example that would not fit in memory.
pub(super) fn check(config: &ModelConfig, batch: &[Example]) -> Result<()> {
    for example in batch {
        let n_target = example.request.target_ids.as_ref().map_or(0, Vec::len);
        let n_tokens = example.request.ids.len().max(n_target);
        let bytes = bytes_of(config, n_tokens as u64);
        if bytes > LARGEST_EXAMPLE_BYTES {
            let most = LARGEST_EXAMPLE_BYTES >> 20;
            let expected = format!(
                "at most {most} MiB of memory for an example; shorten it, or train a smaller model"
            );
            let got = format!("{n_tokens} tokens, {} MiB", bytes >> 20);
            return Err(Error::new(Code::InputTooLong, "the batch", expected, got));
        }
    }
    Ok(())
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
