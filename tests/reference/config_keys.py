"""Every field of every family's config.json, changed one at a time, and what Hugging Face then
computes.

A tiny model's weights are drawn by the names of its tensors, here and in Rust, so that none are
stored. A case is a change of the config or of the input, and a few numbers of what is computed:
sums of all numbers of a tensor under drawn factors, and one number each. The fields are those of
the config class, of its base class, other names of them, and fields of other families; values
follow from their types. A field of a class of which no value can be tried fails the script."""

import json
import sys
from copy import deepcopy
from dataclasses import MISSING, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np
import torch
from safetensors import safe_open
from safetensors.numpy import save_file
from transformers import AutoConfig, logging
from transformers import AutoModelForCausalLM as Causal
from transformers import AutoModelForImageClassification as Classified
from transformers import AutoModelForMaskedLM as Masked
from transformers import AutoModelForSeq2SeqLM as Seq2Seq

from drawn import drawn, hashed, unit
from families import BART, BERT, CAUSAL, CLASSIFIED, LLAMA, MASKED, SEQ2SEQ, turned
from vectors import HERE

logging.set_verbosity_error()
logging.disable_progress_bar()

FILE = HERE / "config_keys.json"
# More numbers than these have no tiny model; a field without which Hugging Face would build one is
# not deleted.
MOST_NUMBERS = 120_000
IDS = [5, 17, 9, 29, 8, 24, 12, 6, 11, 7, 19, 23]
TARGET = [2, 9, 21, 14, 27, 6, 13, 10]
TYPES = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]

FAMILIES = {
    Masked: {
        "bert": dict(BERT, max_position_embeddings=19),
        **{name: MASKED[name] for name in MASKED},
        "camembert": MASKED["roberta"],
    },
    Causal: {
        "gpt2": dict(
            vocab_size=33,
            n_positions=24,
            n_embd=21,
            n_layer=2,
            n_head=3,
            bos_token_id=None,
            eos_token_id=None,
        ),
        **{
            name: CAUSAL[name]
            for name in (
                "gpt_neo",
                "gpt_neox",
                "opt",
                "mistral",
                "qwen2",
                "qwen3",
                "gemma",
                "gemma2",
                "gemma3_text",
                "smollm3",
                "phi3",
                "stablelm",
                "starcoder2",
                "olmo2",
            )
        },
        "llama": LLAMA,
    },
    Seq2Seq: {
        "marian": dict(BART, d_model=20, encoder_attention_heads=5, decoder_attention_heads=2),
        "bart": SEQ2SEQ["bart"],
        "mbart": SEQ2SEQ["mbart"],
        "m2m_100": SEQ2SEQ["m2m_100"],
        "t5": SEQ2SEQ["t5"],
        "mt5": dict(SEQ2SEQ["t5"], feed_forward_proj="gated-gelu"),
    },
    Classified: {"vit": CLASSIFIED["vit"], "deit": CLASSIFIED["deit-classified"]},
}

ACTIVATIONS = [
    "relu",
    "gelu",
    "gelu_new",
    "gelu_fast",
    "gelu_python",
    "gelu_pytorch_tanh",
    "gelu_accurate",
    "gelu_python_tanh",
    "gelu_10",
    "quick_gelu",
    "silu",
    "swish",
    "tanh",
    "sigmoid",
    "mish",
    "relu2",
    "relu6",
    "linear",
    "laplace",
    "hardswish",
    "leaky_relu",
    "prelu",
]
ROPES = [
    turned(777.0),
    turned(50.0, rope_type="linear", factor=2.5),
    turned(50.0, rope_type="dynamic", factor=3.0),
    turned(50.0, rope_type="yarn", factor=4.0, original_max_position_embeddings=16),
    turned(
        50.0,
        rope_type="yarn",
        factor=4.0,
        original_max_position_embeddings=16,
        beta_fast=4.0,
        beta_slow=0.5,
    ),
    turned(
        50.0,
        rope_type="yarn",
        factor=4.0,
        original_max_position_embeddings=16,
        mscale=0.7,
        mscale_all_dim=0.4,
    ),
    turned(
        50.0,
        rope_type="yarn",
        factor=4.0,
        original_max_position_embeddings=16,
        truncate=False,
        attention_factor=1.3,
    ),
    turned(
        50.0,
        rope_type="llama3",
        factor=4.0,
        low_freq_factor=1.0,
        high_freq_factor=4.0,
        original_max_position_embeddings=40,
    ),
    turned(50.0, partial_rotary_factor=0.5),
    turned(50.0, partial_rotary_factor=0.34),
    {"rope_theta": 70.0},
    {"type": "linear", "factor": 3.0, "rope_theta": 60.0},
    {"rope_type": "default"},
]
NESTED = [
    {"full_attention": turned(30.0), "sliding_attention": turned(90.0)},
    {
        "full_attention": turned(30.0, rope_type="linear", factor=2.0),
        "sliding_attention": turned(90.0),
    },
]
# Values of fields that their types do not give.
VALUES = {
    "rope_parameters": [*ROPES, *NESTED],
    "rope_scaling": [ROPES[1], ROPES[3], ROPES[7], {"type": "linear", "factor": 2.0}],
    "rope_theta": [77.0, 10000],
    "rotary_emb_base": [77],
    "rotary_pct": [0.5, 1.0, 0.2],
    "partial_rotary_factor": [0.5, 0.2, 1.0],
    "global_rope_theta": [77.0],
    "local_rope_theta": [33.0],
    "rope_local_base_freq": [33.0],
    "layer_types": [
        ["full_attention", "sliding_attention", "full_attention"],
        ["sliding_attention"] * 3,
        ["full_attention"] * 3,
        ["sliding_attention", "full_attention"],
        ["full_attention"] * 2,
    ],
    "attention_types": [[[["global"], 2]], [[["local"], 2]], [[["local", "global"], 1]]],
    "attention_layers": [["global", "global"], ["local", "local"]],
    "no_rope_layers": [[0, 1], [1, 1], [0, 0]],
    "pos_att_type": ["c2p", "p2c", "C2P|P2C", ["c2p"], ["p2c", "c2p"], [], "none"],
    "norm_rel_ebd": ["none", "LAYER_NORM"],
    "position_embedding_type": ["absolute", "relative_key"],
    "feed_forward_proj": ["relu", "gated-gelu", "gated-silu", "gelu"],
    "image_size": [[11, 14], [12, 12], 13],
    "patch_size": [[4, 3], [3, 3], 4],
    "per_layer_config": [{"1": {"hidden_act": "relu"}}],
    "pruned_heads": [{"0": [0]}],
    "id2label": [{"0": "a", "1": "b", "2": "c"}],
    "conv_act": ["gelu"],
    "num_labels": [3],
    "dtype": ["float32", "bfloat16"],
    "torch_dtype": ["float32", "float16"],
    "problem_type": ["regression"],
    "architectures": [[], ["Other"]],
    "transformers_version": ["4.1.0"],
    "_name_or_path": ["a"],
    "label2id": [{"a": 0}],
    "task_specific_params": [{}],
    "bad_words_ids": [[[3]]],
}
# Fields of other families and of older files, tried in each.
OTHERS = {
    "is_decoder": [True],
    "is_causal": [False, True],
    "sliding_window": [3],
    "use_sliding_window": [True],
    "rope_theta": None,
    "rope_scaling": None,
    "rope_parameters": [ROPES[0], ROPES[1]],
    "partial_rotary_factor": None,
    "attention_bias": [True],
    "mlp_bias": [True],
    "head_dim": [4, 8],
    "use_bidirectional_attention": [True],
    "scale_embedding": [True],
    "final_logit_softcapping": [5.0],
    "attn_logit_softcapping": [2.0],
    "query_pre_attn_scalar": [3],
    "layer_types": [["sliding_attention"] * 2],
    "type_vocab_size": [3],
    "position_embedding_type": None,
    "pruned_heads": None,
    "per_layer_config": None,
    "tie_word_embeddings": [True, False],
    "tie_encoder_decoder": [True],
    "scale_decoder_outputs": [True, False],
    "hidden_act": ["relu", "gelu"],
    "hidden_activation": ["relu"],
    "layer_norm_eps": [0.1],
    "rms_norm_eps": [0.1],
    "layer_norm_epsilon": [0.1],
    "norm_epsilon": [0.1],
    "hidden_size": [24],
    "num_attention_heads": [1],
    "num_hidden_layers": [1],
    "num_key_value_heads": [1],
    "max_position_embeddings": [18],
    "n_positions": [18],
    "intermediate_size": [12],
    "logit_scale": [0.5],
    "qk_layernorm": [True],
    "use_parallel_residual": [True, False],
    "parallel_attn": [True],
    "normalize_before": [True],
    "add_cross_attention": [True],
    "use_cache": [False, True],
    "output_attentions": [True],
    "output_hidden_states": [True],
    "return_dict": [False],
    "torchscript": [True],
    "chunk_size_feed_forward": [2],
    "gradient_checkpointing": [True],
    "pad_token_id": [0, 1, 9, -1],
    "bos_token_id": [3, 99],
    "eos_token_id": [3, [3, 4], 99],
    "sep_token_id": [3],
    "cls_token_id": [3],
    "unk_token_id": [3],
    "decoder_start_token_id": [3],
    "forced_bos_token_id": [3],
    "prefix": ["x"],
    "torch_dtype": None,
    "task_specific_params": None,
    "bad_words_ids": None,
    "num_labels": None,
    "architectures": None,
    "transformers_version": None,
    "_name_or_path": None,
    "made_up": [1, "x", None],
    "vocab_size": [34],
    "attention_dropout": [0.5],
    "hidden_dropout_prob": [0.5],
    "initializer_range": [0.3],
    "n_inner": [12],
    "d_ff": [12],
    "pretraining_tp": [2],
    "tokenizer_class": ["X"],
    "no_rope_layers": [[0, 1]],
    "num_hidden_groups": [2],
    "layer_norm_elementwise_affine": [False],
    "embedding_size": [12],
    "word_embed_proj_dim": [12],
    "use_bias": [False, True],
    "is_encoder_decoder": [True, False],
}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}
LONG = {
    "rope_type": "longrope",
    "short_factor": [1.1, 1.4, 1.7],
    "long_factor": [1.7, 2.2, 2.7],
    "original_max_position_embeddings": 8,
}
# Changes that are tried last, of several fields at once: the name of a case is its first field.
LATER = [
    {"is_causal": None},
    {"layer_types": ["full_attention"] * 2},
    {"original_max_position_embeddings": 56, "rope_parameters": {**YARN, "rope_theta": 50.0}},
    {"original_max_position_embeddings": 56, "rope_parameters": {**LONG, "rope_theta": 50.0}},
    {"partial_rotary_factor": 0.25, "rope_parameters": {**LONG, "rope_theta": 50.0}},
    {"rope_scaling": {"type": "linear", "factor": 2.0}, "rope_parameters": None},
    {"rope_scaling": {**YARN, "truncate": False}, "rope_parameters": None},
    {"rope_scaling": {**YARN, "beta_fast": 0, "beta_slow": None}, "rope_parameters": None},
    {"max_relative_positions": 5, "position_buckets": 8},
    {"max_relative_positions": 6, "position_buckets": 8},
]
# Fields with an entry for each block, which say how many there are.
LISTS = ("layer_types", "no_rope_layers", "attention_layers", "attention_types")
# What no change of a field can show, with the reason.
UNTRIED = {"output_attentions": "the answers need it", "return_dict": "the answers need it"}


def sampled(numbers: np.ndarray) -> list[float]:
    """A sum of all numbers under drawn factors, and one of them."""
    flat = numbers.astype(np.float64).flatten()
    total = float(flat @ unit(7, flat.size).astype(np.float64)) / max(flat.size, 1) ** 0.5
    return [float(f"{total:.7g}"), float(f"{flat[int(hashed(3, 1)[0]) % flat.size]:.7g}")]


@torch.no_grad()
def answers(model, given: dict) -> list[list[float]]:
    """Of each stack the attention of the first and of the last block and the last states, then the
    logits, of real tokens."""
    config, real = model.config, np.array(given.get("attention_mask", [1] * len(IDS)), bool)
    if "pixels" in given:
        size = [config.image_size] * 2 if isinstance(config.image_size, int) else config.image_size
        shape = (1, config.num_channels, *size)
        rows = {"pixel_values": torch.tensor(unit(11, int(np.prod(shape))).reshape(shape))}
    else:
        names = {"ids": "input_ids", "types": "token_type_ids", "attention_mask": "attention_mask"}
        rows = {names[key]: torch.tensor([given[key]]) for key in names if key in given}
        if config.is_encoder_decoder:
            rows["decoder_input_ids"] = torch.tensor([TARGET])
    output = model(
        **rows, output_hidden_states=True, output_attentions=True, use_cache=False, return_dict=True
    )
    if config.is_encoder_decoder and hasattr(output, "encoder_attentions"):
        stacks = [
            (output.encoder_attentions, output.encoder_hidden_states[-1], real),
            (output.decoder_attentions, output.decoder_hidden_states[-1], None),
            (output.cross_attentions, None, None),
        ]
    elif "pixels" in given:
        stacks = [(output.attentions, model.base_model.layernorm(output.hidden_states[-1]), None)]
    else:
        stacks = [(output.attentions, output.hidden_states[-1], real)]
    found = []
    for attention, hidden, rows in stacks:
        for one in (attention[0], attention[-1]):
            one = one[0].numpy()
            found.append(sampled(one if rows is None else one[:, rows]))
        if hidden is not None:
            # OPT's last states are those behind the map to the width of its tables, which are not
            # compared.
            is_stream = hidden.shape[-1] == config.hidden_size
            found.append(
                sampled(hidden[0].numpy() if rows is None else hidden[0].numpy()[rows])
                if is_stream
                else []
            )
    logits = output.logits[0].numpy() if "pixels" not in given else output.logits.numpy()
    is_target = config.is_encoder_decoder or "pixels" in given
    found.append(sampled(logits if is_target else logits[real]))
    if not np.isfinite(sum(found, [])).all():
        raise ValueError("not finite")
    return found


def built(auto, config: dict):
    """A config object of a config.json as it is read."""
    config = deepcopy(config)
    return AutoConfig.for_model(config.pop("model_type"), **config)


class Family:
    """The cases of one family."""

    def __init__(self, auto, name: str, options: dict):
        self.auto, self.name, self.cases, self.answers, self.known, self.layouts = (
            auto,
            name,
            [],
            [],
            {},
            {},
        )
        self.other_layouts, self.resized = [], set()
        self.dir = TemporaryDirectory()
        self.folder = Path(self.dir.name)
        options = deepcopy(options)
        options.pop("architectures", None)
        config = AutoConfig.for_model(**{"model_type": name} | options)
        self.kind = type(config)
        self.tensors, self.config = self.saved(config)
        self.inputs = (
            {"plain": {"ids": IDS}} if auto is not Classified else {"plain": {"pixels": True}}
        )

    def saved(self, config) -> tuple[dict, dict]:
        """The tensors and the config.json that Hugging Face saves of a model."""
        config.architectures = config.architectures or []
        with torch.device("meta"):
            model = self.auto.from_config(config)
        shapes = {name: tuple(p.shape) for name, p in model.named_parameters()}
        if sum(np.prod(shape) for shape in shapes.values()) > MOST_NUMBERS:
            raise ValueError("too large")
        key = (str(shapes), config.__dict__.get("tie_word_embeddings"))
        if key not in self.layouts:
            self.auto.from_config(config).save_pretrained(self.folder)
            with safe_open(self.folder / "model.safetensors", "pt") as file:
                self.layouts[key] = {
                    name: list(file.get_slice(name).get_shape()) for name in file.keys()
                }
        config.architectures, config.dtype = [type(model).__name__], torch.float32
        config.save_pretrained(self.folder)
        return self.layouts[key], json.loads((self.folder / "config.json").read_text())

    def computed(self, config: dict, tensors: dict, given: dict) -> list:
        """What Hugging Face computes of this folder."""
        save_file(
            {name: drawn(name, tuple(shape)) for name, shape in tensors.items()},
            self.folder / "model.safetensors",
            {"format": "pt"},
        )
        (self.folder / "config.json").write_text(json.dumps(config))
        model = self.auto.from_pretrained(
            self.folder, attn_implementation="eager", dtype=torch.float32
        ).eval()
        return answers(model, given)

    def add(self, field: str, config: dict, tensors: dict, given: str = "plain") -> bool:
        key = json.dumps([config, tensors, given], sort_keys=True)
        if key in self.known:
            return self.known[key]
        self.known[key] = False
        try:
            found = self.computed(config, tensors, self.inputs[given])
        except Exception as error:
            self.refused = error
            return False
        self.known[key] = True
        if found not in self.answers:
            self.answers.append(found)
        case = {"field": field, "answers": self.answers.index(found)}
        if given != "plain":
            case["input"] = given
        case |= difference("config", self.config, config)
        if layout := difference("tensors", self.tensors, tensors):
            if layout not in self.other_layouts:
                self.other_layouts.append(layout)
            case["layout"] = self.other_layouts.index(layout)
        self.cases.append(case)
        return True

    def change(self, field: str, config: dict, given: str = "plain") -> bool:
        """A changed config as it is, and as Hugging Face saves it."""
        try:
            tensors, saved = self.saved(built(self.auto, config))
        except Exception as error:
            self.refused = error
            return False
        # One change of shapes shows that a size is read.
        if tensors != self.tensors:
            if field in self.resized:
                return True
            self.resized.add(field)
        as_it_is = self.add(field, config, tensors, given)
        # Saving says the same again, except where it fills in or renames.
        is_new = {key: value for key, value in saved.items() if config.get(key) != value}
        return (bool(is_new) and self.add(field, saved, tensors, given)) or as_it_is


def difference(what: str, base: dict, new: dict) -> dict:
    """What is new, and the names of what is gone."""
    changed = {
        key: value
        for key, value in new.items()
        if key not in base or base[key] != value or type(base[key]) is not type(value)
    }
    gone = [key for key in base if key not in new]
    return ({what: changed} if changed else {}) | ({f"no_{what}": gone} if gone else {})


def values(field: str, value, hint) -> list:
    """What a field is changed to, by its type."""
    if VALUES.get(field) is not None:
        return VALUES[field]
    kinds = set(get_args(hint)) or {hint}
    if isinstance(value, str) and (value in ACTIVATIONS or "act" in field):
        return ACTIVATIONS
    if isinstance(value, bool) or bool in kinds:
        return [True, False]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if isinstance(value, int) and (float not in kinds or value > 1):
            return [value + 1, 2 * value, value // 2, 0]
        return [value + 0.3, 0.0]
    if int in kinds:
        return [0, 1, 2, 6]
    if float in kinds:
        return [0.5, 2.0]
    return ["gelu", "x"] if str in kinds else [[], [0], {}]


def family_of(auto, name: str, options: dict) -> dict:
    family = Family(auto, name, options)
    base = family.config
    if not family.change("model_type", base):
        raise RuntimeError(f"{name}: {family.refused!r}")
    untried = {}
    own = {field.name: field for field in fields(family.kind)}
    for field, described in own.items():
        default = None if described.default is MISSING else described.default
        value = base.get(field, default)
        without = {key: other for key, other in base.items() if key != field}
        tried = [family.change(field, without), family.change(field, {**base, field: None})]
        tried += [
            family.change(field, {**base, field: new})
            for new in values(field, value, described.type)
        ]
        if field in ("num_hidden_layers", "num_layers"):
            listless = {key: other for key, other in base.items() if key not in LISTS}
            listed = [{}, {"attention_types": [[["local"], 1], [["global"], 2]]}]
            tried += [
                family.change(field, {**listless, field: new, **more})
                for new in (1, 3)
                for more in listed
            ]
        if not any(tried) and field not in UNTRIED:
            untried[field] = family.refused
    if untried:
        raise RuntimeError(f"{name}: no value of these fields can be computed: {untried}")
    for field, listed in {**OTHERS, **{alias: None for alias in family.kind.attribute_map}}.items():
        for new in listed or VALUES.get(field) or [1, 2, 24]:
            family.change(field, {**base, field: new})
    inputs(family, auto)
    for changes in LATER:
        family.change(next(iter(changes)), {**base, **changes})
    return {
        "config": base,
        "tensors": family.tensors,
        "layouts": family.other_layouts,
        "inputs": family.inputs,
        "answers": family.answers,
        "cases": family.cases,
    }


def inputs(family: Family, auto) -> None:
    """The same model with masks, kinds of token, and padding tokens inside a text."""
    if auto is Classified:
        return
    pad = family.config.get("pad_token_id")
    padded = [pad if at in (4, 5, 9) and pad is not None else token for at, token in enumerate(IDS)]
    masks = {
        "end": [1] * 9 + [0] * 3,
        "begin": [0] * 3 + [1] * 9,
        "inside": [1, 1, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1],
    }
    family.inputs |= {
        f"mask {name}": {"ids": IDS, "attention_mask": mask} for name, mask in masks.items()
    }
    family.inputs |= {
        "padding": {"ids": padded},
        "padding masked": {
            "ids": padded,
            "attention_mask": [int(token != pad) for token in padded],
        },
    }
    if family.config.get("type_vocab_size", 0) > 1:
        family.inputs["types"] = {"ids": IDS, "types": TYPES}
    for name in family.inputs:
        family.change("input", family.config, name)


def write(only: list[str]) -> None:
    torch.set_num_threads(1)
    failures = []
    all_families = json.loads(FILE.read_text()) if only and FILE.exists() else {}
    for auto, families in FAMILIES.items():
        for name, options in families.items():
            if only and name not in only:
                continue
            try:
                described = family_of(auto, name, options)
            except RuntimeError as error:
                failures.append(error)
                print(error, flush=True)
                continue
            all_families[name] = described
            print(
                f"{name}: {len(described['cases'])} cases, {len(described['answers'])} answers",
                flush=True,
            )
            FILE.write_text(
                json.dumps(all_families, separators=(",", ":"))
                .replace('{"field"', '\n{"field"')
                .replace("]],[[", "]],\n[[")
            )
    if failures:
        raise SystemExit("Class these fields: give them values, or a reason in UNTRIED.")


if __name__ == "__main__":
    write(sys.argv[1:])
