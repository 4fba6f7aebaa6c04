"""Residuals and norms edited from outside, by replacing the forward pass of whole blocks.

Written from the definition of the edits, not from Headscope's code: with the norm before
the sublayer y = x + F(N(x)), after the sum y = N(x + F(x)), without it y = x + F(x); without
the residual x is not added. The same trained norm serves on either side.
"""

from collections.abc import Callable, Iterable
from contextlib import ExitStack, contextmanager
from unittest import mock

import torch
from transformers import PreTrainedModel

Map = Callable[[torch.Tensor], torch.Tensor]


def _joined(x: torch.Tensor, sublayer: Map, norm: Map, side: str, residual: bool) -> torch.Tensor:
    y = sublayer(norm(x)) if side == "pre" else sublayer(x)
    if residual:
        y = x + y
    return norm(y) if side == "post" else y


def _said(
    edits: Iterable[dict], stack: str, layer: int, sublayer: str, model_side: str
) -> tuple[str, bool]:
    """Where the norm stands, and whether there is a residual: what the last edit says that says
    it."""
    side, residual = model_side, True
    for edit in edits:
        if edit.get("stack", stack) != stack or layer not in edit.get("layers", [layer]):
            continue
        if sublayer not in edit.get("sublayers", [sublayer]):
            continue
        residual = edit.get("residual", residual)
        if "norm" in edit:
            side = model_side if edit["norm"] == "model" else edit["norm"]
    return side, residual


def _marian(block, arguments: dict) -> list[tuple[str, Map, Map]]:
    def own(x):
        kept = {key: value for key, value in arguments.items() if not key.startswith("encoder_")}
        return block.self_attn(x, **kept)[0]

    def across(x):
        return block.encoder_attn(
            x,
            key_value_states=arguments["encoder_hidden_states"],
            attention_mask=arguments["encoder_attention_mask"],
        )[0]

    def network(x):
        return block.fc2(block.activation_fn(block.fc1(x)))

    parts = [("self-attention", own, block.self_attn_layer_norm)]
    if hasattr(block, "encoder_attn"):
        parts.append(("cross-attention", across, block.encoder_attn_layer_norm))
    return [*parts, ("feed-forward", network, block.final_layer_norm)]


def _bert(block, arguments: dict) -> list[tuple[str, Map, Map]]:
    def own(x):
        found = block.attention.self(x, attention_mask=arguments["attention_mask"])[0]
        return block.attention.output.dense(found)

    def network(x):
        return block.output.dense(block.intermediate(x))

    return [
        ("self-attention", own, block.attention.output.LayerNorm),
        ("feed-forward", network, block.output.LayerNorm),
    ]


def _gpt2(block, arguments: dict) -> list[tuple[str, Map, Map]]:
    def own(x):
        return block.attn(x, attention_mask=arguments["attention_mask"])[0]

    return [("self-attention", own, block.ln_1), ("feed-forward", block.mlp, block.ln_2)]


def _llama(block, arguments: dict) -> list[tuple[str, Map, Map]]:
    def own(x):
        return block.self_attn(hidden_states=x, **arguments)[0]

    return [
        ("self-attention", own, block.input_layernorm),
        ("feed-forward", block.mlp, block.post_attention_layernorm),
    ]


# By model type: the blocks of each stack, the sublayers of a block, and where its norms stand.
FAMILIES = {
    "marian": (
        lambda m: {"encoder": m.model.encoder.layers, "decoder": m.model.decoder.layers},
        _marian,
        "post",
    ),
    "bert": (lambda m: {"encoder": getattr(m, "bert", m).encoder.layer}, _bert, "post"),
    "gpt2": (lambda m: {"decoder": m.transformer.h}, _gpt2, "pre"),
    "llama": (lambda m: {"decoder": m.model.layers}, _llama, "pre"),
}
# What a block is given by position after the hidden states.
POSITIONAL = {
    "marian": ("attention_mask", "encoder_hidden_states", "encoder_attention_mask"),
    "bert": ("attention_mask", "encoder_hidden_states", "encoder_attention_mask"),
    "gpt2": ("past_key_values", "attention_mask", "encoder_hidden_states"),
    "llama": (),
}


@contextmanager
def rejoined(model: PreTrainedModel, edits: list[dict]):
    """Inside this context every block of the model is put together as `edits` say, without a
    cache."""
    family = model.config.model_type
    stacks_of, sublayers_of, model_side = FAMILIES[family]

    def forward_of(block, stack: str, layer: int):
        def forward(hidden_states, *given, **arguments):
            arguments |= dict(zip(POSITIONAL[family], given))
            for part, sublayer, norm in sublayers_of(block, arguments):
                side, residual = _said(edits, stack, layer, part, model_side)
                hidden_states = _joined(hidden_states, sublayer, norm, side, residual)
            return hidden_states

        return forward

    with ExitStack() as patches:
        for stack, blocks in stacks_of(model).items():
            for layer, block in enumerate(blocks):
                patches.enter_context(
                    mock.patch.object(block, "forward", forward_of(block, stack, layer))
                )
        yield
