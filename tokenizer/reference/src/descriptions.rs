//! Descriptions of tokenizers: every kind of model, normalizer, pre-tokenizer, post-processor and
//! decoder, each option of each, with added tokens of all flags.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::texts::WORDS;

const BEHAVIORS: &[&str] =
    &["Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous"];
const SCHEMES: &[&str] = &["first", "never", "always"];
/// Patterns of published tokenizers, and what else Oniguruma writes in its own way.
const PATTERNS: &[&str] = &[
    r"\s+",
    r" ",
    r"\d",
    r"\p{N}{1,3}",
    r"\p{L}+|\p{N}+",
    r"[^\s\p{L}\p{N}]+",
    r"\w+",
    r"\W+",
    r"\b",
    r"\Bb\B",
    r"^a|b$",
    r"^",
    r".",
    r"[[:punct:]]",
    r"\p{Punct}+",
    r"[[:alpha:]][[:digit:]]?",
    r"[[:^space:]]+",
    r"\p{Alnum}+",
    r"[\p{P}\p{S}]",
    r"\p{^L}+",
    r"\P{L}",
    r"(?i:the|new)",
    r"a(?i)b|c",
    r"(?i:[a-d]+)",
    r"[a-z&&[^aeiou]]+",
    r"a{,2}",
    r"a{1,2}+b",
    r"a++b?",
    r"a*?b",
    r"(?>a|ab)b",
    r"(?<=a)b|(?<!a)c",
    r"(?=(\d{3})+(?!\d))",
    r"\d{1,3}(?=(?:\d{3})*\b)",
    r"\h{2}",
    r"\R",
    r"\u00e9|\x{4f60}|\x2E",
    r"[\x21-\x2f]",
    r"[!-/:-@\[-`{-~]",
    r"\p{Han}|\p{Hiragana}|\p{Katakana}",
    r"[一-龥぀-ゟ゠-ヿ]+",
    r"\A\s|\s\z|\s\Z",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+",
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
];

pub fn draw(random: &mut Random) -> Value {
    let mut model = model(random);
    let specials = ["<s>", "</s>", "<unk>"];
    let mut tokens: Vec<Value> = Vec::new();
    let size = size_of(&model);
    for (at, content) in specials.iter().enumerate() {
        tokens.push(json!({
            "id": id_of(&model, content).unwrap_or(size + at), "content": content, "special": true,
            "single_word": false, "lstrip": random.is(4), "rstrip": random.is(4), "normalized": random.is(4),
        }));
    }
    let contents = [
        "NewTok", "my tag", "café", "<tok>", "the", "ab", "▁x", "İ", " sp", "世", "a\u{301}", "...",
    ];
    let mut next = size + specials.len();
    for content in contents.iter().filter(|_| random.is(4)).collect::<Vec<_>>() {
        let known = id_of(&model, content);
        next += usize::from(known.is_none());
        tokens.push(json!({
            "id": known.unwrap_or(next - 1), "content": content, "special": random.is(3),
            "single_word": random.is(3), "lstrip": random.is(3), "rstrip": random.is(3), "normalized": !random.is(3),
        }));
    }
    if model["type"] == "Unigram" {
        model["unk_id"] = json!(0);
    }
    json!({
        "version": "1.0", "truncation": null, "padding": null,
        "added_tokens": tokens,
        "normalizer": optional(random, normalizer),
        "pre_tokenizer": optional(random, pre_tokenizer),
        "post_processor": optional(random, post_processor),
        "decoder": optional(random, decoder),
        "model": model,
    })
}

fn optional(random: &mut Random, draw: fn(&mut Random) -> Value) -> Value {
    if random.is(5) { Value::Null } else { draw(random) }
}

fn sequence(random: &mut Random, list: &str, draw: fn(&mut Random) -> Value) -> Value {
    let parts: Vec<Value> = (0..=random.below(3)).map(|_| draw(random)).collect();
    json!({ "type": "Sequence", list: parts })
}

fn pattern(random: &mut Random) -> Value {
    if random.is(3) {
        json!({ "String": *random.of(&[" ", "-", "a", "ab", "▁", "é", ".", "Ġ"]) })
    } else {
        json!({ "Regex": *random.of(PATTERNS) })
    }
}

fn normalizer(random: &mut Random) -> Value {
    match random.below(18) {
        0 | 1 => json!({
            "type": "BertNormalizer", "clean_text": random.is(2), "handle_chinese_chars": random.is(2),
            "strip_accents": *random.of(&[json!(null), json!(true), json!(false)]), "lowercase": random.is(2),
        }),
        2 => json!({ "type": "Strip", "strip_left": random.is(2), "strip_right": random.is(2) }),
        3 => json!({ "type": "StripAccents" }),
        4 => json!({ "type": "NFC" }),
        5 => json!({ "type": "NFD" }),
        6 => json!({ "type": "NFKC" }),
        7 => json!({ "type": "NFKD" }),
        8 => json!({ "type": "Lowercase" }),
        9 => json!({ "type": "Nmt" }),
        10 | 11 => json!({
            "type": "Replace", "pattern": pattern(random), "content": *random.of(&["", " ", "▁", "x", "<$&>", "$1"]),
        }),
        12 => json!({ "type": "Prepend", "prepend": *random.of(&["▁", " ", "x"]) }),
        13 => json!({ "type": "ByteLevel" }),
        14 => json!({
            "type": "Sequence",
            "normalizers": [
                { "type": "Prepend", "prepend": "▁" },
                { "type": "Replace", "pattern": { "String": " " }, "content": "▁" },
            ],
        }),
        _ => sequence(random, "normalizers", normalizer),
    }
}

fn pre_tokenizer(random: &mut Random) -> Value {
    match random.below(18) {
        0 => json!({ "type": "BertPreTokenizer" }),
        1 | 2 => json!({
            "type": "ByteLevel", "add_prefix_space": random.is(2), "trim_offsets": random.is(2), "use_regex": random.is(2),
        }),
        3 | 4 => json!({
            "type": "Metaspace", "replacement": *random.of(&["▁", "_"]), "prepend_scheme": *random.of(SCHEMES),
            "split": random.is(2),
        }),
        5 => json!({ "type": "Whitespace" }),
        6 => json!({ "type": "WhitespaceSplit" }),
        7 => json!({ "type": "Digits", "individual_digits": random.is(2) }),
        8 => json!({ "type": "Punctuation", "behavior": *random.of(BEHAVIORS) }),
        9 => json!({ "type": "UnicodeScripts" }),
        10 => {
            json!({ "type": "CharDelimiterSplit", "delimiter": *random.of(&["-", " ", "a", "世"]) })
        }
        11 => json!({ "type": "FixedLength", "length": 1 + random.below(5) }),
        12..=14 => json!({
            "type": "Split", "pattern": pattern(random), "behavior": *random.of(BEHAVIORS), "invert": random.is(3),
        }),
        _ => sequence(random, "pretokenizers", pre_tokenizer),
    }
}

fn post_processor(random: &mut Random) -> Value {
    let ends = |content: &str| json!([content, 0]);
    match random.below(6) {
        0 => json!({ "type": "BertProcessing", "sep": ["</s>", 1], "cls": ends("<s>") }),
        1 => json!({
            "type": "RobertaProcessing", "sep": ["</s>", 1], "cls": ends("<s>"), "trim_offsets": random.is(2),
            "add_prefix_space": random.is(2),
        }),
        2 => json!({
            "type": "ByteLevel", "add_prefix_space": random.is(2), "trim_offsets": random.is(2), "use_regex": random.is(2),
        }),
        3 | 4 => template(random),
        _ => sequence(random, "processors", post_processor),
    }
}

fn template(random: &mut Random) -> Value {
    let mut place = |id: &str, is_text: bool| {
        let type_id = random.below(3);
        if is_text {
            json!({ "Sequence": { "id": id, "type_id": type_id } })
        } else {
            json!({ "SpecialToken": { "id": id, "type_id": type_id } })
        }
    };
    let single = [place("<s>", false), place("A", true), place("</s>", false)];
    let pair = [
        place("<s>", false),
        place("A", true),
        place("</s>", false),
        place("B", true),
        place("</s>", false),
    ];
    let special = |id: &str, number: usize| json!({ "id": id, "ids": [number], "tokens": [id] });
    json!({
        "type": "TemplateProcessing", "single": single, "pair": pair,
        "special_tokens": { "<s>": special("<s>", 0), "</s>": special("</s>", 1) },
    })
}

fn decoder(random: &mut Random) -> Value {
    match random.below(14) {
        0 => {
            json!({ "type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true })
        }
        1 => json!({ "type": "WordPiece", "prefix": "##", "cleanup": random.is(2) }),
        2 => json!({
            "type": "Metaspace", "replacement": "▁", "prepend_scheme": *random.of(SCHEMES), "split": random.is(2),
        }),
        3 => json!({ "type": "BPEDecoder", "suffix": "</w>" }),
        4 => json!({
            "type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": random.is(2),
        }),
        5 => json!({ "type": "Fuse" }),
        6 => {
            json!({ "type": "Strip", "content": " ", "start": random.below(3), "stop": random.below(3) })
        }
        7 => json!({ "type": "ByteFallback" }),
        8 | 9 => json!({
            "type": "Replace", "pattern": pattern(random), "content": *random.of(&["", " ", "x"]),
        }),
        _ => sequence(random, "decoders", decoder),
    }
}

/// Pieces of the texts' words, and the letters of some alphabets.
fn pieces(random: &mut Random) -> Vec<String> {
    let mut found = BTreeSet::new();
    for word in WORDS {
        let letters: Vec<char> = word.chars().collect();
        for _ in 0..3 {
            let start = random.below(letters.len());
            let end = start + 1 + random.below(4);
            found.insert(letters[start..end.min(letters.len())].iter().collect::<String>());
        }
        if random.is(2) {
            found.insert((*word).to_owned());
        }
    }
    found.extend(
        "abcdefghijklmnopqrstuvwxyzABCEHKLNPSTWX0123456789 .,!?-'▁Ġ_".chars().map(String::from),
    );
    found.into_iter().collect()
}

fn model(random: &mut Random) -> Value {
    let specials = ["<s>", "</s>", "<unk>"].map(str::to_owned);
    let mut found = pieces(random);
    match random.below(7) {
        0 => json!({
            "type": "WordLevel", "unk_token": "<unk>", "vocab": numbered(specials.iter().chain(&found).cloned()),
        }),
        1 | 2 => {
            let prefix = *random.of(&["##", "##", "@@", ""]);
            let continued: Vec<String> =
                found.iter().map(|piece| format!("{prefix}{piece}")).collect();
            json!({
                "type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": prefix,
                "max_input_chars_per_word": *random.of(&[100, 5]),
                "vocab": numbered(specials.iter().chain(&found).chain(&continued).cloned()),
            })
        }
        3 | 4 => {
            if random.is(2) {
                found.extend((0..=255).map(|byte| format!("<0x{byte:02X}>")));
            }
            let scores = specials.into_iter().chain(found);
            let vocab: Vec<Value> =
                scores.map(|piece| json!([piece, -((random.below(900) as f64) / 97.0)])).collect();
            json!({ "type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": random.is(2) })
        }
        _ => bpe(random, specials),
    }
}

fn bpe(random: &mut Random, specials: [String; 3]) -> Value {
    let mut map = Map::new();
    let prefix = if random.is(4) { "##" } else { "" };
    let suffix = if random.is(4) { "</w>" } else { "" };
    let mut letters: Vec<String> =
        "abcdefghijklmnopqrstuvwxyz \u{120}▁ABCHW0123456789.,!-'éñ世界Ã©"
            .chars()
            .map(String::from)
            .collect();
    if !prefix.is_empty() || !suffix.is_empty() {
        let plain = letters.clone();
        letters.extend(plain.iter().map(|letter| format!("{prefix}{letter}")));
        letters.extend(plain.iter().map(|letter| format!("{letter}{suffix}")));
        letters.extend(plain.iter().map(|letter| format!("{prefix}{letter}{suffix}")));
    }
    if random.is(2) {
        letters.extend((0..=255).map(|byte| format!("<0x{byte:02X}>")));
    }
    let mut vocabulary: Vec<String> = specials.into_iter().chain(letters).collect();
    let mut known: BTreeSet<String> = vocabulary.iter().cloned().collect();
    vocabulary.retain(|piece| known.contains(piece));
    let mut merges = Vec::new();
    for _ in 0..random.below(300) {
        let (left, right) = (random.of(&vocabulary).clone(), random.of(&vocabulary).clone());
        if left.starts_with('<')
            || right.starts_with('<')
            || left.contains(' ')
            || right.contains(' ')
        {
            continue;
        }
        let joined = format!("{left}{}", right.strip_prefix(prefix).unwrap_or(&right));
        if known.insert(joined.clone()) {
            vocabulary.push(joined);
            merges.push(json!([left, right]));
        }
    }
    let optional = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    map.insert("type".into(), json!("BPE"));
    map.insert("dropout".into(), Value::Null);
    map.insert("unk_token".into(), if random.is(3) { Value::Null } else { json!("<unk>") });
    map.insert("continuing_subword_prefix".into(), optional(prefix));
    map.insert("end_of_word_suffix".into(), optional(suffix));
    map.insert("fuse_unk".into(), json!(random.is(2)));
    map.insert("byte_fallback".into(), json!(random.is(2)));
    map.insert("ignore_merges".into(), json!(random.is(3)));
    map.insert("vocab".into(), numbered(vocabulary));
    map.insert("merges".into(), Value::Array(merges));
    Value::Object(map)
}

fn numbered(pieces: impl IntoIterator<Item = String>) -> Value {
    let mut ids = BTreeMap::new();
    for piece in pieces {
        let next = ids.len();
        ids.entry(piece).or_insert(next);
    }
    json!(ids)
}

fn size_of(model: &Value) -> usize {
    let vocabulary = &model["vocab"];
    vocabulary.as_object().map_or_else(|| vocabulary.as_array().map_or(0, Vec::len), Map::len)
}

fn id_of(model: &Value, piece: &str) -> Option<usize> {
    if let Some(list) = model["vocab"].as_array() {
        return list.iter().position(|entry| entry[0] == piece);
    }
    model["vocab"][piece].as_u64().map(|id| id as usize)
}
