//! Finds the file that a URL asks for, inside one folder and nowhere else.

use std::fs::File;
use std::path::{Path, PathBuf};

pub enum Found {
    File {
        file: File,
        mime: &'static str,
    },
    Nothing,
    /// The request asks for something other than reading.
    Refused,
}

#[derive(Clone)]
pub struct SiteFiles {
    root: PathBuf,
}

impl SiteFiles {
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    pub fn find(&self, url: &str) -> Found {
        let Some(path) = self.resolve(url) else { return Found::Nothing };
        match File::open(&path) {
            Ok(file) => Found::File { file, mime: mime_type(&path) },
            Err(_) => Found::Nothing,
        }
    }

    /// The file's path, or nothing where there is none or the URL leads out of the folder.
    fn resolve(&self, url: &str) -> Option<PathBuf> {
        let path = percent_decode(url.split(['?', '#']).next()?)?;
        let mut resolved = self.root.clone();
        for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
            if part == ".." || part.contains(['\\', ':', '\0']) {
                return None;
            }
            resolved.push(part);
        }
        if resolved.is_dir() {
            resolved.push("index.html");
        }
        resolved.is_file().then_some(resolved)
    }
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            decoded.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}

/// Browsers compile wasm while it arrives only if it comes as `application/wasm`, and run
/// modules only as JavaScript.
fn mime_type(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Found, SiteFiles, mime_type};
    use crate::disk::{self, Scratch};

    fn site(test: &str) -> (Scratch, SiteFiles) {
        let scratch = Scratch::new(test);
        disk::write(&scratch.path("site/index.html"), "page").unwrap();
        disk::write(&scratch.path("site/models/été 1.json"), "{}").unwrap();
        disk::write(&scratch.path("secret.txt"), "secret").unwrap();
        let files = SiteFiles::new(scratch.path("site"));
        (scratch, files)
    }

    #[test]
    fn urls_find_files_and_folders_their_index() {
        let (scratch, files) = site("find");
        let index = Some(scratch.path("site/index.html"));
        assert_eq!(files.resolve("/"), index);
        assert_eq!(files.resolve("/index.html?v=1#top"), index);
        let encoded = Some(scratch.path("site/models/été 1.json"));
        assert_eq!(files.resolve("/models/%C3%A9t%C3%A9%201.json"), encoded);
        assert!(
            matches!(files.find("/"), Found::File { mime, .. } if mime.starts_with("text/html"))
        );
    }

    #[test]
    fn nothing_outside_of_the_folder_is_found() {
        let (_scratch, files) = site("outside");
        for url in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/models/..%2f..%2fsecret.txt",
            "/%",
            "/%zz",
            "/models",
        ] {
            assert_eq!(files.resolve(url), None, "{url}");
        }
    }

    #[test]
    fn wasm_and_modules_have_the_types_that_browsers_insist_on() {
        assert_eq!(mime_type(Path::new("a/headscope_bg.wasm")), "application/wasm");
        assert_eq!(mime_type(Path::new("worker.js")), "text/javascript; charset=utf-8");
        assert_eq!(mime_type(Path::new("model.safetensors")), "application/octet-stream");
    }
}
