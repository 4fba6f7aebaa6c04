//! Rust source as a list of words and signs: enough of the language's lexical rules to
//! tell code from comments, texts and lifetimes.

/// A piece of source, with the line that it stands in, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// From 1.
    pub line: usize,
    /// What stands there.
    pub kind: Kind,
}

/// What a piece of source is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or keyword.
    Word(String),
    /// `::`.
    PathSign,
    /// Any other sign, alone.
    Sign(char),
    /// The inside of a text between quotation marks.
    Text(String),
}

/// Reads source; comments, numbers, single characters and lifetimes are passed over.
pub fn tokens(source: &str) -> Vec<Token> {
    let mut reader = Reader { rest: source, line: 1, found: Vec::new() };
    while let Some(next) = reader.rest.chars().next() {
        reader.token(next);
    }
    reader.found
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    found: Vec<Token>,
}

impl Reader<'_> {
    fn token(&mut self, next: char) {
        let rest = self.rest;
        if rest.starts_with("//") {
            self.skip(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.skip(comment_length(rest));
        } else if let Some((start, inside, whole)) = text(rest) {
            self.push(Kind::Text(rest[start..start + inside].to_owned()), whole);
        } else if next == '\'' {
            self.skip(quote_length(rest));
        } else if next.is_alphanumeric() || next == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            self.push(Kind::Word(rest[..end].to_owned()), end);
        } else if rest.starts_with("::") {
            self.push(Kind::PathSign, 2);
        } else if next.is_whitespace() {
            self.skip(next.len_utf8());
        } else {
            self.push(Kind::Sign(next), next.len_utf8());
        }
    }

    fn push(&mut self, kind: Kind, bytes: usize) {
        self.found.push(Token { line: self.line, kind });
        self.skip(bytes);
    }

    fn skip(&mut self, bytes: usize) {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.matches('\n').count();
        self.rest = rest;
    }
}

/// The bytes of a block comment with those nested in it.
fn comment_length(source: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < source.len() {
        let rest = &source[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    source.len()
}

/// A text at the start of `source`, plain, raw or of bytes: where its inside begins, the
/// bytes of the inside, the bytes of all.
fn text(source: &str) -> Option<(usize, usize, usize)> {
    let prefix = ["", "b", "c", "r", "br", "cr"].into_iter().filter(|prefix| {
        source.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(['"', '#']))
    });
    let prefix = prefix.max_by_key(|prefix| prefix.len())?;
    let rest = &source[prefix.len()..];
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let raw = prefix.ends_with('r');
    if (hashes > 0 && !raw) || !rest[hashes..].starts_with('"') {
        return None;
    }
    let start = prefix.len() + hashes + 1;
    let inside = &source[start..];
    let closing = format!("\"{}", "#".repeat(hashes));
    let length = if raw { inside.find(&closing) } else { plain_length(inside) }?;
    Some((start, length, start + length + closing.len()))
}

/// The bytes before the quotation mark that is not escaped.
fn plain_length(inside: &str) -> Option<usize> {
    let mut escaped = false;
    inside.char_indices().find_map(|(at, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends.then_some(at)
    })
}

/// The bytes of a character between quotes, or of a lifetime's quote alone.
fn quote_length(source: &str) -> usize {
    let mut inside = source[1..].char_indices();
    match (inside.next(), inside.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let after = 1 + at + escaped.len_utf8();
            after + source[after..].find('\'').map_or(0, |end| end + 1)
        }
        (Some(_), Some((at, '\''))) => at + 2,
        _ => 1,
    }
}
