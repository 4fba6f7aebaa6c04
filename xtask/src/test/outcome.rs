//! What came out of one suite of tests or one check.

/// Counts, and the names of what was skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    pub passed: usize,
    pub failed: usize,
    pub skipped: Vec<String>,
}

impl Outcome {
    pub fn of_check(succeeded: bool) -> Self {
        Self { passed: usize::from(succeeded), failed: usize::from(!succeeded), skipped: vec![] }
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
}
