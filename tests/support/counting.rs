//! The CPU backend with a count of what is asked of it, for tests that say how much may be
//! read or computed for an answer, instead of how long it may take.

use std::cell::Cell;
use std::future::Future;
use std::ops::Range;
use std::rc::Rc;

use headscope::axes::Stage;
use headscope::backend::{
    Algebra, Attend, Attention, Backend, Cpu, Epilogue, Inspect, Order, Storage,
};
use headscope::error::Result;
use headscope::kernels::activation::Activation;
use headscope::variants::Cost;

type Numbers = <Cpu as Storage>::Tensor;
type Packed = <Cpu as Storage>::Matrix;

/// Counts what goes through it; its clones count together.
#[derive(Clone, Default)]
pub struct Counting(Rc<Counts>);

/// What was asked for since the last count was read.
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

    fn count_unprepared(&self, site: &Attention<'_, Numbers>) {
        self.0.unprepared.update(|count| count + usize::from(Cpu.unprepared(site) > 0));
    }
}

/// Methods that the CPU backend answers.
macro_rules! by_cpu {
    ($($method:ident($($argument:ident: $kind:ty),*) $(-> $answer:ty)?;)*) => {$(
        fn $method(&self, $($argument: $kind),*) $(-> $answer)? {
            Cpu.$method($($argument),*)
        }
    )*};
}

impl Storage for Counting {
    type Tensor = Numbers;
    type Matrix = Packed;

    by_cpu! {
        upload(data: Vec<f32>, columns: usize) -> Numbers;
        matrix(data: &[f32], inner: usize, outer: usize, order: Order) -> Packed;
        empty(columns: usize, most: usize) -> Numbers;
        rows(x: &Numbers) -> usize;
        select(x: &Numbers, rows: Range<usize>) -> Numbers;
        reshape(x: &Numbers, columns: usize) -> Numbers;
        append(x: &mut Numbers, rows: &Numbers);
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

impl Algebra for Counting {
    by_cpu! {
        embed(table: &Packed, ids: &[u32], scale: f32) -> Numbers;
        linear_epilogue(x: &Numbers, matrix: &Packed, bias: Option<&Numbers>, then: &Epilogue<'_, Numbers>) -> Numbers;
        multiply(a: &Numbers, b: &Numbers) -> Numbers;
        add(a: &Numbers, b: &Numbers) -> Numbers;
        layer_norm(x: &Numbers, gain: &Numbers, bias: &Numbers, epsilon: f32) -> Numbers;
        rms_norm(x: &Numbers, gain: &Numbers, epsilon: f32) -> Numbers;
        rotate(x: &Numbers, turns: &Numbers, head_dim: usize) -> Numbers;
        activate(x: &Numbers, activation: Activation) -> Numbers;
        log_softmax(x: &Numbers) -> Numbers;
        top_k(x: &Numbers, k: usize) -> Numbers;
    }
}

impl Attend for Counting {
    by_cpu! {
        unprepared(site: &Attention<'_, Numbers>) -> usize;
    }

    fn attend(&self, site: &Attention<'_, Numbers>, queries: Range<usize>) -> Numbers {
        self.count_unprepared(site);
        Cpu.attend(site, queries)
    }

    fn prepare(&self, site: &Attention<'_, Numbers>) {
        self.0.prepared.update(|count| count + 1);
        Cpu.prepare(site);
    }
}

impl Inspect for Counting {
    const READS_BACK: bool = false;

    fn head_context(&self, site: &Attention<'_, Numbers>, head: usize) -> Option<Vec<f32>> {
        self.count_unprepared(site);
        Cpu.head_context(site, head)
    }

    fn head_cost(&self, site: &Attention<'_, Numbers>, head: usize) -> Option<Cost> {
        Cpu.head_cost(site, head)
    }

    fn pattern(
        &self,
        site: &Attention<'_, Numbers>,
        head: usize,
        queries: Range<usize>,
        stage: Stage,
    ) -> Vec<f32> {
        self.count_unprepared(site);
        self.0.patterns.update(|count| count + queries.len() * Cpu.rows(site.key));
        Cpu.pattern(site, head, queries, stage)
    }

    by_cpu! {
        factors(site: &Attention<'_, Numbers>, head: usize, query: usize, key: usize) -> Option<[Vec<f32>; 2]>;
        alike(site: &Attention<'_, Numbers>, head: usize, query: usize, key: usize) -> Option<f64>;
    }
}

impl Backend for Counting {
    by_cpu! {
        name() -> &'static str;
        kernel() -> String;
    }
}
