"""Review of Royal Tee: the walks that gained or took most, and statistics over many games."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bundle import Feat, Review, Turn
from companion.games.review import named
from companion.locale import _
from companion.ui.names import Names, player_name
from companion.ui.phrases import spaces, steps, strings


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return each player's walk that gained most spaces, and the one that took most from others."""
    walks = [turn for turn in turns if any(event.name == "walked" for event in turn.events)]
    seats = dict.fromkeys(str(turn.by) for turn in walks)
    gained = _("{player} gained most with action {number}: {spaces}.")
    taken = _("{player} took most from others with action {number}: {spaces}.")
    sentences = [
        sentence.format(player=player_name(seat, names), number=best.number, spaces=spaces(measure(best)))
        for seat in seats
        for sentence, measure in ((gained, spaces_gained), (taken, spaces_taken))
        if measure(best := max([turn for turn in walks if turn.by == seat], key=measure))
    ]
    return Review(tuple(sentences))


def spaces_gained(turn: Turn) -> int:
    """Return how many spaces a walk gained, including those taken from others."""
    return sum(len(strings(event.facts["cells"])) for event in turn.events if event.name in ("claimed", "enclosed"))


def spaces_taken(turn: Turn) -> int:
    """Return how many spaces a walk took from others."""
    taken = [event.facts.get("taken") for event in turn.events]
    return sum(len(strings(cells)) for lost in taken if isinstance(lost, dict) for cells in lost.values())


# ---- statistics over many games


FEATS = (
    Feat(
        lambda turns: ((seat, len(turn.action.cells)) for turn, seat, _facts in named(turns, "walked")),
        max,
        lambda number: _("longest walk: {steps}").format(steps=steps(number)),
    ),
    Feat(
        lambda turns: ((seat, spaces_gained(turn)) for turn, seat, _facts in named(turns, "walked")),
        max,
        lambda number: _("most with one walk: {spaces}").format(spaces=spaces(number)),
    ),
)
