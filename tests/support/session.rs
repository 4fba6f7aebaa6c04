//! A model and its runs for tests that have names of stacks, stages and steps, as vectors have.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use headscope::analysis::Lexicon;
use headscope::axes::{Part, Stack, Stage, Step, Tensor};
use headscope::backend::Backend;
use headscope::error::Result;
use headscope::model::{Model, ModelInfo};
use headscope::run::{
    AttentionCost, BlockRef, Candidate, Depth, DropoutMean, Executed, Explanation, HeadCost,
    HeadLikeness, HeadMeasures, HeadTally, Reading, Run, RunRequest, SpectrumWork, StepReport,
    StepsWork, TokenProbability,
};

/// A loaded model, ready to be asked.
pub struct Session<B: Backend> {
    model: Rc<Model<B>>,
}

/// One run of it, shared between those who step it and those who read it.
pub struct RunHandle<B: Backend> {
    run: Rc<RefCell<Run<B>>>,
}

impl<B: Backend> Session<B> {
    /// Loads a model on a backend.
    pub fn load(backend: B, config_json: &str, checkpoint: &[u8]) -> Result<Self> {
        Ok(Self { model: Rc::new(Model::load(backend, config_json, checkpoint)?) })
    }

    /// Waits until the backend has taken the model: what a GPU refuses it tells later.
    #[cfg(feature = "webgpu")]
    pub async fn taken(&self) -> Result<()> {
        let backend = &self.model.backend;
        backend.read(&backend.upload(vec![0.0], 1)).await.map(drop)
    }

    /// What computes.
    #[cfg(feature = "webgpu")]
    pub fn backend(&self) -> &B {
        &self.model.backend
    }

    /// What a page may be told about the model.
    pub fn info(&self) -> ModelInfo {
        self.model.info()
    }

    /// Begins a run that takes over what is the same in `earlier`.
    pub fn begin(
        &self,
        request: &RunRequest,
        earlier: Option<&RunHandle<B>>,
    ) -> Result<RunHandle<B>> {
        let earlier = earlier.map(|handle| handle.run.borrow());
        let run = Run::begin(&self.model, request, earlier.as_deref())?;
        Ok(RunHandle { run: Rc::new(RefCell::new(run)) })
    }
}

impl<B: Backend> Clone for RunHandle<B> {
    fn clone(&self) -> Self {
        Self { run: Rc::clone(&self.run) }
    }
}

impl<B: Backend> RunHandle<B> {
    /// One short step.
    pub async fn step(&self) -> Result<StepReport> {
        Run::step(&self.run).await
    }

    /// Steps until nothing is left; returns the last report with everything written.
    pub async fn finish(&self) -> Result<StepReport> {
        let mut generated = Vec::new();
        loop {
            let mut report = self.step().await?;
            generated.append(&mut report.generated);
            if report.finished {
                return Ok(StepReport { generated, ..report });
            }
        }
    }

    /// The ids that the first stack read.
    pub fn ids(&self) -> Vec<u32> {
        self.run.borrow().ids().to_vec()
    }

    /// The ids that went through the decoder, the start token included.
    pub fn target_ids(&self) -> Vec<u32> {
        self.run.borrow().target_ids().to_vec()
    }

    /// What the run computed itself and what it took over.
    pub fn executed(&self) -> Executed {
        self.run.borrow().executed()
    }

    /// The sites that are left to the `cpu` backend.
    pub fn on_cpu(&self) -> Vec<BlockRef> {
        self.run.borrow().on_cpu()
    }

    /// One head's pattern at a stage: some rows, from the first to the one before the last, or all
    /// where none are named.
    pub fn attention(
        &self,
        (stack, layer, head): (&str, usize, usize),
        stage: &str,
        rows: Option<Range<usize>>,
    ) -> Result<Reading<Tensor>> {
        let (stack, stage) = (Stack::parse(stack)?, Stage::parse(stage)?);
        self.run.borrow().attention((stack, layer, head), stage, rows)
    }

    /// One head's additive mask.
    pub fn mask(&self, stack: &str, layer: usize, head: usize) -> Result<Tensor> {
        self.run.borrow().mask(Stack::parse(stack)?, layer, head)
    }

    /// The queries of a head that may look nowhere.
    pub fn fully_masked(&self, stack: &str, layer: usize, head: usize) -> Result<Vec<usize>> {
        self.run.borrow().fully_masked(Stack::parse(stack)?, layer, head)
    }

    /// What the attention of a layer would cost for texts of some lengths.
    pub fn cost(&self, stack: &str, layer: usize, lengths: &[usize]) -> Result<Vec<AttentionCost>> {
        self.run.borrow().cost(Stack::parse(stack)?, layer, lengths)
    }

    /// One head's queries, keys or values; `rotated` as they entered the product.
    pub fn projection(
        &self,
        stack: &str,
        layer: usize,
        head: usize,
        part: &str,
        rotated: bool,
    ) -> Result<Reading<Tensor>> {
        let (stack, part) = (Stack::parse(stack)?, Part::parse(part)?);
        self.run.borrow().projection(stack, layer, head, part, rotated)
    }

    /// The residual stream, numbered as Hugging Face's `hidden_states`.
    pub fn hidden(&self, stack: &str, layer: usize) -> Result<Reading<Tensor>> {
        self.run.borrow().hidden(Stack::parse(stack)?, layer)
    }

    /// The positional encoding that was added, or by which queries and keys were turned.
    pub fn positions(&self, stack: &str) -> Result<Reading<Tensor>> {
        self.run.borrow().positions(Stack::parse(stack)?)
    }

    /// Scores of the whole vocabulary.
    pub fn logits(&self, positions: Option<&[usize]>) -> Result<Reading<Tensor>> {
        self.run.borrow().logits(positions)
    }

    /// The best next tokens at some positions.
    pub fn predictions(
        &self,
        positions: &[usize],
        k: usize,
    ) -> Result<Reading<Vec<Vec<Candidate>>>> {
        self.run.borrow().predictions(positions, k)
    }

    /// How probable an entry of the vocabulary is at a position, pair by pair.
    pub fn probabilities(
        &self,
        positions: &[usize],
        ids: &[usize],
    ) -> Result<Reading<Vec<TokenProbability>>> {
        self.run.borrow().probabilities(positions, ids)
    }

    /// Small pictures of the heads of one layer, or of all.
    pub fn thumbnails(
        &self,
        stack: &str,
        size: usize,
        stage: &str,
        layer: Option<usize>,
    ) -> Result<Reading<Tensor>> {
        let (run, stack) = (self.run.borrow(), Stack::parse(stack)?);
        let layers = run.layers(stack, layer)?;
        run.thumbnails(stack, layers, size, Stage::parse(stage)?)
    }

    /// What every head of a stack did on this text, `lexicon` being what is known of the
    /// vocabulary.
    pub fn measures(&self, stack: &str, lexicon: Lexicon) -> Result<Reading<Vec<HeadMeasures>>> {
        let tallies = self.tallies(stack, lexicon)?;
        Ok(Box::pin(async move { Ok(tallies.await?.iter().map(HeadTally::measures).collect()) }))
    }

    /// How unlike the heads of one layer, or of all, are to one head of their stack.
    pub fn likeness(
        &self,
        stack: &str,
        layer: usize,
        head: usize,
        among: Option<usize>,
    ) -> Result<Reading<Vec<HeadLikeness>>> {
        self.run.borrow().likeness(Stack::parse(stack)?, layer, head, among)
    }

    /// How alike a word of this run is to a word of another of the same model, layer by layer.
    pub fn cosines(
        &self,
        stack: &str,
        positions: &[usize],
        other: &Self,
        other_positions: &[usize],
    ) -> Result<Reading<Vec<Option<f64>>>> {
        let (run, other) = (self.run.borrow(), other.run.borrow());
        run.cosines(Stack::parse(stack)?, positions, &other, other_positions)
    }

    /// How far the residual stream is from that of another run of the same model.
    pub fn distances(
        &self,
        stack: &str,
        other: &Self,
        order: Option<&[usize]>,
    ) -> Result<Reading<Tensor>> {
        let (run, other) = (self.run.borrow(), other.run.borrow());
        run.distances(Stack::parse(stack)?, &other, order)
    }

    /// How unlike every head of one layer, or of all, is to itself in another run.
    pub fn divergences(
        &self,
        stack: &str,
        other: &Self,
        among: Option<usize>,
    ) -> Result<Reading<Vec<HeadLikeness>>> {
        let (run, other) = (self.run.borrow(), other.run.borrow());
        run.divergences(Stack::parse(stack)?, &other, among)
    }

    /// What can be said of the residual stream at every depth of one block.
    pub fn residuals(&self, stack: &str, layer: usize) -> Result<Reading<Vec<Depth>>> {
        self.run.borrow().residuals(Stack::parse(stack)?, layer)
    }

    /// The singular values of one head, to be computed step by step.
    pub fn spectrum(
        &self,
        stack: &str,
        layer: usize,
        head: usize,
    ) -> Result<Reading<SpectrumWork>> {
        self.run.borrow().spectrum(Stack::parse(stack)?, layer, head)
    }

    /// What one head's attention took, and how far it is from exact attention.
    pub fn head_cost(&self, stack: &str, layer: usize, head: usize) -> Result<Reading<HeadCost>> {
        self.run.borrow().head_cost(Stack::parse(stack)?, layer, head)
    }

    /// One head's weights on the average of many draws of its dropout.
    pub fn dropout_mean(
        &self,
        stack: &str,
        layer: usize,
        head: usize,
        draws: usize,
    ) -> Result<Reading<DropoutMean>> {
        self.run.borrow().dropout_mean(Stack::parse(stack)?, layer, head, draws)
    }

    /// Every matrix of one block as one head sees it, to be computed step by step.
    pub fn steps(&self, stack: &str, layer: usize, head: usize) -> Result<StepsWork<B>> {
        self.run.borrow().steps(Stack::parse(stack)?, layer, head)
    }

    /// What makes one cell of one of those matrices.
    pub fn explain(
        &self,
        (stack, layer, head): (&str, usize, usize),
        step: &str,
        row: usize,
        column: usize,
    ) -> Result<Reading<Explanation>> {
        let of = (Stack::parse(stack)?, layer, head);
        self.run.borrow().explain(of, Step::parse(step)?, row, column)
    }

    /// The sums behind [`Self::measures`], so that texts can be pooled.
    pub fn tallies(&self, stack: &str, lexicon: Lexicon) -> Result<Reading<Vec<HeadTally>>> {
        self.run.borrow().tallies(Stack::parse(stack)?, lexicon)
    }
}
