//! The trained parameters of a model, each once, though two parts of the model may share it.
//!
//! A visit goes through all places of parameters in a fixed order; a parameter is stored beside the
//! model, in the order `[outer, inner]`, and written into all of its places.

use std::rc::Rc;

use crate::attention::MultiHeadAttention;
use crate::axes::Stack;
use crate::backend::{
    Algebra, Autodiff, Derivatives, Linear, Node, Order, Storage, Traced, TracedMatrix,
};
use crate::blocks::{Block, Norm, NormKind, OutputHead, Residual, Tokens};
use crate::error::{Code, Error, Result};
use crate::model::{Model, ModelConfig, StackWeights};
use crate::positions::Scheme;

/// A trained parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    /// The place of the parameter in the model, for instance `decoder.0.self.query.weight`.
    pub name: String,
    /// The number of columns: inputs of a weight, dimensions of a bias.
    pub columns: usize,
    /// The numbers, `[outer, inner]`.
    pub values: Vec<f32>,
}

impl Parameter {
    /// The stack and the block of the parameter, as its name has them.
    pub fn part(&self) -> (Option<Stack>, Option<usize>) {
        let mut names = self.name.split('.');
        let stack = names.next().and_then(|name| Stack::parse(name).ok());
        (stack, names.next().and_then(|layer| layer.parse().ok()))
    }
}

/// All parameters of a model.
pub(super) struct Parameters<B: Derivatives> {
    /// Each parameter once.
    pub all: Vec<Parameter>,
    /// The parameters as they are in the model, with respect to which gradients are computed.
    pub nodes: Vec<Rc<Node<B>>>,
    /// The parameter of each place, in the order of a visit.
    places: Vec<usize>,
}

/// A place of a parameter in the model.
enum Place<'a, B: Derivatives> {
    Weight(&'a mut Rc<TracedMatrix<B>>),
    Row(&'a mut Traced<B>),
}

type Visit<'v, B> = dyn FnMut(&str, Place<'_, B>) + 'v;

impl<B: Derivatives> Parameters<B> {
    /// The parameters of a loaded model.
    ///
    /// # Errors
    /// `config/unsupported-family` for a model with parameters that are not visited here,
    /// `output/unavailable` for one without an output head, and those of reading.
    pub async fn of(model: &mut Model<Autodiff<B>>) -> Result<Self> {
        check(model)?;
        let mut found = Self { all: Vec::new(), nodes: Vec::new(), places: Vec::new() };
        let mut tensors = Vec::new();
        let Model { backend, config, encoder, decoder, head, .. } = model;
        visit((config, encoder, decoder, head), &mut |name, place| {
            let node = match &place {
                Place::Weight(matrix) => Rc::clone(matrix.node()),
                Place::Row(row) => Rc::clone(row.node()),
            };
            let known = found.nodes.iter().position(|own| Rc::ptr_eq(own, &node));
            found.places.push(known.unwrap_or(found.nodes.len()));
            if known.is_none() {
                found.nodes.push(node);
                tensors.push((name.to_owned(), numbers(backend, &place)));
            }
        });
        for (name, tensor) in tensors {
            let columns = backend.recorded().columns(tensor.value());
            let values = backend.read(&tensor).await?;
            found.all.push(Parameter { name, columns, values });
        }
        Ok(found)
    }

    /// Writes the parameters into the model.
    pub fn write(&mut self, model: &mut Model<Autodiff<B>>) {
        let Model { backend, config, encoder, decoder, head, .. } = model;
        let mut places = self.places.iter();
        let mut weights: Vec<Option<Rc<TracedMatrix<B>>>> = vec![None; self.all.len()];
        visit((config, encoder, decoder, head), &mut |_, place| {
            let Some(&index) = places.next() else { return };
            let Parameter { columns, values, .. } = &self.all[index];
            self.nodes[index] = match place {
                Place::Weight(place) => {
                    let own = weights[index].get_or_insert_with(|| {
                        let outer = values.len() / columns;
                        Rc::new(backend.matrix(values, *columns, outer, Order::OuterInner))
                    });
                    *place = Rc::clone(own);
                    Rc::clone(place.node())
                }
                Place::Row(place) => {
                    *place = backend.upload(values.clone(), *columns);
                    Rc::clone(place.node())
                }
            };
        });
    }
}

/// The numbers of a parameter, `[outer, inner]`.
fn numbers<B: Derivatives>(backend: &Autodiff<B>, place: &Place<'_, B>) -> Traced<B> {
    match place {
        Place::Row(row) => (*row).clone(),
        Place::Weight(matrix) => {
            let [_, outer] = backend.shape(matrix);
            let all: Vec<u32> = (0..outer as u32).collect();
            backend.embed(matrix, &all, 1.0)
        }
    }
}

/// Refuses a model that has parameters which a visit does not reach.
fn check<B: Derivatives>(model: &Model<Autodiff<B>>) -> Result<()> {
    let stacks = || model.encoder.iter().chain(&model.decoder);
    let sites = || {
        let blocks = stacks().flat_map(|stack| &stack.blocks);
        blocks.flat_map(|block| {
            block.cross.iter().map(|cross| &cross.attention).chain([&block.self_attention])
        })
    };
    let missing = [
        ("norms of queries or keys", sites().any(|site| site.query_norm.is_some())),
        ("trained relative positions", sites().any(|site| site.relative.is_some())),
        (
            "a convolution",
            stacks().any(|stack| stack.blocks.iter().any(|block| block.convolution.is_some())),
        ),
        ("a projection of embeddings", stacks().any(|stack| stack.embedding.projection.is_some())),
        (
            "a row for tokens without a position",
            stacks().any(|stack| stack.embedding.unplaced.is_some()),
        ),
        ("patches of images", model.config.image.is_some()),
    ];
    if let Some((part, _)) = missing.into_iter().find(|(_, is_there)| *is_there) {
        let expected = "a model of text whose parameters are embeddings, linear maps and norms, as \
                        BERT, GPT-2, Llama or Marian";
        return Err(Error::new(
            Code::ConfigUnsupportedFamily,
            "the model to train",
            expected,
            part,
        ));
    }
    if model.head.is_none() {
        let expected = "one with an output head";
        return Err(Error::new(Code::OutputUnavailable, "the model to train", expected, "none"));
    }
    Ok(())
}

/// The parts of a model that have parameters, and its config.
type Parts<'a, B> = (
    &'a ModelConfig,
    &'a mut Option<StackWeights<Autodiff<B>>>,
    &'a mut Option<StackWeights<Autodiff<B>>>,
    &'a mut Option<OutputHead<Autodiff<B>>>,
);

/// Calls `look` with each place of a parameter.
fn visit<B: Derivatives>((config, encoder, decoder, head): Parts<'_, B>, look: &mut Visit<'_, B>) {
    for (name, stack) in [("encoder", encoder), ("decoder", decoder)] {
        let Some(stack) = stack else { continue };
        let mut look = |own: &str, place: Place<'_, B>| look(&format!("{name}.{own}"), place);
        visit_embedding(config, stack, &mut look);
        for (layer, block) in stack.blocks.iter_mut().enumerate() {
            visit_block(block, &mut |own, place| look(&format!("{layer}.{own}"), place));
        }
        if let Some(norm) = &mut stack.final_norm {
            visit_norm("final-norm", norm, &mut look);
        }
    }
    let Some(head) = head else { return };
    if let Some(transform) = &mut head.transform {
        visit_map("head.dense", &mut transform.dense, look);
        if let Some(norm) = &mut transform.norm {
            visit_norm("head.norm", norm, look);
        }
    }
    let (matrix, bias) = head.projection.parts_mut();
    look("head.weight", Place::Weight(matrix));
    // An encoder–decoder's is a constant, as in Hugging Face.
    if let Some(bias) = bias.filter(|_| !config.has_cross_attention()) {
        look("head.bias", Place::Row(bias));
    }
}

fn visit_embedding<B: Derivatives>(
    config: &ModelConfig,
    stack: &mut StackWeights<Autodiff<B>>,
    look: &mut Visit<'_, B>,
) {
    let embedding = &mut stack.embedding;
    if let Tokens::Table(table) = &mut embedding.tokens {
        look("tokens", Place::Weight(table));
    }
    // Other tables of positions are computed, not trained.
    if let Some(positions) = &mut embedding.positions
        && config.positions == Scheme::Learned
    {
        look("positions", Place::Row(positions));
    }
    if let Some(types) = &mut embedding.token_types {
        look("token-types", Place::Weight(types));
    }
    if let Some(norm) = &mut embedding.norm {
        visit_norm("embedding-norm", norm, look);
    }
}

fn visit_block<B: Derivatives>(block: &mut Block<Autodiff<B>>, look: &mut Visit<'_, B>) {
    visit_attention("self", &mut block.self_attention, look);
    visit_residual("self", &mut block.self_residual, look);
    if let Some(cross) = &mut block.cross {
        visit_attention("cross", &mut cross.attention, look);
        visit_residual("cross", &mut cross.residual, look);
    }
    visit_map("feed-forward.inner", &mut block.feed_forward.inner, look);
    if let Some(linear) = &mut block.feed_forward.linear {
        visit_map("feed-forward.linear", linear, look);
    }
    visit_map("feed-forward.outer", &mut block.feed_forward.outer, look);
    visit_residual("feed-forward", &mut block.feed_forward_residual, look);
}

fn visit_attention<B: Derivatives>(
    name: &str,
    attention: &mut MultiHeadAttention<Autodiff<B>>,
    look: &mut Visit<'_, B>,
) {
    visit_map(&format!("{name}.query"), &mut attention.query, look);
    visit_map(&format!("{name}.key"), &mut attention.key, look);
    visit_map(&format!("{name}.value"), &mut attention.value, look);
    visit_map(&format!("{name}.output"), &mut attention.output, look);
}

fn visit_residual<B: Derivatives>(
    name: &str,
    residual: &mut Residual<Autodiff<B>>,
    look: &mut Visit<'_, B>,
) {
    visit_norm(&format!("{name}.norm"), &mut residual.norm, look);
    if let Some(after) = &mut residual.after {
        visit_norm(&format!("{name}.norm-after"), after, look);
    }
}

fn visit_map<B: Derivatives>(name: &str, map: &mut Linear<Autodiff<B>>, look: &mut Visit<'_, B>) {
    let (matrix, bias) = map.parts_mut();
    look(&format!("{name}.weight"), Place::Weight(matrix));
    if let Some(bias) = bias {
        look(&format!("{name}.bias"), Place::Row(bias));
    }
}

fn visit_norm<B: Derivatives>(name: &str, norm: &mut Norm<Autodiff<B>>, look: &mut Visit<'_, B>) {
    look(&format!("{name}.gain"), Place::Row(&mut norm.gain));
    if let NormKind::Layer(bias) = &mut norm.kind {
        look(&format!("{name}.bias"), Place::Row(bias));
    }
}
