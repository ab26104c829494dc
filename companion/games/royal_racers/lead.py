"""What Royal Racers says to people who type what they do, from choosing start spaces and laying flags on."""

from __future__ import annotations

from companion.games.engines import Lead
from companion.locale import _
from companion.ui.names import seat_name
from engines.royal_racers.position import Action, Phase, Position, owner_of

__all__ = ["LEAD"]


def _awaited(position: Position) -> str:
    sentences = {
        Phase.START: _("{player}: choose a start space."),
        Phase.FLAG: _("{player}: lay a flag for {owner}."),
        Phase.ROLL: _("{player}: throw the die and type its number, or null for the empty face."),
        Phase.FLIP: _("{player}: turn over a card for the {rolled}."),
        Phase.MOVE: _("{player}: step to a space beside the pawn, or pass."),
        Phase.DEAL: _("{player}: deal the cards for the next race."),
    }
    owner = position.players[owner_of(position.place, len(position.players))]
    facts = {"player": seat_name(position.turn), "owner": seat_name(owner), "rolled": position.rolled}
    return sentences[position.phase].format(**facts)


LEAD: Lead[Position, Action] = Lead(_awaited)
