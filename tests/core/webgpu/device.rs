//! The device and its kernels: products of every shape by whichever kernel takes them, what
//! follows them, tables in parts, ranks of long rows, and what a run takes.

use headscope::backend::webgpu::{Counts, Opening};
use headscope::backend::{Algebra, Backend, Cpu, Epilogue, Order, Storage};
use headscope::kernels::activation::Activation;
use headscope::kernels::stored::{Format, widened};
use headscope::run::{GenerateRequest, RunRequest};
use safetensors::SafeTensors;

use serde_json::json;

use super::{adapter, adapter_as, numbers};
use crate::support::{self, assert_close, everything, finished, request};

/// Random numbers, of which none is like its neighbours.
fn noise(seed: usize, count: usize) -> Vec<f32> {
    (0..count)
        .map(|i| ((i as f32 + 0.37) * 12.9898 + seed as f32 * 4.1).sin() * 43_758.547)
        .map(|x| (x - x.floor()) * 2.0 - 1.0)
        .collect()
}

/// The largest difference between two products, as a share of what `inner` products of numbers
/// up to 1 can add up to.
fn assert_product(got: &[f32], want: &[f32], inner: usize, tolerance: f32, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    let scale = (inner as f32).sqrt();
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        let far = (got - want).abs() / scale;
        assert!(far <= tolerance, "{what}: number {i} is {got}, not {want}");
    }
}

/// Rows that each of the kernels takes, columns beside and on the edges of their squares.
const SHAPES: [[usize; 3]; 17] = [
    [1, 5, 3],
    [1, 768, 1000],
    [2, 30, 33],
    [4, 64, 7],
    [5, 131, 64],
    [8, 512, 130],
    [9, 4, 1],
    [9, 1, 9],
    [31, 33, 31],
    [32, 64, 32],
    [33, 66, 500],
    [40, 36, 6200],
    [63, 16, 6145],
    [64, 20, 6144],
    [129, 10, 12_200],
    [300, 12, 4100],
    [257, 7, 4223],
];

#[pollster::test]
async fn products_of_every_shape_equal_the_cpu() {
    async fn product<B: Backend>(backend: &B, [rows, inner, outer]: [usize; 3]) -> Vec<f32> {
        let order = if outer % 2 == 0 { Order::OuterInner } else { Order::InnerOuter };
        let matrix = backend.matrix(&noise(2, inner * outer), inner, outer, order);
        let x = backend.upload(noise(1, rows * inner), inner);
        let bias = (rows % 2 == 0).then(|| backend.upload(noise(3, outer), outer));
        backend.read(&backend.linear(&x, &matrix, bias.as_ref())).await.unwrap()
    }
    let Some(gpu) = adapter("products_of_every_shape_equal_the_cpu").await else { return };
    for shape in SHAPES {
        let got = product(&gpu, shape).await;
        let want = product(&Cpu, shape).await;
        assert_product(&got, &want, shape[1], 2e-6, &format!("{shape:?}"));
    }
}

#[pollster::test]
async fn what_follows_a_product_equals_the_cpu() {
    async fn results<B: Backend>(backend: &B, rows: usize) -> Vec<Vec<f32>> {
        let inner = 36;
        let outer = 70;
        let tensor = |seed, columns| backend.upload(noise(seed, rows * columns), columns);
        let x = tensor(1, inner);
        let times = tensor(2, outer);
        let plus = tensor(3, outer);
        let matrix = backend.matrix(&noise(4, inner * outer), inner, outer, Order::OuterInner);
        let bias = backend.upload(noise(5, outer), outer);
        let all = [Activation::Relu, Activation::Gelu, Activation::GeluTanh, Activation::Silu];
        let mut found = Vec::new();
        for activation in all.map(Some).into_iter().chain([None]) {
            for (times, plus) in
                [(Some(&times), None), (None, Some(&plus)), (Some(&times), Some(&plus))]
            {
                let then = Epilogue { activation, times, plus };
                let out = backend.linear_epilogue(&x, &matrix, Some(&bias), &then);
                found.push(backend.read(&out).await.unwrap());
            }
        }
        found
    }
    let Some(gpu) = adapter("what_follows_a_product_equals_the_cpu").await else { return };
    for rows in [1, 7, 19] {
        let wanted = results(&Cpu, rows).await;
        for (i, (got, want)) in results(&gpu, rows).await.iter().zip(&wanted).enumerate() {
            assert_close(got, want, &format!("{rows} rows, combination {i}"));
        }
    }
}

#[pollster::test]
async fn tables_in_parts_give_the_same_bits() {
    /// Lookups and products of 203 entries by 30 numbers.
    async fn results<B: Backend>(backend: &B) -> Vec<Vec<f32>> {
        let inner = 30;
        let outer = 203;
        let table = backend.matrix(&noise(7, inner * outer), inner, outer, Order::OuterInner);
        let bias = backend.upload(noise(8, outer), outer);
        let mut found = vec![backend.embed(&table, &[0, 202, 77, 31, 32, 31], 1.5)];
        for rows in [2, 20] {
            let x = backend.upload(noise(9, rows * inner), inner);
            let logits = backend.linear(&x, &table, Some(&bias));
            found.extend([backend.top_k(&logits, 5), logits]);
        }
        let mut read = Vec::new();
        for tensor in found {
            read.push(backend.read(&tensor).await.unwrap());
        }
        read
    }
    let test = "tables_in_parts_give_the_same_bits";
    let Some(whole) = adapter(test).await else { return };
    // 32 entries in a part, so that there are seven.
    let opening = Opening { largest_part: Some(32 * 32 * 4), ..Opening::default() };
    let Some(parts) = adapter_as(test, opening).await else { return };
    let of_parts = results(&parts).await;
    let of_whole = results(&whole).await;
    for (i, (got, want)) in of_parts.iter().zip(&of_whole).enumerate() {
        support::assert_same_bits(got, want, &format!("result {i}"));
    }
    for (i, (got, want)) in of_parts.iter().zip(&results(&Cpu).await).enumerate() {
        assert_close(got, want, &format!("result {i}, beside the CPU"));
    }
    let reference = &support::families()[0];
    let cut = reference.load(parts);
    let plain = reference.load(whole);
    let case = &reference.cases()[0];
    let sent = request(case, plain.info().architecture);
    let got = finished(&cut, &sent, None).await;
    let want = finished(&plain, &sent, None).await;
    let wanted = everything(&plain, &want).await;
    for ((name, got), (_, want)) in everything(&cut, &got).await.into_iter().zip(wanted) {
        support::assert_same_bits(&got.into_data(), &want.into_data(), &name);
    }
}

/// Rows of a file for `outer` columns of `inner` numbers, and the numbers.
fn stored_rows(format: Format, inner: usize, outer: usize) -> Vec<u8> {
    let bits = |at: usize| (at as u32).wrapping_mul(2_654_435_761).rotate_left(9);
    match format {
        // Of both signs, and one in four subnormal.
        Format::F16 => (0..inner * outer)
            .map(|at| bits(at) as u16 & if at % 4 == 0 { 0x83ff } else { 0xbbff })
            .flat_map(u16::to_le_bytes)
            .collect(),
        Format::Bf16 => noise(6, inner * outer)
            .into_iter()
            .flat_map(|x| x.to_le_bytes().split_at(2).1.to_vec())
            .collect(),
        _ => {
            let [numbers, bytes] = format.block();
            let block = |at: usize| {
                // The factor: a half up to 1, every third subnormal.
                let factor = bits(at) as u16 & if at.is_multiple_of(3) { 0x03ff } else { 0x3bff };
                let rest = (2..bytes).map(move |i| bits(at * bytes + i) as u8);
                factor.to_le_bytes().into_iter().chain(rest)
            };
            (0..outer * inner.div_ceil(numbers)).flat_map(block).collect()
        }
    }
}

/// Weights of 16 bits and blocks of bytes are sent as they are, and every number of them is that of
/// the file; another format is widened.
#[pollster::test]
async fn weights_are_held_as_their_file_has_them() {
    let test = "weights_are_held_as_their_file_has_them";
    let Some(whole) = adapter(test).await else { return };
    let opening = Opening { largest_part: Some(4096), ..Opening::default() };
    let Some(cut) = adapter_as(test, opening).await else { return };
    let cases = [
        (Format::F16, 24, 2 * 24),
        (Format::F16, 7, 2 * 8),
        (Format::Bf16, 30, 2 * 32),
        (Format::Q8_0, 96, 96 + 8),
        (Format::Q8_0, 64, 64 + 4),
        (Format::Q4_0, 32, 4 * 32),
    ];
    for (format, inner, row_bytes) in cases {
        let outer = 150;
        let what = format!("{format:?} of {inner}");
        let bytes = stored_rows(format, inner, outer);
        let widened = widened(format, inner, &bytes);
        for gpu in [&whole, &cut] {
            let mut pieces = bytes.chunks(64 * format.row_bytes(inner)).map(|rows| Ok(rows.into()));
            let before = gpu.counts().sent_bytes;
            let matrix = gpu.stored_matrix(format, [inner, outer], &mut pieces).unwrap();
            assert_eq!(gpu.counts().sent_bytes - before, (outer * row_bytes) as u64, "{what}");
            let all: Vec<u32> = (0..outer as u32).collect();
            let read = gpu.read(&gpu.embed(&matrix, &all, 1.0)).await.unwrap();
            support::assert_same_bits(&read, &widened, &what);
            let on_cpu = Cpu.matrix(&widened, inner, outer, Order::OuterInner);
            for rows in [1, 7, 40] {
                let x = noise(1, rows * inner);
                let got = gpu.linear(&gpu.upload(x.clone(), inner), &matrix, None);
                let want = Cpu.linear(&Cpu.upload(x, inner), &on_cpu, None);
                let got = gpu.read(&got).await.unwrap();
                let largest = widened.iter().fold(1.0, |most: f32, x| most.max(x.abs()));
                let scale = |numbers: Vec<f32>| -> Vec<f32> {
                    numbers.into_iter().map(|x| x / largest).collect()
                };
                let want = scale(Cpu.read(&want).await.unwrap());
                assert_product(&scale(got), &want, inner, 2e-6, &what);
            }
        }
    }
}

/// Three maps of the same rows and the two of a gated network are one kernel each, with the numbers
/// of separate products; what they wrote grows apart.
#[pollster::test]
async fn maps_of_the_same_rows_are_one_kernel() {
    async fn results<B: Backend>(backend: &B, rows: usize, inner: usize) -> Vec<Vec<f32>> {
        let matrix = |seed, outer| {
            backend.matrix(&noise(seed, inner * outer), inner, outer, Order::OuterInner)
        };
        let x = backend.upload(noise(1, rows * inner), inner);
        let [query, key, value] =
            [(2, 70), (3, 35), (4, 35)].map(|(seed, outer)| matrix(seed, outer));
        let [gate, factor] = [5, 6].map(|seed| matrix(seed, 37));
        let [of_query, of_value, of_gate] =
            [(7, 70), (8, 35), (9, 37)].map(|(seed, n)| backend.upload(noise(seed, n), n));
        let maps = [(&query, Some(&of_query)), (&key, None), (&value, Some(&of_value))];
        let [query, mut key, value] = backend.linear_three(&x, maps);
        backend.append(&mut key, &value);
        let maps = [(&gate, Some(&of_gate)), (&factor, None)];
        let gated = backend.gated(&x, maps, Activation::Silu);
        let mut read = Vec::new();
        for tensor in [query, key, value, gated] {
            read.push(backend.read(&tensor).await.unwrap());
        }
        read
    }
    let test = "maps_of_the_same_rows_are_one_kernel";
    let Some(gpu) = adapter(test).await else { return };
    for (rows, inner) in [(1, 33), (6, 64), (9, 33), (2000, 64)] {
        let before = gpu.counts().kernels;
        let got = results(&gpu, rows, inner).await;
        assert_eq!(gpu.counts().kernels - before, 2, "{rows} rows");
        for (i, (got, want)) in got.iter().zip(results(&Cpu, rows, inner).await).enumerate() {
            assert_product(got, &want, inner, 4e-6, &format!("{rows} × {inner}, result {i}"));
        }
    }
}

#[pollster::test]
async fn ranks_of_a_large_vocabulary_equal_the_cpu() {
    let Some(gpu) = adapter("ranks_of_a_large_vocabulary_equal_the_cpu").await else { return };
    let n = 50_257;
    let mut rows = noise(4, 5 * n);
    for x in &mut rows {
        *x = (*x * 1000.0).round() / 50.0;
    }
    let nan = f32::NAN;
    let infinity = f32::INFINITY;
    // Row 1: infinities of both signs and NaN among numbers; row 2: NaN and one number; row 3:
    // nothing but minus infinity; row 4: nothing but NaN.
    rows[n] = nan;
    rows[n + 5] = infinity;
    rows[n + 40_000] = infinity;
    rows[n + 12] = -infinity;
    rows[2 * n..3 * n].fill(nan);
    rows[2 * n + 50_256] = 1.0;
    rows[2 * n + 50_255] = -infinity;
    rows[3 * n..4 * n].fill(-infinity);
    rows[4 * n..].fill(nan);
    for k in [1, 10] {
        let got = gpu.read(&gpu.top_k(&gpu.upload(rows.clone(), n), k)).await.unwrap();
        let want = Cpu.read(&Cpu.top_k(&Cpu.upload(rows.clone(), n), k)).await.unwrap();
        for (row, (got, want)) in got.chunks(2 * k).zip(want.chunks(2 * k)).enumerate() {
            assert_eq!(got[..k], want[..k], "the indices of row {row}, {k} of them");
            let is_same = |(got, want): (&f32, &f32)| got == want || got.is_nan() && want.is_nan();
            let values = got[k..].iter().zip(&want[k..]);
            assert!(values.clone().all(is_same), "the values of row {row}, {k} of them");
        }
    }
}

/// What is asked of the device from one count to the next.
fn between(before: Counts, after: Counts) -> Counts {
    Counts {
        submissions: after.submissions - before.submissions,
        kernels: after.kernels - before.kernels,
        buffers: after.buffers - before.buffers,
        sent_bytes: after.sent_bytes - before.sent_bytes,
        read_bytes: after.read_bytes - before.read_bytes,
        ..after
    }
}

/// Kernels of a run of each of the families: what follows a product, and what a norm adds up, are
/// none of their own. Two for each stack tell whether its output is finite.
const MOST_KERNELS: [usize; 4] = [55, 28, 26, 31];
/// Bytes that a run of each of the families sends: ids, places, who may look at whom and records of
/// heads, and not one row of a weight.
const MOST_SENT: [u64; 4] = [988, 524, 352, 436];

/// Whole runs of the four families: commands are handed over a few times, weights went there with
/// the model, and an equal run finds all the buffers it needs.
#[pollster::test]
async fn a_run_is_handed_over_in_few_pieces_and_makes_no_buffer_twice() {
    let test = "a_run_is_handed_over_in_few_pieces_and_makes_no_buffer_twice";
    let most = MOST_KERNELS.into_iter().zip(MOST_SENT);
    for (reference, (most_kernels, most_sent)) in support::families().into_iter().zip(most) {
        let Some(gpu) = adapter(test).await else { return };
        let session = reference.load(gpu.clone());
        let weights = SafeTensors::deserialize(reference.checkpoint).unwrap();
        let n_bytes: usize = weights.iter().map(|(_, weight)| weight.data().len()).sum();
        let loaded = gpu.counts().sent_bytes;
        assert!(loaded >= n_bytes as u64, "{}: {loaded} bytes of {n_bytes}", reference.name);
        let sent = request(&reference.cases()[0], session.info().architecture);
        let mut taken = Vec::new();
        let mut n_written = 0;
        for _ in 0..3 {
            let before = gpu.counts();
            let run = finished(&session, &sent, None).await;
            let hidden =
                ["encoder", "decoder"].into_iter().find_map(|stack| run.hidden(stack, 0).ok());
            hidden.unwrap().await.unwrap();
            taken.push(between(before, gpu.counts()));
            n_written = run.target_ids().len();
        }
        println!("{}: {taken:?}", reference.name);
        for taken in &taken {
            let kernels = taken.kernels;
            assert!((11..=most_kernels).contains(&kernels), "{}: {taken:?}", reference.name);
            assert!(taken.sent_bytes <= most_sent, "{}: {taken:?}", reference.name);
        }
        // A piece for every word that is written, which is read, for every 256 commands, and for
        // what tells whether the run is finite.
        let most = 2 * n_written + 2 + taken[0].kernels / 100;
        assert!(taken[0].submissions <= most, "{}: {taken:?}, not {most}", reference.name);
        assert_eq!(taken[1].buffers + taken[2].buffers, 0, "{}: {taken:?}", reference.name);
    }
}

/// A block's kernels: norms, the products of queries, keys and values, rotations, attention, and
/// the products of the output and of the network.
const OF_A_BLOCK: [(&str, usize); 3] = [("bert-tiny", 7), ("gpt2-tiny", 7), ("llama-tiny", 9)];

#[pollster::test]
async fn a_block_is_few_kernels() {
    let test = "a_block_is_few_kernels";
    let opening = Opening { is_logged: true, ..Opening::default() };
    let Some(gpu) = adapter_as(test, opening).await else { return };
    for (name, most) in OF_A_BLOCK {
        let families = support::families();
        let reference = families.iter().find(|one| one.name == name).unwrap();
        let session = reference.load(gpu.clone());
        gpu.dispatches();
        let ids = vec![1., 2., 3., 4.];
        let run = session.begin(&RunRequest { ids, ..RunRequest::default() }, None).unwrap();
        run.finish().await.unwrap();
        let names: Vec<_> = gpu.dispatches().iter().map(|one| one.name).collect();
        let mut attention = (0..names.len()).filter(|&at| names[at] == "attend");
        let [first, second] = [(); 2].map(|()| attention.next().unwrap());
        assert_eq!(second - first, most, "{name}: {:?}", &names[first..second]);
    }
}

/// A long run hands over no more than is soon computed, so that it can be stopped, and says how far
/// it is when it is there.
#[pollster::test]
async fn a_long_run_waits_for_what_it_handed_over() {
    let test = "a_long_run_waits_for_what_it_handed_over";
    let opening = Opening { most_products: Some(20_000), ..Opening::default() };
    let Some(gpu) = adapter_as(test, opening).await else { return };
    let session = reference!("gpt2-tiny").load(gpu.clone());
    let ids: Vec<f64> = (0..100).map(|i| f64::from(i % 40)).collect();
    let edits = json!({"positions": [{"scheme": "sinusoidal"}]});
    let run = session.begin(&support::under(&session, &ids, &edits), None).unwrap();
    let mut steps = 0;
    let mut most = 0;
    loop {
        let before = gpu.counts().submissions;
        let report = run.step().await.unwrap();
        let pieces = gpu.counts().submissions - before;
        steps += 1;
        most = most.max(gpu.backlog());
        assert!(gpu.backlog() <= pieces + 2, "{} of {pieces} new ones wait", gpu.backlog());
        if report.finished {
            break;
        }
    }
    let handed_over = gpu.counts().submissions;
    assert!(handed_over > 2 * most, "{steps} steps, {handed_over} pieces, up to {most} waited");
}

/// A word that is written brings back its logits, which the settings of generation change, and
/// nothing else, and sends its id and what it may look at: the keys and values of the words before
/// it stay where they are.
#[pollster::test]
async fn a_written_word_brings_back_its_logits_alone() {
    let test = "a_written_word_brings_back_its_logits_alone";
    for reference in [reference!("gpt2-tiny"), reference!("marian-tiny"), reference!("llama-tiny")]
    {
        let Some(gpu) = adapter(test).await else { return };
        let session = reference.load(gpu.clone());
        let mut taken = Vec::new();
        for words in [2, 8] {
            let generate = Some(GenerateRequest {
                max_new_tokens: Some(f64::from(words)),
                ..GenerateRequest::default()
            });
            let sent = RunRequest { ids: vec![29., 57., 27., 16.], generate, ..Default::default() };
            let before = gpu.counts();
            let report = session.begin(&sent, None).unwrap().finish().await.unwrap();
            taken.push((report.generated.len(), between(before, gpu.counts())));
        }
        let [(few, first), (many, last)] = taken[..] else { unreachable!("two texts") };
        assert!(many > few, "{}: no more words: {taken:?}", reference.name);
        let words = (many - few) as u64;
        let [back, sent] = [last.read_bytes - first.read_bytes, last.sent_bytes - first.sent_bytes];
        println!("{}: {words} words, {back} bytes back, {sent} bytes sent", reference.name);
        // The logits; an id and a number of the row, which tell whether it is finite.
        let vocabulary = session.info().vocab_size as u64;
        assert_eq!(back, words * (4 * vocabulary + 2 * 4), "{}", reference.name);
        // Its id, its place, and by site the record of the heads and a row of the mask.
        assert!(sent <= words * 1024, "{}: {sent} bytes for {words} words", reference.name);
    }
}

/// Numbers that are written from this side while earlier commands wait are not seen by those.
#[pollster::test]
async fn memory_that_is_used_again_keeps_its_order() {
    let Some(gpu) = adapter("memory_that_is_used_again_keeps_its_order").await else { return };
    let columns = 64;
    let mut kept = Vec::new();
    for round in 0..600 {
        let x = gpu.upload(numbers(round, columns), columns);
        kept.push(gpu.add(&x, &gpu.upload(numbers(round + 7, columns), columns)));
        // Half of them go at once, so that their memory is used again.
        if round % 2 == 0 {
            kept.pop();
        }
    }
    for (kept, round) in kept.iter().zip((1..600).step_by(2)) {
        let pairs = numbers(round, columns).into_iter().zip(numbers(round + 7, columns));
        let want: Vec<f32> = pairs.map(|(a, b)| a + b).collect();
        support::assert_same_bits(&gpu.read(kept).await.unwrap(), &want, &format!("round {round}"));
    }
}
