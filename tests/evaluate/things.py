"""What is on or over a careless players' table besides the game: things, and a second hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from math import cos, sin
from typing import Any

from companion.simulator.hands import Hand, Script, Tabletop, Waypoint, hand_at
from vision.board import Point
from vision.simulation.scene import Box, Mug, Occluder

_PHONE_MM = (72.0, 148.0, 8.0)


@dataclass(frozen=True, slots=True)
class Thing:
    """An object that is not part of the game: "mug", "phone", "glass", "die" or "crumbs", and its middle in mm."""

    kind: str
    at_mm: Point


@dataclass(frozen=True)
class CarelessTabletop(Tabletop):
    """A table with a second hand, or with a thing."""

    guest: Hand | None = None
    thing: Thing | None = None

    @property
    def hands(self) -> tuple[Hand, ...]:
        """All hands over the board."""
        return (*super().hands, *(() if self.guest is None else (self.guest,)))


@dataclass(frozen=True)
class CarelessScript(Script):
    """A move by hand, with a second hand or a thing.

    Attributes:
        guest: the way of a second hand.
        guest_side: the side of the table that this one comes from.
        thing: an object on or beside the board.
        thing_s: when it comes and goes.
    """

    guest: tuple[Waypoint, ...] = ()
    guest_side: str = "top"
    thing: Thing | None = None
    thing_s: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def of(cls, script: Script, **changes: Any) -> CarelessScript:
        """Return a script with other values."""
        return cls(**{**_values(script), **changes})

    @property
    def ends_s(self) -> float:
        """The time when the last hand has left."""
        return max(super().ends_s, self.guest[-1].at_s if self.guest else 0.0)

    def at(self, time_s: float) -> Tabletop:
        """Return the table at a moment."""
        table, guest = super().at(time_s), hand_at(self.guest, self.guest_side, time_s)
        thing = self.thing if self.thing_s[0] <= time_s < self.thing_s[1] else None
        if guest is None and thing is None:
            return table
        return CarelessTabletop(**_values(table), guest=guest, thing=thing)


def _values(value: Script | Tabletop) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def thing_on(table: Tabletop) -> Thing | None:
    """Return the thing on or beside a table."""
    return table.thing if isinstance(table, CarelessTabletop) else None


def bodies(thing: Thing) -> Iterator[Occluder]:
    """Yield the bodies of a thing."""
    x, y = thing.at_mm
    match thing.kind:
        case "mug":
            yield Mug(x, y, 0.0, 38.0, 90.0, (180, 60, 50))
        case "glass":
            yield Mug(x, y, 0.0, 32.0, 110.0, (205, 214, 218))
        case "die":
            yield Box(x, y, 0.0, (16.0, 16.0, 16.0), 0.5, (235, 230, 215))
        case "crumbs":
            for number in range(7):
                angle = 2.4 * number
                at = (x + 3.0 * number * cos(angle), y + 3.0 * number * sin(angle))
                yield Box(*at, 0.0, (2.5, 2.0, 1.5), angle, (150, 105, 60))
        case _:
            yield Box(x, y, 0.0, _PHONE_MM, 0.2, (25, 25, 28))
