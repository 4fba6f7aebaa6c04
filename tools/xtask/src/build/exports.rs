//! The exports of wasm files: models are in one file, demos in another, and neither may contain the
//! other's code.

use anyhow::{Context, Result, bail};
use wasmparser::{Parser, Payload};

use super::wasm::Variant;

/// The export that loads a model, as wasm-bindgen names the method of a class.
const MODEL: &str = "wasmmodel_load";
/// The export that begins a training, beside that which loads a model.
const TRAINER: &str = "wasmtrainer_load";
/// The export that answers a question of a demo.
const DEMOS: &str = "demo";
/// The export that encodes a text.
const TOKENIZER: &str = "wasmtokenizer_encode";

/// The names of all exports of a file.
pub fn exports(wasm: &[u8]) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ExportSection(section) = payload.context("this is not a wasm file")? {
            for export in section {
                names.push(export.context("an export could not be read")?.name.to_owned());
            }
        }
    }
    Ok(names)
}

/// Fails unless a variant exports its own functions and none of another variant.
pub fn check(variant: Variant, exports: &[String]) -> Result<()> {
    let own: &[&str] = match variant {
        Variant::Simd128 | Variant::Relaxed | Variant::WebGpu | Variant::Quick => &[MODEL],
        Variant::Gradients => &[MODEL, TRAINER],
        Variant::Demos => &[DEMOS],
        Variant::Tokenizer => &[TOKENIZER],
    };
    for name in [MODEL, TRAINER, DEMOS, TOKENIZER] {
        if exports.iter().any(|export| export == name) != own.contains(&name) {
            bail!(
                "The build \"{}\" should export {} alone of what opens a wasm file, and {name} \
                 is not as it should be: see the features in Cargo.toml and what they switch in \
                 src/wasm/mod.rs.",
                variant.name(),
                own.join(" and ")
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{DEMOS, MODEL, TOKENIZER, TRAINER, check, exports};
    use crate::build::wasm::Variant;

    /// `(module (memory 0) (export "demo" (memory 0)))`
    const MODULE: [u8; 24] = [
        0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
        0x05, 0x03, 0x01, 0x00, 0x00, // one memory of no pages
        0x07, 0x08, 0x01, 0x04, b'd', b'e', b'm', b'o', 0x02, 0x00, // exported
        0x00, // custom section follows: cut off below
    ];

    #[test]
    fn exports_are_named() {
        assert_eq!(exports(&MODULE[..23]).unwrap(), [DEMOS]);
        assert!(exports(&MODULE).is_err());
    }

    #[test]
    fn each_file_has_one_door() {
        let [model, demos] = [MODEL, DEMOS].map(|name| vec!["memory".to_owned(), name.to_owned()]);
        assert!(check(Variant::Simd128, &model).is_ok());
        assert!(check(Variant::Simd128, &demos).is_err());
        assert!(check(Variant::WebGpu, &model).is_ok());
        assert!(check(Variant::WebGpu, &demos).is_err());
        assert!(check(Variant::Demos, &demos).is_ok());
        assert!(check(Variant::Demos, &model).is_err());
        assert!(check(Variant::Demos, &[model.clone(), demos.clone()].concat()).is_err());
        assert!(check(Variant::Gradients, &model).is_err());
        let trainer = [&model[..], &[TRAINER.to_owned()]].concat();
        assert!(check(Variant::Gradients, &trainer).is_ok());
        assert!(check(Variant::Simd128, &trainer).is_err());
        assert!(check(Variant::Tokenizer, &[TOKENIZER.to_owned()]).is_ok());
        assert!(check(Variant::Tokenizer, &demos).is_err());
    }
}
