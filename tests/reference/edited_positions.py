"""Schemes of positions put in place of a Hugging Face model's own, from outside.

Written from the papers and the definition of the edits, not from Headscope's code. What is added
joins the embeddings in place of the model's table; rotary positions turn queries and keys of
self-attention; relative ones join the scores behind the scale. Weights that no model was trained
with are drawn by seed: evenly, (2u − 1)·√3·σ, u the 53-bit fraction of mix(… mix(mix(seed) ^ a) ^ b
…).
"""

import math
from contextlib import ExitStack, contextmanager
from unittest import mock

import torch
from transformers import PreTrainedModel
from transformers.models.t5.modeling_t5 import T5Attention

from vectors import fraction, seed_of


def _drawn(seed: int, place: list[int], deviation: float) -> float:
    return (2 * fraction(seed_of(seed, *place)) - 1) * math.sqrt(3) * deviation


def _sinusoids(
    positions: torch.Tensor, width: int, base: float = 10000.0, interleaved: bool = True
) -> torch.Tensor:
    """A row per position, which may be negative."""
    pairs = torch.arange((width + 1) // 2, dtype=torch.float64)
    angles = positions[:, None].double() / base ** (2 * pairs / width)
    if not interleaved:
        return torch.cat([angles.sin(), angles.cos()], dim=1)[:, :width]
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :width]


def slopes(heads: int) -> list[float]:
    """As in the code of Press et al. 2022."""
    if math.log2(heads).is_integer():
        start = 2 ** (-(2 ** -(math.log2(heads) - 3)))
        return [start * start**head for head in range(heads)]
    power = 2 ** math.floor(math.log2(heads))
    return slopes(power) + slopes(2 * power)[0::2][: heads - power]


def _turned(x: torch.Tensor, positions: torch.Tensor, base: float) -> torch.Tensor:
    """[heads, n, d_h], the first half of the dimensions paired with the second."""
    half = x.shape[-1] // 2
    angles = positions[:, None].double() / base ** (torch.arange(half, dtype=torch.float64) / half)
    cosine, sine = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)


class Scheme:
    """What edits say of one stack."""

    def __init__(self, edits: list[dict], stack: str, model: PreTrainedModel):
        own = [edit for edit in edits if edit.get("stack", stack) == stack]
        said = next((edit for edit in reversed(own) if "scheme" in edit), {})
        self.name, self.parameters = said.get("scheme", "model"), said.get("parameters", {})
        self.order = next((edit["order"] for edit in reversed(own) if "order" in edit), [])
        self.stack, self.model = stack, model
        learned = model.config.model_type in ("bert", "gpt2")
        if self.name == "learned" and learned and "seed" not in self.parameters:
            self.name = "model"
        if self.name == "rotary" and model.config.model_type == "llama":
            self.parameters = {"base": model.config.rope_parameters["rope_theta"]} | self.parameters
        if self.name == "sinusoidal":
            marian = model.config.model_type == "marian"
            self.parameters = {"interleaved": not marian} | self.parameters

    def positions(self, n: int) -> torch.Tensor:
        moved = self.order[:n]
        return torch.tensor([*moved, *range(len(moved), n)], dtype=torch.long)

    def added(self, n: int, own: torch.Tensor | None) -> torch.Tensor | None:
        """What joins the embeddings of `n` tokens; `own` is the model's table."""
        width = self.model.config.hidden_size
        match self.name:
            case "model":
                return None if own is None else own[self.positions(n)]
            case "sinusoidal":
                return _sinusoids(self.positions(n), width, **self.parameters)
            case "learned":
                scale = (
                    math.sqrt(width)
                    if getattr(self.model.config, "scale_embedding", False)
                    else 1.0
                )
                seed = self.parameters.get("seed", 1)
                return torch.tensor(
                    [
                        [_drawn(seed, [at, column], 0.02 * scale) for column in range(width)]
                        for at in self.positions(n).tolist()
                    ],
                    dtype=torch.float64,
                )
        return None

    def turned(self, x: torch.Tensor) -> torch.Tensor:
        if self.name != "rotary":
            return x
        return _turned(x, self.positions(x.shape[-2]), self.parameters.get("base", 10000.0))

    def biases(
        self, query: torch.Tensor, key: torch.Tensor, layer: int, scale: float
    ) -> torch.Tensor | float:
        """What joins the scores [1, heads, n, n] of queries and keys [1, heads, n, d_h]."""
        _, heads, n, width = query.shape
        at = self.positions(n)
        distance = at[:, None] - at[None, :]
        match self.name:
            case "alibi":
                return (
                    -torch.tensor(slopes(heads), dtype=query.dtype)[:, None, None] * distance.abs()
                )
            case "t5":
                count, furthest = (
                    self.parameters.get("buckets", 32),
                    self.parameters.get("maxDistance", 128),
                )
                seed = self.parameters.get("seed", 1)
                # In T5's code a key's position less a query's.
                buckets = T5Attention._relative_position_bucket(
                    -distance, self.stack == "encoder", count, furthest
                )
                table = [
                    [_drawn(seed, [head, bucket], 1.0) for bucket in range(count)]
                    for head in range(heads)
                ]
                return torch.tensor(table, dtype=query.dtype)[:, buckets]
            case "transformer-xl":
                seed, d = self.parameters.get("seed", 1), self.model.config.hidden_size
                u, v = (
                    torch.tensor(
                        [_drawn(seed, [part, at], 1.0) for at in range(heads * width)],
                        dtype=torch.float64,
                    )
                    .reshape(heads, 1, width)
                    .to(query.dtype)
                    for part in (0, 1)
                )
                to_r = torch.tensor(
                    [
                        [
                            _drawn(seed, [2, layer, row, column], math.sqrt(2 / d))
                            for column in range(heads * width)
                        ]
                        for row in range(d)
                    ],
                    dtype=torch.float64,
                )
                r = (
                    (_sinusoids(distance.flatten(), d) @ to_r)
                    .reshape(n, n, heads, width)
                    .to(query.dtype)
                )
                of_content = (u * key[0]).sum(-1)[:, None, :]
                of_distance = torch.einsum("hqw,qkhw->hqk", query[0] + v, r)
                return scale * (of_content + of_distance)
        return 0.0


@contextmanager
def placed(model: PreTrainedModel, edits: list[dict]):
    """Inside this context the embeddings of the model get the positions that `edits` say."""
    kind = model.config.model_type
    with ExitStack() as patches:
        if not edits:
            yield
            return

        def patch(module, forward):
            patches.enter_context(mock.patch.object(module, "forward", forward))

        def table(scheme: Scheme, weight: torch.Tensor):
            def forward(asked, *_, **__):
                n = asked[1] if isinstance(asked, (tuple, torch.Size)) else asked.shape[-1]
                added = scheme.added(n, weight)
                return (
                    torch.zeros(n, weight.shape[1], dtype=weight.dtype)
                    if added is None
                    else added.to(weight.dtype)
                )

            return forward

        if kind == "marian":
            for stack, part in (("encoder", model.model.encoder), ("decoder", model.model.decoder)):
                patch(
                    part.embed_positions,
                    table(Scheme(edits, stack, model), part.embed_positions.weight),
                )
        elif kind == "bert":
            embedding = model.bert.embeddings.position_embeddings
            patch(embedding, table(Scheme(edits, "encoder", model), embedding.weight))
        elif kind == "gpt2":
            patch(
                model.transformer.wpe,
                table(Scheme(edits, "decoder", model), model.transformer.wpe.weight),
            )
        else:
            scheme = Scheme(edits, "decoder", model)
            tokens, rotary = model.model.embed_tokens, model.model.rotary_emb
            plain, own = tokens.forward, rotary.forward

            def embed(ids):
                x, added = plain(ids), scheme.added(ids.shape[-1], None)
                return x if added is None else x + added.to(x.dtype)

            def turn(x, position_ids):
                if scheme.name == "model":
                    return own(x, scheme.positions(position_ids.shape[-1])[None])
                cosine, sine = own(x, position_ids)
                return torch.ones_like(cosine), torch.zeros_like(sine)

            patch(tokens, embed)
            patch(rotary, turn)
        yield
