//! What is kept of a site from one piece of work to the next, so that what depends on the whole
//! text is not made again for every few rows of it.

use std::cell::RefCell;

use super::cpu::Kept;
use super::mirror::Mirror;
#[cfg(feature = "webgpu")]
use super::webgpu::More;

/// What heads made of their keys. It belongs to the rows of one record: those only grow, and
/// whoever takes some of them begins a new one. What was made of all rows at once is shared with
/// whoever takes them all (`with_whole`).
#[derive(Default)]
pub struct Memo {
    pub(super) heads: RefCell<Vec<(usize, Kept)>>,
    /// What was read of them. It stays when the rest is forgotten: pictures are made of it.
    pub(super) mirror: RefCell<Option<Mirror>>,
    /// What was uploaded for them.
    #[cfg(feature = "webgpu")]
    pub(super) more: RefCell<Option<std::rc::Rc<More>>>,
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

    /// Works on what is kept of a head, which meanwhile is kept nowhere else.
    pub(super) fn of<T>(&self, head: usize, work: impl FnOnce(&mut Kept) -> T) -> T {
        let mut heads = self.heads.borrow_mut();
        let found = heads.iter().position(|(own, _)| *own == head);
        let mut kept = found.map(|at| heads.swap_remove(at).1).unwrap_or_default();
        drop(heads);
        let result = work(&mut kept);
        self.heads.borrow_mut().push((head, kept));
        result
    }
}
