"""Positions and actions of Royal Tee as frozen values, and the set-up (RULES.md, section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engines.decode import check_names, quote
from engines.grid import EMPTY, Bitboard, CellIndex, bit
from engines.kernel import BadRequestError, Cell, JsonObject, Seat
from engines.royal_tee.board import ALL_SPACES, SIZE, Side, cell_index, cell_name
from engines.schema import read

FIRST_SLIDER, LAST_SLIDER = 1, 9
UNCLAIMED = EMPTY


@dataclass(frozen=True, slots=True)
class Position:
    """A position before a turn, or the last one. What belongs to a player stands at the player's place in `players`.

    Attributes:
        players: the seats in turn order.
        turn: whose turn it is; in a finished game, whose turn ended it.
        slider: how many steps a walk has.
        royals: where each Royal Tee stands.
        claimed: each player's spaces, the one under the own Royal Tee among them; no two share one.
        zones: the side of the board that each player's zone is on.
    """

    players: tuple[Seat, ...]
    turn: Seat
    slider: int
    royals: tuple[CellIndex, ...]
    claimed: tuple[Bitboard, ...]
    zones: tuple[Side, ...]

    def __str__(self) -> str:
        """Draw the board: "a" a space of the first player, "A" the one under their Royal Tee, "." an unclaimed one."""
        seats = ", ".join(f"{letter} = {seat}" for letter, seat in zip("abcd", self.players, strict=False))
        letters = [self.letter(CellIndex(index)) for index in range(SIZE * SIZE)]
        rows = (" ".join(letters[first : first + SIZE]) for first in range(0, SIZE * SIZE, SIZE))
        state = "over" if self.over else f"{self.turn} walks {self.slider}"
        return "\n".join([f"Royal Tee, {state} ({seats})", *rows])

    def letter(self, index: CellIndex) -> str:
        """Return the letter of a space's owner, a capital under a Royal Tee, or "." if it is unclaimed."""
        for letter, royal, spaces in zip("abcd", self.royals, self.claimed, strict=False):
            if spaces >> index & 1:
                return letter.upper() if royal == index else letter
        return UNCLAIMED

    @property
    def over(self) -> bool:
        """Whether no space is left unclaimed (RULES.md 6.1)."""
        return self.unclaimed == 0

    @property
    def unclaimed(self) -> Bitboard:
        """The unclaimed spaces."""
        free = ALL_SPACES
        for spaces in self.claimed:
            free &= ~spaces
        return free

    def place(self, seat: Seat) -> int:
        """Return a player's place in `players` and in all that is parallel to it."""
        return self.players.index(seat)

    def royal(self, seat: Seat) -> CellIndex:
        """Return the space of a player's Royal Tee."""
        return self.royals[self.place(seat)]

    def royals_but(self, seat: Seat) -> Bitboard:
        """Return the spaces of all Royal Tees but one player's."""
        spaces = 0
        for player, royal in zip(self.players, self.royals, strict=True):
            if player != seat:
                spaces |= 1 << royal
        return spaces


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk of the own Royal Tee: the names of the spaces stepped on, without the one it starts from."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """Letting the turn go by."""


Action: TypeAlias = Walk | Pass


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """What a printed copy says of one colour: on which side its zone is and where its Royal Tee starts."""

    seat: Seat
    zone: Side
    start: CellIndex


DEFAULT_SEATS = (
    SeatPlan(Seat("red"), Side.BOTTOM, cell_index("F12")),
    SeatPlan(Seat("blue"), Side.RIGHT, cell_index("L7")),
    SeatPlan(Seat("green"), Side.TOP, cell_index("G1")),
    SeatPlan(Seat("yellow"), Side.LEFT, cell_index("A6")),
)
"""The seats of the table file that we ship; the first begins."""


class SeatEntry(msgspec.Struct):
    """A [[seat]] entry of a table file."""

    colour: Seat
    side: Side
    start: str


class SeatOptions(msgspec.Struct, forbid_unknown_fields=True):
    """What a printed copy may have differently: its seats, the colour that begins first."""

    seats: Annotated[tuple[SeatEntry, ...], Meta(min_length=1)] | None = None


def set_up(players: Sequence[Seat], options: JsonObject) -> Position:
    """Set the game up; the players may be named in any order, turns go counter-clockwise.

    Raises:
        BadRequestError: these players or `SeatOptions` are not possible.
    """
    seats_asked = read(options, SeatOptions, '"options"').seats
    plans = DEFAULT_SEATS if seats_asked is None else _seat_plans(seats_asked)
    chosen = _in_turn_order([_plan_of(seat, plans) for seat in players], plans[0].zone)
    seats = tuple(plan.seat for plan in chosen)
    check_seats(seats, [plan.zone for plan in chosen])
    return Position(
        players=seats,
        turn=seats[0],
        slider=FIRST_SLIDER,
        royals=tuple(plan.start for plan in chosen),
        claimed=tuple(bit(plan.start) for plan in chosen),
        zones=tuple(plan.zone for plan in chosen),
    )


def check_seats(players: Sequence[Seat], zones: Sequence[Side]) -> None:
    """Refuse players that cannot sit at one board: two opposite colours, or four, each at a side of its own.

    Raises:
        BadRequestError: as the sentence says.
    """
    if len(players) not in (2, 4):
        raise BadRequestError(f"royal-tee has 2 or 4 players, not {len(players)}")
    check_names(players)
    if len(set(zones)) < len(zones):
        raise BadRequestError("each player needs a side of the board of their own")
    # whether the sides follow one another counter-clockwise at equal distances
    apart = len(Side) // len(zones)
    if not all((zones[0].place + k * apart) % len(Side) == zone.place for k, zone in enumerate(zones)):
        hint = "two must sit opposite each other" if len(zones) == 2 else "turns go counter-clockwise"
        raise BadRequestError(f"players cannot be {', '.join(players)} in this order: {hint}")


def _in_turn_order(plans: Iterable[SeatPlan], first: Side) -> list[SeatPlan]:
    return sorted(plans, key=lambda plan: (plan.zone.place - first.place) % len(Side))


def _plan_of(seat: Seat, plans: Sequence[SeatPlan]) -> SeatPlan:
    for plan in plans:
        if plan.seat == seat:
            return plan
    raise BadRequestError(f"unknown colour {quote(seat)}; there are: {', '.join(plan.seat for plan in plans)}")


def _seat_plans(entries: Sequence[SeatEntry]) -> tuple[SeatPlan, ...]:
    plans = tuple(SeatPlan(entry.colour, entry.side, cell_index(entry.start)) for entry in entries)
    if len({plan.seat for plan in plans}) < len(plans) or len({plan.start for plan in plans}) < len(plans):
        raise BadRequestError('"seats" must give each colour once, and each a start space of its own')
    for plan in plans:
        if not beside_zone(plan.zone, plan.start):
            sentence = f"{plan.seat} cannot start on {cell_name(plan.start)}: its zone is at the {plan.zone.value}"
            raise BadRequestError(f"{sentence}, and the start space must be beside it")
    return plans


def beside_zone(zone: Side, start: CellIndex) -> bool:
    """Return whether a space is on the edge of the board where a zone is."""
    row, column = divmod(start, SIZE)
    return {
        Side.BOTTOM: row == SIZE - 1,
        Side.TOP: row == 0,
        Side.RIGHT: column == SIZE - 1,
        Side.LEFT: column == 0,
    }[zone]
