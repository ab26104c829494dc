"""A pawn on a card, known from how the bare card looked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engines.kernel import Cell
from tests.narrow import there
from vision.looks.memory import TableMemory, learn, refine
from vision.looks.pieces import cards_moved, light_changed, on_card
from vision.observation import Observation

CELLS = tuple("ABCDEF")
CARDS = ("A-clubs", "back")
LABELS = tuple(f"{card}{pawn}" for card in CARDS for pawn in ("", "+pawn-red", "+pawn-blue"))
BARE = {Cell(cell): "A-clubs" for cell in CELLS}
IN_PART, ALL_OVER = (slice(1, 3), slice(1, 3)), (slice(None), slice(None))


def frame(change: Any, read: dict[str, float], seed: int = 3) -> Observation:
    """Make a frame of cards of which B's has changed in a part and is read so; all others are read as bare."""
    looks = 0.5 + np.random.default_rng(seed).normal(0.0, 0.005, (len(CELLS), 3, 6, 6))
    if change is not None:
        looks[1, :, change[0], change[1]] += 0.4
    rows = [read if cell == "B" else {"A-clubs": 1.0} for cell in CELLS]
    p = np.array([[row.get(label, 0.0) + 1e-4 for label in LABELS] for row in rows])
    p /= p.sum(axis=1, keepdims=True)
    return Observation(CELLS, LABELS, p, np.ones(len(CELLS), dtype=np.bool_), appearance=looks.astype(np.float32))


def bare() -> TableMemory:
    return there(learn([frame(None, {"A-clubs": 1.0}, seed) for seed in (1, 2)], BARE, {}, None))


def with_pawn() -> TableMemory:
    placement = {**BARE, Cell("B"): "A-clubs+pawn-red"}
    return there(learn([frame(IN_PART, {"A-clubs+pawn-red": 1.0}, 4)], placement, {}, bare()))


def p_of(seen: Observation, label: str) -> float:
    return float(seen.p[1, LABELS.index(label)])


@pytest.mark.parametrize(
    ("change", "read", "expected"),
    [
        (IN_PART, {"A-clubs": 0.98, "A-clubs+pawn-red": 0.02}, "A-clubs+pawn-red"),  # hardly seen
        (IN_PART, {"back": 0.98, "back+pawn-red": 0.02}, "A-clubs+pawn-red"),  # the card is still the same
        (IN_PART, {"A-clubs+pawn-red": 0.97, "A-clubs+pawn-blue": 0.03}, "A-clubs+pawn-red"),
        (ALL_OVER, {"back": 0.98, "back+pawn-red": 0.02}, "back"),  # turned over
    ],
)
def test_a_part_of_a_bare_card_that_changes_shows_what_came_onto_it(
    change: Any, read: dict[str, float], expected: str
) -> None:
    assert p_of(refine(frame(change, read), bare()), expected) > 0.9


def test_a_part_of_a_card_that_changes_while_nothing_more_is_read_leaves_doubt() -> None:
    assert 0.5 < p_of(refine(frame(IN_PART, {"A-clubs": 1.0}), bare()), "A-clubs") < 0.9


@pytest.mark.parametrize(("askew", "least", "most"), [(True, 0.0, 0.1), (False, 0.3, 0.7)])
def test_a_part_of_a_tile_that_changes_is_something_on_it_unless_all_of_it_was_moved(
    askew: bool, least: float, most: float
) -> None:
    labels = ("covered+flag-red", "covered+flag-red+pawn-red")
    then = np.full((1, 3, 6, 6), 0.5, dtype=np.float32)
    now = then + (0.05 if askew else 0.0)
    now[:, :, 2:4, 2:4] += 0.4
    (moved,) = cards_moved(now, then)
    read = np.array([0.98, 0.02]), np.array([0.99, 0.01])  # hardly better than without it
    p = on_card(*read, labels, labels[0], labels[0], moved=bool(moved))
    assert least <= p[1] <= most


def test_a_tile_that_was_pushed_is_not_surely_under_a_pawn_that_is_read_a_little_likelier() -> None:
    labels = ("covered+flag-red", "covered+flag-red+pawn-red")
    read = np.array([0.99, 0.01]), np.array([0.9995, 0.0005])
    assert on_card(*read, labels, labels[0], labels[0])[1] < 0.8


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ({"back": 0.998, "A-clubs": 0.002}, "back"),
        ({"A-clubs": 0.998, "back": 0.002}, "A-clubs"),
        ({"A-clubs+pawn-red": 0.998, "A-clubs": 0.002}, "A-clubs+pawn-red"),
    ],
)
def test_a_card_that_was_moved_itself_is_as_it_is_read(read: dict[str, float], expected: str) -> None:
    """As an ace that is turned over to a pale back: only its one sign looks quite different, but all of it a little."""
    seen = frame(IN_PART, read)
    there(seen.appearance)[1] += 0.05
    assert p_of(refine(seen, bare()), expected) > 0.95


def test_a_card_that_looks_as_it_did_bare_is_bare_again() -> None:
    seen = refine(frame(None, {"A-clubs+pawn-red": 0.9, "A-clubs": 0.1}), with_pawn())
    assert p_of(seen, "A-clubs") > 0.95


def test_a_pawn_that_was_only_pushed_is_still_there_however_badly_it_is_seen_now() -> None:
    pushed = (slice(2, 4), slice(2, 4))
    seen = refine(frame(pushed, {"A-clubs": 0.9, "A-clubs+pawn-red": 0.1}), with_pawn())
    assert p_of(seen, "A-clubs+pawn-red") > 0.9


def test_what_a_card_looked_like_bare_is_no_measure_for_another_card() -> None:
    turned = there(learn([frame(ALL_OVER, {"back": 1.0}, 4)], {**BARE, Cell("B"): "back+pawn-red"}, {}, bare()))
    assert there(turned.bare).visible.tolist() == [True, False, True, True, True, True]


def test_how_cards_looked_bare_in_another_light_is_forgotten() -> None:
    memory = with_pawn()
    lit = frame(IN_PART, {"A-clubs+pawn-red": 1.0}, 5)
    brighter = replace(lit, appearance=there(lit.appearance) + np.float32(0.2))
    later = learn([brighter], {**BARE, Cell("B"): "A-clubs+pawn-red"}, {}, memory)
    assert there(memory.bare).visible.all()
    assert there(there(later).bare).visible.tolist() == [True, False, True, True, True, True]


@pytest.mark.parametrize(("part", "light"), [((slice(0, 3), slice(0, 1)), False), (ALL_OVER, True)])
def test_what_changes_an_edge_of_a_cell_much_and_all_of_it_a_little_is_no_light(part: Any, light: bool) -> None:
    """The light drifts all the time; the middle of a cell does not show what lies across its edge."""
    then = np.full((1, 3, 6, 6), 0.5, dtype=np.float32)
    now = then + np.float32(0.004)
    now[0, :, part[0], part[1]] += 0.4
    assert light_changed(now, then, 0.003).tolist() == [light]
