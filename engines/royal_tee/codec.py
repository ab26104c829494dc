"""Positions and actions of Royal Tee in the public protocol's JSON, read with every check that a value needs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from engines.actions import ActionForms, Form, cell_like, each
from engines.decode import (
    as_flag,
    as_list,
    as_number,
    as_object,
    as_one_of,
    as_position,
    as_seat,
    as_text,
    member,
    only_keys,
    quote,
)
from engines.grid import Bitboard, CellIndex, set_of
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.royal_tee.board import Side, cell_index, cell_name, names_in
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
from engines.royal_tee.walks import DistinctWalk

NAME = "royal-tee"
_DEFAULT_ZONES = {plan.seat: plan.zone for plan in DEFAULT_SEATS}

ACTIONS: ActionForms[Action] = ActionForms(
    NAME,
    Form("walk", Walk, each(cell_like("F12"), "a space of the walk"), list),
    Form("pass", Pass),
    beside=("end", "visited", "walks"),  # what `choice_to_json` reports beside a walk
)
action_to_json, action_from_json = ACTIONS.to_json, ACTIONS.from_json


def position_to_json(position: Position) -> JsonObject:
    """Write a position; "zones" stands there only when a colour's zone is elsewhere than on our own board."""
    data: dict[str, Json] = {
        "game": NAME,
        "players": list(position.players),
        "turn": position.turn,
        "slider": position.slider,
        "royals": {seat: cell_name(position.royal(seat)) for seat in position.players},
        "claimed": {seat: names_in(spaces) for seat, spaces in zip(position.players, position.claimed, strict=True)},
        "over": position.over,
    }
    zones = dict(zip(position.players, position.zones, strict=True))
    if any(_DEFAULT_ZONES.get(seat) != zone for seat, zone in zones.items()):
        data["zones"] = {seat: zone.value for seat, zone in zones.items()}
    return data


def position_from_json(data: Json) -> Position:
    """Read a position.

    Raises:
        BadRequestError: it is none; the sentence says what, where and what was expected.
    """
    given = as_position(data, NAME)
    players = tuple(Seat(as_text(name, "a player")) for name in _list(given, "players"))
    zones = _zones(given, players)
    check_seats(players, zones)
    position = Position(
        players=players,
        turn=as_seat(member(given, "turn", "the position"), '"turn"', players),
        slider=as_number(member(given, "slider", "the position"), '"slider"', FIRST_SLIDER, LAST_SLIDER),
        royals=_royals(given, players),
        claimed=_claimed(given, players),
        zones=zones,
    )
    _check_holdings(position)
    if as_flag(member(given, "over", "the position"), '"over"') != position.over:
        raise BadRequestError(f'"over" is {quote(given["over"])}, but {_state_of(position)}')
    return position


def choice_to_json(choice: DistinctWalk | Pass) -> JsonObject:
    """Write what the mover may do: an example walk, its end, the spaces visited, and how many walks have both."""
    if isinstance(choice, Pass):
        return action_to_json(choice)
    return {
        "walk": [cell_name(cell) for cell in choice.example],
        "end": cell_name(choice.end),
        "visited": names_in(choice.visited),
        "walks": choice.walks,
    }


def _list(given: JsonObject, key: str) -> Sequence[Json]:
    return as_list(member(given, key, "the position"), f'"{key}"')


def _zones(given: JsonObject, players: Sequence[Seat]) -> tuple[Side, ...]:
    named = as_object(given.get("zones", {}), '"zones"')
    return tuple(_zone(named, seat) for seat in players)


def _zone(named: JsonObject, seat: Seat) -> Side:
    if seat in named:
        return as_one_of(named[seat], f"the side of {seat}", Side)
    if seat not in _DEFAULT_ZONES:
        raise BadRequestError(f"unknown colour {quote(seat)}; there are: {', '.join(_DEFAULT_ZONES)}")
    return _DEFAULT_ZONES[seat]


def _by_player(given: JsonObject, key: str, players: Sequence[Seat]) -> list[Json]:
    held = as_object(member(given, key, "the position"), f'"{key}"')
    only_keys(held, players, f'"{key}"')
    return [member(held, seat, f'"{key}"') for seat in players]


def _royals(given: JsonObject, players: Sequence[Seat]) -> tuple[CellIndex, ...]:
    names = _by_player(given, "royals", players)
    return tuple(cell_index(as_text(name, "the space of a Royal Tee")) for name in names)


def _claimed(given: JsonObject, players: Sequence[Seat]) -> tuple[Bitboard, ...]:
    lists = _by_player(given, "claimed", players)
    return tuple(_spaces_of(seat, spaces) for seat, spaces in zip(players, lists, strict=True))


def _spaces_of(seat: Seat, value: Json) -> Bitboard:
    names = as_list(value, f"what {seat} has claimed")
    return set_of(cell_index(as_text(name, f"a space that {seat} has claimed")) for name in names)


def _check_holdings(position: Position) -> None:
    """Refuse a space with two owners or two Royal Tees, and a Royal Tee on a space that is not its owner's."""
    holdings = zip(position.players, position.royals, position.claimed, strict=True)
    for (one, its_royal, its_spaces), (other, other_royal, other_spaces) in combinations(holdings, 2):
        if its_royal == other_royal:
            raise BadRequestError(f"two Royal Tees, {one} and {other}, cannot both stand on {cell_name(its_royal)}")
        if shared := names_in(its_spaces & other_spaces):
            raise BadRequestError(f"{shared[0]} cannot be claimed by both {one} and {other}")
    for seat, royal, spaces in zip(position.players, position.royals, position.claimed, strict=True):
        if not spaces >> royal & 1:
            name = cell_name(royal)
            raise BadRequestError(f"{name} is under the Royal Tee of {seat}, so it must be among {seat}'s claimed")


def _state_of(position: Position) -> str:
    if position.over:
        return "every space is claimed"
    return f"{names_in(position.unclaimed)[0]} is not claimed"
