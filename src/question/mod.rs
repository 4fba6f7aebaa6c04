//! Questions to a run, to a model, and to a demo. The macro `questions!` takes a list of them and
//! generates the enum that reads a question, the dispatch to the function that computes its answer,
//! and for TypeScript the names, fields, answers and comments.

mod fields;
#[cfg(all(test, not(target_arch = "wasm32")))]
pub(crate) mod typescript;
mod work;

pub use fields::{
    Head, HeadRef, Ids, Layer, Lengths, OtherRun, Position, Positions, Rotated, Rows, Size,
    StackRef, StreamRef,
};
pub use work::{Reading, Work};

/// An answer that can leave the core as `Out`, a value of JavaScript.
pub trait Leave<Out> {
    /// Converts the answer, which is consumed.
    fn leave(self) -> Out;
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
        #[derive(Debug, Clone, PartialEq, serde::Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        #[serde(tag = "what", rename_all = "camelCase")]
        pub enum $question {$($(#[doc = $about])* $name($fields),)*}

        impl $question {
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
