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
MODELS = {"llama": "llama-untied", "gpt2": "gpt2-f16", "bert": "bert-untied", "gemma3": "gemma3_text",
          "phi3": "phi3-longrope"}
# By which Llama 3.1 divides the speeds of its pairs.
FACTORS = [1, 1, 1.5, 2, 4]
# Fields of a GGUF file, and the names that config.json has for them.
FIELDS = {
    "context_length": "max_position_embeddings n_positions", "embedding_length": "hidden_size n_embd",
    "block_count": "num_hidden_layers n_layer", "feed_forward_length": "intermediate_size n_inner",
    "head_count": "num_attention_heads n_head", "head_count_kv": "num_key_value_heads", "layer_norm_rms_eps": "rms_norm_eps",
    "rope_freq_base": "rope_theta", "key_length": "head_dim", "layer_norm_eps": "layer_norm_epsilon layer_norm_eps",
    "bos_token_id": "bos_token_id", "eos_token_id": "eos_token_id", "pad_token_id": "pad_token_id",
    "sliding_window": "sliding_window", "sliding_window_pattern": "sliding_window_pattern",
    "rope_scaling_factor": "factor", "rope_scaling_orig_ctx_len": "original_max_position_embeddings",
}
BLOCKS = 3


def paired(rows: np.ndarray, heads: int) -> np.ndarray:
    """Rows of queries or keys as llama.cpp's converter orders them: dimensions that turn together side by side."""
    halves = rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:])
    return halves.swapaxes(1, 2).reshape(rows.shape)


def read(name: str) -> tuple[dict, dict]:
    """Config and weights of a tiny model or of a family."""
    folder = HERE / "models" / name
    if folder.exists():
        return json.loads((folder / "config.json").read_text()), load_file(folder / "model.safetensors")
    family, start = json.loads((HERE / "families.json").read_text())[name], f"{name}/weights/"
    tensors = load_file(HERE / "families.safetensors").items()
    return family["config"], {tensor.removeprefix(start): own for tensor, own in tensors if tensor.startswith(start)}


def write(architecture: str, name: str) -> None:
    config, weights = read(name)
    rope = config.get("rope_parameters", {})
    values = config | rope.get("full_attention", rope)
    if values.get("n_inner", 0) is None:
        values["n_inner"] = 4 * values["n_embd"]
    writer = gguf.GGUFWriter(str(OUT / f"{architecture}.gguf"), architecture)
    for field, names in FIELDS.items():
        for value in (values.get(name) for name in names.split()):
            if value is not None:
                getattr(writer, f"add_{field}")(value)
    if architecture == "llama":
        writer.add_tensor("rope_freqs.weight", np.float32(FACTORS))
    if architecture == "gemma3":
        writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    if architecture == "phi3":
        writer.add_rope_dimension_count(2 * len(rope["short_factor"]))
        for texts in ("long", "short"):
            writer.add_tensor(f"rope_factors_{texts}.weight", np.float32(rope[f"{texts}_factor"]))
    kind = next(kind for kind, text in gguf.MODEL_ARCH_NAMES.items() if text == architecture)
    names = gguf.get_tensor_name_map(kind, len(weights))
    for tensor, numbers in weights.items():
        new = names.get_name(tensor.removeprefix("bert."), try_suffixes=(".weight", ".bias"))
        if new is None:
            continue
        array = numbers.numpy()
        for part, heads in (".q_proj.", "num_attention_heads"), (".k_proj.", "num_key_value_heads"):
            if architecture == "llama" and part in tensor:
                array = paired(array, config[heads])
        if architecture == "gpt2" and ".c_" in tensor:
            array = np.ascontiguousarray(array.T)
        if architecture == "gemma3" and "norm" in new:
            array = array + 1
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
