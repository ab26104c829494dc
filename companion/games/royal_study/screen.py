"""What the screen shows of The Royal Study beside the pieces: the objective cards as they are, call, steps, round."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.royal_study.pieces import card_laid, picture_drawn, piece_named, piece_signs
from companion.locale import _
from companion.ui.names import Names, player_name
from companion.ui.page import ExtraDrawing, Extras
from companion.ui.phrases import moves
from engines.royal_study.placement import write_placement
from engines.royal_study.position import Await, Match, Position, Target, puzzle_of
from vision.board import Board

__all__ = ["extras"]


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what is shown beside the labels of a position."""
    targets = puzzle_of(position).targets
    return Extras(
        legend={sign: piece_named(piece) for piece, sign in piece_signs().items()},
        facts=tuple(_facts(position, names)),
        drawings=tuple(_drawn(target, number, len(targets)) for number, target in enumerate(targets, 1)),
    )


def _facts(position: Position, names: Names) -> Iterator[str]:
    for target in puzzle_of(position).targets:
        if target.card is not None:
            yield _("Objective: {card}").format(card=card_laid(target.card))
    if not isinstance(position, Match):
        return
    stands = {"round": position.round, "level": position.puzzle.level, "points": position.terms.points}
    together = _("Round {round}, level {level}")
    yield (together if position.terms.together else _("Round {round}, level {level}; {points} points win")).format_map(
        stands
    )
    if position.caller is not None and position.called is not None:
        called = moves(position.called)
        yield _("{player} called {steps}.").format(player=player_name(position.caller, names), steps=called)
    if position.awaits is Await.EXECUTE:
        yield _("Steps made: {used} of {limit}").format(used=position.used, limit=position.limit)


def _drawn(target: Target, number: int, count: int) -> ExtraDrawing:
    """Draw a card as it is; every piece that it shows, points for the other squares."""
    title = _("Card") if count == 1 else _("Card {number}").format(number=number)
    if target.done:
        title = _("{card}: met").format(card=title)
    rows = picture_drawn(write_placement(target.picture)).split("/")
    frame = "─" * 7
    return ExtraDrawing(title, (f"┌{frame}┐", *(f"│ {' '.join(row)} │" for row in rows), f"└{frame}┘"))
