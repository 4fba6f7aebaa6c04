"""Weights that need no file: each number is a function of its tensor's name, the tensor's shape and
its place. The Rust side of it is `tests/support/drawn.rs`."""

import math

import numpy as np

# Parts of the names of tables, whose rows are read one by one.
TABLES = ("embed", "wte", "wpe", "shared", "relative")


def hashed(seed: int, count: int) -> np.ndarray:
    """Numbers of 32 bits that look drawn: a finaliser of MurmurHash3 over a counter."""
    with np.errstate(over="ignore"):
        h = np.arange(count, dtype=np.uint32) * np.uint32(0x9E3779B9) + np.uint32(seed)
        h ^= h >> np.uint32(16)
        h *= np.uint32(0x85EBCA6B)
        h ^= h >> np.uint32(13)
        h *= np.uint32(0xC2B2AE35)
        h ^= h >> np.uint32(16)
    return h


def seed_of(name: str) -> int:
    """FNV-1a."""
    h = 0x811C9DC5
    for byte in name.encode():
        h = (h ^ byte) * 0x01000193 & 0xFFFFFFFF
    return h


def unit(seed: int, count: int) -> np.ndarray:
    """Numbers in [-1, 1), exact in f32."""
    return (hashed(seed, count) >> np.uint32(16)).astype(np.float32) / np.float32(
        32768
    ) - np.float32(1)


def drawn(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """The weights of a tensor: gains around 1, small biases, tables, and matrices that keep the
    size of what they read."""
    numbers, inner = unit(seed_of(name), math.prod(shape)), math.prod(shape[1:])
    if len(shape) < 2:
        numbers = (
            numbers * np.float32(0.3) + np.float32(1)
            if name.endswith("weight")
            else numbers * np.float32(0.2)
        )
    elif not any(table in name for table in TABLES):
        numbers = numbers * np.float32(2.5 / inner**0.5)
    return numbers.reshape(shape)
