//! The character table of a `SentencePiece` model (`precompiled_charsmap`), applied as
//! `SentencePiece` applies it: at each place the longest text in the table is replaced. Hugging
//! Face's `Precompiled` looks up a short grapheme as a whole instead.
//!
//! The table consists of the trie's size in bytes, the trie (a double array of Darts-clone), and
//! the replacements, each ended by a zero byte. All numbers are little-endian.

use tokenizers::NormalizedString;

/// A character table, decoded.
#[derive(Debug)]
pub struct Charsmap {
    trie: Vec<u32>,
    replacements: Vec<u8>,
}

impl Charsmap {
    /// Decodes the base64 of a table.
    ///
    /// # Errors
    /// Text that is not base64, or a table shorter than its own size.
    pub fn new(base64: &str) -> Result<Self, String> {
        let bad = || "a precompiled_charsmap that is no table".to_owned();
        let bytes = base64::decode(base64).map_err(|_| bad())?;
        let (size, rest) = bytes.split_first_chunk::<4>().ok_or_else(bad)?;
        let size = u32::from_le_bytes(*size) as usize;
        let (trie, replacements) = rest.split_at_checked(size).ok_or_else(bad)?;
        let (units, _) = trie.as_chunks::<4>();
        let trie = units.iter().map(|unit| u32::from_le_bytes(*unit)).collect();
        Ok(Self { trie, replacements: replacements.to_vec() })
    }

    /// Replaces, at each place, the longest text that is in the table.
    pub fn normalize(&self, text: &mut NormalizedString) {
        let whole = text.get().to_owned();
        let mut changes: Vec<(char, isize)> = Vec::with_capacity(whole.len());
        let mut removed_first = 0;
        let mut rest = whole.as_str();
        while let Some(first) = rest.chars().next() {
            let found = self.longest(rest.as_bytes());
            let (length, by) = found.unwrap_or((first.len_utf8(), None));
            let (old, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
            let old_count = old.chars().count();
            if changes.is_empty() && by == Some("") {
                removed_first += old_count;
            } else {
                replace(&mut changes, old_count, by.unwrap_or(old));
            }
            rest = after;
        }
        text.transform(changes, removed_first);
    }

    /// The longest prefix of `key` that is in the table: its length in bytes, and its replacement.
    fn longest(&self, key: &[u8]) -> Option<(usize, Option<&str>)> {
        let offset = |unit: u32| ((unit >> 10) << ((unit & (1 << 9)) >> 6)) as usize;
        let mut at = offset(*self.trie.first()?);
        let mut longest = None;
        for (index, &byte) in key.iter().enumerate() {
            at ^= usize::from(byte);
            let Some(&unit) = self.trie.get(at).filter(|_| byte != 0) else { break };
            if unit & 0x8000_00ff != u32::from(byte) {
                break;
            }
            at ^= offset(unit);
            if unit & (1 << 8) == 0 {
                continue;
            }
            let Some(start) = self.trie.get(at).map(|leaf| (leaf & 0x7fff_ffff) as usize) else {
                break;
            };
            longest = Some((index + 1, self.replacement(start)));
        }
        longest
    }

    fn replacement(&self, start: usize) -> Option<&str> {
        let text = self.replacements.get(start..)?.split(|&byte| byte == 0).next()?;
        std::str::from_utf8(text).ok()
    }
}

/// Appends the replacement of `old` characters by `new`, in the form of
/// `NormalizedString::transform`.
fn replace(changes: &mut Vec<(char, isize)>, old: usize, new: &str) {
    let start = changes.len();
    changes.extend(new.chars().map(|character| (character, 0)));
    let added = (changes.len() - start) as isize - old as isize;
    if added > 0 {
        changes.iter_mut().rev().take(added.unsigned_abs()).for_each(|(_, change)| *change = 1);
    } else if let Some((_, change)) = changes.last_mut() {
        *change += added;
    }
}
