//! What computes behind the door: a type that the build chooses, so that there is one door.

#[cfg(not(feature = "webgpu"))]
pub(super) type Engine = crate::backend::Cpu;
#[cfg(feature = "webgpu")]
pub(super) type Engine = crate::backend::webgpu::WebGpu;

/// Ready to take a model. A GPU has to be asked for, and may be refused.
pub(super) async fn open() -> crate::error::Result<Engine> {
    #[cfg(feature = "webgpu")]
    return Engine::new().await;
    #[cfg(not(feature = "webgpu"))]
    Ok(crate::backend::Cpu)
}
