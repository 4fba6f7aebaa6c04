//! Attention across blocks: the share of each input token in each position's output, by attention
//! weights and residual connections alone (Abnar & Zuidema 2020, "Quantifying Attention Flow in
//! Transformers", sections 2 and 3).
//!
//! A block's matrix is `Â = ½ (A + I)`, its rows divided by their sums: `A [n, n]` is the mean of
//! the block's heads and `I` stands for the residual connection. A fully masked row has the
//! residual connection alone. Rollout is the product `Â_L · … · Â_1`, row-major `[n, n]`, in f64.

use crate::kernels::product::product;

/// The rollout of a stack up to some block, to which blocks are added from the first to the last.
#[derive(Debug, Clone, PartialEq)]
pub struct Rollout {
    product: Vec<f64>,
    n: usize,
}

impl Rollout {
    /// The rollout before the first block: each of the `n` positions is its own token.
    pub fn new(n: usize) -> Self {
        Self { product: identity(n), n }
    }

    /// Adds the next block, of the matrix that [`with_residual`] gives.
    pub fn add(&mut self, block: &[f64]) {
        self.product = product(block, &self.product, self.n);
    }

    /// The shares of the input tokens in each position, row-major `[n, n]`.
    pub fn shares(&self) -> Vec<f64> {
        self.product.clone()
    }
}

/// A block's matrix `½ (A + I)` with rows that sum to 1, from the mean `A` of its heads' weights,
/// row-major `[n, n]`.
pub fn with_residual(mut mean: Vec<f64>, n: usize) -> Vec<f64> {
    for (position, row) in mean.chunks_exact_mut(n.max(1)).enumerate() {
        row[position] += 1.0;
        let sum: f64 = row.iter().sum();
        for cell in row {
            *cell /= sum;
        }
    }
    mean
}

/// The identity, `[n, n]`.
pub(super) fn identity(n: usize) -> Vec<f64> {
    let mut cells = vec![0.0; n * n];
    cells.iter_mut().step_by(n + 1).for_each(|cell| *cell = 1.0);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_masked_row_is_its_own_token_and_every_row_sums_to_one() {
        let block = with_residual(vec![0.0, 0.0, 0.0, 0.2, 0.8, 0.0, 0.5, 0.25, 0.25], 3);
        assert_eq!(block[..3], [1.0, 0.0, 0.0]);
        let mut rollout = Rollout::new(3);
        rollout.add(&block);
        assert_eq!(rollout, Rollout { product: block.clone(), n: 3 });
        rollout.add(&block);
        for row in rollout.shares().chunks_exact(3) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{row:?}");
        }
    }
}
