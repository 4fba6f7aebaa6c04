//! A sublayer as it is joined to the stream in one run: its norm from the model, on the side
//! and with or without the residual that the run's edits say.
//!
//! `y = x + F(N(x))`, `y = N(x + F(x))`, without a norm `y = x + F(x)`, without the residual
//! `y = F(N(x))`, `y = N(F(x))`, `y = F(x)`.
//!
//! Sources: `norm.rs`; `edits::Wiring` for what can be changed.

use super::{Norm, NormPlacement, Point, Residual, WatchPoint};
use crate::backend::Backend;
use crate::edits::{Joint, NormSide};

/// The surroundings of one sublayer.
pub struct Joined<'a, B: Backend> {
    /// The norm's weights.
    pub norm: &'a Norm<B>,
    /// Where it stands.
    pub side: NormSide,
    /// Whether what entered is added.
    pub residual: bool,
}

impl From<NormPlacement> for NormSide {
    fn from(placement: NormPlacement) -> Self {
        match placement {
            NormPlacement::Pre => Self::Pre,
            NormPlacement::Post => Self::Post,
        }
    }
}

impl<B: Backend> Residual<B> {
    /// The surroundings under an edit.
    pub fn joined(&self, joint: Joint) -> Joined<'_, B> {
        let side = joint.side(self.placement.into());
        Joined { norm: &self.norm, side, residual: joint.residual }
    }
}

impl<B: Backend> Joined<'_, B> {
    /// What the sublayer gets to see of the stream.
    pub fn enter(&self, backend: &B, x: &B::Tensor, watch: &mut WatchPoint<'_, B>) -> B::Tensor {
        if self.side != NormSide::Pre {
            return x.clone();
        }
        let entered = self.norm.forward(backend, x);
        watch(Point::Entered, &entered);
        entered
    }

    /// The stream after the sublayer: its output, with what entered added where it is.
    pub fn leave(
        &self,
        backend: &B,
        x: &B::Tensor,
        sublayer: &B::Tensor,
        watch: &mut WatchPoint<'_, B>,
    ) -> B::Tensor {
        watch(Point::Found, sublayer);
        let mut stream = sublayer.clone();
        if self.residual {
            stream = backend.add(x, sublayer);
            watch(Point::Sum, &stream);
        }
        if self.side == NormSide::Post {
            stream = self.norm.forward(backend, &stream);
            watch(Point::Normed, &stream);
        }
        stream
    }

    /// The last point of the sublayer: what leaves it.
    pub fn last(&self) -> Point {
        match (self.side, self.residual) {
            (NormSide::Post, _) => Point::Normed,
            (_, true) => Point::Sum,
            (_, false) => Point::Found,
        }
    }
}
