//! The fields of questions. JavaScript can send anything in them: a value that is no index, no list
//! or no name is refused with the code of its field, and so is a missing field. Whether an index
//! exists is checked by the run.

use serde::de::Deserializer;
use serde::{Deserialize, Serialize};

use crate::axes::Stack;
use crate::error::{Code, Error, shown, whole};

/// A field with a code of its own: `Type(what it holds) = reader, code, name, type in TypeScript`.
macro_rules! fields {
    ($($(#[doc = $doc:literal])*
        $type:ident($held:ty) = $read:ident, $code:ident, $what:literal, $typescript:literal;)*
    ) => {$(
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        pub struct $type(pub $held);

        impl<'de> Deserialize<'de> for $type {
            // One copy for all questions that have the field.
            #[inline(never)]
            fn deserialize<D: Deserializer<'de>>(sent: D) -> Result<Self, D::Error> {
                $read(sent, Code::$code, $what).map(Self)
            }
        }

        #[cfg(test)]
        impl ts_rs::TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn name(_: &ts_rs::Config) -> String {
                $typescript.to_owned()
            }

            fn inline(config: &ts_rs::Config) -> String {
                Self::name(config)
            }
        }
    )*};
}

fields! {
    /// A block of a stack, from 0.
    Layer(usize) = index, SelectionBadLayer, "the layer", "number";
    /// Blocks of a stack, from 0.
    Layers(Vec<usize>) = indices, SelectionBadLayer, "the layers", "number[]";
    /// A head of a block, from 0.
    Head(usize) = index, SelectionBadHead, "the head", "number";
    /// A row or a column of a matrix, from 0.
    Position(usize) = index, SelectionBadPosition, "the position", "number";
    /// The number or the size of something.
    Size(usize) = index, SelectionBadSize, "the size", "number";
    /// Positions of tokens, from 0.
    Positions(Vec<usize>) = indices, SelectionBadPosition, "the positions", "number[]";
    /// The lengths of texts, in tokens.
    Lengths(Vec<usize>) = indices, SelectionBadSize, "the lengths", "number[]";
    /// An entry of the vocabulary.
    Id(usize) = index, InputBadId, "the id", "number";
    /// Entries of the vocabulary.
    Ids(Vec<usize>) = indices, InputBadId, "the ids", "number[]";
    /// A range of rows: the first row, and the one after the last.
    Rows([usize; 2]) = pair, SelectionBadPosition, "the rows", "readonly [number, number]";
    /// Whether queries and keys are rotated by their positions.
    Rotated(bool) = flag, SelectionBadStage, "the rotation", "boolean";
    /// The number of another run of the same model, by which its thread knows it.
    OtherRun(usize) = index, InputMalformed, "the other run", "number";
}

/// One head.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct HeadRef {
    /// The stack in which the head attends.
    pub stack: Stack,
    /// The head's block, from 0.
    pub layer: Layer,
    /// The head's index in its block, from 0.
    pub head: Head,
}

impl HeadRef {
    /// The head's stack, layer and index.
    pub fn place(&self) -> (Stack, usize, usize) {
        (self.stack, self.layer.0, self.head.0)
    }
}

/// The field of questions about a whole stack.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StackRef {
    /// The stack.
    pub stack: Stack,
}

/// The field of questions about a stack with a residual stream, which cross-attention does not
/// have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct StreamRef {
    /// The stack.
    #[cfg_attr(test, ts(type = "\"encoder\" | \"decoder\""))]
    pub stack: Stack,
}

#[inline(never)]
fn coded<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    sent: D,
    code: Code,
    what: &str,
    expected: &str,
) -> Result<T, D::Error> {
    T::deserialize(sent).map_err(|error| {
        Error::new(code, what, expected, Error::found(&error.to_string())).into_reader()
    })
}

#[inline(never)]
fn index<'de, D: Deserializer<'de>>(sent: D, code: Code, what: &str) -> Result<usize, D::Error> {
    const EXPECTED: &str = "a whole number from 0";
    let number: f64 = coded(sent, code, what, EXPECTED)?;
    whole(number, 0..=u32::MAX as usize)
        .ok_or_else(|| Error::new(code, what, EXPECTED, shown(number)).into_reader())
}

#[inline(never)]
fn indices<'de, D: Deserializer<'de>>(
    sent: D,
    code: Code,
    what: &str,
) -> Result<Vec<usize>, D::Error> {
    const EXPECTED: &str = "a list of whole numbers from 0";
    let numbers: Vec<f64> = coded(sent, code, what, EXPECTED)?;
    let read = |number: f64| {
        whole(number, 0..=u32::MAX as usize)
            .ok_or_else(|| Error::new(code, what, EXPECTED, shown(number)).into_reader())
    };
    numbers.into_iter().map(read).collect()
}

fn pair<'de, D: Deserializer<'de>>(
    sent: D,
    code: Code,
    what: &str,
) -> Result<[usize; 2], D::Error> {
    let numbers = indices(sent, code, what)?;
    <[usize; 2]>::try_from(numbers).map_err(|other| {
        let expected = "two numbers, the first and the one behind the last";
        Error::new(code, what, expected, format!("{} of them", other.len())).into_reader()
    })
}

fn flag<'de, D: Deserializer<'de>>(sent: D, code: Code, what: &str) -> Result<bool, D::Error> {
    coded(sent, code, what, "true or false")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    fn refused<T: for<'de> Deserialize<'de>>(sent: Value) -> [String; 2] {
        let text = serde_json::from_value::<T>(sent).err().unwrap().to_string();
        let error = Error::from_reader(&text, Code::InputMalformed, "the question");
        [error.code.as_str().to_owned(), error.got]
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn what_is_no_index_is_refused_and_named_as_it_was_sent() {
        let cases = [
            (json!(-1), "-1"),
            (json!(0.5), "0.5"),
            (json!(4_294_967_296_u64), "4294967296"),
            (json!(null), "nothing"),
            (json!("2"), "string \"2\""),
            (json!({}), "map"),
            (json!([]), "sequence"),
        ];
        for (layer, got) in cases {
            let sent = json!({ "stack": "encoder", "layer": layer, "head": 0 });
            assert_eq!(refused::<HeadRef>(sent), ["selection/bad-layer", got]);
        }
        let good = json!({ "stack": "encoder", "layer": 3, "head": 1 });
        let read: HeadRef = serde_json::from_value(good).unwrap();
        assert_eq!(read.place(), (Stack::Encoder, 3, 1));
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_missing_field_has_the_code_of_the_field() {
        let none = refused::<HeadRef>(json!({}));
        assert_eq!(none, ["selection/bad-stack", "nothing"]);
        let strange = json!({ "stack": "encoder", "layer": 0, "head": 0, "stages": "raw" });
        let [code, got] = refused::<HeadRef>(strange);
        assert_eq!(code, "input/malformed");
        assert!(got.starts_with("unknown field `stages`, expected one of `stack`"), "{got}");
        let no_head = refused::<HeadRef>(json!({ "stack": "encoder", "layer": 0 }));
        assert_eq!(no_head, ["selection/bad-head", "nothing"]);
        assert_eq!(refused::<OtherRun>(Value::Null), ["input/malformed", "nothing"]);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn lists_are_of_whole_numbers() {
        let rows: Rows = serde_json::from_value(json!([2, 5])).unwrap();
        assert_eq!(rows.0, [2, 5]);
        let code = "selection/bad-position";
        assert_eq!(refused::<Rows>(json!([2])), [code, "1 of them"]);
        assert_eq!(refused::<Rows>(json!(7)), [code, "integer `7`"]);
        assert_eq!(refused::<Positions>(json!([1, "all"])), [code, "string \"all\""]);
        assert_eq!(refused::<Positions>(json!([0, -1])), [code, "-1"]);
        assert_eq!(refused::<Ids>(json!([0.5])), ["input/bad-id", "0.5"]);
        assert_eq!(refused::<Rotated>(json!(1)), ["selection/bad-stage", "integer `1`"]);
    }
}
