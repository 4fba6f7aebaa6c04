//! What came out of one suite of tests or one check.

/// Counts, and the names of what did not simply pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    pub passed: usize,
    pub failed: usize,
    pub skipped: Vec<String>,
    /// The names of those that failed, as far as the suite tells them.
    pub failures: Vec<String>,
    /// The names of those that failed first and passed when they were tried again; they count as
    /// passed.
    pub flaky: Vec<String>,
}

/// How many tests of a suite may have needed a second try before it has failed.
const FLAKY_ALLOWED: usize = 2;

impl Outcome {
    pub fn of_check(succeeded: bool) -> Self {
        Self { passed: usize::from(succeeded), failed: usize::from(!succeeded), ..Self::default() }
    }

    pub fn of_skip(name: &str) -> Self {
        Self { skipped: vec![name.to_owned()], ..Self::default() }
    }

    /// One test that wobbles on a busy machine does not hide what all others say; a suite in
    /// which many do is broken.
    pub fn judging_flaky(mut self) -> Self {
        if self.flaky.len() > FLAKY_ALLOWED {
            self.passed -= self.flaky.len();
            self.failed += self.flaky.len();
            self.failures.append(&mut self.flaky);
        }
        self
    }

    /// A suite that ended badly without a failed test (it did not compile, crashed or never
    /// reported) has failed, and so has one that ran nothing at all.
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
        self.flaky.extend(other.flaky.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    fn passed(passed: usize) -> Outcome {
        Outcome { passed, ..Outcome::default() }
    }

    #[test]
    fn a_suite_that_crashed_or_ran_nothing_has_failed() {
        assert_eq!(passed(3).confirmed_by(true).failed, 0);
        assert_eq!(passed(3).confirmed_by(false).failed, 1);
        assert_eq!(passed(0).confirmed_by(true).failed, 1);
        let two = Outcome { failed: 2, ..passed(3) };
        assert_eq!(two.confirmed_by(false).failed, 2);
        let only_skips = Outcome { skipped: vec!["slow".to_owned()], ..Outcome::default() };
        assert_eq!(only_skips.confirmed_by(true).failed, 0);
    }

    #[test]
    fn two_that_wobble_are_named_and_three_have_failed() {
        let wobbling = |names: &[&str]| Outcome {
            flaky: names.iter().map(ToString::to_string).collect(),
            ..passed(5)
        };
        assert_eq!(wobbling(&["a", "b"]).judging_flaky(), wobbling(&["a", "b"]));
        let judged = wobbling(&["a", "b", "c"]).judging_flaky();
        assert_eq!((judged.passed, judged.failed), (2, 3));
        assert_eq!(judged.failures, ["a", "b", "c"]);
        assert!(judged.flaky.is_empty());
    }
}
