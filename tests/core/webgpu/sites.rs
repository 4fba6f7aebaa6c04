//! One attention site on the GPU under every kind, scheme of positions and mask equals the CPU's.

use std::rc::Rc;

use headscope::attention::PatternSpec;
use headscope::axes::{Stack, Stage};
use headscope::backend::webgpu::WebGpu;
use headscope::backend::{Backend, Cpu, SiteCache, Storage};
use headscope::edits::{Edits, Extent, FixedPatterns};
use headscope::masks::{Changes, Heads, Mask, MaskFill, Rule};
use headscope::positions::{Buckets, Relative, Sizes, Terms, TransformerXl};
use headscope::variants::{
    Additive, Blocks, Chunked, Cosine, Dropout, HeadVariant, Linear, Scale, Sliding, Variant,
    Variants,
};

use super::{adapter, numbers};
use crate::support::assert_close;
use crate::support::parity::assert_close_where_finite;

const STAGES: [Stage; 4] = [Stage::Raw, Stage::Scores, Stage::Masked, Stage::Weights];

/// The sizes of a site.
struct Shape {
    n_queries: usize,
    n_keys: usize,
    n_heads: usize,
    n_kv_heads: usize,
    width: usize,
}

fn site<B: Backend>(backend: &B, shape: &Shape, mask: &Mask) -> PatternSpec<B> {
    let Shape { n_queries, n_keys, n_heads, n_kv_heads, width } = *shape;
    let rows = |seed, n: usize, n_heads: usize| {
        backend.upload(numbers(seed, n * n_heads * width), n_heads * width)
    };
    PatternSpec {
        query: rows(1, n_queries, n_heads),
        key: rows(2, n_keys, n_kv_heads),
        value: rows(3, n_keys, n_kv_heads),
        n_heads,
        n_kv_heads,
        scale: 1.0 / (width as f32).sqrt(),
        cap: None,
        mask: mask.clone(),
        gates: (0..n_heads).map(|head| 1.0 - 0.3 * head as f32).collect(),
        fixed_patterns: FixedPatterns::default(),
        variants: Variants::default(),
        turns: None,
        relative: None,
        memo: SiteCache::default(),
    }
}

/// What a site computes of all its rows, and of some.
async fn context<B: Backend>(
    backend: &B,
    mut site: PatternSpec<B>,
    variants: &Variants,
    relative: Option<&Rc<Relative>>,
) -> Vec<f32> {
    (site.variants, site.relative) = (variants.clone(), relative.cloned());
    let n = backend.rows(&site.query);
    let mut found = Vec::new();
    for rows in [0..n, n / 3..n - n / 4] {
        found.extend(backend.read(&site.attend(backend, rows)).await.unwrap());
    }
    found
}

/// Panics unless a site computes on the GPU what it computes on the CPU.
async fn compare(
    gpu: &WebGpu,
    shape: &Shape,
    mask: &Mask,
    variants: &Variants,
    relative: Option<&Rc<Relative>>,
    what: &str,
) {
    let got = context(gpu, site(gpu, shape, mask), variants, relative).await;
    let want = context(&Cpu, site(&Cpu, shape, mask), variants, relative).await;
    assert_close_where_finite(&got, &want, what);
}

/// A mask with padding, a row without a key, and cells of its own in one head.
fn awkward(n_queries: usize, n_keys: usize) -> Mask {
    let mut real = vec![true; n_keys];
    real[n_keys - 2] = false;
    let row = (0..n_keys).map(|key| (n_queries / 2, key)).collect();
    Mask::open()
        .with(Heads::All, Rule::Causal)
        .with(Heads::Only(vec![1]), Rule::cells(vec![(3, 0), (3, 1), (n_queries - 1, 5)]))
        .with(Heads::Only(vec![2]), Rule::cells(row))
        .padded(&real)
}

/// Heads of any width, every kind, and relative positions.
#[pollster::test]
async fn attention_sites_equal_the_cpu() {
    let Some(gpu) = adapter("attention_sites_equal_the_cpu").await else { return };
    for (n, n_keys, n_heads, n_kv_heads, width) in
        [(70, 70, 3, 3, 5), (33, 97, 4, 2, 24), (5, 40, 3, 1, 67), (1, 65, 3, 3, 130)]
    {
        let shape = Shape { n_queries: n, n_keys, n_heads, n_kv_heads, width };
        let mask = if n > 5 { awkward(n, n_keys) } else { Mask::open() };
        compare(&gpu, &shape, &mask, &Variants::default(), None, &format!("{width} wide")).await;
    }
    let shape = Shape { n_queries: 45, n_keys: 45, n_heads: 8, n_kv_heads: 4, width: 7 };
    let plain = HeadVariant::default();
    let dropout = Some(Dropout { rate: 0.3, draw: 1, seed: 77 });
    let of = |variant| HeadVariant { variant, ..plain };
    let variants = [
        of(Variant::Cosine(Cosine)),
        of(Variant::Additive(Additive { width: 0, seed: 5 })),
        HeadVariant { temperature: 0.4, ..of(Variant::Additive(Additive { width: 19, seed: 6 })) },
        HeadVariant { dropout, ..of(Variant::Sliding(Sliding { width: 4 })) },
        of(Variant::Blocks(Blocks { size: 6, neighbours: 1 })),
        of(Variant::Linear(Linear)),
        of(Variant::Chunked(Chunked { size: 8 })),
        HeadVariant { scale: Scale::None, temperature: 3.0, dropout, ..plain },
    ];
    let variants = variants.into_iter().enumerate();
    let variants = variants.fold(Variants::default(), |all, (head, kind)| all.with(head, kind));
    let mut large = Changes::default();
    large.fill(&[0, 3, 5, 6], MaskFill::Large);
    for (name, mask) in [
        ("open", Mask::open()),
        ("awkward", awkward(45, 45)),
        ("large fill", awkward(45, 45).changed(&large)),
    ] {
        compare(&gpu, &shape, &mask, &variants, None, name).await;
    }
    let shape = Shape { n_queries: 41, n_keys: 41, n_heads: 4, n_kv_heads: 2, width: 6 };
    let sizes = Sizes { n_heads: 4, head_dim: 6, d_model: 24 };
    let buckets = Buckets { count: 8, max_distance: 20, both_sides: true };
    let with = Variants::default()
        .with(1, HeadVariant { variant: Variant::Cosine(Cosine), ..HeadVariant::default() });
    for order in [vec![], vec![7, 0, 60, 3]] {
        for (name, terms) in [
            ("alibi", Terms::alibi(4)),
            ("t5", Terms::t5(buckets, 4, 3)),
            ("transformer-xl", Terms::TransformerXl(TransformerXl::new(sizes, 1, 9))),
        ] {
            let relative = Rc::new(Relative { terms: Rc::new(terms), order: order.clone().into() });
            let what = format!("{name} {order:?}");
            compare(&gpu, &shape, &awkward(41, 41), &with, Some(&relative), &what).await;
        }
    }
}

#[pollster::test]
async fn a_long_text_is_attended_in_portions() {
    let Some(gpu) = adapter("a_long_text_is_attended_in_portions").await else { return };
    // More given weights than are uploaded at once: 16 MiB of them are 992 of these queries.
    let n = 1040;
    let sent =
        r#"{"heads":[{"heads":[1],"pattern":"uniform"},{"heads":[2],"pattern":"previous"}]}"#;
    let extent = Extent {
        stack: Stack::Decoder,
        n_layers: 1,
        n_heads: 4,
        head_dim: 2,
        n_queries: n,
        n_keys: n,
        joins_scores: false,
    };
    let edits = Edits::resolve(&serde_json::from_str(sent).unwrap(), &[extent]).unwrap();
    let fixed_patterns = edits.site(Stack::Decoder, 0).fixed_patterns().clone();
    let mask = Mask::open().with(Heads::All, Rule::Causal);
    let shape = Shape { n_queries: n, n_keys: n, n_heads: 4, n_kv_heads: 2, width: 2 };
    let on_gpu =
        PatternSpec { fixed_patterns: fixed_patterns.clone(), ..site(&gpu, &shape, &mask) };
    let on_cpu = PatternSpec { fixed_patterns, ..site(&Cpu, &shape, &mask) };
    let before = gpu.counts().kernels;
    let got = on_gpu.attend(&gpu, 3..n);
    assert_eq!(gpu.counts().kernels - before, 2, "portions");
    let got = gpu.read(&got).await.unwrap();
    let want = Cpu.read(&on_cpu.attend(&Cpu, 3..n)).await.unwrap();
    assert_close(&got, &want, "the context");
}

#[pollster::test]
async fn two_thousand_tokens_are_attended_without_a_pattern() {
    let Some(gpu) = adapter("two_thousand_tokens_are_attended_without_a_pattern").await else {
        return;
    };
    let n = 2048;
    let shape = Shape { n_queries: n, n_keys: n, n_heads: 2, n_kv_heads: 2, width: 6 };
    let mask = Mask::open().with(Heads::All, Rule::Causal);
    let on_gpu = site(&gpu, &shape, &mask);
    let before = gpu.counts();
    let all = on_gpu.attend(&gpu, 0..n);
    let after = gpu.counts();
    // Of what a head may look at no more than a bit per cell is sent, and no cell is kept.
    let cells = (n * n) as u64;
    let sent = after.sent_bytes - before.sent_bytes;
    assert!(sent <= cells / 8 + 64 * n as u64, "{sent} bytes were sent");
    assert!(after.largest_bytes < cells / 4, "a buffer of {} bytes", after.largest_bytes);
    // A few rows on the CPU are enough to look at all the others.
    let rows = n - 70..n;
    let got = gpu.select(&all, rows.clone());
    let want = site(&Cpu, &shape, &mask).attend(&Cpu, rows);
    let got = gpu.read(&got).await.unwrap();
    let want = Cpu.read(&want).await.unwrap();
    assert_close(&got, &want, "the context of 2,048 tokens");
}

/// Features below all numbers of f32, which f64 can tell apart: what remains of them is divided by
/// each other, as on the CPU. A key of which f64 knows nothing either is closed on both.
#[pollster::test]
async fn features_that_f32_cannot_hold_are_told_apart_as_on_the_cpu() {
    async fn found<B: Backend>(backend: &B, mask: &Mask) -> Vec<(String, Vec<f32>)> {
        let n = 40;
        let width = 6;
        let shape = Shape { n_queries: n, n_keys: n, n_heads: 3, n_kv_heads: 3, width };
        let mut site = site(backend, &shape, mask);
        let low = |seed| {
            let low = numbers(seed, n * 3 * width).into_iter().map(|x| 40.0 * x - 60.0);
            let mut low: Vec<f32> = low.collect();
            low[7 * 3 * width..8 * 3 * width].fill(-800.0);
            backend.upload(low, 3 * width)
        };
        (site.query, site.key) = (low(4), low(5));
        let linear = HeadVariant { variant: Variant::Linear(Linear), ..HeadVariant::default() };
        site.variants = (0..3).fold(Variants::default(), |all, head| all.with(head, linear));
        let context = backend.read(&site.attend(backend, 0..n)).await.unwrap();
        let mut found = vec![("context".to_owned(), context)];
        site.fetch(backend).await.unwrap();
        for stage in STAGES {
            let cells = site.pattern(backend, 1, stage);
            found.push((format!("{stage:?}"), cells));
        }
        found
    }
    let test = "features_that_f32_cannot_hold_are_told_apart_as_on_the_cpu";
    let Some(gpu) = adapter(test).await else { return };
    for mask in [Mask::open(), awkward(40, 40)] {
        let got = found(&gpu, &mask).await;
        let want = found(&Cpu, &mask).await;
        for ((name, got), (_, want)) in got.iter().zip(&want) {
            assert_close_where_finite(got, want, name);
        }
        let scores = &want[2].1;
        let are_below_f32 = scores.iter().filter(|&&x| x.is_finite() && x < -104.0).count();
        assert!(are_below_f32 > 100, "only {are_below_f32} cells say something");
        assert!(scores.contains(&f32::NEG_INFINITY), "no cell is beyond f64");
    }
}
