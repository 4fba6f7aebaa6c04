//! Dropout while a model is trained: of the residual stream and of attention weights, drawn anew
//! for each example of each step.

use super::Example;
use crate::edits::wire;
use crate::kernels::random::seed_of;
use crate::run::StreamDropout;

/// The shares of what is dropped, and the seed of the draws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dropout {
    /// The share of numbers of the embeddings and of what sublayers add.
    pub stream: f64,
    /// The share of attention weights.
    pub attention: f64,
    /// The seed.
    pub seed: u64,
}

impl Dropout {
    /// The examples of a step, each with its own draw.
    pub(super) fn examples(&self, batch: &[Example], step: usize) -> Vec<Example> {
        let drawn = batch.iter().cloned().enumerate();
        drawn.map(|(index, example)| self.example(example, &[step, index])).collect()
    }

    fn example(&self, mut example: Example, path: &[usize]) -> Example {
        let seed = seed_of(self.seed, path);
        let request = &mut example.request;
        if self.stream > 0.0 {
            request.dropout = Some(StreamDropout { rate: self.stream, seed });
        }
        if self.attention > 0.0 {
            let edits = request.edits.get_or_insert_default();
            // Seeds of edits have 32 bits.
            let seed = f64::from((seed >> 32) as u32);
            let dropout = Some(wire::Dropout { rate: self.attention, seed });
            edits.attention.push(wire::AttentionEdit { dropout, ..Default::default() });
        }
        example
    }
}
