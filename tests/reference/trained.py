"""The bundled models on sentences that they never saw: every state of fifty, and what the role
scores are taken from.

Which inputs these are and what a model writes greedily is drawn by seed. All rows of the logits of
fifty inputs would be 34 MB, so their sums are kept: a sum of 50 logits, each times a weight of its
own between a half and one with either sign, moves by half as much at least as any one of them does,
and does not hide that two were exchanged. `tests/support/trained.rs` says the same in Rust.
"""

import hashlib
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import torch

from run_model import Case, check_consistent, forward, generate
from vectors import HERE, SEED, save_cases, save_tensors

REPOSITORY = HERE.parents[1]
# The split, and how a bundled model is read, have one home: the training scripts.
sys.path.append(str(REPOSITORY / "tools" / "train"))

import held_out  # noqa: E402
from bundled import Bundled  # noqa: E402

NAMES = ("en-fr", "tiny-gpt", "tiny-bert")
BEST_LOGITS = 8
LARGEST_FILE = 5_300_000
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
        "masks": [
            {"stack": "decoder", "layers": [1], "heads": [0, 2], "block": [[1, 0], [3, 1], [4, 4]]}
        ],
        "heads": [
            {"stack": "decoder", "layers": [0], "heads": [1], "gate": 0},
            {"stack": "decoder", "layers": [3], "gate": 0.5},
            {"stack": "decoder", "layers": [2], "heads": [3], "gate": 2},
        ],
    },
    "bert": {
        "masks": [
            {"stack": "encoder", "layers": [1], "heads": [0, 2], "block": [[1, 0], [3, 4], [0, 0]]}
        ],
        "heads": [
            {"stack": "encoder", "layers": [0], "heads": [1], "gate": 0},
            {"stack": "encoder", "layers": [3], "gate": 0.5},
            {"stack": "encoder", "layers": [2], "heads": [3], "gate": 2},
        ],
    },
}

IDS_A_SUM = 50
MULTIPLIER = 2_654_435_761
BITS = 2**32


def weights_of_ids(vocabulary: int) -> torch.Tensor:
    """The weight of each id, in f64: exact in both languages, since nothing in it is rounded."""
    mixed = (torch.arange(1, vocabulary + 1) * MULTIPLIER) % BITS
    sizes = 0.5 + (mixed % 2**24).double() / 2**25
    return torch.where(mixed >= BITS // 2, -sizes, sizes)


def logit_sums(logits: torch.Tensor) -> torch.Tensor:
    """`[position, vocabulary]` to `[position, groups]`, the last group as short as it comes."""
    weighted = logits.double() * weights_of_ids(logits.shape[1])
    return torch.stack([group.sum(dim=1) for group in weighted.split(IDS_A_SUM, dim=1)], dim=1)


@dataclass
class Input:
    """A case, the row of its logits that is kept whole, and what the readers of the JSON are told
    besides."""

    case: Case
    logits_position: int
    told: dict = field(default_factory=dict)


class Inputs:
    """The inputs of one model. `undecided` counts the sentences that were passed over."""

    def __init__(self, bundled: Bundled, held_out: list[str]):
        self.bundled, self.texts, self.undecided = bundled, iter(held_out), 0
        self.random = random.Random(SEED)

    def all(self) -> Iterator[Input]:
        drawn = {"marian": self.translated, "gpt2": self.continued, "bert": self.masked}[
            self.bundled.kind
        ]
        first = None
        for number in range(SENTENCES):
            found = drawn(f"sentence-{number}", number)
            while found is None:
                self.undecided += 1
                found = drawn(f"sentence-{number}", number)
            first = first or found
            yield found
        yield self.random_ids()
        case = Case(
            "under-edits",
            first.case.ids,
            first.case.token_type_ids,
            target_ids=first.case.target_ids,
            edits=EDITS[self.bundled.kind],
        )
        told = {
            member: value
            for member, value in first.told.items()
            if member not in ("prompt_ids", "written")
        }
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
        return Input(
            read,
            self.random.randrange(len(case.read_ids)),
            {"text": text, "written": case.generated},
        )

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
        position = self.random.choice(
            [at for at, index in enumerate(encoding.ids) if index not in special]
        )
        ids = list(encoding.ids)
        ids[position] = self.bundled.tokenizer.token_to_id("[MASK]")
        told = {"text": text} | ({"pair": pair} if pair else {})
        told |= {"masked": [position], "masked_ids": [encoding.ids[position]]}
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
    """The tokens after a prompt, an end-of-text token being one like any other, and the logits of
    each step."""
    ids, rows = list(prompt), []
    for _ in range(CONTINUED_TOKENS):
        rows.append(bundled.model(input_ids=torch.tensor([ids]), use_cache=False).logits[0, -1])
        ids.append(rows[-1].argmax().item())
    return ids[len(prompt) :], torch.stack(rows)


def shuffled(test: dict[str, list[str]]) -> list[str]:
    """The test split's sources in an order drawn by seed."""
    sources = sorted(test)
    random.Random(SEED).shuffle(sources)
    return sources


def write(data: Path, names: tuple[str, ...]) -> dict:
    """The models of these names; returns their entries in the manifest."""
    split = held_out.read(data)
    return {name: one(name, split) for name in names}


def one(name: str, split: held_out.Split) -> dict:
    folder = REPOSITORY / "models" / name
    if not (folder / "model.safetensors").exists():
        raise RuntimeError(f"{folder} is not there: train and export it first")
    bundled = Bundled(folder)
    inputs, described, tensors = Inputs(bundled, shuffled(split.test)), [], {}
    for given in inputs.all():
        named = forward(bundled.model, given.case)
        logits = named.pop("logits")
        best = logits.topk(BEST_LOGITS)
        named |= {
            "logits": logits[given.logits_position][None],
            "top_logits": best.values,
            "logit_sums": logit_sums(logits),
        }
        tensors |= {f"{given.case.name}.{part}": value for part, value in named.items()}
        described.append(
            given.case.described()
            | given.told
            | {"logits_position": given.logits_position, "top_ids": best.indices.tolist()}
        )
    roles = {
        "sentences": [bundled.read(text).described() for text in held_out.described(split.test)],
        "repeated": [ids.described() for ids in bundled.repeated_sequences()],
        "special": bundled.special_ids,
    }
    path = HERE / "trained" / f"{name}.safetensors"
    save_cases("trained", name, {"inputs": described, "roles": roles})
    save_tensors(path, tensors)
    path.chmod(0o644)
    size = path.stat().st_size
    undecided = f"{inputs.undecided} passed over as undecided"
    print(f"{name}: {len(described)} inputs, {size} bytes, {undecided}", flush=True)
    if size > LARGEST_FILE:
        raise RuntimeError(
            f"{path} has more than {LARGEST_FILE} bytes: it would burden every clone"
        )
    checksum = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    return {"model_sha256": checksum, "passed_over_as_undecided": inputs.undecided}
