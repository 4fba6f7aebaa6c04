//! The scope of an edit: its stacks, layers and heads.

use crate::axes::Stack;
use crate::error::{Code, Error, Result, shown, whole};
use crate::masks::Heads;

/// The sizes of a stack that an edit may refer to. For a text that still grows, `n_queries` and
/// `n_keys` are the most that it can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The stack.
    pub stack: Stack,
    /// The number of blocks of the stack.
    pub n_layers: usize,
    /// The number of heads of a block.
    pub n_heads: usize,
    /// The width of a head, `d_h`.
    pub head_dim: usize,
    /// The number of query positions.
    pub n_queries: usize,
    /// The number of key positions.
    pub n_keys: usize,
    /// Whether the model adds something to the scores before the mask.
    pub joins_scores: bool,
}

/// A checked choice of stacks, layers and heads; `None` is all of them.
pub(super) struct Scope {
    stack: Option<Stack>,
    layers: Option<Vec<usize>>,
    heads: Option<Vec<usize>>,
}

impl Scope {
    pub(super) fn of(
        stack: Option<Stack>,
        layers: Option<&[f64]>,
        heads: Option<&[f64]>,
    ) -> Result<Self> {
        Ok(Self {
            stack,
            layers: layers.map(|all| indices(all, "the layers of an edit")).transpose()?,
            heads: heads.map(|all| indices(all, "the heads of an edit")).transpose()?,
        })
    }

    /// The extents of the stacks that the edit applies to. A named stack must have every layer and
    /// head named with it; without a named stack the edit applies to the stacks that have them, at
    /// least one.
    pub(super) fn chosen<'a>(&self, extents: &'a [Extent]) -> Result<Vec<&'a Extent>> {
        let wanted: Vec<&Extent> = extents
            .iter()
            .filter(|extent| self.stack.is_none_or(|stack| stack == extent.stack))
            .collect();
        if wanted.is_empty() {
            return Err(Error::new(
                Code::SelectionBadStack,
                "the stack of an edit",
                format!("one of {}", names(extents)),
                self.stack.map_or("nothing", Stack::name),
            ));
        }
        let fitting: Vec<&Extent> =
            wanted.iter().copied().filter(|extent| self.misfit(extent).is_none()).collect();
        let first = wanted[0];
        match self.misfit(first) {
            Some(misfit) if fitting.is_empty() => Err(Error::new(
                Code::EditOutOfRange,
                format!("an edit of the {} stack", first.stack.name()),
                format!("layers below {} and heads below {}", first.n_layers, first.n_heads),
                misfit,
            )),
            _ => Ok(fitting),
        }
    }

    pub(super) fn layers(&self, extent: &Extent) -> Vec<usize> {
        self.layers.clone().unwrap_or_else(|| (0..extent.n_layers).collect())
    }

    pub(super) fn heads(&self, extent: &Extent) -> Vec<usize> {
        self.heads.clone().unwrap_or_else(|| (0..extent.n_heads).collect())
    }

    /// The heads as a mask rule names them; a list of all heads becomes `All`.
    pub(super) fn heads_for_rule(&self, extent: &Extent) -> Heads {
        match &self.heads {
            Some(heads) if heads.len() < extent.n_heads => Heads::Only(heads.clone()),
            _ => Heads::All,
        }
    }

    /// The first layer or head in the scope that a stack does not have.
    fn misfit(&self, extent: &Extent) -> Option<String> {
        let beyond = |chosen: &Option<Vec<usize>>, end: usize| {
            chosen.iter().flatten().copied().find(|&index| index >= end)
        };
        let layer = beyond(&self.layers, extent.n_layers).map(|layer| format!("layer {layer}"));
        layer.or_else(|| beyond(&self.heads, extent.n_heads).map(|head| format!("head {head}")))
    }
}

/// An index from a number that was sent.
pub(super) fn index(value: f64, what: &str) -> Result<usize> {
    whole(value, 0..=u32::MAX as usize).ok_or_else(|| {
        let expected = format!("whole numbers from 0 to {}", u32::MAX);
        Error::new(Code::EditBadValue, what, expected, shown(value))
    })
}

/// Refuses numbers that were sent and that an attention variant or a scheme of positions does not
/// have.
pub(super) fn only(what: &str, sent: &[(&'static str, bool)], taken: &[&str]) -> Result<()> {
    match sent.iter().find(|(name, is_sent)| *is_sent && !taken.contains(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let expected = if taken.is_empty() { "none".to_owned() } else { taken.join(", ") };
            Err(Error::new(Code::EditContradiction, what, expected, *name))
        }
    }
}

/// The indices of a list, in ascending order and without repetition.
pub(super) fn indices(values: &[f64], what: &str) -> Result<Vec<usize>> {
    let mut all = values.iter().map(|&value| index(value, what)).collect::<Result<Vec<_>>>()?;
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

fn names(extents: &[Extent]) -> String {
    let names: Vec<&str> = extents.iter().map(|extent| extent.stack.name()).collect();
    names.join(", ")
}
