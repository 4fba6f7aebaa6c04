//! Whole runs on the GPU, and what is read of them: the tiny models and all families, those of
//! images too, beside Hugging Face's numbers; under edits beside the CPU's; with the sites named
//! that are left to the CPU.

use headscope::axes::Stack;
use headscope::backend::webgpu::WebGpu;
use headscope::backend::{Backend, Cpu};
use serde_json::json;

use super::adapter;
use crate::support::parity::{
    assert_close_where_finite, families_on, mixtures_on, settings_on, tiny_models_on,
};
use crate::support::{Head, IDS, RunHandle, Session, assert_within, run_under};

/// By how much a number may differ.
const TOLERANCE: f32 = 2e-4;

fn assert_near(got: &[f32], want: &[f32], what: &str) {
    assert_within(TOLERANCE, got, want, what);
}

#[pollster::test]
async fn the_gpu_computes_what_hugging_face_computes() {
    let Some(gpu) = adapter("the_gpu_computes_what_hugging_face_computes").await else { return };
    tiny_models_on(gpu.clone(), assert_near, assert_near).await;
    families_on(gpu.clone(), assert_near).await;
    settings_on(gpu, assert_near).await;
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
        assert_eq!(
            (got.variant, got.operations),
            (want.variant, want.operations),
            "{stack} {layer}"
        );
        for step in ["raw", "scores", "weights", "context"] {
            let head = (stack, layer, 0);
            let got = terms(&run, head, step).await;
            let want = terms(&wanted, head, step).await;
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
