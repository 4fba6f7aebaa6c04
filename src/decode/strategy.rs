//! How the next token is chosen, once the model's settings have changed the scores.

use crate::kernels::top_k::top_k;

/// A way to choose the next token.
pub trait Strategy {
    /// The entry of the vocabulary that is written; `-∞` forbids an entry. `None` where there is no
    /// entry at all.
    fn choose(&mut self, scores: &[f32]) -> Option<usize>;
}

/// The best score; of equal ones the entry that comes first. Hugging Face's
/// `generate(do_sample=False, num_beams=1)`.
pub struct Greedy;

impl Strategy for Greedy {
    fn choose(&mut self, scores: &[f32]) -> Option<usize> {
        top_k(scores, 1).first().map(|&(entry, _)| entry)
    }
}
