//! GPU memory that is used again: a buffer returns to the pool when its last owner drops it.
//!
//! One queue executes commands in the order of recording, so a kernel may write to a buffer that
//! an earlier one still reads. Only the CPU's own writes overtake commands that are recorded and
//! not yet submitted: for such a write a buffer is taken whose last user was submitted before.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;

use wgpu::{BufferAddress, BufferDescriptor, BufferUsages, Device};

/// Counts of the device's work since it was opened. For weights only the bytes sent are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// The number of submissions.
    pub submissions: usize,
    /// The number of recorded kernels.
    pub kernels: usize,
    /// The number of buffers that were created, because no free one could be used.
    pub buffers: usize,
    /// The peak bytes of all buffers that kernels use, in use and free.
    pub peak_bytes: u64,
    /// The bytes of the largest buffer of a kernel.
    pub largest_bytes: u64,
    /// The bytes that were uploaded.
    pub sent_bytes: u64,
    /// The bytes that were read back.
    pub read_bytes: u64,
}

/// The bytes of the smallest buffer.
const SMALLEST: BufferAddress = 256;
/// The most bytes of free buffers; beyond them, the longest free ones are released.
const MOST_WAITING: BufferAddress = 512 << 20;

/// Memory on the GPU, which initially has the contents of its last use.
#[derive(Debug)]
pub(super) struct Buffer {
    /// The memory; `None` only after it returned to the pool.
    memory: Option<wgpu::Buffer>,
    /// The pool to which the buffer returns; `None` for a permanent buffer.
    home: Option<Rc<Pool>>,
    who_writes: Writer,
}

/// The first writer of a buffer. A free buffer is reused by the same kind of writer, so that equal
/// runs find the buffers that they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writer {
    Kernel,
    Cpu,
    /// A copy, for the CPU to read.
    Copy,
}

impl Buffer {
    /// Memory that is freed and not used again.
    pub fn permanent(memory: wgpu::Buffer) -> Self {
        Self { memory: Some(memory), home: None, who_writes: Writer::Cpu }
    }
}

impl Deref for Buffer {
    type Target = wgpu::Buffer;

    fn deref(&self) -> &wgpu::Buffer {
        self.memory.as_ref().expect("memory is only taken out of a buffer that is dropped")
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let (Some(memory), Some(home)) = (self.memory.take(), &self.home) {
            home.put(memory, self.who_writes);
        }
    }
}

/// The free buffers, the longest free one first.
#[derive(Debug)]
pub(super) struct Pool {
    device: Device,
    /// The largest buffer that a kernel can bind.
    largest: BufferAddress,
    waiting: RefCell<VecDeque<Waiting>>,
    /// The numbers of submissions, of submitted commands, and of recorded commands.
    submissions: Cell<usize>,
    handed_over: Cell<usize>,
    recorded: Cell<usize>,
    made: Cell<usize>,
    /// The bytes of all buffers except those for reading back, in use and free: now, and the peak.
    held: Cell<BufferAddress>,
    peak: Cell<BufferAddress>,
    /// The bytes of the largest buffer of a kernel.
    widest: Cell<BufferAddress>,
    /// The bytes that the CPU sent, and read back.
    sent: Cell<u64>,
    read: Cell<u64>,
}

#[derive(Debug)]
struct Waiting {
    memory: wgpu::Buffer,
    who_writes: Writer,
    /// The number of recorded commands when the buffer was freed.
    since: usize,
}

impl Pool {
    pub fn new(device: Device) -> Self {
        let largest = device.limits().max_storage_buffer_binding_size;
        Self {
            device,
            largest,
            waiting: RefCell::default(),
            submissions: Cell::default(),
            handed_over: Cell::default(),
            recorded: Cell::default(),
            made: Cell::default(),
            held: Cell::default(),
            peak: Cell::default(),
            widest: Cell::default(),
            sent: Cell::default(),
            read: Cell::default(),
        }
    }

    /// The number of submissions.
    pub fn submissions(&self) -> usize {
        self.submissions.get()
    }

    /// The counts so far, with a number of kernels.
    pub fn counts(&self, kernels: usize) -> Counts {
        Counts {
            submissions: self.submissions.get(),
            kernels,
            buffers: self.made.get(),
            peak_bytes: self.peak.get(),
            largest_bytes: self.widest.get(),
            sent_bytes: self.sent.get(),
            read_bytes: self.read.get(),
        }
    }

    /// Counts a recorded command.
    pub fn record(&self) {
        self.recorded.set(self.recorded.get() + 1);
    }

    /// Notes a submission: the CPU may write to the buffers of submitted commands.
    pub fn hand_over(&self) {
        self.submissions.set(self.submissions.get() + 1);
        self.handed_over.set(self.recorded.get());
    }

    /// A buffer that kernels write before they read it.
    pub fn scratch(self: &Rc<Self>, n_bytes: usize) -> Buffer {
        self.lend(n_bytes, Writer::Kernel)
    }

    /// A buffer that the CPU may write to immediately.
    pub fn writable(self: &Rc<Self>, n_bytes: usize) -> Buffer {
        self.send(n_bytes);
        self.lend(n_bytes, Writer::Cpu)
    }

    /// Counts bytes that the CPU writes.
    pub fn send(&self, n_bytes: usize) {
        self.sent.set(self.sent.get() + n_bytes as u64);
    }

    /// A buffer for reading back. It is returned explicitly, and only after it is unmapped.
    pub fn staging(&self, n_bytes: usize) -> wgpu::Buffer {
        self.read.set(self.read.get() + n_bytes as u64);
        self.take(n_bytes, Writer::Copy)
    }

    /// Returns a buffer for reading back to the pool.
    pub fn give_back(&self, staging: wgpu::Buffer) {
        self.put(staging, Writer::Copy);
    }

    fn lend(self: &Rc<Self>, n_bytes: usize, who_writes: Writer) -> Buffer {
        let memory = Some(self.take(n_bytes, who_writes));
        Buffer { memory, home: Some(Rc::clone(self)), who_writes }
    }

    fn put(&self, memory: wgpu::Buffer, who_writes: Writer) {
        let mut waiting = self.waiting.borrow_mut();
        waiting.push_back(Waiting { memory, who_writes, since: self.recorded.get() });
        let mut size: BufferAddress = waiting.iter().map(|waiting| waiting.memory.size()).sum();
        while size > MOST_WAITING {
            let Some(oldest) = waiting.pop_front() else { break };
            let freed = oldest.memory.size();
            size -= freed;
            if oldest.who_writes != Writer::Copy {
                self.held.set(self.held.get() - freed);
            }
        }
    }

    fn take(&self, n_bytes: usize, who_writes: Writer) -> wgpu::Buffer {
        let size = self.size_of(n_bytes as BufferAddress);
        let is_free = |since: usize| who_writes != Writer::Cpu || since <= self.handed_over.get();
        let fits = |waiting: &Waiting| {
            waiting.memory.size() == size
                && waiting.who_writes == who_writes
                && is_free(waiting.since)
        };
        let mut waiting = self.waiting.borrow_mut();
        let found = waiting.iter().rposition(fits).and_then(|at| waiting.remove(at));
        found.map_or_else(|| self.make(size, who_writes), |waiting| waiting.memory)
    }

    fn make(&self, size: BufferAddress, who_writes: Writer) -> wgpu::Buffer {
        let usage = match who_writes {
            Writer::Copy => BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            _ => BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
        };
        self.made.set(self.made.get() + 1);
        // A buffer for reading back is not counted, because a caller may drop it unnoticed during a
        // read.
        if who_writes != Writer::Copy {
            self.held.set(self.held.get() + size);
            self.peak.set(self.peak.get().max(self.held.get()));
            self.widest.set(self.widest.get().max(size));
        }
        let label = None;
        self.device.create_buffer(&BufferDescriptor {
            label,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// The bytes of a buffer for `n_bytes`: one of four steps between two powers of two, so that
    /// texts of nearly the same length share buffers; at most what a kernel can bind.
    fn size_of(&self, n_bytes: BufferAddress) -> BufferAddress {
        let n_bytes = n_bytes.max(SMALLEST);
        let step = (n_bytes.next_power_of_two() / 8).max(SMALLEST);
        let size = n_bytes.next_multiple_of(step);
        if n_bytes <= self.largest { size.min(self.largest) } else { size }
    }
}
