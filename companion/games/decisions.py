"""Decisions of a played game with what each of them cost, in sentences. Pure, for engines that estimate it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import percent


@dataclass(frozen=True, slots=True)
class PlayedDecision:
    """One decision.

    Attributes:
        number: that of the action.
        by: who decided.
        cost: how much better the best decision was.
    """

    number: int
    by: str
    cost: float


@dataclass(frozen=True, slots=True)
class Scale:
    """How costs are measured.

    Attributes:
        least: a cost below this is not mentioned; estimates are no finer.
        words: a cost in words: "5 percent of the chance to win".
    """

    least: float
    words: Callable[[float], str]


CHANCE = Scale(0.03, lambda chance: _("{percent} percent of the chance to win").format(percent=percent(chance)))
"""Costs as parts of the chance to win, from 0 to 1."""


def remarks_of(decisions: Sequence[PlayedDecision], scale: Scale, better: Callable[[int], str]) -> Mapping[int, str]:
    """Return a remark for each decision that cost something; `better` names the best one by the action's number."""
    sentence = _("gave away {cost}; better: {action}")
    return {
        decision.number: sentence.format(cost=scale.words(decision.cost), action=better(decision.number))
        for decision in decisions
        if decision.cost >= scale.least
    }


def summaries(decisions: Sequence[PlayedDecision], scale: Scale, names: Names) -> Iterator[str]:
    """Return for each player how many decisions cost something, and which cost most."""
    for seat in dict.fromkeys(decision.by for decision in decisions):
        yield _summary(player_name(seat, names), [one for one in decisions if one.by == seat], scale)


def _summary(player: str, decisions: Sequence[PlayedDecision], scale: Scale) -> str:
    count = sum(decision.cost >= scale.least for decision in decisions)
    of = ngettext("{count} decision", "{count} decisions", len(decisions)).format(count=len(decisions))
    if not count:
        return _("{player}: {decisions}, none of them could have been better.").format(player=player, decisions=of)
    worst = max(decisions, key=lambda decision: decision.cost)
    sentence = ngettext(
        "{player}: {decisions}, {count} of them not the best; action {number} gave away most ({cost}).",
        "{player}: {decisions}, {count} of them not the best; action {number} gave away most ({cost}).",
        count,
    )
    return sentence.format(player=player, decisions=of, count=count, number=worst.number, cost=scale.words(worst.cost))
