//! Runs beside what Hugging Face and PyTorch compute, and beside the `cpu` backend: the bodies, for
//! any backend and however close it is to be.

use headscope::backend::{Backend, Cpu};
use headscope::model::Architecture;
use safetensors::SafeTensors;
use serde_json::{Map, Value, json};

use super::drawn::drawn_checkpoint;
use super::references::{FAMILIES, NUMBERS, SETTINGS, SETTINGS_ANSWERS, checkpoint};
use super::session::{RunHandle, Session};
use super::{
    Answers, IDS, Reference, assert_close, edited, everything, families, hidden, pattern, pause,
    request, run_under, stacks_of, streams_of, tiny_models,
};

/// Panics where numbers differ by more than they may.
pub type Compare = fn(&[f32], &[f32], &str);

/// Compares every hidden state and every weight of a run; returns how many numbers were compared.
/// A run that wrote its text may have rows and keys beyond the reference's.
pub async fn compare_states<B: Backend>(
    close: Compare,
    session: &Session<B>,
    run: &RunHandle<B>,
    answers: &Answers<'_>,
    (name, what): (&str, &str),
    may_be_longer: bool,
    n_visible: usize,
) -> usize {
    let mut compared = 0;
    for (stack, layers, heads) in stacks_of(session) {
        for layer in 0..layers {
            let (want, shape) = answers.get(&format!("{name}.{stack}.attention.{layer}"));
            let &[n_heads, n_queries, n_keys] = &shape[..] else { panic!("{what}: {shape:?}") };
            assert_eq!(n_heads, heads, "{what}");
            for head in 0..heads {
                let got = pattern(run, (stack, layer, head), "weights").await;
                assert!(may_be_longer || got.shape() == [n_queries, n_keys], "{what}");
                let rows = got.values().rows().into_iter().take(n_queries);
                let rows: Vec<f32> = rows
                    .flat_map(|row| row.iter().take(n_keys).copied().collect::<Vec<_>>())
                    .collect();
                let n_shown = if stack == "encoder" { n_queries.min(n_visible) } else { n_queries };
                let rows = &rows[..n_shown * n_keys];
                let want = &want[head * n_queries * n_keys..][..n_shown * n_keys];
                close(rows, want, &format!("{what}.{stack}.attention.{layer}.{head}"));
            }
            compared += want.len();
        }
    }
    for (stack, layers) in streams_of(session) {
        for layer in 0..=layers {
            let part = format!("{stack}.hidden.{layer}");
            let (mut want, shape) = answers.get(&format!("{name}.{part}"));
            if stack == "encoder" {
                want.truncate(n_visible.saturating_mul(shape[1]));
            }
            let got = hidden(run, stack, layer).await.into_data();
            assert!(
                may_be_longer || got.len() == shape[0] * shape[1],
                "{what}.{part}: another shape"
            );
            close(&got[..want.len()], &want, &format!("{what}.{part}"));
            compared += want.len();
        }
    }
    compared
}

/// Compares one case, whose answers stand under `name`; returns the run and how many numbers were
/// compared. Where there are no answers it is its text alone.
pub async fn compare_case<B: Backend>(
    close: Compare,
    session: &Session<B>,
    answers: &Answers<'_>,
    case: &Value,
    name: &str,
    earlier: Option<&RunHandle<B>>,
) -> (RunHandle<B>, usize) {
    let what = name;
    let info = session.info();
    let run = session
        .begin(&request(case, info.architecture), earlier)
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    let report = run.finish().await.unwrap();
    let written: Vec<usize> = report.generated.iter().map(|token| token.chosen as usize).collect();
    if let Some(generated) = case.get("generated") {
        assert_eq!(written, super::indices(generated), "{what}: another text");
    }
    if !answers.has(&format!("{name}.logits")) && case.get("generated").is_some() {
        return (run, written.len());
    }
    // Hugging Face does not read the last token it writes; here its row may be there.
    let n_target = case.get("read_ids").map(|ids| ids.as_array().unwrap().len());
    let is_written = n_target.is_some();
    // Rows of padding are not compared: Hugging Face gives them other positions, and weights where
    // they see no key.
    let mask = case.get("attention_mask").filter(|_| name.ends_with("/padded"));
    let n_visible = mask.map_or(usize::MAX, |mask| super::indices(mask).iter().sum());
    let mut compared =
        compare_states(close, session, &run, answers, (name, what), is_written, n_visible).await;
    if info.predicts {
        let (mut want, shape) = answers.get(&format!("{name}.logits"));
        if info.architecture == Architecture::Encoder {
            want.truncate(n_visible.saturating_mul(shape[1]));
        }
        let got = run.logits(None).unwrap().await.unwrap();
        assert!(got.shape()[0] >= shape[0], "{what}: rows are missing");
        assert!(is_written || got.shape() == shape, "{what}: another shape");
        assert!(n_target.is_none_or(|n| n <= run.target_ids().len()), "{what}: rows were not read");
        close(&got.into_data()[..want.len()], &want, &format!("{what}.logits"));
        compared += want.len();
    }
    (run, compared)
}

/// All cases of some models, each run reusing what it can of the one before it. How close cases
/// without and with edits are to be differs.
async fn all_cases<B: Backend + Clone>(
    backend: &B,
    models: &[Reference],
    [plain, edited]: [Compare; 2],
    (least_cases, least_numbers): (usize, usize),
) {
    let (mut cases, mut numbers) = (0, 0);
    for reference in models {
        let session = reference.load(backend.clone());
        let answers = Answers::open(reference.answers);
        let mut earlier = None;
        for case in reference.cases() {
            let close = if case.get("edits").is_some() { edited } else { plain };
            let name = format!("{}{}", reference.prefix, case["name"].as_str().unwrap());
            let (run, compared) =
                compare_case(close, &session, &answers, &case, &name, earlier.as_ref()).await;
            earlier = Some(run);
            cases += 1;
            numbers += compared;
            pause().await;
        }
    }
    let is_all = cases >= least_cases && numbers > least_numbers;
    assert!(is_all, "only {cases} cases with {numbers} numbers were compared");
}

/// Each family that can be opened, also those of images.
pub async fn families_on<B: Backend + Clone>(backend: B, close: Compare) {
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
    let numbers = SafeTensors::deserialize(NUMBERS).unwrap();
    let answers = Answers::open(NUMBERS);
    let mut compared = 0;
    for (name, family) in families {
        let weights = checkpoint(&numbers, &name);
        let loaded = Session::load(backend.clone(), &family["config"].to_string(), &weights);
        let session = loaded.unwrap_or_else(|error| panic!("{name}: {error}"));
        let stored = SafeTensors::deserialize(&weights).unwrap();
        let stored: usize = stored.iter().map(|(_, tensor)| tensor.data().len() / 4).sum();
        // What a bare one pools is not computed.
        if name != "vit-bare" {
            assert_eq!(session.info().parameters.total, stored as u64, "{name}");
        }
        for case in family["cases"].as_array().unwrap() {
            let what = format!("{name}/{}", case["name"].as_str().unwrap());
            compare_case(close, &session, &answers, case, &what, None).await;
        }
        compared += 1;
        pause().await;
    }
    assert!(compared >= 34);
}

/// Each setting of a family, other heads over known bodies, and families under another name.
pub async fn settings_on<B: Backend + Clone>(backend: B, close: Compare) {
    let settings: Map<String, Value> = serde_json::from_str(SETTINGS).unwrap();
    let answers = Answers::open(SETTINGS_ANSWERS);
    for (name, setting) in &settings {
        let weights = drawn_checkpoint(setting["tensors"].as_object().unwrap());
        let session = Session::load(backend.clone(), &setting["config"].to_string(), &weights)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(session.info().predicts, setting["headless"] == false, "{name}");
        let what = format!("{name}/{}", setting["case"]["name"].as_str().unwrap());
        compare_case(close, &session, &answers, &setting["case"], &what, None).await;
        pause().await;
    }
}

/// The tiny models as they are, and with gates and blocked cells.
pub async fn tiny_models_on<B: Backend + Clone>(backend: B, plain: Compare, edited: Compare) {
    all_cases(&backend, &tiny_models(), [plain, edited], (80, 100_000)).await;
}

/// The tiny models under the edits of a topic. Temperatures below 0.7 are not tried on the Llama,
/// whose random scores are so large that f32 itself would decide.
pub async fn edited_on<B: Backend + Clone>(backend: B, topic: &str, close: Compare) {
    let least = match topic {
        "masks" => (200, 450_000),
        "placed" => (150, 300_000),
        "variants" => (80, 100_000),
        _ => (60, 100_000),
    };
    let (_, models) = edited().into_iter().find(|(name, _)| *name == topic).unwrap();
    all_cases(&backend, &models, [close; 2], least).await;
}

/// Every scheme of positions, every kind of attention, frozen and ablated heads, masks.
pub fn mixtures() -> [Value; 7] {
    [
        json!({
            "positions": [{"scheme": "rotary", "parameters": {"base": 11}}],
            "attention": [{"kind": "linear", "heads": [0]}, {"kind": "cosine", "heads": [1]}],
            "heads": [{"heads": [1], "pattern": "diagonal"}, {"heads": [0], "pattern": [[1, 0], [3, 1]]}],
            "masks": [{"preset": {"kind": "window", "width": 2}, "fill": "-1e9"}],
        }),
        json!({
            "positions": [{"scheme": "alibi", "order": [2, 0, 1]}],
            "attention": [{"kind": "additive", "heads": [0]}, {"kind": "cosine", "heads": [1]}],
            "heads": [{"layers": [1], "heads": [0], "pattern": "uniform"}],
        }),
        json!({
            "positions": [{"scheme": "t5", "parameters": {"buckets": 4, "maxDistance": 3}}],
            "attention": [{"dropout": {"rate": 0.25, "seed": 5}}],
            "heads": [{"layers": [0], "pattern": [[1, 0], [3, 1]]}, {"heads": [1], "gate": 0}],
        }),
        json!({
            "positions": [{"scheme": "transformer-xl", "parameters": {"seed": 4}}],
            "attention": [{"temperature": 2, "scale": "none"}],
            "heads": [{"layers": [1], "heads": [1], "pattern": "previous"}],
            "masks": [{"preset": {"kind": "random", "keys": 1, "seed": 3}, "fill": "-1e9"}],
        }),
        json!({
            "positions": [{"scheme": "learned", "parameters": {"seed": 9}}],
            "attention": [{"kind": "performer", "parameters": {"features": 8, "seed": 2}}],
            "heads": [{"heads": [0], "pattern": "previous", "gate": 2}],
        }),
        json!({
            "positions": [{"scheme": "none"}],
            "attention": [
                {"kind": "sliding", "parameters": {"width": 1}, "heads": [0]},
                {"kind": "additive", "parameters": {"width": 3}, "heads": [1]},
            ],
            "heads": [{"layers": [0], "heads": [0], "pattern": [[1, 0, 0], [1, 1, 0], [0, 2, 1]]}],
            "masks": [{"preset": {"kind": "global", "tokens": [0], "width": 1}}],
        }),
        json!({
            "positions": [{"scheme": "sinusoidal", "parameters": {"base": 7}, "order": [1, 0]}],
            "attention": [{"kind": "chunked", "parameters": {"size": 2}}],
            "blocks": [{"layers": [1], "residual": false}],
        }),
    ]
}

/// Panics unless two runs on two backends have the same numbers: within the tolerance, and
/// infinite in the same places.
pub async fn assert_same_on<A: Backend, B: Backend>(
    (session, run): (&Session<A>, &RunHandle<A>),
    (other, wanted): (&Session<B>, &RunHandle<B>),
    what: &str,
) -> usize {
    assert_eq!(run.target_ids(), wanted.target_ids(), "{what}: another text");
    let (got, want) = (everything(session, run).await, everything(other, wanted).await);
    assert_eq!(got.len(), want.len(), "{what}");
    let mut compared = 0;
    for ((name, got), (_, want)) in got.into_iter().zip(want) {
        assert_eq!(got.shape(), want.shape(), "{what}: {name}");
        assert_close_where_finite(
            &got.into_data(),
            &want.clone().into_data(),
            &format!("{what}: {name}"),
        );
        compared += want.shape().iter().product::<usize>();
    }
    compared
}

/// Like `assert_close`, for numbers among which there may be minus infinities, in the same places.
pub fn assert_close_where_finite(got: &[f32], want: &[f32], what: &str) {
    let is_masked = |x: &[f32]| x.iter().map(|&x| x == f32::NEG_INFINITY).collect::<Vec<_>>();
    assert_eq!(is_masked(got), is_masked(want), "{what}: other cells are masked");
    let finite =
        |x: &[f32]| x.iter().copied().filter(|&x| x != f32::NEG_INFINITY).collect::<Vec<f32>>();
    assert_close(&finite(got), &finite(want), what);
}

/// Panics where another backend than the `cpu` one computes something else under a mixture.
pub async fn mixtures_on<B: Backend + Clone>(backend: B) {
    for reference in families() {
        let (session, other) = (reference.load(Cpu), reference.load(backend.clone()));
        for edits in mixtures() {
            let wanted = run_under(&session, &IDS, &edits).await;
            let run = run_under(&other, &IDS, &edits).await;
            let what = format!("{}: {edits}", reference.name);
            assert_same_on((&other, &run), (&session, &wanted), &what).await;
        }
    }
}
