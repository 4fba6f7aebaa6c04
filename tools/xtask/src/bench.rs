//! The command `cargo xtask bench`: builds, installs the packages for comparison, and measures.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::build;
use crate::project::Project;
use crate::shell::Shell;
use crate::tools::{browser, node};

/// Software for comparison, and its npm package at a pinned version. `transformer_lens` and `torch`
/// have none: the Python that `HEADSCOPE_PYTHON` names has them.
const ANCHORS: [(&str, Option<&str>); 5] = [
    ("onnxruntime-web", Some("onnxruntime-web@1.30.0")),
    ("transformers.js", Some("@huggingface/transformers@4.3.1")),
    ("transformer_lens", None),
    ("torch", None),
    ("wllama", Some("@wllama/wllama@3.13.0")),
];

/// The options: the folder of a user's model, a GGUF to decode, and the software for comparison.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub against: Vec<String>,
    pub model: Option<PathBuf>,
    pub gguf: Option<PathBuf>,
}

impl Options {
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut options = Self::default();
        while let Some(argument) = arguments.next() {
            let value = arguments.next().unwrap_or_default();
            match argument.as_str() {
                "--against" if ANCHORS.iter().any(|(name, _)| *name == value) => {
                    options.against.push(value);
                }
                "--against" => {
                    let names = ANCHORS.map(|(name, _)| name).join(" or ");
                    bail!("--against needs {names}, not \"{value}\".");
                }
                "--model" if !value.is_empty() => options.model = Some(value.into()),
                "--gguf" if !value.is_empty() => options.gguf = Some(value.into()),
                other => bail!(
                    "`cargo xtask bench` takes --against NAME, --model FOLDER and --gguf FILE, not \
                     \"{other}\"."
                ),
            }
        }
        if options.gguf.is_none() && options.against.iter().any(|name| name == "wllama") {
            bail!("--against wllama needs --gguf FILE, the model that both decode.");
        }
        Ok(options)
    }
}

pub fn run(project: &Project, options: &Options) -> Result<()> {
    if let Some(model) = &options.model
        && !model.join("model.safetensors").is_file()
    {
        bail!("{} has no model.safetensors: name the folder of a BERT.", model.display());
    }
    build::run(project)?;
    let shell = Shell::live(project);
    let folder = project.tools().join("bench");
    let chosen = ANCHORS.iter().filter(|(name, _)| options.against.iter().any(|one| one == name));
    let packages: Vec<_> = chosen.filter_map(|(_, package)| *package).collect();
    if !packages.is_empty() {
        // Install scripts of packages for Node are not needed.
        let install = node::npm().args(["install", "--ignore-scripts", "--no-audit", "--no-fund"]);
        shell.run(install.arg("--prefix").arg(&folder).args(packages))?;
    }
    let mut measure = node::script("bench", &[])
        .env("HEADSCOPE_BENCH_AGAINST", options.against.join(","))
        .env("HEADSCOPE_CHROMIUM", browser::ensure(&shell)?);
    if let Some(model) = &options.model {
        measure = measure.env("HEADSCOPE_BENCH_MODEL", std::path::absolute(model)?);
    }
    if let Some(gguf) = &options.gguf {
        measure = measure.env("HEADSCOPE_BENCH_GGUF", std::path::absolute(gguf)?);
    }
    shell.run(measure)
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn options_are_read_and_others_refused() {
        let parse = |line: &str| Options::parse(line.split_whitespace().map(str::to_owned));
        let both = parse("--against transformers.js --model m --against onnxruntime-web").unwrap();
        assert_eq!(both.against, ["transformers.js", "onnxruntime-web"]);
        assert_eq!(both.model.unwrap().to_str(), Some("m"));
        let decoded = parse("--against wllama --gguf m.gguf").unwrap();
        assert_eq!(decoded.gguf.unwrap().to_str(), Some("m.gguf"));
        for line in ["--against tensorflow.js", "--against", "--model", "fast", "--against wllama"]
        {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
