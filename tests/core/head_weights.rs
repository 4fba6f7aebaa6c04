//! The matrices of one head: they are the tensors of the checkpoint, and what a run multiplied by.

use crate::families::opened;
use crate::support::references::FAMILIES;
use crate::support::{self, Session, assert_close, assert_exact, finished, steps};

use headscope::axes::Tensor;
use headscope::backend::Cpu;
use headscope::run::StepTensor;
use safetensors::SafeTensors;
use serde_json::{Map, Value};

/// A number of a checkpoint by its row and column, and whether rows are outputs.
struct Stored {
    numbers: Vec<f32>,
    columns: usize,
    is_outer_first: bool,
}

impl Stored {
    fn open(checkpoint: &[u8], name: &str, is_outer_first: bool) -> Self {
        let file = SafeTensors::deserialize(checkpoint).unwrap();
        let tensor = file.tensor(name).unwrap_or_else(|_| panic!("{name}"));
        let numbers = tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
        let columns = tensor.shape().last().copied().unwrap();
        Self { numbers: numbers.collect(), columns, is_outer_first }
    }

    /// A rectangle, `[inner, outer]`.
    fn part(&self, inner: std::ops::Range<usize>, outer: std::ops::Range<usize>) -> Vec<f32> {
        let at = |inner: usize, outer: usize| {
            let (row, column) = if self.is_outer_first { (outer, inner) } else { (inner, outer) };
            self.numbers[row * self.columns + column]
        };
        inner.flat_map(|i| outer.clone().map(move |o| at(i, o))).collect()
    }
}

#[pollster::test]
async fn a_head_has_its_part_of_the_tensors_of_the_checkpoint() {
    // Where each part stands: the tensor, and how far behind its first column.
    let marian = "model.decoder.layers.1.encoder_attn";
    let bert = "bert.encoder.layer.1.attention";
    let llama = "model.layers.1.self_attn";
    let gpt2 = "transformer.h.1.attn";
    let separate = |names: [String; 4]| names.map(|name| (name, 0, true));
    let cases = [
        (
            reference!("marian-tiny"),
            "cross",
            separate(["q", "k", "v", "out"].map(|part| format!("{marian}.{part}_proj"))),
        ),
        (
            reference!("bert-tiny"),
            "encoder",
            separate(
                ["self.query", "self.key", "self.value", "output.dense"]
                    .map(|part| format!("{bert}.{part}")),
            ),
        ),
        (
            reference!("llama-tiny"),
            "decoder",
            separate(["q", "k", "v", "o"].map(|part| format!("{llama}.{part}_proj"))),
        ),
        (
            reference!("gpt2-tiny"),
            "decoder",
            [0, 1, 2, 3].map(|part| {
                let name = if part < 3 { "c_attn" } else { "c_proj" };
                (format!("{gpt2}.{name}"), part % 3, false)
            }),
        ),
    ];
    for (reference, stack, places) in cases {
        let session = reference.load(Cpu);
        let info = session.info();
        let stacks = &info.stacks;
        let size = match stack {
            "cross" => stacks.cross,
            "encoder" => stacks.encoder,
            _ => stacks.decoder,
        };
        let size = size.unwrap();
        let d = info.d_model;
        for head in 0..size.heads {
            let own = |head: usize| head * size.head_dim..(head + 1) * size.head_dim;
            let shared = own(head / (size.heads / size.kv_heads));
            let parts = ["query", "key", "value", "output"];
            for (part, (name, third, is_outer_first)) in parts.iter().zip(&places) {
                let what = format!("{} {stack} {head} {part}", reference.name);
                let stored =
                    Stored::open(reference.checkpoint, &format!("{name}.weight"), *is_outer_first);
                let outer = if *part == "query" { own(head) } else { shared.clone() };
                let outer = third * d + outer.start..third * d + outer.end;
                let want = if *part == "output" {
                    stored.part(own(head), 0..d)
                } else {
                    stored.part(0..d, outer)
                };
                let found = session.head_weights((stack, 1, head), part).unwrap().await.unwrap();
                let shape = if *part == "output" { [size.head_dim, d] } else { [d, size.head_dim] };
                assert_eq!(found.shape(), shape, "{what}");
                assert_exact(&found.into_data(), &want, &what);
            }
        }
    }
}

/// `x W`, in f64, of some rows.
fn product(x: &Tensor, columns: std::ops::Range<usize>, w: &Tensor) -> Vec<Vec<f64>> {
    let w = support::rows(w);
    let width = w[0].len();
    let rows = support::rows(x);
    let row = |x: &Vec<f64>| {
        let x = &x[columns.clone()];
        assert_eq!(x.len(), w.len());
        (0..width).map(|o| x.iter().zip(&w).map(|(x, w)| x * w[o]).sum()).collect()
    };
    rows.iter().map(row).collect()
}

fn found<'a>(steps: &'a [StepTensor], names: &[&str]) -> &'a Tensor {
    let tensor = |name: &&str| steps.iter().find(|found| found.step.name() == *name);
    &names.iter().find_map(tensor).unwrap_or_else(|| panic!("{names:?}")).tensor
}

/// `X W + b` is what a run projected, for every head of a block, and what the heads found, through
/// their parts of `W_O`, is what attention gave.
async fn assert_is_what_runs_multiply_by(
    session: &Session<Cpu>,
    case: &Value,
    what: &str,
) -> usize {
    let request = support::request(case, session.info().architecture);
    let run = finished(session, &request, None).await;
    let mut compared = 0;
    for (stack, layers, heads) in support::stacks_of(session) {
        let layer = layers - 1;
        let steps = steps(&run, (stack, layer, 0)).await;
        let entered = found(&steps, &["entered", "input"]);
        let memory = if stack == "cross" { found(&steps, &["memory"]) } else { entered };
        let context = found(&steps, &["context"]);
        let attended = found(&steps, &["attended"]);
        let kv_heads = found(&steps, &["key"]).shape()[1];
        let width = context.shape()[1] / heads;
        let shared_by = heads / (kv_heads / width);
        let mut sum = vec![vec![0.0; attended.shape()[1]]; attended.shape()[0]];
        for head in 0..heads {
            let weights = async |part: &str| {
                session.head_weights((stack, layer, head), part).unwrap().await.unwrap()
            };
            for (part, x, place) in [
                ("query", entered, head),
                ("key", memory, head / shared_by),
                ("value", memory, head / shared_by),
            ] {
                let matrix = weights(part).await;
                let bias = weights(&format!("{part}-bias")).await.into_data();
                assert_eq!(bias.len(), width, "{what}");
                let got = product(x, 0..x.shape()[1], &matrix);
                let got: Vec<f32> = got
                    .iter()
                    .flat_map(|row| row.iter().zip(&bias).map(|(x, b)| (x + f64::from(*b)) as f32))
                    .collect();
                let projected = support::rows(found(&steps, &[part]));
                let want: Vec<f32> = projected
                    .iter()
                    .flat_map(|row| &row[place * width..(place + 1) * width])
                    .map(|&number| number as f32)
                    .collect();
                assert_close(&got, &want, &format!("{what} {stack} {head} {part}"));
                compared += got.len();
            }
            let matrix = weights("output").await;
            let own = product(context, head * width..(head + 1) * width, &matrix);
            for (sum, own) in sum.iter_mut().flatten().zip(own.iter().flatten()) {
                *sum += own;
            }
        }
        let output_bias = session.head_weights((stack, layer, 0), "output-bias").unwrap();
        let bias = output_bias.await.unwrap().into_data();
        let got: Vec<f32> = sum
            .iter()
            .flat_map(|row| row.iter().zip(&bias).map(|(x, b)| (x + f64::from(*b)) as f32))
            .collect();
        assert_close(&got, &attended.clone().into_data(), &format!("{what} {stack} output"));
    }
    compared
}

#[pollster::test]
async fn a_row_times_a_heads_matrix_is_its_vector_in_every_family() {
    let families: Map<String, Value> = serde_json::from_str(FAMILIES).unwrap();
    let mut compared = 0;
    for (name, family) in &families {
        let case = &family["cases"][0];
        compared += assert_is_what_runs_multiply_by(&opened(name), case, name).await;
    }
    for reference in support::families() {
        let session = reference.load(Cpu);
        let case = &reference.cases()[0];
        compared += assert_is_what_runs_multiply_by(&session, case, reference.name).await;
    }
    assert!(compared > 10_000, "only {compared} numbers were compared");
}

#[pollster::test]
async fn weights_of_8_and_16_bits_are_widened_to_what_runs_multiply_by() {
    for reference in [reference!("bert-tiny"), reference!("llama-untied")] {
        let bytes = reference.load(Cpu { has_bytes: true });
        assert_is_what_runs_multiply_by(&bytes, &reference.cases()[0], "bytes").await;
        let [narrow, wide] = [bytes, reference.load(Cpu)].map(|session| async move {
            let stack = support::stacks_of(&session)[0].0;
            session.head_weights((stack, 0, 0), "query").unwrap().await.unwrap()
        });
        assert_ne!(narrow.await, wide.await, "{}", reference.name);
    }
    for reference in [reference!("gpt2-f16"), reference!("gpt2-bf16")] {
        let case = &reference.cases()[0];
        assert_is_what_runs_multiply_by(&reference.load(Cpu), case, reference.name).await;
    }
}

/// A GGUF file of quantised matrices, and gguf-py's numbers of them. The file has the rows of
/// queries and keys in llama.cpp's order; a head of 16 numbers takes half a block of the output's
/// rows.
#[pollster::test]
async fn quantised_weights_of_a_head_are_the_numbers_that_gguf_py_reads() {
    let file = include_bytes!("../reference/files/quantised.gguf");
    let numbers = include_bytes!("../reference/files/quantised.safetensors");
    let session = Session::load_files(Cpu::default(), None, vec![("a.gguf", file)]).unwrap();
    let [width, head_dim] = [32, 16];
    for head in 0..2 {
        let own = head * head_dim..(head + 1) * head_dim;
        for (part, name, inner, outer) in [
            ("query", "q", 0..width, own.clone()),
            ("key", "k", 0..width, 0..head_dim),
            ("value", "v", 0..width, 0..head_dim),
            ("output", "output", own, 0..width),
        ] {
            let found = session.head_weights(("decoder", 0, head), part).unwrap().await.unwrap();
            let want = Stored::open(numbers, name, true).part(inner, outer);
            assert_exact(&found.into_data(), &want, &format!("{head} {part}"));
        }
    }
}

#[test]
fn a_head_that_a_model_does_not_have_is_refused() {
    let session = reference!("bert-tiny").load(Cpu);
    for (head, part, code) in [
        (("decoder", 0, 0), "query", "selection/bad-stack"),
        (("cross", 0, 0), "query", "selection/bad-stack"),
        (("encoder", 9, 0), "query", "selection/bad-layer"),
        (("encoder", 0, 9), "output", "selection/bad-head"),
        (("encoder", 0, 0), "queries", "selection/bad-stage"),
    ] {
        let refused = session.head_weights(head, part).err().map(|error| error.code.as_str());
        assert_eq!(refused, Some(code), "{head:?} {part}");
    }
}
