//! Reverse-mode automatic differentiation: a backend that computes what another one computes, and
//! records the operations, so that the gradient of a number of a run with respect to any of its
//! tensors can be computed afterwards.
//!
//! The forward pass is that of the other backend, bit for bit: a fused operation is recorded as the
//! operations that it fuses. The backward formula of an operation stands beside it (`algebra`); the
//! formulas that need their own loops are the trait [`Derivatives`], which a backend implements to
//! be differentiated. Gradients are with respect to tensors and to weights ([`Storage::Matrix`]).
//!
//! Source: A. Griewank and A. Walther, "Evaluating Derivatives" (2008), section 3.2.

mod algebra;
mod derivatives;
mod traced;

use std::cell::OnceCell;
use std::future::Future;
use std::ops::Range;
use std::rc::Rc;

use super::{Attention, Backend, Inspect, Limits, Order, Storage};
use crate::axes::Stage;
use crate::error::Result;
use crate::kernels::stored::Format;
use crate::variants::Cost;

pub use derivatives::{Derivatives, Slopes};
pub use traced::{Node, Traced, gradients};

/// A backend that records the operations of another one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Autodiff<B> {
    backend: B,
}

/// A weight, with its transpose, which gradients of the factor are computed with.
pub struct TracedMatrix<B: Derivatives>(Rc<WithTranspose<B>>);

struct WithTranspose<B: Derivatives> {
    matrix: B::Matrix,
    transpose: OnceCell<B::Matrix>,
    node: Rc<Node<B>>,
}

impl<B: Derivatives> TracedMatrix<B> {
    fn new(matrix: B::Matrix) -> Self {
        Self(Rc::new(WithTranspose { matrix, transpose: OnceCell::new(), node: Node::given() }))
    }

    /// The weight as one that is given.
    pub fn node(&self) -> &Rc<Node<B>> {
        &self.0.node
    }

    fn own(&self) -> &B::Matrix {
        &self.0.matrix
    }

    /// The transpose, computed when it is first needed.
    fn transpose(&self, backend: &B) -> &B::Matrix {
        self.0.transpose.get_or_init(|| backend.transpose(&self.0.matrix))
    }
}

impl<B: Derivatives> Clone for TracedMatrix<B> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<B: Derivatives> Autodiff<B> {
    /// The backend that records the operations of `backend`.
    pub fn new(backend: B) -> Self {
        Self { backend }
    }

    /// The gradients with respect to one head's pattern, from that of the context of some queries:
    /// see [`Derivatives::pattern_backward`].
    pub fn slopes(
        &self,
        site: &Attention<'_, Traced<B>>,
        head: usize,
        queries: Range<usize>,
        dy: &B::Tensor,
    ) -> Slopes {
        self.backend.pattern_backward(&untraced(site), head, queries, dy)
    }

    /// The numbers of inputs and outputs of a weight.
    pub fn shape(&self, matrix: &TracedMatrix<B>) -> [usize; 2] {
        self.backend.shape(matrix.own())
    }

    /// The backend whose operations are recorded.
    pub fn recorded(&self) -> &B {
        &self.backend
    }
}

/// A site as the recorded backend sees it.
fn untraced<'a, B: Derivatives>(site: &Attention<'a, Traced<B>>) -> Attention<'a, B::Tensor> {
    Attention {
        query: site.query.value(),
        key: site.key.value(),
        value: site.value.value(),
        n_heads: site.n_heads,
        n_kv_heads: site.n_kv_heads,
        scale: site.scale,
        cap: site.cap,
        mask: site.mask,
        gates: site.gates,
        fixed_patterns: site.fixed_patterns,
        variants: site.variants,
        relative: site.relative,
        memo: site.memo,
    }
}

impl<B: Derivatives> Storage for Autodiff<B> {
    type Tensor = Traced<B>;
    type Matrix = TracedMatrix<B>;

    fn upload(&self, data: Vec<f32>, columns: usize) -> Traced<B> {
        Traced::given(self.backend.upload(data, columns))
    }

    fn matrix(&self, data: &[f32], inner: usize, outer: usize, order: Order) -> TracedMatrix<B> {
        TracedMatrix::new(self.backend.matrix(data, inner, outer, order))
    }

    fn stored_matrix(
        &self,
        format: Format,
        shape: [usize; 2],
        rows: &mut dyn Iterator<Item = Result<Vec<u8>>>,
    ) -> Result<TracedMatrix<B>> {
        Ok(TracedMatrix::new(self.backend.stored_matrix(format, shape, rows)?))
    }

    fn held_format(&self, format: Format) -> Option<Format> {
        self.backend.held_format(format)
    }

    fn empty(&self, columns: usize, most: usize) -> Traced<B> {
        Traced::given(self.backend.empty(columns, most))
    }

    fn rows(&self, x: &Traced<B>) -> usize {
        self.backend.rows(x.value())
    }

    /// Backward: the gradient of the selected rows, and 0 in the others.
    fn select(&self, x: &Traced<B>, rows: Range<usize>) -> Traced<B> {
        if rows == (0..self.rows(x)) {
            return x.clone();
        }
        x.selected(self.backend.select(x.value(), rows.clone()), rows)
    }

    /// Backward: the gradient in rows of the former width.
    fn reshape(&self, x: &Traced<B>, columns: usize) -> Traced<B> {
        let former = self.backend.columns(x.value());
        if columns == former {
            return x.clone();
        }
        let value = self.backend.reshape(x.value(), columns);
        Traced::made(value, [x.node()], move |backend: &B, dy, _| {
            vec![Some(backend.reshape(dy, former))]
        })
    }

    /// Backward: to each of both its own rows of the gradient.
    fn append(&self, x: &mut Traced<B>, rows: &Traced<B>) {
        let n = self.rows(x);
        let end = n + self.rows(rows);
        if end == n {
            return;
        }
        // Rows that are appended to none are these rows.
        if n == 0 {
            *x = rows.clone();
            return;
        }
        let mut value = x.value().clone();
        self.backend.append(&mut value, rows.value());
        *x = Traced::made(value, [x.node(), rows.node()], move |backend: &B, dy, _| {
            vec![Some(backend.select(dy, 0..n)), Some(backend.select(dy, n..end))]
        });
    }

    /// Backward: to each part its own rows of the gradient.
    fn stacked(&self, parts: Vec<Traced<B>>) -> Traced<B> {
        // Parts that were selected of one tensor are that tensor.
        if let Some(whole) = Traced::joined(&self.backend, &parts) {
            return whole;
        }
        let ends: Vec<usize> = parts
            .iter()
            .scan(0, |end, part| {
                *end += self.rows(part);
                Some(*end)
            })
            .collect();
        let nodes: Vec<_> = parts.iter().map(|part| Rc::clone(part.node())).collect();
        let columns = parts.first().map_or(1, |part| self.backend.columns(part.value()));
        let mut value = self.backend.empty(columns, ends.last().copied().unwrap_or(0));
        for part in &parts {
            self.backend.append(&mut value, part.value());
        }
        Traced::of_parts(value, nodes, move |backend: &B, dy, needs| {
            let starts = std::iter::once(0).chain(ends.iter().copied());
            let rows = starts.zip(&ends).zip(needs);
            rows.map(|((start, &end), needs)| needs.then(|| backend.select(dy, start..end)))
                .collect()
        })
    }

    fn read(&self, x: &Traced<B>) -> impl Future<Output = Result<Vec<f32>>> + 'static {
        self.backend.read(x.value())
    }
}

impl<B: Derivatives> Inspect for Autodiff<B> {
    const READS_BACK: bool = B::READS_BACK;

    fn pattern(
        &self,
        site: &Attention<'_, Traced<B>>,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32> {
        self.backend.pattern(&untraced(site), head, queries, stage)
    }

    fn head_context(&self, site: &Attention<'_, Traced<B>>, head: usize) -> Option<Vec<f32>> {
        self.backend.head_context(&untraced(site), head)
    }

    fn head_cost(&self, site: &Attention<'_, Traced<B>>, head: usize) -> Option<Cost> {
        self.backend.head_cost(&untraced(site), head)
    }

    fn factors(
        &self,
        site: &Attention<'_, Traced<B>>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<[Vec<f32>; 2]> {
        self.backend.factors(&untraced(site), head, query, key)
    }

    fn alike(
        &self,
        site: &Attention<'_, Traced<B>>,
        head: usize,
        query: usize,
        key: usize,
    ) -> Option<f64> {
        self.backend.alike(&untraced(site), head, query, key)
    }
}

impl<B: Derivatives> Backend for Autodiff<B> {
    const KEEPS_STEPS: bool = true;

    fn name(&self) -> &'static str {
        self.backend.name()
    }

    fn kernel(&self) -> String {
        self.backend.kernel()
    }

    /// All rows are one piece of work, so that each step of a block is one tensor.
    fn limits(&self) -> Limits {
        Limits { pace: usize::MAX, ..self.backend.limits() }
    }

    fn caught_up(&self) -> Option<impl Future<Output = Result<()>> + 'static> {
        self.backend.caught_up()
    }
}
