//! The keys and values of one key/value head, packed once for the two products of every query head
//! that shares them; rows are appended as the text grows.

use crate::kernels::matmul::{PackedMatrix, Rows};
use crate::variants::HeadRows;

/// The packed keys and values of one head.
#[derive(Clone)]
pub(in super::super) struct PackedHead {
    keys: PackedMatrix,
    values: PackedMatrix,
}

impl PackedHead {
    /// A head without keys and values so far, of the widths of the given rows.
    pub(super) fn empty([keys, values]: [HeadRows<'_>; 2]) -> Self {
        Self {
            keys: PackedMatrix::empty(keys.width(), 0),
            values: PackedMatrix::empty(0, values.width()),
        }
    }

    /// The keys of a head, packed, without values: enough for patterns.
    pub(super) fn of_keys(rows: [HeadRows<'_>; 2]) -> Self {
        let mut packed = Self::empty(rows);
        packed.learn_keys(rows[0]);
        packed
    }

    /// The keys and values of a head, packed.
    pub(super) fn of(rows: [HeadRows<'_>; 2]) -> Self {
        let mut packed = Self::empty(rows);
        packed.learn(rows);
        packed
    }

    /// Whether all of these keys and values are packed.
    pub(super) fn knows(&self, [keys, values]: [HeadRows<'_>; 2]) -> bool {
        self.keys.outer() == keys.count() && self.values.inner() == values.count()
    }

    /// Packs the keys and values that were added since the last call.
    pub(super) fn learn(&mut self, [keys, values]: [HeadRows<'_>; 2]) {
        self.learn_keys(keys);
        let Rows { data, stride, count } = values.from(self.values.inner());
        self.values.push_rows(count, data, stride);
    }

    fn learn_keys(&mut self, keys: HeadRows<'_>) {
        let Rows { data, stride, count } = keys.from(self.keys.outer());
        self.keys.push_columns(count, data, stride);
    }

    /// The packed keys, `[d_h, n_k]`.
    pub(super) fn keys(&self) -> &PackedMatrix {
        &self.keys
    }

    /// The packed values, `[n_k, d_v]`.
    pub(super) fn values(&self) -> &PackedMatrix {
        &self.values
    }
}
