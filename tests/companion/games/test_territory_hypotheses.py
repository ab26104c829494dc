from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

import msgspec
import pytest

from companion.core.hypothesis import Kind
from companion.core.inference import Decision
from companion.core.verdicts import PendingPlacement
from companion.games.hypotheses import lines_of_play
from companion.games.territory import TABLE
from companion.games.territory.speech import SPEECH
from companion.games.territory.table import placement
from engines.kernel import Cell, JsonObject, Outcome, Seat
from engines.territory import GAME
from engines.territory.position import Action, Again, Await, Place, Position, Roll, Stop
from tests.companion.games.readings import EASY, HARD, MEDIUM, Judging

BOARD = TABLE.board()
JUDGING = Judging(TABLE, BOARD.cells)
THREE, SIX = ("red", "blue", "green"), ("red", "yellow", "green", "purple", "black", "blue")

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
        outcome = GAME.play(position, GAME.action_from_json(action))
        assert isinstance(outcome, Outcome), outcome
        position = outcome.position
    return position


def look(position: Position) -> Labels:
    return dict(placement(position))


def decided(seed: int, players: tuple[str, ...]) -> Iterator[tuple[Position, Action, Position]]:
    """Play at random and give what players decide."""
    random, position = Random(seed), GAME.new([Seat(name) for name in players], {}, seed)
    while not position.over:
        throws = GAME.to_act(position) == "dice"
        action = Roll((random.randint(1, 6), random.randint(1, 6))) if throws else random.choice(GAME.actions(position))
        outcome = GAME.play(position, action)
        assert isinstance(outcome, Outcome)
        if not throws:
            yield position, action, outcome.position
        position = outcome.position


# ---- by the rules


@pytest.mark.parametrize("players", [THREE, SIX], ids=["three", "six"])
@pytest.mark.parametrize("seed", range(3))
def test_whole_games_are_followed(seed: int, players: tuple[str, ...]) -> None:
    for number, (position, _action, then) in enumerate(decided(seed, players)):
        finding = JUDGING.judged(position, look(then), number, EASY)
        if look(then) == look(position):
            assert finding.decision is Decision.UNCHANGED
        else:
            assert (finding.decision, finding.best.position) == (Decision.LEGAL, then)


def test_in_doubtful_pictures_nothing_else_is_ever_reported_legal() -> None:
    findings = [
        (JUDGING.judged(position, look(then), number, HARD), then)
        for number, (position, _, then) in enumerate(decided(7, THREE))
        if look(position) != look(then)
    ]
    assert all(finding.best.position == then for finding, then in findings if finding.decision is Decision.LEGAL)
    assert sum(finding.decision is Decision.LEGAL for finding, _ in findings) > 0.8 * len(findings)


def test_nothing_moved_is_reported_unchanged() -> None:
    for number, (position, _, _) in enumerate(decided(8, SIX)):
        assert JUDGING.judged(position, look(position), number).decision is Decision.UNCHANGED


def test_rolling_again_shows_by_done_alone() -> None:
    position = stands("choose")
    finding = JUDGING.judged(position, look(position), pressed=True)
    assert (finding.decision, finding.best.action) == (Decision.LEGAL, Again())


def test_a_piece_placed_and_the_turn_ended_before_anybody_looked() -> None:
    position = stands()
    then = after(position, {"place": "D1"}, {"stop": True})
    finding = JUDGING.judged(position, look(then))
    assert (finding.decision, finding.best.position) == (Decision.LEGAL, then)
    assert finding.best.actions == (Place(Cell("D1")), Stop())


def test_two_pieces_for_a_number_that_a_card_doubles() -> None:
    position = stands(card="twin-peaks", left=2)
    then = after(position, {"place": "D1"}, {"place": "A3"})
    finding = JUDGING.judged(position, look(then))
    assert (finding.decision, finding.best.position) == (Decision.LEGAL, then)
    assert len(finding.best.actions) == 2


# ---- half done


def test_white_pieces_may_be_exchanged_one_by_one_once_the_player_stops() -> None:
    position = stands("choose")
    then = after(position, {"stop": True})
    for done in ("C1", "H1"):
        finding = JUDGING.judged(position, {**look(position), Cell(done): "red"})
        (other,) = {"C1", "H1"} - {done}
        assert (finding.decision, finding.best.position) == (Decision.LEGAL, then)
        assert finding.best.optional == (PendingPlacement(Cell(other), "red", "white"),)


def test_after_a_capture_white_pieces_are_still_to_be_exchanged() -> None:
    position = stands(owners={"A1": "red", "D1": "blue"})
    then = after(position, {"capture": "D1"})
    finding = JUDGING.judged(position, {**look(position), Cell("D1"): "red"})
    assert (finding.decision, finding.best.position) == (Decision.LEGAL, then)
    assert {todo.cell for todo in finding.best.optional} == {"C1", "H1"}


def test_a_captured_space_still_waits_for_its_piece() -> None:
    position = stands(owners={"A1": "red", "D1": "blue"})
    then = after(position, {"capture": "D1"})
    finding = JUDGING.judged(position, {**look(then), Cell("D1"): "white"})
    assert (finding.decision, finding.best.position) == (Decision.LEGAL, then)
    assert PendingPlacement(Cell("D1"), "red", "white") in (*finding.best.optional, *finding.best.undone)


def test_a_piece_that_is_only_taken_off_is_no_capture_yet() -> None:
    position = stands(owners={"A1": "red", "D1": "blue"})
    finding = JUDGING.judged(position, {**look(position), Cell("D1"): "empty"})
    assert finding.decision is Decision.ILLEGAL
    assert "D1" in finding.cells


def test_pieces_left_white_may_stay_so_in_the_next_turn() -> None:
    position = after(stands("choose"), {"stop": True}, {"roll": [1, 3]})
    left_open = (PendingPlacement(Cell("H1"), "red", "white"),)
    then = after(position, {"place": "D1"})
    finding = JUDGING.judged(position, {**look(then), Cell("H1"): "white"}, left_open=left_open)
    assert (finding.decision, finding.best.position) == (Decision.LEGAL, then)


# ---- against the rules


@dataclass(frozen=True)
class Cheat:
    """A way of cheating, and the codes that may be its refusal."""

    name: str
    tamper: Callable[[Position, Random], Labels | None]
    codes: frozenset[str]


def _on(position: Position, random: Random, old: Callable[[str], bool], new: str) -> Labels | None:
    """Change one space of a kind."""
    before = look(position)
    cells = [cell for cell, label in before.items() if old(label)]
    return {**before, random.choice(cells): new} if cells else None


def _others(position: Position) -> list[str]:
    return [str(seat) for seat in position.players if seat != position.turn]


def _two(position: Position, random: Random) -> Labels | None:
    """Put white on two spaces of the number that was rolled."""
    if position.awaiting is not Await.PLACE:
        return None
    before = look(position)
    cells = position.board.names_in(position.board.spaces_of[position.rolled[-1]])
    free = [cell for cell in cells if before[cell] == "empty"]
    return {**before, **dict.fromkeys(random.sample(free, 2), "white")} if len(free) > 1 else None


UNTIMELY = {"roll-first", "nothing-to-place", "piece-first", "too-early-to-stop"}
CHEATS = (
    Cheat(
        "white on a wrong number",
        lambda position, random: _on(position, random, lambda label: label == "empty", "white"),
        frozenset({"other-number", *UNTIMELY}),
    ),
    Cheat(
        "own colour instead of white",
        lambda position, random: _on(position, random, lambda label: label == "empty", str(position.turn)),
        frozenset({"other-number", "not-white", *UNTIMELY}),
    ),
    Cheat(
        "another's space taken",
        lambda position, random: _on(position, random, lambda label: label in _others(position), str(position.turn)),
        frozenset({"other-number", "no-captures", *UNTIMELY}),
    ),
    Cheat(
        "another's piece removed",
        lambda position, random: _on(position, random, lambda label: label in _others(position), "empty"),
        frozenset({"piece-removed"}),
    ),
    Cheat(
        "a white piece removed",
        lambda position, random: _on(position, random, lambda label: label == "white", "empty"),
        frozenset({"white-removed"}),
    ),
    Cheat(
        "another's piece put",
        lambda position, random: _on(
            position, random, lambda label: label in ("empty", "white"), random.choice(_others(position))
        ),
        frozenset({"foreign-piece"}),
    ),
    Cheat(
        "exchanged too early",
        lambda position, random: _on(position, random, lambda label: label == "white", str(position.turn)),
        frozenset(UNTIMELY),
    ),
    Cheat(
        "two pieces placed",
        _two,
        frozenset({"too-many", "other-number"}),
    ),
)


@cache
def tampered(cheat: Cheat) -> list[tuple[Position, Labels]]:
    """Cheat at every decision of two games, and while the dice are expected; what could be by the rules is no cheat."""
    random, tables = Random(4), []
    for players in (THREE, SIX):
        for position, _, then in decided(5, players):
            for place in (position, then):
                labels = None if place.over else cheat.tamper(place, random)
                if labels and not could_be_legal(place, labels):
                    tables.append((place, labels))
    return tables


def could_be_legal(position: Position, labels: Labels) -> bool:
    """Return whether some actions leave this look, pieces exchanged, begun to be, or a captured one just lifted."""
    before = look(position)
    for line in lines_of_play(GAME, position, lambda _before, _after: True, 3):
        then, own = look(line.position), str(line.before.turn)
        begun = any(labels[c] == own and before[c] != own for c in then) or not isinstance(line.actions[-1], Stop)
        if begun and all(_fits(labels[c], then[c], before[c], own) for c in then):
            return True
    return False


def _fits(label: str, then: str, before: str, own: str) -> bool:
    """Return whether a label may be where a piece of the mover's goes, or where another one should be."""
    if then == own and before != own:
        return label in (own, "white") or (label == "empty" and before not in ("empty", "white"))
    return label == then


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.name)
def test_no_cheat_is_reported_legal_and_nearly_all_are_reported_with_their_reason(cheat: Cheat) -> None:
    tables = tampered(cheat)[:80]
    assert len(tables) >= 30
    verdicts = [JUDGING.judged(position, labels, seed) for seed, (position, labels) in enumerate(tables)]
    counted = Counter(finding.decision for finding in verdicts)
    assert counted[Decision.LEGAL] == counted[Decision.UNCHANGED] == 0
    assert counted[Decision.ILLEGAL] >= 0.95 * len(verdicts)
    assert {finding.best.code for finding in verdicts if finding.decision is Decision.ILLEGAL} <= cheat.codes


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.name)
def test_in_hard_pictures_three_frames_let_no_cheat_pass(cheat: Cheat) -> None:
    for seed, (position, labels) in enumerate(tampered(cheat)[:30]):
        finding = JUDGING.judged(position, labels, seed, HARD, frames=3)
        assert finding.decision not in (Decision.LEGAL, Decision.UNCHANGED)


def test_a_piece_beside_the_one_that_the_rules_allow_is_the_one_that_is_named() -> None:
    finding = JUDGING.judged(stands(), {**look(after(stands(), {"place": "D1"})), Cell("A8"): "green"})
    assert (finding.decision, finding.best.code, finding.cells) == (Decision.ILLEGAL, "foreign-piece", ("A8",))


def test_a_wrong_number_is_reported_with_its_rule_and_both_numbers() -> None:
    finding = JUDGING.judged(stands(), {**look(stands()), Cell("B3"): "white"}, sharpness=MEDIUM)
    assert (finding.decision, finding.best.code, finding.best.rule) == (Decision.ILLEGAL, "other-number", "3.1")
    sentence = SPEECH.words.refused(finding.best.code, finding.cells, finding.best.facts)
    assert sentence == "B3 has the number 6, but 4 was rolled."


def test_every_illegal_explanation_has_a_code_and_words_of_its_own() -> None:
    codes = {}
    for cheat in CHEATS:
        for position, labels in tampered(cheat)[:20]:
            for hypothesis in TABLE.explanations(position, (), JUDGING.evidence(labels)):
                if hypothesis.kind is Kind.ILLEGAL:
                    codes[hypothesis.code] = SPEECH.words.refused(hypothesis.code, hypothesis.cells, hypothesis.facts)
    assert len(codes) >= 9
    assert not any(code in sentence or "None" in sentence for code, sentence in codes.items())


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
