"""Known numbers of ways to go on, every throw and every decision, from a position to a depth in actions.

They were counted by the plain rules in each game's `reference` when they were written down.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.games.engines import ENGINES
from engines.royal_tee import notation
from engines.royal_tee.rules import distinct_walks

GOLDEN = Path(__file__).parents[1] / "golden"
LEAST: Mapping[str, int] = {
    "royal-racers/counts": 8,
    "royal-tee/walks": 21,
    "royal-ur/counts": 12,
    "territory/counts": 12,
}


def _counts(name: str) -> list[tuple[str, str, int, int]]:
    """Return the game, the position and the two numbers of each line of a golden file."""
    lines = (GOLDEN / f"{name}.txt").read_text("utf-8").splitlines()
    columns = [line.rsplit(maxsplit=2) for line in lines if line and not line.startswith("#")]
    return [(name.partition("/")[0], position, int(first), int(second)) for position, first, second in columns]


@pytest.mark.parametrize(
    ("game", "line", "depth", "count"), [row for name in LEAST if name.endswith("counts") for row in _counts(name)]
)
def test_the_known_numbers_of_ways_come_out(game: str, line: str, depth: int, count: int) -> None:
    assert ways(game, ENGINES[game].notation.read_position(line), depth) == count


@pytest.mark.parametrize(("_game", "line", "outcomes", "walks"), _counts("royal-tee/walks"))
def test_the_known_numbers_of_outcomes_and_walks_come_out(_game: str, line: str, outcomes: int, walks: int) -> None:
    found = distinct_walks(notation.read_position(line))
    assert (len(found), sum(walk.walks for walk in found)) == (outcomes, walks)


@pytest.mark.parametrize("name", LEAST)
def test_the_known_numbers_have_not_silently_gone(name: str) -> None:
    assert len(_counts(name)) >= LEAST[name]


def ways(game: str, position: Any, depth: int) -> int:
    """Count the series of that many throws and decisions; one that ends the game early counts once."""
    rules = ENGINES[game].game
    if depth == 0 or rules.over(position):
        return 1
    throws = (action for action, _p in rules.chance_outcomes(position))
    steps = (rules.after(position, action).position for action in (*throws, *rules.actions(position)))
    return sum(ways(game, after, depth - 1) for after in steps)
