"""Checks that numbers are attention weights, and what must be said of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import Layers, stacked
from .errors import HeadscopeError


class Weights(NamedTuple):
    """Checked weights."""

    numbers: np.ndarray
    """Shape ``[layer, head, query, key]``, float32."""

    sums: np.ndarray
    """The sum of each row, shape ``[layer, head, query]``."""

    rounding: float
    """The error that a sum may have."""

    @property
    def is_causal(self) -> bool:
        """Whether no query has weight on a later key."""
        _, _, queries, keys = self.numbers.shape
        later = np.triu(np.ones((queries, keys), dtype=bool), keys - queries + 1)
        return queries > 1 and not self.numbers[:, :, later].any()

    @property
    def partial(self) -> tuple[float, float] | None:
        """The least and the largest sum of the rows that sum to less than 1, or None."""
        part = self.sums[(self.sums < 1 - self.rounding) & (self.sums > 0)]
        return (float(part.min()), float(part.max())) if part.size else None


def checked(layers: Layers) -> Weights:
    """Refuses numbers that are no weights: negative, not finite, or of rows that sum to more than
    1."""
    for array, name in zip(layers.arrays, layers.names):
        _check_finite(array, name)
    _check_signs(layers)
    numbers = stacked(layers)
    if 0 in numbers.shape:
        raise HeadscopeError("attention/shape", f"{layers.names[0]} has no numbers.")
    sums = numbers.sum(axis=-1, dtype=np.float64)
    _check_sums(numbers, sums, layers)
    return Weights(numbers, sums, layers.rounding)


def _check_finite(array: np.ndarray, name: str) -> None:
    wrong = ~np.isfinite(array)
    if not wrong.any():
        return
    head, query, key = (int(at) for at in np.argwhere(wrong)[0])
    raise HeadscopeError(
        "attention/not-finite",
        f"{name} has {array[head, query, key]} in head {head}, query {query}, key {key} (counted "
        "from 0). A row in which all keys are masked, such as one of padding, can be NaN: pass the "
        "text without padding.",
    )


def _check_signs(layers: Layers) -> None:
    least = [float(array.min()) if array.size else 0.0 for array in layers.arrays]
    wrong = [at for at, number in enumerate(least) if number < 0]
    if not wrong:
        return
    names = ", ".join(layers.names[at] for at in wrong)
    others = [name for at, name in enumerate(layers.names) if at not in wrong]
    advice = (
        f"Draw the others alone: `[{', '.join(others)}]`."
        if others
        else "Pass what softmax gives, not scores before it."
    )
    raise HeadscopeError(
        "attention/not-weights",
        f"{names} has numbers below 0 ({min(least):.3g}), which no attention weight is. A layer of "
        f"linear attention (MiniMax, RWKV) gives its state in place of weights. {advice}",
    )


def _check_sums(numbers: np.ndarray, sums: np.ndarray, layers: Layers) -> None:
    if np.abs(sums - 1).max() <= layers.rounding:
        return
    columns = numbers.sum(axis=-2, dtype=np.float64)
    if np.abs(columns - 1).max() <= layers.rounding:
        raise HeadscopeError(
            "attention/transposed",
            "In the weights each column sums to 1, not each row: queries and keys are exchanged. "
            "Pass them with the last two axes swapped, `attentions.swapaxes(-1, -2)`.",
        )
    largest = float(sums.max())
    if largest <= 1 + layers.rounding:
        return
    layer, head, query = (int(at) for at in np.argwhere(sums == sums.max())[0])
    raise HeadscopeError(
        "attention/sum",
        f"The weights of layer {layer}, head {head}, query {query} (counted from 0) sum to "
        f"{largest:.4g}: those of a query sum to 1. After dropout they sum to more: call "
        "`model.eval()` before the run. Sums over heads or layers must be divided by their number.",
    )


def notes_of(weights: Weights) -> list[str]:
    """What a reader must know of the weights."""
    notes = []
    empty = int((weights.sums == 0).sum())
    if empty:
        notes.append(
            f"{empty} of {weights.sums.size} rows have no weight at all, as those of padded tokens "
            "in some models. They are drawn as given."
        )
    if weights.partial is None:
        return notes
    least, largest = weights.partial
    return [
        *notes,
        f"Rows sum to less than 1 ({least:.3f} to {largest:.3f}): the rest of a query's weight is "
        "on something that is not among these keys, such as a learned sink (gpt-oss) or the "
        "other part of a merged attention (T5Gemma 2). The weights are drawn as given.",
    ]
