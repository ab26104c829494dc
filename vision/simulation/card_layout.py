"""What is on a table of cards: cards with a deck's pictures, and printed tiles on them. Lengths in mm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from vision.board import Rgb
from vision.frame import ImageBgr

BACK = "back"
"""The word of a card that is face down."""


class CardPictures(Protocol):
    """A deck: gives each card's picture, uint8 (height, width, 3), at some pixels per mm."""

    def face(self, word: str, px_per_mm: float) -> ImageBgr:
        """Draw a card's face by its word, such as "7-hearts"."""

    def back(self, px_per_mm: float) -> ImageBgr:
        """Draw the back that all cards share."""


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A card as it is: its word or BACK, the cell that it is meant for, its middle, and its turn clockwise."""

    word: str
    cell: str
    x_mm: float
    y_mm: float
    turn_rad: float


@dataclass(frozen=True, slots=True)
class SceneTile:
    """A tile as it is: its suit (a seat's colour), the text in its corner, its middle, and its turn clockwise."""

    suit: str
    value: str
    cell: str
    x_mm: float
    y_mm: float
    turn_rad: float


@dataclass(frozen=True, slots=True)
class TileArt:
    """How a set of tiles is made and printed.

    Attributes:
        size_mm, height_mm: of a tile.
        base: colour of the wood or card; `edge`: of its sides.
        inks: colour of each suit's print.
        symbols: name of each suit's symbol, one of `tiles.SYMBOLS`.
        symbol_mm: the symbol's width.
        symbol_at_mm: where the symbol is, off the tile's middle (x, y).
        frame_mm: width of the line round the face, 0 for none; `inset_mm`: how far from the edge.
        value_mm: height of the text in the corner, 0 for none.
        tint: how much of the ink's colour the ground of a face has, 0 to 1.
        inverted: the face is of the ink's colour, and printed in the base's.
    """

    size_mm: float
    height_mm: float
    base: Rgb
    edge: Rgb
    inks: Mapping[str, Rgb]
    symbols: Mapping[str, str]
    symbol_mm: float = 22.0
    symbol_at_mm: tuple[float, float] = (0.0, 0.0)
    frame_mm: float = 1.0
    inset_mm: float = 3.0
    value_mm: float = 8.0
    tint: float = 0.0
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class CardLayout:
    """Cards on a board and tiles on the cards.

    Attributes:
        deck: gives the cards' pictures.
        card_size_mm: a card's width and height; `corner_mm`: radius of its corners.
        lift_mm: how far a card's edge stands off the board, which is what casts its shadow.
        cards, tiles: as they are.
        art: of the tiles.
    """

    deck: CardPictures
    card_size_mm: tuple[float, float]
    cards: tuple[SceneCard, ...]
    tiles: tuple[SceneTile, ...]
    art: TileArt
    corner_mm: float = 3.0
    lift_mm: float = 0.5
