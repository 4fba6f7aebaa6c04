//! Whole runs on the GPU, and what is read of them: the tiny models beside Hugging Face's numbers,
//! and under edits beside the CPU's; refused beyond the GPU's limits, with the sites named that are left
//! to the CPU.

use headscope::axes::Stack;
use headscope::backend::webgpu::WebGpu;
use headscope::backend::{Backend, Cpu};
use headscope::error::Code;
use headscope::run::Candidate;
use serde_json::json;

use crate::adapter;
use crate::support::operations::{equals_pytorch, operations_on, worked_example};
use crate::support::parity::{
    assert_close_where_finite, assert_same_on, mixtures_on, tiny_models_on,
};
use crate::support::{
    Head, IDS, RunHandle, Session, assert_within, edited, finished, overwrite, request, run_under,
    under, writing,
};

/// By how much a number may differ.
const TOLERANCE: f32 = 2e-4;

fn assert_near(got: &[f32], want: &[f32], what: &str) {
    assert_within(TOLERANCE, got, want, what);
}

#[pollster::test]
async fn the_gpu_computes_what_hugging_face_computes() {
    let Some(gpu) = adapter("the_gpu_computes_what_hugging_face_computes").await else { return };
    operations_on(gpu.clone(), assert_near).await;
    worked_example(gpu.clone()).await;
    equals_pytorch(gpu.clone()).await;
    tiny_models_on(gpu, assert_near, assert_near).await;
}

#[pollster::test]
async fn mixtures_of_edits_compute_what_the_cpu_computes() {
    let test = "mixtures_of_edits_compute_what_the_cpu_computes";
    let Some(gpu) = adapter(test).await else { return };
    mixtures_on(gpu).await;
}

/// A model on the GPU and on the CPU.
fn pair(gpu: &WebGpu, reference: &crate::support::Reference) -> (Session<WebGpu>, Session<Cpu>) {
    (reference.load(gpu.clone()), reference.load(Cpu))
}

/// Masks, frozen heads and rejoined blocks, kinds of attention, and schemes of positions, at every
/// stage of every head: the translator under each topic, which has every stack, and rotary positions.
#[pollster::test]
async fn whole_runs_under_edits_equal_the_cpu() {
    let Some(gpu) = adapter("whole_runs_under_edits_equal_the_cpu").await else { return };
    for (topic, models) in edited() {
        let is_chosen = |name| name == "marian-tiny" || (topic == "placed" && name == "llama-tiny");
        for reference in models.iter().filter(|reference| is_chosen(reference.name)) {
            let (session, on_cpu) = pair(&gpu, reference);
            let (mut earlier, mut compared) = (None, 0);
            for case in reference.cases() {
                let sent = request(&case, session.info().architecture);
                let run = finished(&session, &sent, earlier.as_ref()).await;
                let wanted = finished(&on_cpu, &sent, None).await;
                let what = format!("{}: {}", reference.name, case["name"]);
                compared += assert_same_on((&session, &run), (&on_cpu, &wanted), &what).await;
                earlier = Some(run);
            }
            assert!(compared > 10_000, "{topic}: only {compared} numbers were compared");
        }
    }
}

/// Heads whose weights are given keep the scores of their kind: a band, and sums that have no
/// place for a large negative number.
#[pollster::test]
async fn frozen_heads_of_a_kind_equal_the_cpu() {
    let Some(gpu) = adapter("frozen_heads_of_a_kind_equal_the_cpu").await else { return };
    let kinds = [
        json!({"kind": "sliding", "parameters": {"width": 1}}),
        json!({"kind": "linear"}),
        json!({"kind": "sliding", "parameters": {"width": 2}, "dropout": {"rate": 0.3, "seed": 1}}),
    ];
    for reference in [reference!("gpt2-tiny"), reference!("marian-tiny")] {
        let (session, on_cpu) = pair(&gpu, &reference);
        for kind in &kinds {
            // Head 0 is given whole, head 1 in its first two rows.
            let edits = json!({
                "attention": [kind],
                "masks": [{"fill": "-1e9"}, {"block": [[1, 0], [2, 1]]}],
                "heads": [{"heads": [0], "pattern": "uniform"}, {"heads": [1], "pattern": [[1, 0], [3, 1]]}],
            });
            let run = run_under(&session, &IDS, &edits).await;
            let wanted = run_under(&on_cpu, &IDS, &edits).await;
            let what = format!("{}, {kind}", reference.name);
            assert_same_on((&session, &run), (&on_cpu, &wanted), &what).await;
        }
    }
}

/// NaN and infinity are found on this side, whatever a GPU's compiler takes for granted of them.
#[pollster::test]
async fn a_layer_that_overflows_is_named() {
    let Some(gpu) = adapter("a_layer_that_overflows_is_named").await else { return };
    let reference = reference!("gpt2-tiny");
    let mut bytes = reference.checkpoint.to_vec();
    overwrite(&mut bytes, "transformer.h.1.mlp.c_fc.weight", f32::MAX);
    let session = Session::load(gpu, reference.config, &bytes).unwrap();
    let sent = under(&session, &IDS[..3], &json!({}));
    for sent in [sent.clone(), writing(sent, 9.0)] {
        let error = session.begin(&sent, None).unwrap().finish().await.unwrap_err();
        assert_eq!((error.code, &*error.doing), (Code::RunNotFinite, "layer 2 of the decoder"));
    }
}

/// A few ranks are a kernel's; more of them are looked for on the CPU.
#[pollster::test]
async fn all_ranks_of_a_vocabulary_are_not_the_kernels() {
    let Some(gpu) = adapter("all_ranks_of_a_vocabulary_are_not_the_kernels").await else { return };
    let reference = reference!("gpt2-tiny");
    let (session, on_cpu) = pair(&gpu, &reference);
    let run = run_under(&session, &IDS[..3], &json!({})).await;
    let wanted = run_under(&on_cpu, &IDS[..3], &json!({})).await;
    let mut kernels = Vec::new();
    for k in [3, 60] {
        let before = gpu.counts().kernels;
        let got = run.predictions(&[2], k).unwrap().await.unwrap();
        kernels.push(gpu.counts().kernels - before);
        let want = wanted.predictions(&[2], k).unwrap().await.unwrap();
        assert_ranks(&got[0], &want[0]);
    }
    assert_eq!(kernels[0], kernels[1] + 2, "a kernel looks for few, of both rows");
}

/// Panics unless both have the same entries as probable, and in the same order but where two are as
/// probable as each other within what backends may differ by.
fn assert_ranks(got: &[Candidate], want: &[Candidate]) {
    let near = |a: f32, b: f32| (a - b).abs() <= 2e-4 * b.abs().max(1.0);
    let sorted = |all: &[Candidate]| {
        let mut ids: Vec<u32> = all.iter().map(|one| one.id).collect();
        ids.sort_unstable();
        ids
    };
    assert_eq!(got.len(), want.len());
    let least = want.last().map(|one| one.logit);
    for (rank, (got, there)) in got.iter().zip(want).enumerate() {
        assert!(near(got.logit, there.logit), "rank {rank}: {got:?} and {there:?}");
        let own = want.iter().find(|one| one.id == got.id).map(|one| one.logit);
        // What the other does not have at all is as good as its last.
        let own = own.or(least).unwrap();
        assert!(near(got.logit, own), "rank {rank}: {got:?} and {own}");
    }
    for all in [got, want] {
        let ids = sorted(all);
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "an entry stands there twice");
        let is_ranked = |pair: &[Candidate]| {
            pair[0].logit > pair[1].logit
                || (pair[0].logit == pair[1].logit && pair[0].id < pair[1].id)
        };
        assert!(all.windows(2).all(is_ranked), "by the score, then by the id");
    }
}

/// Singular values and random features are the CPU's, between blocks that are the GPU's.
#[pollster::test]
async fn what_is_left_to_the_cpu_is_told_and_costs_what_it_costs_there() {
    let test = "what_is_left_to_the_cpu_is_told_and_costs_what_it_costs_there";
    let Some(gpu) = adapter(test).await else { return };
    let (session, on_cpu) = pair(&gpu, &reference!("marian-tiny"));
    let edits = json!({"attention": [
        {"stack": "encoder", "layers": [0], "kind": "low-rank", "parameters": {"rank": 2}},
        {"stack": "encoder", "layers": [1], "kind": "additive"},
        {"stack": "cross", "layers": [1], "heads": [0], "kind": "performer", "parameters": {"features": 8}},
    ]});
    let run = run_under(&session, &IDS, &edits).await;
    let wanted = run_under(&on_cpu, &IDS, &edits).await;
    let left: Vec<_> = run.on_cpu().into_iter().map(|site| (site.stack, site.layer)).collect();
    assert_eq!(left, [(Stack::Encoder, 0), (Stack::Cross, 1)]);
    assert!(wanted.on_cpu().is_empty());
    for (stack, layer) in [("encoder", 0), ("encoder", 1), ("decoder", 0), ("cross", 1)] {
        let got = run.head_cost(stack, layer, 0).unwrap().await.unwrap();
        let want = wanted.head_cost(stack, layer, 0).unwrap().await.unwrap();
        assert_eq!((got.kind, got.operations), (want.kind, want.operations), "{stack} {layer}");
        for step in ["raw", "scores", "weights", "context"] {
            let head = (stack, layer, 0);
            let (got, want) = (terms(&run, head, step).await, terms(&wanted, head, step).await);
            assert_close_where_finite(&got, &want, &format!("{stack} {layer} {step}"));
        }
    }
}

/// A cell's value and the terms that it is made of.
async fn terms<B: Backend>(run: &RunHandle<B>, head: Head<'_>, step: &str) -> Vec<f32> {
    let found = run.explain(head, step, 1, 2).unwrap().await.unwrap();
    let terms = found.lines.into_iter().flat_map(|line| line.values);
    std::iter::once(found.value).chain(terms).collect()
}

/// Queries, keys and values of a site come back once, whatever is derived from them.
#[pollster::test]
async fn views_are_derived_from_rows_that_are_read_once() {
    let Some(gpu) = adapter("views_are_derived_from_rows_that_are_read_once").await else { return };
    let (session, on_cpu) = pair(&gpu, &reference!("gpt2-tiny"));
    let stack = session.info().stacks.decoder.unwrap();
    let ids: Vec<f64> = (0..19).map(f64::from).collect();
    let performer =
        json!({"layers": [1], "heads": [2], "kind": "performer", "parameters": {"features": 8}});
    for (edits, n_left) in [(json!({}), 0), (json!({ "attention": [performer] }), 1)] {
        let run = run_under(&session, &ids, &edits).await;
        let wanted = run_under(&on_cpu, &ids, &edits).await;
        assert_eq!(run.on_cpu().len(), n_left);
        let before = gpu.counts().read_bytes;
        for (size, stage) in [(4, "weights"), (64, "masked"), (19, "raw")] {
            let got = run.thumbnails("decoder", size, stage, None).unwrap().await.unwrap();
            let want = wanted.thumbnails("decoder", size, stage, None).unwrap().await.unwrap();
            assert_eq!(got.shape(), want.shape());
            assert_close_where_finite(&got.into_data(), &want.into_data(), stage);
            for layer in 0..stack.layers {
                let of = ("decoder", layer, 2);
                let got = run.attention(of, stage, Some(3..9)).unwrap().await.unwrap();
                let want = wanted.attention(of, stage, Some(3..9)).unwrap().await.unwrap();
                assert_close_where_finite(&got.into_data(), &want.into_data(), stage);
            }
        }
        let of_layer = 3 * 19 * session.info().d_model * 4;
        let back = gpu.counts().read_bytes - before;
        assert_eq!(back, ((stack.layers - n_left) * of_layer) as u64);
    }
}
