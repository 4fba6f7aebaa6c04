//! A round of suites and checks: runs them one after another, or in lanes side by side, remembers
//! what came out, and prints the table at the end.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

use super::outcome::Outcome;
use super::skips::{self, ExpectedSkips};
use crate::project::Project;
use crate::shell::Shell;

pub struct Session<'a> {
    project: &'a Project,
    expected: ExpectedSkips,
    /// The names of the suites to run; all of them if it is empty.
    only: Vec<String>,
    started: Instant,
    /// For how long a suite that may be left out may still begin; for ever if there is none.
    limit: Option<Duration>,
    entries: Mutex<Vec<Entry>>,
}

struct Entry {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
    /// What went wrong, where a sentence says more than the failed tests do.
    problem: Option<String>,
}

impl<'a> Session<'a> {
    pub fn new(project: &'a Project, only: Vec<String>) -> Result<Self> {
        let expected = ExpectedSkips::read(&project.path(skips::FILE))?;
        let (started, limit) = (Instant::now(), None);
        Ok(Self { project, expected, only, started, limit, entries: Mutex::default() })
    }

    /// The same, on a machine that gives a round so much time.
    pub fn within(self, limit: Option<Duration>) -> Self {
        Self { limit, ..self }
    }

    /// Runs lanes side by side, each with its suites in their order, until all have ended. What
    /// needs what another suite made belongs into its lane, or after all of them; what is built
    /// into one folder waits for its turn there.
    pub fn side_by_side(&self, lanes: &[&(dyn Fn(&Self) + Sync)]) {
        thread::scope(|scope| {
            for lane in lanes {
                scope.spawn(|| lane(self));
            }
        });
    }

    /// Something that either holds or does not; it counts as one test.
    pub fn check(
        &self,
        name: &'static str,
        needs: &[&str],
        work: impl FnOnce(&Shell) -> Result<()>,
    ) {
        self.suite(name, needs, |shell| work(shell).map(|()| Outcome::of_check(true)));
    }

    /// A suite of tests. It is not run, and counts as failed, when something in `needs` failed.
    pub fn suite(
        &self,
        name: &'static str,
        needs: &[&str],
        work: impl FnOnce(&Shell) -> Result<Outcome>,
    ) {
        if !self.only.is_empty() && !self.only.iter().any(|only| only == name) {
            return;
        }
        println!("\n== {name}");
        let started = Instant::now();
        let missing = needs.iter().find(|need| self.has_failed(need));
        let result = match missing {
            Some(need) => Err(anyhow!("Not run, because \"{need}\" failed.")),
            None => Shell::logged(self.project, name).and_then(|shell| work(&shell)),
        };
        let (outcome, problem) = match result {
            Ok(outcome) => (outcome, None),
            Err(problem) => (Outcome::of_check(false), Some(format!("{problem:#}"))),
        };
        if let Some(problem) = &problem {
            println!("{name}: {problem}");
        }
        let took = started.elapsed();
        println!("== {name}: {} in {:.1} s", counts(&outcome), took.as_secs_f32());
        self.entries().push(Entry { name, outcome, took, problem });
    }

    /// A suite that counts as skipped, by its own name, where the round's time is over.
    pub fn suite_in_time(
        &self,
        name: &'static str,
        needs: &[&str],
        work: impl FnOnce(&Shell) -> Result<Outcome>,
    ) {
        let is_late = self.limit.is_some_and(|limit| self.started.elapsed() >= limit);
        self.suite(
            name,
            needs,
            |shell| if is_late { Ok(Outcome::of_skip(name)) } else { work(shell) },
        );
    }

    /// Prints the table, the skips with their reasons and the sum; whether all is well.
    pub fn finish(&self) -> Result<bool> {
        let entries = self.entries();
        let has_run = |only: &&String| entries.iter().any(|entry| entry.name == *only);
        if let Some(unknown) = self.only.iter().find(|only| !has_run(only)) {
            bail!("There is no suite \"{unknown}\": `cargo xtask test` prints the names of all.");
        }
        println!("\n{:<22}{:>8}{:>8}{:>9}{:>10}", "", "passed", "failed", "skipped", "seconds");
        let mut total = Outcome::default();
        for entry in entries.iter() {
            println!(
                "{:<22}{:>8}{:>8}{:>9}{:>10.1}",
                entry.name,
                entry.outcome.passed,
                entry.outcome.failed,
                entry.outcome.skipped.len(),
                entry.took.as_secs_f32()
            );
            total.add(&entry.outcome);
        }
        let unexpected = self.print_skips(&entries);
        print_failures(&entries);
        println!("\n{}", counts(&total));
        Ok(total.failed == 0 && unexpected == 0)
    }

    /// Prints every skipped test; returns how many are not in the list.
    fn print_skips(&self, entries: &[Entry]) -> usize {
        let mut unexpected = 0;
        for entry in entries {
            for name in &entry.outcome.skipped {
                if let Some(reason) = self.expected.reason(entry.name, name) {
                    println!("skipped {}: {name} ({reason})", entry.name);
                } else {
                    unexpected += 1;
                    println!(
                        "skipped {}: {name} IS NOT EXPECTED TO BE: mend it, or list it with its \
                         reason in {}",
                        entry.name,
                        skips::FILE
                    );
                }
            }
        }
        unexpected
    }

    fn has_failed(&self, name: &str) -> bool {
        self.entries().iter().any(|entry| entry.name == name && entry.outcome.failed > 0)
    }

    /// A lane that panicked ends the whole round; what the others noted stays true.
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Prints what failed and what needed a second try, by name.
fn print_failures(entries: &[Entry]) {
    for Entry { name, outcome, problem, .. } in entries {
        for test in &outcome.flaky {
            println!("FLAKY {name}: {test} (it passed when it was tried again: mend it)");
        }
        for test in &outcome.failures {
            println!("FAILED {name}: {test}");
        }
        if outcome.failed > 0 {
            let problem = problem.as_deref().unwrap_or("see the tests that failed");
            println!("FAILED {name}: {problem} (target/test-logs/{name}.log)");
        }
    }
}

fn counts(outcome: &Outcome) -> String {
    format!(
        "{} passed, {} failed, {} skipped",
        outcome.passed,
        outcome.failed,
        outcome.skipped.len()
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::time::Duration;

    use anyhow::bail;

    use super::Session;
    use crate::disk::{self, Scratch};
    use crate::shell::Shell;
    use crate::test::outcome::Outcome;

    fn scratch(test: &str) -> Scratch {
        let scratch = Scratch::new(test);
        let list = r#"[{"suite": "gpu", "name": "block", "reason": "no adapter"}]"#;
        disk::write(&scratch.path("tests/expected-skips.json"), list).unwrap();
        scratch
    }

    fn skipping(name: &str) -> Outcome {
        Outcome { passed: 1, skipped: vec![name.to_owned()], ..Outcome::default() }
    }

    #[test]
    fn only_listed_skips_leave_the_round_green() {
        let scratch = scratch("skips");
        let project = scratch.project();
        let session = Session::new(&project, vec![]).unwrap();
        session.check("format", &[], |_| Ok(()));
        session.suite("gpu", &["format"], |_| Ok(skipping("block")));
        assert!(session.finish().unwrap());
        session.suite("native", &[], |_| Ok(skipping("block")));
        assert!(!session.finish().unwrap());
    }

    #[test]
    fn what_may_wait_is_left_out_once_the_time_is_over_and_that_is_told() {
        let scratch = scratch("late");
        let project = scratch.project();
        let late = Session::new(&project, vec![]).unwrap().within(Some(Duration::ZERO));
        late.suite_in_time("gpu", &[], |_| panic!("there is no time for it"));
        assert_eq!(late.entries()[0].outcome.skipped, ["gpu"]);
        // The list of this test does not name it.
        assert!(!late.finish().unwrap());
        let early = Session::new(&project, vec![]).unwrap().within(None);
        early.suite_in_time("gpu", &[], |_| Ok(skipping("block")));
        assert!(early.finish().unwrap());
    }

    #[test]
    fn lanes_run_at_the_same_time_and_all_of_them_count() {
        let scratch = scratch("lanes");
        let project = scratch.project();
        let session = Session::new(&project, vec![]).unwrap();
        // Neither gets past it alone.
        let barrier = Barrier::new(2);
        let meet = |_: &Shell| {
            barrier.wait();
            Ok(())
        };
        session.side_by_side(&[&|session| session.check("one", &[], meet), &|session| {
            session.check("two", &[], meet);
            session.check("three", &["two"], |_| bail!("it does not hold"));
        }]);
        let mut names: Vec<_> = session.entries().iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        assert_eq!(names, ["one", "three", "two"]);
        assert!(session.has_failed("three") && !session.has_failed("two"));
        assert!(!session.finish().unwrap());
    }

    #[test]
    fn suites_that_were_not_asked_for_are_left_out() {
        let scratch = scratch("only");
        let project = scratch.project();
        let session = Session::new(&project, vec!["unit".to_owned()]).unwrap();
        session.check("build", &[], |_| panic!("nobody asked for this"));
        session.check("unit", &["build"], |_| Ok(()));
        assert!(session.finish().unwrap());
        let session = Session::new(&project, vec!["unti".to_owned()]).unwrap();
        session.check("unit", &[], |_| Ok(()));
        assert!(session.finish().is_err());
    }

    #[test]
    fn what_needs_a_failed_check_is_not_run_and_counts_as_failed() {
        let scratch = scratch("needs");
        let project = scratch.project();
        let session = Session::new(&project, vec![]).unwrap();
        session.check("build", &[], |_| bail!("it does not compile"));
        session.suite("end-to-end", &["build"], |_| panic!("this must not run"));
        let failed: Vec<_> = session.entries().iter().map(|entry| entry.outcome.failed).collect();
        assert_eq!(failed, [1, 1]);
        assert!(!session.finish().unwrap());
    }
}
