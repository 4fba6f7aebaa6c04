//! The continuation that a request wants: how far a model goes on writing, and how it chooses each
//! token. Fields have the names and the meaning of Hugging Face's `GenerationConfig`, Transformers
//! 5.24; an absent field is what the model's files say.

use serde::{Deserialize, Serialize};

use crate::error::{Code, Error, Result, shown, whole};
use crate::model::{EarlyStopping, GenerationSettings, ModelConfig, Sampling};

/// The most new tokens of a request; the model's positions end a text long before.
const MOST_NEW_TOKENS: usize = 1_000_000;

/// The most beams of a request: more than any use of them, and few enough to count without care.
const MOST_BEAMS: usize = 1_000;

/// The largest seed: a whole number that JavaScript still tells from its neighbours. It is wider
/// than an index in wasm.
const LARGEST_SEED: u64 = (1 << 53) - 1;

/// How a model goes on writing, in the names of Hugging Face's `GenerationConfig`. An absent field
/// is what the model's files say; `do_sample`, if absent, is false, and `num_beams` 1, whatever
/// they say.
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
    /// The number of texts that beam search writes side by side; 1, by default, for no search.
    pub num_beams: Option<f64>,
    /// The power of a text's length by which its sum of log-probabilities is divided: above 0 it
    /// favours long texts.
    pub length_penalty: Option<f64>,
    /// When the search ends, once as many texts are complete as there are beams: at once (`true`),
    /// when no other is likely to become better (`false`), or when none can (`"never"`).
    #[cfg_attr(test, ts(type = "boolean | \"never\"", optional))]
    pub early_stopping: Option<EarlyStopping>,
    /// The number of complete texts that are returned; absent: as many as there are beams.
    pub num_return_sequences: Option<f64>,
}

/// A checked continuation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Continuation {
    /// The most new tokens.
    pub most: usize,
    /// The settings of the model's files, with those of the request in their place.
    pub settings: GenerationSettings,
    /// How tokens are chosen.
    pub method: Method,
}

/// How tokens are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Method {
    /// The likeliest token of each step.
    Greedy,
    /// A token drawn by its probability.
    Sampling {
        /// The seed of the drawn numbers.
        seed: u64,
    },
    /// The likeliest texts by beam search.
    Beams(BeamSettings),
}

/// The settings of a beam search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BeamSettings {
    /// The number of texts that are written side by side, 2 or more.
    pub n_beams: usize,
    /// The power of a text's length by which its sum is divided.
    pub length_penalty: f64,
    /// When the search ends.
    pub early_stopping: EarlyStopping,
    /// The number of complete texts that are returned.
    pub n_returned: usize,
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
        let beams = reader.beams(sent, &settings)?;
        let method = match (sent.do_sample == Some(true), beams) {
            (true, Some(_)) => {
                let expected = "no `do_sample` beside it: beams are searched, not drawn";
                let got = "`do_sample: true`";
                return Err(Error::new(Code::InputMalformed, what("num_beams"), expected, got));
            }
            (true, None) => Method::Sampling { seed },
            (false, Some(beams)) => Method::Beams(beams),
            (false, None) => Method::Greedy,
        };
        if let Method::Sampling { .. } = method {
            refuse_unfollowed(&settings.unfollowed_sampling, SAMPLED)?;
        } else {
            refuse_sampling(sent)?;
        }
        if let Method::Beams(_) = method {
            refuse_unfollowed(&settings.unfollowed_beams, SEARCHED)?;
        } else {
            refuse_beams(sent)?;
        }
        Ok(Self { most: max_new(sent, n_given, config)?, settings, method })
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

    /// The settings of beam search; `None` for one beam.
    fn beams(
        &self,
        sent: &GenerateRequest,
        files: &GenerationSettings,
    ) -> Result<Option<BeamSettings>> {
        let n_beams = Self::at_least_one("num_beams", sent.num_beams, MOST_BEAMS)?.unwrap_or(1);
        let n_returned = sent.num_return_sequences;
        let n_returned = Self::at_least_one("num_return_sequences", n_returned, n_beams)?;
        if let Some(penalty) = sent.length_penalty.filter(|penalty| !penalty.is_finite()) {
            return Err(refuse("length_penalty", "a finite number".to_owned(), penalty));
        }
        // Hugging Face takes as many entries of the vocabulary.
        let n_candidates = n_beams * (1 + files.end_tokens.len()).max(2);
        if n_beams > 1 && n_candidates > self.n_vocabulary {
            let most = self.n_vocabulary;
            let expected = format!("fewer: {n_candidates} continuations are compared, of {most}");
            return Err(refuse("num_beams", expected, n_beams as f64));
        }
        Ok((n_beams > 1).then(|| BeamSettings {
            n_beams,
            length_penalty: sent.length_penalty.unwrap_or(files.length_penalty),
            early_stopping: sent.early_stopping.unwrap_or(files.early_stopping),
            n_returned: n_returned.unwrap_or(n_beams),
        }))
    }

    fn at_least_one(field: &str, sent: Option<f64>, most: usize) -> Result<Option<usize>> {
        let read = |sent| {
            whole(sent, 1..=most)
                .ok_or_else(|| refuse(field, format!("a whole number from 1 to {most}"), sent))
        };
        sent.map(read).transpose()
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

/// Refuses fields that only beam search reads, in a request for one beam.
fn refuse_beams(sent: &GenerateRequest) -> Result<()> {
    let fields = [
        ("length_penalty", sent.length_penalty.is_some()),
        ("early_stopping", sent.early_stopping.is_some()),
        ("num_return_sequences", sent.num_return_sequences.is_some_and(|n| n > 1.0)),
    ];
    let Some((field, _)) = fields.into_iter().find(|(_, is_sent)| *is_sent) else { return Ok(()) };
    let expected = "`num_beams` above 1 beside it, since it changes no text of one beam";
    Err(Error::new(Code::InputMalformed, what(field), expected, "one beam"))
}

/// The settings of files that sampling follows.
const SAMPLED: &str = "only temperature, top_k, top_p and min_p, which sampling here follows; remove \
                       the field from the file";

/// The settings of files that beam search follows.
const SEARCHED: &str = "only length_penalty and early_stopping, which beam search here follows; \
                        remove the field from the file";

/// Refuses a choice of tokens that the model's files change in a way that is not built in.
fn refuse_unfollowed(found: &[(String, String)], expected: &str) -> Result<()> {
    let Some((field, value)) = found.first() else { return Ok(()) };
    let what = format!("`{field}` of the model's generation settings");
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
