//! A model and its runs for tests that have names of stacks, stages and steps, as vectors have.

use std::ops::Range;
use std::rc::Rc;

use headscope::analysis::Lexicon;
use headscope::axes::{Part, Stack, Stage, Step, Tensor};
use headscope::backend::{Autodiff, Backend, Derivatives};
use headscope::decode::{Decoding, StepReport};
use headscope::error::{Code, Error, Result};
use headscope::files::{self, Bytes, Source};
use headscope::model::{HeadWeight, Model, ModelInfo};
use headscope::question::{At, Reading, Work};
use headscope::run::{
    AggregateAsked, AttentionCost, Attribution, AttributionAsked, BlockRef, Candidate, Circuits,
    ContentRetention, Depth, DirectAsked, DropoutMean, EffectsAsked, Executed, Explanation,
    GradientAsked, HeadCost, HeadDivergence, HeadMeasures, HeadTally, IntegratedGradients, Lens,
    LensAsked, PatchedAsked, RunRequest, SpectrumWork, StepsWork, ThumbnailStage, TokenPair,
    TokenPairsAsked, TokenProbability, integrated_gradients, patch_estimates,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A loaded model.
pub struct Session<B: Backend> {
    model: Rc<Model<B>>,
}

/// A run of it.
pub struct RunHandle<B: Backend> {
    decoding: Decoding<B>,
}

impl<B: Backend> Session<B> {
    pub fn load(backend: B, config_json: &str, checkpoint: &[u8]) -> Result<Self> {
        Self::load_with(backend, config_json, None, checkpoint)
    }

    /// With the text of `generation_config.json`.
    pub fn load_with(
        backend: B,
        config_json: &str,
        generation_json: Option<&str>,
        checkpoint: &[u8],
    ) -> Result<Self> {
        let files = vec![("model.safetensors", checkpoint)];
        Self::load_all(backend, Some(config_json), generation_json, files)
    }

    /// A file of a whole model, or files of weights by their names with the folder's config.
    pub fn load_files(
        backend: B,
        config_json: Option<&str>,
        files: Vec<(&str, &[u8])>,
    ) -> Result<Self> {
        Self::load_all(backend, config_json, None, files)
    }

    fn load_all(
        backend: B,
        config_json: Option<&str>,
        generation_json: Option<&str>,
        files: Vec<(&str, &[u8])>,
    ) -> Result<Self> {
        let source = |(name, bytes)| Box::new(Bytes::new(name, bytes)) as Box<dyn Source + '_>;
        let files = files::open(files.into_iter().map(source).collect())?;
        let model = Model::load(backend, config_json, generation_json, files)?;
        Ok(Self { model: Rc::new(model) })
    }

    /// Waits until the backend has taken the model: what a GPU refuses it reports later.
    #[cfg(feature = "webgpu")]
    pub async fn taken(&self) -> Result<()> {
        let backend = &self.model.backend;
        backend.read(&backend.upload(vec![0.0], 1)).await.map(drop)
    }

    #[cfg(feature = "webgpu")]
    pub fn backend(&self) -> &B {
        &self.model.backend
    }

    /// The model alone.
    pub fn into_model(self) -> Rc<Model<B>> {
        self.model
    }

    pub fn info(&self) -> ModelInfo {
        self.model.info()
    }

    pub fn head_weights(
        &self,
        (stack, layer, head): (&str, usize, usize),
        part: &str,
    ) -> Result<Reading<Tensor>> {
        let head = (Stack::parse(stack)?, layer, head);
        self.model.head_weights(head, HeadWeight::parse(part)?)
    }

    /// What a head reads and writes by its weights alone.
    pub async fn circuits(&self, (stack, layer, head): (&str, usize, usize)) -> Result<Circuits> {
        headscope::run::circuits(&self.model, (Stack::parse(stack)?, layer, head))?.finish().await
    }

    /// The pairs of tokens of a circuit, asked with the fields of the question.
    pub async fn token_pairs(&self, asked: Value) -> Result<Vec<TokenPair>> {
        let asked: TokenPairsAsked = read(asked)?;
        headscope::run::token_pairs(&self.model, &asked)?.finish().await
    }

    pub fn begin(
        &self,
        request: &RunRequest,
        earlier: Option<&RunHandle<B>>,
    ) -> Result<RunHandle<B>> {
        let decoding = Decoding::begin(&self.model, request, earlier.map(|run| &run.decoding))?;
        Ok(RunHandle { decoding })
    }
}

/// Methods of `Run` whose stack is given by its name.
macro_rules! by_name {
    ($($method:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {$(
        pub fn $method(&self, stack: &str, $($argument: $kind),*) -> Result<$answer> {
            self.decoding.run().borrow().$method(Stack::parse(stack)?, $($argument),*)
        }
    )*};
}

impl<B: Backend> RunHandle<B> {
    by_name! {
        mask(layer: usize, head: usize) -> Tensor;
        fully_masked(layer: usize, head: usize) -> Vec<usize>;
        cost(layer: usize, lengths: &[usize]) -> Vec<AttentionCost>;
        hidden(layer: usize) -> Reading<Tensor>;
        positions() -> Reading<Tensor>;
        head_divergences(layer: usize, head: usize, among: Option<usize>) -> Reading<Vec<HeadDivergence>>;
        residuals(layer: usize) -> Reading<Vec<Depth>>;
        spectrum(layer: usize, head: usize) -> Reading<SpectrumWork>;
        norms(layer: usize, head: usize) -> Reading<Tensor>;
        head_cost(layer: usize, head: usize) -> Reading<HeadCost>;
        content_retention(layer: usize, head: usize) -> Work<ContentRetention>;
        dropout_mean(layer: usize, head: usize, draws: usize) -> Reading<DropoutMean>;
        steps(layer: usize, head: usize) -> StepsWork<B>;
        tallies(lexicon: Lexicon, among: Option<usize>) -> Reading<Vec<HeadTally>>;
    }

    pub fn cosines(
        &self,
        stack: &str,
        positions: &[usize],
        other: &Self,
        other_positions: &[usize],
    ) -> Result<Reading<Vec<Option<f64>>>> {
        let (run, other) = (self.decoding.run().borrow(), other.decoding.run().borrow());
        run.cosines(Stack::parse(stack)?, positions, &other, other_positions)
    }

    pub fn distances(
        &self,
        stack: &str,
        other: &Self,
        order: Option<&[usize]>,
    ) -> Result<Reading<Tensor>> {
        let (run, other) = (self.decoding.run().borrow(), other.decoding.run().borrow());
        run.distances(Stack::parse(stack)?, &other, order)
    }

    pub fn run_divergences(
        &self,
        stack: &str,
        other: &Self,
        among: Option<usize>,
    ) -> Result<Reading<Vec<HeadDivergence>>> {
        let (run, other) = (self.decoding.run().borrow(), other.decoding.run().borrow());
        run.run_divergences(Stack::parse(stack)?, &other, among)
    }

    /// The patterns of several heads joined, asked with the fields of the question.
    pub async fn aggregate(&self, asked: Value) -> Result<Tensor> {
        let asked: AggregateAsked = serde_json::from_value(asked).unwrap();
        let work = self.decoding.run().borrow().aggregate(&asked)?;
        work.finish().await
    }

    /// What each depth predicts, asked with the fields of the question.
    pub async fn lens(&self, asked: Value) -> Result<Lens> {
        let asked: LensAsked = read(asked)?;
        let work = self.decoding.run().borrow().lens(&asked)?;
        work.finish().await
    }

    /// The parts of a logit, asked with the fields of the question.
    pub async fn attribution(&self, asked: Value) -> Result<Attribution> {
        let asked: AttributionAsked = read(asked)?;
        let work = self.decoding.run().borrow().attribution(asked)?;
        work.finish().await
    }

    /// The activation that a direct path leads to, asked with the fields of the question.
    pub async fn direct(&self, asked: Value, other: &Self) -> Result<Tensor> {
        let asked: DirectAsked = read(asked)?;
        let work = {
            let other = other.decoding.run().borrow();
            headscope::run::direct(self.decoding.run(), &other, asked)?
        };
        work.finish().await
    }

    /// Probabilities under one more patch each, asked with the fields of the question.
    pub async fn patched(&self, asked: Value, other: &Self) -> Result<Vec<TokenProbability>> {
        let asked: PatchedAsked = read(asked)?;
        let work = {
            let other = other.decoding.run().borrow();
            headscope::run::patched(self.decoding.run(), &other, asked)?
        };
        work.finish().await
    }

    /// How far each key of a head moves a logit, asked with the fields of the question.
    pub async fn effects(&self, asked: Value) -> Result<Tensor> {
        let asked: EffectsAsked = read(asked)?;
        let work = headscope::run::effects(self.decoding.run(), asked)?;
        work.finish().await
    }

    /// Another run from here, which continues with these tokens.
    pub fn forked(&self, ids: &[u32]) -> Self {
        let mut fork = self.decoding.run().borrow().fork();
        for &id in ids {
            fork.extend(id);
        }
        Self { decoding: Decoding::over(fork) }
    }

    pub async fn step(&self) -> Result<StepReport> {
        self.decoding.step().await
    }

    /// Steps until nothing is left; returns the last report with everything written.
    pub async fn finish(&self) -> Result<StepReport> {
        let mut generated = Vec::new();
        let mut branches = Vec::new();
        loop {
            let mut report = self.step().await?;
            generated.append(&mut report.generated);
            branches.append(&mut report.branches);
            if report.finished {
                return Ok(StepReport { generated, branches, ..report });
            }
        }
    }

    pub fn ids(&self) -> Vec<u32> {
        self.decoding.run().borrow().ids().to_vec()
    }

    pub fn target_ids(&self) -> Vec<u32> {
        self.decoding.run().borrow().target_ids().to_vec()
    }

    pub fn executed(&self) -> Executed {
        self.decoding.run().borrow().executed()
    }

    pub fn on_cpu(&self) -> Vec<BlockRef> {
        self.decoding.run().borrow().on_cpu()
    }

    pub fn attention(
        &self,
        (stack, layer, head): (&str, usize, usize),
        stage: &str,
        rows: Option<Range<usize>>,
    ) -> Result<Reading<Tensor>> {
        let (stack, stage) = (Stack::parse(stack)?, Stage::parse(stage)?);
        self.decoding.run().borrow().attention((stack, layer, head), stage, rows)
    }

    pub fn projection(
        &self,
        stack: &str,
        layer: usize,
        head: usize,
        part: &str,
        rotated: bool,
    ) -> Result<Reading<Tensor>> {
        let (stack, part) = (Stack::parse(stack)?, Part::parse(part)?);
        let run = self.decoding.run().borrow();
        Ok(run.projection((stack, layer, head), part, rotated)?.finish())
    }

    /// The activation at an address, as JSON has it.
    pub fn activation(&self, at: &Value) -> Result<Reading<Tensor>> {
        let at: At = read(at.clone())?;
        Ok(self.decoding.run().borrow().activation(&at)?.finish())
    }

    pub fn logits(&self, positions: Option<&[usize]>) -> Result<Reading<Tensor>> {
        self.decoding.run().borrow().logits(positions)
    }

    pub fn predictions(
        &self,
        positions: &[usize],
        k: usize,
    ) -> Result<Reading<Vec<Vec<Candidate>>>> {
        self.decoding.run().borrow().predictions(positions, k)
    }

    pub fn probabilities(
        &self,
        positions: &[usize],
        ids: &[usize],
    ) -> Result<Reading<Vec<TokenProbability>>> {
        self.decoding.run().borrow().probabilities(positions, ids)
    }

    /// Of one layer, or of all.
    pub fn thumbnails(
        &self,
        stack: &str,
        size: usize,
        stage: &str,
        layer: Option<usize>,
    ) -> Result<Reading<Tensor>> {
        let (run, stack) = (self.decoding.run().borrow(), Stack::parse(stack)?);
        let layers = run.layers(stack, layer)?;
        run.thumbnails(stack, layers, size, ThumbnailStage::parse(stage)?)
    }

    pub fn measures(&self, stack: &str, lexicon: Lexicon) -> Result<Reading<Vec<HeadMeasures>>> {
        let tallies = self.tallies(stack, lexicon, None)?;
        Ok(Box::pin(async move { Ok(tallies.await?.iter().map(HeadTally::measures).collect()) }))
    }

    pub fn explain(
        &self,
        (stack, layer, head): (&str, usize, usize),
        step: &str,
        row: usize,
        column: usize,
    ) -> Result<Reading<Explanation>> {
        let of = (Stack::parse(stack)?, layer, head);
        self.decoding.run().borrow().explain(of, Step::parse(step)?, row, column)
    }
}

/// The fields of a question, as JSON has them.
fn read<T: DeserializeOwned>(fields: Value) -> Result<T> {
    serde_json::from_value(fields).map_err(|error| {
        Error::from_reader(&error.to_string(), Code::InputMalformed, "the question")
    })
}

impl<B: Derivatives> RunHandle<Autodiff<B>> {
    /// Gradients with respect to activations, asked with the fields of the question.
    pub async fn gradients(&self, asked: Value) -> Result<Vec<Tensor>> {
        let asked: GradientAsked = read(asked)?;
        let reading = self.decoding.run().borrow().gradients(&asked)?;
        Ok(reading.await?.0)
    }

    /// The relevance of tokens, asked with the fields of the question.
    pub async fn relevance(&self, asked: Value) -> Result<Tensor> {
        let work = self.decoding.run().borrow().relevance(&read(asked)?)?;
        work.finish().await
    }

    /// A head's weights times their gradients, asked with the fields of the question.
    pub async fn weighted_gradient(&self, asked: Value) -> Result<Tensor> {
        let reading = self.decoding.run().borrow().weighted_gradient(&read(asked)?)?;
        reading.await
    }

    /// Integrated gradients of a text, asked with the fields of the question.
    pub async fn integrated_gradients(&self, asked: Value) -> Result<IntegratedGradients> {
        integrated_gradients(self.decoding.run(), read(asked)?)?.finish().await
    }

    /// The estimated effects of patches with the numbers of another run, asked with the fields of
    /// the question beside it.
    pub async fn patch_estimates(&self, other: &Self, mut asked: Value) -> Result<Vec<f64>> {
        asked["other"] = 1.into();
        let work = {
            let [run, other] = [self, other].map(|handle| handle.decoding.run().borrow());
            patch_estimates(&run, &other, &read(asked)?)?
        };
        work.finish().await
    }

    /// The lengths of gradients by depth, asked with the fields of the question.
    pub async fn gradient_norms(&self, asked: Value) -> Result<Tensor> {
        let reading = self.decoding.run().borrow().gradient_norms(&read(asked)?)?;
        reading.await
    }
}
