//! Hooks on intermediate activations of a block. Without a hook the backend may fuse a linear
//! map with the operations after it.

use crate::axes::Sublayer;
use crate::backend::Storage;

/// A point in a sublayer's computation, in order; which points exist depends on the sublayer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// The normed input `N(x)`, where the norm stands before the sublayer.
    Entered,
    /// The head outputs, side by side.
    Context,
    /// The output of the feed-forward network's first map.
    Hidden,
    /// The hidden numbers after the activation.
    Activated,
    /// The output of a gated network's map without activation.
    Linear,
    /// The product of `Activated` and `Linear`.
    Gated,
    /// The sublayer's output `F(x)`.
    Found,
    /// The sublayer's output after a norm of its own, before the residual sum.
    FoundNormed,
    /// The residual sum `x + F(x)`.
    Sum,
    /// The residual sum after the norm.
    Normed,
    /// The tokens around each token, side by side.
    Neighbours,
    /// The output of the convolution's map.
    Convolved,
    /// The convolution's output after the activation.
    ConvolvedActivated,
    /// The sum of the convolution's output and the residual stream.
    ConvolvedSum,
    /// `ConvolvedSum` after the norm.
    ConvolvedNormed,
}

/// Optional hook on the activations of a block.
pub type Hook<'a, B> = Option<&'a mut (dyn FnMut(Sublayer, Point, &<B as Storage>::Tensor) + 'a)>;

/// Optional hook on the activations of one sublayer.
pub type PointHook<'a, B> = HookOf<'a, <B as Storage>::Tensor>;

/// Optional hook on the activations of one sublayer, by the type of their tensors.
pub(super) type HookOf<'a, T> = Option<&'a mut (dyn FnMut(Point, &T) + 'a)>;
