"""`companion judge` says what the protocol promises, whatever the eye has seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from companion.cli.exits import DONE, REFUSED
from companion.games import GAMES
from companion.games.royal_tee import TABLE
from engines.kernel import Cell, Seat
from engines.royal_tee.position import Position, Walk
from tests.companion.conftest import Answered, Refused, Sees, Told, reading
from tests.companion.games import test_royal_ur_hypotheses as ur
from tests.companion.games import test_territory_hypotheses as territory
from tests.companion.games.looks import after, at_slider, look_of, new_game
from tests.companion.games.test_royal_tee_hypotheses import ABOUT_TO_ENCLOSE
from vision.board import table_file
from vision.observation import Blind, BlindReason
from vision.recognition.objective import ObjectiveCard
from vision.recognition.reader import Reading

START = at_slider(new_game("red", "green"), 2)
WALK = Walk((Cell("F11"), Cell("E11")))
Judged: TypeAlias = Callable[..., Any]


def seen(labels: Mapping[Cell, str], hidden: tuple[str, ...] = ()) -> Reading:
    return reading("royal-tee", labels, hidden=hidden)


def command(position: Mapping[str, Any], pictures: int) -> list[str]:
    """Write a position to its file; return the command that judges that many pictures."""
    Path("p.json").write_text(json.dumps(position))
    before = ["--before", "before.png"] if pictures > 1 else []
    return ["judge", "--position", "p.json", *before, "--after", "after.png"]


@pytest.fixture
def judge(sees: Sees, answered: Answered) -> Judged:
    """Judge what has been done in Royal Tee since a position, from readings of one picture or of two."""

    def run(position: Position, *readings: Reading | Blind, code: int = DONE) -> Any:
        sees[:] = readings
        return answered(*command(TABLE.engine.position_to_json(position), len(readings)), code=code)

    return run


@pytest.fixture
def judged(sees: Sees, answered: Answered) -> Judged:
    """Judge what has been done in a game since a position, from the labels of one picture."""

    def run(game: str, position: Any, labels: Mapping[str, str], card: ObjectiveCard | None = None) -> Any:
        sees.append(reading(game, labels, card=card))
        written = position if isinstance(position, dict) else GAMES[game].engine.position_to_json(position)
        return answered(*command({"game": game, **written}, 1))

    return run


def test_a_legal_walk_is_reported_with_its_action_and_the_position_after_it(judge: Judged) -> None:
    then = after(START, WALK)
    answer = judge(START, seen(look_of(then)))
    assert (answer["status"], answer["verdict"]) == ("ok", "legal")
    assert answer["actions"] == [{"walk": ["F11", "E11"]}]
    assert answer["position"] == TABLE.engine.position_to_json(then)
    assert answer["probability"] > 0.97
    assert (answer["todo"], answer["cells"]) == ([], [])
    assert answer["why"].startswith("Red walked 2 steps to E11 and claimed ")


def test_bonus_tees_that_are_not_placed_are_left_to_do(judge: Judged) -> None:
    labels = {**look_of(after(ABOUT_TO_ENCLOSE, Walk((Cell("F10"),)))), Cell("F12"): "empty"}
    answer = judge(ABOUT_TO_ENCLOSE, seen(labels))
    assert answer["verdict"] == "legal"
    assert answer["todo"] == [{"cell": "F12", "put": "red"}]


def test_a_walk_against_the_rules_is_reported_with_its_rule_its_cells_and_why(judge: Judged) -> None:
    labels = {**look_of(after(START, WALK)), Cell("A1"): "red"}
    answer = judge(START, seen(labels))
    assert (answer["verdict"], answer["code"], answer["rule"]) == ("illegal", "extra-tee", "3.1")
    assert (answer["cells"], answer["actions"]) == (["A1"], [])
    assert answer["position"] == TABLE.engine.position_to_json(START)
    assert answer["why"] == "Red's tee is on A1, where the walk did not go. (rule 3.1)"


def test_what_is_seen_for_certain_to_be_otherwise_is_named_with_what_belongs_there(judge: Judged) -> None:
    then = after(START, WALK)
    answer = judge(then, seen({**look_of(then), Cell("E12"): "empty"}), seen({**look_of(then), Cell("F11"): "empty"}))
    assert (answer["verdict"], answer["code"]) == ("illegal", "altered")
    assert answer["cells"] == ["F11"]
    assert answer["todo"] == [{"cell": "F11", "put": "red"}]
    assert answer["unsure"] == []


def test_nothing_moved_is_reported_unchanged(judge: Judged) -> None:
    answer = judge(START, seen(look_of(START)), seen(look_of(START)))
    assert (answer["verdict"], answer["actions"]) == ("unchanged", [])


def test_rivals_are_all_reported_and_the_cells_that_decide_between_them(judge: Judged) -> None:
    answer = judge(START, seen(look_of(after(START, WALK)), hidden=("F11", "E12")))
    assert answer["verdict"] == "ambiguous"
    assert {tuple(action["walk"]) for action in answer["actions"]} == {("F11", "E11"), ("E12", "E11")}
    assert set(answer["cells"]) == {"F11", "E12"}
    assert {"F11", "E12"} <= set(answer["unsure"])


def test_the_picture_before_takes_the_blame_for_a_cell_that_it_shows_wrong_as_well(judge: Judged) -> None:
    wrong = {Cell("C5"): "green"}  # a speck of dirt that the eye takes for a tee, in both pictures
    labels = {**look_of(after(START, WALK)), **wrong}
    assert judge(START, seen(labels))["verdict"] == "illegal"
    answer = judge(START, seen({**look_of(START), **wrong}), seen(labels))
    assert answer["verdict"] == "legal"
    assert answer["contradicted"] == ["C5"]


def test_without_json_people_get_sentences(sees: Sees, told: Told) -> None:
    sees += [seen({**look_of(position), Cell("C5"): "green"}) for position in (START, after(START, WALK))]
    verdict, action, contradicted = told(*command(TABLE.engine.position_to_json(START), 2)).splitlines()[:3]
    assert verdict.startswith("legal (")
    assert action == '{"walk": ["F11", "E11"]}'
    assert "C5" in contradicted


@pytest.mark.parametrize("blind_first", [True, False])
def test_a_refused_picture_is_reported_as_read_reports_it(judge: Judged, *, blind_first: bool) -> None:
    blind, fine = Blind(BlindReason.DARK), seen(look_of(START))
    readings = (blind, fine) if blind_first else (fine, blind)
    answer = judge(START, *readings, code=REFUSED)
    assert (answer["status"], answer["reason"]) == ("refused", "dark")
    assert answer["image"] == ("before.png" if blind_first else "after.png")


# ---- other games

TERRITORY: Any = territory.stands(owners={"A1": "red", "D1": "blue"}, white=["C1"])
UR: Any = ur.stands([5, 5], [6], 2)


def test_a_wrong_count_is_reported_with_the_squares_gone(judged: Judged) -> None:
    answer = judged("royal-ur", UR, {"A2": "white", "B2": "black", "D2": "white"})
    assert (answer["verdict"], answer["code"]) == ("illegal", "wrong-count")
    assert answer["why"] == "White's counter went 3 squares from A2 to D2, the throw says 1. (rule 3.1)"


STUDY = {"pieces": "KQB/N../R..", "targets": ["RNB/.K./..Q"], "level": 2}
STANDS = {"A1": "king", "B1": "queen", "C1": "bishop", "A2": "knight", "A3": "rook"}


@pytest.mark.parametrize(
    ("lies", "actions"),
    [
        (ObjectiveCard(0, "face", 0), []),
        (ObjectiveCard(0, "face", 1), ["cw"]),
        (ObjectiveCard(0, "face", 3), ["ccw"]),
        (ObjectiveCard(0, "face", 2), ["cw", "cw"]),
        (ObjectiveCard(0, "back", 0), []),
        (ObjectiveCard(5, "face", 1), []),
    ],
    ids=["as before", "a quarter", "a quarter back", "half", "not on this level", "another card"],
)
def test_a_card_that_was_turned_is_reported(judged: Judged, lies: ObjectiveCard, actions: list[str]) -> None:
    answer = judged("royal-study", STUDY, STANDS, lies)
    assert answer["actions"] == [{"turn": way, "target": 0} for way in actions]
    assert answer["verdict"] == ("legal" if actions else "unchanged")
    moved = judged("royal-study", STUDY, {**STANDS, "A2": "empty", "C3": "knight"}, lies)
    assert moved["actions"] == [*answer["actions"], {"move": "N", "from": "A2", "to": "C3"}]


@pytest.mark.usefixtures("sees")
def test_a_position_of_another_map_is_reported_before_anything_is_looked_at(refused: Refused) -> None:
    twelve = {"grid": {"numbers": [[2, 3, 4, 5, 6, 7, 8, 9, 10]]}}
    bare: Any = territory.stands(owners={}, white=[], rolled=[4])
    position = {**GAMES["territory"].engine.position_to_json(bare), "table": twelve}
    assert 'the table "Territory" has no I1' in refused(*command(position, 1), of="p.json")


@pytest.mark.usefixtures("sees")
def test_a_label_that_the_table_lacks_is_a_fault_of_the_table_file(refused: Refused) -> None:
    without = table_file("territory").read_text().replace('["{colour}", "white"]', '"{colour}"')
    Path("mine.toml").write_text(without)
    words = command(GAMES["territory"].engine.position_to_json(TERRITORY), 1)
    assert 'the table "Territory" has no white' in refused(*words, "--table", "mine.toml", of="mine.toml")


RACE = GAMES["royal-racers"]


def race(awaits: str, rolled: int | str) -> tuple[dict[str, Any], dict[str, str]]:
    """Give a race of two, all flags laid, and how its table looks."""
    position = RACE.engine.new([Seat("suns"), Seat("moons")], {"flags": 2}, 1)
    while RACE.engine.to_act(position) != "dice":
        position = RACE.engine.after(position, RACE.engine.actions(position)[0]).position
    labels = {str(cell): label for cell, label in RACE.placement(position).items()}
    return {**RACE.engine.position_to_json(position), "await": awaits, "rolled": rolled}, labels


def test_a_pawn_that_goes_too_far_is_reported_with_its_way(judged: Judged) -> None:
    position, labels = race("move", "null")
    too_far = {**labels, "C3": labels["C3"].removesuffix("+pawn-suns"), "C5": f"{labels['C5']}+pawn-suns"}
    answer = judged("royal-racers", position, too_far)
    assert (answer["verdict"], answer["code"], answer["cells"]) == ("illegal", "not-adjacent", ["C3", "C5"])
