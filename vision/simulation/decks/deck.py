"""A deck: its suits, courts, back and places of pips, and the rendering of its faces and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats, box
from vision.recognition.cards.words import CARD_MM, split
from vision.simulation.decks.lettering import Lettering
from vision.simulation.outlines import Sheet, ellipse

Polygons = tuple[Floats, ...]
"""Outlines float64 (n, xy), filled one after the other."""


def _blank(px_per_mm: float, paper: Rgb) -> Sheet:
    width, height = (round(side * px_per_mm) for side in CARD_MM)
    return Sheet(np.full((height, width, 3), paper[::-1], np.uint8), px_per_mm)


def _stamp(sheet: Sheet, mask: NDArray[np.uint8], box_mm: tuple[float, float, float, float], colour: Rgb) -> None:
    """Print a mask, uint8 (rows, columns), stretched to a box (x, y, width, height) in mm."""
    x, y, width, height = (side * sheet.px_per_mm for side in box_mm)
    scale_x, scale_y = width / mask.shape[1], height / mask.shape[0]
    shrink = min(1.0, 2 * max(scale_x, scale_y))
    if shrink < 1:
        mask = np.asarray(cv2.resize(mask, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        scale_x, scale_y = width / mask.shape[1], height / mask.shape[0]
    place = np.array([[scale_x, 0, x + scale_x / 2 - 0.5], [0, scale_y, y + scale_y / 2 - 0.5]])
    ink = np.asarray(cv2.warpAffine(mask, place, sheet.image_bgr.shape[1::-1]), np.uint8)
    left, top, columns, rows = cv2.boundingRect(ink)
    part = np.s_[top : top + rows, left : left + columns]
    share = ink[part][..., None].astype(np.float32) / 255
    paper = sheet.image_bgr[part]
    sheet.image_bgr[part] = np.rint(paper + (np.array(colour[::-1], np.float32) - paper) * share)


def placed(polygons: Polygons, middle: ArrayLike, size_wh: ArrayLike, *, turned: bool = False) -> Polygons:
    """Return outlines of unit size about (0, 0), scaled and moved to a place in mm, upside down if `turned`."""
    size = np.asarray(size_wh) * (-1 if turned else 1)
    return tuple(np.asarray(polygon * size + np.asarray(middle)) for polygon in polygons)


_STEPS = np.linspace(0, 1, 12)[:, None]


def random_suits(rng: np.random.Generator) -> dict[str, Polygons]:
    """Return the outlines of four random suits."""
    # a stem that flares from (0, 0) down to y = 0.5
    neck, foot = rng.uniform(0.015, 0.06), rng.uniform(0.06, 0.26)
    above = np.array([foot * rng.uniform(0.2, 1), 0.48])
    flare = _curve(np.array([neck, 0]), np.array([neck, 0.3]), above, np.array([foot, 0.5]))
    stem = _mirror(np.concatenate([[(0, -0.05)], flare]))
    # three leaves of a club, round or like drops
    radius = rng.uniform(0.19, 0.25)
    spread, low = 0.5 - radius, rng.uniform(0.02, 0.14)
    middles = np.array([(0, radius - 0.5), (-spread, low), (spread, low)])
    stalk = np.array([0, low * rng.uniform(0.2, 0.9) - 0.02])
    leaves = [ellipse(middle, radius) for middle in middles]
    if rng.random() < 0.25:  # each ends in a point
        drops = (np.vstack([leaf + (at - stalk) * 0.1, stalk]) for leaf, at in zip(leaves, middles, strict=True))
        leaves = [np.asarray(cv2.convexHull(drop.astype(np.float32)), np.float64).reshape(-1, 2) for drop in drops]
    club = (*leaves, ellipse(stalk, rng.uniform(0.03, 0.13)), stem)
    # a diamond, whose sides may be bent
    width = rng.uniform(0.36, 0.5)
    bend = rng.choice((0.0, rng.uniform(0.0, 0.14), rng.uniform(-0.05, 0.0)), p=(0.4, 0.45, 0.15))
    top, side = np.array([0, -0.5]), np.array([width, 0])
    middle = (top + side) / 2 * (1 - 2 * bend)
    upper = _curve(top, (top + middle) / 2, (side + middle) / 2, side)
    diamond = _mirror(np.concatenate([upper, upper[::-1] * (1, -1)]))
    # a heart, and one upside down on a stem
    heart, leaf = _heart(rng), _heart(rng) * (1, -1)
    height = rng.uniform(0.7, 0.9)
    spade = leaf * (1, height) + (0, height / 2 - 0.5), stem
    return {"clubs": club, "diamonds": (diamond,), "hearts": (heart,), "spades": spade}


def _curve(start: Floats, pull: Floats, push: Floats, end: Floats) -> Floats:
    """Return a cubic Bezier curve, float64 (12, xy)."""
    t = _STEPS
    return np.asarray((1 - t) ** 3 * start + 3 * t * (1 - t) ** 2 * pull + 3 * t**2 * (1 - t) * push + t**3 * end)


def _mirror(half: Floats) -> Floats:
    """Return an outline from its right half, from the axis down to the axis, and its mirror image."""
    return np.concatenate([half, half[::-1] * (-1, 1)])


def _heart(rng: np.random.Generator) -> Floats:
    notch = np.array([0, rng.uniform(-0.34, -0.18)])
    side = np.array([rng.uniform(0.42, 0.5), rng.uniform(-0.3, -0.14)])
    shoulder = rng.uniform(0.5, 0.68)
    lobe = _curve(notch, np.array([rng.uniform(0.02, 0.14), -shoulder]), np.array([side[0], -shoulder]), side)
    belly = rng.uniform(0.0, 0.3)
    tip = np.array([0, 0.5])
    flank = _curve(
        side, np.array([side[0], side[1] + belly]), np.array([rng.uniform(0.04, 0.25), rng.uniform(0.15, 0.35)]), tip
    )
    return _mirror(np.concatenate([lobe, flank]))


_SKIN: Rgb = (240, 205, 175)


@dataclass(frozen=True, slots=True)
class CourtStyle:
    """The style of a deck's figures.

    Attributes:
        seed: the seed of the figures' shapes.
        colours: the colours of clothes.
        frame_mm: half width and half height of the frame.
        plain: whether there is a large suit instead of a figure.
        suit_mm: size of the suit next to the head.
    """

    seed: int
    colours: tuple[Rgb, ...]
    frame_mm: tuple[float, float]
    plain: bool
    suit_mm: float


def draw_court(sheet: Sheet, style: CourtStyle, rank: int, suit: Polygons, ink: Rgb) -> None:
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
    """Return the shapes of the upper half, in mm about the card's middle, back to front."""
    across, down = style.frame_mm
    shapes: list[tuple[Floats, Rgb]] = []

    def add(outline: ArrayLike) -> None:
        shapes.append((np.asarray(outline, np.float64), style.colours[rng.integers(len(style.colours))]))

    # 1. robes, and patches on them
    for _ in range(int(rng.integers(2, 5))):
        shoulder, hem = rng.uniform(0.3, 0.9) * across, rng.uniform(0.6, 1.0) * across
        top = rng.uniform(-0.5, -0.2) * down
        add([(-shoulder, top), (shoulder, top), (hem, 0), (-hem, 0)])
    for _ in range(int(rng.integers(6, 16))):
        middle = rng.uniform(-0.8, 0.8) * across, rng.uniform(-0.55, 0) * down
        angle = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
        radius = rng.uniform(1, 0.3 * across, len(angle))
        corners = np.column_stack([np.cos(angle) * radius, np.sin(angle) * radius]) + middle
        add(np.clip(corners, (-across, -down), (across, 0)))
    # 2. the head, with a beard if it is a king's
    head = np.array([rng.uniform(-0.15, 0.15) * across, -0.62 * down])
    size = rng.uniform(3.5, 5.0)
    add(ellipse(head, (size * (1.4 + 0.3 * (rank == 1)), size * 1.35)))
    shapes.append((ellipse(head, (size * 0.85, size * 1.1)), _SKIN))
    if rank == 2:
        add(ellipse((head[0], head[1] + size * 0.7), (size * 0.8, size * 0.7)))
    # 3. a cap, a low crown or a high one, in heads
    height = (0.4, 0.6, 1.0)[rank] * rng.uniform(0.8, 1.2)
    hat = np.array([(-1.2, 0), (-1, -height), (1, -height), (1.2, 0)])
    if rank:
        x = np.linspace(-1.2, 1.2, 2 * (3 + 2 * int(rng.integers(2))) - 1)
        y = np.where(np.arange(len(x)) % 2 == 0, -height, -0.4 * height)
        hat = np.vstack([(-1, 0.1), np.column_stack([x, y]), (1, 0.1)])
    add(hat * size + head - (0, size * 0.9))
    return shapes


@dataclass(frozen=True, slots=True)
class BackStyle:
    """The style of a deck's back.

    Attributes:
        pattern: a key of `PATTERNS`.
        seed: the seed of the pattern.
        inks: ground, figure and a third colour.
        period_mm: period of the pattern.
        border_mm: width of the unprinted edge.
        lines_mm: distances of printed frames from the edge.
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
    """Return a back, sRGB uint8 (height, width, bgr)."""
    sheet = _blank(px_per_mm, paper)
    height, width = sheet.image_bgr.shape[:2]
    x, y = np.meshgrid((np.arange(width) + 0.5) / px_per_mm, (np.arange(height) + 0.5) / px_per_mm)
    shares = PATTERNS[style.pattern](x, y, style, np.random.default_rng(style.seed))
    inks = np.array(style.inks, np.float64)[:, ::-1]
    printed = inks[0] + shares[0][..., None] * (inks[1] - inks[0])
    printed += shares[1][..., None] * (inks[2] - printed)
    edge = np.minimum.reduce([x, y, CARD_MM[0] - x, CARD_MM[1] - y]) - style.border_mm
    inside = np.clip(edge * px_per_mm + 0.5, 0, 1)[..., None] if style.border_mm else 1.0
    sheet.image_bgr[:] = np.rint(sheet.image_bgr + (printed - sheet.image_bgr) * inside)
    for inset in style.lines_mm:
        frame = box(inset, inset, CARD_MM[0] - 2 * inset, CARD_MM[1] - 2 * inset)
        sheet.outline([frame], style.inks[2], 0.6)
    middle = CARD_MM[0] / 2, CARD_MM[1] / 2
    for share, ink in ((1.0, 2), (0.8, 1), (0.5, 0)):
        if style.medal_mm:
            sheet.fill([ellipse(middle, share * style.medal_mm)], style.inks[ink])
    return sheet.image_bgr


Shares = tuple[Floats, Floats]
"""Coverage of each pixel by the second and third ink, float64 (rows, columns) from 0 to 1."""


def _soft(distance_mm: Floats) -> Floats:
    """Return the coverage for distances inside (positive) or outside an edge, soft over a third of a mm."""
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
    """Return rosettes of waves about the middle of every tile."""
    period = 1.6 * style.period_mm
    u, v = x % period - period / 2, y % period - period / 2
    radius, angle = np.hypot(u, v) / period, np.arctan2(v, u)
    petals = int(rng.choice((4, 5, 6, 8)))
    wave = np.cos(petals * angle) * rng.uniform(0.05, 0.15) + rng.uniform(0.2, 0.35)
    rings = np.cos(radius * rng.uniform(20, 60) + rng.uniform(0, 6)) > rng.uniform(-0.3, 0.6)
    return _soft((wave - radius) * period) * 1.0, np.asarray(rings & (radius < wave), np.float64)


def _mottle(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    """Return smooth noise of several scales, mirrored or not, like engravings and photographs."""
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


def _engrave(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    """Return fine wavy lines, like guilloches and scrolls from afar."""
    u, v = x - CARD_MM[0] / 2, y - CARD_MM[1] / 2
    a, b = rng.uniform(0.3, 2.0, 2) * 2 * np.pi / style.period_mm
    wave = np.sin(a * u + 2 * np.sin(0.3 * b * v)) * np.sin(b * v + 2 * np.sin(0.3 * a * u))
    finer = np.sin(2 * a * np.hypot(u, v)) * rng.uniform(0, 1)
    return np.clip((wave + finer) * 2 + 0.5, 0, 1), np.clip((wave - finer) * 2 - 1, 0, 1)


def _emblem(x: Floats, y: Floats, style: BackStyle, rng: np.random.Generator) -> Shares:
    """Return one large figure of overlapping blobs with holes, as a crest, a footprint or a portrait is from afar."""
    u, v = x - CARD_MM[0] / 2, y - CARD_MM[1] / 2
    if rng.random() < 0.3:  # two heads, one upside down
        u, v = np.where(v > 0, -u, u), -np.abs(v) + CARD_MM[1] / 4
    shares = np.zeros_like(x), np.zeros_like(x)
    for _ in range(rng.integers(2, 10)):
        middle, half = rng.normal(0, (8, 13)), style.period_mm * rng.uniform(0.6, 2.5, 2)
        angle = rng.uniform(0, np.pi)
        along, across = u - middle[0], v - middle[1]
        along, across = along * np.cos(angle) + across * np.sin(angle), across * np.cos(angle) - along * np.sin(angle)
        blob = _soft((1 - np.hypot(along / half[0], across / half[1])) * half.min())
        which, hole = int(rng.random() < 0.3), rng.random() < 0.2
        shares[which][:] = np.where(hole, shares[which] * (1 - blob), np.maximum(shares[which], blob))
    return shares


PATTERNS: dict[str, Callable[[Floats, Floats, BackStyle, np.random.Generator], Shares]] = {
    "lattice": _lattice,
    "tartan": _tartan,
    "dots": _dots,
    "checks": _checks,
    "flowers": _flowers,
    "mottled": _mottle,
    "engraved": _engrave,
    "emblem": _emblem,
    "plain": lambda x, *_rest: (np.zeros_like(x), np.zeros_like(x)),
}


Places = tuple[tuple[float, float], ...]

_T: Final = 1 / 3


def _columns(*heights: float) -> Places:
    return tuple((x, y) for y in heights for x in (-1.0, 1.0))


def _middle(*heights: float) -> Places:
    return tuple((0.0, y) for y in heights)


_USUAL: Final[dict[str, tuple[Places, ...]]] = {
    "2": (_middle(-1, 1),),
    "3": (_middle(-1, 0, 1),),
    "4": (_columns(-1, 1),),
    "5": (_columns(-1, 1) + _middle(0),),
    "6": (_columns(-1, 0, 1),),
    "7": (_columns(-1, 0, 1) + _middle(-0.5), _columns(-1, 0, 1) + _middle(0.5)),
    "8": (_columns(-1, 0, 1) + _middle(-0.5, 0.5), _columns(-1, -_T, _T, 1)),
    "9": (_columns(-1, -_T, _T, 1) + _middle(0), _columns(-1, -_T, _T, 1) + _middle(-2 * _T)),
    "10": (_columns(-1, -_T, _T, 1) + _middle(-2 * _T, 2 * _T),),
}

_RARE: Final[dict[str, tuple[Places, ...]]] = {
    "2": (((-1, -1), (1, 1)), ((-1, 0), (1, 0))),
    "3": (((-1, -1), (0, 0), (1, 1)), ((0, -1), (-1, 1), (1, 1))),
    "4": (_middle(-1, 1) + _columns(0), _columns(-0.5, 0.5)),
    "5": (_middle(-1, 0, 1) + _columns(0), _columns(-1, 1) + _middle(0.2)),
    "6": (_middle(-1, 1) + _columns(-0.5, 0.5), _columns(-1, 1) + _middle(-0.4, 0.4)),
    "7": (_middle(-1, 0, 1) + _columns(-0.5, 0.5), _columns(-1, 0, 1) + _middle(0)),
    "8": (_columns(-1, 0, 1) + _middle(-1, 1), _columns(-1, -0.5, 0.5, 1)),
    "9": (_columns(-1, 0, 1) + _middle(-1, 0, 1), _columns(-1, 0, 1) + _middle(-0.5, 0, 0.5)),
    "10": (_columns(-1, 0, 1) + _middle(-1, -_T, _T, 1), _columns(-1, -0.5, 0, 0.5, 1)),
}


def random_pips(rng: np.random.Generator) -> dict[str, Places]:
    """Return random places of pips by rank; a few decks have a single pip on every card."""
    if rng.random() < 0.1:
        return dict.fromkeys(_USUAL, _middle(0))
    rare, places = rng.random() < 0.2, {}
    for rank, usual in _USUAL.items():
        if rare and rng.random() < 0.5:
            places[rank] = _RARE[rank][rng.integers(len(_RARE[rank]))]
        else:
            places[rank] = usual[rng.integers(len(usual))]
    return places


_COURTS = ("J", "Q", "K")
_WIDTHS = {"1": 0.6, "10": 1.45}
"""Relative widths of names that differ from the others."""


@dataclass(frozen=True, slots=True)
class IndexStyle:
    """The style of the indices in the corners.

    Attributes:
        rank_mm: width and height of a rank of one character.
        suit_mm: size of the small suit.
        middle_mm: distance of the rank's middle from the left, and of its top from above.
        gap_mm: gap between rank and suit.
        beside: whether the suit is next to the rank, not below.
        corners: some of "tl", "tr", "bl", "br"; the lower ones are upside down.
        bold_px: thickening of the glyph's mask in pixels.
    """

    rank_mm: tuple[float, float]
    suit_mm: float
    middle_mm: tuple[float, float]
    gap_mm: float
    beside: bool
    corners: tuple[str, ...]
    bold_px: int


@dataclass(frozen=True, slots=True)
class PipStyle:
    """The style of the middle of aces and number cards.

    Attributes:
        size_mm: size of a pip.
        tall: height of a pip over its width.
        spread_mm: from the middle of the card to the outer pips' middles, across and down.
        upright: whether the lower pips are upright.
        turned_beside: whether the right one of two pips at half height is turned.
        line_mm: thickness of outlined pips; 0 for filled pips.
        ace_mm: size of an ace's pip.
        ring_mm: radii of rings about an ace's pip.
        panel: colour of a panel behind the pips, and of the line about it.
    """

    size_mm: float
    tall: float
    spread_mm: tuple[float, float]
    upright: bool
    turned_beside: bool
    line_mm: float
    ace_mm: float
    ring_mm: tuple[float, ...]
    panel: tuple[Rgb, Rgb] | None


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of 52 cards.

    Attributes:
        paper: colour of the back's edge, sRGB.
        faces: colour of the faces of each suit, sRGB.
        corner_mm: radius of the rounded corners.
        inks: colour of each suit, sRGB.
        suits: outlines of each suit.
        names: the text for each rank.
        places: the places of the pips, by rank.
        frame_mm: distance of a printed line from the edge, and its width; 0 for none.
        art: the pattern printed all over the faces, and how strongly; None for bare faces.
    """

    paper: Rgb
    faces: Mapping[str, Rgb]
    corner_mm: float
    inks: Mapping[str, Rgb]
    suits: Mapping[str, Polygons]
    names: Mapping[str, str]
    lettering: Lettering
    places: Mapping[str, Places]
    index: IndexStyle
    pips: PipStyle
    court: CourtStyle
    back_style: BackStyle
    frame_mm: tuple[float, float]
    art: tuple[BackStyle, float] | None = None

    def face(self, card: str, px_per_mm: float) -> ImageBgr:
        """Return a face such as "7-hearts", sRGB uint8 (height, width, bgr), 63 by 88 mm, with its corners.

        Raises:
            ValueError: it is not one of the 52 faces.
        """
        rank, suit = split(card)
        paper = self.faces[suit]
        sheet = _blank(px_per_mm, paper)
        if self.art is not None:
            style, strength = self.art
            bare = sheet.image_bgr.astype(np.float32)
            printed = draw_back(style, paper, px_per_mm).astype(np.float32)
            sheet.image_bgr[:] = np.rint(bare + strength * (printed - bare))
        if self.frame_mm[1]:
            inset = self.frame_mm[0]
            line = box(inset, inset, CARD_MM[0] - 2 * inset, CARD_MM[1] - 2 * inset)
            sheet.outline([line], self.inks[suit], self.frame_mm[1])
        if rank in _COURTS:
            draw_court(sheet, self.court, _COURTS.index(rank), self.suits[suit], self.inks[suit])
        else:
            self._print_pips(sheet, rank, suit)
        self._indices(sheet, rank, suit)
        return sheet.image_bgr

    def back(self, px_per_mm: float) -> ImageBgr:
        """Return the back, as `face`."""
        return draw_back(self.back_style, self.paper, px_per_mm)

    def mask(self, px_per_mm: float) -> NDArray[np.uint8]:
        """Return the mask of a card, uint8 (height, width), 255 inside, 0 at the corners, smooth between them."""
        size, corner_px = (round(side * px_per_mm) for side in CARD_MM), self.corner_mm * px_per_mm
        x, y = (np.abs(np.arange(n) - (n - 1) / 2) - (n / 2 - corner_px) for n in size)
        far = np.hypot(np.maximum(x, 0)[None, :], np.maximum(y, 0)[:, None])
        return np.asarray(np.clip((corner_px + 0.5 - far) * 255, 0, 255), np.uint8)

    def _print_pips(self, sheet: Sheet, rank: str, suit: str) -> None:
        """Print the panel, an ace's rings, and the pips."""
        style, middle, ink = self.pips, np.array(CARD_MM) / 2, self.inks[suit]
        if style.panel is not None:
            half = np.array(style.spread_mm) + 0.75 * style.size_mm
            outline = box(*(middle - half), *(2 * half))
            sheet.fill([outline], style.panel[0])
            sheet.outline([outline], style.panel[1], 0.3)
        places, size = (((0.0, 0.0),), style.ace_mm) if rank == "A" else (self.places[rank], style.size_mm)
        for radius in style.ring_mm if rank == "A" else ():
            sheet.outline([ellipse(middle, radius)], ink, 0.4)
        for x, y in places:
            turned = not style.upright and (y > 0.01 or (style.turned_beside and abs(y) < 0.01 and x > 0))
            at = middle + np.multiply((x, y), style.spread_mm)
            shape = placed(self.suits[suit], at, (size, size * style.tall), turned=turned)
            if style.line_mm:
                sheet.outline(shape, ink, style.line_mm)
            else:
                sheet.fill(shape, ink)

    def _indices(self, sheet: Sheet, rank: str, suit: str) -> None:
        """Print the upper left index, and the others mirrored and turned."""
        glyph = self.lettering(self.names[rank])
        if pad := self.index.bold_px:
            bold = np.ones((2 * pad + 1, 2 * pad + 1), np.uint8)
            glyph = np.asarray(cv2.dilate(np.pad(glyph, pad), bold), np.uint8)
        for turned in (False, True):
            image = sheet.image_bgr[::-1, ::-1].copy() if turned else sheet.image_bgr
            page = Sheet(image, sheet.px_per_mm)
            for corner in ("br", "bl") if turned else ("tl", "tr"):
                if corner in self.index.corners:
                    self._index(page, glyph, suit, _WIDTHS.get(self.names[rank], 1.0), right=corner in {"tr", "bl"})
            if turned:
                sheet.image_bgr[:] = image[::-1, ::-1]

    def _index(self, sheet: Sheet, glyph: NDArray[np.uint8], suit: str, stretch: float, *, right: bool) -> None:
        style = self.index
        (middle, top), (width, height) = style.middle_mm, style.rank_mm
        width *= stretch
        x = CARD_MM[0] - middle if right else middle
        _stamp(sheet, glyph, (x - width / 2, top, width, height), self.inks[suit])
        below = top + height + style.gap_mm + style.suit_mm / 2
        aside = x + (-1 if right else 1) * ((width + style.suit_mm) / 2 + style.gap_mm)
        place = (aside, top + height / 2) if style.beside else (x, below)
        sheet.fill(placed(self.suits[suit], place, style.suit_mm), self.inks[suit])
