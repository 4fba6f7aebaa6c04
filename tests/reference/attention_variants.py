"""Variants of attention on one head, in NumPy and f64, from the papers that describe them and not
from Headscope's code, and the edits that the vectors of every model try (`heads_and_variants.py`).

Every variant is written as the weights [query, key] that it comes to, without any of the shortcuts
that make it cheap. What is drawn is drawn by the generator that the documentation names:
SplitMix64, and the polar method for normal numbers.
"""

import math

import numpy

from vectors import fraction, mix, seed_of

STACKS = ("encoder", "decoder", "cross")
USUAL = {
    "additive": {"width": 0, "seed": 1},
    "sliding": {"width": 2},
    "blocks": {"size": 4, "neighbours": 1},
    "performer": {"features": 64, "seed": 1},
    "low-rank": {"rank": 4},
    "linformer": {"keys": 4},
    "chunked": {"size": 16},
}

# The edits by the names of their cases. Scores that any stack can have:
SCORES = {
    "dot": {"scale": "none"},
    "scaled-by-a-number": {"scale": 0.7},
    "cosine": {"kind": "cosine", "scale": 6},
    "additive": {"kind": "additive", "parameters": {"seed": 4}},
    "additive-wide": {
        "kind": "additive",
        "parameters": {"width": 11, "seed": 5},
        "temperature": 0.25,
    },
    "hot": {"temperature": 3},
    "cold": {"temperature": 0.3},
    "dropped": {"dropout": {"rate": 0.4, "seed": 8}},
    "dropped-cosine": {"kind": "cosine", "temperature": 0.2, "dropout": {"rate": 0.25, "seed": 2}},
}
# Cheaper variants that any stack can have:
CHEAP = {
    "sliding": {"kind": "sliding", "parameters": {"width": 1}},
    "sliding-dropped": {"kind": "sliding", "temperature": 0.5, "dropout": {"rate": 0.3, "seed": 3}},
    "blocks": {"kind": "blocks", "parameters": {"size": 2, "neighbours": 1}},
    "blocks-alone": {"kind": "blocks", "parameters": {"size": 3, "neighbours": 0}},
    "linear": {"kind": "linear"},
    "performer": {"kind": "performer", "parameters": {"features": 24, "seed": 6}},
    "performer-hot": {
        "kind": "performer",
        "parameters": {"features": 5, "seed": 7},
        "scale": "none",
        "temperature": 4,
    },
    "chunked": {"kind": "chunked", "parameters": {"size": 2}},
    "chunked-cold": {"kind": "chunked", "parameters": {"size": 3}, "temperature": 0.5},
}
# Variants that see all tokens at once:
WHOLE = {
    "low-rank": {"kind": "low-rank", "parameters": {"rank": 2}},
    "low-rank-none": {"kind": "low-rank", "parameters": {"rank": 0}},
    "linformer": {"kind": "linformer", "parameters": {"keys": 2}},
    "linformer-of-many": {"kind": "linformer", "parameters": {"keys": 9}, "temperature": 0.5},
}


def _normal(seed: int):
    """Standard normal numbers without end."""
    drawn = 0
    while True:
        a, b = (2 * fraction(mix(seed ^ (drawn + i))) - 1 for i in range(2))
        drawn += 2
        square = a * a + b * b
        if 0 < square < 1:
            length = math.sqrt(-2 * math.log(square) / square)
            yield a * length
            yield b * length


def _matrix(numbers, rows: int, columns: int) -> numpy.ndarray:
    return numpy.array([next(numbers) for _ in range(rows * columns)]).reshape(rows, columns)


def joined(edits: list[dict]) -> dict:
    """What several edits of one head come to: the last to name a part has its way."""
    own = {
        "kind": "softmax",
        "parameters": {},
        "scale": "model",
        "temperature": 1.0,
        "dropout": {"rate": 0, "seed": 0},
    }
    for edit in edits:
        if "kind" in edit:
            own["parameters"] = edit.get("parameters", {})
        own |= {
            part: edit[part] for part in ("kind", "scale", "temperature", "dropout") if part in edit
        }
    own["parameters"] = USUAL.get(own["kind"], {}) | own["parameters"]
    return own


def _directions(seed: int, count: int, width: int) -> numpy.ndarray:
    """Rows that are orthogonal in blocks of `width`, each as long as a normal vector of its own."""
    numbers = _normal(seed)
    rows = []
    for at in range(count):
        row = numpy.array([next(numbers) for _ in range(width)])
        for other in rows[at - at % width :]:
            row = row - (row @ other) * other
        rows.append(row / numpy.linalg.norm(row))
    lengths = [numpy.linalg.norm([next(numbers) for _ in range(width)]) for _ in rows]
    return numpy.array(rows) * numpy.array(lengths)[:, None]


def _forbidden(scores: numpy.ndarray, allowed: numpy.ndarray, large: bool) -> numpy.ndarray:
    """Scores under a mask. A large negative number is added in f32, where the scores drown in
    it."""
    closed = (
        (scores.astype(numpy.float32) + numpy.float32(-1e9)).astype(float) if large else -numpy.inf
    )
    return numpy.where(allowed, scores, closed)


def _exponentials(masked: numpy.ndarray) -> numpy.ndarray:
    top = masked.max(axis=-1, keepdims=True, initial=-numpy.inf)
    raised = numpy.exp(masked - numpy.where(numpy.isfinite(top), top, 0))
    total = raised.sum(axis=-1, keepdims=True)
    return numpy.divide(raised, total, out=numpy.zeros_like(raised), where=total > 0)


def _shared(similarity: numpy.ndarray, allowed: numpy.ndarray) -> numpy.ndarray:
    rows = similarity * allowed
    total = rows.sum(axis=-1, keepdims=True)
    return numpy.divide(rows, total, out=numpy.zeros_like(rows), where=total > 0)


def _band(own: dict, query: int, keys: int) -> numpy.ndarray:
    at, all_keys = min(query, keys - 1), numpy.arange(keys)
    if own["kind"] == "sliding":
        return abs(all_keys - at) <= own["parameters"]["width"]
    size, neighbours = own["parameters"]["size"], own["parameters"]["neighbours"]
    return abs(all_keys // size - at // size) <= neighbours


def weights(
    own: dict,
    place: tuple[str, int, int],
    query: numpy.ndarray,
    key: numpy.ndarray,
    allowed: numpy.ndarray,
    model_scale: float,
    large: bool,
) -> numpy.ndarray:
    """The pattern of the head `place` (stack, layer, head) from its queries and keys, each [n,
    d_h]."""
    kind, parameters = own["kind"], own["parameters"]
    stack, layer, head = place
    place = (STACKS.index(stack), layer, head)
    d, keys = key.shape[1], key.shape[0]
    products = kind not in ("cosine", "additive")
    scale = {"model": model_scale if products else 1.0, "none": 1.0}.get(own["scale"], own["scale"])
    factor = scale / own["temperature"]
    match kind:
        case "linear":

            def feature(x):
                return numpy.where(x > 0, x + 1, numpy.exp(numpy.minimum(x, 0)))

            return _shared(feature(query) @ feature(key).T, allowed)
        case "performer":
            rows = _directions(seed_of(parameters["seed"], *place), parameters["features"], d)

            def feature(x):
                x = x * math.sqrt(factor)
                return numpy.exp(x @ rows.T - (x * x).sum(axis=1, keepdims=True) / 2)

            return _shared(feature(query) @ feature(key).T, allowed)
        case "linformer":
            found = numpy.zeros(allowed.shape)
            for row, open_ in enumerate(allowed):
                seen = open_.nonzero()[0]
                count = min(parameters["keys"], len(seen))
                if count == 0:
                    continue
                ends = [i * len(seen) // count for i in range(count + 1)]
                pools = [seen[ends[i] : ends[i + 1]] for i in range(count)]
                pooled = numpy.array([key[pool].mean(axis=0) for pool in pools])
                shares = _exponentials(query[row] @ pooled.T * factor)
                for pool, share in zip(pools, shares):
                    found[row, pool] = share / len(pool)
            return found
        case "cosine":
            lengths = (
                numpy.linalg.norm(query, axis=1)[:, None] * numpy.linalg.norm(key, axis=1)[None]
            )
            scores = query @ key.T / lengths
        case "additive":
            width = parameters["width"] or d
            numbers = _normal(seed_of(parameters["seed"], *place))
            of_query, of_key = (_matrix(numbers, d, width) / math.sqrt(d) for _ in range(2))
            out = _matrix(numbers, 1, width)[0] / math.sqrt(width)
            scores = numpy.tanh((query @ of_query)[:, None] + (key @ of_key)[None]) @ out
        case _:
            scores = query @ key.T
    scores = scores * factor
    masked = _forbidden(scores, allowed, large)
    if kind in ("sliding", "blocks"):
        near = numpy.array([_band(own, row, keys) for row in range(len(query))]).reshape(
            len(query), keys
        )
        masked = numpy.where(near, masked, -numpy.inf)
    found = _exponentials(masked)
    if kind == "low-rank":
        left, values, right = numpy.linalg.svd(found)
        rank = min(parameters["rank"], len(values))
        return left[:, :rank] * values[:rank] @ right[:rank]
    rate = own["dropout"]["rate"]
    if rate > 0:
        seed = seed_of(own["dropout"]["seed"], *place)
        for row in range(len(query)):
            for column in range(keys):
                dropped = fraction(mix(mix(seed ^ row) ^ column)) < rate
                found[row, column] *= 0 if dropped else 1 / (1 - rate)
    return found
