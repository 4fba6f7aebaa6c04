//! The TypeScript types of everything that crosses the wasm API, generated from the Rust
//! types, so that the front end never types them again. The test fails when the
//! committed file is not what the Rust types say, and says how to write it.

use std::path::Path;
use std::{env, fs};

use serde_json::json;
use ts_rs::{Config, TS};

use crate::analysis::{Mean, Role, SingularValues, Tally};
use crate::axes::{Part, ScoreTerm, Stack, Stage, Step, Sublayer, Tensor, Weight};
use crate::decode::{
    Branch, BranchFate, Draw, GeneratedToken, Hypothesis, Processor, ScoreStage, StepReport,
};
use crate::demos::DemoQuestion;
use crate::demos::alibi::{Alibi, AlibiAsked};
use crate::demos::buckets::{BucketBorder, Bucketed, BucketsAsked};
use crate::demos::calculator::operations::Operations;
use crate::demos::calculator::overflow::{Overflow, OverflowAsked, SoftmaxWay};
use crate::demos::calculator::table::LARGEST_SIDE;
use crate::demos::calculator::{Calculation, CalculationAsked, CalculationHead};
use crate::demos::four_terms::{FourTerms, FourTermsAsked};
use crate::demos::rotary::{Rotary, RotaryAsked, TurnedPair};
use crate::demos::scores::{ScoreRows, Scores, ScoresAsked, ScoresAt};
use crate::demos::similarity::{Similarity, SimilarityAsked};
use crate::demos::waves::{Waves, WavesAsked};
use crate::edits::limits::{
    LARGEST_BASE, LARGEST_CELL, LARGEST_DISTANCE, LARGEST_FACTOR, LARGEST_GATE, LARGEST_RATE,
    MOST_BUCKETS, MOST_PRESETS, MOST_RANDOM_KEYS, SMALLEST_BASE,
};
use crate::edits::wire::{
    AttentionEdit, BlockEdit, Dropout, Edits, HeadEdit, MaskEdit, MaskPreset, NamedPattern,
    NormPlace, PatchEdit, PositionEdit, PositionParameters, PositionScheme, ScaleName,
    VariantParameters,
};
use crate::edits::{EditFit, EditMisfit, MisfitReason};
use crate::masks::{Layer, LayerKind, MaskFill, MaskMode};
use crate::model::{
    Architecture, HeadWeight, ImageConfig, MOST_WEIGHT_BYTES, ModelInfo, Parameters, StackInfo,
    Stacks, WeightsAsked, types_of_images,
};
use crate::question::typescript::{interface, names};
use crate::question::{At, HeadRef, StackRef, StreamRef};
use crate::run::gradient_question::GradientQuestion;
use crate::run::model_question::ModelQuestion;
use crate::run::question::Question;
use crate::run::{
    AggregateAsked, Aggregation, Along, AttentionAsked, AttentionCost, Attribution,
    AttributionAsked, BlockRef, Candidate, Circuit, Circuits, ContentRetention, CosinesAsked,
    CostAsked, Departure, Depth, DirectAsked, DistancesAsked, DropoutMean, DropoutMeanAsked,
    EffectsAsked, Executed, ExplainAsked, Explanation, FrozenScale, GenerateRequest, GradientAsked,
    GradientNormsAsked, GradientOf, GradientTarget, Gradients, HeadCost, HeadDivergence,
    HeadMeasures, HeadTally, HiddenAsked, Induction, IntegratedGradients, IntegratedGradientsAsked,
    KeyPart, Lens, LensAsked, LensChosen, Line, LogitPart, LogitPartKind, LogitsAsked, Operation,
    PatchEstimatesAsked, PatchedAsked, PredictionsAsked, ProbabilitiesAsked, QkvAsked,
    RelevanceAsked, RunDivergencesAsked, RunRequest, SharedRank, SiteCost, Source, Spectrum,
    StepTensor, Steps, ThumbnailStage, ThumbnailsAsked, TokenPair, TokenPairsAsked,
    TokenProbability, WeightedGradientAsked,
};
use crate::training::{
    Evaluation, MethodName, PartNorm, StepOutcome, TrainerSettings, TrainingBatch, TrainingExample,
};
use crate::variants::{
    MOST_UNITS, MadePart, ModelScale, RawScores, VariantName, VariantNumber, WeightRule,
};
use crate::warning::{FieldEffect, FieldWarning};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/www/data/generated.ts");

/// The declarations of types in TypeScript, with their comments.
macro_rules! types {
    ($config:ident { $($type:ident)+ }) => {
        vec![$(format!(
            "{}export {}\n",
            <$type as TS>::docs().unwrap_or_default(),
            <$type as TS>::decl(&$config)
        )),+]
    };
}

/// The roles with their thresholds, a value and no type.
fn roles() -> String {
    let entry = |role: Role| {
        format!("  {{ role: \"{}\", threshold: {} }},\n", role.name(), role.threshold())
    };
    format!(
        "/**\n * Every role with the score from which a head wears it; the most specific first, which is\n \
         * the one that a head wears which reaches several.\n */\n\
         export const ROLES: readonly {{ readonly role: Role; readonly threshold: number }}[] = [\n{}];\n",
        Role::ALL.map(entry).concat()
    )
}

/// What each attention variant is made of, as a line of `VARIANT_PARTS`.
fn variant_parts(name: VariantName) -> String {
    let facts = name.facts();
    let stacks: Vec<&str> = facts.stacks.iter().map(|at| at.name()).collect();
    // A width of 0 stands for the head's own: the page has no field for another, the API takes one.
    let is_shown = |number: &&VariantNumber| number.usual > 0 || number.name != "width";
    let number = |&VariantNumber { name, least, most, usual }: &VariantNumber| {
        format!("{name}: {{ least: {least}, most: {most}, usual: {usual} }}, ")
    };
    let numbers: String = name.numbers().iter().filter(is_shown).map(number).collect();
    let text = |fact: serde_json::Value| fact.to_string();
    format!(
        "  \"{}\": {{ numbers: {{ {numbers}}}, raw: {}, scale: {}, weights: {}, dropped: {}, \
         cheap: {}, stacks: {stacks:?} }},\n",
        name.name(),
        text(json!(facts.raw)),
        text(json!(facts.scale)),
        text(json!(facts.weights)),
        facts.has_rows(),
        facts.is_cheap,
    )
}

/// What each attention variant is made of, and every step of a block.
fn tables() -> String {
    let steps: Vec<&str> = Step::ALL.iter().map(|step| step.name()).collect();
    format!(
        "/**\n * Each attention variant: its numbers; what its raw scores, the scale `model` and its weights are;\n \
         * whether it has rows of weights of which some can be dropped; whether it is there to compute or\n \
         * to hold less; where it makes sense.\n */\n\
         export const VARIANT_PARTS: Readonly<Record<VariantName, {{\n  readonly numbers: {{ readonly [Name in keyof VariantParameters]: {{ least: number, most: number, usual: number }} }},\n  \
         readonly raw: RawScores, readonly scale: ModelScale, readonly weights: WeightRule, readonly dropped: boolean,\n  \
         readonly cheap: boolean, readonly stacks: readonly Stack[],\n}}>> = {{\n{}}};\n\n/** Every step that a block can have. */\n\
         export const STEPS: readonly Step[] = {steps:?};\n",
        VariantName::ALL.map(variant_parts).concat()
    )
}

/// The limits of the core that the page uses too, each a value under its own name.
fn limits() -> String {
    const LEAST_SCORE: f32 = MaskFill::LEAST_SCORE;
    const LARGEST_WHOLE: u32 = u32::MAX;
    macro_rules! values {
        ($($name:ident)*) => {
            [$(format!("export const {} = {};\n", stringify!($name), $name)),*].concat()
        };
    }
    values! {
        LARGEST_BASE LARGEST_CELL LARGEST_DISTANCE LARGEST_FACTOR LARGEST_GATE LARGEST_RATE
        LARGEST_SIDE LARGEST_WHOLE LEAST_SCORE MOST_BUCKETS MOST_PRESETS MOST_RANDOM_KEYS
        MOST_UNITS MOST_WEIGHT_BYTES SMALLEST_BASE
    }
}

/// The values of `model_type` in config.json of the families that read images.
fn families() -> String {
    let doc = "/** The values of `model_type` in config.json of the families that read images. */";
    format!("{doc}\nexport const TYPES_OF_IMAGES: readonly string[] = {:?};\n", types_of_images())
}

fn generated() -> String {
    let config = Config::new().with_large_int("number");
    let mut declarations = types!(config {
        Tensor Stack Stage Part HeadRef StackRef StreamRef At Architecture StackInfo Stacks Parameters
        FieldEffect FieldWarning ImageConfig ModelInfo
        MaskMode MaskFill MaskPreset MaskEdit NamedPattern HeadEdit Sublayer NormPlace BlockEdit
        VariantName RawScores ModelScale WeightRule ScaleName VariantParameters Dropout AttentionEdit PositionParameters
        PositionScheme PositionEdit PatchEdit Edits MisfitReason EditMisfit EditFit GenerateRequest
        RunRequest Candidate Processor ScoreStage Draw GeneratedToken BranchFate Branch Hypothesis TokenProbability BlockRef StepReport Executed Role
        HeadMeasures Mean Tally HeadTally HeadDivergence LayerKind Layer SiteCost AttentionCost Departure HeadCost
        DropoutMean SingularValues Spectrum ContentRetention Depth Step Weight ScoreTerm Along MadePart Source
        Operation WavesAsked Waves SimilarityAsked Similarity ScoresAsked ScoreRows ScoresAt Scores
        RotaryAsked TurnedPair Rotary AlibiAsked Alibi BucketsAsked BucketBorder Bucketed
        FourTermsAsked FourTerms DemoQuestion CalculationAsked Calculation CalculationHead Operations
        OverflowAsked SoftmaxWay Overflow StepTensor Steps Line Explanation Aggregation AggregateAsked AttentionAsked CostAsked QkvAsked HiddenAsked
        Lens LensChosen LensAsked AttributionAsked LogitPartKind FrozenScale LogitPart KeyPart Attribution DirectAsked PatchedAsked LogitsAsked PredictionsAsked ProbabilitiesAsked ThumbnailStage ThumbnailsAsked EffectsAsked DropoutMeanAsked ExplainAsked CosinesAsked
        DistancesAsked RunDivergencesAsked Question GradientOf GradientTarget GradientAsked Gradients WeightedGradientAsked RelevanceAsked IntegratedGradientsAsked IntegratedGradients PatchEstimatesAsked GradientNormsAsked GradientQuestion MethodName TrainerSettings TrainingExample TrainingBatch PartNorm StepOutcome Evaluation HeadWeight WeightsAsked Circuit Induction SharedRank Circuits TokenPairsAsked TokenPair ModelQuestion
    });
    let of_run = Question::methods(&config);
    declarations.push(interface("DemoQuestions", &DemoQuestion::methods(&config)));
    let of_model = ModelQuestion::methods(&config);
    declarations
        .extend([interface("ModelQuestions", &of_model), names("MODEL_QUESTIONS", &of_model)]);
    declarations.extend([interface("RunQuestions", &of_run), names("RUN_QUESTIONS", &of_run)]);
    let of_gradients = GradientQuestion::methods(&config);
    declarations.extend([
        interface("GradientQuestions", &of_gradients),
        names("GRADIENT_QUESTIONS", &of_gradients),
    ]);
    declarations.extend([roles(), limits(), tables(), families()]);
    format!(
        "// Written by `cargo test bindings` with WRITE_BINDINGS=1 from the Rust types; not edited by hand.\n\n{}",
        declarations.join("\n")
    )
}

/// The text of docs/api.md.
fn documentation() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/api.md")).unwrap()
}

/// Whether a table under a heading of docs/api.md has a line about a name.
fn has_line(page: &str, heading: &str, name: &str) -> bool {
    let (_, rest) = page.split_once(&format!("\n{heading}\n")).unwrap();
    let section = rest.split("\n#").next().unwrap();
    section.contains(&format!("\n| `{name}` "))
}

#[test]
fn the_documentation_has_every_question() {
    let page = documentation();
    let config = Config::new();
    let methods = [
        Question::methods(&config),
        ModelQuestion::methods(&config),
        GradientQuestion::methods(&config),
    ]
    .concat();
    let missing: Vec<&str> = methods
        .iter()
        .map(|method| method.name.as_str())
        .filter(|name| !page.contains(&format!("\n  {name}(")))
        .collect();
    assert!(missing.is_empty(), "docs/api.md lacks {missing:?} among the methods of a run");
    let demos = DemoQuestion::methods(&config);
    let missing: Vec<&str> = demos
        .iter()
        .map(|demo| demo.name.as_str())
        .filter(|name| !has_line(&page, "## Demos", name))
        .collect();
    assert!(missing.is_empty(), "docs/api.md lacks {missing:?} among the demos");
}

#[test]
fn the_documentation_has_every_attention_variant() {
    let page = documentation();
    for variant in VariantName::ALL {
        let name = variant.name();
        assert!(
            has_line(&page, "### Attention variants", name),
            "docs/api.md lacks {name} among the attention variants"
        );
        assert!(
            page.contains(&format!("\n      | \"{name}\"")),
            "docs/api.md lacks {name} among the kinds of an edit"
        );
        let mut parts = variant.facts().made.into_iter().flatten();
        let missing = parts.find(|part| !page.contains(&format!("`{}`", json!(part))));
        assert!(missing.is_none(), "docs/api.md lacks {missing:?} of {name} in the sources");
    }
}

#[test]
fn the_types_of_the_front_end_are_those_of_the_core() {
    let wanted = generated();
    if env::var_os("WRITE_BINDINGS").is_some() {
        fs::write(Path::new(FILE), &wanted).unwrap();
    }
    let committed = fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        committed == wanted,
        "www/data/generated.ts is out of date: run `WRITE_BINDINGS=1 cargo test --lib bindings`"
    );
}
