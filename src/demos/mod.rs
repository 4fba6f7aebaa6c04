//! Demos without a model: a question with numbers that a user chose and its answer, in f64 except
//! where a model's f32 kernels compute it (rotary, the four terms). The page runs them in a
//! separate worker.
//!
//! Each demo is a set of pure functions with its question and its answer type; the list here is the
//! interface.

pub mod alibi;
pub mod buckets;
pub mod calculator;
pub mod four_terms;
pub mod rotary;
pub mod scores;
pub mod similarity;
pub mod waves;

use calculator::overflow;

use crate::error::{self, Code, Error, Result, shown};
use crate::question::{Leave, questions};

questions! {
    /// A question to one of the demos.
    DemoQuestion, answer [] (()) -> Out, through Leave::leave:

    /// Sinusoidal positional encoding.
    Waves(waves::WavesAsked) -> waves::Waves = |(), asked| waves::waves(&asked);
    /// The similarity of the rows of a position table.
    Similarity(similarity::SimilarityAsked) -> similarity::Similarity =
        |(), asked| similarity::similarity(&asked);
    /// Attention of numbers that the user supplies.
    Calculator(calculator::CalculationAsked) -> calculator::Calculation =
        |(), asked| calculator::calculate(&asked);
    /// Softmax with the maximum subtracted and without.
    Overflow(overflow::OverflowAsked) -> overflow::Overflow = |(), asked| overflow::overflow(&asked);
    /// Scores with and without their scale.
    Scores(scores::ScoresAsked) -> scores::Scores = |(), asked| scores::scores(&asked);
    /// Rotary position embedding (`RoPE`).
    Rotary(rotary::RotaryAsked) -> rotary::Rotary = |(), asked| rotary::rotary(&asked);
    /// The biases of `ALiBi`.
    Alibi(alibi::AlibiAsked) -> alibi::Alibi = |(), asked| alibi::alibi(&asked);
    /// T5's buckets.
    Buckets(buckets::BucketsAsked) -> buckets::Bucketed = |(), asked| buckets::buckets(&asked);
    /// Transformer-XL's four terms.
    FourTerms(four_terms::FourTermsAsked) -> four_terms::FourTerms =
        |(), asked| four_terms::four_terms(&asked);
}

/// A whole number in a range.
///
/// # Errors
/// `input/out-of-range` for any other number.
fn whole(what: &str, number: f64, least: usize, most: usize) -> Result<usize> {
    error::whole(number, least..=most).ok_or_else(|| {
        refused(what, format!("a whole number from {least} to {most}"), shown(number))
    })
}

/// An even number in a range.
///
/// # Errors
/// `input/out-of-range` for any other number.
fn even(what: &str, number: f64, least: usize, most: usize) -> Result<usize> {
    let found = whole(what, number, least, most)?;
    if found.is_multiple_of(2) {
        return Ok(found);
    }
    Err(refused(what, format!("an even number from {least} to {most}"), found.to_string()))
}

/// The error for a value that a demo cannot use.
fn refused(what: &str, expected: impl Into<String>, got: impl Into<String>) -> Error {
    Error::new(Code::InputOutOfRange, what, expected, got)
}

/// A seed of a request, a whole number of 32 bits.
fn seed(number: f64) -> Result<u64> {
    whole("the seed", number, 0, u32::MAX as usize).map(|seed| seed as u64)
}

/// The distance from key back to query; negative for a later key.
fn distance(query: usize, key: usize) -> i64 {
    let signed = |position: usize| i64::try_from(position).unwrap_or(i64::MAX);
    signed(query) - signed(key)
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    /// Any answer, for tests of what is refused.
    struct Answered;

    impl<T> Leave<Answered> for T {
        fn leave(self) -> Answered {
            Answered
        }
    }

    fn asked(question: &str) -> Result<Answered> {
        let mut fields: serde_json::Value = serde_json::from_str(question).unwrap();
        let what = fields.as_object_mut().and_then(|fields| fields.remove("what")).unwrap();
        DemoQuestion::read(what.as_str().unwrap(), fields).unwrap().answer(())
    }

    /// Questions that are answered, each with numbers below and above their ranges.
    const OUT_OF_RANGE: [(&str, &[&str]); 8] = [
        (
            r#"{"what":"waves","length":4,"dim":8,"base":10000}"#,
            &["length:0", "length:2.5", "dim:-1", "length:100000000", "base:0", "base:1e-310"],
        ),
        (
            r#"{"what":"similarity","table":[3,4,0,2],"dim":2}"#,
            &["table:[]", "dim:3", "dim:0", "dim:1.5", "dim:-1"],
        ),
        (
            r#"{"what":"overflow","scores":[[1,2],[3,4]],"times":2}"#,
            &["scores:[]", "scores:[[],[]]", "scores:[[1],[2,3]]"],
        ),
        (r#"{"what":"scores","dim":8,"seed":1}"#, &["dim:0", "dim:513", "dim:1.5", "seed:-1"]),
        (
            r#"{"what":"rotary","query":9,"key":4,"shift":100,"headDim":64,"base":10000,"seed":1,"alike":false}"#,
            &["query:128", "key:-1", "shift:0.5", "shift:1e300", "headDim:7", "headDim:0"],
        ),
        (
            r#"{"what":"alibi","heads":8,"length":4,"head":7}"#,
            &["heads:0", "heads:65", "length:129", "head:8"],
        ),
        (
            r#"{"what":"buckets","buckets":32,"maxDistance":128,"bothSides":true,"heads":4,"head":2,"length":12,"seed":1}"#,
            &["buckets:7", "buckets:2", "buckets:130", "maxDistance:16", "maxDistance:1e12"],
        ),
        (
            r#"{"what":"fourTerms","length":8,"dim":8,"seed":1}"#,
            &["length:0", "length:65", "dim:129", "seed:-1", "seed:0.5"],
        ),
    ];

    #[wasm_bindgen_test(unsupported = test)]
    fn numbers_out_of_range_are_refused() {
        for (question, bad) in OUT_OF_RANGE {
            assert!(asked(question).is_ok(), "{question}");
            for change in bad {
                let (field, value) = change.split_once(':').unwrap();
                let mut question: serde_json::Value = serde_json::from_str(question).unwrap();
                question[field] = serde_json::from_str(value).unwrap();
                let refused = asked(&question.to_string()).err().unwrap();
                assert_eq!(refused.code.as_str(), "input/out-of-range", "{question}");
            }
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn every_demo_has_numbers_out_of_range() {
        let all = DemoQuestion::methods(&ts_rs::Config::new());
        let is_tried = |name: &str| {
            let start = format!("{{\"what\":\"{name}\",");
            // `tests/core/demos.rs` tries the many of the calculator.
            name == "calculator"
                || OUT_OF_RANGE.iter().any(|(question, _)| question.starts_with(&start))
        };
        let missing: Vec<&str> =
            all.iter().map(|demo| demo.name.as_str()).filter(|name| !is_tried(name)).collect();
        assert!(missing.is_empty(), "no numbers out of range are tried on {missing:?}");
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_row_of_zeros_has_no_cosine_and_is_left_out_of_means() {
        let table =
            similarity::SimilarityAsked { table: vec![0.0, 0.0, 1.0, 0.0, 2.0, 0.0], dim: 2.0 };
        let found = similarity::similarity(&table).unwrap();
        assert!(found.cosines[..3].iter().all(|x| x.is_nan()));
        assert_eq!(found.cosines_apart[..2], [1.0, 1.0]);
        assert!(found.cosines_apart[2].is_nan());
    }
}
