"""Elementwise functions and row functions: inputs in f32, answers computed in f64 and rounded to f32."""

import torch
from torch.nn import functional

from vectors import HERE, generator, save_tensors

NORM_EPSILON = 1e-5
NORM_WIDTH = 37

ELEMENTWISE = {
    "exp": (torch.exp, -104, 88.5),
    "tanh": (torch.tanh, -12, 12),
    "erf": (torch.erf, -5, 5),
    "gelu_erf": (functional.gelu, -10, 10),
    "gelu_tanh": (lambda x: functional.gelu(x, approximate="tanh"), -10, 10),
    "silu": (functional.silu, -100, 100),
}


def grid(low: float, high: float) -> torch.Tensor:
    """Evenly spaced, and denser towards 0 from both sides: relative errors show there."""
    small = torch.logspace(-30, 0, 121, base=10, dtype=torch.float64)
    even = torch.linspace(low, high, 777, dtype=torch.float64)
    return torch.cat([even, small, -small, torch.zeros(1, dtype=torch.float64)]).float().sort().values


def write() -> None:
    random = generator("functions")
    tensors = {}
    for name, (function, low, high) in ELEMENTWISE.items():
        x = grid(low, high)
        tensors |= {f"{name}.x": x, f"{name}.y": function(x.double())}

    rows = torch.randn(6, NORM_WIDTH, generator=random)
    rows[1] *= 1e-3
    rows[2] += 100
    rows[3] = 2.5  # no variance: only epsilon keeps the division finite
    rows[4] *= 1e3
    gain = 1 + 0.3 * torch.randn(NORM_WIDTH, generator=random)
    bias = 0.2 * torch.randn(NORM_WIDTH, generator=random)
    normed = functional.layer_norm(rows.double(), [NORM_WIDTH], gain.double(), bias.double(), NORM_EPSILON)
    tensors |= {"layer_norm.x": rows, "layer_norm.gain": gain, "layer_norm.bias": bias, "layer_norm.y": normed}

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
