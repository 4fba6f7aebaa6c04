"""Settings of known families, other heads over a known body, and families that compute the same
under another name: tiny models whose weights are drawn by name (`drawn.py`), and what Hugging Face
computes of one text."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
import transformers
from safetensors.numpy import save_file
from safetensors.torch import load_file

import tiny_models
from drawn import drawn
from families import BERT, DEBERTA, GEMMA, GROUPED, LIMIT, OPT, PHI, T5, turned
from run_model import Case, forward, generate
from vectors import HERE, generator, save_json, save_tensors

LENGTH, TARGET = 9, 5
LARGEST_F32_ERROR = 4e-5
# What a setting is not allowed to be without must change a state by so much.
TELLING = 0.01

ONE_TYPE = dict(BERT, max_position_embeddings=20, pad_token_id=1)
CLASSES = dict(num_labels=3)
SMALL = dict(BERT, max_position_embeddings=20)
LLAMA = dict(GROUPED, hidden_size=24)
BART = dict(
    LIMIT,
    d_model=20,
    encoder_layers=2,
    decoder_layers=2,
    encoder_ffn_dim=27,
    decoder_ffn_dim=29,
    encoder_attention_heads=2,
    decoder_attention_heads=5,
    pad_token_id=1,
    forced_eos_token_id=None,
    decoder_start_token_id=2,
)
MARIAN = dict(BART, decoder_start_token_id=1, eos_token_id=0)
GPT2 = dict(
    vocab_size=31,
    n_positions=20,
    n_embd=22,
    n_layer=2,
    n_head=2,
    bos_token_id=None,
    eos_token_id=None,
)
CONVOLVED = dict(
    DEBERTA,
    pos_att_type="p2c|c2p",
    max_relative_positions=16,
    position_buckets=8,
    share_att_key=True,
    norm_rel_ebd="layer_norm",
    legacy=False,
)
DECODING = dict(is_decoder=True, bos_token_id=None, eos_token_id=None)


@dataclass
class Setting:
    """A model class with its config, and changes of the config that must show."""

    model: str
    options: dict
    plain: list[dict] = field(default_factory=list)
    # `encoder`, `decoder`, or both where there is cross-attention.
    stack: str = "encoder"
    # The head is none over a vocabulary: its numbers are not computed.
    headless: bool = False
    # A second case writes so many tokens behind the first five, with a cache.
    written: int = 0
    # So many of the last tokens are padding.
    padding: int = 0


def encoder(model: str, options: dict, *plain: dict, **rest) -> Setting:
    return Setting(model, options, list(plain), **rest)


def decoder(model: str, options: dict, *plain: dict, **rest) -> Setting:
    return Setting(model, options, list(plain), stack="decoder", **rest)


def headless(stack: str, model: str, options: dict, *plain: dict) -> Setting:
    return Setting(model, options, list(plain), stack=stack, headless=True)


SETTINGS = {
    "gpt2-by-layer": decoder(
        "GPT2LMHeadModel",
        dict(GPT2, scale_attn_by_inverse_layer_idx=True, reorder_and_upcast_attn=True),
        {"scale_attn_by_inverse_layer_idx": False},
    ),
    "gpt2-unscaled": decoder(
        "GPT2LMHeadModel", dict(GPT2, scale_attn_weights=False), {"scale_attn_weights": True}
    ),
    "stablelm-head-norms": decoder(
        "StableLmForCausalLM",
        dict(
            PHI,
            hidden_size=30,
            qk_layernorm=True,
            use_parallel_residual=True,
            rope_parameters=turned(partial_rotary_factor=0.4),
        ),
    ),
    "stablelm-parallel": decoder(
        "StableLmForCausalLM",
        dict(
            PHI,
            hidden_size=30,
            use_parallel_residual=True,
            rope_parameters=turned(partial_rotary_factor=0.4),
        ),
    ),
    "opt-projected": decoder("OPTForCausalLM", dict(OPT, word_embed_proj_dim=14)),
    "opt-post-norm": decoder(
        "OPTForCausalLM", dict(OPT, word_embed_proj_dim=14, do_layer_norm_before=False)
    ),
    "opt-plain-norms": decoder(
        "OPTForCausalLM",
        dict(OPT, layer_norm_elementwise_affine=False, _remove_final_layer_norm=True),
    ),
    "albert-groups": encoder(
        "AlbertForMaskedLM",
        dict(SMALL, embedding_size=14, num_hidden_layers=5, num_hidden_groups=2, inner_group_num=2),
    ),
    "bert-decoder": decoder("BertLMHeadModel", dict(SMALL, **DECODING), {"is_decoder": False}),
    "roberta-decoder": decoder(
        "RobertaForCausalLM", dict(ONE_TYPE, **DECODING), {"is_decoder": False}
    ),
    "electra-decoder": decoder(
        "ElectraForCausalLM", dict(SMALL, embedding_size=14, **DECODING), {"is_decoder": False}
    ),
    "gemma3-bidirectional": encoder(
        "Gemma3TextModel",
        dict(
            GEMMA,
            query_pre_attn_scalar=11,
            sliding_window=6,
            sliding_window_pattern=2,
            use_bidirectional_attention=True,
            rope_parameters={"full_attention": turned(200.0), "sliding_attention": turned(20.0)},
        ),
        {"use_bidirectional_attention": False},
        {"sliding_window": 2},
        headless=True,
    ),
    "marian-two-vocabularies": Setting(
        "MarianMTModel",
        dict(MARIAN, vocab_size=31, decoder_vocab_size=37, share_encoder_decoder_embeddings=False),
    ),
    "llama-dynamic": decoder(
        "LlamaForCausalLM",
        dict(
            LLAMA,
            max_position_embeddings=6,
            rope_parameters=turned(rope_type="dynamic", factor=3.0),
        ),
        {"max_position_embeddings": 64},
        written=6,
    ),
    "deberta-v2-convolution": encoder(
        "DebertaV2ForMaskedLM", dict(CONVOLVED, conv_kernel_size=3), {"conv_kernel_size": 0}
    ),
    "deberta-v2-groups": encoder(
        "DebertaV2ForMaskedLM",
        dict(CONVOLVED, conv_kernel_size=5, conv_groups=3, conv_act="gelu"),
        {"conv_act": "tanh"},
        padding=2,
    ),
    "phi3-long": decoder(
        "Phi3ForCausalLM",
        dict(
            PHI,
            hidden_size=24,
            max_position_embeddings=64,
            original_max_position_embeddings=6,
            rope_parameters=turned(
                rope_type="longrope",
                short_factor=[1.1, 1.6, 1.2, 1.3],
                long_factor=[1.7, 3.5, 2.0, 4.0],
            ),
        ),
        written=6,
    ),
    "llama-classifier": headless(
        "decoder", "LlamaForSequenceClassification", dict(LLAMA, **CLASSES)
    ),
    "llama-answers": headless("decoder", "LlamaForQuestionAnswering", LLAMA),
    "mistral-tokens": headless(
        "decoder", "MistralForTokenClassification", dict(LLAMA, sliding_window=4, **CLASSES)
    ),
    "qwen2-classifier": headless(
        "decoder",
        "Qwen2ForSequenceClassification",
        dict(LLAMA, tie_word_embeddings=True, **CLASSES),
    ),
    "gpt2-classifier": headless("decoder", "GPT2ForSequenceClassification", dict(GPT2, **CLASSES)),
    "modernbert-classifier": headless(
        "encoder",
        "ModernBertForSequenceClassification",
        dict(
            BERT,
            hidden_size=18,
            pad_token_id=3,
            bos_token_id=None,
            eos_token_id=None,
            cls_token_id=1,
            sep_token_id=2,
            local_attention=4,
            global_attn_every_n_layers=2,
            **CLASSES,
        ),
    ),
    "bert-classifier": headless("encoder", "BertForSequenceClassification", dict(SMALL, **CLASSES)),
    "roberta-tokens": headless(
        "encoder", "RobertaForTokenClassification", dict(ONE_TYPE, **CLASSES)
    ),
    "electra-discriminator": headless(
        "encoder", "ElectraForPreTraining", dict(SMALL, embedding_size=14)
    ),
    "deberta-v2-classifier": headless(
        "encoder",
        "DebertaV2ForSequenceClassification",
        dict(DEBERTA, pos_att_type="p2c|c2p", share_att_key=True, **CLASSES),
    ),
    "bart-classifier": Setting(
        "BartForSequenceClassification", dict(BART, eos_token_id=2, **CLASSES), headless=True
    ),
    "t5-encoder": headless("encoder", "T5EncoderModel", T5),
    "t5-tokens": headless("encoder", "T5ForTokenClassification", dict(T5, **CLASSES)),
    "ministral": decoder(
        "MinistralForCausalLM",
        dict(
            LLAMA, head_dim=8, sliding_window=4, layer_types=["sliding_attention", "full_attention"]
        ),
        {"sliding_window": 64},
    ),
    "internlm3": decoder(
        "LlamaForCausalLM",
        dict(LLAMA, head_dim=6, attention_bias=True, mlp_bias=True, model_type="internlm3"),
    ),
    "seed_oss": decoder("SeedOssForCausalLM", dict(LLAMA, head_dim=8)),
    "big_bird": encoder("BigBirdForMaskedLM", dict(SMALL, attention_type="original_full")),
    "big_bird-sparse": encoder(
        "BigBirdForMaskedLM",
        dict(
            SMALL,
            max_position_embeddings=40,
            attention_type="block_sparse",
            block_size=2,
            num_random_blocks=1,
            rescale_embeddings=True,
            use_bias=False,
        ),
        {"rescale_embeddings": False},
    ),
    "plbart": Setting("PLBartForConditionalGeneration", BART, [{"scale_embedding": False}]),
    "mvp": Setting("MvpForConditionalGeneration", BART),
    "ernie": encoder("ErnieForMaskedLM", SMALL),
    "ernie-tasks": encoder("ErnieForMaskedLM", dict(SMALL, use_task_id=True)),
    "data2vec-text": encoder("Data2VecTextForMaskedLM", ONE_TYPE),
    "ibert": encoder("IBertForMaskedLM", ONE_TYPE),
    "roberta-prelayernorm": encoder("RobertaPreLayerNormForMaskedLM", ONE_TYPE),
    "xlm-roberta-xl": encoder("XLMRobertaXLForMaskedLM", ONE_TYPE),
    "megatron-bert": encoder("MegatronBertForMaskedLM", SMALL),
    "eurobert": encoder("EuroBertForMaskedLM", dict(LLAMA, pad_token_id=1)),
}


def write() -> None:
    """Configs, names of tensors and inputs into one file, the answers into another."""
    described, tensors = {}, {}
    for name, setting in SETTINGS.items():
        with TemporaryDirectory() as folder:
            described[name], answers = _computed(name, setting, Path(folder))
        case = described[name]["case"]["name"]
        tensors |= {
            f"{name}/{part if part == 'written' else f'{case}.{part}'}": value
            for part, value in answers.items()
        }
    save_json(HERE / "settings.json", described)
    save_tensors(HERE / "settings.safetensors", tensors)


def _computed(name: str, setting: Setting, folder: Path) -> tuple[dict, dict[str, torch.Tensor]]:
    model_class = getattr(transformers, setting.model)
    config = _config(model_class, setting.options)
    model_class(config).save_pretrained(folder)
    weights = folder / "model.safetensors"
    shapes = {part: list(value.shape) for part, value in load_file(weights).items()}
    save_file(
        {part: drawn(part, shape) for part, shape in shapes.items()}, weights, {"format": "pt"}
    )
    model = tiny_models.load(model_class, folder)
    case = _case(name, model, setting.padding)
    answers = _forward(model, case, setting)
    for module in model.modules():
        if hasattr(module, "reorder_and_upcast_attn"):
            module.reorder_and_upcast_attn = False  # it takes f32 alone, and computes the same
    exact = _forward(model.double(), case, setting)
    error = max((value - exact[part].float()).abs().max().item() for part, value in answers.items())
    if error > LARGEST_F32_ERROR:
        raise RuntimeError(f"{name}: f32 is {error} from f64; choose calmer weights")
    for change in setting.plain:
        _check_telling(name, model_class, folder, case, setting, change, answers)
    print(
        f"{name}: {sum(map(_size, shapes.values()))} weights, f32 within {error:.1e} of f64",
        flush=True,
    )
    described = {
        "config": json.loads((folder / "config.json").read_text()),
        "tensors": shapes,
        "case": case.described(),
        "headless": setting.headless,
    }
    if setting.written:
        # Last, since stretched positions stay stretched until a short text comes.
        text = Case("written", case.ids[:5], max_new_tokens=setting.written)
        answers["written"] = generate(model, text)
        described["written"] = text.described()
    return described, answers


def _size(shape: list[int]) -> int:
    return int(torch.Size(shape).numel())


def _config(model_class, options: dict):
    """The class's own config, or the one that `model_type` names."""
    kind = options.get("model_type", model_class.config_class.model_type)
    return transformers.AutoConfig.for_model(
        kind, **{key: options[key] for key in options if key != "model_type"}
    )


def _case(name: str, model, padding: int) -> Case:
    random, config = generator(f"{name} setting"), model.config
    skipped = getattr(config, "pad_token_id", None)

    def ids(count: int, vocabulary: int) -> list[int]:
        drawn_ids = torch.randint(vocabulary - 1, (count,), generator=random).tolist()
        return [token + (token == skipped) for token in drawn_ids]

    source = ids(LENGTH, config.vocab_size)
    if (
        getattr(config, "num_labels", None)
        and "Classif" in type(model).__name__
        and config.is_encoder_decoder
    ):
        source[-1] = config.eos_token_id
    target = None
    if (
        config.is_encoder_decoder
        and "Encoder" not in type(model).__name__
        and "Token" not in type(model).__name__
    ):
        vocabulary = getattr(config, "decoder_vocab_size", None) or config.vocab_size
        target = [config.decoder_start_token_id, *ids(TARGET - 1, vocabulary)]
    has_types = (
        getattr(config, "type_vocab_size", 0) > 1
        and "token_type_ids" in model.forward.__code__.co_varnames
    )
    types = torch.randint(2, (LENGTH,), generator=random).tolist() if has_types else None
    if padding:
        mask = [1] * (LENGTH - padding) + [0] * padding
        return Case("padded", source, types, mask)
    return Case("text", source, types, target_ids=target)


@torch.no_grad()
def _forward(model, case: Case, setting: Setting) -> dict[str, torch.Tensor]:
    """What `run_model.forward` names, by the stack that the text goes through."""
    if hasattr(model.base_model, "set_attention_type"):
        model(
            input_ids=torch.tensor([case.ids])
        )  # a short text puts other modules in place, which are then recorded
    entered = []
    projection = getattr(
        getattr(getattr(model, "model", None), "decoder", None), "project_out", None
    )
    hook = (
        projection.register_forward_pre_hook(lambda _, inputs: entered.append(inputs[0][0]))
        if projection
        else None
    )
    if case.target_ids is None and model.config.is_encoder_decoder:
        output = model(
            input_ids=torch.tensor([case.ids]), output_hidden_states=True, output_attentions=True
        )
        stacks = {"encoder.hidden": output.hidden_states, "encoder.attention": output.attentions}
        parts = {
            f"{kind}.{layer}": value[0]
            for kind, values in stacks.items()
            for layer, value in enumerate(values)
        }
    else:
        # A classifier of pairs wants both texts of one length; the body below it does not.
        parts = forward(model.model if setting.headless and case.target_ids else model, case)
    if hook:
        # OPT counts its last map to the last state; here it is the first of the output head.
        hook.remove()
        last = max(int(part.rpartition(".")[2]) for part in parts if ".hidden." in part)
        parts[f"decoder.hidden.{last}"] = entered[0]
    if setting.headless:
        parts.pop("logits", None)
    one = next(stack for stack in ("encoder", "decoder") if f"{stack}.hidden.0" in parts)
    if case.target_ids is None and one != setting.stack:
        parts = {part.replace(one, setting.stack): value for part, value in parts.items()}
    return parts


def _check_telling(name, model_class, folder, case, setting, change, answers) -> None:
    config = type(model_class(_config(model_class, setting.options)).config).from_pretrained(
        folder, **change
    )
    other = model_class.from_pretrained(
        folder, config=config, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    found = _forward(other, case, setting)
    if (
        max((found[part] - value).abs().max() for part, value in answers.items() if part in found)
        < TELLING
    ):
        raise RuntimeError(f"{name}: {change} makes no difference")
