//! The cost of the attention of one layer under the active masks, for texts of other lengths than
//! the run's own, compared with full attention and other layers.
//!
//! For each open cell a head multiplies and adds `d_h` times for `Q Kᵀ` and `d_h` times for weights
//! times `V`; it stores one weight. Besides, `Q`, `K`, `V` and the context are `n · d` numbers
//! each: time `O(n²d)`, memory `O(n²h + nd)` if every cell is open. Only open cells are counted,
//! although an implementation may compute all cells and then mask some; projections are not part of
//! the cost. Cross-attention is counted as if both its texts had `n` tokens.
//!
//! Source: Vaswani et al. 2017, section 4 and Table 1.

use serde::{Deserialize, Serialize};

use super::Run;
use super::checks::check_size;
use crate::axes::Stack;
use crate::backend::Backend;
use crate::error::Result;
use crate::masks::Layer;
use crate::question::{self, Lengths};

/// The most tokens of a text whose cost is counted.
const LONGEST: usize = 100_000;
/// The most lengths of one question.
const MOST_LENGTHS: usize = 64;
/// The width of a convolution's kernel, as in `ByteNet` and `ConvS2S`, with which the paper
/// compares.
const KERNEL: f64 = 3.0;

/// The cost of one attention site, over all its heads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SiteCost {
    /// The number of pairs of a query and a key that are computed.
    pub cells: f64,
    /// The number of multiplications, each with its addition: `d_h` for the score of a pair and as
    /// many for its value.
    pub multiply_adds: f64,
    /// The bytes of the weights, in f32.
    pub weight_bytes: f64,
    /// The bytes of queries, keys, values and context, in f32.
    pub vector_bytes: f64,
}

impl SiteCost {
    /// The cost of `cells` cells in all heads together.
    fn new(cells: u64, n_tokens: u64, head_dim: u64, n_heads: u64) -> Self {
        const FLOAT_BYTES: u64 = size_of::<f32>() as u64;
        Self {
            cells: cells as f64,
            multiply_adds: (2 * cells * head_dim) as f64,
            weight_bytes: (FLOAT_BYTES * cells) as f64,
            vector_bytes: (FLOAT_BYTES * 4 * n_tokens * head_dim * n_heads) as f64,
        }
    }
}

/// The cost of one layer's attention at one length.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AttentionCost {
    /// The number of tokens of the text.
    pub tokens: usize,
    /// The number of heads of the site.
    pub heads: usize,
    /// The cost under the active masks.
    pub masked: SiteCost,
    /// Whether every row was counted; otherwise some rows are estimated from others.
    pub exact: bool,
    /// The cost with every pair.
    pub full: SiteCost,
    /// The rows of the paper's Table 1; neighbourhoods are as large as the mask's rows on average.
    pub layers: Vec<Layer>,
}

/// The fields of the question `cost`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct CostAsked {
    /// The stack of the attention.
    pub stack: Stack,
    /// The block of the attention, from 0.
    pub layer: question::Layer,
    /// The lengths of the texts, in tokens.
    pub lengths: Lengths,
}

impl<B: Backend> Run<B> {
    /// The cost of the attention of a layer for texts of some lengths.
    ///
    /// # Errors
    /// `selection/…` for what does not exist or is too long, `run/not-ready`.
    pub fn cost(
        &self,
        stack: Stack,
        layer: usize,
        lengths: &[usize],
    ) -> Result<Vec<AttentionCost>> {
        let spec = self.readable_site(stack, layer)?;
        check_size("the number of lengths", lengths.len(), MOST_LENGTHS)?;
        let heads = spec.n_heads;
        let head_dim = self.model.config.stack(stack).map_or(0, |stack| stack.head_dim);
        lengths
            .iter()
            .map(|&tokens| {
                check_size("the length of a text", tokens, LONGEST)?;
                let counts = spec.mask.count(heads, tokens);
                let n = tokens as u64;
                let h = heads as u64;
                let d = head_dim as u64;
                let masked: u64 = counts.iter().map(|count| count.cells).sum();
                let per_row = masked as f64 / (n * h) as f64;
                Ok(AttentionCost {
                    tokens,
                    heads,
                    masked: SiteCost::new(masked, n, d, h),
                    exact: counts.iter().all(|count| count.exact),
                    full: SiteCost::new(n * n * h, n, d, h),
                    layers: Layer::table(n as f64, (h * d) as f64, KERNEL, per_row).to_vec(),
                })
            })
            .collect()
    }
}
