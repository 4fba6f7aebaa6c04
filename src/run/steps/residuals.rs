//! Measures of the residual stream at every depth of a stack: after the embedding, after each
//! sublayer of each block, and after the final norm if there is one. The measures are those of
//! `analysis::stream`; the rows are computed again by the block's own code.

use std::rc::Rc;

use serde::Serialize;

use super::view::View;
use crate::analysis::stream::{shares, similarity, spread};
use crate::axes::{Stack, Step};
use crate::backend::Backend;
use crate::error::Result;
use crate::run::{Reading, Run};

/// Measures of the stream at one depth, a number per token.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "StreamDepth"))]
#[serde(rename_all = "camelCase")]
pub struct Depth {
    /// The index of the block.
    pub layer: usize,
    /// The step of the block whose rows are measured: its `input` in the first block, the last step
    /// of each sublayer, `final` in the last block of a stack with a final norm.
    pub step: Step,
    /// The mean of each token's numbers.
    pub mean: Vec<f64>,
    /// The standard deviation of each token's numbers, over all of them.
    pub deviation: Vec<f64>,
    /// The length of each token's vector.
    pub norm: Vec<f64>,
    /// The length of the sublayer's output divided by the length of its input; null for an input of
    /// zeros. The whole list is null at the embedding and after the final norm.
    pub share: Option<Vec<Option<f64>>>,
    /// The mean cosine of each token with all other tokens; null for a single token and for a
    /// vector of zeros.
    pub similarity: Vec<Option<f64>>,
}

/// The readings for one depth.
struct Asked {
    step: Step,
    stream: Reading<Vec<f32>>,
    /// The output of the sublayer; its input is the stream at the depth before.
    found: Option<Reading<Vec<f32>>>,
}

impl<B: Backend> Run<B> {
    /// Measures of the stream after each sublayer of a block; for the first block also after the
    /// embedding, for the last one also after the final norm.
    ///
    /// # Errors
    /// `selection/…` for what does not exist, `run/not-ready` for what is not computed.
    pub fn residuals(&self, stack: Stack, layer: usize) -> Result<Reading<Vec<Depth>>> {
        self.stream(stack)?;
        let view = View::of(self, stack, layer, 0)?;
        let model = Rc::clone(&self.model);
        let width = model.config.d_model;
        let read = |x: &B::Tensor| -> Reading<Vec<f32>> { Box::pin(model.backend.read(x)) };
        let entered = read(&view.input);
        let mut asked = Vec::new();
        view.pass(&model, |step, x| match step {
            Step::Attended | Step::CrossAttended | Step::FfOutput | Step::ConvolvedActivated => {
                asked.push(Asked { step, stream: read(x), found: Some(read(x)) });
            }
            Step::AttendedNormed
            | Step::Sum
            | Step::Normed
            | Step::CrossSum
            | Step::CrossNormed
            | Step::FfOutputNormed
            | Step::FfSum
            | Step::FfNormed
            | Step::ConvolvedSum
            | Step::ConvolvedNormed => {
                if let Some(last) = asked.last_mut() {
                    last.step = step;
                    last.stream = read(x);
                }
            }
            _ => {}
        });
        if let Some(normed) = &view.normed {
            asked.push(Asked { step: Step::Final, stream: read(normed), found: None });
        }
        Ok(Box::pin(async move {
            let mut before = entered.await?;
            let mut depths = Vec::with_capacity(asked.len() + 1);
            if layer == 0 {
                depths.push(depth(layer, Step::Input, &before, None, width));
            }
            for Asked { step, stream, found } in asked {
                let stream = stream.await?;
                let share = match found {
                    Some(found) => Some(shares(&found.await?, &before, width)),
                    None => None,
                };
                depths.push(depth(layer, step, &stream, share, width));
                before = stream;
            }
            Ok(depths)
        }))
    }
}

fn depth(
    layer: usize,
    step: Step,
    stream: &[f32],
    share: Option<Vec<Option<f64>>>,
    width: usize,
) -> Depth {
    let found = spread(stream, width);
    let similarity = similarity(stream, width);
    let mean = found.mean;
    let deviation = found.deviation;
    let norm = found.norm;
    Depth { layer, step, mean, deviation, norm, share, similarity }
}
