//! A preset as it was sent, as a rule: names become rules, numbers are checked.

use super::limits::MOST_RANDOM_KEYS;
use super::scope::{index, indices};
use super::wire::MaskPreset;
use crate::error::{Code, Error, Result};
use crate::masks::{Links, Random, Rule, Window};

/// The rule that a preset stands for.
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

/// Drawing no key is no draw.
fn random(keys: f64, seed: f64) -> Result<Option<Random>> {
    let (what, seed) = ("the random keys of a query", index(seed, "the seed")? as u64);
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
