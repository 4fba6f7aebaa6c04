//! Loading of the output head, if the checkpoint has one.

use std::rc::Rc;

use super::super::StackWeights;
use super::super::family::{HeadNames, ProjectionNames, TokenNames};
use super::tensors::Loader;
use crate::backend::{Backend, Linear, Order};
use crate::blocks::{OutputHead, Tokens, Transform};
use crate::error::Result;
use crate::kernels::activation::Activation;

/// The words after "For" in the names of Hugging Face's classes whose head predicts tokens.
const TEXT_TASKS: [&str; 4] = ["CausalLM", "MaskedLM", "ConditionalGeneration", "PreTraining"];

/// The maps of heads that do not predict tokens, for configs that name no class.
const OTHER_HEADS: [&str; 4] = ["score", "classifier", "qa_outputs", "classification_head.dense"];

impl<B: Backend> Loader<'_, B> {
    /// The output head, if the checkpoint has one. The names of its tensors have no prefix.
    fn head(&self, stack: Option<&StackWeights<B>>) -> Result<Option<OutputHead<B>>> {
        let Some((names, stack)) = self.head_names().zip(stack) else { return Ok(None) };
        let config = self.config;
        let (width, vocabulary) = (config.embedding_width, config.n_vocabulary);
        let matrix = match (&stack.embedding.tokens, self.projection(&names)?) {
            (Tokens::Table(tokens), None) => Rc::clone(tokens),
            (_, projection) => self.table(&projection.unwrap_or_default(), vocabulary)?,
        };
        let distilled = names
            .distilled
            .map(|name| self.linear(name, [width, vocabulary], true, Order::OuterInner));
        Ok(Some(OutputHead {
            transform: self.transform(&names)?,
            projection: Linear::new(matrix, self.head_bias(&names)?),
            factor: self.is_scaled(&names)?.then(|| 1.0 / (config.d_model as f32).sqrt()),
            cap: config.logit_cap,
            widths: [width, vocabulary],
            distilled: distilled.transpose()?,
        }))
    }

    /// The names of the head whose tensors exist.
    fn head_names(&self) -> Option<HeadNames> {
        let has = |name: Option<&str>| {
            name.is_some_and(|name| self.checkpoint.has(&format!("{name}.weight")))
        };
        let dense = |names: &HeadNames| names.transform.map(|transform| transform.dense);
        let (usual, others) = self.family.heads.split_last()?;
        let other = others.iter().find(|names| has(dense(names)) || has(names.projection));
        if let Some(names) = other {
            return Some(*names);
        }
        let is_there = if usual.transform.is_some() {
            has(dense(usual))
        } else {
            // A bare model has no head; one of images may have another head than a classifier.
            let is_text = self.config.image.is_none();
            let is_whole = self.is_tied || !self.prefix.is_empty();
            (is_text && is_whole) || has(usual.projection)
        };
        is_there.then_some(*usual)
    }

    /// The transform before the projection.
    fn transform(&self, head: &HeadNames) -> Result<Option<Transform<B>>> {
        let sizes = [self.config.d_model, self.config.embedding_width];
        if let Some(names) = head.transform {
            let has_bias = names.dense_bias.read(self.fields)?;
            return Ok(Some(Transform {
                dense: self.linear(names.dense, sizes, has_bias, Order::OuterInner)?,
                activation: names.activation.read(self.fields)?,
                norm: Some(self.norm(names.norm, sizes[1])?),
            }));
        }
        let projection = self.family.first_stack().map(|names| names.embedding_projection);
        let Some(ProjectionNames::OfTokens { leave, .. }) = projection else { return Ok(None) };
        if sizes[0] == sizes[1] {
            return Ok(None);
        }
        let dense = self.linear(&self.name(leave), sizes, false, Order::OuterInner)?;
        Ok(Some(Transform { dense, activation: Activation::Linear, norm: None }))
    }

    /// The output head; without one, what the folder has in its place and is not computed: the
    /// class by which Hugging Face reads the folder, or a tensor.
    pub fn head_or_name(
        &self,
        stack: Option<&StackWeights<B>>,
    ) -> Result<(Option<OutputHead<B>>, Option<String>)> {
        if let Some(other) = self.other_head()? {
            return Ok((None, Some(other)));
        }
        let head = self.head(stack)?;
        let class = self.fields.architecture()?.filter(|class| class.contains("For"));
        let missing = class.filter(|_| head.is_none()).map(str::to_owned);
        Ok((head, missing))
    }

    /// The class or tensor of a head for another task.
    fn other_head(&self) -> Result<Option<String>> {
        if self.config.image.is_some() {
            return Ok(None);
        }
        if let Some(class) = self.fields.architecture()? {
            let task = class.split_once("For").map(|(_, task)| task);
            let is_other =
                task.is_some_and(|task| !TEXT_TASKS.iter().any(|own| task.starts_with(own)));
            return Ok(is_other.then(|| class.to_owned()));
        }
        let tensors = OTHER_HEADS.iter().map(|head| format!("{head}.weight"));
        Ok(tensors.into_iter().find(|name| self.checkpoint.has(name)))
    }

    /// The name of the projection's table, `None` if it is the last stack's own: the file's
    /// projection, unless it is tied and repeats the embedding, else the table that two stacks
    /// share.
    fn projection(&self, names: &HeadNames) -> Result<Option<String>> {
        let own = names.projection.map(|name| format!("{name}.weight"));
        let last = self.family.decoder.as_ref().or(self.family.encoder.as_ref());
        let (table, shared) = match last.map(|names| names.tokens) {
            Some(TokenNames::Table(table)) => (self.name(table), None),
            Some(TokenNames::Shared { shared, own, .. }) => {
                (self.name(own), Some(self.name(shared)))
            }
            Some(TokenNames::Patches { .. }) | None => return Ok(own),
        };
        if !self.is_tied {
            return Ok(own);
        }
        let shared = shared.filter(|name| self.checkpoint.has(name));
        let table = shared.clone().unwrap_or(table);
        match own.filter(|name| self.checkpoint.has(name)) {
            Some(own)
                if self.checkpoint.has(&table) && !self.checkpoint.is_same(&own, &table)? =>
            {
                Ok(Some(own))
            }
            _ => Ok(shared),
        }
    }

    /// Whether the projection reads hidden states divided by the root of their width.
    fn is_scaled(&self, names: &HeadNames) -> Result<bool> {
        let Some(field) = names.scaled else { return Ok(false) };
        if self.fields.is_null(field) {
            return Ok(false);
        }
        let default = self.fields.flag_or("tie_word_embeddings", true)?;
        self.fields.flag_or(field, default)
    }

    /// The bias of the projection; an untied projection's own bias wins.
    fn head_bias(&self, names: &HeadNames) -> Result<Option<B::Tensor>> {
        let vocabulary = self.config.n_vocabulary;
        let untied = names.untied_bias.filter(|name| self.checkpoint.has(name));
        if let Some(name) = untied.or(names.bias) {
            return self.vector(name, vocabulary).map(Some);
        }
        if !self.checkpoint.has("final_logits_bias") {
            return Ok(None);
        }
        let bias = self.numbers("final_logits_bias", &[1, vocabulary])?;
        Ok(Some(self.backend.upload(bias, vocabulary)))
    }
}
