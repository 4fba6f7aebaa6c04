//! A reader of patterns, from left to right, one character at a time.

/// A pattern and the reader's state.
pub struct Reader {
    /// The characters of the pattern.
    pub characters: Vec<char>,
    /// The place of the next character.
    pub at: usize,
    /// Whether matching ignores case.
    pub folds: bool,
    /// The number of groups around the place.
    pub depth: usize,
}

impl Reader {
    /// The next character, without consuming it.
    pub fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    /// Consumes the next character.
    pub fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// Consumes a text if it comes next; returns whether it did.
    pub fn skip(&mut self, text: &str) -> bool {
        let is_next = text
            .chars()
            .enumerate()
            .all(|(place, character)| self.characters.get(self.at + place) == Some(&character));
        if is_next {
            self.at += text.chars().count();
        }
        is_next
    }
}
