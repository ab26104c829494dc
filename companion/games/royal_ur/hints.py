"""The adviser's proposal in the Royal Game of Ur in words, with its reason."""

from __future__ import annotations

from companion.locale import _
from companion.ui.names import Names
from companion.ui.phrases import percent
from engines.kernel import Advice
from engines.royal_ur.board import HOME
from engines.royal_ur.position import Action, Decline, Enter, Move, Position
from engines.royal_ur.rules import count_of

__all__ = ["hint_sentence"]


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return what the adviser proposes and why."""
    proposal = _proposal(position, advice.action)
    reason = _reasons()[advice.code]
    chance = _("Then you win in {win} percent of all games.").format(win=percent(advice.numbers["win"]))
    return " ".join([_("{proposal}: {reason}.").format(proposal=proposal, reason=reason), chance])


def _proposal(position: Position, action: Action) -> str:
    match action:
        case Move(start):
            place, end = position.place(position.decides), start + count_of(position)
            cells = {"start": position.board.cell(place, start), "end": position.board.cell(place, min(end, HOME))}
            return (_("Move from {start} home") if end == HOME else _("Move from {start} to {end}")).format_map(cells)
        case Enter():
            return _("Enter a counter")
        case Decline():
            return _("Enter no counter")
    return _("Throw the dice")


def _reasons() -> dict[str, str]:
    return {
        "wins": _("that brings the last counter home and wins"),
        "only-choice": _("nothing else is possible"),
        "hits": _("that hits a counter"),
        "comes-home": _("that brings a counter home"),
        "reaches-rosette": _("that reaches a rosette, and another counter can enter"),
        "reaches-four-fives": _("that reaches the four-fives, which carry the counter on"),
        "enters": _("the more counters are on the way, the better"),
        "keeps-counter-off": _("a counter off the board cannot be made to move"),
        "best-expectation": _("that promises the most points"),
    }
