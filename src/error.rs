//! The one error type of the core: a stable code, the operation, what was expected and what was
//! found. The code is part of the public contract; the page translates it, the sentence here is the
//! English form.

use std::fmt;
use std::ops::RangeInclusive;

/// The separator before each part of an error that travels as the text of a serde error.
const SEPARATOR: char = '\u{1f}';

/// The most characters of a found value that a sentence quotes.
const LONGEST_QUOTE: usize = 200;

/// The reason of a refusal. `code` is stable across versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The stable identifier, for instance `checkpoint/truncated`.
    pub code: Code,
    /// The operation that failed, as a noun phrase ("the token ids").
    pub doing: String,
    /// What would have been right, and so what to do.
    pub expected: String,
    /// What was found instead.
    pub got: String,
}

/// A result with the core's error.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error with its three parts of explanation.
    // A copy for each combination of types, and none at the hundreds of refusals.
    #[cold]
    #[inline(never)]
    pub fn new(
        code: Code,
        doing: impl Into<String>,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) -> Self {
        Self { code, doing: doing.into(), expected: expected.into(), got: shortened(got.into()) }
    }

    /// An index that is beyond the last one.
    #[inline(never)]
    pub fn beyond(code: Code, what: &str, last: usize, got: usize) -> Self {
        Self::new(code, what, format!("a whole number up to {last}"), got.to_string())
    }

    /// Converts the error to the error of a serde reader, which carries a text alone.
    #[inline(never)]
    pub fn into_reader<E: serde::de::Error>(self) -> E {
        let parts = [self.code.as_str(), &self.doing, &self.expected, &self.got];
        E::custom(parts.map(|part| format!("{SEPARATOR}{part}")).concat())
    }

    /// What a serde reader found, by the text of its error: "string \"2\"" where a number was
    /// expected, "nothing" for a field that is missing or null.
    #[inline(never)]
    pub fn found(text: &str) -> &str {
        let Some((_, found)) = text.split_once("invalid type: ") else {
            return if text.contains("missing field") { "nothing" } else { text };
        };
        match found.split_once(", expected").map_or(found, |(found, _)| found) {
            "unit value" | "null" | "Option value" => "nothing",
            found => found,
        }
    }

    /// The error that the text of a serde reader carries; any other text becomes an error with the
    /// code `code`.
    pub fn from_reader(text: &str, code: Code, doing: &str) -> Self {
        let mut parts = text.split(SEPARATOR).skip(1);
        let Some(code_sent) = parts.next().and_then(Code::parse) else {
            return Self::new(code, doing, "the documented form", text);
        };
        let mut part = || parts.next().unwrap_or_default();
        Self::new(code_sent, part(), part(), part())
    }
}

/// A found value, shortened to its beginning: it may be a whole file.
pub fn shortened(mut got: String) -> String {
    if let Some((end, _)) = got.char_indices().nth(LONGEST_QUOTE) {
        got.truncate(end);
        got.push('…');
    }
    got
}

/// A number from a request as a sentence shows it: `61`, `0.5`, `1e300`, `NaN`.
pub fn shown(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A number from a request as a whole number; `None` if it is not whole or outside `range`.
pub fn whole(number: f64, range: RangeInclusive<usize>) -> Option<usize> {
    let is_whole = number.fract() == 0.0;
    let is_within = (*range.start() as f64..=*range.end() as f64).contains(&number);
    #[expect(clippy::cast_sign_loss, reason = "a range begins at 0 or above")]
    (is_whole && is_within).then_some(number as usize)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}.", self.doing, self.expected, self.got)
    }
}

impl std::error::Error for Error {}

/// Declares the codes with their stable texts.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Stable codes, grouped by where the cause lies.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// The stable text, `group/reason`.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$name),)* _ => None }
            }
        }
    };
}

codes! {
    /// A file that cannot be read.
    LoadNotFound = "load/not-found",
    /// The file ends before what its header promises.
    CheckpointTruncated = "checkpoint/truncated",
    /// The header's length is larger than the format allows.
    CheckpointHeaderTooLarge = "checkpoint/header-too-large",
    /// The header is not what the safetensors format prescribes.
    CheckpointBadHeader = "checkpoint/bad-header",
    /// Two tensors share bytes, or bytes belong to none.
    CheckpointOverlap = "checkpoint/overlap",
    /// A shape's product does not fit in memory.
    CheckpointShapeOverflow = "checkpoint/shape-overflow",
    /// A tensor is stored in a number type that is not read here.
    CheckpointWrongDtype = "checkpoint/wrong-dtype",
    /// A tensor's shape contradicts the config.
    CheckpointWrongShape = "checkpoint/wrong-shape",
    /// A tensor that the model needs is absent.
    CheckpointMissingTensor = "checkpoint/missing-tensor",
    /// The weights do not fit in memory.
    CheckpointTooLarge = "checkpoint/too-large",
    /// A weight is NaN or infinite.
    CheckpointNonFinite = "checkpoint/non-finite",
    /// A zip archive that is broken, or of compressed entries.
    CheckpointBadZip = "checkpoint/bad-zip",
    /// A pickle of something else than tensors.
    CheckpointBadPickle = "checkpoint/bad-pickle",
    /// A GGUF file whose header is not what the format prescribes.
    CheckpointBadGguf = "checkpoint/bad-gguf",
    /// A file that is no weights: a pointer of Git LFS, a page, a vocabulary, a projector.
    CheckpointNotWeights = "checkpoint/not-weights",
    /// Weights that another library quantised.
    CheckpointQuantized = "checkpoint/quantized",
    /// An adapter, which changes another model.
    CheckpointAdapter = "checkpoint/adapter",
    /// A part of a split file without the others.
    CheckpointSplit = "checkpoint/split",
    /// A tensor that the model's family does not compute with.
    CheckpointUnreadTensor = "checkpoint/unread-tensor",
    /// The config is not a JSON object.
    ConfigNotJson = "config/not-json",
    /// `model_type` names a family that is not built in.
    ConfigUnsupportedFamily = "config/unsupported-family",
    /// A field that the family needs is absent.
    ConfigMissingField = "config/missing-field",
    /// A field has a value that makes no model.
    ConfigBadField = "config/bad-field",
    /// Two fields contradict each other.
    ConfigContradiction = "config/contradiction",
    /// The sizes asked for exceed what can be held.
    ConfigTooLarge = "config/too-large",
    /// No token at all.
    InputEmpty = "input/empty",
    /// More tokens than the model or the memory budget takes.
    InputTooLong = "input/too-long",
    /// A token id that is not in the vocabulary.
    InputBadId = "input/bad-id",
    /// An attention mask of another length, or with other values than 0 and 1.
    InputBadMask = "input/bad-mask",
    /// Token types that the model does not have.
    InputBadTokenType = "input/bad-token-type",
    /// A target for a model without a decoder, or a continuation that it cannot write.
    InputUnexpectedTarget = "input/unexpected-target",
    /// The request is not of the documented form.
    InputMalformed = "input/malformed",
    /// A number that a demo or a setting of generation cannot use.
    InputOutOfRange = "input/out-of-range",
    /// An image of another size, or with pixels that are no numbers.
    InputBadImage = "input/bad-image",
    /// An image for a model of texts, or the other way round.
    InputWrongKind = "input/wrong-kind",
    /// An edit that this version does not know.
    EditUnsupported = "edit/unsupported",
    /// An edit that names a layer, head or cell which does not exist.
    EditOutOfRange = "edit/out-of-range",
    /// An edit with a value that is not a usable number.
    EditBadValue = "edit/bad-value",
    /// An edit that says two things at once.
    EditContradiction = "edit/contradiction",
    /// More edits of a kind than are taken.
    EditTooMany = "edit/too-many",
    /// A stack that the model does not have.
    SelectionBadStack = "selection/bad-stack",
    /// A layer that does not exist.
    SelectionBadLayer = "selection/bad-layer",
    /// A head that does not exist.
    SelectionBadHead = "selection/bad-head",
    /// A position outside the text.
    SelectionBadPosition = "selection/bad-position",
    /// A stage or part that does not exist.
    SelectionBadStage = "selection/bad-stage",
    /// A number of cells or of candidates that cannot be answered.
    SelectionBadSize = "selection/bad-size",
    /// A run of another model where two of one model are compared.
    SelectionOtherModel = "selection/other-model",
    /// A run of another length where tokens are compared one by one.
    SelectionOtherLength = "selection/other-length",
    /// More than can be computed at once.
    SelectionTooLarge = "selection/too-large",
    /// The checkpoint has no output head.
    OutputUnavailable = "output/unavailable",
    /// An inconsistency of the program itself: a bug.
    Internal = "engine/internal",
    /// The run has not computed that yet.
    RunNotReady = "run/not-ready",
    /// The run has come to a number that is NaN or infinite.
    RunNotFinite = "run/not-finite",
    /// The GPU could not be used.
    GpuUnavailable = "gpu/unavailable",
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test(unsupported = test)]
    fn a_long_finding_is_quoted_in_part() {
        let error = Error::new(Code::ConfigBadField, "d_model", "a size", "é".repeat(100_000));
        assert_eq!(error.got.chars().count(), LONGEST_QUOTE + 1);
    }

    #[wasm_bindgen_test(unsupported = test)]
    fn a_number_is_shown_in_few_characters() {
        let numbers = [61.0, -1.0, 0.5, 1e300, f64::NAN, f64::INFINITY];
        assert_eq!(numbers.map(shown), ["61", "-1", "0.5", "1e300", "NaN", "inf"]);
    }
}
