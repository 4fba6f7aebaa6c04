//! The kernels, compiled: one pipeline per WGSL entry point. Constants that Rust and WGSL
//! must agree on are written here and put in front of every source.
//!
//! In every kernel the bindings are the inputs, then what is written, then its shape.

use wgpu::{ComputePipeline, ComputePipelineDescriptor, Device, ShaderModuleDescriptor};

use crate::kernels::activation::Activation;

/// Invocations of a workgroup that goes through numbers or through one row.
pub(super) const LANES: usize = 64;
/// Sides of the square of results that a workgroup of `linear` computes; its square is the
/// default limit on invocations.
pub(super) const TILE: usize = 16;

/// Every kernel, ready to be dispatched.
pub(super) struct Pipelines {
    pub add: ComputePipeline,
    pub activate: ComputePipeline,
    pub embed: ComputePipeline,
    pub linear: ComputePipeline,
    pub multiply: ComputePipeline,
    pub layer_norm: ComputePipeline,
    pub rms_norm: ComputePipeline,
    pub rotate: ComputePipeline,
    pub scores: ComputePipeline,
    pub mask: ComputePipeline,
    pub softmax: ComputePipeline,
    pub given: ComputePipeline,
    pub context: ComputePipeline,
    pub log_softmax: ComputePipeline,
    pub top_k: ComputePipeline,
}

impl Pipelines {
    /// Compiles all of them; a mistake in one is told to the device's error handler.
    pub fn compile(device: &Device) -> Self {
        let pipeline = |source: &str, entry_point: &str| {
            let source = format!("{}{}{source}", constants(), include_str!("shaders/common.wgsl"));
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
        };
        let softmax = include_str!("shaders/softmax.wgsl");
        Self {
            add: pipeline(include_str!("shaders/add.wgsl"), "add"),
            activate: pipeline(include_str!("shaders/activate.wgsl"), "activate"),
            embed: pipeline(include_str!("shaders/embed.wgsl"), "embed"),
            linear: pipeline(include_str!("shaders/linear.wgsl"), "linear"),
            layer_norm: pipeline(include_str!("shaders/layer_norm.wgsl"), "layer_norm"),
            multiply: pipeline(include_str!("shaders/multiply.wgsl"), "multiply"),
            rms_norm: pipeline(include_str!("shaders/rms_norm.wgsl"), "rms_norm"),
            rotate: pipeline(include_str!("shaders/rotate.wgsl"), "rotate"),
            scores: pipeline(include_str!("shaders/scores.wgsl"), "scores"),
            mask: pipeline(include_str!("shaders/mask.wgsl"), "mask"),
            softmax: pipeline(softmax, "softmax"),
            given: pipeline(include_str!("shaders/given.wgsl"), "given_rows"),
            context: pipeline(include_str!("shaders/context.wgsl"), "context"),
            log_softmax: pipeline(softmax, "log_softmax"),
            top_k: pipeline(include_str!("shaders/top_k.wgsl"), "top_k"),
        }
    }
}

/// The constants as WGSL.
fn constants() -> String {
    [
        ("LANES", LANES as u32),
        ("TILE", TILE as u32),
        ("MINUS_INFINITY", f32::NEG_INFINITY.to_bits()),
        ("RELU", Activation::Relu as u32),
        ("GELU", Activation::Gelu as u32),
        ("GELU_TANH", Activation::GeluTanh as u32),
        ("SILU", Activation::Silu as u32),
    ]
    .map(|(name, value)| format!("const {name}: u32 = {value}u;\n"))
    .concat()
}
