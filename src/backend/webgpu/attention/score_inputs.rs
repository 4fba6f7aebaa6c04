//! The inputs of scores besides queries and keys, in one buffer: the positions of tokens, the terms
//! of relative positions by head and distance, the parts of terms that are products, and the
//! weights of additive attention. The buffer is made once for a record and stored with it.

use crate::backend::webgpu::compiled::Terms;
use crate::backend::webgpu::gpu::{Gpu, bytes};
use crate::backend::webgpu::pool::Buffer;
use crate::positions::{Relative, Terms as Joining};
use crate::variants::Variants;

/// The buffer of the inputs and the offsets in it.
#[derive(Debug)]
pub(in crate::backend) struct ScoreInputs {
    pub(super) buffer: Buffer,
    pub(super) terms: Terms,
    /// The number of tokens whose positions the buffer holds.
    pub(super) tokens: usize,
    /// The largest distance between two of these tokens.
    pub(super) far: usize,
    /// The factor of terms that are products.
    pub(super) scale: f32,
    /// The heads with weights of their own, with the offsets of these.
    weights: Vec<(usize, usize)>,
}

impl ScoreInputs {
    /// The place of a head's weights in the buffer.
    pub(super) fn weights_of(&self, head: usize) -> usize {
        self.weights.iter().find(|(own, _)| *own == head).map_or(0, |(_, at)| *at)
    }

    /// Whether the buffer holds the positions of so many tokens, if terms need them.
    pub(super) fn holds(&self, relative: Option<&Relative>, n_tokens: usize) -> bool {
        relative.is_none() || self.tokens >= n_tokens
    }

    /// The inputs of the scores of `n_heads` heads of width `head_dim`, for `n_tokens` tokens.
    pub(super) fn new(
        gpu: &Gpu,
        relative: Option<&Relative>,
        variants: &Variants,
        [n_heads, head_dim]: [usize; 2],
        n_tokens: usize,
    ) -> Self {
        let mut words = Vec::new();
        let mut terms = Terms::None;
        let mut far = 0;
        let mut scale = 0.0;
        if let Some(relative) = relative {
            far = (0..n_tokens).map(|token| relative.stands(token)).max().unwrap_or(0);
            (terms, scale) = joining(relative, n_heads, n_tokens, far, &mut words);
        }
        let mut weights = Vec::new();
        for (head, own) in variants.iter() {
            let own_weights = own.variant.own_weights(head_dim);
            if !own_weights.is_empty() {
                weights.push((*head, words.len()));
                words.extend(own_weights.into_iter().map(f32::to_bits));
            }
        }
        if words.is_empty() {
            // Every binding needs a buffer.
            words.push(0);
        }
        let buffer = gpu.upload(bytes(&words));
        let far = usize::try_from(far).unwrap_or(0);
        Self { buffer, terms, tokens: n_tokens, far, scale, weights }
    }
}

/// Writes the positions of tokens and the terms of scores, in the order in which `joining` of
/// `score_tile.wgsl` reads them.
fn joining(
    relative: &Relative,
    n_heads: usize,
    n_tokens: usize,
    far: i64,
    words: &mut Vec<u32>,
) -> (Terms, f32) {
    let stands = |token| u32::try_from(relative.stands(token)).unwrap_or(u32::MAX);
    words.extend((0..n_tokens).map(stands));
    for head in 0..n_heads {
        let by_distance = |distance| (relative.by_distance(head, distance) as f32).to_bits();
        words.extend((-far..=far).map(by_distance));
    }
    let Joining::TransformerXl(own) = &*relative.terms else { return (Terms::Table, 0.0) };
    let narrow = |x: &f64| (*x as f32).to_bits();
    words.extend(own.content().iter().map(narrow));
    for distance in -far..=far {
        own.of_row(distance, |row| words.extend(row.iter().map(narrow)));
    }
    (Terms::Products, own.scale() as f32)
}
