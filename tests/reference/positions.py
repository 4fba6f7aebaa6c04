"""Positions without a model, in f64: sinusoidal tables of any base and how alike the rows of a
table are; rotary turns by Hugging Face's Llama, ALiBi by the code of its paper, buckets by Hugging
Face's T5, Transformer-XL's four terms from the paper. What is drawn is drawn as in
edited_positions."""

import math

import numpy
import torch
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb
from transformers.models.t5.modeling_t5 import T5Attention

from edited_positions import _drawn, _sinusoids, slopes
from vectors import HERE, SEED, save_json, seed_of

# Positions, dimensions, base, whether all sines stand first.
WAVES = [
    (12, 8, 10_000.0, False),
    (12, 8, 10_000.0, True),
    (9, 7, 100.0, False),
    (9, 7, 100.0, True),
    (5, 2, 1.0, False),
    (4, 6, 1e6, True),
]
# Positions and dimensions of tables that are drawn.
TABLES = [(1, 1), (6, 3), (11, 5)]
# Position of the query and of the key, shift, width, base, seed, whether the key is the query's
# vector.
ROTARY = [
    (9, 4, 100, 8, 10000.0, 1, False),
    (0, 127, 1024, 6, 50.0, 7, False),
    (60, 3, 1, 16, 500000.0, 2, True),
]
# Distances at which the curve is compared.
DISTANCES = [-127, -31, -1, 0, 1, 5, 64, 127]
HEADS = [1, 3, 8, 12, 20]
# Buckets, largest distance, whether both sides count.
BUCKETS = [(32, 128, True), (32, 128, False), (8, 20, True), (12, 100, False), (64, 300, True)]
LENGTH = 24
# Tokens, width, seed.
FOUR_TERMS = [(5, 4, 1), (7, 3, 9), (1, 1, 2), (4, 32, 4)]


def waves(positions: int, width: int, base: float, halves: bool) -> torch.Tensor:
    """As the annotated Transformer writes it: speeds by exp and log, then both functions of the
    same angles."""
    pairs = torch.arange(0, width, 2, dtype=torch.float64)
    angles = torch.arange(positions, dtype=torch.float64)[:, None] * torch.exp(
        -math.log(base) * pairs / width
    )
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


def similarity(table: numpy.ndarray) -> dict:
    lengths = numpy.linalg.norm(table, axis=1, keepdims=True)
    directions = numpy.divide(
        table, lengths, out=numpy.full_like(table, numpy.nan), where=lengths > 0
    )
    products, cosines = table @ table.T, directions @ directions.T
    listed = [None if numpy.isnan(number) else number for number in cosines.ravel().tolist()]
    return {
        "products": products.ravel().tolist(),
        "cosines": listed,
        "productsApart": diagonals(products),
        "cosinesApart": diagonals(cosines),
    }


def write_tables() -> None:
    random = numpy.random.default_rng(SEED)
    tables = []
    for positions, width in TABLES:
        table = random.standard_normal((positions, width))
        if positions > 10:
            table[3] = 0
        tables.append({"table": table.ravel().tolist(), "dim": width, **similarity(table)})
    found = []
    for positions, width, base, halves in WAVES:
        table = waves(positions, width, base, halves)
        found.append(
            {
                "length": positions,
                "dim": width,
                "base": base,
                "halves": halves,
                "table": table.flatten().tolist(),
                "products": (table @ table[0]).tolist(),
                "productsApart": diagonals((table @ table.T).numpy()),
            }
        )
    save_json(HERE / "position-demos.json", {"waves": found, "similarity": tables})


def table(rows: int, width: int, seed: int) -> torch.Tensor:
    drawn = [[_drawn(seed, [row, column], 1.0) for column in range(width)] for row in range(rows)]
    return torch.tensor(drawn, dtype=torch.float64)


def rotary(m, n, shift, width, base, seed, alike) -> dict:
    drawn = [table(width // 2, 2, seed_of(seed, which)).T.flatten() for which in (0, 1)]
    q, k = drawn[0], drawn[0] if alike else drawn[1]
    speeds = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)

    def turned(vector, position):
        angles = (position * speeds).repeat(2)
        as_head = vector[None, None, None]
        return apply_rotary_pos_emb(
            as_head, as_head, angles.cos()[None, None], angles.sin()[None, None]
        )[0].flatten()

    def score(m, n):
        return (turned(q, m) @ turned(k, n)).item()

    asked = {
        "query": m,
        "key": n,
        "shift": shift,
        "headDim": width,
        "base": base,
        "seed": seed,
        "alike": alike,
    }
    return {
        "asked": asked,
        "speeds": speeds.tolist(),
        "query": turned(q, m).tolist(),
        "key": turned(k, n).tolist(),
        "score": score(m, n),
        "shifted": score(m + shift, n + shift),
        "distances": DISTANCES,
        "scores": [score(max(at, 0), max(-at, 0)) for at in DISTANCES],
    }


def alibi(heads: int) -> dict:
    distances = torch.arange(LENGTH)
    return {
        "asked": {"heads": heads, "length": LENGTH, "head": heads - 1},
        "slopes": slopes(heads),
        "biases": (-torch.tensor(slopes(heads), dtype=torch.float64)[:, None] * distances)
        .flatten()
        .tolist(),
    }


def buckets(count: int, furthest: int, both: bool) -> dict:
    heads, head, seed = 3, 1, 5
    at = torch.arange(LENGTH)
    reach = max(LENGTH, furthest + furthest // 4)
    along = torch.arange(-reach, reach + 1)
    # In T5's code a key's position less a query's.
    of_pair = T5Attention._relative_position_bucket(
        at[None, :] - at[:, None], both, count, furthest
    )
    return {
        "asked": {
            "buckets": count,
            "maxDistance": furthest,
            "bothSides": both,
            "heads": heads,
            "head": head,
            "length": LENGTH,
            "seed": seed,
        },
        "reach": reach,
        "along": T5Attention._relative_position_bucket(-along, both, count, furthest).tolist(),
        "matrix": of_pair.flatten().tolist(),
        "bias": table(heads, count, seed)[head][of_pair].flatten().tolist(),
    }


def four_terms(length: int, width: int, seed: int) -> dict:
    q, k = (table(length, width, seed_of(seed, which)) for which in (3, 4))
    u, v = (
        torch.tensor([_drawn(seed, [part, at], 1.0) for at in range(width)], dtype=torch.float64)
        for part in (0, 1)
    )
    to_r = torch.tensor(
        [
            [_drawn(seed, [2, 0, row, column], math.sqrt(2 / width)) for column in range(width)]
            for row in range(width)
        ],
        dtype=torch.float64,
    )
    at = torch.arange(length)
    r = (_sinusoids((at[:, None] - at[None, :]).flatten(), width) @ to_r).reshape(
        length, length, width
    )
    terms = [q @ k.T, torch.einsum("qd,qkd->qk", q, r), (k @ u).expand(length, length), r @ v]
    scaled = [(term / math.sqrt(width)).flatten() for term in terms]
    return {
        "asked": {"length": length, "dim": width, "seed": seed},
        "terms": [term.tolist() for term in scaled],
        "scores": sum(scaled).tolist(),
    }


def write_schemes() -> None:
    save_json(
        HERE / "schemes.json",
        {
            "rotary": [rotary(*case) for case in ROTARY],
            "alibi": [alibi(heads) for heads in HEADS],
            "buckets": [buckets(*case) for case in BUCKETS],
            "fourTerms": [four_terms(*case) for case in FOUR_TERMS],
        },
    )
