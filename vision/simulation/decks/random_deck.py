"""Random decks, as different as real ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from vision.board import Rgb
from vision.recognition.cards.words import RANKS, SUITS
from vision.simulation.decks.deck import (
    PATTERNS,
    BackStyle,
    CourtStyle,
    Deck,
    IndexStyle,
    PipStyle,
    random_pips,
    random_suits,
)
from vision.simulation.decks.lettering import random_lettering

_COURT_NAMES = (("J", "Q", "K"), ("B", "D", "K"), ("V", "D", "R"))
_CORNERS = (("tl", "br"), ("tl", "tr", "bl", "br"), ("tl", "tr", "br"), ("tr", "bl"))

_UNUSUAL = 0.3
"""Share of unusual decks among those that are learned from."""


def random_deck(rng: np.random.Generator, font_files: tuple[Path, ...] = ()) -> Deck:
    """Return a random deck.

    Args:
        rng: the source of chance.
        font_files: TrueType fonts for its indices (OpenCV 5 only).
    """
    index = _random_index(rng)
    white = rng.uniform(232, 255)
    yellow = rng.choice((0.0, rng.uniform(0, 18), rng.uniform(0, 55)), p=(0.5, 0.35, 0.15))
    paper = round(white), round(white - 0.25 * yellow), round(white - yellow)
    corner_mm = rng.uniform(1.5, 5.0)
    black = _about(rng, (rng.uniform(8, 50),) * 3, 8)
    red = _about(rng, (rng.uniform(170, 240), rng.uniform(10, 55), rng.uniform(10, 60)), 10)
    inks = dict(zip(SUITS, (black, red, red, black), strict=True))
    if rng.random() < 0.15:
        inks["clubs"] = _about(rng, (20, 125, 50), 25)
        inks["diamonds"] = _about(rng, (30, 80, 190) if rng.random() < 0.75 else (235, 130, 30), 25)
    suits, courts = random_suits(rng), _COURT_NAMES[rng.choice(3, p=(0.7, 0.15, 0.15))]
    return Deck(
        paper=paper,
        faces=dict.fromkeys(SUITS, paper),
        corner_mm=corner_mm,
        inks=inks,
        suits=suits,
        names=dict(zip(RANKS, ("1" if rng.random() < 0.08 else "A", *RANKS[1:10], *courts), strict=True)),
        lettering=random_lettering(rng, font_files),
        places=random_pips(rng),
        index=index,
        pips=_random_pip_style(rng, index),
        court=_random_court(rng, index),
        back_style=_random_back(rng),
        frame_mm=(rng.uniform(1.5, 4), rng.uniform(0.2, 0.5)) if rng.random() < 0.08 else (0.0, 0.0),
    )


def any_deck(rng: np.random.Generator, font_files: tuple[Path, ...] = ()) -> Deck:
    """Return a random deck, three times in ten an unusual one."""
    return (unusual_deck if rng.random() < _UNUSUAL else random_deck)(rng, font_files)


def unusual_deck(rng: np.random.Generator, font_files: tuple[Path, ...] = ()) -> Deck:
    """Return a random deck whose faces are coloured, dark, patterned or filled by one large suit; see `random_deck`."""
    deck, kind = random_deck(rng, font_files), rng.choice(("tinted", "dark", "large suit"))
    if kind == "tinted":
        deck = replace(deck, faces=dict.fromkeys(SUITS, _any_colour(rng, least=130, most=240)))
    elif kind == "dark":
        papers = [_any_colour(rng, least=8, most=130) for _ in range(2)]
        inks = [_any_colour(rng, least=190, most=255) for _ in range(2)]
        # the suits' colours are in the paper, in the inks, or in both
        kinds = {suit: int(suit in ("diamonds", "hearts")) for suit in SUITS}
        two_papers = rng.random() < 0.6
        deck = replace(
            deck,
            faces={suit: papers[red if two_papers else 0] for suit, red in kinds.items()},
            inks={suit: inks[red if not two_papers or rng.random() < 0.5 else 0] for suit, red in kinds.items()},
            pips=replace(deck.pips, panel=None),
        )
    else:
        at = rng.uniform(-0.5, 1.0), rng.uniform(-0.3, 1.0)
        size = float(rng.uniform(25, 75))
        pips = replace(deck.pips, size_mm=size, ace_mm=size, spread_mm=(20.0, 25.0), panel=None)
        deck = replace(deck, pips=pips, places=dict.fromkeys(deck.places, (at,)))
    if rng.random() < 0.5:
        art = replace(_random_back(rng), border_mm=rng.uniform(2, 7) if rng.random() < 0.4 else 0.0, medal_mm=0.0)
        deck = replace(deck, art=(art, float(rng.uniform(0.05, 0.35))))
    return deck


def _any_colour(rng: np.random.Generator, *, least: float, most: float) -> Rgb:
    """Return a colour of any hue, often a grey, whose brightest channel is in a range."""
    brightest, saturation = rng.uniform(least, most), rng.choice((0.0, rng.uniform(0, 0.3), rng.uniform(0.3, 1.0)))
    return _about(rng, tuple(brightest * (1 - saturation * rng.permutation((0.0, rng.random(), 1.0)))), 3)


def _about(rng: np.random.Generator, colour: tuple[float, ...], spread: float) -> Rgb:
    red, green, blue = (round(part) for part in np.clip(rng.normal(colour, spread), 0, 255))
    return red, green, blue


def _random_index(rng: np.random.Generator) -> IndexStyle:
    height = float(rng.choice((rng.uniform(5, 9), rng.uniform(7, 13), rng.uniform(12, 20)), p=(0.5, 0.35, 0.15)))
    width = min(height * rng.uniform(0.42, 0.85), 13.0)
    suit = float(np.clip(height * rng.uniform(0.45, 0.95), 3.0, 11.0))
    beside = rng.random() < 0.06
    return IndexStyle(
        rank_mm=(width, height),
        suit_mm=suit,
        middle_mm=(max(width, suit) / 2 + rng.uniform(1.2, 3.5) + 0.1 * width, rng.uniform(1.8, 5.0)),
        gap_mm=rng.uniform(0.3, 2.2),
        beside=beside,
        corners=_CORNERS[rng.choice(len(_CORNERS), p=(0.78, 0.16, 0.02, 0.04))],
        bold_px=int(rng.choice((0, 0, 1, 2))),
    )


def _random_pip_style(rng: np.random.Generator, index: IndexStyle) -> PipStyle:
    left = index.middle_mm[0] + max(index.rank_mm[0], index.suit_mm) / 2
    size = rng.uniform(7, 14.5)
    room = 31.5 - left - 0.55 * size
    if room < 7.5:
        size, room = rng.uniform(5, 9), max(31.5 - left - 5, 6.5)
    across = min(rng.uniform(0.6, 1.12) * room, 20.0)
    panelled = rng.random() < 0.2
    down = rng.uniform(17, 26) if panelled else rng.uniform(24, 36)
    size = min(size, across * 1.1, down * 0.62)
    return PipStyle(
        size_mm=size,
        tall=rng.uniform(0.9, 1.25),
        spread_mm=(across, down),
        upright=rng.random() < 0.2,
        turned_beside=rng.random() < 0.2,
        line_mm=rng.uniform(0.4, 0.9) if rng.random() < 0.06 else 0.0,
        ace_mm=float(rng.choice((size, rng.uniform(8, 18), rng.uniform(15, 38)))),
        ring_mm=tuple(rng.uniform(9, 22, rng.integers(1, 4))) if rng.random() < 0.12 else (),
        panel=(_about(rng, (235, 228, 190), 20), (60, 60, 60)) if panelled else None,
    )


def _random_court(rng: np.random.Generator, index: IndexStyle) -> CourtStyle:
    inset = index.middle_mm[0] + index.rank_mm[0] / 2 if rng.random() < 0.6 else rng.uniform(5, 9)
    bright = [_about(rng, c, 20) for c in ((205, 40, 45), (40, 60, 150), (240, 200, 60), (30, 30, 34), (40, 120, 70))]
    chosen = rng.choice(len(bright), size=int(rng.integers(2, 6)), replace=False)
    return CourtStyle(
        seed=int(rng.integers(1 << 31)),
        colours=(*(bright[i] for i in chosen), (250, 246, 235)),
        frame_mm=(31.5 - min(inset, 14.0), 44 - rng.uniform(5, 10)),
        plain=rng.random() < 0.1,
        suit_mm=rng.uniform(4, 9),
    )


def _random_back(rng: np.random.Generator) -> BackStyle:
    ink = _about(rng, _BACK_INKS[rng.integers(len(_BACK_INKS))], 20)
    light = _about(rng, (240, 236, 228), 10)
    other = _about(rng, _BACK_INKS[rng.integers(len(_BACK_INKS))], 20)
    inks = (ink, light, other) if rng.random() < 0.5 else (light, ink, other)
    border = rng.uniform(1.5, 7) if rng.random() < 0.75 else 0.0
    lines = border + np.cumsum(rng.uniform(0, 4, rng.integers(1, 4))) if rng.random() < 0.4 else ()
    return BackStyle(
        pattern=str(rng.choice(list(PATTERNS))),
        seed=int(rng.integers(1 << 31)),
        inks=inks,
        period_mm=rng.uniform(1.6, 9),
        border_mm=border,
        lines_mm=tuple(lines),
        medal_mm=rng.uniform(5, 18) if rng.random() < 0.2 else 0.0,
    )


_BACK_INKS: tuple[Rgb, ...] = (
    (30, 60, 150),
    (180, 30, 40),
    (30, 30, 34),
    (30, 110, 60),
    (110, 60, 30),
    (90, 40, 120),
    (120, 125, 130),
    (215, 150, 60),
)
