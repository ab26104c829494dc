"""The set-up: players, map, deck and rounds from what the caller asks for (RULES.md, section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from engines.decode import (
    as_flag,
    as_list,
    as_number,
    as_object,
    as_one_of,
    as_text,
    check_names,
    is_word,
    member,
    only_keys,
    quote,
)
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.territory.board import HIGHEST_NUMBER, LOWEST_NUMBER, MOST_COLUMNS, MOST_ROWS, Board, board_of
from engines.territory.cards import DECK, SHIPPED, Card, card_from_json, card_id
from engines.territory.maps import COLOURS, EIGHT_BY_EIGHT, MAPS
from engines.territory.position import FEWEST_PLAYERS, MOST_PLAYERS, ROUNDS, Await, Position, RollOff, Setting
from engines.territory.rounds import begin

MOST_ROUNDS = 99
_OPTIONS = ("roll_off", "map", "table", "rounds", "deck", "shuffle")


def set_up(players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
    """Set the game up; the players are named clockwise.

    Options, each with its default first:
        "roll_off": false: the first player named begins; true: the game starts with rolling for it.
        "map": "eight-by-eight" or "nine-by-eight".
        "table": the content of a table file, instead of a map by name: its grid, and the colours of its seats.
        "rounds": a whole number instead of 8, 6, 5, 4 for 3, 4, 5, 6 players.
        "deck": a list of cards instead of the deck that ships: ids of shipped cards, and cards written out.
        "shuffle": true; false keeps the deck in its order, the first card is drawn first.

    Raises:
        BadRequestError: these players or options are not possible.
    """
    only_keys(options, _OPTIONS, '"options"')
    board, colours = _table_asked(options)
    check_players(players, colours)
    deck, own_cards = _deck(options.get("deck", [card.id for card in DECK]))
    rounds = rounds_asked(options, players)
    setting = Setting(board, colours, rounds, own_cards)
    start = _before_the_start(setting, tuple(players), _in_order(deck, options, seed))
    if as_flag(options.get("roll_off", False), '"roll_off"'):
        return start
    return begin(start, start.players[0]).position


def _before_the_start(setting: Setting, players: tuple[Seat, ...], deck: tuple[str, ...]) -> Position:
    return Position(
        setting=setting,
        players=players,
        turn=players[0],
        round=1,
        owners=(0,) * len(players),
        white=0,
        rolled=(),
        awaiting=Await.ROLL_OFF,
        left=0,
        extra=False,
        card=None,
        deck=deck,
        face_down=None,
        roll_off=RollOff(players),
    )


def _in_order(deck: Sequence[str], options: JsonObject, seed: int) -> tuple[str, ...]:
    """Shuffle the deck. The seed is the caller's, so that the same arguments give the same game."""
    if not as_flag(options.get("shuffle", True), '"shuffle"'):
        return tuple(deck)
    return tuple(Random(seed).sample(deck, len(deck)))  # noqa: S311 - cards, not secrets


def check_players(players: Sequence[Seat], colours: Sequence[Seat]) -> None:
    """Refuse players that cannot sit at one table.

    Raises:
        BadRequestError: as the sentence says.
    """
    if not FEWEST_PLAYERS <= len(players) <= MOST_PLAYERS:
        raise BadRequestError(f"territory has {FEWEST_PLAYERS} to {MOST_PLAYERS} players, not {len(players)}")
    check_names(players, colours)


def rounds_asked(given: JsonObject, players: Sequence[Seat]) -> int:
    """Take how many rounds are played: as many as asked for, or what goes with the number of players.

    Raises:
        BadRequestError: what is asked for is no number of rounds.
    """
    return as_number(given.get("rounds", ROUNDS[len(players)]), '"rounds"', 1, MOST_ROUNDS)


def _table_asked(options: JsonObject) -> tuple[Board, tuple[Seat, ...]]:
    if "map" not in options:
        return table_of(options.get("table"))
    if "table" in options:
        raise BadRequestError('"map" and "table" both say which map to play on; give one of them')
    return MAPS[as_one_of(options["map"], '"map"', MAPS)], COLOURS


def table_of(data: Json) -> tuple[Board, tuple[Seat, ...]]:
    """Take the map and the colours out of a table file's content; None stands for the table that ships.

    Raises:
        BadRequestError: there is no map of this game in it.
    """
    if data is None:
        return EIGHT_BY_EIGHT, COLOURS
    table = as_object(data, '"table"')
    board = _board(as_object(member(table, "grid", '"table"'), 'the "grid" of "table"'))
    return board, _colours(table["seat"]) if "seat" in table else COLOURS


def _board(grid: Mapping[str, Json]) -> Board:
    rows = [_row(row) for row in as_list(member(grid, "numbers", "the grid"), 'the "numbers" of the grid')]
    if not 1 <= len(rows) <= MOST_ROWS or not 1 <= len(rows[0]) <= MOST_COLUMNS:
        raise BadRequestError(f"a map has 1 to {MOST_ROWS} rows of 1 to {MOST_COLUMNS} numbers")
    if any(len(row) != len(rows[0]) for row in rows):
        raise BadRequestError("the rows of a map must have equally many numbers")
    for key, length in (("rows", len(rows)), ("columns", len(rows[0]))):
        if grid.get(key, length) != length:
            raise BadRequestError(f'the grid says {quote(grid[key])} {key}, but its "numbers" have {length}')
    return board_of(rows)


def _row(value: Json) -> list[int]:
    listed = as_list(value, "a row of the map")
    return [as_number(number, "a number of the map", LOWEST_NUMBER, HIGHEST_NUMBER) for number in listed]


def _colours(value: Json) -> tuple[Seat, ...]:
    listed = as_list(value, 'the "seat" list of "table"')
    colours = tuple(_colour(as_object(seat, "a seat")) for seat in listed)
    if len(set(colours)) < max(len(colours), FEWEST_PLAYERS):
        raise BadRequestError(f"a table needs at least {FEWEST_PLAYERS} seats, each with a colour of its own")
    return colours


def _colour(seat: Mapping[str, Json]) -> Seat:
    colour = as_text(member(seat, "colour", "a seat"), "a seat's colour")
    if not is_word(colour) or colour == "white":
        raise BadRequestError(
            f"a seat's colour must be one word, and not white, which saves spaces; not {quote(colour)}"
        )
    return Seat(colour)


def _deck(data: Json) -> tuple[list[str], tuple[Card, ...]]:
    """Take a deck: the ids in order, and the cards that are not shipped or say something else than there."""
    entries = as_list(data, '"deck"')
    own = own_cards(entry for entry in entries if not isinstance(entry, str))
    known = known_cards(own)
    named = [entry if isinstance(entry, str) else as_object(entry, "a card")["id"] for entry in entries]
    return [known_card(name, known) for name in named], own


def own_cards(written: Iterable[Json]) -> tuple[Card, ...]:
    """Read cards that are written out; those that are as shipped are left out, and each is given once.

    Raises:
        BadRequestError: one is no card, or two share an id and differ.
    """
    by_id: dict[str, Card] = {}
    for card in map(card_from_json, written):
        if by_id.setdefault(card.id, card) != card:
            raise BadRequestError(f"two different cards share the id {quote(card.id)}")
    return tuple(card for card in by_id.values() if SHIPPED.get(card.id) != card)


def known_cards(own: Iterable[Card]) -> Mapping[str, Card]:
    """Return all cards that a game may name, by id: the shipped ones, and its own in their place."""
    return {**SHIPPED, **{card.id: card for card in own}}


def known_card(value: Json, known: Mapping[str, Card]) -> str:
    """Take the id of a card that is known.

    Raises:
        BadRequestError: there is no such card.
    """
    name = card_id(value)
    if name not in known:
        raise BadRequestError(f"unknown card {quote(name)}; there are: {', '.join(known)}")
    return name
