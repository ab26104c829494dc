"""Review of Royal Racers: the players' luck with the die, and statistics over many games."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.bundle import Feat, Review, Turn
from companion.games.review import each
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from companion.ui.phrases import tenths
from engines.royal_racers.position import Phase, Roll
from engines.royal_racers.search import luck_of_throw

REMARKABLE = 1.0
"""Deviation of a throw from the average, in turns, from which on it is mentioned."""


def review(turns: Sequence[Turn], names: Names) -> Review:
    """Return how many turns of lead the die gave each player, and remarks on lucky and unlucky throws."""
    throws = [turn for turn in turns if isinstance(turn.action, Roll) and turn.before.phase is Phase.ROLL]
    luck = {turn.number: luck_of_throw(turn.before, turn.action) for turn in throws}
    total: dict[str, float] = {}
    for turn in throws:
        total[turn.before.turn] = total.get(turn.before.turn, 0.0) + luck[turn.number]
    lucky, unlucky = _("a lucky throw, worth {turns} turns"), _("an unlucky throw, {turns} turns lost")
    remarks = {
        number: (lucky if turns > 0 else unlucky).format(turns=tenths(abs(turns)))
        for number, turns in luck.items()
        if abs(turns) >= REMARKABLE
    }
    # a sentence on each player's luck, the luckiest first
    kind = _("The die was kind to {player}: {turns} turns of lead more than average throws would have brought.")
    against = _("The die was against {player}: {turns} turns of lead less than average throws would have brought.")
    sentences = tuple(
        (kind if turns >= 0 else against).format(player=player_name(seat, names), turns=tenths(abs(turns)))
        for seat, turns in sorted(total.items(), key=lambda item: -item[1])
    )
    return Review(sentences, remarks)


# ---- statistics over many games


FEATS = (
    Feat(each("turned-up"), sum, lambda n: ngettext("{number} card remembered", "{number} cards remembered", n)),
    Feat(each("wrong-card"), sum, lambda n: ngettext("{number} wrong card", "{number} wrong cards", n)),
)
