//! Reads what Rust's test harness prints, natively and through wasm-bindgen-test.

use super::outcome::Outcome;

/// A test that finds out while it runs that it cannot (no GPU, say) writes a line with this
/// mark, `skipped: NAME: reason`, and returns. The harness counts it as passed; we do not.
const SKIP_MARK: &str = "skipped: ";

/// Sums all the harness's reports in an output, one per test binary.
pub fn parse(text: &str) -> Outcome {
    let mut outcome = Outcome::default();
    for line in text.lines().map(str::trim) {
        if let Some(counts) = line.strip_prefix("test result: ") {
            outcome.passed += number_before(counts, "passed");
            outcome.failed += number_before(counts, "failed");
        } else if let Some(name) = test_that(line, "ignored") {
            outcome.skipped.push(name.to_owned());
        } else if let Some(name) = test_that(line, "FAILED").or_else(|| test_that(line, "FAIL")) {
            outcome.failures.push(name.to_owned());
        }
    }
    let marked: Vec<_> = text.lines().filter_map(marked_skip).collect();
    outcome.passed = outcome.passed.saturating_sub(marked.len());
    outcome.skipped.extend(marked.into_iter().map(str::to_owned));
    outcome
}

/// The number in front of a word: 12 in "ok. 12 passed; 0 failed; …".
fn number_before(counts: &str, word: &str) -> usize {
    counts
        .split([';', '.'])
        .find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok())
        .unwrap_or(0)
}

/// The name in "test NAME ... VERDICT" and "test NAME ... VERDICT, reason".
fn test_that<'a>(line: &'a str, verdict: &str) -> Option<&'a str> {
    let (name, said) = line.strip_prefix("test ")?.split_once(" ... ")?;
    // A documentation test is called "src/lib.rs - module::item (line 3)".
    let word = said.split(',').next()?.trim();
    (word == verdict).then_some(name)
}

/// The name after the mark, which may stand behind the harness's unfinished "test NAME ... ".
fn marked_skip(line: &str) -> Option<&str> {
    let (before, after) = line.split_once(SKIP_MARK)?;
    let at_start = before.trim().is_empty() || before.trim_end().ends_with("...");
    at_start.then(|| after.split(": ").next())?
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_reports_of_all_binaries_are_summed() {
        let outcome = parse(
            "\
     Running unittests src/lib.rs (target/debug/deps/headscope-1)

running 3 tests
test kernels::softmax::tests::rows ... ok
test model::tests::slow ... ignored, needs a large model
test run::tests::steps ... FAILED

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests headscope
test src/axes.rs - axes::Axis (line 12) ... ok
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.42s
",
        );
        assert_eq!((outcome.passed, outcome.failed), (2, 1));
        assert_eq!(outcome.skipped, ["model::tests::slow"]);
        assert_eq!(outcome.failures, ["run::tests::steps"]);
    }

    #[test]
    fn the_wasm_runner_is_understood_too() {
        let outcome = parse(
            "\
running 2 tests
test headscope::kernels::tests::dot ... ok
test headscope::kernels::tests::wide ... ignored

test result: ok. 1 passed; 0 failed; 1 ignored; 0 filtered out; finished in 0.01s
",
        );
        assert_eq!((outcome.passed, outcome.failed), (1, 0));
        assert_eq!(outcome.skipped, ["headscope::kernels::tests::wide"]);
    }

    #[test]
    fn a_test_that_says_it_was_skipped_does_not_count_as_passed() {
        let outcome = parse(
            "\
running 2 tests
skipped: gpu_block_equals_cpu: no adapter on this machine
test gpu_block_equals_cpu ... ok
test shapes ... skipped: shapes: no adapter
ok
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
",
        );
        assert_eq!((outcome.passed, outcome.failed), (0, 0));
        assert_eq!(outcome.skipped, ["gpu_block_equals_cpu", "shapes"]);
    }

    #[test]
    fn talk_about_skipping_is_not_a_skip() {
        let outcome = parse(
            "\
a line about what was skipped: nothing
test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
",
        );
        assert_eq!(outcome.passed, 1);
        assert!(outcome.skipped.is_empty());
    }
}
