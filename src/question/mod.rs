//! Questions to a run, to a model, and to a demo. The macro `questions!` takes a list of them and
//! generates the enum that reads a question, the dispatch to the function that computes its answer,
//! and for TypeScript the names, fields, answers and comments.

mod at;
mod fields;
#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) mod typescript;
mod work;

pub use at::At;
pub use fields::{
    Head, HeadRef, Id, Ids, Layer, Layers, Lengths, OtherRun, Position, Positions, Rotated, Rows,
    Size, StackRef, StreamRef,
};
pub use work::{Reading, Work};

use crate::error::{Code, Error};

/// An answer that can leave the core as `Out`, a value of JavaScript.
pub trait Leave<Out> {
    /// Converts the answer, which is consumed.
    fn leave(self) -> Out;
}

/// Whether `what` is the name of a variant as JavaScript writes it, with a small first letter.
pub(crate) fn is_named(what: &str, variant: &str) -> bool {
    let (first, rest) = variant.split_at(1);
    what.strip_prefix(&first.to_ascii_lowercase()).is_some_and(|end| end == rest)
}

/// The error for a question that is none of `variants`.
pub(crate) fn unknown(what: &str, variants: &[&str]) -> Error {
    let names = variants.iter().map(|variant| {
        let (first, rest) = variant.split_at(1);
        first.to_ascii_lowercase() + rest
    });
    let expected = format!("one of {}", names.collect::<Vec<_>>().join(", "));
    Error::new(Code::InputMalformed, "the question", expected, what)
}

/// Declares questions and their answers once. An entry is `Name(Fields) -> Answer = compute;`, with
/// the comment of its method in TypeScript. `compute` is a closure from the context and the fields
/// to a `Result` of the answer, or of the `Work` that leads to it; `through` converts the answer.
macro_rules! questions {
    (
        $(#[doc = $doc:literal])*
        $question:ident,
        answer [$($bounds:tt)*] ($context:ty) -> $out:ty, through $through:path:
        $($(#[doc = $about:literal])* $name:ident($fields:ty) -> $answer:ty = $compute:expr;)*
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, PartialEq)]
        #[cfg_attr(test, derive(ts_rs::TS), ts(tag = "what", rename_all = "camelCase"))]
        pub enum $question {$($(#[doc = $about])* $name($fields),)*}

        impl $question {
            /// Reads the question that `what` names from its fields. A tagged enum of serde would
            /// hold the fields in between, in four times the code.
            ///
            /// # Errors
            /// `input/malformed` for a name that no question has, and the errors of the fields.
            pub fn read<'de, D: serde::Deserializer<'de>>(
                what: &str,
                fields: D,
            ) -> std::result::Result<Self, D::Error> {
                $(if $crate::question::is_named(what, stringify!($name)) {
                    return serde::Deserialize::deserialize(fields).map(Self::$name);
                })*
                Err($crate::question::unknown(what, &[$(stringify!($name)),*]).into_reader())
            }

            /// Answers the question, or begins to. A question that cannot be answered is refused
            /// with a code.
            ///
            /// # Errors
            /// The errors of the function that computes the answer.
            pub fn answer<Out: 'static, $($bounds)*>(
                self,
                context: $context,
            ) -> crate::error::Result<$out>
            where
                $($answer: crate::question::Leave<Out>,)*
            {
                match self {
                    $(Self::$name(fields) => {
                        let compute: fn($context, $fields) -> crate::error::Result<_> = $compute;
                        Ok($through(compute(context, fields)?))
                    })*
                }
            }

            /// Every question as a method that TypeScript has: its name, comment, fields, answer.
            #[cfg(all(test, not(target_arch = "wasm32")))]
            pub(crate) fn methods(
                config: &ts_rs::Config,
            ) -> Vec<crate::question::typescript::Method> {
                vec![$(crate::question::typescript::Method::new(
                    stringify!($name),
                    &[$($about),*],
                    <$fields as ts_rs::TS>::name(config),
                    <$answer as ts_rs::TS>::name(config),
                ),)*]
            }
        }
    };
}

pub(crate) use questions;
