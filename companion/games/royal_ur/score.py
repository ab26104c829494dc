"""What a picture alone says about the score: at home and not yet entered look the same, so it is often a range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.royal_ur.labels import counters_of
from companion.games.royal_ur.words import undecided_note, won_note
from engines.kernel import Cell, JsonObject, Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import COUNTERS, DEFAULT_WAYS, HOME, OFF
from engines.royal_ur.scoring import OFF_VALUE, lane_value


@dataclass(frozen=True, slots=True)
class _Side:
    """A player's counters: those on the way, by index; those seen at home; those that are not to be seen."""

    seat: Seat
    on_the_way: tuple[int, ...]
    home: int

    @property
    def unseen(self) -> int:
        return max(0, COUNTERS - len(self.on_the_way) - self.home)


def score_seen(placement: Mapping[Cell, str]) -> tuple[Mapping[Seat, int], JsonObject]:
    """Score labels seen in a picture, by the table that ships (RULES.md 6.2).

    While both sides are on the board nobody has scored. A side of which nothing is on the board is home, or has not
    entered: it gets what the other side's counters in sight are worth, and `detail` says between which bounds the
    score is, since counters out of sight may be at home (0) or off the board (25). `over` is None if a picture
    cannot decide whether the game is.
    """
    sides = [_side(seat, placement) for seat in DEFAULT_WAYS]
    away = [side for side in sides if not side.on_the_way]
    seen: JsonObject = {side.seat: len(side.on_the_way) for side in sides}
    if len(away) != 1:
        over = None if away else False
        scores = {} if away else dict.fromkeys(DEFAULT_WAYS, 0)
        return scores, {"over": over, "on_the_board": seen, "note": undecided_note(over=over)}
    winner, loser = away[0], next(side for side in sides if side.on_the_way)
    board = GAME.new(list(DEFAULT_WAYS), {}, 0).board
    least = lane_value(board, loser.on_the_way)
    most = least + OFF_VALUE * loser.unseen
    home = winner.home == COUNTERS
    return {winner.seat: least, loser.seat: 0}, {
        "over": True if home else None,
        "on_the_board": seen,
        "least": least,
        "most": most,
        "note": won_note(winner.seat, least, most, home=home),
    }


def _side(seat: Seat, placement: Mapping[Cell, str]) -> _Side:
    way = DEFAULT_WAYS[seat]
    seen = {index: counters_of(placement.get(cell, "empty")) for index, cell in enumerate(way)}
    mine = {index: number for index, (owner, number) in seen.items() if owner == seat}
    home = mine.pop(HOME, 0)
    board = GAME.new(list(DEFAULT_WAYS), {}, 0).board
    on_the_way = [index for index, number in mine.items() for _ in range(number) if index > OFF]
    on_the_way.sort(key=lambda index: -lane_value(board, (index,)))  # of stacks that are read as high as they may be
    return _Side(seat, tuple(on_the_way[: COUNTERS - min(home, COUNTERS)]), home)
