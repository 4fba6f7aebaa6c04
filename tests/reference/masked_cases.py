"""Inputs under every preset of a mask, joined in every way, drawn by seed; and several edits of
masks on top of each other."""

import itertools

import torch
from transformers import PreTrainedModel

from cases import write_cases
from run_model import Case, generate
from vectors import generator

NAMES = ("marian-tiny", "bert-tiny", "gpt2-tiny")
LARGEST_F32_ERROR = (2e-5, 0)


class Draw:
    """Random presets and edits for one model."""

    def __init__(self, name: str, model: PreTrainedModel):
        self.random = generator(f"{name} masks")
        self.model = model

    def below(self, end: int) -> int:
        return int(torch.randint(end, (1,), generator=self.random))

    def one_of(self, choices):
        return choices[self.below(len(choices))]

    def ids(self, count: int) -> list[int]:
        return torch.randint(self.model.config.vocab_size, (count,), generator=self.random).tolist()

    def some(self, end: int) -> list[int]:
        """Some of 0..end, at least one."""
        chosen = [index for index in range(end) if self.below(2)]
        return chosen or [self.below(end)]

    def cells(self, queries: int, keys: int, count: int) -> list[list[int]]:
        return [[self.below(queries), self.below(keys)] for _ in range(count)]

    def preset(self, kind: str, length: int) -> dict:
        one_sided = {"oneSided": True} if self.below(2) else {}
        window = {"width": self.below(3)} | one_sided if self.below(2) else {}
        return {"kind": kind} | {
            "none": lambda: {},
            "causal": lambda: {},
            "padding": lambda: {"length": self.below(length + 1)},
            "prefix": lambda: {"length": self.below(length)},
            "window": lambda: {"width": self.below(4)} | one_sided,
            "dilated": lambda: {"width": self.below(4), "dilation": 2 + self.below(2)} | one_sided,
            "global": lambda: {"tokens": self.some(length)[:3]} | window,
            "random": lambda: (
                {"keys": 1 + self.below(3), "seed": self.below(2**31)}
                | ({"tokens": [self.below(length)]} if self.below(2) else {})
                | window
            ),
            "block": lambda: {"size": 1 + self.below(length)},
            "strided": lambda: {"stride": 1 + self.below(4)} | one_sided,
        }[kind]()

    def scope(self) -> dict:
        """One stack, half of the time all its layers and heads, else some of them."""
        stack, layers, heads = self.one_of(stacks_of(self.model))
        scope = {} if len(stacks_of(self.model)) == 1 and self.below(2) else {"stack": stack}
        if self.below(2):
            scope["layers"] = self.some(layers)
        if self.below(2):
            scope["heads"] = self.some(heads)
        return scope


def stacks_of(model: PreTrainedModel) -> list[tuple[str, int, int]]:
    """The places where a model attends: name, layers, heads."""
    config = model.config
    if not config.is_encoder_decoder:
        name = "decoder" if config.model_type == "gpt2" else "encoder"
        return [(name, config.num_hidden_layers, config.num_attention_heads)]
    decoder = (config.decoder_layers, config.decoder_attention_heads)
    return [
        ("encoder", config.encoder_layers, config.encoder_attention_heads),
        ("decoder", *decoder),
        ("cross", *decoder),
    ]


VARIANTS = (
    "none",
    "causal",
    "padding",
    "window",
    "dilated",
    "global",
    "random",
    "block",
    "strided",
    "prefix",
)
MODES = ("and", "or", "replace")
# Tokens of every text: enough for two windows, and no multiple of four.
TOKENS = 7
TARGET_TOKENS = 6
# A written token must beat the runner-up by more than rounding.
DECISIVE_MARGIN = 0.001
SHORTEST = min(TOKENS, TARGET_TOKENS)


def cases_of(name: str, model: PreTrainedModel) -> list[Case]:
    draw = Draw(name, model)

    def text(label: str, masks: list[dict], **rest) -> Case:
        target = {}
        if model.config.is_encoder_decoder:
            target = {
                "target_ids": [model.config.decoder_start_token_id, *draw.ids(TARGET_TOKENS - 1)]
            }
        return Case(label, draw.ids(TOKENS), edits={"masks": masks}, **target, **rest)

    def padding() -> dict:
        """Half of the texts have a padded key, never the first."""
        hidden = 1 + draw.below(TOKENS - 1)
        return (
            {"attention_mask": [int(key != hidden) for key in range(TOKENS)]}
            if draw.below(2)
            else {}
        )

    def written(label: str, masks: list[dict]) -> Case:
        """A greedy text, and everything computed on all of it."""
        case = Case(label, draw.ids(4), edits={"masks": masks}, max_new_tokens=5)
        best, second = generate(model, case).topk(2).values.T
        if (best - second).min() < DECISIVE_MARGIN:
            raise RuntimeError(f"{label}: the greedy text is not decisive; draw another")
        last = case.generated[-1]
        case.read_ids += [last] * (last != model.config.eos_token_id)
        return case

    cases = []
    for kind, mode, invert in itertools.product(VARIANTS, MODES, (False, True)):
        edit = (
            {"preset": draw.preset(kind, SHORTEST), "mode": mode}
            | ({"invert": True} if invert else {})
            | draw.scope()
        )
        if draw.below(3) == 0:
            edit["fill"] = "-1e9"
        label = "-".join([kind, mode] + ["inverted"] * invert)
        cases.append(text(label, [edit], **padding()))
    for number in range(8):
        several = []
        for _ in range(3):
            cells = draw.cells(SHORTEST, SHORTEST, 6)
            block, allow = cells[:3], [cell for cell in cells[3:] if cell not in cells[:3]]
            edit = {
                "preset": draw.preset(draw.one_of(VARIANTS), SHORTEST),
                "mode": draw.one_of(MODES),
            }
            fill = {"fill": draw.one_of(["-inf", "-1e9"])} if draw.below(3) == 0 else {}
            several.append(edit | draw.scope() | {"block": block, "allow": allow} | fill)
        cases.append(text(f"several-{number}", several, **padding()))
    blind = {"preset": {"kind": "none"}, "invert": True}
    cases += [
        text("nobody", [blind]),
        text("nobody-large", [blind | {"fill": "-1e9"}], **padding()),
        text(
            "allowed-cells",
            [{"allow": draw.cells(SHORTEST, SHORTEST, 5)}, {"heads": [0], "block": [[1, 1]]}],
        ),
    ]
    if model.config.model_type != "bert":
        replaced = {"stack": "decoder", "mode": "replace"}
        cases += [
            written("written-unmasked", [replaced | {"preset": {"kind": "none"}}]),
            written(
                "written-in-blocks",
                [replaced | {"preset": {"kind": "block", "size": 3}, "layers": [1]}],
            ),
            written(
                "written-prefix",
                [replaced | {"preset": {"kind": "prefix", "length": 3}, "heads": [1]}],
            ),
            written(
                "written-random",
                [
                    {
                        "stack": "decoder",
                        "preset": {"kind": "random", "keys": 2, "seed": 11, "width": 1},
                    }
                ],
            ),
            written(
                "written-large",
                [{"stack": "decoder", "fill": "-1e9", "block": [[2, key] for key in range(3)]}],
            ),
            written(
                "written-window", [{"stack": "decoder", "preset": {"kind": "window", "width": 2}}]
            ),
        ]
    return cases


def write() -> dict:
    return {
        "f32_error_of_masks": write_cases(
            "masks", NAMES, cases_of, LARGEST_F32_ERROR, reads_last=True
        )
    }
