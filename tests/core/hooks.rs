//! Hooks on the activations of a block: a hook that changes nothing changes no bit, and from what a
//! hook puts in the place of an activation all that follows is computed.

use crate::support::{self, Session, assert_same_bits, hidden, run_under};

use headscope::axes::{Step, Sublayer};
use headscope::backend::{Cpu, Storage};
use headscope::blocks::{BatchText, Sites};
use headscope::edits::Wiring;
use headscope::files::{self, Bytes};
use headscope::masks::Mask;
use headscope::model::Model;
use serde_json::json;

const IDS: [f64; 5] = [5.0, 9.0, 13.0, 17.0, 2.0];

type Tensor = <Cpu as Storage>::Tensor;

/// What the first block of an encoder makes of these rows, through a hook.
async fn passed(
    reference: &support::Reference,
    input: Vec<f32>,
    hook: &mut dyn FnMut(Sublayer, Step, &mut Tensor),
) -> Vec<f32> {
    let weights = Bytes::new("model.safetensors", reference.checkpoint);
    let files = files::open(vec![Box::new(weights)]).unwrap();
    let model = Model::load(Cpu, Some(reference.config), None, files).unwrap();
    let block = &model.encoder.as_ref().unwrap().blocks[0];
    let attention = &block.self_attention;
    let n = input.len() / model.config.d_model;
    let gates = vec![1.0; attention.n_heads];
    let mut sites = Sites {
        own: attention.begin(&Cpu, Mask::open(), gates, [n, n]),
        cross: None,
        wiring: Wiring::default(),
        reach: 0,
        real: Vec::new(),
    };
    let input = Cpu.upload(input, model.config.d_model);
    let batch = &mut [BatchText { sites: &mut sites, input: &input }];
    block.project(&Cpu, batch, 0..n);
    let output = block.complete(&Cpu, batch, 0..n, Some(hook));
    Cpu.read(&output).await.unwrap()
}

#[pollster::test]
async fn a_hook_that_replaces_nothing_changes_no_bit_and_sees_every_step() {
    for (reference, after) in [
        (
            reference!("bert-tiny"),
            ["attended", "sum", "normed", "ff-output", "ff-sum", "ff-normed"],
        ),
        (
            reference!("marian-tiny"),
            ["attended", "sum", "normed", "ff-output", "ff-sum", "ff-normed"],
        ),
    ] {
        let session: Session<Cpu> = reference.load(Cpu);
        let run = run_under(&session, &IDS, &json!({})).await;
        let [before, want] = [0, 1].map(|layer| hidden(&run, "encoder", layer));
        let mut seen = Vec::new();
        let mut hook = |_: Sublayer, step: Step, x: &mut Tensor| {
            seen.push(step.name());
            *x = x.clone();
        };
        let got = passed(&reference, before.await.into_data(), &mut hook).await;
        assert_same_bits(&got, &want.await.into_data(), reference.name);
        let seen: Vec<&str> = seen.into_iter().filter(|step| after.contains(step)).collect();
        assert_eq!(seen, after, "{}", reference.name);
    }
}

#[pollster::test]
async fn zeros_in_place_of_what_heads_find_are_the_edit_that_ablates_them() {
    for reference in [reference!("bert-tiny"), reference!("marian-tiny")] {
        let session = reference.load(Cpu);
        let ablated = json!({"heads": [{"stack": "encoder", "layers": [0], "gate": 0}]});
        let run = run_under(&session, &IDS, &ablated).await;
        let [before, want] = [0, 1].map(|layer| hidden(&run, "encoder", layer));
        let mut replaced = 0;
        let mut hook = |_: Sublayer, step: Step, x: &mut Tensor| {
            if step == Step::Context {
                replaced += 1;
                let numbers = x.clone().into_numbers();
                let columns = numbers.len() / IDS.len();
                *x = Cpu.upload(vec![0.0; numbers.len()], columns);
            }
        };
        let got = passed(&reference, before.await.into_data(), &mut hook).await;
        assert_same_bits(&got, &want.await.into_data(), reference.name);
        assert_eq!(replaced, 1);
    }
}
