//! From token ids to the residual stream: a row per token, scaled, plus a row per position, plus
//! (BERT) a row for which of two texts the token belongs to, then a norm where there is one.
//!
//! `x_p = E[id_p] · s (+ P[p]) (+ T[type_p])`, `s = √d` in the 2017 paper; the tokens of an image
//! are its patches, behind trained rows of special tokens: `x_p = patch_p W + b + P[p]`
//!
//! Sources: Vaswani et al. 2017, sections 3.4 and 3.5; token types and the norm after
//! the sum, Devlin et al. 2019, section 3; patches, Dosovitskiy et al. 2021, equation 1.

use std::rc::Rc;

use super::Norm;
use crate::backend::{Backend, Linear};

/// The source of token embeddings.
pub enum Tokens<B: Backend> {
    /// The embedding table `E`, `[d, vocabulary]`, shared with the output projection if the two are
    /// tied.
    Table(Rc<B::Matrix>),
    /// The patches of an image, behind special tokens.
    Patches {
        /// The rows of the class token and, in `DeiT`, of the distillation token, `[specials, d]`.
        specials: B::Tensor,
        /// The map `W`, `b` from a patch `[channels, rows, columns]` to the residual stream.
        map: Linear<B>,
    },
}

/// The tokens that have no position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnplacedTokens {
    /// Padding: the tokens with this id.
    Padding(u32),
    /// The tokens that the attention mask leaves out.
    Masked,
}

/// Tokens without a position, and the row that is added to them in place of one of `P`, `[1, d]`.
pub struct Unplaced<B: Backend> {
    /// The choice of these tokens.
    pub tokens: UnplacedTokens,
    /// The row that they get, `[1, d]`.
    pub row: B::Tensor,
}

/// The embeddings of one stack.
pub struct Embedding<B: Backend> {
    /// The source of token embeddings, a row per token.
    pub tokens: Tokens<B>,
    /// The factor of token embeddings, `s`.
    pub scale: f32,
    /// The model's position table `P`, `[positions, d]`, if positions are added to the embeddings
    /// (rotary ones are not). A run may add another table.
    pub positions: Option<B::Tensor>,
    /// Tokens without a position, which position ids skip.
    pub unplaced: Option<Unplaced<B>>,
    /// The token-type table `T`, `[d, types]`.
    pub token_types: Option<Rc<B::Matrix>>,
    /// The norm after the sum.
    pub norm: Option<Norm<B>>,
    /// The projection from the tables' width to the residual stream's, where the two differ (Lan et
    /// al. 2020, section 3.1).
    pub projection: Option<Linear<B>>,
    /// Whether the projection applies to the token embeddings before positions are added (OPT:
    /// Zhang et al. 2022), and not to the normed sum.
    pub projects_tokens: bool,
}

impl<B: Backend> Embedding<B> {
    /// The embeddings of `ids` with token types `types` and, if positions are added, the rows
    /// `positions` of `P`. The ids of an image's tokens are their positions, in order; `patches`
    /// are all patches of the image, `[n, channels · rows · columns]`.
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
        let tokens = self.tokens(backend, ids, patches, self.scale);
        self.of_tokens(backend, tokens, types, positions)
    }

    /// The embeddings of rows that stand in place of the token embeddings: [`Self::forward`] after
    /// its first step.
    pub fn of_tokens(
        &self,
        backend: &B,
        mut tokens: B::Tensor,
        types: &[u32],
        positions: Option<&B::Tensor>,
    ) -> B::Tensor {
        if self.projects_tokens {
            tokens = self.projected(backend, &tokens);
        }
        let x = self.normed(backend, &self.sum(backend, tokens, types, positions));
        if self.projects_tokens { x } else { self.projected(backend, &x) }
    }

    /// The token embeddings alone, `[n, d]`, times `scale` if they come from a table.
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

    /// `x` after the norm; `x` itself without a norm.
    pub fn normed(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        self.norm.as_ref().map_or(x.clone(), |norm| norm.forward(backend, x))
    }

    fn projected(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        self.projection.as_ref().map_or(x.clone(), |projection| projection.forward(backend, x))
    }

    /// The sum of token, position and token-type embeddings, before the norm.
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
