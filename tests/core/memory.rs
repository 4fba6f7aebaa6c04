//! The bytes that a head's attention holds: the formula of each variant beside what an allocator
//! hands out while the head is computed. The allocator is this test program's own: it calls the
//! system's and counts what that returns, by thread, so that tests beside it count no other work.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use headscope::backend::{Attend, Attention, Cpu, Inspect, SiteCache, Storage};
use headscope::edits::FixedPatterns;
use headscope::masks::{Heads, Mask, Rule};
use headscope::variants::{
    Additive, Blocks, Chunked, HeadVariant, Linformer, LowRank, Performer, Sliding, Softmax,
    Variant, VariantName, Variants, WeightRule,
};

use crate::support::Random;

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

/// The most bytes that some work held at once.
fn peak(work: impl FnOnce()) -> usize {
    let before = HELD.get();
    PEAK.set(before);
    work();
    PEAK.get().wrapping_sub(before)
}

#[test]
fn the_peak_is_what_was_held_at_once() {
    use std::hint::black_box;
    let before = black_box(vec![0u8; 500]);
    let two_of_three = peak(|| {
        let one = black_box(vec![0f32; 10]);
        drop(black_box(vec![1f64; 5]));
        drop(black_box(vec![true; 3]));
        drop(one);
    });
    assert_eq!(two_of_three, 80);
    let grown = peak(|| {
        let mut grown: Vec<u8> = Vec::with_capacity(8);
        grown.extend([1; 8]);
        grown.reserve_exact(8);
        black_box(grown);
    });
    assert_eq!(grown, 24, "the old and the new while one is copied into the other");
    // What is given back that was there before is no debt.
    let last = peak(|| {
        drop(before);
        black_box(vec![0u8; 7]);
    });
    assert_eq!(last, 0);
}

const N: usize = 320;
const WIDTH: usize = 8;

/// The most bytes that one head holds while it is prepared, and while its context is computed too,
/// and the formula's.
fn measured(variant: Variant, mask: &Mask) -> (usize, usize, u64) {
    let random = |seed: u64| -> Vec<f32> {
        let ids = Random(seed).ids(N * WIDTH, 1000);
        ids.into_iter().map(|x| x as f32 / 500.0 - 1.0).collect()
    };
    let [query, key, value] = [1, 2, 3].map(|seed| Cpu.upload(random(seed), WIDTH));
    let variants = Variants::default().with(0, HeadVariant { variant, ..HeadVariant::default() });
    let memo = SiteCache::default();
    let site = Attention {
        query: &query,
        key: &key,
        value: &value,
        n_heads: 1,
        n_kv_heads: 1,
        scale: 0.35,
        cap: None,
        mask,
        gates: &[1.0],
        fixed_patterns: &FixedPatterns::default(),
        variants: &variants,
        relative: None,
        memo: &memo,
    };
    let mut prepared = 0;
    let all = peak(|| {
        prepared = peak(|| {
            while Cpu.unprepared(&site) > 0 {
                Cpu.prepare(&site);
            }
        });
        drop(Cpu.head_context(&site, 0));
    });
    (prepared, all, Cpu.head_cost(&site, 0).unwrap().bytes)
}

/// All variants; the numbers of some are so large that their formula shows.
fn variants() -> [Variant; VariantName::ALL.len()] {
    VariantName::ALL.map(|name| match name {
        VariantName::Additive => Variant::Additive(Additive { width: 5, seed: 1 }),
        VariantName::Sliding => Variant::Sliding(Sliding { width: 100 }),
        VariantName::Blocks => Variant::Blocks(Blocks { size: 50, neighbours: 1 }),
        VariantName::Performer => Variant::Performer(Performer { features: 24, seed: 1 }),
        VariantName::LowRank => Variant::LowRank(LowRank { rank: 3 }),
        VariantName::Linformer => Variant::Linformer(Linformer { keys: 60 }),
        VariantName::Chunked => Variant::Chunked(Chunked { size: 64 }),
        _ => name.usual(),
    })
}

/// Beside the formula there are packed keys and values and what is found, the same for every
/// variant; lists of open keys and the like, some bytes for each token; and the memo itself.
#[test]
fn the_formula_of_each_variant_is_what_it_holds() {
    let size = N * WIDTH * size_of::<f32>();
    for mask in [Mask::open(), Mask::open().with(Heads::All, Rule::Causal)] {
        let (_, exact, formula) = measured(Variant::Softmax(Softmax), &mask);
        assert_eq!(formula, (4 * N * N) as u64);
        let beside = exact - 4 * N * N;
        assert!((2 * size..=5 * size).contains(&beside), "{beside} bytes beside the weights");
        let of_all_directions = Variant::LowRank(LowRank { rank: N });
        for variant in variants().into_iter().chain([of_all_directions]) {
            let per_token = match variant.facts().weights {
                WeightRule::Softmax if variant.facts().holds_scores() => 0,
                WeightRule::Softmax => 2,
                WeightRule::Features => 4,
                WeightRule::Segments => 40,
                WeightRule::Directions => 160,
            };
            let (prepared, all, formula) = measured(variant, &mask);
            let counted = all.saturating_sub(beside).max(prepared) as u64;
            let most = formula + (per_token * N + 1024) as u64;
            let what = format!("{variant:?}, {mask:?}: {counted} bytes, {formula} by formula");
            assert!((formula..=most).contains(&counted), "{what}");
        }
    }
}
