"""What the panel's buttons do now, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.verdicts import Button
from companion.core.view import View
from companion.locale import _

__all__ = ["button_lines", "button_name"]


def button_name(button: Button) -> str:
    """Return what stands on a button."""
    return {Button.ROLL: _("ROLL"), Button.DONE: _("DONE"), Button.BACK: _("BACK"), Button.MODE: _("MODE")}[button]


def button_lines(view: View, choices: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return each button that does something, with what it does.

    Args:
        view: the state of the table.
        choices: the words of `view.choices`, in their order.
    """
    return tuple((button_name(button), _meaning(button, code, view, choices)) for button, code in view.buttons.items())


def _meaning(button: Button, code: str, view: View, choices: Sequence[str]) -> str:
    if button is Button.DONE and view.shown is not None and code == view.choices[view.shown].code:
        return choices[view.shown]
    return _codes()[code]


def _codes() -> Mapping[str, str]:
    return {
        "throw": _("throw the dice"),
        "count-up": _("count up"),
        "count-down": _("count down"),
        "judge": _("judge the table"),
        "insist": _("the table is right as it is"),
        "next": _("show the next choice"),
        "judge-mode": _("change when moves are judged"),
        "take-back": _("take back"),
        "show-count": _("show the score, player by player"),
        "count-die": _("take this number"),
        "next-one": _("show the next one"),
        "previous-one": _("show the one before"),
        "leave-it": _("leave it as it is"),
        "accept-dice": _("the dice are right"),
        "reject-dice": _("the dice are wrong"),
    }
