//! Generation: a run, and the text that the model writes with it. The rows of the written tokens
//! are the run's own rows: a token is chosen from the scores of the last row, becomes the next
//! input, and so on until the model ends the text. The choice of a token is a [`Strategy`].
//!
//! `t_{i+1} = choose(f(logits_i))`, where `f` forbids and lowers scores as the model's files say.
//!
//! Source: Vaswani et al. 2017, section 3.1 (auto-regressive).

mod beams;
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
use crate::run::{BlockRef, Continuation, Method, Run, RunRequest};
use beams::Beams;
use scores::NextScores;
use text::Text;

pub use beams::{Branch, BranchFate, Hypothesis};
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
    /// The branches of each step of beam search since the last report.
    pub branches: Vec<Vec<Branch>>,
    /// The complete texts of beam search, the best first; none before its end.
    pub hypotheses: Vec<Hypothesis>,
}

/// A run with the text that the model writes with it, if the request wants one.
pub struct Decoding<B: Backend> {
    run: Rc<RefCell<Run<B>>>,
    state: RefCell<State>,
}

/// What is written, and the number of reported tokens or steps.
struct State {
    writer: Writer,
    reported: usize,
}

/// What is written with a run.
enum Writer {
    /// Nothing.
    None,
    /// A text, and the strategy that chooses the next token.
    Text(Text, Box<dyn Strategy>),
    /// The texts of beam search.
    Beams(Beams),
}

impl<B: Backend> Decoding<B> {
    /// Begins a run; nothing is computed yet. `earlier` is any other run: rows that are the same in
    /// it are taken over, and so is its text if it answers the same request.
    ///
    /// # Errors
    /// The errors of [`Run::begin`]; `run/not-ready` for a text that is to be written on a backend
    /// that records its operations.
    pub fn begin(model: &Rc<Model<B>>, sent: &RunRequest, earlier: Option<&Self>) -> Result<Self> {
        let before = earlier.map(|earlier| earlier.run.borrow());
        let run = Run::begin(model, sent, before.as_deref())?;
        if B::KEEPS_STEPS {
            if run.has_ended() {
                return Ok(Self::over(run));
            }
            let expected = "a whole given text, whose operations are recorded";
            let got = "one that the model writes";
            return Err(Error::new(Code::RunNotReady, "the run", expected, got));
        }
        let mut writer = run.continuation().map_or(Writer::None, Writer::begin);
        let is_written = run.has_ended() && !writer.is_finished();
        if let Some(earlier) = earlier.filter(|_| is_written) {
            writer.take_over(&earlier.state.borrow().writer);
        }
        let state = State { writer, reported: 0 };
        Ok(Self { run: Rc::new(RefCell::new(run)), state: RefCell::new(state) })
    }

    /// Drives a run that writes no more by itself, such as a fork.
    pub fn over(run: Run<B>) -> Self {
        let state = State { writer: Writer::None, reported: 0 };
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
            if let Some(done) = Run::advance(std::slice::from_ref(run)).await? {
                work += done;
                // The source can be drawn before the first token is written.
                if !knew_source && run.borrow().source_ready() {
                    break;
                }
                continue;
            }
            // The first token can be read before the second is computed. Where operations are
            // recorded none is written.
            if B::KEEPS_STEPS || self.has_first_word() {
                break;
            }
            let Some(logits) = self.next_logits() else { break };
            match logits.await.and_then(|logits| self.write(logits)) {
                Ok(done) => work += done,
                Err(error) if error.code == Code::RunNotFinite => {
                    fault = Some(error);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        self.checked(knew_source, fault).await
    }

    /// Whether exactly one step was taken that is not reported yet.
    fn has_first_word(&self) -> bool {
        let state = self.state.borrow();
        state.reported == 0 && state.writer.steps() == 1
    }

    /// The reading of the logits of the next token, if one is to be written.
    fn next_logits(&self) -> Option<Reading<Vec<f32>>> {
        if self.state.borrow().writer.is_finished() {
            return None;
        }
        self.run.borrow().next_logits()
    }

    /// Writes the next token of each text; returns the work of choosing it.
    ///
    /// # Errors
    /// `run/not-finite`.
    fn write(&self, logits: Vec<f32>) -> Result<usize> {
        let mut run = self.run.borrow_mut();
        let writer = &mut self.state.borrow_mut().writer;
        match writer {
            Writer::None => {}
            Writer::Text(text, strategy) => {
                let next = NextScores::of(logits)?;
                let written = run.texts().next();
                if let Some(id) =
                    written.and_then(|so_far| text.write(&next, strategy.as_mut(), &so_far))
                {
                    run.extend(id);
                }
            }
            Writer::Beams(beams) => {
                let continuations = beams.step(&logits, &run.texts().collect::<Vec<_>>())?;
                if beams.finished {
                    let best = run.texts().next().and_then(|text| beams.best(&text));
                    if let Some(best) = best {
                        run.adopt(&best);
                    }
                } else {
                    run.branch(&continuations);
                }
            }
        }
        if writer.is_finished() {
            run.end();
        }
        Ok(run.head_work())
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
            Some(fault)
                if knew_source && report.generated.is_empty() && report.branches.is_empty() =>
            {
                return Err(fault);
            }
            Some(_) => report.finished = false,
            None => {}
        }
        Ok(report)
    }

    fn report(&self) -> StepReport {
        let progress = self.run.borrow().progress();
        let mut state = self.state.borrow_mut();
        let State { writer, reported } = &mut *state;
        let mut generated = Vec::new();
        let mut branches = Vec::new();
        let mut hypotheses = Vec::new();
        match writer {
            Writer::None => {}
            Writer::Text(text, _) => generated.extend_from_slice(&text.written[*reported..]),
            Writer::Beams(beams) => {
                branches.extend_from_slice(&beams.steps[*reported..]);
                if beams.finished {
                    hypotheses.clone_from(&beams.hypotheses);
                }
            }
        }
        *reported = writer.steps();
        StepReport {
            done: progress.done,
            total: progress.total,
            at: progress.at,
            finished: progress.complete && writer.is_finished(),
            source_ready: progress.source_ready,
            generated,
            branches,
            hypotheses,
        }
    }
}

impl Writer {
    /// The writer that a continuation wants, before its first step.
    fn begin(wanted: &Continuation) -> Self {
        let Continuation { most, settings, method } = wanted;
        let strategy: Box<dyn Strategy> = match *method {
            Method::Beams(beams) => return Self::Beams(Beams::begin(beams, *most)),
            Method::Sampling { seed } => Box::new(Sampler::new(settings.sampling, seed)),
            Method::Greedy => Box::new(Greedy),
        };
        Self::Text(Text::begin(*most), strategy)
    }

    /// Takes over what an earlier writer has written for the same request.
    fn take_over(&mut self, earlier: &Self) {
        match (self, earlier) {
            (Self::Text(text, _), Self::Text(written, _)) => text.clone_from(written),
            (Self::Beams(beams), Self::Beams(written)) => beams.clone_from(written),
            _ => {}
        }
    }

    /// The number of steps taken so far.
    fn steps(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Text(text, _) => text.written.len(),
            Self::Beams(beams) => beams.steps.len(),
        }
    }

    /// Whether nothing more is to be written.
    fn is_finished(&self) -> bool {
        match self {
            Self::None => true,
            Self::Text(text, _) => text.finished,
            Self::Beams(beams) => beams.finished,
        }
    }
}
