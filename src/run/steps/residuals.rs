//! Measures of the residual stream at every depth of a stack: after the embedding, after
//! each sublayer of each block, and after the last norm where there is one. The measures are
//! those of `analysis::stream`; the rows are made once more by the block's own code.

use std::rc::Rc;

use serde::Serialize;

use super::view::View;
use crate::analysis::stream::{shares, similarity, spread};
use crate::axes::{Stack, Sublayer};
use crate::backend::Backend;
use crate::blocks::Point;
use crate::error::Result;
use crate::run::{Reading, Run};

/// Where in a stack the stream is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(
    test,
    derive(ts_rs::TS),
    ts(type = "\"embedding\" | Sublayer | \"convolution\" | \"final-norm\"")
)]
pub enum DepthPoint {
    /// Before the first block.
    Embedding,
    /// After a sublayer with its residual and norm.
    After(Sublayer),
    /// After the convolution beside a block, with its norm.
    Convolution,
    /// After the norm at the end of the stack.
    FinalNorm,
}

impl DepthPoint {
    /// The name as it crosses the boundary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Embedding => "embedding",
            Self::After(sublayer) => sublayer.name(),
            Self::Convolution => "convolution",
            Self::FinalNorm => "final-norm",
        }
    }
}

impl Serialize for DepthPoint {
    fn serialize<S: serde::Serializer>(
        &self,
        serializer: S,
    ) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The stream at one depth, a number per token.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "StreamDepth"))]
#[serde(rename_all = "camelCase")]
pub struct Depth {
    /// Whose block it stands in, or beside.
    pub layer: usize,
    /// Where.
    pub point: DepthPoint,
    /// Of the token's numbers.
    pub mean: Vec<f64>,
    /// Their standard deviation, over all of them.
    pub deviation: Vec<f64>,
    /// The length of the token's vector.
    pub norm: Vec<f64>,
    /// How long what the sublayer gave is, measured by what entered it; null where that is zero.
    /// Null altogether where there is no sublayer.
    pub share: Option<Vec<Option<f64>>>,
    /// The mean cosine with all other tokens; null for a token alone and for zeros.
    pub similarity: Vec<Option<f64>>,
}

/// What is read for one depth.
struct Asked {
    layer: usize,
    point: DepthPoint,
    stream: Reading<Vec<f32>>,
    /// What the sublayer gave; what entered is the stream before.
    found: Option<Reading<Vec<f32>>>,
}

impl<B: Backend> Run<B> {
    /// The stream after each sublayer of a block; before the first block also after the
    /// embedding, behind the last one also after the final norm.
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
        view.pass(
            &model,
            Some(&mut |sublayer, point, x| match point {
                Point::Found => {
                    let point = DepthPoint::After(sublayer);
                    asked.push(Asked { layer, point, stream: read(x), found: Some(read(x)) });
                }
                Point::ConvolvedActivated => {
                    let point = DepthPoint::Convolution;
                    asked.push(Asked { layer, point, stream: read(x), found: Some(read(x)) });
                }
                Point::Sum | Point::Normed | Point::ConvolvedSum | Point::ConvolvedNormed => {
                    if let Some(last) = asked.last_mut() {
                        last.stream = read(x);
                    }
                }
                _ => {}
            }),
        );
        if let Some(normed) = &view.normed {
            let point = DepthPoint::FinalNorm;
            asked.push(Asked { layer, point, stream: read(normed), found: None });
        }
        Ok(Box::pin(async move {
            let mut before = entered.await?;
            let mut depths = Vec::with_capacity(asked.len() + 1);
            if layer == 0 {
                depths.push(depth(layer, DepthPoint::Embedding, &before, None, width));
            }
            for Asked { layer, point, stream, found } in asked {
                let stream = stream.await?;
                let share = match found {
                    Some(found) => Some(shares(&found.await?, &before, width)),
                    None => None,
                };
                depths.push(depth(layer, point, &stream, share, width));
                before = stream;
            }
            Ok(depths)
        }))
    }
}

fn depth(
    layer: usize,
    point: DepthPoint,
    stream: &[f32],
    share: Option<Vec<Option<f64>>>,
    width: usize,
) -> Depth {
    let found = spread(stream, width);
    let similarity = similarity(stream, width);
    let mean = found.mean;
    let deviation = found.deviation;
    let norm = found.norm;
    Depth { layer, point, mean, deviation, norm, share, similarity }
}
