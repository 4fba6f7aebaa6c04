//! The arithmetic that attention takes, counted by the loops that do it.

use std::cell::Cell;

/// A counter of operations. Nobody reads it in a forward pass.
#[derive(Debug, Default)]
pub(super) struct Meter {
    operations: Cell<usize>,
}

impl Meter {
    /// More operations: a product with its sum, an exponential, a quotient are one each.
    pub fn count(&self, operations: usize) {
        self.operations.update(|sum| sum + operations);
    }

    /// All operations.
    pub fn operations(&self) -> usize {
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
    fn a_product_counts_its_terms() {
        let meter = Meter::default();
        assert_eq!(meter.dot(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
        meter.add(&mut [0.0; 3], 2.0, &[1.0; 3]);
        assert_eq!(meter.operations(), 5);
    }
}
