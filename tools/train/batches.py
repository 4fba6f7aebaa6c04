"""Batches of texts of like length, drawn anew for every epoch from a seed."""

import random
from collections.abc import Sequence

import torch

from training import SEED

BATCH_TOKENS = 4000


def epoch_batches(widths: Sequence[tuple[int, ...]], epoch: int) -> list[list[int]]:
    """Indices of texts, at most BATCH_TOKENS padded tokens a side.

    `widths` has a text's number of tokens on each of its sides.
    """
    rng = random.Random(SEED * 1000 + epoch)
    order = list(range(len(widths)))
    rng.shuffle(order)
    order.sort(key=lambda i: widths[i])
    batches, batch, widest = [], [], 0
    for i in order:
        width = max(widest, *widths[i], 1)
        if batch and width * (len(batch) + 1) > BATCH_TOKENS:
            batches.append(batch)
            batch, width = [], max(widths[i])
        batch.append(i)
        widest = width
    batches.append(batch)
    rng.shuffle(batches)
    return batches


class Batches:
    """The batch of every step, through as many epochs as it takes."""

    def __init__(self, widths: Sequence[tuple[int, ...]]):
        self.widths = widths
        self.batches = epoch_batches(widths, 0)
        self.epoch, self.batches_per_epoch = 0, len(self.batches)

    def of_step(self, step: int) -> list[int]:
        """Indices of texts; depends on the step alone."""
        epoch, batch = divmod(step, self.batches_per_epoch)
        if epoch != self.epoch:
            self.epoch, self.batches = epoch, epoch_batches(self.widths, epoch)
        # Epochs differ by a batch or two.
        return self.batches[batch % len(self.batches)]


def padded(rows: Sequence[Sequence[int]], pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids `[row, position]`, and a mask that is 1 on what is not padding."""
    width = max(map(len, rows))
    ids = torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])
    # Lengths, not ids, say what is padding: Marian's start token shares the padding id.
    mask = (torch.arange(width) < torch.tensor([[len(row)] for row in rows])).long()
    return ids, mask
