//! Command lists that were submitted to the GPU and are not computed yet: at most `MOST_AHEAD`.
//!
//! Recording takes no time. Without a limit a long run is recorded before its first block is
//! computed: it cannot report progress or stop, and later reads wait behind all of it.

use std::cell::RefCell;
use std::collections::VecDeque;

use super::completion::Answer;
use wgpu::{Queue, SubmissionIndex};

/// The most submissions in flight: one is computed while the next is recorded.
const MOST_AHEAD: usize = 2;

/// Submissions in flight that no run awaits, the oldest first. Each is awaited by one run.
#[derive(Default)]
pub(super) struct Backlog(RefCell<VecDeque<(SubmissionIndex, Answer)>>);

impl Backlog {
    /// Adds a submission.
    pub fn begin(&self, queue: &Queue, index: SubmissionIndex) {
        let done = Answer::default();
        let resolve = done.resolver();
        queue.on_submitted_work_done(move || resolve(Ok(())));
        self.forget_done();
        self.0.borrow_mut().push_back((index, done));
    }

    /// The number of submissions that are not known to be done and that no run awaits.
    pub fn len(&self) -> usize {
        self.forget_done();
        self.0.borrow().len()
    }

    /// Removes and returns the newest submission beyond `MOST_AHEAD`; `None` if at most
    /// `MOST_AHEAD` are in flight.
    pub fn overdue(&self) -> Option<(SubmissionIndex, Answer)> {
        let over = self.len().saturating_sub(MOST_AHEAD);
        self.0.borrow_mut().drain(..over).next_back()
    }

    /// A read waits for all submissions before it.
    fn forget_done(&self) {
        let mut pieces = self.0.borrow_mut();
        while pieces.front().is_some_and(|(_, done)| done.is_resolved()) {
            pieces.pop_front();
        }
    }
}
