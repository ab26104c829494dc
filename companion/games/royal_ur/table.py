"""The Royal Game of Ur on its table: labels, turns, and the score of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.core.turns import Throws, Turns
from companion.core.verdicts import Choice, Prompt
from companion.locale import _
from companion.ui.names import player_name
from engines.kernel import Cell, Json, JsonObject, Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import COUNTERS, DEFAULT_SQUARES, DEFAULT_WAYS, HOME, OFF, START, Board, board_of
from engines.royal_ur.position import Action, Await, Decline, Position, Roll
from engines.royal_ur.rules import DICE
from engines.royal_ur.scoring import OFF_VALUE, lane_value
from vision.labels import EMPTY, Label, parse_label

# ---- labels


def label_of(seat: Seat, number: int) -> str:
    """Return the label of a stack of a player's counters, `EMPTY` for none."""
    if number <= 0:
        return EMPTY
    return str(Label(seat, height=min(number, COUNTERS)))


def counters_of(label: str) -> tuple[Seat | None, int]:
    """Return the owner and the number of the counters of a label; None and 0 for an empty place."""
    stack = parse_label(label)
    return (None, 0) if stack.is_empty else (Seat(stack.piece), stack.height)


def placement(position: Position) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every square, and on the places where counters enter.

    Counters at home and those that wait lie anywhere beside the board.
    """
    labels = dict.fromkeys(_places(position.board), EMPTY)
    for place, (seat, lane) in enumerate(zip(position.players, position.lanes, strict=True)):
        for index, number in Counter(lane).items():
            if index not in (OFF, HOME):
                labels[position.board.cell(place, index)] = label_of(seat, number)
    return labels


@lru_cache
def _places(board: Board) -> tuple[Cell, ...]:
    """Return the squares row by row, then the places where counters enter."""
    squares = {cell for way in board.ways for cell in way[START + 1 : HOME]}
    entrances = {way[START] for way in board.ways}
    return (*sorted(squares, key=_row_first), *sorted(entrances, key=_row_first))


def _row_first(cell: Cell) -> tuple[int, str]:
    return int(cell[1:]), cell[0]


# ---- turns


_THROWING = (Await.THROW_OFF, Await.ROLL)


def _prompt(position: Position) -> Prompt[Action]:
    if position.awaits is None:
        return Prompt(None)
    return Prompt(position.turn if position.awaits in _THROWING else position.decides, position.awaits.value)


def _throw_of(_position: Position, faces: Sequence[int | None]) -> Action | None:
    """Return the throw of some faces, 1 with a dot and 0 without; None if they are not all dice of the game."""
    dots = [face for face in faces if face in (0, 1)]
    return Roll(sum(dots)) if len(dots) == len(faces) == DICE else None


def _adopt(data: JsonObject, labels: Mapping[Cell, str]) -> JsonObject | None:
    """Return the position with the counters where they are seen; those at home stay, the others are off the board."""
    counters = data["counters"]
    lanes: dict[str, Json] = {}
    for seat, lane in counters.items() if isinstance(counters, Mapping) else ():
        way = enumerate(DEFAULT_WAYS.get(Seat(seat), ())[:HOME])
        stacks = ((index, *counters_of(labels.get(cell, EMPTY))) for index, cell in way)
        seen = [index for index, owner, number in stacks if owner == seat for _counter in range(number)]
        home = [HOME] * (lane.count(HOME) if isinstance(lane, list | tuple) else 0)
        lanes[seat] = [*[OFF] * (COUNTERS - len(seen) - len(home)), *seen, *home]
    return {**data, "counters": lanes}


TURNS: Turns[Position, Action] = Turns(
    _prompt,
    lambda position: (Choice("decline", Decline()),) if position.awaits is Await.ENTER else (),
    Throws(
        Roll,
        throw=GAME.throw,
        awaited=lambda position: position.awaits in _THROWING,
        number=lambda action: action.dots if isinstance(action, Roll) else None,
        of_faces=_throw_of,
        numbers=lambda _position: ((0, DICE),),
        counted=lambda _position, numbers: Roll(numbers[0]),
    ),
    adopt=_adopt,
    options={"throw_off": True},
)


# ---- the score of a picture


_BOARD = board_of(list(DEFAULT_WAYS), DEFAULT_WAYS, DEFAULT_SQUARES)


def score_seen(placement: Mapping[Cell, str], _board: object) -> tuple[Mapping[Seat, int], JsonObject]:
    """Score the labels of a picture on the shipped table (RULES.md 6.2); return the scores and details.

    While both sides are on the board nobody has scored. A side with no counter on the board is home, or has not
    entered: it gets the value of the other side's counters in sight. The details have the bounds of the score, since
    counters out of sight may be at home (0) or off the board (25); `over` is None if a picture cannot decide it.
    """
    counters = {seat: _counters(seat, placement) for seat in DEFAULT_WAYS}
    away = [seat for seat, (on_the_way, _home) in counters.items() if not on_the_way]
    seen: JsonObject = {seat: len(on_the_way) for seat, (on_the_way, _home) in counters.items()}
    if len(away) != 1:
        over = None if away else False
        scores = {} if away else dict.fromkeys(DEFAULT_WAYS, 0)
        nobody = _("No counter is on the board: the picture does not show the score.")
        both = _("Both sides are on the board: nobody has scored yet.")
        return scores, {"over": over, "on_the_board": seen, "note": nobody if over is None else both}
    [winner], [loser] = away, [seat for seat in counters if seat not in away]
    on_the_way, at_home = counters[loser]
    least = lane_value(_BOARD, on_the_way)
    most = least + OFF_VALUE * max(0, COUNTERS - len(on_the_way) - at_home)
    home = counters[winner][1] == COUNTERS
    # a sentence for the score of a side with no counter on the board
    points = (
        _("{points} points") if least == most else _("{points} to {most} points, by how many of the others are home")
    )
    sentence = _("{player} is home: {points}.") if home else _("If {player} is home, not still to enter: {points}.")
    return {winner: least, loser: 0}, {
        "over": True if home else None,
        "on_the_board": seen,
        "least": least,
        "most": most,
        "note": sentence.format(player=player_name(winner), points=points.format(points=least, most=most)),
    }


def _counters(seat: Seat, placement: Mapping[Cell, str]) -> tuple[tuple[int, ...], int]:
    """Return the places of a player's counters on the way, and the number of those at home."""
    way = DEFAULT_WAYS[seat]
    seen = {index: counters_of(placement.get(cell, "empty")) for index, cell in enumerate(way)}
    mine = {index: number for index, (owner, number) in seen.items() if owner == seat}
    home = mine.pop(HOME, 0)
    on_the_way = [index for index, number in mine.items() for _ in range(number) if index > OFF]
    on_the_way.sort(key=lambda index: -lane_value(_BOARD, (index,)))  # heights read too high may give too many counters
    return tuple(on_the_way[: COUNTERS - min(home, COUNTERS)]), home
