"""Who sits where: the players in a typed line, and the players who can play a game together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, islice, permutations

from companion.games.line import nearest, plain
from companion.games.typed import seats_by_word
from companion.locale import english
from companion.ui.names import enumerated, seat_name
from engines.kernel import Seat

MOST_SEATS = 8
"""More seats than any game has; counts of players are tried up to it."""

_LONGEST_NAME = 24
_TRIED = 200
"""This many groups of players are tried for one that can play."""


@dataclass(frozen=True, slots=True)
class PeopleTyped:
    """The players that a line names, in turn order.

    Attributes:
        seats: who plays; empty where the line has names only.
        names: what they are called, by seat.
        only_names: the names of a line that says nothing of seats.
        unknown: the first word that should be a seat and is not, as it was typed.
        like: the seat's name that is most similar to it, "" if none is.
    """

    seats: tuple[Seat, ...] = ()
    names: Mapping[Seat, str] = field(default_factory=dict)
    only_names: tuple[str, ...] = ()
    unknown: str = ""
    like: str = ""


def people_typed(line: str, seats: Sequence[Seat], *, coloured: bool) -> PeopleTyped:
    """Return the players that a line names: "red, blue", "red and blue", "red blue", "Anna red, Ben blue", "Anna, Ben".

    Args:
        line: as it was typed.
        seats: those of the table.
        coloured: whether these are colours of the table; otherwise any word names a player.
    """
    by_word = seats_by_word(seats, {})
    parts = _parts(line, by_word, coloured=coloured)
    found = [_seat_and_name(part, by_word) for part in parts]
    if not coloured:
        return _called([(seat or _seat_of(name), name) for seat, name in found])
    if found and all(seat is not None for seat, _name in found):
        return _called([(seat, name) for seat, name in found if seat is not None])
    guesses = {name: nearest(name, map(seat_name, seats)) for seat, name in found if seat is None}
    if len(guesses) < len(found) or all(guesses.values()):
        unknown = next(iter(guesses), "")
        return PeopleTyped(unknown=unknown, like=guesses.get(unknown) or "")
    return PeopleTyped(only_names=tuple(guesses))


def names_typed(text: str, players: Sequence[Seat], names: Mapping[Seat, str]) -> Mapping[Seat, str]:
    """Return new names by seat, empty where a text names none: "red Anna", or "Anna, Ben" for all in turn order."""
    by_word = seats_by_word(players, names)
    word, _blank, name = text.strip().partition(" ")
    if plain(word) in by_word and name.strip():
        return {by_word[plain(word)]: name.strip()[:_LONGEST_NAME]}
    parts = [part.strip()[:_LONGEST_NAME] for part in text.split(",") if part.strip()]
    return dict(zip(players, parts, strict=True)) if len(parts) == len(players) > 1 else {}


def _parts(line: str, by_word: Mapping[str, Seat], *, coloured: bool) -> list[str]:
    """Return what a line says of each player: divided by commas, by "and", or by blanks between seats alone."""
    divided = re.split(rf"[,;/+&]|\s(?:{'|'.join(map(re.escape, _conjunctions()))})\s", line)
    parts = [part.strip() for part in divided if part.strip()]
    words = line.split()
    alone = len(parts) == 1 and (not coloured or all(plain(word) in by_word for word in words))
    return words if alone else parts


def _conjunctions() -> set[str]:
    """Return the word between the last two of a list, in the current language and in English."""
    with english():
        both = {enumerated(["", ""]).strip()}
    return both | {enumerated(["", ""]).strip()}


def _seat_and_name(part: str, by_word: Mapping[str, Seat]) -> tuple[Seat | None, str]:
    """Return the seat that one part names, None if it names no seat, and its other words."""
    words = [word for word in re.split(r"[\s:=()]+", part) if word]
    place = next((place for place, word in enumerate(words) if plain(word) in by_word), None)
    if place is None:
        return None, " ".join(words)
    return by_word[plain(words.pop(place))], " ".join(words)


def _seat_of(name: str) -> Seat:
    """Return a seat for a name at a table without colours; a seat is one word."""
    return Seat("-".join(name.split()))


def _called(people: Sequence[tuple[Seat, str]]) -> PeopleTyped:
    names = {seat: name for seat, name in people if name and name != seat}
    return PeopleTyped(tuple(seat for seat, _name in people), names)


# ---- who can play together

CanPlay = Callable[[Sequence[Seat]], bool]
"""Returns whether a game can be played by these players in this order."""


def group_like(wished: Sequence[Seat], seats: Sequence[Seat], can_play: CanPlay) -> tuple[Seat, ...]:
    """Return players who can play together, as similar to the wished ones as possible; empty if none can.

    First the wished ones in another order, then as many others in the order of the table.
    """
    groups = chain(permutations(wished), combinations(seats, len(wished)))
    return next((group for group in islice(groups, _TRIED) if can_play(group)), ())


def numbers_of_players(seats: Sequence[Seat], can_play: CanPlay) -> list[int]:
    """Return how many can play a game, the fewest first."""
    return [
        count
        for count in range(1, len(seats) + 1)
        if any(can_play(group) for group in islice(combinations(seats, count), _TRIED))
    ]


def with_uncoloured(seats: Sequence[Seat]) -> Iterator[Seat]:
    """Return the seats of a table without colours, and more of them, for the players whose names are not known yet."""
    yield from seats
    yield from (Seat(f"player-{place}") for place in range(len(seats) + 1, MOST_SEATS + 1))
