//! Reading of a checkpoint's tensors as tensors and matrices of a backend. Parameters are counted
//! as they are read; matrices of one name are read once.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::super::checkpoint::{Checkpoint, Tensor};
use super::super::config::{ModelConfig, StackConfig};
use super::super::family::{Family, StackNames, TieSetting, TokenNames};
use super::super::wire::Fields;
use crate::attention::Turns;
use crate::backend::{Backend, Linear, Order};
use crate::error::Result;
use crate::kernels::stored::Format;
use crate::positions::{Scheme, Terms};

/// The rows that the backend receives at once.
const PIECE: usize = 64;

/// The loader of one checkpoint.
pub(super) struct Loader<'a, B: Backend> {
    pub backend: &'a B,
    pub family: &'a Family,
    pub config: &'a ModelConfig,
    pub fields: &'a Fields,
    pub checkpoint: &'a Checkpoint<'a>,
    /// The prefix of the names of tensors.
    pub prefix: &'a str,
    /// The order of stored matrices.
    pub order: Order,
    /// Whether token tables and output projection are tied.
    pub is_tied: bool,
    /// The positional encoding, corrected by the tables that the checkpoint has.
    pub scheme: Scheme,
    /// The matrices read so far, by name; a few hundred at most.
    matrices: RefCell<Vec<(String, Rc<B::Matrix>)>>,
    /// The rows of a tensor that is transposed or holds several maps. One buffer for all of them
    /// avoids fragmented memory.
    outputs: RefCell<Vec<u8>>,
    /// The relative-position terms by layer, in a family that has them.
    pub terms: Vec<Rc<Terms>>,
    /// The rotation tables by layer.
    pub turns: Vec<Option<Rc<Turns<B>>>>,
    parameters: Cell<u64>,
    /// The names of the tensors that are counted.
    names: RefCell<BTreeSet<String>>,
}

impl<'a, B: Backend> Loader<'a, B> {
    /// A loader with the prefix under which the first stack's tokens are stored.
    pub fn new(
        backend: &'a B,
        family: &'a Family,
        config: &'a ModelConfig,
        fields: &'a Fields,
        checkpoint: &'a Checkpoint<'a>,
    ) -> Result<Self> {
        let stacks = [family.encoder, family.decoder];
        let is_there =
            |prefix: &str| stacks.iter().flatten().any(|names| is_under(prefix, names, checkpoint));
        let prefix = family.prefixes.iter().find(|prefix| is_there(prefix));
        let is_transposed = family.is_transposed.read(fields)?;
        Ok(Self {
            backend,
            family,
            config,
            fields,
            checkpoint,
            order: if is_transposed { Order::InnerOuter } else { Order::OuterInner },
            prefix: prefix.or(family.prefixes.first()).copied().unwrap_or(""),
            is_tied: match family.tie {
                TieSetting::Field(default) => fields.flag_or("tie_word_embeddings", default)?,
                TieSetting::Always => true,
            },
            scheme: config.positions,
            matrices: RefCell::default(),
            outputs: RefCell::default(),
            terms: Vec::new(),
            turns: turns(backend, config),
            parameters: Cell::default(),
            names: RefCell::default(),
        })
    }

    /// The number of parameters read since the last call.
    pub fn counted(&self) -> u64 {
        self.parameters.take()
    }

    /// Counts a tensor's parameters, once for a tensor that blocks share.
    pub fn count(&self, full_name: &str, own: u64) {
        if self.names.borrow_mut().insert(full_name.to_owned()) {
            self.parameters.set(self.parameters.get() + own);
        }
    }

    /// The full name of a tensor.
    pub fn name(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Whether a tensor may belong to the model: to one of its blocks, tables, norms or heads.
    pub fn may_read(&self, name: &str) -> bool {
        let of_head = self.family.heads.iter().any(|head| head.has_tensor(name));
        let Some(own) = name.strip_prefix(self.prefix) else { return of_head };
        let stacks = [
            self.family.encoder.as_ref().zip(self.config.encoder),
            self.family.decoder.as_ref().zip(self.config.decoder),
        ];
        of_head || stacks.iter().flatten().any(|(names, size)| names.has_tensor(own, size.n_layers))
    }

    /// The full name of a block.
    pub fn block_name(&self, names: &StackNames, layer: usize) -> Result<String> {
        let Some(groups) = names.groups else {
            return Ok(self.name(&names.blocks.replace("{}", &layer.to_string())));
        };
        let (n_groups, inner) = (groups.groups.read(self.fields)?, groups.inner.read(self.fields)?);
        let n_layers = self.fields.size(names.sizes.layers)?;
        // Divided in f64, as Hugging Face does.
        let group = (layer / inner) as f64 / (n_layers as f64 / n_groups as f64);
        #[expect(clippy::cast_sign_loss, reason = "a quotient of sizes")]
        let group = (group as usize).to_string();
        let block = names.blocks.replacen("{}", &group, 1);
        Ok(self.name(&block.replacen("{}", &(layer % inner).to_string(), 1)))
    }

    /// The numbers of a tensor, row-major.
    pub fn numbers(&self, full_name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let numbers = self.checkpoint.read(full_name, shape)?;
        self.count(full_name, numbers.len() as u64);
        Ok(numbers)
    }

    /// A vector `[1, n]`.
    pub fn vector(&self, full_name: &str, n: usize) -> Result<B::Tensor> {
        Ok(self.backend.upload(self.numbers(full_name, &[n])?, n))
    }

    /// The tensor of a matrix, whose parameters are counted.
    pub fn weight(
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

    /// A matrix, shared by all maps with its name.
    pub fn matrix(
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

    /// A matrix of some of the rows in `outputs`.
    pub fn part(&self, format: Format, inner: usize, own: &[usize]) -> Result<B::Matrix> {
        let (bytes, stride) = (self.outputs.borrow(), format.row_bytes(inner));
        let row = |&at: &usize| &bytes[at * stride..][..stride];
        let rows = |own: &[usize]| own.iter().map(row).collect::<Vec<_>>().concat();
        let mut pieces = own.chunks(PIECE).map(|own| Ok(rows(own)));
        self.backend.stored_matrix(format, [inner, own.len()], &mut pieces)
    }

    /// An embedding table `[n, width]` as the matrix `[width, n]`, which is also the shape of an
    /// output projection.
    pub fn table(&self, full_name: &str, n: usize) -> Result<Rc<B::Matrix>> {
        self.matrix(full_name, self.config.embedding_width, n, Order::OuterInner)
    }

    /// A map with its bias, if it has one.
    pub fn linear(
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

    /// Several maps, split from one that holds them: `places` gives the outputs of each.
    pub fn parts<const N: usize>(
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

    /// The factor of raw scores in a layer.
    pub fn scale(&self, size: StackConfig, layer: Option<usize>) -> f32 {
        let scale = self.config.attention_scale;
        let scale = scale.unwrap_or_else(|| 1.0 / (size.head_dim as f32).sqrt());
        let divisor = layer.and_then(|layer| self.config.score_divisors.get(layer));
        divisor.map_or(scale, |divisor| scale / divisor)
    }
}

/// Whether tokens, or the first block of a stack, are stored under a prefix.
fn is_under(prefix: &str, names: &StackNames, checkpoint: &Checkpoint<'_>) -> bool {
    let has = |name: &str| checkpoint.has(&format!("{prefix}{name}"));
    let block = names.blocks.replace("{}", "0");
    let has_tokens = match names.tokens {
        TokenNames::Table(table) => has(table),
        TokenNames::Shared { shared, own, other } => has(shared) || has(own) || has(other),
        TokenNames::Patches { specials, .. } => specials.iter().any(|name| has(name)),
    };
    has_tokens || has(&format!("{block}.{}.weight", names.network.outer))
}

/// The rotation of queries and keys by layer. Layers with the same rotation share a table.
fn turns<B: Backend>(backend: &B, config: &ModelConfig) -> Vec<Option<Rc<Turns<B>>>> {
    let mut tables: Vec<Rc<Turns<B>>> = Vec::new();
    let turns = config.rotations.iter().map(|rotation| {
        let rotation = rotation.as_ref().filter(|one| !one.periods.is_empty())?;
        if let Some(known) = tables.iter().find(|known| known.rotation == **rotation) {
            return Some(Rc::clone(known));
        }
        let table = rotation.table(config.max_tokens.min(rotation.usual_length()));
        let table = backend.upload(table, 2 * rotation.periods.len());
        tables.push(Rc::new(Turns { rotation: (**rotation).clone(), table }));
        tables.last().cloned()
    });
    turns.collect()
}
