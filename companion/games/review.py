"""The review of a played game: its course, the cost of decisions, and single feats. Pure, for any game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import Any, TypeAlias

from companion.games.bundle import Curve, Feat, Review, Turn
from companion.games.discovery import Parts, bundle_of
from companion.games.engines import ENGINES
from companion.games.record import GameRecord, replay
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import percent
from engines.kernel import JsonObject, Outcome, Seat

# ---- what decisions cost


PlayedDecision: TypeAlias = tuple[Turn, float]
"""A decision, and how much better the best one was."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The scale of costs.

    Attributes:
        least: a cost below this is not mentioned, because estimates are no finer.
        words: a cost in words: "5 percent of the chance to win".
    """

    least: float
    words: Callable[[float], str]


CHANCE = Scale(0.03, lambda chance: _("{percent} percent of the chance to win").format(percent=percent(chance)))
"""Costs as shares of the chance to win, from 0 to 1."""


def remarks_of(decisions: Sequence[PlayedDecision], scale: Scale, better: Callable[[Any], str]) -> Mapping[int, str]:
    """Return a remark for each decision that cost something; `better` names the best one in a position."""
    sentence = _("gave away {cost}; better: {action}")
    return {
        turn.number: sentence.format(cost=scale.words(cost), action=better(turn.before))
        for turn, cost in decisions
        if cost >= scale.least
    }


def summaries(decisions: Sequence[PlayedDecision], scale: Scale, names: Names) -> Iterator[str]:
    """Yield a sentence for each player: how many decisions cost something, and which cost most."""
    for seat in dict.fromkeys(turn.by for turn, _cost in decisions):
        own = [(turn.number, cost) for turn, cost in decisions if turn.by == seat]
        count = sum(cost >= scale.least for _number, cost in own)
        of = ngettext("{count} decision", "{count} decisions", len(own)).format(count=len(own))
        sentence = ngettext(
            "{player}: {decisions}, {count} of them not the best; action {number} gave away most ({cost}).",
            "{player}: {decisions}, {count} of them not the best; action {number} gave away most ({cost}).",
            count,
        )
        if not count:
            sentence = _("{player}: {decisions}, none of them could have been better.")
        number, cost = max(own, key=itemgetter(1))
        facts = {"count": count, "number": number, "cost": scale.words(cost)}
        yield sentence.format(player=player_name(seat, names), decisions=of, **facts)


# ---- the course of a game, and what a game has to say of it


NOTHING = Review()

NOTATIONS: Mapping[str, Mapping[str, Callable[[Sequence[Turn], Names], str]]] = Parts(lambda bundle: bundle.notations)
"""The writers of each game's notations for other programs, by the notation's name."""


def turns_of(record: GameRecord) -> Iterator[Turn]:
    """Yield the legal actions of a record in order."""
    return (turn for turn in replay(record) if isinstance(turn.outcome, Outcome))


def review_of(game: str, turns: Sequence[Turn], names: Names) -> Review:
    """Return the review of a game."""
    review = bundle_of(game).review
    return NOTHING if review is None else review(turns, names)


MOST_MOMENTS = 4
"""The largest number of moments of a game that are shown."""


def score_curve(game: str, start: object, turns: Sequence[Turn]) -> Curve:
    """Return every player's points after every action."""
    scores = [ENGINES[game].game.score(position) for position in (start, *(turn.after for turn in turns))]
    seats = [seat for seat in scores[-1] if seat in scores[0]]
    numbers = [0, *(turn.number for turn in turns)]
    values = {
        seat: [(number, float(score.get(seat, 0))) for number, score in zip(numbers, scores, strict=True)]
        for seat in seats
    }
    return Curve(_("points"), values)


def moments(curve: Curve) -> list[int]:
    """Return the numbers of the actions that changed the players' values most against each other, in order.

    A change between two known values belongs to the last action before the later one.
    """
    # by action the distance between the largest rise and the largest fall of a player's value
    rises: dict[int, list[float]] = {}
    for points in curve.values.values():
        for (_earlier, before), (number, after) in pairwise(points):
            rises.setdefault(number, []).append(after - before)
    changes = {number: max(0.0, *found) - min(0.0, *found) for number, found in rises.items()}
    largest = sorted(changes, key=lambda number: (changes[number], number), reverse=True)[:MOST_MOMENTS]
    return sorted(number for number in largest if changes[number] > 0)


# ---- feats: what players are proud of, or not, over all games of a kind

FEATS: Mapping[str, Sequence[Feat]] = Parts(lambda bundle: bundle.feats)
"""The feats of each game, by the game's name."""


@dataclass(slots=True)
class Feats:
    """One player's feats in several games of a kind, by the index of the feat."""

    numbers: dict[int, list[int]] = field(default_factory=dict)

    def words(self, game: str) -> list[str]:
        """Return the feats in words, without those that never happened."""
        counted = [(feats_of(game)[place], found) for place, found in sorted(self.numbers.items())]
        numbers = [(feat, feat.combine(found)) for feat, found in counted]
        return [feat.words(number).format(number=number) for feat, number in numbers]


def feats_of(game: str) -> Sequence[Feat]:
    """Return the feats of a game; empty if it counts none."""
    return FEATS.get(game, ())


def count_feats(game: str, turns: Sequence[Turn]) -> Iterator[tuple[Seat, int, int]]:
    """Yield the feats of a game: the player, the index of the feat, the number."""
    for place, feat in enumerate(feats_of(game)):
        for seat, number in feat.counted(turns):
            yield seat, place, number


def named(turns: Sequence[Turn], event: str) -> Iterator[tuple[Turn, Seat, JsonObject]]:
    """Yield the events with this name that name a player, with their turn, player and facts, in order."""
    for turn in turns:
        for found in turn.events:
            if found.name == event and "player" in found.facts:
                yield turn, Seat(str(found.facts["player"])), found.facts


def each(event: str) -> Callable[[Sequence[Turn]], Iterator[tuple[Seat, int]]]:
    """Return a counter that counts 1 for every event with this name."""

    def counted(turns: Sequence[Turn]) -> Iterator[tuple[Seat, int]]:
        return ((seat, 1) for _turn, seat, _facts in named(turns, event))

    return counted
