"""One run of a model of transformers, and a figure of its weights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .arrays import Layers, layers_of
from .errors import HeadscopeError
from .explorer import ExplorerFigure, show_live
from .figure import AttentionFigure, Stack, _check_counts
from .tokens import labels_of
from .weights import Weights, checked, notes_of

LINEAR = "linear_attention"
"""The layers of a config that give a state in place of weights."""

WITH_WEIGHTS = ("attention", "full_attention", "sliding_attention", "hybrid")
"""The layers of a config of mixed layers that have attention weights."""

MOST_WRITTEN = 64
"""The most tokens that a translator writes itself."""


def explore(
    model: Any,
    tokenizer: Any,
    text: str,
    target: str | None = None,
    *,
    live: bool = False,
    layer: int = 0,
    head: int = 0,
    view: str = "heatmap",
    title: str = "",
    precision: str = "short",
) -> AttentionFigure | ExplorerFigure:
    """Runs a model of transformers once on a text, and draws the weights of all its heads.

    The run is in evaluation mode, with eager attention, which alone keeps the weights; afterwards
    the model is as it was.

    Args:
        model: A PyTorch model of transformers: an encoder, a decoder, or both.
        tokenizer: Its tokenizer.
        text: The text. Special tokens are added as the tokenizer adds them.
        target: What the decoder of an encoder–decoder model reads; by default what it writes
            itself (``generate``, greedily, at most 64 tokens).
        live: Gives the weights that the model has now, and its tokenizer, to the whole explorer,
            which runs the model in the browser and where everything edits; ``view``, ``title``
            and ``precision`` are of no use then. The model itself is not run.
        layer, head, view, title, precision: As in :func:`attention`.

    Raises:
        HeadscopeError: If the model gives no weights, or numbers that are none.
    """
    if not hasattr(model, "config") or not hasattr(model, "set_attn_implementation"):
        raise HeadscopeError(
            "model/type",
            f"model is {type(model).__name__}: a PyTorch model of transformers 4.48 or newer "
            "expected. Pass the weights of any other to `headscope.attention`.",
        )
    _check_texts(model, text, target)
    if not (hasattr(tokenizer, "save_pretrained") if live else callable(tokenizer)):
        raise HeadscopeError(
            "tokens/tokenizer",
            f"tokenizer is {type(tokenizer).__name__}: one of transformers expected.",
        )
    if live:
        return show_live(model, tokenizer, text, target, layer=layer, head=head)
    _check_kind(model)
    import torch

    with torch.no_grad(), _eager(model):
        inputs = dict(tokenizer(text, return_tensors="pt"))
        inputs = {name: value.to(model.device) for name, value in inputs.items()}
        if _has_two_stacks(model):
            inputs["decoder_input_ids"] = _decoder_ids(model, tokenizer, inputs, target)
        # A cache is of no use in one run.
        out = model(**inputs, output_attentions=True, return_dict=True)
    stacks = _stacks(model, tokenizer, inputs, out)
    return AttentionFigure(
        stacks, title=title, precision=precision, layer=layer, head=head, view=view
    )


def _check_texts(model: Any, text: Any, target: Any) -> None:
    for name, value in (("text", text), ("target", target)):
        if not isinstance(value, str) and not (name == "target" and value is None):
            raise HeadscopeError(
                "tokens/type", f"{name} is {type(value).__name__}: one text as a string expected."
            )
    if target is not None and not _has_two_stacks(model):
        raise HeadscopeError(
            "model/kind",
            f"{type(model).__name__} has one stack, which reads one text: leave `target` out.",
        )


def _check_kind(model: Any) -> None:
    if getattr(model.config, "attention_window", None) is not None:
        raise HeadscopeError(
            "model/kind",
            f"{type(model).__name__} gives weights by distance within a window "
            "(`attention_window`), not by pairs of tokens.",
        )


def _has_two_stacks(model: Any) -> bool:
    return bool(getattr(model.config, "is_encoder_decoder", False))


@contextmanager
def _eager(model: Any) -> Iterator[None]:
    """Lets a model keep its weights and apply no dropout, and puts both back."""
    before = _implementations(model)
    was_training = model.training
    model.set_attn_implementation("eager")
    model.eval()
    try:
        yield
    finally:
        model.set_attn_implementation(before)
        model.train(was_training)


def _implementations(model: Any) -> dict[str, str]:
    """The attention of a model and of its parts, by the names that transformers gives them."""
    config = model.config
    before = {"": config._attn_implementation}
    for name in getattr(config, "sub_configs", {}):
        part = getattr(config, name, None)
        if part is not None:
            before[name] = part._attn_implementation
    return {name: kind or "eager" for name, kind in before.items()}


def _decoder_ids(model: Any, tokenizer: Any, inputs: dict[str, Any], target: str | None) -> Any:
    if target is None:
        written = model.generate(
            **inputs, max_new_tokens=MOST_WRITTEN, do_sample=False, num_beams=1
        )
        # The last token is not read, it only ends the text.
        return written[:, :-1] if written.shape[1] > 1 else written
    labels = tokenizer(text_target=target, return_tensors="pt")["input_ids"].to(model.device)
    if hasattr(model, "prepare_decoder_input_ids_from_labels"):
        return model.prepare_decoder_input_ids_from_labels(labels)
    start = getattr(model.config, "decoder_start_token_id", None)
    if start is None:
        raise HeadscopeError(
            "model/kind",
            f"{type(model).__name__} does not say how its decoder starts "
            "(`config.decoder_start_token_id`): leave `target` out, or pass its weights to "
            "`headscope.attention`.",
        )
    return labels.new_tensor([[start, *labels[0, :-1].tolist()]])


def _stacks(model: Any, tokenizer: Any, inputs: dict[str, Any], out: Any) -> list[Stack]:
    tokens = labels_of(inputs["input_ids"], tokenizer, "text")
    if not _has_two_stacks(model):
        weights, notes = _weights(model, out, "attentions")
        stack = "decoder" if weights.is_causal else "encoder"
        return [_stack(stack, weights, tokens, tokens, notes)]
    written = labels_of(inputs["decoder_input_ids"], tokenizer, "target")
    encoder, decoder, cross = (
        _weights(model, out, f"{name}_attentions") for name in ("encoder", "decoder", "cross")
    )
    merged = _merged(decoder[0], cross[0])
    return [
        _stack("encoder", encoder[0], tokens, tokens, encoder[1]),
        _stack("decoder", decoder[0], written, written, merged or decoder[1]),
        _stack("cross", cross[0], written, tokens, merged or cross[1]),
    ]


def _stack(
    stack: str, weights: Weights, queries: list[str], keys: list[str], notes: list[str]
) -> Stack:
    _check_counts(weights.numbers.shape[2:], queries, keys, has_keys=stack == "cross")
    return Stack(stack, weights.numbers, queries, keys, notes)


def _weights(model: Any, out: Any, field: str) -> tuple[Weights, list[str]]:
    """The weights of one stack, and what must be said of them."""
    given = out.get(field)
    if not given:
        raise HeadscopeError(
            "model/no-attention",
            f"{type(model).__name__} gave no `{field}`, though eager attention and "
            "`output_attentions=True` were asked for: it keeps no attention weights.",
        )
    config = model.config.get_text_config(decoder=field != "encoder_attentions")
    kinds = list(getattr(config, "layer_types", None) or getattr(config, "layers_block_type", []))
    layers = layers_of(tuple(given), field)
    numbered = list(range(len(layers.arrays)))
    if len(kinds) == len(layers.arrays) and LINEAR in kinds:
        numbered = [at for at, kind in enumerate(kinds) if kind != LINEAR]
        layers = Layers(
            [layers.arrays[at] for at in numbered],
            [layers.names[at] for at in numbered],
            layers.rounding,
        )
    elif len(kinds) > len(layers.arrays):
        own = [at for at, kind in enumerate(kinds) if kind in WITH_WEIGHTS]
        numbered = own if len(own) == len(layers.arrays) else []
    weights = checked(layers)
    return weights, [*_missing(kinds, numbered, len(layers.arrays)), *notes_of(weights)]


def _missing(kinds: list[str], numbered: list[int], count: int) -> list[str]:
    """What is said of a model some of whose layers have no weights."""
    if len(kinds) <= count:
        return []
    here = "1" if count == 1 else f"1 to {count}"
    own = ", ".join(str(at + 1) for at in numbered) or "not known"
    others = ", ".join(sorted({*kinds} - {*WITH_WEIGHTS})) or "unknown"
    return [
        f"{count} of the model's {len(kinds)} layers have attention weights. Their numbers here: "
        f"{here}; in the model: {own}. The others are of other kinds ({others})."
    ]


def _merged(decoder: Weights, cross: Weights) -> list[str]:
    """What is said of one softmax over the decoder's and the encoder's tokens (T5Gemma 2)."""
    if decoder.partial is None or decoder.sums.shape != cross.sums.shape:
        return []
    both = decoder.sums + cross.sums
    if np.abs(both - 1).max() > decoder.rounding + cross.rounding:
        return []
    return [
        "The decoder has one softmax over its own tokens and the encoder's (merged attention): a "
        "row of the decoder and the same row of cross-attention sum to 1 together, not each."
    ]
