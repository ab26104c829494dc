"""Backs of cards: lattices, tartans, dots, checks, flowers, mottled or plain, with a border or without."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.recognition.cards.words import CARD_MM
from vision.simulation.decks.sheet import CardSheet, box, ellipse


@dataclass(frozen=True, slots=True)
class BackStyle:
    """How a deck's back looks.

    Attributes:
        pattern: a key of `PATTERNS`.
        seed: of what the pattern leaves to chance.
        inks: ground, figure and a third colour.
        period_mm: of the pattern.
        border_mm: unprinted edge.
        lines_mm: distances from the edge of printed frames.
        medal_mm: radius of a medal in the middle; 0 for none.
    """

    pattern: str
    seed: int
    inks: tuple[Rgb, Rgb, Rgb]
    period_mm: float
    border_mm: float
    lines_mm: tuple[float, ...]
    medal_mm: float


def draw_back(style: BackStyle, paper: Rgb, px_per_mm: float) -> ImageBgr:
    """Draw a back, sRGB uint8 (height, width, bgr)."""
    sheet = CardSheet.blank(CARD_MM, px_per_mm, paper)
    height, width = sheet.image_bgr.shape[:2]
    x, y = np.meshgrid((np.arange(width) + 0.5) / px_per_mm, (np.arange(height) + 0.5) / px_per_mm)
    shares = PATTERNS[style.pattern](x, y, style, np.random.default_rng(style.seed))
    inks = np.array(style.inks, np.float64)[:, ::-1]
    printed = inks[0] + shares[0][..., None] * (inks[1] - inks[0])
    printed += shares[1][..., None] * (inks[2] - printed)
    edge = np.minimum.reduce([x, y, CARD_MM[0] - x, CARD_MM[1] - y]) - style.border_mm
    inside = np.clip(edge * px_per_mm + 0.5, 0, 1)[..., None] if style.border_mm else 1.0
    sheet.image_bgr[:] = np.rint(sheet.image_bgr + (printed - sheet.image_bgr) * inside)
    _trim(sheet, style)
    return sheet.image_bgr


def _trim(sheet: CardSheet, style: BackStyle) -> None:
    for inset in style.lines_mm:
        frame = box(inset, inset, CARD_MM[0] - 2 * inset, CARD_MM[1] - 2 * inset)
        sheet.outline([frame], style.inks[2], 0.6)
    middle = CARD_MM[0] / 2, CARD_MM[1] / 2
    for share, ink in ((1.0, 2), (0.8, 1), (0.5, 0)):
        if style.medal_mm:
            sheet.fill([ellipse(middle, share * style.medal_mm)], style.inks[ink])


Shares = tuple[Floats, Floats]
"""How much of the second and third ink covers each pixel, float64 (rows, columns) from 0 to 1."""


def _soft(distance_mm: Floats) -> Floats:
    """Turn a distance inside (positive) or outside into a share, soft over a third of a mm."""
    return np.asarray(np.clip(distance_mm * 3 + 0.5, 0, 1))


def _stripes(along: Floats, period: float, width: float) -> Floats:
    off = np.abs((along + period / 2) % period - period / 2)
    return _soft(width / 2 - off)


def _lattice(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    angle = rng.uniform(0.5, 1.1)
    width = rng.uniform(0.15, 0.4) * style.period_mm
    one = _stripes(x * np.sin(angle) + y * np.cos(angle), style.period_mm, width)
    other = _stripes(x * np.sin(angle) - y * np.cos(angle), style.period_mm, width)
    crossing = one * other if rng.random() < 0.4 else np.zeros_like(one)
    return np.maximum(one, other), crossing


def _tartan(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    angle = rng.choice((0.0, 0.6, np.pi / 4)) + rng.normal(0, 0.05)
    period = 2.5 * style.period_mm
    turned = (x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle))
    shares = []
    for _ in range(2):
        widths = rng.uniform(0.05, 0.4, 2) * period
        phases = rng.uniform(0, period, 2)
        warp, weft = (_stripes(a + p, period, w) for a, p, w in zip(turned, phases, widths, strict=True))
        shares.append((warp + weft) / 2)
    return shares[0], shares[1]


def _dots(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    period = style.period_mm
    shift = (np.floor(y / period) % 2) * period / 2 if rng.random() < 0.6 else 0.0
    off = np.hypot((x + shift) % period - period / 2, y % period - period / 2)
    radius = rng.uniform(0.2, 0.45) * period
    return _soft(radius - off), _soft(radius * rng.uniform(0, 0.7) - off)


def _checks(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    half = style.period_mm / 2
    angle = rng.choice((0.0, np.pi / 4))
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    return ((np.floor(u / half) + np.floor(v / half)) % 2), np.zeros_like(x)


def _flowers(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    """A rosette drawn by waves about the middle of every tile."""
    period = 1.6 * style.period_mm
    u, v = x % period - period / 2, y % period - period / 2
    radius, angle = np.hypot(u, v) / period, np.arctan2(v, u)
    petals = int(rng.choice((4, 5, 6, 8)))
    wave = np.cos(petals * angle) * rng.uniform(0.05, 0.15) + rng.uniform(0.2, 0.35)
    rings = np.cos(radius * rng.uniform(20, 60) + rng.uniform(0, 6)) > rng.uniform(-0.3, 0.6)
    return _soft((wave - radius) * period) * 1.0, np.asarray(rings & (radius < wave), np.float64)


def _mottled(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    """Smooth noise of several grains, mirrored about the middle or not: engravings, photographs."""
    del y
    noise = np.zeros(x.shape)
    for grain in (1.0, 2.0, 4.0):
        cells = max(2, int(CARD_MM[1] * grain / style.period_mm))
        coarse = rng.normal(0, 1 / grain, (cells, cells * 3 // 4)).astype(np.float32)
        noise += cv2.resize(coarse, x.shape[::-1], interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.7:
        noise = noise + noise[::-1, ::-1]
    sharp = rng.uniform(0.5, 6)
    return np.clip(noise * sharp + 0.5, 0, 1), np.clip(noise * sharp - 1.5, 0, 1)


def _plain(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    del y, style, rng
    return np.zeros_like(x), np.zeros_like(x)


def _engraved(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    """Fine wavy lines, as guilloches and scrolls look from afar."""
    u, v = x - CARD_MM[0] / 2, y - CARD_MM[1] / 2
    a, b = rng.uniform(0.3, 2.0, 2) * 2 * np.pi / style.period_mm
    wave = np.sin(a * u + 2 * np.sin(0.3 * b * v)) * np.sin(b * v + 2 * np.sin(0.3 * a * u))
    finer = np.sin(2 * a * np.hypot(u, v)) * rng.uniform(0, 1)
    return np.clip((wave + finer) * 2 + 0.5, 0, 1), np.clip((wave - finer) * 2 - 1, 0, 1)


PATTERNS: dict[str, Callable[[Floats, Floats, BackStyle, np.random.Generator], Shares]] = {
    "lattice": _lattice,
    "tartan": _tartan,
    "dots": _dots,
    "checks": _checks,
    "flowers": _flowers,
    "mottled": _mottled,
    "engraved": _engraved,
    "plain": _plain,
}
