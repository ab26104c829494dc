"""What the screen shows of the Royal Game of Ur beside the counters: the way, rosettes, home and waiting counters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.locale import _
from companion.ui.board_text import initials
from companion.ui.names import Names
from companion.ui.page import Extras
from engines.kernel import Seat
from engines.royal_ur.board import HOME, OFF, START, Sign
from engines.royal_ur.position import Position
from vision.board import Board

__all__ = ["extras"]


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
        _initial("eyes"): _("eyes"),
        "#": _("four-fives"),
        "S": _("counters enter"),
        _initial("home").upper(): _("home"),
        "1-14": _("the way"),
    }


def _initial(word: str) -> str:
    """Return the first letter of a word in the user's language."""
    return initials([word])[word].lower()


def _facts(position: Position) -> Iterator[str]:
    if position.thrown is not None:
        yield _("First throw, dots: {dots}").format(dots=position.thrown)
    if position.dots is not None:
        yield _("Thrown: {dots} dots").format(dots=position.dots)


def _beside(position: Position, seat: Seat) -> str:
    lane = position.lane(seat)
    return _("home {home}, waiting {waiting}").format(home=lane.count(HOME), waiting=lane.count(OFF))


def _way(position: Position) -> Mapping[str, str]:
    """Return the number of every square on its way, behind its sign; S where counters enter, a letter at home."""
    marks, home = {}, _initial("home").upper()
    signs = {Sign.ROSETTE: "*", Sign.EYES: _initial("eyes"), Sign.FOUR_FIVES: "#"}
    for way in position.board.ways:
        for index, cell in enumerate(way):
            sign = position.board.signs[index]
            number = {START: "S", HOME: home}.get(index, str(index))
            marks[str(cell)] = (signs.get(sign, "") if sign else "") + number
    return marks
