"""The one exception of the package, and the list of its codes."""

CODES = {
    "attention/batch": "The weights are of more than one text.",
    "attention/empty": "The model gave no weights.",
    "attention/none": "The weights of a layer are missing.",
    "attention/not-finite": "A weight is not a number, or infinite.",
    "attention/not-weights": "The numbers are no weights: some are below 0.",
    "attention/shape": "The array has another shape than weights have.",
    "attention/size": "There are more weights than a page can hold.",
    "attention/steps": "The weights are those of each step of generation.",
    "attention/sum": "The weights of a query sum to more than 1.",
    "attention/transposed": "Queries and keys are exchanged.",
    "attention/type": "The value is no array of numbers.",
    "docs/attribute": "No figure of a page has this attribute.",
    "docs/no-alt": "A figure of a page has no words for readers who do not see it.",
    "docs/no-file": "A figure of a page names a file that there is not.",
    "docs/no-numbers": "A figure of a page has neither numbers nor a model.",
    "docs/no-script": "A figure of a page runs a model, and its script is not named.",
    "docs/not-saved": "A figure of a page names a file that Headscope did not save.",
    "docs/other": "The numbers of a file are those of another figure.",
    "docs/tag": "A page has a tag that no figure has.",
    "docs/unclosed": "The end of a figure of a page is missing.",
    "figure/no-notebook": "No notebook can draw the file.",
    "figure/option": "A setting of the figure has another value than it can have.",
    "figure/script": "The script of the figures is missing.",
    "model/files": "The folder is no model.",
    "model/kind": "The model's weights are not of pairs of tokens.",
    "model/no-attention": "The model cannot give its weights.",
    "model/not-found": "There is no folder or file of this name.",
    "model/size": "The model is too large for a page of one file.",
    "model/type": "The value is no model of transformers.",
    "tokens/count": "There are more or fewer tokens than rows or columns.",
    "tokens/tokenizer": "Ids need a tokenizer that names them.",
    "tokens/type": "The value is no list of tokens.",
}
"""What each code of an error means."""


class HeadscopeError(ValueError):
    """A value that cannot be drawn as what it is.

    ``code`` is stable, so that a program can tell errors apart; the message names the argument,
    what was found and what to do.
    """

    def __init__(self, code: str, message: str) -> None:
        assert code in CODES, code
        super().__init__(f"{message} ({code})")
        self.code = code
