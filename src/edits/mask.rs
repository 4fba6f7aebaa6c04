//! An edit of masks, checked: a preset's rule, cells to close and to open, and a fill, ready
//! to be joined to what stands at a site.
//!
//! A preset is joined by its mode; then its cells have the last word. Without a preset there
//! is nothing to join or to invert, and to say so is a contradiction rather than a wish for
//! the open mask, which has a name.

use super::limits::MOST_PRESETS;
use super::scope::{Extent, Scope, index};
use super::{preset, wire};
use crate::error::{Code, Error, Result};
use crate::masks::{Cell, Change, Changes, Fill, Mode, Rule};

/// One edit of masks.
pub(super) struct MaskChange {
    preset: Option<Change>,
    block: Vec<Cell>,
    allow: Vec<Cell>,
    fill: Option<Fill>,
}

/// Refuses a crowd of presets.
pub(super) fn check_number(edits: &[wire::MaskEdit]) -> Result<()> {
    let presets = edits.iter().filter(|edit| edit.preset.is_some()).count();
    if presets <= MOST_PRESETS {
        return Ok(());
    }
    let expected = format!("at most {MOST_PRESETS}; take some away");
    Err(Error::new(Code::EditTooMany, "the mask presets", expected, presets.to_string()))
}

impl MaskChange {
    /// Checks what can be checked without knowing the model.
    pub fn of(edit: &wire::MaskEdit) -> Result<Self> {
        let mode = match edit.mode.unwrap_or_default() {
            wire::MaskMode::And => Mode::And,
            wire::MaskMode::Or => Mode::Or,
            wire::MaskMode::Replace => Mode::Replace,
        };
        let inverted = edit.invert.unwrap_or(false);
        if edit.preset.is_none() && (mode != Mode::And || inverted) {
            let got = if inverted { "invert without one" } else { "a mode without one" };
            let expected = "a preset to join or invert, for instance none";
            return Err(Error::new(Code::EditContradiction, "an edit of masks", expected, got));
        }
        let rule = edit.preset.as_ref().map(preset::rule).transpose()?;
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
            fill: edit.fill.map(|fill| match fill {
                wire::MaskFill::MinusInfinity => Fill::MinusInfinity,
                wire::MaskFill::Large => Fill::Large,
            }),
        })
    }

    /// Checks that a stack has the cells and tokens that are named.
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
        // In cross-attention a token may be there as a query or as a key.
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

    /// Joins it to what stands at a site.
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

/// In ascending order, each cell once.
fn cells(sent: Option<&[(f64, f64)]>, what: &str) -> Result<Vec<Cell>> {
    let mut cells = sent
        .unwrap_or_default()
        .iter()
        .map(|&(query, key)| Ok((index(query, what)?, index(key, what)?)))
        .collect::<Result<Vec<Cell>>>()?;
    cells.sort_unstable();
    cells.dedup();
    Ok(cells)
}
