"""The adviser's proposal in Royal Racers in words, with its reason."""

from __future__ import annotations

from companion.games.royal_racers.cards import rank_named
from companion.locale import _, ngettext
from companion.ui.names import Names
from companion.ui.phrases import percent
from engines.kernel import Advice
from engines.royal_racers.position import Action, Flip, Position

__all__ = ["hint_sentence"]


def hint_sentence(position: Position, advice: Advice[Action], names: Names) -> str:  # noqa: ARG001 - one form for all games
    """Return what the adviser proposes and why."""
    numbers, cell = advice.numbers, getattr(advice.action, "cell", "")
    own = round(numbers.get("own", 0))
    turns = ngettext("{number} turn", "{number} turns", own).format(number=own)
    sentence = _sentences()[advice.code].format(
        cell=cell,
        turns=turns,
        rank=rank_named(position.rolled),
        far=round(numbers.get("from_last", 0)),
    )
    if isinstance(advice.action, Flip) and numbers["chance"] < 1:
        sentence += " " + _("The card is the right one in {chance} percent of all cases.").format(
            chance=percent(numbers["chance"])
        )
    return sentence


def _sentences() -> dict[str, str]:
    return {
        "clear-way": _("Turn over the card on {cell}: that clears your way, about {turns} to go."),
        "hold-up": _("Turn over the card on {cell}: that holds up your quickest rival."),
        "least-harm": _("Turn over the card on {cell}: every card for the {rank} costs you something, this one least."),
        "touch": _("Step to {cell} and touch your next flag."),
        "nearer": _("Step to {cell}: from there it is about {turns} to the end."),
        "wait": _("Stay where you are: no step brings you nearer."),
        "far-flag": _("Put the flag on {cell}: {far} steps from the one before it."),
        "any-start": _("Start on {cell}: all start spaces are equally good."),
        "drawn-layout": _("Lay the cards out as the companion has shuffled them."),
    }
