//! What is kept of a site from one piece of work to the next, so that what depends on the whole
//! text is not made again for every few rows of it.

use std::cell::RefCell;
use std::rc::Rc;

use super::cpu::Kept;
use super::mirror::Mirror;
#[cfg(feature = "webgpu")]
use super::webgpu::More;

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
