//! The demos' computations equal NumPy's and PyTorch's: the calculator, sinusoidal tables and the
//! similarity of their rows, schemes of positions; and numbers that cannot be used are refused.

use headscope::demos::alibi::{AlibiAsked, alibi};
use headscope::demos::buckets::{BucketsAsked, buckets};
use headscope::demos::calculator::overflow::{OverflowAsked, overflow};
use headscope::demos::calculator::table::Rows;
use headscope::demos::calculator::{CalculationAsked, calculate};
use headscope::demos::four_terms::{FourTermsAsked, four_terms};
use headscope::demos::rotary::{RotaryAsked, rotary};
use headscope::demos::similarity::{SimilarityAsked, similarity};
use headscope::demos::waves::{WavesAsked, waves};
use serde::de::DeserializeOwned;
use serde_json::Value;

const CALCULATOR: &str = include_str!("../reference/calculator.json");
const TABLES: &str = include_str!("../reference/position-demos.json");
const SCHEMES: &str = include_str!("../reference/schemes.json");
const TOLERANCE: f64 = 1e-12;
const MASKED: f64 = f64::NEG_INFINITY;

/// A row of a fixture; null is no number there.
fn numbers(value: &Value, no_number: f64) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|cell| cell.as_f64().unwrap_or(no_number)).collect()
}

/// Rows of a fixture; null is -∞.
fn rows(value: &Value) -> Rows {
    value.as_array().unwrap().iter().map(|row| numbers(row, MASKED)).collect()
}

fn of<const N: usize, const M: usize>(numbers: [[f64; N]; M]) -> Rows {
    numbers.map(|row| row.to_vec()).to_vec()
}

fn near(got: &[f64], want: &[f64], tolerance: f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        let is_near = got == want || (got - want).abs() <= tolerance * want.abs().max(1.0);
        assert!(is_near || (got.is_nan() && want.is_nan()), "{what}[{at}]: {got}, not {want}");
    }
}

fn close(got: &Rows, want: &Rows, tolerance: f64, what: &str) {
    near(&got.concat(), &want.concat(), tolerance, what);
}

/// Four words of three numbers, one head of width 3.
fn worked_example() -> CalculationAsked {
    CalculationAsked {
        x: of([[1., 0., 0.], [0., 1., 0.], [1., 1., 0.], [0., 0., 1.]]),
        query: of([[2., 0., 2.], [2., 0., 0.], [2., 1., 2.]]),
        key: of([[2., 2., 2.], [0., 2., 1.], [0., 1., 1.]]),
        value: of([[1., 1., 0.], [0., 1., 1.], [0., 0., 0.]]),
        output: None,
        mask: of([[0.0; 4]; 4]),
        n_heads: 1.0,
        divisor: None,
    }
}

#[test]
fn operations_of_the_worked_example_are_counted() {
    let attention = calculate(&worked_example()).unwrap().attention;
    // QKᵀ: 16 cells of 3 products; the context: 12 cells of 4.
    assert_eq!(attention.multiplications, 16 * 3 + 12 * 4);
    assert_eq!(attention.exponentials, 16);
    assert_eq!(attention.divisions, 16 + 16);
    assert_eq!(attention.additions, 16 * 2 + 16 + (16 + 4 * 3) + 12 * 3);
}

#[test]
fn every_intermediate_equals_numpy() {
    let cases: Value = serde_json::from_str(CALCULATOR).unwrap();
    for (name, case) in cases.as_object().unwrap() {
        let asked = &case["asked"];
        let answer = &case["answer"];
        let got = calculate(&CalculationAsked {
            x: rows(&asked["x"]),
            query: rows(&asked["query"]),
            key: rows(&asked["key"]),
            value: rows(&asked["value"]),
            output: asked["output"].is_array().then(|| rows(&asked["output"])),
            mask: rows(&asked["mask"]),
            n_heads: asked["nHeads"].as_f64().unwrap(),
            divisor: asked["divisor"].as_f64(),
        })
        .unwrap();
        let check = |matrix: &Rows, part: &str| {
            close(matrix, &rows(&answer[part]), TOLERANCE, &format!("{name}: {part}"));
        };
        check(&got.query, "query");
        check(&got.key, "key");
        check(&got.value, "value");
        check(&got.joined, "joined");
        if let Some(output) = &got.output {
            check(output, "output");
        }
        for (index, head) in got.heads.iter().enumerate() {
            for (matrix, part) in
                [(&head.raw, "raw"), (&head.masked, "masked"), (&head.weights, "weights")]
            {
                let what = format!("{name}: {part} of head {index}");
                close(matrix, &rows(&answer[part][index]), TOLERANCE, &what);
            }
            for (row, weights) in head.weights.iter().enumerate() {
                let sum: f64 = weights.iter().sum();
                let open = head.tops[row] > MASKED;
                assert!((sum - if open { 1.0 } else { 0.0 }).abs() < TOLERANCE, "{name}: {sum}");
            }
        }
    }
}

#[test]
fn a_fully_masked_row_has_no_weights_there() {
    let mut asked = worked_example();
    asked.mask[1] = vec![MASKED; 4];
    let got = calculate(&asked).unwrap();
    assert_eq!(got.heads[0].weights[1], [0.0; 4]);
    assert_eq!(got.joined[1], [0.0; 3]);
    assert_eq!(got.heads[0].tops[1], MASKED);
    assert_eq!(got.heads[0].exponentials[1], [0.0; 4]);
}

#[test]
fn without_the_maximum_f32_overflows_and_with_it_nothing_does() {
    let asked =
        |times: f64| OverflowAsked { scores: of([[1.0, 2.0, MASKED], [0.5, -1.0, 0.0]]), times };
    let below = overflow(&asked(44.0)).unwrap();
    let beyond = overflow(&asked(45.0)).unwrap();
    assert!(below.from_single.unwrap() > 44.0 && below.from_single.unwrap() < 45.0);
    assert_eq!((below.plain_single.infinite, below.plain_single.not_numbers), (0, 0));
    assert_eq!((beyond.plain_single.infinite, beyond.plain_single.not_numbers), (1, 1));
    assert!(beyond.plain_single.weights[0][1].is_nan());
    assert_eq!(beyond.plain_single.weights[0][0], 0.0, "a finite number through infinity");
    assert_eq!((beyond.plain_double.infinite, beyond.plain_double.not_numbers), (0, 0));
    let far = overflow(&asked(400.0)).unwrap();
    assert_eq!((far.plain_double.infinite, far.plain_double.not_numbers), (1, 1));
    for one in [&below, &beyond, &far] {
        close(&one.shifted_single.weights, &one.shifted_double.weights, 1e-6, "f32");
        assert_eq!(one.shifted_single.not_numbers + one.shifted_double.not_numbers, 0);
    }
    assert_eq!(far.scores[0][2], MASKED);
    // Far below zero everything vanishes, and 0 is divided by 0.
    let under = OverflowAsked { scores: of([[-1.0, -2.0]]), times: 200.0 };
    let under = overflow(&under).unwrap();
    assert_eq!((under.plain_single.infinite, under.plain_single.not_numbers), (0, 2));
    assert_eq!(under.from_single, None);
    assert_eq!(overflow(&asked(0.0)).unwrap().scores[0][2], MASKED);
}

#[test]
fn a_sum_of_finite_exponentials_may_be_infinite() {
    let ask = |row: [f64; 3], times: f64| {
        overflow(&OverflowAsked { scores: vec![row.to_vec(), vec![1.0; 3]], times }).unwrap()
    };
    for (score, largest) in [(88.4, f64::from(f32::MAX)), (709.5, f64::MAX)] {
        let got = ask([score, score, MASKED], 1.0);
        let single = score < 100.0;
        let way = if single { &got.plain_single } else { &got.plain_double };
        assert_eq!((way.infinite, way.infinite_sums, way.not_numbers), (0, 1, 0), "{score}");
        assert_eq!(way.weights[0], [0.0; 3], "finite numbers through infinity");
        assert_eq!(way.weights[1].iter().sum::<f64>().round(), 1.0);
        let from = if single { got.from_single } else { got.from_double }.unwrap();
        let expected = (largest.ln() - 2_f64.ln()) / score;
        assert!((from - expected).abs() < 1e-6, "{from}, not {expected}");
        for (times, sums) in [(from * (1.0 - 1e-6), 0), (from * (1.0 + 1e-6), 1)] {
            let got = ask([score, score, MASKED], times);
            let way = if single { got.plain_single } else { got.plain_double };
            assert_eq!((way.infinite, way.infinite_sums), (0, sums), "{score} × {times}");
        }
        assert_eq!((got.shifted_single.infinite_sums, got.shifted_double.infinite_sums), (0, 0));
    }
    // A lone score overflows by itself, and the row that breaks first is what counts.
    let alone = ask([2.0, MASKED, MASKED], 1.0);
    assert!((alone.from_single.unwrap() - f64::from(f32::MAX).ln() / 2.0).abs() < 1e-5);
    let scores = vec![vec![1.0, 1.0, 1.0], vec![1.0, 0.0, 0.0], vec![1.0, 1.0, -2.0]];
    let got = overflow(&OverflowAsked { scores, times: 1.0 }).unwrap();
    assert!((got.from_double.unwrap() - (f64::MAX.ln() - 3_f64.ln())).abs() < 1e-6);
}

/// A change of the worked example.
type Change = fn(&mut CalculationAsked);

#[test]
fn what_does_not_go_together_is_refused_with_both_shapes() {
    let cases: [(Change, &[&str]); 17] = [
        (|asked| asked.query = of([[1.0; 3]; 2]), &["W_Q", "3 rows", "4 × 3", "2 × 3"]),
        (|asked| asked.key = of([[1.0; 2]; 3]), &["W_K", "3 × 3", "3 × 2"]),
        (|asked| asked.output = Some(of([[1.0; 2]; 2])), &["W_O", "3 × 3", "2 × 2"]),
        (|asked| asked.mask = of([[0.0; 3]; 3]), &["mask", "4 × 4", "3 × 3"]),
        (|asked| asked.n_heads = 2.0, &["W_Q", "2 heads", "3"]),
        (
            |asked| {
                (asked.query, asked.key) = (of([[1.0; 4]; 3]), of([[1.0; 4]; 3]));
                asked.n_heads = 2.0;
            },
            &["W_V", "2 heads", "3"],
        ),
        (|asked| asked.x[2].push(1.0), &["X", "row 3", "4"]),
        (|asked| asked.x[1][2] = f64::NAN, &["X", "NaN", "row 2", "column 3"]),
        (|asked| asked.x[1][2] = MASKED, &["X", "-inf"]),
        (|asked| asked.mask[0][0] = f64::INFINITY, &["mask", "inf"]),
        (|asked| asked.x.clear(), &["X", "0 × 0"]),
        (|asked| asked.x = vec![vec![]; 4], &["X", "4 × 0"]),
        (|asked| asked.x = vec![vec![0.0; 3]; 10_000], &["X", "10000 × 3"]),
        (|asked| asked.n_heads = f64::NAN, &["heads", "NaN"]),
        (|asked| asked.n_heads = 1e300, &["heads", "1e300"]),
        (|asked| asked.divisor = Some(0.0), &["divided", "0"]),
        (|asked| asked.divisor = Some(f64::INFINITY), &["divided", "inf"]),
    ];
    for (change, words) in cases {
        let mut asked = worked_example();
        change(&mut asked);
        let error = calculate(&asked).unwrap_err();
        assert_eq!(error.code.as_str(), "input/out-of-range");
        let sentence = error.to_string();
        assert!(words.iter().all(|word| sentence.contains(word)), "{words:?}: {sentence}");
    }
    let mut large = worked_example();
    large.x[0][0] = 1e300;
    assert!(calculate(&large).is_ok(), "what overflows on the way is shown, not refused");
}

#[test]
fn an_overflow_of_no_scores_or_no_factor_is_refused() {
    let times = f64::NAN;
    assert!(overflow(&OverflowAsked { scores: of([[1.0]]), times }).is_err());
    assert!(overflow(&OverflowAsked { scores: Rows::new(), times: 1.0 }).is_err());
}

fn tables(topic: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(TABLES).unwrap();
    let found = all[topic].as_array().unwrap().clone();
    assert!(!found.is_empty());
    found
}

#[test]
fn waves_are_those_of_pytorch() {
    for case in tables("waves") {
        let number = |name: &str| case[name].as_f64().unwrap();
        let length = number("length");
        let dim = number("dim");
        let base = number("base");
        let halves = case["halves"].as_bool();
        let got = waves(&WavesAsked { length, dim, base, halves }).unwrap();
        let what = format!("{length} × {dim}, base {base}, halves {halves:?}");
        near(&got.table, &numbers(&case["table"], f64::NAN), 1e-10, &what);
        near(&got.products, &numbers(&case["products"], f64::NAN), 1e-10, &what);
        let alike = similarity(&SimilarityAsked { table: got.table, dim }).unwrap();
        near(&alike.products_apart, &numbers(&case["productsApart"], f64::NAN), 1e-10, &what);
        // Of an odd width the last pair has no cosine, and the distance alone decides no more.
        let of_first = numbers(&case["products"], 0.0);
        let means = numbers(&case["productsApart"], 0.0);
        let same = of_first.iter().zip(means).all(|(one, mean)| (one - mean).abs() < 1e-10);
        assert_eq!(same, dim % 2.0 == 0.0, "{what}");
    }
}

#[test]
fn similarity_is_that_of_numpy() {
    for case in tables("similarity") {
        let dim = case["dim"].as_f64().unwrap();
        let got =
            similarity(&SimilarityAsked { table: numbers(&case["table"], f64::NAN), dim }).unwrap();
        near(&got.products, &numbers(&case["products"], f64::NAN), 1e-10, "products");
        near(&got.cosines, &numbers(&case["cosines"], f64::NAN), 1e-10, "cosines");
        near(
            &got.products_apart,
            &numbers(&case["productsApart"], f64::NAN),
            1e-10,
            "products by distance",
        );
        near(
            &got.cosines_apart,
            &numbers(&case["cosinesApart"], f64::NAN),
            1e-10,
            "cosines by distance",
        );
    }
}

/// The cases of a scheme: what was asked and what PyTorch says.
fn schemes<Asked: DeserializeOwned>(scheme: &str) -> Vec<(Asked, Value)> {
    let all: Value = serde_json::from_str(SCHEMES).unwrap();
    let cases = all[scheme].as_array().unwrap();
    assert!(cases.len() >= 3, "{scheme}");
    let case =
        |case: &Value| (serde_json::from_value(case["asked"].clone()).unwrap(), case.clone());
    cases.iter().map(case).collect()
}

/// Panics unless numbers in f32 or f64 are those of a fixture within 1e-5.
fn within<Got: Copy + Into<f64>>(got: &[Got], want: &Value, what: &str) {
    let got: Vec<f64> = got.iter().map(|&got| got.into()).collect();
    near(&got, &numbers(want, f64::NAN), 1e-5, what);
}

#[test]
fn vectors_are_rotated_as_in_pytorch() {
    for (asked, want) in schemes::<RotaryAsked>("rotary") {
        let got = rotary(&asked).unwrap();
        within(&got.speeds, &want["speeds"], "speeds");
        within(&got.here.query, &want["query"], "query");
        within(&got.here.key, &want["key"], "key");
        let scores = [got.here.score, got.shifted.score];
        let wanted = serde_json::json!([want["score"], want["shifted"]]);
        within(&scores, &wanted, "score");
        let reach = got.scores.len() as f64 / 2.0 - 0.5;
        let places = numbers(&want["distances"], f64::NAN);
        #[expect(clippy::cast_sign_loss, reason = "distances are within the reach")]
        let at = places.iter().map(|distance| got.scores[(reach + distance) as usize]);
        within(&at.collect::<Vec<f64>>(), &want["scores"], "scores by distance");
    }
}

#[test]
fn slopes_are_those_of_the_papers_code() {
    for (asked, want) in schemes::<AlibiAsked>("alibi") {
        let got = alibi(&asked).unwrap();
        within(&got.slopes, &want["slopes"], "slopes");
        within(&got.biases, &want["biases"], "biases");
    }
}

#[test]
fn buckets_are_those_of_t5() {
    for (asked, want) in schemes::<BucketsAsked>("buckets") {
        let got = buckets(&asked).unwrap();
        let matrix: Vec<f64> = got.matrix.iter().map(|&bucket| bucket as f64).collect();
        within(&matrix, &want["matrix"], "buckets of pairs");
        within(&got.bias, &want["bias"], "bias");
        let reach = want["reach"].as_i64().unwrap();
        let along = numbers(&want["along"], f64::NAN);
        let mut at = 0;
        assert_eq!(along.len(), 2 * usize::try_from(reach).unwrap() + 1);
        for (distance, &bucket) in (-reach..=reach).zip(&along) {
            while got.borders.get(at + 1).is_some_and(|next| i64::from(next.distance) <= distance) {
                at += 1;
            }
            assert_eq!(got.borders[at].bucket as f64, bucket, "{asked:?} at {distance}");
        }
    }
}

#[test]
fn the_four_terms_are_those_of_the_paper() {
    for (asked, want) in schemes::<FourTermsAsked>("fourTerms") {
        let got = four_terms(&asked).unwrap();
        let terms = want["terms"].as_array().unwrap();
        assert_eq!([got.terms.len(), terms.len()], [4, 4]);
        for (term, want) in got.terms.iter().zip(terms) {
            within(term, want, "a term");
        }
        within(&got.scores, &want["scores"], "scores");
    }
}
