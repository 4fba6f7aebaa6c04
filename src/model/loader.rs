//! From the tensors of a checkpoint to a model, by its family's row. It counts the parameters
//! that it loads; matrices of one name are loaded once.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::iter::repeat_n;
use std::rc::Rc;

use super::checkpoint::{Checkpoint, Tensor};
use super::config::{ImageConfig, ModelConfig, StackConfig};
use super::family::{Family, TERMS};
use super::wire::{Fields, Part};
use super::{Model, Parameters, StackWeights};
use crate::attention::{HeadNorm, MultiHeadAttention, Turns};
use crate::axes::Stack;
use crate::backend::{Backend, Cpu, Linear, Order};
use crate::blocks::{
    Block, CrossAttention, Embedding, FeedForward, Norm, NormKind, OutputHead, Residual, Tokens,
    Transform,
};
use crate::edits::NormPlace;
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::kernels::stored::Format;
use crate::masks::Window;
use crate::positions::{
    Buckets, Disentangled, DistanceRows, Met, Scheme, Terms, sinusoidal_of_base,
};

/// Rows that a backend is given at once.
const PIECE: usize = 64;

/// Reads a model.
pub(super) fn load<B: Backend>(
    backend: B,
    family: &Family,
    mut config: ModelConfig,
    fields: &Fields,
    checkpoint: &Checkpoint<'_>,
) -> Result<Model<B>> {
    checkpoint.check_size(|format| backend.held_format(format))?;
    let mut parameters = Parameters::default();
    let (encoder, decoder, head) = {
        let mut loader = Loader::new(&backend, family, &config, fields, checkpoint)?;
        let [encoder, decoder] = [Stack::Encoder, Stack::Decoder].map(|stack| {
            let found = family.stack(stack).zip(config.stack(stack));
            found.map(|(row, size)| loader.stack(stack, row, size, &mut parameters)).transpose()
        });
        let (encoder, decoder) = (encoder?, decoder?);
        let head = loader.head(decoder.as_ref().or(encoder.as_ref()))?;
        parameters.output = loader.counted();
        config.positions = loader.scheme;
        (encoder, decoder, head)
    };
    Ok(Model { encoder, decoder, head, parameters: parameters.summed(), config, backend })
}

/// Reads parts of one checkpoint.
struct Loader<'a, B: Backend> {
    backend: &'a B,
    family: &'a Family,
    config: &'a ModelConfig,
    fields: &'a Fields,
    checkpoint: &'a Checkpoint<'a>,
    prefix: &'a str,
    order: Order,
    is_tied: bool,
    scheme: Scheme,
    /// With their names, which are a few hundred at most.
    matrices: RefCell<Vec<(String, Rc<B::Matrix>)>>,
    /// The rows of a tensor that is transposed or holds several maps. One buffer for all: memory
    /// that is freed between matrices is left in holes.
    outputs: RefCell<Vec<u8>>,
    /// By block, in a family whose scores terms join.
    terms: Vec<Rc<Terms>>,
    /// By block.
    turns: Vec<Option<Rc<Turns<B>>>>,
    parameters: Cell<u64>,
    /// Of the tensors that are counted.
    names: RefCell<BTreeSet<String>>,
}

impl<'a, B: Backend> Loader<'a, B> {
    /// Finds the prefix: that under which the first stack's tokens stand.
    fn new(
        backend: &'a B,
        family: &'a Family,
        config: &'a ModelConfig,
        fields: &'a Fields,
        checkpoint: &'a Checkpoint<'a>,
    ) -> Result<Self> {
        let probes = || [Stack::Encoder, Stack::Decoder].map(|stack| family.stack(stack));
        let is_there = |prefix: &str| {
            probes().into_iter().flatten().any(|part| {
                let block = part.text("blocks").replace("{}", "0");
                let outer = format!("{prefix}{block}.{}.weight", part.at("network").text("outer"));
                let mut names = part.texts("tokens").into_iter();
                names.any(|name| checkpoint.has(&format!("{prefix}{name}")))
                    || checkpoint.has(&outer)
            })
        };
        let prefixes = family.row().texts("prefixes");
        let prefix = prefixes.iter().find(|prefix| is_there(prefix));
        let is_tied = family.row().at("defaults").flag("is_tied", fields)?;
        let is_transposed = family.row().flag("is_transposed", fields)?;
        // Blocks that turn alike share a table.
        let mut tables: Vec<Rc<Turns<B>>> = Vec::new();
        let turns = config.rotations.iter().map(|rotation| {
            let rotation = rotation.as_ref().filter(|one| !one.periods.is_empty())?;
            if let Some(known) = tables.iter().find(|known| known.rotation == **rotation) {
                return Some(Rc::clone(known));
            }
            let table = rotation.table(config.max_tokens);
            let table = backend.upload(table, 2 * rotation.periods.len());
            tables.push(Rc::new(Turns { rotation: (**rotation).clone(), table }));
            tables.last().cloned()
        });
        let turns = turns.collect();
        Ok(Self {
            backend,
            family,
            config,
            fields,
            checkpoint,
            order: if is_transposed { Order::InnerOuter } else { Order::OuterInner },
            prefix: prefix.or(prefixes.first()).copied().unwrap_or(""),
            is_tied: fields.flag_or("tie_word_embeddings", is_tied)?,
            scheme: config.positions,
            matrices: RefCell::default(),
            outputs: RefCell::default(),
            terms: Vec::new(),
            turns,
            parameters: Cell::default(),
            names: RefCell::default(),
        })
    }

    /// The parameters handed out since the last call.
    fn counted(&self) -> u64 {
        self.parameters.take()
    }

    /// Counts a tensor's parameters, once where blocks share it.
    fn count(&self, full_name: &str, own: u64) {
        if self.names.borrow_mut().insert(full_name.to_owned()) {
            self.parameters.set(self.parameters.get() + own);
        }
    }

    fn name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The full name of a part, where the family has it.
    fn named(&self, row: Part<'_>, part: &str) -> Option<String> {
        Some(row.text(part)).filter(|name| !name.is_empty()).map(|name| self.name(name))
    }

    fn block_name(&self, row: Part<'_>, layer: usize) -> String {
        self.name(&row.text("blocks").replace("{}", &layer.to_string()))
    }

    fn numbers(&self, full_name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let numbers = self.checkpoint.read(full_name, shape)?;
        self.count(full_name, numbers.len() as u64);
        Ok(numbers)
    }

    /// A vector `[1, n]`.
    fn vector(&self, full_name: &str, n: usize) -> Result<B::Tensor> {
        Ok(self.backend.upload(self.numbers(full_name, &[n])?, n))
    }

    /// A matrix's tensor, whose numbers are counted.
    fn weight(
        &self,
        full_name: &str,
        inner: usize,
        outer: usize,
        order: Order,
    ) -> Result<Tensor<'_>> {
        let shape = if order == Order::InnerOuter { [inner, outer] } else { [outer, inner] };
        self.count(full_name, inner as u64 * outer as u64);
        self.checkpoint.tensor(full_name, &shape)
    }

    fn matrix(
        &self,
        full_name: &str,
        inner: usize,
        outer: usize,
        order: Order,
    ) -> Result<Rc<B::Matrix>> {
        if let Some((_, known)) = self.matrices.borrow().iter().find(|(name, _)| name == full_name)
        {
            return Ok(Rc::clone(known));
        }
        let weight = self.weight(full_name, inner, outer, order)?;
        let matrix = match order {
            Order::InnerOuter => {
                weight.write_outputs(order, &mut self.outputs.borrow_mut())?;
                self.part(weight.format, inner, &(0..outer).collect::<Vec<_>>())?
            }
            Order::OuterInner => {
                self.backend.stored_matrix(weight.format, [inner, outer], &mut weight.parts())?
            }
        };
        let matrix = Rc::new(matrix);
        self.matrices.borrow_mut().push((full_name.to_owned(), Rc::clone(&matrix)));
        Ok(matrix)
    }

    /// A matrix of some of the rows that `outputs` holds.
    fn part(&self, format: Format, inner: usize, own: &[usize]) -> Result<B::Matrix> {
        let (bytes, stride) = (self.outputs.borrow(), format.row_bytes(inner));
        let row = |&at: &usize| &bytes[at * stride..][..stride];
        let rows = |own: &[usize]| own.iter().map(row).collect::<Vec<_>>().concat();
        let mut pieces = own.chunks(PIECE).map(|own| Ok(rows(own)));
        self.backend.stored_matrix(format, [inner, own.len()], &mut pieces)
    }

    /// An embedding table `[n, width]` as the matrix `[width, n]`, which is also the shape of an
    /// output projection.
    fn table(&self, full_name: &str, n: usize) -> Result<Rc<B::Matrix>> {
        self.matrix(full_name, self.config.embedding_width, n, Order::OuterInner)
    }

    fn linear(
        &self,
        full_name: &str,
        [inner, outer]: [usize; 2],
        has_bias: bool,
        order: Order,
    ) -> Result<Linear<B>> {
        let matrix = self.matrix(&format!("{full_name}.weight"), inner, outer, order)?;
        let bias = || self.vector(&format!("{full_name}.bias"), outer);
        Ok(Linear::new(matrix, has_bias.then(bias).transpose()?))
    }

    /// Maps of these widths, out of one that holds them: `places` says for each which of its
    /// outputs they are.
    fn parts<const N: usize>(
        &self,
        full_name: &str,
        inner: usize,
        places: &[Vec<usize>; N],
        has_bias: bool,
    ) -> Result<[Linear<B>; N]> {
        let outer = places.iter().map(Vec::len).sum();
        let weight = self.weight(&format!("{full_name}.weight"), inner, outer, self.order)?;
        weight.write_outputs(self.order, &mut self.outputs.borrow_mut())?;
        let bias = || self.numbers(&format!("{full_name}.bias"), &[outer]);
        let bias = has_bias.then(bias).transpose()?;
        let part = |own: &Vec<usize>| {
            let matrix = self.part(weight.format, inner, own)?;
            let bias = bias.as_ref().map(|bias| own.iter().map(|&at| bias[at]).collect());
            let bias = bias.map(|bias: Vec<f32>| self.backend.upload(bias, own.len()));
            Ok(Linear::new(Rc::new(matrix), bias))
        };
        let parts = places.iter().map(part).collect::<Result<Vec<_>>>()?;
        Ok(parts.try_into().unwrap_or_else(|_| unreachable!("a part for each place")))
    }

    /// A norm of rows of `width`; old checkpoints call its parts `gamma` and `beta`.
    fn norm(&self, full_name: &str, width: usize) -> Result<Norm<B>> {
        let row = self.family.row();
        let old = self.checkpoint.has(&format!("{full_name}.gamma"));
        let (gain, bias) = if old { ("gamma", "beta") } else { ("weight", "bias") };
        let mut gains = self.numbers(&format!("{full_name}.{gain}"), &[width])?;
        if let Some(offset) = row.number("gain_offset", self.fields)? {
            gains = gains.iter().map(|gain| gain + offset as f32).collect();
        }
        let has_bias = row.unless_off("norm_bias", self.fields)?;
        let kind = match row.text("norm") {
            "rms" => NormKind::RootMeanSquare,
            _ if has_bias => NormKind::Layer(self.vector(&format!("{full_name}.{bias}"), width)?),
            _ => NormKind::Layer(self.backend.upload(vec![0.0; width], width)),
        };
        let gain = self.backend.upload(gains, width);
        Ok(Norm { gain, kind, epsilon: self.config.epsilon })
    }

    /// The norm of a sublayer that has none, which an edit may ask for.
    fn no_norm(&self) -> Norm<B> {
        let gain = self.backend.upload(vec![1.0; self.config.d_model], self.config.d_model);
        Norm { gain, kind: NormKind::RootMeanSquare, epsilon: self.config.epsilon }
    }

    /// The norms of a sublayer.
    fn residual(&self, block: &str, row: Part<'_>) -> Result<Residual<B>> {
        let norm = |name: &str| match row.text(name) {
            "" => Ok(self.no_norm()),
            name => self.norm(&format!("{block}.{name}"), self.config.d_model),
        };
        let after = row.at("norm_after").is_there().then(|| norm("norm_after")).transpose()?;
        Ok(Residual { norm: norm("norm")?, placement: self.config.norm, after })
    }

    fn stack(
        &mut self,
        stack: Stack,
        row: Part<'_>,
        size: StackConfig,
        parameters: &mut Parameters,
    ) -> Result<StackWeights<B>> {
        let embedding = self.embedding(row)?;
        parameters.embedding += self.counted();
        let own_count: fn(&mut Parameters) -> &mut u64 = match stack {
            Stack::Encoder => |all| &mut all.encoder,
            _ => |all| &mut all.decoder,
        };
        let mut blocks = Vec::new();
        for layer in 0..size.n_layers {
            let name = self.block_name(row, layer);
            let cross = row.at("cross");
            let cross = if cross.is_there() {
                Some(CrossAttention {
                    attention: self.attention(&name, cross, size, stack, None)?,
                    residual: self.residual(&name, cross)?,
                })
            } else {
                None
            };
            parameters.cross += self.counted();
            if self.config.is_relative && layer == 0 {
                self.terms = if row.at("disentangled").is_there() {
                    self.disentangled(row, size)?
                } else {
                    vec![self.buckets(row, size, stack)?; size.n_layers]
                };
            }
            blocks.push(self.block(&name, row, size, (stack, layer), cross)?);
            *own_count(parameters) += self.counted();
        }
        let d = self.config.d_model;
        let final_norm = self.named(row, "final_norm").map(|name| self.norm(&name, d));
        let final_norm = final_norm.transpose()?;
        *own_count(parameters) += self.counted();
        Ok(StackWeights { embedding, blocks, final_norm })
    }

    fn embedding(&mut self, row: Part<'_>) -> Result<Embedding<B>> {
        let (config, width) = (self.config, self.config.embedding_width);
        let tokens = match config.image {
            Some(image) => self.patches(row, image)?,
            None => Tokens::Table(self.table(&self.tokens(row)?, config.n_vocabulary)?),
        };
        let positions = self.positions(row)?;
        let token_types = self.named(row, "token_types").filter(|_| config.n_token_types > 0);
        let token_types = token_types.map(|name| self.table(&name, config.n_token_types));
        let norm = self.named(row, "embedding_norm").map(|name| self.norm(&name, width));
        let sizes = [width, config.d_model];
        let projection = self.named(row, "embedding_projection").filter(|_| sizes[0] != sizes[1]);
        let projection = projection.map(|name| self.linear(&name, sizes, true, Order::OuterInner));
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
    fn patches(&self, row: Part<'_>, image: ImageConfig) -> Result<Tokens<B>> {
        let (d, [rows, columns]) = (self.config.d_model, image.patch);
        let mut specials = Vec::new();
        for name in row.texts("tokens") {
            specials.extend(self.numbers(&self.name(name), &[1, 1, d])?);
        }
        let name = self.name(row.text("patches"));
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
    fn tokens(&self, row: Part<'_>) -> Result<String> {
        let shares = self.fields.flag_or("share_encoder_decoder_embeddings", true)?;
        let names: Vec<String> = match row.texts("tokens")[..] {
            [only] => vec![self.name(only)],
            [shared, own, ..] if !(shares && self.is_tied) => {
                vec![self.name(own), self.name(shared)]
            }
            ref all => {
                let head = format!("{}.weight", self.family.row().at("head").text("projection"));
                all.iter().map(|name| self.name(name)).chain([head]).collect()
            }
        };
        let found = names.iter().find(|name| self.checkpoint.has(name));
        Ok(found.or(names.first()).cloned().unwrap_or_default())
    }

    /// The rows that are added to the tokens of a stack, from position 0 on.
    fn positions(&mut self, row: Part<'_>) -> Result<Option<Vec<f32>>> {
        let (config, width) = (self.config, self.config.embedding_width);
        let n = config.max_tokens;
        // Rows that no token has: those up to the padding token's, or so many.
        let is_by_padding =
            row.flag("skip_padding", self.fields)? || row.at("later_waves").is_there();
        let skipped = if is_by_padding {
            config.pad_token.map_or(0, |id| id as usize + 1)
        } else {
            row.size("skip", self.fields, 0)?
        };
        let Scheme::Sinusoidal { layout, base } = config.positions else {
            if config.positions != Scheme::Learned {
                return Ok(None);
            }
            let shape = [1, n + skipped, width];
            let shape = if config.image.is_some() { &shape } else { &shape[1..] };
            let table = self.numbers(&self.name(row.text("positions")), shape)?;
            return Ok(Some(table[skipped * width..].to_vec()));
        };
        let even = if row.at("later_waves").is_there() { width - width % 2 } else { width };
        let waves = sinusoidal_of_base(n + skipped, even, layout, base);
        let rows = waves.rows().into_iter().skip(skipped);
        let zero = repeat_n(0.0, width - even);
        let waves: Vec<f32> =
            rows.flat_map(|row| row.to_vec().into_iter().chain(zero.clone())).collect();
        let name = self.name(row.text("waves"));
        if !self.checkpoint.has(&name) {
            return Ok(Some(waves));
        }
        // Not counted as parameters: Hugging Face does not train them. They are sinusoids, unless a
        // number differs by more than rounding to f16 explains.
        let table = self.checkpoint.read(&name, &[n, width])?;
        if table.iter().zip(&waves).any(|(stored, wave)| (stored - wave).abs() >= 1e-3) {
            self.scheme = Scheme::Learned;
        }
        Ok(Some(table))
    }

    /// The numbers of relative positions, stored `[buckets, heads]`.
    fn buckets(&self, row: Part<'_>, size: StackConfig, stack: Stack) -> Result<Rc<Terms>> {
        let count = self.fields.size_or("relative_attention_num_buckets", 32)?;
        let max_distance = self.fields.size_or("relative_attention_max_distance", 128)?;
        let numbers = self.numbers(&self.name(row.text("buckets")), &[count, size.n_heads])?;
        let by_head = (0..size.n_heads)
            .flat_map(|head| numbers.iter().skip(head).step_by(size.n_heads))
            .map(|&number| f64::from(number));
        let buckets = Buckets { count, max_distance, both_sides: stack == Stack::Encoder };
        Ok(Rc::new(Terms::of_buckets(buckets, by_head.collect())))
    }

    /// Keys and queries of distances by block: rows that all blocks share, normed where the config
    /// says so, through maps of the block's own or those of its tokens. They are computed once, by
    /// the `cpu` backend.
    fn disentangled(&self, row: Part<'_>, size: StackConfig) -> Result<Vec<Rc<Terms>>> {
        let (names, fields, d) = (row.at("disentangled"), self.fields, self.config.d_model);
        let least = |number: Option<f64>| number.filter(|&number| number >= 1.0);
        let most = least(names.number("most", fields)?).unwrap_or(self.config.max_tokens as f64);
        let buckets = least(names.number("buckets", fields)?);
        #[expect(clippy::cast_sign_loss, reason = "at least 1")]
        let side = buckets.unwrap_or(most) as usize;
        let rows = DistanceRows { side, furthest: buckets.and(Some(most)) };
        let part =
            |name: &str, shape: &[usize]| Ok(Cpu.upload(self.numbers(&self.name(name), shape)?, d));
        let mut table = part(names.text("table"), &[side.saturating_mul(2), d])?;
        if fields.mentions(names.text("norms"), "layer_norm") {
            let [gain, bias] = ["norm_gain", "norm_bias"].map(|name| part(names.text(name), &[d]));
            table = Cpu.layer_norm(&table, &gain?, &bias?, self.config.epsilon);
        }
        let (shares, width) = (names.flag("shares", fields)?, size.query_width());
        let maps = if shares { row.at("attention") } else { names };
        let mut all = Vec::new();
        for layer in 0..size.n_layers {
            let block = self.block_name(row, layer);
            let mapped = |term: &str, map: &str| {
                if !fields.mentions("pos_att_type", term) {
                    return Ok(Vec::new());
                }
                let read = |part: &str, shape: &[usize]| {
                    let name = format!("{block}.{}.{part}", maps.text(map));
                    // A map may have no bias.
                    match part {
                        "bias" if !self.checkpoint.has(&name) => Ok(vec![0.0; width]),
                        _ => self.numbers(&name, shape),
                    }
                };
                let weight = read("weight", &[width, d])?;
                let bias = Cpu.upload(read("bias", &[width])?, width);
                let matrix = Cpu.matrix(&weight, d, width, Order::OuterInner);
                Ok(Cpu.linear(&table, &matrix, Some(&bias)).into_numbers())
            };
            all.push(Rc::new(Terms::Disentangled(Disentangled {
                rows,
                head_dim: size.head_dim,
                width,
                scale: self.scale(size),
                keys: mapped(TERMS[0], "key")?,
                queries: mapped(TERMS[1], "query")?,
                met: Met::default(),
            })));
        }
        Ok(all)
    }

    /// The factor on raw scores.
    fn scale(&self, size: StackConfig) -> f32 {
        self.config.attention_scale.unwrap_or_else(|| 1.0 / (size.head_dim as f32).sqrt())
    }

    fn attention(
        &self,
        block: &str,
        row: Part<'_>,
        size: StackConfig,
        stack: Stack,
        layer: Option<usize>,
    ) -> Result<MultiHeadAttention<B>> {
        let d = self.config.d_model;
        let (queries, keys, width) = (size.query_width(), size.kv_width(), size.head_dim);
        let has_bias = row.flag("bias", self.fields)?;
        let full = |part: &str| format!("{block}.{}", row.text(part));
        let [query, key, value] = if !row.text("fused").is_empty() {
            let places = [0..queries, queries..queries + keys, queries + keys..queries + 2 * keys];
            self.parts(&full("fused"), d, &places.map(Iterator::collect), has_bias)?
        } else if row.at("fused_by_head").is_there() {
            let places = [0, 1, 2].map(|part| {
                let head = |head: usize| (3 * head + part) * width..(3 * head + part + 1) * width;
                (0..size.n_heads).flat_map(head).collect()
            });
            self.parts(&full("fused_by_head"), d, &places, has_bias)?
        } else {
            let map =
                |part: &str, outer| self.linear(&full(part), [d, outer], has_bias, self.order);
            [map("query", queries)?, map("key", keys)?, map("value", keys)?]
        };
        let own_bias = |map: Linear<B>, part: &str| match row.text(part) {
            "" => Ok(map),
            _ => self.vector(&full(part), queries).map(|bias| map.with_bias(bias)),
        };
        let (query, value) = (own_bias(query, "query_bias")?, own_bias(value, "value_bias")?);
        let norms_all_heads = row.flag("norms_all_heads", self.fields)?;
        let norm = |part: &str, all: usize| {
            if !row.at(part).is_there() {
                return Ok(None);
            }
            let width = if norms_all_heads { all } else { width };
            let Norm { gain, epsilon, .. } = self.norm(&full(part), width)?;
            Ok(Some(HeadNorm { gain, width, epsilon }))
        };
        let output_bias = if row.at("output_bias").is_there() { "output_bias" } else { "bias" };
        let output_bias = row.flag(output_bias, self.fields)?;
        let window = layer.and_then(|layer| self.config.windows.get(layer).copied().flatten());
        let turns = layer.and_then(|layer| self.turns.get(layer).cloned().flatten());
        Ok(MultiHeadAttention {
            query,
            key,
            value,
            output: self.linear(&full("output"), [queries, d], output_bias, self.order)?,
            n_heads: size.n_heads,
            n_kv_heads: size.n_kv_heads,
            head_dim: width,
            query_norm: norm("query_norm", queries)?,
            key_norm: norm("key_norm", keys)?,
            scale: self.scale(size),
            cap: self.config.score_cap,
            turns,
            relative: layer.and_then(|layer| self.terms.get(layer).cloned()),
            window: window.map(|width| Window {
                width,
                dilation: 1,
                one_sided: stack == Stack::Decoder,
            }),
        })
    }

    fn block(
        &self,
        name: &str,
        row: Part<'_>,
        size: StackConfig,
        (stack, layer): (Stack, usize),
        cross: Option<CrossAttention<B>>,
    ) -> Result<Block<B>> {
        let (d, d_ff, order) = (self.config.d_model, size.d_ff, self.order);
        let (attention, network) = (row.at("attention"), row.at("network"));
        let has_bias = network.flag("bias", self.fields)?;
        let full = |part: &str| format!("{name}.{}", network.text(part));
        let map = |part: &str| self.linear(&full(part), [d, d_ff], has_bias, order);
        let (inner, linear) = if !self.config.is_gated {
            (map("inner")?, None)
        } else if network.at("gate_and_linear").is_there() {
            let places = [0..d_ff, d_ff..2 * d_ff].map(Iterator::collect);
            let [inner, linear] = self.parts(&full("gate_and_linear"), d, &places, has_bias)?;
            (inner, Some(linear))
        } else {
            (map("gate")?, Some(map("linear")?))
        };
        let self_residual = if layer == 0 && attention.flag("first_has_no_norm", self.fields)? {
            Residual { norm: self.no_norm(), placement: NormPlace::None, after: None }
        } else {
            self.residual(name, attention)?
        };
        Ok(Block {
            self_attention: self.attention(name, attention, size, stack, Some(layer))?,
            self_residual,
            cross,
            feed_forward: FeedForward {
                inner,
                outer: self.linear(&full("outer"), [d_ff, d], has_bias, order)?,
                activation: self.config.activation,
                linear,
            },
            feed_forward_residual: self.residual(name, network)?,
            is_parallel: self.config.is_parallel,
        })
    }

    /// The output head, of a checkpoint that has one. Its names stand outside the prefix.
    fn head(&self, stack: Option<&StackWeights<B>>) -> Result<Option<OutputHead<B>>> {
        let (row, config) = (self.family.row(), self.config);
        let has = |dense: &str| self.checkpoint.has(&format!("{dense}.weight"));
        let later = Some(row.at("later_head"))
            .filter(|later| has(later.text("dense")) || has(later.text("projection")));
        let row = later.unwrap_or(row.at("head"));
        let (width, vocabulary) = (config.embedding_width, config.n_vocabulary);
        let projection = format!("{}.weight", row.text("projection"));
        let dense = row.text("dense");
        let has_transform = !dense.is_empty();
        let is_there = if has_transform {
            has(dense)
        } else {
            // A bare model predicts nothing; one of images may be another thing than a classifier.
            let is_text = config.image.is_none();
            is_text && (self.is_tied || !self.prefix.is_empty()) || self.checkpoint.has(&projection)
        };
        let (true, Some(stack)) = (is_there, stack) else { return Ok(None) };
        let mut transform = None;
        if has_transform {
            let has_bias = row.flag("dense_bias", self.fields)?;
            let sizes = [config.d_model, width];
            transform = Some(Transform {
                dense: self.linear(dense, sizes, has_bias, Order::OuterInner)?,
                activation: self.fields.activation_or(row.text("activation"), Activation::Gelu)?,
                norm: self.norm(row.text("norm"), width)?,
            });
        }
        let matrix = match &stack.embedding.tokens {
            Tokens::Table(tokens) if self.is_tied => Rc::clone(tokens),
            _ => self.table(&projection, vocabulary)?,
        };
        // An untied projection has a bias of its own. Files from before transformers 5 store one.
        let untied = row.text("untied_bias");
        let is_own = !self.is_tied && self.checkpoint.has(untied);
        let bias = match if is_own { untied } else { row.text("bias") } {
            "" if self.checkpoint.has("final_logits_bias") => {
                let bias = self.numbers("final_logits_bias", &[1, vocabulary])?;
                Some(self.backend.upload(bias, vocabulary))
            }
            "" => None,
            name => Some(self.vector(name, vocabulary)?),
        };
        let scales = self.is_tied && row.flag("scales_where_tied", self.fields)?;
        Ok(Some(OutputHead {
            transform,
            projection: Linear::new(matrix, bias),
            factor: scales.then(|| 1.0 / (config.d_model as f32).sqrt()),
            cap: config.logit_cap,
            widths: [width, vocabulary],
            distilled: match row.text("distilled") {
                "" => None,
                name => Some(self.linear(name, [width, vocabulary], true, Order::OuterInner)?),
            },
        }))
    }
}
