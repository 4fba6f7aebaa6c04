//! The data that a variant derives from all keys of a head before the first weight, kept while a
//! text goes through a site a few rows at a time, so that it can be extended when the text grows.

use std::any::Any;
use std::rc::Rc;

use super::pattern_work::PatternWork;
use crate::kernels::truncate::Directions;

/// The store of the memos of a site's heads.
pub trait MemoStore {
    /// Takes the memo of a head out of the store, for a shape `[n_q, n_k]`; an empty memo if there
    /// is none.
    fn take(&self, head: usize, shape: [usize; 2]) -> HeadMemo;

    /// Puts the memo of a head back.
    fn leave(&self, head: usize, shape: [usize; 2], memo: HeadMemo);
}

/// The data that is kept of one head, whose variant does not change.
#[derive(Default)]
pub struct HeadMemo {
    /// The data derived from keys, in a type of the variant's own.
    keys: Option<Box<dyn Any>>,
    /// The data derived from all rows at once.
    whole: Option<PatternWork>,
}

impl HeadMemo {
    /// The data that the variant derived from keys, started with `make` if there is none.
    pub(super) fn of_keys<T: Any>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        self.keys.take_if(|kept| !kept.is::<T>());
        let kept = self.keys.get_or_insert_with(|| Box::new(make()));
        kept.downcast_mut().expect("another type was dropped above")
    }

    /// The work on the whole pattern of a shape, started with `make` if there is none.
    pub(super) fn whole(
        &mut self,
        shape: [usize; 2],
        make: impl FnOnce() -> PatternWork,
    ) -> &mut PatternWork {
        self.whole.take_if(|known| known.shape != shape);
        self.whole.get_or_insert_with(make)
    }

    /// The directions of the whole pattern of a shape, once they are computed.
    pub(super) fn known_whole(&self, shape: [usize; 2]) -> Option<Rc<Directions>> {
        self.whole.as_ref().filter(|whole| whole.shape == shape)?.known().cloned()
    }

    /// Whether the directions of the whole pattern are computed.
    pub fn knows_whole(&self, shape: [usize; 2]) -> bool {
        self.known_whole(shape).is_some()
    }

    /// Whether work on the whole pattern has begun.
    pub fn begins_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Whether there is data derived from keys.
    pub fn knows_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Drops the data derived from keys; returns whether data of all rows remains.
    pub fn forget(&mut self) -> bool {
        self.keys = None;
        self.whole.is_some()
    }

    /// A second memo that shares the computed data of all rows, if there is any.
    pub fn shared(&self) -> Option<Self> {
        let whole = self.whole.as_ref()?.shared()?;
        Some(Self { whole: Some(whole), ..Self::default() })
    }
}

/// A row of `width` numbers derived from each key alone.
pub(super) struct KeyMap<T> {
    width: usize,
    cells: Vec<T>,
}

impl<T: Copy + Default> KeyMap<T> {
    /// A map without keys so far.
    pub fn new(width: usize) -> Self {
        Self { width, cells: Vec::new() }
    }

    /// Extends the map to `n_keys` keys; `map` writes one key's row, which is filled with zeros
    /// before.
    pub fn learn(&mut self, n_keys: usize, map: impl Fn(usize, &mut [T])) {
        let known = self.cells.len() / self.width;
        self.cells.reserve_exact(n_keys.saturating_sub(known) * self.width);
        for key in known..n_keys {
            let first = self.cells.len();
            self.cells.resize(first + self.width, T::default());
            map(key, &mut self.cells[first..]);
        }
    }

    /// The number of numbers per key.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The numbers of one key.
    pub fn row(&self, key: usize) -> &[T] {
        &self.cells[key * self.width..][..self.width]
    }

    /// The numbers of every key.
    pub fn rows(&self) -> impl Iterator<Item = &[T]> {
        self.cells.chunks_exact(self.width)
    }
}
