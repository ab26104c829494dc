"""The set-up: players, map, deck and rounds from what the caller asks for (RULES.md, section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from engines.decode import as_one_of, check_names, demand, quote
from engines.kernel import BadRequestError, JsonObject, Seat
from engines.schema import one_word, read
from engines.territory.board import (
    COLOURS,
    EIGHT_BY_EIGHT,
    HIGHEST_NUMBER,
    LOWEST_NUMBER,
    MAPS,
    MOST_COLUMNS,
    MOST_ROWS,
    Board,
    board_of,
)
from engines.territory.cards import DECK, SHIPPED, Card, ordered
from engines.territory.position import FEWEST_PLAYERS, MOST_PLAYERS, ROUNDS, Await, Position, RollOff, Setting
from engines.territory.rules import begin

MOST_ROUNDS = 99

Rounds: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]
_Number = Annotated[int, Meta(ge=LOWEST_NUMBER, le=HIGHEST_NUMBER)]
_Row = Annotated[tuple[_Number, ...], Meta(min_length=1, max_length=MOST_COLUMNS)]


class MapGrid(msgspec.Struct, omit_defaults=True):
    """The grid of a table file: its numbers row by row, and how many rows and columns it says that these are."""

    numbers: Annotated[tuple[_Row, ...], Meta(min_length=1, max_length=MOST_ROWS)]
    rows: int | None = None
    columns: int | None = None


class TableSeat(msgspec.Struct):
    """A seat of a table file."""

    colour: Annotated[Seat, one_word("one word, and not white, which saves spaces")]


class TableFile(msgspec.Struct, omit_defaults=True):
    """What of a table file's content concerns the rules: the map, and the colours of its seats."""

    grid: MapGrid
    seat: tuple[TableSeat, ...] | None = None


class MapOptions(msgspec.Struct, forbid_unknown_fields=True):
    """What may be agreed.

    Attributes:
        roll_off: whether the game starts with rolling for who begins; otherwise the first player named does.
        map: "eight-by-eight", which is the default, or "nine-by-eight".
        table: the content of a table file, instead of a map by name.
        rounds: how many rounds are played, instead of 8, 6, 5, 4 for 3, 4, 5, 6 players.
        deck: the cards instead of the deck that ships: ids of shipped cards, and cards written out.
        shuffle: whether the deck is shuffled; otherwise the first card is drawn first.
    """

    roll_off: bool = False
    map: str | None = None
    table: TableFile | None = None
    rounds: Rounds | None = None
    deck: tuple[str | Card, ...] | None = None
    shuffle: bool = True


def set_up(players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
    """Set the game up; the players are named clockwise.

    Raises:
        BadRequestError: these players or `MapOptions` are not possible.
    """
    asked = read(options, MapOptions, '"options"')
    if asked.map is not None and asked.table is not None:
        raise BadRequestError('"map" and "table" both say which map to play on; give one of them')
    board, colours = table_of(asked.table)
    if asked.map is not None:
        board = MAPS[as_one_of(asked.map, '"map"', MAPS)]
    check_players(players, colours)
    # the deck: the ids in order, and the cards that are not shipped or say something else than there
    listed = list(DECK if asked.deck is None else asked.deck)
    own = own_cards(entry for entry in listed if isinstance(entry, Card))
    setting = Setting(board, colours, asked.rounds or ROUNDS[len(players)], own)
    known = setting.cards
    deck = [known_card(entry.id if isinstance(entry, Card) else entry, known) for entry in listed]
    if asked.shuffle:
        deck = Random(seed).sample(deck, len(deck))  # noqa: S311 - cards, not secrets
    start = Position(
        setting=setting,
        players=tuple(players),
        turn=players[0],
        round=1,
        owners=(0,) * len(players),
        awaiting=Await.ROLL_OFF,
        deck=tuple(deck),
        roll_off=RollOff(tuple(players)),
    )
    return start if asked.roll_off else begin(start, start.turn).position


def check_players(players: Sequence[Seat], colours: Sequence[Seat]) -> None:
    """Raise `BadRequestError` if players cannot sit at one table."""
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise BadRequestError(f"territory has {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {len(players)}")
    check_names(players, colours)


def table_of(table: TableFile | None) -> tuple[Board, tuple[Seat, ...]]:
    """Return the map and the colours of a table file; None stands for the table that ships.

    Raises:
        BadRequestError: the table is not possible.
    """
    if table is None:
        return EIGHT_BY_EIGHT, COLOURS
    rows = table.grid.numbers
    demand(len({*map(len, rows)}) == 1, "the rows of a map must have equally many numbers")
    for key, said, length in (("rows", table.grid.rows, len(rows)), ("columns", table.grid.columns, len(rows[0]))):
        demand(said in (None, length), f'the grid says {said} {key}, but its "numbers" have {length}')
    board, colours = board_of(rows), COLOURS if table.seat is None else tuple(seat.colour for seat in table.seat)
    if len(set(colours)) < max(len(colours), FEWEST_PLAYERS):
        raise BadRequestError(f"a table needs at least {FEWEST_PLAYERS} seats, each with a colour of its own")
    demand("white" not in colours, "a seat's colour cannot be white, which saves spaces")
    return board, colours


def table_to_json(board: Board, colours: Sequence[Seat]) -> TableFile:
    """Return what a table file says of a map and its colours."""
    rows = tuple(board.rows())
    return TableFile(MapGrid(rows, len(rows), board.columns), tuple(map(TableSeat, colours)))


def own_cards(written: Iterable[Card]) -> tuple[Card, ...]:
    """Read cards that are written out; those that are as shipped are left out, and each is given once.

    Raises:
        BadRequestError: two share an id and differ.
    """
    by_id: dict[str, Card] = {}
    for card in map(ordered, written):
        demand(by_id.setdefault(card.id, card) == card, f"two different cards share the id {quote(card.id)}")
    return tuple(card for card in by_id.values() if SHIPPED.get(card.id) != card)


def known_card(name: str, known: Mapping[str, Card]) -> str:
    """Return the id of a card that is known.

    Raises:
        BadRequestError: there is no such card.
    """
    demand(name in known, f"unknown card {quote(name)}; there are: {', '.join(known)}")
    return name
