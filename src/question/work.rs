//! An answer while it is computed: numbers that are being read from a backend, and work in short
//! steps, between which a thread can receive messages.

use std::cell::RefCell;
use std::future::{Future, ready};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::Leave;
use crate::error::Result;

/// Numbers that are being read.
pub type Reading<T> = Pin<Box<dyn Future<Output = Result<T>>>>;

/// An answer in short steps of some milliseconds. The work owns what it needs, so that the run may
/// go on or be freed.
pub struct Work<T>(Box<dyn FnMut() -> Reading<Option<T>>>);

impl<T: 'static> Work<T> {
    /// Work that calls `step` until it gives the answer.
    pub fn new(step: impl FnMut() -> Reading<Option<T>> + 'static) -> Self {
        Self(Box::new(step))
    }

    /// An answer in one step.
    pub fn once(reading: Reading<T>) -> Self {
        let mut reading = Some(reading);
        Self::new(move || match reading.take() {
            Some(reading) => Box::pin(Mapped { reading, change: Some }),
            None => Box::pin(ready(Ok(None))),
        })
    }

    /// Work on what the first step reads: each step calls `step`, which gives the answer once it is
    /// complete.
    pub fn after<State: 'static>(read: Reading<State>, step: fn(&mut State) -> Option<T>) -> Self {
        let mut read = Some(read);
        let state = Rc::new(RefCell::new(None::<State>));
        Self::new(move || {
            let read = read.take();
            let state = Rc::clone(&state);
            Box::pin(async move {
                if let Some(read) = read {
                    let begun = read.await?;
                    *state.borrow_mut() = Some(begun);
                }
                Ok(state.borrow_mut().as_mut().and_then(step))
            })
        })
    }

    /// An answer that is known already.
    pub fn known(answer: T) -> Self {
        Self::once(Box::pin(ready(Ok(answer))))
    }

    /// One short step: the answer, or `None` while more steps are needed.
    pub fn step(&mut self) -> Reading<Option<T>> {
        (self.0)()
    }

    /// The answer, after all of its steps.
    pub fn finish(mut self) -> Reading<T> {
        Box::pin(async move {
            loop {
                if let Some(answer) = self.step().await? {
                    return Ok(answer);
                }
            }
        })
    }

    /// The work with its answer converted for JavaScript.
    pub fn leave<Out: 'static>(mut self) -> Work<Out>
    where
        T: Leave<Out>,
    {
        let change = |answer: Option<T>| answer.map(T::leave);
        Work::new(move || Box::pin(Mapped { reading: self.step(), change }))
    }
}

/// A reading whose result is changed. There is one for each type of answer, and an `async` block in
/// its place would take five times the code.
struct Mapped<T, U> {
    reading: Reading<T>,
    change: fn(T) -> U,
}

impl<T, U> Future for Mapped<T, U> {
    type Output = Result<U>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<U>> {
        let change = self.change;
        self.reading.as_mut().poll(context).map_ok(change)
    }
}

impl<T: 'static> Work<Vec<T>> {
    /// A list of which each step computes a part.
    pub fn in_parts<P: 'static>(
        parts: impl IntoIterator<Item = P, IntoIter: 'static>,
        mut compute: impl FnMut(P) -> Result<Reading<Vec<T>>> + 'static,
    ) -> Self {
        let mut left = parts.into_iter().peekable();
        let all = Rc::new(RefCell::new(Vec::new()));
        Self::new(move || {
            let part = left.next().map(&mut compute);
            let is_last = left.peek().is_none();
            let all = Rc::clone(&all);
            Box::pin(async move {
                if let Some(part) = part {
                    let found = part?.await?;
                    all.borrow_mut().extend(found);
                }
                Ok(is_last.then(|| all.take()))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use pollster::block_on;

    use super::*;

    #[test]
    fn parts_join_in_their_order() {
        let mut none = Work::in_parts(Vec::<u8>::new(), |_| -> Result<Reading<Vec<u8>>> {
            Ok(Box::pin(async { Ok(vec![]) }))
        });
        assert_eq!(block_on(none.step()).unwrap(), Some(vec![]));

        let mut three = Work::in_parts(1..4_u8, |part| {
            let found = vec![part; usize::from(part)];
            Ok(Box::pin(async move { Ok(found) }))
        });
        assert_eq!(block_on(three.step()).unwrap(), None);
        assert_eq!(block_on(three.step()).unwrap(), None);
        assert_eq!(block_on(three.step()).unwrap(), Some(vec![1, 2, 2, 3, 3, 3]));
    }
}
