"""A view of any game as a page: the game's sentences, its choices in words, and what its own screen adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from companion.core.verdicts import Choice, Refused, Rhythm
from companion.core.view import View
from companion.games.discovery import Parts
from companion.games.engines import ENGINES
from companion.games.speech import SPEECHES, title_of
from companion.locale import _
from companion.ui.buttons import choice_words
from companion.ui.extras import NOTHING, Extras
from companion.ui.names import Names, player_name
from companion.ui.page import Narration, Page, page_of
from companion.ui.words import with_rule
from engines.kernel import Refusal, Seat
from vision.board import Board

__all__ = ["SCREENS", "choice_name", "extras_of", "page_for"]

GameScreen: TypeAlias = Callable[[Any, Board, Names], Extras]

SCREENS: Mapping[str, GameScreen] = Parts("screen", "extras")
"""What a game's screen adds to a position, by the game's name; a game without a `screen` module adds nothing."""


def extras_of(game: str, position: Any, board: Board, names: Names) -> Extras:
    """Return what a game's screen adds to a position."""
    return SCREENS[game](position, board, names) if game in SCREENS else NOTHING


def page_for(view: View, board: Board, *, lamps: Mapping[Seat, Rhythm], remarks: Sequence[str] = ()) -> Page:
    """Put a view of any game into words."""
    return page_of(view, narration(view, board), lamps=lamps, remarks=remarks)


def narration(view: View, board: Board) -> Narration:
    """Return what the game says of a view."""
    speech, names = SPEECHES[view.game], view.arrangement.names
    if view.position is None:
        return Narration(speech.words, title=title_of(view.game))
    return Narration(
        speech.words,
        prompt="" if view.over else speech.prompt(view.position, names),
        choices=tuple(choice_name(view, choice) for choice in view.choices),
        message=_refusal(view),
        extras=extras_of(view.game, view.position, board, names),
        title=title_of(view.game),
    )


def choice_name(view: View, choice: Choice) -> str:
    """Return a choice in words."""
    if choice.action is None:
        player = player_name(choice.by, view.arrangement.names)
        return (choice_words(choice.code) or choice.code).format(player=player)
    if choice.counts is not None and view.number is None:
        return _("{player}: count a number").format(player=player_name(choice.by, view.arrangement.names))
    counted = {} if choice.counts is None else {choice.counts: view.number}
    action = ENGINES[view.game].game.action_from_json({**choice.action, **counted})
    return SPEECHES[view.game].action_name(view.position, action, view.arrangement.names)


def _refusal(view: View) -> str | None:
    """Return why an action that people entered is refused; None where the verdict is another one."""
    match view.verdict:
        case Refused(code, rule, _p, cells, {"action": dict(entered)}):
            action = ENGINES[view.game].game.action_from_json(entered)
            speech, refusal = SPEECHES[view.game], Refusal(code, rule, cells)
            return with_rule(speech.refusal(view.position, action, refusal, view.arrangement.names), rule)
    return None
