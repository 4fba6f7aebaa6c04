//! The command `cargo xtask metrics`: the size of the repository. Lines are those of the committed,
//! formatted files; bytes those of the last build, compressed by brotli as a server does.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use crate::disk;
use crate::project::Project;
use crate::shell::Tool;
use crate::test::round::TABLE;

/// A Node script that prints the brotli sizes of the files in its arguments.
const BROTLI: &str = "const { readFileSync } = require('fs'); \
    const { brotliCompressSync } = require('zlib'); \
    for (const file of process.argv.slice(1)) console.log(brotliCompressSync(readFileSync(file)).length)";

pub fn print(project: &Project) -> Result<()> {
    let listed = Tool::new("git").args(["ls-files"]).dir(project.root()).capture()?;
    let files: Vec<&str> = listed.lines().collect();
    print_lines(project, &files)?;
    print_bytes(project)?;
    match disk::read_text(&project.path(TABLE)) {
        Ok(table) => println!("\nThe last whole round of tests\n{table}"),
        Err(_) => println!("\nNo whole round of tests ran here yet: run `cargo xtask test`."),
    }
    Ok(())
}

fn print_lines(project: &Project, files: &[&str]) -> Result<()> {
    let mut modules: BTreeMap<(&str, String), (usize, usize)> = BTreeMap::new();
    for file in files {
        let Some((part, module)) = place(file) else { continue };
        let text = disk::read_text(&project.path(file))?;
        let (count, lines) = modules.entry((part, module)).or_default();
        *count += 1;
        *lines += text.lines().count();
    }
    let mut parts: BTreeMap<&str, usize> = BTreeMap::from([("files", files.len())]);
    println!("{:<34}{:>7}{:>9}", "", "files", "lines");
    for ((part, module), (count, lines)) in &modules {
        println!("{:<34}{count:>7}{lines:>9}", format!("{part}: {module}"));
        *parts.entry(part).or_default() += lines;
    }
    println!();
    for (part, lines) in parts {
        println!("{part:<34}{lines:>16}");
    }
    Ok(())
}

/// The part of the repository and the module of a source file; `None` for data, documents and
/// generated types.
fn place(file: &str) -> Option<(&'static str, String)> {
    let (_, extension) = file.rsplit_once('.')?;
    let mut folders = file.split('/');
    let top = folders.next()?;
    let inner = folders.next().unwrap_or_default();
    let module = if inner.contains('.') { "(top)" } else { inner }.to_owned();
    let is_test = file.ends_with(".test.ts") || file.contains("/testing/");
    match (top, extension) {
        ("www", "ts") if is_test => Some(("tests", format!("www/{module}"))),
        ("www", _) if file.ends_with("/generated.ts") => None,
        ("www", "json") if file.contains("/i18n/") => {
            Some(("sentences", file.split('/').nth(2)?.to_owned()))
        }
        ("www", "ts") => Some(("page", module)),
        ("src", "rs") => Some(("src", module)),
        // Shaders are counted apart from `src`, whose budget is for Rust.
        ("src", "wgsl") => Some(("shaders", module)),
        ("tests", "ts" | "tsx" | "rs" | "py") => Some(("tests", format!("tests/{module}"))),
        ("tools", "rs") => Some(("tools", "xtask".to_owned())),
        (_, "ts" | "js") => Some(("tools", "build settings".to_owned())),
        ("tools", "py" | "txt") => Some(("tools", "train".to_owned())),
        _ => None,
    }
}

/// Prints the sizes of the scripts that a first visit waits for, of every wasm file, and of the
/// script of embedded figures.
fn print_bytes(project: &Project) -> Result<()> {
    let site = project.site();
    let Ok(page) = disk::read_text(&site.join("index.html")) else {
        println!("\nNothing is built here yet: run `cargo xtask build` for the bytes.");
        return Ok(());
    };
    let scripts: Vec<String> = page
        .split(['"', '\''])
        .filter_map(|word| word.strip_prefix("./"))
        .filter(|file| file.starts_with("assets/") && has_extension(file, "js"))
        .map(str::to_owned)
        .collect();
    println!("\n{:<50}{:>10}{:>10}", "", "bytes", "brotli");
    print_sizes("scripts of the first visit", &site, &scripts)?;
    let mut wasm: Vec<String> = Vec::new();
    for entry in site.join("assets").read_dir().context("dist/site/assets cannot be listed")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if has_extension(&name, "wasm") {
            wasm.push(format!("assets/{name}"));
        }
    }
    wasm.sort();
    wasm.into_iter().try_for_each(|file| print_sizes(&file.clone(), &site, &[file]))?;
    print_sizes("embed.js", &site, &["embed.js".to_owned()])
}

fn has_extension(file: &str, wanted: &str) -> bool {
    Path::new(file).extension().is_some_and(|extension| extension == wanted)
}

fn print_sizes(title: &str, site: &Path, files: &[String]) -> Result<()> {
    let paths: Vec<_> = files.iter().map(|file| site.join(file)).collect();
    let mut bytes = 0;
    for path in &paths {
        bytes += disk::read(path)?.len();
    }
    let brotli = Tool::new("node").args(["-e", BROTLI]).args(&paths).capture()?;
    let brotli: usize = brotli.lines().filter_map(|line| line.parse::<usize>().ok()).sum();
    println!("{title:<50}{bytes:>10}{brotli:>10}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn each_source_belongs_to_one_part() {
        let of = |file| place(file).map(|(part, module)| format!("{part} {module}"));
        assert_eq!(of("www/engine/client.ts").unwrap(), "page engine");
        assert_eq!(of("www/engine/client.test.ts").unwrap(), "tests www/engine");
        assert_eq!(of("www/headscope.ts").unwrap(), "page (top)");
        assert_eq!(of("www/i18n/zh-CN/tour.json").unwrap(), "sentences zh-CN");
        assert_eq!(of("www/data/generated.ts"), None);
        assert_eq!(of("src/run/mod.rs").unwrap(), "src run");
        assert_eq!(of("src/backend/webgpu/norm.wgsl").unwrap(), "shaders backend");
        assert_eq!(of("tests/core/main.rs").unwrap(), "tests tests/core");
        assert_eq!(of("tools/vite/site.ts").unwrap(), "tools build settings");
        assert_eq!(of("models/en-fr/config.json"), None);
    }
}
