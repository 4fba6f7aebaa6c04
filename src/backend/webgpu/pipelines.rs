//! The kernels: one pipeline per WGSL entry point, compiled when it is first dispatched. A run
//! takes about half of them, and a driver may take longer to compile one than to run it.
//!
//! The bindings of every kernel are the inputs, then the output, then the shape. Kernels that read
//! weights have a pipeline for each format; `linear_kernels.rs` has those that multiply.

use wgpu::Device;

use super::compiled::{Pipeline, pipeline};
use super::held::Held;
use super::linear_kernels::LinearKernels;

/// Every kernel, ready to be dispatched.
pub(super) struct Pipelines {
    pub add: Pipeline,
    pub activate: Pipeline,
    /// By the format of the table, in the order of [`Held::ALL`].
    pub embed: [Pipeline; 4],
    pub linear: LinearKernels,
    pub multiply: Pipeline,
    pub norm: Pipeline,
    pub rotate: Pipeline,
    pub attend: Pipeline,
    pub log_softmax: Pipeline,
    pub top_k: Pipeline,
}

impl Pipelines {
    /// The sources of all kernels; a mistake in one is reported to the device's error handler at
    /// its first dispatch.
    pub fn new(device: &Device) -> Self {
        let plain = |source: &'static str, entry_point| {
            pipeline(device, move || source.to_owned(), entry_point)
        };
        let activate = concat!(
            include_str!("shaders/activations.wgsl"),
            include_str!("shaders/activate.wgsl")
        );
        let softmax = include_str!("shaders/softmax.wgsl");
        Self {
            add: plain(include_str!("shaders/add.wgsl"), "add"),
            activate: plain(activate, "activate"),
            embed: Held::ALL.map(|held| {
                let embed = include_str!("shaders/embed.wgsl");
                let source = move || [held.source(&[("table", 0)]).as_str(), embed].concat();
                pipeline(device, source, "embed")
            }),
            linear: LinearKernels::new(device),
            multiply: plain(include_str!("shaders/multiply.wgsl"), "multiply"),
            norm: plain(include_str!("shaders/norm.wgsl"), "norm"),
            rotate: plain(include_str!("shaders/rotate.wgsl"), "rotate"),
            attend: plain(
                concat!(
                    include_str!("shaders/score_tile.wgsl"),
                    include_str!("shaders/attend.wgsl")
                ),
                "attend",
            ),
            log_softmax: plain(softmax, "log_softmax"),
            top_k: plain(include_str!("shaders/top_k.wgsl"), "top_k"),
        }
    }
}
