"""Known numbers of ways to go on, every throw and every decision, from a position to a depth in actions.

They were counted by the plain rules in each game's `reference` when they were written down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.games.engines import ENGINES
from engines.kernel import Outcome
from engines.royal_racers import position as racers
from engines.royal_ur import position as ur
from engines.territory import position as territory

GOLDEN = Path(__file__).parents[1] / "golden"
_DIE = range(1, 7)
LEAST: Mapping[str, int] = {"royal-racers": 8, "royal-ur": 12, "territory": 12}


def _throws(game: str, position: Any) -> Sequence[Any]:
    if game == "royal-racers":
        return [racers.Roll(face) for face in racers.THROWS]
    if game == "royal-ur":
        return [ur.Roll(dots) for dots in range(4)]
    dice = 1 if position.awaiting is territory.Await.ROLL_OFF else 2
    return [territory.Roll(thrown) for thrown in product(_DIE, repeat=dice)]


def _counts(game: str) -> list[tuple[str, str, int, int]]:
    lines = (GOLDEN / game / "counts.txt").read_text("utf-8").splitlines()
    columns = [line.rsplit(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return [(game, position, int(depth), int(count)) for position, depth, count in columns]


@pytest.mark.parametrize(("game", "line", "depth", "count"), [row for game in LEAST for row in _counts(game)])
def test_the_known_numbers_of_ways_come_out(game: str, line: str, depth: int, count: int) -> None:
    assert ways(game, ENGINES[game].notation.read_position(line), depth) == count


@pytest.mark.parametrize("game", LEAST)
def test_the_known_numbers_have_not_silently_gone(game: str) -> None:
    assert len(_counts(game)) >= LEAST[game]


def ways(game: str, position: Any, depth: int) -> int:
    """Count the series of that many throws and decisions; one that ends the game early counts once."""
    rules = ENGINES[game].game
    if depth == 0 or rules.over(position):
        return 1
    throws = _throws(game, position) if rules.to_act(position) == "dice" else []
    outcomes = [rules.play(position, action) for action in (*throws, *rules.actions(position))]
    return sum(ways(game, outcome.position, depth - 1) for outcome in outcomes if isinstance(outcome, Outcome))
