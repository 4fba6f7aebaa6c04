//! Records of the inputs of a result, so that a step with unchanged inputs is skipped.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::disk;
use crate::project::Project;

/// A digest of files and words, compared only with digests of the same program: if the hash
/// function changes, a step is repeated once.
#[derive(Default)]
pub struct Inputs {
    hasher: DefaultHasher,
    /// A folder that is left out of every input.
    skipped: Option<PathBuf>,
}

impl Inputs {
    pub fn without(folder: PathBuf) -> Self {
        Self { skipped: Some(folder), ..Self::default() }
    }

    pub fn word(&mut self, word: &str) {
        self.hasher.write_usize(word.len());
        self.hasher.write(word.as_bytes());
    }

    /// Adds a file's name and content, or those of every file below a folder; a path that does not
    /// exist is an input of its own.
    pub fn path(&mut self, path: &Path) -> Result<()> {
        if self.skipped.as_deref() == Some(path) {
            return Ok(());
        }
        self.word(&path.to_string_lossy());
        if path.is_dir() {
            for entry in sorted_entries(path)? {
                self.path(&entry)?;
            }
        } else if path.is_file() {
            let content = disk::read(path)?;
            self.hasher.write_usize(content.len());
            self.hasher.write(&content);
        }
        Ok(())
    }

    /// Adds the files directly in a folder.
    pub fn files_in(&mut self, folder: &Path) -> Result<()> {
        let entries = sorted_entries(folder)?;
        entries.iter().filter(|entry| entry.is_file()).try_for_each(|file| self.path(file))
    }
}

fn sorted_entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = folder.read_dir();
    let entries = entries.with_context(|| format!("{} could not be read", folder.display()))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<Vec<PathBuf>>>()
        .with_context(|| format!("{} could not be listed", folder.display()))?;
    paths.sort();
    Ok(paths)
}

/// The record of one step.
pub struct Stamp {
    file: PathBuf,
    value: String,
}

impl Stamp {
    pub fn new(project: &Project, step: &str, inputs: &Inputs) -> Self {
        let file = project.path("target/xtask-stamps").join(step);
        Self { file, value: format!("{:016x}", inputs.hasher.finish()) }
    }

    /// Whether the step last succeeded with the same inputs and its results still exist.
    pub fn is_current(&self, results: &[PathBuf]) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|recorded| recorded == self.value)
            && results.iter().all(|result| result.exists())
    }

    /// Records the inputs; called when the step has succeeded.
    pub fn record(&self) -> Result<()> {
        disk::write(&self.file, &self.value)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Inputs, Stamp};
    use crate::disk::{self, Scratch};

    /// A project with one source file and one result.
    fn scratch(test: &str) -> Scratch {
        let scratch = Scratch::new(test);
        disk::write(&scratch.path("source/deep/file.ts"), "one").unwrap();
        disk::write(&scratch.path("result"), "made").unwrap();
        scratch
    }

    fn stamp_of(scratch: &Scratch) -> Stamp {
        let mut inputs = Inputs::default();
        inputs.path(&scratch.path("source")).unwrap();
        Stamp::new(&scratch.project(), "step", &inputs)
    }

    #[test]
    fn a_step_is_current_until_an_input_changes() {
        let scratch = scratch("change");
        let results = [scratch.path("result")];
        assert!(!stamp_of(&scratch).is_current(&results), "nothing is recorded yet");
        stamp_of(&scratch).record().unwrap();
        assert!(stamp_of(&scratch).is_current(&results));
        fs::write(scratch.path("source/deep/file.ts"), "two").unwrap();
        assert!(!stamp_of(&scratch).is_current(&results), "the content changed");
    }

    #[test]
    fn a_skipped_folder_does_not_count() {
        let scratch = scratch("skipped");
        let digest = || {
            let mut inputs = Inputs::without(scratch.path("source/deep"));
            inputs.path(&scratch.path("source")).unwrap();
            Stamp::new(&scratch.project(), "step", &inputs).value
        };
        let before = digest();
        fs::write(scratch.path("source/deep/file.ts"), "two").unwrap();
        assert_eq!(digest(), before);
        fs::write(scratch.path("source/other.ts"), "").unwrap();
        assert_ne!(digest(), before);
    }

    #[test]
    fn renamed_new_and_lost_files_count() {
        let scratch = scratch("files");
        let results = [scratch.path("result")];
        stamp_of(&scratch).record().unwrap();
        let file = scratch.path("source/deep/file.ts");
        fs::rename(file, scratch.path("source/deep/other.ts")).unwrap();
        assert!(!stamp_of(&scratch).is_current(&results), "a name changed");
        stamp_of(&scratch).record().unwrap();
        fs::write(scratch.path("source/extra.ts"), "").unwrap();
        assert!(!stamp_of(&scratch).is_current(&results), "an empty file was added");
        stamp_of(&scratch).record().unwrap();
        fs::remove_file(scratch.path("result")).unwrap();
        assert!(!stamp_of(&scratch).is_current(&results), "the result is gone");
    }
}
