"""The options of a match, and its first position (RULES.md, sections 1 and 4 to 6)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from engines.decode import check_names, demand, quote
from engines.kernel import BadRequestError, JsonObject, Seat
from engines.royal_study.cards import CARDS
from engines.royal_study.placement import NOTHING, Placement, colouring, missing_pieces, read_picture, read_pieces
from engines.royal_study.position import FIRST_LEVEL, LAST_LEVEL, Await, Match, Position, Puzzle, Terms
from engines.royal_study.rules import begin_round
from engines.schema import read

_MOST_PLAYERS = 8
_NOT_A_NAME = "dice"  # what `to_act` says when a card is expected


Level: TypeAlias = Annotated[int, Meta(ge=FIRST_LEVEL, le=LAST_LEVEL)]


class StudyOptions(Terms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a match: the terms, the level, and the first placement, instead of that of a first card.

    `difficulty` restricts the deck to a third of the cards if the program deals (`search.difficulties`).
    """

    level: Level = FIRST_LEVEL
    start: str | None = None
    difficulty: Literal["easy", "medium", "hard"] | None = None


def set_up(players: Sequence[Seat], options: JsonObject, seed: int) -> Position:
    """Return the first position of a match; `seed` shuffles the deck if the program deals.

    Raises:
        BadRequestError: these players or `StudyOptions` are not possible.
    """
    asked = read(options, StudyOptions, '"options"')
    terms = agreed(asked, len(players))
    check_players(players, terms)
    start = _start(asked.start, terms)
    deck = list(range(len(terms.pictures)))
    if terms.dealt and asked.difficulty is not None:
        from engines.royal_study.search import difficulties  # noqa: PLC0415 - NumPy and the graph, only where asked for

        of_card = difficulties(terms.pictures, asked.level)
        deck = [number for number in deck if of_card[number] == asked.difficulty]
        demand(len(deck) > terms.cards, f'"difficulty" leaves {len(deck)} cards, too few for a round')
    if terms.dealt:
        random.Random(seed).shuffle(deck)  # noqa: S311 - cards are no secret worth cryptography
    # the first placement is given, or else that of the first card that shows all pieces
    if start == NOTHING and terms.dealt:
        first = next(number for number in deck if not missing_pieces(terms.pictures[number]))
        deck.remove(first)
        start = terms.pictures[first]
    match = Match(
        puzzle=Puzzle(start, (), asked.level),
        players=tuple(players),
        terms=terms,
        awaits=Await.START,
        turn=players[0],
        points=(0,) * len(players),
        round=1,
        deck=tuple(deck),
    )
    return match if start == NOTHING else begin_round(match).position


def agreed(asked: Terms, players: int) -> Terms:
    """Return terms for that many players, with cards of their own only if they are not the shipped ones.

    Raises:
        BadRequestError: the cards are not a deck, or their bishops are on squares of both colours.
    """
    settled = {name: getattr(asked, name) for name in Terms.__struct_fields__}
    if asked.together is None:
        settled["together"] = players == 1
    if asked.faces is not None:
        cards = tuple(read_picture(face, f"card {number}") for number, face in enumerate(asked.faces))
        check_colouring(cards, '"cards"')
        settled["faces"] = None if cards == CARDS else asked.faces
    return Terms(**settled)


def check_colouring(placements: Sequence[Placement], where: str) -> None:
    """Raise BadRequestError if bishops are on squares of both colours, between which there is no way (RULES.md 1.3)."""
    if len({colouring(placement) for placement in placements} - {None}) > 1:
        raise BadRequestError(f"{where} has the bishop on edge squares and on others, which it can never go between")


def check_players(players: Sequence[Seat], terms: Terms) -> None:
    """Check the players.

    Raises:
        BadRequestError: they cannot play by these terms.
    """
    if terms.together and not 1 <= len(players) <= _MOST_PLAYERS:
        raise BadRequestError(f"royal-study has 1 to {_MOST_PLAYERS} players who play together, not {len(players)}")
    if not terms.together and len(players) != 2:
        raise BadRequestError(f"royal-study has 2 players against each other, not {len(players)}")
    check_names(players)
    if _NOT_A_NAME in players:
        raise BadRequestError(f"a player must be one word that is not {quote(_NOT_A_NAME)}, which the cards are called")


def _start(given: str | None, terms: Terms) -> Placement:
    """Return the first placement, NOTHING if a card will show it.

    Raises:
        BadRequestError: it is not valid, or the cards are not enough for a round.
    """
    needed = terms.cards + (given is None)
    if len(terms.pictures) < needed:
        raise BadRequestError(f'"cards" must be at least {needed} cards, not {len(terms.pictures)}')
    if given is not None:
        start = read_pieces(given, '"start"')
        check_colouring([start, *terms.pictures], '"start" with the cards')
        return start
    if all(missing_pieces(card) for card in terms.pictures):
        raise BadRequestError('"cards" must have one with all five pieces, or "start" must hold where they stand')
    return NOTHING
