"""Verdicts and states in sentences for people. What only one game knows, that game says itself (`GameWords`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from companion.core.match import Finding, Told
from companion.core.values import (
    Confirmed,
    Refused,
    Todo,
    TookBack,
    Unchanged,
    Unclear,
    View,
    Waiting,
)
from companion.locale import _
from engines.kernel import Cell, JsonObject

MOST_CELLS = 8
"""So many cells are named in a sentence; the picture shows the others."""


class GameWords(Protocol):
    """One game's own sentences."""

    def refused(self, code: str, cells: Sequence[Cell], facts: JsonObject) -> str:
        """Say why something is refused, as a whole sentence."""
        ...

    def played(self, action: JsonObject, facts: JsonObject) -> str:
        """Say what was played, as a whole sentence; `facts` are those of `Confirmed`."""
        ...


def unexplained(code: str, cells: Sequence[Cell]) -> str:
    """Say where a table cannot be explained, for a code that the game has no sentence for."""
    if not cells:
        return _("The rules do not explain the table ({code}).").format(code=code)
    return _("The rules do not explain {cells} ({code}).").format(cells=listed(cells), code=code)


def listed(cells: Iterable[str]) -> str:
    """Name cells, the first few of them."""
    names = list(cells)
    more = len(names) - MOST_CELLS
    named = ", ".join(names[:MOST_CELLS])
    return _("{cells} and {more} more").format(cells=named, more=more) if more > 0 else named


def verdict_words(view: View, words: GameWords) -> str:
    """Say the last verdict, or what the table is waited for before the first one."""
    match view.verdict:
        case Confirmed(seat, action, _p, facts, todo):
            told = f"{seat}: {words.played(action, facts)}"
            return f"{told} {todo_words(todo)}" if todo else told
        case Refused(code, rule, _p, cells, facts):
            return with_rule(words.refused(code, cells, facts), rule)
        case Unclear(code, cells, actions):
            return _unclear(code, cells, len(actions))
        case Unchanged():
            return _("The table is as it should be.")
        case TookBack(seat, todo):
            told = _("{seat}'s last action is taken back.").format(seat=seat)
            return f"{told} {todo_words(todo)}" if todo else told
        case None:
            return waiting_words(view.waiting) if view.waiting else _("Ready.")


def with_rule(sentence: str, rule: str) -> str:
    """Add the paragraph of the game's RULES.md, where there is one."""
    return f"{sentence} " + _("(rule {rule})").format(rule=rule) if rule else sentence


def waiting_words(waiting: Waiting) -> str:
    """Say why there is no verdict yet."""
    sentences = {
        "hand": _("Something hides {cells}."),
        "moving": _("Something is moving on the table."),
        "settling": _("Looking ..."),
        "on-done": _("Press done after the move."),
        "put-back": _("Put the pieces back, or press done to play it all the same."),
        "blind-no-board": _("The table's markers are not to be seen."),
        "blind-wrong-game": _("Another game's table lies there."),
        "blind-cut-off": _("A part of the table is out of the picture."),
        "blind-dark": _("It is too dark to see."),
        "blind-blurred": _("The picture is blurred."),
    }
    sentence = sentences.get(waiting.code, _("The table is not to be seen."))
    return sentence.format(cells=listed(waiting.cells))


def todo_words(todo: Sequence[Todo]) -> str:
    """Say what is left to do on the table, one sentence for each kind of piece."""
    kinds = dict.fromkeys(t.put for t in todo)
    return " ".join(
        _("Put {piece} on {cells}.").format(piece=kind, cells=listed(t.cell for t in todo if t.put == kind))
        for kind in kinds
    )


def standing_words(view: View) -> str:
    """Say whose turn it is, or who has won, and the score."""
    score = ", ".join(f"{seat} {points}" for seat, points in view.score.items())
    if view.over:
        won = _("{seats} wins") if len(view.leaders) == 1 else _("{seats} win together")
        return won.format(seats=", ".join(view.leaders)) + f" ({score})"
    turn = _("the dice") if view.to_act == "dice" else str(view.to_act)
    return _("Turn: {seat}").format(seat=turn) + f" ({score})"


def finding_words(finding: Finding, words: GameWords) -> str:
    """Say what a judgement found and why."""
    best = finding.best
    match finding.told:
        case Told.ILLEGAL:
            return with_rule(words.refused(best.code, best.cells, best.facts), best.rule)
        case Told.UNCHANGED | Told.PUT_BACK:
            return _("Nothing has been moved.")
        case Told.LEGAL:
            return words.played(best.action or {}, {})
        case Told.AMBIGUOUS:
            return _unclear("ambiguous", finding.cells, len(finding.rivals))


def _unclear(code: str, cells: Sequence[Cell], rivals: int) -> str:
    if code != "ambiguous":
        return waiting_words(Waiting(code, tuple(cells)))
    if not cells:
        return _("The table looks the same after several moves.")
    if rivals > 1:
        return _("{rivals} moves would look like this; {cells} would tell.").format(rivals=rivals, cells=listed(cells))
    return _("Too close to call; {cells} would tell.").format(cells=listed(cells))
