"""What the screen shows of the Royal Game of Ur beside the counters: the way, rosettes, home and waiting counters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.locale import _
from companion.ui.names import Names
from companion.ui.page import Extras
from engines.kernel import Seat
from engines.royal_ur.board import HOME, OFF, START, Sign
from engines.royal_ur.position import Position
from vision.board import Board

__all__ = ["extras"]

_SIGNS: Mapping[Sign, str] = {Sign.ROSETTE: "*", Sign.EYES: "e", Sign.FOUR_FIVES: "#"}


def extras(position: Position, board: Board, names: Names) -> Extras:  # noqa: ARG001 - one form for all games
    """Return what is shown beside the labels of a position."""
    return Extras(
        facts=tuple(_facts(position)),
        of_player={seat: _beside(position, seat) for seat in position.players},
        below=_way(position),
        legend=_legend(),
    )


def _legend() -> Mapping[str, str]:
    return {
        "*": _("rosette"),
        "e": _("eyes"),
        "#": _("four-fives"),
        "S": _("counters enter"),
        "H": _("home"),
        "1-14": _("the way"),
    }


def _facts(position: Position) -> Iterator[str]:
    if position.thrown is not None:
        yield _("First throw, dots: {dots}").format(dots=position.thrown)
    if position.dots is not None:
        yield _("Thrown: {dots} dots").format(dots=position.dots)


def _beside(position: Position, seat: Seat) -> str:
    lane = position.lane(seat)
    return _("home {home}, waiting {waiting}").format(home=lane.count(HOME), waiting=lane.count(OFF))


def _way(position: Position) -> Mapping[str, str]:
    """Return the number of every square on its way, behind its sign; S where counters enter, H at home."""
    marks = {}
    for way in position.board.ways:
        for index, cell in enumerate(way):
            sign = position.board.signs[index]
            number = {START: "S", HOME: "H"}.get(index, str(index))
            marks[str(cell)] = (_SIGNS.get(sign, "") if sign else "") + number
    return marks
