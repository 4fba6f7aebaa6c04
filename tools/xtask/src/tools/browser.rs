//! Chromium: an installed one, else Debian's, else the one that Playwright downloads.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{apt, find_on_path, node};
use crate::shell::{Shell, Tool};

const CHROMIUM: &str = "HEADSCOPE_CHROMIUM";

const CHROMIUM_NAMES: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const CHROMIUM_PATHS: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// Finds a Chromium or installs one.
pub fn ensure(shell: &Shell) -> Result<PathBuf> {
    if let Some(browser) = find()? {
        return Ok(browser);
    }
    shell.say("There is no Chromium on this machine.")?;
    if apt::is_usable()
        && apt::install(shell, &["chromium"]).is_ok()
        && let Some(browser) = find()?
    {
        return Ok(browser);
    }
    download(shell)
}

/// The requested Chromium, else the first one that is installed.
fn find() -> Result<Option<PathBuf>> {
    if let Some(path) = std::env::var_os(CHROMIUM).map(PathBuf::from) {
        if !path.is_file() {
            bail!("{CHROMIUM} names {}, which is not there: correct it.", path.display());
        }
        return Ok(Some(path));
    }
    let on_path = CHROMIUM_NAMES.iter().filter_map(|name| find_on_path(name));
    let elsewhere = CHROMIUM_PATHS.iter().map(PathBuf::from).filter(|path| path.is_file());
    Ok(on_path.chain(elsewhere).find(|path| has_version(path)))
}

fn download(shell: &Shell) -> Result<PathBuf> {
    let advice = format!(
        "no browser could be installed, install Chromium by hand or set {CHROMIUM} to its path"
    );
    let install = node::npm().args(["exec", "--", "playwright", "install", "chromium"]);
    shell.run(install.advice(&advice))?;
    let question = "console.log(require('@playwright/test').chromium.executablePath())";
    let answer = Tool::new("node").args(["-e", question]).dir(shell.project.root());
    Ok(PathBuf::from(answer.advice(&advice).capture()?.trim()))
}

/// Whether a program prints a version: a stub, as on Ubuntu, only prints what to install.
fn has_version(program: &Path) -> bool {
    let answer = Tool::new(program).arg("--version").capture();
    answer.is_ok_and(|text| names_version(&text))
}

/// Whether a text has a number before its first dot, as in "Chromium 156.0.7921.3".
fn names_version(text: &str) -> bool {
    let before_dot =
        |word: &str| word.split_once('.').is_some_and(|(major, _)| major.parse::<u32>().is_ok());
    text.split_whitespace().any(before_dot)
}

#[cfg(test)]
mod tests {
    use super::names_version;

    #[test]
    fn a_browser_has_a_version_and_a_stub_has_none() {
        for (text, works) in [
            ("Chromium 156.0.7921.3 built on Debian GNU/Linux 12 (bookworm)\n", true),
            ("Google Chrome 141.0.7390.54 \n", true),
            ("Command '/usr/bin/chromium-browser' requires the chromium snap", false),
            ("", false),
        ] {
            assert_eq!(names_version(text), works, "{text}");
        }
    }
}
