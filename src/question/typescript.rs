//! Questions in TypeScript: an interface with an entry for each question, with its comment, and the
//! list of their names.

/// One question.
#[derive(Clone)]
pub(crate) struct Method {
    /// The name of the method, such as `fullyMasked`.
    pub name: String,
    /// The comment, line by line.
    comment: &'static [&'static str],
    /// The TypeScript type of the fields.
    fields: String,
    /// The TypeScript type of the answer.
    answer: String,
}

impl Method {
    /// The method of the variant of this name, such as `FullyMasked`.
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
        let comment =
            comment.iter().map(|line| format!("   *{line}\n")).collect::<Vec<_>>().concat();
        format!("  /**\n{comment}   */\n  {name}: {{ fields: {fields}; answer: {answer} }};\n")
    }
}

/// The declaration of an interface.
pub(crate) fn interface(name: &str, methods: &[Method]) -> String {
    let entries: String = methods.iter().map(Method::declared).collect();
    let comment = "/** The fields and the answer of each question. */";
    format!("{comment}\nexport interface {name} {{\n{entries}}}\n")
}

/// The declaration of the list of the methods' names, as a constant.
pub(crate) fn names(name: &str, methods: &[Method]) -> String {
    let names: Vec<&str> = methods.iter().map(|method| method.name.as_str()).collect();
    format!("/** The names of these questions. */\nexport const {name} = {names:?} as const;\n")
}
