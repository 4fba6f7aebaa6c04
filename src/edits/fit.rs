//! The fit of edits to a model and a text: edits that were made for another one are cut down to
//! what can be run, and the left-out parts are named, edit by edit.

use super::limits::LARGEST_GATE;
use super::misfit::{Cut, EditFit, EditMisfit, MisfitReason};
use super::scope::Extent;
use super::variant_check;
use super::wire::PositionScheme::{Alibi, Rotary, T5, TransformerXl};
use super::wire::{
    AttentionEdit, BlockEdit, Edits, HeadEdit, HeadPattern, MaskEdit, MaskPreset, PositionEdit,
};
use crate::axes::{Stack, Sublayer};

/// The left-out part of an edit, if any; an error is the reason why nothing of the edit is kept.
type Fit = Result<Option<Cut>, MisfitReason>;

/// The left-out parts of all edits.
#[derive(Default)]
struct Misfits(Vec<EditMisfit>);

impl Misfits {
    /// Records the left-out part of an edit; returns whether something of the edit is kept.
    fn note(&mut self, list: &'static str, index: usize, fit: Fit) -> bool {
        match fit {
            Ok(None) => true,
            Ok(Some(cut)) => {
                self.0.push(EditMisfit::partly(list, index, cut));
                true
            }
            Err(says) => {
                self.0.push(EditMisfit::wholly(list, index, says));
                false
            }
        }
    }

    /// Cuts down each edit of a list and removes the edits of which nothing is kept.
    fn keep<E>(
        &mut self,
        list: &'static str,
        edits: &mut Vec<E>,
        fit: &mut dyn FnMut(&mut E) -> Fit,
    ) {
        let mut index = 0;
        edits.retain_mut(|edit| {
            index += 1;
            self.note(list, index - 1, fit(edit))
        });
    }
}

/// Cuts edits down to what these stacks have. For an edit of which nothing is kept, texts without
/// an end show whether the text is only too short.
pub fn fit(sent: &Edits, extents: &[Extent]) -> EditFit {
    let mut fit = cut_down(sent, extents);
    if fit.misfits.iter().any(EditMisfit::is_impossible) {
        let most = usize::MAX;
        let endless = |extent: &Extent| Extent { n_queries: most, n_keys: most, ..*extent };
        let endless: Vec<Extent> = extents.iter().map(endless).collect();
        let ever = cut_down(sent, &endless).misfits;
        for misfit in fit.misfits.iter_mut().filter(|misfit| misfit.is_impossible()) {
            if !ever.contains(misfit) {
                *misfit = EditMisfit::wholly(misfit.list, misfit.index, MisfitReason::Inactive);
            }
        }
    }
    fit
}

fn cut_down(sent: &Edits, extents: &[Extent]) -> EditFit {
    // A patch is not cut down: the JavaScript API leaves out one that has no counterparts.
    let mut edits = Edits { patches: Vec::new(), ..sent.clone() };
    let mut misfits = Misfits::default();
    misfits.keep("masks", &mut edits.masks, &mut |edit| fit_mask(edit, extents));
    let ones = |extent: &Extent| vec![1.0; extent.n_layers * extent.n_heads];
    let mut gates = extents.iter().map(ones).collect();
    misfits.keep("heads", &mut edits.heads, &mut |edit| fit_head(edit, extents, &mut gates));
    misfits.keep("blocks", &mut edits.blocks, &mut |edit| fit_block(edit, extents));
    edits.attention.clear();
    for (index, edit) in sent.attention.iter().enumerate() {
        let fit = fit_variant(edit, &sent.positions, extents, &mut edits.attention);
        misfits.note("attention", index, fit);
    }
    misfits.keep("positions", &mut edits.positions, &mut |edit| fit_position(edit, extents));
    EditFit { edits, misfits: misfits.0 }
}

fn named(stack: Option<Stack>, extents: &[Extent]) -> Vec<&Extent> {
    extents.iter().filter(|extent| stack.is_none_or(|named| named == extent.stack)).collect()
}

fn least(there: &[&Extent], of: fn(&Extent) -> usize) -> usize {
    there.iter().map(|extent| of(extent)).min().unwrap_or(0)
}

/// Drops the indices that are not below `end`; returns how many were dropped.
fn keep_below(named: &mut Vec<f64>, end: usize) -> usize {
    let before = named.len();
    named.retain(|&index| index < end as f64);
    before - named.len()
}

/// Keeps the layers and heads that all these stacks have.
///
/// # Errors
/// The reason why none of the named ones is kept.
#[inline(never)]
fn fit_scope(
    there: &[&Extent],
    layers: &mut Option<Vec<f64>>,
    heads: &mut Option<Vec<f64>>,
) -> Fit {
    let lacks_all = |named: &Option<Vec<f64>>, end: usize| {
        named.as_ref().is_some_and(|all| all.iter().all(|&index| index >= end as f64))
    };
    let lacks = |at: &&Extent| lacks_all(layers, at.n_layers) || lacks_all(heads, at.n_heads);
    if there.iter().all(lacks) {
        return Err(MisfitReason::OtherModel);
    }
    let ends = [least(there, |extent| extent.n_layers), least(there, |extent| extent.n_heads)];
    let mut dropped = 0;
    for (named, end) in [layers, heads].into_iter().zip(ends) {
        let Some(named) = named else { continue };
        dropped += keep_below(named, end);
        if named.is_empty() {
            return Err(MisfitReason::Impossible);
        }
    }
    Ok((dropped > 0).then_some(Cut::Model))
}

/// Removes the cells and global tokens of an edit that the text lacks. In cross-attention a token
/// may be a query or a key.
fn fit_mask(edit: &mut MaskEdit, extents: &[Extent]) -> Fit {
    let there = named(edit.stack, extents);
    let mut left_out = fit_scope(&there, &mut edit.layers, &mut edit.heads)?;
    let (queries, keys) =
        (least(&there, |extent| extent.n_queries), least(&there, |extent| extent.n_keys));
    if let Some(
        MaskPreset::Global { tokens, .. } | MaskPreset::Random { tokens: Some(tokens), .. },
    ) = &mut edit.preset
    {
        let all = tokens.len();
        let dropped = keep_below(tokens, least(&there, |at| at.n_queries.max(at.n_keys)));
        let cut = Cut::Tokens { count: all - dropped, all };
        left_out = left_out.or((dropped > 0).then_some(cut));
    }
    if let Some(MaskPreset::Padding { length } | MaskPreset::Prefix { length }) = edit.preset {
        let is_beyond = length > keys as f64;
        left_out = left_out.or(is_beyond.then_some(Cut::Length { count: keys }));
    }
    let mut count = 0;
    let mut all = 0;
    for cells in [&mut edit.block, &mut edit.allow] {
        let Some(named) = cells else { continue };
        all += named.len();
        named.retain(|&(query, key)| query < queries as f64 && key < keys as f64);
        count += named.len();
        *cells = cells.take().filter(|cells| !cells.is_empty());
    }
    if count == 0 && edit.preset.is_none() && edit.fill.is_none() {
        return Err(MisfitReason::Impossible);
    }
    Ok(left_out.or((count < all).then_some(Cut::Cells { count })))
}

/// Removes the rows and columns of a drawn pattern that the text lacks; removes the whole edit if
/// it makes the product of a head's gates too large.
fn fit_head(edit: &mut HeadEdit, extents: &[Extent], gates: &mut Vec<Vec<f64>>) -> Fit {
    let there = named(edit.stack, extents);
    let n_named = edit.heads.as_ref().map_or(0, Vec::len);
    let mut left_out = fit_scope(&there, &mut edit.layers, &mut edit.heads)?;
    // In a smaller model the remaining heads of an ablation may be all heads of a layer.
    let n_left = edit.heads.as_ref().map_or(0, Vec::len);
    let ablates_all = n_left < n_named && there.iter().any(|extent| extent.n_heads == n_left);
    if edit.gate == Some(0.0) && ablates_all {
        return Err(MisfitReason::Impossible);
    }
    if let Some(gate) = edit.gate {
        let names = |named: &Option<Vec<f64>>, at: usize| {
            named.as_ref().is_none_or(|all| all.contains(&(at as f64)))
        };
        let mut grown = gates.clone();
        for (extent, products) in extents.iter().zip(&mut grown) {
            let is_there = there.iter().any(|one| one.stack == extent.stack);
            for (at, product) in products.iter_mut().enumerate().filter(|_| is_there) {
                let layer = at / extent.n_heads;
                let head = at % extent.n_heads;
                if names(&edit.layers, layer) && names(&edit.heads, head) {
                    *product *= gate;
                }
            }
        }
        if grown.iter().flatten().any(|product| product.abs() > LARGEST_GATE) {
            return Err(MisfitReason::Impossible);
        }
        *gates = grown;
    }
    if let Some(HeadPattern::Drawn(rows)) = &mut edit.pattern {
        let columns_of = |rows: &[Vec<f64>]| rows.first().map_or(0, Vec::len);
        let [all_rows, all_columns] = [rows.len(), columns_of(rows)];
        rows.truncate(least(&there, |extent| extent.n_queries));
        for row in rows.iter_mut() {
            row.truncate(least(&there, |extent| extent.n_keys));
        }
        let [rows, columns] = [rows.len(), columns_of(rows)];
        if rows == 0 {
            return Err(MisfitReason::Impossible);
        }
        let is_cut = rows < all_rows || columns < all_columns;
        let cut = Cut::Drawing { rows, columns, all_rows, all_columns };
        left_out = left_out.or(is_cut.then_some(cut));
    }
    Ok(left_out)
}

fn fit_block(edit: &mut BlockEdit, extents: &[Extent]) -> Fit {
    let mut there = named(edit.stack, extents);
    // Cross-attention belongs to the decoder of a translator.
    let has_cross = there.iter().any(|extent| extent.stack != Stack::Encoder)
        && extents.iter().any(|extent| extent.stack == Stack::Cross);
    there.retain(|extent| extent.stack != Stack::Cross);
    let mut lacks_some = false;
    if let Some(sublayers) = &mut edit.sublayers {
        let n_named = sublayers.len();
        sublayers.retain(|name| has_cross || *name != Sublayer::Cross);
        if sublayers.is_empty() {
            return Err(MisfitReason::OtherModel);
        }
        lacks_some = sublayers.len() < n_named;
    }
    let left_out = fit_scope(&there, &mut edit.layers, &mut None)?;
    Ok(left_out.or(lacks_some.then_some(Cut::Model)))
}

/// Adds an attention edit to `sent`, for the stacks that can have its variant. Positions that add
/// to the scores exclude a variant that never stores scores.
fn fit_variant(
    edit: &AttentionEdit,
    positions: &[PositionEdit],
    extents: &[Extent],
    sent: &mut Vec<AttentionEdit>,
) -> Fit {
    let Ok(variant) = variant_check::change(edit).map(|change| change.variant()) else {
        sent.push(edit.clone());
        return Ok(None);
    };
    let is_relative = |stack: Stack| {
        let is_own = |edit: &&PositionEdit| edit.stack.is_none_or(|named| named == stack);
        let mut own = positions.iter().rev().filter(is_own);
        let scheme = own.find_map(|edit| edit.scheme);
        matches!(scheme, Some(Alibi | T5 | TransformerXl))
    };
    let there = named(edit.stack, extents);
    let facts = variant.facts();
    let can_have = |extent: &&&Extent| {
        facts.stacks.contains(&extent.stack)
            && (facts.holds_scores()
                || !(extent.joins_scores
                    || (extent.stack != Stack::Cross && is_relative(extent.stack))))
            && facts.longest.is_none_or(|longest| extent.n_queries.min(extent.n_keys) <= longest)
    };
    let left: Vec<&Extent> = there.iter().filter(can_have).copied().collect();
    let is_everywhere = left.len() == there.len() && !facts.mixes_tokens();
    let each = if is_everywhere { vec![left] } else { left.iter().map(|&one| vec![one]).collect() };
    let nothing =
        if there.is_empty() { MisfitReason::OtherModel } else { MisfitReason::Impossible };
    let mut fit: Fit = Err(nothing);
    let mut stacks = Vec::new();
    for extents in each {
        let mut own = edit.clone();
        if !is_everywhere {
            own.stack = Some(extents[0].stack);
        }
        let part = fit_scope(&extents, &mut own.layers, &mut own.heads);
        if part.is_ok() {
            sent.push(own);
            stacks.extend(extents.iter().map(|extent| extent.stack));
        }
        if !matches!((&fit, &part), (Ok(_), Err(_)) | (Ok(Some(_)), _)) {
            fit = part;
        }
    }
    if stacks.len() < there.len() && matches!(fit, Ok(None)) {
        fit = Ok(Some(Cut::Stacks(stacks)));
    }
    fit
}

/// Removes an order of more tokens than the text has; the scheme of the edit is kept.
fn fit_position(edit: &mut PositionEdit, extents: &[Extent]) -> Fit {
    let mut there = named(edit.stack, extents);
    there.retain(|extent| extent.stack != Stack::Cross);
    let can_turn =
        edit.scheme != Some(Rotary) || there.iter().all(|extent| extent.head_dim.is_multiple_of(2));
    let most = least(&there, |extent| extent.n_queries);
    let too_long = edit.order.take_if(|order| order.len() > most).map(|order| order.len());
    if there.is_empty() {
        return Err(MisfitReason::OtherModel);
    }
    if !can_turn || (edit.scheme.is_none() && edit.order.is_none()) {
        return Err(MisfitReason::Impossible);
    }
    Ok(too_long.map(|count| Cut::Order { count }))
}
