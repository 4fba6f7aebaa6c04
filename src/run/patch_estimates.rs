//! Attribution patching: what a target would change by if an activation had the numbers that
//! another run has there, to first order. One reverse pass estimates all patches (N. Nanda,
//! "Attribution Patching" 2023; Syed, Rager & Conmy 2023, "Attribution Patching Outperforms
//! Automated Circuit Discovery", equation 1):
//!
//! `target(patched) − target ≈ Σ (other − present) ⊙ ∂target/∂present`

use serde::Deserialize;

use super::{GradientTarget, Run};
use crate::axes::Tensor;
use crate::backend::{Autodiff, Derivatives};
use crate::error::{Code, Error, Result};
use crate::question::{At, OtherRun, Work};

/// The fields of the question `patchEstimates`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PatchEstimatesAsked {
    /// The number that the patches change.
    pub target: GradientTarget,
    /// The run whose numbers would be put there.
    pub other: OtherRun,
    /// The addresses of the activations, each of a patch of its own.
    pub at: Vec<At>,
}

/// The change of the target in `run` that each patch with the numbers of `other` would bring, to
/// first order.
///
/// # Errors
/// The errors of [`Run::gradients`] in either run, `selection/other-model`, and
/// `selection/other-length` for an activation of another shape.
pub fn patch_estimates<B: Derivatives>(
    run: &Run<Autodiff<B>>,
    other: &Run<Autodiff<B>>,
    asked: &PatchEstimatesAsked,
) -> Result<Work<Vec<f64>>> {
    run.check_same_model(other)?;
    let gradients = run.gradients_by_turns(&asked.target, &asked.at)?;
    let values = |run: &Run<Autodiff<B>>| {
        let readings = asked.at.iter().map(|at| run.kept_activation(at));
        readings.collect::<Result<Vec<_>>>()
    };
    let parts: Vec<_> = values(run)?.into_iter().zip(values(other)?).zip(gradients).collect();
    Ok(Work::in_parts(parts, |((present, other), gradient)| {
        Ok(Box::pin(async move {
            let present = present.await?;
            let other = other.await?;
            check_alike(&present, &other)?;
            let gradient = gradient.await?.into_data();
            let changes = present.into_data().into_iter().zip(other.into_data());
            let products = changes.zip(gradient).map(|((present, other), slope)| {
                (f64::from(other) - f64::from(present)) * f64::from(slope)
            });
            Ok(vec![products.sum()])
        }))
    }))
}

fn check_alike(present: &Tensor, other: &Tensor) -> Result<()> {
    let [one, two] = [present, other].map(|x| format!("{:?} numbers", x.shape()));
    if one == two {
        return Ok(());
    }
    let what = "the activation of the other run";
    Err(Error::new(Code::SelectionOtherLength, what, one + ", as the run has", two))
}
