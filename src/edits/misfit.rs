//! What a run leaves out of edits that were made for another model or text, and why.

use serde::Serialize;

use super::wire::Edits;
use crate::axes::Stack;

/// The reason why an edit, or a part of it, is left out; the first three are for a whole edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum MisfitReason {
    /// The model lacks the edit's stack, layers, heads or sublayers.
    OtherModel,
    /// The text is too short for the edit; a longer text would have it.
    Inactive,
    /// No text would have what the edit names.
    Impossible,
    /// Some cells of the edit are beyond the text.
    Partly,
    /// The model lacks some of the edit's layers, heads or sublayers.
    PartlyModel,
    /// Some global tokens of the edit are beyond the text.
    PartlyTokens,
    /// A length of the edit is beyond the text.
    PartlyLength,
    /// Rows or columns of a drawn pattern are beyond the text.
    PartlyDrawn,
    /// The order of the edit has more tokens than the text.
    PartlyOrder,
    /// Some of the edit's stacks cannot have it.
    PartlyStacks,
}

impl MisfitReason {
    fn code(self) -> &'static str {
        match self {
            Self::OtherModel | Self::PartlyModel => "edit/not-in-model",
            Self::Impossible | Self::PartlyStacks => "edit/not-possible",
            _ => "edit/not-in-text",
        }
    }
}

/// What is left out of an edit of which something is left.
#[derive(Clone)]
pub(super) enum Cut {
    /// Layers, heads or sublayers that the model lacks.
    Model,
    /// Cells beyond the text; `count` are left.
    Cells { count: usize },
    /// Global tokens beyond the text; `count` of `all` are left.
    Tokens { count: usize, all: usize },
    /// The end of a length beyond the text, which has `count` tokens.
    Length { count: usize },
    /// Rows and columns of a drawing beyond the text.
    Drawing { rows: usize, columns: usize, all_rows: usize, all_columns: usize },
    /// An order of `count` tokens, which are more than the text has.
    Order { count: usize },
    /// All stacks but these.
    Stacks(Vec<Stack>),
}

impl Cut {
    fn reason(&self) -> MisfitReason {
        match self {
            Self::Model => MisfitReason::PartlyModel,
            Self::Cells { .. } => MisfitReason::Partly,
            Self::Tokens { .. } => MisfitReason::PartlyTokens,
            Self::Length { .. } => MisfitReason::PartlyLength,
            Self::Drawing { .. } => MisfitReason::PartlyDrawn,
            Self::Order { .. } => MisfitReason::PartlyOrder,
            Self::Stacks(_) => MisfitReason::PartlyStacks,
        }
    }

    /// The numbers of the sentence about the cut, by the names that the sentence has for them.
    fn values(&self) -> Vec<(&'static str, usize)> {
        match *self {
            Self::Model | Self::Stacks(_) => Vec::new(),
            Self::Cells { count } | Self::Length { count } | Self::Order { count } => {
                vec![("count", count)]
            }
            Self::Tokens { count, all } => vec![("count", count), ("all", all)],
            Self::Drawing { rows, columns, all_rows, all_columns } => vec![
                ("rows", rows),
                ("columns", columns),
                ("allRows", all_rows),
                ("allColumns", all_columns),
            ],
        }
    }
}

/// The part of one edit that a run leaves out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct EditMisfit {
    /// The list of the edit: `masks`, `heads`, `blocks`, `attention`, `positions` or `patches`.
    #[cfg_attr(test, ts(type = "keyof Edits"))]
    pub list: &'static str,
    /// The index of the edit in that list.
    pub index: usize,
    /// The stable code of the misfit.
    #[cfg_attr(
        test,
        ts(type = "\"edit/not-in-model\" | \"edit/not-in-text\" | \"edit/not-possible\"")
    )]
    pub code: &'static str,
    /// The reason why it is left out.
    pub says: MisfitReason,
    /// The numbers of cells, tokens, rows or columns that are kept: `count` of `all`, `rows` and
    /// `columns` of `allRows` and `allColumns`.
    #[cfg_attr(test, ts(type = "readonly (readonly [string, number])[]"))]
    pub values: Vec<(&'static str, usize)>,
    /// The stacks in which the edit is kept.
    pub stacks: Vec<Stack>,
}

impl EditMisfit {
    /// An edit of which nothing is left.
    pub(super) fn wholly(list: &'static str, index: usize, says: MisfitReason) -> Self {
        Self { list, index, code: says.code(), says, values: Vec::new(), stacks: Vec::new() }
    }

    /// An edit of which a part is left out.
    pub(super) fn partly(list: &'static str, index: usize, cut: Cut) -> Self {
        let says = cut.reason();
        let values = cut.values();
        let stacks = if let Cut::Stacks(stacks) = cut { stacks } else { Vec::new() };
        Self { list, index, code: says.code(), says, values, stacks }
    }

    /// Whether no text would have what the edit names.
    pub(super) fn is_impossible(&self) -> bool {
        self.says == MisfitReason::Impossible
    }
}

/// The edits that a run has, and the parts of the sent edits that it leaves out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditFit {
    /// The edits that are run.
    pub edits: Edits,
    /// The edits, or parts of them, that are left out.
    pub misfits: Vec<EditMisfit>,
}
