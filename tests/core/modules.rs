//! A module of the crate imports only modules to its left. Every path that starts at `crate` or
//! `super` is read from the formatted sources, resolved to a module, and refused when it leads right.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from left to right; modules in one line do not see each other.
const MODULES: &[&[&str]] = &[
    &["error"],
    &["axes"],
    &["kernels"],
    &["masks", "positions"],
    // `demos` needs no model: only numbers that a user chose.
    &["edits", "demos"],
    &["backend"],
    &["attention"],
    &["blocks"],
    &["model"],
    &["run"],
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

/// Every name of the crate's top level that a source reaches by a path, with the crates that it
/// names; empty is the crate as a whole. `depth` is how deep the file's own module is.
fn reached(depth: usize, source: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Modules written in the file, by how far they are indented.
    let mut inner: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let (code, indent) = (line.trim(), line.len() - line.trim_start().len());
        if code == "}" && inner.last() == Some(&indent) {
            inner.pop();
        }
        if !code.starts_with("//") {
            let starts = line.match_indices(|c: char| c.is_ascii_alphabetic() || c == '_');
            let starts = starts.map(|(start, _)| start).filter(|&start| {
                !line[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
            });
            starts.for_each(|start| found.extend(path(depth + inner.len(), &source[at + start..])));
        }
        if code.ends_with('{') && code.split_whitespace().any(|word| word == "mod") {
            inner.push(indent);
        }
        at += line.len();
    }
    found
}

fn word(text: &str) -> &str {
    &text[..text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len())]
}

/// Where a path leads that a text begins with, if it leads out of a module.
fn path(depth: usize, text: &str) -> Vec<String> {
    let first = word(text);
    let mut rest = &text[first.len()..];
    let mut up = match first {
        "crate" => depth,
        "super" => 1,
        _ if JAVASCRIPT.contains(&first) && rest.starts_with("::") => {
            return vec![first.to_owned()];
        }
        _ => return Vec::new(),
    };
    if first == "crate" && rest.starts_with([')', ']']) {
        return Vec::new(); // A visibility.
    }
    while let Some(next) = rest.strip_prefix("::super") {
        (rest, up) = (next, up + 1);
    }
    if up < depth {
        return Vec::new();
    }
    let Some(rest) = rest.strip_prefix("::") else { return vec![String::new()] };
    let Some(group) = rest.strip_prefix('{') else { return vec![word(rest).to_owned()] };
    let (mut names, mut nested, mut opens) = (Vec::new(), 0, true);
    for (index, sign) in group.char_indices() {
        match sign {
            '{' => nested += 1,
            '}' if nested == 0 => break,
            '}' => nested -= 1,
            ',' if nested == 0 => opens = true,
            _ if sign.is_whitespace() => {}
            _ if opens => {
                names.push(word(&group[index..]).to_owned());
                opens = false;
            }
            _ => {}
        }
    }
    names
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
    let found = reached(parts.len(), source).into_iter();
    let wrong = found.filter(|other| !may_see(module, other));
    wrong.map(|other| format!("{file}: {module} may not see {other:?}")).collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources is readable");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let files = paths.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

#[test]
fn no_module_imports_one_to_its_right() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut wrong, mut paths) = (Vec::new(), 0);
    for path in rust_files(&src) {
        let file = path.strip_prefix(&src).expect("it is in the folder").to_str().expect("a name");
        let source = fs::read_to_string(&path).expect("a source is text");
        wrong.extend(offences(file, &source));
        paths += reached(2, &source).len();
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(paths > 100, "only {paths} paths were found; the reader misses them");
}

#[test]
fn every_form_of_a_path_is_seen_and_nothing_else() {
    let file = "kernels/lanes/portable.rs";
    for (line, named) in [
        ("use crate::model::Model;", "model"),
        ("use crate::{axes::Stack, masks::{self, Rule}};", "masks"),
        ("use super::super::super::backend::Cpu;", "backend"),
        ("use super::super::super::{error::Error, edits::{Edits, wire}};", "edits"),
        ("fn f(x: &crate::blocks::Block) {}", "blocks"),
        ("macro_rules! m { () => { $crate::positions::Scheme } }", "positions"),
        ("#[serde(with = \"crate::analysis::thumbnail\")] struct S;", "analysis"),
        ("mod tests {\n    use super::super::super::super::model;\n}", "model"),
        ("use crate::Run;", "Run"),
        ("use crate as headscope;", ""),
        ("use wasm_bindgen::JsValue;", "wasm_bindgen"),
    ] {
        let found = offences(file, line);
        assert!(matches!(found.as_slice(), [one] if one.contains(named)), "{line}: {found:?}");
    }
    let allowed = "//! Not `crate::model`, this is a comment.
        use crate::{axes::{Axis, Stack}, error::Result};
        use super::super::matmul::Rows;
        pub(crate) fn f(self_: &str) -> Result<char> { Ok('a') }
        pub(in crate::kernels) fn g() {}
        use wasm_bindgen_test::wasm_bindgen_test;
        use super::super::super::axes::Part;";
    for (file, source, wrong) in [
        (file, allowed, 0),
        ("wasm/query.rs", "use wasm_bindgen::JsValue; use crate::run;", 0),
        ("run/views.rs", "use crate::analysis::thumbnail;", 0),
        ("masks/mod.rs", "use crate::positions::Scheme;", 1),
        ("model/mod.rs", "use crate::analysis::thumbnail;", 1),
        ("cellar/mod.rs", "", 1),
    ] {
        assert_eq!(offences(file, source).len(), wrong, "{file}");
    }
}
