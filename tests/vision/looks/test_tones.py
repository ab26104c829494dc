"""Colours are learned from positions that were agreed on."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from engines.kernel import Cell
from vision.looks.tones import KnownTones
from vision.observation import Observation

CELLS = tuple(f"{column}{row}" for row in (1, 2, 3) for column in "ABCDEFGH")
LABELS = ("empty", "white", "black", "black*2")
WHITE, PAPER = (1.0, 1.0, 1.0), (0.9, 0.9, 0.95)


def lit(cell: str) -> tuple[float, float, float]:
    """Return the colour of a glossy black counter: the lamp is mirrored at the board's right end."""
    grey = 0.2 + 0.07 * (ord(cell[0]) - ord("A"))
    return grey, grey, grey


def table(colours: Mapping[str, tuple[float, float, float]], p: Mapping[str, float] | None = None) -> Observation:
    """Make a reading of paper with pieces of some colours, bgr; every cell has the probabilities `p`."""
    looks = np.array([colours.get(cell, PAPER) for cell in CELLS], dtype=np.float32)
    appearance = np.tile(looks[:, :, None, None], (1, 2, 6, 6))
    row = np.array([(p or {}).get(label, 1e-3) for label in LABELS])
    visible = np.ones(len(CELLS), dtype=np.bool_)
    return Observation(CELLS, LABELS, np.tile(row / row.sum(), (len(CELLS), 1)), visible, appearance=appearance)


def p_of(known: KnownTones, seen: Observation, cell: str, label: str) -> float:
    row = CELLS.index(cell)
    weights = seen.p[row] * np.exp(known.gains(seen)[row])
    return float(weights[LABELS.index(label)] / weights.sum())


@pytest.fixture
def known() -> KnownTones:
    """Some black counters at the dark end and two white ones, on a table that was known before to be empty."""
    labels = {Cell(cell): "empty" for cell in CELLS}
    empty = KnownTones().learned(table({}), labels)
    black = {"A1": "black", "B2": "black*2", "D3": "black", "E1": "black", "C2": "black*2", "F1": "black"}
    pieces = {**black, **dict.fromkeys(("A3", "C1", "F3", "G1", "D2", "H3"), "white")}
    colours = {cell: WHITE if label == "white" else lit(cell) for cell, label in pieces.items()}
    return empty.learned(table(colours), {**labels, **{Cell(cell): label for cell, label in pieces.items()}})


def test_a_glossy_black_counter_is_not_read_as_white_where_it_mirrors_the_lamp(known: KnownTones) -> None:
    seen = table({"H2": lit("H2")}, {"white": 0.95, "black": 0.03})
    assert p_of(known, seen, "H2", "white") < 0.2


def test_a_white_counter_stays_white(known: KnownTones) -> None:
    seen = table({"H2": WHITE}, {"white": 0.5, "black": 0.5})
    assert p_of(known, seen, "H2", "white") > 0.95


def test_a_piece_of_a_colour_that_was_never_seen_is_not_taken_for_a_known_one() -> None:
    known = KnownTones().learned(
        table({"A1": WHITE, "C2": WHITE, "H3": WHITE}), dict.fromkeys(map(Cell, ("A1", "C2", "H3")), "white")
    )
    assert p_of(known, table({"E2": (0.5, 0.5, 0.5)}, {"white": 0.9, "black": 0.1}), "E2", "black") > 0.8


def test_a_shadow_on_an_empty_cell_is_no_dark_piece(known: KnownTones) -> None:
    seen = table({"E2": (0.6, 0.6, 0.63)}, {"empty": 0.7, "black": 0.3})
    assert p_of(known, seen, "E2", "empty") > 0.5


def test_the_colour_of_the_board_speaks_for_no_empty_cell(known: KnownTones) -> None:
    """A white counter on white paper changes no colour; it is the model that sees it."""
    seen = table({}, {"white": 0.9, "empty": 0.1})
    assert p_of(known, seen, "E2", "empty") <= 0.1 + 1e-6


def test_how_many_are_stacked_is_no_matter_of_colour(known: KnownTones) -> None:
    seen = table({"E2": lit("E2")}, {"black": 0.4, "black*2": 0.4, "white": 0.2})
    assert p_of(known, seen, "E2", "black") == pytest.approx(p_of(known, seen, "E2", "black*2"))


def test_frames_without_looks_teach_nothing() -> None:
    plain = Observation(CELLS, LABELS, table({}).p, np.ones(len(CELLS), dtype=np.bool_))
    assert KnownTones().learned(plain, {Cell("A1"): "white"}) == KnownTones()


def test_a_cell_never_seen_empty_is_no_likelier_empty_than_under_a_piece_never_seen() -> None:
    known = KnownTones().learned(table({"B2": lit("B2")}), {Cell("B2"): "black"})
    gains = known.gains(table({"B2": lit("B2")}))[CELLS.index("B2")]
    assert gains[LABELS.index("empty")] == pytest.approx(gains[LABELS.index("white")])
