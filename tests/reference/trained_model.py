"""The bundled translator on sentences that it never saw: everything for a few, the greedy text for fifty."""

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
            named = forward(model, case)
            # A row has 6,000 logits; a few rows tell as much as all.
            described["logits_positions"] = sorted({0, 1, 2, len(case.read_ids) - 1})
            named["logits"] = named["logits"][described["logits_positions"]]
            tensors |= {f"{case.name}.{part}": value for part, value in named.items()}
        greedy.append(described)
    save_json(HERE / "en-fr.json", greedy)
    save_tensors(HERE / "en-fr.safetensors", tensors)
    print(f"en-fr: {len(greedy)} sentences, {undecided} passed over as undecided")
    checksum = hashlib.sha256((FOLDER / "model.safetensors").read_bytes()).hexdigest()
    return {"en_fr": {"model_sha256": checksum, "passed_over_as_undecided": undecided}}
