//! The weight of each head on the token before, in a text without content: every position has the
//! mean of all token embeddings, and its own positional encoding of whatever scheme the model has.
//!
//! The rows enter each block by its own norm as if the stream were the embedding alone, so that no
//! other block takes part; queries, keys, relative terms and mask are computed by the code of a
//! run. For absolute positions this is the positional part of the QK circuit (Elhage et al. 2021).

use std::rc::Rc;

use crate::axes::{Stack, Stage};
use crate::backend::Backend;
use crate::blocks::{BatchText, Unplaced, UnplacedTokens};
use crate::error::Result;
use crate::model::Model;
use crate::run::circuits::weights_of;
use crate::run::stack_run::StackRun;
use crate::run::{Run, RunRequest};

/// The most tokens of the text.
const MOST_TOKENS: usize = 64;

/// A text without content, of which each block can be asked what its heads attend to.
pub(super) struct EmptyText<B: Backend> {
    stack: Stack,
    run: StackRun<B>,
    /// The rows of the residual stream, `[n, d]`.
    rows: B::Tensor,
    n: usize,
}

impl<B: Backend> EmptyText<B> {
    /// The text of a stack whose token embeddings have this mean, `[1, width]`.
    ///
    /// # Errors
    /// The errors of a run of so many tokens.
    pub fn new(model: &Rc<Model<B>>, stack: Stack, mean: &B::Tensor) -> Result<Self> {
        let backend = &model.backend;
        let weights = weights_of(model, stack).ok_or_else(|| model.no_stack(stack))?;
        let n = MOST_TOKENS.min(model.config.max_tokens);
        // Padding would have no position.
        let id = match &weights.embedding.unplaced {
            Some(Unplaced { tokens: UnplacedTokens::Padding(0), .. }) => 1.0,
            _ => 0.0,
        };
        let ids = vec![id; n];
        let target_ids = model.config.has_cross_attention().then(|| ids.clone());
        let request = RunRequest { ids, target_ids, ..RunRequest::default() };
        let run = Run::begin(model, &request, None)?;
        let found = if stack == Stack::Encoder { run.encoder } else { run.decoder };
        let found = found.ok_or_else(|| model.no_stack(stack))?;
        let mut tokens = mean.clone();
        (1..n).for_each(|_| backend.append(&mut tokens, mean));
        let added = found.places.added.as_ref().map(|table| backend.select(table, 0..n));
        let rows = weights.embedding.of_tokens(backend, tokens, &vec![0; n], added.as_ref());
        Ok(Self { stack, run: found, rows, n })
    }

    /// The mean weight of each head of a block on the token before.
    ///
    /// # Errors
    /// The errors of reading from the backend.
    pub async fn previous_token(&mut self, model: &Model<B>, layer: usize) -> Result<Vec<f64>> {
        let backend = &model.backend;
        let block = weights_of(model, self.stack).and_then(|weights| weights.blocks.get(layer));
        let Some((block, sites)) = block.zip(self.run.sites.get_mut(layer)) else {
            return Ok(Vec::new());
        };
        let input = &self.rows;
        block.project(backend, &mut [BatchText { sites, input }], 0..self.n);
        let spec = &sites.own;
        spec.fetch(backend).await?;
        let of_head = |head| {
            let cells = spec.pattern(backend, head, Stage::Weights);
            let before = (1..self.n).map(|at| f64::from(cells[at * self.n + at - 1]));
            before.sum::<f64>() / (self.n - 1).max(1) as f64
        };
        Ok((0..spec.n_heads).map(of_head).collect())
    }
}
