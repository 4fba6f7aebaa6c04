"""The same weights in other files: GGUF by its own writer, PyTorch's zip, and ggml's blocks with their numbers."""

import json

import gguf
import numpy as np
import torch
from safetensors.torch import load_file

from vectors import HERE, save_tensors

OUT = HERE / "files"
QUANTISED = ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q5_K", "Q6_K"]
# Models by the architecture that their GGUF file names.
MODELS = {"llama": "llama-untied", "gpt2": "gpt2-f16", "bert": "bert-untied"}
BLOCKS = 3


def paired(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of queries or keys as llama.cpp's converter orders them: dimensions that turn together side by side."""
    halves = rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:])
    return halves.swapaxes(1, 2).reshape(rows.shape)


def write(architecture: str, name: str) -> None:
    folder = HERE / "models" / name
    config = json.loads((folder / "config.json").read_text())
    of = lambda *names: next(config[name] for name in names if name in config)
    layers = of("num_hidden_layers", "n_layer")
    writer = gguf.GGUFWriter(str(OUT / f"{architecture}.gguf"), architecture)
    writer.add_context_length(of("max_position_embeddings", "n_positions"))
    writer.add_embedding_length(of("hidden_size", "n_embd"))
    writer.add_block_count(layers)
    writer.add_feed_forward_length(of("intermediate_size", "n_inner") or 4 * config["n_embd"])
    writer.add_head_count(of("num_attention_heads", "n_head"))
    if architecture == "llama":
        writer.add_head_count_kv(config["num_key_value_heads"])
        writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
        writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
        writer.add_key_length(config["head_dim"])
    else:
        writer.add_layer_norm_eps(of("layer_norm_epsilon", "layer_norm_eps"))
    tokens = ("bos", writer.add_bos_token_id), ("eos", writer.add_eos_token_id), ("pad", writer.add_pad_token_id)
    for token, add in tokens:
        if config.get(f"{token}_token_id") is not None:
            add(config[f"{token}_token_id"])
    kind = next(kind for kind, text in gguf.MODEL_ARCH_NAMES.items() if text == architecture)
    names = gguf.get_tensor_name_map(kind, layers)
    for tensor, numbers in load_file(folder / "model.safetensors").items():
        new = names.get_name(tensor.removeprefix("bert."), try_suffixes=(".weight", ".bias"))
        if new is None:
            continue
        array = numbers.numpy()
        if architecture == "llama" and ".q_proj." in tensor:
            array = paired(array, config["num_attention_heads"])
        if architecture == "llama" and ".k_proj." in tensor:
            array = paired(array, config["num_key_value_heads"])
        if architecture == "gpt2" and ".c_" in tensor:
            array = np.ascontiguousarray(array.T)
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
        at = size - 2 if name == "Q6_K" else 0
        width = 4 if name in ("Q4_1", "Q5_1", "Q4_K", "Q5_K") else 2
        drawn[:, at : at + width] = halves[:, :width]
        tensors[f"{name}.blocks"] = torch.from_numpy(drawn)
        tensors[f"{name}.numbers"] = torch.from_numpy(gguf.quants.dequantize(drawn, kind))
    save_tensors(OUT / "blocks.safetensors", tensors)


def save_all() -> None:
    OUT.mkdir(exist_ok=True)
    for architecture, name in MODELS.items():
        write(architecture, name)
    weights = load_file(HERE / "models" / "bert-plain" / "model.safetensors")
    torch.save(weights, OUT / "pytorch_model.bin")
    blocks()


if __name__ == "__main__":
    save_all()
