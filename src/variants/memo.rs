//! What a variant makes of all keys of a head before the first weight, kept while a text goes
//! through a site a few rows at a time, so that it goes on where it ended when the text grows.

use std::any::Any;
use std::rc::Rc;

use super::low_rank::LowRankWork;
use crate::kernels::truncate::Directions;

/// Where the memos of a site's heads are kept.
pub trait MemoStore {
    /// Takes the memo of a head of so many queries and keys out; an empty one where there is none.
    fn take(&self, head: usize, shape: [usize; 2]) -> HeadMemo;

    /// Puts it back.
    fn leave(&self, head: usize, shape: [usize; 2], memo: HeadMemo);
}

/// What is kept of one head, whose variant does not change.
#[derive(Default)]
pub struct HeadMemo {
    /// Made of keys, in the type of the variant.
    keys: Option<Box<dyn Any>>,
    /// Made of all rows at once.
    whole: Option<LowRankWork>,
}

impl HeadMemo {
    /// What the variant made of keys; `make` begins with it.
    pub(super) fn of_keys<T: Any>(&mut self, make: impl FnOnce() -> T) -> &mut T {
        self.keys.take_if(|kept| !kept.is::<T>());
        let kept = self.keys.get_or_insert_with(|| Box::new(make()));
        kept.downcast_mut().expect("another type was dropped above")
    }

    /// What is known of the whole pattern of so many queries and keys; `make` begins with it.
    pub(super) fn whole(
        &mut self,
        shape: [usize; 2],
        make: impl FnOnce() -> LowRankWork,
    ) -> &mut LowRankWork {
        self.whole.take_if(|known| known.shape != shape);
        self.whole.get_or_insert_with(make)
    }

    /// What was made of the whole pattern of so many queries and keys, once it is known.
    pub(super) fn known_whole(&self, shape: [usize; 2]) -> Option<Rc<Directions>> {
        self.whole.as_ref().filter(|whole| whole.shape == shape)?.known().cloned()
    }

    /// Whether all of the whole pattern is known.
    pub fn knows_whole(&self, shape: [usize; 2]) -> bool {
        self.known_whole(shape).is_some()
    }

    /// Whether it has begun with what is made of all rows.
    pub fn begins_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// Whether it has anything that was made of keys.
    pub fn knows_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Reduces it to what is known of all rows; whether that is anything.
    pub fn forget(&mut self) -> bool {
        self.keys = None;
        self.whole.is_some()
    }

    /// What is known of all rows, shared.
    pub fn shared(&self) -> Option<Self> {
        let whole = self.whole.as_ref()?.shared()?;
        Some(Self { whole: Some(whole), ..Self::default() })
    }
}

/// What a variant makes of each key by itself, a row of `width` numbers for each.
pub(super) struct KeyMap<T> {
    width: usize,
    cells: Vec<T>,
}

impl<T: Copy + Default> KeyMap<T> {
    /// Of no key yet.
    pub fn new(width: usize) -> Self {
        Self { width, cells: Vec::new() }
    }

    /// Goes on until all of `n_keys` keys are mapped; `map` writes one into a row of zeros.
    pub fn learn(&mut self, n_keys: usize, map: impl Fn(usize, &mut [T])) {
        let known = self.cells.len() / self.width;
        self.cells.reserve_exact(n_keys.saturating_sub(known) * self.width);
        for key in known..n_keys {
            let first = self.cells.len();
            self.cells.resize(first + self.width, T::default());
            map(key, &mut self.cells[first..]);
        }
    }

    /// Numbers of a key.
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
