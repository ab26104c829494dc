"""What Territory says to people who type what they do, from the roll-off on."""

from __future__ import annotations

from companion.games.engines import Lead
from companion.locale import _
from companion.ui.names import seat_name
from engines.territory.position import Action, Await, Position

__all__ = ["LEAD"]


def _awaited(position: Position) -> str:
    sentences = {
        Await.ROLL_OFF: _("{player}: throw one die for who begins, and type its number."),
        Await.ROLL: _("{player}: throw both dice and type the numbers, with a blank between them."),
        Await.PLACE: _("{player}: place a piece for the {number}, or capture a space."),
        Await.CHOOSE: _("{player}: roll again, or stop?"),
    }
    rolled = position.rolled[-1] if position.rolled else None
    return sentences[position.awaiting].format(player=seat_name(position.turn), number=rolled)


LEAD: Lead[Position, Action] = Lead(_awaited)
