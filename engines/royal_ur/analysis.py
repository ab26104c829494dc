"""What a played game of Ur shows afterwards: how much chance to win each decision gave away."""

from __future__ import annotations

from engines.royal_ur.position import Action, Position
from engines.royal_ur.search import THROWS_AHEAD, prospects


def chance_given_away(position: Position, action: Action, throws_ahead: int = THROWS_AHEAD) -> float:
    """Return how much more chance to win the best decision had than the one that was taken, from 0 to 1.

    The chances are those of `search.prospects`: exact for endings, estimates before.

    Raises:
        ValueError: the action is not one of the open decisions.
    """
    held = prospects(position, throws_ahead)
    if action not in held:
        message = f"{action} is none of the {len(held)} open decisions"
        raise ValueError(message)
    return max(prospect.win for prospect in held.values()) - held[action].win
