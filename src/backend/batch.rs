//! Several texts in one product: rows of the texts, one text's after the other's, so that weights
//! are read once for all of them ([`Storage::stacked`]). Each text has as many rows.

use super::Storage;

/// The rows of one text, number `index` of `n_texts`.
pub fn part<S: Storage>(backend: &S, all: &S::Tensor, index: usize, n_texts: usize) -> S::Tensor {
    let n = backend.rows(all) / n_texts;
    backend.select(all, index * n..(index + 1) * n)
}
