"""What Royal Tee says to people who type their walks."""

from __future__ import annotations

from companion.games.engines import Lead
from companion.locale import _
from companion.ui.names import seat_name
from engines.royal_tee.position import Action, Position

__all__ = ["LEAD"]


def _awaited(position: Position) -> str:
    sentence = _("{player}: walk and name every space stepped on; the slider stands at {slider}.")
    return sentence.format(player=seat_name(position.turn), slider=position.slider)


LEAD: Lead[Position, Action] = Lead(_awaited)
