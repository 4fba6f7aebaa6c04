"""Attention of brought numbers by NumPy in f64, for the workbench: matrices as rows, answers as rows."""

import numpy

from vectors import HERE, SEED, save_json

# Words, numbers of a word, width of queries and keys, width of values, heads, whether there is a W_O, what is divided by.
CASES = {
    "one-head": (5, 4, 6, 3, 1, False, None),
    "many-heads": (7, 8, 12, 8, 4, True, None),
    "unscaled": (3, 5, 4, 4, 2, False, 1.0),
    "one-word": (1, 1, 1, 1, 1, True, 2.5),
}


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
    return [[None if numpy.isneginf(number) else number for number in row] for row in value.tolist()]


def write() -> None:
    random = numpy.random.default_rng(SEED)
    cases = {}
    for name, (words, model, keys, values, heads, has_output, divisor) in CASES.items():
        x = random.standard_normal((words, model))
        maps = [random.standard_normal((model, width)) for width in (keys, keys, values)]
        output = random.standard_normal((values, 3)) if has_output else None
        mask = numpy.where(random.random((words, words)) < 0.3, -numpy.inf, random.standard_normal((words, words)))
        if words > 3:
            mask[2] = -numpy.inf
        asked = {"x": x, "query": maps[0], "key": maps[1], "value": maps[2], "output": output, "mask": mask,
                 "nHeads": heads, "divisor": divisor}
        cases[name] = {"asked": listed(asked), "answer": listed(answer(x, maps, output, mask, heads, divisor))}
    save_json(HERE / "workbench.json", cases)
