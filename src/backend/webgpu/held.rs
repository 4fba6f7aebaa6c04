//! The formats of weights in GPU memory. Numbers of 16 bits and blocks of `Q8_0` have the size that
//! they have in a file, and a kernel widens them as it reads them; other formats are widened to f32
//! at load.

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

    /// The format in which the weights of a file are held.
    pub fn of(format: Format) -> Self {
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
    pub fn row_bytes(self, inner: usize) -> usize {
        let fours = inner.div_ceil(4);
        let blocks = inner.div_ceil(BLOCK);
        match self {
            Self::F32 => 16 * fours,
            Self::F16 | Self::Bf16 => 8 * fours,
            Self::Q8_0 => blocks * BLOCK + (blocks * FACTOR_BYTES).next_multiple_of(WORD),
        }
    }

    /// Rows of a file in the layout of this format.
    pub fn laid_out(self, format: Format, inner: usize, rows: Vec<u8>) -> Vec<u8> {
        let own = self.row_bytes(inner);
        let (stride, rows) = match self {
            Self::F32 if format != Format::F32 => {
                (inner * WORD, bytemuck::cast_slice(&widened(format, inner, &rows)).to_vec())
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
