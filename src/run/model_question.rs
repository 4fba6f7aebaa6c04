//! The questions to a model without a run: their list, as `question` has those to a run. They stand
//! here because their answers use what a run is computed with.

use std::rc::Rc;

use super::circuits::{Circuits, TokenPair, TokenPairsAsked, circuits, token_pairs};
use crate::axes::Tensor;
use crate::backend::Backend;
use crate::model::{Model, WeightsAsked};
use crate::question::{HeadRef, Work, questions};

questions! {
    /// A question to a model.
    ModelQuestion, answer [B: Backend] (&Rc<Model<B>>) -> Work<Out>, through Work::leave:

    /// A head's part of the weights, widened to f32: `"query"`, `"key"` and `"value"` are
    /// `[model_dim, head_dim]`, so that a row of the stream times the matrix is the head's vector;
    /// `"output"` is `[head_dim, model_dim]`. Heads that share keys and values have the same of
    /// them. `"query-bias"`, `"key-bias"` and `"value-bias"` are `[head_dim]`, `"output-bias"`,
    /// which is added once for all heads, `[model_dim]`; zeros where the model has none.
    Weights(WeightsAsked) -> Tensor = |model, which| {
        let head = (which.stack, which.layer.0, which.head.0);
        model.head_weights(head, which.part).map(Work::once)
    };
    /// What a head reads and writes by its weights alone: the spectra of `W_Q W_Kᵀ` and `W_V W_O`,
    /// how far it copies, attends to the token before, and completes repeated texts (Elhage et al.
    /// 2021), and the rank of its block's `W_Q W_Kᵀ` (Cordonnier et al. 2020). A score that is not
    /// defined for the head is null.
    Circuits(HeadRef) -> Circuits = |model, which| circuits(model, which.place());
    /// The pairs of entries of the vocabulary with the largest numbers in one of a head's circuits,
    /// largest first, each entry read alone and without a position: `"query-key"` from an attending
    /// to an attended token, `"value-output"` from an attended to a predicted one. @throws
    /// selection/too-large for a vocabulary of more than 8,192 entries; selection/bad-stack where
    /// the head does not read, or write, tokens
    TokenPairs(TokenPairsAsked) -> Vec<TokenPair> = |model, which| token_pairs(model, &which);
}
