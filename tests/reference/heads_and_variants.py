"""The tiny models under fixed patterns, and residuals and norms left out or moved; and under
attention variants, scales, temperatures and dropout. Ids and drawn patterns come by seed."""

import torch
from transformers import PreTrainedModel

from attention_variants import CHEAP, SCORES, WHOLE
from cases import Draw, write_cases
from run_model import Case

NAMES = ("marian-tiny", "bert-tiny", "gpt2-tiny", "llama-tiny")


class Hand(Draw):
    """Draws patterns as well as ids."""

    def __init__(self, name: str, model: PreTrainedModel):
        super().__init__(f"{name} heads and blocks", model)

    def pattern(self, rows: int, columns: int) -> list[list[float]]:
        """Numbers from 0 to 4 in steps of a quarter, many of them 0, the second row nothing
        else."""
        cells = torch.randint(-12, 17, (rows, columns), generator=self.random).clamp(min=0) / 4
        cells[1:2] = 0
        return cells.tolist()


def marian_heads(draw: Hand) -> list[Case]:
    def pair(label: str, source: int, target: int, edits: dict, **rest) -> Case:
        return draw.pair(label, source, target, edits=edits, **rest)

    def text(label: str, source: int, tokens: int, edits: dict) -> Case:
        return draw.written(label, source, tokens, edits=edits)

    holes = [1, 0, 1, 1, 0, 1, 1]
    return [
        pair("nothing-edited", 5, 4, {}),
        *(
            pair(
                f"{name}-everywhere",
                7,
                5,
                {"heads": [{"heads": [1], "pattern": name}]},
                attention_mask=holes,
            )
            for name in ("uniform", "diagonal", "previous")
        ),
        *(
            pair(f"{name}-across-few-keys", 3, 8, {"heads": [{"stack": "cross", "pattern": name}]})
            for name in ("uniform", "diagonal", "previous")
        ),
        pair(
            "drawn-encoder",
            6,
            4,
            {
                "heads": [
                    {
                        "stack": "encoder",
                        "layers": [1],
                        "heads": [0, 3],
                        "pattern": draw.pattern(6, 6),
                    }
                ]
            },
        ),
        pair(
            "drawn-decoder",
            5,
            7,
            {
                "heads": [
                    {"stack": "decoder", "layers": [0], "heads": [1], "pattern": draw.pattern(7, 7)}
                ]
            },
        ),
        pair(
            "drawn-cross",
            6,
            5,
            {"heads": [{"stack": "cross", "heads": [2], "pattern": draw.pattern(5, 6)}]},
        ),
        pair(
            "drawn-too-small",
            7,
            6,
            {
                "heads": [
                    {"stack": "encoder", "heads": [0], "pattern": draw.pattern(4, 5)},
                    {"stack": "cross", "heads": [0], "pattern": "uniform"},
                    {"stack": "cross", "heads": [0], "pattern": draw.pattern(3, 2)},
                ]
            },
        ),
        pair(
            "frozen-masked-and-gated",
            6,
            5,
            {
                "masks": [
                    {"stack": "encoder", "layers": [0], "block": [[0, 0], [2, 2], [3, 1]]},
                    {"stack": "cross", "heads": [1], "block": [[1, key] for key in range(6)]},
                ],
                "heads": [
                    {"layers": [0], "heads": [0, 1], "pattern": "diagonal", "gate": 0.5},
                    {"stack": "cross", "heads": [1], "pattern": draw.pattern(5, 6)},
                    {"stack": "cross", "heads": [1], "gate": 2},
                ],
            },
        ),
        pair("no-residuals", 6, 5, {"blocks": [{"residual": False}]}),
        pair("no-norms", 6, 5, {"blocks": [{"layers": [1], "norm": "none"}]}),
        pair("pre-norms", 6, 5, {"blocks": [{"norm": "pre"}]}, attention_mask=[1, 1, 0, 1, 1, 0]),
        *(
            pair(
                f"bare-{sublayer}",
                6,
                5,
                {
                    "blocks": [
                        {"layers": [1], "sublayers": [sublayer], "residual": False, "norm": "none"}
                    ]
                },
            )
            for sublayer in ("self-attention", "cross-attention", "feed-forward")
        ),
        pair(
            "each-its-own",
            5,
            6,
            {
                "blocks": [
                    {"stack": "encoder", "layers": [0, 2], "norm": "pre"},
                    {
                        "stack": "encoder",
                        "layers": [2],
                        "sublayers": ["feed-forward"],
                        "norm": "model",
                        "residual": False,
                    },
                    {
                        "stack": "decoder",
                        "layers": [1],
                        "sublayers": ["cross-attention"],
                        "norm": "none",
                        "residual": False,
                    },
                    {
                        "stack": "decoder",
                        "layers": [0],
                        "sublayers": ["self-attention", "feed-forward"],
                        "norm": "pre",
                    },
                ]
            },
        ),
        pair(
            "heads-and-blocks",
            6,
            5,
            {
                "heads": [{"stack": "cross", "heads": [0], "pattern": "previous"}],
                "blocks": [{"stack": "decoder", "norm": "pre"}],
            },
        ),
        text(
            "written-under-patterns",
            6,
            9,
            {
                "heads": [
                    {"stack": "decoder", "heads": [0], "pattern": "previous"},
                    {"stack": "decoder", "layers": [1], "heads": [2], "pattern": "uniform"},
                    {"stack": "cross", "layers": [0], "heads": [1], "pattern": "diagonal"},
                    {
                        "stack": "decoder",
                        "layers": [0],
                        "heads": [1],
                        "pattern": draw.pattern(6, 6),
                    },
                ]
            },
        ),
        text(
            "written-rejoined",
            6,
            9,
            {
                "blocks": [
                    {"stack": "decoder", "layers": [1], "norm": "pre"},
                    {
                        "stack": "encoder",
                        "layers": [0],
                        "sublayers": ["feed-forward"],
                        "residual": False,
                    },
                ]
            },
        ),
    ]


def heads_alone(stack: str):
    """Models of one stack; `stack` is its name."""

    def cases(draw: Hand) -> list[Case]:
        moved = "post" if stack == "decoder" else "pre"

        def text(label: str, length: int, edits: dict, **rest) -> Case:
            return draw.text(label, length, edits=edits, **rest)

        def grown(label: str, prompt: int, tokens: int, edits: dict) -> Case:
            return draw.written(label, prompt, tokens, edits=edits)

        found = [
            text("nothing-edited", 5, {}),
            *(
                text(
                    f"{name}",
                    6,
                    {"heads": [{"layers": [0, 2], "heads": [1, 2], "pattern": name}]},
                    attention_mask=[1, 1, 0, 1, 1, 1],
                )
                for name in ("uniform", "diagonal", "previous")
            ),
            text(
                "drawn",
                6,
                {
                    "heads": [
                        {"stack": stack, "layers": [1], "heads": [0], "pattern": draw.pattern(6, 6)}
                    ]
                },
            ),
            text(
                "drawn-too-small",
                7,
                {
                    "heads": [
                        {"heads": [2], "pattern": "uniform"},
                        {"heads": [2], "pattern": draw.pattern(3, 4)},
                    ]
                },
            ),
            text(
                "frozen-masked-and-gated",
                6,
                {
                    "masks": [{"layers": [0], "heads": [1], "block": [[0, 0], [3, 3], [4, 2]]}],
                    "heads": [{"layers": [0], "heads": [1], "pattern": "diagonal", "gate": -0.5}],
                },
            ),
            text("no-residuals", 6, {"blocks": [{"residual": False}]}),
            text("no-norms", 6, {"blocks": [{"layers": [1], "norm": "none"}]}),
            text("norms-moved", 6, {"blocks": [{"norm": moved}]}),
            *(
                text(
                    f"bare-{sublayer}",
                    6,
                    {
                        "blocks": [
                            {
                                "layers": [1],
                                "sublayers": [sublayer],
                                "residual": False,
                                "norm": "none",
                            }
                        ]
                    },
                )
                for sublayer in ("self-attention", "feed-forward")
            ),
            text(
                "each-its-own",
                7,
                {
                    "heads": [{"layers": [1], "heads": [0], "pattern": "previous"}],
                    "blocks": [
                        {"layers": [0, 1], "norm": moved},
                        {"layers": [1], "residual": False},
                        {"layers": [0], "sublayers": ["feed-forward"], "norm": "model"},
                    ],
                },
            ),
        ]
        if stack == "encoder":
            return found
        return found + [
            grown(
                "written-under-patterns",
                5,
                9,
                {
                    "heads": [
                        {"layers": [0], "heads": [0], "pattern": "previous"},
                        {"layers": [1], "heads": [1], "pattern": "uniform"},
                        {"layers": [2], "heads": [2], "pattern": draw.pattern(8, 8)},
                    ]
                },
            ),
            grown(
                "written-rejoined",
                5,
                9,
                {
                    "blocks": [
                        {"layers": [1], "norm": moved},
                        {"layers": [2], "sublayers": ["feed-forward"], "residual": False},
                    ]
                },
            ),
        ]

    return cases


HEADS = {
    "marian": marian_heads,
    "bert": heads_alone("encoder"),
    "gpt2": heads_alone("decoder"),
    "llama": heads_alone("decoder"),
}


def marian_variants(draw: Draw) -> list[Case]:
    def pair(label: str, source: int, target: int, edits: dict, **rest) -> Case:
        return draw.pair(label, source, target, edits=edits, **rest)

    holes = [1, 0, 1, 1, 0, 1, 1]
    return [
        pair("nothing-edited", 5, 4, {}),
        *(
            pair(f"{name}-everywhere", 7, 5, {"attention": [edit]}, attention_mask=holes)
            for name, edit in (SCORES | CHEAP).items()
        ),
        *(
            pair(
                f"{name}-in-the-encoder",
                7,
                4,
                {"attention": [{"stack": "encoder", **edit}]},
                attention_mask=holes,
            )
            for name, edit in WHOLE.items()
        ),
        pair("linformer-across", 9, 5, {"attention": [{"stack": "cross", **WHOLE["linformer"]}]}),
        pair(
            "few-keys",
            3,
            9,
            {
                "attention": [
                    {"stack": "cross", **CHEAP["sliding"]},
                    {"stack": "decoder", **CHEAP["blocks"]},
                ]
            },
        ),
        pair(
            "with-all-other-edits",
            6,
            5,
            {
                "attention": [
                    {"layers": [0], **CHEAP["linear"]},
                    {"layers": [1], "heads": [0, 1], **CHEAP["blocks"]},
                ],
                "masks": [
                    {"stack": "encoder", "layers": [0], "block": [[0, 0], [2, 2], [3, 1]]},
                    {"stack": "decoder", "preset": {"kind": "none"}, "mode": "replace"},
                    {"stack": "cross", "heads": [1], "block": [[1, key] for key in range(6)]},
                ],
                "heads": [{"layers": [0], "heads": [1], "pattern": "diagonal", "gate": 0.5}],
                "blocks": [{"stack": "decoder", "norm": "pre"}],
            },
        ),
        pair(
            "large-fill",
            7,
            5,
            {
                "attention": [
                    {"layers": [0], **CHEAP["sliding"]},
                    {"layers": [1], **CHEAP["chunked"]},
                    {"layers": [2], "stack": "encoder", **CHEAP["performer"]},
                ],
                "masks": [
                    {"fill": "-1e9"},
                    {"stack": "encoder", "block": [[1, key] for key in range(7)]},
                ],
            },
        ),
        draw.written(
            "written-under-kinds",
            6,
            9,
            edits={
                "attention": [
                    {"stack": "decoder", "layers": [0], "heads": [0], **CHEAP["linear"]},
                    {"stack": "decoder", "layers": [1], "heads": [1], **CHEAP["performer"]},
                    {"stack": "decoder", "heads": [2], **CHEAP["chunked"]},
                    {"stack": "cross", "layers": [0], **CHEAP["sliding-dropped"]},
                    {"stack": "cross", "layers": [1], "heads": [0], **WHOLE["linformer"]},
                    {"stack": "encoder", "layers": [1], **WHOLE["low-rank"]},
                ]
            },
        ),
    ]


def calmed(edits: dict[str, dict], least: float) -> dict[str, dict]:
    """No temperature below this one."""
    return {
        name: edit
        | ({"temperature": max(edit["temperature"], least)} if "temperature" in edit else {})
        for name, edit in edits.items()
    }


def variants_alone(stack: str, coldest: float = 0):
    """Models of one stack; `stack` is its name. A head that is colder would say how f32 rounds and
    nothing else."""
    scores, cheap = calmed(SCORES, coldest), calmed(CHEAP, coldest)

    def cases(draw: Draw) -> list[Case]:
        there = scores | cheap | (WHOLE if stack == "encoder" else {})
        found = [
            draw.text("nothing-edited", 5, edits={}),
            *(
                draw.text(
                    name, 7, attention_mask=[1, 1, 0, 1, 1, 1, 1], edits={"attention": [edit]}
                )
                for name, edit in there.items()
            ),
            draw.text(
                "each-its-own",
                8,
                edits={
                    "attention": [
                        {"layers": [at % 3], "heads": [at % 4 % 3], **edit}
                        for at, edit in enumerate((scores | cheap).values())
                        if edit.get("kind") != "linear" and "dropout" not in edit
                    ],
                    "masks": [{"layers": [1], "block": [[0, 0], [5, 2]]}],
                    "heads": [{"layers": [2], "heads": [1], "pattern": [[1, 2, 0], [0, 1, 1]]}],
                },
            ),
        ]
        if stack == "decoder":
            found.append(
                draw.written(
                    "written-under-kinds",
                    5,
                    9,
                    edits={
                        "attention": [
                            {"layers": [0], "heads": [0], **CHEAP["linear"]},
                            {"layers": [1], "heads": [1], **CHEAP["performer"]},
                            {"layers": [2], **CHEAP["blocks"]},
                            {"layers": [0], "heads": [2], **SCORES["dropped"]},
                            {"layers": [1], "heads": [2], **CHEAP["chunked"]},
                        ]
                    },
                )
            )
        return found

    return cases


# The scores of the random Llama are large: at 0.3 PyTorch's own f32 is 1.6e-5 from f64, and so is
# every order of sums. So temperatures below 0.7 are not tried on it.
VARIANTS = {
    "marian": marian_variants,
    "bert": variants_alone("encoder"),
    "gpt2": variants_alone("decoder"),
    "llama": variants_alone("decoder", 0.7),
}


def write_heads() -> dict:
    return {
        "heads_f32_error": write_cases(
            "heads", NAMES, lambda name, model: HEADS[model.config.model_type](Hand(name, model))
        )
    }


def write_variants() -> dict:
    return {
        "variants_f32_error": write_cases(
            "variants",
            NAMES,
            lambda name, model: VARIANTS[model.config.model_type](Draw(f"{name} kinds", model)),
        )
    }
