"""Tiny models of further families: their configs, their weights, and what Hugging Face computes of
a few texts."""

import json
from copy import deepcopy
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from safetensors.torch import load_file
from transformers import AutoConfig, PreTrainedModel
from transformers import AutoModel as Bare
from transformers import AutoModelForCausalLM as Causal
from transformers import AutoModelForImageClassification as Classified
from transformers import AutoModelForMaskedLM as Masked
from transformers import AutoModelForSeq2SeqLM as Seq2Seq

import tiny_models
from cases import DECISIVE_MARGIN, Draw, computed
from run_model import Case, forward, generate, image_shape
from vectors import HERE, generator, save_json, save_tensors

LARGEST_F32_ERROR = 2e-5
# A text is longer than every window; in these families also than the distances that have a bucket
# of their own.
TEXT, LONGER_TEXT = 11, {"mpnet": 21, "deberta-v2": 21, "t5": 21, "flan-t5": 21}
# Longer than `original_max_position_embeddings`.
BEYOND = {"phi3-longrope": 58}
# At the end of a padded text so few that in a local layer they still see a real token.
PADDED = 2

# Both halves of a greedy text hold this many different tokens.
GREEDY_TOKENS, GREEDY_KINDS = 50, 4
MODELS_DRAWN, TEXTS_DRAWN = 40, 15
# Standard deviation of what a matrix makes of ones; 1.6 where not named here. A feed-forward block
# of a model that writes speaks loudly, or else it writes the same token for ever.
LOUDNESS = {
    **dict.fromkeys(("encoder_attn.out_proj", "EncDecAttention.o"), 0.5),
    **dict.fromkeys(("fc2", "down_proj", "c_proj", "4h_to_h"), 2),
    ".wo": 3,
    **dict.fromkeys(
        ("out_proj", "o_proj", "out_lin", "lin2", "ffn_output", "Wo", "attn.o", "Attention.o"), 1
    ),
    **dict.fromkeys(("attention.dense", "output.dense", "lm_head", "wi_1"), 1),
}


def turned(base: float = 50.0, **rest) -> dict:
    """Rotary positions of a base so small that every pair of dimensions turns far within a text."""
    return {"rope_type": "default", "rope_theta": base, **rest}


LIMIT = dict(
    vocab_size=31,
    max_position_embeddings=64,
    bos_token_id=None,
    eos_token_id=None,
    pad_token_id=None,
)
BERT = dict(
    vocab_size=31, hidden_size=21, num_hidden_layers=2, num_attention_heads=3, intermediate_size=29
)
DECODER = dict(BERT, **LIMIT | dict(vocab_size=33))
ROTARY = dict(DECODER, rope_parameters=turned())
LLAMA = dict(ROTARY, hidden_size=22, num_attention_heads=2, num_key_value_heads=1, head_dim=6)
GROUPED = dict(ROTARY, hidden_size=28, num_attention_heads=4, num_key_value_heads=2)
GEMMA = dict(GROUPED, head_dim=6)
OPT = dict(DECODER, hidden_size=22, num_attention_heads=2, ffn_dim=27, pad_token_id=1)
PHI = dict(ROTARY, hidden_size=24, num_attention_heads=3, num_key_value_heads=1)
BART = dict(
    LIMIT,
    encoder_layers=2,
    decoder_layers=2,
    encoder_ffn_dim=27,
    decoder_ffn_dim=29,
    pad_token_id=1,
    forced_eos_token_id=None,
    decoder_start_token_id=2,
)
T5 = dict(
    LIMIT,
    d_model=22,
    d_kv=6,
    d_ff=27,
    num_layers=3,
    num_decoder_layers=2,
    num_heads=3,
    pad_token_id=0,
    decoder_start_token_id=0,
    relative_attention_num_buckets=8,
    relative_attention_max_distance=15,
)
DEBERTA = dict(
    BERT, max_position_embeddings=24, relative_attention=True, position_biased_input=False
)

MASKED = {
    "roberta": dict(BERT, pad_token_id=1, max_position_embeddings=20),
    "xlm-roberta": dict(
        BERT,
        pad_token_id=1,
        max_position_embeddings=20,
        type_vocab_size=1,
        hidden_size=22,
        num_attention_heads=2,
        hidden_act="relu",
        layer_norm_eps=1e-5,
    ),
    "distilbert": dict(
        vocab_size=31, max_position_embeddings=19, n_layers=2, n_heads=3, dim=21, hidden_dim=29
    ),
    "electra": dict(BERT, embedding_size=14, max_position_embeddings=19),
    "albert": dict(BERT, embedding_size=14, max_position_embeddings=19),
    "mpnet": dict(BERT, pad_token_id=1, max_position_embeddings=27, layer_norm_eps=1e-5),
    "modernbert": dict(
        BERT,
        hidden_size=18,
        num_hidden_layers=3,
        pad_token_id=3,
        bos_token_id=None,
        eos_token_id=None,
        cls_token_id=1,
        sep_token_id=2,
        local_attention=4,
        global_attn_every_n_layers=2,
        rope_parameters={"full_attention": turned(200.0), "sliding_attention": turned(20.0)},
    ),
    "deberta": dict(DEBERTA, pos_att_type="c2p|p2c", max_relative_positions=6),
    "deberta-v2": dict(
        DEBERTA,
        pos_att_type="p2c|c2p",
        max_relative_positions=16,
        position_buckets=8,
        share_att_key=True,
        norm_rel_ebd="layer_norm",
        legacy=False,
    ),
}
CAUSAL = {
    "gpt_neo": dict(
        LIMIT,
        hidden_size=21,
        num_layers=2,
        num_heads=3,
        intermediate_size=29,
        window_size=4,
        attention_types=[[["global", "local"], 1]],
    ),
    "gpt_neox": dict(DECODER, hidden_size=30, rope_parameters=turned(partial_rotary_factor=0.4)),
    "gpt_neox-sequential": dict(
        DECODER,
        model_type="gpt_neox",
        use_parallel_residual=False,
        rope_parameters=turned(partial_rotary_factor=0.3),
    ),
    "opt": OPT,
    "llama-llama3": dict(
        LLAMA,
        model_type="llama",
        rope_parameters=turned(
            rope_type="llama3",
            factor=4.0,
            low_freq_factor=1.0,
            high_freq_factor=4.0,
            original_max_position_embeddings=40,
        ),
    ),
    "llama-linear": dict(
        LLAMA, model_type="llama", rope_parameters=turned(rope_type="linear", factor=2.5)
    ),
    "llama-yarn": dict(
        LLAMA,
        model_type="llama",
        rope_parameters=turned(
            rope_type="yarn",
            factor=4.0,
            beta_fast=4.0,
            beta_slow=0.5,
            original_max_position_embeddings=16,
        ),
    ),
    "mistral": dict(LLAMA, sliding_window=4),
    "qwen2": dict(
        GROUPED, hidden_size=24, use_sliding_window=True, sliding_window=4, max_window_layers=1
    ),
    "qwen3": dict(GEMMA, tie_word_embeddings=True),
    "gemma": GEMMA,
    "gemma2": dict(
        GEMMA,
        query_pre_attn_scalar=11,
        sliding_window=4,
        attn_logit_softcapping=2.0,
        final_logit_softcapping=3.0,
    ),
    "gemma3_text": dict(
        GEMMA,
        query_pre_attn_scalar=11,
        sliding_window=4,
        sliding_window_pattern=2,
        rope_parameters={
            "full_attention": turned(200.0, rope_type="linear", factor=2.0),
            "sliding_attention": turned(20.0),
        },
    ),
    "smollm3": dict(GROUPED, hidden_size=24, no_rope_layers=[1, 0]),
    "phi3": dict(PHI, hidden_size=18, sliding_window=4),
    "phi3-longrope": dict(
        PHI,
        model_type="phi3",
        max_position_embeddings=128,
        original_max_position_embeddings=56,
        rope_parameters=turned(
            rope_type="longrope",
            partial_rotary_factor=0.5,
            short_factor=[1.1, 1.6],
            long_factor=[1.7, 3.5],
        ),
    ),
    "stablelm": dict(
        PHI, hidden_size=30, use_qkv_bias=True, rope_parameters=turned(partial_rotary_factor=0.25)
    ),
    "starcoder2": dict(GROUPED, hidden_size=24, sliding_window=5),
    "olmo2": dict(GROUPED, hidden_size=24),
}
SEQ2SEQ = {
    "bart": dict(BART, d_model=20, encoder_attention_heads=5, decoder_attention_heads=2),
    "mbart": dict(
        BART,
        d_model=22,
        encoder_attention_heads=2,
        decoder_attention_heads=11,
        scale_embedding=True,
    ),
    "m2m_100": dict(BART, d_model=21, encoder_attention_heads=7, decoder_attention_heads=3),
    "t5": T5,
    "flan-t5": dict(T5, model_type="t5", feed_forward_proj="gated-gelu", tie_word_embeddings=False),
}
# Patches leave a rest of the image, in one of the directions at least.
VIT = dict(BERT, image_size=[11, 14], patch_size=[4, 3], num_channels=2, num_labels=5)
del VIT["vocab_size"]
CLASSIFIED = {
    "vit": VIT,
    "deit": dict(VIT, architectures=["DeiTForImageClassificationWithTeacher"]),
    "deit-classified": dict(
        VIT,
        model_type="deit",
        architectures=["DeiTForImageClassification"],
        image_size=9,
        patch_size=4,
        num_channels=3,
    ),
}
BARE = {"vit-bare": dict(VIT, model_type="vit", qkv_bias=False)}
# What a config may do without only if the numbers stay the same: each of these must change the
# logits of `text`.
PLAIN = {
    "modernbert": [{"local_attention": 64}],
    "gpt_neo": [{"window_size": 64}],
    "gpt_neox": [{"rope_parameters": turned()}, {"use_parallel_residual": False}],
    "llama-llama3": [
        {"rope_parameters": turned()},
        {"rope_parameters": turned(rope_type="linear", factor=4.0)},
    ],
    "llama-linear": [{"rope_parameters": turned()}],
    "llama-yarn": [
        {"rope_parameters": turned()},
        {"rope_parameters": turned(rope_type="linear", factor=4.0)},
    ],
    "mistral": [{"sliding_window": 64}],
    "qwen2": [{"sliding_window": 64}],
    "gemma2": [
        {"sliding_window": 64},
        {"attn_logit_softcapping": None},
        {"final_logit_softcapping": None},
    ],
    "gemma3_text": [{"sliding_window": 64}, {"query_pre_attn_scalar": 6}],
    "smollm3": [{"no_rope_layers": [1, 1]}],
    "phi3": [{"sliding_window": 64}],
    "stablelm": [{"rope_parameters": turned(partial_rotary_factor=1.0)}],
    "starcoder2": [{"sliding_window": 64}],
}


def write() -> None:
    """All families: their configs and inputs into one file, their weights and the answers into
    another."""
    described, tensors = {}, {}
    for auto, families in (
        (Masked, MASKED),
        (Causal, CAUSAL),
        (Seq2Seq, SEQ2SEQ),
        (Classified, CLASSIFIED),
        (Bare, BARE),
    ):
        for name, options in families.items():
            config = AutoConfig.for_model(**{"model_type": name} | deepcopy(options))
            model, greedy = _drawn(auto.from_config(config).eval(), name)
            model, config, weights = _saved(model, options)
            cases, answers, error = computed(model, _texts(name, model) + greedy)
            if error > LARGEST_F32_ERROR:
                raise RuntimeError(f"{name}: f32 is {error} from f64; choose calmer weights")
            _check_telling(name, model, Case(**cases[0]))
            described[name] = {"config": config, "cases": cases}
            tensors |= {f"{name}/weights/{part}": value for part, value in weights.items()}
            tensors |= {
                f"{name}/{part}": value
                for part, value in answers.items()
                if not part.startswith("greedy.")
            }
            size = sum(value.numel() for value in weights.values())
            print(
                f"{name}: {size} weights, {len(cases)} cases, f32 within {error:.1e} of f64",
                flush=True,
            )
    save_json(HERE / "families.json", described)
    save_tensors(HERE / "families.safetensors", tensors)


def _drawn(model: PreTrainedModel, name: str) -> tuple[PreTrainedModel, list[Case]]:
    """Weights drawn anew until a writer writes a text that goes on decisively with several
    tokens."""
    if name == "flan-t5":
        # T5Config always ties, but a checkpoint with an output table of its own is read as untied.
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    for attempt in range(MODELS_DRAWN):
        _randomise(model, generator(f"{name} family {attempt}"))
        if not model.can_generate():
            return model, []
        draw = Draw(f"{name} family {attempt}", model)
        for _ in range(TEXTS_DRAWN):
            case = Case("greedy", draw.ids(4), max_new_tokens=GREEDY_TOKENS)
            best, second = generate(model, case).topk(2).values.T
            half = GREEDY_TOKENS // 2
            varied = (
                min(len(set(case.generated[:half])), len(set(case.generated[half:])))
                >= GREEDY_KINDS
            )
            if varied and model.config.pad_token_id not in case.ids + case.generated:
                if (best - second).min() > DECISIVE_MARGIN:
                    return model, [case]
    raise RuntimeError(f"{name}: no decisive greedy text in {MODELS_DRAWN} models")


def _saved(
    model: PreTrainedModel, options: dict
) -> tuple[PreTrainedModel, dict, dict[str, torch.Tensor]]:
    """The model as a reader of its folder gets it, its config.json, and its tensors as saved."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        model.save_pretrained(folder)
        config = json.loads((folder / "config.json").read_text())
        # As the published configs say it; T5Config would save true.
        config |= {key: options[key] for key in options if key == "tie_word_embeddings"}
        save_json(folder / "config.json", config)
        loaded, weights = (
            tiny_models.load(type(model), folder),
            load_file(folder / "model.safetensors"),
        )
    for part, value in model.state_dict().items():
        torch.testing.assert_close(loaded.state_dict()[part], value, rtol=0, atol=0)
    return loaded, config, weights


@torch.no_grad()
def _randomise(model: PreTrainedModel, random: torch.Generator) -> None:
    """As in `tiny_models`: gains around what leaves a value as it is, loud readers, quieter
    writers."""
    kind, modules = model.config.model_type, dict(model.named_modules())
    # Of a model that writes with its input table, tokens say less of themselves: else it repeats
    # the last one.
    tied = (
        model.can_generate()
        and model.config.tie_word_embeddings
        and not model.config.is_encoder_decoder
    )
    loudness = LOUDNESS if model.can_generate() else dict.fromkeys(LOUDNESS, 0.5)
    for name, tensor in model.named_parameters():
        name, _, part = name.rpartition(".")
        module, drawn = modules[name], torch.randn(tensor.shape, generator=random)
        if tensor.dim() == 1:
            unchanged = part == "weight" and "Gemma" not in type(module).__name__
            tensor.copy_(
                unchanged
                + ("post_feedforward" in name)
                + (0.3 if part == "weight" else 0.2) * drawn
            )
        elif isinstance(module, torch.nn.Embedding):
            says = 0.5 if tied and module is model.get_input_embeddings() else 1
            tensor.copy_(drawn * says / getattr(module, "embed_scale", 1))
        else:
            loud = next((loud for writer, loud in loudness.items() if writer in name), 1.6)
            if kind in ("t5", "gpt_neo") and name.endswith((".q", ".q_proj")):
                loud /= (
                    tensor.shape[0] / model.config.num_attention_heads
                ) ** 0.5  # their scores are not scaled
            if loud >= 2:
                drawn -= drawn.mean(
                    1, keepdim=True
                )  # what ReLU lets through would say the same of every token
            inner = tensor[0].numel() if isinstance(module, torch.nn.Conv2d) else tensor.shape[1]
            tensor.copy_(drawn * loud / inner**0.5)
    if hasattr(model, "final_logits_bias"):
        model.final_logits_bias.copy_(
            0.2 * torch.randn(model.final_logits_bias.shape, generator=random)
        )


def _texts(name: str, model: PreTrainedModel) -> list[Case]:
    if hasattr(model.config, "patch_size"):
        pixels = torch.randn(
            image_shape(model.config), generator=generator(f"{name} family")
        ).flatten()
        return [Case("picture", [], pixels=[round(pixel, 3) for pixel in pixels.tolist()])]
    draw, config, length = Draw(f"{name} family", model), model.config, LONGER_TEXT.get(name, TEXT)

    def ids(count: int) -> list[int]:
        """Without the padding token, which in some families shifts the positions."""
        return [token if token != config.pad_token_id else token + 1 for token in draw.ids(count)]

    def text(label: str, count: int, targets: int, **rest) -> Case:
        types = draw.bits(count) if getattr(config, "type_vocab_size", 0) > 1 else None
        target = (
            [config.decoder_start_token_id, *ids(targets - 1)]
            if config.is_encoder_decoder
            else None
        )
        return Case(label, ids(count), types, target_ids=target, **rest)

    texts = [text("text", length, length - 3), text("one", 1, 1)]
    if config.is_encoder_decoder or not model.can_generate():
        texts.append(
            text("padded", length, 5, attention_mask=[1] * (length - PADDED) + [0] * PADDED)
        )
        texts[-1].ids[-PADDED:] = [config.pad_token_id] * PADDED
    return texts + [
        text("beyond", length, 1) for family, length in BEYOND.items() if family == name
    ]


def _check_telling(name: str, model: PreTrainedModel, case: Case) -> None:
    """Attention is far from uniform, and what a config says shows in the logits."""
    parts = forward(model, case)
    for part, value in parts.items():
        seen = (value > 0).sum(-1)
        if "attention" in part and (value.amax(-1) * seen)[seen > 1].mean() < 1.5:
            raise RuntimeError(f"{name}: {part} is nearly uniform")
    for change in PLAIN.get(name, ()):
        config = type(model.config).from_dict(model.config.to_dict() | change)
        other = type(model)(config).eval()
        other.load_state_dict(model.state_dict())
        if (forward(other, case)["logits"] - parts["logits"]).abs().max() < 0.01:
            raise RuntimeError(f"{name}: {change} makes no difference")
