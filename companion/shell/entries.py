"""Journal entries as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.entries import (
    Adopted,
    Arranged,
    Calibrated,
    ClockStopped,
    Ended,
    Entry,
    ModeSet,
    Played,
    Put,
    Redone,
    Undone,
)
from companion.core.verdicts import ActionSource, Mode, PendingPlacement
from engines.kernel import Cell, Json, JsonObject, Level, Seat


def entry_to_json(entry: Entry) -> JsonObject:  # noqa: PLR0911 - one line an entry
    """Write an entry: {"played": action, "open": [[cell, expected, observed], ...]}, {"put": [cell, ...]}, and so on.

    An action that the camera saw has no "by"; one after which no clock runs has no "remaining".
    """
    match entry:
        case Played(action, todo, source, remaining_s):
            by = {} if source is ActionSource.CAMERA else {"by": source.value}
            return {"played": action, "open": _open(todo), **by, **_remaining(remaining_s)}
        case Redone(todo, remaining_s):
            return {"redone": True, "open": _open(todo), **_remaining(remaining_s)}
        case Put(cells):
            return {"put": list(cells)}
        case ModeSet(mode):
            return {"mode": mode.value}
        case Undone():
            return {"undone": True}
        case ClockStopped(remaining_s):
            return {"clock": remaining_s}
        case Adopted(position):
            return {"adopted": position}
        case Ended():
            return {"ended": True}
        case Arranged(names, seats, dice):
            called = {str(seat): name for seat, name in names.items()}
            return {"names": called, "companion": list(seats), "dice": dice, **_agreed(entry)}
        case Calibrated(tones, anew):
            return {"calibrated": _by_cell(tones), **({"anew": True} if anew else {})}


def _by_cell(tones: Mapping[tuple[Cell, str], tuple[float, ...]]) -> JsonObject:
    """Write tones as {cell: {label: [brightness, red to green, yellow to blue]}}."""
    cells: dict[str, dict[str, Json]] = {}
    for (cell, label), tone in tones.items():
        cells.setdefault(cell, {})[label] = list(tone)
    return dict(cells)


def _agreed(entry: Arranged) -> JsonObject:
    """Write options, language, camera, panel and levels, where there are any."""
    options: JsonObject = {"options": dict(entry.options)} if entry.options else {}
    words = {"language": entry.language, "camera": entry.camera, "panel": entry.panel}
    levels: JsonObject = {str(seat): level.value for seat, level in entry.levels.items()}
    return {**options, **{key: word for key, word in words.items() if word}, **({"levels": levels} if levels else {})}


def _open(todo: tuple[PendingPlacement, ...]) -> list[Json]:
    return [[item.cell, item.expected, item.observed] for item in todo]


def _remaining(remaining_s: float | None) -> JsonObject:
    return {} if remaining_s is None else {"remaining": round(remaining_s, 3)}


def entry_from_json(data: Json) -> Entry:  # noqa: PLR0911 - one line an entry
    """Read an entry.

    Raises:
        ValueError: it is not valid.
    """
    match data:
        case {"played": dict(action), "open": [*todo], **rest}:
            source = ActionSource(str(rest.get("by", ActionSource.CAMERA.value)))
            return Played(action, _todos(todo), source, _seconds(rest.get("remaining")))
        case {"redone": True, "open": [*todo], **rest}:
            return Redone(_todos(todo), _seconds(rest.get("remaining")))
        case {"put": [*cells]}:
            return Put(tuple(Cell(str(cell)) for cell in cells))
        case {"mode": str(mode)}:
            return ModeSet(Mode(mode))
        case {"undone": True}:
            return Undone()
        case {"clock": int() | float() as remaining_s}:
            return ClockStopped(float(remaining_s))
        case {"adopted": dict(position)}:
            return Adopted(position)
        case {"ended": True}:
            return Ended()
        case {"names": dict(names), "companion": [*seats], "dice": str(dice), **rest}:
            called = {Seat(str(seat)): str(name) for seat, name in names.items()}
            options, words = rest.get("options"), [str(rest.get(key, "")) for key in ("language", "camera", "panel")]
            agreed = options if isinstance(options, dict) else {}
            own = tuple(Seat(str(seat)) for seat in seats)
            language, camera, panel = words
            return Arranged(called, own, dice, agreed, language, camera, _levels(rest.get("levels")), panel)
        case {"calibrated": dict(cells), **rest}:
            return Calibrated(_tones(cells), anew=bool(rest.get("anew", False)))
    message = f"no journal entry: {data}"
    raise ValueError(message)


def _levels(data: object) -> Mapping[Seat, Level]:
    levels = data if isinstance(data, Mapping) else {}
    return {Seat(str(seat)): Level(str(level)) for seat, level in levels.items()}


def _tones(cells: JsonObject) -> dict[tuple[Cell, str], tuple[float, ...]]:
    looks = [(cell, labels) for cell, labels in cells.items() if isinstance(labels, Mapping)]
    return {(Cell(cell), label): _tone(tone) for cell, labels in looks for label, tone in labels.items()}


def _tone(data: Json) -> tuple[float, ...]:
    match data:
        case [int() | float() as light, int() | float() as red, int() | float() as yellow]:
            return float(light), float(red), float(yellow)
    message = f"no tone of a piece: {data}"
    raise ValueError(message)


def _todos(data: list[Json]) -> tuple[PendingPlacement, ...]:
    return tuple(_todo(item) for item in data)


def _todo(data: Json) -> PendingPlacement:
    match data:
        case [str(cell), str(expected), str(observed)]:
            return PendingPlacement(Cell(cell), expected, observed)
    message = f"nothing left to do on a table: {data}"
    raise ValueError(message)


def _seconds(data: object) -> float | None:
    return float(data) if isinstance(data, int | float) else None
