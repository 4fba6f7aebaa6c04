//! File operations, with errors that name the file.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Writes a file, and creates its folders.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    fs::write(path, content).with_context(|| format!("{} could not be written", path.display()))
}

pub fn create_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).with_context(|| format!("{} could not be created", path.display()))
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{} could not be read", path.display()))
}

pub fn read_text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} could not be read", path.display()))
}

/// Removes a file if it exists.
pub fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            bail!("{} could not be removed ({error})", path.display())
        }
        _ => Ok(()),
    }
}

/// Removes a folder with its contents if it exists.
pub fn remove_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            bail!("{} could not be removed ({error})", path.display())
        }
        _ => Ok(()),
    }
}

/// A temporary folder for one test, empty at first and removed afterwards.
#[cfg(test)]
pub struct Scratch(std::path::PathBuf);

#[cfg(test)]
impl Scratch {
    pub fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("xtask-{}-{test}", std::process::id()));
        create_folder(&folder).unwrap();
        Self(folder)
    }

    pub fn path(&self, relative: &str) -> std::path::PathBuf {
        self.0.join(relative)
    }

    pub fn project(&self) -> crate::project::Project {
        crate::project::Project::at(&self.0)
    }
}

#[cfg(test)]
impl Drop for Scratch {
    fn drop(&mut self) {
        // A test that failed for another reason should say that one.
        let _ = fs::remove_dir_all(&self.0);
    }
}
