//! What Llama has that the other families have not: queries and keys that are turned by
//! their positions, heads that share keys and values, a checkpoint without an output head.

use crate::support;

use crate::support::Session;
use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::kernels::rows::rotate_row;
use headscope::run::{Executed, GenerateRequest, RunRequest};
use safetensors::SafeTensors;
use support::{Handle, assert_same_bits, everything, finished};
use wasm_bindgen_test::wasm_bindgen_test;

const IDS: [f64; 7] = [5.0, 9.0, 13.0, 5.0, 9.0, 17.0, 2.0];
/// Both models, with how many heads share one head of keys and values.
fn models() -> [(support::Reference, usize); 2] {
    [(reference!("llama-tiny"), 2), (reference!("llama-untied"), 3)]
}

fn sent(ids: &[f64], edits: Option<&str>) -> RunRequest {
    let edits = edits.map(|edits| serde_json::from_str(edits).unwrap());
    RunRequest { ids: ids.to_vec(), edits, ..RunRequest::default() }
}

async fn part(run: &Handle, (layer, head): (usize, usize), part: &str, rotated: bool) -> Vec<f32> {
    run.projection("decoder", layer, head, part, rotated).unwrap().await.unwrap().into_data()
}

async fn pattern(run: &Handle, (layer, head): (usize, usize), stage: &str) -> Tensor {
    run.attention(("decoder", layer, head), stage, None).unwrap().await.unwrap()
}

async fn assert_same(session: &Session<Cpu>, one: &Handle, other: &Handle, what: &str) {
    let (one, other) = (everything(session, one).await, everything(session, other).await);
    assert_eq!(one.len(), other.len());
    for ((name, one), (_, other)) in one.into_iter().zip(other) {
        assert_same_bits(&one.into_data(), &other.into_data(), &format!("{what}: {name}"));
    }
}

/// Every head of a model.
fn heads(session: &Session<Cpu>) -> Vec<(usize, usize)> {
    let size = session.info().stacks.decoder.unwrap();
    (0..size.layers).flat_map(|layer| (0..size.heads).map(move |head| (layer, head))).collect()
}

#[wasm_bindgen_test(unsupported = test)]
fn a_model_says_what_it_is() {
    let info = reference!("llama-tiny").load(Cpu).info();
    let size = info.stacks.decoder.unwrap();
    assert_eq!((size.layers, size.heads, size.kv_heads, size.head_dim), (3, 4, 2, 6));
    let words = (info.positions.as_str(), info.norm.as_str(), info.activation.as_str());
    assert_eq!((words, info.gated), (("rotary", "pre", "SiLU"), true));
    // Two norms and seven maps a block, one norm behind them, and a table that is tied.
    let block = 2 * 28 + 2 * 28 * (24 + 12) + 3 * 28 * 41;
    assert_eq!(info.parameters.total, 61 * 28 + 3 * block + 28);
    assert!(!reference!("gpt2-tiny").load(Cpu).info().gated);
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn queries_and_keys_are_turned_by_the_table_of_positions_and_values_are_not() {
    for (reference, _) in models() {
        let session = reference.load(Cpu);
        let run = finished(&session, &sent(&IDS, None), None).await;
        let turns = run.positions("decoder").unwrap().await.unwrap();
        let turns = turns.values();
        for at in heads(&session) {
            for name in ["query", "key"] {
                let mut turned = part(&run, at, name, false).await;
                let width = turned.len() / IDS.len();
                for (position, row) in turned.chunks_exact_mut(width).enumerate() {
                    rotate_row(row, &turns.as_slice().unwrap()[position * width..][..width]);
                }
                let wanted = part(&run, at, name, true).await;
                assert_same_bits(&turned, &wanted, &format!("{}: {at:?} {name}", reference.name));
            }
            let (one, other) =
                (part(&run, at, "value", false).await, part(&run, at, "value", true).await);
            assert_same_bits(&one, &other, "values");
        }
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_score_of_equal_tokens_depends_on_their_distance_alone() {
    let session = reference!("llama-tiny").load(Cpu);
    // In the first block all rows are the same token's, so only the turning sets them apart.
    let run = finished(&session, &sent(&[7.0; 12], None), None).await;
    for head in 0..4 {
        let raw = pattern(&run, (0, head), "raw").await;
        let mut differs = false;
        for ((query, key), score) in raw.values().indexed_iter().map(|(at, x)| ((at[0], at[1]), x))
        {
            let same = if query < key { [0, key - query] } else { [query - key, 0] };
            assert!((raw.values()[same] - score).abs() < 1e-4, "head {head}: {query}, {key}");
            differs |= (score - raw.values()[[0, 0]]).abs() > 1e-2;
        }
        assert!(differs, "head {head} sees no distance");
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn neighbouring_heads_share_keys_and_values_and_look_in_ways_of_their_own() {
    for (reference, shared) in models() {
        let session = reference.load(Cpu);
        let run = finished(&session, &sent(&IDS, None), None).await;
        for (layer, head) in heads(&session) {
            let first = head / shared * shared;
            for name in ["key", "value"] {
                let own = part(&run, (layer, head), name, true).await;
                assert_same_bits(&own, &part(&run, (layer, first), name, true).await, name);
                if first > 0 {
                    assert_ne!(own, part(&run, (layer, 0), name, true).await, "another group");
                }
            }
            if head > 0 {
                let own = pattern(&run, (layer, head), "weights").await;
                assert_ne!(own, pattern(&run, (layer, head - 1), "weights").await);
            }
        }
    }
}

/// A head's columns of the context of the first block.
async fn context(run: &Handle, head: usize) -> Vec<f32> {
    let mut work = run.steps("decoder", 0, head).unwrap();
    let steps = loop {
        if let Some(steps) = work.step().await.unwrap() {
            break steps;
        }
    };
    let found = steps.iter().find(|one| one.step.name() == "context").unwrap();
    let rows = found.tensor.values().outer_iter();
    rows.flat_map(|row| row.iter().skip(head * 6).take(6).copied().collect::<Vec<_>>()).collect()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn an_edit_of_one_head_leaves_those_alone_that_share_its_keys_and_values() {
    let session = reference!("llama-tiny").load(Cpu);
    let plain = finished(&session, &sent(&IDS, None), None).await;
    let gate = r#"{"heads":[{"layers":[0],"heads":[1],"gate":0}]}"#;
    let block = r#"{"masks":[{"layers":[0],"heads":[1],"block":[[3,1],[6,2]]}]}"#;
    for edits in [gate, block] {
        let run = finished(&session, &sent(&IDS, Some(edits)), Some(&plain)).await;
        for head in [0, 2, 3] {
            let what = format!("{edits}: head {head}");
            let weights = pattern(&run, (0, head), "weights").await.into_data();
            let before = pattern(&plain, (0, head), "weights").await.into_data();
            assert_same_bits(&weights, &before, &what);
            assert_same_bits(&context(&run, head).await, &context(&plain, head).await, &what);
        }
        assert_ne!(context(&run, 1).await, context(&plain, 1).await, "{edits} changed nothing");
    }
    let silent = finished(&session, &sent(&IDS, Some(gate)), None).await;
    assert!(context(&silent, 1).await.iter().all(|&x| x == 0.0), "a silenced head is heard");
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_text_that_is_written_is_the_text_that_is_read_bit_for_bit() {
    for (reference, _) in models() {
        let session = reference.load(Cpu);
        let mut request = sent(&IDS[..3], None);
        request.generate = Some(GenerateRequest { max_tokens: Some(9.0) });
        let written = finished(&session, &request, None).await;
        let ids: Vec<f64> = written.target_ids().iter().map(|&id| f64::from(id)).collect();
        assert!(ids.len() > 3, "nothing was written");
        let read = finished(&session, &sent(&ids, None), None).await;
        assert_same(&session, &written, &read, reference.name).await;
    }
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn only_what_can_change_is_computed_again_and_equals_a_full_run() {
    let session = reference!("llama-tiny").load(Cpu);
    let plain = finished(&session, &sent(&IDS, None), None).await;
    for (edits, blocks) in [
        (r#"{"heads":[{"layers":[0],"heads":[3],"gate":2}]}"#, 3),
        (r#"{"heads":[{"layers":[1],"heads":[0],"gate":0.5}]}"#, 2),
        (r#"{"masks":[{"layers":[2],"heads":[2],"block":[[4,0]]}]}"#, 1),
    ] {
        let partial = finished(&session, &sent(&IDS, Some(edits)), Some(&plain)).await;
        assert_eq!(partial.executed().blocks, blocks, "{edits}");
        let full = finished(&session, &sent(&IDS, Some(edits)), None).await;
        assert_same(&session, &partial, &full, edits).await;
    }
    // One more token: its row alone, turned by its own position.
    let longer = [&IDS[..], &[11.0]].concat();
    let grown = finished(&session, &sent(&longer, None), Some(&plain)).await;
    assert_eq!(grown.executed(), Executed { blocks: 3, reused_blocks: 0, reused_tokens: 7 });
    let full = finished(&session, &sent(&longer, None), None).await;
    assert_same(&session, &grown, &full, "one more token").await;
}

/// The tensors of a file under other names; those without a name are left out.
fn renamed(file: &[u8], name: impl Fn(&str) -> Option<String>) -> Vec<u8> {
    let tensors = SafeTensors::deserialize(file).unwrap().tensors();
    let kept = tensors.into_iter().filter_map(|(old, tensor)| Some((name(&old)?, tensor)));
    safetensors::serialize(kept, None).unwrap()
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_bare_model_has_the_same_states_and_predicts_nothing() {
    let reference = reference!("llama-untied");
    let whole = reference.load(Cpu);
    let bare = renamed(reference.checkpoint, |name| Some(name.strip_prefix("model.")?.to_owned()));
    let bare = Session::load(Cpu, reference.config, &bare).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((whole.info().predicts, bare.info().predicts), (true, false));
    assert_eq!(bare.info().parameters.output, 0);
    let whole = finished(&whole, &sent(&IDS, None), None).await;
    let run = finished(&bare, &sent(&IDS, None), None).await;
    for layer in 0..=2 {
        let states = |run: &Handle| run.hidden("decoder", layer).unwrap();
        let (got, want) = (states(&run).await.unwrap(), states(&whole).await.unwrap());
        assert_same_bits(&got.into_data(), &want.into_data(), "states");
    }
}

/// As transformers wrote it before its fifth version.
#[wasm_bindgen_test(unsupported = pollster::test)]
async fn an_older_config_means_the_same() {
    let reference = reference!("llama-tiny");
    let mut fields: serde_json::Value = serde_json::from_str(reference.config).unwrap();
    let object = fields.as_object_mut().unwrap();
    object.remove("rope_parameters");
    object.insert("rope_theta".to_owned(), 100.0.into());
    object.insert("rope_scaling".to_owned(), serde_json::Value::Null);
    let new = reference.load(Cpu);
    let old = Session::load(Cpu, &fields.to_string(), reference.checkpoint);
    let old = old.unwrap_or_else(|error| panic!("{error}"));
    let (one, other) = (
        finished(&new, &sent(&IDS, None), None).await,
        finished(&old, &sent(&IDS, None), None).await,
    );
    assert_same(&new, &one, &other, "another config").await;
}
