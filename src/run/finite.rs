//! The check that the numbers of a run are finite. Finite weights can be so large that their
//! products are infinite: then softmax gives NaN, and NaN stays in the residual stream to the end
//! of the stack.
//!
//! A complete run checks only the outputs of its stacks, on its backend: the largest `ln softmax`
//! of a row is NaN if any number of the row is NaN or +∞. Only then all hidden states are read, to
//! name the first such state. Scores of -∞ are no failure: the mask makes them.

use std::cell::RefCell;

use super::{Reading, Run};
use crate::axes::Stack;
use crate::backend::Backend;
use crate::error::{Code, Error, Result};

/// The error for the part of a run that is not finite.
pub(crate) fn not_finite(part: String) -> Error {
    Error::new(Code::RunNotFinite, part, "finite numbers; use smaller weights", "NaN or infinity")
}

/// Some numbers of one stack, with the hidden state that they belong to.
struct Part {
    stack: Stack,
    at: usize,
    is_last: bool,
    numbers: Reading<Vec<f32>>,
}

impl<B: Backend> Run<B> {
    /// The error for the first hidden state that is not finite, if there is any.
    ///
    /// # Errors
    /// Those of the backend's `read`.
    pub(crate) async fn fault(run: &RefCell<Self>) -> Result<Option<Error>> {
        for is_whole in [false, true] {
            let parts = run.borrow().parts(is_whole);
            let first = first_fault(parts).await?;
            if is_whole || first.is_none() {
                return Ok(first);
            }
        }
        Ok(None)
    }

    /// The readings that show whether each stack's output, or each hidden state, is finite.
    fn parts(&self, is_whole: bool) -> Vec<Part> {
        let backend = &self.model.backend;
        let mut parts = Vec::new();
        for (stack, run) in [(Stack::Encoder, &self.encoder), (Stack::Decoder, &self.decoder)] {
            let Some(run) = run else { continue };
            if is_whole {
                let n_layers = run.sites.len();
                for (at, x) in run.hidden.iter().chain(&run.normed).enumerate() {
                    parts.push(Part { stack, at, is_last: at > n_layers, numbers: self.read(x) });
                }
            } else if let Some(x) = run.output() {
                let numbers = self.read(&backend.top_k(&backend.log_softmax(x), 1));
                parts.push(Part { stack, at: 0, is_last: false, numbers });
            }
        }
        parts
    }
}

async fn first_fault(parts: Vec<Part>) -> Result<Option<Error>> {
    for Part { stack, at, is_last, numbers } in parts {
        if numbers.await?.iter().any(|number| !number.is_finite()) {
            let part = match at {
                _ if is_last => "the last norm".to_owned(),
                0 => "the embedding".to_owned(),
                layer => format!("layer {layer}"),
            };
            return Ok(Some(not_finite(part + " of the " + stack.name())));
        }
    }
    Ok(None)
}
