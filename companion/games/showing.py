"""A view of any game as a page: the game's sentences, its choices in words, and what its own screen adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.verdicts import Position, Refused, TookBack
from companion.core.view import View
from companion.games.captions import choice_words, request_words
from companion.games.speech import SPEECHES, numbered_lines, taken_back, title_of
from companion.ui.names import Names
from companion.ui.page import NOTHING, Extras, Narration, Page, page_of
from companion.ui.words import todo_words, with_rule
from engines.kernel import Refusal, Seat
from hardware.panel import Rhythm
from vision.board import Board

__all__ = ["extras_of", "page_for"]


def extras_of(game: str, position: Position, board: Board, names: Names) -> Extras:
    """Return what a game's screen adds to a position."""
    extras = SPEECHES[game].extras
    return NOTHING if extras is None else extras(position, board, names)


def page_for(view: View, board: Board, *, lamps: Mapping[Seat, Rhythm], remarks: Sequence[str] = ()) -> Page:
    """Put a view of any game into words."""
    return page_of(view, narration(view, board), lamps=lamps, remarks=remarks)


def narration(view: View, board: Board) -> Narration:
    """Return what the game says of a view."""
    speech, names = SPEECHES[view.game], view.arrangement.names
    return Narration(
        speech.words,
        prompt="" if view.over else request_words(view) or speech.prompt(view.position, names),
        choices=tuple(choice_words(view, choice) for choice in view.choices),
        possible=() if view.over or view.paused else tuple(numbered_lines(view.game, view.position, names)),
        message=_message(view),
        extras=extras_of(view.game, view.position, board, names),
        title=title_of(view.game),
    )


def _message(view: View) -> str | None:
    """Return why an action that the players entered is refused, or what is taken back; None for any other verdict."""
    speech, names = SPEECHES[view.game], view.arrangement.names
    match view.verdict:
        case Refused(code, rule, _p, cells, _facts, action) if action is not None:
            refusal = Refusal(code, rule, cells)
            return with_rule(speech.refusal(view.position, action, refusal, names), rule)
        case TookBack(_seat, todo, played) if played is not None:
            back = taken_back(view.game, view.position, played, names)
            return f"{back} {todo_words(todo, speech.words)}" if todo else back
    return None
