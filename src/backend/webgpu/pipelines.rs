//! The kernels: one pipeline per WGSL entry point, compiled when it is first dispatched. A run
//! takes about half of them, and a driver may take longer to compile one than to run it.
//! Constants that Rust and WGSL must agree on are written here and put in front of every source.
//!
//! In every kernel the bindings are the inputs, then what is written, then its shape.

use std::cell::LazyCell;

use wgpu::{ComputePipeline, ComputePipelineDescriptor, Device, ShaderModuleDescriptor};

use super::attention;
use super::linear::{HAS_BIAS, HAS_PLUS, HAS_TIMES, Kernels, NO_ACTIVATION};
use super::matrix::WeightType;
use crate::kernels::activation::Activation;

/// Invocations of a workgroup that goes through numbers or through one row.
pub(super) const LANES: usize = 64;
/// Invocations of a workgroup that goes through one very long row: the default limit.
const MANY_LANES: usize = 256;

/// A kernel that is compiled once somebody wants it.
pub(super) type Pipeline = LazyCell<ComputePipeline, Box<dyn FnOnce() -> ComputePipeline>>;

/// Every kernel, ready to be dispatched.
pub(super) struct Pipelines {
    pub add: Pipeline,
    pub activate: Pipeline,
    pub embed: Pipeline,
    pub linear: Kernels,
    pub multiply: Pipeline,
    pub norm: Pipeline,
    pub rotate: Pipeline,
    pub attend: Pipeline,
    pub log_softmax: Pipeline,
    pub top_k: Pipeline,
}

impl Pipelines {
    /// What each is compiled from; a mistake in one is told to the device's error handler when
    /// it is first dispatched.
    pub fn new(device: &Device, weights: WeightType) -> Self {
        let plain = |source: &'static str, entry_point| {
            pipeline(device, "", move || source.to_owned(), entry_point)
        };
        let embed = || include_str!("shaders/embed.wgsl").to_owned();
        let activate = concat!(
            include_str!("shaders/activations.wgsl"),
            include_str!("shaders/activate.wgsl")
        );
        let softmax = include_str!("shaders/softmax.wgsl");
        Self {
            add: plain(include_str!("shaders/add.wgsl"), "add"),
            activate: plain(activate, "activate"),
            embed: pipeline(device, weights.wgsl(), embed, "embed"),
            linear: Kernels::new(device, weights),
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

/// A kernel out of its source; `first` is what WGSL wants at the very beginning.
pub(super) fn pipeline(
    device: &Device,
    first: &'static str,
    source: impl FnOnce() -> String + 'static,
    entry_point: &'static str,
) -> Pipeline {
    let device = device.clone();
    LazyCell::new(Box::new(move || {
        let common = include_str!("shaders/common.wgsl");
        let source = [first, &constants(), common, &source()].concat();
        let module = device.create_shader_module(ShaderModuleDescriptor {
            label: Some(entry_point),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some(entry_point),
            layout: None,
            module: &module,
            entry_point: Some(entry_point),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    }))
}

/// The constants as WGSL.
fn constants() -> String {
    [
        ("LANES", LANES as u32),
        ("MANY_LANES", MANY_LANES as u32),
        ("MINUS_INFINITY", f32::NEG_INFINITY.to_bits()),
        ("HAS_BIAS", HAS_BIAS),
        ("HAS_TIMES", HAS_TIMES),
        ("HAS_PLUS", HAS_PLUS),
        ("NO_ACTIVATION", NO_ACTIVATION),
        ("RELU", Activation::Relu as u32),
        ("GELU", Activation::Gelu as u32),
        ("GELU_TANH", Activation::GeluTanh as u32),
        ("SILU", Activation::Silu as u32),
    ]
    .into_iter()
    .chain(attention::CONSTANTS)
    .map(|(name, value)| format!("const {name}: u32 = {value}u;\n"))
    .collect::<Vec<String>>()
    .concat()
}
