//! What attention takes, counted where it is taken: arithmetic by the loops that do it, memory
//! by the buffers that are held while it lasts.

use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// A counter of operations and of the bytes that are held. Nobody reads it in a forward pass.
#[derive(Debug, Default)]
pub(super) struct Meter {
    operations: Cell<usize>,
    held: Cell<usize>,
    peak: Cell<usize>,
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

    /// The most bytes that were held at once.
    pub fn peak(&self) -> usize {
        self.peak.get()
    }

    /// A buffer of numbers that are the type's zero.
    pub fn zeros<T: Clone + Default>(&self, count: usize) -> Scratch<'_, T> {
        self.hold(vec![T::default(); count])
    }

    /// A buffer that somebody else made.
    pub fn hold<T>(&self, numbers: Vec<T>) -> Scratch<'_, T> {
        let scratch = Scratch { numbers, meter: self };
        self.held.update(|sum| sum + scratch.bytes());
        self.peak.update(|peak| peak.max(self.held.get()));
        scratch
    }

    /// Notes what was held for the length of a call, and let go of.
    pub fn passing(&self, bytes: usize) {
        self.peak.update(|peak| peak.max(self.held.get() + bytes));
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

/// A buffer that is counted while it lives.
pub(super) struct Scratch<'a, T> {
    numbers: Vec<T>,
    meter: &'a Meter,
}

impl<T> Scratch<'_, T> {
    fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice())
    }
}

impl<T> Deref for Scratch<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.numbers
    }
}

impl<T> DerefMut for Scratch<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.numbers
    }
}

impl<T> Drop for Scratch<'_, T> {
    fn drop(&mut self) {
        let bytes = self.bytes();
        self.meter.held.update(|sum| sum - bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn the_peak_is_what_was_held_at_once() {
        let meter = Meter::default();
        {
            let _one = meter.zeros::<f32>(10);
            drop(meter.zeros::<f64>(5));
            let _two = meter.hold(vec![true; 3]);
        }
        let _later = meter.zeros::<f32>(4);
        assert_eq!(meter.peak(), 80);
        assert_eq!(meter.dot(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
        assert_eq!(meter.operations(), 2);
    }
}
