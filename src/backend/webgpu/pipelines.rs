//! The kernels, compiled: one pipeline per WGSL entry point. Constants that Rust and WGSL
//! must agree on are written here and put in front of every source.
//!
//! In every kernel the bindings are the inputs, then what is written, then its shape.

use wgpu::{ComputePipeline, ComputePipelineDescriptor, Device, ShaderModuleDescriptor};

use super::attention;
use super::linear::{HAS_BIAS, HAS_PLUS, HAS_TIMES, Kernels, NO_ACTIVATION};
use super::matrix::WeightType;
use super::picture;
use crate::kernels::activation::Activation;

/// Invocations of a workgroup that goes through numbers or through one row.
pub(super) const LANES: usize = 64;
/// Invocations of a workgroup that goes through one very long row: the default limit.
const MANY_LANES: usize = 256;

/// Every kernel, ready to be dispatched.
pub(super) struct Pipelines {
    pub add: ComputePipeline,
    pub activate: ComputePipeline,
    pub embed: ComputePipeline,
    pub linear: Kernels,
    pub multiply: ComputePipeline,
    pub norm: ComputePipeline,
    pub rotate: ComputePipeline,
    pub attend: ComputePipeline,
    pub pattern: ComputePipeline,
    pub softmax: ComputePipeline,
    pub finish: ComputePipeline,
    pub thumbnail: ComputePipeline,
    pub sum_rows: ComputePipeline,
    pub sum_columns: ComputePipeline,
    pub join_rows: ComputePipeline,
    pub paint: ComputePipeline,
    pub log_softmax: ComputePipeline,
    pub top_k: ComputePipeline,
}

impl Pipelines {
    /// Compiles all of them; a mistake in one is told to the device's error handler.
    pub fn compile(device: &Device, weights: WeightType) -> Self {
        let pipeline = |source: &str, entry_point: &str| compiled(device, "", source, entry_point);
        let embed = include_str!("shaders/embed.wgsl");
        let activations = include_str!("shaders/activations.wgsl");
        let activate = [activations, include_str!("shaders/activate.wgsl")].concat();
        let marginals =
            concat!(include_str!("shaders/drawn.wgsl"), include_str!("shaders/marginals.wgsl"));
        let softmax = include_str!("shaders/softmax.wgsl");
        Self {
            add: pipeline(include_str!("shaders/add.wgsl"), "add"),
            activate: pipeline(&activate, "activate"),
            embed: compiled(device, weights.wgsl(), embed, "embed"),
            linear: Kernels::compile(device, weights),
            multiply: pipeline(include_str!("shaders/multiply.wgsl"), "multiply"),
            norm: pipeline(include_str!("shaders/norm.wgsl"), "norm"),
            rotate: pipeline(include_str!("shaders/rotate.wgsl"), "rotate"),
            attend: pipeline(
                concat!(
                    include_str!("shaders/score_tile.wgsl"),
                    include_str!("shaders/attend.wgsl")
                ),
                "attend",
            ),
            pattern: pipeline(
                concat!(
                    include_str!("shaders/score_tile.wgsl"),
                    include_str!("shaders/pattern.wgsl")
                ),
                "pattern",
            ),
            softmax: pipeline(softmax, "softmax"),
            finish: pipeline(include_str!("shaders/finish.wgsl"), "finish"),
            thumbnail: pipeline(include_str!("shaders/thumbnail.wgsl"), "thumbnail"),
            sum_rows: pipeline(marginals, "sum_rows"),
            sum_columns: pipeline(marginals, "sum_columns"),
            join_rows: pipeline(include_str!("shaders/extent.wgsl"), "join_rows"),
            paint: pipeline(
                concat!(include_str!("shaders/drawn.wgsl"), include_str!("shaders/paint.wgsl")),
                "paint",
            ),
            log_softmax: pipeline(softmax, "log_softmax"),
            top_k: pipeline(include_str!("shaders/top_k.wgsl"), "top_k"),
        }
    }
}

/// A kernel out of its source; `first` is what WGSL wants at the very beginning.
pub(super) fn compiled(
    device: &Device,
    first: &str,
    source: &str,
    entry_point: &str,
) -> ComputePipeline {
    let common = include_str!("shaders/common.wgsl");
    let source = [first, &constants(), common, source].concat();
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
    .chain(picture::constants())
    .map(|(name, value)| format!("const {name}: u32 = {value}u;\n"))
    .collect::<Vec<String>>()
    .concat()
}
