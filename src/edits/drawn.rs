//! A pattern as it was sent, checked: its name is known, or its cells are numbers in rows of
//! one length that fit the text.

use std::rc::Rc;

use super::frozen::{Drawn, Pattern};
use super::limits::LARGEST_CELL;
use super::scope::Extent;
use super::wire::HeadPattern;
use crate::error::{Code, Error, Result, shown};

/// # Errors
/// `edit/unsupported` for another name, `edit/bad-value` for cells that are no weights and for
/// rows of several lengths.
pub(super) fn pattern(sent: &HeadPattern) -> Result<Pattern> {
    match sent {
        HeadPattern::Named(name) => named(name),
        HeadPattern::Drawn(rows) => drawn(rows).map(|drawn| Pattern::Drawn(Rc::new(drawn))),
    }
}

fn named(name: &str) -> Result<Pattern> {
    match name {
        "uniform" => Ok(Pattern::Uniform),
        "diagonal" => Ok(Pattern::Diagonal),
        "previous" => Ok(Pattern::Previous),
        other => Err(Error::new(
            Code::EditUnsupported,
            "the pattern of a head",
            "\"uniform\", \"diagonal\", \"previous\" or a matrix",
            format!("{other:?}"),
        )),
    }
}

fn drawn(rows: &[Vec<f64>]) -> Result<Drawn> {
    let n_columns = rows.first().map_or(0, Vec::len);
    let refused = |expected: String, got: String| {
        Error::new(Code::EditBadValue, "the drawn pattern of a head", expected, got)
    };
    if let Some(row) = rows.iter().position(|row| row.len() != n_columns) {
        return Err(refused(
            format!("rows of one length, {n_columns} as the first one has"),
            format!("{} cells in row {row}", rows[row].len()),
        ));
    }
    let cells = rows.concat();
    match cells.iter().find(|cell| !(0.0..=LARGEST_CELL).contains(*cell)) {
        Some(&cell) => Err(refused(format!("numbers from 0 to {LARGEST_CELL}"), shown(cell))),
        None => Ok(Drawn::new(cells, rows.len(), n_columns)),
    }
}

/// # Errors
/// `edit/out-of-range` for a drawing that is larger than the pattern it is put in place of.
pub(super) fn check_fit(drawn: &Drawn, extent: &Extent) -> Result<()> {
    let [n_rows, n_columns] = drawn.shape();
    if n_rows <= extent.n_queries && n_columns <= extent.n_keys {
        return Ok(());
    }
    Err(Error::new(
        Code::EditOutOfRange,
        format!("a drawn pattern of the {} stack", extent.stack.name()),
        format!("at most {} rows and {} columns", extent.n_queries, extent.n_keys),
        format!("{n_rows} rows and {n_columns} columns"),
    ))
}
