//! A module of the crate imports only modules to its left. Another module is named as
//! `crate::NAME`, one at a time, so that its name can be read from the sources.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from left to right; modules in one line do not see each other.
const MODULES: &[&[&str]] = &[
    &["error"],
    &["warning"],
    &["axes"],
    &["question"],
    &["kernels"],
    &["masks", "positions", "files"],
    // `demos` needs no model: only numbers that a user chose.
    &["variants", "demos"],
    &["edits"],
    &["backend"],
    &["attention"],
    &["blocks"],
    &["model"],
    &["run"],
    &["decode"],
    &["training"],
    // `bindings` is only there in tests: the types of all that crosses the wasm API.
    &["wasm", "bindings"],
];

/// Beside `run` and `demos`, which may use it: pure functions on numbers, which know no model.
const ANALYSIS: &str = "analysis";
const SEEN_BY_ANALYSIS: &[&str] = &["error", "axes", "kernels"];

/// The crates that only `wasm` may name.
const JAVASCRIPT: &[&str] = &["wasm_bindgen", "wasm_bindgen_futures", "js_sys", "web_sys"];

fn rank(module: &str) -> Option<usize> {
    MODULES.iter().position(|row| row.contains(&module))
}

fn may_see(module: &str, other: &str) -> bool {
    match (module, other) {
        _ if module == other => true,
        ("wasm", _) if JAVASCRIPT.contains(&other) => true,
        (ANALYSIS, _) => SEEN_BY_ANALYSIS.contains(&other),
        ("demos", ANALYSIS) => true,
        (_, ANALYSIS) => rank(module) > rank("model"),
        _ => rank(other).is_some_and(|other| rank(module) > Some(other)),
    }
}

/// The modules and crates that a source names, beside its own; "super" for a path of `super` that
/// leaves the module of a file so deep.
fn named(depth: usize, source: &str) -> Vec<&str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| {
        let after = line.split("crate::").skip(1);
        let modules = after.map(|text| {
            &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
        });
        let crates = JAVASCRIPT.iter().copied();
        let crates = crates.filter(move |name| line.contains(&format!("{name}::")));
        // Tests are a module in the file.
        let depth = depth + usize::from(line.starts_with(' '));
        let leaves = line.contains(&"super::".repeat(depth)).then_some("super");
        modules.chain(crates).chain(leaves)
    })
    .collect()
}

/// What a file of the crate names that its module may not.
fn offences(file: &str, source: &str) -> Vec<String> {
    let name = file.trim_end_matches(".rs");
    let parts: Vec<&str> = name.strip_suffix("/mod").unwrap_or(name).split('/').collect();
    let module = parts[0];
    if module == "lib" {
        return Vec::new();
    }
    if rank(module).is_none() && module != ANALYSIS {
        return vec![format!("{file}: {module} has no place in MODULES")];
    }
    let wrong = named(parts.len(), source).into_iter().filter(|other| !may_see(module, other));
    wrong.map(|other| format!("{file}: {module} may not see {other:?}")).collect()
}

pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources is readable");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let files = paths.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn no_module_imports_one_to_its_right() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    let mut paths = 0;
    for path in rust_files(&src) {
        let file = path.strip_prefix(&src).expect("it is in the folder").to_str().expect("a name");
        let source = fs::read_to_string(&path).expect("a source is text");
        wrong.extend(offences(file, &source));
        paths += named(9, &source).len();
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(paths > 100, "only {paths} paths were found; the reader misses them");
}

#[test]
fn what_leads_right_or_out_is_refused() {
    let own = "//! Not `crate::model`, this is a comment.
        use crate::error::Result;
        pub(in crate::kernels) fn g(stack: crate::axes::Stack) -> Result<char> { Ok('a') }
        mod tests {
            use super::super::super::Rows;
        }
        use wasm_bindgen_test::wasm_bindgen_test;";
    for (file, source, wrong) in [
        ("kernels/lanes/portable.rs", own, 0),
        ("kernels/lanes/portable.rs", "fn f(x: &crate::blocks::Block, y: crate::Run) {}", 2),
        ("kernels/lanes/portable.rs", "use crate::{axes::Stack, masks::Rule};", 1),
        ("kernels/lanes/portable.rs", "use super::super::super::axes;", 1),
        ("kernels/mod.rs", "use wasm_bindgen::JsValue;", 1),
        ("wasm/query.rs", "use wasm_bindgen::JsValue; use crate::run;", 0),
        ("run/views.rs", "use crate::analysis::thumbnail;", 0),
        ("masks/mod.rs", "use crate::positions::Scheme;", 1),
        ("model/mod.rs", "use crate::analysis::thumbnail;", 1),
        ("unknown/mod.rs", "", 1),
    ] {
        assert_eq!(offences(file, source).len(), wrong, "{file}: {source}");
    }
}
