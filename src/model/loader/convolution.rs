//! Loading of the convolution over neighbouring tokens beside the first block.

use std::rc::Rc;

use super::super::checkpoint::check_tensor_size;
use super::super::family::{ConvolutionNames, StackNames};
use super::tensors::Loader;
use crate::backend::{Backend, Linear, Order};
use crate::blocks::Convolution;
use crate::error::{Code, Error, Result};

impl<B: Backend> Loader<'_, B> {
    /// The convolution beside a block; only the first block of some stacks has one.
    pub fn convolution(&self, names: &StackNames, layer: usize) -> Result<Option<Convolution<B>>> {
        let Some(names) = names.convolution.filter(|_| layer == 0) else { return Ok(None) };
        let kernel = names.kernel.read(self.fields)?;
        if kernel == 0 {
            return Ok(None);
        }
        if kernel.is_multiple_of(2) {
            // With an even kernel, the output would have one token less than the residual stream.
            let expected = "an odd number, or 0 for no convolution";
            return Err(bad(names.kernel.field(), expected, kernel));
        }
        let width = self.config.d_model;
        Ok(Some(Convolution {
            reach: kernel / 2,
            width,
            map: self.around(names, kernel)?,
            activation: names.activation.read(self.fields)?,
            norm: self.norm(&self.name(names.norm), width)?,
        }))
    }

    /// The map from neighbours side by side, `[kernel · d, d]`, with zeros between groups.
    fn around(&self, names: ConvolutionNames, kernel: usize) -> Result<Linear<B>> {
        let (d, groups) = (self.config.d_model, names.groups.read(self.fields)?);
        if groups == 0 || !d.is_multiple_of(groups) {
            let expected = format!("a number that divides the {d} dimensions of a token");
            return Err(bad(names.groups.field(), &expected, groups));
        }
        let (name, own) = (self.name(names.map), d / groups);
        check_tensor_size(&name, &[kernel, d, d])?;
        let stored = self.numbers(&format!("{name}.weight"), &[d, own, kernel])?;
        let mut matrix = vec![0.0; d * kernel * d];
        for (at, number) in stored.into_iter().enumerate() {
            let (outer, within, tap) = (at / (own * kernel), at / kernel % own, at % kernel);
            let inner = outer / own * own + within;
            matrix[(outer * kernel + tap) * d + inner] = number;
        }
        let matrix = Rc::new(self.backend.matrix(&matrix, kernel * d, d, Order::OuterInner));
        Ok(Linear::new(matrix, Some(self.vector(&format!("{name}.bias"), d)?)))
    }
}

fn bad(field: &str, expected: &str, got: usize) -> Error {
    Error::new(Code::ConfigBadField, field, expected, got.to_string())
}
