"""Weights for tests: random, but each row sums to 1."""

import numpy as np


def softmax(*shape, seed=0, causal=False):
    """Random weights of a shape that ends with queries and keys."""
    scores = 2 * np.random.default_rng(seed).standard_normal(shape)
    if causal:
        scores += np.triu(np.full(shape[-2:], -np.inf), 1)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def words(count, name="w"):
    return [f"{name}{at}" for at in range(count)]
