//! Whole runs on the GPU under edits, and what is read of them beyond patterns: equal the CPU's,
//! refused beyond the GPU's limits, and told where it is left to the CPU.

use crate::support::{RunHandle, Session};
use headscope::axes::Stack;
use headscope::backend::Cpu;
use headscope::error::Code;
use headscope::run::{Candidate, GenerateRequest, RunRequest};

use super::support::{everything, finished, masks, of_ids, overwrite, placed};
use super::{adapter, all_cases, assert_close_where_open};
use crate::reference;

/// Whole runs under schemes of positions and masks at every stage of every head, of which PyTorch's
/// numbers, beside which `hugging_face.rs` puts the same runs, know the last alone.
#[pollster::test]
async fn whole_runs_under_edits_equal_the_cpu() {
    let Some(gpu) = adapter("whole_runs_under_edits_equal_the_cpu").await else { return };
    for reference in placed().into_iter().chain(masks()) {
        let compared = all_cases(&gpu, &reference).await;
        assert!(compared > 10_000, "{}: only {compared} numbers were compared", reference.name);
    }
}

/// Heads whose weights are given keep the scores of their kind: a band, and sums that have no
/// place for a large negative number.
#[pollster::test]
async fn frozen_heads_of_a_kind_equal_the_cpu() {
    let Some(gpu) = adapter("frozen_heads_of_a_kind_equal_the_cpu").await else { return };
    let kinds = [
        r#""kind":"sliding","parameters":{"width":1}"#,
        r#""kind":"linear""#,
        r#""kind":"sliding","parameters":{"width":2},"dropout":{"rate":0.3,"seed":1}"#,
    ];
    for (name, kind) in ["gpt2-tiny", "marian-tiny"].iter().flat_map(|n| kinds.map(|k| (n, k))) {
        let reference =
            if *name == "gpt2-tiny" { reference!("gpt2-tiny") } else { reference!("marian-tiny") };
        // Head 0 is given whole, head 1 in its first two rows.
        let edits = format!(
            r#"{{"attention":[{{{kind}}}],"masks":[{{"fill":"-1e9"}},{{"block":[[1,0],[2,1]]}}],
            "heads":[{{"heads":[0],"pattern":"uniform"}},{{"heads":[1],"pattern":[[1,0],[3,1]]}}]}}"#
        );
        let (session, on_cpu) = (reference.load(gpu.clone()), reference.load(Cpu));
        let (ids, target) = ([29., 57., 27., 16., 15., 42.], [60., 5., 17.]);
        let run = finished(&session, &of_ids(&session, &ids, &target, Some(&edits)), None).await;
        let wanted = finished(&on_cpu, &of_ids(&on_cpu, &ids, &target, Some(&edits)), None).await;
        let wanted = everything(&on_cpu, &wanted).await;
        for ((part, got), (_, want)) in everything(&session, &run).await.into_iter().zip(wanted) {
            let (got, want) = (got.into_data(), want.into_data());
            assert_close_where_open(&got, &want, &format!("{name}, {kind}: {part}"));
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
    let sent = of_ids(&session, &[29., 57., 27.], &[], None);
    let grown = RunRequest { generate: Some(GenerateRequest::default()), ..sent.clone() };
    for sent in [sent, grown] {
        let error = session.begin(&sent, None).unwrap().finish().await.unwrap_err();
        assert_eq!((error.code, &*error.doing), (Code::RunNotFinite, "layer 2 of the decoder"));
    }
}

/// A few ranks are a kernel's; more of them are looked for on the CPU.
#[pollster::test]
async fn all_ranks_of_a_vocabulary_are_not_the_kernels() {
    let Some(gpu) = adapter("all_ranks_of_a_vocabulary_are_not_the_kernels").await else { return };
    let reference = reference!("gpt2-tiny");
    let (session, on_cpu) = (reference.load(gpu.clone()), reference.load(Cpu));
    let ids = [29., 57., 27.];
    let run = finished(&session, &of_ids(&session, &ids, &[], None), None).await;
    let wanted = finished(&on_cpu, &of_ids(&on_cpu, &ids, &[], None), None).await;
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

/// Probabilities are of the GPU's own scores, taken on the CPU in f64.
#[pollster::test]
async fn named_entries_are_as_probable_as_the_logits_say() {
    let Some(gpu) = adapter("named_entries_are_as_probable_as_the_logits_say").await else {
        return;
    };
    for reference in [reference!("gpt2-tiny"), reference!("bert-tiny")] {
        let session = reference.load(gpu.clone());
        let ids = [29., 57., 27., 16., 15.];
        let run = finished(&session, &of_ids(&session, &ids, &[], None), None).await;
        let positions = [4, 4, 0, 2, 1, 1, 1, 3];
        let asked = [0, 60, 7, 29, 3, 4, 5, 15];
        let found = run.probabilities(&positions, &asked).unwrap().await.unwrap();
        let logits = run.logits(None).unwrap().await.unwrap().into_data();
        let vocabulary = session.info().vocab_size;
        for ((&position, &id), found) in positions.iter().zip(&asked).zip(&found) {
            let row = &logits[position * vocabulary..][..vocabulary];
            let total: f64 = row.iter().map(|&x| f64::from(x).exp()).sum();
            let want = f64::from(row[id]) - total.ln();
            let apart = (found.log_probability - want).abs();
            assert!(apart < 1e-5, "{}: {id} at {position}: {apart}", reference.name);
        }
    }
}

/// Singular values and random features are the CPU's, between blocks that are the GPU's.
#[pollster::test]
async fn what_is_left_to_the_cpu_is_told_and_costs_what_it_costs_there() {
    let Some(gpu) = adapter("what_is_left_to_the_cpu_is_told_and_costs_what_it_costs_there").await
    else {
        return;
    };
    let reference = reference!("marian-tiny");
    let (session, on_cpu) = (reference.load(gpu), reference.load(Cpu));
    let edits = r#"{"attention":[
        {"stack":"encoder","layers":[0],"kind":"low-rank","parameters":{"rank":2}},
        {"stack":"encoder","layers":[1],"kind":"additive"},
        {"stack":"cross","layers":[1],"heads":[0],"kind":"performer","parameters":{"features":8}}]}"#;
    let (ids, target) = ([29., 57., 27., 16., 15., 42.], [60., 5., 17.]);
    let run = finished(&session, &of_ids(&session, &ids, &target, Some(edits)), None).await;
    let wanted = finished(&on_cpu, &of_ids(&on_cpu, &ids, &target, Some(edits)), None).await;
    let left: Vec<_> = run.on_cpu().into_iter().map(|site| (site.stack, site.layer)).collect();
    assert_eq!(left, [(Stack::Encoder, 0), (Stack::Cross, 1)]);
    assert!(wanted.on_cpu().is_empty());
    for (stack, layer) in [("encoder", 0), ("encoder", 1), ("decoder", 0), ("cross", 1)] {
        let got = run.head_cost(stack, layer, 0).unwrap().await.unwrap();
        let want = wanted.head_cost(stack, layer, 0).unwrap().await.unwrap();
        assert_eq!((got.kind, got.operations), (want.kind, want.operations), "{stack} {layer}");
        for step in ["raw", "scores", "weights", "context"] {
            let cell = |run| made(run, (stack, layer, 0), step);
            let (got, want) = (cell(Asked::Gpu(&run)).await, cell(Asked::Cpu(&wanted)).await);
            assert_eq!(got.len(), want.len(), "{stack} {layer} {step}: other lines");
            for (got, want) in got.iter().zip(&want) {
                assert_close_where_open(got, want, &format!("{stack} {layer} {step}"));
            }
        }
    }
}

enum Asked<'a> {
    Gpu(&'a RunHandle<super::WebGpu>),
    Cpu(&'a RunHandle<Cpu>),
}

/// A cell's value and the lines that it is made of.
async fn made(run: Asked<'_>, head: (&str, usize, usize), step: &str) -> Vec<Vec<f32>> {
    let found = match run {
        Asked::Gpu(run) => run.explain(head, step, 1, 2).unwrap().await.unwrap(),
        Asked::Cpu(run) => run.explain(head, step, 1, 2).unwrap().await.unwrap(),
    };
    let lines = found.lines.into_iter().map(|line| line.values);
    std::iter::once(vec![found.value]).chain(lines).collect()
}

/// Queries, keys and values of a site come back once, whatever is derived from them.
#[pollster::test]
async fn views_are_derived_from_rows_that_are_read_once() {
    let Some(gpu) = adapter("views_are_derived_from_rows_that_are_read_once").await else { return };
    let reference = reference!("gpt2-tiny");
    let (session, on_cpu) = (reference.load(gpu.clone()), reference.load(Cpu));
    let stack = session.info().stacks.decoder.unwrap();
    let ids: Vec<f64> = (0..19).map(f64::from).collect();
    let left = r#"{"attention":[{"layers":[1],"heads":[2],"kind":"performer",
        "parameters":{"features":8}}]}"#;
    for edits in [None, Some(left)] {
        let run = finished(&session, &of_ids(&session, &ids, &[], edits), None).await;
        let wanted = finished(&on_cpu, &of_ids(&on_cpu, &ids, &[], edits), None).await;
        let n_left = usize::from(edits.is_some());
        assert_eq!(run.on_cpu().len(), n_left);
        let before = gpu.counts().read_bytes;
        for (size, stage) in [(4, "weights"), (64, "masked"), (19, "raw")] {
            let got = run.thumbnails("decoder", size, stage, None).unwrap().await.unwrap();
            let want = wanted.thumbnails("decoder", size, stage, None).unwrap().await.unwrap();
            assert_eq!(got.shape(), want.shape());
            assert_close_where_open(&got.into_data(), &want.into_data(), stage);
            for layer in 0..stack.layers {
                let of = ("decoder", layer, 2);
                let got = run.attention(of, stage, Some(3..9)).unwrap().await.unwrap();
                let want = wanted.attention(of, stage, Some(3..9)).unwrap().await.unwrap();
                assert_close_where_open(&got.into_data(), &want.into_data(), stage);
            }
        }
        let of_layer = 3 * 19 * session.info().d_model * 4;
        let back = gpu.counts().read_bytes - before;
        assert_eq!(back, ((stack.layers - n_left) * of_layer) as u64);
    }
}
