//! Row data between scores and weights, written for the queries of a call: the bits of the mask,
//! the first and last key of the attention variant, dropped cells, and given rows. Heads with the
//! same data share their rows.

use std::ops::Range;

use crate::backend::Attention;
use crate::backend::webgpu::gpu::{Gpu, bytes};
use crate::backend::webgpu::pool::Buffer;
use crate::backend::webgpu::tensor::WebGpuTensor;
use crate::variants::HeadVariant;

/// One site, with its numbers on the GPU.
pub(super) type Site<'a> = Attention<'a, WebGpuTensor>;

/// The words of a row before its bits, in the order of the constants in `score_tile.wgsl`.
const HEADER: usize = 5;
/// The word of a row with the place of its dropped cells.
const DROPPED: usize = 4;
/// The place of a row without given weights or dropped cells.
const NONE: u32 = u32::MAX;

/// The rows of all heads.
pub(super) struct Rows {
    words: Vec<u32>,
    given: Vec<f32>,
    /// For each row with dropped cells a bit per key.
    dropped: Vec<u32>,
    dropping: Vec<usize>,
    /// The first row of each head.
    first: Vec<usize>,
    n_keys: usize,
}

impl Rows {
    /// The row data of all heads for some queries.
    pub fn of(site: &Site<'_>, queries: &Range<usize>) -> Self {
        let mut rows = Self {
            words: Vec::new(),
            given: Vec::new(),
            dropped: Vec::new(),
            dropping: Vec::new(),
            first: Vec::new(),
            n_keys: site.key.rows,
        };
        let mut shared = None;
        for head in 0..site.n_heads {
            let own = site.variants.of(head);
            let is_plain = site.mask.is_same_for_all_heads()
                && own.dropout.is_none()
                && !own.variant.facts().is_implied()
                && own.variant.band(0, rows.n_keys).is_none()
                && !site.fixed_patterns.gives(head);
            let next = rows.words.len() / rows.words_per_row();
            let known = shared.filter(|_| is_plain);
            rows.first.push(known.unwrap_or(next));
            if is_plain {
                shared = shared.or(Some(next));
            }
            if known.is_none() {
                queries.clone().for_each(|query| rows.add(site, (head, own), query));
            }
        }
        let behind = rows.words.len();
        let n_words = rows.words_per_row() - HEADER;
        for (at, &row) in rows.dropping.iter().enumerate() {
            rows.words[row + DROPPED] = (behind + at * n_words) as u32;
        }
        rows
    }

    /// The first row of a head.
    pub fn first_of(&self, head: usize) -> usize {
        self.first[head]
    }

    /// The number of words from one row to the next.
    pub fn words_per_row(&self) -> usize {
        HEADER + self.n_keys.div_ceil(u32::BITS as usize)
    }

    /// Uploads the rows and the given weights.
    pub fn upload(&self, gpu: &Gpu) -> (Buffer, Buffer) {
        // Every binding needs a buffer; without a given row the buffer is not read.
        let given = if self.given.is_empty() { &[0.0][..] } else { &self.given };
        let words = [&self.words[..], &self.dropped].concat();
        (gpu.upload(bytes(&words)), gpu.upload(bytes(given)))
    }

    fn add(&mut self, site: &Site<'_>, (head, own): (usize, HeadVariant), query: usize) {
        let n_keys = self.n_keys;
        let open = site.mask.visible(head, query, n_keys);
        let mut added = site.mask.fill(head).added();
        let mut counts = own.variant.band(query, n_keys).unwrap_or(0..n_keys);
        let mut given = NONE;
        if own.variant.facts().sums_open_keys() {
            // A masked key is left out of sums, so the mask adds −∞.
            added = f32::NEG_INFINITY;
        }
        if added == f32::NEG_INFINITY {
            counts = between(&open, counts);
        }
        // A given row replaces the weights alone: scores stay those of the variant.
        if site.fixed_patterns.pattern(head, query).is_some() {
            let mut row = site.mask.row(head, query, n_keys);
            site.fixed_patterns.write(head, query, &mut row);
            given = self.given.len() as u32;
            self.given.extend(row);
        } else if let Some(dropout) = own.dropout {
            self.dropping.push(self.words.len());
            let is_dropped = |key: usize| dropout.factor(query, key) == 0.0;
            self.dropped.extend(bits((0..n_keys).map(is_dropped)));
        }
        let [first, end] = [counts.start, counts.end].map(|key| key as u32);
        self.words.extend([added.to_bits(), first, end, given, NONE]);
        self.words.extend(bits(open.into_iter().map(|open| !open)));
    }
}

/// The part of a range from its first open key to its last.
fn between(open: &[bool], keys: Range<usize>) -> Range<usize> {
    let own = &open[keys.clone()];
    let Some(first) = own.iter().position(|&open| open) else { return 0..0 };
    let last = own.iter().rposition(|&open| open).unwrap_or(first);
    keys.start + first..keys.start + last + 1
}

/// A bit for each item, in whole words, the first item in the lowest bit.
fn bits(of: impl ExactSizeIterator<Item = bool>) -> Vec<u32> {
    let mut words = vec![0; of.len().div_ceil(u32::BITS as usize)];
    for (at, one) in of.enumerate() {
        words[at / u32::BITS as usize] |= u32::from(one) << (at % u32::BITS as usize);
    }
    words
}
