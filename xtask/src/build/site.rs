//! The npm package and the page, by the scripts of package.json.

use anyhow::Result;

use crate::shell::Shell;
use crate::stamp::{Inputs, Stamp};
use crate::tools::node;

/// What Vite, TypeScript and the models' folder contribute.
const SOURCES: [&str; 11] = [
    "www",
    "models",
    "index.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.types.json",
    "vite.config.ts",
    "vite.npm.config.ts",
    "README.md",
    "LICENSE-MIT",
];

/// Builds both unless nothing they are made of has changed.
pub fn build(shell: &Shell) -> Result<()> {
    let mut inputs = Inputs::default();
    for source in SOURCES {
        inputs.path(&shell.project.path(source))?;
    }
    let results = ["dist/npm/headscope.js", "dist/npm/headscope.d.ts", "dist/site/index.html"]
        .map(|result| shell.project.path(result));
    let stamp = Stamp::new(shell.project, "site", &inputs);
    if stamp.is_current(&results) {
        return shell.say("unchanged");
    }
    shell.run(node::script("build", &[]))?;
    stamp.record()
}
