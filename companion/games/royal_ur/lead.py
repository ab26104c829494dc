"""What the Royal Game of Ur says to people who type what they do, from the throw-off on."""

from __future__ import annotations

from companion.games.engines import Lead
from companion.locale import _
from companion.ui.names import seat_name
from engines.royal_ur.position import Action, Await, Position
from engines.royal_ur.rules import count_of

__all__ = ["LEAD"]


def _awaited(position: Position) -> str:
    if position.awaits is None:
        return ""
    sentences = {
        Await.THROW_OFF: _("{player}: throw the dice for who begins, and type how many dots they show."),
        Await.ROLL: _("{player}: throw the dice and type how many dots they show."),
        Await.MOVE: _("{player}: move a counter by {count}, named by how far along its way it stands."),
        Await.ENTER: _("{player}: enter a counter, or decline?"),
        Await.FORFEIT: _("{player}: a forfeit: move a counter by {count}, named by how far along its way it stands."),
    }
    acting = position.turn if position.awaits in (Await.THROW_OFF, Await.ROLL) else position.decides
    return sentences[position.awaits].format(player=seat_name(acting), count=count_of(position))


LEAD: Lead[Position, Action] = Lead(_awaited)
