//! Hooks on the activations of a block. A hook sees each as it is computed, and may replace it: what
//! follows is computed from what it leaves. Without a hook the backend may fuse a linear map with
//! the operations after it.

use crate::axes::{Step, Sublayer};
use crate::backend::Storage;

/// Optional hook on the activations of a block. An activation is named by its sublayer and by the
/// step that it is for a head of this sublayer.
pub type Hook<'a, B> =
    Option<&'a mut (dyn FnMut(Sublayer, Step, &mut <B as Storage>::Tensor) + 'a)>;

/// Optional hook on the activations of one sublayer.
pub type SublayerHook<'a, B> = HookOf<'a, <B as Storage>::Tensor>;

/// Optional hook on the activations of one sublayer, by the type of their tensors.
pub(super) type HookOf<'a, T> = Option<&'a mut (dyn FnMut(Step, &mut T) + 'a)>;

/// What the steps around a sublayer are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SublayerSteps {
    /// `N(x)` before the sublayer.
    pub entered: Step,
    /// What the sublayer gives.
    pub found: Step,
    /// Normed before it is added.
    pub found_normed: Step,
    /// Plus the stream.
    pub sum: Step,
    /// `N` of the sum.
    pub normed: Step,
}

/// The steps around attention.
pub const ATTENTION: SublayerSteps = SublayerSteps {
    entered: Step::Entered,
    found: Step::Attended,
    found_normed: Step::AttendedNormed,
    sum: Step::Sum,
    normed: Step::Normed,
};

/// The steps around the feed-forward network.
pub const FEED_FORWARD: SublayerSteps = SublayerSteps {
    entered: Step::FfEntered,
    found: Step::FfOutput,
    found_normed: Step::FfOutputNormed,
    sum: Step::FfSum,
    normed: Step::FfNormed,
};
