//! The licences of the Rust crates in the shipped wasm: MIT, Apache and similar licences require
//! their text beside the code. A crate under a licence that is not on the list fails the build.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;
use spdx::{Expression, ParseMode};

use super::wasm::{CORES, Variant};
use crate::disk;
use crate::project::Project;
use crate::shell::{Shell, Tool};
use crate::stamp::{Inputs, Stamp};
use crate::tools::cargo;
use crate::tools::wasm_target::TARGET;

/// The file with the texts, for the builds of page and package, which copy it.
const NOTICES: &str = "licences.md";

/// The licences under which a crate may be in a wasm file with its text beside it.
const ALLOWED: [&str; 9] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The first letters of file names that hold a licence or a required notice.
const FILE_NAMES: [&str; 5] = ["licen", "copying", "notice", "unlicense", "copyright"];

/// The path before a crate's name in the paths that compiled code contains.
const REGISTRY: &str = "registry/src/";

/// A crate in the wasm, by name and version.
type Crate = (String, String);

/// Cargo's metadata of a crate.
struct Package {
    licence: String,
    folder: PathBuf,
    repository: String,
}

/// Writes the licences of all crates in the core, for the builds that ship them.
pub fn write(shell: &Shell) -> Result<()> {
    let project = shell.project;
    let mut inputs = Inputs::default();
    for input in ["Cargo.lock", "Cargo.toml", "tokenizer/Cargo.toml", file!()] {
        inputs.path(&project.path(input))?;
    }
    let stamp = Stamp::new(project, "licences", &inputs);
    let file = project.path(CORES).join(NOTICES);
    if stamp.is_current(std::slice::from_ref(&file)) {
        return Ok(());
    }
    disk::write(&file, notices(project)?)?;
    stamp.record()
}

/// The list of crates with their licences, and each licence text once.
fn notices(project: &Project) -> Result<String> {
    let packages = packages(project)?;
    let standard = disk::read_text(&project.path("LICENSE-APACHE"))?;
    let mut list = String::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, version) in shipped(project)? {
        let package = packages
            .get(&(name.clone(), version.clone()))
            .with_context(|| format!("`cargo metadata` has no {name} {version}"))?;
        check_allowed(&name, &package.licence)?;
        let Package { licence, folder, repository } = package;
        writeln!(list, "- {}: {licence}, {repository}", title(&name, &version))?;
        let mut files = texts_in(folder)?;
        if files.is_empty() {
            if !permits(licence, "Apache-2.0")? {
                bail!("{name} {version} has no file with the text of its licence, {licence}.");
            }
            files.push(standard.clone());
        }
        for text in files {
            texts.entry(text).or_default().push(title(&name, &version));
        }
    }
    // The standard library is part of every wasm file, but in no dependency list.
    writeln!(
        list,
        "- Rust's standard library: MIT OR Apache-2.0, https://github.com/rust-lang/rust"
    )?;
    texts.entry(standard).or_default().push("Rust's standard library".to_owned());

    let mut notices = format!(
        "# Licences of the Rust crates\n\nThe wasm files contain code of these crates. Where there is \
         a choice of licences, each of them is fulfilled.\n\n{list}"
    );
    for (text, crates) in &texts {
        write!(notices, "\n## {}\n\n{text}\n", crates.join(", "))?;
    }
    Ok(notices)
}

/// Fails unless package and site name every crate of their wasm: those that Cargo links, and those
/// whose paths the files contain.
pub fn check(shell: &Shell) -> Result<()> {
    let project = shell.project;
    let mut crates = shipped(project)?;
    let linked = crates.len();
    for variant in Variant::ALL {
        crates.extend(crates_named_in(&disk::read(&variant.shipped(project))?));
    }
    for folder in ["dist/npm", "dist/site"] {
        let notices = disk::read_text(&project.path(folder).join("licences/rust.md"))?;
        if let Some(missing) = first_missing(&notices, &crates) {
            bail!("{folder}/licences/rust.md does not name {missing}, which is in its wasm.");
        }
    }
    shell.say(&format!("the licences of {linked} crates"))
}

fn title(name: &str, version: &str) -> String {
    format!("{name} {version}")
}

fn first_missing(notices: &str, crates: &BTreeSet<Crate>) -> Option<String> {
    let names = |(name, version): &Crate| title(name, version);
    crates.iter().map(names).find(|name| !notices.contains(&format!("- {name}: ")))
}

/// The external crates that are linked into any of the wasm files, without procedural macros and
/// dependencies of build scripts.
fn shipped(project: &Project) -> Result<BTreeSet<Crate>> {
    let mut crates = BTreeSet::new();
    for variant in Variant::ALL {
        let tree = cargo()
            .args(["tree", "--quiet", "--locked", "--package", variant.package()])
            .args(["--target", TARGET, "--edges", "normal,no-proc-macro"])
            .args(["--no-default-features", "--features", variant.features()])
            .args(["--prefix", "none", "--format", "{p}"])
            .dir(project.root());
        crates.extend(tree.capture()?.lines().filter_map(parse_tree_line));
    }
    Ok(crates)
}

/// Reads a line such as "serde v1.0.229"; `None` for one of the project's own crates, whose line
/// ends with a path.
fn parse_tree_line(line: &str) -> Option<Crate> {
    let mut words = line.split_whitespace();
    let name = words.next()?;
    let version = words.next()?.strip_prefix('v')?;
    let is_own = words.next().is_some_and(|word| word.starts_with("(/") || word.contains(":\\"));
    (!is_own).then(|| (name.to_owned(), version.to_owned()))
}

fn packages(project: &Project) -> Result<BTreeMap<Crate, Package>> {
    let metadata: Tool = cargo().args(["metadata", "--all-features", "--format-version", "1"]);
    let metadata =
        metadata.args(["--locked", "--filter-platform", TARGET]).dir(project.root()).capture()?;
    let metadata: Value = serde_json::from_str(&metadata).context("`cargo metadata` is no JSON")?;
    let packages = metadata["packages"].as_array().context("`cargo metadata` has no packages")?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let entry = |package: &Value| {
        let manifest = PathBuf::from(text(&package["manifest_path"]));
        let folder = manifest.parent().unwrap_or(Path::new("")).to_owned();
        let licence = text(&package["license"]);
        let repository = text(&package["repository"]);
        let key = (text(&package["name"]), text(&package["version"]));
        (key, Package { licence, folder, repository })
    };
    Ok(packages.iter().map(entry).collect())
}

/// The texts of a crate's licence files, without trailing spaces and duplicates.
fn texts_in(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("{} is missing", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && FILE_NAMES.iter().any(|start| name.starts_with(start)) {
            files.push(path);
        }
    }
    files.sort();
    let lines = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    files.iter().map(|file| Ok(lines(disk::read_text(file)?.trim()))).collect()
}

fn check_allowed(name: &str, licence: &str) -> Result<()> {
    let expression = parse(licence).with_context(|| format!("{name} has no licence"))?;
    let is_allowed =
        expression.evaluate(|wanted| ALLOWED.iter().any(|allowed| is_of(wanted, allowed)));
    if !is_allowed {
        bail!(
            "{name} is under {licence}, which is not among {}: leave it out of the wasm.",
            ALLOWED.join(", ")
        );
    }
    Ok(())
}

/// Whether a licence expression permits use under the single licence `alone`.
fn permits(licence: &str, alone: &str) -> Result<bool> {
    Ok(parse(licence)?.evaluate(|wanted| is_of(wanted, alone)))
}

fn parse(licence: &str) -> Result<Expression> {
    // Older crates write "MIT/Apache-2.0".
    Expression::parse_mode(licence, ParseMode::LAX)
        .map_err(|problem| anyhow::anyhow!("\"{licence}\" is no SPDX expression: {problem}"))
}

fn is_of(wanted: &spdx::LicenseReq, name: &str) -> bool {
    wanted.license.id().is_some_and(|id| id.name == name)
}

/// The crates whose paths in Cargo's registry a wasm file contains, in the messages of its panics:
/// `…/registry/src/INDEX/NAME-VERSION/src/….rs`.
fn crates_named_in(wasm: &[u8]) -> BTreeSet<Crate> {
    let text = String::from_utf8_lossy(wasm);
    let name_and_version = |rest: &str| {
        let folder = rest.split('/').nth(1)?;
        let at = folder.match_indices('-').map(|(at, _)| at).find(|at| {
            folder[at + 1..].starts_with(|character: char| character.is_ascii_digit())
        })?;
        Some((folder[..at].to_owned(), folder[at + 1..].to_owned()))
    };
    text.split(REGISTRY).skip(1).filter_map(name_and_version).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{
        check_allowed, crates_named_in, first_missing, notices, parse_tree_line, permits, shipped,
    };
    use crate::project::Project;

    #[test]
    fn a_licence_is_allowed_if_one_of_its_choices_is() {
        for licence in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Zlib) AND Unicode-3.0"]
        {
            check_allowed("one", licence).unwrap();
        }
        for licence in ["GPL-3.0-only", "MIT AND MPL-2.0", "", "Own terms"] {
            let message = format!("{:#}", check_allowed("two", licence).unwrap_err());
            assert!(message.contains("two"), "{message}");
        }
        assert!(permits("MIT OR Apache-2.0", "Apache-2.0").unwrap());
        assert!(!permits("MIT AND Apache-2.0", "Apache-2.0").unwrap());
    }

    #[test]
    fn each_crate_of_the_wasm_has_its_licence() {
        let project = Project::locate().unwrap();
        let notices = notices(&project).unwrap();
        for name in ["serde", "wgpu", "tokenizers"] {
            assert!(notices.contains(&format!("\n- {name} ")), "{name}");
        }
        assert_eq!(first_missing(&notices, &shipped(&project).unwrap()), None);
        assert!(!notices.contains("- serde_derive "), "it is no part of the wasm");
    }

    #[test]
    fn own_crates_are_not_among_those_from_elsewhere() {
        let serde = Some(("serde".to_owned(), "1.0.229".to_owned()));
        assert_eq!(parse_tree_line("serde v1.0.229"), serde);
        assert_eq!(parse_tree_line("serde v1.0.229 (*)"), serde);
        assert_eq!(parse_tree_line("headscope v0.1.0 (/home/me/headscope)"), None);
    }

    #[test]
    fn a_crate_in_a_wasm_file_that_is_not_named_is_found() {
        let wasm = b"\0/home/.cargo/registry/src/index-1/wgpu-hal-30.0.1/src/lib.rs\xff\
            C:\\.cargo/registry/src/index-1/serde_json-1.0.154/src/de.rs";
        let crates = crates_named_in(wasm);
        let of = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        let expected = [of("serde_json", "1.0.154"), of("wgpu-hal", "30.0.1")];
        assert_eq!(crates, BTreeSet::from(expected));
        let notices = "- serde_json 1.0.154: MIT\n- wgpu-hal 30.0.0: MIT\n";
        assert_eq!(first_missing(notices, &crates).unwrap(), "wgpu-hal 30.0.1");
    }
}
