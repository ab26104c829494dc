"""Positions and actions of Territory in the public protocol's JSON, and what of a position may be shown."""

from __future__ import annotations

from collections.abc import Sequence

from engines.actions import ActionForms, Form, cell_like
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
from engines.grid import Bitboard, set_of
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.territory.board import HIGHEST_NUMBER, LOWEST_NUMBER, Board
from engines.territory.cards import card_to_json
from engines.territory.maps import COLOURS, EIGHT_BY_EIGHT
from engines.territory.position import (
    ROUNDS,
    Action,
    Again,
    Await,
    Capture,
    Place,
    Position,
    Roll,
    RollOff,
    Setting,
    Stop,
)
from engines.territory.rounds import is_last_turn
from engines.territory.rules import targets
from engines.territory.set_up import check_players, known_card, known_cards, own_cards, rounds_asked, table_of

NAME = "territory"
_MOST_DICE = 2
_MOST_LEFT = 2


def position_to_json(position: Position) -> JsonObject:
    """Write a position; what the protocol does not name stands there only when it says something."""
    board = position.board
    owner = {name: seat for seat, owned in _holdings(position) for name in board.names_in(owned)}
    return {
        "game": NAME,
        "players": list(position.players),
        "turn": position.turn,
        "round": position.round,
        "owners": {name: owner[name] for name in board.names if name in owner},
        "white": list(board.names_in(position.white)),
        "rolled": list(position.rolled),
        "await": None if position.over else position.awaiting.value,
        "card": position.card,
        "deck": list(position.deck),
        "over": position.over,
        **_seldom(position),
        **_setting_to_json(position),
    }


def _holdings(position: Position) -> Sequence[tuple[Seat, Bitboard]]:
    return list(zip(position.players, position.owners, strict=True))


def _seldom(position: Position) -> JsonObject:
    """Write what most positions have not: pieces left, an extra roll, the face-down card, the roll-off."""
    data: dict[str, Json] = {}
    if position.left > 1:
        data["left"] = position.left
    if position.extra:
        data["extra"] = True
    if position.face_down is not None:
        data["face_down"] = position.face_down
    if position.roll_off is not None:
        rolls = [*position.roll_off.rolls, *[None] * len(position.players)]
        data["roll_off"] = dict(zip(position.roll_off.contenders, rolls, strict=False))
    return data


def _setting_to_json(position: Position) -> JsonObject:
    setting, data = position.setting, dict[str, Json]()
    if (setting.board, setting.colours) != (EIGHT_BY_EIGHT, COLOURS):
        rows: list[Json] = [list(row) for row in setting.board.rows()]
        grid: JsonObject = {"columns": setting.board.columns, "rows": len(rows), "numbers": rows}
        data["table"] = {"grid": grid, "seat": [{"colour": colour} for colour in setting.colours]}
    if setting.rounds != ROUNDS[len(position.players)]:
        data["rounds"] = setting.rounds
    if setting.own_cards:
        data["cards"] = [card_to_json(card) for card in setting.own_cards]
    return data


def public(position: Position, viewer: Seat | None) -> JsonObject:  # noqa: ARG001 - nobody knows more than the others
    """Write what anybody may see of a position.

    Nobody knows the order of the deck or the card that is face down, so "deck" reports only how many cards are left,
    "face_down" whether one is there, and "unseen" which cards these are together, in the order of the alphabet.
    """
    face_down = [] if position.face_down is None else [position.face_down]
    hidden: JsonObject = {
        "deck": len(position.deck),
        "face_down": bool(face_down),
        "unseen": sorted([*position.deck, *face_down]),
    }
    return {**position_to_json(position), **hidden}


def position_from_json(data: Json) -> Position:
    """Read a position.

    Raises:
        BadRequestError: it is none; the sentence says what, where and what was expected.
    """
    given = as_position(data, NAME)
    setting, players = _setting(given)
    board, awaiting = setting.board, _awaiting(given)
    position = Position(
        setting=setting,
        players=players,
        turn=as_seat(member(given, "turn", "the position"), '"turn"', players),
        round=as_number(member(given, "round", "the position"), '"round"', 1, setting.rounds),
        owners=_owners(given, board, players),
        white=set_of(board.cell_index(as_text(name, "a white space")) for name in _list(given, "white")),
        rolled=tuple(as_number(n, "a number rolled", LOWEST_NUMBER, HIGHEST_NUMBER) for n in _list(given, "rolled")),
        awaiting=awaiting,
        left=as_number(given.get("left", 1), '"left"', 1, _MOST_LEFT) if awaiting is Await.PLACE else 0,
        extra=as_flag(given.get("extra", False), '"extra"'),
        card=_card(member(given, "card", "the position"), setting),
        deck=tuple(_known(name, setting) for name in _list(given, "deck")),
        face_down=_card(given.get("face_down"), setting),
        roll_off=_roll_off(given, players) if awaiting is Await.ROLL_OFF else None,
    )
    _check_together(position)
    return position


def _list(given: JsonObject, key: str) -> Sequence[Json]:
    return as_list(member(given, key, "the position"), f'"{key}"')


def _setting(given: JsonObject) -> tuple[Setting, tuple[Seat, ...]]:
    board, colours = table_of(given.get("table"))
    players = tuple(Seat(as_text(name, "a player")) for name in _list(given, "players"))
    check_players(players, colours)
    written = as_list(given.get("cards", []), '"cards"')
    return Setting(board, colours, rounds_asked(given, players), own_cards(written)), players


def _awaiting(given: JsonObject) -> Await:
    """Take what is awaited; a finished game awaits nothing, whatever stands there."""
    if as_flag(member(given, "over", "the position"), '"over"'):
        return Await.NOTHING
    awaited = member(given, "await", "the position")
    return as_one_of(awaited, '"await"', [awaiting for awaiting in Await if awaiting is not Await.NOTHING])


def _owners(given: JsonObject, board: Board, players: Sequence[Seat]) -> tuple[Bitboard, ...]:
    owners = as_object(member(given, "owners", "the position"), '"owners"')
    held = {board.cell_index(name): as_seat(seat, f"the owner of {name}", players) for name, seat in owners.items()}
    return tuple(set_of(cell for cell, seat in held.items() if seat == player) for player in players)


def _card(value: Json, setting: Setting) -> str | None:
    return None if value is None else _known(value, setting)


def _known(value: Json, setting: Setting) -> str:
    return known_card(value, known_cards(setting.own_cards))


def _roll_off(given: JsonObject, players: Sequence[Seat]) -> RollOff:
    """Take who rolls for the beginning; in turn order those who have rolled stand before those who have not."""
    rolled = as_object(member(given, "roll_off", "the position"), '"roll_off"')
    only_keys(rolled, players, '"roll_off"')
    contenders = tuple(seat for seat in players if seat in rolled)
    rolls = tuple(
        as_number(rolled[seat], f"the roll of {seat}", 1, 6) for seat in contenders if rolled[seat] is not None
    )
    if len(contenders) < 2 or any(rolled[seat] is None for seat in contenders[: len(rolls)]):
        raise BadRequestError('"roll_off" needs at least two players, who roll in turn order')
    if len(rolls) == len(contenders) or contenders[len(rolls)] != given["turn"]:
        raise BadRequestError(f'"roll_off" does not wait for {quote(given["turn"])}, whose turn it is')
    return RollOff(contenders, rolls)


def _check_together(position: Position) -> None:
    """Refuse parts that cannot stand side by side."""
    if both := position.board.names_in(position.white & position.held):
        raise BadRequestError(f"{both[0]} cannot be white and have an owner")
    if position.awaiting is Await.PLACE:
        _check_place(position)
    _check_end(position)
    _check_rolls(position)
    stop_from = position.in_force.may_stop_from
    if position.awaiting is Await.CHOOSE and len(position.rolled) < stop_from:
        raise BadRequestError(
            f'"await" is "choose", but that comes after {stop_from} rolls, not {len(position.rolled)}'
        )


def _check_end(position: Position) -> None:
    if position.over and not is_last_turn(position):
        rounds = position.setting.rounds
        raise BadRequestError(
            f'"over" is true, but the game ends with the last turn of round {rounds}, not with the turn of'
            f" {position.turn} in round {position.round}"
        )
    if position.over and position.white:
        raise BadRequestError('"over" is true, but "white" has pieces of a turn that is not over')


def _check_rolls(position: Position) -> None:
    """Refuse a turn that a bust, or the card's last roll, must have ended."""
    card, rolled = position.in_force, position.rolled[:-1] if position.extra else position.rolled
    repeats = [number for index, number in enumerate(rolled) if index >= card.free and number in rolled[:index]]
    if len(repeats) > card.pardons:
        raise BadRequestError(f'"rolled" has {repeats[-1]} again after the free rolls: that must have ended the turn')
    waiting = position.awaiting in (Await.ROLL, Await.CHOOSE) and not position.extra
    if waiting and card.most_rolls is not None and len(rolled) >= card.most_rolls:
        raise BadRequestError(f'"rolled" has {len(rolled)} numbers, but the turn ends after {card.most_rolls}')


def _check_place(position: Position) -> None:
    if not position.rolled:
        raise BadRequestError('"await" is "place", but nothing is rolled')
    if not targets(position, position.rolled[-1]).any:
        raise BadRequestError(f'"await" is "place", but no space takes a piece for {position.rolled[-1]}')


def _dice(value: Json, where: str) -> tuple[int, ...]:
    dice = as_list(value, where)
    if not 1 <= len(dice) <= _MOST_DICE:
        raise BadRequestError(f"{where} must be the one or two dice thrown, not {quote(value)}")
    return tuple(as_number(die, "a die", 1, 6) for die in dice)


ACTIONS: ActionForms[Action] = ActionForms(
    NAME,
    Form("roll", Roll, _dice, list, listed=True),
    Form("place", Place, cell_like("C4")),
    Form("capture", Capture, cell_like("C4")),
    Form("stop", Stop),
    Form("again", Again),
)
action_to_json, action_from_json = ACTIONS.to_json, ACTIONS.from_json
