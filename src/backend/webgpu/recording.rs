//! Commands that are recorded and not yet submitted. Consecutive kernels share one compute pass,
//! and their shapes are side by side in one buffer, which is filled at the submission.

use wgpu::{
    BindGroup, Buffer, BufferBinding, BufferDescriptor, BufferSize, BufferUsages, CommandEncoder,
    CommandEncoderDescriptor, ComputePass, ComputePassDescriptor, ComputePipeline, Device, Queue,
    SubmissionIndex,
};

/// The most commands of a submission: submitting costs the same for one as for many.
const MOST_COMMANDS: usize = 256;
/// The most products of a submission: no single piece of work should take so long that a slow
/// adapter seems dead.
const MOST_PRODUCTS: u64 = 20_000_000_000;
/// The most products of a submission on a software adapter, which runs on a few cores: about a
/// second of work in a browser.
const MOST_PRODUCTS_OF_SOFTWARE: u64 = 50_000_000;
/// The products that suit one core as a piece of a run.
const PRODUCTS_OF_A_CORE: u64 = 200_000_000;
/// The bytes from one shape to the next, by WebGPU's default limits.
const SHAPE_BYTES: usize = 256;

/// The recorded commands and their shapes.
pub(super) struct Recording {
    encoder: Option<CommandEncoder>,
    pass: Option<ComputePass<'static>>,
    /// The shapes of the kernels, in the order of `shape_buffer`.
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

    /// The work of one piece of a run, as a multiple of what suits one core: a submission. Rows
    /// that are cut more finely read each weight more often, and leave most of a GPU idle.
    pub fn pace(&self) -> usize {
        let pace = (self.most_products / PRODUCTS_OF_A_CORE).max(1);
        usize::try_from(pace).unwrap_or(usize::MAX)
    }

    /// Whether the recording should be submitted.
    pub fn is_full(&self) -> bool {
        self.commands >= MOST_COMMANDS || self.products >= self.most_products
    }

    /// Adds the shape of the next kernel and returns its binding.
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

    /// Adds a kernel of about the given number of products.
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

    /// Adds a command other than a kernel.
    pub fn command(&mut self, device: &Device, command: impl FnOnce(&mut CommandEncoder)) {
        self.pass = None;
        command(self.encoder(device));
        self.commands += 1;
    }

    /// Submits the recorded commands.
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
