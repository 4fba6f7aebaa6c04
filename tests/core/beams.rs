//! Beam search beside Hugging Face, in families of both architectures and with the bundled models;
//! and the branches, the run and the refusals of a search.

use crate::generation::opened;
use crate::support::{Session, assert_same, indices, numbers, reading, under, written_ids};

use headscope::backend::Cpu;
use headscope::decode::{Branch, BranchFate, StepReport};
use headscope::run::{GenerateRequest, RunRequest};
use serde_json::{Map, Value, json};

/// The cases, each with its model.
fn cases() -> Vec<(String, Value)> {
    let all: Map<String, Value> =
        serde_json::from_str(include_str!(file!("tests/reference/beams.json"))).unwrap();
    let of = |(model, cases): (String, Value)| {
        let cases = cases.as_array().unwrap().clone();
        cases.into_iter().map(move |case| (model.clone(), case))
    };
    all.into_iter().flat_map(of).collect()
}

fn session_of(model: &str, case: &Value) -> Session<Cpu> {
    let own = &case["generation_config"];
    let bundled = |config: &str, weights: &[u8]| {
        Session::load_with(Cpu, config, Some(&own.to_string()), weights).unwrap()
    };
    match model {
        "en-fr" => {
            let model = bundled!("en-fr");
            bundled(model.config, model.checkpoint)
        }
        "tiny-gpt" => {
            let model = bundled!("tiny-gpt");
            bundled(model.config, model.checkpoint)
        }
        name => opened(name, &json!({}), own),
    }
}

fn asked(ids: Vec<f64>, sent: &Value) -> RunRequest {
    let mut sent = sent.clone();
    for list in ["eos_token_id", "forced_eos_token_id"] {
        if let Some(id) = sent.get_mut(list).filter(|id| !id.is_array()) {
            *id = json!([*id]);
        }
    }
    RunRequest {
        ids,
        generate: Some(serde_json::from_value::<GenerateRequest>(sent).unwrap()),
        ..RunRequest::default()
    }
}

/// The tokens of a branch, from its parents.
fn ids_of(branches: &[&Branch], id: usize) -> Vec<u32> {
    let mut ids = Vec::new();
    let mut at = Some(id);
    while let Some(id) = at {
        assert_eq!(branches[id].id, id, "branches are counted");
        ids.insert(0, branches[id].token.id);
        at = branches[id].parent;
    }
    ids
}

/// The branches are a tree that leads to the complete texts.
fn check_tree(report: &StepReport, n_beams: usize, what: &str) {
    let all: Vec<&Branch> = report.branches.iter().flatten().collect();
    for branch in &all {
        let before = branch.parent.map_or(0.0, |parent| {
            assert_eq!(all[parent].fate, BranchFate::Kept, "{what}: only kept branches go on");
            all[parent].sum
        });
        assert!((before + branch.log_probability - branch.sum).abs() < 1e-5, "{what}: {branch:?}");
    }
    for step in &report.branches {
        assert!(step.windows(2).all(|pair| pair[0].sum >= pair[1].sum), "{what}: best first");
        let kept = step.iter().filter(|branch| branch.fate == BranchFate::Kept).count();
        assert!(kept <= n_beams, "{what}: {kept} are kept");
    }
    let mut sums: Vec<f32> = report.hypotheses.iter().map(|one| one.sum).collect();
    sums.sort_by(|one, other| other.total_cmp(one));
    for one in &report.hypotheses {
        assert_eq!(ids_of(&all, one.branch), one.ids, "{what}");
        assert_eq!(all[one.branch].fate, BranchFate::Finished, "{what}");
        assert_eq!(sums[one.rank_by_sum].to_bits(), one.sum.to_bits(), "{what}");
    }
}

#[pollster::test]
async fn texts_and_scores_are_those_of_hugging_face() {
    let mut searches = 0;
    for (model, case) in cases() {
        let what = case["name"].as_str().unwrap();
        let session = session_of(&model, &case);
        let request = asked(numbers(&case["ids"]), &case["sent"]);
        let run = session.begin(&request, None).unwrap();
        let report = run.finish().await.unwrap();
        let texts: Vec<Vec<usize>> =
            case["texts"].as_array().unwrap().iter().map(indices).collect();
        searches += 1;
        let got =
            report.hypotheses.iter().map(|one| one.ids.iter().map(|&id| id as usize).collect());
        assert_eq!(got.collect::<Vec<Vec<usize>>>(), texts, "{what}");
        for (one, want) in report.hypotheses.iter().zip(numbers(&case["scores"])) {
            let off = (f64::from(one.score) - want).abs();
            // A score of thousands is rounded by more than 1e-4.
            assert!(off < 1e-4 + 1e-6 * want.abs(), "{what}: {} of {want}", one.score);
        }
        check_tree(&report, 4, what);
        // The run is that of the best text, of which an end token is not read.
        let ends = &case["generation_config"]["eos_token_id"];
        let ends =
            if ends.is_array() { numbers(ends) } else { ends.as_f64().into_iter().collect() };
        let mut best: Vec<f64> = report.hypotheses[0].ids.iter().map(|&id| f64::from(id)).collect();
        best.pop_if(|last| ends.contains(last));
        assert!(written_ids(&run).ends_with(&best), "{what}: {:?}", written_ids(&run));
    }
    assert!(searches > 40, "only {searches} searches");
}

/// After a search the run is that of its best text, to the bit, and so is one with edits.
#[pollster::test]
async fn a_search_leaves_the_run_of_its_best_text() {
    let edits = json!({
        "masks": [{"stack": "decoder", "preset": {"kind": "window", "width": 2}}],
        "heads": [{"layers": [0], "heads": [1], "gate": 0.5}],
        "attention": [{"stack": "decoder", "layers": [1], "kind": "cosine"}],
    });
    for reference in [reference!("marian-tiny"), reference!("gpt2-tiny"), reference!("llama-tiny")]
    {
        let session = reference.load(Cpu);
        for edits in [json!({}), edits.clone()] {
            let what = format!("{} {edits}", reference.name);
            let sent = json!({"num_beams": 3, "max_new_tokens": 7, "eos_token_id": [11]});
            let request = RunRequest {
                generate: asked(Vec::new(), &sent).generate,
                ..under(&session, &[5.0, 9.0, 13.0, 2.0], &edits)
            };
            let run = session.begin(&request, None).unwrap();
            let report = run.finish().await.unwrap();
            assert_eq!(report.hypotheses.len(), 3, "{what}");
            let fresh =
                session.begin(&reading(&session, &request, &written_ids(&run)), None).unwrap();
            fresh.finish().await.unwrap();
            assert_same(&session, &run, &fresh, &what).await;
            // The same request again has the same answer at once.
            let again = session.begin(&request, Some(&run)).unwrap();
            let repeated = again.finish().await.unwrap();
            assert_eq!(repeated.branches, report.branches, "{what}");
            assert_eq!(repeated.hypotheses, report.hypotheses, "{what}");
            assert_eq!(again.executed().blocks, 0, "{what}");
        }
    }
}

#[test]
fn a_search_that_cannot_be_made_is_refused() {
    let files = json!({"num_beam_groups": 2, "max_length": 40});
    for (files, sent, code, named) in [
        (json!({}), json!({"num_beams": 0}), "input/out-of-range", "`num_beams`"),
        (json!({}), json!({"num_beams": 2.5}), "input/out-of-range", "`num_beams`"),
        (json!({}), json!({"num_beams": 17}), "input/out-of-range", "34 continuations"),
        (json!({}), json!({"num_beams": 4, "do_sample": true}), "input/malformed", "`num_beams`"),
        (json!({}), json!({"num_beams": 4, "temperature": 2}), "input/malformed", "`temperature`"),
        (json!({}), json!({"length_penalty": 2}), "input/malformed", "`length_penalty`"),
        (json!({}), json!({"early_stopping": true}), "input/malformed", "`early_stopping`"),
        (json!({}), json!({"num_return_sequences": 2}), "input/out-of-range", "from 1 to 1"),
        (
            json!({}),
            json!({"num_beams": 4, "num_return_sequences": 5}),
            "input/out-of-range",
            "from 1 to 4",
        ),
        (files.clone(), json!({"num_beams": 4}), "input/malformed", "`num_beam_groups`"),
        (json!({"renormalize_logits": true}), json!({"num_beams": 2}), "input/malformed", "true"),
    ] {
        let session = opened("llama-llama3", &json!({}), &files);
        let refused = session.begin(&asked(vec![1.0; 4], &sent), None).err().unwrap();
        assert_eq!(refused.code.as_str(), code, "{sent}: {refused}");
        assert!(refused.to_string().contains(named), "{sent}: {refused}");
    }
    // One beam is greedy decoding, whatever the files say of beams.
    let session = opened("llama-llama3", &json!({}), &files);
    session.begin(&asked(vec![1.0; 4], &json!({"num_beams": 1})), None).unwrap();
    for wrong in [json!("always"), json!(1)] {
        let sent = json!({"num_beams": 2, "early_stopping": wrong});
        let refused = serde_json::from_value::<GenerateRequest>(sent).err().unwrap();
        assert!(refused.to_string().contains("\"never\""), "{refused}");
    }
}

/// Memory grows with beams and with the length, and both are refused before anything is allocated.
#[test]
fn beams_beyond_memory_are_refused_with_the_number() {
    let session = bundled!("en-fr").load(Cpu);
    let refused = |n_beams: usize, most: usize| {
        let sent = json!({"num_beams": n_beams, "max_new_tokens": most});
        session.begin(&asked(vec![5.0; 4], &sent), None).err()
    };
    assert!(refused(8, 250).is_none());
    let error = refused(900, 250).unwrap();
    assert_eq!(error.code.as_str(), "input/too-long", "{error}");
    assert!(error.to_string().contains("900 beams"), "{error}");
    assert!(error.to_string().contains("MiB"), "{error}");
    assert!(refused(900, 2).is_none());
}
