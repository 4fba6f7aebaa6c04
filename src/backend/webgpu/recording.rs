//! Commands that are recorded and not yet handed over. Kernels that follow one another are one
//! compute pass, and their shapes lie side by side in one buffer, which is filled when they are
//! handed over.

use std::cell::LazyCell;

use wgpu::{
    BindGroup, Buffer, BufferBinding, BufferDescriptor, BufferSize, BufferUsages, CommandEncoder,
    CommandEncoderDescriptor, ComputePass, ComputePassDescriptor, ComputePipeline,
    ComputePipelineDescriptor, Device, Queue, ShaderModuleDescriptor, SubmissionIndex,
};

use super::attention;
use super::linear::{HAS_BIAS, HAS_PLUS, HAS_TIMES, Kernels, NO_ACTIVATION};
use super::tensor::WeightType;
use crate::kernels::activation::Activation;

/// Commands that are recorded before they are handed over: handing over costs the same for one
/// as for many.
const MOST_COMMANDS: usize = 256;
/// Products that are recorded before they are handed over: no single piece of work should take
/// so long that a slow adapter is taken for a dead one.
const MOST_PRODUCTS: u64 = 20_000_000_000;
/// The same for an adapter that only imitates a GPU, at the pace of a few cores: in a browser it
/// takes a second for these.
const MOST_PRODUCTS_OF_SOFTWARE: u64 = 50_000_000;
/// Bytes from one shape to the next, by WebGPU's default limits.
const SHAPE_BYTES: usize = 256;

/// What is recorded.
pub(super) struct Recording {
    encoder: Option<CommandEncoder>,
    pass: Option<ComputePass<'static>>,
    /// The shapes of the kernels, as they will be in `shape_buffer`.
    shapes: Vec<u8>,
    shape_buffer: Buffer,
    commands: usize,
    products: u64,
    most_products: u64,
}

impl Recording {
    pub fn new(device: &Device, is_software: bool, most: Option<u64>) -> Self {
        let shape_buffer = device.create_buffer(&BufferDescriptor {
            label: Some("shapes"),
            size: (MOST_COMMANDS * SHAPE_BYTES) as u64,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self {
            encoder: None,
            pass: None,
            shapes: Vec::new(),
            shape_buffer,
            commands: 0,
            products: 0,
            most_products: most.unwrap_or(if is_software {
                MOST_PRODUCTS_OF_SOFTWARE
            } else {
                MOST_PRODUCTS
            }),
        }
    }

    /// Whether it is time to hand over.
    pub fn is_full(&self) -> bool {
        self.commands >= MOST_COMMANDS || self.products >= self.most_products
    }

    /// Where the shape of the next kernel will be.
    pub fn shape(&mut self, fields: &[u8]) -> BufferBinding<'_> {
        let offset = self.shapes.len();
        self.shapes.extend(fields);
        self.shapes.resize(offset + SHAPE_BYTES, 0);
        BufferBinding {
            buffer: &self.shape_buffer,
            offset: offset as u64,
            size: BufferSize::new(SHAPE_BYTES as u64),
        }
    }

    /// Adds a kernel that takes about so many products.
    pub fn kernel(
        &mut self,
        device: &Device,
        pipeline: &ComputePipeline,
        bindings: &BindGroup,
        groups: [u32; 3],
        products: u64,
    ) {
        if self.pass.is_none() {
            let descriptor = ComputePassDescriptor::default();
            let pass = self.encoder(device).begin_compute_pass(&descriptor).forget_lifetime();
            self.pass = Some(pass);
        }
        if let Some(pass) = &mut self.pass {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, bindings, &[]);
            pass.dispatch_workgroups(groups[0], groups[1], groups[2]);
        }
        self.commands += 1;
        self.products += products;
    }

    /// Adds something that is no kernel.
    pub fn command(&mut self, device: &Device, command: impl FnOnce(&mut CommandEncoder)) {
        self.pass = None;
        command(self.encoder(device));
        self.commands += 1;
    }

    /// Submits what there is.
    pub fn submit(&mut self, queue: &Queue) -> SubmissionIndex {
        self.pass = None;
        if !self.shapes.is_empty() {
            queue.write_buffer(&self.shape_buffer, 0, &self.shapes);
        }
        self.shapes.clear();
        (self.commands, self.products) = (0, 0);
        queue.submit(self.encoder.take().map(CommandEncoder::finish))
    }

    fn encoder(&mut self, device: &Device) -> &mut CommandEncoder {
        self.encoder.get_or_insert_with(|| {
            device.create_command_encoder(&CommandEncoderDescriptor::default())
        })
    }
}

// The kernels: one pipeline per WGSL entry point, compiled when it is first dispatched. A run
// takes about half of them, and a driver may take longer to compile one than to run it.
// Constants that Rust and WGSL must agree on are written here and put in front of every source.
//
// In every kernel the bindings are the inputs, then what is written, then its shape.

/// Invocations of a workgroup that goes through numbers or through one row.
pub(super) const LANES: usize = 64;
/// Invocations of a workgroup that goes through one very long row: the default limit.
const MANY_LANES: usize = 256;

/// A kernel that is compiled when it is first dispatched.
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
    /// What each is compiled from; a mistake in one is reported to the device's error handler when
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
