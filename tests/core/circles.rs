//! No files of the crate import each other in a circle.
//!
//! A file imports another one if it names an item of it: `super::NAME` and `crate::NAME` are
//! followed through the `pub use` of `mod.rs` files to the file that has the item. The `mod.rs` of
//! a folder lists what its files offer, so that its own imports of these files do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::modules::rust_files;

/// The sources of a crate by the path of their module: `backend::cpu` for both `backend/cpu.rs` and
/// `backend/cpu/mod.rs`, nothing for `lib.rs`.
struct Sources {
    imports: BTreeMap<String, Vec<Import>>,
}

/// A path that a source names.
struct Import {
    /// The segments from the root of the crate.
    path: Vec<String>,
    /// Whether it is a `pub use`.
    is_offered: bool,
}

impl Sources {
    fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let named = files.into_iter().map(|(file, source)| (module_of(file), code_of(source)));
        let sources: BTreeMap<String, String> = named.collect();
        let modules: BTreeSet<&str> = sources.keys().map(String::as_str).collect();
        let imports = sources.iter().map(|(module, code)| {
            (module.clone(), imports_of(module, code, |path| modules.contains(path)))
        });
        Self { imports: imports.collect() }
    }

    /// The module that has the item of a path.
    fn owner(&self, path: &[String]) -> String {
        let prefixes = (0..=path.len()).rev().map(|end| (path[..end].join("::"), end));
        let mut known = prefixes.filter(|(prefix, _)| self.imports.contains_key(prefix));
        let Some((module, end)) = known.next() else { return String::new() };
        let Some(item) = path.get(end) else { return module };
        let mut offered = self.imports[&module].iter().filter(|import| import.is_offered);
        match offered.find(|import| import.path.last() == Some(item) && import.path != path) {
            Some(import) => self.owner(&[&import.path[..], &path[end + 1..]].concat()),
            None => module,
        }
    }

    /// The modules whose items a module names.
    fn seen_by(&self, module: &str) -> BTreeSet<String> {
        let imports = self.imports.get(module).into_iter().flatten();
        let owners = imports.map(|import| self.owner(&import.path));
        let is_below = |owner: &str| owner.starts_with(&format!("{module}::"));
        owners.filter(|owner| owner != module && !is_below(owner)).collect()
    }

    /// A circle of modules, each of which names an item of the next.
    fn circle(&self) -> Option<Vec<String>> {
        let mut done = BTreeSet::new();
        self.imports.keys().find_map(|module| self.circle_from(module, &mut Vec::new(), &mut done))
    }

    fn circle_from(
        &self,
        module: &str,
        path: &mut Vec<String>,
        done: &mut BTreeSet<String>,
    ) -> Option<Vec<String>> {
        if let Some(start) = path.iter().position(|before| before == module) {
            return Some(path[start..].to_vec());
        }
        if done.contains(module) {
            return None;
        }
        path.push(module.to_owned());
        let found = self.seen_by(module).iter().find_map(|next| self.circle_from(next, path, done));
        path.pop();
        done.insert(module.to_owned());
        found
    }
}

fn module_of(file: &str) -> String {
    let name = file.trim_end_matches(".rs");
    let name = name.strip_suffix("/mod").unwrap_or(name);
    if name == "lib" { String::new() } else { name.replace('/', "::") }
}

/// A source without its comments and without the tests at its end.
fn code_of(source: &str) -> String {
    let code = source.split("#[cfg(test)]\nmod ").next().unwrap_or(source);
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn imports_of(module: &str, code: &str, is_module: impl Fn(&str) -> bool) -> Vec<Import> {
    let mut imports = Vec::new();
    let mut rest = String::new();
    for statement in code.split_inclusive(';') {
        let start = statement.rfind("use ").filter(|_| statement.ends_with(';'));
        let Some(at) = start.filter(|&at| !statement[at..].contains(['(', '='])) else {
            rest.push_str(statement);
            continue;
        };
        let line = statement[..at].lines().last().unwrap_or_default();
        let is_offered = line.trim_start().starts_with("pub");
        rest.push_str(&statement[..at]);
        let tree: String = statement[at + 4..statement.len() - 1].split_whitespace().collect();
        for path in branches(&tree) {
            imports.extend(import(module, &path, is_offered, &is_module));
        }
    }
    for start in ["crate::", "super::"] {
        for (at, _) in rest.match_indices(start) {
            let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let path = rest[at..].split(|c| !is_path(c)).next().unwrap_or_default();
            imports.extend(import(module, path.trim_end_matches(':'), false, &is_module));
        }
    }
    imports
}

/// The paths of a `use` tree: `a::{b, c::d}` → `a::b`, `a::c::d`.
fn branches(tree: &str) -> Vec<String> {
    let Some((start, inner)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{')) else {
        return vec![tree.to_owned()];
    };
    let mut depth = 0;
    let parts = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let parts = parts.filter(|part| !part.is_empty());
    parts.flat_map(branches).map(|path| format!("{start}{path}")).collect()
}

/// An import from the root of the crate; `None` for a path into another crate.
fn import(
    module: &str,
    path: &str,
    is_offered: bool,
    is_module: impl Fn(&str) -> bool,
) -> Option<Import> {
    let mut here: Vec<&str> = module.split("::").filter(|name| !name.is_empty()).collect();
    let mut segments = path.split("::").peekable();
    match *segments.peek()? {
        "crate" => here.clear(),
        "super" | "self" => {}
        child if is_module(&[&here[..], &[child]].concat().join("::")) => {
            return Some(Import { path: owned(here.into_iter().chain(segments)), is_offered });
        }
        _ => return None,
    }
    while let Some(step) = segments.next_if(|name| ["crate", "super", "self"].contains(name)) {
        if step == "super" {
            here.pop();
        }
    }
    Some(Import { path: owned(here.into_iter().chain(segments)), is_offered })
}

fn owned<'a>(path: impl Iterator<Item = &'a str>) -> Vec<String> {
    path.map(str::to_owned).collect()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files: Vec<(String, String)> = rust_files(&src)
        .into_iter()
        .map(|path| {
            let file = path.strip_prefix(&src).expect("it is in the folder");
            let file = file.to_str().expect("a name").to_owned();
            (file, fs::read_to_string(&path).expect("a source is text"))
        })
        .collect();
    let sources = Sources::new(files.iter().map(|(file, source)| (&file[..], &source[..])));
    assert_eq!(sources.circle(), None);
    let seen: usize = sources.imports.keys().map(|module| sources.seen_by(module).len()).sum();
    assert!(seen > 300, "only {seen} imports were found; the reader misses them");
}

#[test]
fn a_circle_is_found_through_a_door_and_outside_of_use() {
    let door = ("a/mod.rs", "mod x;\nmod y;\npub use x::X;\npub use y::{Y, other::Z};");
    let x = ("a/x.rs", "use super::{\n    Y,\n};\nuse std::rc::Rc;");
    let circle = |y: &str| Sources::new([door, x, ("a/y.rs", y)]).circle().map(|found| found.len());
    assert_eq!(circle("use super::X;"), Some(2));
    assert_eq!(circle("fn f(x: &crate::a::X) {}"), Some(2));
    assert_eq!(circle("fn f(x: &super::x::Of) {}"), Some(2));
    assert_eq!(circle("// super::X\nuse std::rc::Rc;"), None);
    assert_eq!(circle("#[cfg(test)]\nmod tests { use super::super::X; }"), None);
}
