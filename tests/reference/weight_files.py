"""The same weights in other files: GGUF by its own writer, PyTorch's old and new form, and ggml's
blocks with their numbers."""

import json

import gguf
import numpy as np
import torch
from safetensors.torch import load_file

from vectors import HERE, save_tensors

OUT = HERE / "files"
QUANTISED = [
    "Q4_0",
    "Q4_1",
    "Q5_0",
    "Q5_1",
    "Q8_0",
    "Q2_K",
    "Q3_K",
    "Q4_K",
    "Q5_K",
    "Q6_K",
    "IQ4_NL",
    "IQ4_XS",
    "MXFP4",
]
# GGUF files: the architecture that each names and its model.
MODELS = {
    "llama": ("llama", "llama-untied"),
    "gpt2": ("gpt2", "gpt2-f16"),
    "bert": ("bert", "bert-untied"),
    "gemma3": ("gemma3", "gemma3_text"),
    "phi3": ("phi3", "phi3-longrope"),
}
# The same with matrices cut to bfloat16, which keeps the files small.
NARROW_MODELS = {
    "distilbert": ("bert", "distilbert"),
    "gemma": ("gemma", "gemma"),
    "gemma2": ("gemma2", "gemma2"),
    "gemma-embedding": ("gemma-embedding", "gemma3_text"),
    "gptneox": ("gptneox", "gpt_neox"),
    "llama-linear": ("llama", "llama-linear"),
    "mistral": ("llama", "mistral"),
    "mistral3": ("mistral3", "mistral"),
    "modern-bert": ("modern-bert", "modernbert"),
    "olmo2": ("olmo2", "olmo2"),
    "qwen2": ("qwen2", "qwen2"),
    "qwen3": ("qwen3", "qwen3"),
    "smollm3": ("smollm3", "smollm3"),
    "stablelm": ("stablelm", "stablelm"),
    "starcoder2": ("starcoder2", "starcoder2"),
    "t5": ("t5", "flan-t5"),
    "t5encoder": ("t5encoder", "flan-t5"),
    "xlm-roberta": ("bert", "xlm-roberta"),
}
# Architectures whose rows of queries and keys llama.cpp's converter moves.
PAIRED = ("llama", "mistral3", "smollm3")
# Architectures of which the converter leaves fields out.
WITHOUT = {
    "t5encoder": ("decoder_block_count", "decoder_start_token_id"),
    "mistral3": ("sliding_window",),
    "qwen2": ("sliding_window",),
}
# By which Llama 3.1 divides the speeds of its pairs.
FACTORS = [1, 1, 1.5, 2, 4]
# Fields of a GGUF file, and the names that config.json has for them.
FIELDS = {
    "context_length": "max_position_embeddings n_positions",
    "embedding_length": "hidden_size n_embd dim d_model",
    "block_count": "num_hidden_layers n_layer n_layers num_layers",
    "decoder_block_count": "num_decoder_layers",
    "feed_forward_length": "intermediate_size n_inner hidden_dim d_ff",
    "head_count": "num_attention_heads n_head n_heads num_heads",
    "head_count_kv": "num_key_value_heads",
    "layer_norm_rms_eps": "rms_norm_eps",
    "rope_freq_base": "rope_theta",
    "key_length": "head_dim d_kv",
    "value_length": "d_kv",
    "layer_norm_eps": "layer_norm_epsilon layer_norm_eps norm_epsilon norm_eps",
    "bos_token_id": "bos_token_id",
    "eos_token_id": "eos_token_id",
    "pad_token_id": "pad_token_id",
    "sliding_window": "sliding_window local_attention",
    "sliding_window_pattern": "sliding_window_pattern global_attn_every_n_layers",
    "rope_scaling_factor": "factor",
    "rope_scaling_orig_ctx_len": "original_max_position_embeddings",
    "attn_logit_softcapping": "attn_logit_softcapping",
    "final_logit_softcapping": "final_logit_softcapping",
    "parallel_residual": "use_parallel_residual",
    "decoder_start_token_id": "decoder_start_token_id",
    "relative_attn_buckets_count": "relative_attention_num_buckets",
}
BLOCKS = 3


def paired(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of queries or keys as llama.cpp's converter orders them: dimensions that turn together
    side by side."""
    halves = rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:])
    return halves.swapaxes(1, 2).reshape(rows.shape)


def read(name: str) -> tuple[dict, dict]:
    """Config and weights of a tiny model or of a family."""
    folder = HERE / "models" / name
    if folder.exists():
        return json.loads((folder / "config.json").read_text()), load_file(
            folder / "model.safetensors"
        )
    family, start = json.loads((HERE / "families.json").read_text())[name], f"{name}/weights/"
    tensors = load_file(HERE / "families.safetensors").items()
    return family["config"], {
        tensor.removeprefix(start): own for tensor, own in tensors if tensor.startswith(start)
    }


def cut(array: np.ndarray) -> np.ndarray:
    """The bytes of the bfloat16 numbers that are left of f32 without its last 16 bits."""
    halves = np.ascontiguousarray(array).view(np.uint16).reshape(*array.shape, 2)[..., 1]
    return np.ascontiguousarray(halves).view(np.uint8)


def add_own(
    writer: gguf.GGUFWriter, architecture: str, name: str, config: dict, rope: dict
) -> None:
    """What llama.cpp's converter adds for one architecture alone."""
    if name == "llama-untied":
        writer.add_tensor("rope_freqs.weight", np.float32(FACTORS))
    if architecture in ("gemma3", "gemma-embedding"):
        writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
    if architecture in ("gemma3",) or name == "llama-linear":
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    if architecture == "phi3":
        writer.add_rope_dimension_count(2 * len(rope["short_factor"]))
        for texts in ("long", "short"):
            writer.add_tensor(f"rope_factors_{texts}.weight", np.float32(rope[f"{texts}_factor"]))
    if architecture in ("gptneox", "stablelm"):
        width = config["hidden_size"] // config["num_attention_heads"]
        writer.add_rope_dimension_count(int(width * rope["partial_rotary_factor"]))
    if architecture in ("bert", "modern-bert"):
        writer.add_causal_attention(False)
    if architecture == "modern-bert":
        writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
        writer.add_rope_scaling_type(gguf.RopeScalingType.NONE)
    if name == "distilbert":
        writer.add_layer_norm_eps(1e-12)
    if architecture in ("t5", "t5encoder"):
        writer.add_layer_norm_rms_eps(config["layer_norm_epsilon"])


def converted(
    array: np.ndarray, tensor: str, new: str, architecture: str, config: dict
) -> np.ndarray:
    """A tensor as llama.cpp's converter writes it."""
    for part, heads in (".q_proj.", "num_attention_heads"), (".k_proj.", "num_key_value_heads"):
        if architecture in PAIRED and part in tensor:
            array = paired(array, config[heads])
    if architecture == "gpt2" and ".c_" in tensor:
        array = np.ascontiguousarray(array.T)
    if architecture in ("gemma", "gemma2", "gemma3", "gemma-embedding") and "norm" in new:
        array = array + 1
    if architecture == "gptneox" and "query_key_value" in tensor:
        parts = array.reshape(config["num_attention_heads"], 3, -1, *array.shape[1:])
        array = np.ascontiguousarray(parts.swapaxes(0, 1)).reshape(array.shape)
    # Positions are counted from the first that a token can have.
    if config["model_type"] == "xlm-roberta" and new.startswith("position_embd"):
        array = array[config["pad_token_id"] + 1 :]
    return array


def write(file: str, architecture: str, name: str, is_narrow: bool) -> None:
    config, weights = read(name)
    rope = config.get("rope_parameters", {})
    values = config | rope.get("full_attention", rope)
    if values.get("n_inner", 0) is None:
        values["n_inner"] = 4 * values["n_embd"]
    if name == "xlm-roberta":
        values["max_position_embeddings"] -= values["pad_token_id"] + 1
    writer = gguf.GGUFWriter(str(OUT / f"{file}.gguf"), architecture)
    for field, names in FIELDS.items():
        found = [
            value for value in (values.get(name) for name in names.split()) if value is not None
        ]
        if found and field not in WITHOUT.get(architecture, ()):
            getattr(writer, f"add_{field}")(found[0])
    add_own(writer, architecture, name, config, rope)
    kind = next(kind for kind, text in gguf.MODEL_ARCH_NAMES.items() if text == architecture)
    names = gguf.get_tensor_name_map(kind, len(weights))
    for tensor, numbers in weights.items():
        plain = tensor
        for start in (
            "bert.",
            "distilbert.",
            "roberta.",
            "model." if architecture == "modern-bert" else "bert.",
        ):
            plain = plain.removeprefix(start)
        new = names.get_name(plain, try_suffixes=(".weight", ".bias"))
        # What stands behind an encoder is not converted.
        if (
            new is None
            or new.startswith("cls")
            or (architecture == "t5encoder" and new.startswith("output"))
        ):
            continue
        array = converted(numbers.numpy(), tensor, new, architecture, config)
        if is_narrow and array.ndim > 1:
            writer.add_tensor(new, cut(array), raw_dtype=gguf.GGMLQuantizationType.BF16)
        else:
            writer.add_tensor(new, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def blocks() -> None:
    """Random blocks, and the numbers that the library of GGUF's authors makes of them."""
    random = np.random.default_rng(24)
    tensors = {}
    for name in QUANTISED:
        kind = gguf.GGMLQuantizationType[name]
        _, size = gguf.GGML_QUANT_SIZES[kind]
        drawn = random.integers(0, 256, (BLOCKS, size), dtype=np.uint8)
        halves = random.normal(0, 0.01, (BLOCKS, 2)).astype(np.float16).view(np.uint8)
        # Scales are half-precision numbers, which random bytes would often make infinite.
        at = {"Q6_K": size - 2, "Q3_K": size - 2, "Q2_K": size - 4}.get(name, 0)
        width = 4 if name in ("Q4_1", "Q5_1", "Q4_K", "Q5_K", "Q2_K") else 2
        if name == "MXFP4":
            # Powers of two: the two smallest are no normal numbers.
            drawn[:, 0] = [0, 1, 120]
        else:
            drawn[:, at : at + width] = halves[:, :width]
        tensors[f"{name}.blocks"] = torch.from_numpy(drawn)
        tensors[f"{name}.numbers"] = torch.from_numpy(gguf.quants.dequantize(drawn, kind))
    save_tensors(OUT / "blocks.safetensors", tensors)


def quantised() -> None:
    """A Llama of one layer whose attention matrices are quantised, each in another type, and the
    numbers that gguf-py makes of them, in the order of Hugging Face's rows."""
    random = np.random.default_rng(31)
    types = {"q": "Q4_0", "k": "Q8_0", "v": "Q5_1", "output": "Q4_1"}
    # Each head is half as wide as a block, so that a head's rows of the output cut blocks.
    width, vocabulary, heads, rows = 32, 7, 2, {"q": 32, "k": 16, "v": 16, "output": 32}
    writer = gguf.GGUFWriter(str(OUT / "quantised.gguf"), "llama")
    writer.add_context_length(9)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(width)
    writer.add_head_count(heads)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)

    def drawn(*shape: int) -> np.ndarray:
        return random.normal(0, 0.2, shape).astype(np.float32)

    writer.add_tensor("token_embd.weight", drawn(vocabulary, width))
    for norm in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{norm}.weight", 1 + drawn(width))
    for part in ("gate", "up", "down"):
        writer.add_tensor(f"blk.0.ffn_{part}.weight", drawn(width, width))
    numbers = {}
    for part, name in types.items():
        kind = gguf.GGMLQuantizationType[name]
        blocks = gguf.quants.quantize(drawn(rows[part], width), kind)
        found = gguf.quants.dequantize(blocks, kind)
        count = {"q": heads, "k": 1}.get(part)
        numbers[part] = torch.from_numpy(found)
        if count is not None:
            blocks = paired(blocks, count)
        writer.add_tensor(f"blk.0.attn_{part}.weight", blocks, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    save_tensors(OUT / "quantised.safetensors", numbers)


def pickled() -> None:
    """The same model as PyTorch saves it, as it did before 1.6, with strides, with numbers of 64
    bits among those of 32, and with what trainers put around it."""
    weights = load_file(HERE / "models" / "bert-plain" / "model.safetensors")
    torch.save(
        {name: tensor.double() if "bias" in name else tensor for name, tensor in weights.items()},
        OUT / "pytorch_model.bin",
    )
    turned = {
        name: tensor.t().contiguous().t() if tensor.ndim == 2 else tensor
        for name, tensor in weights.items()
    }
    turned = {
        name: tensor.double() if "query" in name else tensor for name, tensor in turned.items()
    }
    wrapped = {
        "epoch": 3,
        "state_dict": {f"module._orig_mod.{name}": tensor for name, tensor in turned.items()},
    }
    torch.save(wrapped, OUT / "wrapped.bin", _use_new_zipfile_serialization=False)


def keys() -> None:
    """The keys of an architecture that gguf-py knows, each of which the reader classes."""
    found = set()
    for group in vars(gguf.Keys).values():
        for value in vars(group).values() if isinstance(group, type) else ():
            inner = vars(value).values() if isinstance(value, type) else [value]
            found |= {
                key.removeprefix("{arch}.")
                for key in inner
                if isinstance(key, str) and key.startswith("{arch}.")
            }
    names = {key.format(dense=dense) for key in found for dense in ("dense_2", "dense_3")}
    (OUT / "gguf-keys.txt").write_text("\n".join(sorted(names)) + "\n")


def save_all() -> None:
    OUT.mkdir(exist_ok=True)
    for file, (architecture, name) in MODELS.items():
        write(file, architecture, name, False)
    for file, (architecture, name) in NARROW_MODELS.items():
        write(file, architecture, name, True)
    pickled()
    keys()
    blocks()
    quantised()


if __name__ == "__main__":
    save_all()
