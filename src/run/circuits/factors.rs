//! The spectra of a head's two forms, from their factors `[d, d_h]`.
//!
//! Singular values of `A Bᵀ`: with `Aᵀ = U Σ Vᵀ`, whose rows `Σ Uᵀ` the kernel `orthogonal` finds,
//! `A Bᵀ = V (Σ Uᵀ Bᵀ)`, and `V` changes no singular value; so they are those of `Σ Uᵀ Bᵀ`, `[d_h,
//! d]`. Eigenvalues of `W_V W_O` that are not 0 are those of `W_O W_V`, `[d_h, d_h]`.
//!
//! The rank at 90 % is that of J.-B. Cordonnier et al., "Multi-Head Attention: Collaborate Instead
//! of Concatenate" (2020), section 3: the heads of a block side by side are factors of one form.

use std::rc::Rc;

use crate::analysis::SingularValues;
use crate::analysis::spectrum::{Decomposition, ROUNDING};
use crate::axes::Stack;
use crate::backend::Backend;
use crate::error::Result;
use crate::kernels::eigenvalues::{Complex, eigenvalues};
use crate::kernels::orthogonal::Orthogonal;
use crate::kernels::precise::{add_multiple, products};
use crate::model::{HeadWeight, Model};
use crate::question::{Reading, Work};

type Place = (Stack, usize, usize);

/// The work of one step, in multiplications of f64: some milliseconds.
const STEP_WORK: usize = 5_000_000;

/// The most columns of the queries of a block whose shared rank is computed: the work grows with
/// their cube.
const WIDEST_BLOCK: usize = 512;

/// The singular values of `A Bᵀ`, step by step, from `Aᵀ` and `Bᵀ`, `[d_h, d]` each.
struct Product {
    left: Orthogonal,
    right: Vec<f32>,
    width: usize,
    d: usize,
    values: Option<Decomposition>,
}

impl Product {
    fn new(left: &[f32], right: Vec<f32>, d: usize) -> Self {
        let width = right.len() / d.max(1);
        Self { left: Orthogonal::new(left, d, ROUNDING), right, width, d, values: None }
    }

    fn step(&mut self) -> Option<SingularValues> {
        let Some(values) = &mut self.values else {
            if self.left.advance(STEP_WORK).1 {
                self.values = Some(Decomposition::new(&self.turned(), self.d));
            }
            return None;
        };
        let mut found = values.advance(STEP_WORK)?;
        // A matrix with a number that is not finite has no singular values.
        let is_known = !found.values.is_empty() || self.left.rows().is_empty();
        if self.left.is_finite() && is_known {
            found.values.resize(self.width.min(self.d), 0.0);
        }
        Some(found)
    }

    /// `Σ Uᵀ Bᵀ`.
    fn turned(&self) -> Vec<f32> {
        let mut all = Vec::with_capacity(self.left.rows().len() * self.d);
        for row in self.left.rows() {
            let mut sums = vec![0.0; self.d];
            for (&part, right) in row.iter().zip(self.right.chunks_exact(self.d.max(1))) {
                add_multiple(&mut sums, part, right);
            }
            all.extend(sums.into_iter().map(|sum| sum as f32));
        }
        all
    }
}

/// The singular values of `W_Q W_Kᵀ`.
pub(super) fn query_key<B: Backend>(
    model: &Rc<Model<B>>,
    place: Place,
) -> Result<Work<SingularValues>> {
    let read = |part| model.head_weights(place, part);
    let (query, key) = (read(HeadWeight::Query)?, read(HeadWeight::Key)?);
    let d = model.config.d_model;
    let factors: Reading<Product> = Box::pin(async move {
        let (query, key) = (query.await?.into_data(), key.await?.into_data());
        Ok(Product::new(&transposed(&query, d), transposed(&key, d), d))
    });
    Ok(Work::after(factors, Product::step))
}

/// The singular values and the eigenvalues of `W_V W_O`.
pub(super) fn value_output<B: Backend>(
    model: &Rc<Model<B>>,
    place: Place,
) -> Result<Work<(SingularValues, Vec<Complex>)>> {
    let read = |part| model.head_weights(place, part);
    let (value, output) = (read(HeadWeight::Value)?, read(HeadWeight::Output)?);
    let d = model.config.d_model;
    let factors: Reading<(Product, Vec<Complex>)> = Box::pin(async move {
        let value = transposed(&value.await?.into_data(), d);
        let output = output.await?.into_data();
        let own = eigenvalues(&products(&output, &value, d), output.len() / d.max(1));
        Ok((Product::new(&value, output, d), own))
    });
    Ok(Work::after(factors, |(product, own)| Some((product.step()?, std::mem::take(own)))))
}

/// The singular values of the sum of `W_Q W_Kᵀ` over the heads of a block; `None` for a block that
/// is too wide.
pub(super) fn shared_query_key<B: Backend>(
    model: &Rc<Model<B>>,
    (stack, layer, _): Place,
) -> Result<Option<Work<SingularValues>>> {
    let attention = model.attention(stack, layer)?;
    let heads = 0..attention.n_heads;
    if heads.len() * attention.head_dim > WIDEST_BLOCK {
        return Ok(None);
    }
    let read = |part| -> Result<Vec<_>> {
        heads.clone().map(|head| model.head_weights((stack, layer, head), part)).collect()
    };
    let (queries, keys) = (read(HeadWeight::Query)?, read(HeadWeight::Key)?);
    let d = model.config.d_model;
    let factors: Reading<Product> = Box::pin(async move {
        let mut sides = [Vec::new(), Vec::new()];
        for (side, readings) in sides.iter_mut().zip([queries, keys]) {
            for reading in readings {
                side.extend(transposed(&reading.await?.into_data(), d));
            }
        }
        let [left, right] = sides;
        Ok(Product::new(&left, right, d))
    });
    Ok(Some(Work::after(factors, Product::step)))
}

/// A matrix of `n_rows` rows with rows and columns exchanged.
pub(super) fn transposed(cells: &[f32], n_rows: usize) -> Vec<f32> {
    let n_columns = cells.len() / n_rows.max(1);
    (0..cells.len()).map(|at| cells[at % n_rows * n_columns + at / n_rows]).collect()
}
