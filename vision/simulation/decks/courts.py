"""Jacks, queens and kings: two-headed figures in a frame, built of coloured shapes by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.board import Rgb
from vision.geometry import Floats
from vision.recognition.cards.words import CARD_MM
from vision.simulation.decks.sheet import CardSheet, Polygons, box, ellipse, placed

_SKIN: Rgb = (240, 205, 175)


@dataclass(frozen=True, slots=True)
class CourtStyle:
    """How a deck draws its figures.

    Attributes:
        seed: of the figures' shapes.
        colours: of clothes.
        frame_mm: half width and half height of the frame; there is no figure where the deck is `plain`.
        plain: a large suit instead of a figure.
        suit_mm: size of the suit beside the head.
    """

    seed: int
    colours: tuple[Rgb, ...]
    frame_mm: tuple[float, float]
    plain: bool
    suit_mm: float


def draw_court(sheet: CardSheet, style: CourtStyle, rank: int, suit: Polygons, ink: Rgb) -> None:
    """Draw the figure of rank 0 (jack), 1 (queen) or 2 (king) in the middle of a card."""
    middle = np.array(CARD_MM) / 2
    if style.plain:
        sheet.fill(placed(suit, middle, style.frame_mm[0]), ink)
        return
    rng = np.random.default_rng([style.seed, rank, round(abs(suit[0]).sum() * 1000)])
    for polygon, colour in _half(rng, style, rank):
        for sign in (1, -1):
            sheet.fill([middle + sign * polygon], colour)
    half = np.array(style.frame_mm)
    sheet.outline([box(*(middle - half), *(2 * half))], (30, 30, 40), 0.35)
    corner = half - style.suit_mm
    for turned, sign in ((False, -1), (True, 1)):
        sheet.fill(placed(suit, middle + sign * corner, style.suit_mm, turned=turned), ink)


def _half(rng: np.random.Generator, style: CourtStyle, rank: int) -> list[tuple[Floats, Rgb]]:
    """Shapes of the upper half, in mm about the card's middle, back to front."""
    across, down = style.frame_mm
    shapes = [(_robe(rng, across, down), _colour(rng, style)) for _ in range(int(rng.integers(2, 5)))]
    shapes += [(_patch(rng, across, down), _colour(rng, style)) for _ in range(int(rng.integers(6, 16)))]
    head = np.array([rng.uniform(-0.15, 0.15) * across, -0.62 * down])
    size = rng.uniform(3.5, 5.0)
    hair = ellipse(head, (size * (1.4 + 0.3 * (rank == 1)), size * 1.35))
    beard = ellipse((head[0], head[1] + size * 0.7), (size * 0.8, size * 0.7))
    shapes += [(hair, _colour(rng, style)), (ellipse(head, (size * 0.85, size * 1.1)), _SKIN)]
    shapes += [(beard, _colour(rng, style))] if rank == 2 else []
    return [*shapes, (_hat(rng, rank) * size + head - (0, size * 0.9), _colour(rng, style))]


def _colour(rng: np.random.Generator, style: CourtStyle) -> Rgb:
    return style.colours[rng.integers(len(style.colours))]


def _robe(rng: np.random.Generator, across: float, down: float) -> Floats:
    shoulder, hem = rng.uniform(0.3, 0.9) * across, rng.uniform(0.6, 1.0) * across
    top = rng.uniform(-0.5, -0.2) * down
    return np.array([(-shoulder, top), (shoulder, top), (hem, 0), (-hem, 0)])


def _patch(rng: np.random.Generator, across: float, down: float) -> Floats:
    middle = rng.uniform(-0.8, 0.8) * across, rng.uniform(-0.55, 0) * down
    angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
    radius = rng.uniform(1, 0.3 * across, len(angle))
    corners = np.column_stack([np.cos(angle) * radius, np.sin(angle) * radius]) + middle
    return np.asarray(np.clip(corners, (-across, -down), (across, 0)))


def _hat(rng: np.random.Generator, rank: int) -> Floats:
    """A cap, a low crown or a high one, in heads."""
    height = (0.4, 0.6, 1.0)[rank] * rng.uniform(0.8, 1.2)
    if rank == 0:
        return np.array([(-1.2, 0), (-1, -height), (1, -height), (1.2, 0)])
    spikes = 3 + 2 * int(rng.integers(2))
    x = np.linspace(-1.2, 1.2, spikes * 2 - 1)
    y = np.where(np.arange(len(x)) % 2 == 0, -height, -0.4 * height)
    return np.vstack([(-1, 0.1), np.column_stack([x, y]), (1, 0.1)])
