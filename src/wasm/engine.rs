//! The backend of this build: the CPU, the GPU with `webgpu`, or with `gradients` the CPU, whose
//! operations are recorded.

use super::convert::{JsResult, thrown};
#[cfg(feature = "gradients")]
use crate::backend::Autodiff;
#[cfg(any(feature = "gradients", not(feature = "webgpu")))]
use crate::backend::Cpu;
use crate::backend::Storage;
#[cfg(all(feature = "webgpu", not(feature = "gradients")))]
use crate::backend::webgpu::WebGpu;
use crate::model::Model;

#[cfg(feature = "gradients")]
pub(super) type Engine = Autodiff<Cpu>;
#[cfg(all(feature = "webgpu", not(feature = "gradients")))]
pub(super) type Engine = WebGpu;
#[cfg(not(any(feature = "webgpu", feature = "gradients")))]
pub(super) type Engine = Cpu;

/// The backend of recorded operations.
#[cfg(feature = "gradients")]
pub(super) async fn engine(narrow: bool) -> JsResult<Engine> {
    debug_assert!(!narrow, "the page asks for none where gradients are computed");
    Ok(Autodiff::new(Cpu))
}

/// The GPU, which must be requested, and may be refused.
#[cfg(all(feature = "webgpu", not(feature = "gradients")))]
pub(super) async fn engine(narrow: bool) -> JsResult<Engine> {
    debug_assert!(!narrow, "the page asks no GPU for them");
    WebGpu::new().await.map_err(thrown)
}

/// The CPU; `narrow` weights are bytes.
#[cfg(not(any(feature = "webgpu", feature = "gradients")))]
pub(super) async fn engine(narrow: bool) -> JsResult<Engine> {
    Ok(Cpu { has_bytes: narrow })
}

/// Waits until the backend has taken the model. A GPU reports what it refuses of the model with the
/// first number that is read.
pub(super) async fn taken(model: &Model<Engine>) -> JsResult<()> {
    let backend = &model.backend;
    backend.read(&backend.upload(vec![0.0], 1)).await.map(|_| ()).map_err(thrown)
}
