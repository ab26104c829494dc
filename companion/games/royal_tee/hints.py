"""The adviser's walk in words, with its reason."""

from __future__ import annotations

from companion.locale import _
from companion.ui.names import Names
from companion.ui.phrases import spaces
from engines.kernel import Advice
from engines.royal_tee.position import Action, Position, Walk

__all__ = ["hint_sentence"]


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return which walk the adviser proposes and why."""
    walk = advice.action.cells if isinstance(advice.action, Walk) else ()
    numbers = {key: int(value) for key, value in advice.numbers.items()}
    return _sentences()[advice.code].format(
        walk=" ".join(walk),
        gained=spaces(numbers["gained"]),
        enclosed=spaces(numbers["enclosed"]),
        taken=numbers["taken"],
        exposed=spaces(numbers["exposed"]),
    )


def _sentences() -> dict[str, str]:
    return {
        "encloses": _("Walk {walk}: that encloses {enclosed} and brings {gained} in all."),
        "takes": _("Walk {walk}: that brings {gained}, {taken} of them from others."),
        "claims": _("Walk {walk}: that brings {gained}; no other walk leaves you better off."),
        "boxed-in": _("There is no free space beside your Royal Tee: you have to pass."),
        "nothing-new": _("No walk brings a new space. Walk {walk}: then others can reach only {exposed} of yours."),
    }
