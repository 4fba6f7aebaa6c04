//! Variants of attention: what they take grows as their papers say, what is exact says so, and
//! measures and masks know what a kind leaves out. That each computes what PyTorch computes is part
//! of `parity.rs`, what is refused of `tests/core/hostile`.

use crate::support;

use crate::reuse::{kind, variants};
use crate::support::Session;
use headscope::analysis::{Lexicon, Role};
use headscope::backend::Cpu;
use headscope::run::{HeadCost, Operation};
use serde_json::{Value, json};
use support::{Handle, IDS, Random, assert_same_bits, pattern, run_under};

async fn cost(session: &Session<Cpu>, n: usize, parts: &Value) -> HeadCost {
    let run = run_under(session, &Random(3).ids(n, 60), &kind(parts)).await;
    run.head_cost("encoder", 0, 0).unwrap().await.unwrap()
}

/// Four times the text: what grows with `n` is about four times as much, with `n²` sixteen times.
#[pollster::test]
async fn what_is_counted_grows_as_the_papers_say() {
    let session = reference!("marian-tiny").load(Cpu);
    let short = 4;
    let long = 16;
    // Variant, times the operations, times the bytes.
    let cases = [
        (json!({}), (15.0, 17.0), (15.0, 17.0)),
        (json!({"kind":"chunked","parameters":{"size":4}}), (10.0, 17.0), (3.8, 4.1)),
        (json!({"kind":"linear"}), (3.9, 4.1), (1.0, 4.1)),
        (json!({"kind":"performer","parameters":{"features":8}}), (3.9, 4.1), (1.0, 4.1)),
        (json!({"kind":"sliding","parameters":{"width":0}}), (3.9, 4.1), (1.0, 4.1)),
        (
            json!({"stack":"encoder","kind":"linformer","parameters":{"keys":2}}),
            (3.0, 4.1),
            (1.0, 4.1),
        ),
    ];
    for (parts, operations, bytes) in cases {
        let few = cost(&session, short, &parts).await;
        let many = cost(&session, long, &parts).await;
        let times = |few: u64, many: u64| many as f64 / few as f64;
        let grown = [times(few.operations, many.operations), times(few.bytes, many.bytes)];
        for (grown, (least, most)) in grown.into_iter().zip([operations, bytes]) {
            assert!((least..=most).contains(&grown), "{parts}: {grown} times, of {few:?} {many:?}");
        }
        let exact = times(few.exact_bytes, many.exact_bytes);
        assert!((15.0..17.0).contains(&exact), "exact attention holds n² weights");
    }
    // A chunk of scores, a largest and a total per query.
    let chunked = json!({"kind": "chunked", "parameters": {"size": 4}});
    let one = cost(&session, long, &chunked).await;
    assert_eq!(one.bytes, (4 * long * (4 + 2)) as u64);
    // The whole pattern.
    assert_eq!(one.exact_bytes, (4 * long * long) as u64);
    // Of a head with a fixed pattern only the pattern times the values is computed.
    let width = session.info().stacks.encoder.unwrap().head_dim;
    for kind in ["softmax", "linear", "performer", "low-rank", "chunked"] {
        let edits = json!({
            "heads": [{"heads": [0], "pattern": "uniform"}],
            "attention": [{"stack": "encoder", "kind": kind}],
        });
        let run = run_under(&session, &Random(3).ids(9, 60), &edits).await;
        let found = run.head_cost("encoder", 0, 0).unwrap().await.unwrap();
        assert_eq!(found.operations, 9 * 9 * width as u64, "{edits}");
    }
}

/// `masked = scores + mask`, whatever a kind leaves out, and where a cell is explained as well.
#[pollster::test]
async fn the_mask_has_what_a_variant_leaves_out() {
    let session = reference!("marian-tiny").load(Cpu);
    let mut masked_by_variants = 0;
    for parts in variants().into_iter().chain([json!({"kind": "linformer", "stack": "encoder"})]) {
        let masks = json!([{"fill": "-1e9"}, {"block": [[1, 0], [2, 2]]}]);
        let edits = json!({"attention": [parts], "masks": masks});
        let run = run_under(&session, &IDS, &edits).await;
        for head in ["encoder", "decoder", "cross"].map(|stack| (stack, 1, 1)) {
            let scores = pattern(&run, head, "scores").await.into_data();
            let masked = pattern(&run, head, "masked").await.into_data();
            let mask = run.mask(head.0, 1, 1).unwrap();
            let n_keys = mask.shape()[1];
            for (at, added) in mask.into_data().into_iter().enumerate() {
                assert_eq!(scores[at] + added, masked[at], "{edits}: {head:?} {at}");
                masked_by_variants += usize::from(added == f32::NEG_INFINITY);
                let made = run.explain(head, "masked", at / n_keys, at % n_keys);
                let made = made.unwrap().await.unwrap();
                assert_eq!(made.operation, Operation::Mask { added }, "{edits}: {head:?} {at}");
            }
        }
    }
    assert!(masked_by_variants > 50, "{masked_by_variants}");
}

/// Dropout changes no measure of the first block, and what shares nothing out has none.
#[pollster::test]
async fn measures_are_of_what_a_row_shares_out() {
    let session = reference!("bert-tiny").load(Cpu);
    let run = async |parts: Value| run_under(&session, &IDS, &kind(&parts)).await;
    let measured =
        async |run: &Handle| run.measures("encoder", Lexicon::default()).unwrap().await.unwrap();
    let plain = run(json!({"kind": "softmax"})).await;
    let dropped = run(json!({"layers": [0], "dropout": {"rate": 0.4, "seed": 3}})).await;
    let heads = session.info().stacks.encoder.unwrap().heads;
    assert_eq!(measured(&dropped).await[..heads], measured(&plain).await[..heads]);
    let apart = dropped.run_divergences("encoder", &plain, Some(0)).unwrap().await.unwrap();
    assert!(apart.iter().all(|head| head.divergence == Some(0.0)));

    let low = json!({"layers": [0], "heads": [1], "kind": "low-rank", "parameters": {"rank": 2}});
    let low = run(low).await;
    for head in measured(&low).await {
        let is_low = (head.layer, head.head) == (0, 1);
        assert_eq!(head.entropy.is_none(), is_low, "{head:?}");
        assert_eq!(head.roles.of(Role::Itself).is_none(), is_low, "{head:?}");
    }
    for head in low.head_divergences("encoder", 0, 0, Some(0)).unwrap().await.unwrap() {
        assert_eq!(head.divergence.is_none(), head.head == 1);
    }
}

#[pollster::test]
async fn what_is_exact_says_so_and_what_is_not_says_how_far() {
    let session = reference!("marian-tiny").load(Cpu);
    for parts in [
        json!({}),
        json!({"kind": "chunked", "parameters": {"size": 3}}),
        json!({"kind": "sliding", "parameters": {"width": 20}}),
        json!({"kind": "linformer", "stack": "encoder", "parameters": {"keys": 20}}),
        json!({"kind": "low-rank", "stack": "encoder", "parameters": {"rank": 20}}),
    ] {
        let found = cost(&session, 9, &parts).await;
        assert!(found.pattern.largest < 1e-6 && found.output.largest < 1e-5, "{found:?}");
    }
    // Scores of a trained head are small beside what a handful of features can tell apart.
    let calm = json!({"kind": "performer", "parameters": {"features": 1024}, "temperature": 1000});
    let found = cost(&session, 9, &calm).await;
    let want = cost(&session, 9, &json!({"temperature": 1000})).await;
    let apart = found.output.relative.unwrap() - want.output.relative.unwrap();
    assert!(found.implied && apart.abs() < 0.01, "{found:?} {want:?}");
    assert!(cost(&session, 5, &json!({"kind": "additive"})).await.untrained);
}

#[pollster::test]
async fn dropout_reproduces_and_is_right_on_the_average() {
    let session = reference!("bert-tiny").load(Cpu);
    let run = async |seed: usize| {
        run_under(&session, &IDS, &kind(&json!({"dropout": {"rate": 0.4, "seed": seed}}))).await
    };
    let weights =
        async |seed| pattern(&run(seed).await, ("encoder", 0, 1), "weights").await.into_data();
    assert_eq!(weights(3).await, weights(3).await);
    assert_ne!(weights(3).await, weights(4).await);
    let run = run(3).await;
    let found = run.dropout_mean("encoder", 0, 1, 1000).unwrap().await.unwrap();
    let own: Vec<f32> = found.undropped.iter().zip(&found.kept).map(|(w, kept)| w * kept).collect();
    assert_same_bits(&own, &weights(3).await, "this draw");
    for (mean, undropped) in found.mean.iter().zip(&found.undropped) {
        // Five standard errors: √(p / (1 − p) / draws) of the weight.
        let error = f64::from(*undropped) * (0.4f64 / 0.6 / 1000.0).sqrt();
        assert!(f64::from((mean - undropped).abs()) < 5.0 * error + 1e-9, "{mean} {undropped}");
    }
    assert!(run.dropout_mean("encoder", 0, 1, 0).is_err());
    assert!(run.dropout_mean("encoder", 0, 1, usize::MAX).is_err());
}
