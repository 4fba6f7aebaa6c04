//! The device: its buffers, its recorded commands and its failure. Commands are recorded and
//! submitted many at a time; recording order is execution order.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use wgpu::{
    AdapterInfo, BindGroupDescriptor, BindGroupEntry, BindingResource, BufferAddress,
    BufferBinding, BufferDescriptor, BufferSize, BufferUsages, Device, Queue,
};

use super::backlog::Backlog;
use super::compiled::{Compiled, FLOAT_BYTES};
use super::completion::Answer;
use super::pipelines::Pipelines;
use super::pool::{Buffer, Pool};
use super::recording::Recording;
use crate::error::{Code, Error, Result};

/// The requirements of an adapter.
#[derive(Debug, Clone, Copy, Default)]
pub struct Opening {
    /// Whether every dispatch is logged, for [`WebGpu::dispatches`](super::WebGpu::dispatches).
    pub is_logged: bool,
    /// The bytes of the largest part of a table, and of a pattern that is read, if smaller than the
    /// adapter's limit.
    pub largest_part: Option<usize>,
    /// The products that are submitted at once, if fewer than suits the adapter.
    pub most_products: Option<u64>,
}

/// A recorded kernel.
#[derive(Debug, Clone)]
pub struct Dispatch {
    /// The name of the kernel.
    pub name: &'static str,
    /// The number of workgroups along each axis.
    pub groups: [u32; 3],
    /// The fields of the kernel's `Shape`, f32 as bits.
    pub shape: Vec<u32>,
    /// The bytes that are bound as each input; 4 for an input that the kernel does not read.
    pub inputs: Vec<u64>,
    /// The bytes that are bound as output.
    pub output: u64,
}

/// A part of a buffer that a kernel binds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound<'a> {
    pub buffer: &'a wgpu::Buffer,
    pub first_byte: BufferAddress,
    pub bytes: BufferAddress,
}

impl<'a> Bound<'a> {
    /// All of a buffer.
    pub fn whole(buffer: &'a wgpu::Buffer) -> Self {
        Self { buffer, first_byte: 0, bytes: buffer.size() }
    }

    /// A binding for an input that is absent and that the kernel does not read: every binding needs
    /// a buffer.
    #[must_use]
    pub fn unread(self) -> Self {
        Self { bytes: FLOAT_BYTES as BufferAddress, ..self }
    }

    fn binding(&self) -> BufferBinding<'a> {
        BufferBinding {
            buffer: self.buffer,
            offset: self.first_byte,
            size: BufferSize::new(self.bytes),
        }
    }
}

/// An open adapter.
pub(super) struct Gpu {
    pub adapter: AdapterInfo,
    pub device: Device,
    pub pipelines: Pipelines,
    /// The work of one piece of a run, as a multiple of what suits one core.
    pub pace: usize,
    /// The bytes of the largest part of a table, and of a pattern that is read.
    pub largest_binding: usize,
    pub pool: Rc<Pool>,
    /// The work that was submitted and is not complete.
    pub backlog: Backlog,
    queue: Queue,
    recording: RefCell<Recording>,
    kernels: Cell<usize>,
    /// The kernels recorded since the last look, if they are logged.
    log: Option<RefCell<Vec<Dispatch>>>,
    failure: Failure,
    /// Resolves when the device is lost, for every waiting future.
    gone: Answer,
}

/// The first failure of the device, if any. The device reports it from any thread, so it is shared.
#[derive(Clone, Default)]
struct Failure(Arc<Mutex<Option<String>>>);

impl Failure {
    fn keep(&self, what: &str) {
        let mut failure = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert_with(|| what.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    fn check(&self) -> Result<()> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(what) => Err(unavailable("a device that takes this work", what)),
        }
    }
}

impl Gpu {
    /// Opens the fastest adapter.
    pub async fn open(opening: Opening) -> Result<Self> {
        let instance =
            wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                ..Default::default()
            })
            .await
            .map_err(|error| unavailable("a WebGPU adapter", &error.to_string()))?;
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor::default())
            .await
            .map_err(|error| unavailable("WebGPU's default limits", &error.to_string()))?;
        let failure = Failure::default();
        let refused = failure.clone();
        let lost = failure.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            refused.keep(&error.to_string());
        }));
        let gone = Answer::default();
        let resolve = gone.resolver();
        device.set_device_lost_callback(move |_, why| {
            let why = format!("it was lost: {why}");
            lost.keep(&why);
            resolve(Err(why));
        });
        let pipelines = Pipelines::new(&device);
        let adapter = adapter.get_info();
        let is_software = adapter.device_type == wgpu::DeviceType::Cpu;
        let recording = Recording::new(&device, is_software, opening.most_products);
        Ok(Self {
            adapter,
            pace: recording.pace(),
            pipelines,
            largest_binding: opening.largest_part.unwrap_or(usize::MAX).min(
                usize::try_from(device.limits().max_storage_buffer_binding_size)
                    .unwrap_or(usize::MAX),
            ),
            pool: Rc::new(Pool::new(device.clone())),
            backlog: Backlog::default(),
            queue,
            recording: RefCell::new(recording),
            kernels: Cell::default(),
            log: opening.is_logged.then(RefCell::default),
            failure,
            gone,
            device,
        })
    }

    /// Fails with the first failure since the device was opened.
    pub fn check(&self) -> Result<()> {
        self.failure.check()
    }

    /// Resolves with the reason when the device is lost.
    pub fn lost(&self) -> impl Future<Output = String> + use<> {
        let gone = self.gone.resolved();
        async move { gone.await.err().unwrap_or_default() }
    }

    /// Stores a failure.
    pub fn fail(&self, what: &str) {
        self.failure.keep(what);
    }

    /// A buffer for some numbers, whose contents are undefined until they are written.
    pub fn buffer(&self, n_numbers: usize) -> Buffer {
        self.pool.scratch(n_numbers * FLOAT_BYTES)
    }

    /// A buffer that kernels read, with these contents.
    pub fn upload(&self, contents: &[u8]) -> Buffer {
        let buffer = self.pool.writable(contents.len());
        if !contents.is_empty() {
            self.queue.write_buffer(&buffer, 0, contents);
        }
        buffer
    }

    /// A buffer of exactly this size, which lives as long as the model.
    pub fn reserve(&self, n_bytes: usize) -> Buffer {
        Buffer::permanent(self.device.create_buffer(&BufferDescriptor {
            label: None,
            size: n_bytes as BufferAddress,
            usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
            // Browsers throw if there is no room to map; a refusal by the GPU is reported.
            mapped_at_creation: false,
        }))
    }

    /// Writes to a reserved buffer, which no recorded command reads yet.
    pub fn write(&self, into: &Buffer, first_byte: usize, contents: &[u8]) {
        self.pool.send(contents.len());
        self.queue.write_buffer(into, first_byte as BufferAddress, contents);
    }

    /// Records a copy of some numbers between two offsets in bytes.
    pub fn copy(
        &self,
        from: (&wgpu::Buffer, BufferAddress),
        into: (&wgpu::Buffer, BufferAddress),
        n_numbers: usize,
    ) {
        let size = (n_numbers * FLOAT_BYTES) as BufferAddress;
        self.command(|encoder| {
            encoder.copy_buffer_to_buffer(from.0, from.1, into.0, into.1, size);
        });
    }

    /// Records a kernel of about the given number of products. `shape` are the fields of its
    /// `Shape`, f32 as bits.
    pub fn dispatch(
        &self,
        kernel: &Compiled,
        inputs: &[Bound<'_>],
        output: Bound<'_>,
        shape: &[u32],
        groups: [u32; 3],
        products: u64,
    ) {
        self.pool.record();
        if let Some(log) = &self.log {
            let inputs = inputs.iter().map(|input| input.bytes).collect();
            let shape = shape.to_vec();
            let name = kernel.name;
            log.borrow_mut().push(Dispatch { name, groups, shape, inputs, output: output.bytes });
        }
        let pipeline = &kernel.pipeline;
        let is_full = {
            let mut recording = self.recording.borrow_mut();
            let resources = inputs
                .iter()
                .chain([&output])
                .map(Bound::binding)
                .chain([recording.shape(bytes(shape))])
                .map(BindingResource::Buffer);
            let entries: Vec<BindGroupEntry<'_>> = (0..)
                .zip(resources)
                .map(|(binding, resource)| BindGroupEntry { binding, resource })
                .collect();
            let bindings = self.device.create_bind_group(&BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries,
            });
            drop(entries);
            recording.kernel(&self.device, pipeline, &bindings, groups, products);
            recording.is_full()
        };
        self.kernels.set(self.kernels.get() + 1);
        if is_full {
            self.submit_piece();
        }
    }

    /// Submits the recorded commands.
    pub fn submit(&self) -> wgpu::SubmissionIndex {
        let index = self.recording.borrow_mut().submit(&self.queue);
        self.pool.hand_over();
        index
    }

    /// Submits the recorded commands without a reader, as a piece of longer work.
    fn submit_piece(&self) {
        let index = self.submit();
        self.backlog.begin(&self.queue, index);
    }

    /// The number of recorded kernels.
    pub fn kernels(&self) -> usize {
        self.kernels.get()
    }

    /// The logged kernels since the last call.
    pub fn logged(&self) -> Vec<Dispatch> {
        self.log.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// Records a command that is no kernel.
    pub fn command(&self, command: impl FnOnce(&mut wgpu::CommandEncoder)) {
        self.pool.record();
        let is_full = {
            let mut recording = self.recording.borrow_mut();
            recording.command(&self.device, command);
            recording.is_full()
        };
        if is_full {
            self.submit_piece();
        }
    }
}

/// The bytes of some numbers.
pub(super) fn bytes<T: bytemuck::NoUninit>(numbers: &[T]) -> &[u8] {
    bytemuck::cast_slice(numbers)
}

fn unavailable(expected: &str, got: &str) -> Error {
    Error::new(
        Code::GpuUnavailable,
        "the GPU",
        format!("{expected}; use the CPU backend instead"),
        got.trim_end_matches('.'),
    )
}
