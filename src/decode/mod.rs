//! Writing: a run, and the text that is written with it. The rows of the written tokens are the
//! run's own rows: a token is chosen from the scores of the last row, read, and so on until the
//! model ends the text. How it is chosen is a [`Strategy`].
//!
//! `t_{i+1} = choose(f(logits_i))`, where `f` forbids and lowers scores as the model's files say.
//!
//! Source: Vaswani et al. 2017, section 3.1 (auto-regressive).

mod scores;
mod strategy;
mod text;

use std::cell::RefCell;
use std::rc::Rc;

use serde::Serialize;

use crate::backend::Backend;
use crate::error::{Code, Error, Result};
use crate::model::Model;
use crate::question::Reading;
use crate::run::{BlockRef, Run, RunRequest};
use scores::NextScores;
use text::Text;

pub use strategy::{Greedy, Strategy};
pub use text::GeneratedToken;

/// The work of one step, in multiplications: at most some 8 ms on one core.
const STEP_WORK: usize = 80_000_000;

/// How far a run is, and what was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepReport {
    /// Rows of blocks that are computed. A head of low rank counts as much as a block's rows, once
    /// its directions are known.
    pub done: usize,
    /// Rows of blocks that are known to be needed; grows while a text is written.
    pub total: usize,
    /// The first block that has rows left to compute; null where every known token went through.
    pub at: Option<BlockRef>,
    /// Nothing is left to do.
    pub finished: bool,
    /// The first stack is complete: its patterns can be read.
    pub source_ready: bool,
    /// What was written since the last report.
    pub generated: Vec<GeneratedToken>,
}

/// A run with the text that it writes, if it is asked to write one.
pub struct Decoding<B: Backend> {
    run: Rc<RefCell<Run<B>>>,
    state: RefCell<State>,
}

/// What was written, how the next token is chosen, and how many tokens were reported.
struct State {
    text: Option<Text>,
    strategy: Box<dyn Strategy>,
    reported: usize,
}

impl<B: Backend> Decoding<B> {
    /// Begins a run; nothing is computed yet. `earlier` is any other one: what is the same in it is
    /// taken over, and so is its text where it answers the same request.
    ///
    /// # Errors
    /// Those of [`Run::begin`].
    pub fn begin(model: &Rc<Model<B>>, sent: &RunRequest, earlier: Option<&Self>) -> Result<Self> {
        let before = earlier.map(|earlier| earlier.run.borrow());
        let run = Run::begin(model, sent, before.as_deref())?;
        let written = earlier.filter(|_| run.has_ended());
        let text = run.most_new().map(|most| match written {
            Some(Self { state, .. }) if most > 0 => state.borrow().text.clone(),
            _ => Some(Text::begin(most)),
        });
        let state = State { text: text.flatten(), strategy: Box::new(Greedy), reported: 0 };
        Ok(Self { run: Rc::new(RefCell::new(run)), state: RefCell::new(state) })
    }

    /// Drives a run that writes no more by itself, such as a fork.
    pub fn over(run: Run<B>) -> Self {
        let state = State { text: None, strategy: Box::new(Greedy), reported: 0 };
        Self { run: Rc::new(RefCell::new(run)), state: RefCell::new(state) }
    }

    /// The run, which can be asked while it goes on.
    pub fn run(&self) -> &Rc<RefCell<Run<B>>> {
        &self.run
    }

    /// Takes one short step. Only the choice of a written token waits for numbers, and a run that
    /// is ahead of its backend for that; no borrow of the run is held meanwhile.
    ///
    /// # Errors
    /// Those of the backend's `read`; `run/not-finite`, after the step that made the source ready.
    pub async fn step(&self) -> Result<StepReport> {
        let run = &*self.run;
        Run::catch_up(run).await?;
        let mut work = 0;
        let knew_source = run.borrow().source_ready();
        let mut fault = None;
        while work < STEP_WORK {
            if let Some(done) = Run::advance(run).await? {
                work += done;
                // The source can be drawn before the first word is written.
                if !knew_source && run.borrow().source_ready() {
                    break;
                }
                continue;
            }
            // The first word can be read before the second is computed.
            if self.has_first_word() {
                break;
            }
            let Some(logits) = self.next_logits() else { break };
            match logits.await.and_then(NextScores::of) {
                Ok(next) => work += self.write(&next),
                Err(error) if error.code == Code::RunNotFinite => {
                    fault = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        self.checked(knew_source, fault).await
    }

    /// Whether one word was generated that is not reported yet.
    fn has_first_word(&self) -> bool {
        let state = self.state.borrow();
        state.reported == 0 && state.written().len() == 1
    }

    /// The logits of the next token, on their way, if one is to be written.
    fn next_logits(&self) -> Option<Reading<Vec<f32>>> {
        self.state.borrow().text.as_ref().filter(|text| !text.finished)?;
        self.run.borrow().next_logits()
    }

    /// Writes the next token; returns the work that choosing was.
    fn write(&self, next: &NextScores) -> usize {
        let mut run = self.run.borrow_mut();
        let State { text, strategy, .. } = &mut *self.state.borrow_mut();
        if let Some(text) = text {
            if let Some(id) = text.write(next, strategy.as_mut(), &run.written()) {
                run.extend(id);
            }
            if text.finished {
                run.end();
            }
        }
        run.head_work()
    }

    /// The report of a step, which came to logits that are not finite if there is a `fault`.
    ///
    /// # Errors
    /// `run/not-finite`, one step later where there is something new to show.
    async fn checked(&self, knew_source: bool, mut fault: Option<Error>) -> Result<StepReport> {
        let mut report = self.report();
        if report.finished || fault.is_some() {
            fault = Run::fault(&self.run).await?.or(fault);
        }
        match fault {
            Some(fault) if knew_source && report.generated.is_empty() => return Err(fault),
            Some(_) => report.finished = false,
            None => {}
        }
        Ok(report)
    }

    fn report(&self) -> StepReport {
        let progress = self.run.borrow().progress();
        let mut state = self.state.borrow_mut();
        let generated = state.written()[state.reported..].to_vec();
        state.reported = state.written().len();
        StepReport {
            done: progress.done,
            total: progress.total,
            at: progress.at,
            finished: progress.complete && state.text.as_ref().is_none_or(|text| text.finished),
            source_ready: progress.source_ready,
            generated,
        }
    }
}

impl State {
    fn written(&self) -> &[GeneratedToken] {
        self.text.as_ref().map_or(&[], |text| &text.written)
    }
}
