//! From token ids to the residual stream: a row per token, scaled, plus where it
//! stands, plus (BERT) which of two texts it belongs to, then a norm where there is one.
//!
//! `x_p = E[id_p] · s (+ P[p]) (+ T[type_p])`, `s = √d` in the 2017 paper; of an image the tokens
//! are its patches, behind trained rows of their own: `x_p = patch_p W + b + P[p]`
//!
//! Sources: Vaswani et al. 2017, sections 3.4 and 3.5; token types and the norm after
//! the sum, Devlin et al. 2019, section 3; patches, Dosovitskiy et al. 2021, equation 1.

use std::ops::Range;
use std::rc::Rc;

use super::{Point, PointHook};
use crate::backend::{Backend, Epilogue, Linear};
use crate::edits::NormPlace;
use crate::kernels::activation::Activation;

/// What tokens are before order is added.
pub enum Tokens<B: Backend> {
    /// `E`, `[d, vocabulary]`, shared with the output projection where they are tied.
    Table(Rc<B::Matrix>),
    /// Those of an image.
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

// The norms, and the residual connection around a sublayer that one belongs to.
//
// `LN(x) = (x − μ) / √(σ² + ε) · γ + β`, per token over its `d` numbers, or
// `RMSNorm(x) = x / √(mean(x²) + ε) · γ`.
// Post: `y = N(x + F(x))`. Pre: `y = x + F(N(x))`.
//
// Sources: Ba et al. 2016, section 3; RMSNorm Zhang & Sennrich 2019, section 4; post-norm
// Vaswani et al. 2017, section 3.1;
// pre-norm Radford et al. 2019, section 2.3, Xiong et al. 2020, section 3.

/// A trained norm, its parts `[1, d]` each.
pub struct Norm<B: Backend> {
    /// `γ`.
    pub gain: B::Tensor,
    /// By what it divides, and what it adds.
    pub kind: NormKind<B>,
    /// `ε`, against division by zero.
    pub epsilon: f32,
}

/// Which norm.
pub enum NormKind<B: Backend> {
    /// Layer norm, with its bias `β`.
    Layer(B::Tensor),
    /// By the root of the mean square.
    RootMeanSquare,
}

impl<B: Backend> Norm<B> {
    /// `[n, d]` → `[n, d]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        match &self.kind {
            NormKind::Layer(bias) => backend.layer_norm(x, &self.gain, bias, self.epsilon),
            NormKind::RootMeanSquare => backend.rms_norm(x, &self.gain, self.epsilon),
        }
    }

    /// The norm of a sum, which a backend may take without keeping the sum.
    pub fn forward_sum(&self, backend: &B, a: &B::Tensor, b: &B::Tensor) -> B::Tensor {
        match &self.kind {
            NormKind::Layer(bias) => backend.add_layer_norm(a, b, &self.gain, bias, self.epsilon),
            NormKind::RootMeanSquare => backend.add_rms_norm(a, b, &self.gain, self.epsilon),
        }
    }
}

/// The residual connection of one sublayer with its norm.
pub struct Residual<B: Backend> {
    /// The norm's weights.
    pub norm: Norm<B>,
    /// Where it stands.
    pub placement: NormPlace,
    /// One more, of what the sublayer gives, before it is added (Gemma 2, 2024, section 2).
    pub after: Option<Norm<B>>,
}

// The position-wise feed-forward network: the same two maps for every token, alone.
//
// `FFN(x) = act(x W₁ + b₁) W₂ + b₂`, `W₁: [d, d_ff]`, `W₂: [d_ff, d]`; gated
// `FFN(x) = (act(x W₁ + b₁) ⊙ (x W₃ + b₃)) W₂ + b₂`, `W₃: [d, d_ff]`
//
// Sources: Vaswani et al. 2017, section 3.3 (with ReLU); GELU from Hendrycks & Gimpel
// 2016; gated Shazeer 2020, equation 6, its matrices numbered as in Touvron et al. 2023.
// It adds no residual, unless its caller has it follow the second map.

/// The maps and what stands between them.
pub struct FeedForward<B: Backend> {
    /// `W₁`, `b₁`.
    pub inner: Linear<B>,
    /// `W₂`, `b₂`.
    pub outer: Linear<B>,
    /// The non-linearity.
    pub activation: Activation,
    /// `W₃`, `b₃`, in a gated network: what the activated numbers are multiplied by.
    pub linear: Option<Linear<B>>,
}

impl<B: Backend> FeedForward<B> {
    /// What enters the second map, `[n, d]` → `[n, d_ff]`.
    pub fn within(&self, backend: &B, x: &B::Tensor, watch: PointHook<'_, B>) -> B::Tensor {
        match watch {
            None => self.at_once(backend, x),
            Some(watch) => self.step_by_step(backend, x, watch),
        }
    }

    /// The second map, `[n, d_ff]` → `[n, d]`, and what follows it.
    pub fn leave(&self, backend: &B, x: &B::Tensor, then: &Epilogue<'_, B::Tensor>) -> B::Tensor {
        self.outer.forward_epilogue(backend, x, then)
    }

    fn at_once(&self, backend: &B, x: &B::Tensor) -> B::Tensor {
        let linear = self.linear.as_ref().map(|linear| linear.forward(backend, x));
        let activation = Some(self.activation);
        let then = Epilogue { activation, times: linear.as_ref(), plus: None };
        self.inner.forward_epilogue(backend, x, &then)
    }

    fn step_by_step(
        &self,
        backend: &B,
        x: &B::Tensor,
        watch: &mut dyn FnMut(Point, &B::Tensor),
    ) -> B::Tensor {
        let hidden = self.inner.forward(backend, x);
        watch(Point::Hidden, &hidden);
        let activated = backend.activate(&hidden, self.activation);
        watch(Point::Activated, &activated);
        let Some(linear) = &self.linear else { return activated };
        let linear = linear.forward(backend, x);
        watch(Point::Linear, &linear);
        let gated = backend.multiply(&activated, &linear);
        watch(Point::Gated, &gated);
        gated
    }
}

// From the residual stream to a score for every entry of the vocabulary.
//
// `logits = t(x) W_out + b`, where `t` is nothing, or (BERT) dense, activation, norm, or (OPT) dense.
//
// Sources: Vaswani et al. 2017, section 3.4 (weights tied with the embedding: Press &
// Wolf 2017); BERT's transform, Devlin et al. 2019, appendix A.1.

/// What a token goes through before it is compared with the vocabulary.
pub struct Transform<B: Backend> {
    /// From the stream to the width of the projection.
    pub dense: Linear<B>,
    /// After the dense map.
    pub activation: Activation,
    /// Last, where there is one.
    pub norm: Option<Norm<B>>,
}

/// The projection onto the vocabulary.
pub struct OutputHead<B: Backend> {
    /// BERT's transform.
    pub transform: Option<Transform<B>>,
    /// `[d, vocabulary]`.
    pub projection: Linear<B>,
    /// Factor on what enters the projection.
    pub factor: Option<f32>,
    /// Soft cap of the logits, which then have no bias.
    pub cap: Option<f32>,
    /// What the distillation token's logits come from, of which and the class token's the mean is
    /// taken (`DeiT`: Touvron et al. 2021, section 4).
    pub distilled: Option<Linear<B>>,
    /// What enters the projection, and the entries of the vocabulary.
    pub widths: [usize; 2],
}

impl<B: Backend> OutputHead<B> {
    /// The logits of some rows of a stack's output, `[n, d]` → `[rows, vocabulary]`.
    pub fn forward(&self, backend: &B, x: &B::Tensor, rows: Range<usize>) -> B::Tensor {
        if let Some(distilled) = &self.distilled {
            let [class, distilled] = [(&self.projection, 0), (distilled, 1)]
                .map(|(map, row)| map.forward(backend, &backend.select(x, row..row + 1)));
            let half = backend.upload(vec![0.5; self.widths[1]], self.widths[1]);
            return backend.multiply(&backend.add(&class, &distilled), &half);
        }
        let mut x = backend.select(x, rows);
        let rows = backend.rows(&x);
        let all =
            |number: f32, columns: usize| backend.upload(vec![number; rows * columns], columns);
        if let Some(transform) = &self.transform {
            let then = Epilogue { activation: Some(transform.activation), ..Epilogue::default() };
            x = transform.dense.forward_epilogue(backend, &x, &then);
            if let Some(norm) = &transform.norm {
                x = norm.forward(backend, &x);
            }
        }
        let inverse = self.cap.map_or(1.0, |cap| 1.0 / cap);
        let factor = self.factor.unwrap_or(1.0) * inverse;
        if factor.to_bits() != 1f32.to_bits() {
            x = backend.multiply(&x, &all(factor, self.widths[0]));
        }
        let Some(cap) = self.cap else { return self.projection.forward(backend, &x) };
        let times = all(cap, self.widths[1]);
        let activation = Some(Activation::Tanh);
        let then = Epilogue { activation, times: Some(&times), plus: None };
        self.projection.forward_epilogue(backend, &x, &then)
    }
}
