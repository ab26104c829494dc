"""Territory in one line of text, for logs and for users: a parser and a printer for positions and actions.

A position is seven words: players, whose turn it is, round and number of rounds, expected action, numbers rolled,
the active card, and the rows of the map from the top, in which "a" is a space of the first player, "b" one of the
second and so on, "w" a white one, and a number that many empty ones; "-" stands for nothing. Words of the form
key=value follow for the rest: the deck, pieces left to place, an extra roll, the face-down card, the roll-off, another
map, other colours, own cards (as JSON without blanks):

    red,yellow,green yellow 2/8 choose 8.4.7 calm 6w1/8/a2w4/3w4/8/8/2b5/8 deck=truce,flood face_down=mirror

An action is "roll 3 4", "again", "stop", "place C4" or "capture C4".
"""

from __future__ import annotations

import json
import re

from engines.decode import matched, only_keys, parse_json
from engines.grid import EMPTY
from engines.kernel import BadRequestError, Json
from engines.schema import read
from engines.territory.codec import ACTIONS, position_from_json, position_to_json
from engines.territory.position import Position
from engines.territory.set_up import TableFile, table_of

_FORM = re.compile(
    r"(?P<players>\S+) (?P<turn>\S+) (?P<round>[0-9]{1,3})/(?P<rounds>[0-9]{1,3}) (?P<await>\S+) "
    r"(?P<rolled>[0-9.]+|-) (?P<card>\S+) (?P<rows>[a-fw0-9/]+)(?P<more>( [a-z_]+=\S*)*)"
)
_WHITE, _NOTHING, _OVER = "w", "-", "over"
_LETTERS = "abcdef"
_MORE = ("deck", "left", "extra", "face_down", "roll_off", "table", "cards")


def write_position(position: Position) -> str:
    """Return a position as text."""
    rolled = ".".join(map(str, position.rolled)) or _NOTHING
    awaiting = _OVER if position.over else position.awaiting
    letters = []
    for space in (1 << index for index in range(len(position.board.numbers))):
        owner = next((_LETTERS[place] for place, owned in enumerate(position.owners) if owned & space), EMPTY)
        letters.append(_WHITE if space & position.white else owner)
    words = [
        ",".join(position.players),
        position.turn,
        f"{position.round}/{position.setting.rounds}",
        awaiting,
        rolled,
        position.card or _NOTHING,
        position.board.write_rows(letters),
    ]
    data = position_to_json(position)
    more = [f"{key}={_write_value(data[key])}" for key in _MORE if data.get(key, []) != []]
    return " ".join([*words, *more])


def _write_value(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return ",".join(value)
    return json.dumps(value, separators=(",", ":"))


def read_position(text: str) -> Position:
    """Parse a position; raise `BadRequestError` for any other text."""
    form = matched(_FORM, text, "a position is written as players, turn, round, ..., and rows")
    words = form["more"].split()
    pairs = dict(word.split("=", 1) for word in words)
    only_keys(pairs, _MORE, "the end of a position's line")
    more: dict[str, Json] = {
        key: pairs[key] if key == "face_down" else parse_json(pairs[key], f"what follows {key}=")
        for key in pairs
        if key != "deck"
    }
    board, _colours = table_of(read(more["table"], TableFile, '"table"') if "table" in more else None)
    players = form["players"].split(",")
    letters = board.read_rows(form["rows"])
    mine = {_LETTERS[place]: player for place, player in enumerate(players[: len(_LETTERS)])}
    if unknown := set(letters) - {*mine, EMPTY, _WHITE}:
        raise BadRequestError(f"the rows name {min(unknown)!r}, but only {len(players)} play")
    return position_from_json({
        "players": players,
        "turn": form["turn"],
        "round": int(form["round"]),
        "rounds": int(form["rounds"]),
        "owners": {name: mine[letter] for name, letter in zip(board.names, letters, strict=True) if letter in mine},
        "white": [name for name, letter in zip(board.names, letters, strict=True) if letter == _WHITE],
        "rolled": list(map(int, re.findall("[0-9]{1,3}", form["rolled"]))),
        "await": form["await"],
        "card": None if form["card"] == _NOTHING else form["card"],
        "over": form["await"] == _OVER,
        "deck": pairs["deck"].split(",") if "deck" in pairs else [],
        **more,
    })  # fmt: skip


write_action, read_action = ACTIONS.write, ACTIONS.read
