//! Edits of the positions of a stack: another scheme in place of the model's, and another order of
//! the positions. How each scheme joins the computation: `run::places`.
//!
//! Sources: see `positions` for each scheme. The keys that a token may attend to are up to the
//! masks, which use the order of the text and not the edited positions.

use std::rc::Rc;

use super::limits::{LARGEST_BASE, LARGEST_DISTANCE, MOST_BUCKETS, SMALLEST_BASE};
use super::scope::{Extent, Scope, index, only};
use super::wire::PositionScheme;
use super::{Edits, wire};
use crate::axes::Stack;
use crate::error::{Code, Error, Result, shown};
use crate::positions::{BASE, Layout, Scheme};

/// The most edits of positions in one request.
const MOST_EDITS: usize = 64;

/// The most tokens of a text whose positions have no trained table.
const LONGEST: usize = 16_384;

/// A position scheme in place of the model's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Chosen {
    /// No positions: the order of tokens has no effect on the computation.
    None,
    /// Sine and cosine waves added to the embeddings.
    Sinusoidal {
        /// The order of sine and cosine; `None` is the model's, or else the paper's.
        layout: Option<Layout>,
        /// The base of the wavelengths.
        base: f64,
    },
    /// A table with a row per position: without a seed the model's own, if it has one.
    Learned {
        /// The seed of an untrained table.
        seed: Option<u64>,
    },
    /// Rotary positions: queries and keys are rotated.
    Rotary {
        /// The base of the wavelengths; `None` is the model's, or else the paper's.
        base: Option<f64>,
    },
    /// `ALiBi`: a slope per head.
    Alibi,
    /// T5's relative positions: a bias per head and bucket of distances.
    T5 {
        /// The number of buckets.
        buckets: usize,
        /// The distance from which on all distances share a bucket.
        max_distance: usize,
        /// The seed of the untrained biases.
        seed: u64,
    },
    /// Transformer-XL's relative positions: scores of four terms.
    TransformerXl {
        /// The seed of the untrained parts.
        seed: u64,
    },
}

/// The changes to the positions of one stack; none by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Placement {
    /// The scheme in place of the model's; `None` is the model's own.
    pub chosen: Option<Chosen>,
    /// The positions of the first tokens; each later token keeps its own.
    pub order: Rc<[usize]>,
}

impl Placement {
    /// Drops the changes that have no effect in a model of this scheme.
    pub(super) fn settle(&mut self, model: Scheme) {
        let same = match (&mut self.chosen, model) {
            (
                Some(Chosen::Sinusoidal { layout, base }),
                Scheme::Sinusoidal { layout: own, base: of },
            ) => *layout.get_or_insert(own) == own && *base == of,
            (Some(Chosen::Rotary { base }), Scheme::Rotary { base: own }) => {
                *base.get_or_insert(own) == own
            }
            (Some(Chosen::Learned { seed: None }), Scheme::Learned) => true,
            (Some(Chosen::Sinusoidal { layout, .. }), _) => {
                layout.get_or_insert(Layout::Interleaved);
                false
            }
            (Some(Chosen::Rotary { base }), _) => {
                base.get_or_insert(BASE);
                false
            }
            (Some(Chosen::Learned { seed }), _) => {
                seed.get_or_insert(1);
                false
            }
            _ => false,
        };
        if same {
            self.chosen = None;
        }
        if self.chosen == Some(Chosen::None) {
            self.order = Rc::default();
        }
    }
}

/// The most tokens of a stack: more than the model's own positions allow only if an edit names a
/// scheme that does not end with a trained table.
pub fn longest_text(sent: &[wire::PositionEdit], stack: Stack, model: Scheme, own: usize) -> usize {
    let of_stack = |edit: &&wire::PositionEdit| edit.stack.is_none_or(|named| named == stack);
    let last = sent.iter().filter(of_stack).rev().find(|edit| edit.scheme.is_some());
    let seeded = |edit: &wire::PositionEdit| {
        edit.parameters.as_ref().is_some_and(|parameters| parameters.seed.is_some())
    };
    match last.and_then(|edit| Some((edit, edit.scheme?))) {
        None | Some((_, PositionScheme::Model)) => own,
        Some((edit, PositionScheme::Learned)) if model == Scheme::Learned && !seeded(edit) => own,
        Some(_) => own.max(LONGEST),
    }
}

/// Refuses more than `MOST_EDITS` edits of positions.
pub(super) fn check_number(edits: &[wire::PositionEdit]) -> Result<()> {
    if edits.len() <= MOST_EDITS {
        return Ok(());
    }
    let expected = format!("at most {MOST_EDITS}; take some away");
    Err(Error::new(Code::EditTooMany, "the edits of positions", expected, edits.len().to_string()))
}

/// Checks an edit of positions and applies it to the stacks that it names.
///
/// # Errors
/// `selection/bad-stack`, also for `cross`, whose tokens have their positions in the other two
/// stacks; `edit/bad-value` for numbers that no scheme takes and orders that are no permutation,
/// `edit/contradiction` for numbers that the scheme does not have, `edit/out-of-range` for an order
/// of more tokens than the text has.
pub(super) fn apply(
    edit: &wire::PositionEdit,
    extents: &[Extent],
    edits: &mut Edits,
) -> Result<()> {
    let own: Vec<Extent> =
        extents.iter().filter(|extent| extent.stack != Stack::Cross).copied().collect();
    let scope = Scope::of(edit.stack, None, None)?;
    let named = scheme(edit)?;
    let order = edit.order.as_deref().map(order).transpose()?;
    let extents = scope.chosen(&own)?;
    if let Some(order) = &order
        && let Some(short) = extents.iter().find(|extent| extent.n_queries < order.len())
    {
        return Err(Error::new(
            Code::EditOutOfRange,
            format!("the order of the {} stack", short.stack.name()),
            format!("positions below {}, as there are tokens", short.n_queries),
            (order.len() - 1).to_string(),
        ));
    }
    for extent in extents {
        let placement = &mut edits.stack_mut(extent.stack).placement;
        if let Some(Named(chosen)) = &named {
            placement.chosen = *chosen;
        }
        if let Some(order) = &order {
            placement.order = Rc::clone(order);
        }
    }
    Ok(())
}

/// A scheme that an edit names; `None` is the model's own.
struct Named(Option<Chosen>);

/// The scheme that an edit names, if any, with its checked numbers.
fn scheme(edit: &wire::PositionEdit) -> Result<Option<Named>> {
    let given = edit.parameters.clone().unwrap_or_default();
    let Some(name) = edit.scheme else {
        check_given(&given, "no scheme", &[])?;
        return Ok(None);
    };
    let taken: &[&str] = match name {
        PositionScheme::Sinusoidal => &["base", "interleaved"],
        PositionScheme::Rotary => &["base"],
        PositionScheme::Learned | PositionScheme::TransformerXl => &["seed"],
        PositionScheme::T5 => &["buckets", "maxDistance", "seed"],
        _ => &[],
    };
    let seed = || given.seed.map(|seed| index(seed, "the seed")).transpose();
    let drawn = || Ok::<u64, Error>(seed()?.unwrap_or(1) as u64);
    let chosen = match name {
        PositionScheme::Model => None,
        PositionScheme::None => Some(Chosen::None),
        PositionScheme::Sinusoidal => Some(Chosen::Sinusoidal {
            layout: given
                .interleaved
                .map(|is_so| if is_so { Layout::Interleaved } else { Layout::SplitHalves }),
            base: base(given.base)?.unwrap_or(BASE),
        }),
        PositionScheme::Learned => Some(Chosen::Learned { seed: seed()?.map(|seed| seed as u64) }),
        PositionScheme::Rotary => Some(Chosen::Rotary { base: base(given.base)? }),
        PositionScheme::Alibi => Some(Chosen::Alibi),
        PositionScheme::T5 => Some(buckets(&given, drawn()?)?),
        PositionScheme::TransformerXl => Some(Chosen::TransformerXl { seed: drawn()? }),
    };
    check_given(&given, name.name(), taken)?;
    Ok(Some(Named(chosen)))
}

/// Refuses parameters that a scheme does not have.
fn check_given(given: &wire::PositionParameters, scheme: &str, taken: &[&str]) -> Result<()> {
    let is_sent = [
        ("base", given.base.is_some()),
        ("interleaved", given.interleaved.is_some()),
        ("seed", given.seed.is_some()),
        ("buckets", given.buckets.is_some()),
        ("maxDistance", given.max_distance.is_some()),
    ];
    only(&format!("the parameters of positions ({scheme})"), &is_sent, taken)
}

fn base(sent: Option<f64>) -> Result<Option<f64>> {
    match sent {
        Some(base) if !(SMALLEST_BASE..=LARGEST_BASE).contains(&base) => {
            let expected = format!("a number from {SMALLEST_BASE} to {LARGEST_BASE}");
            Err(Error::new(Code::EditBadValue, "the base of positions", expected, shown(base)))
        }
        other => Ok(other),
    }
}

fn buckets(given: &wire::PositionParameters, seed: u64) -> Result<Chosen> {
    let number = |sent: Option<f64>, what: &str, absent: usize| {
        sent.map_or(Ok(absent), |sent| index(sent, what))
    };
    let buckets = number(given.buckets, "the buckets", 32)?;
    if !(4..=MOST_BUCKETS).contains(&buckets) || !buckets.is_multiple_of(2) {
        let expected = format!("an even number from 4 to {MOST_BUCKETS}");
        return Err(Error::new(Code::EditBadValue, "the buckets", expected, buckets.to_string()));
    }
    let max_distance = number(given.max_distance, "the largest distance", 128)?;
    if !(buckets / 2 + 1..=LARGEST_DISTANCE).contains(&max_distance) {
        let expected =
            format!("from {}, half the buckets and one, to {LARGEST_DISTANCE}", buckets / 2 + 1);
        let got = max_distance.to_string();
        return Err(Error::new(Code::EditBadValue, "the largest distance", expected, got));
    }
    Ok(Chosen::T5 { buckets, max_distance, seed })
}

/// The checked permutation, without the last positions that it leaves in place.
fn order(sent: &[f64]) -> Result<Rc<[usize]>> {
    let mut order =
        sent.iter().map(|&at| index(at, "the order of positions")).collect::<Result<Vec<_>>>()?;
    let mut there = vec![false; order.len()];
    for &at in &order {
        if at >= there.len() || std::mem::replace(&mut there[at], true) {
            let expected = format!("every number from 0 to {} once", there.len() - 1);
            let got = at.to_string();
            return Err(Error::new(Code::EditBadValue, "the order of positions", expected, got));
        }
    }
    while order.last().is_some_and(|&last| last == order.len() - 1) {
        order.pop();
    }
    Ok(order.into())
}
