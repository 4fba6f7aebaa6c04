//! The crate's own sources as text, for tests that guard how they are built.

pub mod paths;
pub mod tokens;

use std::fs;
use std::path::Path;

/// Every Rust file under a folder, by its path in it, with its text.
pub fn rust_files(folder: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).expect("a folder of sources is readable") {
            let path = entry.expect("an entry of a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(folder).expect("it lies in the folder");
                let name = name.to_str().expect("names are plain").replace('\\', "/");
                files.push((name, fs::read_to_string(&path).expect("a source is text")));
            }
        }
    }
    files.sort();
    files
}

/// The module that a file is: `a/b/mod.rs` and `a/b.rs` are `[a, b]`, `lib.rs` is `[]`.
pub fn module_of(file: &str) -> Vec<String> {
    let name = file.trim_end_matches(".rs");
    let name = name.strip_suffix("/mod").unwrap_or(name);
    if name == "lib" { Vec::new() } else { name.split('/').map(str::to_owned).collect() }
}
