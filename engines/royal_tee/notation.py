"""Royal Tee in one line of text, for logs and for users: a parser and its printer for positions and actions.

A position is four words: the players with their zones in turn order, whose turn it is, the slider, and the rows of the
board from the top. In a row "a" is a space of the first player and "A" the one under their Royal Tee, "b" and "B" the
second's and so on; a number stands for that many unclaimed spaces:

    red@bottom,green@top red 2 6B5/12/12/12/12/12/12/12/12/12/5a6/5A6

An action is "pass", or the spaces stepped on: "F11 F10 E10".
"""

from __future__ import annotations

import re

from engines.decode import matched
from engines.grid import CellIndex
from engines.kernel import BadRequestError, Cell
from engines.royal_tee.board import GRID, SIZE
from engines.royal_tee.codec import position_from_json
from engines.royal_tee.position import UNCLAIMED, Action, Pass, Position, Walk

_FORM = re.compile(r"(?P<seats>\S+) (?P<turn>\S+) (?P<slider>[0-9]) (?P<rows>[a-dA-D0-9/]+)")
_SEAT = re.compile(r"(?P<seat>[^@]+)@(?P<zone>bottom|right|top|left)")


def write_position(position: Position) -> str:
    """Write a position."""
    seats = ",".join(f"{seat}@{zone}" for seat, zone in zip(position.players, position.zones, strict=True))
    letters = [position.letter(CellIndex(index)) for index in range(SIZE * SIZE)]
    return f"{seats} {position.turn} {position.slider} {GRID.write_rows(letters)}"


def read_position(text: str) -> Position:
    """Parse a position; raise `BadRequestError` for any other text."""
    form = matched(_FORM, text, "a position is written as players, turn, slider and rows")
    found = (matched(_SEAT, word, 'a player is written as "red@bottom"') for word in form["seats"].split(","))
    seats = [(seat["seat"], seat["zone"]) for seat in found]
    letters = GRID.read_rows(form["rows"])
    players = {letter: seat for letter, (seat, _zone) in zip("abcd", seats, strict=False)}
    if not set(letters) <= {*players, *map(str.upper, players), UNCLAIMED}:
        raise BadRequestError(f"the rows name more players than the {len(seats)} who play")
    for letter in map(str.upper, players):
        if letters.count(letter) != 1:
            raise BadRequestError(f"there must be one {letter} on the board, not {letters.count(letter)}")
    spaces = list(zip(GRID.names, letters, strict=True))
    return position_from_json({
        "players": [seat for seat, _zone in seats],
        "turn": form["turn"],
        "slider": int(form["slider"]),
        "royals": {seat: GRID.names[letters.index(letter.upper())] for letter, seat in players.items()},
        "claimed": {seat: [name for name, at in spaces if at.lower() == letter] for letter, seat in players.items()},
        "over": UNCLAIMED not in letters,
        "zones": dict(seats),
    })  # fmt: skip


def write_action(action: Action) -> str:
    """Write an action."""
    return "pass" if isinstance(action, Pass) else " ".join(action.cells)


def read_action(text: str) -> Action:
    """Parse what `write_action` wrote, without checking the spaces."""
    return Pass() if text == "pass" else Walk(tuple(Cell(name) for name in text.split()))
