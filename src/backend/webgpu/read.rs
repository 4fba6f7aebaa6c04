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

use wgpu::{Buffer, BufferAsyncError, MapMode, PollType};

use super::gpu::{FLOAT_BYTES, Gpu};
use super::tensor::WebGpuTensor;
use crate::error::Result;

/// The numbers of a tensor, once they are computed. What is recorded is handed over when the
/// first who asked begins to wait, so that several who asked at once share a piece.
pub(super) fn read(
    gpu: &Rc<Gpu>,
    x: &WebGpuTensor,
) -> impl Future<Output = Result<Vec<f32>>> + use<> {
    let gpu = Rc::clone(gpu);
    let n_bytes = x.len() * FLOAT_BYTES;
    let coming = x.buffer.as_ref().map(|from| {
        let asked = gpu.pool.submissions();
        let staging = gpu.pool.staging(n_bytes);
        gpu.copy((from, 0), (&staging, 0), x.len());
        (asked, staging)
    });
    async move {
        let mut numbers = Vec::new();
        if let Some((asked, staging)) = coming {
            if gpu.pool.submissions() == asked {
                gpu.submit();
            }
            if let Err(error) = Mapped::new(&gpu, &staging, n_bytes as u64).await {
                gpu.fail(&error.to_string());
            }
            gpu.check()?;
            match staging.get_mapped_range(..n_bytes as u64) {
                Ok(mapped) => numbers = bytemuck::pod_collect_to_vec(&mapped),
                Err(error) => gpu.fail(&error.to_string()),
            }
            staging.unmap();
            gpu.pool.give_back(staging);
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
    answer: Arc<Mutex<Answer>>,
}

impl Mapped {
    fn new(gpu: &Rc<Gpu>, staging: &Buffer, n_bytes: u64) -> Self {
        let answer = Arc::new(Mutex::new(Answer::default()));
        let told = Arc::clone(&answer);
        staging.map_async(MapMode::Read, ..n_bytes, move |result| Answer::tell(&told, result));
        Self { gpu: Rc::clone(gpu), answer }
    }
}

impl Future for Mapped {
    type Output = std::result::Result<(), BufferAsyncError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let locked = || self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(result) = locked().result.take() {
            return Poll::Ready(result);
        }
        locked().waiting = Some(context.waker().clone());
        let waited = self.gpu.device.poll(PollType::wait_indefinitely());
        if let Err(error) = waited {
            self.gpu.fail(&error.to_string());
            return Poll::Ready(Err(BufferAsyncError));
        }
        locked().result.take().map_or(Poll::Pending, Poll::Ready)
    }
}
