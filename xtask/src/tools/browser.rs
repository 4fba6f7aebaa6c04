//! A Chromium and the chromedriver that fits it: an installed one, else Debian's, else the one
//! that Playwright downloads.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::{apt, find_on_path, node};
use crate::disk;
use crate::shell::{Shell, Tool};

const CHROMIUM: &str = "HEADSCOPE_CHROMIUM";
const DRIVER: &str = "CHROMEDRIVER";

const CHROMIUM_NAMES: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const CHROMIUM_PATHS: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

pub struct Browser {
    pub chromium: PathBuf,
}

impl Browser {
    /// Finds one or installs one.
    pub fn ensure(shell: &Shell) -> Result<Self> {
        if let Some(browser) = Self::find()? {
            return Ok(browser);
        }
        shell.say("There is no Chromium on this machine.")?;
        if apt::is_usable()
            && apt::install(shell, &["chromium", "chromium-driver"]).is_ok()
            && let Some(browser) = Self::find()?
        {
            return Ok(browser);
        }
        Self::download(shell)
    }

    /// The one that was asked for, else the first that is installed.
    fn find() -> Result<Option<Self>> {
        if let Some(path) = std::env::var_os(CHROMIUM).map(PathBuf::from) {
            if !path.is_file() {
                bail!("{CHROMIUM} names {}, which is not there: correct it.", path.display());
            }
            return Ok(Some(Self { chromium: path }));
        }
        let on_path = CHROMIUM_NAMES.iter().filter_map(|name| find_on_path(name));
        let elsewhere = CHROMIUM_PATHS.iter().map(PathBuf::from).filter(|path| path.is_file());
        // A name may be a stub that only says what to install, as on Ubuntu: ask for a version.
        let works = |path: &PathBuf| major_version(path).is_some();
        Ok(on_path.chain(elsewhere).find(works).map(|chromium| Self { chromium }))
    }

    fn download(shell: &Shell) -> Result<Self> {
        let advice = format!(
            "no browser could be installed, install Chromium by hand or set {CHROMIUM} to its path"
        );
        let install = node::npm().args(["exec", "--", "playwright", "install", "chromium"]);
        shell.run(install.advice(&advice))?;
        let question = "console.log(require('@playwright/test').chromium.executablePath())";
        let answer = Tool::new("node").args(["-e", question]).dir(shell.project.root());
        Ok(Self { chromium: PathBuf::from(answer.advice(&advice).capture()?.trim()) })
    }

    /// The driver of the same major version: others refuse to start the browser.
    pub fn driver(&self, shell: &Shell) -> Result<PathBuf> {
        let wanted = major_version(&self.chromium)
            .with_context(|| format!("{} does not say its version", self.chromium.display()))?;
        if let Some(driver) = find_driver(wanted) {
            return Ok(driver);
        }
        if apt::is_usable()
            && apt::install(shell, &["chromium-driver"]).is_ok()
            && let Some(driver) = find_driver(wanted)
        {
            return Ok(driver);
        }
        bail!(
            "No chromedriver {wanted} was found for {}: install it (Debian: `apt-get install \
             chromium-driver`) or set {DRIVER} to its path.",
            self.chromium.display()
        )
    }

    /// Writes the capabilities with which the wasm test runner starts this browser.
    pub fn write_capabilities(&self, path: &Path) -> Result<()> {
        let mut arguments =
            vec!["--headless=new", "--disable-dev-shm-usage", "--disable-background-networking"];
        if apt::is_root() {
            // Chromium refuses to sandbox what root starts.
            arguments.push("--no-sandbox");
        }
        let options = json!({ "args": arguments, "binary": self.chromium });
        let capabilities = json!({ "goog:chromeOptions": options });
        disk::write(path, capabilities.to_string())
    }
}

fn find_driver(wanted: u32) -> Option<PathBuf> {
    // GitHub's machines name the folder; Debian and Ubuntu keep theirs outside of PATH at times.
    let named = std::env::var_os(DRIVER).map(PathBuf::from);
    let in_folder = std::env::var_os("CHROMEWEBDRIVER")
        .map(|folder| PathBuf::from(folder).join("chromedriver"));
    let usual = ["/usr/bin/chromedriver", "/usr/lib/chromium-browser/chromedriver"];
    [named, in_folder, find_on_path("chromedriver")]
        .into_iter()
        .flatten()
        .chain(usual.iter().map(PathBuf::from))
        .find(|path| path.is_file() && major_version(path) == Some(wanted))
}

fn major_version(program: &Path) -> Option<u32> {
    parse_major(&Tool::new(program).arg("--version").capture().ok()?)
}

/// The number before the first dot, in "Chromium 156.0.7921.3 built on Debian" and its like.
fn parse_major(text: &str) -> Option<u32> {
    text.split_whitespace().find_map(|word| word.split_once('.')?.0.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::parse_major;

    #[test]
    fn versions_are_read_from_every_vendors_sentence() {
        for (text, major) in [
            ("Chromium 156.0.7921.3 built on Debian GNU/Linux 12 (bookworm)\n", Some(156)),
            ("Google Chrome 141.0.7390.54 \n", Some(141)),
            ("ChromeDriver 140.0.7339.80 (9ab11ce2b6e-refs/branch-heads/7339@{#1500})", Some(140)),
            ("Command '/usr/bin/chromium-browser' requires the chromium snap", None),
            ("", None),
        ] {
            assert_eq!(parse_major(text), major, "{text}");
        }
    }
}
