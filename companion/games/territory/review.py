"""Review of Territory: what decisions gave away, and statistics over many games."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bundle import Feat, Review, Turn
from companion.games.review import CHANCE, Scale, each, named, remarks_of, summaries
from companion.games.territory.speech import action_name
from companion.locale import _, ngettext
from companion.ui.names import Names
from companion.ui.phrases import spaces, strings, tenths
from engines.territory.position import Position
from engines.territory.rules import actions, is_last_turn
from engines.territory.search import best_decision, chance_given_away, points_given_away

REMARKABLE = 1.0
"""Points of expected lead from which on a decision that gave them away is mentioned."""


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return the decisions that gave points away, or in the last turn of the game some of the chance to win."""
    decided = [turn for turn in turns if len(actions(turn.before)) > 1]
    last = [turn for turn in decided if is_last_turn(turn.before)]
    in_points = [(turn, points_given_away(turn.before, turn.action)) for turn in decided if turn not in last]
    in_chances = [(turn, chance_given_away(turn.before, turn.action)) for turn in last]
    scale = Scale(REMARKABLE, lambda points: _("{points} points on average").format(points=tenths(points)))

    def better(position: Position) -> str:
        return action_name(position, best_decision(position), names)

    remarks = remarks_of(in_chances, CHANCE, better)
    return Review(tuple(summaries(in_points, scale, names)), {**remarks_of(in_points, scale, better), **remarks})


# ---- statistics over many games


FEATS = (
    Feat(
        lambda turns: ((seat, len(strings(facts["cells"]))) for _turn, seat, facts in named(turns, "kept")),
        max,
        lambda number: _("most kept in one turn: {spaces}").format(spaces=spaces(number)),
    ),
    Feat(each("busted"), sum, lambda n: ngettext("{number} bust", "{number} busts", n)),
    Feat(each("captured"), sum, lambda n: ngettext("{number} capture", "{number} captures", n)),
)
