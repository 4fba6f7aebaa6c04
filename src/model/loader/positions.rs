//! Loading of positional encodings: the rows that are added to embeddings, and the terms that join
//! scores.

use std::iter::repeat_n;
use std::rc::Rc;

use super::super::config::StackConfig;
use super::super::family::{
    BucketNames, DisentangledNames, MapNames, PositionNames, RelativeNames, SkippedRows, StackNames,
};
use super::super::reader::TERMS;
use super::tensors::Loader;
use crate::axes::Stack;
use crate::backend::{Algebra, Backend, Cpu, Order, Storage};
use crate::blocks::UnplacedTokens;
use crate::error::{Code, Error, Result};
use crate::positions::{
    Buckets, Disentangled, DistanceRows, Layout, Met, Scheme, Terms, sinusoidal_of_base,
};

/// The word that names the norm of the table of distances.
const NORMED: &str = "layer_norm";

/// The largest difference of a stored sinusoid from a computed one; rounding to f16 explains less.
const WAVE_ERROR: f32 = 1e-3;

impl<B: Backend> Loader<'_, B> {
    /// The position rows that are added to the embeddings of a stack, from position 0 on.
    pub fn positions(&mut self, names: PositionNames, width: usize) -> Result<Option<Vec<f32>>> {
        match (names, self.config.positions) {
            (PositionNames::Trained { table, skipped, .. }, Scheme::Learned) => {
                self.trained_rows(table, skipped, width).map(Some)
            }
            (PositionNames::Waves(table), Scheme::Sinusoidal { layout, base }) => {
                let width = self.config.embedding_width;
                let rows = sinusoidal_of_base(self.config.max_tokens, width, layout, base);
                self.stored_waves(table, rows.iter().copied().collect()).map(Some)
            }
            (PositionNames::LaterWaves, Scheme::Sinusoidal { layout, base }) => {
                Ok(Some(self.later_waves(layout, base)))
            }
            _ => Ok(None),
        }
    }

    /// The tokens without a position, and the row that is added to them.
    pub fn unplaced(
        &self,
        names: PositionNames,
        width: usize,
    ) -> Result<Option<(UnplacedTokens, Vec<f32>)>> {
        let tokens = match (names, self.config.positions) {
            (PositionNames::Trained { skipped, .. }, Scheme::Learned) => match skipped {
                SkippedRows::Count(_) => None,
                SkippedRows::CountOfReal(_) => Some(UnplacedTokens::Masked),
                SkippedRows::UpToPadding => self.config.pad_token.map(UnplacedTokens::Padding),
                SkippedRows::UpToToken(id) => Some(UnplacedTokens::Padding(id)),
            },
            (PositionNames::LaterWaves, Scheme::Sinusoidal { .. }) => {
                let padding = self.config.pad_token.map(UnplacedTokens::Padding);
                return Ok(padding.map(|tokens| (tokens, vec![0.0; width])));
            }
            _ => None,
        };
        let (Some(tokens), PositionNames::Trained { table, skipped, .. }) = (tokens, names) else {
            return Ok(None);
        };
        let rows = self.table_rows(table, skipped, width)?;
        let skipped = self.n_skipped(skipped);
        Ok(Some((tokens, rows[(skipped - 1) * width..skipped * width].to_vec())))
    }

    /// The rows of a trained table that tokens may have.
    fn trained_rows(&self, table: &str, skipped: SkippedRows, width: usize) -> Result<Vec<f32>> {
        let rows = self.table_rows(table, skipped, width)?;
        // The longest text may be shorter than the table.
        let rows = &rows[self.n_skipped(skipped) * width..];
        Ok(rows[..self.config.max_tokens * width].to_vec())
    }

    /// The number of first rows of a position table, which no token with a position has.
    fn n_skipped(&self, skipped: SkippedRows) -> usize {
        match skipped {
            SkippedRows::Count(count) | SkippedRows::CountOfReal(count) => count,
            SkippedRows::UpToPadding => self.rows_up_to_padding(),
            SkippedRows::UpToToken(id) => id as usize + 1,
        }
    }

    /// All rows of a trained table.
    fn table_rows(&self, table: &str, skipped: SkippedRows, width: usize) -> Result<Vec<f32>> {
        let counted = self.family.sizes.positions.read(self.fields)?;
        let rows = match (self.config.image, skipped) {
            (Some(_), _) => self.config.max_tokens + self.n_skipped(skipped),
            (None, SkippedRows::Count(count) | SkippedRows::CountOfReal(count)) => {
                counted.saturating_add(count)
            }
            (None, SkippedRows::UpToPadding | SkippedRows::UpToToken(_)) => counted,
        };
        let shape = [1, rows, width];
        let shape = if self.config.image.is_some() { &shape } else { &shape[1..] };
        self.numbers(&self.name(table), shape)
    }

    /// The number of rows up to the padding token's id, which no token has.
    fn rows_up_to_padding(&self) -> usize {
        self.config.pad_token.map_or(0, |id| id as usize + 1)
    }

    /// The sinusoids, or the table that a checkpoint has in their place. They are not counted as
    /// parameters: Hugging Face does not train them.
    fn stored_waves(&mut self, table: &str, waves: Vec<f32>) -> Result<Vec<f32>> {
        let name = self.name(table);
        if !self.checkpoint.has(&name) {
            return Ok(waves);
        }
        let shape = [self.config.max_tokens, self.config.embedding_width];
        let table = self.checkpoint.read(&name, &shape)?;
        if table.iter().zip(&waves).any(|(stored, wave)| (stored - wave).abs() >= WAVE_ERROR) {
            self.scheme = Scheme::Learned;
        }
        Ok(table)
    }

    /// M2M100's sinusoids; with an odd width the last number is 0.
    fn later_waves(&self, layout: Layout, base: f64) -> Vec<f32> {
        let (width, skipped) = (self.config.embedding_width, self.rows_up_to_padding());
        let even = width - width % 2;
        let waves = sinusoidal_of_base(self.config.max_tokens + skipped, even, layout, base);
        let zero = repeat_n(0.0, width - even);
        let rows = waves.rows().into_iter().skip(skipped);
        rows.flat_map(|row| row.to_vec().into_iter().chain(zero.clone())).collect()
    }

    /// The relative-position terms of a stack, one per layer.
    pub fn terms(
        &self,
        names: &StackNames,
        size: StackConfig,
        stack: Stack,
    ) -> Result<Vec<Rc<Terms>>> {
        match names.relative {
            RelativeNames::Buckets(table) => {
                Ok(vec![self.buckets(table, size, stack)?; size.n_layers])
            }
            RelativeNames::Disentangled(distances) => self.disentangled(names, distances, size),
            RelativeNames::None => Ok(Vec::new()),
        }
    }

    /// The bucket terms of T5, stored `[buckets, heads]`.
    fn buckets(&self, names: BucketNames, size: StackConfig, stack: Stack) -> Result<Rc<Terms>> {
        let field = "relative_attention_num_buckets";
        let rows = self.fields.size_or(field, 32)?;
        let count = names.count.unwrap_or(rows);
        if rows < count {
            let expected = format!("at least {count}, into which distances are sorted");
            return Err(Error::new(Code::ConfigBadField, field, expected, rows.to_string()));
        }
        let max_distance = names.max_distance.read(self.fields)?;
        let mut numbers = self.numbers(&self.name(names.table), &[rows, size.n_heads])?;
        numbers.truncate(count * size.n_heads);
        let by_head = (0..size.n_heads)
            .flat_map(|head| numbers.iter().skip(head).step_by(size.n_heads))
            .map(|&number| f64::from(number));
        let buckets = Buckets { count, max_distance, both_sides: stack == Stack::Encoder };
        Ok(Rc::new(Terms::of_buckets(buckets, by_head.collect())))
    }

    /// The disentangled terms of each layer: rows of distances that all layers share, normed if the
    /// config says so, through the layer's own maps or those of its tokens. The `cpu` backend
    /// computes them once.
    fn disentangled(
        &self,
        stack: &StackNames,
        names: DisentangledNames,
        size: StackConfig,
    ) -> Result<Vec<Rc<Terms>>> {
        let (rows, table) = self.distance_rows(names)?;
        let (width, terms) = (size.query_width(), self.fields.words("pos_att_type")?);
        let [key, query] = match stack.attention.maps {
            MapNames::Separate { query, key, .. } if names.shares_maps.read(self.fields)? => {
                [key, query]
            }
            _ => [names.key, names.query],
        };
        let mut all = Vec::new();
        for layer in 0..size.n_layers {
            let block = self.block_name(stack, layer)?;
            let mapped = |term: &str, map: &str| {
                if !terms.iter().any(|named| named == term) {
                    return Ok(Vec::new());
                }
                self.mapped_rows(&table, &format!("{block}.{map}"), width)
            };
            all.push(Rc::new(Terms::Disentangled(Disentangled {
                rows,
                head_dim: size.head_dim,
                width,
                scale: self.scale(size, Some(layer)),
                keys: mapped(TERMS[0], key)?,
                queries: mapped(TERMS[1], query)?,
                met: Met::default(),
            })));
        }
        Ok(all)
    }

    /// The mapping of distances to rows, and the rows.
    fn distance_rows(
        &self,
        names: DisentangledNames,
    ) -> Result<(DistanceRows, <Cpu as Storage>::Tensor)> {
        let d = self.config.d_model;
        let least = |number: Option<f64>| number.filter(|&number| number >= 1.0);
        let most = least(names.most.read(self.fields)?);
        let most = most.unwrap_or(self.config.max_tokens as f64);
        let buckets = least(names.buckets.read(self.fields)?);
        #[expect(clippy::cast_sign_loss, reason = "at least 1")]
        let side = buckets.unwrap_or(most) as usize;
        let rows = DistanceRows { side, furthest: buckets.and(Some(most)) };
        let exact = (side / 2) as f64;
        if buckets.is_some() && most - 1.0 <= exact && self.config.max_tokens as f64 - 1.0 > exact {
            // The logarithms that sort far distances would divide by 0, or put them in reverse.
            let (field, buckets) = (names.most.field(), names.buckets.field());
            let expected = format!("more than half of {buckets} and 1, here {}", exact + 1.0);
            return Err(Error::new(Code::ConfigContradiction, field, expected, most.to_string()));
        }
        let part =
            |name: &str, shape: &[usize]| Ok(Cpu.upload(self.numbers(&self.name(name), shape)?, d));
        let table = part(names.table, &[side.saturating_mul(2), d])?;
        match names.norm {
            Some((field, norm)) if self.fields.words(field)?.iter().any(|it| it == NORMED) => {
                let gain = part(&format!("{norm}.weight"), &[d])?;
                let bias = part(&format!("{norm}.bias"), &[d])?;
                Ok((rows, Cpu.layer_norm(&table, &gain, &bias, self.config.epsilon)))
            }
            _ => Ok((rows, table)),
        }
    }

    /// The rows of distances through a map, whose bias may be missing.
    fn mapped_rows(
        &self,
        table: &<Cpu as Storage>::Tensor,
        map: &str,
        width: usize,
    ) -> Result<Vec<f32>> {
        let d = self.config.d_model;
        let weight = self.numbers(&format!("{map}.weight"), &[width, d])?;
        let bias = format!("{map}.bias");
        let bias = if self.checkpoint.has(&bias) {
            self.numbers(&bias, &[width])?
        } else {
            vec![0.0; width]
        };
        let bias = Cpu.upload(bias, width);
        let matrix = Cpu.matrix(&weight, d, width, Order::OuterInner);
        Ok(Cpu.linear(table, &matrix, Some(&bias)).into_numbers())
    }
}
