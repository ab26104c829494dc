"""Setting a race or a campaign up: players, options and layouts (RULES.md, section 1)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.decode import as_flag, as_list, as_number, as_object, as_text, member, only_keys
from engines.kernel import BadRequestError, Cell, Json, JsonObject, Refusal, Seat
from engines.royal_racers.cards import DECK, Layout, card_named
from engines.royal_racers.check import check_layout, check_players
from engines.royal_racers.laying import choose_start
from engines.royal_racers.position import (
    FEWEST_FLAGS,
    MOST_FLAGS,
    MOST_RACES,
    MOST_ROUNDS,
    Phase,
    Position,
    Terms,
)

TERMS = ("flags", "flag_variant", "rounds", "races", "optional_flip")
_OPTIONS = (*TERMS, "layout", "starts")


def set_up(players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
    """Set the race up; the players are named clockwise, the first begins.

    Options, each with its default first:
        "flags": 5, or 2 to 6: how many each player has to touch.
        "flag_variant": false or true: keep clear of opponents' flags.
        "optional_flip": false or true: a flip may be passed.
        "races": 1, or more for a campaign.
        "rounds": 300: after how many rounds a race ends at the latest.
        "layout": the 36 cards by name, row by row, instead of those shuffled by the seed.
        "starts": an object, player to start space, instead of letting them choose.

    Raises:
        BadRequestError: these players or options are not possible.
    """
    only_keys(options, _OPTIONS, '"options"')
    check_players(players)
    terms = terms_of(options)
    shuffled = _shuffled(seed, terms.races)
    seats = len(players)
    position = Position(
        players=tuple(players),
        turn=players[0],
        round=1,
        phase=Phase.START,
        rolled=None,
        cards=layout_from_json(options["layout"], '"layout"') if "layout" in options else shuffled[0],
        down=0,
        flags=((),) * seats,
        touched=(0,) * seats,
        pawns=(),
        terms=terms,
        coming=shuffled[1:],
    )
    return _start(position, as_object(options["starts"], '"starts"')) if "starts" in options else position


def terms_of(given: JsonObject) -> Terms:
    """Read the terms from an object; those it leaves out are the default ones.

    Raises:
        BadRequestError: they are not possible; so do all functions here.
    """
    usual = Terms()
    return Terms(
        flags=as_number(given.get("flags", usual.flags), '"flags"', FEWEST_FLAGS, MOST_FLAGS),
        flag_variant=as_flag(given.get("flag_variant", usual.flag_variant), '"flag_variant"'),
        rounds=as_number(given.get("rounds", usual.rounds), '"rounds"', 1, MOST_ROUNDS),
        races=as_number(given.get("races", usual.races), '"races"', 1, MOST_RACES),
        optional_flip=as_flag(given.get("optional_flip", usual.optional_flip), '"optional_flip"'),
    )


def layout_from_json(data: Json, where: str) -> Layout:
    """Read the cards of a layout, row by row from the top left."""
    cards = tuple(card_named(as_text(name, f"a card of {where}")) for name in as_list(data, where))
    check_layout(cards)
    return cards


def _shuffled(seed: int, races: int) -> tuple[Layout, ...]:
    """Shuffle the cards of every race. The seed is the caller's, so that the same arguments give the same game."""
    random = Random(seed)  # noqa: S311 - cards, not secrets
    return tuple(tuple(random.sample(DECK, len(DECK))) for _ in range(races))


def _start(position: Position, starts: JsonObject) -> Position:
    only_keys(starts, position.players, '"starts"')
    for seat in position.players:
        cell = Cell(as_text(member(starts, seat, '"starts"'), f"the start of {seat}"))
        result = choose_start(position, cell)
        if isinstance(result, Refusal):
            raise BadRequestError(f"{seat} cannot start on {cell[:12]!r}; choose another of C3, D3, D4, C4")
        position = result.position
    return position
