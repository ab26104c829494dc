"""The adviser's proposal in The Royal Study in words; before the call it helps nobody who competes."""

from __future__ import annotations

from companion.games.royal_study.prompts import action_name
from companion.locale import _
from companion.ui.names import NO_NAMES, Names
from companion.ui.phrases import moves
from engines.kernel import Advice
from engines.royal_study.position import Action, Await, Match, Move, Position, Turning

__all__ = ["hint_sentence"]

_COMPETING = (Await.CALL, Await.CHALLENGE)


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return what the adviser proposes and why; nothing of it while players still compete for the number."""
    if isinstance(position, Match) and position.awaits in _COMPETING and not position.terms.together:
        return _("You are still competing for the fewest moves: hints come once it is clear who makes the moves.")
    return _sentences()[advice.code].format(
        step=action_name(position, advice.action, NO_NAMES) if isinstance(advice.action, Move | Turning) else "",
        least=moves(int(advice.numbers["least"])),
        left=moves(int(advice.numbers.get("left", 0))),
        made=moves(int(advice.numbers.get("steps", 0))),
        called=int(advice.numbers.get("called", 0)),
    )


def _sentences() -> dict[str, str]:
    return {
        "best-line": _("The next move: {step}. From here it takes {least}."),
        "out-of-reach": _("Give up: from here it takes {least}, and you have {left}."),
        "fewer-are-enough": _("Try again: {least} are enough, and it took {made}."),
        "none-fewer": _("Go on: nobody can do it in fewer than {least}."),
        "least-total": _("It takes {least}."),
        "named-too-few": _("Do not challenge: it takes {least}, and {called} were called."),
    }
