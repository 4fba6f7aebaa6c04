//! The bytes that a piece of work allocates, counted by the allocator: it calls the system's and
//! counts what that returns. Each thread has its own counters, so that they count no other work.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// Bytes that this thread took and did not give back; what was taken elsewhere can be given
    /// back here, so it wraps.
    static HELD: Cell<usize> = const { Cell::new(0) };
    /// The most since a measurement began.
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

fn take(bytes: usize) {
    let held = HELD.get().wrapping_add(bytes);
    HELD.set(held);
    if held.wrapping_sub(PEAK.get()).cast_signed() > 0 {
        PEAK.set(held);
    }
}

fn give_back(bytes: usize) {
    HELD.set(HELD.get().wrapping_sub(bytes));
}

#[expect(unsafe_code, reason = "an allocator is unsafe; every call is the system's own")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        give_back(layout.size());
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both are there while one is copied into the other.
        take(size);
        give_back(layout.size());
        unsafe { System.realloc(place, layout, size) }
    }
}

/// What some work gives, the most bytes that it held at once, and those that are left in what it
/// gives and in what it changed; less than none wraps.
pub(super) fn measure<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let before = HELD.get();
    PEAK.set(before);
    let found = work();
    (found, PEAK.get().wrapping_sub(before), HELD.get().wrapping_sub(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn the_peak_is_what_was_held_at_once() {
        let before = black_box(vec![0u8; 500]);
        let (held, peak, _) = measure(|| {
            let one = black_box(vec![0f32; 10]);
            drop(black_box(vec![1f64; 5]));
            let two = black_box(vec![true; 3]);
            drop(two);
            one
        });
        assert_eq!(peak, 80);
        let ((), peak, _) = measure(|| {
            let mut grown: Vec<u8> = Vec::with_capacity(8);
            grown.extend([1; 8]);
            grown.reserve_exact(8);
            black_box(grown);
        });
        assert_eq!(peak, 24, "the old and the new while one is copied into the other");
        // What is given back that was there before is no debt.
        let ((), peak, _) = measure(|| {
            drop(before);
            drop(held);
            black_box(vec![0u8; 7]);
        });
        assert_eq!(peak, 0);
    }
}
