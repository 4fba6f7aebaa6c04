"""Inputs under every scheme of positions, with orders, masks and texts that grow. Ids and orders
come by seed."""

import torch
from transformers import PreTrainedModel

from cases import Draw, write_cases
from run_model import Case, check_consistent

NAMES = ("marian-tiny", "bert-tiny", "gpt2-tiny", "llama-tiny")
# The test compares with 1e-5 · max(1, max|x|), with answers that were computed in f64.
LARGEST_F32_ERROR = (1e-5, 1e-5)

SCHEMES = [
    {"scheme": "none"},
    {"scheme": "sinusoidal"},
    {"scheme": "sinusoidal", "parameters": {"base": 50, "interleaved": True}},
    {"scheme": "sinusoidal", "parameters": {"interleaved": False}},
    {"scheme": "learned"},
    {"scheme": "learned", "parameters": {"seed": 9}},
    {"scheme": "rotary"},
    {"scheme": "rotary", "parameters": {"base": 20}},
    {"scheme": "alibi"},
    {"scheme": "t5"},
    {"scheme": "t5", "parameters": {"buckets": 8, "maxDistance": 7, "seed": 4}},
    {"scheme": "transformer-xl"},
    {"scheme": "transformer-xl", "parameters": {"seed": 12}},
    {"scheme": "model"},
]


class Hand(Draw):
    """Draws orders as well as ids."""

    def __init__(self, name: str, model: PreTrainedModel):
        super().__init__(f"{name} positions", model)

    def order(self, count: int) -> list[int]:
        return torch.randperm(count, generator=self.random).tolist()


def cases_of(name: str, model: PreTrainedModel) -> list[Case]:
    draw, kind = Hand(name, model), model.config.model_type
    start = getattr(model.config, "decoder_start_token_id", None)

    def text(label: str, length: int, edits: dict, **rest) -> Case:
        target = [start, *draw.ids(5)] if kind == "marian" else None
        return Case(label, draw.ids(length), target_ids=target, edits=edits, **rest)

    def grown(label: str, length: int, tokens: int, positions: list[dict]) -> Case:
        case = draw.written(label, length, tokens, edits={"positions": positions})
        check_consistent(model, case)
        # A run reads the last token that it wrote as well.
        case.read_ids += case.generated[-1:]
        return case

    found = []
    for number, scheme in enumerate(SCHEMES):
        label = f"{scheme['scheme']}-{number}"
        found.append(text(label, 7, {"positions": [scheme]}))
        found.append(
            text(
                f"{label}-moved",
                8,
                {"positions": [scheme | {"order": draw.order(6)}]},
                attention_mask=[1, 1, 1, 0, 1, 1, 1, 1],
            )
        )
    masks = [{"preset": {"kind": "window", "width": 2}}]
    found.append(text("masked-alibi", 7, {"masks": masks, "positions": [{"scheme": "alibi"}]}))
    found.append(
        text(
            "order-then-scheme",
            7,
            {"positions": [{"order": draw.order(6)}, {"scheme": "rotary"}, {"scheme": "t5"}]},
        )
    )
    longest = model.config.max_position_embeddings
    # BERT in Hugging Face has buffers that end with its table.
    if kind != "bert":
        for scheme in ("none", "sinusoidal", "learned", "rotary", "alibi", "t5", "transformer-xl"):
            parameters = {"parameters": {"seed": 2}} if scheme == "learned" else {}
            found.append(
                text(
                    f"{scheme}-beyond",
                    longest + 9,
                    {"positions": [{"scheme": scheme} | parameters]},
                )
            )
        stack = {"stack": "decoder"}
        found += [
            grown(
                "written-rotary", 5, 9, [stack | {"scheme": "rotary", "parameters": {"base": 30}}]
            ),
            grown("written-alibi", 5, 9, [stack | {"scheme": "alibi"}]),
            grown("written-xl-moved", 5, 9, [stack | {"scheme": "transformer-xl"}]),
            grown("written-none", 5, 9, [stack | {"scheme": "none"}]),
        ]
    if kind == "marian":
        found += [
            text("encoder-alone", 7, {"positions": [{"stack": "encoder", "scheme": "alibi"}]}),
            text(
                "each-its-own",
                7,
                {
                    "positions": [
                        {"scheme": "t5"},
                        {
                            "stack": "decoder",
                            "scheme": "sinusoidal",
                            "parameters": {"base": 9},
                            "order": [2, 0, 1],
                        },
                    ]
                },
            ),
        ]
    return found


def write() -> dict:
    return {
        "f32_error_of_positions": write_cases(
            "placed", NAMES, cases_of, LARGEST_F32_ERROR, reads_last=True
        )
    }
