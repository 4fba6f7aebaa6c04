//! Translation of the patterns of Oniguruma, which Python's `tokenizers` uses, to the syntax of
//! `fancy-regex`. Syntax with the same form and another meaning is rewritten (`^`, `$`, `.`, `\w`,
//! `\b`, `(?i)` up to the end of a group, `{n,m}+`, POSIX brackets); syntax without an equivalent
//! is refused with a sentence. Source: Oniguruma's `doc/RE`, its default syntax, version 6.9.10;
//! both engines have Unicode 16.

use crate::pattern_classes::{self as classes, WORD};
use crate::pattern_reader::Reader;

/// A pattern for `fancy-regex` with the same matches as the given one has in Oniguruma.
///
/// # Errors
/// A sentence about syntax that cannot be translated.
pub fn translate(pattern: &str) -> Result<String, String> {
    let mut reader =
        Reader { characters: pattern.chars().collect(), at: 0, folds: false, depth: 0 };
    let translated = reader.alternatives().and_then(|translated| {
        let is_whole = reader.at == reader.characters.len();
        if is_whole { Ok(translated) } else { Err("a ) without its (".to_owned()) }
    });
    translated.map_err(|why| format!("the pattern {pattern:?}, which has {why}"))
}

/// The deepest nesting of a pattern; a deeper one is refused, before the stack overflows.
const DEEPEST: usize = 100;
/// Pairs of letters that Oniguruma's `(?i)` matches with one other character, such as `ss` with
/// `ß`.
const FOLDED_PAIRS: [&str; 5] = ["ss", "ff", "fi", "fl", "st"];

impl Reader {
    /// Translates alternatives up to the end of the group or of the pattern.
    fn alternatives(&mut self) -> Result<String, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("more than {DEEPEST} groups in one another"));
        }
        let mut translated = String::new();
        let mut before = None;
        while let Some(next) = self.peek() {
            match next {
                ')' => break,
                '|' => {
                    self.at += 1;
                    translated.push('|');
                    before = None;
                }
                _ => {
                    self.check_folded_pair(before, next)?;
                    before = Some(next);
                    translated.push_str(&self.repeated()?);
                }
            }
        }
        self.depth -= 1;
        Ok(translated)
    }

    fn check_folded_pair(&self, before: Option<char>, next: char) -> Result<(), String> {
        let Some(before) = before.filter(|_| self.folds) else { return Ok(()) };
        let pair: String = [before, next].iter().map(char::to_ascii_lowercase).collect();
        if FOLDED_PAIRS.contains(&pair.as_str()) {
            return Err(format!("\"{pair}\" in any case, which stands for a single character too"));
        }
        Ok(())
    }

    /// Translates one atom with its quantifiers.
    fn repeated(&mut self) -> Result<String, String> {
        let mut atom = self.atom()?;
        while let Some(quantifier) = self.quantifier()? {
            atom = format!("(?:{atom}){quantifier}");
        }
        Ok(atom)
    }

    /// Translates a quantifier: `?`, `*`, `+` or an interval, with a `?` behind it lazy, with a `+`
    /// possessive.
    fn quantifier(&mut self) -> Result<Option<String>, String> {
        let Some(first) = self.peek() else { return Ok(None) };
        if matches!(first, '?' | '*' | '+') {
            self.at += 1;
            let suffix = self.peek().filter(|suffix| matches!(suffix, '?' | '+'));
            self.at += usize::from(suffix.is_some());
            return Ok(Some([Some(first), suffix].into_iter().flatten().collect()));
        }
        let Some((least, most)) = self.interval() else { return Ok(None) };
        if most.is_some_and(|most| most < least) {
            return Err("an interval whose end is before its start".to_owned());
        }
        let is_lazy = self.skip("?");
        if is_lazy && most == Some(least) {
            return Err("{n}?, which may be read in two ways".to_owned());
        }
        let most = most.map(|most| most.to_string()).unwrap_or_default();
        let interval = format!("{{{least},{most}}}{}", if is_lazy { "?" } else { "" });
        // A `+` behind an interval is not possessive but a second quantifier.
        Ok(Some(interval))
    }

    /// Reads an interval: `{n}`, `{n,}`, `{n,m}` or `{,m}`. Any other brace is a character.
    fn interval(&mut self) -> Option<(u32, Option<u32>)> {
        let start = self.at;
        let read = self.read_interval();
        if read.is_none() {
            self.at = start;
        }
        read
    }

    fn read_interval(&mut self) -> Option<(u32, Option<u32>)> {
        if !self.skip("{") {
            return None;
        }
        let least = self.number();
        if self.skip("}") {
            return least.map(|count| (count, Some(count)));
        }
        let has_comma = self.skip(",");
        let most = self.number();
        let is_interval = has_comma && self.skip("}") && (least.is_some() || most.is_some());
        is_interval.then_some((least.unwrap_or(0), most))
    }

    fn number(&mut self) -> Option<u32> {
        let start = self.at;
        while self.peek().is_some_and(|character| character.is_ascii_digit()) {
            self.at += 1;
        }
        self.characters.get(start..self.at)?.iter().collect::<String>().parse().ok()
    }

    fn atom(&mut self) -> Result<String, String> {
        match self.next() {
            None => Err("an end where something was expected".to_owned()),
            Some('(') => self.group(),
            Some('[') => classes::class(self),
            Some('.') => Ok("[^\\n]".to_owned()),
            // The start of a line, except behind a final line break.
            Some('^') => Ok("(?:\\A|(?<=\\n)(?!\\z))".to_owned()),
            Some('$') => Ok("(?=\\n|\\z)".to_owned()),
            Some('\\') => self.escape(),
            Some('*' | '+' | '?') => Err("a quantifier of nothing".to_owned()),
            Some(character) => self.literal(character),
        }
    }

    fn literal(&self, character: char) -> Result<String, String> {
        if self.folds && !character.is_ascii() {
            return Err(format!("{character:?} in any case"));
        }
        Ok(classes::escaped(character))
    }

    /// Translates a group from behind its opening bracket to its end. Groups need no numbers: no
    /// pattern refers to one.
    fn group(&mut self) -> Result<String, String> {
        let folds = self.folds;
        let opening = self.opening()?;
        let translated = self.alternatives()?;
        self.folds = folds;
        // `(?i)` is a group up to the end of the group that contains it.
        if opening == "(?i)" || opening == "(?-i)" {
            let flag = opening.trim_end_matches(')');
            return Ok(format!("{flag}:{translated})"));
        }
        if !self.skip(")") {
            return Err("a ( without its )".to_owned());
        }
        Ok(format!("{opening}{translated})"))
    }

    fn opening(&mut self) -> Result<&'static str, String> {
        if !self.skip("?") {
            return Ok("(?:");
        }
        let flags = [
            ("i)", true, "(?i)"),
            ("-i)", false, "(?-i)"),
            ("i:", true, "(?i:"),
            ("-i:", false, "(?-i:"),
        ];
        for (text, folds, opening) in flags {
            if self.skip(text) {
                self.folds = folds;
                return Ok(opening);
            }
        }
        let plain = [
            (":", "(?:"),
            ("=", "(?="),
            ("!", "(?!"),
            ("<=", "(?<="),
            ("<!", "(?<!"),
            (">", "(?>"),
        ];
        plain
            .into_iter()
            .find(|(opening, _)| self.skip(opening))
            .map(|(_, translated)| translated)
            .ok_or_else(|| "a group of a kind that is not read".to_owned())
    }

    fn escape(&mut self) -> Result<String, String> {
        let word = |is_behind: bool, is_not: bool| {
            let (look, not) = (if is_behind { "<" } else { "" }, if is_not { "!" } else { "=" });
            format!("(?{look}{not}{WORD})")
        };
        let Some(next) = self.peek() else { return Err("a \\ at its end".to_owned()) };
        let place = match next {
            'A' => "\\A".to_owned(),
            'z' => "\\z".to_owned(),
            'Z' => "(?=\\n?\\z)".to_owned(),
            'b' | 'B' => {
                let is_edge = next == 'b';
                let [first, second] = [true, false]
                    .map(|is_word| word(true, !is_word) + &word(false, is_word == is_edge));
                format!("(?:{first}|{second})")
            }
            'R' => "(?>\\r\\n|[\\n-\\r\\u{85}\\u{2028}\\u{2029}])".to_owned(),
            _ => return classes::escape(self).and_then(|class| self.unfolded(class)),
        };
        self.at += 1;
        Ok(place)
    }

    fn unfolded(&self, member: classes::Member) -> Result<String, String> {
        match member {
            classes::Member::Character(character) => self.literal(character),
            classes::Member::Class(_) if self.folds => Err("a class in any case".to_owned()),
            classes::Member::Class(class) => Ok(class),
        }
    }
}

#[cfg(test)]
mod tests {
    use fancy_regex::Regex;

    use super::translate;

    /// What a pattern finds first in a text.
    fn found<'a>(pattern: &str, text: &'a str) -> Option<&'a str> {
        let regex = Regex::new(&translate(pattern).unwrap()).unwrap();
        regex.find(text).unwrap().map(|found| found.as_str())
    }

    #[test]
    fn what_both_write_alike_means_what_it_means_to_oniguruma() {
        assert_eq!(found("^b", "a\nb"), Some("b"));
        assert_eq!(found("a$", "a\nb"), Some("a"));
        assert_eq!(found(".+", "ab\nc"), Some("ab"));
        assert_eq!(found(r"\w+", "½\u{200d}"), Some("½"));
        assert_eq!(found("a(?i)b|c", "C"), None);
        assert_eq!(found("a(?i)b|c", "aC"), Some("aC"));
        assert_eq!(found("a{1,2}+b", "aaaab"), Some("aaaab"));
        assert_eq!(found("[[:punct:]]+", "+§,"), Some("+§,"));
        assert_eq!(found(r"\p{Punct}+", "+,"), Some(","));
        assert_eq!(found(r"[a-c&&[^b]]+", "bac"), Some("ac"));
        assert_eq!(found(r"\h{2}|{", "{f0"), Some("{"));
    }

    #[test]
    fn what_has_no_equal_is_refused_in_a_sentence() {
        let refused = [
            (r"(a)\1", r"\1, which is not read"),
            (r"(?<name>a)", "a group of a kind that is not read"),
            (r"\X", r"\X, which is not read"),
            (r"\p{Script=Han}", r"\p{Script=Han}, which is not read"),
            ("(?i:ss)", "\"ss\" in any case"),
            ("(?i:é)", "'é' in any case"),
            ("a)", "a ) without its ("),
            ("(a", "a ( without its )"),
            ("[a", "a [ without its ]"),
            ("a{2}?", "{n}?, which may be read in two ways"),
            ("*a", "a quantifier of nothing"),
        ];
        for (pattern, why) in refused {
            let sentence = translate(pattern).unwrap_err();
            assert!(sentence.contains(why), "{sentence}");
        }
        assert!(translate(&"(".repeat(1000)).is_err());
    }
}
