//! The embedding of a stack: its tables of tokens, or the map of an image's patches, and what is
//! added to them.

use std::rc::Rc;

use super::super::config::ImageConfig;
use super::super::family::{StackNames, TokenNames};
use super::tensors::Loader;
use crate::backend::{Backend, Linear, Order};
use crate::blocks::{Embedding, Tokens};
use crate::error::Result;

impl<B: Backend> Loader<'_, B> {
    /// The embedding of a stack.
    pub fn embedding(&mut self, names: &StackNames) -> Result<Embedding<B>> {
        let (config, width) = (self.config, self.config.embedding_width);
        let tokens = match (names.tokens, config.image) {
            (TokenNames::Patches { specials, map }, Some(image)) => {
                self.patches(specials, map, image)?
            }
            (table, _) => {
                let name = self.token_table(table)?;
                Tokens::Table(self.table(&name, config.n_vocabulary)?)
            }
        };
        let positions = self.positions(names.positions)?;
        let token_types = names.token_types.filter(|_| config.n_token_types > 0);
        let token_types =
            token_types.map(|name| self.table(&self.name(name), config.n_token_types));
        let norm = names.embedding_norm.map(|name| self.norm(&self.name(name), width));
        let sizes = [width, config.d_model];
        let projection = names.embedding_projection.filter(|_| sizes[0] != sizes[1]);
        let projection =
            projection.map(|name| self.linear(&self.name(name), sizes, true, Order::OuterInner));
        Ok(Embedding {
            tokens,
            scale: config.embedding_scale,
            positions: positions.map(|table| self.backend.upload(table, width)),
            token_types: token_types.transpose()?,
            norm: norm.transpose()?,
            projection: projection.transpose()?,
        })
    }

    /// The tokens of an image: those that stand first, and the map of patches, which is stored as
    /// the kernel of a convolution whose steps are as wide as it.
    fn patches(&self, names: &[&str], map: &str, image: ImageConfig) -> Result<Tokens<B>> {
        let (d, [rows, columns]) = (self.config.d_model, image.patch);
        let mut specials = Vec::new();
        for name in names {
            specials.extend(self.numbers(&self.name(name), &[1, 1, d])?);
        }
        let name = self.name(map);
        let shape = [d, image.channels, rows, columns];
        let kernel = self.numbers(&format!("{name}.weight"), &shape)?;
        let inner = image.patch_width();
        let matrix = Rc::new(self.backend.matrix(&kernel, inner, d, Order::OuterInner));
        let bias = self.vector(&format!("{name}.bias"), d)?;
        let specials = self.backend.upload(specials, d);
        Ok(Tokens::Patches { specials, map: Linear::new(matrix, Some(bias)) })
    }

    /// The name of a stack's table of tokens: a tied one may stand under any of its names, an
    /// untied one has its own before the shared.
    fn token_table(&self, names: TokenNames) -> Result<String> {
        let shares = self.fields.flag_or("share_encoder_decoder_embeddings", true)?;
        let names: Vec<String> = match names {
            TokenNames::Table(only) => vec![self.name(only)],
            TokenNames::Shared { shared, own, .. } if !(shares && self.is_tied) => {
                vec![self.name(own), self.name(shared)]
            }
            TokenNames::Shared { shared, own, other } => {
                let projections = self.family.heads.iter().filter_map(|head| head.projection);
                let projections = projections.map(|name| format!("{name}.weight"));
                let tables = [shared, own, other].map(|name| self.name(name));
                tables.into_iter().chain(projections).collect()
            }
            TokenNames::Patches { .. } => Vec::new(),
        };
        let found = names.iter().find(|name| self.checkpoint.has(name));
        Ok(found.or(names.first()).cloned().unwrap_or_default())
    }
}
