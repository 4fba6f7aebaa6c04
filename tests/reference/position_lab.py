"""The laboratory of positions by PyTorch and NumPy in f64: sinusoidal tables of any base, and how alike the rows of a table are."""

import math

import numpy
import torch

from vectors import HERE, SEED, save_json

# Positions, dimensions, base, whether all sines stand first.
WAVES = [(12, 8, 10_000.0, False), (12, 8, 10_000.0, True), (9, 7, 100.0, False), (9, 7, 100.0, True), (5, 2, 1.0, False), (4, 6, 1e6, True)]
# Positions and dimensions of tables that are drawn.
TABLES = [(1, 1), (6, 3), (11, 5)]


def waves(positions: int, width: int, base: float, halves: bool) -> torch.Tensor:
    """As the annotated Transformer writes it: speeds by exp and log, then both functions of the same angles."""
    pairs = torch.arange(0, width, 2, dtype=torch.float64)
    angles = torch.arange(positions, dtype=torch.float64)[:, None] * torch.exp(-math.log(base) * pairs / width)
    sines, cosines = torch.sin(angles), torch.cos(angles)[:, : width // 2]
    if halves:
        return torch.cat((sines, cosines), dim=1)
    table = torch.empty(positions, width, dtype=torch.float64)
    table[:, 0::2], table[:, 1::2] = sines, cosines
    return table


def diagonals(matrix: numpy.ndarray) -> list:
    """The mean of each diagonal, without what is no number."""
    means = []
    for apart in range(len(matrix)):
        there = numpy.diagonal(matrix, apart)
        there = there[~numpy.isnan(there)]
        means.append(float(there.mean()) if len(there) else None)
    return means


def likeness(table: numpy.ndarray) -> dict:
    lengths = numpy.linalg.norm(table, axis=1, keepdims=True)
    directions = numpy.divide(table, lengths, out=numpy.full_like(table, numpy.nan), where=lengths > 0)
    products, cosines = table @ table.T, directions @ directions.T
    listed = [None if numpy.isnan(number) else number for number in cosines.ravel().tolist()]
    return {"products": products.ravel().tolist(), "cosines": listed, "productsApart": diagonals(products), "cosinesApart": diagonals(cosines)}


def write() -> None:
    random = numpy.random.default_rng(SEED)
    tables = []
    for positions, width in TABLES:
        table = random.standard_normal((positions, width))
        if positions > 10:
            table[3] = 0
        tables.append({"table": table.ravel().tolist(), "dim": width, **likeness(table)})
    found = []
    for positions, width, base, halves in WAVES:
        table = waves(positions, width, base, halves)
        found.append({"length": positions, "dim": width, "base": base, "halves": halves, "table": table.flatten().tolist(),
                      "products": (table @ table[0]).tolist(), "productsApart": diagonals((table @ table.T).numpy())})
    save_json(HERE / "position-lab.json", {"waves": found, "likeness": tables})
