"""Which held-out inputs a bundled model is run on, and what it writes greedily; drawn by seed."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import torch

from bundled import Bundled
from run_model import Case, check_consistent, generate
from vectors import SEED

SENTENCES = 50
# Of every PAIR_EVERY sentences, tiny-bert reads the last together with another one.
PAIR_EVERY = 4
LONGEST_TEXT = 60
# Of a translator every text has three kinds of weights; longer sources would not fit the file.
LONGEST_SOURCE = 8
CONTINUED_TOKENS = 24
# A greedy text that hangs on less than this between two logits says nothing about correctness.
DECISIVE_MARGIN = 1e-3

RANDOM_SOURCE, RANDOM_TARGET = 24, 18
RANDOM_TEXT = 64
EDITS = {
    "marian": {
        "masks": [{"stack": "cross", "layers": [1], "heads": [2, 5], "block": [[1, 0], [2, 3]]}],
        "heads": [
            {"stack": "encoder", "layers": [0], "heads": [1, 6], "gate": 0},
            {"stack": "decoder", "layers": [2], "gate": 0.5},
            {"stack": "cross", "layers": [0], "heads": [3], "gate": 2},
        ],
    },
    "gpt2": {
        "masks": [{"stack": "decoder", "layers": [1], "heads": [0, 2], "block": [[1, 0], [3, 1], [4, 4]]}],
        "heads": [
            {"stack": "decoder", "layers": [0], "heads": [1], "gate": 0},
            {"stack": "decoder", "layers": [3], "gate": 0.5},
            {"stack": "decoder", "layers": [2], "heads": [3], "gate": 2},
        ],
    },
    "bert": {
        "masks": [{"stack": "encoder", "layers": [1], "heads": [0, 2], "block": [[1, 0], [3, 4], [0, 0]]}],
        "heads": [
            {"stack": "encoder", "layers": [0], "heads": [1], "gate": 0},
            {"stack": "encoder", "layers": [3], "gate": 0.5},
            {"stack": "encoder", "layers": [2], "heads": [3], "gate": 2},
        ],
    },
}


@dataclass
class Input:
    """A case, the row of its logits that is kept whole, and what the readers of the JSON are told besides."""

    case: Case
    logits_position: int
    told: dict = field(default_factory=dict)


class Inputs:
    """The inputs of one model. `undecided` counts the sentences that were passed over."""

    def __init__(self, bundled: Bundled, held_out: list[str]):
        self.bundled, self.texts, self.undecided = bundled, iter(held_out), 0
        self.random = random.Random(SEED)

    def all(self) -> Iterator[Input]:
        drawn = {"marian": self.translated, "gpt2": self.continued, "bert": self.masked}[self.bundled.kind]
        first = None
        for number in range(SENTENCES):
            found = drawn(f"sentence-{number}", number)
            while found is None:
                self.undecided += 1
                found = drawn(f"sentence-{number}", number)
            first = first or found
            yield found
        yield self.random_ids()
        case = Case("under-edits", first.case.ids, first.case.token_type_ids, target_ids=first.case.target_ids,
                    edits=EDITS[self.bundled.kind])
        told = {member: value for member, value in first.told.items() if member not in ("prompt_ids", "written")}
        yield Input(case, first.logits_position, told)

    def translated(self, name: str, number: int) -> Input | None:
        encoded = ((text, self.bundled.tokenizer.encode(text).ids) for text in self.texts)
        text, ids = next(pair for pair in encoded if len(pair[1]) <= LONGEST_SOURCE)
        case = Case(name, ids, max_new_tokens=LONGEST_TEXT)
        if not decisive(generate(self.bundled.model, case)):
            return None
        if number == 0:
            check_consistent(self.bundled.model, case)
        read = Case(name, case.ids, target_ids=case.read_ids)
        return Input(read, self.random.randrange(len(case.read_ids)), {"text": text, "written": case.generated})

    def continued(self, name: str, _number: int) -> Input | None:
        text = next(self.texts)
        ids = self.bundled.tokenizer.encode(text).ids
        prompt = ids[: 1 + len(ids) // 2]
        written, logits = greedily(self.bundled, prompt)
        if not decisive(logits):
            return None
        told = {"text": text, "prompt_ids": prompt, "written": written}
        return Input(Case(name, ids), self.random.randrange(len(ids)), told)

    def masked(self, name: str, number: int) -> Input:
        text = next(self.texts)
        pair = next(self.texts) if number % PAIR_EVERY == PAIR_EVERY - 1 else None
        encoding = self.bundled.tokenizer.encode(text, pair)
        special = self.bundled.special_ids
        position = self.random.choice([at for at, index in enumerate(encoding.ids) if index not in special])
        ids = list(encoding.ids)
        ids[position] = self.bundled.tokenizer.token_to_id("[MASK]")
        told = {"text": text} | ({"pair": pair} if pair else {})
        told |= {"hidden": [position], "hidden_ids": [encoding.ids[position]]}
        return Input(Case(name, ids, encoding.type_ids if pair else None), position, told)

    def random_ids(self) -> Input:
        def ids(count: int) -> list[int]:
            return [self.random.randrange(self.bundled.vocabulary) for _ in range(count)]

        if self.bundled.kind == "marian":
            case = Case("random-ids", ids(RANDOM_SOURCE), target_ids=ids(RANDOM_TARGET))
        else:
            case = Case("random-ids", ids(RANDOM_TEXT))
            if self.bundled.kind == "bert":
                case.token_type_ids = [self.random.randrange(2) for _ in range(RANDOM_TEXT)]
        return Input(case, self.random.randrange(len(case.target_ids or case.ids)))


def decisive(logits: torch.Tensor) -> bool:
    best, second = logits.topk(2).values.T
    return (best - second).min().item() > DECISIVE_MARGIN


@torch.no_grad()
def greedily(bundled: Bundled, prompt: list[int]) -> tuple[list[int], torch.Tensor]:
    """The tokens after a prompt, an end-of-text token being one like any other, and the logits of each step."""
    ids, rows = list(prompt), []
    for _ in range(CONTINUED_TOKENS):
        rows.append(bundled.model(input_ids=torch.tensor([ids]), use_cache=False).logits[0, -1])
        ids.append(rows[-1].argmax().item())
    return ids[len(prompt) :], torch.stack(rows)
