"""What needs no model. Elementwise functions and row functions: inputs in f32, answers computed in
f64 and rounded to f32. Singular values by LAPACK in f64, of matrices such as heads have. Attention
of brought numbers by NumPy in f64, for the attention calculator: matrices as rows, answers as
rows."""

import numpy
import torch
from torch.nn import functional
from transformers.activations import ACT2FN

from vectors import HERE, SEED, generator, save_json, save_tensors

NORM_EPSILON = 1e-5
NORM_WIDTH = 37

ELEMENTWISE = {
    "exp": (torch.exp, -104, 88.5),
    "tanh": (torch.tanh, -12, 12),
    "erf": (torch.erf, -5, 5),
}
# By the names of Hugging Face's `ACT2FN`, all of one grid.
ACTIVATIONS = [
    "gelu",
    "gelu_10",
    "gelu_fast",
    "gelu_new",
    "hardswish",
    "laplace",
    "leaky_relu",
    "linear",
    "mish",
    "quick_gelu",
    "relu",
    "relu2",
    "relu6",
    "sigmoid",
    "silu",
    "tanh",
]

# Of the squares of singular values, for `rank90`.
SHARE = 0.9

# Words, numbers of a word, width of queries and keys, width of values, heads, whether there is a
# W_O, what is divided by.
CASES = {
    "one-head": (5, 4, 6, 3, 1, False, None),
    "many-heads": (7, 8, 12, 8, 4, True, None),
    "unscaled": (3, 5, 4, 4, 2, False, 1.0),
    "one-word": (1, 1, 1, 1, 1, True, 2.5),
}


def grid(low: float, high: float) -> torch.Tensor:
    """Evenly spaced, and denser towards 0 from both sides: relative errors show there."""
    small = torch.logspace(-30, 0, 121, base=10, dtype=torch.float64)
    even = torch.linspace(low, high, 777, dtype=torch.float64)
    return (
        torch.cat([even, small, -small, torch.zeros(1, dtype=torch.float64)]).float().sort().values
    )


def write_functions() -> None:
    random = generator("functions")
    tensors = {}
    for name, (function, low, high) in ELEMENTWISE.items():
        x = grid(low, high)
        tensors |= {f"{name}.x": x, f"{name}.y": function(x.double())}

    x = grid(-15, 15)
    tensors["activation.x"] = x
    tensors |= {f"activation.{name}": ACT2FN[name](x.double()) for name in ACTIVATIONS}

    rows = torch.randn(6, NORM_WIDTH, generator=random)
    rows[1] *= 1e-3
    rows[2] += 100
    rows[3] = 2.5  # no variance: only epsilon keeps the division finite
    rows[4] *= 1e3
    gain = 1 + 0.3 * torch.randn(NORM_WIDTH, generator=random)
    bias = 0.2 * torch.randn(NORM_WIDTH, generator=random)
    normed = functional.layer_norm(
        rows.double(), [NORM_WIDTH], gain.double(), bias.double(), NORM_EPSILON
    )
    tensors |= {
        "layer_norm.x": rows,
        "layer_norm.gain": gain,
        "layer_norm.bias": bias,
        "layer_norm.y": normed,
    }

    scores = 3 * torch.randn(7, 61, generator=random)
    scores[1] *= 1e3
    scores[2] += 1e4
    scores[3, 10:] = -torch.inf
    scores[4] = 0.25
    scores[5, 17] = 200
    tensors |= {
        "softmax.x": scores,
        "softmax.y": scores.double().softmax(dim=-1),
        "log_softmax.x": scores.clone(),
        "log_softmax.y": scores.double().log_softmax(dim=-1),
    }
    save_tensors(HERE / "functions.safetensors", tensors)


def softmax_of(scores: torch.Tensor, causal: bool) -> torch.Tensor:
    if causal:
        forbidden = torch.ones_like(scores, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(forbidden, -torch.inf)
    return scores.double().softmax(dim=-1).float()


def write_spectra() -> None:
    random = generator("spectrum")
    query, key = (3 * torch.randn(n, 12, generator=random) for n in (48, 37))
    scores = (query.double() @ key.double().T / 12**0.5).float()
    square = torch.randn(40, 40, generator=random) * 2
    graded = torch.randn(24, 50, generator=random) * torch.logspace(0, -6, 50)
    matrices = {
        "scores": scores,
        "weights": softmax_of(scores, causal=False),
        "causal": softmax_of(square, causal=True),
        "graded": graded,
        "tall": torch.rand(65, 9, generator=random),
    }
    tensors = {}
    for name, matrix in matrices.items():
        values = numpy.linalg.svd(matrix.double().numpy(), compute_uv=False)
        held = numpy.cumsum(values**2) / numpy.sum(values**2)
        tensors |= {
            f"{name}.matrix": matrix,
            f"{name}.values": torch.from_numpy(values),
            f"{name}.rank90": torch.tensor([float(numpy.argmax(held >= SHARE) + 1)]),
        }
    save_tensors(HERE / "spectrum.safetensors", tensors)


def softmax(rows: numpy.ndarray) -> numpy.ndarray:
    top = rows.max(axis=-1, keepdims=True)
    shares = numpy.exp(rows - numpy.where(numpy.isneginf(top), 0, top))
    total = shares.sum(axis=-1, keepdims=True)
    return numpy.divide(shares, total, out=numpy.zeros_like(shares), where=total > 0)


def answer(x, maps, output, mask, heads, divisor) -> dict:
    query, key, value = (x @ weights for weights in maps)
    divide = numpy.sqrt(query.shape[1] / heads) if divisor is None else divisor
    per_head = [numpy.split(matrix, heads, axis=1) for matrix in (query, key, value)]
    found = {"query": query, "key": key, "value": value, "raw": [], "masked": [], "weights": []}
    contexts = []
    for q, k, v in zip(*per_head):
        raw = q @ k.T
        masked = raw / divide + mask
        weights = softmax(masked)
        contexts.append(weights @ v)
        for name, matrix in (("raw", raw), ("masked", masked), ("weights", weights)):
            found[name].append(matrix)
    found["joined"] = numpy.concatenate(contexts, axis=1)
    if output is not None:
        found["output"] = found["joined"] @ output
    return found


def listed(value):
    """JSON knows no infinity: a forbidden cell is null."""
    if isinstance(value, dict):
        return {name: listed(item) for name, item in value.items()}
    if isinstance(value, list):
        return [listed(item) for item in value]
    if value is None or isinstance(value, int | float):
        return value
    return [
        [None if numpy.isneginf(number) else number for number in row] for row in value.tolist()
    ]


def write_calculator() -> None:
    random = numpy.random.default_rng(SEED)
    cases = {}
    for name, (words, model, keys, values, heads, has_output, divisor) in CASES.items():
        x = random.standard_normal((words, model))
        maps = [random.standard_normal((model, width)) for width in (keys, keys, values)]
        output = random.standard_normal((values, 3)) if has_output else None
        mask = numpy.where(
            random.random((words, words)) < 0.3, -numpy.inf, random.standard_normal((words, words))
        )
        if words > 3:
            mask[2] = -numpy.inf
        asked = {
            "x": x,
            "query": maps[0],
            "key": maps[1],
            "value": maps[2],
            "output": output,
            "mask": mask,
            "nHeads": heads,
            "divisor": divisor,
        }
        cases[name] = {
            "asked": listed(asked),
            "answer": listed(answer(x, maps, output, mask, heads, divisor)),
        }
    save_json(HERE / "calculator.json", cases)
