//! The convolution beside the first block of some encoders: each token gets a trained map of the
//! block's input at the token and its neighbours.
//!
//! `y_i = N(b_i + φ(Σ_j x_{i+j−p} W_j + c))`, `b` the block's output, `x` its input, `j` from 0 to
//! `2p`; `x` is 0 beyond the text and at tokens that the attention mask leaves out.
//!
//! Source: the released code of P. He et al., "`DeBERTa`" (2021), second version (`ConvLayer` of
//! Hugging Face transformers). Mask edits do not affect the convolution.

use std::ops::Range;

use super::{Norm, SublayerHook};
use crate::axes::Step;
use crate::backend::{Backend, Linear};
use crate::kernels::activation::Activation;

/// The convolution of a block.
pub struct Convolution<B: Backend> {
    /// The tokens read on each side, `p`.
    pub reach: usize,
    /// The width of a token, `d`.
    pub width: usize,
    /// The map `W`, `c` from `2p + 1` tokens side by side, `[(2p + 1)·d]`, to one.
    pub map: Linear<B>,
    /// The activation `φ`.
    pub activation: Activation,
    /// The norm of the sum.
    pub norm: Norm<B>,
}

impl<B: Backend> Convolution<B> {
    /// The tokens that one row reads, `2p + 1`.
    pub fn kernel(&self) -> usize {
        2 * self.reach + 1
    }

    /// The multiplications of one row.
    pub fn work_per_row(&self) -> usize {
        self.kernel() * self.width * self.width
    }

    /// The token and dimension of the block's input at a column of the neighbourhood of `row`;
    /// `None` beyond the text of `n` tokens, or where the token is not real.
    pub fn origin(
        &self,
        row: usize,
        column: usize,
        n: usize,
        real: &[bool],
    ) -> Option<(usize, usize)> {
        let at = (row + column / self.width).checked_sub(self.reach)?;
        (at < n && is_real(real, at)).then_some((at, column % self.width))
    }

    /// The neighbourhoods of some rows: the tokens around each row side by side.
    ///
    /// # Shapes
    /// `input` `[n, d]`, all rows of the block's input → `[rows, (2p + 1)·d]`.
    pub fn neighbours(
        &self,
        backend: &B,
        input: &B::Tensor,
        real: &[bool],
        rows: Range<usize>,
    ) -> B::Tensor {
        let kernel = self.kernel();
        let n = backend.rows(input);
        let nothing = backend.upload(vec![0.0; self.width], self.width);
        let mut around = backend.empty(self.width, rows.len() + 2 * self.reach);
        for at in rows.start..rows.end + 2 * self.reach {
            match at.checked_sub(self.reach).filter(|&at| at < n && is_real(real, at)) {
                Some(at) => backend.append(&mut around, &backend.select(input, at..at + 1)),
                None => backend.append(&mut around, &nothing),
            }
        }
        let mut all = backend.empty(self.width, rows.len() * kernel);
        for first in 0..rows.len() {
            backend.append(&mut all, &backend.select(&around, first..first + kernel));
        }
        backend.reshape(&all, kernel * self.width)
    }

    /// The block's final output, from the neighbourhoods of rows and the output of its sublayers.
    ///
    /// # Shapes
    /// `neighbours` `[rows, (2p + 1)·d]`, `stream` `[rows, d]` → `[rows, d]`.
    pub fn forward(
        &self,
        backend: &B,
        mut neighbours: B::Tensor,
        stream: &B::Tensor,
        mut watch: SublayerHook<'_, B>,
    ) -> B::Tensor {
        let mut see = |step: Step, x: &mut B::Tensor| {
            if let Some(watch) = &mut watch {
                watch(step, x);
            }
        };
        see(Step::Neighbours, &mut neighbours);
        let mut convolved = self.map.forward(backend, &neighbours);
        see(Step::Convolved, &mut convolved);
        let mut activated = backend.activate(&convolved, self.activation);
        see(Step::ConvolvedActivated, &mut activated);
        let mut sum = backend.add(stream, &activated);
        see(Step::ConvolvedSum, &mut sum);
        let mut normed = self.norm.forward(backend, &sum);
        see(Step::ConvolvedNormed, &mut normed);
        normed
    }
}

/// Whether a token is real in the attention mask; generated tokens behind the mask are.
fn is_real(real: &[bool], at: usize) -> bool {
    real.get(at).copied().unwrap_or(true)
}
