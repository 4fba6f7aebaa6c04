"""One run of a model: what is asked of it, how it is left, and what is said of its layers.

The models are stand-ins, so that no PyTorch is needed; ``with_transformers.py`` has real ones.
"""

import contextlib
import sys
import types

import numpy as np
import pytest

from attentions import softmax
from headscope import HeadscopeError, explore


class Ids(np.ndarray):
    """Ids as PyTorch has them."""

    def to(self, _device):
        return self

    def new_tensor(self, rows):
        return ids(rows)


def ids(rows):
    return np.array(rows).view(Ids)


class Letters:
    """A tokenizer of lower-case letters."""

    def __call__(self, text=None, text_target=None, return_tensors=None):
        assert return_tensors == "pt"
        return {"input_ids": ids([[ord(letter) - 92 for letter in text or text_target]])}

    def convert_ids_to_tokens(self, given):
        return [chr(one + 92) for one in given]


class Config:
    _attn_implementation = "sdpa"
    sub_configs = ()
    layer_types = None

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def get_text_config(self, decoder):
        assert decoder in (True, False)
        return self


class Model:
    """A model that gives ``fields``, once it keeps its weights and applies no dropout."""

    device = "cpu"

    def __init__(self, fields, **config):
        self.fields, self.config, self.training = fields, Config(**config), True
        self.read = None

    def set_attn_implementation(self, kinds):
        if isinstance(kinds, dict):
            for name, kind in kinds.items():
                (getattr(self.config, name) if name else self.config)._attn_implementation = kind
        else:
            self.config._attn_implementation = kinds

    def eval(self):
        self.training = False

    def train(self, mode):
        self.training = mode

    def generate(self, **_inputs):
        return ids([[2, *range(5, 8), 3]])

    def __call__(self, output_attentions, return_dict, **inputs):
        assert output_attentions and return_dict
        assert (self.config._attn_implementation, self.training) == ("eager", False)
        self.read = {name: value.tolist() for name, value in inputs.items()}
        if isinstance(self.fields, Exception):
            raise self.fields
        return self.fields


@pytest.fixture(autouse=True)
def _torch(monkeypatch):
    stand_in = types.SimpleNamespace(no_grad=contextlib.nullcontext)
    monkeypatch.setitem(sys.modules, "torch", stand_in)


def stacks(figure):
    return figure._description["stacks"]


def decoder(*layers, **config):
    return Model({"attentions": layers}, **config)


ONE = softmax(1, 2, 4, 4, causal=True)
STATE = np.full((1, 2, 8, 8), -0.5)


@pytest.mark.parametrize(("weights", "stack"), [(ONE, "decoder"), (softmax(1, 2, 4, 4), "encoder")])
def test_a_run_is_drawn_with_its_tokens(weights, stack):
    model = decoder(weights, weights)
    figure = explore(model, Letters(), "abcd", layer=1, head=1, view="lines", title="A run")
    assert model.read == {"input_ids": [[5, 6, 7, 8]]}
    assert (figure.stack, figure.layer, figure.head, figure.view) == (stack, 1, 1, "lines")
    assert stacks(figure)[0]["queries"] == list("abcd")
    np.testing.assert_array_equal(figure.weights, weights[0, 1])


@pytest.mark.parametrize("fails", [True, False])
def test_a_model_is_left_as_it_was(fails):
    model = decoder(ONE, sub_configs=("text",), text=Config(_attn_implementation="flash"))
    if fails:
        model.fields = RuntimeError("no memory")
    with pytest.raises(RuntimeError) if fails else contextlib.nullcontext():
        explore(model, Letters(), "abcd")
    kinds = [one._attn_implementation for one in (model.config, model.config.text)]
    assert (kinds, model.training) == (["sdpa", "flash"], True)


def translator(encoder, own, cross, **config):
    fields = {
        "encoder_attentions": (encoder,),
        "decoder_attentions": (own,),
        "cross_attentions": (cross,),
    }
    return Model(fields, is_encoder_decoder=True, decoder_start_token_id=2, **config)


@pytest.mark.parametrize(
    ("target", "read"), [("abc", [2, 5, 6]), (None, [2, 5, 6, 7])], ids=["given", "written"]
)
def test_a_decoder_reads_what_is_before_each_token(target, read):
    count = len(read)
    own = softmax(1, 2, count, count, causal=True)
    model = translator(softmax(1, 2, 4, 4), own, softmax(1, 2, count, 4))
    figure = explore(model, Letters(), "abcd", target)
    assert model.read["decoder_input_ids"] == [read]
    assert [one["stack"] for one in stacks(figure)] == ["encoder", "decoder", "cross"]
    assert stacks(figure)[2]["keys"] == list("abcd")
    assert [one["notes"] for one in stacks(figure)] == [[], [], []]


@pytest.mark.parametrize(
    ("tokenizer", "texts", "code", "says"),
    [
        (None, ["a"], "tokens/tokenizer", "tokenizer is NoneType"),
        (Letters(), [3], "tokens/type", "text is int"),
        (Letters(), [["a", "b"]], "tokens/type", "text is list"),
        (Letters(), ["a", 3], "tokens/type", "target is int"),
        (Letters(), ["a", "b"], "model/kind", "leave `target` out"),
    ],
)
def test_texts_that_the_model_cannot_read_are_refused(tokenizer, texts, code, says):
    model = decoder(ONE)
    with pytest.raises(HeadscopeError) as caught:
        explore(model, tokenizer, *texts)
    assert caught.value.code == code
    assert says in str(caught.value)


def test_a_decoder_without_a_start_is_refused():
    model = translator(ONE, ONE, ONE)
    model.config.decoder_start_token_id = None
    with pytest.raises(HeadscopeError, match=r"decoder_start_token_id.*model/kind"):
        explore(model, Letters(), "abcd", "abc")


def test_one_softmax_over_both_texts_is_said_of_both_parts():
    merged = softmax(1, 2, 3, 7)
    model = translator(softmax(1, 2, 4, 4), merged[..., :3], merged[..., 3:])
    figure = explore(model, Letters(), "abcd", "abc")
    encoder, own, cross = [one["notes"] for one in stacks(figure)]
    assert encoder == []
    assert own == cross
    assert "sum to 1 together" in own[0]


def test_halves_that_do_not_sum_to_1_together_are_no_merged_attention():
    merged = softmax(1, 2, 3, 7) * 0.9
    model = translator(softmax(1, 2, 4, 4), merged[..., :3], merged[..., 3:])
    notes = stacks(explore(model, Letters(), "abcd", "abc"))[1]["notes"]
    assert notes[0].startswith("Rows sum to less than 1")


@pytest.mark.parametrize(
    ("layers", "config", "said"),
    [
        ((ONE, ONE), {"layer_types": ["full_attention", "sliding_attention"]}, None),
        (
            (STATE, ONE),
            {"layer_types": ["linear_attention", "full_attention"]},
            "1 of the model's 2 layers have attention weights. Their numbers here: 1; in the "
            "model: 2. The others are of other kinds (linear_attention).",
        ),
        (
            (ONE, ONE),
            {"layers_block_type": ["mamba", "attention", "mamba", "hybrid"]},
            "2 of the model's 4 layers have attention weights. Their numbers here: 1 to 2; in the "
            "model: 2, 4. The others are of other kinds (mamba).",
        ),
        ((ONE,), {"layer_types": ["conv", "other"]}, "in the model: not known."),
    ],
)
def test_layers_without_weights_are_counted(layers, config, said):
    (shown,) = stacks(explore(decoder(*layers, **config), Letters(), "abcd"))
    assert shown["layers"] == len([one for one in layers if one is not STATE])
    assert (said is None) == (shown["notes"] == [])
    assert said is None or said in shown["notes"][0]


@pytest.mark.parametrize(
    ("model", "code"),
    [
        (object(), "model/type"),
        (decoder(ONE, attention_window=[4]), "model/kind"),
        (Model({"attentions": ()}), "model/no-attention"),
        (Model({}), "model/no-attention"),
        (decoder(STATE), "attention/not-weights"),
        (decoder(softmax(1, 2, 3, 3)), "tokens/count"),
    ],
)
def test_a_model_without_weights_of_pairs_is_refused(model, code):
    with pytest.raises(HeadscopeError) as caught:
        explore(model, Letters(), "abcd")
    assert caught.value.code == code
