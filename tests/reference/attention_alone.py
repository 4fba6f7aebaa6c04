"""Multi-head attention by itself, as torch.nn.MultiheadAttention computes it."""

import torch

from vectors import HERE, generator, save_tensors

BATCH, LENGTH, D_MODEL, HEADS = 2, 5, 128, 4
# Of the padded sequences; `tests/support/operations.rs` has them too.
LENGTHS = [5, 3]


@torch.no_grad()
def write() -> None:
    random = generator("attention alone")

    def drawn(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=random)

    names = ("query", "key", "value")
    weights = {name: drawn(D_MODEL, D_MODEL) * (2 / D_MODEL) ** 0.5 for name in (*names, "output")}
    biases = {name: 0.2 * drawn(D_MODEL) for name in weights}
    module = torch.nn.MultiheadAttention(D_MODEL, HEADS, batch_first=True).eval()
    module.in_proj_weight.copy_(torch.cat([weights[name] for name in names]))
    module.in_proj_bias.copy_(torch.cat([biases[name] for name in names]))
    module.out_proj.weight.copy_(weights["output"])
    module.out_proj.bias.copy_(biases["output"])

    tensors = {f"weight.{name}": value for name, value in weights.items()}
    tensors |= {f"bias.{name}": value for name, value in biases.items()}
    is_padding = torch.arange(LENGTH)[None, :] >= torch.tensor(LENGTHS)[:, None]
    for case, padding in (("distinct", None), ("padded", is_padding)):
        inputs = [drawn(BATCH, LENGTH, D_MODEL) for _ in names]
        output, attention = module(*inputs, key_padding_mask=padding, average_attn_weights=False)
        tensors |= {f"{case}.{name}": value for name, value in zip(names, inputs)}
        tensors |= {f"{case}.attention": attention, f"{case}.output": output}
    save_tensors(HERE / "mha.safetensors", tensors)
