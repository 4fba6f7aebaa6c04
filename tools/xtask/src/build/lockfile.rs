//! Versions in Cargo.lock, for the wasm-bindgen crates.

use anyhow::{Context, Result, bail};

use crate::disk;
use crate::project::Project;

pub struct Lockfile {
    text: String,
}

impl Lockfile {
    pub fn read(project: &Project) -> Result<Self> {
        let text = disk::read_text(&project.path("Cargo.lock"))
            .context("Restore Cargo.lock with `git checkout Cargo.lock`")?;
        Ok(Self { text })
    }

    /// The locked version of a package.
    pub fn version(&self, package: &str) -> Result<String> {
        let wanted = format!("name = \"{package}\"");
        let mut lines = self.text.lines();
        // Cargo writes the version on the line after the name.
        lines
            .by_ref()
            .find(|line| *line == wanted)
            .and_then(|_| lines.next()?.strip_prefix("version = \"")?.strip_suffix('"'))
            .map(str::to_owned)
            .with_context(|| format!("Cargo.lock has no package {package}: run `cargo update -w`"))
    }
}

/// Fails unless the wasm-bindgen crate of the core and the tool in this program have the same
/// version.
pub fn check_wasm_bindgen(project: &Project) -> Result<()> {
    let lockfile = Lockfile::read(project)?;
    let crate_version = lockfile.version("wasm-bindgen")?;
    let tool_version = lockfile.version("wasm-bindgen-cli-support")?;
    if crate_version != tool_version {
        bail!(
            "wasm-bindgen is {crate_version} and wasm-bindgen-cli-support {tool_version}: write \
             the same version into Cargo.toml and tools/xtask/Cargo.toml."
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Lockfile, check_wasm_bindgen};
    use crate::disk::{self, Scratch};

    const LOCK: &str = "\
version = 4

[[package]]
name = \"wasm-bindgen-shared\"
version = \"9.9.9\"

[[package]]
name = \"wasm-bindgen\"
version = \"0.2.130\"
source = \"registry\"

[[package]]
name = \"wasm-bindgen-cli-support\"
version = \"0.2.131\"
";

    #[test]
    fn a_version_is_that_of_the_package_with_the_very_name() {
        let lockfile = Lockfile { text: LOCK.to_owned() };
        assert_eq!(lockfile.version("wasm-bindgen").unwrap(), "0.2.130");
        assert!(lockfile.version("bindgen").is_err());
    }

    #[test]
    fn a_drift_between_crate_and_tool_names_both() {
        let scratch = Scratch::new("drift");
        disk::write(&scratch.path("Cargo.lock"), LOCK).unwrap();
        let message = check_wasm_bindgen(&scratch.project()).unwrap_err().to_string();
        assert!(message.contains("0.2.130") && message.contains("0.2.131"), "{message}");
        let mended = LOCK.replace("0.2.131", "0.2.130");
        disk::write(&scratch.path("Cargo.lock"), mended).unwrap();
        check_wasm_bindgen(&scratch.project()).unwrap();
    }
}
