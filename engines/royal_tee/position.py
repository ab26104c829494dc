"""Positions and actions of Royal Tee as frozen values, and the set-up (RULES.md, section 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engines.decode import check_names, demand, quote
from engines.grid import EMPTY, Bitboard, CellIndex, bit, set_of, union
from engines.kernel import BadRequestError, Cell, JsonObject, Seat
from engines.royal_tee.board import ALL_SPACES, SIZE, Side, cell_index
from engines.schema import read

FIRST_SLIDER, LAST_SLIDER = 1, 9
UNCLAIMED = EMPTY


@dataclass(frozen=True, slots=True)
class Position:
    """A position before a turn, or the last one. Tuples are in the order of `players`.

    Attributes:
        players: the seats in turn order.
        turn: whose turn it is; in a finished game, whose turn ended it.
        slider: the number of steps of a walk.
        royals: the space of each Royal Tee.
        claimed: each player's spaces, including the one under the own Royal Tee; they are disjoint.
        zones: the side of each player's zone.
    """

    players: tuple[Seat, ...]
    turn: Seat
    slider: int
    royals: tuple[CellIndex, ...]
    claimed: tuple[Bitboard, ...]
    zones: tuple[Side, ...]

    def __str__(self) -> str:
        """Return a drawing: "a" is of the first player, "A" is under their Royal Tee, "." is unclaimed."""
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
        """Whether no unclaimed space is left (RULES.md 6.1)."""
        return self.unclaimed == 0

    @property
    def unclaimed(self) -> Bitboard:
        """The unclaimed spaces."""
        return ALL_SPACES & ~union(self.claimed)

    def place(self, seat: Seat) -> int:
        """Return a player's index in `players` and in all parallel tuples."""
        return self.players.index(seat)

    def royal(self, seat: Seat) -> CellIndex:
        """Return the space of a player's Royal Tee."""
        return self.royals[self.place(seat)]

    def royals_but(self, seat: Seat) -> Bitboard:
        """Return the spaces of all other players' Royal Tees."""
        seated = zip(self.players, self.royals, strict=True)
        return set_of(royal for player, royal in seated if player != seat)


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk of the own Royal Tee: the names of the spaces stepped on, without the start."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """A turn without a walk."""


Action: TypeAlias = Walk | Pass


class SeatPlan(msgspec.Struct, frozen=True):
    """The seat of one colour on a printed copy, a [[seat]] of a table file.

    Attributes:
        seat: its "colour".
        zone: the "side" of its zone.
        start: the space where its Royal Tee starts, by its name.
    """

    seat: Seat = msgspec.field(name="colour")
    zone: Side = msgspec.field(name="side")
    start: str


DEFAULT_SEATS = (
    SeatPlan(Seat("red"), Side.BOTTOM, "F12"),
    SeatPlan(Seat("blue"), Side.RIGHT, "L7"),
    SeatPlan(Seat("green"), Side.TOP, "G1"),
    SeatPlan(Seat("yellow"), Side.LEFT, "A6"),
)
"""The seats of the table file that we ship; the first begins."""


class SeatOptions(msgspec.Struct, forbid_unknown_fields=True):
    """The options in which a printed copy may differ: its seats, the colour that begins first."""

    seats: Annotated[tuple[SeatPlan, ...], Meta(min_length=1)] | None = None


def set_up(players: Sequence[Seat], options: JsonObject) -> Position:
    """Set the game up; the players may be named in any order, turns go counter-clockwise.

    Raises:
        BadRequestError: these players or `SeatOptions` are not possible.
    """
    plans = read(options, SeatOptions, '"options"').seats or DEFAULT_SEATS
    # 1. each colour and start space is given once, and a start space is on the edge beside its zone
    starts = [cell_index(plan.start) for plan in plans]
    if len({plan.seat for plan in plans}) < len(plans) or len({*starts}) < len(plans):
        raise BadRequestError('"seats" must give each colour once, and each a start space of its own')
    for plan, (row, column) in zip(plans, (divmod(start, SIZE) for start in starts), strict=True):
        beside = {
            Side.BOTTOM: row == SIZE - 1,
            Side.TOP: row == 0,
            Side.RIGHT: column == SIZE - 1,
            Side.LEFT: column == 0,
        }
        if not beside[plan.zone]:
            sentence = f"{plan.seat} cannot start on {plan.start}: its zone is at the {plan.zone.value}"
            raise BadRequestError(f"{sentence}, and the start space must be beside it")
    # 2. the players' seats in turn order
    first = plans[0].zone.place
    plan_of = {plan.seat: plan for plan in plans}
    for seat in players:
        if seat not in plan_of:
            raise BadRequestError(f"unknown colour {quote(seat)}; there are: {', '.join(plan_of)}")
    chosen = sorted((plan_of[seat] for seat in players), key=lambda plan: (plan.zone.place - first) % len(Side))
    seats = tuple(plan.seat for plan in chosen)
    check_seats(seats, [plan.zone for plan in chosen])
    return Position(
        players=seats,
        turn=seats[0],
        slider=FIRST_SLIDER,
        royals=tuple(cell_index(plan.start) for plan in chosen),
        claimed=tuple(bit(cell_index(plan.start)) for plan in chosen),
        zones=tuple(plan.zone for plan in chosen),
    )


def check_seats(players: Sequence[Seat], zones: Sequence[Side]) -> None:
    """Raise `BadRequestError` if players cannot sit at one board.

    Two must have opposite colours; four must each have a side of their own.
    """
    demand(len(players) in (2, 4), f"royal-tee has 2 or 4 players, not {len(players)}")
    check_names(players)
    demand(len(set(zones)) == len(zones), "each player needs a side of the board of their own")
    # the sides must follow one another counter-clockwise at equal distances
    apart = len(Side) // len(zones)
    if not all((zones[0].place + k * apart) % len(Side) == zone.place for k, zone in enumerate(zones)):
        hint = "two must sit opposite each other" if len(zones) == 2 else "turns go counter-clockwise"
        raise BadRequestError(f"players cannot be {', '.join(players)} in this order: {hint}")
