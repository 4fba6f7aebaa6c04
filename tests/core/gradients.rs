//! Gradients equal those of PyTorch's autograd in f64, and what a target changes by when an
//! activation is moved a little; the recorded forward pass has the bits of the plain one.

use crate::lens::opened_on;
use crate::patches::{activation, addresses, patch};
use crate::support::{
    Answers, REPEATING, Session, assert_same_bits, assert_within, families, finished, request,
    run_under, stacks_of, under, writing,
};

use headscope::axes::Tensor;
use headscope::backend::{Autodiff, Cpu};
use headscope::kernels::random::Normal;
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("../reference/gradients.json");
const ANSWERS: &[u8] = include_bytes!("../reference/gradients.safetensors");

/// Gradients are products of many numbers in f32.
const RELATIVE: f32 = 1e-4;

fn autodiff() -> Autodiff<Cpu> {
    Autodiff::new(Cpu)
}

fn largest(numbers: &[f32]) -> f32 {
    numbers.iter().fold(0.0, |largest: f32, number| largest.max(number.abs()))
}

/// The addresses of which PyTorch's gradients are stored, each with its name.
fn addresses_of(session: &Session<Autodiff<Cpu>>) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for (stack, layers, heads) in stacks_of(session) {
        for layer in 0..layers {
            if stack != "cross" {
                let at = json!({"stack": stack, "layer": layer, "step": "input"});
                all.push((format!("{stack}.input.{layer}"), at));
            }
            let at = json!({"stack": stack, "layer": layer, "step": "weights", "head": heads - 1});
            all.push((format!("{stack}.weights.{layer}"), at));
        }
    }
    all
}

#[pollster::test]
async fn gradients_equal_those_of_pytorch() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    let answers = Answers::open(ANSWERS);
    for (name, one) in &cases {
        let session = opened_on(autodiff(), one["model"].as_str().unwrap());
        let asked = request(&one["case"], session.info().architecture);
        let run = finished(&session, &asked, None).await;
        let addresses = addresses_of(&session);
        let at: Vec<&Value> = addresses.iter().map(|(_, at)| at).collect();
        let asked = json!({"target": one["asked"], "at": at});
        let found = run.gradients(asked).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        let wanted = |part: &str| answers.get(&format!("{name}/{part}"));
        let most = addresses.iter().map(|(part, _)| largest(&wanted(part).0)).fold(0.0, f32::max);
        for ((part, _), gradient) in addresses.iter().zip(found) {
            let what = format!("{name}/{part}");
            let (want, shape) = wanted(part);
            assert_eq!(gradient.shape(), shape, "{what}");
            // The smallest gradients are differences of numbers as large as the others.
            let allowed = RELATIVE * largest(&want).max(1e-3 * most);
            assert_within(allowed, &gradient.into_data(), &want, &what);
        }
    }
    assert_eq!(cases.len(), 63);
}

#[pollster::test]
async fn the_recorded_pass_has_the_bits_of_the_plain_one() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    for (name, one) in &cases {
        let model = one["model"].as_str().unwrap();
        let (plain, recorded) = (opened_on(Cpu, model), opened_on(autodiff(), model));
        let asked = request(&one["case"], plain.info().architecture);
        let plain = finished(&plain, &asked, None).await.logits(None).unwrap().await.unwrap();
        let recorded = finished(&recorded, &asked, None).await.logits(None).unwrap().await.unwrap();
        assert_same_bits(&recorded.into_data(), &plain.into_data(), name);
    }
}

/// Edits that PyTorch's vectors of gradients do not have.
fn edited() -> Vec<Value> {
    let attention = |edit: Value| json!({"attention": [edit]});
    vec![
        attention(json!({"temperature": 0.7})),
        attention(json!({"dropout": {"rate": 0.3, "seed": 8}})),
        attention(json!({"kind": "sliding", "parameters": {"width": 2}})),
        json!({"attention": [{"kind": "chunked"}], "heads": [{"gate": 1.5}]}),
    ]
}

const POSITION: usize = 3;
const ID: usize = 7;

/// The change of the logit when an activation moves along a direction.
async fn change(session: &Session<Cpu>, edits: &Value, at: &Value, moved: [&Tensor; 2]) -> f64 {
    let mut logits = Vec::new();
    for tensor in moved {
        let mut edits = edits.clone();
        edits["patches"] = json!([patch(at, tensor)]);
        let run = run_under(session, &REPEATING, &edits).await;
        let row = run.logits(Some(&[POSITION])).unwrap().await.unwrap();
        logits.push(f64::from(row.into_data()[ID]));
    }
    logits[1] - logits[0]
}

fn moved(tensor: &Tensor, direction: &[f32], step: f32) -> Tensor {
    let numbers = tensor.clone().into_data();
    let numbers = numbers.iter().zip(direction).map(|(x, d)| x + step * d).collect();
    Tensor::new(numbers, tensor.shape(), tensor.axes()).unwrap()
}

#[pollster::test]
async fn a_gradient_is_what_the_logit_changes_by() {
    let mut compared = 0;
    for (number, reference) in families().into_iter().enumerate() {
        let (plain, recorded) = (reference.load(Cpu), reference.load(autodiff()));
        let edits = &edited()[number];
        for edits in [&json!({}), edits] {
            let run = run_under(&plain, &REPEATING, edits).await;
            let recorded = run_under(&recorded, &REPEATING, edits).await;
            for (stack, layers, heads) in stacks_of(&plain) {
                for at in addresses(&run, (stack, layers - 1, heads - 1)).await {
                    let what = format!("{} {edits}: {at}", reference.name);
                    let asked = json!({"target": {"position": POSITION, "id": ID}, "at": [at]});
                    let gradient = match recorded.gradients(asked).await {
                        Ok(mut found) => found.remove(0).into_data(),
                        Err(error) => panic!("{what}: {error}"),
                    };
                    let value = activation(&run, &at).await;
                    let mut draws = Normal::new(compared + 1);
                    let direction = draws.values(gradient.len(), 1.0);
                    let products = gradient.iter().zip(&direction);
                    let want: f64 = products.map(|(&g, &d)| f64::from(g) * f64::from(d)).sum();
                    let size = f64::from(largest(&gradient)) * (gradient.len() as f64).sqrt();
                    let allowed = 0.02 * size.max(0.01);
                    let mut nearest = f64::INFINITY;
                    // A long step meets corners of activations, a short one rounding.
                    for step in [4e-3, 5e-4, 6e-5, 8e-6] {
                        let step = step * largest(&value.clone().into_data()).max(0.1);
                        let [back, forth] =
                            [-step, step].map(|step| moved(&value, &direction, step));
                        let got = change(&plain, edits, &at, [&back, &forth]).await;
                        let apart = (got / (2.0 * f64::from(step)) - want).abs();
                        nearest = nearest.min(apart);
                        if nearest <= allowed {
                            break;
                        }
                    }
                    assert!(nearest <= allowed, "{what}: {nearest} from {want}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 132);
}

#[pollster::test]
async fn what_has_no_gradient_is_refused() {
    let reference = families().into_iter().find(|one| one.name == "gpt2-tiny").unwrap();
    let session = reference.load(autodiff());
    let at = |step: &str| json!({"stack": "decoder", "layer": 0, "step": step});
    let asked =
        |id: usize, step: &str| json!({"target": {"position": 2, "id": id}, "at": [at(step)]});
    let plain = run_under(&session, &REPEATING, &json!({})).await;
    let code = |refused: Result<Vec<Tensor>, headscope::error::Error>| {
        refused.err().map(|error| error.code.as_str())
    };
    for (asked, want) in [
        (asked(1000, "input"), "input/bad-id"),
        (asked(7, "cross-sum"), "selection/bad-stage"),
        (asked(7, "query"), ""),
        (json!({"target": {"position": 99, "id": 7}, "at": []}), "selection/bad-position"),
    ] {
        assert_eq!(code(plain.gradients(asked.clone()).await).unwrap_or(""), want, "{asked}");
    }
    let cosine = json!({"attention": [{"kind": "cosine"}]});
    let cosine = run_under(&session, &REPEATING, &cosine).await;
    let refused = code(cosine.gradients(asked(7, "input")).await);
    assert_eq!(refused, Some("edit/unsupported"));

    let request = under(&session, &REPEATING, &json!({}));
    let written = session.begin(&writing(request.clone(), 2.0), None).err().unwrap();
    assert_eq!(written.code.as_str(), "run/not-ready");
    let taken = finished(&session, &request, Some(&plain)).await;
    assert_eq!(code(taken.gradients(asked(7, "input")).await), Some("run/not-ready"));
}
