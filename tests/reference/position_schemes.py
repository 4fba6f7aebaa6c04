"""Schemes of positions without a model, in f64: rotary turns by Hugging Face's Llama, ALiBi by the code of its paper,
buckets by Hugging Face's T5, Transformer-XL's four terms from the paper. What is drawn is drawn as in edited_positions."""

import math

import torch
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb
from transformers.models.t5.modeling_t5 import T5Attention

from edited_positions import _drawn, _sinusoids, slopes
from masks import WORD, _mix
from vectors import HERE, save_json

# Position of the query and of the key, shift, width, base, seed, whether the key is the query's vector.
ROTARY = [(9, 4, 100, 8, 10000.0, 1, False), (0, 127, 1024, 6, 50.0, 7, False), (60, 3, 1, 16, 500000.0, 2, True)]
# Distances at which the curve is compared.
DISTANCES = [-127, -31, -1, 0, 1, 5, 64, 127]
HEADS = [1, 3, 8, 12, 20]
# Buckets, largest distance, whether both sides count.
BUCKETS = [(32, 128, True), (32, 128, False), (8, 20, True), (12, 100, False), (64, 300, True)]
LENGTH = 24
# Tokens, width, seed.
FOUR_TERMS = [(5, 4, 1), (7, 3, 9), (1, 1, 2), (4, 32, 4)]


def own_seed(seed: int, which: int) -> int:
    return _mix(_mix(seed & WORD) ^ which)


def table(rows: int, width: int, seed: int) -> torch.Tensor:
    drawn = [[_drawn(seed, [row, column], 1.0) for column in range(width)] for row in range(rows)]
    return torch.tensor(drawn, dtype=torch.float64)


def rotary(m, n, shift, width, base, seed, alike) -> dict:
    drawn = [table(width // 2, 2, own_seed(seed, which)).T.flatten() for which in (0, 1)]
    q, k = drawn[0], drawn[0] if alike else drawn[1]
    speeds = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)

    def turned(vector, position):
        angles = (position * speeds).repeat(2)
        as_head = vector[None, None, None]
        return apply_rotary_pos_emb(as_head, as_head, angles.cos()[None, None], angles.sin()[None, None])[0].flatten()

    def score(m, n):
        return (turned(q, m) @ turned(k, n)).item()

    asked = {"query": m, "key": n, "shift": shift, "headDim": width, "base": base, "seed": seed, "alike": alike}
    return {"asked": asked, "speeds": speeds.tolist(), "query": turned(q, m).tolist(), "key": turned(k, n).tolist(),
            "score": score(m, n), "shifted": score(m + shift, n + shift),
            "distances": DISTANCES, "scores": [score(max(at, 0), max(-at, 0)) for at in DISTANCES]}


def alibi(heads: int) -> dict:
    distances = torch.arange(LENGTH)
    return {"asked": {"heads": heads, "length": LENGTH, "head": heads - 1}, "slopes": slopes(heads),
            "biases": (-torch.tensor(slopes(heads), dtype=torch.float64)[:, None] * distances).flatten().tolist()}


def buckets(count: int, furthest: int, both: bool) -> dict:
    heads, head, seed = 3, 1, 5
    at = torch.arange(LENGTH)
    reach = max(LENGTH, furthest + furthest // 4)
    along = torch.arange(-reach, reach + 1)
    # In T5's code a key's position less a query's.
    of_pair = T5Attention._relative_position_bucket(at[None, :] - at[:, None], both, count, furthest)
    return {"asked": {"buckets": count, "maxDistance": furthest, "bothSides": both, "heads": heads, "head": head,
                      "length": LENGTH, "seed": seed},
            "reach": reach, "along": T5Attention._relative_position_bucket(-along, both, count, furthest).tolist(),
            "matrix": of_pair.flatten().tolist(), "bias": table(heads, count, seed)[head][of_pair].flatten().tolist()}


def four_terms(length: int, width: int, seed: int) -> dict:
    q, k = (table(length, width, own_seed(seed, which)) for which in (3, 4))
    u, v = (torch.tensor([_drawn(seed, [part, at], 1.0) for at in range(width)], dtype=torch.float64) for part in (0, 1))
    to_r = torch.tensor([[_drawn(seed, [2, 0, row, column], math.sqrt(2 / width)) for column in range(width)]
                         for row in range(width)], dtype=torch.float64)
    at = torch.arange(length)
    r = (_sinusoids((at[:, None] - at[None, :]).flatten(), width) @ to_r).reshape(length, length, width)
    terms = [q @ k.T, torch.einsum("qd,qkd->qk", q, r), (k @ u).expand(length, length), r @ v]
    scaled = [(term / math.sqrt(width)).flatten() for term in terms]
    return {"asked": {"length": length, "dim": width, "seed": seed}, "terms": [term.tolist() for term in scaled],
            "scores": sum(scaled).tolist()}


def write() -> None:
    save_json(HERE / "schemes.json", {
        "rotary": [rotary(*case) for case in ROTARY],
        "alibi": [alibi(heads) for heads in HEADS],
        "buckets": [buckets(*case) for case in BUCKETS],
        "fourTerms": [four_terms(*case) for case in FOUR_TERMS],
    })
