//! How a refusal is judged, and a model that is asked again after each attack.

use crate::support::{RunHandle, Session};
use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::error::Error;
use headscope::run::{GenerateRequest, RunRequest};
use serde_json::json;

use crate::support::{Reference, assert_same_bits, everything, families, finished, under};

/// Longer sentences are no help to a person.
const LONGEST_SENTENCE: usize = 520;

/// Refused with this code, in a sentence that holds all these words.
#[track_caller]
pub fn assert_refused<T>(result: Result<T, Error>, code: &str, words: &[&str], what: &str) {
    let Err(error) = result else { panic!("{what}: was not refused") };
    let sentence = error.to_string();
    assert_eq!(error.code.as_str(), code, "{what}: {sentence}");
    for word in words {
        assert!(sentence.contains(word), "{what}: no {word:?} in: {sentence}");
    }
    let length = sentence.chars().count();
    assert!(length <= LONGEST_SENTENCE, "{what}: a sentence of {length} characters: {sentence}");
    let says_what_to_do = !error.doing.is_empty() && !error.expected.is_empty();
    assert!(says_what_to_do && sentence.ends_with('.'), "{what}: {sentence}");
}

/// A loaded model with what it computed while all was well.
pub struct ReferenceModel {
    /// The folder it was loaded from.
    pub reference: Reference,
    /// The model.
    pub session: Session<Cpu>,
    before: Vec<(String, Tensor)>,
}

impl ReferenceModel {
    pub async fn new(reference: Reference) -> Self {
        let session = reference.load(Cpu);
        let before = answers(&session).await;
        Self { reference, session, before }
    }

    pub fn begin(&self, request: &RunRequest) -> Result<RunHandle<Cpu>, Error> {
        self.session.begin(request, None)
    }

    pub async fn run(&self, request: &RunRequest) -> RunHandle<Cpu> {
        finished(&self.session, request, None).await
    }

    /// Panics unless the loaded model, and the folder loaded anew, compute the same bits
    /// as before.
    pub async fn assert_still_runs(&self) {
        let name = self.reference.name;
        for session in [&self.session, &self.reference.load(Cpu)] {
            let after = answers(session).await;
            assert_eq!(after.len(), self.before.len(), "{name}: other answers");
            for ((label, before), (_, after)) in self.before.iter().zip(after) {
                let before = before.clone().into_data();
                let after = after.into_data();
                assert_same_bits(&after, &before, &format!("{name}: {label}"));
            }
        }
    }
}

/// A request that a model of any family takes: four tokens, and three of a translation.
pub fn good_request(session: &Session<Cpu>) -> RunRequest {
    let good = under(session, &[5.0, 9.0, 13.0, 2.0], &json!({}));
    RunRequest { target_ids: good.target_ids.map(|ids| ids[..3].to_vec()), edits: None, ..good }
}

/// The same request that goes on writing after what it has of a translation.
pub fn writing(request: RunRequest, max_tokens: f64) -> RunRequest {
    let generate =
        Some(GenerateRequest { max_new_tokens: Some(max_tokens), ..GenerateRequest::default() });
    RunRequest { generate, ..request }
}

/// Loaded models of all families.
pub async fn reference_models() -> Vec<ReferenceModel> {
    let mut all = Vec::new();
    for reference in families() {
        all.push(ReferenceModel::new(reference).await);
    }
    all
}

async fn answers(session: &Session<Cpu>) -> Vec<(String, Tensor)> {
    let run = finished(session, &good_request(session), None).await;
    everything(session, &run).await
}

/// Every number that can be read of a run, by its name.
pub async fn numbers(session: &Session<Cpu>, run: &RunHandle<Cpu>) -> Vec<(String, Vec<f32>)> {
    let all = everything(session, run).await;
    all.into_iter().map(|(name, tensor)| (name, tensor.into_data())).collect()
}

/// Panics unless every number is finite; masked scores may be −∞.
pub async fn assert_finite(session: &Session<Cpu>, run: &RunHandle<Cpu>, what: &str) {
    for (name, numbers) in numbers(session, run).await {
        let may_be_masked = name.ends_with(".masked");
        let bad =
            numbers.iter().find(|x| !(x.is_finite() || may_be_masked && **x == f32::NEG_INFINITY));
        assert_eq!(bad, None, "{what}: {name}");
    }
}
