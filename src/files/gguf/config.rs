//! The config.json of a GGUF file, derived from its metadata and its tensors.
//!
//! Numbers of the file are f32 and stay so. Derived fields follow llama.cpp's loader: a scaling
//! factor without a type is linear, `rope.scale_linear` is the old name of that factor, and Gemma's
//! largest models take the score scale from the width of the residual stream.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::super::source::Source;
use super::architectures::{Architecture, Constant, Key};
use super::header::{Metadata, Value, bad};
use crate::error::{Code, Error, Result};
use crate::warning::FieldWarning;

/// The layer counts of the models whose score scale is width divided by heads: Gemma 2 27B and
/// Gemma 3 27B. Their files do not state the scale; llama.cpp decides by the number of layers as
/// well.
const SCALED_BY_WIDTH: [(&str, u64); 2] = [("gemma2", 46), ("gemma3", 62)];

/// The shapes of a file's tensors, by their names in the file.
pub(super) type Shapes<'a> = BTreeMap<&'a str, &'a [u64]>;

/// The parts of a GGUF file from which the config is derived.
pub(super) struct Sources<'a> {
    pub source: &'a dyn Source,
    pub architecture: &'static Architecture,
    pub metadata: &'a Metadata,
    pub shapes: Shapes<'a>,
    /// The divisors of the frequencies of rotary positions, by the name of their tensor.
    pub factors: BTreeMap<String, Vec<f32>>,
}

impl Sources<'_> {
    /// The text of config.json, and warnings of the keys that no code reads.
    ///
    /// # Errors
    /// `config/bad-field` for a key that sets something that is not computed here.
    pub fn config(&self) -> Result<(String, Vec<FieldWarning>)> {
        let unread = self.check_keys()?;
        let mut config = Map::new();
        for &(name, value) in self.architecture.constants {
            config.insert(name.to_owned(), constant(value));
        }
        for (key, field) in self.architecture.fields() {
            if let Some(value) = self.field(key, field)? {
                config.insert(value.0.to_owned(), value.1);
            }
        }
        self.add_head_width(&mut config);
        self.add_vocabulary(&mut config);
        self.add_biases(&mut config);
        self.add_rotation(&mut config)?;
        self.add_own(&mut config)?;
        Ok((Json::Object(config).to_string(), unread))
    }

    /// The value of a key, named without its architecture.
    fn get(&self, key: &str) -> Option<&Value> {
        let name = self.metadata.text("general.architecture").unwrap_or_default();
        self.metadata.get(&format!("{name}.{key}"))
    }

    fn number(&self, key: &str) -> Option<f64> {
        self.get(key)?.number()
    }

    fn has(&self, tensor: &str) -> bool {
        self.shapes.contains_key(tensor)
    }

    /// Whether the first block has one of these tensors.
    fn has_one_of(&self, tensors: &[&str]) -> bool {
        tensors.iter().any(|tensor| self.has(&format!("blk.0.{tensor}")))
    }

    /// Refuses keys that set something that is not computed here; returns warnings of the keys that
    /// no code reads.
    fn check_keys(&self) -> Result<Vec<FieldWarning>> {
        let name = self.metadata.text("general.architecture").unwrap_or_default();
        let start = format!("{name}.");
        let mut unread = Vec::new();
        for (full, value) in &self.metadata.0 {
            let Some(key) = full.strip_prefix(&start) else {
                let outside = ["general.", "tokenizer.", "split.", "quantize.", "imatrix."];
                if !outside.iter().any(|start| full.starts_with(start)) {
                    unread.push(self.unread(full, value));
                }
                continue;
            };
            match self.architecture.key(key) {
                Some(Key::Only(only)) if !is_all(value, only) => {
                    return Err(self.refused(key, &format!("{only}, or no such key"), value));
                }
                Some(Key::Is(is)) if *value != Value::Bool(is) => {
                    return Err(self.refused(key, &is.to_string(), value));
                }
                Some(_) => {}
                None => unread.push(self.unread(full, value)),
            }
        }
        Ok(unread)
    }

    fn unread(&self, key: &str, value: &Value) -> FieldWarning {
        let value = plain(value).unwrap_or_else(|| json!(value.shown()));
        FieldWarning::without_effect(self.source.name(), key, value.to_string())
    }

    /// The error for a key whose value is not computed here.
    fn refused(&self, key: &str, expected: &str, value: &Value) -> Error {
        let name = self.metadata.text("general.architecture").unwrap_or_default();
        let doing = format!("{name}.{key} of {}", self.source.name());
        Error::new(Code::ConfigBadField, doing, expected, value.shown())
    }

    /// The field of config.json for a key, with its value; `None` if the file lacks the key.
    fn field(&self, key: &str, field: Key) -> Result<Option<(&'static str, Json)>> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let (name, found) = match field {
            Key::Size(name) => (name, size(value, self.layers()).map(|size| json!(size))),
            Key::Cap(name) if value.number() == Some(0.0) => (name, Some(Json::Null)),
            Key::Field(name) | Key::Cap(name) => (name, plain(value)),
            _ => return Ok(None),
        };
        let found = found.ok_or_else(|| self.refused(key, "a number for all layers", value))?;
        Ok(Some((name, found)))
    }

    fn layers(&self) -> u64 {
        self.get("block_count").and_then(|value| size(value, 1)).unwrap_or(0)
    }

    /// The width of one head, as the file states it or as width divided by heads.
    fn head_dim(&self) -> Option<f64> {
        let heads = self.get("attention.head_count").and_then(|value| size(value, self.layers()));
        let by_heads = || Some(self.number("embedding_length")? / heads.filter(|&n| n > 0)? as f64);
        self.number("attention.key_length").or_else(by_heads)
    }

    /// Adds the width of a head if the file does not state it: the model's width divided by the
    /// heads, whatever the family's default in Hugging Face is.
    #[expect(clippy::cast_sign_loss, reason = "a quotient of sizes")]
    fn add_head_width(&self, config: &mut Map<String, Json>) {
        let by_default =
            ["gemma", "gemma2", "gemma3", "gemma-embedding", "qwen3", "t5", "t5encoder"];
        if !by_default.contains(&self.architecture.name) {
            return;
        }
        if let (Some(Key::Size(field)), Some(width)) =
            (self.architecture.key("attention.key_length"), self.head_dim())
        {
            config.entry(field).or_insert_with(|| json!(width as u64));
        }
    }

    fn add_vocabulary(&self, config: &mut Map<String, Json>) {
        let rows = |tensor: &str| self.shapes.get(tensor).and_then(|shape| shape.first().copied());
        if let Some(words) = rows("token_embd.weight") {
            config.insert("vocab_size".to_owned(), json!(words));
        }
        if let Some(types) = rows("token_types.weight") {
            config.insert("type_vocab_size".to_owned(), json!(types));
        }
        for (field, token) in [("bos", "bos"), ("eos", "eos"), ("pad", "padding")] {
            let id = self.metadata.unsigned(&format!("tokenizer.ggml.{token}_token_id"));
            if let Some(id) = id {
                config.insert(format!("{field}_token_id"), json!(id));
            }
        }
        let is_tied = !self.has("output.weight");
        config.insert("tie_word_embeddings".to_owned(), json!(is_tied));
    }

    /// Adds flags for the biases that not every file of the architecture has.
    fn add_biases(&self, config: &mut Map<String, Json>) {
        let attention = ["attn_q.bias", "attn_k.bias", "attn_v.bias"];
        let has_output = self.has_one_of(&["attn_output.bias"]);
        let has_input = self.has_one_of(&attention) || self.has_one_of(&["attn_qkv.bias"]);
        let network = ["ffn_up.bias", "ffn_gate.bias", "ffn_down.bias"];
        let has_network = self.has_one_of(&network);
        let name = self.architecture.name;
        let flags: &[(&str, bool)] = match name {
            "stablelm" => &[("use_qkv_bias", has_input)],
            "starcoder2" => &[("use_bias", has_input || has_output || has_network)],
            // The biases of Qwen 2 exist whatever its config says.
            "gptneox" | "gpt2" | "bert" | "distilbert" | "t5" | "t5encoder" | "qwen2" => &[],
            _ => &[("attention_bias", has_input || has_output), ("mlp_bias", has_network)],
        };
        // A model without biases sets no flag: not every family has the fields. The flag of
        // StarCoder 2 is true if absent.
        for &(field, value) in flags.iter().filter(|flag| flag.1 || name == "starcoder2") {
            config.insert(field.to_owned(), json!(value));
        }
    }

    /// Adds the fields of rotary positions.
    fn add_rotation(&self, config: &mut Map<String, Json>) -> Result<()> {
        let usual = self.architecture.key("rope.freq_base") == Some(Key::Read);
        if let Some(base) = self.number("rope.freq_base").filter(|_| usual) {
            config.insert("rope_theta".to_owned(), json!(base));
        }
        if let (Some(turned), Some(width)) = (self.number("rope.dimension_count"), self.head_dim())
            && turned != width
        {
            let Some(field) = self.architecture.turned_share.filter(|_| turned < width) else {
                let value = Value::Float(turned);
                return Err(self.refused("rope.dimension_count", &width.to_string(), &value));
            };
            // A quarter of a dimension more: no rounding of the share may lose a dimension.
            config.insert(field.to_owned(), json!((turned + 0.25) / width));
        }
        let values = self.number("attention.value_length");
        if let (Some(values), Some(width)) = (values, self.head_dim())
            && values != width
        {
            let value = Value::Float(values);
            return Err(self.refused("attention.value_length", &width.to_string(), &value));
        }
        self.add_scaling(config)
    }

    /// Adds the scaling of rotary positions for longer texts.
    fn add_scaling(&self, config: &mut Map<String, Json>) -> Result<()> {
        // Llama's factors apply to texts of every length, Phi's to those of the original length.
        let always = self.factors.get("rope_freqs.weight");
        let short = always.or_else(|| self.factors.get("rope_factors_short.weight"));
        let named = self.get("rope.scaling.type");
        let factor = self.number("rope.scaling.factor").or(self.number("rope.scale_linear"));
        let factor = factor.filter(|&factor| factor != 0.0);
        let kind = match named {
            _ if short.is_some() => "longrope",
            Some(Value::Text(name)) => name,
            Some(value) => return Err(self.refused("rope.scaling.type", "a text", value)),
            None => "linear",
        };
        let mut scaling = Map::new();
        match kind {
            "none" => return Ok(()),
            // llama.cpp takes 1 for an absent factor.
            "linear" if factor.is_none_or(|factor| factor == 1.0) => return Ok(()),
            "linear" | "longrope" => {}
            "yarn" => {
                for end in ["fast", "slow"] {
                    if let Some(beta) = self.number(&format!("rope.scaling.yarn_beta_{end}")) {
                        scaling.insert(format!("beta_{end}"), json!(beta));
                    }
                }
            }
            other => {
                let value = Value::Text(other.to_owned());
                let expected = "none, linear, yarn or longrope";
                return Err(self.refused("rope.scaling.type", expected, &value));
            }
        }
        let attention = self.number("rope.scaling.attn_factor");
        if kind != "longrope"
            && let Some(value) = attention.filter(|&value| value != 1.0)
        {
            let value = Value::Float(value);
            return Err(self.refused("rope.scaling.attn_factor", "1, or no such key", &value));
        }
        scaling.insert("rope_type".to_owned(), json!(kind));
        if let Some(factor) = factor.filter(|_| always.is_none()) {
            scaling.insert("factor".to_owned(), json!(factor));
        }
        let original = self.get("rope.scaling.original_context_length");
        if let Some(original) = original.and_then(|value| size(value, self.layers()))
            && always.is_none()
        {
            let original = json!(original);
            scaling.insert("original_max_position_embeddings".to_owned(), original);
        }
        if let Some(short) = short {
            scaling.insert("short_factor".to_owned(), json!(short));
            if let Some(long) = self.factors.get("rope_factors_long.weight") {
                scaling.insert("long_factor".to_owned(), json!(long));
            }
            let attention = if always.is_some() { Some(1.0) } else { attention };
            if let Some(attention) = attention {
                scaling.insert("attention_factor".to_owned(), json!(attention));
            }
        }
        config.insert("rope_scaling".to_owned(), Json::Object(scaling));
        Ok(())
    }

    /// Adds the fields of a single architecture.
    fn add_own(&self, config: &mut Map<String, Json>) -> Result<()> {
        match self.architecture.name {
            "llama" if self.number("attention.sliding_window").unwrap_or(0.0) > 0.0 => {
                config.insert("model_type".to_owned(), json!("mistral"));
            }
            "stablelm" => {
                let is_parallel = !self.has("blk.0.ffn_norm.weight");
                config.insert("use_parallel_residual".to_owned(), json!(is_parallel));
            }
            "gemma2" | "gemma3" | "gemma-embedding" => self.add_gemma(config)?,
            "t5" | "t5encoder" => {
                let is_gated = self.has("enc.blk.0.ffn_gate.weight");
                let network = if is_gated { "gated-gelu" } else { "relu" };
                config.insert("feed_forward_proj".to_owned(), json!(network));
                if self.architecture.name == "t5encoder" {
                    config.insert("architectures".to_owned(), json!(["T5EncoderModel"]));
                    // An encoder has no output projection that could be tied to the table.
                    config.remove("tie_word_embeddings");
                }
            }
            _ => {}
        }
        if self.architecture.name.starts_with("t5") {
            // T5 has as many key/value heads as query heads.
            let [own, all] = ["attention.head_count_kv", "attention.head_count"]
                .map(|key| self.get(key).and_then(|value| size(value, self.layers())));
            if own.is_some() && own != all {
                return Err(bad(self.source, "as many heads of keys as of queries", "others"));
            }
        }
        Ok(())
    }

    fn add_gemma(&self, config: &mut Map<String, Json>) -> Result<()> {
        let name = self.architecture.name;
        let heads = self.get("attention.head_count").and_then(|value| size(value, self.layers()));
        let by_width = SCALED_BY_WIDTH.contains(&(name, self.layers()));
        let by_width = by_width.then(|| {
            Some(self.number("embedding_length")? / heads.filter(|&heads| heads > 0)? as f64)
        });
        if let Some(width) = by_width.flatten().or_else(|| self.head_dim()) {
            config.insert("query_pre_attn_scalar".to_owned(), json!(width));
        }
        match self.get("attention.sliding_window_pattern") {
            None => {}
            Some(Value::List(list)) => {
                let kinds = list.values().map(|value| match value {
                    Value::Bool(true) => "sliding_attention",
                    _ => "full_attention",
                });
                config.insert("layer_types".to_owned(), json!(kinds.collect::<Vec<_>>()));
            }
            Some(value) => {
                let every = size(value, self.layers());
                let expected = "a whole number, or true or false for each layer";
                let refused = || self.refused("attention.sliding_window_pattern", expected, value);
                let every = every.ok_or_else(refused)?;
                config.insert("sliding_window_pattern".to_owned(), json!(every));
            }
        }
        Ok(())
    }
}

fn constant(value: Constant) -> Json {
    match value {
        Constant::Text(text) => json!(text),
        Constant::Flag(flag) => json!(flag),
        Constant::Number(number) => json!(number),
        Constant::Null => Json::Null,
    }
}

/// A whole number, or the number that a list repeats for each layer.
fn size(value: &Value, layers: u64) -> Option<u64> {
    match value {
        Value::Unsigned(number) => Some(*number),
        Value::List(list) if list.count as u64 == layers => {
            let mut numbers = list.values();
            let first = numbers.next()?;
            let is_for_all = numbers.all(|next| next == first);
            is_for_all.then(|| size(&first, layers)).flatten()
        }
        _ => None,
    }
}

/// A number or a flag as JSON.
fn plain(value: &Value) -> Option<Json> {
    match *value {
        Value::Unsigned(number) => Some(json!(number)),
        Value::Negative(number) => Some(json!(number)),
        Value::Float(number) => Some(json!(number)),
        Value::Bool(flag) => Some(json!(flag)),
        _ => None,
    }
}

/// Whether a value, or each value of a list, equals `only` in f32.
fn is_all(value: &Value, only: f64) -> bool {
    match value {
        Value::List(list) => list.values().all(|value| is_all(&value, only)),
        Value::Bool(flag) => f64::from(u8::from(*flag)) == only,
        // Files hold f32.
        value => value.number().is_some_and(|number| number as f32 == only as f32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Bytes;

    fn config(name: &str, keys: &[(&str, u64)]) -> Json {
        let keys = keys.iter().map(|&(key, number)| (format!("{name}.{key}"), number));
        let mut all: BTreeMap<_, _> =
            keys.map(|(key, number)| (key, Value::Unsigned(number))).collect();
        all.insert("general.architecture".to_owned(), Value::Text(name.to_owned()));
        let about = Sources {
            source: &Bytes::new("a.gguf", &[]),
            architecture: Architecture::of(name, true).expect("an architecture"),
            metadata: &Metadata(all),
            shapes: BTreeMap::new(),
            factors: BTreeMap::new(),
        };
        let (config, unread) = about.config().expect("a config");
        assert_eq!(unread, []);
        serde_json::from_str(&config).expect("a JSON object")
    }

    /// The sizes of Gemma 2 9B and 27B: the files differ in nothing that names a scale.
    #[test]
    fn the_largest_gemmas_scale_by_the_share_of_a_head() {
        let of = |layers, width, heads, head| {
            let keys = [
                ("block_count", layers),
                ("embedding_length", width),
                ("attention.head_count", heads),
                ("attention.key_length", head),
            ];
            config("gemma2", &keys)["query_pre_attn_scalar"].clone()
        };
        assert_eq!(of(42, 3584, 16, 256), json!(256.0));
        assert_eq!(of(46, 4608, 32, 128), json!(144.0));
    }

    #[test]
    fn a_share_of_a_head_that_is_turned_is_never_rounded_down() {
        for (turned, width) in [(5, 24), (7, 10), (13, 80), (24, 96)] {
            let keys = [("attention.key_length", width), ("rope.dimension_count", turned)];
            let share = config("phi3", &keys)["partial_rotary_factor"].as_f64().expect("a share");
            #[expect(clippy::cast_sign_loss, reason = "a share is positive")]
            let whole = (share * width as f64) as u64;
            assert_eq!(whole, turned);
        }
    }
}
