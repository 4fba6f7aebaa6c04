"""Every row of logits in little room: weighted sums of neighbouring ids.

All rows of the fifty inputs would be 34 MB. A sum of 50 logits, each times a weight of its own between a half
and one with either sign, moves by half as much at least as any one of them does, and does not hide that two were
exchanged. `tests/support/logit_sums.rs` says the same in Rust.
"""

import torch

IDS_A_SUM = 50
MULTIPLIER = 2_654_435_761
BITS = 2**32


def weights(vocabulary: int) -> torch.Tensor:
    """The weight of each id, in f64: exact in both languages, since nothing in it is rounded."""
    mixed = (torch.arange(1, vocabulary + 1) * MULTIPLIER) % BITS
    sizes = 0.5 + (mixed % 2**24).double() / 2**25
    return torch.where(mixed >= BITS // 2, -sizes, sizes)


def sums(logits: torch.Tensor) -> torch.Tensor:
    """`[position, vocabulary]` to `[position, groups]`, the last group as short as it comes."""
    weighted = logits.double() * weights(logits.shape[1])
    return torch.stack([group.sum(dim=1) for group in weighted.split(IDS_A_SUM, dim=1)], dim=1)
