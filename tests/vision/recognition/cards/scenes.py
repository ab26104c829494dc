"""A rendered table of cards for the tests: every cell has a card, some a flag or a pawn."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from vision.board import shipped_board
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.labels import BACK
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import random_deck
from vision.simulation.optics import render
from vision.simulation.scene import (
    BoardSkin,
    CardLayout,
    Occluder,
    Scene,
    SceneCard,
    ScenePiece,
    SceneTile,
    TileArt,
    camera_over,
)
from vision.simulation.truth import CardTruth, card_truth_of

BOARD = shipped_board("royal-racers")
MAT = BoardSkin(ground=(40, 106, 70), frame=(40, 106, 70), line_mm=0.0, hole_mm=0.0)
FLAGS = {"B2": "suns", "E2": "moons", "C5": "crowns", "D4": "arms"}
PAWNS = {"A1": "crowns", "F3": "moons", "C5": "suns", "D6": "arms"}
FACE_DOWN = ("A2", "F1", "E5")
ART = TileArt(
    size_mm=50.8,
    height_mm=5.0,
    base=(228, 214, 184),
    edge=(180, 160, 120),
    inks={seat.colour: seat.rgb for seat in BOARD.seat},
    symbols=dict(zip(BOARD.colours, ("sun", "moon", "crown", "lily"), strict=True)),
)


@cache
def ordinary_deck() -> Deck:
    """The first deck made up whose cards have as many pips as their ranks say, black and red, two corners written."""
    decks = (random_deck(np.random.default_rng(seed)) for seed in range(1000))
    return next(deck for deck in decks if _is_ordinary(deck))


def _is_ordinary(deck: Deck) -> bool:
    pips = all(len(deck.places[str(rank)]) == rank for rank in range(2, 10))
    inks = deck.inks["clubs"] == deck.inks["spades"] and deck.inks["hearts"] == deck.inks["diamonds"]
    filled = deck.pips.line_mm == 0 and deck.pips.panel is None
    return pips and inks and filled and deck.names["A"] == "A" and len(deck.index.corners) >= 2


def layout() -> CardLayout:
    """Cards in the table's order, each a little off its cell and turned."""
    rng = np.random.default_rng(17)
    cards = tuple(
        SceneCard(BACK if cell in FACE_DOWN else word, cell, *_off(middle, rng), float(rng.uniform(-0.08, 0.08)))
        for cell, word, middle in zip(BOARD.cells, BOARD.card_words, BOARD.centres_mm(), strict=True)
    )
    tiles = tuple(
        SceneTile(FLAGS[card.cell], "3", card.cell, card.x_mm, card.y_mm + 4, 0.1)
        for card in cards
        if card.cell in FLAGS
    )
    return CardLayout(replace(ordinary_deck(), corner_mm=3.0), cards, tiles, ART)


def _off(middle: Floats, rng: np.random.Generator) -> tuple[float, float]:
    x, y = middle + rng.uniform(-3, 3, 2)
    return float(x), float(y)


def scene(tilt_deg: float = 18.0, occluders: tuple[Occluder, ...] = ()) -> Scene:
    """The table in even light."""
    lying = layout()
    places = {card.cell: card for card in lying.cards}
    pawns = tuple(
        ScenePiece("pawn", colour, places[cell].x_mm + 6, places[cell].y_mm + 5, 5.7 if cell in FLAGS else 0.7, cell)
        for cell, colour in PAWNS.items()
    )
    camera = camera_over(BOARD, (1640, 1232), tilt_deg=tilt_deg, turn_deg=90.0, k1=-0.03)
    return Scene(BOARD, camera, pawns, MAT, layout=lying, occluders=occluders)


@cache
def pictured(tilt_deg: float = 18.0) -> tuple[ImageBgr, CardTruth, Scene]:
    """A picture of that table, with its truth."""
    made = scene(tilt_deg)
    return render(made, np.random.default_rng(5)), card_truth_of(made), made
