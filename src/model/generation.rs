//! Settings of generation in a model's files, and a class for every key that the files may have.
//!
//! Source: Hugging Face's `GenerationConfig`, Transformers 5.24.

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::error::{Code, Error, Result};
use crate::warning::FieldWarning;

/// How scores are changed before a token is drawn by its probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampling {
    /// `temperature`: the number that scores are divided by, above 0.
    pub temperature: f64,
    /// `top_k`: the number of likeliest tokens of which one is drawn; 0 for all.
    pub top_k: usize,
    /// `top_p`: the least probability, in total, of the likeliest tokens of which one is drawn.
    pub top_p: f64,
    /// `min_p`: the least probability of a token, as a share of the likeliest one's.
    pub min_p: Option<f64>,
}

impl Default for Sampling {
    fn default() -> Self {
        Self { temperature: 1.0, top_k: 50, top_p: 1.0, min_p: None }
    }
}

/// When beam search ends, once as many texts are complete as there are beams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EarlyStopping {
    /// `true`: at once.
    Full,
    /// `false`: when the best text that is not complete, ended now, would have no better score.
    #[default]
    Unlikely,
    /// `"never"`: when it could have no better score at any length.
    Never,
}

impl Serialize for EarlyStopping {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Full => serializer.serialize_bool(true),
            Self::Unlikely => serializer.serialize_bool(false),
            Self::Never => serializer.serialize_str("never"),
        }
    }
}

impl<'de> Deserialize<'de> for EarlyStopping {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(EarlyStoppingVisitor)
    }
}

struct EarlyStoppingVisitor;

impl Visitor<'_> for EarlyStoppingVisitor {
    type Value = EarlyStopping;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("true, false or \"never\" for `early_stopping`")
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> std::result::Result<EarlyStopping, E> {
        Ok(if value { EarlyStopping::Full } else { EarlyStopping::Unlikely })
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> std::result::Result<EarlyStopping, E> {
        match value {
            "never" => Ok(EarlyStopping::Never),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(value), &self)),
        }
    }
}

/// The settings of generation. Tokens are ids of the model's vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerationSettings {
    /// The first token of a generated text: `decoder_start_token_id` of a translator, else
    /// `bos_token_id`.
    pub start_token: Option<u32>,
    /// `eos_token_id`: the tokens that end a text.
    pub end_tokens: Vec<u32>,
    /// `forced_bos_token_id`: the token after a single first one, such as a language (mBART, NLLB).
    pub forced_first: Option<u32>,
    /// `forced_eos_token_id`: the last token of a text of the greatest length.
    pub forced_last: Vec<u32>,
    /// `bad_words_ids`: sequences of tokens that are never generated.
    pub bad_words: Vec<Vec<u32>>,
    /// `suppress_tokens`: tokens that are never generated.
    pub suppressed: Vec<u32>,
    /// `begin_suppress_tokens`: tokens that are never generated first.
    pub suppressed_first: Vec<u32>,
    /// `no_repeat_ngram_size`: the length of sequences that are never repeated; 0 for no limit.
    pub no_repeat_ngram: usize,
    /// `repetition_penalty`: the divisor of positive scores, and the factor of others, of tokens
    /// that the text already has.
    pub repetition_penalty: f32,
    /// `min_length`: the least length of a text, in tokens, the first ones included.
    pub min_length: usize,
    /// `min_new_tokens`: the least number of generated tokens; in place of `min_length`.
    pub min_new_tokens: Option<usize>,
    /// `max_length`: the greatest length of a text, in tokens, the first ones included.
    pub max_length: Option<usize>,
    /// `max_new_tokens`: the greatest number of generated tokens; in place of `max_length`.
    pub max_new_tokens: Option<usize>,
    /// The changes of scores before a token is drawn.
    pub sampling: Sampling,
    /// Keys with their values that change which token is drawn, and that are not followed.
    pub unfollowed_sampling: Vec<(String, String)>,
    /// `length_penalty`: the power of a text's length by which beam search divides its sum.
    pub length_penalty: f64,
    /// `early_stopping`: when beam search ends.
    pub early_stopping: EarlyStopping,
    /// Keys with their values that change the texts of beam search, and that are not followed.
    pub unfollowed_beams: Vec<(String, String)>,
}

impl Default for GenerationSettings {
    fn default() -> Self {
        Self {
            start_token: None,
            end_tokens: Vec::new(),
            forced_first: None,
            forced_last: Vec::new(),
            bad_words: Vec::new(),
            suppressed: Vec::new(),
            suppressed_first: Vec::new(),
            no_repeat_ngram: 0,
            repetition_penalty: 1.0,
            min_length: 0,
            min_new_tokens: None,
            max_length: None,
            max_new_tokens: None,
            sampling: Sampling::default(),
            unfollowed_sampling: Vec::new(),
            length_penalty: 1.0,
            early_stopping: EarlyStopping::default(),
            unfollowed_beams: Vec::new(),
        }
    }
}

/// The name of the file with a model's own settings.
const GENERATION_CONFIG: &str = "generation_config.json";

/// The effect of a key on the written text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// `GenerationSettings` has the key.
    Used,
    /// The text is the same with any value.
    Irrelevant,
    /// The likeliest tokens are the same with any value; drawn tokens may be others.
    Drawing,
    /// The likeliest tokens are the same with any value; texts of beam search may be others.
    Searching,
    /// Hugging Face may write another text with this value.
    Changing,
    /// The key is no setting of Transformers 5.24.
    Unknown,
}

/// The class of a key with a value that is not null.
#[expect(clippy::match_same_arms, reason = "each arm has a reason of its own")]
fn class_of(key: &str, value: &Value) -> Class {
    let changing =
        |is_changing: bool| if is_changing { Class::Changing } else { Class::Irrelevant };
    let is_number = |number: f64| value.as_f64() == Some(number);
    match key {
        "decoder_start_token_id"
        | "bos_token_id"
        | "eos_token_id"
        | "forced_bos_token_id"
        | "forced_eos_token_id"
        | "bad_words_ids"
        | "suppress_tokens"
        | "begin_suppress_tokens"
        | "no_repeat_ngram_size"
        | "repetition_penalty"
        | "min_length"
        | "min_new_tokens"
        | "max_length"
        | "max_new_tokens"
        | "temperature"
        | "top_k"
        | "top_p"
        | "min_p"
        | "length_penalty"
        | "early_stopping" => Class::Used,

        // Padding of several texts; here one text is generated.
        "pad_token_id" => Class::Irrelevant,
        // Truncations of sampling at their neutral value.
        "typical_p" if is_number(1.0) => Class::Irrelevant,
        "epsilon_cutoff" | "eta_cutoff" if is_number(0.0) => Class::Irrelevant,
        "top_h" | "typical_p" | "epsilon_cutoff" | "eta_cutoff" => Class::Drawing,
        // Settings of beam search at their neutral value.
        "num_beam_groups" if is_number(1.0) => Class::Irrelevant,
        "diversity_penalty" if is_number(0.0) => Class::Irrelevant,
        "low_memory" | "renormalize_logits" if value == &Value::Bool(false) => Class::Irrelevant,
        // The order of the scores of one text stays.
        "num_beam_groups" | "diversity_penalty" | "low_memory" | "renormalize_logits" => {
            Class::Searching
        }
        // The number of texts, not their content.
        "num_return_sequences" => Class::Irrelevant,
        // Settings of speed and memory.
        "use_cache"
        | "cache_config"
        | "max_cache_len"
        | "prefill_chunk_size"
        | "compile_config"
        | "disable_compile"
        | "continuous_batching_config" => Class::Irrelevant,
        // Outputs besides the tokens.
        "output_attentions"
        | "output_hidden_states"
        | "output_scores"
        | "output_logits"
        | "return_dict_in_generate" => Class::Irrelevant,
        // Scores that are not finite are refused.
        "remove_invalid_values" => Class::Irrelevant,
        // Settings of drafts by a second model or by the text; the model keeps what it would
        // generate.
        "is_assistant"
        | "num_assistant_tokens"
        | "num_assistant_tokens_schedule"
        | "assistant_confidence_threshold"
        | "assistant_early_exit"
        | "assistant_lookbehind"
        | "assistant_ensemble_weight"
        | "target_lookbehind"
        | "prompt_lookup_num_tokens"
        | "max_matching_ngram_size"
        | "speculation_type"
        | "use_mtp" => Class::Irrelevant,
        // The origin of the file.
        "transformers_version" | "_from_model_config" | "_commit_hash" => Class::Irrelevant,

        "num_beams" => changing(!is_number(1.0)),
        "do_sample" | "token_healing" => changing(value != &Value::Bool(false)),
        "guidance_scale" | "encoder_repetition_penalty" => changing(!is_number(1.0)),
        "encoder_no_repeat_ngram_size" | "penalty_alpha" => changing(!is_number(0.0)),
        "cache_implementation" => changing(value.as_str() == Some("quantized")),
        "sequence_bias"
        | "exponential_decay_length_penalty"
        | "stop_strings"
        | "max_time"
        | "watermarking_config"
        | "dola_layers"
        | "constraints"
        | "force_words_ids" => Class::Changing,
        _ => Class::Unknown,
    }
}

/// Whether a key of `config.json` is a setting of generation.
pub(super) fn is_setting(key: &str) -> bool {
    key == FORCE_FIRST || class_of(key, &Value::Null) != Class::Unknown
}

/// A key of `config.json` alone that forces `bos_token_id` (BART's first configs).
const FORCE_FIRST: &str = "force_bos_token_to_be_generated";

impl GenerationSettings {
    /// The settings of `generation_config.json`, or of `config.json` if there is no such file.
    /// `is_translator` says whether the decoder has cross-attention. A setting that is not followed
    /// becomes a warning.
    ///
    /// # Errors
    /// `config/not-json` for a file that is no JSON object.
    pub(super) fn read(
        own: Option<&str>,
        config: &Map<String, Value>,
        n_vocabulary: usize,
        is_translator: bool,
        warnings: &mut Vec<FieldWarning>,
    ) -> Result<Self> {
        let parsed = own.map(parsed).transpose()?;
        let (file, fields) = match &parsed {
            Some(fields) => (GENERATION_CONFIG, fields),
            None => ("config.json", config),
        };
        let mut reader = Reader { file, fields, n_vocabulary, warnings };
        let mut settings = reader.settings(is_translator);
        if parsed.is_none() && config.get(FORCE_FIRST) == Some(&Value::Bool(true)) {
            settings.forced_first = reader.token("bos_token_id");
        }
        reader.refuse_suppressed(&mut settings);
        reader.warn_of_others(parsed.is_some());
        Ok(settings)
    }
}

fn parsed(text: &str) -> Result<Map<String, Value>> {
    serde_json::from_str(text).map_err(|error| {
        let got = error.to_string();
        Error::new(Code::ConfigNotJson, GENERATION_CONFIG, "a JSON object", got)
    })
}

/// A file of settings, read key by key.
struct Reader<'a> {
    file: &'a str,
    fields: &'a Map<String, Value>,
    n_vocabulary: usize,
    warnings: &'a mut Vec<FieldWarning>,
}

impl Reader<'_> {
    fn settings(&mut self, is_translator: bool) -> GenerationSettings {
        let end_tokens = self.tokens("eos_token_id");
        GenerationSettings {
            start_token: match is_translator {
                true if self.get("decoder_start_token_id").is_some() => {
                    self.token("decoder_start_token_id")
                }
                true => self.token("bos_token_id"),
                // A text begins as its tokenizer encodes it.
                false => self.tokens("bos_token_id").first().copied(),
            },
            forced_first: self.token("forced_bos_token_id"),
            forced_last: self.tokens("forced_eos_token_id"),
            bad_words: self.bad_words(&end_tokens),
            end_tokens,
            suppressed: self.tokens("suppress_tokens"),
            suppressed_first: self.tokens("begin_suppress_tokens"),
            no_repeat_ngram: self.count("no_repeat_ngram_size").unwrap_or(0),
            repetition_penalty: self.number("repetition_penalty", is_factor).unwrap_or(1.0) as f32,
            min_length: self.count("min_length").unwrap_or(0),
            min_new_tokens: self.count("min_new_tokens"),
            max_length: self.count("max_length"),
            max_new_tokens: self.count("max_new_tokens").filter(|&most| most > 0),
            sampling: self.sampling(),
            unfollowed_sampling: self.of_class(Class::Drawing),
            length_penalty: self.number("length_penalty", f64::is_finite).unwrap_or(1.0),
            early_stopping: self.early_stopping(),
            unfollowed_beams: self.of_class(Class::Searching),
        }
    }

    fn sampling(&mut self) -> Sampling {
        let usual = Sampling::default();
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        Sampling {
            temperature: self.number("temperature", is_factor).unwrap_or(usual.temperature),
            top_k: self.count("top_k").unwrap_or(usual.top_k),
            top_p: self.number("top_p", is_share).unwrap_or(usual.top_p),
            min_p: self.number("min_p", is_share),
        }
    }

    fn early_stopping(&mut self) -> EarlyStopping {
        let key = "early_stopping";
        let Some(value) = self.get(key) else { return EarlyStopping::default() };
        EarlyStopping::deserialize(value).unwrap_or_else(|_| {
            self.warn(key);
            EarlyStopping::default()
        })
    }

    /// The keys of a class, with their values.
    fn of_class(&self, class: Class) -> Vec<(String, String)> {
        let given = self.fields.iter().filter(|(_, value)| !value.is_null());
        let found = given.filter(|(key, value)| class_of(key, value) == class);
        found.map(|(key, value)| (key.clone(), value.to_string())).collect()
    }

    /// The value of a key, unless it is absent or null.
    fn get(&self, key: &str) -> Option<&Value> {
        self.fields.get(key).filter(|value| !value.is_null())
    }

    /// Warns that Hugging Face may write another text with a key's value, or refuses the value.
    fn warn(&mut self, key: &str) {
        let value = self.fields.get(key).map(Value::to_string).unwrap_or_default();
        self.warnings.push(FieldWarning::of_generation(self.file, key, value));
    }

    /// The token id of a key. With an unusable value Hugging Face writes nothing at all: a warning.
    fn token(&mut self, key: &str) -> Option<u32> {
        let found = token(self.get(key)?, self.n_vocabulary);
        if found.is_none() {
            self.warn(key);
        }
        found
    }

    /// The token ids of a key, a list or a single id. An id outside the vocabulary is never
    /// generated, so it changes nothing, but gives a warning.
    fn tokens(&mut self, key: &str) -> Vec<u32> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let listed = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        let are_whole = listed.iter().all(|id| id.is_i64() || id.is_u64());
        let found: Vec<u32> = listed.iter().filter_map(|id| token(id, self.n_vocabulary)).collect();
        if !are_whole {
            self.warn(key);
        } else if found.len() < listed.len() || found.is_empty() {
            let value = value.to_string();
            self.warnings.push(FieldWarning::without_effect(self.file, key, value));
        }
        found
    }

    /// The sequences of tokens that are never generated. A sequence of one end token is left out.
    /// Hugging Face refuses a sequence with an id outside the vocabulary.
    fn bad_words(&mut self, end_tokens: &[u32]) -> Vec<Vec<u32>> {
        let key = "bad_words_ids";
        let Some(value) = self.get(key) else { return Vec::new() };
        let listed = value.as_array().map(Vec::as_slice).unwrap_or_default();
        let found: Vec<Vec<u32>> =
            listed.iter().filter_map(|word| word_of(word, self.n_vocabulary)).collect();
        if found.len() < listed.len() || found.is_empty() {
            self.warn(key);
        }
        let is_end = |word: &[u32]| matches!(word, [id] if end_tokens.contains(id));
        found.into_iter().filter(|word| !is_end(word)).collect()
    }

    /// The value of a key that is a number of tokens.
    fn count(&mut self, key: &str) -> Option<usize> {
        let found = self.get(key)?.as_u64().and_then(|count| usize::try_from(count).ok());
        if found.is_none() || (key == "max_new_tokens" && found == Some(0)) {
            self.warn(key);
        }
        found
    }

    /// The value of a key that is a number in a range.
    fn number(&mut self, key: &str, is_usable: impl Fn(f64) -> bool) -> Option<f64> {
        let found = self.get(key)?.as_f64().filter(|&value| is_usable(value));
        if found.is_none() {
            self.warn(key);
        }
        found
    }

    /// Drops forced tokens that are also suppressed, which Hugging Face refuses, with a warning.
    fn refuse_suppressed(&mut self, settings: &mut GenerationSettings) {
        let is_suppressed = |id: &u32| settings.suppressed.contains(id);
        let has_no_first = settings.forced_first.as_ref().is_some_and(is_suppressed);
        let last = &settings.forced_last;
        let has_no_last = !last.is_empty() && last.iter().all(is_suppressed);
        if has_no_first {
            settings.forced_first = None;
            self.warn("forced_bos_token_id");
        }
        if has_no_last {
            settings.forced_last.clear();
            self.warn("forced_eos_token_id");
        }
    }

    /// Warns of the settings that generation does not follow by default. A key of `config.json`
    /// that is no setting of generation belongs to another reader.
    fn warn_of_others(&mut self, are_settings: bool) {
        for (key, value) in self.fields.iter().filter(|(_, value)| !value.is_null()) {
            let warning = match class_of(key, value) {
                Class::Changing => FieldWarning::of_generation,
                Class::Unknown if are_settings => FieldWarning::without_effect,
                Class::Unknown
                | Class::Used
                | Class::Irrelevant
                | Class::Drawing
                | Class::Searching => continue,
            };
            self.warnings.push(warning(self.file, key, value.to_string()));
        }
    }
}

/// Whether a number is above 0 as f32 too.
fn is_factor(value: f64) -> bool {
    (value as f32).is_finite() && value as f32 > 0.0
}

fn token(value: &Value, n_vocabulary: usize) -> Option<u32> {
    let id = u32::try_from(value.as_u64()?).ok()?;
    Some(id).filter(|&id| (id as usize) < n_vocabulary)
}

/// The tokens of one sequence; `None` if it is empty or has an id outside the vocabulary.
fn word_of(value: &Value, n_vocabulary: usize) -> Option<Vec<u32>> {
    let ids: Option<Vec<u32>> =
        value.as_array()?.iter().map(|id| token(id, n_vocabulary)).collect();
    ids.filter(|ids| !ids.is_empty())
}
