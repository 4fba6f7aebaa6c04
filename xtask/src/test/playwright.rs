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
    Ok(outcome.judging_flaky())
}

fn collect(suite: &Suite, path: &str, outcome: &mut Outcome) {
    for spec in &suite.specs {
        for test in &spec.tests {
            let name = || format!("{path} › {}", spec.title);
            match test.status.as_str() {
                "expected" => outcome.passed += 1,
                "skipped" => outcome.skipped.push(name()),
                "flaky" => {
                    outcome.passed += 1;
                    outcome.flaky.push(name());
                }
                _ => {
                    outcome.failed += 1;
                    outcome.failures.push(name());
                }
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
    fn nested_suites_are_walked_and_what_did_not_pass_at_once_is_named() {
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
        assert_eq!((outcome.passed, outcome.failed), (2, 1));
        assert_eq!(outcome.skipped, ["page.spec.ts › phone › swipes"]);
        assert_eq!(outcome.failures, ["page.spec.ts › phone › taps"]);
        assert_eq!(outcome.flaky, ["page.spec.ts › phone › wobbles"]);
    }

    #[test]
    fn another_format_is_an_error_and_not_zero_tests() {
        assert!(parse("[]").is_err());
    }
}
