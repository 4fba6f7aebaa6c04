//! The product of two matrices in f64, for matrices of which many cells are 0.

/// `A B` of `A [m, n]` and `B [n, columns]`, row-major.
pub fn product(a: &[f64], b: &[f64], columns: usize) -> Vec<f64> {
    let columns = columns.max(1);
    let n = b.len() / columns;
    let mut out = vec![0.0; a.len() / n.max(1) * columns];
    for (out, factors) in out.chunks_exact_mut(columns).zip(a.chunks_exact(n.max(1))) {
        for (&factor, row) in factors.iter().zip(b.chunks_exact(columns)) {
            if factor != 0.0 {
                out.iter_mut().zip(row).for_each(|(out, &value)| *out += factor * value);
            }
        }
    }
    out
}
