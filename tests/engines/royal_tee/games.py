"""Plays and writes the whole games of the golden folder again: `python -m tests.engines.royal_tee.games`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import TypeAlias

from companion.games.record import GameRecord, write_record
from engines.kernel import Json, JsonObject, Outcome, Seat
from engines.royal_tee import GAME
from engines.royal_tee.position import Action, Position
from engines.royal_tee.search import advise

GAMES = Path(__file__).parents[2] / "golden" / "royal-tee" / "games"

Player: TypeAlias = Callable[[Position, Random], Action]


def as_advised(position: Position, random: Random) -> Action:
    advice = advise(position)
    return advice.action if advice else GAME.any_action(position, random)


def to_and_fro(position: Position, random: Random) -> Action:
    """Walk as advised, but one time in three somewhere: long games with much taken back."""
    return GAME.any_action(position, random) if random.random() < 1 / 3 else as_advised(position, random)


_OAK_AND_ELM: list[Json] = [
    {"colour": "oak", "side": "left", "start": "A1"},
    {"colour": "elm", "side": "right", "start": "L12"},
]
_WHAT: Mapping[str, tuple[str, JsonObject, list[Player]]] = {
    "two-at-random": ("red green", {}, [GAME.any_action]),
    "other-two-at-random": ("blue yellow", {}, [GAME.any_action]),
    "four-at-random": ("red blue green yellow", {}, [GAME.any_action]),
    "advised-against-random": ("red green", {}, [as_advised, GAME.any_action]),
    "random-against-advised": ("blue yellow", {}, [GAME.any_action, as_advised]),
    "both-advised": ("red green", {}, [as_advised]),
    "four-partly-advised": ("red blue green yellow", {}, [as_advised, to_and_fro]),
    "other-copy": ("oak elm", {"seats": _OAK_AND_ELM}, [to_and_fro]),
}
_MOST_TURNS = 400


def play(names: str, options: JsonObject, players: list[Player], seed: int) -> GameRecord:
    start = position = GAME.new([Seat(name) for name in names.split()], options, seed)
    random, actions = Random(seed), list[Action]()
    while not position.over and len(actions) < _MOST_TURNS:
        action = players[len(actions) % len(players)](position, random)
        outcome = GAME.play(position, action)
        assert isinstance(outcome, Outcome)
        position = outcome.position
        actions.append(action)
    headers = {"players": names, "options": json.dumps(options)}
    result = GAME.score(position) if position.over else None
    return GameRecord(GAME.name, headers, start, tuple(actions), result)


def main() -> None:
    GAMES.mkdir(exist_ok=True)
    for seed, (name, (names, options, players)) in enumerate(_WHAT.items(), 1):
        (GAMES / f"{name}.txt").write_text(write_record(play(names, options, players, seed)), "utf-8")


if __name__ == "__main__":
    main()
