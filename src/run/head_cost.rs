//! What one head's attention takes and how close it comes: operations and memory by the formula of
//! its variant, beside exact attention, which holds its whole pattern; and what dropout leaves of
//! its weights on the average.

use std::rc::Rc;

use serde::Serialize;

use super::{Reading, Run};
use crate::axes::{Stack, Stage};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::variants::HeadVariant;

/// Cells of a pattern that is compared or answered whole: four of them are 256 MiB.
const MOST_CELLS: usize = 1 << 24;

/// Cells that may be drawn for one mean.
const MOST_DRAWN: usize = 64_000_000;

/// How far numbers are from those that they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Departure {
    /// `max |a − b|`.
    pub largest: f64,
    /// `‖a − b‖ / ‖b‖`, by the Frobenius norm; null where `b` is zero.
    pub relative: Option<f64>,
}

impl Departure {
    fn between(found: &[f32], exact: &[f32]) -> Self {
        let pairs = || found.iter().zip(exact).map(|(&a, &b)| f64::from(a) - f64::from(b));
        let length = |square: f64| square.sqrt();
        let exact = length(exact.iter().map(|&x| f64::from(x) * f64::from(x)).sum());
        let apart = length(pairs().map(|x| x * x).sum());
        Self {
            largest: pairs().fold(0.0, |largest, x| largest.max(x.abs())),
            relative: (exact > 0.0).then(|| apart / exact),
        }
    }
}

/// One head beside the same head with exact attention under the same mask.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HeadCost {
    /// Which variant of attention.
    #[cfg_attr(test, ts(type = "VariantName"))]
    pub variant: &'static str,
    /// The weights are what the variant implies: it takes no softmax over a row's keys, takes one
    /// over segments of them, or cuts the softmax's own pattern down to a rank.
    pub implied: bool,
    /// It has weights that no model was trained with.
    pub untrained: bool,
    /// Products with their sums, exponentials and quotients.
    pub operations: u64,
    /// The most bytes of numbers that are held at once besides queries, keys, values and what is
    /// found.
    pub bytes: u64,
    /// The same for exact attention.
    pub exact_operations: u64,
    /// The same for exact attention.
    pub exact_bytes: u64,
    /// Of the weights from the exact ones.
    pub pattern: Departure,
    /// Of what the head finds from what exact attention finds.
    pub output: Departure,
}

/// One head's weights on the average of many draws of its dropout, row after row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DropoutMean {
    /// How many draws: the head's own and those of the seeds after it.
    pub draws: usize,
    /// `[query, key]`.
    pub mean: Vec<f32>,
    /// The weights without dropout, `[query, key]`.
    pub undropped: Vec<f32>,
    /// What each of this draw's weights was multiplied by: 0, or `1 / (1 − rate)`; 1 in a row that
    /// an edit gives.
    pub kept: Vec<f32>,
}

/// Refuses patterns that a page could not hold several of.
fn check_cells(what: &str, [n_queries, n_keys]: [usize; 2]) -> Result<()> {
    if n_queries.saturating_mul(n_keys) <= MOST_CELLS {
        return Ok(());
    }
    let expected = format!("a pattern of at most {MOST_CELLS} cells; shorten the text");
    let got = format!("{n_queries} × {n_keys}");
    Err(Error::new(Code::SelectionTooLarge, what, expected, got))
}

impl<B: Backend> Run<B> {
    /// What one head takes and how far it is from exact attention.
    ///
    /// # Errors
    /// `selection/…` for what does not exist and for texts that are too long, `run/not-ready`,
    /// `edit/unsupported` on a backend that counts nothing.
    pub fn head_cost(&self, stack: Stack, layer: usize, head: usize) -> Result<Reading<HeadCost>> {
        let spec = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        check_cells("the cost of a head", self.pattern_shape(&spec))?;
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            let backend = &model.backend;
            spec.fetch(backend).await?;
            let exact = spec.exact(backend, head);
            let unknown = || {
                let expected = "a backend whose rows can be read back";
                Error::new(Code::EditUnsupported, "the cost of a head", expected, backend.name())
            };
            let context = spec.head_context(backend, head).ok_or_else(unknown)?;
            let exact_context = exact.head_context(backend, head).ok_or_else(unknown)?;
            let cost = spec.head_cost(backend, head).ok_or_else(unknown)?;
            let exact_cost = exact.head_cost(backend, head).ok_or_else(unknown)?;
            let variant = spec.variants.of(head).variant;
            let facts = variant.facts();
            let [weights, exact_weights] =
                [&spec, &exact].map(|spec| spec.pattern(backend, head, Stage::Weights));
            Ok(HeadCost {
                variant: variant.name(),
                implied: facts.is_implied(),
                untrained: facts.is_untrained,
                operations: cost.operations,
                bytes: cost.bytes,
                exact_operations: exact_cost.operations,
                exact_bytes: exact_cost.bytes,
                pattern: Departure::between(&weights, &exact_weights),
                output: Departure::between(&context, &exact_context),
            })
        }))
    }

    /// One head's weights on the average of `draws` draws of its dropout.
    ///
    /// # Errors
    /// `selection/…` for what does not exist and for more than can be drawn, `run/not-ready`.
    pub fn dropout_mean(
        &self,
        stack: Stack,
        layer: usize,
        head: usize,
        draws: usize,
    ) -> Result<Reading<DropoutMean>> {
        let spec = self.readable_site(stack, layer)?;
        self.check_head(stack, head)?;
        let [n_queries, n_keys] = self.pattern_shape(&spec);
        check_cells("the mean of dropout", [n_queries, n_keys])?;
        if draws == 0 || draws.saturating_mul(n_queries * n_keys) > MOST_DRAWN {
            let most = MOST_DRAWN / (n_queries * n_keys).max(1);
            let expected = format!("a number from 1 to {most} for this text");
            let got = draws.to_string();
            return Err(Error::new(Code::SelectionTooLarge, "the draws of dropout", expected, got));
        }
        let own = spec.variants.of(head);
        let given: Vec<bool> = (0..n_queries)
            .map(|query| spec.fixed_patterns.pattern(head, query).is_some())
            .collect();
        let dropouts: Vec<_> = own
            .dropout
            .iter()
            .flat_map(|own_draw| {
                let place = [stack as usize, layer, head];
                (0..draws as u64)
                    .map(move |more| own_draw.redrawn(own_draw.draw.wrapping_add(more), &place))
            })
            .collect();
        let model = Rc::clone(&self.model);
        Ok(Box::pin(async move {
            spec.fetch(&model.backend).await?;
            let plain =
                spec.with_variant(&model.backend, head, HeadVariant { dropout: None, ..own });
            let undropped = plain.pattern(&model.backend, head, Stage::Weights);
            let factors = |query: usize, key: usize| -> (f32, f32) {
                let Some(first) = dropouts.first().filter(|_| !given[query]) else {
                    return (1.0, 1.0);
                };
                let sum: f64 = dropouts.iter().map(|one| f64::from(one.factor(query, key))).sum();
                (first.factor(query, key), (sum / dropouts.len() as f64) as f32)
            };
            let mut mean = undropped.clone();
            let mut kept = vec![1.0; undropped.len()];
            for (at, (mean, kept)) in mean.iter_mut().zip(&mut kept).enumerate() {
                let (own, average) = factors(at / n_keys, at % n_keys);
                *mean *= average;
                *kept = own;
            }
            Ok(DropoutMean { draws: dropouts.len(), mean, undropped, kept })
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn patterns_of_long_texts_are_refused_with_a_code() {
        assert!(check_cells("it", [4096, 4096]).is_ok());
        for shape in [[4096, 4097], [100_000, 100_000], [usize::MAX, 2]] {
            let refused = check_cells("it", shape).unwrap_err();
            assert_eq!(refused.code, Code::SelectionTooLarge, "{shape:?}");
        }
    }
}
