//! Generation: a run, and the text that the model writes with it. The rows of the written tokens
//! are the run's own rows: a token is chosen from the scores of the last row, becomes the next
//! input, and so on until the model ends the text. The choice of a token is a [`Strategy`].
//!
//! `t_{i+1} = choose(f(logits_i))`, where `f` forbids and lowers scores as the model's files say.
//!
//! Source: Vaswani et al. 2017, section 3.1 (auto-regressive).

mod sampling;
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
use crate::run::{BlockRef, Continuation, Run, RunRequest};
use scores::NextScores;
use text::Text;

pub use sampling::Sampler;
pub use scores::{Processor, ScoreStage, Scores};
pub use strategy::{Choice, Draw, Greedy, Strategy};
pub use text::GeneratedToken;

/// The work of one step, in multiplications: at most some 8 ms on one core.
const STEP_WORK: usize = 80_000_000;

/// The progress of a run, and the tokens written since the last report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct StepReport {
    /// The number of computed rows of blocks. A head of low rank counts as much as a block's rows,
    /// once its directions are computed.
    pub done: usize,
    /// The number of rows of blocks that are known to be needed; grows while a text is written.
    pub total: usize,
    /// The first block that has rows left to compute; null if every known token went through.
    pub at: Option<BlockRef>,
    /// Whether the run is finished.
    pub finished: bool,
    /// Whether the first stack is complete, so that its patterns can be read.
    pub source_ready: bool,
    /// The tokens written since the last report.
    pub generated: Vec<GeneratedToken>,
}

/// A run with the text that the model writes with it, if the request wants one.
pub struct Decoding<B: Backend> {
    run: Rc<RefCell<Run<B>>>,
    state: RefCell<State>,
}

/// The text, the strategy that chooses the next token, and the number of reported tokens.
struct State {
    text: Option<Text>,
    strategy: Box<dyn Strategy>,
    reported: usize,
}

impl<B: Backend> Decoding<B> {
    /// Begins a run; nothing is computed yet. `earlier` is any other run: rows that are the same in
    /// it are taken over, and so is its text if it answers the same request.
    ///
    /// # Errors
    /// The errors of [`Run::begin`].
    pub fn begin(model: &Rc<Model<B>>, sent: &RunRequest, earlier: Option<&Self>) -> Result<Self> {
        let before = earlier.map(|earlier| earlier.run.borrow());
        let run = Run::begin(model, sent, before.as_deref())?;
        let written = earlier.filter(|_| run.has_ended());
        let text = run.continuation().map(|wanted| match written {
            Some(Self { state, .. }) if wanted.most > 0 => state.borrow().text.clone(),
            _ => Some(Text::begin(wanted.most)),
        });
        let strategy: Box<dyn Strategy> = match run.continuation() {
            Some(Continuation { seed: Some(seed), settings, .. }) => {
                Box::new(Sampler::new(settings.sampling, *seed))
            }
            _ => Box::new(Greedy),
        };
        let state = State { text: text.flatten(), strategy, reported: 0 };
        Ok(Self { run: Rc::new(RefCell::new(run)), state: RefCell::new(state) })
    }

    /// Drives a run that writes no more by itself, such as a fork.
    pub fn over(run: Run<B>) -> Self {
        let state = State { text: None, strategy: Box::new(Greedy), reported: 0 };
        Self { run: Rc::new(RefCell::new(run)), state: RefCell::new(state) }
    }

    /// The run, which can be read while it continues.
    pub fn run(&self) -> &Rc<RefCell<Run<B>>> {
        &self.run
    }

    /// Takes one short step. It waits only for the scores of a written token, and for a backend
    /// that is behind; no borrow of the run is held meanwhile.
    ///
    /// # Errors
    /// The errors of the backend's `read`; `run/not-finite`, after the step that made the source
    /// ready.
    pub async fn step(&self) -> Result<StepReport> {
        let run = &*self.run;
        Run::catch_up(run).await?;
        let mut work = 0;
        let knew_source = run.borrow().source_ready();
        let mut fault = None;
        while work < STEP_WORK {
            if let Some(done) = Run::advance(run).await? {
                work += done;
                // The source can be drawn before the first token is written.
                if !knew_source && run.borrow().source_ready() {
                    break;
                }
                continue;
            }
            // The first token can be read before the second is computed.
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

    /// Whether exactly one token was generated that is not reported yet.
    fn has_first_word(&self) -> bool {
        let state = self.state.borrow();
        state.reported == 0 && state.written().len() == 1
    }

    /// The reading of the logits of the next token, if one is to be written.
    fn next_logits(&self) -> Option<Reading<Vec<f32>>> {
        self.state.borrow().text.as_ref().filter(|text| !text.finished)?;
        self.run.borrow().next_logits()
    }

    /// Writes the next token; returns the work of choosing it.
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

    /// The report of a step; a `fault` says that the logits are not finite.
    ///
    /// # Errors
    /// `run/not-finite`, one step later if the step has something new to show.
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
