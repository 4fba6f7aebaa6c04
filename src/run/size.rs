//! What a run would hold, counted before anything of it is made.

use crate::axes::Stack;
use crate::error::{Code, Error, Result};
use crate::model::{ModelConfig, StackConfig};

use super::places;
use super::request::Request;

/// What a run may hold at most, in bytes; wasm's memory ends at 4 GiB.
const LARGEST_RUN_BYTES: u64 = 1 << 30;

/// Refuses a text that would not fit in memory, before anything is allocated.
pub(super) fn check(config: &ModelConfig, request: &Request) -> Result<()> {
    let n = request.ids.len().max(request.target.len()) as u64;
    let stacks = || config.encoder.iter().chain(&config.decoder);
    let widest = stacks().map(StackConfig::query_width).fold(config.d_model, usize::max);
    let layers: usize = stacks().map(|stack| stack.n_layers).sum();
    // Per block and token: the stream, Q, K, V and cross-attention's three; and one
    // pattern that is looked at. In 64 bits, since a long text's square has more than 32.
    let rows = (7 * layers as u64 * n * widest as u64 + n * n) * size_of::<f32>() as u64;
    let tables = [Stack::Encoder, Stack::Decoder].map(|stack| {
        let most = request.most_tokens(stack, config);
        places::table_bytes(config, stack, request.edits.placement(stack), most)
    });
    let kept = [Stack::Encoder, Stack::Decoder].map(|stack| kept_bytes(config, stack, request));
    let bytes = rows + tables.iter().chain(&kept).sum::<u64>();
    if bytes <= LARGEST_RUN_BYTES {
        return Ok(());
    }
    Err(Error::new(
        Code::InputTooLong,
        "the text",
        format!("one that needs at most {} MiB; shorten it", LARGEST_RUN_BYTES >> 20),
        format!("{n} tokens, {} MiB", bytes >> 20),
    ))
}

/// What kinds of attention keep of their keys: of one block while its rows are computed, or of
/// all blocks where a text is written.
fn kept_bytes(config: &ModelConfig, stack: Stack, request: &Request) -> u64 {
    let Some(size) = config.stack(stack) else { return 0 };
    let site = |stack: Stack, layer: usize, n_keys: usize| -> u64 {
        let edits = request.edits.site(stack, layer);
        let per_key = |head: usize| edits.kinds().of(head).kind.kept_per_key(size.head_dim);
        (0..size.n_heads).map(per_key).sum::<u64>() * n_keys as u64
    };
    let own = request.most_tokens(stack, config);
    let crosses = stack == Stack::Decoder && config.encoder.is_some();
    let block = |layer: usize| {
        let cross = if crosses { site(Stack::Cross, layer, request.ids.len()) } else { 0 };
        site(stack, layer, own) + cross
    };
    let blocks = (0..size.n_layers).map(block);
    if stack == Stack::Decoder && request.generate.is_some() {
        blocks.sum()
    } else {
        blocks.max().unwrap_or(0)
    }
}
