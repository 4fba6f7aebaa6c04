//! A pattern that is read from left to right, one character at a time.

/// A pattern, and how far it is read.
pub struct Reader {
    /// The characters of the pattern.
    pub characters: Vec<char>,
    /// The place of the next character.
    pub at: usize,
    /// Whether upper and lower case are one.
    pub folds: bool,
    /// Groups around the place.
    pub depth: usize,
}

impl Reader {
    /// The next character, which is not passed.
    pub fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    /// The next character, which is passed.
    pub fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// Goes past a text if it comes next.
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
