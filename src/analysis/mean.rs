//! A mean that goes on: sum and count of what was measured, so that many texts are pooled
//! measurement by measurement and a long text weighs more than a short one.

/// Sum and count; the mean of nothing is not defined.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    sum: f64,
    count: usize,
}

impl Mean {
    /// Takes in one measurement.
    pub fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    /// Takes in all that another one has.
    pub fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.count += other.count;
    }

    /// How many measurements there are.
    pub fn count(self) -> usize {
        self.count
    }

    /// The mean of what was measured; `None` before the first measurement.
    pub fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}
