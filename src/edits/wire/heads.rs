//! Changes of whole heads, as they are sent.

use std::fmt::Formatter;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// What stands in place of a head's weights: the name of a pattern, or a matrix
/// `[query][key]` of numbers from 0, whose rows are shared out so that they sum to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum HeadPattern {
    /// `uniform`, `diagonal` or `previous`.
    Named(String),
    /// Row after row.
    Drawn(Vec<Vec<f64>>),
}

impl<'de> Deserialize<'de> for HeadPattern {
    /// By what it looks like, cell by cell: a derived reader of either form would keep a copy
    /// of every cell with its type first.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EitherForm)
    }
}

struct EitherForm;

impl<'de> Visitor<'de> for EitherForm {
    type Value = HeadPattern;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the name of a pattern or a matrix of numbers")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<HeadPattern, E> {
        Ok(HeadPattern::Named(name.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sent: A) -> Result<HeadPattern, A::Error> {
        let mut rows = Vec::new();
        while let Some(row) = sent.next_element()? {
            rows.push(row);
        }
        Ok(HeadPattern::Drawn(rows))
    }
}

/// A head turned down, off or up, or frozen to a pattern.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS))]
#[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct HeadEdit {
    /// `encoder`, `decoder` or `cross`; absent: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(as = "Option<crate::axes::Stack>"))]
    pub stack: Option<String>,
    /// Blocks, from 0; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Vec<f64>>,
    /// Heads, from 0; absent: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heads: Option<Vec<f64>>,
    /// Factor on what the head hands over: 0 silences it, 1 leaves it, 2 doubles it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<f64>,
    /// What stands in place of its weights: every open key alike, the key at the query's own
    /// position, the key before it, or a drawn matrix `[query][key]` of numbers from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "\"uniform\" | \"diagonal\" | \"previous\" | number[][]")
    )]
    pub pattern: Option<HeadPattern>,
}
