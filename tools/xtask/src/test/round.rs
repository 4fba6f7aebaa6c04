//! A round of suites and checks: runs them one after another, or in parallel lanes, collects their
//! results, and prints one table.

use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

use super::report::Outcome;
use crate::disk;
use crate::project::Project;
use crate::shell::Shell;

/// The file with the table of the last whole round, for `cargo xtask metrics`.
pub const TABLE: &str = "target/test-logs/round.txt";

/// The one suite whose tests may be skipped, with the reason. Any other skip fails the round, so
/// that no test is switched off silently.
const MAY_SKIP: (&str, &str) = (
    "webgpu",
    "needs a Vulkan, Metal or DirectX 12 adapter; on Linux \
     mesa-vulkan-drivers brings a software one",
);

/// How many lines of a failed suite's log are printed at the end: a log that is far above, or that
/// was not kept, names no cause.
const LOG_END_LINES: usize = 40;

pub struct Round<'a> {
    project: &'a Project,
    /// The names of the suites to run; empty for all.
    only: Vec<String>,
    started: Instant,
    entries: Mutex<Vec<Entry>>,
}

struct Entry {
    name: &'static str,
    outcome: Outcome,
    took: Duration,
    /// The fault, if a sentence says more than the failed tests.
    problem: Option<String>,
}

impl<'a> Round<'a> {
    pub fn new(project: &'a Project, only: Vec<String>) -> Self {
        Self { project, only, started: Instant::now(), entries: Mutex::default() }
    }

    /// Runs lanes in parallel, each with its suites in order, until all have ended. A suite that
    /// needs another's result belongs in the same lane, or after all lanes.
    pub fn side_by_side(&self, lanes: &[&(dyn Fn(&Self) + Sync)]) {
        thread::scope(|scope| {
            for lane in lanes {
                scope.spawn(|| lane(self));
            }
        });
    }

    /// Runs a check, which passes or fails; it counts as one test.
    pub fn check(
        &self,
        name: &'static str,
        needs: &[&str],
        work: impl FnOnce(&Shell) -> Result<()>,
    ) {
        self.suite(name, needs, |shell| work(shell).map(|()| Outcome::of_check(true)));
    }

    /// Runs a suite of tests. If a suite in `needs` failed, it is not run and counts as failed.
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
        // Opening the log empties it, also for a suite that is not run.
        let result = Shell::logged(self.project, name).and_then(|shell| match missing {
            Some(need) => Err(anyhow!("Not run, because \"{need}\" failed.")),
            None => work(&shell),
        });
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

    /// Runs a suite that a whole round leaves out: it has to be named.
    pub fn named_suite(
        &self,
        name: &'static str,
        needs: &[&str],
        work: impl FnOnce(&Shell) -> Result<Outcome>,
    ) {
        if !self.only.is_empty() {
            self.suite(name, needs, work);
        }
    }

    /// Prints the table, the skips, the ends of the failed suites' logs, the failures and the sum;
    /// returns whether all passed.
    pub fn finish(&self) -> Result<bool> {
        let entries = self.entries();
        let has_run = |only: &&String| entries.iter().any(|entry| entry.name == *only);
        if let Some(unknown) = self.only.iter().find(|only| !has_run(only)) {
            bail!("There is no suite \"{unknown}\": `cargo xtask test` prints the names of all.");
        }
        let (table, total) = table(&entries, self.started.elapsed())?;
        print!("\n{table}");
        if self.only.is_empty() {
            disk::write(&self.project.path(TABLE), &table)?;
        }
        let unexpected = print_skips(&entries);
        for entry in entries.iter().filter(|entry| entry.outcome.failed > 0) {
            self.print_log_end(entry.name);
        }
        print_failures(&entries);
        println!("\n{}", counts(&total));
        Ok(total.failed == 0 && unexpected == 0)
    }

    fn print_log_end(&self, name: &str) {
        // A log that cannot be read must not hide which suite failed.
        let log = disk::read_text(&self.project.test_log(name)).unwrap_or_default();
        if !log.is_empty() {
            println!("\nThe end of {name}'s log:\n{}", last_lines(&log, LOG_END_LINES));
        }
    }

    fn has_failed(&self, name: &str) -> bool {
        self.entries().iter().any(|entry| entry.name == name && entry.outcome.failed > 0)
    }

    /// The entries so far. A panic in a lane ends the whole round, but the entries of others stay
    /// valid.
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn table(entries: &[Entry], took: Duration) -> Result<(String, Outcome)> {
    let mut text = format!("{:<22}{:>8}{:>8}{:>9}{:>10}\n", "", "passed", "failed", "skipped", "s");
    let mut total = Outcome::default();
    let mut row = |name: &str, outcome: &Outcome, took: Duration| {
        let (passed, failed, skipped) = (outcome.passed, outcome.failed, outcome.skipped.len());
        let seconds = took.as_secs_f32();
        writeln!(text, "{name:<22}{passed:>8}{failed:>8}{skipped:>9}{seconds:>10.1}")
    };
    for entry in entries {
        row(entry.name, &entry.outcome, entry.took)?;
        total.add(&entry.outcome);
    }
    row("whole round", &total, took)?;
    Ok((text, total))
}

/// Prints every skipped test; returns the number of skips without permission.
fn print_skips(entries: &[Entry]) -> usize {
    let mut unexpected = 0;
    for Entry { name, outcome, .. } in entries {
        for test in &outcome.skipped {
            if *name == MAY_SKIP.0 {
                println!("skipped {name}: {test} ({})", MAY_SKIP.1);
            } else {
                unexpected += 1;
                println!("skipped {name}: {test}, which no test of this suite may be");
            }
        }
    }
    unexpected
}

fn print_failures(entries: &[Entry]) {
    for Entry { name, outcome, problem, .. } in entries {
        for test in &outcome.failures {
            println!("FAILED {name}: {test}");
        }
        if outcome.failed > 0 {
            let problem = problem.as_deref().unwrap_or("see the tests that failed");
            println!("FAILED {name}: {problem} (target/test-logs/{name}.log)");
        }
    }
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
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
    use anyhow::bail;

    use super::{Round, TABLE, last_lines};
    use crate::disk::{self, Scratch};
    use crate::test::report::Outcome;

    #[test]
    fn only_tests_of_the_gpu_may_be_skipped() {
        let scratch = Scratch::new("skips");
        let project = scratch.project();
        let round = Round::new(&project, vec![]);
        let skipping = Outcome { skipped: vec!["block".to_owned()], ..Outcome::of_check(true) };
        round.check("format", &[], |_| Ok(()));
        round.suite("webgpu", &["format"], |_| Ok(skipping.clone()));
        assert!(round.finish().unwrap());
        assert!(disk::read_text(&scratch.path(TABLE)).unwrap().contains("webgpu"));
        round.suite("native", &[], |_| Ok(skipping.clone()));
        assert!(!round.finish().unwrap());
    }

    #[test]
    fn all_lanes_count_and_what_needs_a_failed_check_is_not_run() {
        let scratch = Scratch::new("lanes");
        let project = scratch.project();
        let round = Round::new(&project, vec![]);
        round.side_by_side(&[&|round| round.check("one", &[], |_| Ok(())), &|round| {
            round.check("two", &[], |_| bail!("it does not compile"));
            round.suite("three", &["two"], |_| panic!("this must not run"));
        }]);
        let mut failed: Vec<_> =
            round.entries().iter().map(|entry| (entry.name, entry.outcome.failed)).collect();
        failed.sort_unstable();
        assert_eq!(failed, [("one", 0), ("three", 1), ("two", 1)]);
        assert!(!round.finish().unwrap());
    }

    #[test]
    fn the_end_of_a_log_is_its_last_lines() {
        assert_eq!(last_lines("one\ntwo\nthree\n", 2), "two\nthree");
        assert_eq!(last_lines("one\n", 2), "one");
    }

    #[test]
    fn suites_that_were_not_asked_for_are_left_out() {
        let scratch = Scratch::new("only");
        let project = scratch.project();
        let round = Round::new(&project, vec!["unit".to_owned()]);
        round.check("build", &[], |_| panic!("the caller did not ask for this"));
        round.check("unit", &["build"], |_| Ok(()));
        assert!(round.finish().unwrap());
        round.named_suite("hosts", &[], |_| panic!("the caller did not ask for this either"));
        let whole = Round::new(&project, vec![]);
        whole.named_suite("hosts", &[], |_| panic!("a whole round leaves this out"));
        let round = Round::new(&project, vec!["hosts".to_owned()]);
        round.named_suite("hosts", &[], |_| Ok(Outcome::of_check(true)));
        assert!(round.finish().unwrap());
        let round = Round::new(&project, vec!["unti".to_owned()]);
        round.check("unit", &[], |_| Ok(()));
        assert!(round.finish().is_err());
    }
}
