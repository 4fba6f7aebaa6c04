//! Texts: words of many scripts, numbers, signs, odd characters and what the tokenizer's tokens
//! are.

use serde_json::Value;

use crate::random::Random;

pub const WORDS: &[&str] = &[
    "the",
    "new",
    "model",
    "cat",
    "a",
    "aab",
    "abab",
    "Hello",
    "WORLD",
    "don't",
    "I'll",
    "Café",
    "cafe\u{301}",
    "naïve",
    "ΑΣ",
    "ΟΔΟΣ",
    "İstanbul",
    "ıssız",
    "straße",
    "ﬁn",
    "½",
    "²",
    "Ⅷ",
    "①",
    "１２３",
    "١٢٣",
    "४५६",
    "Привет",
    "Ёжик",
    "你好",
    "世界",
    "𠮷野家",
    "東京タワー",
    "ｶﾞ",
    "한국어",
    "각",
    "مرحبا",
    "السَّلَامُ",
    "שלום",
    "नमस्ते",
    "สวัสดี",
    "ภาษา",
    "🙂",
    "👍🏽",
    "👩‍👧",
    "🇫🇷",
    "☃",
    "→",
    "√2",
    "$5",
    "€9.99",
    "3.14",
    "1,024",
    "12345678",
    "7th",
    "x+y",
    "a_b",
    "a-b--c",
    "HTTPServer",
    "camelCase",
    "...",
    "!!!",
    "?!",
    "(a)",
    "[b]",
    "{c}",
    "«q»",
    "“q”",
    "’s",
    "`c`",
    "``q''",
    "#1",
    "@2",
    "\\n",
    "|",
    "~",
    "^",
    "▁",
    "Ġ",
    "##x",
    "</w>",
    "foo",
    "bar",
    "newtok",
    "\u{200b}",
    "a\u{200d}b",
    "\u{feff}",
    "\u{ad}",
    "\u{0}",
    "\u{fffd}",
    "\u{7}",
    "\u{e000}",
    "\u{2028}",
    "K",
    "ſ",
    "ﬅ",
    "ß",
    "ẞ",
    "ǆ",
];
const SPACES: &[&str] = &[
    " ", " ", " ", " ", " ", "  ", "   ", "\t", "\n", "\r\n", "\n\n", "\u{a0}", "\u{3000}",
    "\u{85}", "", "",
];

pub fn draw(random: &mut Random, description: &Value) -> String {
    let added: Vec<&str> = description["added_tokens"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|token| token["content"].as_str())
        .collect();
    let mut text = String::new();
    for _ in 0..random.below(9) {
        if random.is(5) {
            text.push_str(*random.of(SPACES));
        }
        if !added.is_empty() && random.is(5) {
            let content = *random.of(&added);
            match random.below(4) {
                0 => text.push_str(&content.to_uppercase()),
                1 => text.push_str(&content.to_lowercase()),
                _ => text.push_str(content),
            }
        } else {
            text.push_str(*random.of(WORDS));
        }
        text.push_str(*random.of(SPACES));
    }
    text
}
