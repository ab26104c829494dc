from __future__ import annotations

from collections.abc import Collection
from itertools import product
from math import exp, log, prod
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.evidence import (
    CORRELATION,
    RESIDUAL_ERROR,
    Evidence,
    discount_known_misreads,
    fuse_observations,
    with_label_confusion,
    with_one_of_each,
)
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.inference import CELL_CHANGED, Finding, GameFinding, optional_log_likelihood, weigh
from companion.core.stability import agree
from companion.core.verdicts import ALTERED, PendingPlacement
from engines.kernel import Cell
from vision.observation import Observation

LABELS = ("empty", "red", "green")
CELLS = tuple("ABCDEFGH")
STACKS = (*LABELS, "red*2")
PLACEMENT = {Cell(cell): "empty" for cell in CELLS}
Explanation: TypeAlias = Hypothesis[str, str]
NOTHING: Explanation = Hypothesis(Kind.UNCHANGED, 0.0)


def put(label: str, *cells: str, kind: Kind = Kind.LEGAL, log_prior: float = 0.0, **more: object) -> Explanation:
    expects = {Cell(cell): label for cell in cells}
    position = more.pop("position", "".join(cells))
    return Hypothesis(kind, log_prior, expects, action="".join(cells), position=position, **more)  # type: ignore[arg-type] # fields by name


def weighed(
    hypotheses: list[Explanation],
    red: dict[str, float],
    hidden: str = "",
    left: tuple[PendingPlacement, ...] = (),
    *,
    first_look: bool = False,
    touched: Collection[Cell] = (),
) -> GameFinding[str, str]:
    """Weigh with these probabilities of red on the cells, 0 on all others."""
    probability = np.array([[1 - red.get(cell, 0.0), red.get(cell, 0.0), 0.0] for cell in CELLS])
    seen = Observation(CELLS, LABELS, probability, np.array([cell not in hidden for cell in CELLS]))
    return weigh(hypotheses, PLACEMENT, left, fuse_observations([seen]), first_look=first_look, touched=touched)


LIKELY = put("red", "A", log_prior=9.0)
WRONG = [put("red", "A", cell, kind=Kind.ILLEGAL, code="x", log_prior=-3.0) for cell in "BC"]
UNLIKELY = [put("red", "A", cell, kind=Kind.ILLEGAL, code="x", log_prior=-4.5) for cell in "CDE"]


@pytest.mark.parametrize(
    ("hypotheses", "red", "hidden", "decision", "cells"),
    [
        pytest.param([put("red", *"ABCD")], "ABCD", "", Kind.LEGAL, "", id="one doubtful cell is forgiven"),
        pytest.param([put("red", "A")], "AE", "E", Kind.LEGAL, "", id="a hidden cell contradicts nothing"),
        pytest.param([Hypothesis(Kind.UNCHANGED, 9.0)], "E", "", Kind.ILLEGAL, "E", id="nothing has not happened"),
        pytest.param([put("red", "A"), *WRONG], "AB", "", Kind.ILLEGAL, "", id="mistakes stand together"),
        pytest.param([put("red", "A")], "", "", Kind.UNCHANGED, "", id="nothing moved"),
        pytest.param([put("red", "A", "B"), *UNLIKELY], "A", "BCDE", Kind.AMBIGUOUS, "BC", id="many are improbable"),
    ],
)
def test_a_decision_names_the_cells_that_it_hangs_on(
    hypotheses: list[Explanation], red: str, hidden: str, decision: Kind, cells: str
) -> None:
    finding = weighed([*hypotheses, NOTHING], {cell: 0.4 if cell == "C" else 1.0 for cell in red}, hidden)
    assert (finding.decision, finding.cells) == (decision, tuple(cells))


@pytest.mark.parametrize("red", [0.75, 0.93, 1.0])
def test_no_legal_action_is_reported_against_a_cell_that_shows_something_else(red: float) -> None:
    finding = weighed([LIKELY, NOTHING], {"A": 1.0, "E": red})
    assert finding.decision in (Kind.AMBIGUOUS, Kind.ILLEGAL)
    assert finding.cells == ("E",)


@pytest.mark.parametrize("hypothesis", [put("red", "A", log_prior=30.0), Hypothesis(Kind.UNCHANGED, 30.0)])
def test_no_table_is_accepted_against_a_piece_that_is_certainly_of_another_colour(hypothesis: Explanation) -> None:
    probability = np.array([(1.0, 0.0, 0.0)] * (len(CELLS) - 1) + [(0.0, 0.004, 0.996)])
    probability[0] = (0.0, 1.0, 0.0) if hypothesis.expects else probability[0]
    seen = Observation(CELLS, LABELS, probability, np.ones(len(CELLS), dtype=np.bool_))
    finding = weigh([hypothesis], {**PLACEMENT, Cell("H"): "red"}, (), fuse_observations([seen]))
    assert (finding.decision, finding.cells) == (Kind.AMBIGUOUS, ("H",))


@pytest.mark.parametrize(("red", "at_first"), [(0.05, Kind.LEGAL), (0.3, Kind.AMBIGUOUS)])
def test_a_table_never_seen_before_is_accepted_only_without_a_doubtful_cell(red: float, at_first: Kind) -> None:
    move = [put("red", "A", log_prior=9.0), NOTHING]
    assert weighed(move, {"A": 1.0, "E": red}).decision is Kind.LEGAL
    finding = weighed(move, {"A": 1.0, "E": red}, first_look=True)
    assert (finding.decision, finding.cells) == (at_first, ("E",) if at_first is Kind.AMBIGUOUS else ())


@pytest.mark.parametrize(("touched", "decision"), [("", Kind.LEGAL), ("A", Kind.LEGAL), ("E", Kind.AMBIGUOUS)])
def test_a_touched_cell_that_the_move_leaves_alone_must_be_seen_well(touched: str, decision: Kind) -> None:
    move = [put("red", "A", log_prior=9.0), NOTHING]
    assert weighed(move, {"A": 0.7, "E": 0.3}, touched=[*map(Cell, touched)]).decision is decision


def test_a_pending_cell_may_be_touched() -> None:
    finding = weighed(
        [put("red", "A", log_prior=9.0), NOTHING],
        {"A": 0.9, "E": 0.7},
        left=(PendingPlacement(Cell("E"), "red", "green"),),
        touched=[Cell("E")],
    )
    assert finding.decision is Kind.LEGAL


def test_what_certainly_came_is_named_beside_a_touched_cell_that_is_probably_as_before() -> None:
    finding = weighed([NOTHING], {"A": 1.0, "E": 0.3}, touched=[Cell("E")])
    assert (finding.decision, finding.best.code, finding.cells) == (Kind.ILLEGAL, ALTERED, ("A",))


def test_no_cell_that_is_seen_well_is_called_hard_to_see() -> None:
    gone = put("red", "A", kind=Kind.ILLEGAL, log_prior=-9.0)
    finding = weighed([NOTHING, gone], {"A": 1.0, "E": 0.8})
    assert (finding.decision, finding.cells) == (Kind.AMBIGUOUS, ("E",))


def test_outcomes_with_the_same_position_are_one() -> None:
    finding = weighed([put("red", "A", position="1"), put("red", "A", position="1"), NOTHING], {"A": 1.0})
    assert finding.decision is Kind.LEGAL
    assert len(finding.rivals) == 1


@pytest.mark.parametrize(("red_b", "unsettled"), [(1.0, set()), (0.6, {"B"})])
def test_cells_that_may_not_be_in_their_place_yet_are_unsettled(red_b: float, unsettled: set[str]) -> None:
    half = put("red", "A", position="1", log_prior=-1.0, undone=(PendingPlacement(Cell("B"), "red", "empty"),))
    finding = weighed([put("red", "A", "B", position="1"), half, NOTHING], {"A": 1.0, "B": red_b})
    assert finding.decision is Kind.LEGAL
    assert finding.unsettled == unsettled


@pytest.mark.parametrize(("red_b", "expects_b"), [(0.3, False), (1.0, True)])
def test_a_cell_that_refutes_one_look_of_an_outcome_leaves_it_another(red_b: float, expects_b: bool) -> None:
    """A pawn may be overlooked on the flag that it came with: the action without it is the same one."""
    alone = put("red", "A", position="1", log_prior=-2.0)
    finding = weighed([put("red", "A", "B", position="1"), alone, NOTHING], {"A": 1.0, "B": red_b})
    assert finding.decision is Kind.LEGAL
    assert (Cell("B") in finding.best.expects) is expects_b


def test_rivals_that_cannot_be_distinguished_are_ambiguous_and_the_deciding_cells_are_named() -> None:
    finding = weighed([put("red", "A", "B"), put("red", "A", "C"), NOTHING], {"A": 1.0}, hidden="BC")
    assert finding.decision is Kind.AMBIGUOUS
    assert finding.cells == ("B", "C")
    assert {h.position for h in finding.rivals} == {"AB", "AC"}
    assert finding.probability == pytest.approx(0.5, abs=0.05)


def test_what_nothing_explains_is_illegal_and_says_where() -> None:
    finding = weighed([put("red", "A"), NOTHING], {"E": 1.0, "F": 1.0, "G": 1.0})
    assert (finding.decision, finding.best.code, finding.best.cells) == (
        Kind.ILLEGAL,
        "unexplained",
        ("E", "F", "G"),
    )


@pytest.mark.parametrize(("lies", "decision"), [("green", Kind.PUT_BACK), ("red*2", Kind.AMBIGUOUS)])
def test_a_move_is_not_put_back_silently_where_only_the_height_of_a_stack_says_so(lies: str, decision: Kind) -> None:
    before = {**PLACEMENT, Cell("A"): lies}
    p = [[float(label == ("red" if cell == "A" else "empty")) for label in STACKS] for cell in CELLS]
    frame = Observation(CELLS, STACKS, np.array(p), np.ones(len(CELLS), dtype=np.bool_))
    finding = weigh([put("red", "A", kind=Kind.PUT_BACK), NOTHING], before, (), fuse_observations([frame]))
    assert finding.decision is decision
    assert finding.cells == (("A",) if decision is Kind.AMBIGUOUS else ())


@pytest.mark.parametrize("done", ["", "B", "BC", "BCDEFG"])
def test_things_left_to_do_may_be_done_or_not(done: str) -> None:
    todo = tuple(PendingPlacement(Cell(cell), "red", "empty") for cell in "BCDEFG")
    finding = weighed([put("red", "A", *"BCDEFG", optional=todo), NOTHING], {"A": 1.0, **dict.fromkeys(done, 1.0)})
    assert finding.decision is Kind.LEGAL


def test_what_was_left_open_before_may_still_be_open() -> None:
    todo = (PendingPlacement(Cell("H"), "empty", "red"),)
    finding = weighed([put("red", "A", optional=todo), NOTHING], {"A": 1.0, "H": 1.0}, left=todo)
    assert finding.decision is Kind.LEGAL


@pytest.mark.parametrize(
    ("put_log_p", "instead_log_p", "expected"),
    [
        ([], [], 0.0),
        ([0.0, 0.0], [-50.0, -50.0], log(0.45 + 0.1 / 4)),
        ([-50.0, -50.0], [0.0, 0.0], log(0.45 + 0.1 / 4)),
        ([0.0, -50.0], [-50.0, 0.0], log(0.1 / 4)),
    ],
)
def test_all_or_none_done_is_likelier_than_some(
    put_log_p: list[float], instead_log_p: list[float], expected: float
) -> None:
    assert optional_log_likelihood(put_log_p, instead_log_p) == pytest.approx(expected)


# ---- what frames of one table say together


TWO_CELLS = ("A1", "B1")


def seen(first: tuple[float, ...], second: tuple[float, ...] = (1.0, 0.0, 0.0), *, both: bool = True) -> Observation:
    return Observation(TWO_CELLS, LABELS, np.array([first, second]), np.array([True, both]))


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


def stacked(*row: float, known: Collection[Cell] = ()) -> Evidence:
    """Fuse one look at a cell that shows nothing, a white counter, two of them, or a black one."""
    labels = ("empty", "white", "white*2", "black")
    return fuse_observations([Observation(("A1",), labels, np.array([row]), np.array([True]))], known)


def test_how_many_lie_on_one_another_speaks_less_than_what_they_are() -> None:
    evidence, cell = stacked(0.0, 0.0, 1.0, 0.0), Cell("A1")
    assert evidence.of(cell, "white*2") - evidence.of(cell, "white") < 6
    assert evidence.of(cell, "white") - evidence.of(cell, "black") > 4


def test_a_number_of_pieces_is_doubted_within_its_kind_only() -> None:
    evidence = stacked(0.1, 0.2, 0.6, 0.1)
    assert np.exp(evidence.weight).sum() == pytest.approx(1.0)
    assert evidence.of(Cell("A1"), "white*2") == pytest.approx(np.log(0.99 * 0.6 + 0.01 * 0.4), abs=1e-3)


def test_a_number_that_was_known_before_speaks_more() -> None:
    cell = Cell("A1")
    new, counted = (
        evidence.of(cell, "white*2") - evidence.of(cell, "white")
        for evidence in (stacked(0.0, 0.0, 1.0, 0.0, known=known) for known in ((), {cell}))
    )
    assert counted - new > 3


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


def test_a_piece_of_which_there_is_one_is_doubted_where_another_cell_shows_it() -> None:
    labels = ("covered+flag-suns", "covered+flag-suns+pawn-suns", "covered+flag-suns+pawn-moons")
    p = np.array([(0.3, 0.6, 0.1), (0.001, 0.998, 0.001), (0.3, 0.6, 0.1)])
    read = Observation(("A1", "B1", "C1"), labels, p, np.array([True, True, False]))
    evidence = fuse_observations([read])
    once = with_one_of_each(evidence, "pawn")
    assert [once.best(cell) for cell in once.cells[:2]] == [labels[0], labels[1]]
    assert np.exp(once.log_p[:2]).sum(axis=1) == pytest.approx([1.0, 1.0])
    suns, moons = (once.of(Cell("A1"), label) for label in labels[1:])
    assert suns - moons == pytest.approx(np.log(0.6 / 0.1), abs=0.01), "which it is was seen"
    assert not once.log_p[2].any(), "a hidden cell favours nothing"


# ---- that anything may have changed, weighed against a table as it was: beside every way counted one by one


THREE_CELLS = ("A", "B", "C")
THREE_EMPTY = {Cell(cell): "empty" for cell in THREE_CELLS}
LEFT = PendingPlacement(Cell("B"), "empty", "red")
UNEXPLAINED = 0.01
"""How often a table is as no explanation has it."""


def evidence_of(rows: list[tuple[float, float, float]]) -> Evidence:
    p = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    return fuse_observations([Observation(THREE_CELLS, LABELS, p, np.ones(len(THREE_CELLS), bool))])


def against_anything(evidence: Evidence, left: tuple[PendingPlacement, ...]) -> Finding:
    """Weigh nothing having changed against anything."""
    return weigh([Hypothesis(Kind.UNCHANGED, 0.0, optional=left)], THREE_EMPTY, left, evidence)


def likelihood(evidence: Evidence, cell: str, label: str) -> float:
    return exp(evidence.of(Cell(cell), label))


def any_change(evidence: Evidence, left: tuple[PendingPlacement, ...]) -> float:
    """Add up, over every set of cells that may have changed, how likely the picture is then."""
    same = {cell: likelihood(evidence, cell, "empty") for cell in THREE_CELLS}
    for todo in left:
        same[todo.cell] = (same[todo.cell] + likelihood(evidence, todo.cell, todo.observed)) / 2
    every = {cell: sum(likelihood(evidence, cell, label) for label in LABELS) for cell in THREE_CELLS}
    other = {cell: (every[cell] - same[cell]) / (len(LABELS) - 1) for cell in THREE_CELLS}
    ways = product((False, True), repeat=len(THREE_CELLS))
    return sum(
        prod(
            CELL_CHANGED * other[c] if changed else (1 - CELL_CHANGED) * same[c]
            for c, changed in zip(THREE_CELLS, way, strict=True)
        )
        for way in ways
        if any(way)
    )


def no_change(evidence: Evidence, left: tuple[PendingPlacement, ...]) -> float:
    """How likely the picture is if nothing has changed but what was left to do."""
    open_cells = {todo.cell for todo in left}
    rest = prod(likelihood(evidence, cell, "empty") for cell in THREE_CELLS if Cell(cell) not in open_cells)
    put = [evidence.of(todo.cell, todo.expected) for todo in left]
    instead = [evidence.of(todo.cell, todo.observed) for todo in left]
    return rest * exp(optional_log_likelihood(put, instead))


rows = st.tuples(*[st.floats(0.001, 1.0)] * 3)


@settings(max_examples=60, deadline=None)
@given(st.tuples(rows, rows, rows), st.booleans())
def test_that_anything_changed_is_weighed_as_every_way_counted_one_by_one(
    table: tuple[tuple[float, float, float], ...], open_cell: bool
) -> None:
    evidence, left = evidence_of(list(table)), (LEFT,) if open_cell else ()
    finding = against_anything(evidence, left)
    unexplained = UNEXPLAINED * any_change(evidence, left)
    unchanged = no_change(evidence, left)
    illegal = unexplained / (unexplained + unchanged)
    stated = finding.probability if finding.best.kind is Kind.ILLEGAL else 1 - finding.probability
    assert stated == pytest.approx(illegal, rel=1e-6, abs=1e-9)


EMPTY, DONE, THIRD = (0.98, 0.01, 0.01), (0.01, 0.98, 0.01), (0.001, 0.001, 0.998)


@pytest.mark.parametrize("row", [EMPTY, DONE])
def test_a_cell_that_was_left_open_counts_as_unchanged_either_way(row: tuple[float, float, float]) -> None:
    evidence = evidence_of([EMPTY, row, EMPTY])
    assert against_anything(evidence, (LEFT,)).decision is Kind.UNCHANGED
    assert against_anything(evidence, (LEFT,)).cells == ()


@pytest.mark.parametrize(
    ("rows", "odd"),
    [
        pytest.param((THIRD, THIRD, EMPTY), "AB", id="an open cell that shows a third thing is odd like any other"),
        pytest.param((THIRD, DONE, THIRD), "AC", id="one that is still open is not"),
    ],
)
def test_beside_what_nothing_explains_the_odd_cells_are_named(
    rows: tuple[tuple[float, float, float], ...], odd: str
) -> None:
    finding = against_anything(evidence_of([*rows]), (LEFT,))
    assert finding.decision is not Kind.UNCHANGED
    assert finding.cells == tuple(odd)
