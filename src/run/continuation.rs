//! The continuation that a request wants: how far a model goes on writing, and how it chooses each
//! token. Fields have the names and the meaning of Hugging Face's `GenerationConfig`, Transformers
//! 5.24; an absent field is what the model's files say.

use serde::{Deserialize, Serialize};

use crate::error::{Code, Error, Result, shown, whole};
use crate::model::{GenerationSettings, ModelConfig, Sampling};

/// The most new tokens of a request; the model's positions end a text long before.
const MOST_NEW_TOKENS: usize = 1_000_000;

/// The largest seed: a whole number that JavaScript still tells from its neighbours. It is wider
/// than an index in wasm.
const LARGEST_SEED: u64 = (1 << 53) - 1;

/// How a model goes on writing, in the names of Hugging Face's `GenerationConfig`. An absent field
/// is what the model's files say; `do_sample`, if absent, is false whatever they say.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
#[serde(deny_unknown_fields, default)]
pub struct GenerateRequest {
    /// The most new tokens; absent: as many as the model's generation settings say, else as its
    /// positions allow.
    pub max_new_tokens: Option<f64>,
    /// The fewest new tokens: until then no end token is written.
    pub min_new_tokens: Option<f64>,
    /// Whether each token is drawn by its probability, instead of the likeliest one written.
    pub do_sample: Option<bool>,
    /// The number that scores are divided by before a token is drawn, above 0.
    pub temperature: Option<f64>,
    /// The number of likeliest tokens of which one is drawn; 0 for all. By default 50.
    pub top_k: Option<f64>,
    /// The least probability, in total, of the likeliest tokens of which one is drawn: from 0 to 1.
    pub top_p: Option<f64>,
    /// The least probability of a token that may be drawn, as a share of the likeliest one's: from
    /// 0 to 1.
    pub min_p: Option<f64>,
    /// The divisor of positive scores, and the factor of others, of tokens that the text has.
    pub repetition_penalty: Option<f64>,
    /// The length of sequences of tokens that are never repeated; 0 for no limit.
    pub no_repeat_ngram_size: Option<f64>,
    /// Sequences of token ids that are never written.
    pub bad_words_ids: Option<Vec<Vec<f64>>>,
    /// Token ids that are never written.
    pub suppress_tokens: Option<Vec<f64>>,
    /// Token ids that are never written first.
    pub begin_suppress_tokens: Option<Vec<f64>>,
    /// The token id after a single first one.
    pub forced_bos_token_id: Option<f64>,
    /// The token ids of which one ends a text of the greatest length.
    pub forced_eos_token_id: Option<Vec<f64>>,
    /// The token ids that end a text.
    pub eos_token_id: Option<Vec<f64>>,
    /// The seed of the drawn numbers, a whole number from 0 to 2⁵³ − 1; by default 0. The same seed
    /// draws the same numbers on every machine.
    pub seed: Option<f64>,
}

/// A checked continuation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Continuation {
    /// The most new tokens.
    pub most: usize,
    /// The settings of the model's files, with those of the request in their place.
    pub settings: GenerationSettings,
    /// The seed of the drawn numbers, where tokens are drawn.
    pub seed: Option<u64>,
}

impl Continuation {
    /// Checks a request against a model and the number of tokens that are given to it.
    ///
    /// # Errors
    /// `input/out-of-range` for a value that a field does not take, `input/bad-id` for a token
    /// outside the vocabulary, `input/malformed` for fields of sampling without `do_sample` and for
    /// a setting of the files that sampling here does not follow, `input/too-long`.
    pub fn resolve(sent: &GenerateRequest, n_given: usize, config: &ModelConfig) -> Result<Self> {
        let reader = Reader { n_vocabulary: config.n_vocabulary };
        let settings = reader.settings(sent, &config.generation)?;
        let seed = Reader::seed(sent.seed)?.unwrap_or(0);
        let draws = sent.do_sample == Some(true);
        if draws {
            refuse_unfollowed(&settings)?;
        } else {
            refuse_sampling(sent)?;
        }
        Ok(Self { most: max_new(sent, n_given, config)?, settings, seed: draws.then_some(seed) })
    }
}

/// Reads the fields of a request.
struct Reader {
    n_vocabulary: usize,
}

impl Reader {
    /// The settings of the files, with those of the request in their place.
    fn settings(
        &self,
        sent: &GenerateRequest,
        files: &GenerationSettings,
    ) -> Result<GenerationSettings> {
        let mut settings = files.clone();
        let most = MOST_NEW_TOKENS;
        if let Some(least) = Self::count("min_new_tokens", sent.min_new_tokens, most)? {
            settings.min_new_tokens = Some(least);
        }
        if let Some(size) = Self::count("no_repeat_ngram_size", sent.no_repeat_ngram_size, most)? {
            settings.no_repeat_ngram = size;
        }
        if let Some(penalty) = Self::positive("repetition_penalty", sent.repetition_penalty)? {
            settings.repetition_penalty = penalty as f32;
        }
        if let Some(ids) = self.tokens("eos_token_id", sent.eos_token_id.as_deref())? {
            settings.end_tokens = ids;
        }
        if let Some(words) = &sent.bad_words_ids {
            settings.bad_words = self.words("bad_words_ids", words, &settings.end_tokens)?;
        }
        if let Some(ids) = self.tokens("suppress_tokens", sent.suppress_tokens.as_deref())? {
            settings.suppressed = ids;
        }
        let first = sent.begin_suppress_tokens.as_deref();
        if let Some(ids) = self.tokens("begin_suppress_tokens", first)? {
            settings.suppressed_first = ids;
        }
        if let Some(id) = sent.forced_bos_token_id {
            settings.forced_first = Some(self.token("forced_bos_token_id", id)?);
        }
        if let Some(ids) =
            self.tokens("forced_eos_token_id", sent.forced_eos_token_id.as_deref())?
        {
            settings.forced_last = ids;
        }
        refuse_suppressed(&settings)?;
        settings.sampling = Self::sampling(sent, settings.sampling)?;
        Ok(settings)
    }

    fn sampling(sent: &GenerateRequest, files: Sampling) -> Result<Sampling> {
        let top_k = Self::count("top_k", sent.top_k, u32::MAX as usize)?;
        Ok(Sampling {
            temperature: Self::positive("temperature", sent.temperature)?
                .unwrap_or(files.temperature),
            top_k: top_k.unwrap_or(files.top_k),
            top_p: Self::share("top_p", sent.top_p)?.unwrap_or(files.top_p),
            min_p: Self::share("min_p", sent.min_p)?.or(files.min_p),
        })
    }

    fn seed(sent: Option<f64>) -> Result<Option<u64>> {
        let read = |sent: f64| {
            let is_seed = sent.fract() == 0.0 && (0.0..=LARGEST_SEED as f64).contains(&sent);
            let expected = || format!("a whole number from 0 to {LARGEST_SEED}");
            #[expect(clippy::cast_sign_loss, reason = "the range begins at 0")]
            is_seed.then_some(sent as u64).ok_or_else(|| refuse("seed", expected(), sent))
        };
        sent.map(read).transpose()
    }

    fn count(field: &str, sent: Option<f64>, most: usize) -> Result<Option<usize>> {
        let read = |sent| {
            whole(sent, 0..=most)
                .ok_or_else(|| refuse(field, format!("a whole number from 0 to {most}"), sent))
        };
        sent.map(read).transpose()
    }

    fn positive(field: &str, sent: Option<f64>) -> Result<Option<f64>> {
        match sent {
            // As f32 it must be a number above 0 too.
            Some(value) if !(value as f32).is_finite() || (value as f32) <= 0.0 => {
                Err(refuse(field, "a number above 0".to_owned(), value))
            }
            given => Ok(given),
        }
    }

    fn share(field: &str, sent: Option<f64>) -> Result<Option<f64>> {
        match sent {
            Some(value) if !(0.0..=1.0).contains(&value) => {
                Err(refuse(field, "a number from 0 to 1".to_owned(), value))
            }
            given => Ok(given),
        }
    }

    fn token(&self, field: &str, sent: f64) -> Result<u32> {
        let largest = self.n_vocabulary.saturating_sub(1);
        whole(sent, 0..=largest).map(|id| id as u32).ok_or_else(|| {
            let expected = format!("token ids from 0 to {largest}");
            Error::new(Code::InputBadId, what(field), expected, shown(sent))
        })
    }

    fn tokens(&self, field: &str, sent: Option<&[f64]>) -> Result<Option<Vec<u32>>> {
        let read = |ids: &[f64]| ids.iter().map(|&id| self.token(field, id)).collect();
        sent.map(read).transpose()
    }

    /// The sequences that are never written. One end token alone is left out, as in Hugging Face.
    fn words(&self, field: &str, sent: &[Vec<f64>], ends: &[u32]) -> Result<Vec<Vec<u32>>> {
        let mut words = Vec::new();
        for word in sent {
            if word.is_empty() {
                let expected = "sequences of at least one token id";
                return Err(Error::new(
                    Code::InputMalformed,
                    what(field),
                    expected,
                    "an empty one",
                ));
            }
            let word: Vec<u32> =
                word.iter().map(|&id| self.token(field, id)).collect::<Result<_>>()?;
            if !matches!(word[..], [id] if ends.contains(&id)) {
                words.push(word);
            }
        }
        Ok(words)
    }
}

fn what(field: &str) -> String {
    format!("`{field}` of the continuation")
}

fn refuse(field: &str, expected: String, sent: f64) -> Error {
    Error::new(Code::InputOutOfRange, what(field), expected, shown(sent))
}

/// Refuses fields that only sampling reads, in a request for the likeliest tokens.
fn refuse_sampling(sent: &GenerateRequest) -> Result<()> {
    let GenerateRequest { temperature, top_k, top_p, min_p, seed, .. } = *sent;
    let fields = [
        ("temperature", temperature),
        ("top_k", top_k),
        ("top_p", top_p),
        ("min_p", min_p),
        ("seed", seed),
    ];
    let Some((field, _)) = fields.into_iter().find(|(_, value)| value.is_some()) else {
        return Ok(());
    };
    let expected = "`do_sample: true` beside it, since it changes no text of likeliest tokens";
    let got = if sent.do_sample.is_some() { "`do_sample: false`" } else { "no `do_sample`" };
    Err(Error::new(Code::InputMalformed, what(field), expected, got))
}

/// Refuses to draw tokens where the model's files truncate in a way that is not built in.
fn refuse_unfollowed(settings: &GenerationSettings) -> Result<()> {
    let Some((field, value)) = settings.unfollowed_sampling.first() else { return Ok(()) };
    let what = format!("`{field}` of the model's generation settings");
    let expected = "only temperature, top_k, top_p and min_p, which sampling here follows; remove \
                    the field from the file";
    Err(Error::new(Code::InputMalformed, what, expected, value.clone()))
}

/// Refuses a token that is forced and suppressed, as Hugging Face does.
fn refuse_suppressed(settings: &GenerationSettings) -> Result<()> {
    let is_suppressed = |id: &u32| settings.suppressed.contains(id);
    let last = &settings.forced_last;
    let forced = match settings.forced_first.filter(is_suppressed) {
        Some(id) => Some(("forced_bos_token_id", id)),
        None if last.iter().all(is_suppressed) => {
            last.first().map(|&id| ("forced_eos_token_id", id))
        }
        None => None,
    };
    let Some((field, id)) = forced else { return Ok(()) };
    let expected = "a token that `suppress_tokens` does not forbid";
    Err(Error::new(Code::InputMalformed, what(field), expected, format!("token {id}")))
}

/// The most new tokens: as many as the request says, else the model's files, else its positions.
fn max_new(sent: &GenerateRequest, n_given: usize, config: &ModelConfig) -> Result<usize> {
    if let Some(most) = Reader::count("max_new_tokens", sent.max_new_tokens, MOST_NEW_TOKENS)? {
        return Ok(most);
    }
    let settings = &config.generation;
    match (settings.max_new_tokens, settings.max_length) {
        (Some(most), _) => Ok(most),
        (None, Some(most)) if most > n_given => Ok(most - n_given),
        (None, Some(most)) => {
            let expected = format!(
                "fewer than {most} tokens before it, the `max_length` of the model's settings of \
                 generation; say how many tokens to write"
            );
            let got = format!("{n_given} tokens");
            Err(Error::new(Code::InputTooLong, "the text to write", expected, got))
        }
        (None, None) => Ok(config.max_tokens),
    }
}
