//! The workbench: the worked example to eight decimals, NumPy's answers within 1e-12, both
//! ways to project, where a plain softmax overflows, and numbers that cannot be used.

use headscope::demos::calculator::overflow::{OverflowAsked, overflow};
use headscope::demos::calculator::projection::{ProjectionAsked, ProjectionWay, projected};
use headscope::demos::calculator::table::Rows;
use headscope::demos::calculator::{Workbench, WorkbenchAsked, workbench};
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;

const REFERENCE: &str = include_str!("../reference/workbench.json");
const TOLERANCE: f64 = 1e-12;
const FORBIDDEN: f64 = f64::NEG_INFINITY;

/// Rows of a fixture; null is -∞.
fn rows(value: &Value) -> Rows {
    let number = |cell: &Value| cell.as_f64().unwrap_or(FORBIDDEN);
    let row = |row: &Value| row.as_array().unwrap().iter().map(number).collect();
    value.as_array().unwrap().iter().map(row).collect()
}

fn of<const N: usize, const M: usize>(numbers: [[f64; N]; M]) -> Rows {
    numbers.map(|row| row.to_vec()).to_vec()
}

fn close(got: &Rows, want: &Rows, tolerance: f64, what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
        let within = got == want || (got - want).abs() <= tolerance * want.abs().max(1.0);
        assert!(within, "{what}: {got} instead of {want}");
    }
}

/// Four words of three numbers, one head of width 3.
fn worked_example() -> WorkbenchAsked {
    WorkbenchAsked {
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

#[wasm_bindgen_test(unsupported = test)]
fn the_worked_example_comes_out_to_eight_decimals() {
    let Workbench { heads, joined, divisor, attention, .. } = workbench(&worked_example()).unwrap();
    assert_eq!(divisor, 3f64.sqrt());
    let raw = [[8., 2., 10., 2.], [4., 0., 4., 0.], [12., 2., 14., 2.], [10., 4., 14., 3.]];
    assert_eq!(heads[0].raw, of(raw));
    let outputs = [
        [0.985_220_25, 1.741_740_51, 0.756_520_26],
        [0.909_652_65, 1.409_652_65, 0.5],
        [0.998_512_26, 1.758_493_34, 0.759_981_08],
        [0.995_603_86, 1.904_073_09, 0.908_469_23],
    ];
    close(&joined, &of(outputs), 0.5e-8, "the output");
    // QKᵀ: 16 cells of 3 products; the context: 12 cells of 4.
    assert_eq!(attention.multiplications, 16 * 3 + 12 * 4);
    assert_eq!(attention.exponentials, 16);
    assert_eq!(attention.divisions, 16 + 16);
    assert_eq!(attention.additions, 16 * 2 + 16 + (16 + 4 * 3) + 12 * 3);
}

#[wasm_bindgen_test(unsupported = test)]
fn every_intermediate_equals_numpy() {
    let cases: Value = serde_json::from_str(REFERENCE).unwrap();
    for (name, case) in cases.as_object().unwrap() {
        let (asked, answer) = (&case["asked"], &case["answer"]);
        let got = workbench(&WorkbenchAsked {
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
                let open = head.tops[row] > FORBIDDEN;
                assert!((sum - if open { 1.0 } else { 0.0 }).abs() < TOLERANCE, "{name}: {sum}");
            }
        }
        assert_eq!(got.projections.different, 0, "{name}");
        assert_eq!(got.projections.wide, got.projections.split, "{name}");
        let (words, inner) = (rows(&asked["x"]).len(), rows(&asked["query"]).len());
        assert_eq!(got.projections.wide.multiplications, got.projections.compared * inner);
        assert_eq!(got.projections.compared % words, 0);
    }
}

#[wasm_bindgen_test(unsupported = test)]
fn a_row_that_may_look_nowhere_has_no_weights() {
    let mut asked = worked_example();
    asked.mask[1] = vec![FORBIDDEN; 4];
    let got = workbench(&asked).unwrap();
    assert_eq!(got.heads[0].weights[1], [0.0; 4]);
    assert_eq!(got.joined[1], [0.0; 3]);
    assert_eq!(got.heads[0].tops[1], FORBIDDEN);
    assert_eq!(got.heads[0].exponentials[1], [0.0; 4]);
}

#[wasm_bindgen_test(unsupported = test)]
fn both_ways_of_projecting_give_the_same_and_do_the_same() {
    let ask = |way: ProjectionWay, repeats: f64| {
        let (words, model_dim, width, n_heads) = (6.0, 10.0, 12.0, 4.0);
        projected(&ProjectionAsked { words, model_dim, width, n_heads, way, repeats }).unwrap()
    };
    let (wide, split) = (ask(ProjectionWay::Wide, 3.0), ask(ProjectionWay::Split, 0.0));
    assert_eq!(wide, split);
    assert_eq!(wide.operations.multiplications, 6 * 10 * 12);
    assert_eq!(wide.operations.additions, 6 * 9 * 12);
}

#[wasm_bindgen_test(unsupported = test)]
fn without_the_maximum_f32_overflows_and_with_it_nothing_does() {
    let asked =
        |times: f64| OverflowAsked { scores: of([[1.0, 2.0, FORBIDDEN], [0.5, -1.0, 0.0]]), times };
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
    assert_eq!(far.scores[0][2], FORBIDDEN);
    // Far below zero everything vanishes, and 0 is divided by 0.
    let under = OverflowAsked { scores: of([[-1.0, -2.0]]), times: 200.0 };
    let under = overflow(&under).unwrap();
    assert_eq!((under.plain_single.infinite, under.plain_single.not_numbers), (0, 2));
    assert_eq!(under.from_single, None);
    assert_eq!(overflow(&asked(0.0)).unwrap().scores[0][2], FORBIDDEN);
}

#[wasm_bindgen_test(unsupported = test)]
fn a_sum_of_finite_exponentials_may_be_infinite() {
    let ask = |row: [f64; 3], times: f64| {
        overflow(&OverflowAsked { scores: vec![row.to_vec(), vec![1.0; 3]], times }).unwrap()
    };
    for (score, largest) in [(88.4, f64::from(f32::MAX)), (709.5, f64::MAX)] {
        let got = ask([score, score, FORBIDDEN], 1.0);
        let single = score < 100.0;
        let way = if single { &got.plain_single } else { &got.plain_double };
        assert_eq!((way.infinite, way.infinite_sums, way.not_numbers), (0, 1, 0), "{score}");
        assert_eq!(way.weights[0], [0.0; 3], "finite numbers through infinity");
        assert_eq!(way.weights[1].iter().sum::<f64>().round(), 1.0);
        let from = if single { got.from_single } else { got.from_double }.unwrap();
        let expected = (largest.ln() - 2_f64.ln()) / score;
        assert!((from - expected).abs() < 1e-6, "{from}, not {expected}");
        for (times, sums) in [(from * (1.0 - 1e-6), 0), (from * (1.0 + 1e-6), 1)] {
            let got = ask([score, score, FORBIDDEN], times);
            let way = if single { got.plain_single } else { got.plain_double };
            assert_eq!((way.infinite, way.infinite_sums), (0, sums), "{score} × {times}");
        }
        assert_eq!((got.shifted_single.infinite_sums, got.shifted_double.infinite_sums), (0, 0));
    }
    // A lone score overflows by itself, and the row that breaks first is what counts.
    let alone = ask([2.0, FORBIDDEN, FORBIDDEN], 1.0);
    assert!((alone.from_single.unwrap() - f64::from(f32::MAX).ln() / 2.0).abs() < 1e-5);
    let scores = vec![vec![1.0, 1.0, 1.0], vec![1.0, 0.0, 0.0], vec![1.0, 1.0, -2.0]];
    let got = overflow(&OverflowAsked { scores, times: 1.0 }).unwrap();
    assert!((got.from_double.unwrap() - (f64::MAX.ln() - 3_f64.ln())).abs() < 1e-6);
}

/// What is refused, and the words that say why.
fn refusal(change: impl Fn(&mut WorkbenchAsked)) -> String {
    let mut asked = worked_example();
    change(&mut asked);
    let error = workbench(&asked).unwrap_err();
    assert_eq!(error.code.as_str(), "input/out-of-range");
    error.to_string()
}

#[wasm_bindgen_test(unsupported = test)]
fn what_does_not_go_together_is_refused_with_both_shapes() {
    let says = |sentence: &str, parts: &[&str]| {
        for part in parts {
            assert!(sentence.contains(part), "{part:?} is missing in: {sentence}");
        }
    };
    says(&refusal(|asked| asked.query = of([[1.0; 3]; 2])), &["W_Q", "3 rows", "4 × 3", "2 × 3"]);
    says(&refusal(|asked| asked.key = of([[1.0; 2]; 3])), &["W_K", "3 × 3", "3 × 2"]);
    says(&refusal(|asked| asked.output = Some(of([[1.0; 2]; 2]))), &["W_O", "3 × 3", "2 × 2"]);
    says(&refusal(|asked| asked.mask = of([[0.0; 3]; 3])), &["mask", "4 × 4", "3 × 3"]);
    says(&refusal(|asked| asked.n_heads = 2.0), &["W_Q", "2 heads", "3"]);
    let two_heads = |asked: &mut WorkbenchAsked| {
        (asked.query, asked.key) = (of([[1.0; 4]; 3]), of([[1.0; 4]; 3]));
        asked.n_heads = 2.0;
    };
    says(&refusal(two_heads), &["W_V", "2 heads", "3"]);
    says(&refusal(|asked| asked.x[2].push(1.0)), &["X", "row 3", "4"]);
    says(&refusal(|asked| asked.x[1][2] = f64::NAN), &["X", "NaN", "row 2", "column 3"]);
    says(&refusal(|asked| asked.x[1][2] = FORBIDDEN), &["X", "-inf"]);
    says(&refusal(|asked| asked.mask[0][0] = f64::INFINITY), &["mask", "inf"]);
    says(&refusal(|asked| asked.x.clear()), &["X", "0 × 0"]);
    says(&refusal(|asked| asked.x = vec![vec![]; 4]), &["X", "4 × 0"]);
    says(&refusal(|asked| asked.x = vec![vec![0.0; 3]; 10_000]), &["X", "10000 × 3"]);
    says(&refusal(|asked| asked.n_heads = f64::NAN), &["heads", "NaN"]);
    says(&refusal(|asked| asked.n_heads = 1e300), &["heads", "1e300"]);
    says(&refusal(|asked| asked.divisor = Some(0.0)), &["divided", "0"]);
    says(&refusal(|asked| asked.divisor = Some(f64::INFINITY)), &["divided", "inf"]);
    let mut large = worked_example();
    large.x[0][0] = 1e300;
    assert!(workbench(&large).is_ok(), "what overflows on the way is shown, not refused");
}

#[wasm_bindgen_test(unsupported = test)]
fn questions_that_would_take_too_long_are_refused() {
    let ask = |words: f64, repeats: f64| {
        let way = ProjectionWay::Wide;
        projected(&ProjectionAsked {
            words,
            model_dim: 512.0,
            width: 512.0,
            n_heads: 8.0,
            way,
            repeats,
        })
    };
    assert!(ask(1.0, 0.0).is_ok());
    for (words, repeats) in [(64.0, 1e9), (1e6, 1.0), (0.5, 1.0), (f64::NAN, 1.0), (4.0, -1.0)] {
        assert!(ask(words, repeats).is_err(), "{words} {repeats}");
    }
    let times = f64::NAN;
    assert!(overflow(&OverflowAsked { scores: of([[1.0]]), times }).is_err());
    assert!(overflow(&OverflowAsked { scores: Rows::new(), times: 1.0 }).is_err());
}
