"""Whole games as text: headers, one action a line, the result; written here, read and judged again by the tests.

The headers are those of the companion's records: `game`, `format`, `claim`, and `position`, the line of the position
before the first action.
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.kernel import Refusal
from engines.royal_racers import GAME, notation, rules, scoring
from engines.royal_racers.position import Action, Position


def write_game(claim: str, start: Position, actions: Iterable[Action]) -> str:
    lines = [notation.write_action(action) for action in actions]
    header = [f"game: {GAME.name}", "format: 2", f"claim: {claim}", f"position: {notation.write_position(start)}"]
    return "\n".join([*header, "", *lines, "", f"result: {result_of(replay(start, lines))}", ""])


def read_game(text: str) -> tuple[Position, list[str], str]:
    """Give a game's first position, its actions as they are written, and the result that stands below them."""
    headers, actions, result = text.strip().split("\n\n")
    _game, _format, _claim, position = headers.split("\n")
    start = notation.read_position(position.removeprefix("position: "))
    return start, actions.split("\n"), result.removeprefix("result: ")


def replay(position: Position, lines: Iterable[str]) -> Position:
    for number, line in enumerate(lines, 1):
        result = rules.play(position, notation.read_action(line))
        assert not isinstance(result, Refusal), f"action {number}, {line}: {result}"
        position = result.position
    return position


def result_of(position: Position) -> str:
    points = ", ".join(f"{seat} {flags}" for seat, flags in scoring.score(position).items())
    return f"{points}; won by {' and '.join(scoring.winners(position))} in round {position.round}"
