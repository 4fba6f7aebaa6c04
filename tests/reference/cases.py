"""Which inputs every tiny model is run on, drawn by seed, and how cases under the edits of a topic
are written."""

from collections.abc import Callable

import torch
from transformers import PreTrainedModel

import tiny_models
from run_model import Case, check_consistent, forward, generate
from vectors import HERE, generator, save_answers, save_cases

# A chosen token must beat the runner-up by this much, so that rounding cannot change a reference
# translation.
DECISIVE_MARGIN = 0.02
DRAWS = 2000
# Tests compare with 1e-5·max(1, max|x|) or a little more; what f32 itself is farther from than this
# is of no use.
LARGEST_F32_ERROR = (2e-5, 2e-6)


class Draw:
    """Random ids for one model, and cases of them."""

    def __init__(self, name: str, model: PreTrainedModel):
        self.random = generator(f"{name} cases")
        self.model, self.vocabulary = model, model.config.vocab_size

    def ids(self, count: int) -> list[int]:
        return torch.randint(self.vocabulary, (count,), generator=self.random).tolist()

    def bits(self, count: int) -> list[int]:
        return torch.randint(2, (count,), generator=self.random).tolist()

    def text(self, label: str, length: int, **rest) -> Case:
        return Case(label, self.ids(length), **rest)

    def pair(self, label: str, source: int, target: int, **rest) -> Case:
        start = self.model.config.decoder_start_token_id
        return Case(label, self.ids(source), target_ids=[start, *self.ids(target - 1)], **rest)

    def written(self, label: str, length: int, tokens: int, stops: bool = False, **rest) -> Case:
        """A case whose greedy text is decisive and ends (or not) with the end token: ids are drawn
        until it does."""
        case = Case(label, [], max_new_tokens=tokens, **rest)
        for _ in range(DRAWS):
            case.ids = self.ids(length)
            best, second = generate(self.model, case).topk(2).values.T
            stopped = case.generated[-1] == self.model.config.eos_token_id
            varied = len(set(case.generated)) > 2
            if stopped == stops and varied and (best - second).min() > DECISIVE_MARGIN:
                return case
        raise RuntimeError(f"{label}: no decisive greedy text in {DRAWS} draws")


def marian(name: str, model: PreTrainedModel) -> list[Case]:
    draw, longest = Draw(name, model), model.config.max_position_embeddings
    pair, written = draw.pair, draw.written
    pairs = [
        pair("one-to-one", 1, 1),
        pair("two-to-seven", 2, 7),
        pair("seven-to-two", 7, 2),
        pair("longest", longest, longest),
        pair("padded-right", 7, 5, attention_mask=[1, 1, 1, 1, 1, 0, 0]),
        pair("holes", 7, 5, attention_mask=[1, 0, 1, 1, 0, 0, 1]),
    ]
    if name == "marian-bare":
        return pairs
    plain = pairs + [
        written("written-to-the-limit", 5, longest - 1),
        written("written-to-the-end-token", 7, longest - 1, stops=True),
        written("written-padded", 6, 8, attention_mask=[1, 1, 1, 0, 1, 0]),
    ]
    several = [
        pair(
            "several-edits",
            7,
            6,
            attention_mask=[1, 1, 0, 1, 1, 1, 1],
            edits={
                "masks": [
                    {"stack": "encoder", "layers": [1], "heads": [0, 1], "block": [[0, 6], [3, 3]]},
                    {"stack": "cross", "layers": [0], "block": [[1, 0], [5, 4]]},
                    {"stack": "decoder", "heads": [2], "block": [[4, 1]]},
                ],
                "heads": [
                    {"stack": "encoder", "layers": [1], "heads": [0], "gate": 2},
                    {"stack": "cross", "layers": [1], "heads": [2], "gate": 0},
                    {"stack": "decoder", "layers": [0, 1], "heads": [1], "gate": 0.5},
                ],
            },
        ),
        written(
            "written-under-edits",
            6,
            9,
            edits={
                "masks": [
                    {"stack": "cross", "layers": [1], "block": [[0, 1], [3, 2], [6, 0]]},
                    {"stack": "decoder", "layers": [0], "heads": [1], "block": [[4, 1], [5, 5]]},
                ],
                "heads": [
                    {"stack": "encoder", "layers": [1], "heads": [1], "gate": 0},
                    {"stack": "cross", "layers": [0], "heads": [2], "gate": 2},
                ],
            },
        ),
    ]
    if name != "marian-tiny":
        return plain + several
    return (
        plain
        + several
        + [
            pair("nothing-edited", 5, 4, edits={}),
            pair(
                "gate-encoder",
                6,
                5,
                edits={"heads": [{"stack": "encoder", "layers": [0], "heads": [1], "gate": 0}]},
            ),
            pair(
                "gate-decoder",
                6,
                5,
                edits={"heads": [{"stack": "decoder", "layers": [1], "heads": [2], "gate": 2}]},
            ),
            pair(
                "gate-cross",
                6,
                5,
                edits={"heads": [{"stack": "cross", "heads": [0, 1], "gate": 0.5}]},
            ),
            pair("gate-everywhere", 6, 5, edits={"heads": [{"heads": [1], "gate": 0}]}),
            pair("gate-whole-layer", 6, 5, edits={"heads": [{"layers": [1], "gate": 0}]}),
            pair(
                "block-encoder",
                6,
                5,
                edits={
                    "masks": [
                        {
                            "stack": "encoder",
                            "layers": [0],
                            "heads": [0],
                            "block": [[0, 0], [2, 5], [5, 1]],
                        }
                    ]
                },
            ),
            pair(
                "block-decoder",
                6,
                5,
                edits={
                    "masks": [
                        {
                            "stack": "decoder",
                            "layers": [1],
                            "heads": [1, 2],
                            "block": [[3, 0], [4, 2], [1, 4]],
                        }
                    ]
                },
            ),
            pair(
                "block-cross",
                6,
                5,
                edits={
                    "masks": [
                        {
                            "stack": "cross",
                            "layers": [1],
                            "heads": [0, 2],
                            "block": [[0, 1], [2, 3]],
                        }
                    ]
                },
            ),
            pair("block-everywhere", 6, 5, edits={"masks": [{"block": [[2, 1], [4, 0]]}]}),
            pair(
                "row-without-keys",
                4,
                3,
                edits={
                    "masks": [
                        {
                            "stack": "encoder",
                            "layers": [1],
                            "heads": [1],
                            "block": [[2, key] for key in range(4)],
                        },
                        {"stack": "decoder", "layers": [0], "block": [[0, 0]]},
                        {"stack": "cross", "heads": [0], "block": [[1, key] for key in range(4)]},
                    ]
                },
            ),
        ]
    )


def bert(name: str, model: PreTrainedModel) -> list[Case]:
    draw, longest = Draw(name, model), model.config.max_position_embeddings
    text = draw.text
    return [
        text("one-token", 1),
        text("two-tokens", 2),
        text("seven-tokens", 7),
        text("longest", longest, token_type_ids=draw.bits(longest)),
        text("token-types", 7, token_type_ids=[0, 0, 0, 0, 1, 1, 1]),
        text("padded-right", 7, attention_mask=[1, 1, 1, 1, 1, 0, 0]),
        text("holes", 7, attention_mask=[0, 1, 1, 0, 0, 1, 1], token_type_ids=draw.bits(7)),
        text("nothing-edited", 5, edits={}),
        text(
            "gate-zero",
            6,
            edits={"heads": [{"stack": "encoder", "layers": [0], "heads": [1], "gate": 0}]},
        ),
        text("gate-half-everywhere", 6, edits={"heads": [{"gate": 0.5}]}),
        text(
            "block-cells",
            6,
            edits={"masks": [{"layers": [1], "heads": [0, 2], "block": [[0, 1], [2, 3], [5, 5]]}]},
        ),
        text(
            "row-without-keys",
            4,
            edits={
                "masks": [{"layers": [0], "heads": [1], "block": [[2, key] for key in range(4)]}]
            },
        ),
        text(
            "several-edits",
            7,
            attention_mask=[1, 1, 1, 1, 0, 1, 1],
            edits={
                "masks": [
                    {"layers": [0], "block": [[1, 0], [6, 2]]},
                    {"heads": [2], "block": [[3, 3]]},
                ],
                "heads": [
                    {"layers": [1], "heads": [0], "gate": 2},
                    {"layers": [0], "heads": [2], "gate": 0},
                ],
            },
        ),
    ]


def decoder(name: str, model: PreTrainedModel) -> list[Case]:
    """GPT-2 and Llama; the first of each family has all cases."""
    draw, longest = Draw(name, model), model.config.max_position_embeddings
    text, written = draw.text, draw.written
    plain = [
        text("one-token", 1),
        text("two-tokens", 2),
        text("seven-tokens", 7),
        text("longest", longest),
        text("padded-right", 7, attention_mask=[1, 1, 1, 1, 1, 0, 0]),
        written("written-to-the-limit", 4, longest - 4),
    ]
    if not name.endswith("-tiny"):
        return plain
    return plain + [
        # The first token stays visible: Hugging Face has no meaningful weights for a row without
        # any key.
        text("holes", 7, attention_mask=[1, 0, 1, 1, 0, 0, 1]),
        text("nothing-edited", 5, edits={}),
        text("padded-left", 6, attention_mask=[0, 0, 1, 1, 1, 1], edits={}),
        text(
            "gate-zero",
            6,
            edits={"heads": [{"stack": "decoder", "layers": [0], "heads": [1], "gate": 0}]},
        ),
        text("gate-double-everywhere", 6, edits={"heads": [{"heads": [2], "gate": 2}]}),
        text(
            "block-cells",
            6,
            edits={"masks": [{"layers": [1], "heads": [0, 2], "block": [[0, 1], [2, 1], [5, 5]]}]},
        ),
        text(
            "row-without-keys",
            4,
            edits={"masks": [{"layers": [1], "heads": [1], "block": [[0, 0]]}]},
        ),
        text(
            "several-edits",
            7,
            attention_mask=[1, 1, 1, 1, 0, 1, 1],
            edits={
                "masks": [
                    {"layers": [0], "block": [[1, 0], [6, 2]]},
                    {"heads": [2], "block": [[3, 3]]},
                ],
                "heads": [
                    {"layers": [1], "heads": [0], "gate": 0.5},
                    {"layers": [2], "heads": [2], "gate": 0},
                ],
            },
        ),
        written("written-to-the-end-token", 3, longest - 3, stops=True),
        written(
            "written-under-edits",
            5,
            9,
            edits={
                "masks": [{"layers": [1], "heads": [0], "block": [[2, 0], [7, 3], [9, 9]]}],
                "heads": [{"layers": [0], "heads": [2], "gate": 0}],
            },
        ),
    ]


CASES_OF = {"marian": marian, "bert": bert, "gpt2": decoder, "llama": decoder}


def vectors_of(name: str, model: PreTrainedModel) -> tuple[list[dict], dict, float]:
    return computed(model, CASES_OF[model.config.model_type](name, model))


def computed(model: PreTrainedModel, cases: list[Case]) -> tuple[list[dict], dict, float]:
    """The cases as JSON, their tensors, and how far f32 is from the same pass in f64."""
    tensors, error = {}, 0.0
    exact = {case.name: forward(model.double(), case) for case in cases}
    model.float()
    for case in cases:
        check_consistent(model, case)
        for part, value in forward(model, case).items():
            tensors[f"{case.name}.{part}"] = value
            error = max(error, (value - exact[case.name][part]).abs().max().item())
    return [case.described() for case in cases], tensors, error


def write_cases(
    topic: str,
    names: tuple[str, ...],
    cases_of: Callable[[str, PreTrainedModel], list[Case]],
    largest: tuple[float, float] = LARGEST_F32_ERROR,
    reads_last: bool = False,
) -> dict:
    """The topic's JSON file and its answers; gives how far f32 is from f64.

    `largest` is absolute and relative. `reads_last`: a case reads the last token that it wrote,
    which decoding does not.
    """
    errors = {}
    for name in names:
        kind, _ = tiny_models.CONFIGS[name]
        model = tiny_models.load(kind, HERE / "models" / name)
        found = cases_of(name, model)
        exact = {case.name: forward(model.double(), case) for case in found}
        model.float()
        tensors, errors[name] = {}, 0.0
        for case in found:
            if not (reads_last and case.max_new_tokens):
                check_consistent(model, case)
            for part, value in forward(model, case).items():
                tensors[f"{case.name}.{part}"] = exact[case.name][part]
                error = (value - exact[case.name][part]).abs().max().item()
                if error > largest[0] + largest[1] * value.abs().max().item():
                    raise RuntimeError(
                        f"{name}: {case.name}.{part}: f32 is {error} from f64; choose calmer edits"
                    )
                errors[name] = max(errors[name], error)
        save_cases(topic, name, [case.described() for case in found])
        save_answers(topic, name, tensors)
        print(
            f"{topic} of {name}: {len(found)} cases, f32 within {errors[name]:.1e} of f64",
            flush=True,
        )
    return errors
