//! Kinds of attention: what they take grows as their papers say, what changes nothing is
//! bit-identical, rows do not depend on what is computed with them, and what makes no sense is
//! refused. That each computes what PyTorch computes is part of `parity.rs`.

use crate::support;

use crate::support::Session;
use headscope::analysis::{Lexicon, Role};
use headscope::backend::Cpu;
use headscope::error::Code;
use headscope::run::{Executed, GenerateRequest, HeadCost, Operation, RunRequest};
use support::{Handle, Random, assert_same_bits, everything, finished, of_ids};
use wasm_bindgen_test::wasm_bindgen_test;

/// Every kind that any stack can have.
const KINDS: [&str; 8] = [
    r#""kind":"cosine""#,
    r#""kind":"additive""#,
    r#""kind":"sliding","parameters":{"width":2},"dropout":{"rate":0.3,"seed":1}"#,
    r#""kind":"blocks","parameters":{"size":3}"#,
    r#""kind":"linear""#,
    r#""kind":"performer","parameters":{"features":8}"#,
    r#""kind":"chunked","parameters":{"size":2}"#,
    r#""scale":"none","temperature":3,"dropout":{"rate":0.3,"seed":1}"#,
];

fn edit(parts: &str) -> String {
    format!(r#"{{"attention":[{{{parts}}}]}}"#)
}

async fn cost(session: &Session<Cpu>, n: usize, parts: &str) -> HeadCost {
    let ids = Random(3).ids(n, 60);
    let run = finished(session, &of_ids(session, &ids, &[1.0], Some(&edit(parts))), None).await;
    run.head_cost("encoder", 0, 0).unwrap().await.unwrap()
}

/// Four times the text: what grows with `n` is about four times as much, with `n²` sixteen times.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_is_counted_grows_as_the_papers_say() {
    let session = reference!("marian-tiny").load(Cpu);
    let (short, long) = (4, 16);
    // Kind, times the operations, times the bytes.
    let cases = [
        ("", (15.0, 17.0), (15.0, 17.0)),
        (r#""kind":"chunked","parameters":{"size":4}"#, (10.0, 17.0), (3.8, 4.1)),
        (r#""kind":"linear""#, (3.9, 4.1), (1.0, 4.1)),
        (r#""kind":"performer","parameters":{"features":8}"#, (3.9, 4.1), (1.0, 4.1)),
        (r#""kind":"sliding","parameters":{"width":0}"#, (3.9, 4.1), (1.0, 4.1)),
        (r#""stack":"encoder","kind":"linformer","parameters":{"keys":2}"#, (3.0, 4.1), (1.0, 4.1)),
    ];
    for (parts, operations, bytes) in cases {
        let (few, many) = (cost(&session, short, parts).await, cost(&session, long, parts).await);
        let times = |few: u64, many: u64| many as f64 / few as f64;
        let grown =
            [times(few.operations, many.operations), times(few.bytes as u64, many.bytes as u64)];
        for (grown, (least, most)) in grown.into_iter().zip([operations, bytes]) {
            assert!((least..=most).contains(&grown), "{parts}: {grown} times, of {few:?} {many:?}");
        }
        let exact = times(few.exact_bytes as u64, many.exact_bytes as u64);
        assert!((15.0..17.0).contains(&exact), "exact attention holds n² weights");
    }
    // A chunk of scores, a largest and a total per query, and a byte per key of a chunk.
    let one = cost(&session, long, r#""kind":"chunked","parameters":{"size":4}"#).await;
    assert_eq!(one.bytes, 4 * long * (4 + 2) + 4);
    // The whole pattern, and a byte per key for the row of the mask that is at hand.
    assert_eq!(one.exact_bytes, 4 * long * long + long);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_frozen_head_takes_its_pattern_times_its_values_and_nothing_else() {
    let session = reference!("marian-tiny").load(Cpu);
    let width = session.info().stacks.encoder.unwrap().head_dim;
    let frozen = r#""heads":[{"heads":[0],"pattern":"uniform"}]"#;
    for parts in [None, Some("linear"), Some("performer"), Some("low-rank"), Some("chunked")] {
        let kind = parts.map_or(String::new(), |kind| {
            format!(r#","attention":[{{"stack":"encoder","kind":"{kind}"}}]"#)
        });
        let edits = format!("{{{frozen}{kind}}}");
        let ids = Random(3).ids(9, 60);
        let run = finished(&session, &of_ids(&session, &ids, &[1.0], Some(&edits)), None).await;
        let found = run.head_cost("encoder", 0, 0).unwrap().await.unwrap();
        assert_eq!(found.operations, 9 * 9 * width as u64, "{edits}");
    }
}

/// `masked = scores + mask`, whatever a kind leaves out, and where a cell is explained as well.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn the_mask_has_what_a_kind_leaves_out() {
    let session = reference!("marian-tiny").load(Cpu);
    let (ids, target) = ([29., 57., 27., 16., 15., 42.], [60., 5., 17., 3., 9.]);
    let mut closed_by_kinds = 0;
    for parts in KINDS.into_iter().chain([r#""kind":"linformer","stack":"encoder""#]) {
        let block = r#""masks":[{"fill":"-1e9"},{"block":[[1,0],[2,2]]}]"#;
        let edits = format!(r#"{{"attention":[{{{parts}}}],{block}}}"#);
        let run = finished(&session, &of_ids(&session, &ids, &target, Some(&edits)), None).await;
        for stack in ["encoder", "decoder", "cross"] {
            let stage = async |stage| {
                run.attention((stack, 1, 1), stage, None).unwrap().await.unwrap().into_data()
            };
            let (scores, masked) = (stage("scores").await, stage("masked").await);
            let mask = run.mask(stack, 1, 1).unwrap();
            let n_keys = mask.shape()[1];
            for (at, (added, (score, sum))) in
                mask.into_data().into_iter().zip(scores.iter().zip(&masked)).enumerate()
            {
                assert_eq!(score + added, *sum, "{parts}: {stack} {at}");
                closed_by_kinds += usize::from(added == f32::NEG_INFINITY);
                let cell = (stack, 1, 1);
                let made = run.explain(cell, "masked", at / n_keys, at % n_keys);
                let made = made.unwrap().await.unwrap();
                assert_eq!(made.operation, Operation::Mask { added }, "{parts}: {stack} {at}");
            }
        }
    }
    assert!(closed_by_kinds > 50, "{closed_by_kinds}");
}

/// Dropout changes no measure of the first block, and what shares nothing out has none.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn measures_are_of_what_a_row_shares_out() {
    let session = reference!("bert-tiny").load(Cpu);
    let ids = [29., 17., 27., 16., 15., 12.];
    let run = async |parts: &str| {
        finished(&session, &of_ids(&session, &ids, &[], Some(&edit(parts))), None).await
    };
    let measured =
        async |run: &Handle| run.measures("encoder", Lexicon::default()).unwrap().await.unwrap();
    let plain = run(r#""kind":"softmax""#).await;
    let dropped = run(r#""layers":[0],"dropout":{"rate":0.4,"seed":3}"#).await;
    let heads = session.info().stacks.encoder.unwrap().heads;
    assert_eq!(measured(&dropped).await[..heads], measured(&plain).await[..heads]);
    let apart = dropped.divergences("encoder", &plain, Some(0)).unwrap().await.unwrap();
    assert!(apart.iter().all(|head| head.divergence == Some(0.0)));

    let low = run(r#""layers":[0],"heads":[1],"kind":"low-rank","parameters":{"rank":2}"#).await;
    for head in measured(&low).await {
        let is_low = (head.layer, head.head) == (0, 1);
        assert_eq!(head.entropy.is_none(), is_low, "{head:?}");
        assert_eq!(head.roles.of(Role::Itself).is_none(), is_low, "{head:?}");
    }
    for head in low.likeness("encoder", 0, 0, Some(0)).unwrap().await.unwrap() {
        assert_eq!(head.divergence.is_none(), head.head == 1);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_is_exact_says_so_and_what_is_not_says_how_far() {
    let session = reference!("marian-tiny").load(Cpu);
    for parts in [
        "",
        r#""kind":"chunked","parameters":{"size":3}"#,
        r#""kind":"sliding","parameters":{"width":20}"#,
        r#""kind":"linformer","stack":"encoder","parameters":{"keys":20}"#,
        r#""kind":"low-rank","stack":"encoder","parameters":{"rank":20}"#,
    ] {
        let found = cost(&session, 9, parts).await;
        assert!(found.pattern.largest < 1e-6 && found.output.largest < 1e-5, "{found:?}");
    }
    // Scores of a trained head are small beside what a handful of features can tell apart.
    let calm = r#""kind":"performer","parameters":{"features":1024},"temperature":1000"#;
    let uniform = r#""temperature":1000"#;
    let (found, want) = (cost(&session, 9, calm).await, cost(&session, 9, uniform).await);
    let apart = found.output.relative.unwrap() - want.output.relative.unwrap();
    assert!(found.implied && apart.abs() < 0.01, "{found:?} {want:?}");
    assert!(cost(&session, 5, r#""kind":"additive""#).await.untrained);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_the_model_does_anyhow_changes_no_bit_and_reruns_nothing() {
    let session = reference!("marian-tiny").load(Cpu);
    let (ids, target) = ([29., 57., 27., 16.], [60., 5., 17.]);
    let plain = finished(&session, &of_ids(&session, &ids, &target, None), None).await;
    let want = everything(&session, &plain).await;
    for parts in [
        r#""kind":"softmax""#,
        r#""scale":"model","temperature":1"#,
        r#""dropout":{"rate":0,"seed":7}"#,
        r#""heads":[],"kind":"linear""#,
        r#""kind":"linear"},{"kind":"softmax""#,
    ] {
        let sent = of_ids(&session, &ids, &target, Some(&edit(parts)));
        let run = finished(&session, &sent, Some(&plain)).await;
        assert_eq!(run.executed().blocks, 0, "{parts}");
        for ((name, got), (_, want)) in everything(&session, &run).await.into_iter().zip(&want) {
            assert_same_bits(
                &got.into_data(),
                &want.clone().into_data(),
                &format!("{parts}: {name}"),
            );
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn only_blocks_that_can_change_rerun_and_written_texts_equal_read_ones() {
    let session = reference!("marian-tiny").load(Cpu);
    let (ids, target) = ([29., 57., 27., 16., 15., 42.], [60., 5., 17., 3., 9.]);
    let plain = finished(&session, &of_ids(&session, &ids, &target, None), None).await;
    for parts in KINDS {
        let at = edit(&format!(r#""stack":"cross","layers":[1],{parts}"#));
        let sent = of_ids(&session, &ids, &target, Some(&at));
        let partial = finished(&session, &sent, Some(&plain)).await;
        let full = finished(&session, &sent, None).await;
        assert_eq!(partial.executed(), Executed { blocks: 1, reused_blocks: 4, reused_tokens: 11 });
        let pairs =
            everything(&session, &partial).await.into_iter().zip(everything(&session, &full).await);
        for ((name, got), (_, want)) in pairs {
            assert_same_bits(&got.into_data(), &want.into_data(), &format!("{parts}: {name}"));
        }

        // Written token by token, and read at once.
        let everywhere = edit(parts);
        let sent = RunRequest {
            target_ids: None,
            generate: Some(GenerateRequest { max_tokens: Some(6.0) }),
            ..of_ids(&session, &ids, &target, Some(&everywhere))
        };
        let written = finished(&session, &sent, None).await;
        let read_ids: Vec<f64> = written.target_ids().into_iter().map(f64::from).collect();
        let read =
            finished(&session, &of_ids(&session, &ids, &read_ids, Some(&everywhere)), None).await;
        let pairs =
            everything(&session, &written).await.into_iter().zip(everything(&session, &read).await);
        for ((name, got), (_, want)) in pairs {
            assert_same_bits(&got.into_data(), &want.into_data(), &format!("{parts}: {name}"));
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn dropout_reproduces_and_is_right_on_the_average() {
    let session = reference!("bert-tiny").load(Cpu);
    let ids = [29., 17., 27., 16., 15., 12.];
    let dropped = |seed: usize| edit(&format!(r#""dropout":{{"rate":0.4,"seed":{seed}}}"#));
    let weights = async |seed| {
        let run =
            finished(&session, &of_ids(&session, &ids, &[], Some(&dropped(seed))), None).await;
        run.attention(("encoder", 0, 1), "weights", None).unwrap().await.unwrap().into_data()
    };
    assert_eq!(weights(3).await, weights(3).await);
    assert_ne!(weights(3).await, weights(4).await);
    let run = finished(&session, &of_ids(&session, &ids, &[], Some(&dropped(3))), None).await;
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

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn what_makes_no_sense_is_refused_with_its_code() {
    let session = reference!("marian-tiny").load(Cpu);
    let cases = [
        (r#""kind":"quadratic""#, Code::EditUnsupported),
        (r#""scale":"big""#, Code::EditUnsupported),
        (r#""scale":0"#, Code::EditBadValue),
        (r#""temperature":0"#, Code::EditBadValue),
        (r#""temperature":-1"#, Code::EditBadValue),
        (r#""temperature":1e9"#, Code::EditBadValue),
        (r#""dropout":{"rate":1,"seed":1}"#, Code::EditBadValue),
        (r#""dropout":{"rate":0.5,"seed":-1}"#, Code::EditBadValue),
        (r#""kind":"sliding","parameters":{"width":1.5}"#, Code::EditBadValue),
        (r#""kind":"chunked","parameters":{"size":0}"#, Code::EditBadValue),
        (r#""kind":"performer","parameters":{"features":1000000}"#, Code::EditBadValue),
        (r#""kind":"sliding","parameters":{"rank":1}"#, Code::EditContradiction),
        (r#""parameters":{"rank":1}"#, Code::EditContradiction),
        (r#""kind":"linear","temperature":2"#, Code::EditContradiction),
        (r#""kind":"linear","dropout":{"rate":0.1,"seed":1}"#, Code::EditContradiction),
        (r#""kind":"chunked","dropout":{"rate":0.1,"seed":1}"#, Code::EditContradiction),
        (r#""kind":"low-rank""#, Code::EditContradiction),
        (r#""kind":"low-rank","stack":"cross""#, Code::EditContradiction),
        (r#""kind":"linformer","stack":"decoder""#, Code::EditContradiction),
        (r#""heads":[9],"kind":"linear""#, Code::EditOutOfRange),
    ];
    for (parts, code) in cases {
        let sent = of_ids(&session, &[1.0, 2.0], &[3.0], Some(&edit(parts)));
        let error = session.begin(&sent, None).err().unwrap_or_else(|| panic!("{parts} is taken"));
        assert_eq!(error.code, code, "{parts}: {error}");
    }
    for value in [f64::NAN, f64::INFINITY] {
        let mut sent = of_ids(&session, &[1.0], &[3.0], Some(&edit(r#""temperature":2"#)));
        sent.edits.as_mut().unwrap().attention[0].temperature = Some(value);
        assert_eq!(
            session.begin(&sent, None).err().map(|error| error.code),
            Some(Code::EditBadValue)
        );
    }
}
