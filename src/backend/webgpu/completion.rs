//! Futures for results of the device, and the limit of submissions in flight. In a browser the
//! event loop resolves them; natively `poll` drives the device.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use wgpu::{Device, PollType, SubmissionIndex};

/// Success, or the reason why the device failed.
type Outcome = Result<(), String>;

/// A pending outcome and the waker of the task that awaits it; the device resolves it from any
/// thread.
#[derive(Clone, Default)]
pub(super) struct Answer(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    outcome: Option<Outcome>,
    waiting: Option<Waker>,
}

impl Answer {
    /// The callback by which the device resolves the answer.
    pub fn resolver(&self) -> impl Fn(Outcome) + Send + 'static {
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

    /// Whether an outcome has arrived and is not yet taken.
    pub fn is_resolved(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).outcome.is_some()
    }

    /// Resolves when the device reports the outcome; does not poll the device.
    pub fn resolved(&self) -> impl Future<Output = Outcome> + use<> {
        let answer = self.clone();
        poll_fn(move |context| answer.poll(context))
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Outcome> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting = Some(context.waker().clone());
        state.outcome.take().map_or(Poll::Pending, Poll::Ready)
    }
}

/// Resolves with the outcome, and polls the device for it.
pub(super) struct Answered {
    device: Device,
    answer: Answer,
    /// The submission to wait for; `None` for all of them.
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
