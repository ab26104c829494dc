"""The layout of a campaign's next race: whatever 36 cards are seen to be there."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.evidence import Evidence
from companion.games.hypotheses import PlyLine
from companion.games.royal_racers.labels import parts_of
from engines.kernel import Outcome
from engines.royal_racers import GAME
from engines.royal_racers.board import DECK, NAMES, card_name
from engines.royal_racers.position import Action, Deal, Position

_NAMED = {card_name(card): card for card in DECK}


def dealt(position: Position, evidence: Evidence) -> Iterator[PlyLine[Position, Action]]:
    """Return the deal of the cards that most likely lie there, if they are the 36 of the race, all face up.

    Where some are in doubt, the layout that was drawn when the game was set up may be there as well.
    """
    faces = [parts_of(evidence.best(name)).card for name in NAMES if name in evidence.row]
    deals = [Deal(tuple(_NAMED[face] for face in faces if face in _NAMED))]
    if evidence.unsure():
        deals.append(Deal(position.coming[0]))
    for deal in deals:
        result = GAME.play(position, deal)
        if isinstance(result, Outcome):
            line: PlyLine[Position, Action] = PlyLine((deal,), position, result.events, result.position)
            yield line
