//! Loading of the maps and norms of an attention site.

use super::super::config::{Sight, StackConfig};
use super::super::family::{AttentionNames, HeadNormStyle, MapNames};
use super::tensors::Loader;
use crate::attention::{HeadNorm, HeadNormKind, MultiHeadAttention};
use crate::axes::Stack;
use crate::backend::{Backend, Linear, Order};
use crate::blocks::Norm;
use crate::error::Result;
use crate::masks::Window;

impl<B: Backend> Loader<'_, B> {
    /// An attention site of a block. Cross-attention has no `layer`: it has neither window nor
    /// positional terms.
    pub fn attention(
        &self,
        block: &str,
        names: &AttentionNames,
        size: StackConfig,
        stack: Stack,
        layer: Option<usize>,
    ) -> Result<MultiHeadAttention<B>> {
        let queries = size.query_width();
        let [query, key, value] = self.maps(block, names, size)?;
        let output_bias = names.output_bias.read(self.fields)?;
        let output = format!("{block}.{}", names.output);
        let is_normed = names.head_norms.map_or(Ok(false), |norms| norms.is_used.read(self.fields));
        let head_norms = if is_normed? { names.head_norms } else { None };
        let norm = |style: HeadNormStyle, name: &str, heads: usize| {
            self.head_norm(style, &format!("{block}.{name}"), [heads, size.head_dim])
        };
        let window = layer.and_then(|layer| self.config.windows.get(layer).copied().flatten());
        Ok(MultiHeadAttention {
            query,
            key,
            value,
            output: self.linear(
                &output,
                [queries, self.config.d_model],
                output_bias,
                self.order,
            )?,
            n_heads: size.n_heads,
            n_kv_heads: size.n_kv_heads,
            head_dim: size.head_dim,
            query_norm: head_norms
                .map(|norms| norm(norms.style, norms.query, size.n_heads))
                .transpose()?,
            key_norm: head_norms
                .map(|norms| norm(norms.style, norms.key, size.n_kv_heads))
                .transpose()?,
            scale: self.scale(size, layer),
            cap: self.config.score_cap,
            turns: layer.and_then(|layer| self.turns.get(layer).cloned().flatten()),
            relative: layer.and_then(|layer| self.terms.get(layer).cloned()),
            window: window.map(|width| Window {
                width,
                dilation: 1,
                one_sided: stack == Stack::Decoder && self.config.sight == Sight::Before,
            }),
        })
    }

    /// A norm of the queries or keys of `heads` heads of width `head_dim`.
    fn head_norm(
        &self,
        style: HeadNormStyle,
        name: &str,
        [heads, head_dim]: [usize; 2],
    ) -> Result<HeadNorm<B>> {
        let width = if style == HeadNormStyle::AllHeads { heads * head_dim } else { head_dim };
        if style != HeadNormStyle::OwnGains {
            let Norm { gain, epsilon, .. } = self.norm(name, width)?;
            return Ok(HeadNorm { kind: HeadNormKind::RootMeanSquare { gain }, width, epsilon });
        }
        let mut gains = Vec::new();
        for head in 0..heads {
            let name = format!("{}.weight", name.replace("{}", &head.to_string()));
            gains.extend(self.numbers(&name, &[width])?);
        }
        let kind = HeadNormKind::Layer {
            gains: self.backend.matrix(&gains, gains.len(), 1, Order::OuterInner),
            neutral: [1.0, 0.0].map(|number| self.backend.upload(vec![number; width], width)),
        };
        Ok(HeadNorm { kind, width, epsilon: self.config.epsilon })
    }

    /// The maps to queries, keys and values.
    fn maps(
        &self,
        block: &str,
        names: &AttentionNames,
        size: StackConfig,
    ) -> Result<[Linear<B>; 3]> {
        let d = self.config.d_model;
        let (queries, keys, width) = (size.query_width(), size.kv_width(), size.head_dim);
        let has_bias = names.bias.read(self.fields)?;
        let full = |part: &str| format!("{block}.{part}");
        let [query, key, value] = match names.maps {
            MapNames::Fused(name) => {
                let places =
                    [0..queries, queries..queries + keys, queries + keys..queries + 2 * keys];
                self.parts(&full(name), d, &places.map(Iterator::collect), has_bias)?
            }
            MapNames::FusedByHead(name) => {
                let places = [0, 1, 2].map(|part| {
                    let head =
                        |head: usize| (3 * head + part) * width..(3 * head + part + 1) * width;
                    (0..size.n_heads).flat_map(head).collect()
                });
                self.parts(&full(name), d, &places, has_bias)?
            }
            MapNames::Separate { query, key, value } => {
                let map =
                    |part: &str, outer| self.linear(&full(part), [d, outer], has_bias, self.order);
                [map(query, queries)?, map(key, keys)?, map(value, keys)?]
            }
        };
        let Some(biases) = names.own_biases else { return Ok([query, key, value]) };
        let own = |map: Linear<B>, name: &str| {
            self.vector(&full(name), queries).map(|bias| map.with_bias(bias))
        };
        Ok([own(query, biases.query)?, key, own(value, biases.value)?])
    }
}
