"""What is drawn from the held-out test split, and the check that training did not see it."""

import random
from dataclasses import dataclass
from pathlib import Path

from corpus import english, normalised, read_pairs, split

SEED = 2022
DESCRIBED_SENTENCES = 300
REPEATED_SEQUENCES = 30
REPEATED_TOKENS = 24


@dataclass
class Split:
    """Training pairs, and source -> references of the test split."""

    train: list[tuple[str, str]]
    test: dict[str, list[str]]

    @property
    def english(self) -> list[str]:
        """The English training sentences, each once."""
        return english(self.train)


def read(data: Path) -> Split:
    """The split, after looking once more that nothing held out is in training."""
    train, _, test = split(read_pairs(data))
    seen_sources = {normalised(source) for source, _ in train}
    seen_targets = {normalised(target) for _, target in train}
    if any(normalised(source) in seen_sources for source in test):
        raise RuntimeError("a held-out source is in training")
    if any(
        normalised(target) in seen_targets for references in test.values() for target in references
    ):
        raise RuntimeError("a held-out target is in training")
    return Split(train, test)


def described(test: dict[str, list[str]]) -> list[str]:
    """The sentences that a model's heads are described on."""
    return random.Random(SEED).sample(sorted(test), DESCRIBED_SENTENCES)


def repeated(
    ordinary: list[int], opening: list[int], closing: list[int], rng: random.Random
) -> list[int]:
    """Random tokens twice, between a model's own special tokens (Olsson et al. 2022)."""
    stretch = rng.sample(ordinary, REPEATED_TOKENS)
    return [*opening, *stretch, *stretch, *closing]
