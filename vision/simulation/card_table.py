"""Cards on the cells of a table, with tiles and pawns on them, as players lay them: each stays until it is moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vision.board import Board
from vision.labels import BACK, COVERED, EMPTY, Label, parse_label
from vision.simulation.card_layout import CardLayout, SceneCard, SceneTile
from vision.simulation.random_cards import CARD_OFF_MM, CARD_OFF_RAD
from vision.simulation.scene import ScenePiece
from vision.simulation.tiles import CARD_TOP_MM

_TILE_OFF_MM, _TILE_OFF_RAD = 2.5, 0.08
_PAWN_OFF_MM = 5.0
"""How exactly players put tiles and pawns on a card: standard deviations; none is farther off than twice as much."""

_VALUES = "A2345n"


class CardTable:
    """Cards, tiles and pawns that are laid again and again, from the labels of a board's cells.

    Args:
        board: the table's contract; it has cards on its cells.
        layout: the deck, the make of the tiles and the cards' thickness; its cards and tiles are replaced.
        rng: how exactly things are laid.
    """

    def __init__(self, board: Board, layout: CardLayout, rng: np.random.Generator) -> None:
        self._board, self._layout, self._rng = board, layout, rng
        self._middles = {
            cell: (float(x), float(y)) for cell, (x, y) in zip(board.places, board.places_mm(), strict=True)
        }
        self._cards: dict[str, SceneCard] = {}
        self._tiles: dict[str, SceneTile] = {}
        self._pawns: dict[str, ScenePiece] = {}

    def lay(self, labels: Mapping[str, str]) -> tuple[CardLayout, tuple[ScenePiece, ...]]:
        """Return cards and tiles, and the pawns on them, as labels say; cells that are not named are empty.

        A card that was turned is laid again, and so is what was moved; all else stays where it is. What a tile covers
        is the card that was there before.
        """
        parsed = {cell: parse_label(labels.get(cell, EMPTY)) for cell in self._board.cells}
        for cell, label in parsed.items():
            self._lay_card(cell, label)
            self._put_on_it(cell, label)
        laid = replace(self._layout, cards=tuple(self._cards.values()), tiles=tuple(self._tiles.values()))
        return laid, tuple(self._pawns.values())

    def _lay_card(self, cell: str, label: Label) -> None:
        lies = self._cards.get(cell)
        if not label.card:
            self._cards.pop(cell, None)
        elif label.card == COVERED:
            self._cards.setdefault(cell, self._new_card(BACK, cell))
        elif lies is None or lies.word != label.card:
            self._cards[cell] = self._new_card(label.card, cell)

    def _new_card(self, word: str, cell: str) -> SceneCard:
        x, y = (middle + float(self._rng.uniform(-CARD_OFF_MM, CARD_OFF_MM)) for middle in self._middles[cell])
        turn = float(self._rng.uniform(-CARD_OFF_RAD, CARD_OFF_RAD) + np.pi * self._rng.integers(2))
        return SceneCard(word, cell, x, y, turn)

    def _put_on_it(self, cell: str, label: Label) -> None:
        colours = {self._board.pieces[kind].covers: (kind, colour) for kind, colour in label.on_card}
        self._put_tile(cell, colours[True][1] if True in colours else None)
        self._put_pawn(cell, colours.get(False))

    def _put_tile(self, cell: str, suit: str | None) -> None:
        lies = self._tiles.get(cell)
        if suit is None:
            self._tiles.pop(cell, None)
        elif lies is None or lies.suit != suit:
            card, (x, y) = self._cards[cell], self._off(_TILE_OFF_MM)
            turn = float(self._rng.integers(4) * np.pi / 2 + self._rng.normal(0, _TILE_OFF_RAD))
            value = str(self._rng.choice(list(_VALUES)))
            self._tiles[cell] = SceneTile(suit, value, cell, card.x_mm + x, card.y_mm + y, turn)

    def _put_pawn(self, cell: str, pawn: tuple[str, str] | None) -> None:
        stands = self._pawns.get(cell)
        if pawn is None:
            self._pawns.pop(cell, None)
        elif stands is None or (stands.kind, stands.colour) != pawn:
            below, (x, y) = self._tiles.get(cell) or self._cards[cell], self._off(_PAWN_OFF_MM)
            height = CARD_TOP_MM + (self._layout.art.height_mm if cell in self._tiles else 0.0)
            tone = float(np.clip(self._rng.normal(1, 0.05), 0.85, 1.15))
            self._pawns[cell] = ScenePiece(*pawn, below.x_mm + x, below.y_mm + y, height, cell, tone=tone)

    def _off(self, spread_mm: float) -> tuple[float, float]:
        x, y = np.clip(self._rng.normal(0, spread_mm, 2), -2 * spread_mm, 2 * spread_mm)
        return float(x), float(y)
