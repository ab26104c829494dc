"""Positions and actions of Royal Racers in the public protocol's JSON, read with every check that a value needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.actions import ActionForms, Form, cell_like, each
from engines.decode import (
    as_flag,
    as_list,
    as_number,
    as_object,
    as_one_of,
    as_position,
    as_text,
    member,
    only_keys,
    quote,
)
from engines.grid import Bitboard, CellIndex, bit, set_of
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.royal_racers.board import ALL_CELLS, NAMES, cell_index
from engines.royal_racers.cards import LAST_TURNING_RANK, Card, Layout, Rank, card_name, card_named
from engines.royal_racers.check import check_players, check_position
from engines.royal_racers.position import (
    MOST_FLAGS,
    MOST_ROUNDS,
    NULL_ROLL,
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
from engines.royal_racers.set_up import TERMS, layout_from_json, terms_of

NAME = "royal-racers"


def position_to_json(position: Position) -> JsonObject:
    """Write a position, face-down cards and coming layouts included: for programs, not for players' eyes."""
    data = {**_open_part(position), "cards": _cards_to_json(position, hidden=0)}
    if position.terms.races > 1:
        data["coming"] = [[card_name(card) for card in cards] for cards in position.coming]
    return data


def public(position: Position, viewer: Seat | None) -> JsonObject:  # noqa: ARG001 - nobody sees more than another
    """Write what may be shown: neither what is under a face-down card nor layouts to come (RULES.md 3.9)."""
    return {**_open_part(position), "cards": _cards_to_json(position, hidden=position.down)}


def _open_part(position: Position) -> dict[str, Json]:
    players = position.players
    flags = zip(players, position.flags, strict=True)
    data: dict[str, Json] = {
        "game": NAME,
        "players": list(players),
        "turn": position.turn,
        "round": position.round,
        "await": None if position.phase is Phase.OVER else position.phase.value,
        "rolled": _roll_to_json(position.rolled),
        "flags": {seat: [NAMES[cell] for cell in row] for seat, row in flags},
        "touched": dict(zip(players, position.touched, strict=True)),
        "pawns": {seat: NAMES[cell] for seat, cell in zip(players, position.pawns, strict=False)},
        "over": position.phase is Phase.OVER,
        "terms": {name: getattr(position.terms, name) for name in TERMS if _is_written(position.terms, name)},
    }
    if position.seen:
        data["seen"] = [NAMES[cell] for cell in position.seen]
    if position.terms.races > 1:
        data["coins"] = {seat: [race[place] for race in position.coins] for place, seat in enumerate(players)}
    return data


def _is_written(terms: Terms, name: str) -> bool:
    """Return whether a term is written; an optional flip only where it is one, as it came later than the others."""
    return name != "optional_flip" or terms.optional_flip


def _cards_to_json(position: Position, hidden: Bitboard) -> JsonObject:
    return {
        NAMES[cell]: {
            "card": None if hidden & bit(cell) else card_name(position.cards[cell]),
            "up": not position.down & bit(cell),
        }
        for cell in ALL_CELLS
    }


def _roll_to_json(rank: Rank | None) -> Json:
    return "null" if rank == NULL_ROLL else rank


def position_from_json(data: Json) -> Position:
    """Read a position.

    Raises:
        BadRequestError: it is none; the sentence says what, where and what was expected.
    """
    given = as_position(data, NAME)
    players = tuple(Seat(as_text(name, "a player")) for name in as_list(_member(given, "players"), '"players"'))
    check_players(players)
    flags = tuple(_cells(row, seat) for seat, row in _by_player(given, "flags", players).items())
    cards, down = _cards(given)
    position = Position(
        players=players,
        turn=Seat(as_text(_member(given, "turn"), '"turn"')),
        round=as_number(_member(given, "round"), '"round"', 1, MOST_ROUNDS),
        phase=_phase(given),
        rolled=None if _member(given, "rolled") is None else _rank(given["rolled"], '"rolled"'),
        cards=cards,
        down=down,
        flags=flags,
        touched=_touched(given, players),
        pawns=_pawns(given, players),
        terms=_terms(given, flags),
        coins=_coins(given, players),
        coming=_coming(given),
        seen=_seen(given),
    )
    check_position(position)
    return position


def _member(given: JsonObject, key: str) -> Json:
    return member(given, key, "the position")


def _by_player(given: JsonObject, key: str, players: Sequence[Seat]) -> Mapping[Seat, Json]:
    held = as_object(_member(given, key), f'"{key}"')
    only_keys(held, players, f'"{key}"')
    return {seat: member(held, seat, f'"{key}"') for seat in players}


def _phase(given: JsonObject) -> Phase:
    over = as_flag(_member(given, "over"), '"over"')
    awaited = _member(given, "await")
    if over:
        if awaited is not None:
            raise BadRequestError(f'"await" must be null when "over" is true, not {quote(awaited)}')
        return Phase.OVER
    return as_one_of(awaited, '"await"', [phase for phase in Phase if phase is not Phase.OVER])


def _rank(value: Json, where: str) -> Rank:
    if value == "null":
        return NULL_ROLL
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LAST_TURNING_RANK:
        faces = f'a whole number from 1 to {LAST_TURNING_RANK} or "null"'
        raise BadRequestError(f"{where} must be {faces}, not {quote(value)}")
    return value


def _cards(given: JsonObject) -> tuple[Layout, Bitboard]:
    """Read which card is on each space, and which are face down."""
    held = as_object(_member(given, "cards"), '"cards"')
    only_keys(held, NAMES, '"cards"')
    lying = {cell: as_object(member(held, NAMES[cell], '"cards"'), f"the card on {NAMES[cell]}") for cell in ALL_CELLS}
    cards = tuple(_card_on(cell, entry) for cell, entry in lying.items())
    return cards, set_of(cell for cell, entry in lying.items() if not _is_up(cell, entry))


def _card_on(cell: CellIndex, entry: JsonObject) -> Card:
    where = f"the card on {NAMES[cell]}"
    only_keys(entry, ("card", "up"), where)
    return card_named(as_text(member(entry, "card", where), where))


def _card(value: Json, where: str) -> Card:
    return card_named(as_text(value, where))


def _is_up(cell: CellIndex, entry: JsonObject) -> bool:
    where = f"the card on {NAMES[cell]}"
    return as_flag(member(entry, "up", where), f'"up" of {where}')


def _cells(row: Json, seat: Seat) -> tuple[CellIndex, ...]:
    return tuple(cell_index(as_text(name, f"a flag of {seat}")) for name in as_list(row, f"the flags of {seat}"))


def _touched(given: JsonObject, players: Sequence[Seat]) -> tuple[int, ...]:
    counts = _by_player(given, "touched", players)
    return tuple(as_number(count, f'"touched" of {seat}', 0, MOST_FLAGS) for seat, count in counts.items())


def _pawns(given: JsonObject, players: Sequence[Seat]) -> tuple[CellIndex, ...]:
    """Read where the pawns stand; while starts are chosen the last players' do not stand anywhere."""
    held = as_object(_member(given, "pawns"), '"pawns"')
    only_keys(held, players, '"pawns"')
    standing = players[: len(held)]
    return tuple(
        cell_index(as_text(member(held, seat, '"pawns"'), f"the space of the pawn of {seat}")) for seat in standing
    )


def _terms(given: JsonObject, flags: Sequence[tuple[CellIndex, ...]]) -> Terms:
    """Read the terms; without a word about them each player has as many flags to touch as lie there."""
    written = as_object(given.get("terms", {}), '"terms"')
    only_keys(written, TERMS, '"terms"')
    most: JsonObject = {"flags": len(flags[0])} if _phase(given) not in (Phase.START, Phase.FLAG) else {}
    return terms_of({**most, **written})


def _coins(given: JsonObject, players: Sequence[Seat]) -> tuple[tuple[int, ...], ...]:
    """Read the coins of earlier races: a list for each player, turned into a tuple for each race."""
    if "coins" not in given:
        return ()
    lists = [as_list(coins, f"the coins of {seat}") for seat, coins in _by_player(given, "coins", players).items()]
    if len({len(coins) for coins in lists}) > 1:
        raise BadRequestError('"coins" must give each player one coin for each earlier race')
    return tuple(tuple(as_number(coin, "a coin", 0, MOST_FLAGS) for coin in race) for race in zip(*lists, strict=True))


def _coming(given: JsonObject) -> tuple[Layout, ...]:
    layouts = as_list(given.get("coming", []), '"coming"')
    return tuple(layout_from_json(cards, "a coming layout") for cards in layouts)


def _seen(given: JsonObject) -> tuple[CellIndex, ...]:
    named = as_list(given.get("seen", []), '"seen"')
    return tuple(cell_index(as_text(name, 'a space of "seen"')) for name in named)


_CELL = cell_like("C3")
ACTIONS: ActionForms[Action] = ActionForms(
    NAME,
    Form("start", ChooseStart, _CELL),
    Form("flag", PlaceFlag, _CELL),
    Form("roll", Roll, _rank, _roll_to_json),
    Form("flip", Flip, _CELL),
    Form("step", Step, _CELL),
    Form("pass", Pass),
    Form("deal", Deal, each(_card, "a card to deal"), lambda cards: [card_name(card) for card in cards]),
)
action_to_json, action_from_json = ACTIONS.to_json, ACTIONS.from_json
