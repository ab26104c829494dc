"""The rules once more, square by square with plain dictionaries and sets: slow, and without the engine's ways."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations

Board = dict[tuple[int, int], str]  # (row, column) -> piece
Text = str  # "KQB/N../R.."

_STRAIGHT = [(-1, 0), (0, 1), (1, 0), (0, -1)]
_DIAGONAL = [(-1, -1), (-1, 1), (1, 1), (1, -1)]
_LEAPS = [(1, 2), (2, 1), (-1, 2), (2, -1), (1, -2), (-2, 1), (-1, -2), (-2, -1)]


def parse(text: Text) -> Board:
    rows = text.split("/")
    return {(row, column): rows[row][column] for row in range(3) for column in range(3) if rows[row][column] != "."}


def draw(board: Board) -> Text:
    return "/".join("".join(board.get((row, column), ".") for column in range(3)) for row in range(3))


@cache
def neighbours(text: Text) -> list[Text]:
    """List what every legal move leads to."""
    return list(_neighbours(text))


def _neighbours(text: Text) -> Iterator[Text]:
    board = parse(text)
    for (row, column), piece in board.items():
        for end in _ends(board, row, column, piece):
            after = {square: other for square, other in board.items() if other != piece}
            after[end] = piece
            yield draw(after)


def _ends(board: Board, row: int, column: int, piece: str) -> Iterator[tuple[int, int]]:
    if piece == "N":
        for down, right in _LEAPS:
            end = (row + down, column + right)
            if _free(board, end) and end != (1, 1):
                yield end
        return
    directions = {"R": _STRAIGHT, "B": _DIAGONAL}.get(piece, _STRAIGHT + _DIAGONAL)
    for down, right in directions:
        for far in range(1, 2 if piece == "K" else 3):
            end = (row + far * down, column + far * right)
            if not _free(board, end):
                break
            yield end


def _free(board: Board, square: tuple[int, int]) -> bool:
    return square not in board and 0 <= square[0] < 3 and 0 <= square[1] < 3


def every_position() -> list[Text]:
    found = []
    for squares in permutations([(row, column) for row in range(3) for column in range(3)], 5):
        board = dict(zip(squares, "KQRBN", strict=True))
        bishop, knight = squares[3], squares[4]
        if sum(bishop) % 2 == 0 and knight != (1, 1):
            found.append(draw(board))
    return found


def distances_from(start: Text) -> dict[Text, int]:
    """Search breadth first over the moves."""
    known = {start: 0}
    layer = [start]
    while layer:
        reached = []
        for text in layer:
            for after in neighbours(text):
                if after not in known:
                    known[after] = known[text] + 1
                    reached.append(after)
        layer = reached
    return known


def clockwise(text: Text) -> Text:
    """Turn a picture by a quarter: the top row becomes the right column."""
    return draw({(column, 2 - row): piece for (row, column), piece in parse(text).items()})


def left_right(text: Text) -> Text:
    return draw({(row, 2 - column): piece for (row, column), piece in parse(text).items()})


def top_bottom(text: Text) -> Text:
    return draw({(2 - row, column): piece for (row, column), piece in parse(text).items()})


@cache
def laid(text: Text, level: int) -> dict[Text, int]:
    """Search over turnings: the fewest to lay a picture in each way that a level allows."""
    ways = {1: [], 2: [clockwise, _counter_clockwise], 3: [clockwise, _counter_clockwise, left_right, top_bottom]}
    costs = {text: 0}
    layer = [text]
    while layer:
        layer = [way(picture) for picture in layer for way in ways[level]]
        layer = [picture for picture in dict.fromkeys(layer) if picture not in costs]
        costs.update(dict.fromkeys(layer, max(costs.values()) + 1))
    return costs


def _counter_clockwise(text: Text) -> Text:
    return clockwise(clockwise(clockwise(text)))


@cache
def shown(pieces: Text, picture: Text) -> bool:
    return all(piece in (".", parse(pieces).get(square)) for square, piece in parse(picture).items())


def least(pieces: Text, targets: list[Text], level: int) -> int:
    """Search breadth first over pieces, cards as they lie, and which have been met: the rules as they stand."""
    start = _met(pieces, tuple((target, False) for target in targets))
    known = {start}
    layer, steps = [start], 0
    while not any(all(done for _, done in cards) for _, cards in layer):
        layer = [after for state in layer for after in _steps(*state, level) if after not in known]
        layer = list(dict.fromkeys(layer))
        known.update(layer)
        steps += 1
    return steps


_Cards = tuple[tuple[Text, bool], ...]


def _met(pieces: Text, cards: _Cards) -> tuple[Text, _Cards]:
    return pieces, tuple((picture, done or shown(pieces, picture)) for picture, done in cards)


def _steps(pieces: Text, cards: _Cards, level: int) -> Iterator[tuple[Text, _Cards]]:
    for after in neighbours(pieces):
        yield _met(after, cards)
    for place, (picture, done) in enumerate(cards):
        for turned, cost in laid(picture, level).items():
            if cost == 1 and not done:
                yield _met(pieces, (*cards[:place], (turned, False), *cards[place + 1 :]))
