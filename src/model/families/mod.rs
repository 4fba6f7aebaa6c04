//! The supported families: one entry each, in the file of its relatives.

mod bart;
mod bert;
mod deberta;
mod gemma;
mod gpt;
mod irrelevant;
mod llama;
mod modernbert;
mod neox;
mod t5;
mod vit;

#[cfg(all(test, not(target_arch = "wasm32")))]
use super::family::TokenNames;
use super::family::{Family, LocalLayers, WindowSetting};
use super::wire::{Fields, Setting};
use crate::error::{Code, Error, Result};

pub(super) use irrelevant::is_irrelevant;

/// All families, by name.
const ALL: [&Family; 46] = [
    &bert::ALBERT,
    &bart::BART,
    &bert::BERT,
    &bert::BIG_BIRD,
    &bert::DATA2VEC_TEXT,
    &deberta::DEBERTA,
    &deberta::DEBERTA_V2,
    &vit::DEIT,
    &bert::DISTILBERT,
    &bert::ELECTRA,
    &bert::ERNIE,
    &llama::EUROBERT,
    &gemma::GEMMA,
    &gemma::GEMMA2,
    &gemma::GEMMA3_TEXT,
    &gpt::GPT2,
    &gpt::GPT_NEO,
    &neox::GPT_NEOX,
    &bert::IBERT,
    &llama::INTERNLM3,
    &llama::LLAMA,
    &bart::M2M_100,
    &bart::MARIAN,
    &bart::MBART,
    &bert::MEGATRON_BERT,
    &llama::MINISTRAL,
    &llama::MISTRAL,
    &modernbert::MODERNBERT,
    &bert::MPNET,
    &t5::MT5,
    &bart::MVP,
    &llama::OLMO2,
    &bart::OPT,
    &llama::PHI3,
    &bart::PLBART,
    &llama::QWEN2,
    &llama::QWEN3,
    &bert::ROBERTA,
    &bert::ROBERTA_PRELAYERNORM,
    &llama::SEED_OSS,
    &llama::SMOLLM3,
    &llama::STABLELM,
    &llama::STARCODER2,
    &t5::T5,
    &vit::VIT,
    &bert::XLM_ROBERTA_XL,
];

/// A window in every layer, with Mistral's default.
const WINDOW: WindowSetting = WindowSetting {
    size: Setting::Field("sliding_window", Some(4096.0)),
    is_whole_width: false,
    switch: None,
    layers: Some("layer_types"),
    repeated_layers: None,
    local: "sliding_attention",
    rule: LocalLayers::All,
};

/// The `model_type` names of the families that read images.
#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) fn types_of_images() -> Vec<&'static str> {
    let reads_images = |family: &&&Family| {
        let tokens = family.first_stack().map(|names| names.tokens);
        matches!(tokens, Some(TokenNames::Patches { .. }))
    };
    ALL.iter().filter(reads_images).flat_map(|family| family.names).copied().collect()
}

/// The family that a config names in `model_type`.
///
/// # Errors
/// `config/unsupported-family`, with the names of some supported families.
pub(super) fn find(fields: &Fields) -> Result<&'static Family> {
    let wanted = fields.text("model_type")?.unwrap_or("nothing");
    if let Some(found) = ALL.into_iter().find(|family| family.names.contains(&wanted)) {
        return Ok(found);
    }
    Err(Error::new(
        Code::ConfigUnsupportedFamily,
        "model_type in config.json",
        "a family that docs/api.md lists, such as bert, gpt2, llama, marian, t5 or vit",
        wanted.chars().take(40).collect::<String>(),
    ))
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn the_docs_name_all_families_and_count_them() {
        let names: Vec<&str> = ALL.iter().flat_map(|family| family.names).copied().collect();
        let docs = include_str!("../../../docs/api.md");
        let (_, section) = docs.split_once("## Families").expect("a section of families");
        for name in &names {
            assert!(section.contains(&format!("`{name}`")), "docs/api.md names no {name}");
        }
        let count = format!("{} families", names.len());
        for text in [include_str!("../../../README.md"), include_str!("../../../CHANGELOG.md")] {
            assert!(text.contains(&count), "README.md and CHANGELOG.md should say: {count}");
        }
    }
}
