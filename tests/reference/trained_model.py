"""The bundled models on sentences that they never saw: every state of fifty, and what the role scores are taken from."""

import hashlib
import random
import sys
from pathlib import Path

import logit_sums
from run_model import forward
from vectors import HERE, SEED, save_cases, save_tensors

REPOSITORY = HERE.parents[1]
# The split, and how a bundled model is read, have one home: the training scripts.
sys.path.append(str(REPOSITORY / "tools" / "train"))

import held_out
from bundled import Bundled
from trained_inputs import Inputs

NAMES = ("en-fr", "tiny-gpt", "tiny-bert")
BEST_LOGITS = 8
LARGEST_FILE = 5_000_000


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
    inputs, described, tensors, sums = Inputs(bundled, shuffled(split.test)), [], {}, {}
    for given in inputs.all():
        named = forward(bundled.model, given.case)
        logits = named.pop("logits")
        best = logits.topk(BEST_LOGITS)
        sums[given.case.name] = logit_sums.sums(logits)
        named |= {"logits": logits[given.logits_position][None], "top_logits": best.values}
        tensors |= {f"{given.case.name}.{part}": value for part, value in named.items()}
        described.append(given.case.described() | given.told
                         | {"logits_position": given.logits_position, "top_ids": best.indices.tolist()})
    roles = {
        "sentences": [bundled.read(text).described() for text in held_out.described(split.test)],
        "repeated": [ids.described() for ids in bundled.repeated_sequences()],
        "special": bundled.special_ids,
    }
    path = HERE / "trained" / f"{name}.safetensors"
    save_cases("trained", name, {"inputs": described, "roles": roles})
    save_tensors(path, tensors)
    sums_path = path.with_name(f"{name}.logit-sums.safetensors")
    save_tensors(sums_path, sums)
    for file in (path, sums_path):
        file.chmod(0o644)
    size = path.stat().st_size
    print(f"{name}: {len(described)} inputs, {size} bytes, {inputs.undecided} passed over as undecided", flush=True)
    if size > LARGEST_FILE:
        raise RuntimeError(f"{path} has more than {LARGEST_FILE} bytes: it would burden every clone")
    checksum = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    return {"model_sha256": checksum, "passed_over_as_undecided": inputs.undecided}
