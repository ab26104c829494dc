from __future__ import annotations

from collections.abc import Collection
from math import log
from typing import TypeAlias

import numpy as np
import pytest

from companion.core.evidence import fuse_observations
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.inference import Decision, GameFinding, optional_log_likelihood, weigh
from companion.core.verdicts import ALTERED, PendingPlacement
from engines.kernel import Cell
from vision.observation import Observation

CELLS, LABELS = tuple("ABCDEFGH"), ("empty", "red", "green")
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


def test_what_is_seen_clearly_is_reported() -> None:
    finding = weighed([put("red", "A"), put("red", "B"), NOTHING], {"A": 0.99})
    assert (finding.decision, finding.best.position) == (Decision.LEGAL, "A")
    assert finding.probability > 0.97
    assert finding.cells == ()


def test_one_doubtful_cell_is_forgiven_where_no_mistake_explains_it() -> None:
    finding = weighed([put("red", "A", "B", "C", "D"), NOTHING], {"A": 1.0, "B": 1.0, "C": 0.4, "D": 1.0})
    assert finding.decision is Decision.LEGAL


@pytest.mark.parametrize("red", [0.75, 0.93, 1.0])
def test_no_legal_action_is_reported_against_a_cell_that_shows_something_else(red: float) -> None:
    finding = weighed([put("red", "A", log_prior=9.0), NOTHING], {"A": 1.0, "E": red})
    assert finding.decision in (Decision.AMBIGUOUS, Decision.ILLEGAL)
    assert finding.cells == ("E",)


def test_nothing_has_not_happened_where_a_cell_shows_something_else() -> None:
    finding = weighed([Hypothesis(Kind.UNCHANGED, 9.0)], {"E": 0.95})
    assert (finding.decision, finding.cells) == (Decision.AMBIGUOUS, ("E",))


@pytest.mark.parametrize("hypothesis", [put("red", "A", log_prior=30.0), Hypothesis(Kind.UNCHANGED, 30.0)])
def test_no_table_is_accepted_against_a_piece_that_is_certainly_of_another_colour(hypothesis: Explanation) -> None:
    probability = np.array([(1.0, 0.0, 0.0)] * (len(CELLS) - 1) + [(0.0, 0.004, 0.996)])
    probability[0] = (0.0, 1.0, 0.0) if hypothesis.expects else probability[0]
    seen = Observation(CELLS, LABELS, probability, np.ones(len(CELLS), dtype=np.bool_))
    finding = weigh([hypothesis], {**PLACEMENT, Cell("H"): "red"}, (), fuse_observations([seen]))
    assert (finding.decision, finding.cells) == (Decision.AMBIGUOUS, ("H",))


@pytest.mark.parametrize(("red", "at_first"), [(0.05, Decision.LEGAL), (0.3, Decision.AMBIGUOUS)])
def test_a_table_never_seen_before_is_accepted_only_without_a_doubtful_cell(red: float, at_first: Decision) -> None:
    move = [put("red", "A", log_prior=9.0), NOTHING]
    assert weighed(move, {"A": 1.0, "E": red}).decision is Decision.LEGAL
    finding = weighed(move, {"A": 1.0, "E": red}, first_look=True)
    assert (finding.decision, finding.cells) == (at_first, ("E",) if at_first is Decision.AMBIGUOUS else ())


@pytest.mark.parametrize(
    ("touched", "decision"), [("", Decision.LEGAL), ("A", Decision.LEGAL), ("E", Decision.AMBIGUOUS)]
)
def test_a_touched_cell_that_the_move_leaves_alone_must_be_seen_well(touched: str, decision: Decision) -> None:
    move = [put("red", "A", log_prior=9.0), NOTHING]
    assert weighed(move, {"A": 0.7, "E": 0.3}, touched=[*map(Cell, touched)]).decision is decision


def test_what_certainly_came_is_named_beside_a_touched_cell_that_is_probably_as_before() -> None:
    finding = weighed([NOTHING], {"A": 1.0, "E": 0.3}, touched=[Cell("E")])
    assert (finding.decision, finding.best.code, finding.cells) == (Decision.ILLEGAL, ALTERED, ("A",))


def test_no_cell_that_is_seen_well_is_called_hard_to_see() -> None:
    gone = put("red", "A", kind=Kind.ILLEGAL, log_prior=-9.0)
    finding = weighed([NOTHING, gone], {"A": 1.0, "E": 0.8})
    assert (finding.decision, finding.cells) == (Decision.AMBIGUOUS, ("E",))


def test_a_hidden_cell_contradicts_nothing() -> None:
    assert weighed([put("red", "A"), NOTHING], {"A": 1.0, "E": 1.0}, hidden="E").decision is Decision.LEGAL


def test_outcomes_with_the_same_position_are_one() -> None:
    finding = weighed([put("red", "A", position="1"), put("red", "A", position="1"), NOTHING], {"A": 1.0})
    assert finding.decision is Decision.LEGAL
    assert len(finding.rivals) == 1


@pytest.mark.parametrize(("red_b", "unsettled"), [(1.0, set()), (0.6, {"B"})])
def test_cells_that_may_not_be_in_their_place_yet_are_unsettled(red_b: float, unsettled: set[str]) -> None:
    half = put("red", "A", position="1", log_prior=-1.0, undone=(PendingPlacement(Cell("B"), "red", "empty"),))
    finding = weighed([put("red", "A", "B", position="1"), half, NOTHING], {"A": 1.0, "B": red_b})
    assert finding.decision is Decision.LEGAL
    assert finding.unsettled == unsettled


def test_rivals_that_cannot_be_distinguished_are_ambiguous_and_the_deciding_cells_are_named() -> None:
    finding = weighed([put("red", "A", "B"), put("red", "A", "C"), NOTHING], {"A": 1.0}, hidden="BC")
    assert finding.decision is Decision.AMBIGUOUS
    assert finding.cells == ("B", "C")
    assert {h.position for h in finding.rivals} == {"AB", "AC"}
    assert finding.probability == pytest.approx(0.5, abs=0.05)


def test_where_many_explanations_are_each_improbable_the_cells_of_the_likeliest_are_named() -> None:
    wrong = [put("red", "A", cell, kind=Kind.ILLEGAL, code="x", log_prior=-4.5) for cell in "CDE"]
    finding = weighed([put("red", "A", "B"), *wrong, NOTHING], {"A": 1.0}, hidden="BCDE")
    assert finding.decision is Decision.AMBIGUOUS
    assert finding.cells == ("B", "C")


def test_mistakes_stand_together_against_the_rules() -> None:
    wrong = [put("red", "A", cell, kind=Kind.ILLEGAL, code="x", log_prior=-3.0) for cell in "BC"]
    finding = weighed([put("red", "A"), NOTHING, *wrong], {"A": 1.0, "B": 1.0, "C": 1.0})
    assert finding.decision is Decision.ILLEGAL


def test_what_nothing_explains_is_illegal_and_says_where() -> None:
    finding = weighed([put("red", "A"), NOTHING], {"E": 1.0, "F": 1.0, "G": 1.0})
    assert (finding.decision, finding.best.code, finding.best.cells) == (
        Decision.ILLEGAL,
        "unexplained",
        ("E", "F", "G"),
    )


def test_a_table_where_nothing_moved_is_unchanged() -> None:
    finding = weighed([put("red", "A"), NOTHING], {})
    assert finding.decision is Decision.UNCHANGED


@pytest.mark.parametrize(("lies", "decision"), [("green", Decision.PUT_BACK), ("red*2", Decision.AMBIGUOUS)])
def test_a_move_is_not_put_back_silently_where_only_the_height_of_a_stack_says_so(
    lies: str, decision: Decision
) -> None:
    before = {**PLACEMENT, Cell("A"): lies}
    p = [[float(label == ("red" if cell == "A" else "empty")) for label in STACKS] for cell in CELLS]
    frame = Observation(CELLS, STACKS, np.array(p), np.ones(len(CELLS), dtype=np.bool_))
    finding = weigh([put("red", "A", kind=Kind.PUT_BACK), NOTHING], before, (), fuse_observations([frame]))
    assert finding.decision is decision
    assert finding.cells == (("A",) if decision is Decision.AMBIGUOUS else ())


@pytest.mark.parametrize("done", ["", "B", "BC", "BCDEFG"])
def test_things_left_to_do_may_be_done_or_not(done: str) -> None:
    todo = tuple(PendingPlacement(Cell(cell), "red", "empty") for cell in "BCDEFG")
    finding = weighed([put("red", "A", *"BCDEFG", optional=todo), NOTHING], {"A": 1.0, **dict.fromkeys(done, 1.0)})
    assert finding.decision is Decision.LEGAL


def test_what_was_left_open_before_may_still_be_open() -> None:
    todo = (PendingPlacement(Cell("H"), "empty", "red"),)
    finding = weighed([put("red", "A", optional=todo), NOTHING], {"A": 1.0, "H": 1.0}, left=todo)
    assert finding.decision is Decision.LEGAL


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
