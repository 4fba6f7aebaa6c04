//! Compares the core with Hugging Face on folders that `save_pretrained` wrote: opening, running,
//! pairs of texts and greedy text of each family. `tests/reference/saved_folders.py OUT` writes the
//! folders; `cargo run --example saved_folders OUT` prints a line for each folder, and fails if any
//! differs.

use std::cell::RefCell;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use headscope::backend::Cpu;
use headscope::decode::Decoding;
use headscope::files::{self, Bytes, Source};
use headscope::model::Model;
use headscope::run::{GenerateRequest, Run, RunRequest};
use serde_json::Value;

/// The largest difference of a number: `ABSOLUTE + RELATIVE · max|x|`.
const ABSOLUTE: f32 = 1e-4;
const RELATIVE: f32 = 1e-5;

type Answer<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let Some(out) = std::env::args().nth(1) else {
        eprintln!("usage: cargo run --example saved_folders OUT");
        return ExitCode::FAILURE;
    };
    match compared(Path::new(&out)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{out}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Compares all folders; returns whether all agree with Hugging Face.
fn compared(out: &Path) -> Answer<bool> {
    let mut folders: Vec<_> =
        fs::read_dir(out)?.map(|entry| Ok(entry?.path())).collect::<Answer<_>>()?;
    folders.sort();
    let mut is_same = true;
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let differences = match pollster::block_on(differences(&folder)) {
            Ok(differences) => differences,
            Err(error) => vec![error.to_string()],
        };
        is_same &= differences.is_empty();
        let says = if differences.is_empty() { "equal".to_owned() } else { differences.join("; ") };
        println!("{name}: {says}");
    }
    Ok(is_same)
}

/// The differences of one folder from Hugging Face.
async fn differences(folder: &Path) -> Answer<Vec<String>> {
    let text = |name: &str| fs::read_to_string(folder.join(name));
    let weights = fs::read(folder.join("model.safetensors"))?;
    let source: Box<dyn Source> = Box::new(Bytes::new("model.safetensors", &weights));
    let generation = text("generation_config.json").ok();
    let config = text("config.json")?;
    let files = files::open(vec![source])?;
    let model = Rc::new(Model::load(Cpu, Some(&config), generation.as_deref(), files)?);
    let expected: Value = serde_json::from_str(&text("expected.json")?)?;

    let mut found = Vec::new();
    let target = numbers(&expected["target_ids"]);
    let pair = &expected["pair"];
    for (what, request, want) in [
        ("logits", request(&expected, "token_types", target.as_deref()), &expected["logits"]),
        ("logits of the pair", request(pair, "types", target.as_deref()), &pair["logits"]),
    ] {
        if !want.is_array() {
            continue;
        }
        let run = finished(&model, &request).await?.0;
        let reading = run.borrow().logits(None)?;
        let rows = reading.await?.into_data();
        let want = floats(want);
        let got = rows.rchunks(want.len()).next().unwrap_or_default();
        let largest = want.iter().fold(0f32, |largest, x| largest.max(x.abs()));
        let apart = got.iter().zip(&want).fold(0f32, |most, (a, b)| most.max((a - b).abs()));
        if got.len() != want.len() || apart > ABSOLUTE + RELATIVE * largest || apart.is_nan() {
            found.push(format!("{what} {apart:.1e} apart"));
        }
    }
    if let Some(given) = expected["given"].as_u64() {
        let want = numbers(&expected["generated"]).unwrap_or_default();
        let max_tokens = Some(10.0);
        let mut ids = numbers(&expected["ids"]).unwrap_or_default();
        ids.truncate(usize::try_from(given)?);
        let generate =
            Some(GenerateRequest { max_new_tokens: max_tokens, ..GenerateRequest::default() });
        let request = RunRequest { ids, generate, ..RunRequest::default() };
        let written = finished(&model, &request).await?.1;
        if written != want {
            found.push(format!("wrote {written:?} instead of {want:?}"));
        }
    }
    let listed = model.info().warnings;
    found.extend(listed.iter().map(|one| format!("warns of {} = {}", one.field, one.value)));
    Ok(found)
}

fn request(case: &Value, types: &str, target: Option<&[f64]>) -> RunRequest {
    RunRequest {
        ids: numbers(&case["ids"]).unwrap_or_default(),
        pixels: case["pixels"].is_array().then(|| floats(&case["pixels"])),
        token_type_ids: numbers(&case[types]),
        target_ids: target.map(<[f64]>::to_vec),
        ..RunRequest::default()
    }
}

/// A finished run, and the tokens that it generated.
async fn finished(
    model: &Rc<Model<Cpu>>,
    request: &RunRequest,
) -> Answer<(Rc<RefCell<Run<Cpu>>>, Vec<f64>)> {
    let decoding = Decoding::begin(model, request, None)?;
    let mut written = Vec::new();
    loop {
        let report = decoding.step().await?;
        written.extend(report.generated.iter().map(|token| f64::from(token.chosen)));
        if report.finished {
            return Ok((Rc::clone(decoding.run()), written));
        }
    }
}

fn numbers(list: &Value) -> Option<Vec<f64>> {
    list.as_array()?.iter().map(Value::as_f64).collect()
}

fn floats(list: &Value) -> Vec<f32> {
    numbers(list).unwrap_or_default().into_iter().map(|number| number as f32).collect()
}
