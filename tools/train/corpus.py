"""English-French sentence pairs from Tatoeba, as tab-separated text inside a zip.

The file is `fra-eng.zip` of the Anki collection at manythings.org (member
`fra.txt`: English, French, attribution), CC-BY 2.0 FR. It is not part of this
repository: every script takes its path.
"""

import random
import unicodedata
import zipfile
from pathlib import Path

SPLIT_SEED = 2017
HELD_OUT_SOURCES = 2000
VALIDATION_SOURCES = 400


def clean(text: str) -> str:
    """What the model sees: NFKC (so no-break spaces are spaces), single spaces."""
    text = unicodedata.normalize("NFKC", text)
    return " ".join("".join(c for c in text if unicodedata.category(c) != "Cf").split())


def normalised(text: str) -> str:
    """What counts as "the same sentence" for the split: letters and digits, lower case."""
    return "".join(c for c in text.lower() if c.isalnum())


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """All pairs in file order, cleaned, exact duplicates dropped."""
    with zipfile.ZipFile(path) as archive:
        lines = archive.read("fra.txt").decode("utf-8").splitlines()
    pairs = [tuple(clean(part) for part in line.split("\t")[:2]) for line in lines]
    return list(dict.fromkeys(pairs))


def split(pairs: list[tuple[str, str]]) -> tuple[list, dict, dict]:
    """Training pairs, and for validation and test a source -> references table.

    Held-out sources are drawn by seed. A pair stays in training only if neither
    its normalised source nor its normalised target occurs in a held-out pair.
    """
    by_source: dict[str, list[tuple[str, str]]] = {}
    for source, target in pairs:
        by_source.setdefault(normalised(source), []).append((source, target))
    keys = sorted(by_source)
    random.Random(SPLIT_SEED).shuffle(keys)
    test_keys = keys[:HELD_OUT_SOURCES]
    validation_keys = keys[HELD_OUT_SOURCES : HELD_OUT_SOURCES + VALIDATION_SOURCES]

    held_sources = set(test_keys) | set(validation_keys)
    held_targets = {normalised(t) for k in held_sources for _, t in by_source[k]}
    train = [
        (s, t)
        for s, t in pairs
        if normalised(s) not in held_sources and normalised(t) not in held_targets
    ]

    def references(wanted: list[str]) -> dict[str, list[str]]:
        return {by_source[k][0][0]: list(dict.fromkeys(t for _, t in by_source[k])) for k in wanted}

    return train, references(validation_keys), references(test_keys)


def english(pairs: list[tuple[str, str]]) -> list[str]:
    """The English sides, each sentence once, in file order."""
    return list(dict.fromkeys(source for source, _ in pairs))


def paraphrases(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Two English sentences in a row that have a French translation in common, in file order."""
    by_target: dict[str, list[str]] = {}
    for source, target in pairs:
        by_target.setdefault(target, []).append(source)
    return [
        both
        for sources in by_target.values()
        for both in zip(sources, sources[1:])
        if both[0] != both[1]
    ]
