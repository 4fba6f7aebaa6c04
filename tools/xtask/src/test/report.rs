//! Results of test suites: JUnit's XML, which nextest, Vitest and Playwright write, and the summary
//! of the wasm test runner.

use anyhow::{Context, Result};
use roxmltree::{Document, Node};

/// The mark of a skipped test: a test that finds out while it runs that it cannot (no GPU, say)
/// prints the mark, its name and the reason, and returns. Its runner counts it as passed; the round
/// does not.
const SKIP_MARK: &str = "skipped: ";

/// The counts of a suite, and the names of the tests that did not pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    pub passed: usize,
    pub failed: usize,
    pub skipped: Vec<String>,
    /// The names of the failed tests, if the suite reports them.
    pub failures: Vec<String>,
}

impl Outcome {
    pub fn of_check(succeeded: bool) -> Self {
        Self { passed: usize::from(succeeded), failed: usize::from(!succeeded), ..Self::default() }
    }

    /// The outcome with regard to the suite's exit status: a suite that ended badly without a
    /// failed test (it did not compile, crashed or never reported) has failed, and so has one
    /// without any test.
    pub fn confirmed_by(mut self, succeeded: bool) -> Self {
        let ran_nothing = self.passed == 0 && self.skipped.is_empty();
        if self.failed == 0 && (!succeeded || ran_nothing) {
            self.failed = 1;
        }
        self
    }

    pub fn add(&mut self, other: &Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped.iter().cloned());
        self.failures.extend(other.failures.iter().cloned());
    }
}

/// Reads a JUnit report.
pub fn parse_junit(xml: &str) -> Result<Outcome> {
    let document = Document::parse(xml).context("the JUnit report is unreadable")?;
    let mut outcome = Outcome::default();
    for case in document.descendants().filter(|node| node.has_tag_name("testcase")) {
        let name = case.attribute("name").unwrap_or("a test without a name").to_owned();
        let has = |tag: &str| case.children().any(|child| child.has_tag_name(tag));
        if has("failure") || has("error") {
            outcome.failed += 1;
            outcome.failures.push(name);
        } else if has("skipped") || says_skipped(case) {
            outcome.skipped.push(name);
        } else {
            outcome.passed += 1;
        }
    }
    Ok(outcome)
}

fn says_skipped(case: Node) -> bool {
    case.children()
        .filter(|child| child.has_tag_name("system-out") || child.has_tag_name("system-err"))
        .filter_map(|child| child.text())
        .any(|text| text.lines().any(|line| line.trim_start().starts_with(SKIP_MARK)))
}

/// Adds up the summaries of the wasm test runner and of the runner of examples, one per test
/// binary.
pub fn parse_test_runner(text: &str) -> Outcome {
    let mut outcome = Outcome::default();
    for line in text.lines().map(str::trim) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            outcome.passed += number_before(counts, "passed");
            outcome.failed += number_before(counts, "failed");
        } else if let Some((name, verdict)) =
            line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... "))
        {
            match verdict.split(',').next() {
                Some("FAIL" | "FAILED") => outcome.failures.push(name.to_owned()),
                Some("ignored") => outcome.skipped.push(name.to_owned()),
                _ => {}
            }
        }
    }
    outcome
}

/// The number before a word: 12 in "ok. 12 passed; 0 failed; …".
fn number_before(counts: &str, word: &str) -> usize {
    counts
        .split([';', '.'])
        .find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Outcome, parse_junit, parse_test_runner};

    #[test]
    fn every_verdict_of_junit_is_counted() {
        let outcome = parse_junit(
            r#"<?xml version="1.0"?><testsuites><testsuite name="core">
                <testcase name="softmax sums to 1" classname="a"/>
                <testcase name="loud"><system-out>it was skipped: no</system-out></testcase>
                <testcase name="block"><system-out>
skipped: block: no adapter</system-out></testcase>
                <testcase name="some day"><skipped/></testcase>
                <testcase name="hit test"><failure message="no">1 &lt; 2</failure></testcase>
                <testcase name="crash"><error/></testcase>
            </testsuite></testsuites>"#,
        )
        .unwrap();
        assert_eq!((outcome.passed, outcome.failed), (2, 2));
        assert_eq!(outcome.skipped, ["block", "some day"]);
        assert_eq!(outcome.failures, ["hit test", "crash"]);
        assert!(parse_junit("{}").is_err(), "another format is an error and not zero tests");
    }

    #[test]
    fn the_reports_of_all_wasm_binaries_are_summed() {
        let outcome = parse_test_runner(
            "\
running 3 tests
test headscope::kernels::tests::dot ... ok
test headscope::kernels::tests::wide ... ignored, slow
test headscope::run::tests::steps ... FAIL

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 filtered out; finished in 0.01s

test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.42s
",
        );
        assert_eq!((outcome.passed, outcome.failed), (5, 1));
        assert_eq!(outcome.skipped, ["headscope::kernels::tests::wide"]);
        assert_eq!(outcome.failures, ["headscope::run::tests::steps"]);
    }

    #[test]
    fn a_suite_that_crashed_or_ran_nothing_has_failed() {
        let passed = |passed| Outcome { passed, ..Outcome::default() };
        assert_eq!(passed(3).confirmed_by(true).failed, 0);
        assert_eq!(passed(3).confirmed_by(false).failed, 1);
        assert_eq!(passed(0).confirmed_by(true).failed, 1);
        let two = Outcome { failed: 2, ..passed(3) };
        assert_eq!(two.confirmed_by(false).failed, 2);
        let only_skips = Outcome { skipped: vec!["slow".to_owned()], ..Outcome::default() };
        assert_eq!(only_skips.confirmed_by(true).failed, 0);
    }
}
