//! The table of the distances that were read before, so that a logarithm is taken once for
//! each distance and not for each pair of a query and a key.

use std::cell::RefCell;

use super::transformer_xl::place;

/// A table from distances to rows or buckets, by `place`.
#[derive(Debug, Default)]
pub struct Met(RefCell<Vec<usize>>);

impl Met {
    /// The entry of a distance; missing entries are made by `computed`.
    pub fn of(&self, distance: i64, computed: impl Fn(i64) -> usize) -> usize {
        let wanted = place(distance);
        let mut met = self.0.borrow_mut();
        for at in met.len()..=wanted {
            let away = i64::try_from(at.div_ceil(2)).unwrap_or(i64::MAX);
            met.push(computed(if at % 2 == 1 { -away } else { away }));
        }
        met[wanted]
    }

    /// The number of entries.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.borrow().len()
    }
}
