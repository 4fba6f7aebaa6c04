//! What a run is asked and how it answers: one `query` for every question. JavaScript can send
//! anything in a question; what is no name or no index is refused with the code of the field, and
//! named as it was sent. Whether it exists is for the run.

use std::cell::RefCell;
use std::future::Future;
use std::ops::Range;
use std::pin::Pin;
use std::rc::Rc;

use js_sys::{Array, Float32Array, Float64Array, Promise, Reflect, Uint32Array};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::future_to_promise;

use super::convert::{JsResult, array, object, tensor, thrown, value};
use super::model::WasmRun;
use crate::analysis::Lexicon;
use crate::axes::{Part, Stack, Stage, Step};
use crate::error::{Code, Error, Result, shown, whole};
use crate::run::{Explanation, HeadTally, Reading, SpectrumWork, StepTensor};

/// Positions whose probabilities are computed in one step: each goes through the whole vocabulary.
const POSITIONS_AT_ONCE: usize = 16;

#[wasm_bindgen]
impl WasmRun {
    /// Begins to answer a question, `{ what, … }`. A question that names an `other` run compares
    /// with `other`; any other question ignores it.
    #[expect(clippy::too_many_lines, reason = "one place for all questions")]
    pub fn query(&self, query: &JsValue, other: &Self) -> JsResult<WasmAnswer> {
        let query = Query(query);
        let held = Rc::clone(&self.run);
        let run = self.run.borrow();
        let what = query.name("what", "the question", Code::InputMalformed)?;
        match what.as_str() {
            "attention" => {
                let of = query.head()?;
                let stage = query.stage()?;
                once(run.attention(of, stage, query.rows()?), tensor)
            }
            "mask" => {
                let (stack, layer, head) = query.head()?;
                now(run.mask(stack, layer, head), tensor)
            }
            "fullyMasked" => {
                let (stack, layer, head) = query.head()?;
                now(run.fully_masked(stack, layer, head), value)
            }
            "qkv" => {
                let (stack, layer, head) = query.head()?;
                let part = query.part()?;
                once(run.projection(stack, layer, head, part, query.rotated()?), tensor)
            }
            "hidden" => once(run.hidden(query.stack()?, query.layer()?), tensor),
            "logits" => once(run.logits(query.some_positions("positions")?.as_deref()), tensor),
            "predictions" => {
                let positions = query.positions("positions")?;
                let top_k = query.size("topK", "the number of predictions")?;
                once(run.predictions(&positions, top_k), value)
            }
            "probabilities" => {
                let positions = query.positions("positions")?;
                let ids = query.list("ids", "the ids", Code::InputBadId)?;
                if positions.len() != ids.len() {
                    return once(run.probabilities(&positions, &ids), value);
                }
                Ok(parts(at_once(&positions), move |some| {
                    held.borrow().probabilities(&positions[some.clone()], &ids[some])
                }))
            }
            "positions" => once(run.positions(query.stack()?), tensor),
            "thumbnails" => {
                let stack = query.stack()?;
                let stage = query.stage()?;
                let size = query.size("size", "the size of a thumbnail")?;
                once(
                    run.thumbnails(stack, run.layers(stack, None).map_err(thrown)?, size, stage),
                    tensor,
                )
            }
            "cost" => {
                let stack = query.stack()?;
                let layer = query.layer()?;
                let lengths = query.list("lengths", "the lengths", Code::SelectionBadSize)?;
                now(run.cost(stack, layer, &lengths), value)
            }
            "measures" => {
                let stack = query.stack()?;
                let lexicon = query.lexicon();
                Ok(parts(run.layers(stack, None).map_err(thrown)?, move |among| {
                    let tallies = held.borrow().tallies(stack, lexicon.clone(), Some(among))?;
                    Ok(Box::pin(async move {
                        Ok(tallies.await?.iter().map(HeadTally::measures).collect())
                    }))
                }))
            }
            "headDivergences" => {
                let (stack, layer, head) = query.head()?;
                Ok(parts(run.layers(stack, None).map_err(thrown)?, move |among| {
                    held.borrow().head_divergences(stack, layer, head, Some(among))
                }))
            }
            "spectrum" => {
                let (stack, layer, head) = query.head()?;
                spectrum(run.spectrum(stack, layer, head))
            }
            "headCost" => {
                let (stack, layer, head) = query.head()?;
                once(run.head_cost(stack, layer, head), value)
            }
            "dropoutMean" => {
                let (stack, layer, head) = query.head()?;
                let draws = query.size("draws", "the number of draws")?;
                once(run.dropout_mean(stack, layer, head, draws), value)
            }
            "steps" => {
                let (stack, layer, head) = query.head()?;
                let mut work = run.steps(stack, layer, head).map_err(thrown)?;
                Ok(WasmAnswer::new(move || {
                    let known = work.step();
                    Box::pin(async move {
                        known.await.map_err(thrown)?.map_or(Ok(JsValue::UNDEFINED), steps)
                    })
                }))
            }
            "explain" => {
                let of = query.head()?;
                let step = query.step()?;
                let position =
                    |field| query.index(field, &format!("the {field}"), Code::SelectionBadPosition);
                once(run.explain(of, step, position("row")?, position("column")?), explanation)
            }
            "cosines" => {
                let stack = query.stack()?;
                let positions = query.positions("positions")?;
                query.other()?;
                let other_positions = query.positions("otherPositions")?;
                once(run.cosines(stack, &positions, &other.run.borrow(), &other_positions), value)
            }
            "residuals" => {
                let stack = query.stack()?;
                Ok(parts(run.layers(stack, None).map_err(thrown)?, move |layer| {
                    held.borrow().residuals(stack, layer)
                }))
            }
            "distances" => {
                let stack = query.stack()?;
                query.other()?;
                let order = query.some_positions("order")?;
                once(run.distances(stack, &other.run.borrow(), order.as_deref()), tensor)
            }
            "runDivergences" => {
                let stack = query.stack()?;
                let other = Rc::clone(&other.run);
                query.other()?;
                Ok(parts(run.layers(stack, None).map_err(thrown)?, move |among| {
                    held.borrow().run_divergences(stack, &other.borrow(), Some(among))
                }))
            }
            _ => Err(refusal(Code::InputMalformed, "the question", "one that a run answers", what)),
        }
    }
}

/// The fields of a question.
struct Query<'a>(&'a JsValue);

impl Query<'_> {
    /// What was sent as a field; undefined where nothing was.
    fn field(&self, name: &str) -> JsValue {
        // A question that is no object has no fields.
        Reflect::get(self.0, &JsValue::from(name)).unwrap_or(JsValue::UNDEFINED)
    }

    fn name(&self, field: &str, what: &str, code: Code) -> JsResult<String> {
        let sent = self.field(field);
        sent.as_string().ok_or_else(|| refusal(code, what, "its name, a text", kind(&sent)))
    }

    fn index(&self, field: &str, what: &str, code: Code) -> JsResult<usize> {
        index(&self.field(field), what, code)
    }

    fn list(&self, field: &str, what: &str, code: Code) -> JsResult<Vec<usize>> {
        let sent = self.field(field);
        if !Array::is_array(&sent) {
            return Err(refusal(code, what, "a list of whole numbers", kind(&sent)));
        }
        Array::from(&sent).iter().map(|item| index(&item, what, code)).collect()
    }

    fn stack(&self) -> JsResult<Stack> {
        let name = self.name("stack", "the stack", Code::SelectionBadStack)?;
        Stack::parse(&name).map_err(thrown)
    }

    fn layer(&self) -> JsResult<usize> {
        self.index("layer", "the layer", Code::SelectionBadLayer)
    }

    /// One head: its stack, its layer and its index.
    fn head(&self) -> JsResult<(Stack, usize, usize)> {
        let stack = self.stack()?;
        let layer = self.layer()?;
        Ok((stack, layer, self.index("head", "the head", Code::SelectionBadHead)?))
    }

    /// The weights where none is named.
    fn stage(&self) -> JsResult<Stage> {
        if self.field("stage").is_undefined() {
            return Ok(Stage::Weights);
        }
        let name = self.name("stage", "the stage", Code::SelectionBadStage)?;
        Stage::parse(&name).map_err(thrown)
    }

    fn part(&self) -> JsResult<Part> {
        let name = self.name("part", "the part", Code::SelectionBadStage)?;
        Part::parse(&name).map_err(thrown)
    }

    fn step(&self) -> JsResult<Step> {
        let name = self.name("step", "the step", Code::SelectionBadStage)?;
        Step::parse(&name).map_err(thrown)
    }

    /// Whether queries and keys are turned by their positions: yes by default.
    fn rotated(&self) -> JsResult<bool> {
        let sent = self.field("rotated");
        if sent.is_undefined() {
            return Ok(true);
        }
        sent.as_bool().ok_or_else(|| {
            refusal(Code::SelectionBadStage, "the rotation", "true or false", kind(&sent))
        })
    }

    fn size(&self, field: &str, what: &str) -> JsResult<usize> {
        self.index(field, what, Code::SelectionBadSize)
    }

    fn positions(&self, field: &str) -> JsResult<Vec<usize>> {
        self.list(field, "the positions", Code::SelectionBadPosition)
    }

    /// `None` where no positions are named.
    fn some_positions(&self, field: &str) -> JsResult<Option<Vec<usize>>> {
        let sent = self.field(field);
        if sent.is_undefined() || sent.is_null() {
            Ok(None)
        } else {
            self.positions(field).map(Some)
        }
    }

    /// From a first row to the one before the last of two, or `None` where none are named.
    fn rows(&self) -> JsResult<Option<Range<usize>>> {
        match self.some_positions("rows")?.as_deref() {
            None => Ok(None),
            Some(&[first, end]) => Ok(Some(first..end)),
            Some(other) => {
                let expected = "two numbers, the first and the one behind the last";
                let got = format!("{} of them", other.len());
                Err(refusal(Code::SelectionBadPosition, "the rows", expected, got))
            }
        }
    }

    /// Refuses a comparison that names no other run.
    fn other(&self) -> JsResult<()> {
        let expected = "another run of the same model";
        let sent = self.field("other");
        match sent.as_f64() {
            Some(_) => Ok(()),
            None => Err(refusal(Code::InputMalformed, "the other run", expected, kind(&sent))),
        }
    }

    /// What is known of the vocabulary: the ids of special tokens, and how often training saw each.
    fn lexicon(&self) -> Lexicon {
        let sent = self.field("lexicon");
        let field = |name: &str| Query(&sent).field(name);
        let special = field("special").dyn_into::<Uint32Array>().map(|ids| ids.to_vec());
        let unigrams = field("unigrams").dyn_into::<Float64Array>().map(|counts| counts.to_vec());
        let mut lexicon = Lexicon { unigrams: unigrams.ok(), ..Lexicon::default() };
        // A set, or a sort of its own, would be code that nothing else needs.
        for id in special.unwrap_or_default() {
            if let Err(place) = lexicon.special.binary_search(&id) {
                lexicon.special.insert(place, id);
            }
        }
        lexicon
    }
}

fn refusal(code: Code, what: &str, expected: &str, got: String) -> JsValue {
    thrown(Error::new(code, what, expected, got))
}

fn index(sent: &JsValue, what: &str, code: Code) -> JsResult<usize> {
    let number = sent.as_f64();
    number.and_then(|number| whole(number, 0..=u32::MAX as usize)).ok_or_else(|| {
        let got = number.map_or_else(|| kind(sent), shown);
        refusal(code, what, "a whole number from 0", got)
    })
}

/// What kind of value was sent, for a sentence. The page sends the kind of a value that no message
/// can carry, such as a function, in its place as `{ unsendable }`.
fn kind(sent: &JsValue) -> String {
    if sent.is_null() {
        return "null".to_owned();
    }
    if let Some(kind) = Query(sent).field("unsendable").as_string() {
        return kind;
    }
    if Array::is_array(sent) {
        return "a list".to_owned();
    }
    sent.js_typeof().as_string().map_or_else(String::new, |kind| match kind.as_str() {
        "undefined" => kind,
        "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    })
}

type Answering = Pin<Box<dyn Future<Output = JsResult<JsValue>>>>;

/// An answer while it is computed. It owns what it needs, so that the run may be freed.
#[wasm_bindgen]
pub struct WasmAnswer {
    next: RefCell<Box<dyn FnMut() -> Answering>>,
}

impl WasmAnswer {
    fn new(next: impl FnMut() -> Answering + 'static) -> Self {
        Self { next: RefCell::new(Box::new(next)) }
    }
}

#[wasm_bindgen]
impl WasmAnswer {
    /// One short step of some milliseconds: a promise of the answer, of undefined until it is
    /// known.
    pub fn step(&self) -> Promise {
        // Nothing is called back meanwhile, so there is no other borrow.
        future_to_promise((self.next.borrow_mut())())
    }
}

/// An answer in one step.
fn once<T: 'static>(
    reading: Result<Reading<T>>,
    convert: fn(T) -> JsResult<JsValue>,
) -> JsResult<WasmAnswer> {
    let mut reading = Some(reading.map_err(thrown)?);
    Ok(WasmAnswer::new(move || {
        let reading = reading.take();
        Box::pin(async move {
            let Some(reading) = reading else { return Ok(JsValue::UNDEFINED) };
            convert(reading.await.map_err(thrown)?)
        })
    }))
}

/// An answer that is known at once.
fn now<T: 'static>(answer: Result<T>, convert: fn(T) -> JsResult<JsValue>) -> JsResult<WasmAnswer> {
    once(answer.map(|answer| -> Reading<T> { Box::pin(async { Ok(answer) }) }), convert)
}

/// A list of which each step computes a part.
fn parts<P: 'static, T: Serialize + 'static>(
    of: impl IntoIterator<Item = P, IntoIter: 'static>,
    mut compute: impl FnMut(P) -> Result<Reading<Vec<T>>> + 'static,
) -> WasmAnswer {
    let mut left = of.into_iter().peekable();
    let all = Array::new();
    WasmAnswer::new(move || {
        let part = left.next().map(&mut compute);
        let is_last = left.peek().is_none();
        let all = all.clone();
        Box::pin(async move {
            if let Some(part) = part {
                for entry in part.map_err(thrown)?.await.map_err(thrown)? {
                    all.push(&value(entry)?);
                }
            }
            Ok(if is_last { all.into() } else { JsValue::UNDEFINED })
        })
    })
}

/// Parts of a list of positions of which each has few different neighbours.
fn at_once(positions: &[usize]) -> Vec<Range<usize>> {
    let same: Vec<usize> =
        positions.chunk_by(|one, next| one == next).map(<[usize]>::len).collect();
    let ends = same.chunks(POSITIONS_AT_ONCE).scan(0, |end, lengths| {
        let start = *end;
        *end += lengths.iter().sum::<usize>();
        Some(start..*end)
    });
    ends.collect()
}

/// Singular values: the patterns in the first step, then a part of the work in each.
fn spectrum(reading: Result<Reading<SpectrumWork>>) -> JsResult<WasmAnswer> {
    let mut reading = Some(reading.map_err(thrown)?);
    let work = Rc::new(RefCell::new(None::<SpectrumWork>));
    Ok(WasmAnswer::new(move || {
        let reading = reading.take();
        let work = Rc::clone(&work);
        Box::pin(async move {
            if let Some(reading) = reading {
                let begun = reading.await.map_err(thrown)?;
                *work.borrow_mut() = Some(begun);
            }
            let known = work.borrow_mut().as_mut().and_then(SpectrumWork::step);
            known.map_or(Ok(JsValue::UNDEFINED), value)
        })
    }))
}

fn steps(found: Vec<StepTensor>) -> JsResult<JsValue> {
    array(found, |found| {
        Ok(object([("step", found.step.name().into()), ("tensor", tensor(found.tensor)?)]).into())
    })
}

/// `{ operation, lines: [{ source, values }], value }`, the numbers of a line copied at once.
fn explanation(made: Explanation) -> JsResult<JsValue> {
    let lines = array(made.lines, |line| {
        let values = Float32Array::from(line.values.as_slice());
        Ok(object([("source", value(line.source)?), ("values", values.into())]).into())
    })?;
    let operation = value(made.operation)?;
    Ok(object([("operation", operation), ("lines", lines), ("value", made.value.into())]).into())
}

#[cfg(test)]
mod tests {
    use js_sys::{BigInt, Object};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn refused<T>(result: JsResult<T>) -> [String; 2] {
        let error = result.err().unwrap();
        ["code", "got"].map(|name| Query(&error).field(name).as_string().unwrap())
    }

    fn sent(field: &str, value: &JsValue) -> JsValue {
        object([(field, value.clone())]).into()
    }

    #[wasm_bindgen_test]
    fn what_is_no_index_is_refused_and_named_as_it_was_sent() {
        let function = sent("unsendable", &JsValue::from("a function"));
        let cases: [(JsValue, &str); 10] = [
            (JsValue::from(-1), "-1"),
            (JsValue::from(0.5), "0.5"),
            (JsValue::from(f64::NAN), "NaN"),
            (JsValue::UNDEFINED, "undefined"),
            (JsValue::NULL, "null"),
            (JsValue::from("2"), "a string"),
            (BigInt::from(1).into(), "a bigint"),
            (Object::new().into(), "an object"),
            (Array::new().into(), "a list"),
            (function, "a function"),
        ];
        for (value, got) in cases {
            let query = sent("layer", &value);
            assert_eq!(refused(Query(&query).layer()), ["selection/bad-layer", got]);
        }
        assert_eq!(Query(&sent("layer", &JsValue::from(3))).layer().unwrap(), 3);
    }

    #[wasm_bindgen_test]
    fn what_is_no_flag_and_no_other_run_is_refused() {
        let one = sent("rotated", &JsValue::from(1));
        assert_eq!(refused(Query(&one).rotated()), ["selection/bad-stage", "a number"]);
        assert_eq!(refused(Query(&one).other()), ["input/malformed", "undefined"]);
        assert!(Query(&JsValue::UNDEFINED).rotated().unwrap());
    }

    #[wasm_bindgen_test]
    fn lists_are_of_whole_numbers() {
        let list = |items: &[JsValue]| sent("rows", &items.iter().collect::<Array>());
        let two = list(&[JsValue::from(2), JsValue::from(5)]);
        assert_eq!(Query(&two).rows().unwrap(), Some(2..5));
        let code = "selection/bad-position";
        let one = list(&[JsValue::from(2)]);
        assert_eq!(refused(Query(&one).rows()), [code, "1 of them"]);
        let big = list(&[BigInt::from(1).into()]);
        assert_eq!(refused(Query(&big).rows()), [code, "a bigint"]);
        assert_eq!(refused(Query(&sent("rows", &JsValue::from(7))).rows()), [code, "a number"]);
        let missing = Query(&two).list("ids", "the ids", Code::InputBadId);
        assert_eq!(refused(missing), ["input/bad-id", "undefined"]);
    }

    #[wasm_bindgen_test]
    fn a_long_list_of_positions_is_taken_in_parts() {
        assert!(at_once(&[]).is_empty());
        let positions: Vec<usize> = (0..40).map(|at| at / 2).collect();
        assert_eq!(at_once(&positions), [0..32, 32..40]);
    }
}
