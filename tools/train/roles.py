"""How much a head's weights look like each of twelve known roles; docs/roles.md has them in words.

Every score is a sum over eligible queries divided by their number, pooled over all texts.
The roles are those of Clark et al. 2019 ("What Does BERT Look At?", section 3), Voita et
al. 2019 ("Analyzing Multi-Head Self-Attention", section 5), Olsson et al. 2022
("In-context Learning and Induction Heads"), Wang et al. 2022 ("Interpretability in the
Wild", section 3: duplicate-token heads), and in cross-attention Garg et al. 2019 ("Jointly
Learning to Align and Translate") and Chen et al. 2020 ("Accurate Word Alignment Induction").

Axes: weights are [layer, head, query, key]; cells are [query, key]; special and ordinary
are per position.
"""

from dataclasses import dataclass, replace

import numpy as np

OFFSETS = range(-3, 4)
DECIMALS = 6
# The least number of visible tokens among which "the rarest" or "spread out" means anything.
FEWEST_TO_CHOOSE_FROM = 2
# The least number of keys of which the three around one are a third at most.
FEWEST_TO_BE_NEAR = 9


@dataclass
class Text:
    """What a stack's scores depend on besides a head's weights. `counts` are unigram counts per
    id."""

    kind: str  # "bidirectional", "causal" or "cross"
    query_ids: np.ndarray
    key_ids: np.ndarray
    special_ids: frozenset[int]
    counts: np.ndarray
    sources: np.ndarray | None = None  # in cross-attention, by `sources`

    @property
    def is_self(self) -> bool:
        return self.kind != "cross"

    @property
    def visible(self) -> np.ndarray:
        everything = np.ones((len(self.query_ids), len(self.key_ids)), dtype=bool)
        return np.tril(everything) if self.kind == "causal" else everything

    @property
    def special_queries(self) -> np.ndarray:
        return np.isin(self.query_ids, list(self.special_ids))

    @property
    def special_keys(self) -> np.ndarray:
        return np.isin(self.key_ids, list(self.special_ids))

    @property
    def same(self) -> np.ndarray:
        """Cells whose query and key are the same ordinary token."""
        return (self.query_ids[:, None] == self.key_ids) & ~self.special_queries[:, None]


# Of a role that is a sum of weights: the cells that count, and which queries are eligible.
Cells = tuple[np.ndarray, np.ndarray]


def diagonal(text: Text, offset: int) -> Cells:
    cells = np.eye(len(text.query_ids), k=offset, dtype=bool)
    return cells, cells.any(axis=1)


def sources(weights: np.ndarray, text: Text) -> np.ndarray:
    """The key of each target token: where the mean head looks in the row that predicts it; -1 of
    special tokens."""
    found = np.full(len(text.query_ids), -1)
    found[1:] = weights.mean(axis=(0, 1)).argmax(axis=-1)[:-1]
    return np.where(text.special_queries | text.special_keys[found], -1, found)


def across(weights: np.ndarray, text: Text, offset: int) -> tuple[np.ndarray, int]:
    """How many queries look most at the source of the token at q + offset, and of how many."""
    keys = text.sources[offset:]
    hits = weights.argmax(axis=-1)[..., : len(keys)] == keys
    return hits[..., keys >= 0].sum(axis=-1), int((keys >= 0).sum())


def near(weights: np.ndarray, text: Text) -> tuple[np.ndarray, int]:
    """How many queries look most at most one token from the source of the next token, and of how
    many."""
    keys = text.sources[1:]
    eligible = (keys >= 0) & (len(text.key_ids) >= FEWEST_TO_BE_NEAR)
    hits = np.abs(weights.argmax(axis=-1)[..., : len(keys)] - keys) <= 1
    return hits[..., eligible].sum(axis=-1), int(eligible.sum())


def previous(text: Text) -> Cells | None:
    return diagonal(text, -1) if text.is_self else None


def following(text: Text) -> Cells | None:
    return diagonal(text, 1) if text.kind == "bidirectional" else None


def itself(text: Text) -> Cells | None:
    return diagonal(text, 0) if text.is_self else None


def first(text: Text) -> Cells:
    """In self-attention the first query is left out: in a causal stack it has no choice."""
    cells = np.zeros_like(text.visible)
    cells[:, 0] = True
    eligible = np.ones(len(text.query_ids), dtype=bool)
    eligible[0] = not text.is_self
    return cells, eligible


def separator(text: Text) -> Cells:
    """A special token other than the one that opens the text: [SEP], </s>."""
    keys, queries = text.special_keys, text.special_queries
    keys[0] = queries[0] = False
    return text.visible & keys, ~queries & keys.any()


def duplicate(text: Text) -> Cells | None:
    if not text.is_self:
        return None
    cells = text.same & text.visible
    np.fill_diagonal(cells, False)
    return cells, cells.any(axis=1)


def induction(text: Text) -> Cells | None:
    """The token after an earlier occurrence of the query's token: prefix matching."""
    if not text.is_self:
        return None
    cells = np.zeros_like(text.visible)
    cells[:, 1:] = np.tril(text.same, k=-1)[:, :-1]
    np.fill_diagonal(cells, False)
    return cells, cells.any(axis=1)


SUMS = {
    "previous": previous,
    "next": following,
    "self": itself,
    "first": first,
    "separator": separator,
    "duplicate": duplicate,
    "induction": induction,
}
# In cross-attention: which token's source the largest weight is on.
ACROSS = {"aligned": 0, "next": 1}
ROLES = ("aligned", *SUMS, "rare", "near", "positional", "broad")


def rare(weights: np.ndarray, text: Text) -> tuple[np.ndarray, int]:
    """How many queries look most at the rarest ordinary token that they see, and of how many."""
    candidates = text.visible & ~text.special_keys
    counts = np.where(candidates, text.counts[text.key_ids], np.inf)
    rarest = candidates & (counts == counts.min(axis=1, keepdims=True))
    eligible = candidates.sum(axis=1) >= FEWEST_TO_CHOOSE_FROM
    hits = rarest[np.arange(len(rarest)), weights.argmax(axis=-1)]
    return hits[..., eligible].sum(axis=-1), int(eligible.sum())


def positional(weights: np.ndarray, text: Text) -> tuple[np.ndarray, np.ndarray]:
    """Per offset how many queries look most at q + offset [layer, head, offset], and of how many
    [offset]."""
    queries = np.arange(len(text.query_ids))
    distance = weights.argmax(axis=-1) - queries
    hits = np.stack([(distance == offset).sum(axis=-1) for offset in OFFSETS], axis=-1)
    possible = [
        np.eye(*text.visible.shape, k=offset, dtype=bool) & text.visible for offset in OFFSETS
    ]
    return hits, np.array([cells.sum() for cells in possible])


def broad(weights: np.ndarray, text: Text) -> tuple[np.ndarray, int]:
    """Entropy as a share of the largest that is possible."""
    n_visible = text.visible.sum(axis=1)
    eligible = n_visible >= FEWEST_TO_CHOOSE_FROM
    rows = weights[..., eligible, :]
    entropy = -(rows * np.log(np.where(rows > 0, rows, 1))).sum(axis=-1)
    return (entropy / np.log(n_visible[eligible])).sum(axis=-1), int(eligible.sum())


class Tallies:
    """Sums and counts of all heads of one stack over the texts so far."""

    def __init__(self) -> None:
        self.sums: dict[str, np.ndarray | int] = dict.fromkeys(ROLES, 0)
        self.counts: dict[str, np.ndarray | int] = dict.fromkeys(ROLES, 0)
        self.queries = 0

    def add(self, weights: np.ndarray, text: Text, roles: tuple[str, ...] = ROLES) -> None:
        weights = weights.astype(np.float64)
        if not text.is_self:
            text = replace(text, sources=sources(weights, text))
        found = {"rare": rare, "positional": positional, "broad": broad}
        if "positional" in roles:
            self.queries += len(text.query_ids)
        for role in roles:
            if role in found:
                total, count = found[role](weights, text)
            elif role in ACROSS and not text.is_self:
                total, count = across(weights, text, ACROSS[role])
            elif role == "near" and not text.is_self:
                total, count = near(weights, text)
            elif role not in SUMS or (cells := SUMS[role](text)) is None:
                continue
            else:
                total = np.where(cells[0], weights, 0).sum(axis=-1)[..., cells[1]].sum(axis=-1)
                count = int(cells[1].sum())
            self.sums[role] = self.sums[role] + total
            self.counts[role] = self.counts[role] + count

    def score(self, role: str, layer: int, head: int) -> float | None:
        if not np.any(self.counts[role]):
            return None
        total, count = self.sums[role][layer, head], self.counts[role]
        if role == "positional":
            # An offset that hardly any query can look at would be reached by chance.
            competes = 2 * count >= self.queries
            if not competes.any():
                return None
            total, count = max(
                zip(total[competes], count[competes]), key=lambda pair: pair[0] / pair[1]
            )
        return round(float(total / count), DECIMALS)

    def scores(self, roles: tuple[str, ...] = ROLES) -> list[list[dict[str, float | None]]]:
        """[layer][head], each with its roles."""
        layers, heads = next(total.shape[:2] for total in self.sums.values() if np.ndim(total))
        return [
            [{role: self.score(role, layer, head) for role in roles} for head in range(heads)]
            for layer in range(layers)
        ]
