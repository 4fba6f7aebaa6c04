//! The roles that heads were found to play, with the score from which a head counts as having
//! it. What a score measures stands with `Tally`, and in words in `docs/roles.md`.
//!
//! Sources: Clark et al. 2019, "What Does BERT Look At?", section 3; Voita et al. 2019, "Analyzing
//! Multi-Head Self-Attention", section 5; Olsson et al. 2022, "In-context Learning and Induction
//! Heads"; Wang et al. 2022, "Interpretability in the Wild", section 3; Garg et al. 2019, "Jointly
//! Learning to Align and Translate"; Chen et al. 2020, "Accurate Word Alignment Induction". Voita's
//! 90 % is theirs; where a paper names no threshold it is one half, the point from which the role
//! says more about a head than everything else together.

use crate::axes::named;

named! {
    /// Something that a head does; the most specific first: a head that fits several has the first.
    Role, Internal, "the role" {
        /// It looks at what followed the same token before (Olsson et al. 2022).
        Induction = "induction",
        /// It looks at the same token elsewhere (Wang et al. 2022).
        Duplicate = "duplicate",
        /// It looks across at the source of the query's own token (Chen et al. 2020).
        Aligned = "aligned",
        /// It looks at the token before (Clark et al. 2019).
        Previous = "previous",
        /// It looks at the token after (Clark et al. 2019); across, at its source (Garg et al.
        /// 2019).
        Next = "next",
        /// It looks at the token itself (Clark et al. 2019).
        Itself = "self",
        /// It looks at the special tokens that end or divide a text (Clark et al. 2019).
        Separator = "separator",
        /// It looks at the text's first token, where attention goes that has nothing to do.
        First = "first",
        /// It looks at the rarest token of the text (Voita et al. 2019).
        Rare = "rare",
        /// It looks at one relative position (Voita et al. 2019).
        Positional = "positional",
        /// It looks nearly everywhere (Clark et al. 2019).
        Broad = "broad",
    }
}

impl Role {
    /// The score from which a head has the role.
    pub fn threshold(self) -> f64 {
        match self {
            Self::Positional => 0.9,
            Self::Broad => 0.8,
            _ => 0.5,
        }
    }
}
