"""Content retention of the tiny models' heads: at how many positions no value of a head is nearer,
by the cosine, to the head's output than the value of that position itself. Outputs and values are
those of Hugging Face's modules. The topic reads what `models` wrote."""

import numpy as np

import tiny_models
from patches import IDS, TARGET_IDS, kept, on_input, on_output, run, site_of
from vectors import HERE, save_json

MODELS = {
    "bert-tiny": ["encoder"],
    "gpt2-tiny": ["decoder"],
    "llama-tiny": ["decoder"],
    "marian-tiny": ["encoder", "decoder"],
}


def directions(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def retained(outputs: np.ndarray, values: np.ndarray) -> int:
    cosines = directions(outputs) @ directions(values).T
    return int((cosines.max(axis=1) <= np.diag(cosines)).sum())


def of_layer(model, stack: str, layer: int) -> list[int]:
    """The count of each head of a block."""
    site = site_of(model, stack, layer)
    held = {}
    keep = {name: kept(held, name) for name in ("output", "value")}
    run(
        model,
        IDS,
        [
            lambda: on_input(site.output, keep["output"]),
            lambda: on_output(site.value, keep["value"]),
        ],
    )
    outputs, values = (held[name][0].double().numpy() for name in ("output", "value"))
    width = outputs.shape[1] // site.heads
    counts = []
    for head in range(site.heads):
        first = site.first_value + head * site.kv_heads // site.heads * width
        counts.append(
            retained(outputs[:, head * width :][:, :width], values[:, first : first + width])
        )
    return counts


def layers_of(model, stack: str) -> int:
    return getattr(model.config, f"{stack}_layers", model.config.num_hidden_layers)


def write() -> None:
    described = {"ids": IDS, "target_ids": TARGET_IDS, "counts": {}}
    for name, stacks in MODELS.items():
        model = tiny_models.load(tiny_models.CONFIGS[name][0], HERE / "models" / name)
        described["counts"][name] = {
            stack: [of_layer(model, stack, layer) for layer in range(layers_of(model, stack))]
            for stack in stacks
        }
    save_json(HERE / "retention.json", described)
