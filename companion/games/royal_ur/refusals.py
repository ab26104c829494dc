"""Why an action of the Royal Game of Ur is forbidden, and what to do instead."""

from __future__ import annotations

from companion.locale import _
from companion.ui.names import Names, player_name
from companion.ui.phrases import cells_list
from engines.kernel import Refusal
from engines.royal_ur.position import Action, Await, Position
from engines.royal_ur.rules import count_of

__all__ = ["refusal_sentence"]


def refusal_sentence(position: Position, action: Action, refusal: Refusal, names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return why the rules forbid an action in a position, and what would be allowed."""
    code = refusal.code
    key = (code, position.awaits)
    sentence = _at_the_moment().get(key) or _sentences()[code]
    return sentence.format(
        player=player_name(position.decides, names),
        cell=refusal.cells[0] if refusal.cells else "",
        cells=cells_list(refusal.cells),
        count=count_of(position),
    )


def _at_the_moment() -> dict[tuple[str, Await | None], str]:
    return {
        ("throw-awaited", Await.THROW_OFF): _("First both players throw to see who begins: it is up to {player}."),
        ("decision-awaited", Await.ENTER): _("First decide: does {player} enter a counter, or not?"),
        ("must-move", Await.FORFEIT): _("The eyes leave no choice: {player} has to move 4 squares, from {cells}."),
    }


def _sentences() -> dict[str, str]:
    return {
        "game-over": _("The game is over: one player has all counters home."),
        "throw-awaited": _("Throw the dice first."),
        "decision-awaited": _("Use the last throw first: {player} has to move a counter by {count}."),
        "no-counter": _("{player} has no counter on {cell}."),
        "beyond-home": _("From {cell} a move of {count} goes beyond home; home is reached by the exact count."),
        "needs-three-dots": _("A counter enters with three dots only. Move a counter by {count}."),
        "none-to-enter": _("{player} has no counter left to enter."),
        "must-move": _("You can move, so you have to: from {cells}."),
        "offer-open": _("The rosette lets {player} only enter a counter on {cell}, or leave it."),
    }
