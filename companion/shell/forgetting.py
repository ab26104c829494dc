"""Taking a person's name out of the journal: out of what users are called, out of seats, and out of imported headers.

At a table without colours seats may have been named after the players: such a seat gets another name in the opening,
in every entry and in the points. Capitals make no difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import count

from companion.games import GAMES
from companion.shell.journal_schema import Connection
from engines.kernel import Json, JsonObject

_SEAT = "player-{number}"


def forget(connection: Connection, name: str) -> int:
    """Take a name out of all games; return in how many games and entries it stood. The caller keeps it together."""
    games = connection.execute("SELECT id, game, opening, scores, headers FROM games").fetchall()
    return sum(_forget_in(connection, name, *game) for game in games)


def _forget_in(  # noqa: PLR0917 - a game's row
    connection: Connection, name: str, number: int, game: str, opening: str, scores: str | None, headers: str | None
) -> int:
    seats = _seats(json.loads(opening), game, name)
    written = [opening, scores, headers]
    kept = [_seated(opening, seats), _seated(scores, seats), _without(headers, name, seats)]
    if kept != written:
        connection.execute("UPDATE games SET opening = ?, scores = ?, headers = ? WHERE id = ?", (*kept, number))
    if seats:  # the positions behind the entries are others now
        connection.execute("UPDATE actions SET position = '' WHERE game = ?", (number,))
    return (kept != written) + _forget_in_entries(connection, number, name, seats)


def _forget_in_entries(connection: Connection, number: int, name: str, seats: Mapping[str, str]) -> int:
    rows = connection.execute("SELECT number, entry FROM actions WHERE game = ?", (number,)).fetchall()
    changed = [(place, new) for place, entry in rows if (new := _nameless(entry, name, seats)) != entry]
    for place, entry in changed:
        connection.execute("UPDATE actions SET entry = ? WHERE game = ? AND number = ?", (entry, number, place))
    return len(changed)


def _same(name: str, other: str) -> bool:
    """Return whether two names are the same; a seat is one word."""
    return "-".join(name.split()).casefold() == "-".join(other.split()).casefold()


def _seats(opening: JsonObject, game: str, name: str) -> Mapping[str, str]:
    """Return what each seat is called from now on; empty if none has the name of the person."""
    players = opening.get("players")
    seats = [*map(str, players)] if isinstance(players, list | dict) else []
    coloured = game in GAMES and bool(GAMES[game].board().colours)
    if coloured or not any(_same(seat, name) for seat in seats):
        return {}
    free = (seat for number in count(1) if (seat := _SEAT.format(number=number)) not in seats)
    return {seat: next(free) if _same(seat, name) else seat for seat in seats}


def _seated(text: str | None, seats: Mapping[str, str]) -> str | None:
    """Return JSON with other names for some seats; the same text where it has none of them."""
    if text is None or not seats:
        return text
    data = json.loads(text)
    renamed = _renamed(data, seats)
    return text if renamed == data else json.dumps(renamed)


def _renamed(data: Json, seats: Mapping[str, str]) -> Json:
    match data:
        case dict():
            by_seat = data.keys() <= seats.keys()  # any other key is no seat, whatever it is called
            return {seats[key] if by_seat else key: _renamed(value, seats) for key, value in data.items()}
        case list():
            return [_renamed(value, seats) for value in data]
        case str():
            return seats.get(data, data)
    return data


def _nameless(entry: str, name: str, seats: Mapping[str, str]) -> str:
    """Return an entry's JSON without the name; the same text where it is not in it."""
    data = json.loads(entry)
    kept = dict(data)
    if isinstance(names := data.get("names"), Mapping):
        kept["names"] = {seat: called for seat, called in names.items() if not _same(str(called), name)}
    new = _renamed(kept, seats)
    return entry if new == data else json.dumps(new)


def _without(headers: str | None, name: str, seats: Mapping[str, str]) -> str | None:
    """Return an imported record's headers without the name: another seat's name for it, or nothing."""
    if headers is None:
        return None
    data = json.loads(headers)
    kept = {key: str(value) for key, value in data.items()}
    for old, new in {**seats, name: ""}.items():
        words = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\w-])", re.IGNORECASE)
        kept = {key: words.sub(new, value) for key, value in kept.items()}
    return headers if kept == data else json.dumps(kept)
