//! The arithmetic that attention takes, counted by the loops that do it.

use std::cell::Cell;

/// A counter of operations. A forward pass does not read it.
#[derive(Debug, Default)]
pub(super) struct Meter {
    operations: Cell<u64>,
}

impl Meter {
    /// More operations: a product with its sum, an exponential, a quotient are one each.
    pub fn count(&self, operations: usize) {
        self.count_wide(operations as u64);
    }

    /// More of them than a `usize` may hold where it has 32 bits.
    pub fn count_wide(&self, operations: u64) {
        self.operations.update(|sum| sum + operations);
    }

    /// As many as a product says.
    pub fn count_product<const N: usize>(&self, factors: [usize; N]) {
        self.count_wide(factors.into_iter().map(|factor| factor as u64).product());
    }

    /// All operations.
    pub fn operations(&self) -> u64 {
        self.operations.get()
    }

    /// `x · y`, summed from first to last as `matmul` sums.
    pub fn dot(&self, x: &[f32], y: &[f32]) -> f32 {
        self.count(x.len());
        x.iter().zip(y).fold(0.0, |sum, (x, y)| sum + x * y)
    }

    /// `out ← out + factor · x`.
    pub fn add(&self, out: &mut [f32], factor: f32, x: &[f32]) {
        self.count(x.len());
        out.iter_mut().zip(x).for_each(|(out, x)| *out += factor * x);
    }
}
