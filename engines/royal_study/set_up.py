"""The options of a match, and its first position (RULES.md, sections 1 and 4 to 6)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from engines.decode import check_names, quote
from engines.kernel import BadRequestError, JsonObject, Seat
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
from engines.schema import read

_MOST_POINTS, _MOST_PLAYERS, _LONGEST_S = 50, 8, 3600
_NOT_A_NAME = "dice"  # what `to_act` says when a card is expected


_Seconds = Annotated[int, Meta(ge=1, le=_LONGEST_S)]
Level: TypeAlias = Annotated[int, Meta(ge=FIRST_LEVEL, le=LAST_LEVEL)]


class Agreement(msgspec.Struct, kw_only=True):
    """The terms of a match in options and positions.

    Attributes:
        bonus: whether two cards are drawn for a round.
        points: the number of points that win the match.
        hourglass: time to think about a challenge, in seconds.
        execution: time for an execution, in seconds.
        together: whether all solve together, as a single player does.
        deck: whether the program deals or cards are drawn at the table.
        cards: the pictures of the cards, instead of the shipped ones.
    """

    bonus: bool = False
    points: Annotated[int, Meta(ge=1, le=_MOST_POINTS)] = 6
    hourglass: _Seconds = 60
    execution: _Seconds | None = None
    together: bool | None = None
    deck: Literal["dealt", "table"] = "dealt"
    cards: tuple[str, ...] | None = None

    def terms(self, players: int) -> Terms:
        """Return the terms for that many players.

        Raises:
            BadRequestError: the cards are not a deck.
        """
        return Terms(
            pictures=CARDS if self.cards is None else read_cards(self.cards),
            cards=2 if self.bonus else 1,
            points=self.points,
            hourglass_s=self.hourglass,
            execution_s=self.execution,
            together=players == 1 if self.together is None else self.together,
            dealt=self.deck == "dealt",
        )


class StudyOptions(Agreement, kw_only=True, forbid_unknown_fields=True):
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
    terms = asked.terms(len(players))
    check_players(players, terms)
    start = _start(asked.start, terms)
    deck = list(range(len(terms.pictures)))
    if terms.dealt and asked.difficulty is not None:
        from engines.royal_study.search import difficulties  # noqa: PLC0415 - NumPy and the graph, only where asked for

        of_card = difficulties(terms.pictures, asked.level)
        deck = [number for number in deck if of_card[number] == asked.difficulty]
        if len(deck) < terms.cards + 1:
            raise BadRequestError(f'"difficulty" leaves {len(deck)} cards, too few for a round')
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


def agreement_of(terms: Terms) -> Agreement:
    """Return the terms as in positions, with the cards only if they are not the shipped ones."""
    return Agreement(
        bonus=terms.cards == 2,
        points=terms.points,
        hourglass=terms.hourglass_s,
        execution=terms.execution_s,
        together=terms.together,
        deck="dealt" if terms.dealt else "table",
        cards=None if terms.pictures == CARDS else tuple(map(write_placement, terms.pictures)),
    )


def read_cards(entries: Iterable[str]) -> tuple[Placement, ...]:
    """Parse the pictures of a deck, by the cards' numbers.

    Raises:
        BadRequestError: it is not a deck, or its bishops are on squares of both colours.
    """
    cards = tuple(read_picture(entry, f"card {number}") for number, entry in enumerate(entries))
    check_colouring(cards, '"cards"')
    return cards


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
