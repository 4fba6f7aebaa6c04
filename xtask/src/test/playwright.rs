//! Reads Playwright's JSON report.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::outcome::Outcome;

#[derive(Deserialize)]
struct Report {
    suites: Vec<Suite>,
}

#[derive(Deserialize)]
struct Suite {
    title: String,
    #[serde(default)]
    specs: Vec<Spec>,
    #[serde(default)]
    suites: Vec<Suite>,
}

#[derive(Deserialize)]
struct Spec {
    title: String,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    status: String,
}

pub fn parse(json: &str) -> Result<Outcome> {
    let report: Report = serde_json::from_str(json).context("Playwright's report is unreadable")?;
    let mut outcome = Outcome::default();
    for suite in &report.suites {
        collect(suite, &suite.title, &mut outcome);
    }
    Ok(outcome)
}

fn collect(suite: &Suite, path: &str, outcome: &mut Outcome) {
    for spec in &suite.specs {
        for test in &spec.tests {
            match test.status.as_str() {
                "expected" => outcome.passed += 1,
                "skipped" => outcome.skipped.push(format!("{path} › {}", spec.title)),
                // A test that passes only now and then is one that fails.
                _ => outcome.failed += 1,
            }
        }
    }
    for inner in &suite.suites {
        collect(inner, &format!("{path} › {}", inner.title), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn nested_suites_are_walked_and_flaky_is_failed() {
        let outcome = parse(
            r#"{"suites": [{"title": "page.spec.ts", "file": "page.spec.ts",
                "specs": [{"title": "opens", "ok": true, "tests": [{"status": "expected"}]}],
                "suites": [{"title": "phone", "specs": [
                    {"title": "swipes", "ok": true, "tests": [{"status": "skipped"}]},
                    {"title": "taps", "ok": false, "tests": [{"status": "unexpected"}]},
                    {"title": "wobbles", "ok": true, "tests": [{"status": "flaky"}]}]}]}],
               "stats": {"expected": 1, "unexpected": 1, "flaky": 1, "skipped": 1}}"#,
        )
        .unwrap();
        assert_eq!((outcome.passed, outcome.failed), (1, 2));
        assert_eq!(outcome.skipped, ["page.spec.ts › phone › swipes"]);
    }

    #[test]
    fn another_format_is_an_error_and_not_zero_tests() {
        assert!(parse("[]").is_err());
    }
}
