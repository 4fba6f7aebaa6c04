"""Weights as bytes for the script (``www/notebook/numbers.ts`` reads them).

A weight has 16 bits: ten of its mantissa and six of its exponent. A weight that would then be shown
with another digit is sent exactly beside them, so what a reader sees is the weight itself. Weights
of bfloat16 and float16 have no more bits of mantissa, so those are exact.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

PRECISIONS = ("short", "float32")

SHIFT = 13
LEAST_EXPONENT = 64 << 10
MOST = 0xFFFF
SMALLEST_FIXED = 0.0005
"""The weight from which three decimals are shown, and two digits below it."""


def packed(weights: list[np.ndarray], precision: str) -> tuple[dict[str, Any], bytes]:
    """The weights of some stacks one after another: how they are written, and their bytes."""
    flat = np.concatenate([one.ravel() for one in weights]).astype(np.float32)
    if precision == "float32":
        packing = {"encoding": precision, "count": flat.size, "exact": 0}
        return packing, zlib.compress(_planes(flat.view(np.uint32), 4), 6)
    short = _short(flat)
    exact = np.flatnonzero(_shown(_long(short)) != _shown(flat)).astype("<u4")
    packing = {"encoding": precision, "count": flat.size, "exact": exact.size}
    beside = exact.tobytes() + flat[exact].astype("<f4").tobytes()
    return packing, zlib.compress(_planes(short, 2) + beside, 6)


def _planes(numbers: np.ndarray, count: int) -> bytes:
    """The bytes of integers by their place, the highest first."""
    return b"".join(
        ((numbers >> (8 * place)) & 0xFF).astype(np.uint8).tobytes()
        for place in reversed(range(count))
    )


def _short(flat: np.ndarray) -> np.ndarray:
    """The nearest 16 bits; 0 for 0 and for what is too small for them."""
    rounded = (flat.view(np.uint32).astype(np.int64) + (1 << (SHIFT - 1))) >> SHIFT
    return np.clip(rounded - LEAST_EXPONENT, 0, MOST).astype(np.uint32)


def _long(short: np.ndarray) -> np.ndarray:
    """What the script reads of the 16 bits."""
    bits = np.where(short == 0, 0, (short + LEAST_EXPONENT) << SHIFT)
    return bits.astype(np.uint32).view(np.float32)


def _shown(flat: np.ndarray) -> np.ndarray:
    """A number that is the same for weights that are shown in the same words."""
    wide = flat.astype(np.float64)
    shown = np.floor(wide * 1000 + 0.5)
    is_small = (wide > 0) & (wide < SMALLEST_FIXED)
    small = wide[is_small]
    step = 10.0 ** (np.floor(np.log10(small)) - 1)
    # Below zero, so that none equals a number of thousandths.
    shown[is_small] = -np.floor(small / step + 0.5) * step
    return shown
