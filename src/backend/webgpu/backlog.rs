//! Not running ahead of the GPU. To record takes no time: whoever does not wait has a long run
//! recorded before its first block is computed, can neither say how far it is nor stop it, and
//! what was asked for meanwhile stands behind all of it.

use std::cell::RefCell;
use std::collections::VecDeque;

use wgpu::{Queue, SubmissionIndex};

use super::answer::Answer;

/// Pieces that may be on their way: one is computed while the next is recorded.
const MOST_AHEAD: usize = 2;

/// Pieces of work that were handed over, the oldest first, until they are done or somebody waits for
/// them: one run at a time does, or a second would not wait for what the first waits for.
#[derive(Default)]
pub(super) struct Backlog(RefCell<VecDeque<(SubmissionIndex, Answer)>>);

impl Backlog {
    /// A piece was handed over.
    pub fn begin(&self, queue: &Queue, index: SubmissionIndex) {
        let done = Answer::default();
        let told = done.teller();
        queue.on_submitted_work_done(move || told(Ok(())));
        self.forget_done();
        self.0.borrow_mut().push_back((index, done));
    }

    /// Pieces of which nobody knows yet that they are done, and for which nobody waits.
    pub fn len(&self) -> usize {
        self.forget_done();
        self.0.borrow().len()
    }

    /// The piece to wait for until few are on their way, which with those before it is nobody else's
    /// to wait for then; `None` where few are.
    pub fn overdue(&self) -> Option<(SubmissionIndex, Answer)> {
        let over = self.len().saturating_sub(MOST_AHEAD);
        self.0.borrow_mut().drain(..over).next_back()
    }

    /// Whoever reads waits for all that was handed over before, and by that for these.
    fn forget_done(&self) {
        let mut pieces = self.0.borrow_mut();
        while pieces.front().is_some_and(|(_, done)| done.is_told()) {
            pieces.pop_front();
        }
    }
}
