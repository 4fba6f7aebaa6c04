"""Edits applied to a Hugging Face model from outside, by replacing its eager attention function.

Written from the definition of the edits, not from Headscope's code: a blocked cell
gets minus infinity before softmax, a row without any allowed cell gets weights 0,
and a gate multiplies a head's context (weights times values) before the output
projection.
"""

import sys
from contextlib import contextmanager
from unittest import mock

import torch
from transformers import PreTrainedModel

SITES = {
    ".self_attn": None,  # Marian: encoder or decoder, as the name says; Llama: decoder
    ".encoder_attn": "cross",
    ".attention.self": "encoder",  # BERT
    ".attn": "decoder",  # GPT-2
}


def _sites(model: PreTrainedModel) -> dict[torch.nn.Module, tuple[str, int]]:
    """Stack and layer of every attention module."""
    found = {}
    for name, module in model.named_modules():
        for suffix, stack in SITES.items():
            if name.endswith(suffix):
                layer = next(int(part) for part in name.split(".") if part.isdigit())
                found[module] = (stack or ("encoder" if "encoder.layers" in name else "decoder"), layer)
    return found


def _applies(scope: dict, stack: str, layer: int) -> bool:
    return scope.get("stack", stack) == stack and layer in scope.get("layers", [layer])


@contextmanager
def edited(model: PreTrainedModel, edits: dict):
    """Inside this context every forward pass of the model runs under `edits`. Without a key/value cache only."""
    sites = _sites(model)

    def attention(module, query, key, value, attention_mask, scaling=None, **_):
        stack, layer = sites[module]
        _, heads, queries, keys = (*query.shape[:3], key.shape[2])
        # In Llama some heads share their keys and values.
        key, value = (x.repeat_interleave(heads // x.shape[1], dim=1) for x in (key, value))
        allowed = torch.ones(1, heads, queries, keys, dtype=torch.bool)
        if attention_mask is not None:
            allowed = allowed & (attention_mask == 0)
        for mask in edits.get("masks", []):
            if _applies(mask, stack, layer):
                for head in mask.get("heads", range(heads)):
                    for row, column in mask["block"]:
                        # While a target is being written, it is still shorter than an edit may reach.
                        if row < queries and column < keys:
                            allowed[:, head, row, column] = False
        scores = (query @ key.transpose(-1, -2) * scaling).masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(dim=-1).masked_fill(~allowed, 0)
        context = weights @ value
        for edit in edits.get("heads", []):
            if _applies(edit, stack, layer):
                for head in edit.get("heads", range(heads)):
                    context[:, head] *= edit["gate"]
        return context.transpose(1, 2).contiguous(), weights

    with mock.patch.object(sys.modules[type(model).__module__], "eager_attention_forward", attention):
        yield
