"""Positions and actions of Territory in the public protocol's JSON, and the part of a position that may be shown."""

from __future__ import annotations

from itertools import zip_longest
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engines.actions import ActionForms, Form, cell_like
from engines.decode import as_number, as_one_of, as_seat, demand, only_keys, quote
from engines.grid import set_of
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.schema import read, write
from engines.territory.board import COLOURS, EIGHT_BY_EIGHT, HIGHEST_NUMBER, LOWEST_NUMBER
from engines.territory.cards import Captures, Card
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
from engines.territory.rules import is_last_turn, targets
from engines.territory.set_up import Rounds, TableFile, check_players, known_card, own_cards, table_of, table_to_json

NAME = "territory"
_Die = Annotated[int, Meta(ge=1, le=6)]
_Dice = Annotated[tuple[_Die, ...], Meta(min_length=1, max_length=2, extra={"expected": "the one or two dice thrown"})]


class WrittenTerritory(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A position in JSON, with the names of `Position`; a key with a default is left out if it has its default.

    Attributes:
        roll_off: the roll of each player of the roll-off, None before it.
        table: another map than the shipped one.
        rounds: another number of rounds than the usual.
        cards: cards that are not in the shipped deck.
    """

    game: Literal["territory"] = "territory"
    players: tuple[Seat, ...]
    turn: Seat
    round: Rounds
    owners: dict[str, Seat]
    white: tuple[str, ...]
    rolled: tuple[Annotated[int, Meta(ge=LOWEST_NUMBER, le=HIGHEST_NUMBER)], ...]
    awaiting: str | None = msgspec.field(name="await")
    card: str | None
    deck: tuple[str, ...]
    over: bool
    left: Annotated[int, Meta(ge=1, le=2)] = 1
    extra: bool = False
    face_down: str | None = None
    roll_off: dict[Seat, _Die | None] | None = None
    table: TableFile | None = None
    rounds: Rounds | None = None
    cards: tuple[Card, ...] | None = None


def position_to_json(position: Position) -> JsonObject:
    """Return a position as JSON; optional keys are left out if they have their default."""
    board, setting, off = position.board, position.setting, position.roll_off
    holdings = zip(position.players, position.owners, strict=True)
    owner = {name: seat for seat, owned in holdings for name in board.names_in(owned)}
    usual_table = (board, setting.colours) == (EIGHT_BY_EIGHT, COLOURS)
    written = WrittenTerritory(
        players=position.players,
        turn=position.turn,
        round=position.round,
        owners={name: owner[name] for name in board.names if name in owner},
        white=board.names_in(position.white),
        rolled=position.rolled,
        awaiting=None if position.over else position.awaiting,
        card=position.card,
        deck=position.deck,
        over=position.over,
        left=max(1, position.left),
        extra=position.extra,
        face_down=position.face_down,
        roll_off=None if off is None else dict(zip_longest(off.contenders, off.rolls)),
        table=None if usual_table else table_to_json(board, setting.colours),
        rounds=None if setting.rounds == ROUNDS[len(position.players)] else setting.rounds,
        cards=setting.own_cards or None,
    )
    return {"game": NAME, **write(written)}


def public(position: Position, viewer: Seat | None) -> JsonObject:  # noqa: ARG001 - nobody knows more than the others
    """Return the part of a position that players may see as JSON.

    Nobody knows the order of the deck or the card that is face down: "deck" is the number of cards left, "face_down"
    whether there is one, and "unseen" all of these cards in alphabetical order.
    """
    face_down = [] if position.face_down is None else [position.face_down]
    hidden: JsonObject = {
        "deck": len(position.deck),
        "face_down": bool(face_down),
        "unseen": sorted([*position.deck, *face_down]),
    }
    return {**position_to_json(position), **hidden}


def position_from_json(data: Json) -> Position:
    """Parse a position; raise `BadRequestError` if it is not valid."""
    given = read(data, WrittenTerritory, "the position")
    board, colours = table_of(given.table)
    check_players(given.players, colours)
    setting = Setting(board, colours, given.rounds or ROUNDS[len(given.players)], own_cards(given.cards or ()))
    # the expected action; a finished game expects nothing, whatever is given
    awaiting = (
        Await.NOTHING
        if given.over
        else as_one_of(given.awaiting, '"await"', [awaiting for awaiting in Await if awaiting is not Await.NOTHING])
    )
    known = setting.cards
    held = {
        board.cell_index(name): as_seat(seat, f"the owner of {name}", given.players)
        for name, seat in given.owners.items()
    }
    position = Position(
        setting=setting,
        players=given.players,
        turn=as_seat(given.turn, '"turn"', given.players),
        round=as_number(given.round, '"round"', 1, setting.rounds),
        owners=tuple(set_of(cell for cell, seat in held.items() if seat == player) for player in given.players),
        white=set_of(map(board.cell_index, given.white)),
        rolled=given.rolled,
        awaiting=awaiting,
        left=given.left if awaiting is Await.PLACE else 0,
        extra=given.extra,
        card=None if given.card is None else known_card(given.card, known),
        deck=tuple(known_card(name, known) for name in given.deck),
        face_down=None if given.face_down is None else known_card(given.face_down, known),
        roll_off=_roll_off(given) if awaiting is Await.ROLL_OFF else None,
    )
    _check_together(position)
    return position


def _roll_off(given: WrittenTerritory) -> RollOff:
    """Return the roll-off; in turn order, those who have rolled must come before those who have not."""
    if given.roll_off is None:
        raise BadRequestError('the position lacks "roll_off"')
    only_keys(given.roll_off, given.players, '"roll_off"')
    rolled = {seat: given.roll_off[seat] for seat in given.players if seat in given.roll_off}
    contenders, rolls = tuple(rolled), tuple(roll for roll in rolled.values() if roll is not None)
    if len(contenders) < 2 or any(rolled[seat] is None for seat in contenders[: len(rolls)]):
        raise BadRequestError('"roll_off" needs at least two players, who roll in turn order')
    if len(rolls) == len(contenders) or contenders[len(rolls)] != given.turn:
        raise BadRequestError(f'"roll_off" does not wait for {quote(given.turn)}, whose turn it is')
    return RollOff(contenders, rolls)


def _check_together(position: Position) -> None:
    """Check that the parts of a position do not contradict one another."""
    if both := position.board.names_in(position.white & position.held):
        raise BadRequestError(f"{both[0]} cannot be white and have an owner")
    demand(position.rolled or not position.white, '"white" has pieces of this turn, but nothing is rolled')
    if position.awaiting is Await.PLACE:
        demand(position.rolled, '"await" is "place", but nothing is rolled')
        if not targets(position, position.rolled[-1]).any:
            raise BadRequestError(f'"await" is "place", but no space takes a piece for {position.rolled[-1]}')
    rounds = position.setting.rounds
    if position.over and not is_last_turn(position):
        raise BadRequestError(
            f'"over" is true, but the game ends with the last turn of round {rounds}, not with the turn of'
            f" {position.turn} in round {position.round}"
        )
    if position.over and position.white:
        raise BadRequestError('"over" is true, but "white" has pieces of a turn that is not over')
    _check_rolls(position)
    _check_white(position)
    # check that there are not more white pieces on a number than its rolls have placed (RULES.md 3.1)
    card, board = position.in_force, position.board
    for number in range(LOWEST_NUMBER, HIGHEST_NUMBER + 1):
        to_come = position.left if number in position.rolled[-1:] else 0
        placed = max(0, position.rolled.count(number) * card.pieces(number) - to_come)
        white = board.names_in(position.white & board.spaces_of[number])
        if len(white) > placed:
            raise BadRequestError(
                f'{white[-1]} cannot be white: the rolls in "rolled" place {placed} pieces on spaces of {number}'
            )
    stop_from = position.in_force.may_stop_from
    if position.awaiting is Await.CHOOSE and len(position.rolled) < stop_from:
        raise BadRequestError(
            f'"await" is "choose", but that comes after {stop_from} rolls, not {len(position.rolled)}'
        )


def _check_rolls(position: Position) -> None:
    """Check that no bust and no last roll of a card has ended the turn."""
    card, rolled = position.in_force, position.rolled[:-1] if position.extra else position.rolled
    repeats = [number for index, number in enumerate(rolled) if index >= card.free and number in rolled[:index]]
    if len(repeats) > card.pardons:
        raise BadRequestError(f'"rolled" has {repeats[-1]} again after the free rolls: that must have ended the turn')
    waiting = position.awaiting in (Await.ROLL, Await.CHOOSE) and not position.extra
    if waiting and card.most_rolls is not None and len(rolled) >= card.most_rolls:
        raise BadRequestError(f'"rolled" has {len(rolled)} numbers, but the turn ends after {card.most_rolls}')


def _check_white(position: Position) -> None:
    """Check that there is a piece on the map if rolls had to place some (RULES.md 3.1)."""
    card, mover = position.in_force, position.place(position.turn)
    captures_go_on = card.captures in (Captures.GO_ON, Captures.THEN_ROLL)
    placed = position.rolled[:-1] if position.awaiting is Await.PLACE else position.rolled
    if position.over or position.white or (captures_go_on and position.owners[mover]):
        return
    for number in placed[card.free :]:
        if card.pieces(number) and (empty := position.board.names_in(targets(position, number).empty)):
            raise BadRequestError(
                f'"rolled" has {number} and {empty[0]} is empty, but "white" has no piece of this turn'
            )


ACTIONS: ActionForms[Action] = ActionForms(
    NAME,
    Form("roll", Roll, _Dice, write=list, listed=True),
    Form("place", Place, cell_like("C4")),
    Form("capture", Capture, cell_like("C4")),
    Form("stop", Stop),
    Form("again", Again),
)
action_to_json, action_from_json = ACTIONS.to_json, ACTIONS.from_json
