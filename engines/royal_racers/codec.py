"""Positions and actions of Royal Racers in the public protocol's JSON, with a check of every value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import asdict, replace

from engines.actions import ActionForms, Form, cell_like
from engines.decode import as_object, as_one_of, as_seat, only_keys, quote
from engines.grid import Bitboard, CellIndex, cells_in, set_of
from engines.kernel import BadRequestError, Cell, Json, JsonObject, Seat
from engines.royal_racers.board import (
    ALL_CELLS,
    LAST_TURNING_RANK,
    NAMES,
    Layout,
    Rank,
    card_name,
    card_named,
    cell_index,
)
from engines.royal_racers.position import (
    MOST_FLAGS,
    MOST_ROUNDS,
    NULL_ROLL,
    SETTING_UP,
    Action,
    ChooseStart,
    Deal,
    Flip,
    Pass,
    Phase,
    PlaceFlag,
    Position,
    Roll,
    Step,
    Terms,
)
from engines.royal_racers.set_up import check_players, check_position, layout_of
from engines.schema import by_seat, read, write

NAME = "royal-racers"


class LaidCard(msgspec.Struct, forbid_unknown_fields=True):
    """A card of the grid."""

    card: str
    up: bool


_Rolled = Annotated[int, Meta(ge=1, le=LAST_TURNING_RANK)] | Literal["null"]
_Touched = Annotated[int, Meta(ge=0, le=MOST_FLAGS)]


class WrittenRacers(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A position in JSON, with the names of `Position`; a key with a default is left out if it has its default.

    Without "flags" in the terms their number is that on the table.
    """

    game: Literal["royal-racers"] = "royal-racers"
    players: tuple[Seat, ...]
    turn: Seat
    round: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
    phase: str | None = msgspec.field(name="await")
    rolled: _Rolled | None
    flags: dict[Seat, tuple[str, ...]]
    touched: dict[Seat, _Touched]
    pawns: dict[Seat, str]
    over: bool
    terms: Terms | None = None
    seen: tuple[str, ...] | None = None
    coins: dict[Seat, tuple[_Touched, ...]] | None = None
    cards: dict[str, LaidCard]
    coming: tuple[tuple[str, ...], ...] | None = None


def position_to_json(position: Position) -> JsonObject:
    """Return a position as JSON, including face-down cards and later layouts: for programs, not for players."""
    players, terms = position.players, position.terms
    campaign = terms.races > 1
    written = WrittenRacers(
        players=players,
        turn=position.turn,
        round=position.round,
        phase=None if position.over else position.phase,
        rolled=_roll_to_json(position.rolled),
        flags={seat: _names(row) for seat, row in zip(players, position.flags, strict=True)},
        touched=dict(zip(players, position.touched, strict=True)),
        pawns=dict(zip(players, _names(position.pawns), strict=False)),
        over=position.over,
        seen=_names(position.seen) or None,
        coins={seat: tuple(race[place] for race in position.coins) for place, seat in enumerate(position.players)}
        if campaign
        else None,
        cards={
            NAMES[i]: LaidCard(card_name(card), not position.down >> i & 1) for i, card in enumerate(position.cards)
        },
        coming=tuple(tuple(map(card_name, cards)) for cards in position.coming) if campaign else None,
    )
    agreed: JsonObject = {key: value for key, value in asdict(terms).items() if value or key != "optional_flip"}
    return {"game": NAME, **write(written), "terms": agreed}


def _names(cells: Iterable[CellIndex]) -> tuple[Cell, ...]:
    return tuple(NAMES[cell] for cell in cells)


def public(position: Position, viewer: Seat | None) -> JsonObject:  # noqa: ARG001 - nobody sees more than another
    """Return what players may see as JSON: no faces of face-down cards, no later layouts (RULES.md 3.9)."""
    written = {key: value for key, value in position_to_json(position).items() if key != "coming"}
    hidden: JsonObject = {NAMES[cell]: {"card": None, "up": False} for cell in cells_in(position.down)}
    return {**written, "cards": {**as_object(written["cards"], '"cards"'), **hidden}}


def _roll_to_json(rank: Rank | None) -> Rank | Literal["null"] | None:
    return "null" if rank == NULL_ROLL else rank


def _rank(written: Rank | Literal["null"] | None) -> Rank | None:
    return NULL_ROLL if written == "null" else written


def position_from_json(data: Json) -> Position:
    """Parse a position; raise `BadRequestError` if it is not valid."""
    given = read(data, WrittenRacers, "the position")
    players = given.players
    check_players(players)
    # 1. the expected action; after the end there is none
    phase = Phase.OVER
    if not given.over:
        phase = as_one_of(given.phase, '"await"', [phase for phase in Phase if phase is not Phase.OVER])
    elif given.phase is not None:
        raise BadRequestError(f'"await" must be null when "over" is true, not {quote(given.phase)}')
    # 2. the cards; terms that name no number of flags have that of the flags on the table
    cards, down = _cards(given.cards)
    flags = tuple(map(_cells, by_seat(given.flags, players, "flags")))
    agreed = given.terms or Terms()
    laid = None if phase in SETTING_UP else len(flags[0])
    written = as_object(as_object(data, "the position").get("terms") or {}, '"terms"')
    # 3. the coins of earlier races by race, from a list for each player
    lists = () if given.coins is None else by_seat(given.coins, players, "coins")
    if len({len(coins) for coins in lists}) > 1:
        raise BadRequestError('"coins" must give each player one coin for each earlier race')
    position = Position(
        players=players,
        turn=as_seat(given.turn, '"turn"', players),
        round=given.round,
        phase=phase,
        rolled=_rank(given.rolled),
        cards=cards,
        down=down,
        flags=flags,
        touched=by_seat(given.touched, players, "touched"),
        pawns=_cells(by_seat(given.pawns, players[: len(given.pawns)], "pawns")),
        terms=agreed if laid is None or "flags" in written else replace(agreed, flags=laid),
        coins=tuple(zip(*lists, strict=True)),
        coming=tuple(map(layout_of, given.coming or ())),
        seen=_cells(given.seen or ()),
    )
    check_position(position)
    return position


def _cards(laid: Mapping[str, LaidCard]) -> tuple[Layout, Bitboard]:
    """Return which card is on each space, and which are face down."""
    only_keys(laid, NAMES, '"cards"')
    if missing := [name for name in NAMES if name not in laid]:
        raise BadRequestError(f'"cards" lacks "{missing[0]}"')
    cards = tuple(card_named(laid[name].card) for name in NAMES)
    return cards, set_of(cell for cell in ALL_CELLS if not laid[NAMES[cell]].up)


def _cells(names: Iterable[str]) -> tuple[CellIndex, ...]:
    return tuple(map(cell_index, names))


_CELL = cell_like("C3")
ACTIONS: ActionForms[Action] = ActionForms(
    NAME,
    Form("start", ChooseStart, _CELL),
    Form("flag", PlaceFlag, _CELL),
    Form("roll", Roll, _Rolled, _rank, _roll_to_json),
    Form("flip", Flip, _CELL),
    Form("step", Step, _CELL),
    Form("pass", Pass),
    Form(
        "deal",
        Deal,
        tuple[str, ...],
        lambda names: tuple(map(card_named, names)),
        lambda cards: [*map(card_name, cards)],
    ),
)
action_to_json, action_from_json = ACTIONS.to_json, ACTIONS.from_json
