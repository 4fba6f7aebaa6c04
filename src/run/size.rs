//! The memory of a run, computed before any of it is allocated.

use crate::axes::Stack;
use crate::error::{Code, Error, Result};
use crate::model::{ModelConfig, StackConfig};

use super::places;
use super::request::Request;

/// The most bytes of a run; wasm's memory ends at 4 GiB.
const LARGEST_RUN_BYTES: u64 = 1 << 30;

/// Refuses a text that would not fit in memory, before anything is allocated.
pub(super) fn check(config: &ModelConfig, request: &Request) -> Result<()> {
    let n = request.ids.len().max(request.target.len()) as u64;
    let stacks = || config.encoder.iter().chain(&config.decoder);
    let widest = stacks().map(StackConfig::query_width).fold(config.d_model, usize::max);
    let layers: usize = stacks().map(|stack| stack.n_layers).sum();
    // For each block and token: the stream, Q, K, V and the three of cross-attention; and one
    // displayed pattern. In 64 bits, since the square of a long text needs more than 32.
    let rows = (7 * layers as u64 * n * widest as u64 + n * n) * size_of::<f32>() as u64;
    let tables = [Stack::Encoder, Stack::Decoder].map(|stack| {
        let most = request.most_tokens(stack, config);
        places::table_bytes(config, stack, request.edits.placement(stack), most)
    });
    let cached = [Stack::Encoder, Stack::Decoder].map(|stack| kept_bytes(config, stack, request));
    let bytes = rows + tables.iter().chain(&cached).sum::<u64>();
    let refuse = |what: &str, remedy: &str, got: String, bytes: u64| {
        let most = LARGEST_RUN_BYTES >> 20;
        let expected = format!("at most {most} MiB of memory; {remedy}");
        Err(Error::new(Code::InputTooLong, what, expected, format!("{got}, {} MiB", bytes >> 20)))
    };
    if bytes > LARGEST_RUN_BYTES {
        return refuse("the text", "shorten it", format!("{n} tokens"), bytes);
    }
    let Some((n_beams, length)) = request.beams(config) else { return Ok(()) };
    let layers = config.decoder.map_or(0, |decoder| decoder.n_layers);
    // For each beam its rows as above, and twice the logits of its next token.
    let numbers = 7 * (layers * widest) as u64 * length + 2 * config.n_vocabulary as u64;
    let searched = bytes + n_beams * numbers * size_of::<f32>() as u64;
    if searched <= LARGEST_RUN_BYTES {
        return Ok(());
    }
    let got = format!("{n_beams} beams of up to {length} tokens");
    let remedy = "send a smaller `num_beams` or `max_new_tokens`";
    refuse("the beam search", remedy, got, searched)
}

/// The bytes of the data that attention variants derive from keys: of one block while its rows are
/// computed, or of all blocks if a text is written, and of one head for its readers. Data of all
/// rows stays in every block.
fn kept_bytes(config: &ModelConfig, stack: Stack, request: &Request) -> u64 {
    let Some(size) = config.stack(stack) else { return 0 };
    let site = |stack: Stack, layer: usize, n_keys: usize, stays: bool| -> Vec<u64> {
        let edits = request.edits.site(stack, layer);
        let variants = (0..size.n_heads).map(|head| edits.variants().of(head).variant);
        let variants = variants.filter(|variant| variant.facts().is_of_all_rows() == stays);
        variants
            .map(|variant| variant.kept_per_key(size.head_dim, n_keys) * n_keys as u64)
            .collect()
    };
    let own = request.most_tokens(stack, config);
    let crosses = stack == Stack::Decoder && config.encoder.is_some();
    let block = |layer: usize, stays: bool| {
        let mut heads = site(stack, layer, own, stays);
        if crosses {
            heads.extend(site(Stack::Cross, layer, request.ids.len(), stays));
        }
        heads
    };
    let blocks = |stays: bool| -> Vec<Vec<u64>> {
        (0..size.n_layers).map(|layer| block(layer, stays)).collect()
    };
    let stay = blocks(true);
    let go = blocks(false);
    let sum = |block: &Vec<u64>| block.iter().sum::<u64>();
    let grows = stack == Stack::Decoder && request.generate.is_some();
    let computed: u64 =
        if grows { go.iter().map(sum).sum() } else { go.iter().map(sum).max().unwrap_or(0) };
    let looked_at = go.iter().flatten().max().unwrap_or(&0);
    stay.iter().map(sum).sum::<u64>() + computed + looked_at
}

#[cfg(test)]
mod tests {
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::super::RunRequest;
    use super::*;
    use crate::backend::Cpu;
    use crate::files::{self, Bytes};
    use crate::model::Model;

    fn encoder() -> ModelConfig {
        let config = include_str!("../../tests/reference/models/bert-tiny/config.json");
        let checkpoint = include_bytes!("../../tests/reference/models/bert-tiny/model.safetensors");
        let files = files::open(vec![Box::new(Bytes::new("model", checkpoint))]).unwrap();
        Model::load(Cpu, Some(config), None, files).unwrap().config
    }

    fn cached(variant: &str) -> u64 {
        let config = encoder();
        let edits = serde_json::from_str(&format!(r#"{{"attention":[{variant}]}}"#)).unwrap();
        let ids = (0..10).map(f64::from).collect();
        let sent = RunRequest { ids, edits: Some(edits), ..RunRequest::default() };
        kept_bytes(&config, Stack::Encoder, &Request::resolve(&sent, &config).unwrap())
    }

    #[test]
    fn directions_stay_in_every_block_and_are_no_more_than_tokens() {
        let size = encoder().encoder.unwrap();
        let heads = (size.n_layers * size.n_heads) as u64;
        assert_eq!(
            cached(r#"{"kind":"low-rank","parameters":{"rank":3}}"#),
            heads * 2 * 3 * 10 * 8
        );
        let all = heads * 2 * 10 * 10 * 8;
        assert_eq!(cached(r#"{"kind":"low-rank","parameters":{"rank":1024}}"#), all);
        // Lengths of keys are only there while a block is computed, and while a head is displayed.
        let lengths = (size.n_heads as u64 + 1) * 10 * 4;
        assert_eq!(cached(r#"{"kind":"cosine"}"#), lengths);
        let both = r#"{"layers":[0],"kind":"low-rank"},{"layers":[1],"kind":"cosine"}"#;
        let one = size.n_heads as u64;
        assert_eq!(cached(both), one * 2 * 4 * 10 * 8 + lengths);
    }
}
