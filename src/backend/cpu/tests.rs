//! Heads under each variant of attention: the formula of what they take is what their loops count,
//! what is made of all keys is made once, however few rows are computed at once, and what is no
//! number is not hidden.

use std::rc::Rc;

use super::*;
use crate::axes::Stack;
use crate::backend::{ReadCache, SiteCache};
use crate::edits::{Edits, Extent, FixedPatterns};
use crate::kernels::counting::counted;
use crate::kernels::testing::{Random, same_bits};
use crate::masks::{Changes, Heads, Mask, MaskFill, Rule};
use crate::positions::{Relative, Terms};
use crate::variants::{
    Additive, Blocks, Chunked, HeadVariant, Linformer, LowRank, Performer, Sliding, Variant,
    VariantName, Variants,
};
use wasm_bindgen_test::wasm_bindgen_test;

const N: usize = 13;
const WIDTH: usize = 5;

/// Queries, keys and values of one head, and who may look at whom.
struct OneHead {
    rows: [CpuTensor; 3],
    mask: Mask,
    variants: Variants,
    fixed_patterns: FixedPatterns,
    cap: Option<f32>,
    relative: Option<Relative>,
}

impl OneHead {
    fn of(variant: Variant, mask: Mask) -> Self {
        Self::of_text(N, variant, mask)
    }

    fn of_text(n: usize, variant: Variant, mask: Mask) -> Self {
        let mut random = Random::new(7);
        let mut rows = || CpuTensor::new(random.values(n * WIDTH, -1.0, 1.0), WIDTH);
        let variants =
            Variants::default().with(0, HeadVariant { variant, ..HeadVariant::default() });
        Self {
            rows: [rows(), rows(), rows()],
            mask,
            variants,
            fixed_patterns: FixedPatterns::default(),
            cap: None,
            relative: None,
        }
    }

    fn site<'a>(&'a self, memo: &'a SiteCache) -> Attention<'a, CpuTensor> {
        let [query, key, value] = &self.rows;
        Attention {
            query,
            key,
            value,
            n_heads: 1,
            n_kv_heads: 1,
            scale: 0.4,
            cap: self.cap,
            mask: &self.mask,
            gates: &[1.0],
            fixed_patterns: &self.fixed_patterns,
            variants: &self.variants,
            relative: self.relative.as_ref(),
            memo,
        }
    }

    /// The contexts of all queries, so many at once, and the operations that they took.
    fn attend(&self, at_once: usize) -> (Vec<f32>, u64) {
        let memo = SiteCache::default();
        let site = self.site(&memo);
        let head = Head::of(&site, 0);
        let packed = head.packed();
        let mut out = vec![0.0; N * WIDTH];
        let ((), operations) = counted(|| {
            for start in (0..N).step_by(at_once) {
                let rows = start..N.min(start + at_once);
                let into = &mut out[start * WIDTH..rows.end * WIDTH];
                head.attend(&packed, rows, (QUERY_ROWS, WIDTH), into);
            }
        });
        (out, operations)
    }

    /// The head with its first `n` queries and keys.
    fn first(&self, n: usize) -> Self {
        let rows = self.rows.each_ref().map(|x| Cpu.select(x, 0..n));
        let mask = self.mask.clone();
        let variants = self.variants.clone();
        let fixed_patterns = FixedPatterns::default();
        Self { rows, mask, variants, fixed_patterns, cap: None, relative: None }
    }

    /// The pattern read by itself, and the operations that it took.
    fn read(&self, memo: &SiteCache, stage: Stage) -> (Vec<f32>, u64) {
        let site = self.site(memo);
        let n = site.key.rows();
        let mut out = vec![0.0; n * n];
        let head = Head::of(&site, 0);
        let packed = head.packed();
        let ((), operations) = counted(|| head.pattern(&packed, 0..n, stage, &mut out));
        (out, operations)
    }
}

/// All variants; the numbers of some suit a head of few keys, and the bands leave no key out.
fn variants() -> [Variant; VariantName::ALL.len()] {
    VariantName::ALL.map(|name| match name {
        VariantName::Sliding => Variant::Sliding(Sliding { width: N }),
        VariantName::Blocks => Variant::Blocks(Blocks { size: 3, neighbours: N }),
        VariantName::Additive => Variant::Additive(Additive { width: 3, seed: 1 }),
        VariantName::Performer => Variant::Performer(Performer { features: 6, seed: 2 }),
        VariantName::LowRank => Variant::LowRank(LowRank { rank: 2 }),
        VariantName::Linformer => Variant::Linformer(Linformer { keys: 3 }),
        VariantName::Chunked => Variant::Chunked(Chunked { size: 4 }),
        _ => name.usual(),
    })
}

/// Bands that leave keys out.
const NARROW: [Variant; 2] =
    [Variant::Sliding(Sliding { width: 3 }), Variant::Blocks(Blocks { size: 5, neighbours: 1 })];

/// Masks under which the formulas differ: rows that are cut, that are open anywhere, that are
/// closed, and closed cells to which a finite number is added.
fn masks() -> Vec<Mask> {
    let mut large = Changes::default();
    large.fill(&[0], MaskFill::Large);
    let none = Mask::open().with(Heads::All, Rule::Until(0));
    let cells = Rule::cells(vec![(0, 0), (7, 2), (33, 4), (34, 4)]);
    vec![
        Mask::open(),
        Mask::open().with(Heads::All, Rule::Causal),
        Mask::open().with(Heads::All, Rule::Causal).with(Heads::All, cells),
        Mask::open().with(Heads::All, Rule::Blocks(4)),
        Mask::open().with(Heads::All, Rule::Causal).changed(&large),
        none.clone(),
        none.changed(&large),
        Mask::open().padded(&[true, false, true, false]),
    ]
}

/// Fixed patterns that give the first `rows` rows of a head.
fn given(n: usize, rows: usize) -> FixedPatterns {
    let row = ["1"; 3].join(",");
    let pattern = vec![format!("[{row}]"); rows].join(",");
    let sent = format!(r#"{{"heads": [{{"pattern": [{pattern}]}}]}}"#);
    let extent = Extent {
        stack: Stack::Encoder,
        n_layers: 1,
        n_heads: 1,
        head_dim: WIDTH,
        n_queries: n,
        n_keys: n,
        joins_scores: false,
    };
    let edits = Edits::resolve(&serde_json::from_str(&sent).unwrap(), &[extent]).unwrap();
    edits.site(Stack::Encoder, 0).fixed_patterns().clone()
}

fn assert_formula(head: &OneHead, what: &str) {
    let memo = SiteCache::default();
    let site = head.site(&memo);
    let (_, operations) = counted(|| Cpu.head_context(&site, 0));
    let (cost, again) = counted(|| Cpu.head_cost(&site, 0).unwrap());
    assert_eq!(cost.operations, operations, "{what}");
    assert_eq!(again, 0, "{what}: a formula computes nothing");
}

#[wasm_bindgen_test(unsupported = test)]
fn the_formula_of_each_variant_is_what_its_loops_count() {
    let n = 40;
    for (at, mask) in masks().into_iter().enumerate() {
        let usual = VariantName::ALL.map(VariantName::usual);
        for variant in variants().into_iter().chain(NARROW).chain(usual) {
            let what = format!("{variant:?}, mask {at}");
            let mut head = OneHead::of_text(n, variant, mask.clone());
            assert_formula(&head, &what);
            if variant.facts().holds_scores() {
                head.cap = Some(3.0);
                assert_formula(&head, &format!("{what}, capped"));
                let terms = Rc::new(Terms::alibi(1));
                head.relative = Some(Relative { terms, order: vec![].into() });
                assert_formula(&head, &format!("{what}, with relative positions"));
            }
            for rows in [1, 35, n] {
                head.fixed_patterns = given(n, rows);
                assert_formula(&head, &format!("{what}, {rows} rows given"));
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn what_is_made_of_all_keys_is_made_once() {
    let causal = Mask::open().with(Heads::All, Rule::Causal);
    for mask in [Mask::open(), causal.clone(), Mask::open().with(Heads::All, Rule::Blocks(4))] {
        for variant in variants() {
            let head = OneHead::of(variant, mask.clone());
            let (whole, operations) = head.attend(N);
            // Fewer queries leave out more keys that none of them may look at.
            let facts = variant.facts();
            let is_cut = mask == causal && facts.holds_scores() && !facts.is_of_all_rows();
            for at_once in [1, 4] {
                let (pieces, again) = head.attend(at_once);
                let what = format!("{variant:?}, {at_once}");
                assert!(if is_cut { again < operations } else { again == operations }, "{what}");
                same_bits(&pieces, &whole, &what);
            }
        }
    }
}

/// Variants that make something of every key which stays the same for every query.
fn mapping_variants() -> impl Iterator<Item = Variant> {
    let is_mapping =
        |variant: &Variant| variant.kept_per_key(WIDTH, N) > 0 && !variant.facts().is_of_all_rows();
    assert!(variants().iter().any(is_mapping));
    variants().into_iter().filter(is_mapping)
}

#[wasm_bindgen_test(unsupported = test)]
fn who_reads_a_head_next_makes_nothing_again() {
    for variant in mapping_variants() {
        let head = OneHead::of(variant, Mask::open());
        let record = SiteCache::default();
        let read_cache = ReadCache::default();
        let read = |stage| head.read(&SiteCache::default().for_reader(&record, &read_cache), stage);
        let (alone, all) = head.read(&SiteCache::default(), Stage::Weights);
        let (first, made) = read(Stage::Weights);
        assert_eq!((made, &first), (all, &alone), "{variant:?}");
        // As cheap as a second look by the same reader.
        let reader = SiteCache::default();
        head.read(&reader, Stage::Scores);
        let known = head.read(&reader, Stage::Weights).1;
        assert!(known < all, "{variant:?}");
        read(Stage::Raw);
        assert_eq!(read(Stage::Weights), (alone, known), "{variant:?}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn what_is_left_by_one_reader_is_of_one_head_and_of_its_rows_alone() {
    for variant in mapping_variants() {
        let head = OneHead::of(variant, Mask::open());
        let other = OneHead::of(variant, Mask::open());
        let record = SiteCache::default();
        let read_cache = ReadCache::default();
        let all = head.read(&SiteCache::default(), Stage::Weights);
        let read = |head: &OneHead, of: &SiteCache| {
            head.read(&SiteCache::default().for_reader(of, &read_cache), Stage::Weights)
        };
        // A text that has grown, and one that is read again unchanged.
        let fewer = head.first(N - 4);
        for _ in 0..2 {
            let alone = fewer.read(&SiteCache::default(), Stage::Weights);
            assert_eq!(read(&fewer, &record), alone, "{variant:?}");
            assert_eq!(read(&head, &record), all, "{variant:?}");
        }
        // Another record takes its place, as the same rows once more would.
        assert_eq!(read(&other, &SiteCache::default()).1, all.1, "{variant:?}");
        assert_eq!(read(&head, &record), all, "{variant:?}");
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn a_large_fill_leaves_equal_weights_where_no_key_is_open() {
    let mut large = Changes::default();
    large.fill(&[0], MaskFill::Large);
    let mask = Mask::open().with(Heads::All, Rule::Until(0)).changed(&large);
    for variant in variants().into_iter().filter(|variant| !variant.facts().sums_open_keys()) {
        let weights =
            OneHead::of(variant, mask.clone()).read(&SiteCache::default(), Stage::Weights).0;
        let equal = 1.0 / N as f32;
        assert!(
            weights.iter().all(|weight| (weight - equal).abs() < 1e-6),
            "{variant:?}: {weights:?}"
        );
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn what_is_no_number_is_not_hidden() {
    for variant in variants() {
        for key in [0, N - 1] {
            let mut head = OneHead::of(variant, Mask::open());
            let mut keys = head.rows[1].data.to_vec();
            keys[key * WIDTH] = f32::NAN;
            head.rows[1] = CpuTensor::new(keys, WIDTH);
            let (found, _) = head.attend(N);
            assert!(found.iter().all(|x| x.is_nan()), "{variant:?}: {found:?}");
            // Nothing is known of keys that every query is forbidden to attend to.
            head.mask = Mask::open().padded(&(0..N).map(|at| at != key).collect::<Vec<_>>());
            if !variant.facts().is_of_all_rows() {
                let (found, _) = head.attend(N);
                assert!(found.iter().all(|x| x.is_finite()), "{variant:?}: {found:?}");
            }
        }
    }
}
