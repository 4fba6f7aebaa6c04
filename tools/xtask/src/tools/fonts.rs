//! The fonts of the page tests. Layout depends on the width of letters: a bare Linux has another
//! font than phones, and none for Chinese.

use anyhow::Result;

use super::apt;
use crate::shell::{Shell, Tool};

/// The first fonts that the page asks for (`www/styles/palette.css`), and the Debian packages with
/// these fonts.
const FAMILIES: [&str; 2] = ["Noto Sans", "Noto Sans CJK SC"];
const PACKAGES: [&str; 3] = ["fontconfig", "fonts-noto-core", "fonts-noto-cjk"];

/// Installs missing fonts on Linux if possible; otherwise the tests run with the fonts of the
/// machine.
pub fn ensure(shell: &Shell) -> Result<()> {
    if !cfg!(target_os = "linux") || FAMILIES.into_iter().all(is_installed) {
        return Ok(());
    }
    let advice = "Page tests about layout may fail in other fonts than Noto's";
    if !apt::is_usable() {
        return shell.say(&format!("{advice}, and this user cannot install them."));
    }
    match apt::install(shell, &PACKAGES) {
        Ok(()) => Ok(()),
        Err(problem) => shell.say(&format!("{advice}: {problem}")),
    }
}

fn is_installed(family: &str) -> bool {
    Tool::new("fc-match")
        .args(["--format=%{family}", family])
        .capture()
        .is_ok_and(|found| found.split(',').any(|name| name.trim() == family))
}
