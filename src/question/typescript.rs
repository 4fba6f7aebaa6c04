//! Questions as TypeScript has them: an interface with an entry for each, which carries its
//! comment, and the list of their names.

/// One question.
#[derive(Clone)]
pub(crate) struct Method {
    /// As it crosses the boundary: `fullyMasked`.
    pub name: String,
    /// Line by line.
    comment: &'static [&'static str],
    /// The type of its fields.
    fields: String,
    /// The type of its answer.
    answer: String,
}

impl Method {
    /// Of the variant of this name, `FullyMasked`.
    pub fn new(
        variant: &str,
        comment: &'static [&'static str],
        fields: String,
        answer: String,
    ) -> Self {
        let (first, rest) = variant.split_at(1);
        Self { name: first.to_lowercase() + rest, comment, fields, answer }
    }

    fn declared(&self) -> String {
        let Self { name, comment, fields, answer } = self;
        let comment: String = comment.iter().map(|line| format!("   *{line}\n")).collect();
        format!("  /**\n{comment}   */\n  {name}: {{ fields: {fields}; answer: {answer} }};\n")
    }
}

/// The interface of this name.
pub(crate) fn interface(name: &str, methods: &[Method]) -> String {
    let entries: String = methods.iter().map(Method::declared).collect();
    let comment = "/** The fields and the answer of each question. */";
    format!("{comment}\nexport interface {name} {{\n{entries}}}\n")
}

/// The list of the names, as a constant.
pub(crate) fn names(name: &str, methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.name.as_str()).collect();
    format!("/** The names of these questions. */\nexport const {name} = {names:?} as const;\n")
}
