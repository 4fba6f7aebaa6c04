//! Kinds of attention as their definitions say (`edits::kind`), in f64 and without a shortcut:
//! every kind is the pattern that it implies, and its context that pattern times the values.
//! Only what is drawn by seed is drawn by the same code as elsewhere.

use super::{OracleTensor, pattern_row};
use crate::axes::Stage;
use crate::backend::Attention;
use crate::edits::{Kind, Kinds};
use crate::kernels::features::Directions;
use crate::kernels::random::additive_weights;

type Site<'a> = Attention<'a, OracleTensor>;

fn wide(x: &[f32]) -> Vec<f64> {
    x.iter().copied().map(f64::from).collect()
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

/// Raw scores of one query.
pub(super) fn raw(site: &Site<'_>, head: usize, query: usize) -> Vec<f32> {
    let q = site.query.head(query, head, site.n_heads);
    let n_keys = site.key.rows();
    let key = |key: usize| site.key.head(key, site.kv_head(head), site.n_kv_heads);
    let own = site.kinds.of(head);
    let by = |score: &dyn Fn(&[f64]) -> f64| -> Vec<f32> {
        (0..n_keys).map(|at| score(&wide(key(at))) as f32).collect()
    };
    let long = wide(q);
    match own.kind {
        Kind::Softmax | Kind::Banded(_) | Kind::LowRank { .. } | Kind::Chunked { .. } => {
            (0..n_keys).map(|at| q.iter().zip(key(at)).map(|(a, b)| a * b).sum()).collect()
        }
        Kind::Cosine => by(&|k| {
            let lengths = (dot(&long, &long) * dot(k, k)).sqrt();
            if lengths == 0.0 { 0.0 } else { dot(&long, k) / lengths }
        }),
        Kind::Additive { width, seed } => {
            let d = q.len();
            let width = if width == 0 { d } else { width };
            let [of_query, of_key, out] = additive_weights(d, width, seed);
            let map = |x: &[f64], weight: &[f32], unit: usize| -> f64 {
                (0..d).map(|i| x[i] * f64::from(weight[i * width + unit])).sum()
            };
            by(&|k| {
                let unit = |j| (map(&long, &of_query, j) + map(k, &of_key, j)).tanh();
                (0..width).map(|j| f64::from(out[j]) * unit(j)).sum()
            })
        }
        Kind::Linear | Kind::Performer { .. } => {
            alike(site, head, query).into_iter().map(|x| x as f32).collect()
        }
        Kind::Linformer { .. } => {
            let mut row = vec![0.0; n_keys];
            for segment in segments(site, head, query) {
                let mut mean = vec![0.0; q.len()];
                for &at in &segment {
                    mean.iter_mut().zip(wide(key(at))).for_each(|(sum, x)| *sum += x);
                }
                let score = (dot(&long, &mean) / segment.len() as f64) as f32;
                for &at in &segment {
                    row[at] = score;
                }
            }
            row
        }
    }
}

/// Products of one query's features with those of all keys.
fn alike(site: &Site<'_>, head: usize, query: usize) -> Vec<f64> {
    let key = |key: usize| site.key.head(key, site.kv_head(head), site.n_kv_heads);
    let own = features(site, head, site.query.head(query, head, site.n_heads));
    (0..site.key.rows()).map(|at| dot(&own, &features(site, head, key(at)))).collect()
}

fn features(site: &Site<'_>, head: usize, x: &[f32]) -> Vec<f64> {
    let own = site.kinds.of(head);
    let Kind::Performer { features, seed } = own.kind else {
        return wide(x).iter().map(|&x| if x > 0.0 { x + 1.0 } else { x.exp() }).collect();
    };
    let mut found = vec![0.0; features];
    let half = f64::from(own.factor(site.scale)).sqrt();
    Directions::draw(seed, features, x.len()).features(x, half, &mut found);
    found
}

/// The numbers whose products add up to a raw score, or to a weight of low rank.
pub(super) fn factors(
    site: &Site<'_>,
    head: usize,
    query: usize,
    key: usize,
) -> Option<[Vec<f64>; 2]> {
    let q = site.query.head(query, head, site.n_heads);
    let key_of = |at: usize| site.key.head(at, site.kv_head(head), site.n_kv_heads);
    match site.kinds.of(head).kind {
        Kind::Additive { width, seed } => {
            let (q, k) = (wide(q), wide(key_of(key)));
            let width = if width == 0 { q.len() } else { width };
            let [of_query, of_key, out] = additive_weights(q.len(), width, seed);
            let map = |x: &[f64], weight: &[f32], unit: usize| -> f64 {
                x.iter().enumerate().map(|(i, x)| x * f64::from(weight[i * width + unit])).sum()
            };
            let unit = |j| (map(&q, &of_query, j) + map(&k, &of_key, j)).tanh();
            Some([(0..width).map(unit).collect(), wide(&out)])
        }
        Kind::Linear | Kind::Performer { .. } => {
            Some([features(site, head, q), features(site, head, key_of(key))])
        }
        Kind::Linformer { .. } => {
            let own = segments(site, head, query).into_iter().find(|keys| keys.contains(&key));
            let mut mean = vec![0.0; q.len()];
            for &at in own.iter().flatten() {
                let count = own.as_ref().map_or(1, Vec::len) as f64;
                mean.iter_mut().zip(wide(key_of(at))).for_each(|(sum, x)| *sum += x / count);
            }
            Some([wide(q), mean])
        }
        Kind::LowRank { rank } => {
            let rows = undiminished(site, head);
            let vectors = directions(&rows, rank);
            let along = vectors.iter().map(|vector| dot(&rows[query], vector)).collect();
            Some([along, vectors.iter().map(|vector| vector[key]).collect()])
        }
        Kind::Softmax | Kind::Cosine | Kind::Banded(_) | Kind::Chunked { .. } => None,
    }
}

/// Scores of one query from its raw scores.
pub(super) fn scores(site: &Site<'_>, head: usize, query: usize, raw: &[f32]) -> Vec<f32> {
    let own = site.kinds.of(head);
    let factor = own.factor(site.scale);
    let mut scores: Vec<f32> = match own.kind {
        Kind::Linear | Kind::Performer { .. } => {
            alike(site, head, query).into_iter().map(|x| x.ln() as f32).collect()
        }
        _ => raw.iter().map(|score| score * factor).collect(),
    };
    if let Kind::Linformer { .. } = own.kind {
        for segment in segments(site, head, query) {
            let shared = (segment.len() as f32).ln();
            for &at in &segment {
                scores[at] -= shared;
            }
        }
    }
    scores
}

/// Forbids what the kind leaves out.
pub(super) fn leave_out(site: &Site<'_>, head: usize, query: usize, row: &mut [f32]) {
    let n_keys = row.len();
    let kind = site.kinds.of(head).kind;
    let visible = site.mask.visible(head, query, n_keys);
    for (key, cell) in row.iter_mut().enumerate() {
        let beyond = match kind {
            Kind::Banded(band) => !band.keys(query, n_keys).contains(&key),
            other => other.is_implied() && !visible[key],
        };
        if beyond {
            *cell = f32::NEG_INFINITY;
        }
    }
}

/// Dropout, or few singular values.
pub(super) fn after_softmax(
    site: &Site<'_>,
    head: usize,
    query: usize,
    mut row: Vec<f32>,
) -> Vec<f32> {
    let own = site.kinds.of(head);
    if let Some(dropout) = own.dropout {
        row.iter_mut().enumerate().for_each(|(key, weight)| *weight *= dropout.factor(query, key));
    }
    let Kind::LowRank { rank } = own.kind else { return row };
    let rows = undiminished(site, head);
    let mut out = vec![0.0; row.len()];
    for vector in directions(&rows, rank) {
        let along = dot(&rows[query], &vector);
        out.iter_mut().zip(&vector).for_each(|(out, x)| *out += along * x);
    }
    out.into_iter().map(|x| x as f32).collect()
}

/// The weights that are to be approximated, without given rows and as the model takes them.
fn undiminished(site: &Site<'_>, head: usize) -> Vec<Vec<f64>> {
    let (model, open) = (Kinds::default(), crate::edits::Frozen::default());
    let scale = site.kinds.of(head).factor(site.scale);
    let exact = Attention { kinds: &model, frozen: &open, scale, ..*site };
    let row = |query| wide(&pattern_row(&exact, head, query, Stage::Weights));
    (0..site.query.rows()).map(row).collect()
}

/// The eigenvectors of `Aᵀ A` with the largest eigenvalues: the nearest matrix of a rank has the
/// rows of `A` along so many of them.
fn directions(rows: &[Vec<f64>], rank: usize) -> Vec<Vec<f64>> {
    let n = rows[0].len();
    let mut gram: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| rows.iter().map(|r| r[i] * r[j]).sum()).collect()).collect();
    let mut vectors: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..60 {
        for p in 0..n {
            for q in p + 1..n {
                if gram[p][q].abs() < 1e-300 {
                    continue;
                }
                let angle = 0.5 * (2.0 * gram[p][q]).atan2(gram[q][q] - gram[p][p]);
                let (s, c) = angle.sin_cos();
                for one in gram.iter_mut().chain(&mut vectors) {
                    (one[p], one[q]) = (c * one[p] - s * one[q], s * one[p] + c * one[q]);
                }
                #[expect(clippy::needless_range_loop, reason = "two rows of it change together")]
                for i in 0..n {
                    let (a, b) = (gram[p][i], gram[q][i]);
                    (gram[p][i], gram[q][i]) = (c * a - s * b, s * a + c * b);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| gram[b][b].total_cmp(&gram[a][a]));
    let vector = |at: usize| (0..n).map(|i| vectors[i][at]).collect();
    order.into_iter().take(rank).map(vector).collect()
}

/// The segments of keys that linformer pools, as equal as they can be.
fn segments(site: &Site<'_>, head: usize, query: usize) -> Vec<Vec<usize>> {
    let Kind::Linformer { keys } = site.kinds.of(head).kind else { return Vec::new() };
    let visible = site.mask.visible(head, query, site.key.rows());
    let open: Vec<usize> = (0..visible.len()).filter(|&key| visible[key]).collect();
    let count = keys.min(open.len());
    let end = |i: usize| i * open.len() / count;
    (0..count).map(|i| open[end(i)..end(i + 1)].to_vec()).collect()
}
