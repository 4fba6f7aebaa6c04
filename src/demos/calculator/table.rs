//! Matrices that the user supplies, after checks: rectangular, not empty, not too large, and with
//! usable numbers.

use super::operations::Meter;

use crate::demos::refused;
use crate::error::{Result, shown};

/// A matrix as it crosses the wasm API, row by row.
pub type Rows = Vec<Vec<f64>>;

/// The most rows or columns.
pub const LARGEST_SIDE: usize = 256;

/// A matrix `[rows, columns]`, row-major, with at least one row and one column.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}

/// The numbers that a matrix may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Finite numbers.
    Finite,
    /// Finite numbers, and -∞ for a masked cell.
    Forbidden,
}

impl Table {
    /// Checks a matrix from a request; `name` is its name in error sentences.
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

    /// A matrix computed cell by cell from row and column.
    pub fn from_cells(
        rows: usize,
        columns: usize,
        mut cell: impl FnMut(usize, usize) -> f64,
    ) -> Self {
        let data = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Self { rows, columns, data: data.map(|(row, column)| cell(row, column)).collect() }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The numbers of one row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.data[row * self.columns..][..self.columns]
    }

    /// The numbers of one row, mutable.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.data[row * self.columns..][..self.columns]
    }

    /// Some neighbouring columns, as a matrix of their own.
    #[must_use]
    pub fn slice(&self, first: usize, columns: usize) -> Self {
        Self::from_cells(self.rows, columns, |row, column| self.row(row)[first + column])
    }

    /// Matrices of equally many rows, side by side.
    #[must_use]
    pub fn beside(parts: &[Self]) -> Self {
        let rows = parts.first().map_or(0, Self::rows);
        let data: Vec<f64> = (0..rows)
            .flat_map(|row| parts.iter().flat_map(move |part| part.row(row)))
            .copied()
            .collect();
        Self { rows, columns: parts.iter().map(Self::columns).sum(), data }
    }

    /// The matrix in the form of the wasm API.
    pub fn to_rows(&self) -> Rows {
        self.data.chunks(self.columns).map(<[f64]>::to_vec).collect()
    }

    /// The shape in words, such as `4 × 3`.
    pub fn shape(&self) -> String {
        shape_words(self.rows, self.columns)
    }
}

fn shape_words(rows: usize, columns: usize) -> String {
    format!("{rows} × {columns}")
}

/// The product `a · b`: every cell is summed from first to last, a row of cells side by side, so
/// that `b` is read in its order in memory.
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

/// The product `a · bᵀ`.
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
