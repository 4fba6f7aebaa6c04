//! The committed list of tests that may be skipped, each with its reason. Any other skip fails
//! the run, so that no test is ever switched off in silence.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::disk;

pub const FILE: &str = "tests/expected-skips.json";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedSkip {
    suite: String,
    name: String,
    reason: String,
}

#[derive(Debug)]
pub struct ExpectedSkips {
    entries: Vec<ExpectedSkip>,
}

impl ExpectedSkips {
    pub fn read(path: &Path) -> Result<Self> {
        let text = disk::read_text(path).context("Restore the list of expected skips with git")?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        let entries: Vec<ExpectedSkip> = serde_json::from_str(text).with_context(|| {
            format!("{FILE} must be a list of entries with suite, name and reason")
        })?;
        if let Some(entry) = entries.iter().find(|entry| entry.reason.trim().is_empty()) {
            bail!("{FILE} gives no reason for skipping \"{}\": write one.", entry.name);
        }
        Ok(Self { entries })
    }

    /// Why this test may be skipped, if it may.
    pub fn reason(&self, suite: &str, name: &str) -> Option<&str> {
        let entry = self.entries.iter().find(|entry| entry.suite == suite && entry.name == name)?;
        Some(&entry.reason)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{ExpectedSkips, FILE};
    use crate::disk;

    #[test]
    fn only_the_listed_test_of_the_listed_suite_is_excused() {
        let list = r#"[{"suite": "gpu", "name": "block", "reason": "no adapter"}]"#;
        let skips = ExpectedSkips::parse(list).unwrap();
        assert_eq!(skips.reason("gpu", "block"), Some("no adapter"));
        assert_eq!(skips.reason("gpu", "blocks"), None);
        assert_eq!(skips.reason("native", "block"), None);
    }

    #[test]
    fn an_entry_without_a_reason_is_refused() {
        for list in [
            r#"[{"suite": "gpu", "name": "block", "reason": " "}]"#,
            r#"[{"suite": "gpu", "name": "block"}]"#,
            r#"{"gpu": "block"}"#,
        ] {
            assert!(ExpectedSkips::parse(list).is_err(), "{list}");
        }
    }

    /// Each needs an adapter that a machine may not have, and none is left once it is gone.
    #[test]
    fn every_test_of_the_gpu_is_listed_and_no_other() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let skips = ExpectedSkips::read(&root.join(FILE)).unwrap();
        let mut sources = vec![root.join("tests/webgpu.rs")];
        for entry in std::fs::read_dir(root.join("tests/webgpu")).unwrap() {
            sources.push(entry.unwrap().path());
        }
        let mut tests = BTreeSet::new();
        for source in sources {
            let text = disk::read_text(&source).unwrap();
            let after = text.split("#[pollster::test]\nasync fn ").skip(1);
            tests.extend(after.filter_map(|rest| rest.split('(').next()).map(str::to_owned));
        }
        assert!(tests.len() > 30, "{} tests were found", tests.len());
        let of_gpu = skips.entries.iter().filter(|entry| entry.suite == "webgpu");
        let listed: BTreeSet<String> = of_gpu.map(|entry| entry.name.clone()).collect();
        assert_eq!(listed, tests);
    }
}
