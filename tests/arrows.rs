//! The house's one rule: a room imports only rooms to its left. Every path that starts at
//! `crate` or `super` is read out of the sources (in `use` trees, inline, in re-exports, in
//! macros, in attributes), resolved to a room, and refused when its arrow points right.

#![cfg(not(target_arch = "wasm32"))]

mod sources;

use std::path::Path;

use sources::paths::{Target, targets};
use sources::rust_files;

/// The rooms from left to right; rooms in one line do not see each other.
const ROOMS: &[&[&str]] = &[
    &["error"],
    &["axes"],
    &["kernels"],
    &["masks", "positions"],
    // `lab` needs no model: only numbers that somebody chose.
    &["edits", "lab"],
    &["backend"],
    &["attention"],
    &["blocks"],
    &["model"],
    &["run"],
    // `bindings` is only there in tests: the types of all that crosses the door.
    &["wasm", "bindings"],
];

/// Stands beside `run`, which may use it, as `lab` may: pure functions on numbers, which know no model.
const ANALYSIS: &str = "analysis";
const LAB: &str = "lab";
const SEEN_BY_ANALYSIS: &[&str] = &["error", "axes", "kernels"];

/// The room whose only business is JavaScript, and the crates that nobody else may name.
const DOOR: &str = "wasm";
const JAVASCRIPT: &[&str] = &["wasm_bindgen", "wasm_bindgen_futures", "js_sys", "web_sys"];

fn rank(room: &str) -> Option<usize> {
    ROOMS.iter().position(|row| row.contains(&room))
}

fn may_see(room: &str, other: &str) -> bool {
    if room == other {
        return true;
    }
    if room == ANALYSIS {
        return SEEN_BY_ANALYSIS.contains(&other);
    }
    if room == LAB && other == ANALYSIS {
        return true;
    }
    let other = if other == ANALYSIS { rank("model") } else { rank(other) };
    matches!((rank(room), other), (Some(room), Some(other)) if other < room)
}

/// What a file of the crate names that its room may not.
fn offences(file: &str, source: &str) -> Vec<String> {
    let module = sources::module_of(file);
    let Some(room) = module.first() else { return Vec::new() };
    if rank(room).is_none() && room != ANALYSIS {
        return vec![format!("{file}: {room} is no room of the house; say where it stands")];
    }
    let found = targets(&module, source).into_iter();
    let wrong = found.filter_map(|(line, target)| match target {
        Target::Room(other) if may_see(room, &other) => None,
        Target::Room(other) => Some(format!("{file}:{line}: {room} may not see {other}")),
        Target::Root => Some(format!("{file}:{line}: name a room, not the whole crate")),
        Target::Foreign(name) => (room != DOOR && JAVASCRIPT.contains(&name.as_str()))
            .then(|| format!("{file}:{line}: {name} belongs to {DOOR} alone")),
    });
    wrong.collect()
}

#[test]
fn no_arrow_points_right() {
    let files = rust_files(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").as_path());
    let mut rooms: Vec<String> =
        files.iter().filter_map(|(file, _)| sources::module_of(file).into_iter().next()).collect();
    rooms.sort();
    rooms.dedup();
    let mut expected: Vec<&str> = ROOMS.concat();
    expected.push(ANALYSIS);
    expected.sort_unstable();
    assert_eq!(rooms, expected, "the rooms in src/ are others than those of the house");

    let wrong: Vec<String> =
        files.iter().flat_map(|(file, source)| offences(file, source)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let all = files.iter().flat_map(|(file, source)| targets(&sources::module_of(file), source));
    let arrows = all.filter(|(_, target)| matches!(target, Target::Room(_))).count();
    assert!(arrows > 100, "only {arrows} paths were found; the reader misses them");
}

/// Each of these lines in `src/kernels/lanes/portable.rs` must be found out.
#[test]
fn the_guard_sees_every_form_of_an_arrow() {
    let forbidden = [
        ("use crate::model::Model;", "model"),
        ("use crate::{axes::Stack, masks::{self, Rule}};", "masks"),
        ("use {crate::axes::Axis, crate::run};", "run"),
        ("use super::super::super::backend::Cpu;", "backend"),
        ("use super::super::super::{error::Error, edits::{Edits, wire}};", "edits"),
        ("pub use crate::run::Run;", "run"),
        ("pub(crate) use crate::run as walk;", "run"),
        ("fn f(x: &crate::blocks::Block) {}", "blocks"),
        ("fn f() { let _ = super::super::super::wasm::open(); }", "wasm"),
        ("fn f<T: Into<crate::attention::PatternSpec>>() {}", "attention"),
        ("macro_rules! m { () => { $crate::positions::Scheme } }", "positions"),
        ("#[serde(with = \"crate::analysis::thumbnail\")] struct S;", "analysis"),
        ("mod tests { mod deep { use super::super::super::super::super::model; } }", "model"),
        ("#[cfg(test)] mod tests { fn f() { '{'; } use crate::run::Run; }", "run"),
        ("fn f<'a>(x: &'a str) -> &'a str { r#\"{\"#; crate::edits::f(x) }", "edits"),
        ("use crate::Run;", "Run"),
        ("use wasm_bindgen::JsValue;", "wasm_bindgen"),
        ("fn f() { js_sys::Array::new(); }", "js_sys"),
    ];
    for (line, named) in forbidden {
        let found = offences("kernels/lanes/portable.rs", line);
        assert!(matches!(found.as_slice(), [one] if one.contains(named)), "{line}: {found:?}");
    }
    for line in [
        "use crate as headscope;",
        "use crate::*;",
        "use crate::{self as all};",
        "extern crate self as headscope;",
        "use super::super::super as root;",
        "use super::super::super::*;",
    ] {
        let found = offences("kernels/lanes/portable.rs", line);
        assert!(
            matches!(found.as_slice(), [one] if one.contains("whole crate")),
            "{line}: {found:?}"
        );
    }
}

#[test]
fn the_guard_lets_through_what_is_allowed() {
    let allowed = "//! Not `crate::model`, this is a comment. /* nested */
        /* crate::run /* crate::session */ crate::wasm */
        use crate::{axes::{Axis, Stack}, error::Result};
        use super::*;
        use super::super::matmul::Rows;
        pub(crate) fn f(self_: &str) -> Result<char> { Ok('\\'') }
        pub(in crate::kernels) fn g<'model>(x: &'model str) { println!(\"{{ {x}\"); }
        #[cfg(test)] mod tests { use super::*; use super::super::scalar; use std::rc::Rc; }
        use super::super::super::axes::Part;";
    assert_eq!(offences("kernels/lanes/portable.rs", allowed), [""; 0]);
    assert_eq!(offences("wasm/query.rs", "use wasm_bindgen::JsValue; use crate::run;"), [""; 0]);
    assert_eq!(offences("run/views.rs", "use crate::analysis::thumbnail;"), [""; 0]);
    assert_eq!(offences("lab/likeness.rs", "use crate::analysis::cosine;"), [""; 0]);
    assert_eq!(offences("error.rs", "use crate::axes::Axis;").len(), 1);
    assert_eq!(offences("analysis/mod.rs", "use crate::masks::Mask;").len(), 1);
    assert_eq!(offences("model/mod.rs", "use crate::analysis::thumbnail;").len(), 1);
    assert_eq!(offences("masks/mod.rs", "use crate::positions::Scheme;").len(), 1);
    assert_eq!(offences("cellar/mod.rs", "").len(), 1);
}
