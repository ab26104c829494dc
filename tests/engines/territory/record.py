"""Whole games as text: headers "key: value", one action a line, and what came of it as the last line.

`python -m tests.engines.territory.record` plays and writes the games of the golden folder again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from engines.kernel import Json, JsonObject, Outcome, Seat
from engines.territory import GAME, notation, scoring, search
from engines.territory.position import Action, Position
from tests.engines.territory.strategies import random_action

GAMES = Path(__file__).parents[2] / "golden" / "territory" / "games"


def start(headers: dict[str, str]) -> Position:
    """Set up the game that the headers describe."""
    assert headers["game"] == GAME.name
    players = [Seat(name) for name in headers["players"].split()]
    return GAME.new(players, json.loads(headers["options"]), int(headers["seed"]))


def read(text: str) -> tuple[dict[str, str], list[str], str]:
    """Take a record apart: headers, actions, result."""
    lines = text.splitlines()
    headers = dict(line.split(": ", 1) for line in lines[:-1] if ": " in line)
    return headers, [line for line in lines if ": " not in line], lines[-1]


def replay(headers: dict[str, str], actions: Iterable[str]) -> Position:
    """Play the actions; each must be legal."""
    position = start(headers)
    for line in actions:
        outcome = GAME.play(position, notation.read_action(line))
        assert isinstance(outcome, Outcome), (line, outcome)
        position = outcome.position
    return position


def result(position: Position) -> str:
    points = " ".join(f"{seat}={score}" for seat, score in GAME.score(position).items())
    return f"result: {points}; winners {' '.join(scoring.winners(position))}"


def play(headers: dict[str, str], decide: Callable[[Position, Random], Action]) -> str:
    """Play a game from its headers and give its record."""
    position, random = start(headers), Random(int(headers["seed"]))
    lines = [f"{key}: {value}" for key, value in headers.items()]
    while not position.over:
        action = decide(position, random)
        lines.append(notation.write_action(action))
        outcome = GAME.play(position, action)
        assert isinstance(outcome, Outcome)
        position = outcome.position
    return "\n".join([*lines, result(position)]) + "\n"


def as_advised(position: Position, random: Random) -> Action:
    advice = search.advise(position)
    return advice.action if advice else random_action(position, random)


_OWN_DECK: list[Json] = [
    "mirror",
    {"id": "fair", "free_rolls": 1, "doubled": [6, 8], "captures": "then-roll"},
    {"id": "storm", "free_rolls": -1, "most_rolls": 4, "closed": [2, 12], "reversed": True},
    "mercy",
]
_OTHER_TABLE: JsonObject = {
    "grid": {"numbers": [[7, 6, 8, 5], [9, 4, 10, 7], [3, 11, 7, 2], [12, 6, 8, 7]]},
    "seat": [{"colour": colour} for colour in ("oak", "ash", "elm", "fir")],
}
_WHAT: dict[str, tuple[str, JsonObject, Callable[[Position, Random], Action]]] = {
    "three-players": ("red yellow green", {}, random_action),
    "three-players-as-advised": ("blue purple black", {"roll_off": True}, as_advised),
    "four-players-with-roll-off": ("red green blue black", {"roll_off": True}, random_action),
    "five-players": ("red yellow green blue purple", {}, random_action),
    "six-players": ("red yellow green blue purple black", {"roll_off": True}, random_action),
    "nine-by-eight": ("yellow blue black", {"map": "nine-by-eight"}, random_action),
    "nine-by-eight-as-advised": ("red yellow green blue", {"map": "nine-by-eight"}, as_advised),
    "no-cards": ("red yellow green", {"deck": []}, random_action),
    "own-deck-in-order": ("green red blue", {"deck": _OWN_DECK, "shuffle": False, "rounds": 5}, random_action),
    "small-table-of-other-colours": ("oak elm fir", {"table": _OTHER_TABLE, "rounds": 3}, random_action),
}


def main() -> None:
    for seed, (name, (players, options, decide)) in enumerate(_WHAT.items(), 1):
        headers = {
            "game": GAME.name,
            "format": "2",
            "players": players,
            "seed": str(seed),
            "options": json.dumps(options),
        }
        (GAMES / f"{name}.txt").write_text(play(headers, decide), "utf-8")


if __name__ == "__main__":
    main()
