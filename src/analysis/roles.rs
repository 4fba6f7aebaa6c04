//! The roles that heads were found to have, and the score from which a head counts as having one.
//! `Tally` computes the scores; `docs/roles.md` explains them.
//!
//! Sources: Clark et al. 2019, "What Does BERT Look At?", section 3; Voita et al. 2019, "Analyzing
//! Multi-Head Self-Attention", section 5; Olsson et al. 2022, "In-context Learning and Induction
//! Heads"; Wang et al. 2022, "Interpretability in the Wild", section 3; Garg et al. 2019, "Jointly
//! Learning to Align and Translate"; Chen et al. 2020, "Accurate Word Alignment Induction". The
//! threshold of 90 % is Voita's; where a paper names none it is one half.

use crate::axes::named;

named! {
    /// A function of a head, the most specific first: a head with several roles is named by the
    /// first.
    Role, Internal, "the role" {
        /// The head attends to the token that followed an earlier copy of the query's token (Olsson
        /// et al. 2022).
        Induction = "induction",
        /// The head attends to other copies of the query's token (Wang et al. 2022).
        Duplicate = "duplicate",
        /// The cross-attention head attends to the source of the query's own token (Chen et al.
        /// 2020).
        Aligned = "aligned",
        /// The head attends to the token before the query (Clark et al. 2019).
        Previous = "previous",
        /// The head attends to the token after the query (Clark et al. 2019); in cross-attention,
        /// to the source of the token after the query (Garg et al. 2019).
        Next = "next",
        /// The head attends to the query's own token (Clark et al. 2019).
        Itself = "self",
        /// The head attends to the special tokens that end or divide a text (Clark et al. 2019).
        Separator = "separator",
        /// The head attends to the first token of the text, the usual attention sink.
        First = "first",
        /// The head attends to the rarest token of the text (Voita et al. 2019).
        Rare = "rare",
        /// The cross-attention head attends within one token of the source of the token after the
        /// query; in sources long enough that this is no chance.
        Near = "near",
        /// The head attends to one relative position (Voita et al. 2019).
        Positional = "positional",
        /// The head attends to nearly all keys (Clark et al. 2019).
        Broad = "broad",
    }
}

impl Role {
    /// The score, from 0 to 1, from which a head has the role.
    pub fn threshold(self) -> f64 {
        match self {
            Self::Positional => 0.9,
            Self::Broad => 0.8,
            _ => 0.5,
        }
    }
}
