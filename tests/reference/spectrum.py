"""Singular values by LAPACK in f64, of matrices such as heads have."""

import numpy
import torch

from vectors import HERE, generator, save_tensors

SHARE = 0.9


def softmax_of(scores: torch.Tensor, causal: bool) -> torch.Tensor:
    if causal:
        forbidden = torch.ones_like(scores, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(forbidden, -torch.inf)
    return scores.double().softmax(dim=-1).float()


def write() -> None:
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
