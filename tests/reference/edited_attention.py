"""Edits applied to a Hugging Face model from outside, by replacing its eager attention function.

Written from the definition of the edits, not from Headscope's code: a forbidden cell
gets minus infinity before softmax and a row without any allowed cell weights 0, or
where that is wished -1e9 is added in f32; another kind of attention makes the weights in its
own way (`attention_variants.py`); a pattern stands in place of what softmax gave
(after masks, in the order written); and a gate multiplies a head's context
(weights times values) before the output projection.
"""

import sys
from contextlib import contextmanager
from unittest import mock

import numpy
import torch
from transformers import PreTrainedModel

import attention_variants
from edited_positions import Scheme
from vectors import WORD, seed_of

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
                found[module] = (
                    stack or ("encoder" if "encoder.layers" in name else "decoder"),
                    layer,
                )
    return found


def _applies(scope: dict, stack: str, layer: int) -> bool:
    return scope.get("stack", stack) == stack and layer in scope.get("layers", [layer])


def _jump(key: int, buckets: int) -> int:
    """Lamping and Veach's consistent hash."""
    place, following = -1, 0
    while following < buckets:
        place = following
        key = (key * 2862933555777941757 + 1) & WORD
        following = int((place + 1) * (2**31 / ((key >> 33) + 1)))
    return place


def _drawn(seed: int, query: int, count: int, others: list[int]) -> set[int]:
    if len(others) <= count:
        return set(others)
    drawn, attempt = set(), 0
    while len(drawn) < count:
        drawn.add(others[_jump(seed_of(seed, query, attempt), len(others))])
        attempt += 1
    return drawn


def _in_window(
    query: int, key: int, width: int, dilation: int = 1, one_sided: bool = False
) -> bool:
    steps, rest = divmod(key - query, dilation)
    return rest == 0 and -width <= steps <= (0 if one_sided else width)


def _row(preset: dict, query: int, keys: int) -> list[bool]:
    """Whether `query` may look at each key under a preset, cell by cell and from its definition."""
    own = {name: value for name, value in preset.items() if name not in ("kind", "oneSided")}
    one_sided = preset.get("oneSided", False)
    match preset["kind"]:
        case "none":
            return [True] * keys
        case "causal":
            return [key <= query for key in range(keys)]
        case "padding":
            return [key < own["length"] for key in range(keys)]
        case "prefix":
            return [key < own["length"] or key <= query for key in range(keys)]
        case "block":
            return [key // own["size"] == query // own["size"] for key in range(keys)]
        case "strided":
            near_or_far = [
                abs(query - key) <= own["stride"] or (query - key) % own["stride"] == 0
                for key in range(keys)
            ]
            return [
                allowed and (key <= query or not one_sided)
                for key, allowed in enumerate(near_or_far)
            ]
        case "window" | "dilated":
            return [_in_window(query, key, one_sided=one_sided, **own) for key in range(keys)]
        case "global" | "random":
            tokens = own.get("tokens", [])
            if query in tokens:
                return [True] * keys
            near = [
                key in tokens
                or ("width" in own and _in_window(query, key, own["width"], one_sided=one_sided))
                for key in range(keys)
            ]
            if preset["kind"] == "global":
                return near
            more = _drawn(
                own["seed"], query, own["keys"], [key for key in range(keys) if not near[key]]
            )
            return [near[key] or key in more for key in range(keys)]
    raise ValueError(preset["kind"])


def allowed_cells(
    edits: list[dict], causal: bool, hidden: set[int], queries: int, keys: int
) -> numpy.ndarray:
    """The cells that stay open after some edits of masks, [query, key]. `hidden` keys are padding
    of the text itself."""
    open_ = numpy.array(
        [[key <= query or not causal for key in range(keys)] for query in range(queries)]
    )
    for edit in edits:
        if "preset" in edit:
            rule = numpy.array(
                [_row(edit["preset"], query, keys) for query in range(queries)]
            ) ^ edit.get("invert", False)
            match edit.get("mode", "and"):
                case "and":
                    open_ = open_ & rule
                case "or":
                    open_ = open_ | rule
                case "replace":
                    open_ = rule
        for cells, to in ((edit.get("block", []), False), (edit.get("allow", []), True)):
            for query, key in cells:
                # While a target is being written, it is still shorter than an edit may reach.
                if query < queries and key < keys:
                    open_[query, key] = to
    for key in hidden:
        open_[:, key] = False
    return open_


def fill_of(edits: list[dict]) -> str:
    """What a forbidden cell adds to its score: the last word counts."""
    return next((edit["fill"] for edit in reversed(edits) if "fill" in edit), "-inf")


def _given(
    weights: torch.Tensor, allowed: torch.Tensor, pattern: str | list[list[float]]
) -> torch.Tensor:
    """One head's weights [query, key] once the pattern took the place of those rows that it has."""
    queries, keys = weights.shape
    rows = torch.zeros(queries, keys, dtype=torch.float64)
    if isinstance(pattern, str):
        given = queries
        for row in range(queries):
            match pattern:
                case "uniform":
                    rows[row] = 1
                case "diagonal":
                    rows[row, min(row, keys - 1)] = 1
                case "previous":
                    rows[row, min(max(row - 1, 0), keys - 1)] = 1
    else:
        # While a target is being written, it is still shorter than a drawing may be.
        given = min(queries, len(pattern))
        for row in range(given):
            for column, share in enumerate(pattern[row][:keys]):
                rows[row, column] = share
    rows = rows.masked_fill(~allowed, 0)
    total = rows.sum(dim=-1, keepdim=True)
    shares = torch.where(total > 0, rows / total, 0).to(weights.dtype)
    return torch.cat([shares[:given], weights[given:]])


@contextmanager
def edited(model: PreTrainedModel, edits: dict):
    """Inside this context every forward pass of the model runs under `edits`. Without a key/value
    cache only."""
    sites = _sites(model)

    def attention(module, query, key, value, attention_mask, scaling=None, **_):
        stack, layer = sites[module]
        _, heads, queries, keys = (*query.shape[:3], key.shape[2])
        scheme = (
            None
            if stack == "cross" or not edits.get("positions")
            else Scheme(edits["positions"], stack, model)
        )
        if scheme:
            query, key = scheme.turned(query), scheme.turned(key)
        # In Llama some heads share their keys and values.
        key, value = (x.repeat_interleave(heads // x.shape[1], dim=1) for x in (key, value))
        # The last query sees all keys but the padding, under a causal mask too.
        padding = torch.zeros(keys) if attention_mask is None else attention_mask[0, 0, -1]
        hidden = set(padding.nonzero().flatten().tolist())
        applying = [edit for edit in edits.get("masks", []) if _applies(edit, stack, layer)]
        of_head = [
            [edit for edit in applying if head in edit.get("heads", [head])]
            for head in range(heads)
        ]
        open_ = [allowed_cells(own, stack == "decoder", hidden, queries, keys) for own in of_head]
        allowed = torch.tensor(numpy.array(open_))[None]
        large = torch.tensor([fill_of(own) == "-1e9" for own in of_head])[None, :, None, None]
        scores = query @ key.transpose(-1, -2) * scaling
        if scheme:
            scores = scores + scheme.biases(query, key, layer, scaling)
        shifted = (scores.float() + torch.tensor(-1e9)).to(scores.dtype)
        forbidden = torch.where(large, shifted, -torch.inf)
        weights = (
            torch.where(allowed, scores, forbidden)
            .softmax(dim=-1)
            .masked_fill(~allowed & ~large, 0)
        )
        for head in range(heads):
            own = [
                edit
                for edit in edits.get("attention", [])
                if _applies(edit, stack, layer) and head in edit.get("heads", [head])
            ]
            if own:
                weights[0, head] = torch.from_numpy(
                    attention_variants.weights(
                        attention_variants.joined(own),
                        (stack, layer, head),
                        query[0, head].double().numpy(),
                        key[0, head].double().numpy(),
                        allowed[0, head].numpy(),
                        scaling,
                        large[0, head].item(),
                    )
                )
        for edit in edits.get("heads", []):
            if "pattern" in edit and _applies(edit, stack, layer):
                for head in edit.get("heads", range(heads)):
                    weights[0, head] = _given(weights[0, head], allowed[0, head], edit["pattern"])
        context = weights @ value
        for edit in edits.get("heads", []):
            if _applies(edit, stack, layer):
                for head in edit.get("heads", range(heads)):
                    context[:, head] *= edit.get("gate", 1)
        return context.transpose(1, 2).contiguous(), weights

    with mock.patch.object(
        sys.modules[type(model).__module__], "eager_attention_forward", attention
    ):
        yield
