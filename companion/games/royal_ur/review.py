"""Review of the Royal Game of Ur: chances to win, what decisions gave away, statistics over many games."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bundle import Curve, Feat, Review, Turn
from companion.games.review import CHANCE, each, named, remarks_of, summaries
from companion.games.royal_ur.speech import action_name
from companion.locale import _, ngettext
from companion.ui.names import Names
from engines.royal_ur.position import Await, Position
from engines.royal_ur.rules import actions
from engines.royal_ur.scoring import winners
from engines.royal_ur.search import chance_given_away, prospect, prospects


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return the chance to win before every throw, and remarks on decisions that gave much of it away."""
    decided = [turn for turn in turns if len(actions(turn.before)) > 1]
    decisions = [(turn, chance_given_away(turn.before, turn.action)) for turn in decided]

    def better(position: Position) -> str:
        held = prospects(position)
        return action_name(position, max(held, key=lambda action: held[action].win), names)

    remarks = remarks_of(decisions, CHANCE, better)
    # each player's chance to win before every throw, in percent
    curve, known = None, [(turn.number - 1, turn.before) for turn in turns if turn.before.awaits is Await.ROLL]
    if known:
        first, second = known[0][1].players
        chances = [(number, 100 * prospect(position, first, 0).win) for number, position in known]
        if won := winners(turns[-1].after):
            chances.append((turns[-1].number, 100.0 * (first in won)))
        values = {first: chances, second: [(number, 100 - chance) for number, chance in chances]}
        curve = Curve(_("chance to win in percent"), values)
    return Review(tuple(summaries(decisions, CHANCE, names)), remarks, curve)


# ---- statistics over many games


FEATS = (
    Feat(  # the event names the owner of the counter
        lambda turns: ((turn.before.other(hit), 1) for turn, hit, _facts in named(turns, "hit")),
        sum,
        lambda n: ngettext("{number} counter hit", "{number} counters hit", n),
    ),
    Feat(each("offered"), sum, lambda n: ngettext("{number} rosette", "{number} rosettes", n)),
)
