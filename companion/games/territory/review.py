"""Territory afterwards: what decisions gave away, and what is counted over many games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.decisions import PlayedDecision, Scale, remarks_of, summaries
from companion.games.feats import Feat, each, highest, named, total
from companion.games.review import Review, Turn
from companion.games.territory.prompts import action_name
from companion.locale import _, ngettext
from companion.ui.names import Names
from companion.ui.phrases import spaces, strings
from engines.kernel import Seat
from engines.territory.analysis import best_decision, points_given_away
from engines.territory.position import Await, Position
from engines.territory.rules import actions

__all__ = ["FEATS", "review"]

REMARKABLE = 1.0
"""A decision that gave away this many points of expected lead is mentioned."""


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return the decisions that gave points away: a worse space, a roll too many or too few."""
    by_number = {turn.number: turn for turn in turns if _is_decision(turn.before)}
    decisions = [
        PlayedDecision(turn.number, str(turn.before.turn), points_given_away(turn.before, turn.action))
        for turn in by_number.values()
    ]
    scale = Scale(REMARKABLE, _points_words)
    remarks = remarks_of(decisions, scale, lambda number: _better(by_number[number].before, names))
    return Review(tuple(summaries(decisions, scale, names)), remarks)


def _is_decision(position: Position) -> bool:
    return position.awaiting in (Await.CHOOSE, Await.PLACE) and len(actions(position)) > 1


def _points_words(points: float) -> str:
    return _("{points} points on average").format(points=f"{points:.1f}")


def _better(position: Position, names: Names) -> str:
    return action_name(position, best_decision(position), names)


# ---- counted over many games


def _kept(turns: Sequence[Turn]) -> Iterator[tuple[Seat, int]]:
    for _turn, seat, facts in named(turns, "kept"):
        yield seat, len(strings(facts.get("cells")))


def _busts(number: int) -> str:
    return ngettext("{number} bust", "{number} busts", number).format(number=number)


def _captures(number: int) -> str:
    return ngettext("{number} capture", "{number} captures", number).format(number=number)


def _most(number: int) -> str:
    return _("most kept in one turn: {spaces}").format(spaces=spaces(number))


FEATS = (Feat(_kept, highest, _most), Feat(each("busted"), total, _busts), Feat(each("captured"), total, _captures))
