"""Journal entries: exactly what is needed to replay a game through `step`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.core.verdicts import Action, ActionSource, Mode, PendingPlacement, Position
from engines.kernel import Cell, JsonObject, Level, Seat


@dataclass(frozen=True, slots=True)
class Played:
    """An accepted action in the protocol's form.

    `open` is what it leaves to do on the table, `remaining_s` the time left on the clock, None if no clock runs.
    """

    action: JsonObject
    open: tuple[PendingPlacement, ...] = ()
    source: ActionSource = ActionSource.CAMERA
    remaining_s: float | None = None


@dataclass(frozen=True, slots=True)
class Put:
    """The players made the pending placements on these cells."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """The last accepted action was taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """The action taken back last was played again; the fields are those of `Played`."""

    open: tuple[PendingPlacement, ...] = ()
    remaining_s: float | None = None


@dataclass(frozen=True, slots=True)
class ModeSet:
    """The players chose when a move is judged."""

    mode: Mode


@dataclass(frozen=True, slots=True)
class ClockStopped:
    """Play paused with this time left on the clock."""

    remaining_s: float


@dataclass(frozen=True, slots=True)
class Adopted:
    """The players declared the table the new truth; `position` is in the protocol's form."""

    position: JsonObject


@dataclass(frozen=True, slots=True)
class Ended:
    """The players ended the game and counted before its rules did."""


@dataclass(frozen=True, slots=True)
class Arranged:
    """The agreed seats and options; the next evening begins with them unless the players change them.

    Attributes:
        names: the players' names, by seat.
        companion_seats: the seats that the companion plays.
        dice: how dice are thrown.
        options: the game's options that are not as usual, in the protocol's form.
        language: the code of the language chosen at the table, "" if none was chosen.
        camera: the camera that the game was begun with, as on the command line, without a password; "" if the players
            typed.
        levels: how well the companion plays the seats that are its own from the start; those of players who left have
            no level, and are played at the level agreed for the evening.
        panel: the panel that the game was begun with, as on the command line; "" if that is not known.
    """

    names: Mapping[Seat, str] = field(default_factory=dict)
    companion_seats: tuple[Seat, ...] = ()
    dice: str = "button"
    options: JsonObject = field(default_factory=dict)
    language: str = ""
    camera: str = ""
    levels: Mapping[Seat, Level] = field(default_factory=dict)
    panel: str = ""

    def person(self, seat: Seat) -> str:
        """Return who plays a seat from game to game: the name, or the seat if it has none or shares it."""
        name = self.names.get(seat, "")
        return seat if not name or is_shared(name, self.names) else name


def folded(name: str) -> str:
    """Return a name as names are compared: without capitals, with hyphens for spaces, as a seat has them."""
    return "-".join(name.split()).casefold()


def is_shared(name: str, names: Mapping[Seat, str]) -> bool:
    """Return whether several seats have this name."""
    return [*map(folded, names.values())].count(folded(name)) > 1


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Colours of pieces on this table in this light, which the players agreed to keep.

    Attributes:
        tones: by cell and label: brightness, red to green and yellow to blue, in shares of white.
        replaces: the table or its light has changed, so colours kept earlier are no longer valid.
    """

    tones: Mapping[tuple[Cell, str], tuple[float, ...]]
    replaces: bool = False


Entry: TypeAlias = Played | Put | Undone | Redone | ModeSet | ClockStopped | Adopted | Ended | Arranged | Calibrated


def standing(entries: Iterable[Entry]) -> list[Played | Adopted | Ended]:
    """Return what was played, adopted and ended and not taken back since, in the order of a replay."""
    past: list[Played | Adopted | Ended] = []
    future: list[Played] = []
    for entry in entries:
        match entry:
            case Played() | Adopted():
                past.append(entry)
                future.clear()
            case Ended():
                past.append(entry)
            case Undone() if past and isinstance(last := past.pop(), Played):
                future.append(last)
            case Redone() if future:
                past.append(future.pop())
    return past


@dataclass(frozen=True, slots=True)
class Advised:
    """The adviser's answer to `Advise`; `action` is None if there is nothing to advise."""

    action: Action | None
    code: str
    numbers: Mapping[str, float]
    position: Position
    at_ns: int
