//! How many operations attention takes, counted in tests alone, which compare the formulas of
//! `variants` with it. In every other build `count` is empty.
//!
//! A product with its sum, an exponential and a quotient are one operation each.

#[cfg(any(test, feature = "testing"))]
thread_local! {
    /// The operations of this thread, so that parallel tests count only their own.
    static COUNTED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Adds operations to the count of a unit test.
#[inline]
pub fn count(operations: usize) {
    #[cfg(any(test, feature = "testing"))]
    COUNTED.with(|sum| sum.set(sum.get() + operations as u64));
    #[cfg(not(any(test, feature = "testing")))]
    let _ = operations;
}

/// The operations that some work takes, beside its result.
#[cfg(any(test, feature = "testing"))]
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = COUNTED.get();
    let found = work();
    (found, COUNTED.get() - before)
}
