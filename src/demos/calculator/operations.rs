//! Counters of arithmetic operations: the code that computes reports each operation to a meter.

use serde::Serialize;

/// The number of operations of a computation, by type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Operations {
    /// Products of two numbers.
    pub multiplications: usize,
    /// Sums and differences of two numbers.
    pub additions: usize,
    /// Quotients of two numbers.
    pub divisions: usize,
    /// Exponentials.
    pub exponentials: usize,
}

/// Operation counter. `()` is a no-op implementation.
pub trait Meter {
    /// Counts a product.
    fn multiply(&mut self) {}
    /// Counts a sum or a difference.
    fn add(&mut self) {}
    /// Counts a quotient.
    fn divide(&mut self) {}
    /// Counts an exponential.
    fn exponential(&mut self) {}
}

impl Meter for () {}

impl Meter for Operations {
    fn multiply(&mut self) {
        self.multiplications += 1;
    }

    fn add(&mut self) {
        self.additions += 1;
    }

    fn divide(&mut self) {
        self.divisions += 1;
    }

    fn exponential(&mut self) {
        self.exponentials += 1;
    }
}
