//! One rule of a mask: a yes or no for each query and key.
//!
//! Sources: causal and padding masks, Vaswani et al. 2017, sections 3.1 and 3.2.3.

/// A query and a key.
pub type Cell = (usize, usize);

/// What one rule forbids.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// A query may not look at later keys.
    Causal,
    /// Nobody may look at these keys, in ascending order: they are padding.
    Padding(Vec<usize>),
    /// These cells alone, in ascending order.
    Cells(Vec<Cell>),
}

impl Rule {
    /// Forbids the keys that are not real.
    pub fn padding(real: &[bool]) -> Self {
        Self::Padding((0..real.len()).filter(|&key| !real[key]).collect())
    }

    /// Forbids these cells, in whatever order they come.
    pub fn cells(mut cells: Vec<Cell>) -> Self {
        cells.sort_unstable();
        cells.dedup();
        Self::Cells(cells)
    }

    /// Whether the rule forbids nothing, however long the text is.
    pub(super) fn is_open(&self) -> bool {
        match self {
            Self::Causal => false,
            Self::Padding(keys) => keys.is_empty(),
            Self::Cells(cells) => cells.is_empty(),
        }
    }

    /// Writes `-∞` where `query` may not look; keys beyond the row are passed over.
    pub(super) fn forbid(&self, query: usize, row: &mut [f32]) {
        let n_keys = row.len();
        match self {
            Self::Causal => {
                let open = n_keys.min(query + 1);
                row[open..].fill(f32::NEG_INFINITY);
            }
            Self::Padding(keys) => {
                for &key in keys.iter().take_while(|&&key| key < n_keys) {
                    row[key] = f32::NEG_INFINITY;
                }
            }
            Self::Cells(cells) => {
                let first = cells.partition_point(|cell| cell.0 < query);
                for &(_, key) in
                    cells[first..].iter().take_while(|cell| cell.0 == query && cell.1 < n_keys)
                {
                    row[key] = f32::NEG_INFINITY;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    fn open_keys(rule: &Rule, query: usize, n_keys: usize) -> Vec<usize> {
        let mut row = vec![0.0; n_keys];
        rule.forbid(query, &mut row);
        (0..n_keys).filter(|&key| row[key] == 0.0).collect()
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn each_rule_forbids_what_it_says() {
        assert_eq!(open_keys(&Rule::Causal, 1, 4), [0, 1]);
        assert_eq!(open_keys(&Rule::Causal, 9, 4), [0, 1, 2, 3]);
        assert_eq!(open_keys(&Rule::padding(&[true, false, true, false]), 0, 4), [0, 2]);
        let cells = Rule::cells(vec![(1, 3), (1, 0), (2, 1), (1, 0)]);
        assert_eq!(open_keys(&cells, 1, 4), [1, 2]);
        assert_eq!(open_keys(&cells, 2, 4), [0, 2, 3]);
        assert_eq!(open_keys(&cells, 0, 4), [0, 1, 2, 3]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn keys_beyond_the_text_are_passed_over() {
        assert_eq!(open_keys(&Rule::cells(vec![(0, 1), (0, 7)]), 0, 3), [0, 2]);
        assert_eq!(open_keys(&Rule::padding(&[true, true, true, false]), 0, 2), [0, 1]);
    }
}
