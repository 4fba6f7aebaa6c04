//! Not running ahead of the GPU. To record takes no time: whoever does not wait has a long run
//! recorded before its first block is computed, can neither say how far it is nor stop it, and
//! what was asked for meanwhile stands behind all of it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;

use wgpu::{Queue, SubmissionIndex};

use super::answer::{Answer, Answered};
use super::gpu::Gpu;
use crate::error::Result;

/// Pieces that may be on their way: one is computed while the next is recorded.
const MOST_AHEAD: usize = 2;

/// Pieces of work that were handed over, the oldest first, until somebody waits for them.
#[derive(Default)]
pub(super) struct Backlog(RefCell<VecDeque<(SubmissionIndex, Answer)>>);

impl Backlog {
    /// A piece was handed over.
    pub fn begin(&self, queue: &Queue, index: SubmissionIndex) {
        let done = Answer::default();
        let told = done.teller();
        queue.on_submitted_work_done(move || told(Ok(())));
        let mut pieces = self.0.borrow_mut();
        // Whoever reads waits for all that was handed over before, and by that for these.
        while pieces.front().is_some_and(|(_, done)| done.is_told()) {
            pieces.pop_front();
        }
        pieces.push_back((index, done));
    }

    /// Pieces of which nobody knows yet that they are done.
    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }
}

/// Ready when few pieces are on their way; `None` where that is so already.
pub(super) fn caught_up(gpu: &Rc<Gpu>) -> Option<impl Future<Output = Result<()>> + use<>> {
    let ahead = |gpu: &Gpu| {
        let mut pieces = gpu.backlog.0.borrow_mut();
        let over = pieces.len().saturating_sub(MOST_AHEAD);
        pieces.drain(..over).next_back()
    };
    let (index, done) = ahead(gpu)?;
    let gpu = Rc::clone(gpu);
    Some(async move {
        if let Err(error) = Answered::new(&gpu, done, Some(index)).await {
            gpu.fail(&error);
        }
        gpu.check()
    })
}
