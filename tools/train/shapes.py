"""Draws the images that the image model learns from: one filled shape among lines and dots, on a
gradient.

Everything in an image is drawn from its seed: the shape, its colour, size, angle and place, the
background and what lies around. No file is read, and two seeds give two images.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

SHAPES = ("circle", "ring", "square", "triangle", "star", "cross", "moon", "heart")
SIDE = 64
# A shape covers a share of a pixel by SAMPLED × SAMPLED points in it.
SAMPLED = 2
RADII = (11.0, 20.0)
# The least distance of the shape's colour from both of the background's, in RGB from 0 to 1.
CONTRAST = 0.45
NOISE = 0.02
MOST_LINES = 2
MOST_DOTS = 4
POINTS_OF_STAR = 5
STAR_INNER = 0.45


@dataclass
class Drawn:
    """An image of bytes `[side, side, channel]`, its class, and the share of each pixel that the
    shape covers."""

    image: np.ndarray
    label: int
    covered: np.ndarray


def inside(shape: str, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Whether points are inside a shape of radius 1 around the origin; `v` points down."""
    radius = np.hypot(u, v)
    if shape == "circle":
        return radius < 0.9
    if shape == "ring":
        return (radius < 1) & (radius > 0.55)
    if shape == "square":
        return np.maximum(abs(u), abs(v)) < 0.78
    if shape == "triangle":
        return np.maximum(v, abs(u) * np.sqrt(3) / 2 - v / 2) < 0.5
    if shape == "star":
        # The edge runs straight from a point at radius 1 to the notch beside it.
        half = np.pi / POINTS_OF_STAR
        angle = abs((np.arctan2(u, -v) + half) % (2 * half) - half)
        x, y = radius * np.cos(angle), radius * np.sin(angle)
        notch_x, notch_y = STAR_INNER * np.cos(half), STAR_INNER * np.sin(half)
        return (1 - x) * notch_y - y * (1 - notch_x) > 0
    if shape == "cross":
        return (np.minimum(abs(u), abs(v)) < 0.3) & (np.maximum(abs(u), abs(v)) < 0.95)
    if shape == "moon":
        return (radius < 1) & (np.hypot(u - 0.45, v) > 0.75)
    # heart: two discs above a turned square
    discs = np.minimum(np.hypot(u - 0.4, v + 0.3), np.hypot(u + 0.4, v + 0.3)) < 0.48
    return discs | ((abs(u) + abs(v - 0.02) < 0.86) & (v > -0.15))


def colours(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two colours of a background, and one of a shape that differs from both."""
    ground, beyond = random.uniform(0, 1, (2, 3))
    while True:
        shape = random.uniform(0, 1, 3)
        if min(np.linalg.norm(shape - ground), np.linalg.norm(shape - beyond)) > CONTRAST:
            return ground, beyond, shape


def painted(image: np.ndarray, share: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """An image with a colour over a share of each pixel."""
    return image + (colour - image) * share[..., None]


def draw(random: np.random.Generator) -> Drawn:
    """An image of a shape that is drawn by lot."""
    x, y = points(1)
    ground, beyond, ink = colours(random)

    angle = random.uniform(0, 2 * np.pi)
    along = (x - SIDE / 2) * np.cos(angle) + (y - SIDE / 2) * np.sin(angle)
    image = painted(
        np.broadcast_to(ground, (SIDE, SIDE, 3)), np.clip(0.5 + along / SIDE, 0, 1), beyond
    )

    for _ in range(random.integers(MOST_LINES + 1)):
        turn, away = random.uniform(0, np.pi), random.uniform(-24, 24)
        distance = abs((x - SIDE / 2) * np.cos(turn) + (y - SIDE / 2) * np.sin(turn) - away)
        image = painted(image, edge(distance, random.uniform(0.4, 1)), random.uniform(0, 1, 3))
    for _ in range(random.integers(MOST_DOTS + 1)):
        across, down = random.uniform(2, SIDE - 2, 2)
        distance = np.hypot(x - across, y - down)
        image = painted(image, edge(distance, random.uniform(1, 2.5)), random.uniform(0, 1, 3))

    label, radius = int(random.integers(len(SHAPES))), random.uniform(*RADII)
    across, down = random.uniform(radius + 1, SIDE - radius - 1, 2)
    lean = random.uniform(-np.pi / 6, np.pi / 6)
    x, y = points(SAMPLED)
    u = ((x - across) * np.cos(lean) + (y - down) * np.sin(lean)) / radius
    v = ((y - down) * np.cos(lean) - (x - across) * np.sin(lean)) / radius
    covered = inside(SHAPES[label], u, v).reshape(SIDE, SAMPLED, SIDE, SAMPLED).mean(axis=(1, 3))
    pixels = painted(image, covered, ink) + random.normal(0, NOISE, (SIDE, SIDE, 3))
    return Drawn(np.rint(np.clip(pixels, 0, 1) * 255).astype(np.uint8), label, covered)


def edge(distance: np.ndarray, reach: float) -> np.ndarray:
    """The share of a pixel that is within reach, by the distance of its middle."""
    return np.clip(reach - distance + 0.5, 0, 1)


@cache
def points(sampled: int) -> tuple[np.ndarray, np.ndarray]:
    """The places of `sampled` × `sampled` points in each pixel, across and down."""
    at = (np.arange(SIDE * sampled) + 0.5) / sampled
    return tuple(np.meshgrid(at, at))


def batch(seed: int, number: int, size: int) -> list[Drawn]:
    """Images that belong to a seed and a number, always the same."""
    random = np.random.default_rng([seed, number])
    return [draw(random) for _ in range(size)]
