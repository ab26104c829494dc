"""Positions and actions of Royal Tee in the public protocol's JSON, fully validated when read."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engines.actions import ActionForms, Form
from engines.decode import as_seat, check_names, quote
from engines.grid import set_of
from engines.kernel import BadRequestError, Cell, Json, JsonObject, Seat
from engines.royal_tee.board import NAMES, Side, cell_index, names_in
from engines.royal_tee.position import (
    DEFAULT_SEATS,
    FIRST_SLIDER,
    LAST_SLIDER,
    Action,
    Pass,
    Position,
    Walk,
    check_seats,
)
from engines.royal_tee.rules import DistinctWalk
from engines.schema import by_seat, named_like, read, write

NAME = "royal-tee"
_DEFAULT_ZONES = {plan.seat: plan.zone for plan in DEFAULT_SEATS}

_Space = Annotated[Cell, named_like("F12")]

ACTIONS: ActionForms[Action] = ActionForms(
    NAME,
    Form("walk", Walk, tuple[_Space, ...], write=list),
    Form("pass", Pass),
    beside=("end", "visited", "walks"),  # keys that `choice_to_json` adds to a walk
)
action_to_json, action_from_json = ACTIONS.to_json, ACTIONS.from_json


class WrittenTee(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A position in JSON; "zones" is present only if a colour's zone differs from our own board."""

    game: Literal["royal-tee"] = "royal-tee"
    players: tuple[Seat, ...]
    turn: Seat
    slider: Annotated[int, Meta(ge=FIRST_SLIDER, le=LAST_SLIDER)]
    royals: dict[Seat, str]
    claimed: dict[Seat, tuple[str, ...]]
    over: bool
    zones: dict[Seat, Side] | None = None


def position_to_json(position: Position) -> JsonObject:
    """Write a position."""
    players = position.players
    zones = dict(zip(players, position.zones, strict=True))
    written = WrittenTee(
        players=players,
        turn=position.turn,
        slider=position.slider,
        royals=dict(zip(players, (NAMES[royal] for royal in position.royals), strict=True)),
        claimed={seat: tuple(names_in(spaces)) for seat, spaces in zip(players, position.claimed, strict=True)},
        over=position.over,
        zones=zones if any(_DEFAULT_ZONES.get(seat) != zone for seat, zone in zones.items()) else None,
    )
    return {"game": NAME, **write(written)}


def position_from_json(data: Json) -> Position:
    """Parse a position; raise `BadRequestError` if it is not valid."""
    given = read(data, WrittenTee, "the position")
    players = given.players
    sides = {**_DEFAULT_ZONES, **(given.zones or {})}
    check_names(players, sides)
    zones = tuple(sides[seat] for seat in players)
    check_seats(players, zones)
    position = Position(
        players=players,
        turn=as_seat(given.turn, '"turn"', players),
        slider=given.slider,
        royals=tuple(map(cell_index, by_seat(given.royals, players, "royals"))),
        claimed=tuple(set_of(map(cell_index, names)) for names in by_seat(given.claimed, players, "claimed")),
        zones=zones,
    )
    # no space has two owners or two Royal Tees, and a Royal Tee is on a space that its owner has claimed
    holdings = list(zip(players, position.royals, position.claimed, strict=True))
    for (one, its_royal, its_spaces), (other, other_royal, other_spaces) in combinations(holdings, 2):
        if its_royal == other_royal:
            raise BadRequestError(f"two Royal Tees, {one} and {other}, cannot both stand on {NAMES[its_royal]}")
        if shared := names_in(its_spaces & other_spaces):
            raise BadRequestError(f"{shared[0]} cannot be claimed by both {one} and {other}")
    for seat, royal, spaces in holdings:
        if not spaces >> royal & 1:
            name = NAMES[royal]
            raise BadRequestError(f"{name} is under the Royal Tee of {seat}, so it must be among {seat}'s claimed")
    if given.over != position.over:
        state = "every space is claimed" if position.over else f"{names_in(position.unclaimed)[0]} is not claimed"
        raise BadRequestError(f'"over" is {quote(given.over)}, but {state}')
    return position


def choice_to_json(choice: DistinctWalk | Pass) -> JsonObject:
    """Write a choice of the mover: an example walk, its end, the spaces visited, and the number of such walks."""
    if isinstance(choice, Pass):
        return action_to_json(choice)
    return {
        "walk": [NAMES[cell] for cell in choice.example],
        "end": NAMES[choice.end],
        "visited": names_in(choice.visited),
        "walks": choice.walks,
    }
