//! Reading a tensor back from the GPU: its numbers are copied to a buffer that the CPU can map,
//! after all commands recorded so far. The future owns what it needs.

use std::future::Future;
use std::rc::Rc;

use super::tensor::WebGpuTensor;
use wgpu::MapMode;

use super::compiled::FLOAT_BYTES;
use super::completion::{Answer, Answered};
use super::gpu::Gpu;
use crate::error::Result;

/// Reads the numbers of a tensor, once they are computed. Recorded commands are submitted when the
/// first reader starts to wait, so that readers at the same time share a submission.
pub(super) fn read(
    gpu: &Rc<Gpu>,
    x: &WebGpuTensor,
) -> impl Future<Output = Result<Vec<f32>>> + use<> {
    let gpu = Rc::clone(gpu);
    let n_bytes = x.len() * FLOAT_BYTES;
    let coming = x.buffer.as_ref().map(|from| {
        let asked = gpu.pool.submissions();
        let staging = gpu.pool.staging(n_bytes);
        gpu.copy((from, x.offset(0)), (&staging, 0), x.len());
        (asked, staging)
    });
    async move {
        let mut numbers = Vec::new();
        if let Some((asked, staging)) = coming {
            if gpu.pool.submissions() == asked {
                gpu.submit();
            }
            let mapped = Answer::default();
            let resolve = mapped.resolver();
            staging.map_async(MapMode::Read, ..n_bytes as u64, move |result| {
                resolve(result.map_err(|error| error.to_string()));
            });
            if let Err(error) = Answered::new(&gpu.device, mapped, None).await {
                gpu.fail(&error);
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
