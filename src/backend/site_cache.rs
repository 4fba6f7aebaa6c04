//! Per-site cache of data derived from keys (feature maps, singular vectors) and of rows that were
//! read back, so that it is computed once for a text and not for each step.

use std::cell::RefCell;
use std::rc::Rc;

use super::cpu::PackedHead;
use super::rows_read::{ReadRows, RowsRead};
#[cfg(feature = "webgpu")]
use super::webgpu::ScoreInputs;
use crate::variants::{HeadMemo, MemoStore};

/// Per-site cache of data derived from keys. It is valid for the rows of one record, which only
/// grow; a slice of the rows has a new cache. Data of all rows is shared with a copy of all rows
/// (`with_low_rank`), the rest with the next reader of the record (`for_reader`).
#[derive(Default)]
pub struct SiteCache {
    pub(super) heads: RefCell<Vec<(usize, HeadMemo)>>,
    /// Packed keys and values for the forward pass, by key/value head; forks share them until one
    /// of them grows.
    pub(super) packed: RefCell<Vec<Rc<PackedHead>>>,
    /// Identity of the record.
    pub(super) record: Rc<()>,
    /// The cache in which a reader leaves its derived data.
    pub(super) read_cache: Option<ReadCache>,
    /// Rows that were read back; shared by all readers.
    pub(super) mirror: Rc<RefCell<Option<RowsRead>>>,
    /// Inputs of the scores that were uploaded.
    #[cfg(feature = "webgpu")]
    pub(super) more: RefCell<Option<Rc<ScoreInputs>>>,
}

/// The derived data of the head that was read last. A run has one, so that its records together
/// hold the data of one head.
#[derive(Clone, Default)]
pub struct ReadCache(Rc<RefCell<Option<LastRead>>>);

/// The record, head and number of queries and keys of the data that the last reader left.
struct LastRead {
    record: Rc<()>,
    of: (usize, [usize; 2]),
    features: HeadMemo,
}

impl ReadCache {
    fn take(&self, record: &Rc<()>, of: (usize, [usize; 2])) -> Option<HeadMemo> {
        let mut last_read = self.0.borrow_mut();
        last_read
            .take_if(|last| Rc::ptr_eq(&last.record, record) && last.of == of)
            .map(|last| last.features)
    }

    fn leave(&self, record: &Rc<()>, of: (usize, [usize; 2]), features: HeadMemo) {
        if features.knows_keys() {
            *self.0.borrow_mut() = Some(LastRead { record: Rc::clone(record), of, features });
        }
    }
}

impl SiteCache {
    /// Drops the data that only further rows would need, because none follow. The data of all rows
    /// stays, since each displayed head needs it.
    pub fn forget(&self) {
        self.heads.borrow_mut().retain_mut(|(_, features)| features.forget());
        self.packed.take();
        #[cfg(feature = "webgpu")]
        self.more.borrow_mut().take();
    }

    /// The cache with the whole-pattern data of the heads of the same site.
    #[must_use]
    pub fn with_low_rank(self, of: &Self) -> Self {
        let known = of.heads.borrow();
        self.heads
            .borrow_mut()
            .extend(known.iter().filter_map(|(at, features)| Some((*at, features.shared()?))));
        drop(known);
        self
    }

    /// The cache of a second record with the same rows, which may get other rows later.
    #[must_use]
    pub fn forked_from(self, of: &Self) -> Self {
        Self { packed: of.packed.clone(), ..self.with_low_rank(of) }
    }

    /// The cache with the data that the last reader of a record's first rows left; a reader of the
    /// cache leaves its own.
    #[must_use]
    pub fn for_reader(self, of: &Self, read_cache: &ReadCache) -> Self {
        let record = Rc::clone(&of.record);
        let mirror = Rc::clone(&of.mirror);
        Self { record, mirror, read_cache: Some(read_cache.clone()), ..self.with_low_rank(of) }
    }

    /// The numbers of rows of queries, keys and values that were read back.
    pub fn rows_stored(&self) -> [usize; 3] {
        self.mirror.borrow().as_ref().map_or([0; 3], RowsRead::counts)
    }

    /// Stores more rows of each tensor, except rows that another reader has stored meanwhile. The
    /// new rows begin at most at the first row that is not stored.
    pub fn store_rows(&self, rows: [ReadRows; 3]) {
        RowsRead::store(&mut self.mirror.borrow_mut(), rows);
    }

    /// A cache with nothing but the rows that another one has read back.
    #[must_use]
    pub fn of_read(&self) -> Self {
        Self { mirror: Rc::clone(&self.mirror), ..Self::default() }
    }

    /// A cache with nothing but the first rows that were read back.
    #[must_use]
    pub fn of_first(&self, n_queries: usize, n_keys: usize) -> Self {
        let known = self.mirror.borrow();
        let first = known.as_ref().map(|mirror| mirror.first([n_queries, n_keys, n_keys]));
        Self { mirror: Rc::new(first.into()), ..Self::default() }
    }
}

impl MemoStore for SiteCache {
    fn take(&self, head: usize, shape: [usize; 2]) -> HeadMemo {
        let mut heads = self.heads.borrow_mut();
        let found = heads.iter().position(|(own, _)| *own == head);
        let own = found.map(|at| heads.swap_remove(at).1);
        let left = || self.read_cache.as_ref()?.take(&self.record, (head, shape));
        own.or_else(left).unwrap_or_default()
    }

    fn leave(&self, head: usize, shape: [usize; 2], memo: HeadMemo) {
        match &self.read_cache {
            Some(read_cache) if !memo.begins_whole() => {
                read_cache.leave(&self.record, (head, shape), memo);
            }
            _ => self.heads.borrow_mut().push((head, memo)),
        }
    }
}
