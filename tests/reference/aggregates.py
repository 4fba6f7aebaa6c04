"""Patterns of several heads joined into one, from the weights that Hugging Face gives for cases of
the tiny models: means and maxima by NumPy, rollout by NumPy, and flow by networkx, all in f64
(Abnar & Zuidema 2020). The topic reads what `models` wrote."""

import networkx
import numpy
import torch
from safetensors.torch import load_file

from vectors import HERE, save_tensors

# The case of each model, and its stacks.
CASES = {
    "bert-tiny": ("seven-tokens", ["encoder"]),
    "gpt2-tiny": ("seven-tokens", ["decoder"]),
    "llama-tiny": ("padded-right", ["decoder"]),
    "marian-tiny": ("seven-to-two", ["encoder", "decoder", "cross"]),
}


def blocks_of(heads: numpy.ndarray) -> list[numpy.ndarray]:
    """The mean of each block's heads with the residual connection, rows that sum to 1."""
    joined = heads.mean(1) + numpy.eye(heads.shape[-1])
    return list(joined / joined.sum(-1, keepdims=True))


def rollout(blocks: list[numpy.ndarray]) -> numpy.ndarray:
    product = numpy.eye(len(blocks[0]))
    for block in blocks:
        product = block @ product
    return product


def flow(blocks: list[numpy.ndarray]) -> numpy.ndarray:
    n = len(blocks[0])
    graph = networkx.DiGraph()
    graph.add_nodes_from((depth, at) for depth in range(len(blocks) + 1) for at in range(n))
    for below, block in enumerate(blocks):
        for query, key in numpy.ndindex(n, n):
            if block[query, key] > 0:
                graph.add_edge((below + 1, query), (below, key), capacity=block[query, key])
    top = len(blocks)
    return numpy.array(
        [
            [networkx.maximum_flow_value(graph, (top, query), (0, key)) for key in range(n)]
            for query in range(n)
        ]
    )


def aggregates_of(heads: numpy.ndarray, is_cross: bool) -> dict[str, numpy.ndarray]:
    """Of `[layer, head, query, key]`."""
    joined = {
        "mean": heads.mean((0, 1)),
        "maximum": heads.max((0, 1)),
        "mean.layer": heads[1].mean(0),
        "maximum.head": heads[:, 1].max(0),
    }
    if is_cross:
        return joined
    blocks = blocks_of(heads)
    return joined | {
        "rollout": rollout(blocks),
        "rollout.layer": rollout(blocks[:2]),
        "flow": flow(blocks),
    }


def write() -> None:
    answers = load_file(HERE / "models.safetensors")
    tensors = {}
    for model, (case, stacks) in CASES.items():
        for stack in stacks:
            prefix = f"{model}/{case}.{stack}.attention."
            layers = sorted(name for name in answers if name.startswith(prefix))
            heads = torch.stack([answers[name] for name in layers]).double().numpy()
            for name, cells in aggregates_of(heads, stack == "cross").items():
                tensors[f"{model}/{case}.{stack}.{name}"] = torch.from_numpy(cells)
    save_tensors(HERE / "aggregates.safetensors", tensors)
