//! The roles that heads were found to play, with the score from which a head is said to
//! wear one. What a score measures is in `tally.rs`, and in words in `docs/roles.md`.
//!
//! Sources: Clark et al. 2019, "What Does BERT Look At?", section 3; Voita et al. 2019,
//! "Analyzing Multi-Head Self-Attention", section 5; Olsson et al. 2022, "In-context
//! Learning and Induction Heads"; Wang et al. 2022, "Interpretability in the Wild",
//! section 3. Voita's 90 % is theirs; where a paper names no threshold it is one half, the
//! point from which the role says more about a head than everything else together.

/// Something that a head does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum Role {
    /// It looks at what followed the same token before (Olsson et al. 2022).
    Induction,
    /// It looks at the same token elsewhere (Wang et al. 2022).
    Duplicate,
    /// It looks at the token before (Clark et al. 2019).
    Previous,
    /// It looks at the token after (Clark et al. 2019).
    Next,
    /// It looks at the token itself (Clark et al. 2019).
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(rename = "self"))]
    Itself,
    /// It looks at the special tokens that end or divide a text (Clark et al. 2019).
    Separator,
    /// It looks at the text's first token, where attention goes that has nothing to do.
    First,
    /// It looks at the rarest token of the text (Voita et al. 2019).
    Rare,
    /// It looks at one relative position (Voita et al. 2019).
    Positional,
    /// It looks nearly everywhere (Clark et al. 2019).
    Broad,
}

impl Role {
    /// All roles, the most specific first: a head that fits several wears the first of them.
    pub const ALL: [Self; 10] = [
        Self::Induction,
        Self::Duplicate,
        Self::Previous,
        Self::Next,
        Self::Itself,
        Self::Separator,
        Self::First,
        Self::Rare,
        Self::Positional,
        Self::Broad,
    ];

    /// The name as it crosses the boundary.
    pub fn name(self) -> &'static str {
        match self {
            Self::Induction => "induction",
            Self::Duplicate => "duplicate",
            Self::Previous => "previous",
            Self::Next => "next",
            Self::Itself => "self",
            Self::Separator => "separator",
            Self::First => "first",
            Self::Rare => "rare",
            Self::Positional => "positional",
            Self::Broad => "broad",
        }
    }

    /// The score from which a head wears the role.
    pub fn threshold(self) -> f64 {
        match self {
            Self::Positional => 0.9,
            Self::Broad => 0.8,
            _ => 0.5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn every_role_is_listed_at_its_own_place_and_named_once() {
        let mut names: Vec<&str> = Role::ALL.iter().map(|role| role.name()).collect();
        for (place, role) in Role::ALL.into_iter().enumerate() {
            assert_eq!(role as usize, place);
            assert!((0.5..1.0).contains(&role.threshold()));
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Role::ALL.len());
    }
}
