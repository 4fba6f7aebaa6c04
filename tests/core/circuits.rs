//! What a head reads and writes by its weights alone equals what NumPy makes of whole matrices and
//! of circuits over the whole vocabulary.

use crate::lens::opened;
use crate::support::Session;

use headscope::backend::Cpu;
use serde_json::{Map, Value, json};

const ANSWERS: &str = include_str!("../reference/circuits.json");
/// The block whose heads the reference asks.
const LAYER: usize = 1;

#[track_caller]
fn assert_near(got: f64, want: &Value, what: &str) {
    let want = want.as_f64().unwrap_or_else(|| panic!("{what}: {got} instead of {want}"));
    assert!((got - want).abs() <= 1e-4 * want.abs().max(1.0), "{what}: {got} instead of {want}");
}

/// Each number is near, of the largest.
#[track_caller]
fn assert_all_near(got: &[f64], want: &Value, what: &str) {
    let want: Vec<f64> = want.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert_eq!(got.len(), want.len(), "{what}");
    for (got, own) in got.iter().zip(&want) {
        assert!((got - own).abs() <= 1e-4 * want[0], "{what}: {got} instead of {own}");
    }
}

async fn compare_pairs(session: &Session<Cpu>, (stack, head): (&str, usize), want: &Value) {
    for (circuit, pairs) in want.as_object().unwrap() {
        let what = format!("{stack} {head} {circuit}");
        let wanted = pairs.as_array().unwrap();
        let asked = json!({"stack": stack, "layer": LAYER, "head": head, "circuit": circuit,
            "topK": wanted.len()});
        let got = session.token_pairs(asked).await.unwrap();
        assert_eq!(got.len(), wanted.len(), "{what}");
        for (got, want) in got.iter().zip(wanted) {
            let places = [want[0].as_u64().unwrap(), want[1].as_u64().unwrap()];
            assert_eq!([u64::from(got.from), u64::from(got.to)], places, "{what}");
            assert_near(got.value, &want[2], &what);
        }
    }
}

#[pollster::test]
async fn circuits_equal_those_of_whole_matrices() {
    let all: Map<String, Value> = serde_json::from_str(ANSWERS).unwrap();
    let mut compared = 0;
    for (name, stacks) in &all {
        let session = opened(name);
        for (stack, heads) in stacks.as_object().unwrap() {
            for (head, want) in heads.as_array().unwrap().iter().enumerate() {
                let what = format!("{name} {stack} {head}");
                let got = session.circuits((stack, LAYER, head)).await.unwrap();
                assert_all_near(&got.query_key.values, &want["queryKey"], &what);
                assert_all_near(&got.value_output.values, &want["valueOutput"], &what);
                let sizes: Vec<f64> =
                    got.eigenvalues.iter().map(|[re, im]| re.hypot(*im)).collect();
                assert_all_near(&sizes, &want["sizes"], &what);
                assert_near(got.copying.unwrap(), &want["copying"], &what);
                assert_eq!(got.shared_rank.unwrap().rank90, want["sharedRank"], "{what}");
                for (score, field) in
                    [(got.token_copying, "tokenCopying"), (got.previous_token, "previousToken")]
                {
                    match score {
                        Some(score) => assert_near(score, &want[field], &format!("{what} {field}")),
                        None => assert!(want[field].is_null(), "{what} {field}"),
                    }
                }
                let induction = &want["induction"];
                match got.induction {
                    Some(got) => {
                        let earlier = [got.layer, got.head];
                        assert_eq!(json!(earlier), json!([induction["layer"], induction["head"]]));
                        assert_near(got.previous_token, &induction["previousToken"], &what);
                        assert_near(got.matching, &induction["matching"], &what);
                    }
                    None => assert!(induction.is_null(), "{what}"),
                }
                if let Some(pairs) = want.get("pairs") {
                    compare_pairs(&session, (stack, head), pairs).await;
                }
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 23);
}

#[pollster::test]
async fn what_has_no_circuit_is_refused() {
    let marian = opened("marian-tiny");
    for (place, code) in
        [(("decoder", 0, 99), "selection/bad-head"), (("decoder", 99, 0), "selection/bad-layer")]
    {
        assert_eq!(marian.circuits(place).await.unwrap_err().code.as_str(), code);
    }
    let asked = |stack: &str, circuit: &str, top_k: usize| json!({"stack": stack, "layer": 0, "head": 0, "circuit": circuit, "topK": top_k});
    for (asked, code) in [
        (asked("cross", "query-key", 3), "selection/bad-stack"),
        (asked("encoder", "value-output", 3), "selection/bad-stack"),
        (asked("decoder", "query-key", 0), "selection/bad-size"),
        (asked("decoder", "query-key", 101), "selection/bad-size"),
        (asked("decoder", "weights", 3), "selection/bad-stage"),
    ] {
        let refused = marian.token_pairs(asked.clone()).await.unwrap_err();
        assert_eq!(refused.code.as_str(), code, "{asked}");
    }
    // Of an image no tokens are read, and the head of a masked model is no linear map.
    let image = opened("vit").circuits(("encoder", 1, 0)).await.unwrap();
    assert_eq!((image.previous_token, image.token_copying), (None, None));
    assert!(image.copying.is_some());
}
