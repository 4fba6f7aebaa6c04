//! What follows from gradients equals what PyTorch's autograd gives in f64: relevance, weights
//! times gradients, integrated gradients, estimated patches and lengths by depth.

use crate::lens::opened_on;
use crate::support::{
    Answers, REPEATING, RunHandle, assert_within, finished, request, run_under, stacks_of,
};

use headscope::backend::{Autodiff, Cpu};
use serde_json::{Map, Value, json};

const CASES: &str = include_str!("../reference/influence.json");
const ANSWERS: &[u8] = include_bytes!("../reference/influence.safetensors");

/// Gradients are products of many numbers in f32.
const RELATIVE: f32 = 1e-4;

/// The number of points of a way, and the entry of the baseline: see `influence.py`.
const STEPS: usize = 4;
const BASELINE: usize = 4;

type Recorded = RunHandle<Autodiff<Cpu>>;

struct Compared<'a> {
    name: &'a str,
    answers: &'a Answers<'a>,
    target: &'a Value,
    count: usize,
}

impl Compared<'_> {
    fn check(&mut self, part: &str, got: &[f32]) {
        let name = format!("{}/{part}", self.name);
        let (want, _) = self.answers.get(&name);
        let largest = want.iter().fold(0.0, |largest: f32, number| largest.max(number.abs()));
        assert_within(RELATIVE * largest.max(1e-3), got, &want, &name);
        self.count += 1;
    }

    async fn patterns(&mut self, run: &Recorded, (stack, heads): (&str, usize)) {
        let asked = json!({"target": self.target, "stack": stack});
        let found = run.relevance(asked).await.unwrap();
        self.check(&format!("{stack}.relevance"), &found.into_data());
        let head = json!({"target": self.target, "stack": stack, "layer": 0, "head": heads - 1});
        let found = run.weighted_gradient(head).await.unwrap();
        self.check(&format!("{stack}.weighted"), &found.into_data());
    }

    async fn integrated(&mut self, run: &Recorded, stack: &str, is_text: bool) {
        let baselines = [("zeros", None), ("entry", Some(BASELINE))];
        for (baseline, id) in baselines.into_iter().take(if is_text { 2 } else { 1 }) {
            let mut asked = json!({"target": self.target, "stack": stack, "steps": STEPS});
            if let Some(id) = id {
                asked["baseline"] = id.into();
            }
            let found = run.integrated_gradients(asked).await.unwrap();
            let tokens: Vec<f32> = found.tokens.iter().map(|&token| token as f32).collect();
            self.check(&format!("{stack}.{baseline}.tokens"), &tokens);
            self.check(&format!("{stack}.{baseline}.baseline"), &[found.baseline as f32]);
            self.check("target", &[found.target as f32]);
        }
    }

    async fn depths(&mut self, run: &Recorded, stack: &str) {
        let asked = json!({"target": self.target, "stack": stack});
        let found = run.gradient_norms(asked).await.unwrap();
        self.check(&format!("{stack}.norms"), &found.into_data());
    }

    async fn estimates(&mut self, [run, other]: [&Recorded; 2], stack: &str, size: [usize; 2]) {
        let [layers, n] = size;
        let at = |layer: usize, position: usize| {
            let positions = [position];
            json!({"stack": stack, "layer": layer, "step": "input", "positions": positions})
        };
        let at: Vec<Value> =
            (0..layers).flat_map(|layer| (0..n).map(move |position| at(layer, position))).collect();
        let asked = json!({"target": self.target, "at": at});
        let found = run.patch_estimates(other, asked).await.unwrap();
        let found: Vec<f32> = found.into_iter().map(|effect| effect as f32).collect();
        self.check(&format!("{stack}.estimates"), &found);
    }
}

#[pollster::test]
async fn what_follows_from_gradients_equals_pytorch() {
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    let answers = Answers::open(ANSWERS);
    let mut count = 0;
    for (name, one) in &cases {
        let session = opened_on(Autodiff::new(Cpu), one["model"].as_str().unwrap());
        let architecture = session.info().architecture;
        let case = &one["case"];
        let run = finished(&session, &request(case, architecture), None).await;
        let is_text = case.get("pixels").is_none();
        let other = if is_text {
            let other = request(&backwards(case), architecture);
            Some(finished(&session, &other, None).await)
        } else {
            None
        };
        let mut compared = Compared { name, answers: &answers, target: &one["asked"], count: 0 };
        for (stack, layers, heads) in stacks_of(&session) {
            compared.patterns(&run, (stack, heads)).await;
            if stack == "cross" {
                continue;
            }
            compared.integrated(&run, stack, is_text).await;
            compared.depths(&run, stack).await;
            if let Some(other) = &other {
                let n = run.hidden(stack, 0).unwrap().await.unwrap().shape()[0];
                compared.estimates([&run, other], stack, [layers, n]).await;
            }
        }
        count += compared.count;
    }
    assert_eq!(count, 174);
}

const TARGET: [usize; 2] = [3, 7];

fn target() -> Value {
    json!({"position": TARGET[0], "id": TARGET[1]})
}

#[pollster::test]
async fn more_steps_come_nearer_to_completeness() {
    let session = opened_on(Autodiff::new(Cpu), "gpt2-tiny");
    let run = run_under(&session, &REPEATING, &json!({})).await;
    let mut apart = Vec::new();
    for steps in [1, 8, 64] {
        let asked = json!({
            "target": target(), "stack": "decoder", "baseline": BASELINE, "steps": steps,
        });
        let found = run.integrated_gradients(asked).await.unwrap();
        let difference = found.target - found.baseline;
        apart.push((found.tokens.iter().sum::<f64>() / difference - 1.0).abs());
    }
    assert!(apart[0] > apart[1] && apart[1] > apart[2], "{apart:?}");
    assert!(apart[2] < 1e-2, "{apart:?}");
}

#[pollster::test]
async fn a_head_is_estimated_by_its_gradient_and_its_change() {
    let session = opened_on(Autodiff::new(Cpu), "marian-tiny");
    let run = run_under(&session, &REPEATING, &json!({})).await;
    let edits = json!({"heads": [{"stack": "encoder", "gate": 0.5}]});
    let other = run_under(&session, &REPEATING, &edits).await;
    let steps = [("encoder", "context"), ("cross", "weights"), ("decoder", "value")];
    let at: Vec<Value> = steps
        .iter()
        .map(|(stack, step)| json!({"stack": stack, "layer": 1, "step": step, "head": 1}))
        .collect();
    let asked = json!({"target": target(), "at": at});
    let estimates = run.patch_estimates(&other, asked.clone()).await.unwrap();
    let gradients = run.gradients(asked).await.unwrap();
    for ((at, estimate), gradient) in at.into_iter().zip(estimates).zip(gradients) {
        let mut sides = Vec::new();
        for run in [&run, &other] {
            sides.push(run.activation(&at).unwrap().await.unwrap().into_data());
        }
        let changes =
            sides[1].iter().zip(&sides[0]).map(|(&new, &old)| f64::from(new) - f64::from(old));
        let slopes = gradient.into_data();
        let want: f64 = changes.zip(slopes).map(|(change, slope)| change * f64::from(slope)).sum();
        assert!(want != 0.0 && (estimate - want).abs() < 1e-6 * want.abs().max(1e-3), "{at}");
    }
}

#[pollster::test]
async fn what_does_not_exist_is_refused() {
    let session = opened_on(Autodiff::new(Cpu), "gpt2-tiny");
    let run = run_under(&session, &REPEATING, &json!({})).await;
    let shorter = run_under(&session, &REPEATING[1..], &json!({})).await;
    for (changed, code) in [
        (json!({"steps": 0}), "selection/bad-size"),
        (json!({"steps": 1001}), "selection/bad-size"),
        (json!({"stack": "cross"}), "selection/bad-stack"),
        (json!({"stack": "encoder"}), "selection/bad-stack"),
        (json!({"baseline": 1000}), "input/bad-id"),
        (json!({"baseline": "mask"}), "input/bad-id"),
    ] {
        let mut asked = json!({"target": target(), "stack": "decoder", "steps": 2});
        for (name, value) in changed.as_object().unwrap() {
            asked[name] = value.clone();
        }
        let refused = run.integrated_gradients(asked).await.unwrap_err();
        assert_eq!(refused.code.as_str(), code, "{changed}");
    }
    let asked = |stack: &str| json!({"target": target(), "stack": stack});
    let refused = [
        run.relevance(asked("cross")).await.unwrap_err(),
        run.gradient_norms(asked("cross")).await.unwrap_err(),
    ];
    assert!(refused.iter().all(|error| error.code.as_str() == "selection/bad-stack"));
    let at = json!({"stack": "decoder", "layer": 0, "step": "input"});
    let asked = json!({"target": target(), "at": [at]});
    let refused = run.patch_estimates(&shorter, asked).await.unwrap_err();
    assert_eq!(refused.code.as_str(), "selection/other-length");

    let session = opened_on(Autodiff::new(Cpu), "vit");
    let cases: Map<String, Value> = serde_json::from_str(CASES).unwrap();
    let picture = request(&cases["vit"]["case"], session.info().architecture);
    let run = finished(&session, &picture, None).await;
    let target = json!({"position": 0, "id": 1});
    let asked = json!({"target": target, "stack": "encoder", "steps": 2, "baseline": 0});
    let refused = run.integrated_gradients(asked).await.unwrap_err();
    assert_eq!(refused.code.as_str(), "input/wrong-kind");
}

/// The case with its tokens, and those of its target, in the opposite order.
fn backwards(case: &Value) -> Value {
    let mut case = case.clone();
    for name in ["ids", "target_ids"] {
        if let Some(ids) = case.get_mut(name).and_then(Value::as_array_mut) {
            ids.reverse();
        }
    }
    case
}
