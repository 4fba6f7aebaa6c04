//! The CPU backend with a count of what is asked of it, for tests that say how much may be
//! read or computed for an answer, instead of how long it may take.

use std::cell::Cell;
use std::future::Future;
use std::ops::Range;
use std::rc::Rc;

use headscope::axes::Stage;
use headscope::backend::{Attention, Backend, Cost, Cpu, Order};
use headscope::error::Result;
use headscope::kernels::activation::Activation;

type Numbers = <Cpu as Backend>::Tensor;
type Packed = <Cpu as Backend>::Matrix;

/// Counts what goes through it; its clones count together.
#[derive(Clone, Default)]
pub struct Counting(Rc<Counts>);

/// What was asked for since it was looked at last.
#[derive(Default)]
struct Counts {
    read: Cell<usize>,
    patterns: Cell<usize>,
    prepared: Cell<usize>,
    unprepared: Cell<usize>,
}

impl Counting {
    /// Numbers that were read, and cells of patterns that were computed, since the last call.
    pub fn take(&self) -> (usize, usize) {
        (self.0.read.take(), self.0.patterns.take())
    }

    /// Steps in which a site was prepared, and times that a site was asked for rows without being
    /// so, since the last call.
    pub fn take_prepared(&self) -> (usize, usize) {
        (self.0.prepared.take(), self.0.unprepared.take())
    }

    fn look_at(&self, site: &Attention<'_, Numbers>) {
        self.0.unprepared.update(|count| count + usize::from(Cpu.unprepared(site) > 0));
    }
}

impl Backend for Counting {
    type Tensor = Numbers;
    type Matrix = Packed;

    fn name(&self) -> &'static str {
        Cpu.name()
    }

    fn kernel(&self) -> String {
        Cpu.kernel()
    }

    fn upload(&self, data: Vec<f32>, columns: usize) -> Numbers {
        Cpu.upload(data, columns)
    }

    fn matrix(&self, data: &[f32], inner: usize, outer: usize, order: Order) -> Packed {
        Cpu.matrix(data, inner, outer, order)
    }

    fn empty(&self, columns: usize) -> Numbers {
        Cpu.empty(columns)
    }

    fn rows(&self, x: &Numbers) -> usize {
        Cpu.rows(x)
    }

    fn select(&self, x: &Numbers, rows: Range<usize>) -> Numbers {
        Cpu.select(x, rows)
    }

    fn append(&self, x: &mut Numbers, rows: &Numbers) {
        Cpu.append(x, rows);
    }

    fn embed(&self, table: &Packed, ids: &[u32], scale: f32) -> Numbers {
        Cpu.embed(table, ids, scale)
    }

    fn linear(&self, x: &Numbers, matrix: &Packed, bias: Option<&Numbers>) -> Numbers {
        Cpu.linear(x, matrix, bias)
    }

    fn multiply(&self, a: &Numbers, b: &Numbers) -> Numbers {
        Cpu.multiply(a, b)
    }

    fn add(&self, a: &Numbers, b: &Numbers) -> Numbers {
        Cpu.add(a, b)
    }

    fn layer_norm(&self, x: &Numbers, gain: &Numbers, bias: &Numbers, epsilon: f32) -> Numbers {
        Cpu.layer_norm(x, gain, bias, epsilon)
    }

    fn rms_norm(&self, x: &Numbers, gain: &Numbers, epsilon: f32) -> Numbers {
        Cpu.rms_norm(x, gain, epsilon)
    }

    fn rotate(&self, x: &Numbers, turns: &Numbers) -> Numbers {
        Cpu.rotate(x, turns)
    }

    fn activate(&self, x: &Numbers, activation: Activation) -> Numbers {
        Cpu.activate(x, activation)
    }

    fn unprepared(&self, site: &Attention<'_, Numbers>) -> usize {
        Cpu.unprepared(site)
    }

    fn prepare(&self, site: &Attention<'_, Numbers>) {
        self.0.prepared.update(|count| count + 1);
        Cpu.prepare(site);
    }

    fn measured(&self, site: &Attention<'_, Numbers>, head: usize) -> Option<(Vec<f32>, Cost)> {
        self.look_at(site);
        Cpu.measured(site, head)
    }

    fn attend(&self, site: &Attention<'_, Numbers>, queries: Range<usize>) -> Numbers {
        self.look_at(site);
        Cpu.attend(site, queries)
    }

    fn pattern(
        &self,
        site: &Attention<'_, Numbers>,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32> {
        self.look_at(site);
        self.0.patterns.update(|count| count + queries.len() * Cpu.rows(site.key));
        Cpu.pattern(site, head, queries, stage)
    }

    fn log_softmax(&self, x: &Numbers) -> Numbers {
        Cpu.log_softmax(x)
    }

    fn top_k(&self, x: &Numbers, k: usize) -> Numbers {
        Cpu.top_k(x, k)
    }

    fn read(&self, x: &Numbers) -> impl Future<Output = Result<Vec<f32>>> + 'static {
        let (numbers, counts) = (Cpu.read(x), Rc::clone(&self.0));
        async move {
            let numbers = numbers.await?;
            counts.read.update(|count| count + numbers.len());
            Ok(numbers)
        }
    }
}
