//! Files of every format that are broken or changed at random, and files that are something else
//! than weights: each is refused by its code, reads nothing beyond its end, and nothing panics.

use std::fs;
use std::ops::Range;

use headscope::backend::Cpu;
use headscope::error::Result;
use headscope::files::{self, Source};
use headscope::model::Model;

use super::craft::file;
use super::reference_model::assert_refused;
use crate::support::{Random, Session};

fn bytes(file: &str) -> Vec<u8> {
    let folder = format!("{}/tests/reference", env!("CARGO_MANIFEST_DIR"));
    fs::read(format!("{folder}/{file}")).expect("a file of the reference")
}

fn bert() -> String {
    String::from_utf8(bytes("models/bert-plain/config.json")).expect("a config")
}

/// A file of which a read beyond its end, or backwards, is a mistake of the reader.
struct Guarded(Vec<u8>);

impl Source for Guarded {
    fn name(&self) -> &'static str {
        "weights"
    }

    fn n_bytes(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, Range { start, end }: Range<u64>) -> Result<Vec<u8>> {
        assert!(start <= end && end <= self.n_bytes(), "{start}..{end} of {}", self.n_bytes());
        Ok(self.0[start as usize..end as usize].to_vec())
    }
}

fn load(config: Option<&str>, bytes: Vec<u8>) -> Result<Model<Cpu>> {
    let files = files::open(vec![Box::new(Guarded(bytes))])?;
    Model::load(Cpu { has_bytes: false }, config, None, files)
}

/// Changes of each file; `FUZZ_RUNS` makes more than the short round, and other changes.
fn runs() -> usize {
    std::env::var("FUZZ_RUNS").map_or(200, |runs| runs.parse().expect("FUZZ_RUNS is a number"))
}

/// What is written over a file: one byte, or a number that is much too large.
fn odd(random: &mut Random) -> Vec<u8> {
    match random.below(6) {
        0 => vec![0xFF; 8],
        1 => (1u64 << random.below(64)).to_le_bytes().to_vec(),
        2 => vec![0; random.below(16)],
        // Opcodes of a pickle, and lengths below zero.
        3 => vec![b"(.)]}tlaesucqhQRb0N"[random.below(19)], random.below(256) as u8],
        4 => vec![0x42, 0xFB, 0xFF, 0xFF, 0xFF],
        _ => vec![random.below(256) as u8],
    }
}

/// One to four changes near either end, where the headers stand, or anywhere, and sometimes a cut.
fn mutated(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for _ in 0..=random.below(4) {
        let near = bytes.len().min(4200);
        let at = match random.below(3) {
            0 => random.below(near),
            1 => bytes.len() - near + random.below(near),
            _ => random.below(bytes.len()),
        };
        let odd = odd(random);
        let count = odd.len().min(bytes.len() - at);
        bytes[at..at + count].copy_from_slice(&odd[..count]);
    }
    if random.below(8) == 0 {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

/// Changes files at random, in turn; those that hold weights alone have BERT's config.
fn changed_files_work_or_are_refused(names: &[&str]) {
    let config = bert();
    let config_of = |name: &str| (!name.ends_with("gguf")).then_some(&*config);
    let files: Vec<(&str, Vec<u8>)> = names.iter().map(|&name| (name, bytes(name))).collect();
    for (name, good) in &files {
        load(config_of(name), good.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let mut random = Random(runs() as u64);
    let mut refused = vec![0; files.len()];
    for _ in 0..runs() {
        for ((name, good), refused) in files.iter().zip(&mut refused) {
            let loaded = load(config_of(name), mutated(good, &mut random));
            let Err(error) = loaded else { continue };
            *refused += 1;
            let part = error.code.as_str().split_once('/').map_or("", |(part, _)| part);
            assert!(["checkpoint", "config"].contains(&part), "{name}: {error}");
            assert!(error.to_string().ends_with('.'), "{name}: {error}");
        }
    }
    let is_telling = refused.iter().all(|&refused| refused > 0 && refused < runs());
    assert!(is_telling, "{refused:?} of {} refused", runs());
}

#[test]
fn a_changed_gguf_file_works_or_is_refused() {
    let names = ["llama", "gptneox", "t5", "phi3", "bert"].map(|name| format!("files/{name}.gguf"));
    changed_files_work_or_are_refused(&names.each_ref().map(String::as_str));
}

#[test]
fn a_changed_pytorch_file_works_or_is_refused() {
    changed_files_work_or_are_refused(&["files/pytorch_model.bin", "files/wrapped.bin"]);
}

#[test]
fn a_changed_safetensors_file_works_or_is_refused() {
    changed_files_work_or_are_refused(&["models/bert-plain/model.safetensors"]);
}

#[test]
fn what_is_no_weights_is_named() {
    let page = b"\n<!DOCTYPE html><title>model.safetensors - Hugging Face</title>".to_vec();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n".to_vec();
    for (what, bytes, named) in [
        ("a page", page, "a page about the file"),
        ("a pointer", pointer, "git lfs pull"),
        ("an answer", br#"{"error":"Invalid credentials"}"#.to_vec(), "a server's answer"),
        ("an old ggml file", b"tjgg\x03\0\0\0".to_vec(), "before GGUF"),
        ("Keras", b"\x89HDF\r\n\x1a\n".to_vec(), "HDF5"),
    ] {
        assert_refused(load(Some(&bert()), bytes), "checkpoint/not-weights", &[named], what);
    }
}

/// A safetensors file of tensors of these names and types, two numbers each.
fn tensors(named: &[(&str, &str, usize)]) -> Vec<u8> {
    let mut end = 0;
    let entries = named.iter().map(|(name, dtype, width)| {
        let start = end;
        end += 2 * width;
        format!(r#""{name}":{{"dtype":"{dtype}","shape":[2],"data_offsets":[{start},{end}]}}"#)
    });
    let entries = entries.collect::<Vec<_>>().join(",");
    file(format!("{{{entries}}}").as_bytes(), &vec![0; end])
}

#[test]
fn weights_that_another_library_quantised_are_named_by_it() {
    for (method, names) in [
        ("GPTQ", vec![("l.qweight", "I32", 4), ("l.g_idx", "I32", 4), ("l.scales", "F16", 2)]),
        ("AWQ or GPTQ", vec![("l.qweight", "I32", 4), ("l.qzeros", "I32", 4)]),
        ("bitsandbytes", vec![("l.weight", "I8", 1), ("l.SCB", "F32", 4)]),
        (
            "bitsandbytes",
            vec![("l.weight", "U8", 1), ("l.weight.quant_state.bitsandbytes__nf4", "U8", 1)],
        ),
        ("MLX", vec![("l.weight", "U32", 4), ("l.scales", "F16", 2), ("l.biases", "F16", 2)]),
        ("FP8", vec![("l.weight", "F8_E4M3", 1), ("l.weight_scale_inv", "F32", 4)]),
        ("compressed-tensors", vec![("l.weight_packed", "I32", 4)]),
    ] {
        let words = [&*format!("by {method}"), "open the model that this one was quantised from"];
        assert_refused(
            load(Some(&bert()), tensors(&names)),
            "checkpoint/quantized",
            &words,
            method,
        );
    }
    let adapter = tensors(&[("base_model.model.l.lora_A.weight", "F32", 4)]);
    let words = ["merge the adapter"];
    assert_refused(load(Some(&bert()), adapter), "checkpoint/adapter", &words, "LoRA");
}

/// A GGUF file of these metadata, each a text or a whole number of 16 bits, without tensors.
fn gguf(texts: &[(&str, &str)], numbers: &[(&str, u16)]) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    let count = (texts.len() + numbers.len()) as u64;
    let mut bytes = [b"GGUF\x03\0\0\0", &0u64.to_le_bytes()[..], &count.to_le_bytes()].concat();
    for (key, value) in texts {
        bytes.extend([text(key), 8u32.to_le_bytes().to_vec(), text(value)].concat());
    }
    for (key, value) in numbers {
        bytes.extend(
            [text(key), 2u32.to_le_bytes().to_vec(), value.to_le_bytes().to_vec()].concat(),
        );
    }
    bytes
}

#[test]
fn a_gguf_file_that_is_no_whole_model_is_named() {
    let llama = ("general.architecture", "llama");
    let mut big = gguf(&[llama], &[]);
    big[4..8].reverse();
    let kind = |kind| gguf(&[llama, ("general.type", kind)], &[]);
    let part = gguf(&[llama], &[("split.no", 1), ("split.count", 3)]);
    for (bytes, code, named) in [
        (gguf(&[llama], &[]), "checkpoint/not-weights", "a vocabulary alone"),
        (kind("adapter"), "checkpoint/not-weights", "an adapter"),
        (kind("mmproj"), "checkpoint/not-weights", "the projector of images"),
        (gguf(&[("general.architecture", "clip")], &[]), "checkpoint/not-weights", "the projector"),
        (part, "checkpoint/split", "all 3 parts"),
        (big, "checkpoint/bad-gguf", "big-endian"),
        (b"GGUF\x01\0\0\0".to_vec(), "checkpoint/bad-gguf", "version 1"),
    ] {
        assert_refused(load(None, bytes), code, &[named], named);
    }
}

/// A GGUF file in two parts: the header of each names its tensors, all numbers in the second.
#[test]
fn parts_are_opened_together_and_in_their_order() {
    let whole = bytes("files/mistral.gguf");
    let first = with_split(&whole, 0);
    let alone = Session::load_files(Cpu { has_bytes: false }, None, vec![("a", &first)]);
    assert_refused(alone, "checkpoint/split", &["all 2 parts", "part 1 of 2"], "alone");
    let second = gguf(&[], &[("split.no", 1), ("split.count", 2)]);
    let both = |files| Session::load_files(Cpu { has_bytes: false }, None, files);
    both(vec![("a", &first), ("b", &second)]).unwrap_or_else(|error| panic!("{error}"));
    let turned = both(vec![("b", &second), ("a", &first)]);
    assert_refused(turned, "checkpoint/split", &["part 2 of 2 as file 1"], "turned round");
}

/// The file as the first of two parts: two more keys, whose bytes are a multiple of 32.
fn with_split(whole: &[u8], own: u16) -> Vec<u8> {
    let head = gguf(&[("general.x", "")], &[("split.no", own), ("split.count", 2)]);
    let filling = (head.len() - 24).next_multiple_of(32) - (head.len() - 24);
    let filled = " ".repeat(filling);
    let head = gguf(&[("general.x", &filled)], &[("split.no", own), ("split.count", 2)]);
    let count = u64::from_le_bytes(*whole[16..].first_chunk().expect("a header")) + 3;
    [&whole[..16], &count.to_le_bytes(), &head[24..], &whole[24..]].concat()
}

#[test]
fn a_pickle_of_something_else_than_tensors_is_refused_by_name() {
    // The mark and the version of the old form, and what says which machine wrote it.
    let start = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}.".to_vec();
    let with = |pickle: &[u8]| [&start, pickle].concat();
    let loop_ = b"\x80\x02]q\x00h\x00a.\x80\x02]q\x00.".to_vec();
    for (what, pickle, code, named) in [
        (
            "a call",
            b"cos\nsystem\nX\x02\0\0\0ls\x85R.".to_vec(),
            "checkpoint/bad-pickle",
            "os.system",
        ),
        (
            "a module",
            b"ctransformers.models\nBert\n)\x81.".to_vec(),
            "checkpoint/bad-pickle",
            "transformers.models.Bert",
        ),
        ("an object", b")\x81.".to_vec(), "checkpoint/bad-pickle", "the opcode 129"),
        ("a list that holds itself", loop_, "checkpoint/bad-pickle", "no dictionary of tensors"),
        ("an end too early", b"\x80\x02}".to_vec(), "checkpoint/truncated", "less than its header"),
        (
            "a far place",
            b"\x80\x02}r\xff\xff\xff\xff.".to_vec(),
            "checkpoint/bad-pickle",
            "a place far beyond",
        ),
    ] {
        assert_refused(load(Some(&bert()), with(&pickle)), code, &[named], what);
    }
    let empty = [b"\x80\x02".as_slice(), &vec![b'N'; 3 << 20], b"."].concat();
    assert_refused(
        load(Some(&bert()), with(&empty)),
        "checkpoint/bad-pickle",
        &["more values"],
        "",
    );
}
