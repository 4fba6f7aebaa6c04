//! Relative-position terms of the scores: numbers that depend on the distance of query and key.
//!
//! * `ALiBi`: `−m_h · |i − j|`, the slopes `m_h` a geometric progression. O. Press, N. A. Smith and
//!   M. Lewis, "Train Short, Test Long" (2022), section 3; without a causal mask both sides count
//!   alike.
//! * T5: a number per head and bucket of distances. C. Raffel et al., "Exploring the Limits of
//!   Transfer Learning" (2020), section 2.1; buckets as in its code: half of them for single
//!   distances, the others growing with the logarithm up to a largest distance.
//! * Transformer-XL: `transformer_xl`; `DeBERTa`: `disentangled`.
//!
//! Computed in f64 and rounded once.

use std::rc::Rc;

use super::untrained::drawn;
use super::{Disentangled, Met, TransformerXl};
use crate::axes::ScoreTerm;

/// The tolerance by which rounding may not move a distance across a bucket's border, a power of a
/// root.
const BORDER: f64 = 1e-9;

/// The mapping of distances to buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buckets {
    /// The number of buckets, even and at least 4.
    pub count: usize,
    /// The distance from which on all distances share the last bucket.
    pub max_distance: usize,
    /// Whether half of the buckets are for later keys; otherwise later keys count as distance 0.
    pub both_sides: bool,
}

impl Buckets {
    /// The bucket of a key that stands `distance` tokens before its query.
    pub fn of(self, distance: i64) -> usize {
        let (count, first) = match (self.both_sides, distance < 0) {
            (true, later) => (self.count / 2, if later { self.count / 2 } else { 0 }),
            (false, _) => (self.count, 0),
        };
        let away = if self.both_sides { distance.abs() } else { distance.max(0) };
        let away = usize::try_from(away).unwrap_or(usize::MAX);
        let exact = count / 2;
        if away < exact {
            return first + away;
        }
        let share =
            (away as f64 / exact as f64).ln() / (self.max_distance as f64 / exact as f64).ln();
        #[expect(clippy::cast_sign_loss, reason = "the logarithm of a number from 1")]
        let further = (share * (count - exact) as f64 + BORDER) as usize;
        first + (exact + further).min(count - 1)
    }
}

/// The slopes of `ALiBi`, one per head: `2^(−8(h+1)/H)` if the number of heads `H` is a power of
/// two; otherwise the slopes of the next smaller power, then every other slope of twice as many.
pub fn alibi_slopes(n_heads: usize) -> Vec<f64> {
    let of_power = |n: usize| (1..=n).map(move |head| (-8.0 * head as f64 / n as f64).exp2());
    if n_heads.is_power_of_two() {
        return of_power(n_heads).collect();
    }
    let power = n_heads.next_power_of_two() / 2;
    of_power(power).chain(of_power(2 * power).step_by(2)).take(n_heads).collect()
}

/// The relative-position terms that join the scores.
#[derive(Debug)]
pub enum Terms {
    /// `ALiBi`: a slope per head.
    Alibi(Vec<f64>),
    /// T5: a number per head and bucket.
    T5(Bucketed),
    /// Transformer-XL: the terms beside `Q Kᵀ`.
    TransformerXl(TransformerXl),
    /// `DeBERTa`: the terms beside `Q Kᵀ`.
    Disentangled(Disentangled),
}

impl Terms {
    /// The `ALiBi` terms of `n_heads` heads.
    pub fn alibi(n_heads: usize) -> Self {
        Self::Alibi(alibi_slopes(n_heads))
    }

    /// Untrained T5 terms: numbers of standard deviation 1, drawn by seed, one per head and bucket.
    pub fn t5(buckets: Buckets, n_heads: usize, seed: u64) -> Self {
        let number = |at: usize| drawn(seed, &[at / buckets.count, at % buckets.count], 1.0);
        Self::of_buckets(buckets, (0..n_heads * buckets.count).map(number).collect())
    }

    /// T5 terms with the given numbers, `[head, bucket]`.
    pub fn of_buckets(buckets: Buckets, numbers: Vec<f64>) -> Self {
        Self::T5(Bucketed { buckets, numbers, met: Met::default() })
    }
}

/// Numbers `[head, bucket]`, with a table of the buckets that were read before.
#[derive(Debug)]
pub struct Bucketed {
    buckets: Buckets,
    numbers: Vec<f64>,
    met: Met,
}

impl Bucketed {
    /// All numbers, `[head, bucket]`.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    fn number(&self, head: usize, distance: i64) -> f64 {
        self.numbers[head * self.buckets.count + self.bucket(distance)]
    }

    fn bucket(&self, distance: i64) -> usize {
        let furthest = i64::try_from(self.buckets.max_distance).unwrap_or(i64::MAX);
        self.met.of(distance.clamp(-furthest, furthest), |distance| self.buckets.of(distance))
    }
}

/// The relative-position terms of one attention site, and its tokens' positions.
#[derive(Debug, Clone)]
pub struct Relative {
    /// The terms that join the scores.
    pub terms: Rc<Terms>,
    /// The positions of the first tokens; each further token has its index as position.
    pub order: Rc<[usize]>,
}

impl Relative {
    /// The sum of the terms that a head adds to the score of a query with a key; `q` and `k` are
    /// the vectors of both, `[d_h]`.
    #[inline(never)]
    pub fn bias(&self, head: usize, (query, q): (usize, &[f32]), (key, k): (usize, &[f32])) -> f32 {
        let distance = self.stands(query) - self.stands(key);
        match &*self.terms {
            Terms::TransformerXl(terms) => terms.bias(head, distance, q, k) as f32,
            Terms::Disentangled(terms) => terms.terms(head, distance, q, k).iter().sum(),
            _ => self.by_distance(head, distance) as f32,
        }
    }

    /// The terms that a head adds to the score of a query with a key, each with its name; empty for
    /// `ALiBi` and T5, which have one term.
    pub fn parts(
        &self,
        head: usize,
        (query, q): (usize, &[f32]),
        (key, k): (usize, &[f32]),
    ) -> Vec<(ScoreTerm, f32)> {
        let distance = self.stands(query) - self.stands(key);
        match &*self.terms {
            Terms::TransformerXl(own) => {
                let [query, content, position] = own.terms(head, distance, q, k);
                vec![
                    (ScoreTerm::ContentPosition, query as f32),
                    (ScoreTerm::GlobalContent, content as f32),
                    (ScoreTerm::GlobalPosition, position as f32),
                ]
            }
            Terms::Disentangled(own) => {
                let [query, key] = own.terms(head, distance, q, k);
                vec![(ScoreTerm::ContentPosition, query), (ScoreTerm::PositionContent, key)]
            }
            _ => Vec::new(),
        }
    }

    /// The term that depends on the distance alone: the only one of `ALiBi` and T5, the last of the
    /// four of Transformer-XL; 0 for `DeBERTa`, which has none.
    pub fn by_distance(&self, head: usize, distance: i64) -> f64 {
        match &*self.terms {
            Terms::Alibi(slopes) => -slopes[head] * distance.unsigned_abs() as f64,
            Terms::T5(numbers) => numbers.number(head, distance),
            Terms::TransformerXl(terms) => terms.of_distance(head, distance),
            Terms::Disentangled(_) => 0.0,
        }
    }

    /// Adds the terms to a row of scores, one per key.
    pub fn join<'k>(
        &self,
        head: usize,
        (query, q): (usize, &[f32]),
        key: impl Fn(usize) -> &'k [f32],
        scores: &mut [f32],
    ) {
        for (at, score) in scores.iter_mut().enumerate() {
            *score += self.bias(head, (query, q), (at, key(at)));
        }
    }

    /// Adds the gradients of a score's terms with respect to its query and key, `[d_h]` each, times
    /// the gradient with respect to the score. Terms that are no products with them add nothing.
    pub fn add_backward(
        &self,
        head: usize,
        [query, key]: [usize; 2],
        slope: f32,
        gradients: [&mut [f32]; 2],
    ) {
        let distance = self.stands(query) - self.stands(key);
        match &*self.terms {
            Terms::Alibi(_) | Terms::T5(_) => {}
            Terms::TransformerXl(terms) => terms.add_backward(head, distance, slope, gradients),
            Terms::Disentangled(terms) => terms.add_backward(head, distance, slope, gradients),
        }
    }

    /// Computes the rows of all distances in a text of `n_tokens` tokens. Without this call, a row
    /// is computed when the first pair of its distance is.
    pub fn meet(&self, n_tokens: usize) {
        if let (Terms::TransformerXl(terms), Some(last)) = (&*self.terms, n_tokens.checked_sub(1)) {
            terms.meet(last);
        }
    }

    /// The multiplications that `meet` takes for each token.
    pub fn work_per_token(&self) -> usize {
        match &*self.terms {
            Terms::Alibi(_) | Terms::T5(_) | Terms::Disentangled(_) => 0,
            Terms::TransformerXl(terms) => terms.work_per_token(),
        }
    }

    /// The multiplications that one head takes for one pair of tokens, or operations of equal cost.
    pub fn work_per_pair(&self) -> usize {
        match &*self.terms {
            Terms::Alibi(_) | Terms::T5(_) => 1,
            Terms::TransformerXl(terms) => terms.work_per_pair(),
            Terms::Disentangled(terms) => 2 * terms.head_dim,
        }
    }

    /// The position of a token.
    pub fn stands(&self, token: usize) -> i64 {
        let position = self.order.get(token).copied().unwrap_or(token);
        i64::try_from(position).unwrap_or(i64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_bucket_that_was_met_is_the_bucket_that_is_computed() {
        for both_sides in [false, true] {
            let buckets = Buckets { count: 12, max_distance: 40, both_sides };
            let Terms::T5(met) = Terms::t5(buckets, 2, 3) else { panic!("other terms") };
            for distance in [7, -60, 0, 39, 40, 41, -1, i64::MAX, i64::MIN + 1] {
                assert_eq!(met.bucket(distance), buckets.of(distance), "{distance}");
            }
            assert_eq!(met.met.count(), 81, "nothing is stored beyond the largest distance");
        }
    }
}
