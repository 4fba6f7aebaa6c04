//! What each depth predicts equals what Hugging Face computes of a copy of the model without the
//! blocks above; the last depth has the bits of the logits.

use crate::families;
use crate::settings;
use crate::support::{
    self, Answers, Handle, IDS, REPEATING, Session, assert_close, assert_same_bits, finished,
    request, run_under, streams_of, tiny_models,
};

use headscope::axes::Tensor;
use headscope::backend::{Backend, Cpu};
use headscope::run::Lens;
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("../reference/lens.json");
const ANSWERS: &[u8] = include_bytes!("../reference/lens.safetensors");

/// A model of any topic by its name.
pub fn opened(name: &str) -> Session<Cpu> {
    opened_on(Cpu, name)
}

/// A model of any topic by its name, on a backend.
pub fn opened_on<B: Backend>(backend: B, name: &str) -> Session<B> {
    if let Some(tiny) = tiny_models().into_iter().find(|reference| reference.name == name) {
        return tiny.load(backend);
    }
    let families: Map<String, Value> = serde_json::from_str(support::references::FAMILIES).unwrap();
    if families.contains_key(name) {
        families::opened_on(backend, name)
    } else {
        settings::opened_on(backend, name)
    }
}

async fn lens(run: &Handle, asked: Value) -> Lens {
    run.lens(asked.clone()).await.unwrap_or_else(|error| panic!("{asked}: {error}"))
}

fn cells(tensor: &Tensor) -> Vec<f32> {
    tensor.clone().into_data()
}

/// The index that a number of a tensor is.
#[expect(clippy::cast_sign_loss, reason = "indices are not negative")]
fn index(number: f32) -> usize {
    number as usize
}

#[pollster::test]
async fn each_depth_predicts_what_hugging_face_computes_without_the_blocks_above() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    let answers = Answers::open(ANSWERS);
    for (name, case) in &cases {
        let session = opened(name);
        let run = finished(&session, &request(case, session.info().architecture), None).await;
        let (ids, shape) = answers.get(&format!("{name}/ids"));
        let [n_positions, best] = [shape[1], shape[2]];
        let n_vocabulary = session.info().vocab_size;
        let chosen: Vec<usize> = (1..=n_positions).map(|id| id % n_vocabulary).collect();
        let positions: Vec<usize> = (0..n_positions).collect();
        let asked = json!({"topK": best, "ids": chosen, "positions": positions});
        let found = lens(&run, asked).await;
        let chosen = found.chosen.as_ref().unwrap();
        assert_eq!(found.ids.shape(), shape, "{name}");
        assert_eq!(cells(&found.ids), ids, "{name}");
        for (part, got) in [
            ("logits", &found.logits),
            ("probabilities", &found.probabilities),
            ("entropy", &found.entropy),
            ("divergence", &found.divergence),
            ("chosen", &chosen.probabilities),
            ("ranks", &chosen.ranks),
        ] {
            let what = format!("{name}/{part}");
            assert_close(&cells(got), &answers.get(&what).0, &what);
        }
    }
    assert_eq!(cases.len(), 21);
}

/// Of all families and settings: a head that scales, caps, transforms or averages.
#[pollster::test]
async fn the_last_depth_has_the_bits_of_the_logits() {
    let families: Map<String, Value> = serde_json::from_str(support::references::FAMILIES).unwrap();
    let settings: Map<String, Value> = serde_json::from_str(support::references::SETTINGS).unwrap();
    let of_families = families.iter().map(|(name, family)| (name, &family["cases"][0]));
    let of_settings = settings.iter().map(|(name, setting)| (name, &setting["case"]));
    let mut compared = 0;
    for (name, case) in of_families.chain(of_settings) {
        let session = opened(name);
        let run = finished(&session, &request(case, session.info().architecture), None).await;
        if !session.info().predicts {
            let refused = run.lens(json!({"topK": 1})).await.unwrap_err();
            assert_eq!(refused.code.as_str(), "output/unavailable", "{name}");
            continue;
        }
        let logits = run.logits(None).unwrap().await.unwrap();
        let [n, vocabulary] = [logits.shape()[0], logits.shape()[1]];
        let (_, last) = streams_of(&session).pop().unwrap();
        let found = lens(&run, json!({"topK": vocabulary, "layers": [last]})).await;
        assert_eq!(found.logits.shape(), [1, n, vocabulary]);
        let mut ordered = vec![0.0; n * vocabulary];
        let entries = cells(&found.ids).into_iter().zip(cells(&found.logits));
        for (at, (id, logit)) in entries.enumerate() {
            ordered[at / vocabulary * vocabulary + index(id)] = logit;
        }
        assert_same_bits(&ordered, &logits.into_data(), name);
        assert_same_bits(&cells(&found.divergence), &vec![0.0; n], name);
        compared += 1;
    }
    assert!(compared >= 55, "{compared}");
}

/// Depths and positions in any order, twice or not at all, under edits.
#[pollster::test]
async fn what_is_asked_for_is_what_is_answered() {
    let session = opened("gpt2-tiny");
    let edits = json!({"heads": [{"layers": [1], "heads": [0], "gate": 0}]});
    let run = run_under(&session, &REPEATING, &edits).await;
    let all = lens(&run, json!({"topK": 3})).await;
    assert!(all.final_norm);
    assert!(all.chosen.is_none());
    let (depths, positions) = ([3, 0, 3], [7, 2, 3, 4, 2]);
    let some = lens(&run, json!({"topK": 3, "layers": depths, "positions": positions})).await;
    let plain = run_under(&session, &REPEATING, &json!({})).await;
    let unedited = lens(&plain, json!({"topK": 3})).await;
    assert_ne!(cells(&all.entropy), cells(&unedited.entropy));
    for (all, some) in [(&all.ids, &some.ids), (&all.entropy, &some.entropy)] {
        for (row, depth) in depths.iter().enumerate() {
            for (column, position) in positions.iter().enumerate() {
                let want = all.values().index_axis(ndarray::Axis(0), *depth);
                let got = some.values().index_axis(ndarray::Axis(0), row);
                let want = want.index_axis(ndarray::Axis(0), *position);
                assert_eq!(want, got.index_axis(ndarray::Axis(0), column));
            }
        }
    }
    let none = lens(&run, json!({"topK": 3, "layers": [], "positions": []})).await;
    assert_eq!(none.ids.shape(), [0, 0, 3]);
    assert!(
        !lens(&run_under(&opened("bert-tiny"), &IDS, &json!({})).await, json!({"topK": 1}))
            .await
            .final_norm
    );
}

#[pollster::test]
async fn what_does_not_exist_is_refused() {
    let run = run_under(&opened("gpt2-tiny"), &REPEATING, &json!({})).await;
    for (asked, code) in [
        (json!({"topK": 1, "layers": [4]}), "selection/bad-layer"),
        (json!({"topK": 1, "positions": [9]}), "selection/bad-position"),
        (json!({"topK": 0}), "selection/bad-size"),
        (json!({"topK": 62}), "selection/bad-size"),
        (json!({"topK": 1, "ids": [1]}), "selection/bad-size"),
        (json!({"topK": 1, "positions": [0], "ids": [61]}), "input/bad-id"),
    ] {
        let refused = run.lens(asked.clone()).await.unwrap_err();
        assert_eq!(refused.code.as_str(), code, "{asked}");
    }
    let found = lens(&run, json!({"topK": 61, "positions": [8], "ids": [60]})).await;
    let ranks = cells(&found.chosen.unwrap().ranks);
    for (ids, rank) in cells(&found.ids).chunks(61).zip(ranks) {
        assert_eq!(ids[index(rank)].to_bits(), 60f32.to_bits());
    }
}
