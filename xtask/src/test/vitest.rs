//! Reads Vitest's JSON report.

use anyhow::{Context, Result};
use serde::Deserialize;

use super::outcome::Outcome;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    test_results: Vec<TestFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TestFile {
    name: String,
    status: String,
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    full_name: String,
    status: String,
}

pub fn parse(json: &str) -> Result<Outcome> {
    let report: Report = serde_json::from_str(json).context("Vitest's report is unreadable")?;
    let mut outcome = Outcome::default();
    for file in report.test_results {
        // A file that cannot even be loaded has failed without naming a test.
        if file.status == "failed" && file.assertion_results.is_empty() {
            outcome.failed += 1;
            outcome.failures.push(file.name);
        }
        for assertion in file.assertion_results {
            match assertion.status.as_str() {
                "passed" => outcome.passed += 1,
                "failed" => {
                    outcome.failed += 1;
                    outcome.failures.push(assertion.full_name);
                }
                // skipped, pending, todo, disabled
                _ => outcome.skipped.push(assertion.full_name),
            }
        }
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn every_status_is_counted() {
        let outcome = parse(
            r#"{"success": false, "testResults": [
                {"status": "passed", "name": "a.test.ts", "assertionResults": [
                    {"fullName": "softmax sums to 1", "status": "passed"},
                    {"fullName": "softmax on a GPU", "status": "skipped"},
                    {"fullName": "some day", "status": "todo"}]},
                {"status": "failed", "name": "b.test.ts", "assertionResults": [
                    {"fullName": "hit test", "status": "failed"}]},
                {"status": "failed", "name": "c.test.ts", "message": "no such module",
                 "assertionResults": []}]}"#,
        )
        .unwrap();
        assert_eq!((outcome.passed, outcome.failed), (1, 2));
        assert_eq!(outcome.skipped, ["softmax on a GPU", "some day"]);
        assert_eq!(outcome.failures, ["hit test", "c.test.ts"]);
    }

    #[test]
    fn another_format_is_an_error_and_not_zero_tests() {
        assert!(parse("{}").is_err());
    }
}
