//! Pictures of a head: the rows, the margins and the colours that the GPU makes are those of the
//! numbers that the CPU computes.

use std::ops::Range;

use headscope::backend::webgpu::Opening;
use headscope::backend::{Colours, Cpu, Joining};
use headscope::error::Code;
use headscope::run::{Painted, PictureAsked};
use headscope::session::{RunHandle, Session};

use super::support::{Reference, assert_close, finished, of_ids};
use super::{WebGpu, adapter, adapter_as, assert_close_where_open};
use crate::reference;

const STAGES: [&str; 4] = ["raw", "scores", "masked", "weights"];
/// What lies below was forbidden, as the page has it.
const LEAST_SCORE: f32 = -1e8;

/// Sinusoids in place of a table that ends after some tokens, cells that are blocked, a row without
/// a key, and −10⁹ for −∞ in the second head.
const EDITS: &str = r#"{"positions":[{"scheme":"sinusoidal"}],
    "masks":[{"block":[[2,1],[3,0],[3,1],[3,2],[3,3]]},{"heads":[1],"fill":"-1e9"}]}"#;

async fn both(gpu: WebGpu, reference: &Reference, n: usize) -> (RunHandle<WebGpu>, RunHandle<Cpu>) {
    async fn run<B: headscope::backend::Backend>(session: Session<B>, n: usize) -> RunHandle<B> {
        let ids: Vec<f64> = (0..n).map(|i| ((i * 7 + 3) % 40) as f64).collect();
        finished(&session, &of_ids(&session, &ids, &[], Some(EDITS)), None).await
    }
    (run(reference.load(gpu), n).await, run(reference.load(Cpu), n).await)
}

/// A ramp of which every entry is another colour, none transparent.
fn ramp() -> Vec<u8> {
    (0..=255).flat_map(|step: u8| [step, 255 - step, step / 2, 255]).collect()
}

fn asked(signed: bool, most: usize) -> PictureAsked {
    PictureAsked { colours: Colours { ramp: ramp(), signed }, joining: None, part: None, most }
}

/// The entry of the ramp that a number has, as `rampStep` of `www/draw/scale.ts`; `None` where it
/// has no colour.
fn step(number: f32, (least, largest): (f32, f32), signed: bool) -> Option<u8> {
    if !number.is_finite() || number < LEAST_SCORE {
        return None;
    }
    let reach = f64::from(least.abs().max(largest.abs()));
    let (low, high) = if signed { (-reach, reach) } else { (0.0, f64::from(largest)) };
    if high <= low {
        return Some(if signed { 128 } else { 0 });
    }
    let step = ((f64::from(number) - low) / (high - low) * 255.0 + 0.5).floor();
    #[expect(clippy::cast_sign_loss, reason = "clamped to be at least 0")]
    Some(step.clamp(0.0, 255.0) as u8)
}

/// Panics unless a pixel has the colour of an entry, or of the one beside it.
fn assert_colour(pixel: &[u8], want: Option<u8>, what: &str) {
    match want {
        None => assert_eq!(pixel, [0; 4], "{what} has no colour"),
        Some(step) => {
            assert_eq!(pixel[3], 255, "{what}");
            assert_eq!(pixel[1], 255 - pixel[0], "{what}: a colour of another ramp");
            assert!(pixel[0].abs_diff(step) <= 1, "{what}: entry {}, not {step}", pixel[0]);
        }
    }
}

/// The number farthest from 0 of those that have a colour.
fn farthest(cells: impl Iterator<Item = f32>) -> f32 {
    cells
        .filter(|x| x.is_finite() && *x >= LEAST_SCORE)
        .fold(f32::NAN, |far, x| if far.is_nan() || x.abs() > far.abs() { x } else { far })
}

#[pollster::test]
async fn rows_and_margins_are_the_cpus() {
    let Some(gpu) = adapter("rows_and_margins_are_the_cpus").await else { return };
    for (n, stack) in [(9, "decoder"), (130, "decoder")] {
        let (got, want) = both(gpu.clone(), &reference!("gpt2-tiny"), n).await;
        let n = got.ids().len();
        for (head, stage) in [0, 1].map(|head| STAGES.map(|stage| (head, stage))).concat() {
            let what = format!("head {head}, {stage}, {n} tokens");
            let of = (stack, 1, head);
            let rows = Some(n / 3..n / 3 + 2);
            let read = got.attention(of, stage, rows.clone()).unwrap().await.unwrap();
            assert_eq!(read.shape(), [2, n], "{what}");
            let whole = want.attention(of, stage, None).unwrap().await.unwrap().into_data();
            let some = &whole[n / 3 * n..(n / 3 + 2) * n];
            assert_close_where_open(&read.into_data(), some, &what);

            let margins = got.marginals(stack, 1, head, stage).unwrap().await.unwrap();
            let wanted = want.marginals(stack, 1, head, stage).unwrap().await.unwrap();
            let narrow = |sums: &[f64]| sums.iter().map(|&x| x as f32).collect::<Vec<_>>();
            assert_close(&narrow(&margins.queries), &narrow(&wanted.queries), &what);
            assert_close(&narrow(&margins.keys), &narrow(&wanted.keys), &what);
            let extent = [wanted.least, wanted.largest];
            assert_close(&[margins.least, margins.largest], &extent, &what);
            assert_eq!(margins.forbidden, wanted.forbidden, "{what}");
        }
    }
}

#[pollster::test]
async fn pixels_have_the_colours_of_the_numbers() {
    let Some(gpu) = adapter("pixels_have_the_colours_of_the_numbers").await else { return };
    let (got, want) = both(gpu, &reference!("gpt2-tiny"), 70).await;
    let n = got.ids().len();
    for (head, stage) in [0, 1].map(|head| STAGES.map(|stage| (head, stage))).concat() {
        let signed = stage != "weights";
        let numbers =
            want.attention(("decoder", 1, head), stage, None).unwrap().await.unwrap().into_data();
        let paint = async |asked: PictureAsked| -> Painted {
            got.painted(("decoder", 1, head), stage, asked).unwrap().unwrap().await.unwrap()
        };
        let whole = paint(asked(signed, 4096)).await;
        assert_eq!(whole.shape, [n, n]);
        let extent = (whole.marginals.least, whole.marginals.largest);
        for (at, (pixel, &number)) in whole.pixels.chunks_exact(4).zip(&numbers).enumerate() {
            assert_colour(pixel, step(number, extent, signed), &format!("{stage} {at}"));
        }
        // A part of it, on the scale of all of it.
        let (queries, keys) = (5..19, 2..40);
        let part = Some([queries.clone(), keys.clone()]);
        let part = paint(PictureAsked { part, ..asked(signed, 4096) }).await;
        assert_eq!(part.shape, [queries.len(), keys.len()]);
        for (row, query) in queries.enumerate() {
            let from = (query * n + keys.start) * 4..(query * n + keys.end) * 4;
            let pixels = &part.pixels[row * keys.len() * 4..][..keys.len() * 4];
            assert_eq!(pixels, &whole.pixels[from], "{stage}: row {query} of a part");
        }
        // Reduced: what is read back follows from the pixels, not from the cells.
        let small = paint(asked(signed, 16)).await;
        assert_eq!((small.shape, small.pixels.len()), ([16, 16], 16 * 16 * 4));
        for (at, pixel) in small.pixels.chunks_exact(4).enumerate() {
            let covered = |at: usize| at * n / 16..(at + 1) * n / 16;
            let cells = covered(at / 16)
                .flat_map(|row| covered(at % 16).map(move |column| row * n + column))
                .map(|cell| numbers[cell]);
            let far = farthest(cells);
            // Two as far on both sides of 0 may be told apart by rounding alone.
            let want = step(far, extent, signed);
            let other = step(-far, extent, signed);
            let is_other = signed && other.is_some_and(|step| pixel[0].abs_diff(step) <= 1);
            if !is_other {
                assert_colour(pixel, want, &format!("{stage} {at}, reduced"));
            }
        }
    }
}

/// What a picture of groups shows of weights, by the definition of [`Joining`], in f64.
fn joined(weights: &[f32], n_keys: usize, joining: &Joining) -> Vec<f32> {
    let at = |query: usize, key: usize| f64::from(weights[query * n_keys + key]);
    let row = |queries: &Vec<usize>| {
        let all = |keys: &mut dyn Iterator<Item = usize>| -> f64 {
            keys.map(|key| queries.iter().map(|&query| at(query, key)).sum::<f64>()).sum()
        };
        let whole = match joining.without {
            Some(without) => all(&mut (0..n_keys).filter(|&key| key != without)),
            None => queries.len() as f64,
        };
        let mean = |sum: f64| if whole == 0.0 { 0.0 } else { (sum / whole) as f32 };
        let cells = joining.columns.iter().map(|keys| mean(all(&mut keys.iter().copied())));
        cells.collect::<Vec<_>>()
    };
    joining.rows.iter().flat_map(row).collect()
}

#[pollster::test]
async fn groups_of_tokens_are_joined_before_they_are_painted() {
    let Some(gpu) = adapter("groups_of_tokens_are_joined_before_they_are_painted").await else {
        return;
    };
    let (got, want) = both(gpu, &reference!("gpt2-tiny"), 70).await;
    let n = got.ids().len();
    let of = ("decoder", 1, 0);
    let weights = want.attention(of, "weights", None).unwrap().await.unwrap().into_data();
    // Words of one to three tokens, the first and the last token left out; some of them alone.
    let words =
        |from: usize| (from..n - 1).step_by(3).map(|at| (at..(at + 3).min(n - 1)).collect());
    let (words, others): (Vec<Vec<usize>>, Vec<Vec<usize>>) =
        (words(1).collect(), words(2).collect());
    let singles: Vec<Vec<usize>> = (1..n).map(|at| vec![at]).collect();
    for (rows, columns, without) in [
        (&words, &others, None),
        (&words, &others, Some(0)),
        (&singles, &singles, None),
        (&singles, &words, Some(0)),
        (&vec![vec![9, 2, 40]], &singles, None),
        // So many in a group that a workgroup adds them up.
        (&vec![(0..n).collect()], &vec![(0..n).rev().collect()], None),
        (&words, &vec![(0..n).filter(|&key| key != 5).collect()], Some(5)),
        // Rows that have nothing left: one had no other choice, one has no weight at all.
        (&vec![vec![0], vec![3]], &singles, Some(0)),
        (&vec![vec![8, 3]], &singles, Some(0)),
    ] {
        let joining = Joining { rows: rows.clone(), columns: columns.clone(), without };
        let what = format!("{} × {} groups, without {without:?}", rows.len(), columns.len());
        let numbers = joined(&weights, n, &joining);
        let asked = PictureAsked { joining: Some(joining), ..asked(false, 4096) };
        let painted = got.painted(of, "weights", asked).unwrap().unwrap().await.unwrap();
        assert_eq!(painted.shape, [rows.len(), columns.len()], "{what}");
        let margins = &painted.marginals;
        let sums: Vec<f32> = numbers.chunks(columns.len()).map(|row| row.iter().sum()).collect();
        let narrow = |sums: &[f64]| sums.iter().map(|&x| x as f32).collect::<Vec<_>>();
        assert_close(&narrow(&margins.queries), &sums, &what);
        let sums: Vec<f32> = (0..columns.len())
            .map(|column| numbers.iter().skip(column).step_by(columns.len()).sum())
            .collect();
        assert_close(&narrow(&margins.keys), &sums, &what);
        let largest = numbers.iter().copied().fold(0.0, f32::max);
        assert_close(&[margins.largest], &[largest], &what);
        for (at, (pixel, &number)) in painted.pixels.chunks_exact(4).zip(&numbers).enumerate() {
            let colour = step(number, (margins.least, margins.largest), false);
            assert_colour(pixel, colour, &format!("{what}: {at}"));
        }
    }
    // What is no weight is left as it is: a forbidden cell stays one.
    let masked = want.attention(of, "masked", None).unwrap().await.unwrap().into_data();
    let joining = Joining { rows: singles.clone(), columns: singles.clone(), without: None };
    let asked = PictureAsked { joining: Some(joining), ..asked(true, 4096) };
    let painted = got.painted(of, "masked", asked).unwrap().unwrap().await.unwrap();
    let extent = (painted.marginals.least, painted.marginals.largest);
    for (at, pixel) in painted.pixels.chunks_exact(4).enumerate() {
        let number = masked[(1 + at / (n - 1)) * n + 1 + at % (n - 1)];
        assert_colour(pixel, step(number, extent, true), &format!("masked {at}"));
    }
    assert_eq!(
        painted.marginals.forbidden,
        (n - 1) * (n - 2) / 2 + 4,
        "the future, and four blocked cells"
    );
}

/// What is read back of a long text is its picture's size.
#[pollster::test]
async fn a_picture_costs_its_pixels_alone() {
    let Some(gpu) = adapter("a_picture_costs_its_pixels_alone").await else { return };
    let (run, _) = both(gpu.clone(), &reference!("gpt2-tiny"), 130).await;
    let read = async |most: usize| {
        let before = gpu.counts().read_bytes;
        let asked = asked(false, most);
        run.painted(("decoder", 0, 0), "weights", asked).unwrap().unwrap().await.unwrap();
        gpu.counts().read_bytes - before
    };
    let margins = (2 * 130 + 3) * 4;
    assert_eq!(read(16).await, margins + 16 * 16 * 4);
    assert_eq!(read(4096).await, margins + 130 * 130 * 4);
    let before = gpu.counts().read_bytes;
    run.attention(("decoder", 0, 0), "weights", Some(7..8)).unwrap().await.unwrap();
    assert_eq!(gpu.counts().read_bytes - before, 130 * 4, "a row alone");
}

#[pollster::test]
async fn what_cannot_be_painted_is_refused() {
    let test = "what_cannot_be_painted_is_refused";
    let opening = Opening { largest_part: Some(100 * 4), ..Opening::default() };
    let Some(gpu) = adapter_as(test, opening).await else { return };
    let (run, on_cpu) = both(gpu.clone(), &reference!("gpt2-tiny"), 10).await;
    let of = ("decoder", 0, 0);
    let code = |asked: PictureAsked| run.painted(of, "raw", asked).err().map(|error| error.code);
    assert_eq!(code(asked(true, 9)), None);
    assert_eq!(code(asked(true, 0)), Some(Code::SelectionBadSize));
    let mut short = asked(true, 9);
    short.colours.ramp.pop();
    assert_eq!(code(short), Some(Code::SelectionBadSize));
    for part in [[0..11, 0..1], [3..3, 0..1], [0..1, 10..11], [0..1, Range { start: 5, end: 2 }]] {
        let asked = PictureAsked { part: Some(part.clone()), ..asked(true, 9) };
        assert_eq!(code(asked), Some(Code::SelectionBadPosition), "{part:?}");
    }
    let groups = |rows: &[&[usize]], columns: &[&[usize]], without| {
        let [rows, columns] =
            [rows, columns].map(|groups| groups.iter().map(|group| group.to_vec()).collect());
        PictureAsked { joining: Some(Joining { rows, columns, without }), ..asked(true, 9) }
    };
    assert_eq!(code(groups(&[&[9]], &[&[0, 3]], Some(9))), None);
    for (asked, refusal) in [
        (groups(&[], &[&[0]], None), Code::SelectionBadSize),
        (groups(&[&[]], &[&[0]], None), Code::SelectionBadSize),
        (groups(&[&[0]], &[&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0]], None), Code::SelectionBadSize),
        (groups(&[&[10]], &[&[0]], None), Code::SelectionBadPosition),
        (groups(&[&[0]], &[&[usize::MAX]], None), Code::SelectionBadPosition),
        (groups(&[&[0]], &[&[0]], Some(10)), Code::SelectionBadPosition),
        (groups(&[&[0]], &[&[3, 0]], Some(0)), Code::SelectionBadPosition),
        (groups(&[&[0], &[0]], &[&[0]], None), Code::SelectionBadPosition),
        (groups(&[&[0]], &[&[2, 2]], None), Code::SelectionBadPosition),
    ] {
        assert_eq!(code(asked.clone()), Some(refusal), "{:?}", asked.joining);
    }
    assert!(on_cpu.painted(of, "raw", asked(true, 9)).unwrap().is_none(), "the CPU reads numbers");
    // Beyond the largest buffer there is no whole pattern, but there are its rows.
    let (long, _) = both(gpu, &reference!("gpt2-tiny"), 11).await;
    let refused = long.painted(of, "raw", asked(true, 9)).err().map(|error| error.code);
    assert_eq!(refused, Some(Code::SelectionTooLarge));
    let refused = long.marginals(of.0, 0, 0, "raw").err().map(|error| error.code);
    assert_eq!(refused, Some(Code::SelectionTooLarge));
    let row = long.attention(of, "raw", Some(10..11)).unwrap().await.unwrap();
    assert_eq!(row.shape(), [1, 11]);
}
