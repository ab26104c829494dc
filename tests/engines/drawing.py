"""Positions drawn as text, for cases that a person can review: the map from the top row, and the rest of the line.

Each space has the initial of the colour that owns it ("k" for black) and "." if nobody does; the line below is the one
that the game's `notation` writes, without the rows. Royal Tee has a capital under a Royal Tee; Territory has the number
before the initial, and "w" for white: "10r  4.  7w".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from engines.royal_tee import notation as tee
from engines.royal_tee.position import Position as TeePosition
from engines.territory import notation as territory
from engines.territory.position import Position as TerritoryPosition

_INITIALS = {"black": "k"}


def _initials(players: str) -> Mapping[str, str]:
    """Return the initials of the players by the letters of the notation, in either case."""
    seats = [player.partition("@")[0] for player in players.split(",")]
    found = {letter: _INITIALS.get(seat, seat[0]) for letter, seat in zip("abcdef", seats, strict=False)}
    return found | {letter.upper(): initial.upper() for letter, initial in found.items()}


def _rows(words: str, initials: Mapping[str, str]) -> list[str]:
    """Write the rows of a notation, a letter for each space."""
    spread = re.sub(r"\d+", lambda run: "." * int(run[0]), words)
    return "".join(initials.get(letter, letter) for letter in spread).split("/")


def _words(rows: list[str], initials: Mapping[str, str]) -> str:
    """Write drawn rows as a notation has them."""
    letters = {initial: letter for letter, initial in initials.items()}
    drawn = "".join(letters.get(initial, initial) for initial in "/".join(rows))
    return re.sub(r"\.+", lambda run: str(len(run[0])), drawn)


def parse_tee(drawing: str) -> TeePosition:
    *rows, line = drawing.split("\n")
    return tee.read_position(f"{line} {_words(rows, _initials(line.split()[0]))}")


def draw_tee(position: TeePosition) -> str:
    line, _blank, rows = tee.write_position(position).rpartition(" ")
    return "\n".join([*_rows(rows, _initials(line.split()[0])), line])


def parse_territory(drawing: str) -> TerritoryPosition:
    *rows, line = drawing.split("\n")
    words, spaces = line.split(), [re.findall(r"(\d+)([.a-z])", row) for row in rows]
    drawn = _words(["".join(letter for _number, letter in row) for row in spaces], _initials(words[0]))
    table = json.dumps({"grid": {"numbers": [[int(number) for number, _letter in row] for row in spaces]}})
    return territory.read_position(" ".join([*words[:6], drawn, *words[6:], f"table={table.replace(' ', '')}"]))


def draw_territory(position: TerritoryPosition) -> str:
    words = [word for word in territory.write_position(position).split() if not word.startswith("table=")]
    owned = _rows(words.pop(6), _initials(words[0]))
    numbered = zip(owned, position.board.rows(), strict=True)
    rows = [" ".join(f"{n:>2}{at}" for n, at in zip(numbers, row, strict=True)) for row, numbers in numbered]
    return "\n".join([*rows, " ".join(words)])
