"""What players are proud of, or not: single feats over all games of a kind, for the statistics. Pure, for any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.games.bundle import Feat, Turn
from companion.games.discovery import Parts
from engines.kernel import JsonObject, Seat

FEATS: Mapping[str, Sequence[Feat]] = Parts(lambda bundle: bundle.feats)
"""The feats of each game, by the game's name."""


def highest(numbers: Sequence[int]) -> int:
    """Return the largest of some numbers."""
    return max(numbers)


def total(numbers: Sequence[int]) -> int:
    """Return the sum of some numbers."""
    return sum(numbers)


@dataclass(slots=True)
class Feats:
    """What one player has done in some games of a kind, each feat by its place among the game's."""

    numbers: dict[int, list[int]] = field(default_factory=dict)

    def words(self, game: str) -> list[str]:
        """Return the feats in words; none that never happened."""
        return [_words(feats_of(game)[place], found) for place, found in sorted(self.numbers.items())]


def _words(feat: Feat, numbers: Sequence[int]) -> str:
    return feat.words(feat.combine(numbers))


def feats_of(game: str) -> Sequence[Feat]:
    """Return the feats of a game; empty if it counts none."""
    return FEATS.get(game, ())


def count_feats(game: str, turns: Sequence[Turn]) -> Iterator[tuple[Seat, int, int]]:
    """Return what a game has: the player, the place of the feat, the number."""
    for place, feat in enumerate(feats_of(game)):
        for seat, number in feat.counted(turns):
            yield seat, place, number


def named(turns: Sequence[Turn], event: str) -> Iterator[tuple[Turn, Seat, JsonObject]]:
    """Return the events of a name with the player that they name, in order."""
    for turn in turns:
        for found in turn.events:
            if found.name == event and "player" in found.facts:
                yield turn, Seat(str(found.facts["player"])), found.facts


def each(event: str) -> Callable[[Sequence[Turn]], Iterator[tuple[Seat, int]]]:
    """Return what counts a one for every event of a name."""

    def counted(turns: Sequence[Turn]) -> Iterator[tuple[Seat, int]]:
        return ((seat, 1) for _turn, seat, _facts in named(turns, event))

    return counted
