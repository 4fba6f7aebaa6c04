//! What a block computes on the way to its output, shown to whoever asks for it. A forward
//! pass has nobody look; a picture of the block is made by the same code with a watcher. Where
//! nobody looks, what follows a map is left to the backend, which may do it at once.

use crate::axes::Sublayer;
use crate::backend::Backend;

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
    /// Plus the stream.
    Sum,
    /// `N` of the sum.
    Normed,
}

/// Looks at the rows that a block computes, if anybody does.
pub type Watch<'a, B> = Option<&'a mut (dyn FnMut(Sublayer, Point, &<B as Backend>::Tensor) + 'a)>;

/// Looks at the rows that one sublayer computes, if anybody does.
pub type WatchPoint<'a, B> = Looking<'a, <B as Backend>::Tensor>;

/// The same, by what it looks at.
pub(super) type Looking<'a, T> = Option<&'a mut (dyn FnMut(Point, &T) + 'a)>;
