//! The explanations of the cells of an attention site: from queries and keys to the context, for
//! every attention variant.

use crate::axes::{Stage, Step};
use crate::backend::Backend;
use crate::variants::{RawScores, Variant, WeightRule};

use super::super::explanation::{Along, Line, Operation, Source};
use super::Cell;
use crate::run::steps::pick::{Asked, Conclude, Pick};

impl<B: Backend> Cell<'_, B> {
    pub(super) fn compared(&self, query: Step, key: Step) -> Asked {
        let head = self.view.head;
        let kv_head = self.view.site().kv_head(head);
        let variant = self.view.site().variants.of(head).variant;
        let is_made = variant.facts().raw != RawScores::Products;
        let factors = if is_made { self.factors() } else { None };
        let lines = vec![
            self.row_of_head(query, self.row, head),
            self.row_of_head(key, self.column, kv_head),
        ];
        let lines = match factors {
            None => lines,
            Some(factors) => {
                let parts = variant.facts().made.into_iter();
                let made = parts.zip(lines).zip(factors).map(|((part, (source, _)), pick)| {
                    // The query itself keeps its own place.
                    (part.map_or(source.clone(), |part| source.made(part)), pick)
                });
                made.collect()
            }
        };
        Asked {
            lines,
            numbers: vec![],
            conclude: Box::new(move |lines, _| {
                let factor = variant.factor_of_terms(&lines[0].values, &lines[1].values);
                Operation::Product { factor, bias: None }
            }),
        }
    }

    /// The numbers whose products are summed, if the attention variant has others than those of a
    /// query and a key.
    fn factors(&self) -> Option<[Pick; 2]> {
        let backend = &self.model.backend;
        let site = self.view.site();
        Some(site.factors(backend, self.view.head, self.row, self.column)?.map(Pick::known))
    }

    /// A score, with the terms of relative positions for its query and its key.
    pub(super) fn scaled(&self) -> Asked {
        let site = self.view.site();
        let head = self.view.head;
        let query = self.row;
        let key = self.column;
        let own = site.variants.of(head);
        let factor = own.factor(site.scale);
        if let Some(cap) = site.cap {
            return self.of_cells(&[Step::Raw], Operation::SoftCap { factor, cap });
        }
        let Some(relative) = site.relative.clone() else {
            let operation = match own.variant.facts().weights {
                WeightRule::Features => {
                    Operation::Logarithm { of: site.alike(&self.model.backend, head, query, key) }
                }
                WeightRule::Segments => {
                    Operation::Shared { factor, keys: self.keys_of_score(own.variant) }
                }
                WeightRule::Softmax | WeightRule::Directions => {
                    Operation::Scale { factor, bias: None, terms: vec![] }
                }
            };
            return self.of_cells(&[Step::Raw], operation);
        };
        Asked {
            lines: vec![
                self.one_cell(Step::Raw, key),
                self.row_of_head(Step::Query, query, head),
                self.row_of_head(Step::Key, key, site.kv_head(head)),
            ],
            numbers: vec![],
            conclude: Box::new(move |lines, _| {
                // These lines made the bias; the sum is of the raw score alone.
                let made = lines.split_off(1);
                let [q, k] = &made[..] else {
                    return Operation::Scale { factor, bias: None, terms: vec![] };
                };
                let q = (query, &q.values[..]);
                let k = (key, &k.values[..]);
                let bias = Some(relative.bias(head, q, k));
                Operation::Scale { factor, bias, terms: relative.parts(head, q, k) }
            }),
        }
    }

    /// The number of keys of this cell's row that share its score.
    fn keys_of_score(&self, variant: Variant) -> usize {
        let site = self.view.site();
        let n_keys = self.model.backend.rows(&site.key);
        variant.keys_of_score(&site.mask.visible(self.view.head, self.row, n_keys), self.column)
    }

    pub(super) fn softmax(&self) -> Asked {
        let term = self.column;
        let own = self.view.site().variants.of(self.view.head);
        let facts = own.variant.facts();
        if facts.weights == WeightRule::Directions
            && let Some(factors) = self.factors()
        {
            let masked = self.source(Step::Masked, self.row, term, Along::Cell);
            let made = facts.made.into_iter().flatten().zip(factors);
            let lines = made.map(|(part, pick)| (masked.clone().made(part), pick)).collect();
            return Asked::of(lines, Operation::Product { factor: 1.0, bias: None });
        }
        let kept = own.dropout.map_or(1.0, |dropout| dropout.factor(self.row, term));
        let conclude: Conclude = Box::new(move |lines, _| {
            let row = &lines[0].values;
            let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let exponential = |x: &f32| {
                if largest.is_finite() { f64::from(x - largest).exp() as f32 } else { 0.0 }
            };
            let values: Vec<f32> = row.iter().map(exponential).collect();
            let total = values.iter().map(|&x| f64::from(x)).sum::<f64>() as f32;
            lines.push(Line { source: Source::Exponentials, values });
            Operation::Softmax { largest, total, term, kept }
        });
        Asked { lines: vec![self.whole_row(Step::Masked, self.row)], numbers: vec![], conclude }
    }

    /// A weight of a head with a fixed pattern.
    pub(super) fn given(&self) -> Option<Asked> {
        let site = self.view.site();
        let head = self.view.head;
        let term = self.column;
        let pattern = site.fixed_patterns.pattern(head, self.row)?.name();
        let mask = site.mask.row(head, self.row, self.model.backend.rows(&site.key));
        let shares = site.fixed_patterns.shares(head, self.row, &mask)?;
        let total = shares.iter().sum::<f64>() as f32;
        let values = shares.iter().map(|&share| share as f32).collect();
        let line = Line { source: Source::Pattern, values };
        Some(Asked::known(line, Operation::Given { pattern, total, term }))
    }

    /// A cell of the context, which belongs to the head whose columns it is in.
    pub(super) fn mixed(&self) -> Asked {
        let backend = &self.model.backend;
        let site = self.view.site();
        let width = self.view.width(self.model, Step::Value);
        let head_dim = self.head_dim();
        let head = self.column / head_dim;
        let column_there = site.kv_head(head) * head_dim + self.column % head_dim;
        let n_keys = backend.rows(&site.key);
        let weights = site.pattern_rows(backend, head, self.row..self.row + 1, Stage::Weights);
        let stack = self.view.stack;
        let layer = self.view.layer;
        let step = Step::Weights;
        let row = self.row;
        let column = 0;
        let along = Along::Columns;
        let from = Source::Step { stack, layer, head, step, row, column, along };
        let values = self.source(Step::Value, 0, column_there, Along::Rows);
        let values = (values, self.pick(&site.value, column_there, width, n_keys));
        let lines = vec![(from, Pick::known(weights)), values];
        Asked::of(lines, Operation::Product { factor: site.gates[head], bias: None })
    }
}
