//! Every row of logits in little room: weighted sums of neighbouring ids, as
//! `tests/reference/logit_sums.py` wrote them.

const IDS_A_SUM: usize = 50;
const MULTIPLIER: u64 = 2_654_435_761;
const BITS: u64 = 1 << 32;

/// An id's weight: between a half and one, of either sign. Nothing in it is rounded.
fn weight(id: usize) -> f64 {
    let mixed = ((id as u64 + 1) * MULTIPLIER) % BITS;
    let size = 0.5 + (mixed % (1 << 24)) as f64 / f64::from(1 << 25);
    if mixed >= BITS / 2 { -size } else { size }
}

/// The sums of one row of logits, the last group as short as it comes.
pub fn sums(row: &[f32]) -> Vec<f32> {
    let weighted: Vec<f64> =
        row.iter().enumerate().map(|(id, &logit)| f64::from(logit) * weight(id)).collect();
    weighted.chunks(IDS_A_SUM).map(|group| group.iter().sum::<f64>() as f32).collect()
}
