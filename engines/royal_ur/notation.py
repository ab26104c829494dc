"""The Royal Game of Ur in one line of text, for logs and for users: a parser and a printer.

A position is its players with their counters, whose turn it is, the expected action and the dots of the throw ("-" for
none):

    white=off*2,S*2,4,7,home black=off*7 white move 3

Other words follow as key=value where they differ from the default: by=black (the other player decides), thrown=2 (in a
throw-off), dot_chance=0.4, squares=eyes:4,circles:5,... and one path=E3,D3,... for each player.

An action is "roll 3", "move 7", "enter" or "decline".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby

from engines.decode import matched
from engines.kernel import BadRequestError, Json
from engines.royal_ur import codec
from engines.royal_ur.board import HOME, OFF, START
from engines.royal_ur.position import Position

_WORDS = {OFF: "off", START: "S", HOME: "home"}
_NUMBERS = {word: index for index, word in _WORDS.items()}
_COUNTER = re.compile(r"(?P<at>off|S|home|1?[0-9])(?:\*(?P<number>[1-7]))?")
_FORM = re.compile(
    r"(?P<first>[\w-]+)=(?P<one>\S+) (?P<second>[\w-]+)=(?P<other>\S+)"
    r" (?P<turn>\S+) (?P<awaits>[a-z-]+) (?P<dots>[0-3]|-)(?P<rest>(?: [a-z_]+=\S+)*)"
)
_NOTHING_AWAITED = "over"


def write_position(position: Position) -> str:
    """Return a position as text."""
    seats = []
    for seat in position.players:
        runs = ((index, len(list(run))) for index, run in groupby(position.lane(seat)))
        lane = (_WORDS.get(index, str(index)) + (f"*{number}" if number > 1 else "") for index, number in runs)
        seats.append(f"{seat}={','.join(lane)}")
    awaits = _NOTHING_AWAITED if position.awaits is None else position.awaits.value
    dots = "-" if position.dots is None else str(position.dots)
    written = codec.position_to_json(position)
    words = [f"by={position.decides}"] if "decides" in written else []
    words += [f"{key}={written[key]}" for key in ("thrown", "dot_chance") if key in written]
    if "squares" in written:
        words.append("squares=" + ",".join(f"{square.sign}:{square.value}" for square in position.board.squares))
    if "paths" in written:
        words += ["path=" + ",".join(way) for way in position.board.ways]
    return " ".join([*seats, position.turn, awaits, dots, *words])


def read_position(text: str) -> Position:
    """Parse a position; raise `BadRequestError` for any other text."""
    form = matched(_FORM, text, "a position is written as counters, turn, the expected action and dots")
    players = [form["first"], form["second"]]
    lanes = {players[0]: _read_lane(form["one"]), players[1]: _read_lane(form["other"])}
    over = form["awaits"] == _NOTHING_AWAITED
    data: dict[str, Json] = {}
    ways: list[Json] = []
    for word in form["rest"].split():
        key, _, value = word.partition("=")
        if key == "path":
            ways.append(value.split(","))
        elif key in _READERS:
            name, read = _READERS[key]
            data[name] = read(value)
        else:
            raise BadRequestError(f"a position has no {key!r}; there are: {', '.join(_READERS)}, path")
    if ways:
        data["paths"] = dict(zip(players, ways, strict=False))
    return codec.position_from_json(
        {
            "players": players,
            "turn": form["turn"],
            "await": None if over else form["awaits"],
            "dots": None if form["dots"] == "-" else int(form["dots"]),
            "counters": lanes,
            "over": over,
            **data,
        }
    )


def _read_lane(text: str) -> list[int]:
    lane: list[int] = []
    for word in text.split(","):
        counter = matched(_COUNTER, word, 'a counter is written as "off", "S", "7", "home" or "7*2"')
        at = counter["at"]
        lane += [_NUMBERS[at] if at in _NUMBERS else int(at)] * int(counter["number"] or 1)
    return lane


def _read_number(text: str) -> Json:
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text  # which the reader of the position refuses


def _read_squares(text: str) -> Json:
    pairs = (word.partition(":") for word in text.split(","))
    return [{"sign": sign, "value": _read_number(value)} for sign, _, value in pairs]


_READERS: dict[str, tuple[str, Callable[[str], Json]]] = {
    "by": ("decides", str),
    "thrown": ("thrown", _read_number),
    "dot_chance": ("dot_chance", _read_number),
    "squares": ("squares", _read_squares),
}


write_action, read_action = codec.ACTIONS.write, codec.ACTIONS.read
