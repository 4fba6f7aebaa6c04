"""Arrays of any library as one NumPy array of weights, shape ``[layer, head, query, key]``."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .errors import HeadscopeError

EAGER = (
    'Load the model with `from_pretrained(…, attn_implementation="eager")`, or call '
    '`model.set_attn_implementation("eager")`, and run it again with `output_attentions=True`.'
)

ROUNDING = {"bfloat16": 1 / 128, "float16": 1 / 256}
"""The error that the sum of a row of such numbers may have; 1e-3 for all others."""


class Layers(NamedTuple):
    """Weights as they were given, before they are checked."""

    arrays: list[np.ndarray]
    """A layer each, shape ``[head, query, key]``, float32."""

    names: list[str]
    """How a sentence names each layer."""

    rounding: float
    """The error that the sum of a row may have."""


def layers_of(given: Any, name: str = "attentions") -> Layers:
    """Reads an array of shape ``[query, key]``, ``[head, query, key]`` or
    ``[layer, head, query, key]``, or a tuple with a layer each, as transformers gives it."""
    if _is_output(given):
        fields = [key for key in given if "attentions" in key and given[key] is not None]
        listed = ", ".join([key for key in fields if len(given[key]) > 0] or fields)
        advice = (
            f"Pass one of its fields: {listed}." if listed else f"It has no attentions. {EAGER}"
        )
        raise HeadscopeError(
            "attention/type", f"{name} is a whole output of a model, or a dict. {advice}"
        )
    if given is None:
        raise HeadscopeError(
            "attention/none",
            f"{name} is None: the model was run without `output_attentions=True`. {EAGER}",
        )
    # `generate` gives an empty tuple for each step.
    if isinstance(given, (tuple, list)) and all(_is_nothing(one) for one in given):
        raise HeadscopeError(
            "attention/empty",
            f"{name} is empty: the model ran with an attention that keeps no weights, such as "
            f"`sdpa`, the default of transformers. {EAGER} If it is empty then, too, the model has "
            "no such attention, as a decoder alone has no cross-attention.",
        )
    if isinstance(given, (tuple, list)) and any(_is_layer(one) for one in given):
        return _from_layers(given, name)
    array, rounding = _array(given, name)
    if array.ndim == 5 and array.shape[1] != 1:
        raise _batch(name, array.shape, array.shape[1])
    if array.ndim == 5:
        array = array[:, 0]
    if not 2 <= array.ndim <= 4:
        raise HeadscopeError(
            "attention/shape",
            f"{name} has shape {_words(array.shape)}: [query, key], [head, query, key] or "
            "[layer, head, query, key] expected.",
        )
    array = array.reshape((1,) * (4 - array.ndim) + array.shape)
    names = [name] if len(array) == 1 else [f"{name}[{at}]" for at in range(len(array))]
    return Layers(list(array), names, rounding)


def _is_output(given: Any) -> bool:
    return hasattr(given, "keys") and hasattr(given, "__getitem__") and not hasattr(given, "shape")


def _is_nothing(one: Any) -> bool:
    return isinstance(one, tuple) and len(one) == 0


def _is_layer(one: Any) -> bool:
    """Whether an item of a list is a layer's weights, rather than a row of numbers."""
    if one is None or hasattr(one, "shape"):
        return True
    return isinstance(one, tuple) and any(hasattr(inner, "shape") for inner in one)


def _from_layers(given: Any, name: str) -> Layers:
    missing = [at for at, one in enumerate(given) if one is None]
    if len(missing) == len(given):
        raise HeadscopeError("attention/none", f"All entries of {name} are None. {EAGER}")
    if missing:
        listed = ", ".join(f"{name}[{at}]" for at in missing)
        raise HeadscopeError(
            "attention/none",
            f"{listed}: None, since such a layer computes no attention weights. Leave it out: "
            f"`[one for one in {name} if one is not None]`. Layers are then counted without it.",
        )
    arrays, names, rounding = [], [], 0.0
    for at, one in enumerate(given):
        own = f"{name}[{at}]"
        if isinstance(one, (tuple, list)):
            raise HeadscopeError(
                "attention/steps",
                f"{own} is a tuple: `generate` gives the weights of each step apart. Run the model "
                "once on the whole text, `model(ids, output_attentions=True)`, or pass one step, "
                f"`{own}`, with the tokens of its queries and of its keys.",
            )
        array, error = _array(one, own)
        if array.ndim == 4 and array.shape[0] != 1:
            raise _batch(own, array.shape, array.shape[0])
        if array.ndim == 4:
            array = array[0]
        # A list of matrices is a list of heads.
        if array.ndim == 2:
            array = array[None]
        if array.ndim != 3:
            raise HeadscopeError(
                "attention/shape",
                f"{own} has shape {_words(array.shape)}: [1, head, query, key] or "
                "[head, query, key] expected.",
            )
        arrays.append(array)
        names.append(own)
        rounding = max(rounding, error)
    if all(_ndim(one) == 2 for one in given):
        return Layers([_stacked(arrays, names)[:, 0]], [name], rounding)
    return Layers(arrays, names, rounding)


def _ndim(one: Any) -> int:
    return len(one.shape)


def _stacked(arrays: list[np.ndarray], names: list[str]) -> np.ndarray:
    """Arrays of one shape as one array."""
    for array, name in zip(arrays, names):
        if array.shape != arrays[0].shape:
            raise HeadscopeError(
                "attention/shape",
                f"{name} has shape {_words(array.shape)}, but {names[0]} has "
                f"{_words(arrays[0].shape)}: only layers of one shape can be drawn together. Draw "
                "the others apart.",
            )
    return np.stack(arrays)


def stacked(layers: Layers) -> np.ndarray:
    """The layers as one array, shape ``[layer, head, query, key]``."""
    return _stacked(layers.arrays, layers.names)


def _batch(name: str, shape: tuple[int, ...], count: int) -> HeadscopeError:
    return HeadscopeError(
        "attention/batch",
        f"{name} has shape {_words(shape)}, a batch of {count} texts: pass one text, such as "
        "`[one[:1] for one in attentions]`, and the tokens of that text without padding.",
    )


def _array(given: Any, name: str) -> tuple[np.ndarray, float]:
    """An array of any library as float32, and the error that the sum of a row may have."""
    if np.ma.is_masked(given):
        raise HeadscopeError(
            "attention/type",
            f"{name} is a masked array of NumPy, which hides some of its numbers. Where hidden "
            f"weights are 0, pass `{name}.filled(0)`.",
        )
    kind = str(getattr(given, "dtype", "")).rpartition(".")[2]
    try:
        if type(given).__module__.partition(".")[0] == "torch":
            given = given.detach().to("cpu")
            # NumPy has no bfloat16.
            given = given.float().numpy() if given.is_floating_point() else given.numpy()
        array = np.asarray(given)
    except (TypeError, ValueError, RuntimeError) as error:
        raise HeadscopeError(
            "attention/shape" if isinstance(given, (tuple, list)) else "attention/type",
            f"{name} is no array of numbers whose rows have one length: {error}.",
        ) from error
    # The types that JAX adds, such as bfloat16, are of no kind that NumPy knows.
    is_number = array.dtype.kind in "fiub" or kind in ROUNDING
    if not is_number:
        raise HeadscopeError(
            "attention/type", f"{name} has the type {array.dtype}: an array of numbers expected."
        )
    return np.ascontiguousarray(array, dtype=np.float32), ROUNDING.get(kind, 1e-3)


def _words(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"
