"""Whole games as text for review: headers, one action a line, the result."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from engines.kernel import Event, JsonObject, Outcome, Seat
from engines.royal_ur import GAME, notation
from engines.royal_ur.position import Action, Position


def write(about: str, players: Sequence[str], options: JsonObject, actions: Sequence[Action]) -> str:
    headers = [f"game: {GAME.name}", "format: 2", f"about: {about}", f"players: {' '.join(players)}"]
    lines = [notation.write_action(action) for action in actions]
    end, _events = replay(_new(players, options), actions)
    return "\n".join([*headers, f"options: {json.dumps(options)}", *lines, f"result: {_result(end)}", ""])


def _new(players: Sequence[str], options: JsonObject) -> Position:
    return GAME.new([Seat(name) for name in players], options, 0)


def _result(position: Position) -> str:
    return " ".join(f"{seat} {points}" for seat, points in GAME.score(position).items())


def replay(position: Position, actions: Iterable[Action]) -> tuple[Position, list[Event]]:
    events: list[Event] = []
    for action in actions:
        outcome = GAME.play(position, action)
        assert isinstance(outcome, Outcome), (notation.write_position(position), action, outcome)
        position, events = outcome.position, [*events, *outcome.events]
    return position, events


def _read(text: str) -> tuple[dict[str, str], list[Action]]:
    lines = text.splitlines()
    headers = dict(line.split(": ", 1) for line in lines if ": " in line)
    return headers, [notation.read_action(line) for line in lines if ": " not in line]


def rewritten(text: str) -> str:
    """Read a record and write it again, the result being what the engine makes of the actions."""
    headers, actions = _read(text)
    return write(headers["about"], headers["players"].split(), json.loads(headers["options"]), actions)


def events_of(text: str) -> list[Event]:
    headers, actions = _read(text)
    return replay(_new(headers["players"].split(), json.loads(headers["options"])), actions)[1]
