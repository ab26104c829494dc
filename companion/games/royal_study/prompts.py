"""The expected action in The Royal Study and what is possible, in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.royal_study.pieces import card_laid, the_card, the_piece, way_named
from companion.locale import _
from companion.ui.names import Names, player_name
from companion.ui.phrases import moves as counted
from engines.royal_study.position import (
    Action,
    Await,
    Call,
    Draw,
    Match,
    Move,
    Position,
    Say,
    Turning,
    puzzle_of,
)
from engines.royal_study.steps import LEVEL_TO_MIRROR, LEVEL_TO_TURN, steps

__all__ = ["action_name", "explain", "offered", "possible", "prompt", "without_trace"]


def prompt(position: Position, names: Names) -> str:
    """Return whose turn it is and the expected action; the game is not over."""
    if not isinstance(position, Match):
        return _("Move the pieces until the card is met.")
    sentences = {
        Await.START: _("Draw the card that shows where the pieces begin."),
        Await.CARD: _("{player}: draw a card."),
        Await.CALL: _("Who knows first? Call in how many moves it can be done."),
        Await.CHALLENGE: _("{player}: {caller} called {called}. Can you do it in fewer? Challenge or not?"),
        Await.EXECUTE: _("{player}: make your moves ({used} of {limit} made), or give up."),
        Await.NEXT: _("{player}: next card, once more, or stop?"),
        Await.NOTHING: "",
    }
    return sentences[position.awaits].format(
        player=player_name(position.turn, names),
        caller=player_name(position.caller, names),
        called=counted(position.called or 0),
        used=position.used,
        limit=position.limit,
    )


def explain(position: Position, names: Names) -> str:
    """Return how to type the expected action."""
    if not isinstance(position, Match):
        return _moving(position)
    somebody = player_name(position.players[-1], names)
    sentences = {
        Await.START: _("Type the card's number and its position: 17, 17 back, 17 right."),
        Await.CARD: _("Type the card's number and its position: 17, 17 back, 17 right."),
        Await.CALL: _("Type the number and who calls it: 7 {player}.").format(player=somebody),
        Await.CHALLENGE: _("Type challenge or decline."),
        Await.EXECUTE: _moving(position),
        Await.NEXT: _("Type next, again or stop."),
        Await.NOTHING: "",
    }
    return sentences[position.awaits]


def _moving(position: Position) -> str:
    level = puzzle_of(position).level
    sentences = [_("Type a piece and where it goes (king B2), or two squares (A1 B2).")]
    if level >= LEVEL_TO_TURN:
        sentences.append(_("A card: turn right, turn left."))
    if level >= LEVEL_TO_MIRROR:
        sentences.append(_("Or turn it over: mirror left-right, mirror top-bottom."))
    return " ".join(sentences)


def possible(position: Position, names: Names) -> str:
    """Return what is possible, where it is too much for a list."""
    return explain(position, names)


def offered(position: Position) -> Sequence[Action]:
    """Return the actions that are listed by number: the steps, the answers; not the numbers to call."""
    if not isinstance(position, Match) or position.awaits is Await.EXECUTE:
        return steps(puzzle_of(position))
    return without_trace(position) if position.awaits in (Await.CHALLENGE, Await.NEXT) else []


def without_trace(position: Position) -> Sequence[Action]:
    """Return the actions that leave no trace on the table; the numbers to call are for counting, not for a list."""
    if not isinstance(position, Match):
        return []
    choices: dict[Await, list[Action]] = {
        Await.CHALLENGE: [Say.CHALLENGE, Say.DECLINE],
        Await.EXECUTE: [Say.GIVE_UP],
        Await.NEXT: [Say.NEXT, Say.AGAIN, Say.STOP]
        if len(position.deck) >= position.terms.cards
        else [Say.AGAIN, Say.STOP],
    }
    return choices.get(position.awaits, [])


def action_name(position: Position, action: Action, names: Names) -> str:
    """Return what an action is called in a list."""
    match action:
        case Move(piece, start, end):
            return _("{piece} {start} to {end}").format(piece=the_piece(piece.value), start=start, end=end)
        case Turning(way, target):
            return _("turn {card} {way}").format(card=the_card(position, target), way=way_named(way.value))
        case Draw(card):
            return card_laid(card)
        case Call(number, by):
            return _("{player} calls {steps}").format(player=player_name(by, names), steps=counted(number))
        case Say():
            return _said(action)


def _said(say: Say) -> str:
    return {
        Say.CHALLENGE: _("challenge the call"),
        Say.DECLINE: _("do not challenge"),
        Say.TIME_UP: _("the time is up"),
        Say.GIVE_UP: _("give up"),
        Say.NEXT: _("next card"),
        Say.AGAIN: _("once more"),
        Say.STOP: _("stop"),
    }[say]
