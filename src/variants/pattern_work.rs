//! The largest directions of a pattern, computed in steps: the data of all rows that
//! [`LowRank`](super::LowRank) keeps in a head's memo.

use std::rc::Rc;

use crate::kernels::counting::count;
use crate::kernels::truncate::{Directions, Truncation};

/// The directions of a pattern of one shape, as far as they are computed.
pub(super) struct PatternWork {
    /// The numbers of queries and keys.
    pub shape: [usize; 2],
    state: State,
}

enum State {
    Begun(Box<Truncation>),
    Known(Rc<Directions>),
}

impl PatternWork {
    /// The work on `pattern`, of which the `rank` largest directions are wanted.
    pub fn new(pattern: Vec<f32>, shape: [usize; 2], rank: usize) -> Self {
        let work = Box::new(Truncation::new(pattern, shape[1], rank));
        Self { shape, state: State::Begun(work) }
    }

    /// Computes about `multiplications` more multiplications.
    pub fn advance(&mut self, multiplications: usize) {
        if let State::Begun(work) = &mut self.state
            && let Some(found) = work.advance(multiplications)
        {
            count(found.operations as usize);
            self.state = State::Known(Rc::new(found));
        }
    }

    /// The directions, once they are computed.
    pub fn known(&self) -> Option<&Rc<Directions>> {
        match &self.state {
            State::Begun(_) => None,
            State::Known(found) => Some(found),
        }
    }

    /// A second handle to the directions, if they are computed; both share them.
    pub fn shared(&self) -> Option<Self> {
        let state = State::Known(Rc::clone(self.known()?));
        Some(Self { state, ..*self })
    }
}
