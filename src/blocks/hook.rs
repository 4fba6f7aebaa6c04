//! Hooks on intermediate activations of a block. Without a hook the backend may fuse a linear
//! map with the operations after it.

use crate::axes::Sublayer;
use crate::backend::Storage;

/// What a sublayer computes, in this order; which of them, depends on the sublayer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Point {
    /// `N(x)` before the sublayer.
    Entered,
    /// What the heads found, side by side.
    Context,
    /// Through the feed-forward network's first map.
    Hidden,
    /// After its activation.
    Activated,
    /// Through a gated network's map without activation.
    Linear,
    /// Both multiplied.
    Gated,
    /// What the sublayer gives.
    Found,
    /// Normed before it is added.
    FoundNormed,
    /// Plus the stream.
    Sum,
    /// `N` of the sum.
    Normed,
    /// The tokens around each token, side by side.
    Neighbours,
    /// Through the convolution's map.
    Convolved,
    /// After its activation.
    ConvolvedActivated,
    /// Plus what the feed-forward network's sublayer left.
    ConvolvedSum,
    /// `N` of that sum.
    ConvolvedNormed,
}

/// Optional hook on the activations of a block.
pub type Hook<'a, B> = Option<&'a mut (dyn FnMut(Sublayer, Point, &<B as Storage>::Tensor) + 'a)>;

/// Optional hook on the activations of one sublayer.
pub type PointHook<'a, B> = HookOf<'a, <B as Storage>::Tensor>;

/// Optional hook on the activations of one sublayer, by the type of their tensors.
pub(super) type HookOf<'a, T> = Option<&'a mut (dyn FnMut(Point, &T) + 'a)>;
