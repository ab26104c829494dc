"""How the score of the Royal Game of Ur comes about: the winner gets what the loser's counters are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.games.bundle import ScoreItem, ScorePart
from companion.games.speech import summed
from companion.locale import _, ngettext
from companion.ui.names import Names, player_name
from engines.kernel import Seat
from engines.royal_ur.board import HOME, OFF, START
from engines.royal_ur.position import Position
from engines.royal_ur.scoring import OFF_VALUE, START_VALUE, winners

__all__ = ["score_parts"]


def score_parts(position: Position, names: Names) -> Sequence[ScorePart]:
    """Return for each player what the other's counters score, or would score; only the winner scores."""
    return [_part(position, seat, names) for seat in position.players]


def _part(position: Position, seat: Seat, names: Names) -> ScorePart:
    won, other = next(iter(winners(position)), None), position.other(seat)
    items = _counters(position, other)
    facts = {"player": player_name(seat, names), "other": player_name(other, names)}
    if seat == won:
        sentence = _("{player} gets the counters of {other}: {sum}.").format(sum=summed(items), **facts)
        return ScorePart(seat, sum(item.points for item in items), items, sentence)
    if won is not None:
        return ScorePart(seat, 0, (), _("{player} gets nothing: only the winner scores.").format_map(facts))
    remark = _("Nobody has scored yet. If {player} won now, the counters of {other} would bring {sum}.")
    sentence = _("{player} has {home} of seven counters home.")
    home = position.lane(seat).count(HOME)
    return ScorePart(seat, 0, items, sentence.format(home=home, **facts), remark.format(sum=summed(items), **facts))


def _counters(position: Position, seat: Seat) -> tuple[ScoreItem, ...]:
    """Return what a player's counters are worth, those on one square together, the furthest first."""
    lane, place = Counter(position.lane(seat)), position.place(seat)
    return tuple(
        ScoreItem(
            _where(position, place, index, number),
            number * _value(position, index),
            None if index == OFF else position.board.cell(place, index),
        )
        for index, number in sorted(lane.items(), reverse=True)
        if index != HOME
    )


def _value(position: Position, index: int) -> int:
    if index == OFF:
        return OFF_VALUE
    return START_VALUE if index == START else position.board.squares[index - 1].value


def _where(position: Position, place: int, index: int, number: int) -> str:
    if index == OFF:
        sentence = ngettext("{number} off the board", "{number} off the board", number)
        return sentence.format(number=number)
    cell = position.board.cell(place, index)
    return str(cell) if number == 1 else _("{cell} with {number}").format(cell=cell, number=number)
