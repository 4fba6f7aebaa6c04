//! What continues a training: its parameters, the moments of the optimiser and the number of its
//! steps, as a safetensors file. A training that is continued from it takes the very steps that it
//! would have taken.

use super::{Optimiser, Parameter};
use crate::error::{Code, Error, Result, shown, whole};
use crate::files::{self, Bytes, to_safetensors};
use crate::model::Checkpoint;

/// The name of the tensor that counts the steps.
const STEPS: &str = "steps";
/// The most steps, which are counted in f32.
const MOST_STEPS: usize = 1 << 24;

/// The file of a state.
pub(super) fn file(parameters: &[Parameter], optimiser: &Optimiser) -> Vec<u8> {
    let mut named = vec![(STEPS.to_owned(), vec![optimiser.steps() as f32])];
    for (at, parameter) in parameters.iter().enumerate() {
        named.push((format!("parameter.{}", parameter.name), parameter.values.clone()));
        let moments = optimiser.moments().get(at).into_iter().flatten();
        for (moment, values) in ["first", "second"].iter().zip(moments) {
            if !values.is_empty() {
                named.push((format!("{moment}.{}", parameter.name), values.clone()));
            }
        }
    }
    let shapes: Vec<[u64; 1]> = named.iter().map(|(_, values)| [values.len() as u64]).collect();
    let tensors = named.iter().zip(&shapes);
    to_safetensors(
        tensors.map(|((name, values), shape)| (name.as_str(), &shape[..], values.as_slice())),
    )
}

/// Reads a state into parameters and an optimiser.
///
/// # Errors
/// `checkpoint/…` for a file that is none of a state of this model.
pub(super) fn restore(
    bytes: &[u8],
    parameters: &mut [Parameter],
    optimiser: &mut Optimiser,
) -> Result<()> {
    let files = files::open(vec![Box::new(Bytes::new("the state of the training", bytes))])?;
    let state = Checkpoint::new(files);
    let steps = f64::from(state.read(STEPS, &[1])?.first().copied().unwrap_or(-1.0));
    let Some(steps) = whole(steps, 0..=MOST_STEPS) else {
        let what = "the steps of the training's state";
        let expected = format!("a whole number to {MOST_STEPS}");
        return Err(Error::new(Code::CheckpointBadHeader, what, expected, shown(steps)));
    };
    let mut moments = Vec::new();
    for parameter in &mut *parameters {
        let Parameter { name, values, .. } = parameter;
        let size = [values.len()];
        *values = state.read(&format!("parameter.{name}"), &size)?;
        let moment = |moment: &str| {
            let name = format!("{moment}.{name}");
            if state.has(&name) { state.read(&name, &size) } else { Ok(Vec::new()) }
        };
        moments.push([moment("first")?, moment("second")?]);
    }
    optimiser.restore(steps, moments);
    Ok(())
}
