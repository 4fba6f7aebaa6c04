//! Variants of attention: the computations from a head's queries and keys to its weights. One file
//! holds everything about one variant: its formula with its source, its numbers with their ranges,
//! its computation, its cost, and the facts that the rest of Headscope uses ([`Facts`]).
//!
//! All variants keep the four stages, `weights = softmax(masked)`, `masked = scores + mask`, and
//! differ in *raw* and *scores*, with `f = scale ÷ temperature`. Variants with a shortcut also
//! compute a head's context without the pattern; `tests/core/steps.rs`, which uses no shortcut, and
//! reference vectors show that both agree.
//!
//! A row depends only on its query and on the keys that the query may attend to, summed from the
//! first key to the last, so that a row has the same bits in a whole pass and as the next row of a
//! text.
//!
//! To add a variant: "How to add" in `docs/architecture.md`.

mod additive;
mod banded;
mod chunked;
mod cosine;
pub mod cost;
mod facts;
mod features;
mod head;
mod linear;
mod linformer;
mod low_rank;
mod memo;
mod pattern_work;
mod performer;
mod softmax;
mod view;

use std::ops::{Deref, Range};

pub use additive::Additive;
pub use banded::{Blocks, Sliding};
pub use chunked::Chunked;
pub use cosine::Cosine;
pub use cost::Cost;
pub use facts::{Facts, GpuScore, Held, MadePart, ModelScale, RawScores, WeightRule};
pub use head::{Dropout, HeadVariant, Scale, Variants};
pub use linear::Linear;
pub use linformer::Linformer;
pub use low_rank::LowRank;
pub use memo::{HeadMemo, MemoStore};
pub use performer::Performer;
pub use softmax::Softmax;
pub use view::{Found, HeadRows, HeadView, QUERY_ROWS};

use crate::axes::named;
use crate::kernels::elementwise;

/// The most units, features, pooled keys, or neighbours that an edit can ask for.
pub const MOST_UNITS: usize = 1024;

/// A number of a variant, as an edit names it.
#[derive(Debug, Clone, Copy)]
pub struct VariantNumber {
    /// The field of `VariantParameters` in `src/edits/wire.rs`.
    pub name: &'static str,
    /// The least value of the number.
    pub least: usize,
    /// The largest value of the number.
    pub most: usize,
    /// The value if the edit does not give the number.
    pub usual: usize,
}

impl VariantNumber {
    /// A seed: it is only mixed, so that every whole number is allowed.
    pub const SEED: Self = Self { name: "seed", least: 0, most: u32::MAX as usize, usual: 1 };
}

/// Writes the softmax's weights of all queries and keys of a head into `[n_q, n_k]` cells.
pub type SoftmaxRows<'a> = &'a dyn Fn(&mut [f32]);

/// The computations and the cost of a variant; the defaults are those of softmax attention.
pub trait AttentionVariant {
    /// The facts of the variant, the same whatever its numbers.
    fn facts(&self) -> &'static Facts;

    /// Writes raw scores of some queries into rows of all keys. Returns `false` for a variant whose
    /// raw scores are the products of queries and keys, which the backend writes.
    fn raw(&self, _view: &HeadView<'_>, _queries: Range<usize>, _out: &mut [f32]) -> bool {
        false
    }

    /// Turns raw scores into scores. For [`WeightRule::Features`] there are no raw scores in `out`.
    fn scores(&self, view: &HeadView<'_>, _queries: Range<usize>, out: &mut [f32]) {
        elementwise::scale(out, view.factor());
    }

    /// Computes about the given number of multiplications more of the data of all rows.
    fn prepare(&self, _view: &HeadView<'_>, _softmax: SoftmaxRows<'_>, _multiplications: usize) {}

    /// Writes the weights of some queries; returns `false` if they are the softmax of their scores.
    fn weights(
        &self,
        _view: &HeadView<'_>,
        _softmax: SoftmaxRows<'_>,
        _queries: Range<usize>,
        _out: &mut [f32],
    ) -> bool {
        false
    }

    /// Writes the context of some queries by the variant's shortcut; returns `false`, with nothing
    /// written, for a variant without one.
    fn context(&self, _view: &HeadView<'_>, _queries: Range<usize>, _out: &mut Found<'_>) -> bool {
        false
    }

    /// The numbers whose products add up to a raw score, or to a weight of
    /// [`WeightRule::Directions`]; `None` for a variant that multiplies a query by a key.
    fn factors(
        &self,
        _view: &HeadView<'_>,
        _softmax: SoftmaxRows<'_>,
        _query: usize,
        _key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        None
    }

    /// The sum whose logarithm is a score; `None` for a variant whose scores are no logarithms.
    fn sum(&self, _view: &HeadView<'_>, _query: usize, _key: usize) -> Option<f64> {
        None
    }

    /// The factor by which the sum of the products of a query and a key becomes a raw score.
    fn factor_of_terms(&self, _query: &[f32], _key: &[f32]) -> f32 {
        1.0
    }

    /// The number of keys among which the weight of a score is divided; 1 if each key has its own.
    fn keys_of_score(&self, _visible: &[bool], _key: usize) -> usize {
        1
    }

    /// The range of keys that a query is compared with; `None` for all keys.
    fn band(&self, _query: usize, _n_keys: usize) -> Option<Range<usize>> {
        None
    }

    /// The number of products that add up to a raw score, for a head of width `head_dim`.
    fn units(&self, head_dim: usize) -> usize {
        head_dim
    }

    /// The variant's own weights, in the order in which shaders read them.
    fn own_weights(&self, _head_dim: usize) -> Vec<f32> {
        Vec::new()
    }

    /// The number of directions whose sum is a cell of a pattern of `n_keys` keys; 0 for other
    /// variants.
    fn directions(&self, _n_keys: usize) -> usize {
        0
    }

    /// The bytes that are kept for each of `n_keys` keys while rows are computed, for a head of
    /// width `head_dim`; for a variant of all rows also afterwards.
    fn kept_per_key(&self, _head_dim: usize, _n_keys: usize) -> u64 {
        0
    }

    /// The cost of some rows, computed all at once. Data of all rows is computed before.
    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        cost::with_weights(view, rows, cost::products(view, rows))
    }
}

/// The numbers by which an edit names a variant, and the variant made from them.
pub trait Named: AttentionVariant + Sized {
    /// The numbers of the variant, at most two.
    const NUMBERS: &'static [VariantNumber] = &[];

    /// The variant with these numbers, in the order of `NUMBERS`.
    fn of(numbers: [usize; 2]) -> Self;

    /// The variant in one head, at `[stack, layer, head]`: random weights are drawn for each head.
    #[must_use]
    fn at(self, _place: &[usize]) -> Self {
        self
    }
}

/// Defines `Variant` and `VariantName` from the list of all variants.
macro_rules! variants {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)+) => {
        named! {
            /// The names of the attention variants, each described in `src/variants`.
            VariantName, EditUnsupported, "the attention variant" {
                $($(#[$doc])* $variant = $text,)+
            }
        }

        /// An attention variant, which computes weights from queries and keys.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Variant { $($(#[$doc])* $variant($variant),)+ }

        impl VariantName {
            /// The numbers of the variant.
            pub fn numbers(self) -> &'static [VariantNumber] {
                match self { $(Self::$variant => <$variant as Named>::NUMBERS),+ }
            }
        }

        impl Variant {
            /// The variant of a name with its numbers.
            pub fn of(name: VariantName, numbers: [usize; 2]) -> Self {
                match name { $(VariantName::$variant => Self::$variant(Named::of(numbers))),+ }
            }

            /// The variant in one head, at `[stack, layer, head]`.
            #[must_use]
            pub fn at(self, place: &[usize]) -> Self {
                match self { $(Self::$variant(own) => Self::$variant(own.at(place))),+ }
            }

            /// The name of the variant as it is sent.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant(_) => $text),+ }
            }
        }

        impl Deref for Variant {
            type Target = dyn AttentionVariant;

            fn deref(&self) -> &Self::Target {
                match self { $(Self::$variant(own) => own),+ }
            }
        }
    };
}

variants! {
    /// Products of queries and keys: the model's own attention.
    Softmax = "softmax",
    /// Cosines of queries and keys.
    Cosine = "cosine",
    /// A small network on a query and a key.
    Additive = "additive",
    /// Products of queries and keys, for keys in a window around the query.
    Sliding = "sliding",
    /// Products of queries and keys, for keys in the blocks around the query.
    Blocks = "blocks",
    /// Products of the features `elu + 1`.
    Linear = "linear",
    /// Products of random features.
    Performer = "performer",
    /// The softmax's weights with few singular values.
    LowRank = "low-rank",
    /// Keys and values averaged over segments.
    Linformer = "linformer",
    /// The softmax chunk by chunk of keys.
    Chunked = "chunked",
}

impl VariantName {
    /// The variant with the numbers that it has where an edit does not say them.
    pub fn usual(self) -> Variant {
        let mut numbers = [0; 2];
        for (number, own) in numbers.iter_mut().zip(self.numbers()) {
            *number = own.usual;
        }
        Variant::of(self, numbers)
    }

    /// The facts of the variant.
    pub fn facts(self) -> &'static Facts {
        self.usual().facts()
    }
}

impl Default for Variant {
    fn default() -> Self {
        Self::Softmax(Softmax)
    }
}

impl Variant {
    /// Masks the keys that the variant leaves out, in a row of masked scores; `visible` are the
    /// keys that the query may attend to.
    pub fn leave_out(self, query: usize, visible: impl FnOnce() -> Vec<bool>, row: &mut [f32]) {
        if let Some(keys) = self.band(query, row.len()) {
            row[..keys.start].fill(f32::NEG_INFINITY);
            row[keys.end..].fill(f32::NEG_INFINITY);
        }
        if self.facts().sums_open_keys() {
            // A masked key is left out of sums, whatever the fill adds.
            for (cell, open) in row.iter_mut().zip(visible()) {
                *cell = if open { *cell } else { f32::NEG_INFINITY };
            }
        }
    }

    /// The cost of all rows: of given rows (the first), for which only the product with values is
    /// computed, and of the others by the variant's formula.
    pub fn cost_beside(self, view: &HeadView<'_>, n_given: usize) -> Cost {
        let [n_queries, n_keys] = view.shape();
        if n_keys == 0 {
            return Cost::default();
        }
        let rows = n_given..n_queries;
        let own = if rows.is_empty() { Cost::default() } else { self.cost(view, &rows) };
        let given = cost::product([n_given, n_keys, view.value_width()]);
        Cost {
            operations: own.operations + given,
            bytes: own.bytes.max(cost::singles(n_given * n_keys)),
        }
    }
}
