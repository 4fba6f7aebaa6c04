"""A better start for learned positions than noise."""

import torch


@torch.no_grad()
def start_as_sinusoids(table: torch.nn.Parameter, base: float, loudness: float) -> None:
    """Fills [position, width] with sinusoids (Vaswani et al. 2017, section 3.5), so many times as
    loud as the noise was.

    From noise a head has to learn every pair of neighbouring positions by itself; in
    sinusoids "the one before" is one linear map for all of them. The table is trained on.
    """
    n, width = table.shape
    noise = table.std()
    angle = torch.arange(n)[:, None] * base ** (-torch.arange(0, width, 2) / width)
    table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
    table.mul_(loudness * noise / table.std())
