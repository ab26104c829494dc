"""What The Royal Study says to people who type what they do."""

from __future__ import annotations

from companion.games.engines import Lead
from companion.locale import _
from companion.ui.names import seat_name
from engines.royal_study.position import Action, Await, Match, Position

__all__ = ["LEAD"]


def _awaited(position: Position) -> str:
    if not isinstance(position, Match):
        return _("Move the pieces until the card is met.")
    sentences = {
        Await.START: _("Draw the card that shows where the pieces begin, and type its number, side and turns."),
        Await.CARD: _("{player}: draw a card and type its number, side and turns."),
        Await.CALL: _("Whoever knows first: call in how many steps it can be done, and your colour."),
        Await.CHALLENGE: _("{player}: challenge the call, or decline?"),
        Await.EXECUTE: _("{player}: make a step, or give up; steps made: {steps}."),
        Await.NEXT: _("{player}: the next card, once more, or stop?"),
    }
    return sentences[position.awaits].format(player=seat_name(position.turn), steps=position.used)


LEAD: Lead[Position, Action] = Lead(_awaited)
