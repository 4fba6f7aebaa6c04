//! Variants of attention: what stands between a head's queries and keys and its weights. One file
//! holds everything of one variant: its formula with its source, its numbers with their ranges, what
//! it computes, what it takes, and what the rest of Headscope knows of it ([`Facts`]).
//!
//! All variants keep the four stages, `weights = softmax(masked)`, `masked = scores + mask`, and
//! differ in what *raw* and *scores* are, with `f = scale ÷ temperature`. Those that have a shortcut
//! also compute a head's context without the pattern; `tests/core/steps.rs`, which knows no shortcut,
//! and reference vectors show that it is what the pattern says.
//!
//! Rows depend on their query and on the keys that it may look at alone, summed from the first key
//! to the last, so that a row has the same bits in a whole pass and as the next of a text.
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

/// The most units, features, pooled keys, neighbours that an edit can ask for.
pub const MOST_UNITS: usize = 1024;

/// A number of a variant, as an edit says it.
#[derive(Debug, Clone, Copy)]
pub struct VariantNumber {
    /// The field of `VariantParameters` in `src/edits/wire.rs`.
    pub name: &'static str,
    /// The least that it can be.
    pub least: usize,
    /// The most that it can be.
    pub most: usize,
    /// What it is if the edit does not say it.
    pub usual: usize,
}

impl VariantNumber {
    /// A seed: only mixed, so that every whole number will do.
    pub const SEED: Self = Self { name: "seed", least: 0, most: u32::MAX as usize, usual: 1 };
}

/// Writes the softmax's weights of all queries and keys of a head into `[n_q, n_k]` cells.
pub type SoftmaxRows<'a> = &'a dyn Fn(&mut [f32]);

/// What a variant computes and takes, as far as it differs from softmax attention.
pub trait AttentionVariant {
    /// What the rest of Headscope knows of it, the same whatever its numbers.
    fn facts(&self) -> &'static Facts;

    /// Writes raw scores of some queries into rows of all keys. `false` for a variant that
    /// multiplies queries by keys, of which the backend writes the products.
    fn raw(&self, _view: &HeadView<'_>, _queries: Range<usize>, _out: &mut [f32]) -> bool {
        false
    }

    /// Turns raw scores into scores. For [`WeightRule::Features`] there are no raw scores in `out`.
    fn scores(&self, view: &HeadView<'_>, _queries: Range<usize>, out: &mut [f32]) {
        elementwise::scale(out, view.factor());
    }

    /// Goes on with what is made of all rows at once, for about so many multiplications.
    fn prepare(&self, _view: &HeadView<'_>, _softmax: SoftmaxRows<'_>, _multiplications: usize) {}

    /// Writes weights of some queries; `false` for those that the softmax of their scores makes.
    fn weights(
        &self,
        _view: &HeadView<'_>,
        _softmax: SoftmaxRows<'_>,
        _queries: Range<usize>,
        _out: &mut [f32],
    ) -> bool {
        false
    }

    /// Writes what some queries find by the variant's shortcut; `false` for a variant without one,
    /// of which nothing is written.
    fn context(&self, _view: &HeadView<'_>, _queries: Range<usize>, _out: &mut Found<'_>) -> bool {
        false
    }

    /// The numbers whose products add up to a raw score, or to a weight of [`WeightRule::Directions`];
    /// none for a variant that multiplies a query by a key.
    fn factors(
        &self,
        _view: &HeadView<'_>,
        _softmax: SoftmaxRows<'_>,
        _query: usize,
        _key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        None
    }

    /// The sum whose logarithm is a score; none for a variant whose scores are no logarithms.
    fn sum(&self, _view: &HeadView<'_>, _query: usize, _key: usize) -> Option<f64> {
        None
    }

    /// What the sum of the products of a query and a key is multiplied by to be a raw score.
    fn factor_of_terms(&self, _query: &[f32], _key: &[f32]) -> f32 {
        1.0
    }

    /// Among how many keys the weight of one is shared out; 1 where each has its own.
    fn keys_of_score(&self, _visible: &[bool], _key: usize) -> usize {
        1
    }

    /// The only keys that a query is compared with; none where these are all.
    fn band(&self, _query: usize, _n_keys: usize) -> Option<Range<usize>> {
        None
    }

    /// Numbers whose products add up to a raw score, of a head so wide.
    fn units(&self, head_dim: usize) -> usize {
        head_dim
    }

    /// The weights that it has of its own, in the order in which shaders read them.
    fn own_weights(&self, _head_dim: usize) -> Vec<f32> {
        Vec::new()
    }

    /// Directions of a pattern of so many keys that each of its cells is the sum of.
    fn directions(&self, _n_keys: usize) -> usize {
        0
    }

    /// Bytes that are kept of each of so many keys while rows are computed, of a head so wide; of a
    /// variant of all rows also when they are.
    fn kept_per_key(&self, _head_dim: usize, _n_keys: usize) -> u64 {
        0
    }

    /// What some rows take, all of them at once. What is made of all rows is known before.
    fn cost(&self, view: &HeadView<'_>, rows: &Range<usize>) -> Cost {
        cost::with_weights(view, rows, cost::products(view, rows))
    }
}

/// How an edit names a variant's numbers and what becomes of them.
pub trait Named: AttentionVariant + Sized {
    /// Its numbers, two at most.
    const NUMBERS: &'static [VariantNumber] = &[];

    /// The variant with these, in the order of `NUMBERS`.
    fn of(numbers: [usize; 2]) -> Self;

    /// The same in one head, at `[stack, layer, head]`: what is drawn is drawn for each by itself.
    #[must_use]
    fn at(self, _place: &[usize]) -> Self {
        self
    }
}

/// Makes `Variant` and `VariantName` of the list of all variants.
macro_rules! variants {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)+) => {
        named! {
            /// The attention variants; what each is: `src/variants`.
            VariantName, EditUnsupported, "the attention variant" {
                $($(#[$doc])* $variant = $text,)+
            }
        }

        /// What makes weights of queries and keys.
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

            /// The same in one head, at `[stack, layer, head]`.
            #[must_use]
            pub fn at(self, place: &[usize]) -> Self {
                match self { $(Self::$variant(own) => Self::$variant(own.at(place))),+ }
            }

            /// Its name as it is sent.
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
    /// Products of queries and keys, as the model has them.
    Softmax = "softmax",
    /// Cosines of queries and keys.
    Cosine = "cosine",
    /// A small network on a query and a key.
    Additive = "additive",
    /// Products, of keys in a window around the query.
    Sliding = "sliding",
    /// Products, of keys in the blocks around the query.
    Blocks = "blocks",
    /// `elu + 1` as features.
    Linear = "linear",
    /// Random features.
    Performer = "performer",
    /// The softmax's weights with few singular values.
    LowRank = "low-rank",
    /// Keys and values averaged over segments.
    Linformer = "linformer",
    /// The softmax chunk by chunk.
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

    /// What the rest of Headscope knows of the variant.
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
    /// Forbids what the variant leaves out, in a row of scores with their mask, of whose keys the
    /// query may look at those that are `visible`.
    pub fn leave_out(self, query: usize, visible: impl FnOnce() -> Vec<bool>, row: &mut [f32]) {
        if let Some(keys) = self.band(query, row.len()) {
            row[..keys.start].fill(f32::NEG_INFINITY);
            row[keys.end..].fill(f32::NEG_INFINITY);
        }
        if self.facts().sums_open_keys() {
            // Sums have no place for a large negative number: what is closed is left out.
            for (cell, open) in row.iter_mut().zip(visible()) {
                *cell = if open { *cell } else { f32::NEG_INFINITY };
            }
        }
    }

    /// What some rows take: given ones (the first), of which nothing but the product with values is
    /// computed, and the others by the variant's formula.
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
