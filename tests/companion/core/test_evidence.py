from __future__ import annotations

import numpy as np
import pytest

from companion.core.evidence import (
    CORRELATION,
    RESIDUAL_ERROR,
    discount_known_misreads,
    fuse_observations,
    with_label_confusion,
)
from companion.core.stability import agree
from engines.kernel import Cell
from vision.observation import Observation

CELLS, LABELS = ("A1", "B1"), ("empty", "red", "green")


def seen(first: tuple[float, ...], second: tuple[float, ...] = (1.0, 0.0, 0.0), *, both: bool = True) -> Observation:
    return Observation(CELLS, LABELS, np.array([first, second]), np.array([True, both]))


def test_a_hidden_cell_speaks_for_nothing() -> None:
    evidence = fuse_observations([seen((0.05, 0.95, 0.0), both=False)])
    assert [evidence.of(Cell("B1"), label) for label in LABELS] == [0.0, 0.0, 0.0]
    assert evidence.unsure() == ("B1",)
    assert evidence.denies(Cell("B1"), {"empty"}) == -np.inf
    assert not evidence.confirms(Cell("B1"), {"empty"})


def test_another_colour_speaks_against_a_label_unless_the_game_distinguishes_none() -> None:
    evidence = fuse_observations([seen((0.0, 0.2, 0.8))])
    assert evidence.denies(Cell("A1"), {"red"}) < 0.0
    assert evidence.recolours(Cell("A1"), {"red"}) == pytest.approx(np.log(4.0), abs=0.01)
    assert evidence.recolours(Cell("A1"), {"red", "green"}) < 0.0
    alike = with_label_confusion(evidence, lambda label: "empty" if label == "empty" else "piece", 0.1)
    assert alike.recolours(Cell("A1"), {"red"}) < 0.0


def test_cards_that_are_not_distinguished_count_once_against_a_flag_or_a_pawn() -> None:
    labels = ("7-hearts", "8-hearts", "back", "covered+flag-suns", "back+pawn-suns")
    row = np.array([(0.02, 0.01, 0.01, 0.95, 0.01)])
    evidence = fuse_observations([Observation(("A1",), labels, row, np.array([True]))])
    alike = with_label_confusion(evidence, lambda label: "up" if label[0] in "78" else label, 1.0)
    assert alike.recolours(Cell("A1"), {"7-hearts"}) == pytest.approx(np.log(0.95 / 0.03), abs=0.01)
    assert alike.denies(Cell("A1"), {"7-hearts"}) == pytest.approx(np.log(0.95 / 0.04), abs=0.01)
    assert alike.denies(Cell("A1"), {"back+pawn-suns"}) == pytest.approx(np.log(0.95 / 0.01), abs=0.01)


def test_a_cell_counts_in_the_frames_in_which_it_is_visible() -> None:
    evidence = fuse_observations([seen((0.5, 0.5, 0.0), (0.1, 0.9, 0.0), both=both) for both in (True, False, False)])
    assert evidence.of(Cell("B1"), "red") == pytest.approx(np.log(0.9), abs=0.001)


def test_frames_of_one_table_count_less_than_independent_ones_but_more_than_one() -> None:
    odds = [
        (e := fuse_observations([seen((0.2, 0.8, 0.0))] * n)).of(Cell("A1"), "red") - e.of(Cell("A1"), "empty")
        for n in (1, 2, 3, 30)
    ]
    assert odds[0] == pytest.approx(np.log(4), abs=0.01)
    assert odds[1:3] == pytest.approx([4 / 3 * np.log(4), 1.5 * np.log(4)], abs=0.01)
    assert odds[2] < odds[3] < np.log(4) / CORRELATION


def test_pieces_of_a_colour_that_nobody_plays_are_rare_but_seen_where_they_are_certain() -> None:
    doubtful, certain = (fuse_observations([seen(row)], unused={"green"}) for row in ((0, 0.3, 0.7), (0, 0.001, 0.999)))
    assert np.exp(doubtful.of(Cell("A1"), "red")) > 0.9
    assert certain.best(Cell("A1")) == "green"


def test_the_mean_counts_of_frames_that_err_all_alike() -> None:
    frames = [seen((0.2, 0.8, 0.0)), seen((0.5, 0.5, 0.0)), seen((0.5, 0.5, 0.0))]
    evidence = fuse_observations(frames, correlation=1.0)
    assert evidence.of(Cell("A1"), "red") - evidence.of(Cell("A1"), "empty") == pytest.approx(np.log(4) / 3, abs=0.01)


def test_no_single_cell_outweighs_everything() -> None:
    evidence = fuse_observations([seen((1.0, 0.0, 0.0))] * 6)
    assert evidence.log_p.min() == pytest.approx(np.log(RESIDUAL_ERROR / 3))


def test_probabilities_still_add_up_to_one() -> None:
    evidence = fuse_observations([seen((0.2, 0.5, 0.3)), seen((0.1, 0.1, 0.8))])
    assert np.exp(evidence.log_p[0]).sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("told_before", "now", "odds"),
    [
        ((0.98, 0.01, 0.01), (0.1, 0.88, 0.02), 8.8),  # read well before: nothing to discount
        ((0.1, 0.88, 0.02), (0.1, 0.88, 0.02), 1.0),  # read wrongly before, and looks the same now
        ((0.3, 0.6, 0.1), (0.01, 0.98, 0.01), 49.0),  # read wrongly before, but looks quite different now
    ],
)
def test_what_was_reported_wrongly_before_speaks_by_so_much_less_for_itself_now(
    told_before: tuple[float, ...], now: tuple[float, ...], odds: float
) -> None:
    empty = {Cell("A1"): "empty", Cell("B1"): "empty"}
    observation = discount_known_misreads(seen(now), seen(told_before), empty)
    assert observation.p[0, 1] / observation.p[0, 0] == pytest.approx(odds)
    assert observation.p.sum(axis=1) == pytest.approx(1.0)


def test_of_places_that_a_placement_does_not_speak_of_nothing_is_discounted() -> None:
    observation = discount_known_misreads(seen((0.1, 0.9, 0.0)), seen((0.1, 0.9, 0.0)), {})
    assert observation.p[0, 1] == pytest.approx(0.9)


def test_how_many_lie_on_one_another_speaks_less_than_what_they_are() -> None:
    labels = ("empty", "white", "white*2", "black")
    evidence = fuse_observations([Observation(("A1",), labels, np.array([[0.0, 0.0, 1.0, 0.0]]), np.array([True]))])
    cell = Cell("A1")
    assert evidence.of(cell, "white*2") - evidence.of(cell, "white") < 6
    assert evidence.of(cell, "white") - evidence.of(cell, "black") > 4


def test_a_number_of_pieces_is_doubted_within_its_kind_only() -> None:
    labels = ("empty", "white", "white*2", "black")
    evidence = fuse_observations([Observation(("A1",), labels, np.array([[0.1, 0.2, 0.6, 0.1]]), np.array([True]))])
    assert np.exp(evidence.weight).sum() == pytest.approx(1.0)
    assert evidence.of(Cell("A1"), "white*2") == pytest.approx(np.log(0.99 * 0.6 + 0.01 * 0.4), abs=1e-3)


def test_a_number_that_was_known_before_speaks_more() -> None:
    labels = ("empty", "white", "white*2", "black")
    frame = Observation(("A1",), labels, np.array([[0.0, 0.0, 1.0, 0.0]]), np.array([True]))
    cell = Cell("A1")
    new, counted = (fuse_observations([frame], known) for known in ((), {cell}))
    gained = (counted.of(cell, "white*2") - counted.of(cell, "white")) - (
        new.of(cell, "white*2") - new.of(cell, "white")
    )
    assert gained > 3


def test_frames_of_different_tables_are_not_added_up() -> None:
    other = Observation(("A1",), LABELS, np.array([[1.0, 0.0, 0.0]]), np.array([True]))
    with pytest.raises(ValueError, match="same cells"):
        fuse_observations([seen((1.0, 0.0, 0.0)), other])


@pytest.mark.parametrize(("later", "same"), [((0.02, 0.98, 0.0), False), ((0.3, 0.7, 0.0), True)])
def test_frames_disagree_only_where_both_are_sure(later: tuple[float, ...], same: bool) -> None:
    assert agree(seen((0.98, 0.02, 0.0)), seen(later)) is same


def test_labels_of_a_kind_are_distinguished_as_far_as_is_agreed() -> None:
    evidence = fuse_observations([seen((0.1, 0.6, 0.3), both=True)])
    of_kinds = with_label_confusion(evidence, lambda label: "empty" if label == "empty" else "piece", 1.0)
    red, other = (of_kinds.of(Cell("A1"), label) for label in LABELS if label != "empty")
    assert red == other == pytest.approx(np.log(0.9), abs=1e-3)
    half = with_label_confusion(evidence, lambda label: "empty" if label == "empty" else "piece", 0.5)
    assert half.of(Cell("A1"), "red") == pytest.approx(np.log((0.6 + 0.9) / 2), abs=1e-3)
    assert half.of(Cell("A1"), "empty") == pytest.approx(evidence.of(Cell("A1"), "empty"))


def test_doubt_lets_hidden_cells_speak_for_nothing() -> None:
    evidence = with_label_confusion(fuse_observations([seen((0.1, 0.6, 0.3), both=False)]), lambda _label: "any", 0.5)
    assert {evidence.of(Cell("B1"), label) for label in evidence.labels} == {0.0}


def test_what_is_on_a_cell_is_sure_whatever_the_number_on_one_another() -> None:
    seen_stack = Observation(
        ("A1",), ("empty", "red", "red*2", "green"), np.array([[0.01, 0.5, 0.48, 0.01]]), np.ones(1, bool)
    )
    assert fuse_observations([seen_stack]).unsure() == ()
