//! The cost of one head's attention and its error: operations and memory by the formula of its
//! variant, compared with exact attention, which stores its whole pattern; and the mean of its
//! weights over dropout masks.

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::{Reading, Run};
use crate::axes::{Stack, Stage};
use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::question::{Head, Layer, Size};
use crate::variants::HeadVariant;

/// The most cells of a pattern that is compared or returned whole: four of them are 256 MiB.
const MOST_CELLS: usize = 1 << 24;

/// The most cells that may be drawn for one mean.
const MOST_DRAWN: usize = 64_000_000;

/// The distance of numbers from the exact ones.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Departure {
    /// The largest absolute difference, `max |a − b|`.
    pub largest: f64,
    /// The relative error `‖a − b‖ / ‖b‖`, by the Frobenius norm; null if `b` is zero.
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

/// The cost and error of one head, compared with exact attention under the same mask.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct HeadCost {
    /// The attention variant of the head.
    #[cfg_attr(test, ts(type = "VariantName"))]
    pub variant: &'static str,
    /// Whether the weights are implied by the variant: it applies no softmax over a row's keys,
    /// applies one over segments of them, or reduces the softmax's own pattern to a rank.
    pub implied: bool,
    /// Whether the head has weights that no model was trained with.
    pub untrained: bool,
    /// The number of operations: products with their sums, exponentials and quotients.
    pub operations: u64,
    /// The most bytes of numbers that are stored at once besides queries, keys, values and the
    /// context.
    pub bytes: u64,
    /// The number of operations of exact attention.
    pub exact_operations: u64,
    /// The most bytes of exact attention that are stored at once.
    pub exact_bytes: u64,
    /// The distance of the weights from the exact weights.
    pub pattern: Departure,
    /// The distance of the context from the exact context.
    pub output: Departure,
}

/// The mean of one head's weights over many draws of its dropout, row-major.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DropoutMean {
    /// The number of draws: the head's own seed and the seeds after it.
    pub draws: usize,
    /// The mean of the weights, `[query, key]`.
    pub mean: Vec<f32>,
    /// The weights without dropout, `[query, key]`.
    pub undropped: Vec<f32>,
    /// The factors of the head's own draw, `[query, key]`: 0, or `1 / (1 − rate)`; 1 in a row of a
    /// fixed pattern.
    pub kept: Vec<f32>,
}

/// Refuses patterns that are too large for a page to hold several of them.
fn check_cells(what: &str, [n_queries, n_keys]: [usize; 2]) -> Result<()> {
    if n_queries.saturating_mul(n_keys) <= MOST_CELLS {
        return Ok(());
    }
    let expected = format!("a pattern of at most {MOST_CELLS} cells; shorten the text");
    let got = format!("{n_queries} × {n_keys}");
    Err(Error::new(Code::SelectionTooLarge, what, expected, got))
}

/// The fields of the question `dropoutMean`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct DropoutMeanAsked {
    /// The stack in which the head attends.
    pub stack: Stack,
    /// The head's block, from 0.
    pub layer: Layer,
    /// The head's index in its block, from 0.
    pub head: Head,
    /// The number of draws of the dropout.
    pub draws: Size,
}

impl<B: Backend> Run<B> {
    /// The cost of one head and its distance from exact attention.
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

    /// The mean of one head's weights over `draws` draws of its dropout.
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
