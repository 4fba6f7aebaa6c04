//! Loading of the embedding of a stack: its token table, or the map of an image's patches, and the
//! rows that are added to them.

use std::rc::Rc;

use super::super::config::ImageConfig;
use super::super::family::{AddedRow, ProjectionNames, StackNames, TokenNames};
use super::tensors::Loader;
use crate::axes::Stack;
use crate::backend::{Backend, Linear, Order};
use crate::blocks::{Embedding, Tokens, Unplaced};
use crate::error::Result;

impl<B: Backend> Loader<'_, B> {
    /// The embedding of a stack.
    pub fn embedding(&mut self, names: &StackNames, stack: Stack) -> Result<Embedding<B>> {
        let (config, width) = (self.config, self.config.embedding_width);
        let tokens = match (names.tokens, config.image) {
            (TokenNames::Patches { specials, map }, Some(image)) => {
                self.patches(specials, map, image)?
            }
            (table, _) => {
                let name = self.token_table(table)?;
                let is_source = stack == Stack::Encoder || config.encoder.is_none();
                let entries =
                    if is_source { config.n_source_vocabulary } else { config.n_vocabulary };
                Tokens::Table(self.table(&name, entries)?)
            }
        };
        let projection = self.embedding_projection(names.embedding_projection)?;
        let projects_tokens = projection.is_some()
            && matches!(names.embedding_projection, ProjectionNames::OfTokens { .. });
        let row_width = if projects_tokens { config.d_model } else { width };
        let mut positions = self.positions(names.positions, row_width)?;
        let mut unplaced = self.unplaced(names.positions, row_width)?;
        if let (Some(rows), Some(row)) = (&mut positions, names.added_row) {
            self.add_row(rows, row)?;
        }
        if let (Some((_, rows)), Some(row)) = (&mut unplaced, names.added_row) {
            self.add_row(rows, row)?;
        }
        let token_types = names.token_types.filter(|_| config.n_token_types > 0);
        let token_types =
            token_types.map(|name| self.table(&self.name(name), config.n_token_types));
        let norm = names.embedding_norm.map(|name| self.norm(&self.name(name), width));
        Ok(Embedding {
            tokens,
            scale: config.embedding_scale,
            positions: positions.map(|table| self.backend.upload(table, row_width)),
            unplaced: unplaced
                .map(|(tokens, row)| Unplaced { tokens, row: self.backend.upload(row, row_width) }),
            token_types: token_types.transpose()?,
            norm: norm.transpose()?,
            projection,
            projects_tokens,
        })
    }

    /// The projection from the token tables' width to the residual stream's, where the two differ.
    fn embedding_projection(&self, names: ProjectionNames) -> Result<Option<Linear<B>>> {
        let sizes = [self.config.embedding_width, self.config.d_model];
        let (name, has_bias) = match names {
            ProjectionNames::OfSum { map, is_always_there }
                if is_always_there || sizes[0] != sizes[1] =>
            {
                (map, true)
            }
            ProjectionNames::OfTokens { enter, .. } if sizes[0] != sizes[1] => (enter, false),
            _ => return Ok(None),
        };
        self.linear(&self.name(name), sizes, has_bias, Order::OuterInner).map(Some)
    }

    /// Adds the first row of a table to every row of `rows`.
    fn add_row(&self, rows: &mut [f32], names: AddedRow) -> Result<()> {
        if !names.is_used.read(self.fields)? {
            return Ok(());
        }
        let (count, width) = (names.count.read(self.fields)?, self.config.d_model);
        let table = self.numbers(&self.name(names.table), &[count, width])?;
        for row in rows.chunks_exact_mut(width) {
            row.iter_mut().zip(&table).for_each(|(number, added)| *number += added);
        }
        Ok(())
    }

    /// The tokens of an image: the special tokens, and the map of patches, which is stored as the
    /// kernel of a convolution whose stride is its width.
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

    /// The name of a stack's token table: its own, if the file has it, unless that repeats a shared
    /// one. A tied table may be stored under the name of another.
    fn token_table(&self, names: TokenNames) -> Result<String> {
        let has = |name: &String| self.checkpoint.has(name);
        let (own, others) = match names {
            TokenNames::Table(own) => (own, Vec::new()),
            TokenNames::Shared { shared, own, other } => (own, vec![shared, other]),
            TokenNames::Patches { .. } => return Ok(String::new()),
        };
        let (own, others) = (self.name(own), others.into_iter().map(|name| self.name(name)));
        if !self.is_tied {
            return Ok(own);
        }
        let projections = self.family.heads.iter().filter_map(|head| head.projection);
        let projections = projections.map(|name| format!("{name}.weight"));
        let others: Vec<String> = others.chain(projections).filter(has).collect();
        if !has(&own) {
            let usual = match names {
                TokenNames::Shared { shared, .. } => self.name(shared),
                _ => own,
            };
            return Ok(others.into_iter().next().unwrap_or(usual));
        }
        match (names, others.first()) {
            (TokenNames::Shared { .. }, Some(other)) if self.checkpoint.is_same(&own, other)? => {
                Ok(other.clone())
            }
            _ => Ok(own),
        }
    }
}
