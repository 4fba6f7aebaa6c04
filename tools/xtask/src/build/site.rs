//! The builds of the npm package and the page, by the scripts of package.json.

use std::fs;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result, anyhow};

use super::licences;
use super::wasm::{self, Variant};
use crate::disk;
use crate::shell::Shell;
use crate::stamp::{Inputs, Stamp};
use crate::tools::node;

/// The sources of page, package, examples and documentation.
const SOURCES: [&str; 7] =
    ["www", "models", "docs", "python/README.md", "tests/golden/exports", "tools", "quarto"];

/// The folder of the documentation before it is put into the new page.
const DOCS: &str = "dist/docs";

/// The folder of a new page before it replaces the present one.
const NEXT: &str = "dist/next-site";

/// The page that `cargo xtask serve` serves until the build is complete.
pub const FIRST_PAGE: &str = "target/first-page";

/// Builds package and page unless their inputs are unchanged.
pub fn build(shell: &Shell) -> Result<()> {
    licences::write(shell)?;
    let stamp = stamp(shell, "site", Variant::Quick.output_folder(shell.project))?;
    let results =
        ["dist/npm/headscope.js", "dist/npm/types/headscope.d.ts", "dist/site/index.html"]
            .map(|result| shell.project.path(result));
    if stamp.is_current(&results) {
        return shell.say("unchanged");
    }
    shell.run(node::script("build:npm", &[]))?;
    // The page's first picture is computed by the package.
    thread::scope(|scope| {
        let types = scope.spawn(|| {
            shell.run(node::script("build:types", &[]))?;
            shell.run(node::script("build:elements", &[]))?;
            shell.run(node::script("build:docs", &["--out", DOCS]))
        });
        let page = shell.run(node::script("build:site", &["--outDir", NEXT, "--emptyOutDir"]));
        types.join().map_err(|_| anyhow!("types and documentation were not written"))??;
        page
    })?;
    let documentation = shell.project.path(NEXT).join("docs");
    fs::rename(shell.project.path(DOCS), documentation).context("dist/docs could not be moved")?;
    shell.run(node::script("link:docs", &[NEXT]))?;
    let site = shell.project.site();
    disk::remove_folder(&site)?;
    fs::rename(shell.project.path(NEXT), &site)
        .with_context(|| format!("{} could not be written", site.display()))?;
    stamp.record()
}

/// Builds the page without the core, which the server adds once it is built.
pub fn build_first(shell: &Shell) -> Result<()> {
    let stamp = stamp(shell, "first-page", shell.project.path(wasm::CORES))?;
    if stamp.is_current(&[shell.project.path(FIRST_PAGE).join("index.html")]) {
        return shell.say("page: unchanged");
    }
    shell.run(node::script("build:first", &[]))?;
    stamp.record()
}

/// A record of all inputs of a page, except the cores in the folder `without`.
fn stamp(shell: &Shell, step: &str, without: PathBuf) -> Result<Stamp> {
    let mut inputs = Inputs::without(without);
    for folder in SOURCES {
        inputs.path(&shell.project.path(folder))?;
    }
    // The settings of Vite, TypeScript and npm, and the texts that go into the package.
    inputs.files_in(shell.project.root())?;
    Ok(Stamp::new(shell.project, step, &inputs))
}
