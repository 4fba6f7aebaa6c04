"""Seeds, and writing vectors: safetensors files of f32 tensors, and a readable JSON file for each
topic."""

import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

SEED = 1706
WORD = 2**64 - 1

HERE = Path(__file__).parent


def generator(label: str) -> torch.Generator:
    """Random numbers that depend on the seed and the label alone, so that topics can be added or
    reordered."""
    mixed = SEED
    for byte in label.encode():
        mixed = (mixed * 257 + byte) % (2**31 - 1)
    return torch.Generator().manual_seed(mixed)


def mix(x: int) -> int:
    """One step of SplitMix64."""
    z = (x + 0x9E3779B97F4A7C15) & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def seed_of(seed: int, *path: int) -> int:
    own = mix(seed)
    for at in path:
        own = mix(own ^ at)
    return own


def fraction(bits: int) -> float:
    return (bits >> 11) / 2**53


def save_tensors(path: Path, tensors: dict[str, torch.Tensor]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(
        {name: tensor.detach().float().contiguous() for name, tensor in tensors.items()}, path
    )


def save_answers(topic: str, name: str, tensors: dict[str, torch.Tensor]) -> None:
    """The tensors of one model among those of the others, all of a topic."""
    path = HERE / f"{topic}.safetensors"
    saved = load_file(path) if path.exists() else {}
    others = {part: tensor for part, tensor in saved.items() if not part.startswith(f"{name}/")}
    save_tensors(path, others | {f"{name}/{part}": tensor for part, tensor in tensors.items()})


def save_cases(topic: str, name: str, cases: object) -> None:
    """The cases of one model in its topic's JSON file."""
    path = HERE / f"{topic}.json"
    saved = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    save_json(path, saved | {name: cases})


def save_json(path: Path, value: object) -> None:
    """Indented, but with every list of numbers on one line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_readable(value, "") + "\n", encoding="utf-8")


def _readable(value: object, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, dict) and value:
        members = (
            f"{inner}{json.dumps(key)}: {_readable(item, inner)}" for key, item in value.items()
        )
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return "[\n" + ",\n".join(inner + _readable(item, inner) for item in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)
