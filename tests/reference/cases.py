"""Which inputs every tiny model is run on. Ids are drawn by seed."""

import torch
from transformers import PreTrainedModel

from run_model import Case, check_consistent, forward, generate
from vectors import generator

# A chosen token must beat the runner-up by this much, so that rounding cannot change a reference translation.
DECISIVE_MARGIN = 0.02
DRAWS = 2000


class Draw:
    """Random ids for one model."""

    def __init__(self, name: str, model: PreTrainedModel):
        self.random = generator(f"{name} cases")
        self.vocabulary = model.config.vocab_size

    def ids(self, count: int) -> list[int]:
        return torch.randint(self.vocabulary, (count,), generator=self.random).tolist()

    def bits(self, count: int) -> list[int]:
        return torch.randint(2, (count,), generator=self.random).tolist()


def written(model: PreTrainedModel, draw: Draw, case: Case, stops: bool) -> Case:
    """The case with ids drawn anew until its greedy text is decisive and ends (or not) with the end token."""
    length = len(case.ids)
    for _ in range(DRAWS):
        case.ids = draw.ids(length)
        best, second = generate(model, case).topk(2).values.T
        stopped = case.generated[-1] == model.config.eos_token_id
        varied = len(set(case.generated)) > 2
        if stopped == stops and varied and (best - second).min() > DECISIVE_MARGIN:
            return case
    raise RuntimeError(f"{case.name}: no decisive greedy text in {DRAWS} draws")


def marian(name: str, model: PreTrainedModel) -> list[Case]:
    draw, longest = Draw(name, model), model.config.max_position_embeddings
    start = model.config.decoder_start_token_id

    def pair(label: str, source: int, target: int, **rest) -> Case:
        return Case(label, draw.ids(source), target_ids=[start, *draw.ids(target - 1)], **rest)

    def text(label: str, source: int, tokens: int, stops: bool, **rest) -> Case:
        return written(model, draw, Case(label, [0] * source, max_new_tokens=tokens, **rest), stops)

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
        text("written-to-the-limit", 5, longest - 1, stops=False),
        text("written-to-the-end-token", 7, longest - 1, stops=True),
        text("written-padded", 6, 8, stops=False, attention_mask=[1, 1, 1, 0, 1, 0]),
    ]
    several = [
        pair("several-edits", 7, 6, attention_mask=[1, 1, 0, 1, 1, 1, 1], edits={
            "masks": [
                {"stack": "encoder", "layers": [1], "heads": [0, 1], "block": [[0, 6], [3, 3]]},
                {"stack": "cross", "layers": [0], "block": [[1, 0], [5, 4]]},
                {"stack": "decoder", "heads": [2], "block": [[4, 1]]},
            ],
            "heads": [
                {"stack": "encoder", "layers": [1], "heads": [0], "gate": 2},
                {"stack": "cross", "layers": [1], "heads": [2], "gate": 0},
                {"stack": "decoder", "layers": [0, 1], "heads": [1], "gate": 0.5},
            ]}),
        text("written-under-edits", 6, 9, stops=False, edits={
            "masks": [
                {"stack": "cross", "layers": [1], "block": [[0, 1], [3, 2], [6, 0]]},
                {"stack": "decoder", "layers": [0], "heads": [1], "block": [[4, 1], [5, 5]]},
            ],
            "heads": [
                {"stack": "encoder", "layers": [1], "heads": [1], "gate": 0},
                {"stack": "cross", "layers": [0], "heads": [2], "gate": 2},
            ]}),
    ]
    if name != "marian-tiny":
        return plain + several
    return plain + several + [
        pair("nothing-edited", 5, 4, edits={}),
        pair("gate-encoder", 6, 5, edits={"heads": [{"stack": "encoder", "layers": [0], "heads": [1], "gate": 0}]}),
        pair("gate-decoder", 6, 5, edits={"heads": [{"stack": "decoder", "layers": [1], "heads": [2], "gate": 2}]}),
        pair("gate-cross", 6, 5, edits={"heads": [{"stack": "cross", "heads": [0, 1], "gate": 0.5}]}),
        pair("gate-everywhere", 6, 5, edits={"heads": [{"heads": [1], "gate": 0}]}),
        pair("gate-whole-layer", 6, 5, edits={"heads": [{"layers": [1], "gate": 0}]}),
        pair("block-encoder", 6, 5, edits={
            "masks": [{"stack": "encoder", "layers": [0], "heads": [0], "block": [[0, 0], [2, 5], [5, 1]]}]}),
        pair("block-decoder", 6, 5, edits={
            "masks": [{"stack": "decoder", "layers": [1], "heads": [1, 2], "block": [[3, 0], [4, 2], [1, 4]]}]}),
        pair("block-cross", 6, 5, edits={
            "masks": [{"stack": "cross", "layers": [1], "heads": [0, 2], "block": [[0, 1], [2, 3]]}]}),
        pair("block-everywhere", 6, 5, edits={"masks": [{"block": [[2, 1], [4, 0]]}]}),
        pair("row-without-keys", 4, 3, edits={"masks": [
            {"stack": "encoder", "layers": [1], "heads": [1], "block": [[2, key] for key in range(4)]},
            {"stack": "decoder", "layers": [0], "block": [[0, 0]]},
            {"stack": "cross", "heads": [0], "block": [[1, key] for key in range(4)]},
        ]}),
    ]


def bert(name: str, model: PreTrainedModel) -> list[Case]:
    draw, longest = Draw(name, model), model.config.max_position_embeddings

    def text(label: str, length: int, **rest) -> Case:
        return Case(label, draw.ids(length), **rest)

    return [
        text("one-token", 1),
        text("two-tokens", 2),
        text("seven-tokens", 7),
        text("longest", longest, token_type_ids=draw.bits(longest)),
        text("token-types", 7, token_type_ids=[0, 0, 0, 0, 1, 1, 1]),
        text("padded-right", 7, attention_mask=[1, 1, 1, 1, 1, 0, 0]),
        text("holes", 7, attention_mask=[0, 1, 1, 0, 0, 1, 1], token_type_ids=draw.bits(7)),
        text("nothing-edited", 5, edits={}),
        text("gate-zero", 6, edits={"heads": [{"stack": "encoder", "layers": [0], "heads": [1], "gate": 0}]}),
        text("gate-half-everywhere", 6, edits={"heads": [{"gate": 0.5}]}),
        text("block-cells", 6, edits={
            "masks": [{"layers": [1], "heads": [0, 2], "block": [[0, 1], [2, 3], [5, 5]]}]}),
        text("row-without-keys", 4, edits={
            "masks": [{"layers": [0], "heads": [1], "block": [[2, key] for key in range(4)]}]}),
        text("several-edits", 7, attention_mask=[1, 1, 1, 1, 0, 1, 1], edits={
            "masks": [{"layers": [0], "block": [[1, 0], [6, 2]]}, {"heads": [2], "block": [[3, 3]]}],
            "heads": [{"layers": [1], "heads": [0], "gate": 2}, {"layers": [0], "heads": [2], "gate": 0}]}),
    ]


def decoder(name: str, model: PreTrainedModel) -> list[Case]:
    """GPT-2 and Llama; the first of each family has all cases."""
    draw, longest = Draw(name, model), model.config.max_position_embeddings

    def text(label: str, length: int, **rest) -> Case:
        return Case(label, draw.ids(length), **rest)

    def grown(label: str, prompt: int, tokens: int, stops: bool, **rest) -> Case:
        return written(model, draw, Case(label, [0] * prompt, max_new_tokens=tokens, **rest), stops)

    plain = [
        text("one-token", 1),
        text("two-tokens", 2),
        text("seven-tokens", 7),
        text("longest", longest),
        text("padded-right", 7, attention_mask=[1, 1, 1, 1, 1, 0, 0]),
        grown("written-to-the-limit", 4, longest - 4, stops=False),
    ]
    if not name.endswith("-tiny"):
        return plain
    return plain + [
        # The first token stays visible: Hugging Face has no meaningful weights for a row without any key.
        text("holes", 7, attention_mask=[1, 0, 1, 1, 0, 0, 1]),
        text("nothing-edited", 5, edits={}),
        text("padded-left", 6, attention_mask=[0, 0, 1, 1, 1, 1], edits={}),
        text("gate-zero", 6, edits={"heads": [{"stack": "decoder", "layers": [0], "heads": [1], "gate": 0}]}),
        text("gate-double-everywhere", 6, edits={"heads": [{"heads": [2], "gate": 2}]}),
        text("block-cells", 6, edits={
            "masks": [{"layers": [1], "heads": [0, 2], "block": [[0, 1], [2, 1], [5, 5]]}]}),
        text("row-without-keys", 4, edits={"masks": [{"layers": [1], "heads": [1], "block": [[0, 0]]}]}),
        text("several-edits", 7, attention_mask=[1, 1, 1, 1, 0, 1, 1], edits={
            "masks": [{"layers": [0], "block": [[1, 0], [6, 2]]}, {"heads": [2], "block": [[3, 3]]}],
            "heads": [{"layers": [1], "heads": [0], "gate": 0.5}, {"layers": [2], "heads": [2], "gate": 0}]}),
        grown("written-to-the-end-token", 3, longest - 3, stops=True),
        grown("written-under-edits", 5, 9, stops=False, edits={
            "masks": [{"layers": [1], "heads": [0], "block": [[2, 0], [7, 3], [9, 9]]}],
            "heads": [{"layers": [0], "heads": [2], "gate": 0}]}),
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
