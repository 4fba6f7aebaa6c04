//! `model.safetensors` whose header is right and whose tensors are not those of the
//! config, or hold what is no number.

use std::ops::Range;

use crate::support::Session;
use headscope::backend::Cpu;
use headscope::error::Result;
use headscope::files::{self, Source};
use headscope::model::{Checkpoint, Model};
use safetensors::Dtype;
use wasm_bindgen_test::wasm_bindgen_test;

use super::craft::{Parts, file, header_bytes};
use super::reference_model::{
    ReferenceModel, assert_refused, good_request, reference_models, writing,
};
use crate::support::{Reference, families, finished, overwrite};

/// A tensor that every model of the family needs, with a matrix's shape.
fn needed(reference: &Reference) -> &'static str {
    match reference.name {
        "marian-tiny" => "model.decoder.layers.1.encoder_attn.k_proj.weight",
        "bert-tiny" => "bert.encoder.layer.2.intermediate.dense.weight",
        "llama-tiny" => "model.layers.1.self_attn.k_proj.weight",
        _ => "transformer.h.1.mlp.c_fc.weight",
    }
}

/// Tensors that a checkpoint may lack: then it has no such part.
const OPTIONAL: [&str; 2] = ["final_logits_bias", "cls.predictions.transform.dense.weight"];

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_number_type_or_shape_that_contradicts_the_config_is_refused() {
    for model in reference_models().await {
        let name = needed(&model.reference);
        let parts = Parts::of(model.reference.checkpoint);
        let [rows, columns] = parts.shape(name)[..] else { panic!("{name} is no matrix") };
        let load = |dtype, shape: &[usize]| {
            let bytes = parts.with_zeros(name, dtype, shape);
            Session::load(Cpu, model.reference.config, &bytes)
        };
        for dtype in [Dtype::I64, Dtype::BOOL, Dtype::I8, Dtype::U16] {
            let words = [name, "F64, F32, F16 or BF16", &format!("{dtype:?}")];
            assert_refused(load(dtype, &[rows, columns]), "checkpoint/wrong-dtype", &words, name);
        }
        for shape in [
            vec![rows + 1, columns],
            vec![rows, columns - 1],
            vec![columns + 1, rows],
            vec![rows * columns],
            vec![1, rows, columns],
            vec![rows, 0],
            vec![],
        ] {
            let expected = format!("[{rows}, {columns}]");
            let words = [name, &expected, "as the config says", &format!("{shape:?}")];
            assert_refused(load(Dtype::F32, &shape), "checkpoint/wrong-shape", &words, name);
        }
        model.assert_still_runs().await;
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn every_missing_tensor_is_named() {
    for reference in families() {
        let parts = Parts::of(reference.checkpoint);
        for name in parts.names() {
            let what = format!("{} without {name}", reference.name);
            let loaded = Session::load(Cpu, reference.config, &parts.without(&name));
            if OPTIONAL.contains(&name.as_str()) {
                assert!(loaded.is_ok(), "{what}");
            } else {
                assert_refused(loaded, "checkpoint/missing-tensor", &[&name], &what);
            }
        }
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn weights_that_do_not_fit_in_memory_are_refused_unread() {
    let opened =
        files::open(vec![Box::new(Large::new("", 1))]).unwrap_or_else(|error| panic!("{error}"));
    let opened = Checkpoint::new(opened);
    let last = opened.tensor("0", &[1000 << 16, 8]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(last.parts().next().unwrap().unwrap().len(), 1 << 20);
    let config = reference!("gpt2-tiny").config;
    // Places need 33 bits; of bytes there are as many as of numbers, and a factor for 32 of them.
    for (has_bytes, count, needed) in [(false, 4, "4000 MiB"), (true, 8, "4250 MiB")] {
        // What is no part of the model is never read and takes no memory.
        let others = files::open(vec![Box::new(Large::new("vision.", count))]).unwrap();
        let loaded = Model::load(Cpu { has_bytes }, Some(config), None, others);
        assert_refused(loaded, "checkpoint/missing-tensor", &["wte.weight"], "others");
        let own = Large::new("transformer.h.0.", count);
        let files = files::open(vec![Box::new(own)]).unwrap();
        let loaded = Model::load(Cpu { has_bytes }, Some(config), None, files);
        assert_refused(loaded, "checkpoint/too-large", &["3840 MiB", needed], "weights");
    }
}

/// A file of so many tensors of 1000 MiB in half precision, all of them zeros.
struct Large {
    start: Vec<u8>,
    n_bytes: u64,
}

impl Large {
    fn new(stem: &str, count: u64) -> Self {
        let size: u64 = 1000 << 20;
        let tensors = (0..count).map(|at| {
            let shape = [size / 16, 8];
            let part = [at * size, (at + 1) * size];
            format!(r#""{stem}{at}":{{"dtype":"F16","shape":{shape:?},"data_offsets":{part:?}}}"#)
        });
        let tensors = tensors.collect::<Vec<_>>().join(",");
        let start = file(format!("{{{tensors}}}").as_bytes(), b"");
        Self { n_bytes: start.len() as u64 + count * size, start }
    }
}

impl Source for Large {
    fn name(&self) -> &'static str {
        "large"
    }

    fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    fn read(&self, range: Range<u64>) -> Result<Vec<u8>> {
        let byte = |at: u64| self.start.get(at as usize).copied().unwrap_or(0);
        Ok(range.map(byte).collect())
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn another_models_checkpoint_and_an_empty_one_are_refused() {
    let [marian, bert, gpt2, llama] = families();
    for (config, checkpoint) in
        [(&marian, &bert), (&bert, &gpt2), (&gpt2, &llama), (&llama, &marian)]
    {
        let what = format!("{} with the weights of {}", config.name, checkpoint.name);
        let loaded = Session::load(Cpu, config.config, checkpoint.checkpoint);
        assert_refused(loaded, "checkpoint/missing-tensor", &["a tensor named"], &what);
        let loaded = Session::load(Cpu, config.config, &file(b"{}", b""));
        assert_refused(loaded, "checkpoint/missing-tensor", &["no tensor at all"], config.name);
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn weights_that_are_no_numbers_are_refused_in_every_type() {
    let f32s = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY].map(|x| x.to_le_bytes().to_vec());
    // The same three in IEEE's half precision and in bfloat16.
    let f16s = [0x7E00u16, 0x7C00, 0xFC00].map(|x| x.to_le_bytes().to_vec());
    let bf16s = [0x7FC0u16, 0x7F80, 0xFF80].map(|x| x.to_le_bytes().to_vec());
    for (reference, bad) in [
        (reference!("gpt2-tiny"), f32s),
        (reference!("gpt2-f16"), f16s),
        (reference!("gpt2-bf16"), bf16s),
    ] {
        let model = ReferenceModel::new(reference).await;
        let parts = Parts::of(model.reference.checkpoint);
        let name = parts.names().into_iter().find(|name| name.ends_with("h.1.mlp.c_fc.weight"));
        let name = name.expect("a second block");
        for number in bad {
            for from_end in [false, true] {
                let bytes = parts.with_number(&name, from_end, &number);
                let loaded = Session::load(Cpu, model.reference.config, &bytes);
                let what = format!("{}: {number:?}", model.reference.name);
                let words = [&*name, "finite numbers", "at index"];
                assert_refused(loaded, "checkpoint/non-finite", &words, &what);
            }
        }
        model.assert_still_runs().await;
    }
}

/// Such weights are numbers, so they load; what they compute overflows. Nothing may panic,
/// and no number that is not finite may be written.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn weights_that_make_everything_overflow_do_no_harm() {
    for reference in families() {
        for number in [f32::MAX, f32::MIN, f32::MIN_POSITIVE, 0.0] {
            let mut bytes = reference.checkpoint.to_vec();
            let start = header_bytes(&bytes);
            bytes[start..].as_chunks_mut::<4>().0.fill(number.to_le_bytes());
            let session = Session::load(Cpu, reference.config, &bytes)
                .unwrap_or_else(|error| panic!("{}: {error}", reference.name));
            let mut request = good_request(&session);
            if session.info().stacks.decoder.is_some() {
                request = writing(request, 5.0);
            }
            let run = session.begin(&request, None).unwrap_or_else(|error| panic!("{error}"));
            let finished = run.finish().await;
            // A Llama divides by the root of a mean square, which is infinite: all else is 0.
            if number.abs() > 1.0 && reference.name != "llama-tiny" {
                assert_refused(finished, "run/not-finite", &["embedding"], reference.name);
            } else {
                let written = finished.unwrap().generated;
                assert!(written.iter().all(|token| token.probability.is_finite()));
            }
        }
    }
}

/// The layer whose weights overflow is named, after what comes before it can be read.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_layer_that_overflows_is_named() {
    for (reference, (stack, layer)) in
        families().into_iter().zip([("decoder", 2), ("encoder", 3), ("decoder", 2), ("decoder", 2)])
    {
        let mut bytes = reference.checkpoint.to_vec();
        overwrite(&mut bytes, needed(&reference), f32::MAX);
        let session = Session::load(Cpu, reference.config, &bytes).unwrap();
        let request = good_request(&session);
        let grown = session.info().stacks.decoder.map(|_| writing(request.clone(), 5.0));
        for request in [Some(request), grown].into_iter().flatten() {
            let run = session.begin(&request, None).unwrap();
            let mut can_be_drawn = false;
            let error = loop {
                match run.step().await {
                    Ok(report) => {
                        assert!(!report.finished && report.generated.is_empty());
                        can_be_drawn |= report.source_ready;
                    }
                    error => break error,
                }
            };
            let part = format!("layer {layer} of the {stack}");
            assert_refused(error, "run/not-finite", &[&part, "finite numbers"], reference.name);
            assert!(can_be_drawn, "{}", reference.name);
            let before = run.hidden(stack, layer - 1).unwrap().await.unwrap().into_data();
            assert!(before.iter().all(|number| number.is_finite()), "{}", reference.name);
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn logits_that_overflow_are_neither_written_nor_predicted() {
    let reference = reference!("llama-untied");
    let mut bytes = reference.checkpoint.to_vec();
    overwrite(&mut bytes, "lm_head.weight", f32::MAX);
    let session = Session::load(Cpu, reference.config, &bytes).unwrap();
    let request = good_request(&session);
    let run = finished(&session, &request, None).await;
    let predicted = run.predictions(&[0], 3).unwrap().await;
    assert_refused(predicted, "run/not-finite", &["the logits"], "predictions");
    let written = session.begin(&writing(request, 5.0), None).unwrap().finish().await;
    assert_refused(written, "run/not-finite", &["the logits"], "generation");
}
