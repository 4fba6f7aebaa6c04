"""The bundled translator on sentences that it never saw: everything for a few, the greedy text for fifty.

Besides these a longer text of random ids, and a sentence under edits, with everything too.
"""

import hashlib
import random
import sys
from pathlib import Path

import tiny_models
from run_model import Case, check_consistent, forward, generate
from tokenizers import Tokenizer
from transformers import MarianMTModel
from vectors import HERE, SEED, save_json, save_tensors

REPOSITORY = HERE.parents[1]
FOLDER = REPOSITORY / "models" / "en-fr"
WHOLE_SENTENCES = 4
GREEDY_SENTENCES = 50
LONGEST_TEXT = 60
# Rows of 6,000 logits are large: all of them for the first sentences, a few for the rest.
SENTENCES_WITH_ALL_LOGITS = 2
RANDOM_SOURCE, RANDOM_TARGET = 40, 30
EDITS = {
    "masks": [{"stack": "cross", "layers": [1], "heads": [2, 5], "block": [[1, 0], [2, 3]]}],
    "heads": [
        {"stack": "encoder", "layers": [0], "heads": [1, 6], "gate": 0},
        {"stack": "decoder", "layers": [2], "gate": 0.5},
        {"stack": "cross", "layers": [0], "heads": [3], "gate": 2},
    ],
}
# A translation that hangs on less than this between two logits says nothing about correctness.
DECISIVE_MARGIN = 1e-3


def held_out(data: Path) -> list[str]:
    """The test split's sources in an order drawn by seed."""
    sys.path.append(str(REPOSITORY / "train"))
    from corpus import read_pairs, split

    _, _, test = split(read_pairs(data))
    sources = sorted(test)
    random.Random(SEED).shuffle(sources)
    return sources


def kept(case: Case, described: dict, named: dict, few: bool) -> dict:
    """The case's tensors, with all or a few rows of the logits; says in `described` which."""
    if few:
        last = len(named["logits"]) - 1
        described["logits_positions"] = sorted({0, 1, 2, last})
        named["logits"] = named["logits"][described["logits_positions"]]
    return {f"{case.name}.{part}": value for part, value in named.items()}


def unwritten(model: MarianMTModel, first: dict) -> list[Case]:
    """Given texts: random ids, and the first sentence with its translation under edits."""
    drawn = random.Random(SEED)
    ids = [[drawn.randrange(model.config.vocab_size) for _ in range(n)] for n in (RANDOM_SOURCE, RANDOM_TARGET)]
    return [
        Case("random-ids", ids[0], target_ids=ids[1]),
        Case("under-edits", first["ids"], target_ids=first["read_ids"], edits=EDITS),
    ]


def write(data: Path) -> dict:
    model = tiny_models.load(MarianMTModel, FOLDER)
    tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
    greedy, tensors, undecided = [], {}, 0
    for text in held_out(data):
        number = len(greedy)
        if number == GREEDY_SENTENCES:
            break
        case = Case(f"sentence-{number}", tokenizer.encode(text).ids, max_new_tokens=LONGEST_TEXT)
        best, second = generate(model, case).topk(2).values.T
        if (best - second).min() < DECISIVE_MARGIN:
            undecided += 1
            continue
        described = {"text": text} | case.described()
        if number < WHOLE_SENTENCES:
            check_consistent(model, case)
            few = number >= SENTENCES_WITH_ALL_LOGITS
            tensors |= kept(case, described, forward(model, case), few)
        greedy.append(described)
    for case in unwritten(model, greedy[0]):
        described = case.described()
        tensors |= kept(case, described, forward(model, case), few=True)
        greedy.append(described)
    save_json(HERE / "en-fr.json", greedy)
    save_tensors(HERE / "en-fr.safetensors", tensors)
    print(f"en-fr: {GREEDY_SENTENCES} sentences, {undecided} passed over as undecided")
    checksum = hashlib.sha256((FOLDER / "model.safetensors").read_bytes()).hexdigest()
    return {"en_fr": {"model_sha256": checksum, "passed_over_as_undecided": undecided}}
