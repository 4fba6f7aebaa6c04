//! Reading back: the numbers are copied to a buffer that the CPU can map, behind all that
//! is recorded so far. The future owns what it needs.
//!
//! In a browser the event loop tells it when they are there. On a native device nobody
//! would, so polling it waits for the GPU.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use wgpu::{BufferAsyncError, MapMode, PollType, SubmissionIndex};

use super::gpu::Gpu;
use super::tensor::WebGpuTensor;
use crate::error::Result;

/// The numbers of a tensor, once they are computed.
pub(super) fn read(
    gpu: &Rc<Gpu>,
    x: &WebGpuTensor,
) -> impl Future<Output = Result<Vec<f32>>> + use<> {
    let gpu = Rc::clone(gpu);
    let coming = x.buffer.as_ref().map(|from| {
        let staging = gpu.staging(x.len());
        gpu.copy((from, 0), (&staging, 0), x.len());
        let submission = gpu.submit();
        let answer = Arc::new(Mutex::new(Answer::default()));
        let told = Arc::clone(&answer);
        staging.map_async(MapMode::Read, .., move |result| Answer::tell(&told, result));
        (staging, Mapped { gpu: Rc::clone(&gpu), submission, answer })
    });
    async move {
        let mut numbers = Vec::new();
        if let Some((staging, mapped)) = coming {
            if let Err(error) = mapped.await {
                gpu.fail(&error.to_string());
            }
            gpu.check()?;
            match staging.get_mapped_range(..) {
                Ok(mapped) => numbers = bytemuck::pod_collect_to_vec(&mapped),
                Err(error) => gpu.fail(&error.to_string()),
            }
        }
        gpu.check()?;
        Ok(numbers)
    }
}

/// What became of a mapping, and who waits for it.
#[derive(Default)]
struct Answer {
    result: Option<std::result::Result<(), BufferAsyncError>>,
    waiting: Option<Waker>,
}

impl Answer {
    fn tell(answer: &Mutex<Self>, result: std::result::Result<(), BufferAsyncError>) {
        let waiting = {
            let mut answer = answer.lock().unwrap_or_else(PoisonError::into_inner);
            answer.result = Some(result);
            answer.waiting.take()
        };
        if let Some(waker) = waiting {
            waker.wake();
        }
    }
}

/// Ready when the buffer can be read.
struct Mapped {
    gpu: Rc<Gpu>,
    submission: SubmissionIndex,
    answer: Arc<Mutex<Answer>>,
}

impl Future for Mapped {
    type Output = std::result::Result<(), BufferAsyncError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let locked = || self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(result) = locked().result.take() {
            return Poll::Ready(result);
        }
        locked().waiting = Some(context.waker().clone());
        let submission_index = Some(self.submission.clone());
        let waited = self.gpu.device.poll(PollType::Wait { submission_index, timeout: None });
        if let Err(error) = waited {
            self.gpu.fail(&error.to_string());
            return Poll::Ready(Err(BufferAsyncError));
        }
        locked().result.take().map_or(Poll::Pending, Poll::Ready)
    }
}
