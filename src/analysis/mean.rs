//! A running mean: sum and count of measurements, so that the measurements of many texts are pooled
//! one by one and a long text weighs more than a short one.

use serde::Serialize;

/// Sum and count of measurements; the mean of no measurement is undefined.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Mean {
    /// The sum of the measurements.
    sum: f64,
    /// The number of measurements.
    count: usize,
}

impl Mean {
    /// Adds one measurement.
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// Adds all measurements of another mean.
    pub fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }

    /// The number of measurements.
    pub fn count(self) -> usize {
        self.count
    }

    /// The mean of the measurements; `None` before the first one.
    pub fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}
