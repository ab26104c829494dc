"""What may be agreed before a match, and the match as it begins (RULES.md, sections 1 and 4 to 6)."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engines.decode import as_flag, as_list, as_number, as_one_of, as_text, check_names, only_keys, quote
from engines.kernel import BadRequestError, Json, JsonObject, Seat
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import (
    NOTHING,
    Placement,
    colouring,
    missing_pieces,
    read_picture,
    read_pieces,
    write_placement,
)
from engines.royal_study.position import FIRST_LEVEL, LAST_LEVEL, Await, Match, Position, Puzzle, Terms
from engines.royal_study.rules import begin_round

TERM_KEYS = ("bonus", "points", "hourglass", "execution", "together", "deck", "cards")
_KEYS = ("level", "start", *TERM_KEYS)
_DECKS = ("dealt", "table")
_MOST_POINTS, _MOST_PLAYERS, _LONGEST_S = 50, 8, 3600
_NOT_A_NAME = "dice"  # what `to_act` says when a card is awaited


def set_up(players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
    """Set a match up. `seed` shuffles the deck where the program deals.

    Options: "level" 1, "bonus" false (two cards), "points" 6, "hourglass" 60 seconds, "execution" null or seconds,
    "together" (false; true for one player), "deck" "dealt" or "table", "cards" (what each card shows), "start" (where
    the pieces stand, instead of a first card).

    Raises:
        BadRequestError: these players or options are not possible.
    """
    only_keys(options, _KEYS, '"options"')
    terms = read_terms(options, len(players))
    check_players(players, terms)
    level = as_number(options.get("level", FIRST_LEVEL), '"level"', FIRST_LEVEL, LAST_LEVEL)
    start = _start(options, terms)
    deck = list(range(len(terms.pictures)))
    if terms.dealt:
        random.Random(seed).shuffle(deck)  # noqa: S311 - cards are no secret worth cryptography
    return _first_round(_before(players, terms, Puzzle(start, (), level), tuple(deck)))


def _before(players: Sequence[Seat], terms: Terms, puzzle: Puzzle, deck: tuple[int, ...]) -> Match:
    return Match(
        puzzle=puzzle,
        players=tuple(players),
        terms=terms,
        awaits=Await.START,
        turn=players[0],
        points=(0,) * len(players),
        round=1,
        deck=deck,
    )


def _first_round(match: Match) -> Position:
    """Begin with the pieces where they have to stand, or else as the first card that shows all of them has it."""
    if match.puzzle.pieces == NOTHING:
        if not match.terms.dealt:
            return match
        match = _placed(match)
    return begin_round(match).position


def _placed(match: Match) -> Match:
    pictures = match.terms.pictures
    first = next(number for number in match.deck if not missing_pieces(pictures[number]))
    deck = tuple(number for number in match.deck if number != first)
    puzzle = Puzzle(pictures[first], (), match.puzzle.level)
    return _before(match.players, match.terms, puzzle, deck)


def read_terms(given: JsonObject, players: int) -> Terms:
    """Read what was agreed; what is not reported has its default.

    Raises:
        BadRequestError: it is not possible.
    """
    execution = given.get("execution")
    return Terms(
        pictures=read_cards(given["cards"]) if "cards" in given else CARDS,
        cards=2 if as_flag(given.get("bonus", False), '"bonus"') else 1,
        points=as_number(given.get("points", 6), '"points"', 1, _MOST_POINTS),
        hourglass_s=as_number(given.get("hourglass", 60), '"hourglass"', 1, _LONGEST_S),
        execution_s=None if execution is None else as_number(execution, '"execution"', 1, _LONGEST_S),
        together=as_flag(given.get("together", players == 1), '"together"'),
        dealt=as_one_of(given.get("deck", _DECKS[0]), '"deck"', _DECKS) == _DECKS[0],
    )


def write_terms(terms: Terms) -> JsonObject:
    """Write what was agreed; the cards only where they are not those that we ship."""
    written: dict[str, Json] = {
        "bonus": terms.cards == 2,
        "points": terms.points,
        "hourglass": terms.hourglass_s,
        "execution": terms.execution_s,
        "together": terms.together,
        "deck": _DECKS[not terms.dealt],
    }
    if terms.pictures != CARDS:
        written["cards"] = [write_placement(picture) for picture in terms.pictures]
    return written


def read_cards(value: Json) -> tuple[Placement, ...]:
    """Read what each card of a deck shows, by its number.

    Raises:
        BadRequestError: it is no deck, or its bishops stand on squares of both colours.
    """
    entries = as_list(value, '"cards"')
    cards = tuple(read_picture(as_text(e, f"card {n}"), f"card {n}") for n, e in enumerate(entries))
    check_colouring(cards, '"cards"')
    return cards


def check_colouring(placements: Sequence[Placement], where: str) -> None:
    """Refuse bishops on squares of both colours: they can never come to one another (RULES.md 1.3)."""
    if len({colouring(placement) for placement in placements} - {None}) > 1:
        raise BadRequestError(f"{where} has the bishop on edge squares and on others, which it can never go between")


def check_players(players: Sequence[Seat], terms: Terms) -> None:
    """Refuse players that cannot sit down to these terms.

    Raises:
        BadRequestError: as the sentence says.
    """
    if terms.together and not 1 <= len(players) <= _MOST_PLAYERS:
        raise BadRequestError(f"royal-study has 1 to {_MOST_PLAYERS} players who play together, not {len(players)}")
    if not terms.together and len(players) != 2:
        raise BadRequestError(f"royal-study has 2 players against each other, not {len(players)}")
    check_names(players)
    if _NOT_A_NAME in players:
        raise BadRequestError(f"a player must be one word that is not {quote(_NOT_A_NAME)}, which the cards are called")


def _start(options: JsonObject, terms: Terms) -> Placement:
    """Read where the pieces stand; NOTHING if a card will report. Refuse cards that do not suffice for a round."""
    needed = terms.cards + ("start" not in options)
    if len(terms.pictures) < needed:
        raise BadRequestError(f'"cards" must be at least {needed} cards, not {len(terms.pictures)}')
    if "start" in options:
        start = read_pieces(as_text(options["start"], '"start"'), '"start"')
        check_colouring([start, *terms.pictures], '"start" with the cards')
        return start
    if all(missing_pieces(card) for card in terms.pictures):
        raise BadRequestError('"cards" must have one with all five pieces, or "start" must hold where they stand')
    return NOTHING
