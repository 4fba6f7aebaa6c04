//! The operations that the forward pass is written against. An implementation decides where the
//! numbers are stored.
//!
//! * `Storage`: tensors and packed weights
//! * `Algebra`: the operations of a forward pass, all but attention
//! * `Attend`: the context of an attention site
//! * `Inspect`: patterns and other numbers of one head, after the forward pass
//! * `Limits`: the limits of a single piece of work
//! * `Autodiff`: a backend that records the operations of another one, for gradients
//!
//! Operations are synchronous: they take opaque tensors and enqueue work. Only `read` is
//! asynchronous, and its future owns what it needs, so that no borrow lives across an await. A GPU
//! needs this, and it costs a CPU nothing.

mod algebra;
mod attend;
mod autodiff;
mod batch;
mod cpu;
mod forward_only;
mod inspect;
mod linear;
mod rows_read;
mod site_cache;
#[cfg(feature = "webgpu")]
pub mod webgpu;

use std::future::{Future, Ready};

use crate::error::Result;

#[cfg(feature = "webgpu")]
use algebra::gated_apart;
pub use algebra::{Affine, Algebra, Epilogue, Order, Storage};
pub use attend::{Attend, Attention};
pub use autodiff::{Autodiff, Derivatives, Node, Slopes, Traced, TracedMatrix, gradients};
pub use batch::part;
pub use cpu::Cpu;
pub use forward_only::{ForwardOnly, on_cpu};
pub use inspect::Inspect;
pub use linear::Linear;
pub use rows_read::ReadRows;
pub use site_cache::{ReadCache, SiteCache};

/// The limits of a backend's single piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The work of one piece, as a multiple of what suits one core.
    pub pace: usize,
    /// The largest `k` that `top_k` supports; for a larger one the full row is read.
    pub most_ranks: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { pace: 1, most_ranks: usize::MAX }
    }
}

/// A backend: all operations of a run, with its name and limits.
pub trait Backend: Inspect {
    /// Whether a run keeps the steps of its blocks, so that gradients with respect to them can be
    /// computed.
    const KEEPS_STEPS: bool = false;

    /// The name of the backend for users, for instance `cpu`.
    fn name(&self) -> &'static str;

    /// The kernel in use, for instance `simd128 2×16`.
    fn kernel(&self) -> String;

    /// The limits of a single piece of work.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Resolves when few submissions are in flight, so that more may begin; `None` if few are.
    ///
    /// # Errors
    /// The errors of `read`.
    fn caught_up(&self) -> Option<impl Future<Output = Result<()>> + 'static> {
        None::<Ready<Result<()>>>
    }
}
