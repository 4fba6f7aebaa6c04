//! `model.safetensors` broken as a file: cut off, with a header that lies, or no such
//! file at all.

use crate::support::Session;
use headscope::backend::Cpu;
use headscope::error::Error;
use serde_json::{Map, Value, json};
use wasm_bindgen_test::wasm_bindgen_test;

use super::craft::{file, header_bytes, outermost, smallest_model, with_header};
use super::reference_model::{ReferenceModel, assert_refused};

/// A config that is fine, with a checkpoint that is not.
fn load(bytes: &[u8]) -> Result<Session<Cpu>, Error> {
    Session::load(Cpu, reference!("marian-tiny").config, bytes)
}

fn good() -> &'static [u8] {
    reference!("marian-tiny").checkpoint
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_file_cut_off_anywhere_is_refused_and_the_loaded_model_goes_on() {
    let model = ReferenceModel::new(reference!("marian-tiny")).await;
    let bytes = good();
    let header = header_bytes(good());
    let in_header = (9..header).step_by(header / 60);
    let in_data = (header..bytes.len()).step_by(bytes.len() / 60);
    let edges = [header - 1, header, header + 1, bytes.len() - 1];
    for length in (0..=8).chain(in_header).chain(in_data).chain(edges) {
        let what = format!("{length} of {} bytes", bytes.len());
        assert_refused(
            load(&bytes[..length]),
            "checkpoint/truncated",
            &["model.safetensors", "download it again"],
            &what,
        );
    }
    model.assert_still_runs().await;
}

#[wasm_bindgen_test(unsupported = pollster::test)]
async fn a_header_of_absurd_length_is_refused_before_it_is_read() {
    let model = ReferenceModel::new(reference!("marian-tiny")).await;
    for length in [100_000_001, 1 << 31, 1 << 32, 1 << 40, 1 << 63, u64::MAX] {
        let mut bytes = good().to_vec();
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        let words = ["at most 100 MB", "a safetensors file"];
        assert_refused(
            load(&bytes),
            "checkpoint/header-too-large",
            &words,
            &format!("{length} bytes"),
        );
    }
    model.assert_still_runs().await;
}

#[wasm_bindgen_test(unsupported = test)]
fn a_header_that_is_no_safetensors_header_is_refused() {
    let mut short = good().to_vec();
    short[..8].copy_from_slice(&100u64.to_le_bytes());
    let deep = "[".repeat(100_000);
    let headers: [(&str, &[u8]); 12] = [
        ("an empty header", b""),
        ("no JSON", b"{\"x\":"),
        ("not UTF-8", b"{\"\xff\xfe\":1}"),
        ("a list", b"[]"),
        ("a number", b"7"),
        ("nested too deeply", deep.as_bytes()),
        ("a tensor that is a text", br#"{"x":"x"}"#),
        ("no shape", br#"{"x":{"dtype":"F32","data_offsets":[0,4]}}"#),
        ("a negative size", br#"{"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#),
        ("a fractional size", br#"{"x":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}}"#),
        (
            "an offset of 67 bits",
            br#"{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,99999999999999999999]}}"#,
        ),
        ("too few bytes", br#"{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#),
    ];
    let files = headers.map(|(what, header)| (what, file(header, b"1234")));
    let cases = files.into_iter().chain([("a length that ends inside the header", short)]);
    for (what, bytes) in cases {
        assert_refused(load(&bytes), "checkpoint/bad-header", &["model.safetensors"], what);
    }
}

fn moved(tensor: &mut Value, by: i64) {
    for offset in tensor["data_offsets"].as_array_mut().unwrap() {
        *offset = json!(offset.as_i64().unwrap() + by);
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn overlaps_gaps_and_stray_bytes_are_refused() {
    let words = ["without gap or overlap", "save it again"];
    let with = |change: fn(&mut Map<String, Value>, &str, &str)| {
        with_header(good(), |header| {
            let first = outermost(header, false);
            let last = outermost(header, true);
            change(header, &first, &last);
        })
    };
    let cases = [
        ("in the one before it", with(|header, _, last| moved(&mut header[last], -4))),
        ("a gap before the last tensor", with(|header, _, last| moved(&mut header[last], 4))),
        ("a gap before the first tensor", with(|header, first, _| moved(&mut header[first], 4))),
        ("an early end", with(|header, _, last| header[last]["data_offsets"][1] = json!(0))),
        ("in one place", with(|header, first, last| header[last] = header[first].clone())),
        ("a tensor that the header forgot", with(|header, _, last| drop(header.remove(last)))),
        ("a stray byte at the end", [good(), b"x"].concat()),
    ];
    for (what, bytes) in cases {
        assert_refused(load(&bytes), "checkpoint/overlap", &words, what);
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn shapes_whose_product_overflows_are_refused() {
    let large = 1u64 << 31;
    for shape in [vec![large, large, 4], vec![large; 9], vec![large, large, large, 0]] {
        let bytes = with_header(good(), |header| {
            let name = outermost(header, false);
            header[&name]["shape"] = json!(shape);
        });
        let words = ["shapes whose sizes fit in memory"];
        assert_refused(load(&bytes), "checkpoint/shape-overflow", &words, &format!("{shape:?}"));
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn no_flipped_bit_of_a_file_does_more_than_be_refused() {
    let (config, good) = smallest_model();
    Session::load(Cpu, &config, &good)
        .unwrap_or_else(|error| panic!("the unchanged file: {error}"));
    let mut refused = 0;
    let header = header_bytes(&good);
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            // A flipped bit of a weight is another weight, unless it makes it infinite.
            if let Err(error) = Session::load(Cpu, &config, &bytes) {
                refused += 1;
                let is_named = error.code.as_str().starts_with("checkpoint/");
                assert!(is_named, "bit {bit} of byte {at}: {error}");
            } else {
                assert!(at >= 8, "bit {bit} of byte {at}: another header length was believed");
            }
        }
    }
    assert!(refused > 7 * header, "only {refused} files were refused, of {header} bytes of header");
}
