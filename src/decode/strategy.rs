//! The choice of the next token, after the model's settings have changed the scores.

use crate::kernels::top_k::top_k;

/// A way to choose the next token.
pub trait Strategy {
    /// The entry of the vocabulary to write; a score of −∞ forbids an entry. `None` if there is no
    /// entry at all.
    fn choose(&mut self, scores: &[f32]) -> Option<usize>;
}

/// Greedy decoding: the entry with the best score, the first of equal ones, as in Hugging Face's
/// `generate(do_sample=False, num_beams=1)`.
pub struct Greedy;

impl Strategy for Greedy {
    fn choose(&mut self, scores: &[f32]) -> Option<usize> {
        top_k(scores, 1).first().map(|&(entry, _)| entry)
    }
}
