//! From token ids to the residual stream: a row per token, scaled, plus where it
//! stands, plus (BERT) which of two texts it belongs to, then a norm where there is one.
//!
//! `x_p = E[id_p] · s (+ P[p]) (+ T[type_p])`, `s = √d` in the 2017 paper; of an image the tokens
//! are its patches, behind trained rows of their own: `x_p = patch_p W + b + P[p]`
//!
//! Sources: Vaswani et al. 2017, sections 3.4 and 3.5; token types and the norm after
//! the sum, Devlin et al. 2019, section 3; patches, Dosovitskiy et al. 2021, equation 1.

use std::rc::Rc;

use super::Norm;
use crate::backend::{Backend, Linear};

/// What tokens are before order is added.
pub enum Tokens<B: Backend> {
    /// `E`, `[d, vocabulary]`, shared with the output projection where they are tied.
    Table(Rc<B::Matrix>),
    /// The rows of an image before positions are added.
    Patches {
        /// The rows of the class token and, in `DeiT`, of the distillation token, `[specials, d]`.
        specials: B::Tensor,
        /// `W` and `b`, from a patch `[channels, rows, columns]` to the stream.
        map: Linear<B>,
    },
}

/// Which tokens have no position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnplacedTokens {
    /// Tokens with this id.
    Padding(u32),
    /// Tokens that the attention mask leaves out.
    Masked,
}

/// Tokens without a position, and the row that is added in place of one of `P`, `[1, d]`.
pub struct Unplaced<B: Backend> {
    /// Which they are.
    pub tokens: UnplacedTokens,
    /// The row.
    pub row: B::Tensor,
}

/// The tables of one stack.
pub struct Embedding<B: Backend> {
    /// A row per token.
    pub tokens: Tokens<B>,
    /// `s`.
    pub scale: f32,
    /// The model's own `P`, `[positions, d]`, where order is added here (with rotary positions
    /// it is not). Which table is added in a run, the run says.
    pub positions: Option<B::Tensor>,
    /// Tokens without a position, over which positions are not counted.
    pub unplaced: Option<Unplaced<B>>,
    /// `T`, `[d, types]`.
    pub token_types: Option<Rc<B::Matrix>>,
    /// The norm after the sum.
    pub norm: Option<Norm<B>>,
    /// From the tables' width to the stream's, where these differ (Lan et al. 2020, section 3.1).
    pub projection: Option<Linear<B>>,
    /// Whether the projection takes tokens alone, before order is added (OPT: Zhang et al. 2022),
    /// and not what the norm leaves.
    pub projects_tokens: bool,
}

impl<B: Backend> Embedding<B> {
    /// The rows for `ids`, which have `types` and, where order is added, these rows of `P`. The ids
    /// of an image's tokens are their positions, one after the other; `patches` are all of its
    /// patches, `[n, channels · rows · columns]`.
    ///
    /// # Shapes
    /// `n` ids, `n` types → `[n, d]`.
    pub fn forward(
        &self,
        backend: &B,
        ids: &[u32],
        patches: Option<&B::Tensor>,
        types: &[u32],
        positions: Option<&B::Tensor>,
    ) -> B::Tensor {
        let mut tokens = self.tokens(backend, ids, patches, self.scale);
        if self.projects_tokens {
            tokens = self.projected(backend, &tokens);
        }
        let x = self.normed(backend, &self.sum(backend, tokens, types, positions));
        if self.projects_tokens { x } else { self.projected(backend, &x) }
    }

    /// The rows of tokens alone, scaled where they are those of a table.
    pub fn tokens(
        &self,
        backend: &B,
        ids: &[u32],
        patches: Option<&B::Tensor>,
        scale: f32,
    ) -> B::Tensor {
        let (specials, map) = match &self.tokens {
            Tokens::Table(table) => return backend.embed(table, ids, scale),
            Tokens::Patches { specials, map } => (specials, map),
        };
        let first = ids.first().map_or(0, |&id| id as usize);
        let end = first + ids.len();
        let n = backend.rows(specials);
        let mut rows = backend.select(specials, first.min(n)..end.min(n));
        let own = first.saturating_sub(n)..end.saturating_sub(n);
        if let Some(patches) = patches.filter(|_| !own.is_empty()) {
            backend.append(&mut rows, &map.forward(backend, &backend.select(patches, own)));
        }
        rows
    }

    /// Through the norm, if there is one.
    pub fn normed(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        self.norm.as_ref().map_or(x.clone(), |norm| norm.forward(backend, x))
    }

    fn projected(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        self.projection.as_ref().map_or(x.clone(), |projection| projection.forward(backend, x))
    }

    /// What is added up, before the norm.
    pub fn sum(
        &self,
        backend: &B,
        tokens: B::Tensor,
        types: &[u32],
        positions: Option<&B::Tensor>,
    ) -> B::Tensor {
        let x = match positions {
            Some(rows) => backend.add(&tokens, rows),
            None => tokens,
        };
        match &self.token_types {
            Some(table) => backend.add(&x, &backend.embed(table, types, 1.0)),
            None => x,
        }
    }
}
