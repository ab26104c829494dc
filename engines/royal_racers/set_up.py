"""Setting a race or a campaign up: players, options and layouts (RULES.md, section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from engines.kernel import BadRequestError, Cell, JsonObject, Refusal, Seat
from engines.royal_racers.board import DECK, Layout, card_named
from engines.royal_racers.check import check_layout, check_players
from engines.royal_racers.laying import choose_start
from engines.royal_racers.position import (
    Phase,
    Position,
    Terms,
)
from engines.schema import by_seat, read


class RaceOptions(Terms, frozen=True, forbid_unknown_fields=True):
    """What may be agreed, beside the terms.

    Attributes:
        layout: the 36 cards by name, row by row, instead of those shuffled by the seed.
        starts: each player's start space, instead of letting them choose.
    """

    layout: tuple[str, ...] | None = None
    starts: dict[Seat, str] | None = None

    @property
    def terms(self) -> Terms:
        """What the players race by."""
        return Terms(*(getattr(self, name) for name in Terms.__struct_fields__))


def set_up(players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
    """Set the race up; the players are named clockwise, the first begins.

    Raises:
        BadRequestError: these players or `RaceOptions` are not possible.
    """
    asked = read(options, RaceOptions, '"options"')
    check_players(players)
    terms = asked.terms
    shuffled = _shuffled(seed, terms.races)
    seats = len(players)
    position = Position(
        players=tuple(players),
        turn=players[0],
        round=1,
        phase=Phase.START,
        rolled=None,
        cards=shuffled[0] if asked.layout is None else layout_of(asked.layout),
        down=0,
        flags=((),) * seats,
        touched=(0,) * seats,
        pawns=(),
        terms=terms,
        coming=shuffled[1:],
    )
    return position if asked.starts is None else _start(position, asked.starts)


def layout_of(names: Iterable[str]) -> Layout:
    """Return the cards of a layout, row by row from the top left.

    Raises:
        BadRequestError: they are not the 36 cards, each once.
    """
    cards = tuple(map(card_named, names))
    check_layout(cards)
    return cards


def _shuffled(seed: int, races: int) -> tuple[Layout, ...]:
    """Shuffle the cards of every race. The seed is the caller's, so that the same arguments give the same game."""
    random = Random(seed)  # noqa: S311 - cards, not secrets
    return tuple(tuple(random.sample(DECK, len(DECK))) for _ in range(races))


def _start(position: Position, starts: Mapping[Seat, str]) -> Position:
    for seat, cell in zip(position.players, by_seat(starts, position.players, "starts"), strict=True):
        result = choose_start(position, Cell(cell))
        if isinstance(result, Refusal):
            raise BadRequestError(f"{seat} cannot start on {cell[:12]!r}; choose another of C3, D3, D4, C4")
        position = result.position
    return position
