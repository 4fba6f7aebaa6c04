//! Writes tokenizers and texts that are drawn at random, with the ids, types, words and decoded
//! texts that Hugging Face's library gives: `tokenizer-reference FILE TOKENIZERS TEXTS SEED`, one
//! tokenizer with its texts in each line. A description that the library refuses is drawn anew.

mod descriptions;
mod random;
mod texts;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use serde_json::{Value, json};
use tokenizers::{NormalizedString, Normalizer as _, Tokenizer};

use random::Random;

fn main() -> std::io::Result<()> {
    let file = std::env::args_os().nth(1).unwrap_or_default();
    let numbers: Vec<u64> =
        std::env::args().skip(2).filter_map(|number| number.parse().ok()).collect();
    let [tokenizers, texts, seed] = numbers[..] else {
        eprintln!("tokenizer-reference FILE TOKENIZERS TEXTS SEED");
        std::process::exit(2);
    };
    // Some descriptions let the library panic: their cases are left out.
    set_hook(Box::new(|_| ()));
    let mut random = Random::new(seed);
    let mut out = BufWriter::new(File::create(file)?);
    for _ in 0..tokenizers {
        let (description, tokenizer) = readable(&mut random);
        let cases: Vec<Value> =
            (0..texts).filter_map(|_| case(&mut random, &description, &tokenizer)).collect();
        writeln!(out, "{}", json!({ "tokenizer": description, "cases": cases }))?;
    }
    out.flush()
}

/// A description that the library reads, read twice.
fn readable(random: &mut Random) -> (Value, [Tokenizer; 2]) {
    loop {
        let description = descriptions::draw(random);
        let json = description.to_string();
        let read = || catch_unwind(|| json.parse::<Tokenizer>());
        if let (Ok(Ok(first)), Ok(Ok(second))) = (read(), read())
            && are_distinct(&first, &description)
        {
            return (description, [first, second]);
        }
    }
}

/// Whether no two added tokens are one by their normalized texts: the order of a hash table would
/// say which of them a text has.
fn are_distinct(tokenizer: &Tokenizer, description: &Value) -> bool {
    let tokens = description["added_tokens"].as_array().into_iter().flatten();
    let normalized = tokens.filter(|token| token["normalized"] == true).map(|token| {
        let mut text = NormalizedString::from(token["content"].as_str().unwrap_or_default());
        if let Some(normalizer) = tokenizer.get_normalizer() {
            let _ = catch_unwind(AssertUnwindSafe(|| normalizer.normalize(&mut text)));
        }
        text.get().to_owned()
    });
    let mut found = BTreeSet::new();
    normalized.into_iter().all(|text| found.insert(text))
}

/// None for what the library refuses, and for what it gives another answer to each time: of two
/// added tokens that are one by their normalized text, the order of a hash table says which it
/// finds.
fn case(random: &mut Random, description: &Value, tokenizers: &[Tokenizer; 2]) -> Option<Value> {
    let text = texts::draw(random, description);
    let pair = random.is(5).then(|| texts::draw(random, description));
    let [first, second] =
        tokenizers.each_ref().map(|tokenizer| answer(tokenizer, &text, pair.as_deref()));
    if first != second {
        return None;
    }
    let mut case = first?;
    case["text"] = json!(text);
    case["pair"] = json!(pair);
    Some(case)
}

fn answer(tokenizer: &Tokenizer, text: &str, pair: Option<&str>) -> Option<Value> {
    let answered = catch_unwind(AssertUnwindSafe(|| {
        let encoding = match pair {
            None => tokenizer.encode(text, true),
            Some(pair) => tokenizer.encode((text, pair), true),
        };
        let encoding = encoding.ok()?;
        let decoded = tokenizer.decode(encoding.get_ids(), true).ok()?;
        Some(json!({
            "ids": encoding.get_ids(),
            "types": encoding.get_type_ids(),
            "words": encoding.get_word_ids(),
            "sequences": encoding.get_sequence_ids(),
            "decoded": decoded,
        }))
    }));
    answered.ok()?
}
