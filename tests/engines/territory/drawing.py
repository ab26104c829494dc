"""Positions drawn as text, for cases that a person can review.

The map is drawn from the top row, each space with its number and the colour's initial ("k" for black) of its owner, "w"
for white, or "." for nobody: "10r  4.  7w". Below it stands one fact a line, "key: value": players, turn, round, await,
and where they say something: rolled, card, left, extra, deck, face down, rolls (of the roll-off), cards (as JSON).
"""

from __future__ import annotations

import json
import re

from engines.kernel import Json
from engines.territory import GAME
from engines.territory.position import Position

_INITIALS = {"r": "red", "y": "yellow", "g": "green", "b": "blue", "p": "purple", "k": "black"}
_LETTERS = {seat: letter for letter, seat in _INITIALS.items()}


def parse(drawing: str) -> Position:
    lines = drawing.splitlines()
    rows = [re.findall(r"(\d+)([.rygbpkw])", line) for line in lines if ": " not in line]
    facts = dict(line.split(": ", 1) for line in lines if ": " in line)
    cells = {chr(65 + x) + str(y + 1): letter for y, row in enumerate(rows) for x, (_number, letter) in enumerate(row)}
    now, last = facts.pop("round").split(" of ")
    data: dict[str, Json] = {
        "players": facts.pop("players").split(),
        "turn": facts.pop("turn"),
        "round": int(now),
        "rounds": int(last),
        "owners": {cell: _INITIALS[letter] for cell, letter in cells.items() if letter in _INITIALS},
        "white": [cell for cell, letter in cells.items() if letter == "w"],
        "rolled": [int(number) for number in facts.pop("rolled", "").split()],
        "over": facts["await"] == "nothing",
        "await": facts.pop("await"),
        "card": facts.pop("card", None),
        "deck": [*facts.pop("deck", "").split()],
        "left": int(facts.pop("left", "1")),
        "extra": facts.pop("extra", "no") == "yes",
        "face_down": facts.pop("face down", None),
        "roll_off": _rolls(facts.pop("rolls", "")),
        "cards": json.loads(facts.pop("cards", "[]")),
        "table": {"grid": {"numbers": [[int(number) for number, _letter in row] for row in rows]}},
    }
    assert not facts, drawing
    return GAME.position_from_json(data)


def _rolls(text: str) -> Json:
    pairs = (word.split("=") for word in text.split())
    return {seat: None if roll == "?" else int(roll) for seat, roll in pairs}


def draw(position: Position) -> str:
    facts = {
        "players": " ".join(position.players),
        "turn": position.turn,
        "round": f"{position.round} of {position.setting.rounds}",
        "await": position.awaiting.value,
        **_seldom(position),
    }
    return "\n".join([*_rows(position), *(f"{key}: {value}" for key, value in facts.items())])


def _rows(position: Position) -> list[str]:
    cells = [f"{number:>2}{_letter(position, index)}" for index, number in enumerate(position.board.numbers)]
    columns = position.board.columns
    return [" ".join(cells[first : first + columns]) for first in range(0, len(cells), columns)]


def _letter(position: Position, index: int) -> str:
    if position.white >> index & 1:
        return "w"
    owners = zip(position.players, position.owners, strict=True)
    return next((_LETTERS[seat] for seat, spaces in owners if spaces >> index & 1), ".")


def _seldom(position: Position) -> dict[str, str]:
    roll_off, facts = position.roll_off, dict[str, str]()
    if roll_off is not None:
        rolls = [*map(str, roll_off.rolls), *"?" * len(roll_off.contenders)]
        facts["rolls"] = " ".join(f"{seat}={roll}" for seat, roll in zip(roll_off.contenders, rolls, strict=False))
    facts |= {
        "rolled": " ".join(map(str, position.rolled)),
        "card": position.card or "",
        "left": str(position.left) if position.left > 1 else "",
        "extra": "yes" if position.extra else "",
        "deck": " ".join(position.deck),
        "face down": position.face_down or "",
    }
    return {key: value for key, value in facts.items() if value}
