//! Matrices that the user supplies, checked: rectangular, not empty, not too large, and of
//! numbers that can be computed with.

use super::operations::Meter;

use crate::demos::refused;
use crate::error::{Result, shown};

/// A matrix as it crosses the wasm API, row by row.
pub type Rows = Vec<Vec<f64>>;

/// Rows or columns at most.
pub const LARGEST_SIDE: usize = 256;

/// A matrix `[rows, columns]`, row-major; never without a row or a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}

/// Which numbers a matrix may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Finite ones.
    Finite,
    /// Those, and -∞ for what is forbidden.
    Forbidden,
}

impl Table {
    /// Checks what came in; `name` is what a sentence calls it.
    ///
    /// # Errors
    /// `input/out-of-range` for numbers that cannot be used.
    pub fn checked(name: &str, rows: &[Vec<f64>], holds: Holds) -> Result<Self> {
        let columns = rows.first().map_or(0, Vec::len);
        if rows.is_empty() || columns == 0 || rows.len().max(columns) > LARGEST_SIDE {
            let expected = format!("1 to {LARGEST_SIDE} rows and columns");
            return Err(refused(name, expected, shape_words(rows.len(), columns)));
        }
        for (index, row) in rows.iter().enumerate() {
            if row.len() != columns {
                let expected = format!("{columns} numbers in every row");
                return Err(refused(name, expected, format!("{} in row {}", row.len(), index + 1)));
            }
            let usable =
                |x: f64| x.is_finite() || (holds == Holds::Forbidden && x == f64::NEG_INFINITY);
            if let Some(column) = row.iter().position(|&x| !usable(x)) {
                let expected = match holds {
                    Holds::Finite => "finite numbers",
                    Holds::Forbidden => "finite numbers, or -inf for what is forbidden",
                };
                let place =
                    format!("{} in row {}, column {}", shown(row[column]), index + 1, column + 1);
                return Err(refused(name, expected, place));
            }
        }
        Ok(Self { rows: rows.len(), columns, data: rows.concat() })
    }

    /// Every cell by its row and column.
    pub fn from_cells(
        rows: usize,
        columns: usize,
        mut cell: impl FnMut(usize, usize) -> f64,
    ) -> Self {
        let data = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self { rows, columns, data: data.map(|(row, column)| cell(row, column)).collect() }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.data[row * self.columns..][..self.columns]
    }

    /// One row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.data[row * self.columns..][..self.columns]
    }

    /// Some columns, next to each other.
    #[must_use]
    pub fn slice(&self, first: usize, columns: usize) -> Self {
        Self::from_cells(self.rows, columns, |row, column| self.row(row)[first + column])
    }

    /// Tables of equally many rows side by side.
    #[must_use]
    pub fn beside(parts: &[Self]) -> Self {
        let rows = parts.first().map_or(0, Self::rows);
        let data: Vec<f64> = (0..rows)
            .flat_map(|row| parts.iter().flat_map(move |part| part.row(row)))
            .copied()
            .collect();
        Self { rows, columns: parts.iter().map(Self::columns).sum(), data }
    }

    /// As it leaves through the wasm API.
    pub fn to_rows(&self) -> Rows {
        self.data.chunks(self.columns).map(<[f64]>::to_vec).collect()
    }

    /// `4 × 3`.
    pub fn shape(&self) -> String {
        shape_words(self.rows, self.columns)
    }
}

fn shape_words(rows: usize, columns: usize) -> String {
    format!("{rows} × {columns}")
}

/// `a · b`: every cell is summed from first to last, a row of them side by side, so that `b`
/// is read as it lies in memory.
pub fn product(a: &Table, b: &Table, meter: &mut impl Meter) -> Table {
    let mut sums = Table::from_cells(a.rows(), b.columns(), |_, _| 0.0);
    for row in 0..a.rows() {
        for (inner, x) in a.row(row).iter().enumerate() {
            for (sum, y) in sums.row_mut(row).iter_mut().zip(b.row(inner)) {
                meter.multiply();
                if inner == 0 {
                    *sum = x * y;
                } else {
                    meter.add();
                    *sum += x * y;
                }
            }
        }
    }
    sums
}

/// `a · bᵀ`.
pub fn product_transposed(a: &Table, b: &Table, meter: &mut impl Meter) -> Table {
    Table::from_cells(a.rows(), b.rows(), |row, column| {
        sum(a.row(row).iter().zip(b.row(column)).map(|(x, y)| x * y), meter)
    })
}

/// The sum of products, from first to last.
fn sum(mut products: impl Iterator<Item = f64>, meter: &mut impl Meter) -> f64 {
    let Some(mut sum) = products.next() else { return 0.0 };
    meter.multiply();
    for product in products {
        sum += product;
        meter.multiply();
        meter.add();
    }
    sum
}
