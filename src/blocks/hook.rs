//! Hooks on the activations of a block. A hook receives each activation as it is computed, and may
//! replace it: later activations are computed from the replacement. Without a hook the backend may
//! fuse a linear map with the operations after it.

use crate::axes::{Step, Sublayer};
use crate::backend::Storage;

/// Optional hook on the activations of a block. An activation is named by its sublayer and by its
/// step as seen from a head of this sublayer.
pub type Hook<'a, B> =
    Option<&'a mut (dyn FnMut(Sublayer, Step, &mut <B as Storage>::Tensor) + 'a)>;

/// Optional hook on the activations of one sublayer.
pub type SublayerHook<'a, B> = HookOf<'a, <B as Storage>::Tensor>;

/// Optional hook on the activations of one sublayer, by the type of their tensors.
pub(super) type HookOf<'a, T> = Option<&'a mut (dyn FnMut(Step, &mut T) + 'a)>;

/// The names of the steps around a sublayer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SublayerSteps {
    /// The normed input of the sublayer, `N(x)`.
    pub entered: Step,
    /// The output of the sublayer.
    pub found: Step,
    /// The normed output, before the residual sum.
    pub found_normed: Step,
    /// The sum of the output and the residual stream.
    pub sum: Step,
    /// The normed sum.
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
