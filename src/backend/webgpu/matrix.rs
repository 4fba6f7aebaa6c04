//! Weights in GPU memory: `[outer, inner]`, row-major, so that an entry of an embedding table is
//! a row. Numbers of 16 bits and blocks of `Q8_0` have the size that they have in a file, and a
//! kernel widens them as it reads them; other formats are widened to f32 at load. A table larger
//! than a kernel's binding is cut between rows into parts, and every kernel that reads the table
//! runs once for each part.

use super::gpu::{Bound, Gpu, bytes};
use super::pool::Buffer;
use crate::backend::Order;
use crate::error::Result;
use crate::kernels::stored::{Format, widened};

/// The bytes of a word, in which kernels read.
const WORD: usize = size_of::<u32>();
/// The numbers of a block of `Q8_0`.
const BLOCK: usize = 32;
/// The bytes of a block's factor, which stands before its numbers in a file.
const FACTOR_BYTES: usize = 2;
/// The bytes of a block.
const BLOCK_BYTES: usize = FACTOR_BYTES + BLOCK;

/// The format of a weight in GPU memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// Rows in fours, the last filled up with zeros; so are those of 16 bits.
    F32,
    F16,
    Bf16,
    /// The whole numbers of a row's blocks, then the factors of these.
    Q8_0,
}

impl Held {
    /// All formats, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::F32, Self::F16, Self::Bf16, Self::Q8_0];

    fn of(format: Format) -> Self {
        match format {
            Format::F16 => Self::F16,
            Format::Bf16 => Self::Bf16,
            Format::Q8_0 => Self::Q8_0,
            _ => Self::F32,
        }
    }

    /// The WGSL source that reads four numbers of a row of each weight: `four_of_NAME(row, four,
    /// fours)`. Weights have a name and a binding.
    pub fn source(self, weights: &[(&str, u32)]) -> String {
        let source = match self {
            Self::F32 => include_str!("shaders/weights_f32.wgsl"),
            Self::F16 => {
                concat!(include_str!("shaders/half.wgsl"), include_str!("shaders/weights_f16.wgsl"))
            }
            Self::Bf16 => include_str!("shaders/weights_bf16.wgsl"),
            Self::Q8_0 => {
                concat!(
                    include_str!("shaders/half.wgsl"),
                    include_str!("shaders/weights_q8_0.wgsl")
                )
            }
        };
        let (once, each) = source.split_once("// (each weight)\n").unwrap_or(("", source));
        let each = weights.iter().map(|(name, binding)| {
            each.replace("WEIGHT", name).replace("BINDING", &binding.to_string())
        });
        std::iter::once(once.to_owned()).chain(each).collect::<Vec<_>>().concat()
    }

    /// The bytes of a row of `inner` numbers.
    fn row_bytes(self, inner: usize) -> usize {
        let fours = inner.div_ceil(4);
        let blocks = inner.div_ceil(BLOCK);
        match self {
            Self::F32 => 16 * fours,
            Self::F16 | Self::Bf16 => 8 * fours,
            Self::Q8_0 => blocks * BLOCK + (blocks * FACTOR_BYTES).next_multiple_of(WORD),
        }
    }

    /// Rows of a file in the layout of this format.
    fn laid_out(self, format: Format, inner: usize, rows: Vec<u8>) -> Vec<u8> {
        let own = self.row_bytes(inner);
        let (stride, rows) = match self {
            Self::F32 if format != Format::F32 => {
                (inner * WORD, bytes(&widened(format, inner, &rows)).to_vec())
            }
            _ => (format.row_bytes(inner), rows),
        };
        if self != Self::Q8_0 && stride == own {
            return rows;
        }
        let mut laid_out = Vec::with_capacity(rows.len() / stride.max(1) * own);
        for row in rows.chunks_exact(stride.max(1)) {
            let end = laid_out.len() + own;
            if self == Self::Q8_0 {
                let blocks = row.as_chunks::<BLOCK_BYTES>().0;
                laid_out.extend(blocks.iter().flat_map(|block| &block[FACTOR_BYTES..]));
                laid_out.extend(blocks.iter().flat_map(|block| &block[..FACTOR_BYTES]));
            } else {
                laid_out.extend(row);
            }
            laid_out.resize(end, 0);
        }
        laid_out
    }
}

/// A weight in GPU memory.
pub struct WebGpuMatrix {
    pub(super) parts: Vec<Part>,
    pub(super) inner: usize,
    pub(super) outer: usize,
    pub(super) held: Held,
}

/// A part of a weight: some of its rows.
pub(super) struct Part {
    buffer: Buffer,
    /// The first row of the part.
    pub first: usize,
    /// The number of rows.
    pub rows: usize,
}

impl Part {
    /// What a kernel binds to read the part.
    pub fn bound(&self) -> Bound<'_> {
        Bound::whole(&self.buffer)
    }
}

impl WebGpuMatrix {
    /// Uploads a weight of f32.
    pub(super) fn new(gpu: &Gpu, data: &[f32], inner: usize, outer: usize, order: Order) -> Self {
        let matrix = Self::room(gpu, Held::F32, inner, outer);
        let rows = match order {
            Order::OuterInner => bytes(data).to_vec(),
            Order::InnerOuter => {
                let row = |n: usize| (0..inner).map(move |k| data[k * outer + n]);
                bytes(&(0..outer).flat_map(row).collect::<Vec<f32>>()).to_vec()
            }
        };
        matrix.write(gpu, 0, &Held::F32.laid_out(Format::F32, inner, rows));
        matrix
    }

    /// Uploads the rows of a file as they come.
    pub(super) fn stored(
        gpu: &Gpu,
        format: Format,
        [inner, outer]: [usize; 2],
        rows: &mut dyn Iterator<Item = Result<Vec<u8>>>,
    ) -> Result<Self> {
        let held = Held::of(format);
        let matrix = Self::room(gpu, held, inner, outer);
        let mut first = 0;
        for rows in rows {
            let rows = held.laid_out(format, inner, rows?);
            matrix.write(gpu, first, &rows);
            first += rows.len() / held.row_bytes(inner).max(1);
        }
        Ok(matrix)
    }

    /// A weight whose rows are not written yet.
    fn room(gpu: &Gpu, held: Held, inner: usize, outer: usize) -> Self {
        let row_bytes = held.row_bytes(inner);
        let at_once = (gpu.largest_binding / row_bytes.max(1)).max(1);
        let part = |first: usize| {
            let rows = at_once.min(outer - first);
            Part { buffer: gpu.reserve(rows * row_bytes), first, rows }
        };
        let parts = (0..outer).step_by(at_once).map(part).collect();
        Self { parts, inner, outer, held }
    }

    /// Writes rows from number `first` on into their parts.
    fn write(&self, gpu: &Gpu, first: usize, rows: &[u8]) {
        let row_bytes = self.held.row_bytes(self.inner).max(1);
        let end = first + rows.len() / row_bytes;
        for part in &self.parts {
            let own = first.max(part.first)..end.min(part.first + part.rows);
            if !own.is_empty() {
                let from = &rows[(own.start - first) * row_bytes..(own.end - first) * row_bytes];
                gpu.write(&part.buffer, (own.start - part.first) * row_bytes, from);
            }
        }
    }
}
