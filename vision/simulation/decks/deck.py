"""One deck: what its cards have in common, where their pips are, and how a face or the back is drawn from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.recognition.cards.words import CARD_MM, split
from vision.simulation.decks.backs import BackStyle, draw_back
from vision.simulation.decks.courts import CourtStyle, draw_court
from vision.simulation.decks.lettering import Lettering
from vision.simulation.decks.sheet import CardSheet, Polygons, box, ellipse, placed

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
    """Choose a deck's own places, by rank; few decks have but one pip on every card, and leave it to their corners."""
    if rng.random() < 0.1:
        return dict.fromkeys(_USUAL, _middle(0))
    rare = rng.random() < 0.2
    return {rank: _chosen(usual, _RARE[rank], rng, rare=rare) for rank, usual in _USUAL.items()}


def _chosen(usual: tuple[Places, ...], unusual: tuple[Places, ...], rng: np.random.Generator, *, rare: bool) -> Places:
    if rare and rng.random() < 0.5:
        return unusual[rng.integers(len(unusual))]
    return usual[0] if rng.random() < 0.7 else usual[rng.integers(len(usual))]


_COURTS = ("J", "Q", "K")
_WIDTHS = {"1": 0.6, "10": 1.45}
"""How wide a name is, where it is not as wide as the others."""


@dataclass(frozen=True, slots=True)
class IndexStyle:
    """The corners.

    Attributes:
        rank_mm: width and height of a rank of one sign.
        suit_mm: size of the small suit.
        middle_mm: of the rank's middle from the left and its top from above.
        gap_mm: between rank and suit.
        beside: the suit stands beside the rank, not below.
        corners: of "tl", "tr", "bl", "br"; the lower ones are upside down.
        bold_px: ink is made thicker by that many pixels of the glyph's mask.
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
    """The middle of aces and number cards.

    Attributes:
        size_mm: of a pip.
        tall: height of a pip over its width.
        spread_mm: from the middle of the card to the outer pips' middles, across and down.
        upright: the lower pips are not turned.
        turned_beside: of two pips at half height, the right one is turned.
        line_mm: pips are outlines as thick as this; 0 for filled pips.
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
        paper: colour, sRGB.
        corner_mm: radius of the rounded corners.
        inks: colour of each suit, sRGB.
        suits: outlines of each suit.
        names: what is written for each rank.
        places: of the pips, by rank.
        frame_mm: distance of a printed line from the edge, and its width; 0 for none.
    """

    paper: Rgb
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

    def face(self, card: str, px_per_mm: float) -> ImageBgr:
        """Draw a face such as "7-hearts": sRGB uint8 (height, width, bgr), 63 by 88 mm, corners not yet cut off.

        Raises:
            ValueError: it is not one of the 52 faces.
        """
        rank, suit = split(card)
        sheet = CardSheet.blank(CARD_MM, px_per_mm, self.paper)
        if self.frame_mm[1]:
            inset = self.frame_mm[0]
            line = box(inset, inset, CARD_MM[0] - 2 * inset, CARD_MM[1] - 2 * inset)
            sheet.outline([line], self.inks[suit], self.frame_mm[1])
        if rank in _COURTS:
            draw_court(sheet, self.court, _COURTS.index(rank), self.suits[suit], self.inks[suit])
        elif rank == "A":
            self._ace(sheet, suit)
        else:
            self._number(sheet, rank, suit)
        self._indices(sheet, rank, suit)
        return sheet.image_bgr

    def back(self, px_per_mm: float) -> ImageBgr:
        """Draw the back, as `face`."""
        return draw_back(self.back_style, self.paper, px_per_mm)

    def mask(self, px_per_mm: float) -> NDArray[np.uint8]:
        """Return card (255) from what was cut off at the corners (0): uint8 (height, width)."""
        width, height = (round(side * px_per_mm) for side in CARD_MM)
        inset = self.corner_mm * px_per_mm
        inner = np.zeros((height, width), np.uint8)
        corner = round(inset)
        inner[corner : height - corner, corner : width - corner] = 255
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * corner + 1, 2 * corner + 1))
        return np.asarray(cv2.dilate(inner, kernel), np.uint8)

    def _number(self, sheet: CardSheet, rank: str, suit: str) -> None:
        self._panel(sheet)
        style = self.pips
        for x, y in self.places[rank]:
            turned = not style.upright and (y > 0.01 or (style.turned_beside and abs(y) < 0.01 and x > 0))
            self._pip(sheet, suit, (x * style.spread_mm[0], y * style.spread_mm[1]), style.size_mm, turned=turned)

    def _panel(self, sheet: CardSheet) -> None:
        style = self.pips
        if style.panel is not None:
            half = np.array(style.spread_mm) + 0.75 * style.size_mm
            outline = box(*(np.array(CARD_MM) / 2 - half), *(2 * half))
            sheet.fill([outline], style.panel[0])
            sheet.outline([outline], style.panel[1], 0.3)

    def _ace(self, sheet: CardSheet, suit: str) -> None:
        self._panel(sheet)
        middle = np.array(CARD_MM) / 2
        for radius in self.pips.ring_mm:
            sheet.outline([ellipse(middle, radius)], self.inks[suit], 0.4)
        self._pip(sheet, suit, (0.0, 0.0), self.pips.ace_mm, turned=False)

    def _pip(self, sheet: CardSheet, suit: str, at: tuple[float, float], size: float, *, turned: bool) -> None:
        x, y = CARD_MM[0] / 2 + at[0], CARD_MM[1] / 2 + at[1]
        shape = placed(self.suits[suit], (x, y), (size, size * self.pips.tall), turned=turned)
        if self.pips.line_mm:
            sheet.outline(shape, self.inks[suit], self.pips.line_mm)
        else:
            sheet.fill(shape, self.inks[suit])

    def _indices(self, sheet: CardSheet, rank: str, suit: str) -> None:
        """Print the left upper corner, then the others as its mirror images and turns."""
        glyph = self._glyph(self.names[rank])
        for turned in (False, True):
            image = sheet.image_bgr[::-1, ::-1].copy() if turned else sheet.image_bgr
            page = CardSheet(image, sheet.px_per_mm)
            for corner in ("br", "bl") if turned else ("tl", "tr"):
                if corner in self.index.corners:
                    self._index(page, glyph, suit, _WIDTHS.get(self.names[rank], 1.0), right=corner in {"tr", "bl"})
            if turned:
                sheet.image_bgr[:] = image[::-1, ::-1]

    def _glyph(self, text: str) -> NDArray[np.uint8]:
        mask = self.lettering.mask(text)
        if self.index.bold_px:
            pad = self.index.bold_px
            mask = np.pad(mask, pad)
            mask = np.asarray(cv2.dilate(mask, np.ones((2 * pad + 1, 2 * pad + 1), np.uint8)), np.uint8)
        return mask

    def _index(self, sheet: CardSheet, glyph: NDArray[np.uint8], suit: str, stretch: float, *, right: bool) -> None:
        style = self.index
        (middle, top), (width, height) = style.middle_mm, style.rank_mm
        width *= stretch
        x = CARD_MM[0] - middle if right else middle
        sheet.stamp(glyph, (x - width / 2, top, width, height), self.inks[suit])
        below = top + height + style.gap_mm + style.suit_mm / 2
        aside = x + (-1 if right else 1) * ((width + style.suit_mm) / 2 + style.gap_mm)
        place = (aside, top + height / 2) if style.beside else (x, below)
        sheet.fill(placed(self.suits[suit], place, style.suit_mm), self.inks[suit])
