//! A checked edit of masks: the rule of a preset, cells to close and to open, and a fill, ready to
//! be joined to the mask of a site.
//!
//! A preset is joined by its mode; then the cells override it. A mode or an inversion without a
//! preset is refused as a contradiction; the open mask has a name of its own.

use super::limits::{MOST_PRESETS, MOST_RANDOM_KEYS};
use super::scope::{Extent, Scope, index, indices};
use super::wire;
use super::wire::MaskPreset;
use crate::error::{Code, Error, Result};
use crate::masks::{
    Cell, Change, Changes, Links, MaskFill, MaskMode, Random, Rule, Window, ordered,
};

/// One edit of masks.
pub(super) struct MaskChange {
    preset: Option<Change>,
    block: Vec<Cell>,
    allow: Vec<Cell>,
    fill: Option<MaskFill>,
}

/// Refuses more than `MOST_PRESETS` presets.
pub(super) fn check_number(edits: &[wire::MaskEdit]) -> Result<()> {
    let presets = edits.iter().filter(|edit| edit.preset.is_some()).count();
    if presets <= MOST_PRESETS {
        return Ok(());
    }
    let expected = format!("at most {MOST_PRESETS}; take some away");
    Err(Error::new(Code::EditTooMany, "the mask presets", expected, presets.to_string()))
}

impl MaskChange {
    /// A mask change, checked as far as possible without the model.
    pub fn of(edit: &wire::MaskEdit) -> Result<Self> {
        let mode = edit.mode.unwrap_or_default();
        let inverted = edit.invert.unwrap_or(false);
        if edit.preset.is_none() && (mode != MaskMode::And || inverted) {
            let got = if inverted { "invert without one" } else { "a mode without one" };
            let expected = "a preset to join or invert, for instance none";
            return Err(Error::new(Code::EditContradiction, "an edit of masks", expected, got));
        }
        let rule = edit.preset.as_ref().map(rule).transpose()?;
        let block = cells(edit.block.as_deref(), "the cells to block")?;
        let allow = cells(edit.allow.as_deref(), "the cells to allow")?;
        if let Some((query, key)) = allow.iter().find(|cell| block.binary_search(cell).is_ok()) {
            return Err(Error::new(
                Code::EditContradiction,
                "an edit of masks",
                "cells that are either blocked or allowed",
                format!("query {query} and key {key} in both lists"),
            ));
        }
        Ok(Self {
            preset: rule.map(|rule| Change { mode, rule, inverted }),
            block,
            allow,
            fill: edit.fill,
        })
    }

    /// Checks that a stack has the named cells and tokens.
    pub fn check(&self, extent: &Extent) -> Result<()> {
        let beyond = |cell: &&Cell| cell.0 >= extent.n_queries || cell.1 >= extent.n_keys;
        if let Some(cell) = self.block.iter().chain(&self.allow).find(beyond) {
            return Err(Error::new(
                Code::EditOutOfRange,
                format!("a cell of the {} stack", extent.stack.name()),
                format!("a query below {} and a key below {}", extent.n_queries, extent.n_keys),
                format!("query {} and key {}", cell.0, cell.1),
            ));
        }
        // In cross-attention a token may be a query or a key.
        let end = extent.n_queries.max(extent.n_keys);
        let tokens = match self.preset.as_ref().map(|change| &change.rule) {
            Some(Rule::Links(links)) => &links.tokens[..],
            _ => &[],
        };
        match tokens.last() {
            Some(&token) if token >= end => Err(Error::new(
                Code::EditOutOfRange,
                format!("a global token of the {} stack", extent.stack.name()),
                format!("a position below {end}"),
                token.to_string(),
            )),
            _ => Ok(()),
        }
    }

    /// Joins the change to the masks of a stack, at the layers and heads of the scope.
    pub fn join(&self, masks: &mut Changes, scope: &Scope, extent: &Extent) {
        let heads = || scope.heads_for_rule(extent);
        if let Some(preset) = &self.preset {
            masks.join(heads(), preset.clone());
        }
        masks.join(heads(), Change::and(Rule::cells(self.block.clone())));
        masks.join(heads(), Change::open(Rule::cells(self.allow.clone())));
        if let Some(fill) = self.fill {
            masks.fill(&scope.heads(extent), fill);
        }
    }
}

/// The cells in ascending order, each cell once.
fn cells(sent: Option<&[(f64, f64)]>, what: &str) -> Result<Vec<Cell>> {
    let cells = sent
        .unwrap_or_default()
        .iter()
        .map(|&(query, key)| Ok((index(query, what)?, index(key, what)?)))
        .collect::<Result<Vec<Cell>>>()?;
    Ok(ordered(cells))
}

/// The rule of a preset, with its numbers checked.
///
/// # Errors
/// `edit/bad-value`, naming the number.
pub(super) fn rule(preset: &MaskPreset) -> Result<Rule> {
    Ok(match preset {
        MaskPreset::None => Rule::Open,
        MaskPreset::Causal => Rule::Causal,
        MaskPreset::Padding { length } => Rule::Until(index(*length, "the real length")?),
        MaskPreset::Prefix { length } => Rule::Prefix(index(*length, "the length of the prefix")?),
        MaskPreset::Block { size } => Rule::Blocks(at_least_one(*size, "the size of a block")?),
        MaskPreset::Strided { stride, one_sided } => Rule::Strided {
            stride: at_least_one(*stride, "the stride")?,
            one_sided: one_sided.unwrap_or(false),
        },
        MaskPreset::Window { width, one_sided } => {
            Rule::Links(Links { window: window(Some(*width), 1, *one_sided)?, ..Links::default() })
        }
        MaskPreset::Dilated { width, dilation, one_sided } => {
            let dilation = at_least_one(*dilation, "the dilation")?;
            let window = window(Some(*width), dilation, *one_sided)?;
            Rule::Links(Links { window, ..Links::default() })
        }
        MaskPreset::Global { tokens, width, one_sided } => Rule::Links(Links {
            window: window(*width, 1, *one_sided)?,
            tokens: indices(tokens, "the global tokens")?,
            random: None,
        }),
        MaskPreset::Random { keys, seed, width, tokens, one_sided } => Rule::Links(Links {
            window: window(*width, 1, *one_sided)?,
            tokens: indices(tokens.as_deref().unwrap_or_default(), "the global tokens")?,
            random: random(*keys, *seed)?,
        }),
    })
}

fn window(width: Option<f64>, dilation: usize, one_sided: Option<bool>) -> Result<Option<Window>> {
    let width = width.map(|width| index(width, "the width of the window")).transpose()?;
    let one_sided = one_sided.unwrap_or(false);
    Ok(width.map(|width| Window { width, dilation, one_sided }))
}

/// The random keys of a query; `None` for 0 keys.
fn random(keys: f64, seed: f64) -> Result<Option<Random>> {
    let what = "the random keys of a query";
    let seed = index(seed, "the seed")? as u64;
    match index(keys, what)? {
        0 => Ok(None),
        keys if keys <= MOST_RANDOM_KEYS => Ok(Some(Random { keys, seed })),
        keys => {
            let expected = format!("a whole number from 0 to {MOST_RANDOM_KEYS}");
            Err(Error::new(Code::EditBadValue, what, expected, keys.to_string()))
        }
    }
}

fn at_least_one(value: f64, what: &str) -> Result<usize> {
    match index(value, what)? {
        0 => Err(Error::new(Code::EditBadValue, what, "a whole number from 1", "0")),
        value => Ok(value),
    }
}
