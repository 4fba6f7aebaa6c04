//! From tensors of a checkpoint to the parts of a model: what the families have in
//! common when they map names. It counts the parameters that it loads.

use std::cell::Cell;
use std::rc::Rc;

use super::checkpoint::Checkpoint;
use super::config::ModelConfig;
use crate::backend::{Backend, Linear, Order};
use crate::blocks::{Norm, NormKind, Residual};
use crate::error::Result;

/// Reads parts of one checkpoint under a common prefix.
pub(super) struct Loader<'a, B: Backend> {
    pub backend: &'a B,
    pub checkpoint: &'a Checkpoint<'a>,
    pub config: &'a ModelConfig,
    prefix: &'static str,
    parameters: Cell<usize>,
}

impl<'a, B: Backend> Loader<'a, B> {
    /// A loader with the first of `prefixes` under which `probe` is found: checkpoints of
    /// a bare model leave the prefix out.
    pub fn new(
        backend: &'a B,
        checkpoint: &'a Checkpoint<'a>,
        config: &'a ModelConfig,
        prefixes: &[&'static str],
        probe: &str,
    ) -> Self {
        let found = prefixes.iter().find(|prefix| checkpoint.has(&format!("{prefix}{probe}")));
        let prefix = found.or(prefixes.first()).copied().unwrap_or("");
        Self { backend, checkpoint, config, prefix, parameters: Cell::new(0) }
    }

    /// The parameters handed out since the last call.
    pub fn counted(&self) -> usize {
        self.parameters.take()
    }

    /// Whether the checkpoint leaves the prefix out, as that of a bare model does.
    pub fn is_bare(&self) -> bool {
        self.prefix.is_empty()
    }

    /// The full name of a tensor under the prefix.
    pub fn name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// A tensor by its full name.
    pub fn numbers(&self, full_name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let numbers = self.checkpoint.read(full_name, shape)?;
        self.parameters.set(self.parameters.get() + numbers.len());
        Ok(numbers)
    }

    /// A vector `[1, n]`.
    pub fn vector(&self, full_name: &str, n: usize) -> Result<B::Tensor> {
        Ok(self.backend.upload(self.numbers(full_name, &[n])?, n))
    }

    /// An embedding table `[n, d]` as the matrix `[d, n]`, which is also the shape of an
    /// output projection.
    pub fn table(&self, full_name: &str, n: usize) -> Result<B::Matrix> {
        let d = self.config.d_model;
        Ok(self.backend.matrix(&self.numbers(full_name, &[n, d])?, d, n, Order::OuterInner))
    }

    /// `nn.Linear`: `{name}.weight` `[outer, inner]` and `{name}.bias`.
    pub fn linear(&self, name: &str, inner: usize, outer: usize) -> Result<Linear<B>> {
        self.linear_with(name, inner, outer, true)
    }

    /// `nn.Linear` that was made with a bias or without.
    pub fn linear_with(
        &self,
        name: &str,
        inner: usize,
        outer: usize,
        has_bias: bool,
    ) -> Result<Linear<B>> {
        let name = self.name(name);
        let weight = self.numbers(&format!("{name}.weight"), &[outer, inner])?;
        let matrix = self.backend.matrix(&weight, inner, outer, Order::OuterInner);
        let bias = has_bias.then(|| self.vector(&format!("{name}.bias"), outer)).transpose()?;
        Ok(Linear::new(Rc::new(matrix), bias))
    }

    /// A layer norm; old checkpoints call its parts `gamma` and `beta`.
    pub fn norm(&self, name: &str) -> Result<Norm<B>> {
        let name = self.name(name);
        let old = self.checkpoint.has(&format!("{name}.gamma"));
        let (gain, bias) = if old { ("gamma", "beta") } else { ("weight", "bias") };
        let d = self.config.d_model;
        Ok(Norm {
            gain: self.vector(&format!("{name}.{gain}"), d)?,
            kind: NormKind::Layer(self.vector(&format!("{name}.{bias}"), d)?),
            epsilon: self.config.epsilon,
        })
    }

    /// A norm by the root of the mean square.
    pub fn rms_norm(&self, name: &str) -> Result<Norm<B>> {
        let gain = self.vector(&self.name(&format!("{name}.weight")), self.config.d_model)?;
        Ok(Norm { gain, kind: NormKind::RootMeanSquare, epsilon: self.config.epsilon })
    }

    /// A norm around a sublayer, on the side that the config says.
    pub fn residual(&self, name: &str) -> Result<Residual<B>> {
        Ok(Residual { norm: self.norm(name)?, placement: self.config.norm })
    }
}
