//! The device: buffers, commands on their way and what went wrong. Commands are recorded
//! and handed over many at a time; recording order is execution order.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use wgpu::{
    AdapterInfo, BindGroupDescriptor, BindGroupEntry, Buffer, BufferAddress, BufferDescriptor,
    BufferUsages, CommandEncoder, ComputePipeline, Device, Queue, SubmissionIndex,
};

use super::pipelines::{LANES, Pipelines, TILE};
use super::tensor::WebGpuTensor;
use crate::error::{Code, Error, Result};

/// Bytes of one number.
pub(super) const FLOAT_BYTES: usize = size_of::<f32>();
/// Commands that are recorded before they are handed over: few enough that the GPU is not
/// left waiting, many enough that handing over costs little.
const BATCH: usize = 64;
/// Workgroups along one axis of a grid, by WebGPU's default limits.
const LARGEST_GRID: usize = 65_535;

/// An open adapter.
pub(super) struct Gpu {
    pub adapter: AdapterInfo,
    pub device: Device,
    pub pipelines: Pipelines,
    queue: Queue,
    recording: RefCell<Recording>,
    failure: Failure,
}

/// Commands that are recorded and not yet handed over.
#[derive(Default)]
struct Recording {
    encoder: Option<CommandEncoder>,
    commands: usize,
}

/// The first thing that went wrong, if anything did. The device tells it from wherever it
/// notices, so it is shared.
#[derive(Clone, Default)]
struct Failure(Arc<Mutex<Option<String>>>);

impl Failure {
    fn keep(&self, what: &str) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get_or_insert_with(|| what.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    fn check(&self) -> Result<()> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(what) => Err(unavailable("a device that takes this work", what)),
        }
    }
}

impl Gpu {
    /// Opens the fastest adapter and compiles the kernels.
    pub async fn open() -> Result<Self> {
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
        let (refused, lost) = (failure.clone(), failure.clone());
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            refused.keep(&error.to_string());
        }));
        device.set_device_lost_callback(move |_, why| lost.keep(&format!("it was lost: {why}")));
        let pipelines = Pipelines::compile(&device);
        failure.check()?;
        let recording = RefCell::default();
        Ok(Self { adapter: adapter.get_info(), device, pipelines, queue, recording, failure })
    }

    /// Fails with the first thing that went wrong since the device was opened.
    pub fn check(&self) -> Result<()> {
        self.failure.check()
    }

    /// Keeps something that went wrong.
    pub fn fail(&self, what: &str) {
        self.failure.keep(what);
    }

    /// A buffer for some numbers, all 0.
    pub fn buffer(&self, n_numbers: usize) -> Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        self.buffer_for(n_numbers * FLOAT_BYTES, usage, false)
    }

    /// A tensor of zeros.
    pub fn tensor(&self, rows: usize, columns: usize) -> WebGpuTensor {
        WebGpuTensor::new(self.buffer(rows * columns), rows, columns)
    }

    /// A buffer that kernels read, with these contents.
    pub fn upload(&self, contents: &[u8]) -> Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        self.filled(contents, usage)
    }

    /// A buffer to read back from.
    pub fn staging(&self, n_numbers: usize) -> Buffer {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        self.buffer_for(n_numbers * FLOAT_BYTES, usage, false)
    }

    /// Records a copy of some numbers between two places given in bytes.
    pub fn copy(
        &self,
        from: (&Buffer, BufferAddress),
        into: (&Buffer, BufferAddress),
        n_numbers: usize,
    ) {
        let size = (n_numbers * FLOAT_BYTES) as BufferAddress;
        self.record(|encoder| {
            encoder.copy_buffer_to_buffer(from.0, from.1, into.0, into.1, size);
        });
    }

    /// Records a kernel. `shape` are the fields of its `Shape`, f32 as bits.
    pub fn dispatch(
        &self,
        pipeline: &ComputePipeline,
        inputs: &[&Buffer],
        output: &Buffer,
        shape: &[u32],
        groups: [u32; 3],
    ) {
        let shape = self.filled(bytes(shape), BufferUsages::UNIFORM);
        let buffers = inputs.iter().copied().chain([output, &shape]);
        let entries: Vec<BindGroupEntry<'_>> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let bindings = self.device.create_bind_group(&BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        });
        self.record(|encoder| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &bindings, &[]);
            pass.dispatch_workgroups(groups[0], groups[1], groups[2]);
        });
    }

    /// Hands over what is recorded.
    pub fn submit(&self) -> SubmissionIndex {
        let recorded = self.recording.take();
        self.queue.submit(recorded.encoder.map(CommandEncoder::finish))
    }

    fn record(&self, command: impl FnOnce(&mut CommandEncoder)) {
        let is_full = {
            let mut recording = self.recording.borrow_mut();
            command(recording.encoder.get_or_insert_with(|| {
                self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
            }));
            recording.commands += 1;
            recording.commands >= BATCH
        };
        if is_full {
            self.submit();
        }
    }

    fn filled(&self, contents: &[u8], usage: BufferUsages) -> Buffer {
        let buffer = self.buffer_for(contents.len(), usage, true);
        // Where the buffer was refused there is nothing to fill, and the refusal is kept.
        if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
            mapped.copy_from_slice(contents);
        }
        buffer.unmap();
        buffer
    }

    fn buffer_for(&self, n_bytes: usize, usage: BufferUsages, mapped_at_creation: bool) -> Buffer {
        let size = n_bytes as BufferAddress;
        self.device.create_buffer(&BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation,
        })
    }
}

/// Numbers as bytes.
pub(super) fn bytes<T: bytemuck::NoUninit>(numbers: &[T]) -> &[u8] {
    bytemuck::cast_slice(numbers)
}

/// A grid with a lane for each of some numbers.
pub(super) fn cells(n_numbers: usize) -> [u32; 3] {
    row_groups(n_numbers.div_ceil(LANES))
}

/// A grid with a workgroup for each of some rows, folded where one axis is too short.
pub(super) fn row_groups(n_rows: usize) -> [u32; 3] {
    let across = n_rows.clamp(1, LARGEST_GRID);
    [across as u32, n_rows.div_ceil(across) as u32, 1]
}

/// A grid with a square of workgroup tiles over a matrix.
pub(super) fn tiles(n_rows: usize, n_columns: usize) -> [u32; 3] {
    [n_columns.div_ceil(TILE) as u32, n_rows.div_ceil(TILE) as u32, 1]
}

fn unavailable(expected: &str, got: &str) -> Error {
    Error::new(
        Code::GpuUnavailable,
        "the GPU",
        format!("{expected}; use the CPU backend instead"),
        got.trim_end_matches('.'),
    )
}
