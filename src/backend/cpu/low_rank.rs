//! Low-rank attention: the largest directions of a head's whole pattern, of all its queries and
//! keys at once. They are computed in steps, each no longer than its caller wants; operations and
//! allocated bytes of all steps are counted.

use std::rc::Rc;

use super::allocations::measure;
use super::op_counter::Meter;
use crate::kernels::truncate::{Directions, Truncation};

/// The directions of a pattern of so many queries and keys, as far as they are computed.
pub(super) struct LowRankWork {
    pub shape: [usize; 2],
    state: State,
    /// What making them took.
    operations: u64,
    /// Bytes that are held now.
    held: usize,
    /// The most bytes that were held.
    most: usize,
}

enum State {
    Begun(Box<Truncation>),
    Known(Rc<Directions>),
}

impl LowRankWork {
    /// Begins with the pattern and its rank, which `make` computes.
    pub fn begin(shape: [usize; 2], make: impl FnOnce(&Meter) -> Truncation) -> Self {
        let meter = Meter::default();
        let (work, most, held) = measure(|| Box::new(make(&meter)));
        Self { shape, state: State::Begun(work), operations: meter.operations(), held, most }
    }

    /// Goes on for about so many multiplications.
    pub fn advance(&mut self, multiplications: usize) {
        let ((), peak, left) = measure(|| {
            if let State::Begun(work) = &mut self.state
                && let Some(found) = work.advance(multiplications)
            {
                self.operations += found.operations;
                self.state = State::Known(Rc::new(found));
            }
        });
        self.most = self.most.max(self.held + peak);
        // What a step gives back wraps.
        self.held = self.held.wrapping_add(left);
    }

    /// The directions, once the work is done.
    pub fn known(&self) -> Option<&Rc<Directions>> {
        match &self.state {
            State::Begun(_) => None,
            State::Known(found) => Some(found),
        }
    }

    /// A second handle to the directions, if they are known; both share them.
    pub fn shared(&self) -> Option<Self> {
        let state = State::Known(Rc::clone(self.known()?));
        Some(Self { state, ..*self })
    }

    /// Operations, bytes that are held and the most that were.
    pub fn took(&self) -> (u64, usize, usize) {
        (self.operations, self.held, self.most)
    }
}
