"""Royal Tee in one line of text, for logs and for users: a parser and its printer for positions and actions.

A position is four words: the players with their zones in turn order, whose turn it is, the slider, and the rows of the
board from the top. In a row "a" is a space of the first player and "A" the one under their Royal Tee, "b" and "B" the
second's and so on; a number stands for that many unclaimed spaces:

    red@bottom,green@top red 2 6B5/12/12/12/12/12/12/12/12/12/5a6/5A6

An action is "pass", or the spaces stepped on: "F11 F10 E10".
"""

from __future__ import annotations

import re

from engines.grid import CellIndex, set_of
from engines.kernel import BadRequestError, Cell, Seat
from engines.royal_tee.board import GRID, SIZE, Side
from engines.royal_tee.position import FIRST_SLIDER, LAST_SLIDER, UNCLAIMED, Action, Pass, Position, Walk, check_seats

_FORM = re.compile(r"(?P<seats>\S+) (?P<turn>\S+) (?P<slider>[0-9]) (?P<rows>[a-dA-D0-9/]+)")
_SEAT = re.compile(r"(?P<seat>[^@]+)@(?P<zone>bottom|right|top|left)")


def write_position(position: Position) -> str:
    """Write a position."""
    seats = ",".join(f"{seat}@{zone}" for seat, zone in zip(position.players, position.zones, strict=True))
    letters = [position.letter(CellIndex(index)) for index in range(SIZE * SIZE)]
    return f"{seats} {position.turn} {position.slider} {GRID.write_rows(letters)}"


def read_position(text: str) -> Position:
    """Parse a position; raise `BadRequestError` for any other text."""
    form = _FORM.fullmatch(text)
    if form is None:
        raise BadRequestError(f"a position is written as players, turn, slider and rows, not {text[:40]!r}")
    seats = []
    for word in form["seats"].split(","):
        seat = _SEAT.fullmatch(word)
        if seat is None:
            raise BadRequestError(f'a player is written as "red@bottom", not {word[:40]!r}')
        seats.append((Seat(seat["seat"]), Side(seat["zone"])))
    players, zones = tuple(seat for seat, _ in seats), tuple(zone for _, zone in seats)
    check_seats(players, zones)
    if form["turn"] not in players or not FIRST_SLIDER <= int(form["slider"]) <= LAST_SLIDER:
        raise BadRequestError(f"turn {form['turn']!r} or slider {form['slider']} is not possible")
    letters = GRID.read_rows(form["rows"])
    mine = "abcd"[: len(players)]
    if not set(letters) <= {*mine, *mine.upper(), UNCLAIMED}:
        raise BadRequestError(f"the rows name more players than the {len(players)} who play")
    royals = []
    for royal in mine.upper():
        if letters.count(royal) != 1:
            raise BadRequestError(f"there must be one {royal} on the board, not {letters.count(royal)}")
        royals.append(CellIndex(letters.index(royal)))
    return Position(
        players=players,
        turn=Seat(form["turn"]),
        slider=int(form["slider"]),
        royals=tuple(royals),
        claimed=tuple(set_of(CellIndex(i) for i, at in enumerate(letters) if at.lower() == letter) for letter in mine),
        zones=zones,
    )


def write_action(action: Action) -> str:
    """Write an action."""
    return "pass" if isinstance(action, Pass) else " ".join(action.cells)


def read_action(text: str) -> Action:
    """Parse what `write_action` wrote, without checking the spaces."""
    return Pass() if text == "pass" else Walk(tuple(Cell(name) for name in text.split()))
