"""Actions and their consequences as lines for users; a table as text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace
from rich.text import Text

from companion.games import GAMES
from companion.games.bundle import Turn
from companion.games.captions import extras_of
from companion.games.speech import SPEECHES, story
from companion.printing.board_svg import board_svg
from companion.ui.board_text import BoardLook, board_text
from companion.ui.names import NO_NAMES, Names
from companion.ui.words import with_rule
from engines.kernel import Json, Refusal
from vision.board import Board, Grid, SeatPlace


def story_line(game: str, turn: Turn, names: Names = NO_NAMES) -> str:
    """Return an action as its number and its consequences, or the reason why it is forbidden."""
    return f"{turn.number:>4}  {turn_story(game, turn, names)}"


def turn_story(game: str, turn: Turn, names: Names = NO_NAMES) -> str:
    """Return the consequences of an action, or the reason why it is forbidden, in sentences."""
    if isinstance(turn.outcome, Refusal):
        return with_rule(SPEECHES[game].refusal(turn.before, turn.action, turn.outcome, names), turn.outcome.rule)
    return story(game, turn.by, turn.action, turn.events, names)


def fact(value: Json) -> str:
    """Format a fact of an event or of a position."""
    if isinstance(value, Mapping):
        return " ".join(f"{name}: {fact(part)}" for name, part in value.items()) or "-"
    if isinstance(value, list | tuple):
        return " ".join(map(fact, value)) or "-"
    return value if isinstance(value, str) else json.dumps(value)


def drawn(game: str, position: Any) -> Text | None:
    """Draw the table that ships, or the position's own grid; None if the game has no readable table."""
    table = shipped_table(game, position)
    return None if table is None else board_text(table.board, table.labels, look=table.look)


def drawn_svg(game: str, position: Any) -> str | None:
    """Draw the same table as SVG; None if the game has no readable table."""
    table = shipped_table(game, position)
    return None if table is None else board_svg(table.board, table.labels, table.look)


@dataclass(frozen=True, slots=True)
class Table:
    """A position on its table: the file that ships, the label of each cell, and what is drawn in addition."""

    board: Board
    labels: Mapping[str, str]
    look: BoardLook


def shipped_table(game: str, position: Any) -> Table | None:
    """Return a position on the table that ships, or on its own grid; None if the game has no readable table."""
    if game not in GAMES:
        return None
    adaptor = GAMES[game]
    board = adaptor.board()
    match adaptor.engine.position_to_json(position).get("table"):
        # a grid and colours of its own fill the same part of the table; a colour that ours lacks is grey
        case {"grid": {"columns": int(columns), "rows": int(rows), "numbers": list(numbers)}, "seat": list(seats)}:
            width, height = (size - 2 * start for size, start in zip(board.size, board.grid.origin, strict=True))
            printed, pitch = tuple(map(tuple, numbers)), (width / columns, height / rows)
            grid = Grid(columns=columns, rows=rows, origin=board.grid.origin, pitch=pitch, numbers=printed)
            ours = {seat.colour: seat for seat in board.seat}
            colours = [str(seat["colour"]) for seat in seats if isinstance(seat, Mapping)]
            places = [ours.get(colour) or SeatPlace(colour=colour, rgb=_GREY) for colour in colours]
            board = replace(board, grid=grid, seat=tuple(places))
    labels = {str(cell): label for cell, label in adaptor.placement(position).items()}
    fits = {*board.cells} <= labels.keys() <= {*board.places} and {*labels.values()} <= {*board.label_words}
    if not fits:
        return None
    return Table(board, labels, extras_of(game, position, board, NO_NAMES))


_GREY = (128, 128, 128)
