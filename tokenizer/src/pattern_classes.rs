//! Character classes in patterns of Oniguruma: brackets, escapes such as `\d`, properties.

use crate::pattern_reader::Reader;

/// Oniguruma's `\w`. In `fancy-regex`, `\w` lacks the superscript digits and fractions of Latin-1,
/// and includes the two joiners.
pub const WORD: &str = "[[\\w\\u{B2}\\u{B3}\\u{B9}\\u{BC}-\\u{BE}]--[\\u{200C}\\u{200D}]]";

/// A character, or a character class in the syntax of `fancy-regex`.
pub enum Member {
    Character(char),
    Class(String),
}

/// A character, escaped so that it matches itself, also in brackets.
pub fn escaped(character: char) -> String {
    if character.is_ascii_alphanumeric() || !character.is_ascii() {
        character.to_string()
    } else {
        format!("\\u{{{:X}}}", u32::from(character))
    }
}

/// Translates a class from behind its opening bracket to its end.
pub fn class(reader: &mut Reader) -> Result<String, String> {
    reader.depth += 1;
    if reader.depth > 100 {
        return Err("more than 100 brackets in one another".to_owned());
    }
    let not = if reader.skip("^") { "^" } else { "" };
    let mut members = String::new();
    while !reader.skip("]") {
        if reader.skip("&&") {
            members.push_str("&&");
            continue;
        }
        match member(reader)? {
            Member::Class(class) => members.push_str(&class),
            Member::Character(first) => members.push_str(&range(reader, first)?),
        }
    }
    if members.is_empty() {
        return Err("empty brackets".to_owned());
    }
    reader.depth -= 1;
    Ok(format!("[{not}{members}]"))
}

/// Translates a range that begins with a character, or the character alone.
fn range(reader: &mut Reader, first: char) -> Result<String, String> {
    let ends = |reader: &Reader| reader.characters.get(reader.at + 1) == Some(&']');
    if reader.peek() != Some('-') || ends(reader) {
        return Ok(escaped(first));
    }
    reader.at += 1;
    match member(reader)? {
        Member::Character(last) if first <= last => {
            Ok(format!("{}-{}", escaped(first), escaped(last)))
        }
        _ => Err("a range without an end".to_owned()),
    }
}

fn member(reader: &mut Reader) -> Result<Member, String> {
    if reader.skip("[:") {
        return posix(reader).map(Member::Class);
    }
    let member = match reader.next() {
        None => return Err("a [ without its ]".to_owned()),
        Some('[') => Member::Class(class(reader)?),
        Some('\\') => escape(reader)?,
        Some(character) => Member::Character(character),
    };
    let is_plain = matches!(member, Member::Character(character) if character.is_ascii());
    if reader.folds && !is_plain {
        return Err("brackets in any case with more than ASCII characters".to_owned());
    }
    Ok(member)
}

/// Translates `[:name:]`; Oniguruma's `punct` includes symbols.
fn posix(reader: &mut Reader) -> Result<String, String> {
    let not = if reader.skip("^") { "^" } else { "" };
    let names = [
        ("alpha", "\\p{Alphabetic}"),
        ("alnum", "\\p{Alphabetic}\\p{Nd}"),
        ("digit", "\\p{Nd}"),
        ("lower", "\\p{Lowercase}"),
        ("upper", "\\p{Uppercase}"),
        ("space", "\\s"),
        ("punct", "\\p{P}\\p{S}"),
        ("xdigit", "0-9A-Fa-f"),
    ];
    let found = names.into_iter().find(|(name, _)| reader.skip(&format!("{name}:]")));
    found
        .map(|(_, members)| format!("[{not}{members}]"))
        .ok_or_else(|| "an unknown [:name:]".to_owned())
}

/// Translates an escape from behind its backslash, in brackets and outside.
pub fn escape(reader: &mut Reader) -> Result<Member, String> {
    let class = |text: &str| Ok(Member::Class(text.to_owned()));
    let character = reader.next().ok_or("a \\ at its end")?;
    let member = match character {
        'd' | 'D' | 's' | 'S' => return class(&format!("\\{character}")),
        'w' => return class(WORD),
        'W' => return Ok(Member::Class(format!("[^{WORD}]"))),
        'h' => return class("[0-9A-Fa-f]"),
        'H' => return class("[^0-9A-Fa-f]"),
        'p' | 'P' => return property(reader, character == 'P').map(Member::Class),
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'f' => '\u{C}',
        'v' => '\u{B}',
        'a' => '\u{7}',
        'e' => '\u{1B}',
        'x' => hexadecimal(reader, 2)?,
        'u' => hexadecimal(reader, 4)?,
        _ if character.is_alphanumeric() => {
            return Err(format!("\\{character}, which is not read"));
        }
        _ => character,
    };
    Ok(Member::Character(member))
}

/// Reads a character code: `\xHH` below 128, `\x{H…}` or `\uHHHH`.
fn hexadecimal(reader: &mut Reader, digits: usize) -> Result<char, String> {
    let bad = || "a code of a character that is none".to_owned();
    let is_braced = digits == 2 && reader.skip("{");
    let most = if is_braced { 6 } else { digits };
    let mut code = String::new();
    while code.len() < most
        && let Some(digit) = reader.peek().filter(char::is_ascii_hexdigit)
    {
        code.push(digit);
        reader.at += 1;
    }
    let is_whole = if is_braced { reader.skip("}") } else { code.len() == digits };
    let value = u32::from_str_radix(&code, 16).ok().filter(|_| is_whole).ok_or_else(bad)?;
    // From 128 on, `\xHH` is a byte of a character's UTF-8.
    let is_byte = digits == 2 && !is_braced && value > 127;
    char::from_u32(value).filter(|_| !is_byte).ok_or_else(bad)
}

/// Properties that both engines have with the same characters, in the names of `fancy-regex`.
const PROPERTIES: &str = "\
    l lu ll lt lm lo m mn mc me n nd nl no p pc pd ps pe pi pf po s sm sc sk so z zs zl zp c cc cf cn co \
    letter mark number punctuation punct symbol separator other uppercaseletter lowercaseletter \
    decimalnumber alpha alphabetic space whitespace digit upper uppercase lower lowercase han hiragana \
    katakana hangul latin cyrillic greek arabic hebrew thai devanagari bengali tamil telugu kannada \
    malayalam gujarati gurmukhi sinhala lao tibetan myanmar georgian armenian ethiopic khmer mongolian \
    bopomofo common inherited emoji emojipresentation extendedpictographic";

fn property(reader: &mut Reader, is_not: bool) -> Result<String, String> {
    let unread = |name: &str| format!("\\p{{{name}}}, which is not read");
    if !reader.skip("{") {
        return Err("\\p without { behind it".to_owned());
    }
    let is_not = is_not != reader.skip("^");
    let mut name = String::new();
    while let Some(character) = reader.next().filter(|&character| character != '}') {
        name.push(character);
    }
    let plain: String =
        name.chars().filter(|c| !" -_".contains(*c)).map(|c| c.to_ascii_lowercase()).collect();
    let not = if is_not { "^" } else { "" };
    let members = match plain.as_str() {
        "alnum" => "\\p{Alphabetic}\\p{Nd}".to_owned(),
        "word" => WORD.to_owned(),
        "any" => return Err(unread(&name)),
        _ if PROPERTIES.split_whitespace().any(|known| known == plain) => format!("\\p{{{plain}}}"),
        _ => return Err(unread(&name)),
    };
    Ok(format!("[{not}{members}]"))
}
