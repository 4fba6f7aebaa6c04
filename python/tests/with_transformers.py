"""What transformers really gives, of tiny random models: by hand, since PyTorch is large.

pip install torch transformers && pytest python/tests/with_transformers.py
"""

import numpy as np
import pytest
import torch
import transformers
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    BartConfig,
    BertConfig,
    BertModel,
    GPT2Config,
    GptOssConfig,
    JambaConfig,
    LongformerConfig,
    LongformerModel,
    MiniMaxConfig,
    RwkvConfig,
    T5Config,
    T5Gemma2Config,
)

from headscope import HeadscopeError, attention, explore

transformers.logging.set_verbosity_error()
IDS = torch.tensor([[5, 6, 7, 8, 9]])
WORDS = ["a", "b", "c", "d", "e"]
SMALL = {
    "vocab_size": 64,
    "hidden_size": 32,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
GROUPED = {**SMALL, "num_key_value_heads": 2, "head_dim": 8}


class Letters:
    """A tokenizer of lower-case letters, with what ``explore`` asks of one."""

    def __call__(self, text=None, text_target=None, return_tensors=None):
        ids = [ord(letter) - 92 for letter in text or text_target]
        return {"input_ids": torch.tensor([ids]) if return_tensors else ids}

    def convert_ids_to_tokens(self, ids):
        return [chr(one + 92) for one in ids]


def causal(config, kind="eager"):
    torch.manual_seed(0)
    return AutoModelForCausalLM.from_config(config, attn_implementation=kind).eval()


def gpt2(kind="eager", **more):
    return causal(GPT2Config(n_embd=32, n_layer=2, n_head=4, vocab_size=64, **more), kind)


def mixed(**more):
    return MiniMaxConfig(
        **GROUPED,
        num_local_experts=2,
        layer_types=["linear_attention", "full_attention"],
        block_size=4,
        **more,
    )


def seq2seq(config, kind="eager"):
    torch.manual_seed(0)
    return AutoModelForSeq2SeqLM.from_config(config, attn_implementation=kind).eval()


BART = BartConfig(
    vocab_size=64,
    d_model=32,
    encoder_layers=2,
    decoder_layers=1,
    encoder_attention_heads=4,
    decoder_attention_heads=2,
    encoder_ffn_dim=32,
    decoder_ffn_dim=32,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
    decoder_start_token_id=2,
    forced_eos_token_id=2,
)


def run(model, ids=IDS, **more):
    with torch.no_grad():
        return model(ids, output_attentions=True, **more)


def notes(figure, at=0):
    return figure._description["stacks"][at]["notes"]


def refused(given, tokens=WORDS, keys=None):
    with pytest.raises(HeadscopeError) as caught:
        attention(given, tokens, keys)
    return caught.value


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16, torch.float16])
def test_a_tuple_of_a_decoder(kind):
    given = run(gpt2().to(kind)).attentions
    figure = attention(given, WORDS, layer=1, head=3)
    assert (figure.stack, notes(figure)) == ("decoder", [])
    np.testing.assert_array_equal(figure.weights, given[1][0, 3].float().numpy())


def test_an_encoder_reads_all_tokens():
    config = BertConfig(**SMALL)
    model = BertModel._from_config(config, attn_implementation="eager").eval()
    assert attention(run(model).attentions, WORDS).stack == "encoder"


@pytest.mark.parametrize(
    "make",
    [
        gpt2,
        lambda kind: seq2seq(
            T5Config(vocab_size=64, d_model=32, d_kv=8, d_ff=32, num_layers=2, num_heads=4), kind
        ),
    ],
)
def test_sdpa_gives_an_empty_tuple_and_the_advice_helps(make):
    model = make("sdpa")
    field, more = "attentions", {}
    if model.config.is_encoder_decoder:
        field, more = "encoder_attentions", {"decoder_input_ids": IDS}
    assert run(model, **more)[field] == ()
    error = refused(run(model, **more)[field])
    assert error.code == "attention/empty"
    assert 'model.set_attn_implementation("eager")' in str(error)
    model.set_attn_implementation("eager")
    assert attention(run(model, **more)[field], WORDS)


def test_a_model_without_the_weights_asked_for():
    model = gpt2()
    with torch.no_grad():
        assert refused(model(IDS).attentions).code == "attention/none"


def test_a_whole_output():
    assert "Pass one of its fields: attentions." in str(refused(run(gpt2())))


def test_a_batch():
    error = refused(run(gpt2(), IDS.repeat(2, 1)).attentions)
    assert error.code == "attention/batch"


def test_generation_gives_steps():
    model = gpt2(bos_token_id=1, eos_token_id=2, pad_token_id=0)
    out = model.generate(
        IDS,
        max_new_tokens=2,
        min_new_tokens=2,
        do_sample=False,
        output_attentions=True,
        return_dict_in_generate=True,
    )
    assert refused(out.attentions).code == "attention/steps"
    assert attention(out.attentions[1], ["f"], [*WORDS, "f"]).stack == "cross"


def test_dropout():
    error = refused(run(gpt2().train()).attentions)
    assert error.code == "attention/sum"
    assert "model.eval()" in str(error)


@pytest.mark.parametrize("length", [5, 8], ids=["another shape", "the shape of weights"])
def test_a_state_of_linear_attention(length):
    ids = torch.arange(5, 5 + length)[None]
    given = run(causal(mixed()), ids).attentions
    tokens = [str(at) for at in range(length)]
    error = refused(given, tokens)
    assert error.code == "attention/not-weights"
    assert "Draw the others alone: `[attentions[1]]`" in str(error)
    assert attention([given[1]], tokens)
    letters = "".join(chr(one + 92) for one in ids[0].tolist())
    figure = explore(causal(mixed()), Letters(), letters)
    assert "Their numbers here: 1; in the model: 2." in notes(figure)[0]


def test_states_of_rwkv():
    config = RwkvConfig(
        vocab_size=64, hidden_size=32, num_hidden_layers=2, attention_hidden_size=32
    )
    assert refused(run(causal(config)).attentions).code in (
        "attention/not-weights",
        "attention/shape",
    )


def test_sinks_of_gpt_oss():
    config = GptOssConfig(**GROUPED, num_local_experts=2, num_experts_per_tok=1, sliding_window=3)
    given = run(causal(config)).attentions
    figure = attention(given, WORDS)
    assert "a learned sink (gpt-oss)" in notes(figure)[0]
    np.testing.assert_array_equal(figure.weights, given[0][0, 0].numpy())


def t5gemma2():
    text = {**GROUPED, "sliding_window": 3}
    vision = {
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "image_size": 28,
        "patch_size": 14,
    }
    config = T5Gemma2Config(encoder={"text_config": text, "vision_config": vision}, decoder=text)
    return seq2seq(config)


def test_merged_attention_of_t5gemma2():
    out = run(t5gemma2(), decoder_input_ids=IDS[:, :3])
    for field, keys in (("decoder_attentions", None), ("cross_attentions", WORDS)):
        assert "merged attention" in notes(attention(out[field], WORDS[:3], keys))[0]
    figure = explore(t5gemma2(), Letters(), "abcde", "abc")
    assert notes(figure) == []
    assert notes(figure, 1) == notes(figure, 2)
    assert notes(figure, 1)[0].startswith("The decoder has one softmax over its own tokens")


def test_cross_attention_of_bart():
    out = run(seq2seq(BART).bfloat16(), decoder_input_ids=IDS[:, :3])
    figure = attention(out.cross_attentions, WORDS[:3], WORDS)
    assert (figure.stack, notes(figure)) == ("cross", [])
    assert refused(out.cross_attentions, WORDS[:3]).code == "tokens/count"


@pytest.mark.parametrize("kind", ["sdpa", "eager"])
@pytest.mark.parametrize("training", [True, False])
def test_explore_leaves_a_model_as_it_was(kind, training):
    model = gpt2(kind).train(training)
    figure = explore(model, Letters(), "abcde", layer=1, head=2)
    assert model.config._attn_implementation == kind
    assert model.training is training
    model.set_attn_implementation("eager")
    expected = run(model.eval()).attentions[1][0, 2].numpy()
    np.testing.assert_array_equal(figure.weights, expected)
    assert figure._description["stacks"][0]["queries"] == list("abcde")


@pytest.mark.parametrize("target", ["abc", None])
def test_explore_a_translator(target):
    model = seq2seq(BART, "sdpa")
    figure = explore(model, Letters(), "abcde", target)
    names = [one["stack"] for one in figure._description["stacks"]]
    assert names == ["encoder", "decoder", "cross"]
    figure.stack = "cross"
    if target:
        assert figure.weights.shape == (3, 5)
    np.testing.assert_allclose(figure.weights.sum(-1), 1, atol=1e-5)
    assert model.config._attn_implementation == "sdpa"


def test_explore_counts_the_layers_of_a_mixed_model():
    config = JambaConfig(
        **{**GROUPED, "num_hidden_layers": 4},
        attn_layer_period=2,
        attn_layer_offset=1,
        num_experts=2,
        mamba_d_state=4,
        mamba_dt_rank=4,
    )
    (note,) = notes(explore(causal(config), Letters(), "abcde"))
    assert note.startswith("2 of the model's 4 layers have attention weights")
    assert "here: 1 to 2; in the model: 2, 4." in note


def test_explore_refuses_windows_and_other_objects():
    config = LongformerConfig(**SMALL, attention_window=4, max_position_embeddings=64)
    with pytest.raises(HeadscopeError, match="model/kind"):
        explore(LongformerModel(config), Letters(), "abcde")
    with pytest.raises(HeadscopeError, match="model/type"):
        explore(torch.nn.Linear(2, 2), Letters(), "abcde")
