from __future__ import annotations

import msgspec
import pytest

from companion.core.hypothesis import Kind
from companion.core.verdicts import PendingPlacement
from companion.games.territory import TABLE
from companion.games.territory.speech import SPEECH
from companion.games.territory.table import placement
from engines.kernel import Cell, JsonObject, Seat
from engines.territory import GAME
from engines.territory.position import Again, Position
from tests.companion.games.readings import MEDIUM, Judging

BOARD = TABLE.board()
JUDGING = Judging(TABLE, BOARD.cells)
THREE = ("red", "blue", "green")

Labels = dict[Cell, str]


def stands(awaits: str = "place", **more: object) -> Position:
    """Give a position of red's first turn in which 7, 8 and 4 were rolled; D1, H2's neighbours and more are free."""
    data: dict[str, object] = {
        "players": list(THREE),
        "turn": "red",
        "round": 2,
        "owners": {"A1": "red", "B1": "blue", "D3": "blue"},
        "white": ["C1", "H1"],
        "rolled": [7, 8, 4],
        "await": awaits,
        "card": None,
        "deck": [],
        "over": False,
    }
    return GAME.position_from_json({**data, **more})  # type: ignore[dict-item]  # JSON by construction


def after(position: Position, *actions: JsonObject) -> Position:
    for action in actions:
        position = GAME.after(position, GAME.action_from_json(action)).position
    return position


def look(position: Position) -> Labels:
    return dict(placement(position))


# ---- by the rules


def test_rolling_again_shows_by_done_alone() -> None:
    position = stands("choose")
    finding = JUDGING.judged(position, look(position), pressed=True)
    assert (finding.decision, finding.best.action) == (Kind.LEGAL, Again())


CAPTURING = stands(owners={"A1": "red", "D1": "blue"})


@pytest.mark.parametrize(
    ("position", "actions", "not_yet", "optional"),
    [
        pytest.param(stands(), [{"place": "D1"}, {"stop": True}], {}, "D1 H1", id="stopped before anybody looked"),
        pytest.param(
            *(stands(card="twin-peaks", left=2), [{"place": "D1"}, {"place": "A3"}], {}, ""), id="a number is doubled"
        ),
        pytest.param(stands("choose"), [{"stop": True}], {"H1": "white"}, "H1", id="one white piece is exchanged"),
        pytest.param(stands("choose"), [{"stop": True}], {"C1": "white"}, "C1", id="the other one is"),
        pytest.param(
            *(CAPTURING, [{"capture": "D1"}], {"C1": "white", "H1": "white"}, "C1 H1"), id="the capture alone is made"
        ),
        pytest.param(CAPTURING, [{"capture": "D1"}], {"D1": "white"}, "C1 H1", id="a captured space waits"),
    ],
)
def test_what_is_done_is_found_and_what_is_not_done_yet_is_left_to_do(
    position: Position, actions: list[JsonObject], not_yet: dict[Cell, str], optional: str
) -> None:
    then = after(position, *actions)
    finding = JUDGING.judged(position, {**look(then), **not_yet})
    assert (finding.decision, finding.best.position, len(finding.best.actions)) == (Kind.LEGAL, then, len(actions))
    assert [todo.cell for todo in finding.best.optional] == optional.split()
    assert {todo.cell for todo in (*finding.best.optional, *finding.best.undone)} >= not_yet.keys()


def test_a_piece_that_is_only_taken_off_is_no_capture_yet() -> None:
    position = stands(owners={"A1": "red", "D1": "blue"})
    finding = JUDGING.judged(position, {**look(position), Cell("D1"): "empty"})
    assert finding.decision is Kind.ILLEGAL
    assert "D1" in finding.cells


def test_pieces_left_white_may_stay_so_in_the_next_turn() -> None:
    position = after(stands("choose"), {"stop": True}, {"roll": [1, 3]})
    left_open = (PendingPlacement(Cell("H1"), "red", "white"),)
    then = after(position, {"place": "D1"})
    finding = JUDGING.judged(position, {**look(then), Cell("H1"): "white"}, left_open=left_open)
    assert (finding.decision, finding.best.position) == (Kind.LEGAL, then)


# ---- against the rules


def test_a_piece_beside_the_one_that_the_rules_allow_is_the_one_that_is_named() -> None:
    finding = JUDGING.judged(stands(), {**look(after(stands(), {"place": "D1"})), Cell("A8"): "green"})
    assert (finding.decision, finding.best.code, finding.cells) == (Kind.ILLEGAL, "foreign-piece", ("A8",))


def test_a_white_piece_that_was_pushed_is_gone_from_the_one_space_only() -> None:
    position = stands("choose")
    finding = JUDGING.judged(position, {**look(position), Cell("C1"): "empty", Cell("F6"): "white"})
    assert (finding.decision, finding.best.code, finding.cells) == (Kind.ILLEGAL, "white-removed", ("C1",))


def test_a_wrong_number_is_reported_with_its_rule_and_both_numbers() -> None:
    finding = JUDGING.judged(stands(), {**look(stands()), Cell("B3"): "white"}, sharpness=MEDIUM)
    assert (finding.decision, finding.best.code, finding.best.rule) == (Kind.ILLEGAL, "other-number", "3.1")
    sentence = SPEECH.words.refused(finding.best.code, finding.cells, finding.best.facts)
    assert sentence == "B3 has the number 6, but 4 was rolled."


# ---- the score in a picture


def test_the_best_groups_are_scored_with_their_cells() -> None:
    labels = {Cell("A1"): "red", Cell("B1"): "red", Cell("D1"): "red", Cell("H8"): "blue", Cell("C1"): "white"}
    scores, detail = TABLE.score_seen({**dict.fromkeys(map(Cell, BOARD.cells), "empty"), **labels}, BOARD)
    assert scores == {Seat("red"): 8, Seat("blue"): 1}
    assert detail == {
        "red": {"cells": ["A1", "B1"], "points": 8},
        "blue": {"cells": ["H8"], "points": 1},
        "white": {"cells": ["C1"]},
    }


def test_the_numbers_are_those_of_the_table_in_the_picture() -> None:
    twos = tuple(tuple(2 for _ in row) for row in BOARD.grid.numbers)
    table = msgspec.structs.replace(BOARD, grid=msgspec.structs.replace(BOARD.grid, numbers=twos))
    scores, _ = TABLE.score_seen({Cell("A1"): "red"}, table)
    assert scores == {Seat("red"): 11}
