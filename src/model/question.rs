//! The questions to a model without a run: their list, as `run::question` has those to a run.

use std::rc::Rc;

use super::Model;
use super::head_weights::WeightsAsked;
use crate::axes::Tensor;
use crate::backend::Backend;
use crate::question::{Work, questions};

questions! {
    /// A question to a model.
    ModelQuestion, answer [B: Backend] (&Rc<Model<B>>) -> Work<Out>, through Work::leave:

    /// A head's part of the weights, widened to f32: `"query"`, `"key"` and `"value"` are
    /// `[model_dim, head_dim]`, so that a row of the stream times the matrix is the head's vector;
    /// `"output"` is `[head_dim, model_dim]`. Heads that share keys and values have the same of
    /// them. `"query-bias"`, `"key-bias"` and `"value-bias"` are `[head_dim]`, `"output-bias"`, which
    /// is added once for all heads, `[model_dim]`; zeros where the model has none.
    Weights(WeightsAsked) -> Tensor = |model, which| {
        let head = (which.stack, which.layer.0, which.head.0);
        model.head_weights(head, which.part).map(Work::once)
    };
}
