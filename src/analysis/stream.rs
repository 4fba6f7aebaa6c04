//! Measures of the residual stream, token by token: the spread of its numbers, the share that a
//! sublayer adds, the similarity of tokens, and the distance from another stream.
//!
//! * `μ = Σ x_i / d`, `σ = √(Σ (x_i − μ)² / d)`, `‖x‖ = √Σ x_i²`
//! * similarity of a token: the mean over all other tokens of `cos(x, y)`, undefined for a single
//!   token; rows of zeros have no direction and are left out
//! * share of a sublayer: `‖F(x)‖ / ‖x‖`, undefined where x is zero
//! * distance: `‖x − y‖`
//!
//! The similarity of tokens grows with depth: Ethayarajh 2019, section 4.2, who measures it on
//! random words of many texts, here on the words of one text. Rows are `[n, width]`, row-major;
//! sums are f64.

/// Mean, standard deviation and length of every row, `[n]` each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spread {
    /// Means `μ`.
    pub mean: Vec<f64>,
    /// Standard deviations `σ`, with the divisor `d`.
    pub deviation: Vec<f64>,
    /// Lengths `‖x‖`.
    pub norm: Vec<f64>,
}

/// Mean, standard deviation and length of every row of `[n, width]`.
pub fn spread(rows: &[f32], width: usize) -> Spread {
    let mut found = Spread::default();
    for row in rows.chunks_exact(width) {
        let values = || row.iter().map(|&x| f64::from(x));
        let mean = values().sum::<f64>() / width as f64;
        let variance = values().map(|x| (x - mean) * (x - mean)).sum::<f64>() / width as f64;
        found.mean.push(mean);
        found.deviation.push(variance.sqrt());
        found.norm.push(length(row));
    }
    found
}

/// Mean cosine of every row with all other rows, `[n]`; `None` for a row of zeros or a single row.
pub fn similarity(rows: &[f32], width: usize) -> Vec<Option<f64>> {
    // With unit vectors u the cosines of one row add up to u · Σ u', which is n·d and not n²·d.
    let units: Vec<Option<Vec<f64>>> = rows
        .chunks_exact(width)
        .map(|row| {
            let norm = length(row);
            (norm > 0.0).then(|| row.iter().map(|&x| f64::from(x) / norm).collect())
        })
        .collect();
    let mut all = vec![0.0; width];
    for unit in units.iter().flatten() {
        all.iter_mut().zip(unit).for_each(|(sum, x)| *sum += x);
    }
    let others = units.iter().flatten().count().saturating_sub(1);
    units
        .iter()
        .map(|unit| {
            let unit = unit.as_ref().filter(|_| others > 0)?;
            let together: f64 = unit.iter().zip(&all).map(|(x, sum)| x * (sum - x)).sum();
            Some((together / others as f64).clamp(-1.0, 1.0))
        })
        .collect()
}

/// Length of every row of a sublayer's output `found`, divided by the length of that row of its
/// input `entered`; `None` for an input of zeros.
pub fn shares(found: &[f32], entered: &[f32], width: usize) -> Vec<Option<f64>> {
    let rows = found.chunks_exact(width).zip(entered.chunks_exact(width));
    rows.map(|(found, entered)| {
        let norm = length(entered);
        (norm > 0.0).then(|| length(found) / norm)
    })
    .collect()
}

/// Euclidean distance of every row from the same row of another matrix, `[n]`.
pub fn distances(one: &[f32], other: &[f32], width: usize) -> Vec<f64> {
    let rows = one.chunks_exact(width).zip(other.chunks_exact(width));
    rows.map(|(one, other)| {
        let square = |(x, y): (&f32, &f32)| (f64::from(*x) - f64::from(*y)).powi(2);
        one.iter().zip(other).map(square).sum::<f64>().sqrt()
    })
    .collect()
}

fn length(row: &[f32]) -> f64 {
    row.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt()
}
