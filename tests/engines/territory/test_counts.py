"""Known numbers of ways to go on: every throw of two dice (36) or one (6) and every decision, counted to a depth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engines.kernel import Outcome
from engines.territory import GAME, notation
from engines.territory.position import Action, Await, Position, Roll
from tests.engines.territory import reference

COUNTS = Path(__file__).parents[2] / "golden" / "territory" / "counts.txt"
_DIE = range(1, 7)
_THROWS: dict[bool, list[tuple[int, ...]]] = {
    True: [(die,) for die in _DIE],
    False: [(one, other) for one in _DIE for other in _DIE],
}


def _counts() -> list[tuple[str, int, int]]:
    lines = COUNTS.read_text("utf-8").splitlines()
    columns = [line.rsplit(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return [(position, int(depth), int(count)) for position, depth, count in columns]


@pytest.mark.parametrize(("line", "depth", "count"), _counts())
def test_the_known_numbers_of_ways_come_out(line: str, depth: int, count: int) -> None:
    assert ways(notation.read_position(line), depth) == count


@pytest.mark.parametrize(("line", "depth", "_count"), _counts())
def test_the_plain_rules_count_the_same_to_two_actions(line: str, depth: int, _count: int) -> None:
    position = notation.read_position(line)
    depth = min(depth, 2)
    assert ways(position, depth) == _plain_ways(dict(GAME.position_to_json(position)), depth)


def test_the_known_numbers_have_not_silently_gone() -> None:
    assert len(_counts()) >= 12


def ways(position: Position, depth: int) -> int:
    if depth == 0 or position.over:
        return 1
    return sum(ways(_after(position, action), depth - 1) for action in _options(position))


def _options(position: Position) -> list[Action]:
    if position.awaiting in (Await.ROLL, Await.ROLL_OFF):
        return [Roll(dice) for dice in _THROWS[position.awaiting is Await.ROLL_OFF]]
    return list(GAME.actions(position))


def _after(position: Position, action: Action) -> Position:
    outcome = GAME.play(position, action)
    assert isinstance(outcome, Outcome)
    return outcome.position


def _plain_ways(position: dict[str, Any] | None, depth: int) -> int:
    assert position is not None
    if depth == 0 or position["over"]:
        return 1
    throws: list[dict[str, Any]] = [{"roll": list(dice)} for dice in _THROWS[position["await"] == "roll-off"]]
    options = reference.options(position) or throws
    return sum(_plain_ways(reference.play(position, action), depth - 1) for action in options)
