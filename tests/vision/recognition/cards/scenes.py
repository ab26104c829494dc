"""A rendered table of cards for the tests: every cell has a card, some a flag or a pawn."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from vision.board import shipped_board
from vision.frame import ImageBgr
from vision.labels import BACK
from vision.simulation.card_table import CardTable
from vision.simulation.decks.deck import Deck
from vision.simulation.decks.random_deck import random_deck
from vision.simulation.optics import render
from vision.simulation.scene import (
    BoardSkin,
    CardLayout,
    Occluder,
    Scene,
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


def label_of(cell: str, word: str) -> str:
    """Return what lies in a cell: its card, a flag over it, and a pawn on both."""
    card = f"covered+flag-{FLAGS[cell]}" if cell in FLAGS else BACK if cell in FACE_DOWN else word
    return card + (f"+pawn-{PAWNS[cell]}" if cell in PAWNS else "")


def scene(tilt_deg: float = 18.0, occluders: tuple[Occluder, ...] = ()) -> Scene:
    """The table in even light, its cards in the table's order."""
    plain = CardLayout(replace(ordinary_deck(), corner_mm=3.0), (), (), ART)
    labels = {cell: label_of(cell, word) for cell, word in zip(BOARD.cells, BOARD.card_words, strict=True)}
    lying, pawns = CardTable(BOARD, plain, np.random.default_rng(17)).lay(labels)
    camera = camera_over(BOARD, (1640, 1232), tilt_deg=tilt_deg, turn_deg=90.0, k1=-0.03)
    return Scene(BOARD, camera, pawns, MAT, layout=lying, occluders=occluders)


@cache
def pictured(tilt_deg: float = 18.0) -> tuple[ImageBgr, CardTruth, Scene]:
    """A picture of that table, with its truth."""
    made = scene(tilt_deg)
    return render(made, np.random.default_rng(5)), card_truth_of(made), made
