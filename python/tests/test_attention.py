"""What can be drawn, and what is refused with which words."""

import numpy as np
import pytest

import headscope
from attentions import softmax, words
from headscope import CODES, HeadscopeError, attention


class Tensor:
    """What a tensor of PyTorch has of an array: no NumPy array of bfloat16."""

    def __init__(self, array, kind="torch.float32"):
        self.array, self.dtype, self.shape = array, kind, array.shape

    def detach(self):
        return self

    def to(self, _device):
        return self

    def is_floating_point(self):
        return True

    def float(self):
        return self

    def numpy(self):
        return self.array


Tensor.__module__ = "torch"
ONE = softmax(4, 4)
SIX = softmax(2, 3, 4, 4)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (ONE, ONE[None, None]),
        (ONE.tolist(), ONE[None, None]),
        (SIX[0], SIX[:1]),
        (SIX[0].tolist(), SIX[:1]),
        (list(SIX[0]), SIX[:1]),
        (SIX, SIX),
        (SIX.tolist(), SIX),
        (SIX.astype(np.float64), SIX),
        (SIX[:, None], SIX),
        (tuple(layer[None] for layer in SIX), SIX),
        (tuple(SIX), SIX),
        (tuple(Tensor(layer[None]) for layer in SIX), SIX),
    ],
    ids="matrix rows heads lists matrices layers nested f64 batched tuple unbatched torch".split(),
)
def test_weights_are_taken_in_every_form(given, expected):
    figure = attention(given, words(4))
    assert figure._description["stacks"][0]["layers"] == len(expected)
    for layer, heads in enumerate(expected):
        for head, weights in enumerate(heads):
            figure.layer, figure.head = layer, head
            np.testing.assert_allclose(figure.weights, weights, atol=1e-7)


@pytest.mark.parametrize(
    ("given", "code", "says"),
    [
        ((), "attention/empty", 'set_attn_implementation("eager")'),
        (((), ()), "attention/empty", 'set_attn_implementation("eager")'),
        (None, "attention/none", "output_attentions=True"),
        ((None, None), "attention/none", 'attn_implementation="eager"'),
        ((SIX[:1], None), "attention/none", "attentions[1]: None"),
        (((SIX[:1],), (SIX[:1],)), "attention/steps", "attentions[0] is a tuple: `generate`"),
        ((SIX,), "attention/batch", "[2, 3, 4, 4], a batch of 2 texts"),
        (np.stack([SIX, SIX], 1), "attention/batch", "batch of 2"),
        (np.zeros(4), "attention/shape", "[4]"),
        (np.zeros((0, 4)), "attention/shape", "no numbers"),
        ([[1.0], [0.5, 0.5]], "attention/shape", "rows have one length"),
        ((SIX[:1], SIX[:1, :2]), "attention/shape", "attentions[1] has shape [2, 4, 4]"),
        ("weights", "attention/type", "attentions"),
        (np.array([["a"]]), "attention/type", "<U1"),
        ({"attentions": SIX, "logits": 1}, "attention/type", "one of its fields: attentions"),
        ({"logits": ONE}, "attention/type", "It has no attentions. Load the model with"),
        (np.ma.array(ONE, mask=np.eye(4)), "attention/type", "`attentions.filled(0)`"),
        (ONE * np.nan, "attention/not-finite", "head 0, query 0, key 0"),
        ((SIX[:1], SIX[:1] - 0.1), "attention/not-weights", "alone: `[attentions[0]]`"),
        (np.log(ONE), "attention/not-weights", "not scores before it"),
        (ONE * 1.1, "attention/sum", "model.eval()"),
        (ONE.T, "attention/transposed", "swapaxes(-1, -2)"),
        (softmax(2, 4).T, "attention/transposed", "swapaxes(-1, -2)"),
    ],
)
def test_what_is_no_attention_of_one_text_is_refused(given, code, says):
    with pytest.raises(HeadscopeError) as caught:
        attention(given, words(4))
    assert caught.value.code == code
    assert says in str(caught.value)
    assert str(caught.value).endswith(f"({code})")


def test_a_state_of_linear_attention_is_named_before_its_other_shape():
    state = np.random.default_rng(1).standard_normal((1, 3, 8, 8))
    with pytest.raises(HeadscopeError, match=r"attentions\[0\] has numbers below 0") as caught:
        attention((state, SIX[:1]), words(4))
    assert "`[attentions[1]]`" in str(caught.value)


def test_rows_with_a_sink_are_drawn_as_given_and_said():
    figure = attention(ONE * np.array([[0.5], [0.7], [1], [1]]), words(4))
    (note,) = figure._description["stacks"][0]["notes"]
    assert note.startswith("Rows sum to less than 1 (0.500 to 0.700)")
    assert attention(ONE, words(4))._description["stacks"][0]["notes"] == []


def test_rows_without_any_weight_are_said():
    figure = attention(ONE * np.array([[1], [1], [1], [0]]), words(4))
    (note,) = figure._description["stacks"][0]["notes"]
    assert note.startswith("1 of 4 rows have no weight at all")
    both = attention(ONE * np.array([[1], [1], [0.5], [0]]), words(4))
    assert len(both._description["stacks"][0]["notes"]) == 2


def test_the_rounding_of_bfloat16_is_no_missing_weight():
    rounded = Tensor(ONE * 0.996, "torch.bfloat16")
    assert attention(rounded, words(4))._description["stacks"][0]["notes"] == []
    assert attention(ONE * 0.996, words(4))._description["stacks"][0]["notes"] != []


@pytest.mark.parametrize(
    ("weights", "keys", "stack"),
    [
        (softmax(4, 4, causal=True), None, "decoder"),
        (ONE, None, "encoder"),
        (softmax(4, 2), words(2, "k"), "cross"),
    ],
)
def test_the_stack_is_what_the_weights_say(weights, keys, stack):
    assert attention(weights, words(4), keys).stack == stack
    assert attention(weights, words(4), keys, stack="cross").stack == "cross"


class Words:
    """A tokenizer of transformers, as far as it is asked."""

    def __call__(self, text):
        return {"input_ids": [len(word) for word in text.split()]}

    def convert_ids_to_tokens(self, ids):
        return [f"\u0120n{one}" if one < 9 else None for one in ids]


class Library:
    """A tokenizer of tokenizers."""

    def id_to_token(self, one):
        return f"\u2581n{one}"


@pytest.mark.parametrize(
    ("tokens", "tokenizer", "labels"),
    [
        (["a", "b"], None, ["a", "b"]),
        (("\u0120the", "\u010a"), None, ["the", "\n"]),
        (["\u0120\u00e6\u0139\u00a5", "\u00e6"], None, ["\u65e5", "\u00e6"]),
        (["\u2581A", "\u2581"], None, ["A", " "]),
        (["play", "##ing"], None, ["play", "##ing"]),
        ([b"caf\xc3\xa9", b"x"], None, ["caf\u00e9", "x"]),
        ([1, 2], Words(), ["n1", "n2"]),
        (np.array([[1, 2]]), Words(), ["n1", "n2"]),
        ([[1, 2]], Library(), ["n1", "n2"]),
        ({"input_ids": np.array([[1, 2]]), "attention_mask": 1}, Words(), ["n1", "n2"]),
        ("a bcd", Words(), ["n1", "n3"]),
    ],
)
def test_tokens_are_readable(tokens, tokenizer, labels):
    figure = attention(softmax(2, 2), tokens, tokenizer=tokenizer)
    assert figure._description["stacks"][0]["queries"] == labels


@pytest.mark.parametrize(
    ("tokens", "keys", "tokenizer", "code", "says"),
    [
        (words(3), None, None, "tokens/count", "4 queries and 4 keys, but there are 3 tokens"),
        (words(4), words(3), None, "tokens/count", "4 tokens and 3 keys"),
        ("a b c d", None, None, "tokens/type", "one string"),
        (4, None, None, "tokens/type", "int"),
        ([1.5, 2, 3, 4], None, None, "tokens/type", "float, int"),
        (np.zeros((2, 4), int), None, Words(), "tokens/type", "[2, 4]"),
        ([1, 2, 3, 4], None, None, "tokens/tokenizer", "tokenizer="),
        ([1, 2, 3, 9], None, Words(), "tokens/tokenizer", "id 9"),
        ([1, 2, 3, 4], None, object(), "tokens/tokenizer", "object"),
    ],
)
def test_tokens_that_are_not_those_of_the_weights_are_refused(tokens, keys, tokenizer, code, says):
    with pytest.raises(HeadscopeError) as caught:
        attention(ONE, tokens, keys, tokenizer=tokenizer)
    assert caught.value.code == code
    assert says in str(caught.value)


def test_cross_attention_asks_for_both_texts():
    with pytest.raises(HeadscopeError, match="those of the keys as `keys`"):
        attention(softmax(4, 2), words(4))


def test_every_code_is_described():
    assert all(text.endswith(".") for text in CODES.values())
    assert headscope.__version__.count(".") == 2
