//! Whether the terms of a cell stand where its explanation says that they do.

use std::collections::HashMap;

use headscope::run::{Along, Line, MadePart, Source, StepTensor};

use super::{POOLED, TOLERANCE, cell};

/// Every matrix of a block as one head sees it, by stack, layer and head.
pub type Known = HashMap<(String, usize, usize), Vec<StepTensor>>;

/// What a kind of attention makes comes of the row of the cell's own query or key, at the head
/// that it belongs to; where it is made by a formula without drawn numbers, it follows from there.
pub fn check_made(
    known: &Known,
    line: &Line,
    (own_layer, own_head, heads): (usize, usize, usize),
    (query, key): (usize, usize),
    what: &str,
) {
    let Source::Made { stack, layer, head, step, row, column, part } = &line.source else { return };
    assert_eq!((*layer, *head), (own_layer, own_head), "{what}");
    let found = &known[&(stack.name().to_owned(), *layer, *head)];
    let from = found.iter().find(|one| one.step == *step);
    let from =
        &from.unwrap_or_else(|| panic!("{what}: made of {step:?}, which is not there")).tensor;
    let (name, values) = (step.name(), &line.values);
    let of_scores = || {
        assert_eq!((name, *row, *column), ("masked", query, key), "{what}: {part:?}");
    };
    // Heads may share their keys, so that a band of them belongs to several heads.
    let band = |prefix: &str, own_row: usize| {
        assert!(name.starts_with(prefix), "{what}: {part:?} of {name}");
        assert_eq!(*row, own_row, "{what}: {part:?}");
        let head_dim = found
            .iter()
            .find(|one| one.step.name() == "query")
            .map_or(0, |one| one.tensor.shape()[1] / heads);
        let width = from.shape()[1];
        assert_eq!(*column, own_head * (width / head_dim) / heads * head_dim, "{what}: {part:?}");
        (0..head_dim).map(|at| f64::from(cell(from, *row, column + at))).collect::<Vec<f64>>()
    };
    let near = |got: &[f32], want: &[f64]| {
        got.len() == want.len()
            && got
                .iter()
                .zip(want)
                .all(|(&got, want)| (f64::from(got) - want).abs() <= TOLERANCE * (1.0 + want.abs()))
    };
    let check_features = |of: &[f64]| {
        assert!(values.iter().all(|&x| x >= 0.0), "{what}: {part:?}");
        // As many as the head has dimensions are those of linear attention.
        if values.len() == of.len() {
            let want: Vec<f64> =
                of.iter().map(|&x| if x > 0.0 { x + 1.0 } else { x.exp() }).collect();
            assert!(near(values, &want), "{what}: {values:?} of {of:?}");
        }
    };
    match part {
        MadePart::Left | MadePart::Right => of_scores(),
        MadePart::Unit => {
            band("query", query);
            assert!(values.iter().all(|x| x.abs() <= 1.0), "{what}: {values:?}");
        }
        MadePart::Drawn => {
            band("key", key);
        }
        MadePart::QueryFeature => check_features(&band("query", query)),
        MadePart::KeyFeature => check_features(&band("key", key)),
        MadePart::MeanKey => {
            let width = band("key", key).len();
            // All keys may be seen there: their segments are as equal as they can be.
            let n = from.shape()[0];
            let count = POOLED.min(n);
            let mut segments = (0..count).map(|i| i * n / count..(i + 1) * n / count);
            let own = segments.find(|segment| segment.contains(row)).unwrap();
            let mean = |at: usize| -> f64 {
                let sum: f64 = own.clone().map(|row| f64::from(cell(from, row, at))).sum();
                sum / own.len() as f64
            };
            let want: Vec<f64> = (*column..column + width).map(mean).collect();
            assert!(near(values, &want), "{what}: {values:?} is not the mean of keys {own:?}");
        }
    }
}

/// What stands in a step is there as it is said to.
pub fn check_source(known: &Known, source: &Source, values: &[f32], what: &str) {
    let Source::Step { stack, layer, head, step, row, column, along } = source else { return };
    let found = &known[&(stack.name().to_owned(), *layer, *head)];
    let from = found.iter().find(|one| one.step == *step);
    let from = from.unwrap_or_else(|| panic!("{what}: comes from {step:?}, which is not there"));
    for (at, &value) in values.iter().enumerate() {
        let (down, across) = match along {
            Along::Columns => (0, at),
            Along::Rows => (at, 0),
            Along::Cell => (0, 0),
        };
        assert_eq!(cell(&from.tensor, row + down, column + across), value, "{what}: {source:?}");
    }
}
