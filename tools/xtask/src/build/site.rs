//! The npm package and the page, by the scripts of package.json.

use anyhow::Result;

use crate::shell::Shell;
use crate::stamp::{Inputs, Stamp};
use crate::tools::node;

/// The folders that the page, the package and the examples are made of.
const FOLDERS: [&str; 4] = ["www", "models", "docs/examples", "tools"];

/// Builds both unless nothing they are made of has changed.
pub fn build(shell: &Shell) -> Result<()> {
    let mut inputs = Inputs::default();
    for folder in FOLDERS {
        inputs.path(&shell.project.path(folder))?;
    }
    // The settings of Vite, TypeScript and npm, and the texts that go into the package.
    inputs.files_in(shell.project.root())?;
    let results =
        ["dist/npm/headscope.js", "dist/npm/types/headscope.d.ts", "dist/site/index.html"]
            .map(|result| shell.project.path(result));
    let stamp = Stamp::new(shell.project, "site", &inputs);
    if stamp.is_current(&results) {
        return shell.say("unchanged");
    }
    shell.run(node::script("build", &[]))?;
    stamp.record()
}
