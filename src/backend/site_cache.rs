//! What is kept of a site from one piece of work to the next, so that what depends on the whole
//! text is not made again for every few rows of it.

use std::cell::RefCell;
use std::rc::Rc;

use super::cpu::{Cpu, CpuTensor, Kept};
#[cfg(feature = "webgpu")]
use super::webgpu::More;
use super::{Attention, Backend};

/// What heads made of their keys. It belongs to the rows of one record: those only grow, and
/// whoever takes some of them begins a new one. What was made of all rows at once is shared with
/// whoever takes them all (`with_whole`), the rest with who looks at the record next (`looking`).
#[derive(Default)]
pub struct Memo {
    pub(super) heads: RefCell<Vec<(usize, Kept)>>,
    /// Tells the record whose rows these are from others.
    pub(super) record: Rc<()>,
    /// Where it leaves what it made, if it only looks.
    pub(super) look: Option<Look>,
    /// What was read of them. It stays when the rest is forgotten, for every query to share.
    pub(super) mirror: Rc<RefCell<Option<Mirror>>>,
    /// What was uploaded for them.
    #[cfg(feature = "webgpu")]
    pub(super) more: RefCell<Option<Rc<More>>>,
}

/// What those who look at records one after the other leave each other: what the last made of one
/// head's keys. A run has one, so that all its records together keep no more than that.
#[derive(Clone, Default)]
pub struct Look(Rc<RefCell<Option<Looked>>>);

/// Of which record, which head and how many queries and keys.
struct Looked {
    record: Rc<()>,
    of: (usize, [usize; 2]),
    kept: Kept,
}

impl Look {
    fn take(&self, record: &Rc<()>, of: (usize, [usize; 2])) -> Option<Kept> {
        let mut looked = self.0.borrow_mut();
        looked
            .take_if(|last| Rc::ptr_eq(&last.record, record) && last.of == of)
            .map(|last| last.kept)
    }

    fn leave(&self, record: &Rc<()>, of: (usize, [usize; 2]), kept: Kept) {
        if kept.knows_keys() {
            *self.0.borrow_mut() = Some(Looked { record: Rc::clone(record), of, kept });
        }
    }
}

impl Memo {
    /// Keeps nothing any more that only rows to come would need: none will. What was made of all
    /// rows at once stays, since each that is looked at needs it.
    pub fn forget(&self) {
        self.heads.borrow_mut().retain_mut(|(_, kept)| kept.forget());
        #[cfg(feature = "webgpu")]
        self.more.borrow_mut().take();
    }

    /// With what heads of the very same site know of all its rows at once.
    #[must_use]
    pub fn with_whole(self, of: &Self) -> Self {
        let known = of.heads.borrow();
        self.heads
            .borrow_mut()
            .extend(known.iter().filter_map(|(at, kept)| Some((*at, kept.shared()?))));
        drop(known);
        self
    }

    /// With what was made of the first rows of a record, for one who looks at them and leaves what
    /// it makes to the next.
    #[must_use]
    pub fn looking(self, of: &Self, look: &Look) -> Self {
        let (record, mirror) = (Rc::clone(&of.record), Rc::clone(&of.mirror));
        Self { record, mirror, look: Some(look.clone()), ..self.with_whole(of) }
    }

    /// Works on what is kept of a head of so many queries and keys, which meanwhile is kept nowhere
    /// else.
    pub(super) fn of<T>(
        &self,
        head: usize,
        shape: [usize; 2],
        work: impl FnOnce(&mut Kept) -> T,
    ) -> T {
        let mut kept = self.take(head, shape);
        let result = work(&mut kept);
        self.leave(head, shape, kept);
        result
    }

    // `of` stands in the loops of every kind; what it does around them need not stand there as often.
    #[inline(never)]
    fn take(&self, head: usize, shape: [usize; 2]) -> Kept {
        let mut heads = self.heads.borrow_mut();
        let found = heads.iter().position(|(own, _)| *own == head);
        let own = found.map(|at| heads.swap_remove(at).1);
        let left = || self.look.as_ref()?.take(&self.record, (head, shape));
        own.or_else(left).unwrap_or_default()
    }

    #[inline(never)]
    fn leave(&self, head: usize, shape: [usize; 2], kept: Kept) {
        match &self.look {
            Some(look) if !kept.begins_whole() => look.leave(&self.record, (head, shape), kept),
            _ => self.heads.borrow_mut().push((head, kept)),
        }
    }
}

// Queries, keys and values of a site that were read back, so that the `cpu` backend's own code
// can compute what another backend leaves to it: there is no second copy of that mathematics.

/// Rows that were read.
pub struct ReadRows {
    /// Row after row.
    pub numbers: Vec<f32>,
    /// The row of the site that they begin with.
    pub first: usize,
    /// How many they are.
    pub count: usize,
}

/// `[queries, keys, values]` as far as they were read. A clone shares them.
#[derive(Clone)]
pub(super) struct Mirror([CpuTensor; 3]);

impl Mirror {
    /// The first rows of each.
    fn first(&self, rows: [usize; 3]) -> Self {
        let first = |at: usize| {
            let x = &self.0[at];
            Cpu.select(x, 0..rows[at].min(Cpu.rows(x)))
        };
        Self([0, 1, 2].map(first))
    }
}

impl Memo {
    /// How many rows of queries, keys and values were read.
    pub fn mirrored(&self) -> [usize; 3] {
        self.mirror
            .borrow()
            .as_ref()
            .map_or([0; 3], |mirror| mirror.0.each_ref().map(|x| Cpu.rows(x)))
    }

    /// Takes more rows of each. Those that somebody else read meanwhile are there already. The
    /// first are of some token.
    pub fn mirror(&self, rows: [ReadRows; 3]) {
        let known = self.mirrored();
        let mut at = 0;
        let more = rows.map(|ReadRows { mut numbers, first, count }| {
            let columns = numbers.len() / count.max(1);
            debug_assert!(first <= known[at], "no row between them is missing");
            numbers.drain(..columns * known[at].saturating_sub(first).min(count));
            at += 1;
            (numbers, columns)
        });
        let mut mirror = self.mirror.borrow_mut();
        let Some(Mirror(known)) = mirror.as_mut() else {
            *mirror = Some(Mirror(more.map(|(numbers, columns)| Cpu.upload(numbers, columns))));
            return;
        };
        for (known, (numbers, columns)) in known.iter_mut().zip(more) {
            if !numbers.is_empty() {
                Cpu.append(known, &Cpu.upload(numbers, columns));
            }
        }
    }

    /// One that keeps nothing but what was read of another.
    #[must_use]
    pub fn of_read(&self) -> Self {
        Self { mirror: Rc::clone(&self.mirror), ..Self::default() }
    }

    /// One that keeps nothing but the first of the rows that were read.
    #[must_use]
    pub fn of_first(&self, n_queries: usize, n_keys: usize) -> Self {
        let known = self.mirror.borrow();
        let first = known.as_ref().map(|mirror| mirror.first([n_queries, n_keys, n_keys]));
        Self { mirror: Rc::new(first.into()), ..Self::default() }
    }
}

/// Works on a site as the `cpu` backend knows it, as far as the site itself has rows; `None` where
/// nothing of it was read, and for a backend of which nothing needs to be.
pub fn on_cpu<B: Backend + ?Sized, R>(
    backend: &B,
    site: &Attention<'_, B::Tensor>,
    work: impl FnOnce(&Attention<'_, CpuTensor>) -> R,
) -> Option<R> {
    if !backend.reads_back() {
        return None;
    }
    let rows = [site.query, site.key, site.value].map(|x| backend.rows(x));
    let known = site.memo.mirror.borrow().as_ref().map(|mirror| mirror.first(rows));
    let Some(Mirror([query, key, value])) = known else {
        debug_assert!(rows.contains(&0), "{rows:?} rows of a site were not read back");
        return None;
    };
    Some(work(&Attention {
        query: &query,
        key: &key,
        value: &value,
        n_heads: site.n_heads,
        n_kv_heads: site.n_kv_heads,
        scale: site.scale,
        mask: site.mask,
        gates: site.gates,
        frozen: site.frozen,
        kinds: site.kinds,
        relative: site.relative,
        memo: site.memo,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn rows_that_two_read_at_once_are_there_once() {
        let memo = Memo::default();
        let rows = |first: usize, count: usize| {
            [3, 2, 2].map(|columns| {
                let numbers = (first * columns..(first + count) * columns).map(|x| x as f32);
                ReadRows { numbers: numbers.collect(), first, count }
            })
        };
        memo.mirror(rows(0, 2));
        memo.mirror(rows(0, 2));
        assert_eq!(memo.mirrored(), [2; 3]);
        memo.mirror(rows(2, 1));
        memo.mirror(rows(1, 3));
        assert_eq!(memo.mirrored(), [4; 3]);
        let Mirror([queries, ..]) = memo.mirror.borrow().clone().unwrap();
        let numbers: Vec<f32> = (0..12).map(|x| x as f32).collect();
        assert_eq!(pollster::block_on(Cpu.read(&queries)).unwrap(), numbers);
    }
}
