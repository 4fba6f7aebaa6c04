//! The families that can be opened: an entry each, beside its relatives.

mod bart;
mod bert;
mod deberta;
mod gemma;
mod gpt;
mod llama;
mod modernbert;
mod neox;
mod t5;
mod vit;

use super::family::{Family, LocalLayers, WindowSetting};
use super::wire::{Fields, Setting};
use crate::error::{Code, Error, Result};

/// All families, in the order of their names.
const ALL: [&Family; 32] = [
    &bert::ALBERT,
    &bart::BART,
    &bert::BERT,
    &deberta::DEBERTA,
    &deberta::DEBERTA_V2,
    &vit::DEIT,
    &bert::DISTILBERT,
    &bert::ELECTRA,
    &gemma::GEMMA,
    &gemma::GEMMA2,
    &gemma::GEMMA3_TEXT,
    &gpt::GPT2,
    &gpt::GPT_NEO,
    &neox::GPT_NEOX,
    &llama::LLAMA,
    &bart::M2M_100,
    &bart::MARIAN,
    &bart::MBART,
    &llama::MISTRAL,
    &modernbert::MODERNBERT,
    &bert::MPNET,
    &llama::OLMO2,
    &bart::OPT,
    &llama::PHI3,
    &llama::QWEN2,
    &llama::QWEN3,
    &bert::ROBERTA,
    &llama::SMOLLM3,
    &llama::STABLELM,
    &llama::STARCODER2,
    &t5::T5,
    &vit::VIT,
];

/// A window of every block, as Mistral has it.
const WINDOW: WindowSetting = WindowSetting {
    size: Setting::Field("sliding_window", Some(4096.0)),
    is_whole_width: false,
    switch: None,
    layers: "layer_types",
    local: "sliding_attention",
    rule: LocalLayers::All,
};

/// The family that a config names in `model_type`.
///
/// # Errors
/// `config/unsupported-family`, with the names of those that can be opened.
pub(super) fn find(fields: &Fields) -> Result<&'static Family> {
    let wanted = fields.text("model_type")?.unwrap_or("nothing");
    if let Some(found) = ALL.into_iter().find(|family| family.names.contains(&wanted)) {
        return Ok(found);
    }
    let names: Vec<&str> = ALL.iter().map(|family| family.name()).collect();
    Err(Error::new(
        Code::ConfigUnsupportedFamily,
        "model_type in config.json",
        format!("one of {}", names.join(", ")),
        wanted.chars().take(40).collect::<String>(),
    ))
}
