"""Verdicts and states in sentences for people. What only one game knows, that game says itself (`GameWords`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.core.inference import Decision, Finding
from companion.core.verdicts import Confirmed, PendingPlacement, Refused, TookBack, Unchanged, Unclear, Waiting
from companion.core.view import View
from companion.locale import _
from companion.ui.names import label_name, points, seat_name
from companion.ui.people import NO_NAMES, Names
from companion.ui.phrases import cells_list
from engines.kernel import Cell, JsonObject, Seat
from vision.observation import Blind, BlindReason


class GameWords(Protocol):
    """One game's own sentences."""

    def refused(self, code: str, cells: Sequence[Cell], facts: JsonObject, names: Names = ...) -> str:
        """Return why a table is refused, as a whole sentence."""
        ...

    def played(self, seat: str | None, action: JsonObject, facts: JsonObject, names: Names = ...) -> str:
        """Return what a player did, in whole sentences; `facts` are those of `Confirmed`."""
        ...


def unexplained(code: str, cells: Sequence[Cell]) -> str:
    """Say where a table cannot be explained, for a code that the game has no sentence for."""
    if not cells:
        return _("The rules do not explain the table ({code}).").format(code=code)
    return _("The rules do not explain {cells} ({code}).").format(cells=cells_list(cells), code=code)


listed = cells_list
"""Another name for `cells_list`."""


def verdict_words(view: View, words: GameWords, names: Names = NO_NAMES) -> str:
    """Say the last verdict, or what the table is waited for before the first one."""
    match view.verdict:
        case Confirmed(seat, action, _p, facts, todo):
            played = words.played(seat, action, facts, names)
            return f"{played} {todo_words(todo)}" if todo else played
        case Refused(code, rule, _p, cells, facts):
            return with_rule(words.refused(code, cells, facts, names), rule)
        case Unclear(code, cells, actions):
            return _unclear(code, cells, len(actions))
        case Unchanged():
            return _("The table is as it should be.")
        case TookBack(seat, todo):
            told = _("{player}'s last action is taken back.").format(player=seat_name(seat))
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
    return sentence.format(cells=cells_list(waiting.cells))


def todo_words(todo: Sequence[PendingPlacement]) -> str:
    """Say what is left to do on the table, one sentence for each kind of piece."""
    kinds = dict.fromkeys(t.expected for t in todo)
    return " ".join(_put(kind, cells_list(t.cell for t in todo if t.expected == kind)) for kind in kinds)


def _put(label: str, cells: str) -> str:
    if label == "empty":
        return _("Clear {cells}.").format(cells=cells)
    return _("Put {piece} on {cells}.").format(piece=label_name(label), cells=cells)


def blind_words(blind: Blind) -> str:
    """Say why a picture was refused, with what is known of it."""
    sentences = {
        BlindReason.NO_BOARD: _("no marker of a known table in sight"),
        BlindReason.WRONG_GAME: _("another game's table lies there"),
        BlindReason.CUT_OFF: _("too little of the board is in the picture"),
        BlindReason.DARK: _("too dark to read: is the lens covered?"),
        BlindReason.BLURRED: _("too blurred to read"),
        BlindReason.UNREADABLE_FILE: _("the file is no picture that can be read"),
    }
    return _measured(blind) or sentences[blind.reason]


def _measured(blind: Blind) -> str:
    """Say why a picture was refused where more is known than the reason, else nothing."""
    match blind.facts:
        case {"markers": markers}:
            text = _("only {markers} of the table's 4 markers in sight: too few to tell where the board lies")
            return text.format(markers=markers)
        case {"title": title}:
            return _("another game's table lies there: {title}").format(title=title)
        case {"outside": float(outside)}:
            text = _("too little of the board is in the picture (cells outside: {percent} %)")
            return text.format(percent=round(100 * outside))
        case {"error": str(error)}:
            return error
    return ""


def standing_words(view: View) -> str:
    """Say whose turn it is, or who has won, and the score."""
    score = points(view.score)
    if view.over and not view.leaders:
        return _("The game is over ({score})").format(score=score)
    if view.over:
        return won_words(view.leaders, view.score)
    turn = _("the dice") if view.to_act == "dice" else seat_name(str(view.to_act))
    return _("Turn: {player} ({score})").format(player=turn, score=score)


def won_words(winners: Sequence[Seat], score: Mapping[Seat, int]) -> str:
    """Say who has won, and the score."""
    won = _("{players} wins ({score})") if len(winners) == 1 else _("{players} win together ({score})")
    return won.format(players=", ".join(map(seat_name, winners)), score=points(score))


def told_word(told: Decision) -> str:
    """Name a verdict."""
    names = {
        Decision.LEGAL: _("legal"),
        Decision.ILLEGAL: _("illegal"),
        Decision.AMBIGUOUS: _("ambiguous"),
        Decision.UNCHANGED: _("unchanged"),
        Decision.PUT_BACK: _("put back"),
    }
    return names[told]


def finding_words(finding: Finding, words: GameWords, seat: Seat | None = None) -> str:
    """Return what a judgement found and why; `seat` is who was to act, where that is known."""
    best = finding.best
    match finding.told:
        case Decision.ILLEGAL:
            return with_rule(words.refused(best.code, best.cells, best.facts), best.rule)
        case Decision.UNCHANGED | Decision.PUT_BACK:
            return _("Nothing has been moved.")
        case Decision.LEGAL:
            return " ".join(words.played(seat, action, {}) for action in best.actions)
        case Decision.AMBIGUOUS:
            return _unclear("ambiguous", finding.cells, len(finding.rivals))


def _unclear(code: str, cells: Sequence[Cell], rivals: int) -> str:
    if code != "ambiguous":
        return waiting_words(Waiting(code, tuple(cells)))
    if not cells:
        return _("The table looks the same after several moves.")
    if rivals > 1:
        return _("{rivals} moves would look like this; {cells} would tell.").format(
            rivals=rivals, cells=cells_list(cells)
        )
    return _("Too close to call; {cells} would tell.").format(cells=cells_list(cells))
