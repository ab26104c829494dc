"""Random tables of cards, and cards that players lay: each stays in place until it is moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from vision.board import Board, Rgb
from vision.labels import BACK, COVERED, EMPTY, parse_label
from vision.simulation.canvas import blend
from vision.simulation.card_art import CARD_TOP_MM, SYMBOLS
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import random_deck
from vision.simulation.random_looks import tinted
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import CardLayout, PieceShape, Scene, SceneCard, ScenePiece, SceneTile, TileArt

CARD_OFF_MM = 4.0
CARD_OFF_RAD = float(np.radians(5.0))
"""How exactly players lay cards on their cells: none is farther off."""

_OFF_MM, _OFF_RAD = CARD_OFF_MM + 0.5, CARD_OFF_RAD + float(np.radians(1.0))
"""Largest deviation of a card from its cell."""

_OWN_SYMBOLS = ("sun", "moon", "crown", "lily")
_WOODS: tuple[Rgb, ...] = ((232, 222, 196), (214, 186, 144), (236, 234, 228), (186, 146, 100), (222, 206, 176))


def random_card_scene(
    board: Board,
    rng: np.random.Generator,
    *,
    tier: str,
    size_wh: tuple[int, int] | None = None,
    deck_of: Callable[[np.random.Generator], Deck] = random_deck,
    pawns: float | None = None,
    crowded: bool = False,
) -> Scene:
    """Return a random scene of a table with cards on its cells.

    Args:
        board: the table, with cards, flags and pawns.
        rng: the source of chance.
        tier, size_wh: as in `random_scene`.
        deck_of: returns a random deck.
        pawns: share of the cards with a pawn; None for a random share.
        crowded: whether most cards are under tiles, half of these with a pawn, mostly of the tile's colour: what is
            hardest to see is then seen often.
    """
    scene = random_scene(board, rng, tier=tier, labels={}, size_wh=size_wh)
    layout = random_layout(board, rng, deck_of(rng), crowded=crowded)
    pieces, size = _pawns(board, rng, layout, pawns, crowded=crowded), board.pieces["pawn"]
    # a turned figure with a head
    foot = (size.diameter or 16.0) * float(rng.uniform(0.8, 1.15))
    pawn = PieceShape(
        head=str(rng.choice(["ball", "cone", "mushroom", "disc"], p=[0.7, 0.1, 0.1, 0.1])),
        head_mm=foot * float(rng.uniform(0.5, 0.8)),
        height_mm=size.height * float(rng.uniform(0.82, 1.15)),
        stem_mm=foot * float(rng.uniform(0.25, 0.65)),
        foot_mm=foot,
        gloss=float(rng.uniform(0.05, 1.0)),
    )
    skin = replace(scene.skin, hole_mm=0.0, ring=None)
    if rng.random() < 0.8:  # most mats have no print
        skin = replace(skin, second=None, line_mm=0.0)
    return replace(scene, layout=layout, pieces=pieces, shapes={"pawn": pawn}, skin=skin)


def random_layout(board: Board, rng: np.random.Generator, deck: Deck, *, crowded: bool = False) -> CardLayout:
    """Return a random layout of a deck, with some cards face down and some flags, many if it is `crowded`."""
    few, most = (0.4, 0.9) if crowded else (0.0, 0.4)
    face_down, flagged, missing = rng.uniform(0.02, 0.6), rng.uniform(few, most), rng.choice([0.0, 0.0, 0.05])
    words = rng.permutation(board.card_words)
    cards, tiles = [], []
    art = _random_art(board, rng)
    for cell, middle, word in zip(board.cells, board.centres_mm(), words, strict=True):
        if rng.random() < missing:
            continue
        x, y = (float(v) for v in middle + rng.uniform(-_OFF_MM, _OFF_MM, 2))
        turn = float(rng.uniform(-_OFF_RAD, _OFF_RAD) + np.pi * rng.integers(2))
        cards.append(SceneCard(BACK if rng.random() < face_down else str(word), cell, x, y, turn))
        if rng.random() < flagged:  # near the card's middle, straight or turned
            along, across = float(rng.uniform(-11, 11)), float(rng.uniform(-5.5, 5.5))
            turn = float(rng.integers(4) * np.pi / 2 + rng.normal(0, 0.2))
            suit, value = str(rng.choice(board.colours)), str(rng.choice(list("A2345n678")))
            tiles.append(SceneTile(suit, value, cell, x + across, y + along, turn))
    deck = replace(deck, corner_mm=float(rng.uniform(2.0, 5.0)))
    return CardLayout(deck, tuple(cards), tuple(tiles), art, lift_mm=float(rng.uniform(0.2, 1.4)))


def _random_art(board: Board, rng: np.random.Generator) -> TileArt:
    flag = board.pieces["flag"]
    base = tinted(_WOODS[int(rng.integers(len(_WOODS)))], rng, hue=0.02, saturation=0.4, value=0.1)
    names = _OWN_SYMBOLS if rng.random() < 0.5 else rng.choice(sorted(SYMBOLS), size=len(board.colours), replace=False)
    fade = rng.uniform(0, 0.25)
    size = (flag.size or 50.8) * float(rng.uniform(0.94, 1.05))
    return TileArt(
        size_mm=size,
        height_mm=flag.height * float(rng.uniform(0.6, 1.3)),
        base=base,
        edge=blend(base, (0, 0, 0), rng.uniform(0.0, 0.4)),
        inks={
            s.colour: blend(tinted(s.rgb, rng, hue=0.02, saturation=0.25, value=0.3), base, fade) for s in board.seat
        },
        symbols={colour: str(name) for colour, name in zip(board.colours, names, strict=True)},
        symbol_mm=float(rng.uniform(16, 34)),
        symbol_at_mm=(float(rng.normal(0, 2.0)), float(rng.normal(0, 2.0))),
        frame_mm=float(rng.choice([0.0, rng.uniform(0.4, 2.2)], p=[0.25, 0.75])),
        inset_mm=float(rng.uniform(1.0, 6.0)),
        value_mm=float(rng.choice([0.0, rng.uniform(5, 11)], p=[0.15, 0.85])),
        tint=float(rng.choice([0.0, rng.uniform(0.03, 0.3)])),
        inverted=bool(rng.random() < 0.12),
    )


_OWN_TILE, _OWN_TILE_CROWDED = 0.5, 0.8
"""Share of the pawns on tiles that have the tile's colour; the others have any. In play nearly all have it."""


def _pawns(
    board: Board, rng: np.random.Generator, layout: CardLayout, share: float | None, *, crowded: bool
) -> tuple[ScenePiece, ...]:
    """Return pawns on some cards and tiles, which may or may not hide what is below.

    There are more of them than in play, and several of a colour. Of those on tiles five in eight or more have the
    tile's colour, against which a pawn is hardest to see.
    """
    least = 0.3 if crowded else 0.02
    shares = {SceneCard: rng.uniform(0.02, 0.3) if share is None else share, SceneTile: rng.uniform(least, 0.7)}
    tiles = {tile.cell: tile for tile in layout.tiles}
    own, pawns = _OWN_TILE_CROWDED if crowded else _OWN_TILE, []
    for on in (tiles.get(card.cell, card) for card in layout.cards):
        if rng.random() < shares[type(on)]:
            colour = on.suit if isinstance(on, SceneTile) and rng.random() < own else str(rng.choice(board.colours))
            reach, z = (12.0, layout.art.height_mm) if isinstance(on, SceneTile) else (17.0, 0.0)
            x, y = on.x_mm + rng.uniform(-reach, reach), on.y_mm + rng.uniform(-reach, reach)
            tone = float(np.clip(rng.normal(1, 0.05), 0.85, 1.15))
            pawns.append(ScenePiece("pawn", colour, float(x), float(y), CARD_TOP_MM + z, on.cell, tone=tone))
    return tuple(pawns)


_TILE_OFF_MM, _TILE_OFF_RAD = 2.5, 0.08
_PAWN_OFF_MM = 5.0
"""How exactly players put tiles and pawns on a card: standard deviations; none is farther off than twice as much."""

_VALUES = "A2345n"


class CardTable:
    """Lays cards, tiles and pawns by the labels of a board's cells, keeping what has not changed.

    Args:
        board: the table, with cards on its cells.
        layout: the deck, the style of the tiles and the cards' thickness; its cards and tiles are replaced.
        rng: the source of placing errors.
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
        """Return cards and tiles, and the pawns on them, for some labels; cells without one are empty.

        What was turned or moved gets a new place; everything else stays. A tile covers the card that was there before.
        """
        for cell in self._board.cells:
            label, lies = parse_label(labels.get(cell, EMPTY)), self._cards.get(cell)
            if not label.card:
                self._cards.pop(cell, None)
            elif label.card == COVERED:
                self._cards.setdefault(cell, self._new_card(BACK, cell))
            elif lies is None or lies.word != label.card:
                self._cards[cell] = self._new_card(label.card, cell)
            colours = {self._board.pieces[kind].covers: (kind, colour) for kind, colour in label.on_card}
            self._put_tile(cell, colours[True][1] if True in colours else None)
            self._put_pawn(cell, colours.get(False))
        laid = replace(self._layout, cards=tuple(self._cards.values()), tiles=tuple(self._tiles.values()))
        return laid, tuple(self._pawns.values())

    def _new_card(self, word: str, cell: str) -> SceneCard:
        x, y = (middle + float(self._rng.uniform(-CARD_OFF_MM, CARD_OFF_MM)) for middle in self._middles[cell])
        turn = float(self._rng.uniform(-CARD_OFF_RAD, CARD_OFF_RAD) + np.pi * self._rng.integers(2))
        return SceneCard(word, cell, x, y, turn)

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
        height = CARD_TOP_MM + (self._layout.art.height_mm if cell in self._tiles else 0.0)
        if pawn is None:
            self._pawns.pop(cell, None)
        elif stands is not None and (stands.kind, stands.colour) == pawn:
            self._pawns[cell] = replace(stands, z_mm=height)  # a tile may have been put below it, or taken away
        else:
            below, (x, y) = self._tiles.get(cell) or self._cards[cell], self._off(_PAWN_OFF_MM)
            tone = float(np.clip(self._rng.normal(1, 0.05), 0.85, 1.15))
            self._pawns[cell] = ScenePiece(*pawn, below.x_mm + x, below.y_mm + y, height, cell, tone=tone)

    def _off(self, spread_mm: float) -> tuple[float, float]:
        x, y = np.clip(self._rng.normal(0, spread_mm, 2), -2 * spread_mm, 2 * spread_mm)
        return float(x), float(y)
