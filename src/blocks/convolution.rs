//! The convolution beside the first block of some encoders: each token gets what a trained kernel
//! makes of the block's input around it.
//!
//! `y_i = N(b_i + φ(Σ_j x_{i+j−p} W_j + c))`, `b` what leaves the block, `x` what entered it, `j`
//! from 0 to `2p`; `x` is 0 beside the text and where the attention mask leaves a token out.
//!
//! Source: the released code of P. He et al., "`DeBERTa`" (2021), second version (`ConvLayer` of
//! Hugging Face transformers). Attention masks of edits do not enter it.

use std::ops::Range;

use super::{Norm, Point, PointHook};
use crate::backend::{Backend, Linear};
use crate::kernels::activation::Activation;

/// The convolution of a block.
pub struct Convolution<B: Backend> {
    /// `p`: how many tokens on each side are read.
    pub reach: usize,
    /// The width of a token.
    pub width: usize,
    /// `W` and `c`: from `2p + 1` tokens side by side, `[(2p + 1)·d]`, to one.
    pub map: Linear<B>,
    /// `φ`.
    pub activation: Activation,
    /// Of the sum.
    pub norm: Norm<B>,
}

impl<B: Backend> Convolution<B> {
    /// Tokens that one row of the convolution is made of.
    pub fn kernel(&self) -> usize {
        2 * self.reach + 1
    }

    /// The multiplications of one row.
    pub fn work_per_row(&self) -> usize {
        self.kernel() * self.width * self.width
    }

    /// The token of the block's input that stands at a column of the neighbourhood of `row`, and
    /// its column there; none beside the text of `n` tokens, or where a token is not real.
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

    /// The tokens around each of some rows side by side.
    ///
    /// # Shapes
    /// `input`, `[n, d]`, is all rows that entered the block → `[rows, (2p + 1)·d]`.
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

    /// The rows that leave the block, of its input, of what its sublayers made of them, and of
    /// which tokens are real.
    ///
    /// # Shapes
    /// `input` `[n, d]`, `stream` `[rows, d]` → `[rows, d]`.
    pub fn forward(
        &self,
        backend: &B,
        (input, stream): (&B::Tensor, &B::Tensor),
        real: &[bool],
        rows: Range<usize>,
        watch: PointHook<'_, B>,
    ) -> B::Tensor {
        let neighbours = self.neighbours(backend, input, real, rows);
        let convolved = self.map.forward(backend, &neighbours);
        let activated = backend.activate(&convolved, self.activation);
        let sum = backend.add(stream, &activated);
        let normed = self.norm.forward(backend, &sum);
        if let Some(watch) = watch {
            watch(Point::Neighbours, &neighbours);
            watch(Point::Convolved, &convolved);
            watch(Point::ConvolvedActivated, &activated);
            watch(Point::ConvolvedSum, &sum);
            watch(Point::ConvolvedNormed, &normed);
        }
        normed
    }
}

/// Whether the attention mask has a token; a token beyond it is one that was written.
fn is_real(real: &[bool], at: usize) -> bool {
    real.get(at).copied().unwrap_or(true)
}
