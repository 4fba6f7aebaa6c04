//! Edits: what does nothing is bit-identical, what changes reruns only the blocks that
//! can change, and a partial rerun equals a full one. That each edit computes what the
//! same edit in PyTorch computes is part of `parity.rs`.

use crate::support;

use headscope::backend::Cpu;
use headscope::edits::wire::Edits;
use headscope::run::{Executed, GenerateRequest, RunRequest};
use support::{assert_same_bits, everything, finished};
use wasm_bindgen_test::wasm_bindgen_test;

/// Of `marian-tiny`: encoder, and decoder with cross-attention.
const ENCODER_BLOCKS: usize = 3;
const DECODER_BLOCKS: usize = 2;

fn sent(edits: &str) -> RunRequest {
    RunRequest {
        ids: vec![29., 57., 27., 16., 15., 42.],
        target_ids: Some(vec![60., 5., 17., 3., 9.]),
        edits: Some(serde_json::from_str::<Edits>(edits).unwrap()),
        ..RunRequest::default()
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn edits_without_effect_are_bit_identical_and_rerun_nothing() {
    let session = reference!("marian-tiny").load(Cpu);
    let plain = finished(&session, &sent("{}"), None).await;
    let want = everything(&session, &plain).await;
    for edits in [
        r#"{"heads":[{"gate":1}]}"#,
        r#"{"masks":[{"block":[]}]}"#,
        r#"{"heads":[{"heads":[],"gate":0}],"masks":[{"layers":[],"block":[[0,0]]}]}"#,
        r#"{"heads":[{"heads":[],"pattern":"uniform"},{"layers":[],"pattern":[[1]]},{"pattern":[]}]}"#,
        r#"{"blocks":[{}]}"#,
        r#"{"blocks":[{"norm":"model"},{"residual":true},{"layers":[],"residual":false}]}"#,
        r#"{"blocks":[{"norm":"none","residual":false},{"norm":"model","residual":true}]}"#,
        // Where this model's norms stand already.
        r#"{"blocks":[{"norm":"post"}]}"#,
        r#"{"blocks":[{"sublayers":[],"norm":"pre"}]}"#,
    ] {
        for earlier in [None, Some(&plain)] {
            let run = finished(&session, &sent(edits), earlier).await;
            for ((name, got), (_, want)) in everything(&session, &run).await.into_iter().zip(&want)
            {
                assert_same_bits(
                    &got.into_data(),
                    &want.clone().into_data(),
                    &format!("{edits}: {name}"),
                );
            }
            let blocks = if earlier.is_some() { 0 } else { ENCODER_BLOCKS + DECODER_BLOCKS };
            assert_eq!(run.executed().blocks, blocks, "{edits}");
        }
    }
    // The causal mask forbids this cell already; that is not known beforehand.
    let vain = r#"{"masks":[{"stack":"decoder","block":[[0,3]]}]}"#;
    let run = finished(&session, &sent(vain), Some(&plain)).await;
    for ((name, got), (_, want)) in everything(&session, &run).await.into_iter().zip(&want) {
        assert_same_bits(&got.into_data(), &want.clone().into_data(), &format!("{vain}: {name}"));
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn only_blocks_that_can_change_rerun_and_equal_a_full_run() {
    let session = reference!("marian-tiny").load(Cpu);
    let plain = finished(&session, &sent("{}"), None).await;
    let all = ENCODER_BLOCKS + DECODER_BLOCKS;
    // The edit, and the blocks that stand at or after it.
    let cases = [
        (r#"{"heads":[{"stack":"encoder","layers":[0],"heads":[2],"gate":0}]}"#, all),
        (
            r#"{"heads":[{"stack":"encoder","layers":[2],"heads":[0],"gate":2}]}"#,
            1 + DECODER_BLOCKS,
        ),
        (
            r#"{"masks":[{"stack":"encoder","layers":[1],"heads":[1,3],"block":[[0,1],[5,5]]}]}"#,
            2 + DECODER_BLOCKS,
        ),
        (r#"{"masks":[{"stack":"decoder","layers":[0],"block":[[2,1]]}]}"#, 2),
        (r#"{"heads":[{"stack":"cross","layers":[1],"heads":[0],"gate":0.5}]}"#, 1),
        (r#"{"masks":[{"stack":"cross","layers":[1],"heads":[2],"block":[[0,0],[4,5]]}]}"#, 1),
        (r#"{"heads":[{"gate":0}]}"#, all),
        (r#"{"heads":[{"stack":"cross","layers":[1],"heads":[1],"pattern":"diagonal"}]}"#, 1),
        (r#"{"heads":[{"stack":"decoder","layers":[0],"heads":[1],"pattern":"previous"}]}"#, 2),
        (
            r#"{"heads":[{"stack":"encoder","layers":[2],"pattern":[[1,2],[3,4]]}]}"#,
            1 + DECODER_BLOCKS,
        ),
        (r#"{"blocks":[{"stack":"encoder","layers":[1],"norm":"pre"}]}"#, 2 + DECODER_BLOCKS),
        (r#"{"blocks":[{"stack":"encoder","layers":[2],"residual":false}]}"#, 1 + DECODER_BLOCKS),
        (r#"{"blocks":[{"stack":"decoder","layers":[1],"norm":"pre"}]}"#, 1),
        (r#"{"blocks":[{"sublayers":["cross-attention"],"layers":[1],"norm":"none"}]}"#, 1),
        (r#"{"blocks":[{"stack":"decoder","sublayers":["feed-forward"],"residual":false}]}"#, 2),
    ];
    let before = everything(&session, &plain).await;
    for (edits, blocks) in cases {
        let partial = finished(&session, &sent(edits), Some(&plain)).await;
        let full = finished(&session, &sent(edits), None).await;
        assert_eq!(partial.executed().blocks, blocks, "{edits}");
        assert_eq!(partial.executed().reused_blocks, all - blocks, "{edits}");
        assert_eq!(full.executed(), Executed { blocks: all, reused_blocks: 0, reused_tokens: 0 });
        let (partial, full) =
            (everything(&session, &partial).await, everything(&session, &full).await);
        let logits =
            |all: &[(String, headscope::axes::Tensor)]| all.last().unwrap().1.clone().into_data();
        assert_ne!(logits(&partial), logits(&before), "{edits} changed nothing");
        for ((name, got), (_, want)) in partial.into_iter().zip(full) {
            assert_same_bits(&got.into_data(), &want.into_data(), &format!("{edits}: {name}"));
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_sequence_of_edits_and_texts_always_equals_a_fresh_run() {
    let session = reference!("marian-tiny").load(Cpu);
    let texts: [&[f64]; 4] =
        [&[29., 57.], &[29., 57., 27.], &[29., 58., 27., 4.], &[29., 57., 27.]];
    let edits = [
        "{}",
        r#"{"heads":[{"stack":"decoder","layers":[1],"heads":[1],"gate":0}]}"#,
        r#"{"masks":[{"stack":"cross","layers":[0],"block":[[1,1]]}]}"#,
        r#"{"heads":[{"stack":"decoder","heads":[0],"pattern":"previous"}]}"#,
        r#"{"blocks":[{"layers":[1],"norm":"pre"}]}"#,
        r#"{"heads":[{"stack":"cross","heads":[2],"pattern":[[0,1],[1,1]]}]}"#,
        r#"{"blocks":[{"stack":"encoder","layers":[0],"sublayers":["self-attention"],"norm":"pre"}]}"#,
    ];
    let mut earlier = None;
    for round in 0..48 {
        let mut request = sent(edits[round % edits.len()]);
        request.ids = texts[round / 2 % 4].to_vec();
        if round % 5 > 2 {
            request.target_ids = None;
            request.generate = Some(GenerateRequest { max_tokens: Some(9.0) });
        }
        let run = finished(&session, &request, earlier.as_ref()).await;
        let fresh = finished(&session, &request, None).await;
        assert_eq!(run.target_ids(), fresh.target_ids(), "round {round}");
        let (got, want) = (everything(&session, &run).await, everything(&session, &fresh).await);
        for ((name, got), (_, want)) in got.into_iter().zip(want) {
            assert_same_bits(
                &got.into_data(),
                &want.into_data(),
                &format!("round {round}: {name}"),
            );
        }
        earlier = Some(run);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_fully_blocked_row_has_no_weights_and_is_flagged() {
    let session = reference!("marian-tiny").load(Cpu);
    let edits = r#"{"masks":[{"stack":"cross","layers":[0],"heads":[1],"block":[[3,0],[3,1],[3,2],[3,3],[3,4],[3,5]]}]}"#;
    let run = finished(&session, &sent(edits), None).await;
    assert_eq!(run.fully_masked("cross", 0, 1).unwrap(), [3]);
    assert!(run.fully_masked("cross", 0, 0).unwrap().is_empty());
    let weights =
        run.attention(("cross", 0, 1), "weights", None).unwrap().await.unwrap().into_data();
    assert_eq!(weights[3 * 6..4 * 6], [0.0; 6]);
    let logits = run.logits(None).unwrap().await.unwrap().into_data();
    assert!(logits.iter().all(|x| x.is_finite()));
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_frozen_head_keeps_its_scores_and_shares_what_the_mask_leaves() {
    let session = reference!("marian-tiny").load(Cpu);
    let masked =
        r#"{"masks":[{"stack":"decoder","layers":[0],"heads":[1],"block":[[1,0],[3,3]]}]}"#;
    let plain = finished(&session, &sent(masked), None).await;
    let frozen = r#"{
        "masks":[{"stack":"decoder","layers":[0],"heads":[1],"block":[[1,0],[3,3]]}],
        "heads":[{"stack":"decoder","layers":[0],"heads":[1],"pattern":"uniform"},
                 {"stack":"decoder","layers":[0],"heads":[1],"pattern":[[1,1],[5,0],[1,3]]}]
    }"#;
    let run = finished(&session, &sent(frozen), None).await;
    for stage in ["raw", "scores", "masked"] {
        let read = async |run: &support::Handle| {
            run.attention(("decoder", 0, 1), stage, None).unwrap().await.unwrap().into_data()
        };
        assert_same_bits(&read(&run).await, &read(&plain).await, stage);
    }
    let weights =
        run.attention(("decoder", 0, 1), "weights", None).unwrap().await.unwrap().into_data();
    let third = 1.0 / 3.0;
    let want: [[f32; 5]; 5] = [
        [1.0, 0.0, 0.0, 0.0, 0.0],
        // What was drawn is forbidden.
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.25, 0.75, 0.0, 0.0, 0.0],
        // Beyond the drawing the pattern before it holds, on what the masks leave.
        [third, third, third, 0.0, 0.0],
        [0.2, 0.2, 0.2, 0.2, 0.2],
    ];
    assert_same_bits(&weights, &want.concat(), "the weights");
    assert_eq!(run.fully_masked("decoder", 0, 1).unwrap(), [1]);
    assert_eq!(plain.fully_masked("decoder", 0, 1).unwrap(), [0usize; 0]);
    // A head without a row has no share in what is measured of rows.
    let measures = run.measures("decoder", headscope::analysis::Lexicon::default());
    let measures = measures.unwrap().await.unwrap();
    let entropy = measures.iter().find(|one| one.layer == 0 && one.head == 1).unwrap().entropy;
    let by_hand = [0.0, 0.25 * 4f64.ln() + 0.75 * (4.0 / 3.0_f64).ln(), 3f64.ln(), 5f64.ln()];
    let by_hand = by_hand.iter().sum::<f64>() / 4.0;
    assert!((entropy.unwrap() - by_hand).abs() < 1e-6, "{entropy:?} for {by_hand}");
}

/// The projections of the first changed block are taken over unless what enters them changed.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_norm_that_changes_sides_and_back_equals_a_fresh_run() {
    for reference in [reference!("marian-tiny"), reference!("bert-tiny"), reference!("gpt2-tiny")] {
        let session = reference.load(Cpu);
        let mut earlier = None;
        for edits in [
            "{}",
            r#"{"blocks":[{"layers":[1],"norm":"pre"}]}"#,
            r#"{"blocks":[{"layers":[1],"norm":"none"}]}"#,
            r#"{"blocks":[{"layers":[1],"norm":"post"}]}"#,
            r#"{"blocks":[{"layers":[1],"norm":"pre","residual":false}]}"#,
            "{}",
        ] {
            let request =
                support::of_ids(&session, &[29., 57., 27., 16., 15.], &[60., 5., 17.], Some(edits));
            let run = finished(&session, &request, earlier.as_ref()).await;
            let fresh = finished(&session, &request, None).await;
            let got = everything(&session, &run).await;
            for ((name, got), (_, want)) in got.into_iter().zip(everything(&session, &fresh).await)
            {
                let what = format!("{}: {edits}: {name}", reference.name);
                assert_same_bits(&got.into_data(), &want.into_data(), &what);
            }
            earlier = Some(run);
        }
    }
}
