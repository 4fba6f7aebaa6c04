//! The operations that the one forward pass is written against. An implementation
//! decides where the numbers live.
//!
//! Operations are synchronous: they take opaque tensors and enqueue work. Only `read`
//! is asynchronous, and its future owns what it needs, so that no borrow lives across
//! an await. That is what a GPU needs, and costs a CPU nothing.
//!
//! Every tensor is a matrix `[rows, columns]` of f32; a row belongs to one token.

mod cpu;
mod linear;
mod rows_read;
mod site_cache;
#[cfg(feature = "webgpu")]
pub mod webgpu;

use std::future::{Future, Ready};
use std::ops::Range;

use crate::axes::Stage;
use crate::edits::{FixedPatterns, Variants};
use crate::error::Result;
use crate::kernels::activation::Activation;
use crate::kernels::stored::{Format, widened};
use crate::masks::Mask;
use crate::positions::Relative;

pub use cpu::Cpu;
pub use linear::Linear;
pub use rows_read::{ReadRows, on_cpu};
pub use site_cache::{ReadCache, SiteCache};

/// How a checkpoint stores a weight that maps `inner` numbers to `outer` numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// `[inner, outer]`, as GPT-2's `Conv1D`.
    InnerOuter,
    /// `[outer, inner]`, as `nn.Linear`; also an embedding table `[vocabulary, d]` that
    /// serves as output projection.
    OuterInner,
}

/// One attention site with everything its numbers depend on. `query` is
/// `[n_q, h·d_h]`, `key` and `value` are `[n_k, h_kv·d_h]`: each of their heads serves
/// `h / h_kv` heads of queries that stand side by side.
pub struct Attention<'a, T> {
    /// Queries as they enter the product.
    pub query: &'a T,
    /// Keys as they enter the product.
    pub key: &'a T,
    /// Values.
    pub value: &'a T,
    /// Heads, side by side in the columns of the queries.
    pub n_heads: usize,
    /// Heads in the columns of keys and values; divides `n_heads`.
    pub n_kv_heads: usize,
    /// Factor on `Q Kᵀ`, usually `1/√d_h`.
    pub scale: f32,
    /// Soft cap `c` of the scaled scores `s`: `c · tanh(s / c)`.
    pub cap: Option<f32>,
    /// Which keys each query may attend to.
    pub mask: &'a Mask,
    /// Factor on each head's context; 1 leaves it bit for bit as it is.
    pub gates: &'a [f32],
    /// Given patterns in place of heads' attention weights; the other stages are unchanged.
    pub fixed_patterns: &'a FixedPatterns,
    /// The attention variant of each head.
    pub variants: &'a Variants,
    /// Relative positions, added to the scaled scores.
    pub relative: Option<&'a Relative>,
    /// Data derived from these rows.
    pub memo: &'a SiteCache,
}

/// What one head's attention took, counted while it was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Products with their sums, exponentials and quotients.
    pub operations: u64,
    /// The most bytes that the allocator had handed out at once, besides queries, keys, values
    /// and what is found.
    pub bytes: usize,
}

/// Epilogue of a linear layer, each part optional: `activation(y) ⊙ times + plus`. Shapes as `y`.
pub struct Epilogue<'a, T> {
    /// Of every number.
    pub activation: Option<Activation>,
    /// What the numbers are multiplied by, in their shape.
    pub times: Option<&'a T>,
    /// What they are added to, in their shape.
    pub plus: Option<&'a T>,
}

impl<'a, T> Epilogue<'a, T> {
    /// Nothing but what is added, where something is.
    pub fn plus(plus: Option<&'a T>) -> Self {
        Self { plus, ..Self::default() }
    }
}

impl<T> Default for Epilogue<'_, T> {
    fn default() -> Self {
        Self { activation: None, times: None, plus: None }
    }
}

impl<T> Attention<'_, T> {
    /// The head of keys and values that a head of queries looks at.
    pub fn kv_head(&self, head: usize) -> usize {
        head / (self.n_heads / self.n_kv_heads)
    }

    /// The heads of queries that look at a head of keys and values.
    pub fn heads_of(&self, kv_head: usize) -> Range<usize> {
        let group = self.n_heads / self.n_kv_heads;
        kv_head * group..(kv_head + 1) * group
    }
}

/// The operations of a forward pass. Shapes are the caller's duty: they follow from a
/// validated config, so a mismatch is a mistake in the program.
pub trait Backend: 'static {
    /// Numbers `[rows, columns]`, cheap to clone.
    type Tensor: Clone + 'static;
    /// A weight in the layout that the backend multiplies fastest.
    type Matrix: 'static;

    /// Name of the backend for users, for instance `cpu`.
    fn name(&self) -> &'static str;
    /// The kernel in use, for instance `simd128 2×16`.
    fn kernel(&self) -> String;

    /// How much it takes on in one piece of work, as a multiple of what suits one core.
    fn pace(&self) -> usize {
        1
    }

    /// Largest number of elements of a tensor; a larger run is refused before it begins.
    fn most_numbers(&self) -> usize {
        usize::MAX
    }
    /// Largest `k` that `top_k` supports; for a larger one the full row is read.
    fn most_ranks(&self) -> usize {
        usize::MAX
    }

    /// Takes numbers, row after row.
    fn upload(&self, data: Vec<f32>, columns: usize) -> Self::Tensor;
    /// Packs a weight, once, at load.
    fn matrix(&self, data: &[f32], inner: usize, outer: usize, order: Order) -> Self::Matrix;
    /// The same, of the bytes of a file's rows of `inner` numbers, some of them at a time.
    ///
    /// # Errors
    /// That of the rows.
    fn stored_matrix(
        &self,
        format: Format,
        [inner, outer]: [usize; 2],
        rows: &mut dyn Iterator<Item = Result<Vec<u8>>>,
    ) -> Result<Self::Matrix> {
        let rows = rows.collect::<Result<Vec<_>>>()?.concat();
        Ok(self.matrix(&widened(format, inner, &rows), inner, outer, Order::OuterInner))
    }
    /// The format in which such a matrix is held in the memory of wasm, if it is held there.
    fn held_format(&self, _: Format) -> Option<Format> {
        None
    }
    /// A tensor without rows, to which about `most` will be appended.
    fn empty(&self, columns: usize, most: usize) -> Self::Tensor;
    /// The number of rows, known without waiting.
    fn rows(&self, x: &Self::Tensor) -> usize;
    /// Some rows, as a tensor of its own.
    fn select(&self, x: &Self::Tensor, rows: Range<usize>) -> Self::Tensor;
    /// The numbers of a tensor in rows of so many columns.
    fn reshape(&self, x: &Self::Tensor, columns: usize) -> Self::Tensor;
    /// Adds rows at the end.
    fn append(&self, x: &mut Self::Tensor, rows: &Self::Tensor);

    /// The columns `ids` of a matrix as rows, times `scale`: an embedding lookup.
    fn embed(&self, table: &Self::Matrix, ids: &[u32], scale: f32) -> Self::Tensor;
    /// `x · matrix (+ bias)`; `bias` has one row.
    fn linear(
        &self,
        x: &Self::Tensor,
        matrix: &Self::Matrix,
        bias: Option<&Self::Tensor>,
    ) -> Self::Tensor {
        self.linear_epilogue(x, matrix, bias, &Epilogue::default())
    }
    /// A linear map and what follows it.
    fn linear_epilogue(
        &self,
        x: &Self::Tensor,
        matrix: &Self::Matrix,
        bias: Option<&Self::Tensor>,
        then: &Epilogue<'_, Self::Tensor>,
    ) -> Self::Tensor;
    /// `a ⊙ b`.
    fn multiply(&self, a: &Self::Tensor, b: &Self::Tensor) -> Self::Tensor;
    /// `a + b`.
    fn add(&self, a: &Self::Tensor, b: &Self::Tensor) -> Self::Tensor;
    /// Layer norm of every piece of a row that is as wide as `gain`, then `· gain + bias`.
    fn layer_norm(
        &self,
        x: &Self::Tensor,
        gain: &Self::Tensor,
        bias: &Self::Tensor,
        epsilon: f32,
    ) -> Self::Tensor;
    /// Every piece of a row that is as wide as `gain`, by the root of its mean square, then `·
    /// gain`.
    fn rms_norm(&self, x: &Self::Tensor, gain: &Self::Tensor, epsilon: f32) -> Self::Tensor;
    /// Fused `layer_norm(a + b)`; the sum is not stored.
    fn add_layer_norm(
        &self,
        a: &Self::Tensor,
        b: &Self::Tensor,
        gain: &Self::Tensor,
        bias: &Self::Tensor,
        epsilon: f32,
    ) -> Self::Tensor {
        self.layer_norm(&self.add(a, b), gain, bias, epsilon)
    }
    /// Fused `rms_norm(a + b)`.
    fn add_rms_norm(
        &self,
        a: &Self::Tensor,
        b: &Self::Tensor,
        gain: &Self::Tensor,
        epsilon: f32,
    ) -> Self::Tensor {
        self.rms_norm(&self.add(a, b), gain, epsilon)
    }
    /// The first `d_r` dimensions of every head of a row turned by the row of `turns`
    /// (`[rows, d_r]`) beside it.
    fn rotate(&self, x: &Self::Tensor, turns: &Self::Tensor, head_dim: usize) -> Self::Tensor;
    /// The activation of every number.
    fn activate(&self, x: &Self::Tensor, activation: Activation) -> Self::Tensor;
    /// The context `[queries.len(), h·d_h]` of some query rows, heads side by side.
    fn attend(&self, site: &Attention<'_, Self::Tensor>, queries: Range<usize>) -> Self::Tensor;
    /// Heads that must still make something of all queries at once, before `attend` only computes
    /// its rows.
    fn unprepared(&self, _site: &Attention<'_, Self::Tensor>) -> usize {
        0
    }
    /// Goes on with what is not prepared, for a few milliseconds.
    fn prepare(&self, _site: &Attention<'_, Self::Tensor>) {}
    /// Some rows of one head's pattern at one stage, `[queries.len(), n_k]`, by the code that
    /// `attend` runs. By default the `cpu` backend derives it from rows that were read back.
    fn pattern(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32> {
        on_cpu(self, site, |site| Cpu.pattern(site, head, queries, stage)).unwrap_or_default()
    }
    /// One head's context of all queries, `[n_q, d_v]`, without its gate, and its cost; `None`
    /// where nothing is counted.
    fn measured(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
    ) -> Option<(Vec<f32>, Cost)> {
        on_cpu(self, site, |site| Cpu.measured(site, head))?
    }
    /// The numbers whose products add up to a raw score of an attention variant that does not
    /// multiply queries by keys, or to a weight of a pattern of low rank. `None` for other
    /// variants.
    fn factors(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        on_cpu(self, site, |site| Cpu.factors(site, head, query, key))?
    }
    /// The sum whose logarithm is a score, where it has more digits than a raw score can show.
    fn alike(
        &self,
        site: &Attention<'_, Self::Tensor>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<f64> {
        on_cpu(self, site, |site| Cpu.alike(site, head, query, key))?
    }
    /// Whether it computes the forward pass alone: the `cpu` backend derives everything else from
    /// queries, keys and values that are read back.
    fn reads_back(&self) -> bool {
        false
    }
    /// Whether it leaves whole sites with these attention variants to the `cpu` backend.
    fn declines(&self, _kinds: &Variants) -> bool {
        false
    }
    /// `ln softmax` of every row.
    fn log_softmax(&self, x: &Self::Tensor) -> Self::Tensor;
    /// Per row the `k` largest, largest first, the lower index first among equals:
    /// `[rows, 2k]`, first their indices, then their values. With `k` = 1 it is arg-max.
    fn top_k(&self, x: &Self::Tensor, k: usize) -> Self::Tensor;

    /// Resolves when few submissions are in flight, so that more may begin; `None` if few are.
    ///
    /// # Errors
    /// Those of `read`.
    fn caught_up(&self) -> Option<impl Future<Output = Result<()>> + 'static> {
        None::<Ready<Result<()>>>
    }

    /// The numbers, row after row, once they are computed.
    fn read(&self, x: &Self::Tensor) -> impl Future<Output = Result<Vec<f32>>> + 'static;
}
