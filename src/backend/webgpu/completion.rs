//! What a GPU says later. In a browser the event loop tells it. On a native device nobody would,
//! so polling it waits for the GPU.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use wgpu::{Device, PollType, Queue, SubmissionIndex};

/// Whether it came to that, or why not.
type Outcome = Result<(), String>;

/// What became of a question, and who waits for it. The device tells it from wherever it is.
#[derive(Clone, Default)]
pub(super) struct Answer(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    outcome: Option<Outcome>,
    waiting: Option<Waker>,
}

impl Answer {
    /// What the device is to call with the outcome.
    pub fn teller(&self) -> impl Fn(Outcome) + Send + 'static {
        let state = Arc::clone(&self.0);
        move |outcome| {
            let waiting = {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                state.outcome = Some(outcome);
                state.waiting.take()
            };
            if let Some(waker) = waiting {
                waker.wake();
            }
        }
    }

    /// Whether there is an outcome that nobody has taken.
    pub fn is_told(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).outcome.is_some()
    }

    /// The outcome, once somebody tells it; nobody is asked for it.
    pub fn told(&self) -> impl Future<Output = Outcome> + use<> {
        let answer = self.clone();
        poll_fn(move |context| answer.poll(context))
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Outcome> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting = Some(context.waker().clone());
        state.outcome.take().map_or(Poll::Pending, Poll::Ready)
    }
}

/// Ready when there is an answer.
pub(super) struct Answered {
    device: Device,
    answer: Answer,
    /// What has to be done for it: all that was handed over where it is not said.
    after: Option<SubmissionIndex>,
}

impl Answered {
    pub fn new(device: &Device, answer: Answer, after: Option<SubmissionIndex>) -> Self {
        Self { device: device.clone(), answer, after }
    }
}

impl Future for Answered {
    type Output = Outcome;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Poll::Ready(outcome) = self.answer.poll(context) {
            return Poll::Ready(outcome);
        }
        let wait = PollType::Wait { submission_index: self.after.clone(), timeout: None };
        if let Err(error) = self.device.poll(wait) {
            return Poll::Ready(Err(error.to_string()));
        }
        self.answer.poll(context)
    }
}

// Not running ahead of the GPU. To record takes no time: whoever does not wait has a long run
// recorded before its first block is computed, can neither say how far it is nor stop it, and
// what was asked for meanwhile stands behind all of it.

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
