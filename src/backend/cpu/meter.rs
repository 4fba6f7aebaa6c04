//! The arithmetic that attention takes, counted by the loops that do it.

use std::cell::Cell;

/// A counter of operations. Nobody reads it in a forward pass.
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

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_long_text_takes_more_operations_than_32_bits_count() {
        let meter = Meter::default();
        for _head in 0..64 {
            meter.count_product([100_000, 100_000, 64]);
            meter.count(usize::try_from(u32::MAX).unwrap_or(usize::MAX));
        }
        assert_eq!(meter.operations(), 64 * (640_000_000_000 + u64::from(u32::MAX)));
    }
}
