//! Paths in the repository.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The repository that this xtask belongs to.
#[derive(Debug, Clone)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    pub fn locate() -> Result<Self> {
        // Cargo sets the variable when it runs the binary; the compiled-in value serves a
        // binary that was started by hand.
        let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = manifest
            .ancestors()
            .nth(2)
            .with_context(|| format!("{} is not in tools/xtask", manifest.display()))?;
        Ok(Self { root: root.to_owned() })
    }

    #[cfg(test)]
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path inside the repository.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// The folder of programs that are installed for this repository alone.
    pub fn tools(&self) -> PathBuf {
        self.path("target/tools")
    }

    /// The folder with the output of every test suite, one file each.
    pub fn test_logs(&self) -> PathBuf {
        self.path("target/test-logs")
    }

    /// The file with the output of one test suite.
    pub fn test_log(&self, suite: &str) -> PathBuf {
        self.test_logs().join(format!("{suite}.log"))
    }

    /// The folder of the page as it is served.
    pub fn site(&self) -> PathBuf {
        self.path("dist/site")
    }
}
