//! The fonts of the page tests. Layout depends on the width of letters: without these a bare Linux
//! has a font that no phone has, and none at all for Chinese.

use anyhow::Result;

use super::apt;
use crate::shell::{Shell, Tool};

/// The first fonts that the page asks for (`www/styles/palette.css`), and the packages of Debian
/// that hold them.
const FAMILIES: [&str; 2] = ["Noto Sans", "Noto Sans CJK SC"];
const PACKAGES: [&str; 3] = ["fontconfig", "fonts-noto-core", "fonts-noto-cjk"];

/// Installs them on Linux where they are missing and that is possible. Where it is not, the tests
/// run with the fonts that the machine has.
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
