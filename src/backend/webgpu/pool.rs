//! GPU memory that is used again: a buffer goes back when the last who holds it lets go.
//!
//! One queue carries out what is recorded in the order of recording, so a kernel may write to a
//! buffer that an earlier one still reads. Only the CPU's own writes overtake what is recorded
//! and not yet handed over: for those a buffer is taken whose last user was handed over before.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;

use wgpu::{BufferAddress, BufferDescriptor, BufferUsages, Device};

/// Bytes of the smallest buffer.
const SMALLEST: BufferAddress = 256;
/// Bytes that wait to be used again; beyond them those are freed that waited longest.
const MOST_WAITING: BufferAddress = 512 << 20;

/// Memory on the GPU. What it holds at first is left from its last use.
#[derive(Debug)]
pub(super) struct Buffer {
    /// Always there, until it goes back.
    memory: Option<wgpu::Buffer>,
    /// Where it goes back to; what is made once and kept has no such place.
    home: Option<Rc<Pool>>,
}

impl Buffer {
    /// Memory that is freed and not used again.
    pub fn kept(memory: wgpu::Buffer) -> Self {
        Self { memory: Some(memory), home: None }
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
            home.give_back(memory);
        }
    }
}

/// Buffers that wait to be used again, the one that waited longest first.
#[derive(Debug)]
pub(super) struct Pool {
    device: Device,
    /// The largest buffer that a kernel can be given.
    largest: BufferAddress,
    waiting: RefCell<VecDeque<Waiting>>,
    /// How often commands were handed over.
    handed_over: Cell<usize>,
    made: Cell<usize>,
}

#[derive(Debug)]
struct Waiting {
    memory: wgpu::Buffer,
    /// How often commands had been handed over when it came back.
    since: usize,
}

impl Pool {
    pub fn new(device: Device) -> Self {
        let largest = device.limits().max_storage_buffer_binding_size;
        Self {
            device,
            largest,
            waiting: RefCell::default(),
            handed_over: Cell::default(),
            made: Cell::default(),
        }
    }

    /// How many buffers had to be made, because none of those that wait would do.
    pub fn made(&self) -> usize {
        self.made.get()
    }

    /// How often commands were handed over.
    pub fn handed_over(&self) -> usize {
        self.handed_over.get()
    }

    /// Commands were handed over: the CPU may write to what they were the last to use.
    pub fn hand_over(&self) {
        self.handed_over.set(self.handed_over.get() + 1);
    }

    /// A buffer that kernels write to before they read it.
    pub fn scratch(self: &Rc<Self>, n_bytes: usize) -> Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let memory = self.take(n_bytes, usage, |_| true);
        Buffer { memory: Some(memory), home: Some(Rc::clone(self)) }
    }

    /// A buffer that the CPU may write to at once.
    pub fn writable(self: &Rc<Self>, n_bytes: usize) -> Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let memory = self.take(n_bytes, usage, |since| since < self.handed_over.get());
        Buffer { memory: Some(memory), home: Some(Rc::clone(self)) }
    }

    /// A buffer to read back from. It is given back by hand, and only once it is unmapped.
    pub fn staging(&self, n_bytes: usize) -> wgpu::Buffer {
        self.take(n_bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST, |_| true)
    }

    /// Has a buffer wait.
    pub fn give_back(&self, memory: wgpu::Buffer) {
        let mut waiting = self.waiting.borrow_mut();
        waiting.push_back(Waiting { memory, since: self.handed_over.get() });
        let mut size: BufferAddress = waiting.iter().map(|waiting| waiting.memory.size()).sum();
        while size > MOST_WAITING {
            size -= waiting.pop_front().map_or(size, |oldest| oldest.memory.size());
        }
    }

    fn take(
        &self,
        n_bytes: usize,
        usage: BufferUsages,
        may: impl Fn(usize) -> bool,
    ) -> wgpu::Buffer {
        let size = self.size_of(n_bytes as BufferAddress);
        let fits = |waiting: &Waiting| {
            waiting.memory.size() == size && waiting.memory.usage() == usage && may(waiting.since)
        };
        let mut waiting = self.waiting.borrow_mut();
        let found = waiting.iter().rposition(fits).and_then(|at| waiting.remove(at));
        found.map_or_else(|| self.make(size, usage), |waiting| waiting.memory)
    }

    fn make(&self, size: BufferAddress, usage: BufferUsages) -> wgpu::Buffer {
        self.made.set(self.made.get() + 1);
        let label = None;
        self.device.create_buffer(&BufferDescriptor {
            label,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    /// Bytes of the buffer for some bytes: one of four steps between two powers of two, so that
    /// texts of nearly one length share buffers; never more than a kernel can be given.
    fn size_of(&self, n_bytes: BufferAddress) -> BufferAddress {
        let n_bytes = n_bytes.max(SMALLEST);
        let step = (n_bytes.next_power_of_two() / 8).max(SMALLEST);
        let size = n_bytes.next_multiple_of(step);
        if n_bytes <= self.largest { size.min(self.largest) } else { size }
    }
}
