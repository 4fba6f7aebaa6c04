"""Sinusoidal position tables: interleaved as in "Attention Is All You Need" §3.5, and in halves as in Marian."""

import numpy
import torch
from transformers.models.marian.modeling_marian import MarianSinusoidalPositionalEmbedding

from vectors import HERE, save_json, save_tensors

SIZES = [(19, 30), (7, 8), (257, 192)]
# Of a long table a few rows tell as much as all.
LONG = 100
ROWS_OF_LONG = [0, 1, 2, 3, 100, 255, 256]


def interleaved(positions: int, width: int) -> torch.Tensor:
    column = numpy.arange(width)
    angle = numpy.arange(positions)[:, None] / 10000.0 ** (column // 2 * 2 / width)
    return torch.from_numpy(numpy.where(column % 2 == 0, numpy.sin(angle), numpy.cos(angle)))


def write() -> None:
    tensors, tables = {}, []
    for positions, width in SIZES:
        rows = ROWS_OF_LONG if positions > LONG else list(range(positions))
        halves = MarianSinusoidalPositionalEmbedding(positions, width).create_weight()
        name = f"{positions}x{width}"
        tensors[f"interleaved.{name}"] = interleaved(positions, width)[rows]
        tensors[f"halves.{name}"] = halves[rows]
        tables.append({"name": name, "positions": positions, "d_model": width, "rows": rows})
    save_tensors(HERE / "positions.safetensors", tensors)
    save_json(HERE / "positions.json", tables)
