//! The positions of the tokens of one stack in one run: by the model's own scheme, or by the edits
//! of the run.
//!
//! A table of positions is added to the embeddings; a table of rotations rotates queries and keys
//! before their products; relative terms are added to the scaled scores, before the mask. In each a
//! token has the row of its position, which an edit may have changed.

use std::rc::Rc;

use crate::attention::Turns;
use crate::axes::{Axis, Stack, Tensor};
use crate::backend::Backend;
use crate::blocks::{Unplaced, UnplacedTokens};
use crate::edits::{Chosen, Edits, Placement};
use crate::error::{Code, Error, Result};
use crate::model::{Model, ModelConfig, StackConfig, StackWeights};
use crate::positions::{
    BASE, Buckets, Layout, Relative, Rotation, Scheme, Sizes, Terms, TransformerXl, drawn_table,
    sinusoidal_of_base,
};
use crate::variants::VariantName;

/// The standard deviation of an untrained table, as tables are initialised (the code of Devlin et
/// al. 2019 and Radford et al. 2019), before the factor of the embeddings that it is added to.
const UNTRAINED: f64 = 0.02;

/// The positions of a stack's tokens, with the tables that encode them.
pub(super) struct Places<B: Backend> {
    /// The rows that are added to the embeddings, `[positions, d]`, a row per token.
    pub added: Option<B::Tensor>,
    /// The rows of all positions, if some tokens have no position.
    table: Option<B::Tensor>,
    /// For each block the rotations of its queries and keys, `[positions, d_r]`, a row per token.
    pub turns: Vec<Option<B::Tensor>>,
    /// The number of rotated dimensions of a head, `d_r`.
    pub turn_width: usize,
    /// The stretch of the rotation for this text: see [`Rotation::stretch`].
    pub stretch: usize,
    placement: Placement,
}

/// Refuses positions that this model, or this backend, cannot compute.
///
/// # Errors
/// `edit/unsupported`; `edit/contradiction` for relative positions with an attention variant that
/// never stores the scores to which they are added.
pub(super) fn check<B: Backend>(model: &Model<B>, stack: Stack, edits: &Edits) -> Result<()> {
    let placement = edits.placement(stack);
    let refused = |expected: &str, got: String| {
        Err(Error::new(Code::EditUnsupported, "the scheme of positions", expected, got))
    };
    let Some(size) = model.config.stack(stack) else { return Ok(()) };
    match placement.chosen {
        Some(Chosen::Rotary { .. }) if !size.head_dim.is_multiple_of(2) => refused(
            "another than rotary, which turns pairs of dimensions",
            format!("heads of {} dimensions", size.head_dim),
        ),
        None if !model.config.joins_scores(stack) => Ok(()),
        None | Some(Chosen::Alibi | Chosen::T5 { .. } | Chosen::TransformerXl { .. }) => {
            let variants = (0..size.n_layers).flat_map(|layer| {
                let site = edits.site(stack, layer);
                (0..size.n_heads).map(move |head| site.variants().of(head).variant)
            });
            match variants.into_iter().find(|variant| !variant.facts().holds_scores()) {
                None => Ok(()),
                Some(variant) => Err(Error::new(
                    Code::EditContradiction,
                    "relative positions or a soft cap",
                    format!("attention whose scores they can join: {}", names_of_joined()),
                    variant.name(),
                )),
            }
        }
        _ => Ok(()),
    }
}

/// The names of the attention variants whose scores allow relative positions and a soft cap.
fn names_of_joined() -> String {
    let joined = VariantName::ALL.into_iter().filter(|name| name.facts().holds_scores());
    joined.map(VariantName::name).collect::<Vec<_>>().join(", ")
}

impl<B: Backend> Places<B> {
    /// The positions of a second text, which is the same so far.
    pub fn fork(&self) -> Self {
        Self {
            added: self.added.clone(),
            table: self.table.clone(),
            turns: self.turns.clone(),
            turn_width: self.turn_width,
            stretch: self.stretch,
            placement: self.placement.clone(),
        }
    }

    /// The positions of a text of `n_tokens` that may grow to `n`.
    pub fn of(
        model: &Model<B>,
        weights: &StackWeights<B>,
        stack: Stack,
        placement: &Placement,
        [n_tokens, n]: [usize; 2],
    ) -> Self {
        let backend = &model.backend;
        let config = &model.config;
        // An order may name positions that a text reaches only while it is written.
        let n = n.max(placement.order.len());
        let beyond = if n > config.max_tokens { same_without_end(config.positions) } else { None };
        let embedding = &weights.embedding;
        let width = if embedding.projects_tokens { config.d_model } else { config.embedding_width };
        let own = || weights.blocks.iter().map(|block| block.self_attention.turns.clone());
        let of_all = |turns: Option<Rc<Turns<B>>>| vec![turns; weights.blocks.len()];
        let table = |rotation: &Rotation| {
            let table = rotation.table_of_text(n_tokens, n);
            backend.upload(table, 2 * rotation.periods.len())
        };
        let (added, turns) = match placement.chosen.or(beyond) {
            None => (embedding.positions.clone(), own().collect()),
            Some(Chosen::Sinusoidal { layout, base }) => {
                let layout = layout.unwrap_or(Layout::Interleaved);
                let table = sinusoidal_of_base(n, width, layout, base);
                (Some(backend.upload(table.into_raw_vec_and_offset().0, width)), of_all(None))
            }
            Some(Chosen::Learned { seed }) => {
                let deviation = UNTRAINED * f64::from(config.embedding_scale);
                let table = drawn_table(n, width, seed.unwrap_or(1), deviation);
                (Some(backend.upload(table, width)), of_all(None))
            }
            Some(Chosen::Rotary { base }) => {
                let width = config.stack(stack).map_or(0, |size| size.head_dim);
                let rotation = Rotation::new(base.unwrap_or(BASE), width);
                let table = table(&rotation);
                (None, of_all(Some(Rc::new(Turns { rotation, table }))))
            }
            Some(
                Chosen::None | Chosen::Alibi | Chosen::T5 { .. } | Chosen::TransformerXl { .. },
            ) => (None, of_all(None)),
        };
        let moved =
            |table: Option<B::Tensor>| table.map(|table| moved(backend, &table, &placement.order));
        let turn_width =
            turns.iter().flatten().next().map_or(0, |turns| 2 * turns.rotation.periods.len());
        let stretches = turns.iter().flatten().map(|turns| turns.rotation.stretch(n_tokens));
        let stretch = stretches.max().unwrap_or(0);
        // Blocks with the same rotation share a table.
        let mut made: Vec<(Rc<Turns<B>>, B::Tensor)> = Vec::new();
        let turns = turns.into_iter().map(|turns| {
            let turns = turns?;
            // A text beyond the model's positions needs a longer table.
            if backend.rows(&turns.table) >= n && n <= turns.rotation.usual_length() {
                return moved(Some(turns.table.clone()));
            }
            if let Some((_, known)) = made.iter().find(|(own, _)| Rc::ptr_eq(own, &turns)) {
                return Some(known.clone());
            }
            let rows = moved(Some(table(&turns.rotation)))?;
            made.push((turns, rows.clone()));
            Some(rows)
        });
        let turns = turns.collect();
        let table = moved(added);
        let placement = placement.clone();
        Self { added: table.clone(), table, turns, turn_width, stretch, placement }
    }

    /// Computes the rotations again for a text that has grown, if its length changes them; returns
    /// whether it does. The lengths are before, now, and the most.
    pub fn grow(
        &mut self,
        model: &Model<B>,
        weights: &StackWeights<B>,
        stack: Stack,
        [before, now, most]: [usize; 3],
    ) -> bool {
        let turns = weights.blocks.iter().filter_map(|block| block.self_attention.turns.as_ref());
        let mut rotations = turns.map(|turns| &turns.rotation);
        let is_own = self.placement.chosen.is_none();
        let is_anew = is_own && rotations.any(|rotation| rotation.turns_anew([before, now]));
        if is_anew {
            let grown = Self::of(model, weights, stack, &self.placement, [now, most]);
            (self.turns, self.stretch) = (grown.turns, grown.stretch);
        }
        is_anew
    }

    /// The terms that are added to the scores of a block.
    pub fn relative(
        &self,
        config: &ModelConfig,
        stack: Stack,
        layer: usize,
        own: Option<&Rc<Terms>>,
    ) -> Option<Rc<Relative>> {
        let size = config.stack(stack)?;
        let order = Rc::clone(&self.placement.order);
        let Some(chosen) = self.placement.chosen else {
            return Some(Rc::new(Relative { terms: Rc::clone(own?), order }));
        };
        let terms = match chosen {
            Chosen::Alibi => Terms::alibi(size.n_heads),
            Chosen::T5 { buckets, max_distance, seed } => {
                let both_sides = stack == Stack::Encoder;
                let buckets = Buckets { count: buckets, max_distance, both_sides };
                Terms::t5(buckets, size.n_heads, seed)
            }
            Chosen::TransformerXl { seed } => {
                Terms::TransformerXl(TransformerXl::new(sizes(config, size), layer, seed))
            }
            _ => return None,
        };
        Some(Rc::new(Relative { terms: Rc::new(terms), order }))
    }

    /// Gives tokens without a position their row, and counts positions over the others. Tokens that
    /// are written later have positions. An edit of positions counts all tokens.
    pub fn count(
        &mut self,
        backend: &B,
        unplaced: Option<&Unplaced<B>>,
        ids: &[u32],
        real: &[bool],
    ) {
        let is_own = self.placement.chosen.is_none() && self.placement.order.is_empty();
        let (Some(unplaced), Some(table), true) = (unplaced, &self.table, is_own) else { return };
        let is_placed = |token: usize| match unplaced.tokens {
            UnplacedTokens::Padding(id) => ids[token] != id,
            UnplacedTokens::Masked => real.get(token).copied().unwrap_or(true),
        };
        if (0..ids.len()).all(is_placed) {
            return;
        }
        let mut added = backend.select(table, 0..0);
        let mut position = 0;
        for token in 0..ids.len() {
            let is_placed = is_placed(token);
            let row = if is_placed {
                backend.select(table, position..position + 1)
            } else {
                unplaced.row.clone()
            };
            position += usize::from(is_placed);
            backend.append(&mut added, &row);
        }
        backend.append(&mut added, &backend.select(table, position..backend.rows(table)));
        self.added = Some(added);
    }

    /// The position of a token.
    pub fn position(&self, token: usize) -> usize {
        self.placement.order.get(token).copied().unwrap_or(token)
    }
}

/// The bytes of the tables of `Places` and of the relative terms of a stack for up to `n` tokens,
/// without the model's own tables.
pub(super) fn table_bytes(
    config: &ModelConfig,
    stack: Stack,
    placement: &Placement,
    n: usize,
) -> u64 {
    let Some(size) = config.stack(stack) else { return 0 };
    let n = n.max(placement.order.len());
    let beyond = if n > config.max_tokens { same_without_end(config.positions) } else { None };
    let table = |columns: usize| n as u64 * columns as u64 * size_of::<f32>() as u64;
    let layers = size.n_layers as u64;
    match placement.chosen.or(beyond) {
        // A rotation that is stretched for a text has a table of its own.
        None if config.rotations.iter().flatten().any(|own| n > own.usual_length()) => {
            table(size.head_dim)
        }
        None | Some(Chosen::None) => 0,
        Some(Chosen::Sinusoidal { .. } | Chosen::Learned { .. }) => table(config.d_model),
        Some(Chosen::Rotary { .. }) => table(size.head_dim),
        Some(Chosen::Alibi) => layers * size.n_heads as u64 * size_of::<f64>() as u64,
        Some(Chosen::T5 { buckets, max_distance, .. }) => {
            let numbers = size.n_heads * buckets;
            let met = 2 * n.min(max_distance) + 1;
            layers * (numbers * size_of::<f64>() + met * size_of::<usize>()) as u64
        }
        Some(Chosen::TransformerXl { .. }) => layers * TransformerXl::bytes(sizes(config, size), n),
    }
}

/// The model's own scheme in a form that continues beyond its table.
fn same_without_end(model: Scheme) -> Option<Chosen> {
    match model {
        Scheme::Sinusoidal { layout, base } => {
            Some(Chosen::Sinusoidal { layout: Some(layout), base })
        }
        _ => None,
    }
}

/// The relative terms of `n` tokens: `[distance, head]`, the distances from `−(n − 1)` to `n − 1`,
/// a query's position minus a key's; for disentangled positions a row for each distance.
pub(super) fn by_distance(relative: &Relative, n_heads: usize, n: usize) -> Result<Tensor> {
    let last = i64::try_from(n).unwrap_or(i64::MAX) - 1;
    if let Terms::Disentangled(own) = &*relative.terms {
        let mut rows = Vec::new();
        (-last..=last).for_each(|distance| rows.extend_from_slice(own.of_row(distance)));
        return Tensor::new(rows, &[2 * n - 1, own.width], &[Axis::Distance, Axis::ModelDim]);
    }
    let numbers = (-last..=last)
        .flat_map(|at| (0..n_heads).map(move |head| relative.by_distance(head, at) as f32));
    Tensor::new(numbers.collect(), &[2 * n - 1, n_heads], &[Axis::Distance, Axis::Head])
}

fn sizes(config: &ModelConfig, size: StackConfig) -> Sizes {
    Sizes { n_heads: size.n_heads, head_dim: size.head_dim, d_model: config.d_model }
}

/// A table whose first rows are in another order.
fn moved<B: Backend>(backend: &B, table: &B::Tensor, order: &[usize]) -> B::Tensor {
    let Some(&first) = order.first() else { return table.clone() };
    let mut rows = backend.select(table, first..first + 1);
    for &at in &order[1..] {
        let row = backend.select(table, at..at + 1);
        backend.append(&mut rows, &row);
    }
    backend.append(&mut rows, &backend.select(table, order.len()..backend.rows(table)));
    rows
}
