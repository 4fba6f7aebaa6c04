//! The settings and the batches of a training as they are sent, and what is made of them.
//!
//! Defaults are those of PyTorch's `AdamW` and `SGD`. A setting that its method does not use is
//! refused, since it would silently change nothing.

use serde::{Deserialize, Serialize};

use super::{Dropout, Example, Method, Optimiser, Schedule};
use crate::axes::named;
use crate::edits::wire::Edits;
use crate::error::{Code, Error, Result, shown, whole};
use crate::run::RunRequest;

named! {
    /// The rule of an update.
    MethodName, InputMalformed, "the method" {
        /// Adaptive moments with decoupled decay of weights (Loshchilov & Hutter 2019).
        AdamW = "adamw",
        /// Gradient descent with momentum.
        Sgd = "sgd",
    }
}

/// The settings of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TrainerSettings {
    /// The rule of an update.
    pub method: MethodName,
    /// The largest learning rate, η.
    pub learning_rate: f64,
    /// The number of steps in which the learning rate rises to the largest; by default 0.
    pub warm_up: Option<usize>,
    /// The number of the step at which the learning rate has fallen to 0 along half a cosine; by
    /// default it stays the largest.
    pub cosine_until: Option<usize>,
    /// The greatest length of a gradient, to which longer ones are scaled; by default none are.
    pub clip: Option<f64>,
    /// Of `adamw`: the decays β₁ and β₂ of the moments, by default 0.9 and 0.999.
    pub betas: Option<[f64; 2]>,
    /// Of `adamw`: the term ε of the divisor, by default 1e-8.
    pub epsilon: Option<f64>,
    /// Of `adamw`: the decay of weights λ, by default 0.01.
    pub weight_decay: Option<f64>,
    /// Of `sgd`: the share μ of the former step that is kept, by default 0.
    pub momentum: Option<f64>,
    /// The share of each target's probability that is spread over all entries, by default 0.
    pub label_smoothing: Option<f64>,
    /// The share of numbers of the embeddings, and of what attention and feed-forward network add
    /// to the residual stream, that is dropped in each step, by default 0.
    pub dropout: Option<f64>,
    /// The share of attention weights that is dropped in each step, by default 0.
    pub attention_dropout: Option<f64>,
    /// The seed of both, a whole number below 2³², by default 0.
    pub seed: Option<f64>,
}

/// A text to learn from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TrainingExample {
    /// The text's token ids, exactly as the model gets them.
    pub ids: Vec<f64>,
    /// The ids that the decoder of a translator reads, start token included.
    pub target_ids: Option<Vec<f64>>,
    /// The positions whose prediction is learned, each with the id that is right; of a translator
    /// positions of the target.
    pub targets: Vec<(usize, usize)>,
}

/// The texts of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TrainingBatch {
    /// The texts.
    pub examples: Vec<TrainingExample>,
    /// The edits under which the model computes them.
    pub edits: Option<Edits>,
}

impl TrainingBatch {
    /// The texts, each with the edits.
    pub fn into_examples(self) -> Vec<Example> {
        let Self { examples, edits } = self;
        let example = |TrainingExample { ids, target_ids, targets }| Example {
            request: RunRequest { ids, target_ids, edits: edits.clone(), ..RunRequest::default() },
            targets,
        };
        examples.into_iter().map(example).collect()
    }
}

impl TrainerSettings {
    /// The optimiser of these settings, before its first step.
    ///
    /// # Errors
    /// `input/out-of-range` for a number that makes no training, `input/malformed` for a setting
    /// that the method does not use.
    pub fn optimiser(&self) -> Result<Optimiser> {
        let schedule = Schedule {
            rate: number("learningRate", self.learning_rate, "above 0", |rate| rate > 0.0)?,
            warmup: self.warm_up.unwrap_or(0),
            cosine_until: self.cosine_until,
        };
        let clip = self.clip.map(|clip| number("clip", clip, "above 0", |clip| clip > 0.0));
        Ok(Optimiser::new(self.method()?, schedule, clip.transpose()?))
    }

    /// The dropout of these settings; `None` if nothing is dropped.
    ///
    /// # Errors
    /// `input/out-of-range` for a share or a seed that is none.
    pub fn dropout(&self) -> Result<Option<Dropout>> {
        let share = |name, share: Option<f64>| number(name, share.unwrap_or(0.0), SHARE, is_share);
        let stream = share("dropout", self.dropout)?;
        let attention = share("attentionDropout", self.attention_dropout)?;
        let seed = whole(self.seed.unwrap_or(0.0), 0..=u32::MAX as usize).ok_or_else(|| {
            let expected = "a whole number below 4294967296";
            let got = shown(self.seed.unwrap_or(0.0));
            Error::new(Code::InputOutOfRange, "the setting seed", expected, got)
        })?;
        let dropout = Dropout { stream, attention, seed: seed as u64 };
        Ok(Some(dropout).filter(|_| stream > 0.0 || attention > 0.0))
    }

    fn method(&self) -> Result<Method> {
        let of_adamw = [
            ("betas", self.betas.is_some()),
            ("epsilon", self.epsilon.is_some()),
            ("weightDecay", self.weight_decay.is_some()),
        ];
        let of_sgd = [("momentum", self.momentum.is_some())];
        match self.method {
            MethodName::AdamW => {
                unused(self.method, &of_sgd)?;
                let [first, second] = self.betas.unwrap_or([0.9, 0.999]);
                Ok(Method::AdamW {
                    betas: [
                        number("betas", first, SHARE, is_share)?,
                        number("betas", second, SHARE, is_share)?,
                    ],
                    epsilon: number(
                        "epsilon",
                        self.epsilon.unwrap_or(1e-8),
                        "above 0",
                        |epsilon| epsilon > 0.0,
                    )?,
                    weight_decay: number(
                        "weightDecay",
                        self.weight_decay.unwrap_or(0.01),
                        "from 0",
                        |decay| decay >= 0.0,
                    )?,
                })
            }
            MethodName::Sgd => {
                unused(self.method, &of_adamw)?;
                let momentum = number("momentum", self.momentum.unwrap_or(0.0), SHARE, is_share)?;
                Ok(Method::Sgd { momentum })
            }
        }
    }
}

/// The range of a share.
const SHARE: &str = "from 0 to below 1";

fn is_share(share: f64) -> bool {
    (0.0..1.0).contains(&share)
}

/// A finite number that the setting `name` can have.
fn number(name: &str, number: f64, range: &str, is_good: fn(f64) -> bool) -> Result<f64> {
    if number.is_finite() && is_good(number) {
        return Ok(number);
    }
    let expected = format!("a number {range}");
    Err(Error::new(Code::InputOutOfRange, format!("the setting {name}"), expected, shown(number)))
}

/// Refuses settings that a method does not use.
fn unused(method: MethodName, settings: &[(&str, bool)]) -> Result<()> {
    let Some((name, _)) = settings.iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    let what = format!("the settings of {}", method.name());
    Err(Error::new(Code::InputMalformed, what, "only those that it uses", *name))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_setting_that_makes_no_training_is_refused_by_name() {
        let cases = [
            (json!({"learningRate": 0}), Code::InputOutOfRange, "learningRate"),
            (json!({"learningRate": -1}), Code::InputOutOfRange, "learningRate"),
            (json!({"clip": 0}), Code::InputOutOfRange, "clip"),
            (json!({"betas": [0.9, 1]}), Code::InputOutOfRange, "betas"),
            (json!({"epsilon": 0}), Code::InputOutOfRange, "epsilon"),
            (json!({"weightDecay": -0.1}), Code::InputOutOfRange, "weightDecay"),
            (json!({"method": "sgd", "momentum": 1}), Code::InputOutOfRange, "momentum"),
            (json!({"seed": 0.5}), Code::InputOutOfRange, "seed"),
            (json!({"dropout": 1}), Code::InputOutOfRange, "dropout"),
            (json!({"attentionDropout": -0.1}), Code::InputOutOfRange, "attentionDropout"),
            (json!({"momentum": 0.9}), Code::InputMalformed, "momentum"),
            (json!({"method": "sgd", "betas": [0.9, 0.99]}), Code::InputMalformed, "betas"),
        ];
        for (changed, code, name) in cases {
            let mut sent = json!({"method": "adamw", "learningRate": 0.1});
            if let (Value::Object(all), Value::Object(changed)) = (&mut sent, changed.clone()) {
                all.extend(changed);
            }
            let settings: TrainerSettings = serde_json::from_value(sent).unwrap();
            let dropout = settings.dropout().err();
            let refused = settings.optimiser().err().or(dropout).unwrap();
            assert_eq!(refused.code, code, "{changed}");
            assert!(refused.to_string().contains(name), "{refused}");
        }
    }
}
