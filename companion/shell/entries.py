"""Journal entries as JSON, and back."""

from __future__ import annotations

from companion.core.messages import Entry, Mode, ModeSet, PendingPlacement, Played, Put, Undone
from engines.kernel import Cell, Json, JsonObject


def entry_to_json(entry: Entry) -> JsonObject:
    """Write an entry: {"played": action, "open": [[cell, put, instead], ...]}, {"put": [cell, ...]}, and so on."""
    match entry:
        case Played(action, todo):
            return {"played": action, "open": [[item.cell, item.expected, item.observed] for item in todo]}
        case Put(cells):
            return {"put": list(cells)}
        case ModeSet(mode):
            return {"mode": mode.value}
        case Undone():
            return {"undone": True}


def entry_from_json(data: Json) -> Entry:
    """Read an entry.

    Raises:
        ValueError: it is none.
    """
    match data:
        case {"played": dict(action), "open": [*todo]}:
            return Played(action, tuple(_todo(item) for item in todo))
        case {"put": [*cells]}:
            return Put(tuple(Cell(str(cell)) for cell in cells))
        case {"mode": str(mode)}:
            return ModeSet(Mode(mode))
        case {"undone": True}:
            return Undone()
    message = f"no journal entry: {data}"
    raise ValueError(message)


def _todo(data: Json) -> PendingPlacement:
    match data:
        case [str(cell), str(put), str(instead)]:
            return PendingPlacement(Cell(cell), put, instead)
    message = f"nothing left to do on a table: {data}"
    raise ValueError(message)
