"""Measures readings of photographs of other people's boards, whose table files are made from the truth beside them.

The truth is a file truth.json beside the pictures: for each picture's name `rows`, what is on the cells from the top,
and `tall`, those with two on one another, or `pieces`, the column and row of each marked piece's id. The boards are
known by these:

- Go, 19 rows: a wooden board with slips of paper with markers anywhere about it, so `grid_corners_px` has its outermost
  points (top left, then clockwise), from which the markers are measured;
- draughts, 8 rows: a printed sheet with markers in its corners;
- marked pieces: a wooden board of 5 by 5 cells, with large markers in the corners.

A picture without a truth file that shows the code of a challenge sheet (`companion print challenge`) says itself what
is on its table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from companion.printing.table_file import kit_board
from tests.evaluate import tables
from tests.evaluate.challenges import find_code, read_code
from tests.evaluate.figures import Figure, Report
from tests.evaluate.truth import Case, UnusableTruthError, listed
from vision.board import Board, cell_name, parse_board, shipped_board
from vision.board_sections import PlacedMarker
from vision.image_file import load_image
from vision.localization.locate import ScaledImage, search
from vision.localization.survey import SurveyedPicture, survey

COLUMNS = (
    *tables.COLUMNS[:2],
    Figure("pieces", "pieces", "same"),
    Figure("pieces_right", "pieces right", "more", form="{:.2%}"),
    *(column for column in tables.COLUMNS[2:] if column.name not in ("silent_hidden", "refused_rightly")),
)

_GO_PITCH, _GO_POINTS = (22.0, 23.7), 19
"""Distances of the lines; in some pictures the board lies turned by a quarter, so only the shorter one is taken."""
_DRAUGHTS_ROWS, _SQUARE_MM = 8, 30.0
_WORDS = {".": "empty", "B": "black", "W": "white", "b": "black", "w": "white"}

_COLOURS = """
[[seat]]
colour = "black"
rgb = [30, 30, 32]
[[seat]]
colour = "white"
rgb = [236, 232, 222]
[labels]
empty = "empty"
"""


class _Truth(msgspec.Struct, frozen=True):
    """What is in one photograph; keys that are not named here are left alone."""

    rows: tuple[str, ...] = ()
    tall: frozenset[str] = frozenset()
    grid_corners_px: tuple[tuple[float, float], ...] = ()
    pieces: Mapping[str, tuple[int, int]] = {}


@dataclass(frozen=True, slots=True)
class _TrueBoard:
    """One photograph with its truth, the table that it shows, and the printed kit that may be on that table."""

    case: Case
    board: Board
    kit: Board | None = None


def evaluate(folder: Path, *, timed: bool) -> Report:
    """Read every photograph of a board in a folder and the folders in it; a row for each kind of board, and for all.

    Raises:
        UnusableTruthError: a truth file is not as expected.
    """
    rows: dict[str, list[tables.Outcome]] = {}
    for one in _photographs(folder):
        outcome = tables.measure(one.case, one.board, timed=timed, kit=one.kit)
        for row in (one.case.game, "(all)"):
            rows.setdefault(row, []).append(outcome)
    figures = {row: tables.figures(rows[row]) | _pieces(rows[row]) for row in sorted(rows)}
    return Report("photographs", COLUMNS, figures, [f"{one.case.image.name}: {one}" for one in rows.get("(all)", ())])


def _pieces(outcomes: Sequence[tables.Outcome]) -> dict[str, float]:
    right = [bool(right) for o in outcomes for cell, right in zip(o.cells, o.right, strict=True) if _is_piece(o, cell)]
    pieces = sum(_is_piece(o, cell) for o in outcomes for cell in o.case.cells)
    return {"pieces": pieces, "pieces_right": sum(right) / max(pieces, 1)}


def _is_piece(outcome: tables.Outcome, cell: str) -> bool:
    return outcome.case.cells[cell] != "empty"


def _photographs(folder: Path) -> Iterator[_TrueBoard]:
    for path, truths in listed(folder, _Truth, lambda one: isinstance(one, dict) and {"rows", "pieces"} & one.keys()):
        for name, truth in truths.items():
            image = path.with_name(name)
            try:
                yield _photograph(image, truth)
            except (KeyError, ValueError) as error:
                message = f"{path}: {name}: {error}"
                raise UnusableTruthError(message) from error

    for image in sorted(folder.rglob("*.jpg")):
        if not image.with_suffix(".json").exists() and not image.with_name("truth.json").exists():
            code = find_code(load_image(image))
            if code is not None:
                game, cells = read_code(code)
                case = Case(
                    image=image, game=f"{game} challenge", tier="", cells=cells, hidden=frozenset(), refusal=None
                )
                yield _TrueBoard(case, shipped_board(game), kit_board(shipped_board(game)))


def _photograph(image: Path, truth: _Truth) -> _TrueBoard:
    if truth.pieces:
        board = _marked_board([*map(int, truth.pieces)])
        cells = {cell_name(x - 1, y - 1): f"piece{number}" for number, (x, y) in truth.pieces.items()}
    elif len(truth.rows) == _DRAUGHTS_ROWS:
        board, cells = _draughts_board(), _cells(truth.rows)
        cells |= {cell: f"{cells[cell]}*2" for cell in truth.tall}
    else:
        board, cells = _go_board(image, truth), _cells(truth.rows)
    cells = {cell: cells.get(cell, "empty") for cell in board.cells}
    return _TrueBoard(Case(image=image, game=board.game, tier="", cells=cells, hidden=frozenset(), refusal=None), board)


def _cells(rows: Sequence[str]) -> dict[str, str]:
    """Return the label of every cell; a letter that is no piece's raises KeyError."""
    return {cell_name(x, y): _WORDS[letter] for y, row in enumerate(rows) for x, letter in enumerate(row)}


def _go_board(image: Path, truth: _Truth) -> Board:
    """Measure the markers in the picture itself: in each they lie elsewhere."""
    scaled = ScaledImage(load_image(image))
    ids = (4, 7, 14, 25)
    seen = {number: corners for number, corners in search(scaled, "DICT_4X4_50").items() if number in ids}
    corners_px = np.asarray(truth.grid_corners_px, np.float64)
    picture = SurveyedPicture(image.name, scaled.size_wh, seen, corners_px)
    across = _GO_PITCH[0]
    for _ in range(2):  # the second time so wide that the shorter distance is what it should be
        span = ((_GO_POINTS - 1) * across, (_GO_POINTS - 1) * _GO_PITCH[1])
        found = survey([picture], span, "DICT_4X4_50", hold_height=False)
        down = found.height_mm / (_GO_POINTS - 1)
        across *= max(1.0, _GO_PITCH[0] / down)
    across, down = round(across, 3), round(down, 3)
    letters = [cell_name(column, 0)[0] for column in range(_GO_POINTS)]
    lines = [[f"{letter}{row + 1}" for letter in letters] for row in range(_GO_POINTS)]
    lines += [[f"{letter}{row + 1}" for row in range(_GO_POINTS)] for letter in letters]
    markers = (
        f'dictionary = "DICT_4X4_50"\nside = 42.0\n{"".join(_placed(one, (across, down)) for one in found.markers)}'
    )
    stone = f'stone = {{ shape = "disc", diameter = 21.5, height = 8.0 }}\n{_COLOURS}stone = "{{colour}}"'
    points, size = f"lines = {lines}\n[pieces]\n{stone}", (_GO_POINTS * across, _GO_POINTS * down)
    return _board("go", size, markers, _GO_POINTS, (0.0, 0.0), (across, down), points)


def _board(
    game: str,
    size_mm: tuple[float, float],
    markers: str,
    side: int,
    origin_mm: tuple[float, float],
    pitch_mm: tuple[float, float],
    more: str,
) -> Board:
    """Parse a table of that many cells a side, whose marker section and what follows the grid are given as text."""
    return parse_board(
        f"""
game = "{game}"
title = "{game.capitalize()}"
size = {[*size_mm]}
[markers]
{markers}
[grid]
columns = {side}
rows = {side}
origin = {[*origin_mm]}
pitch = {[*pitch_mm]}
{more}
""",
        game,
    )


def _placed(marker: PlacedMarker, pitch_mm: tuple[float, float]) -> str:
    """Return a marker's section, measured from the outermost point, half a cell from the board's corner here."""
    x, y = (place + pitch / 2 for place, pitch in zip(marker.centre, pitch_mm, strict=True))
    return f"[[markers.placed]]\nid = {marker.id}\ncentre = [{x}, {y}]\nangle = {marker.angle}\nside = {marker.side}\n"


def _draughts_board() -> Board:
    mm = _SQUARE_MM
    middles = [[mm * x, mm * y] for x, y in ((0.5, 0.5), (11.5, 0.5), (11.5, 11.5), (0.5, 11.5))]
    markers = f'dictionary = "DICT_4X4_50"\nbase = 0\nside = {mm}\ncentres = {middles}'
    man = f'man = {{ shape = "disc", diameter = {0.87 * mm}, height = {0.33 * mm}, stack = 2 }}'
    pieces = f'[pieces]\n{man}\n{_COLOURS}man = "{{colour}}"'
    return _board("draughts", (12 * mm, 12 * mm), markers, _DRAUGHTS_ROWS, (2 * mm, 2 * mm), (mm, mm), pieces)


def _marked_board(ids: Sequence[int]) -> Board:
    """Return the board of marked pieces; their height is not known, as some are flat and some figures."""
    mm = _SQUARE_MM
    corners = zip((11, 12, 14, 13), ((1, 1), (7, 1), (7, 7), (1, 7)), strict=True)
    placed = "".join(f"[[markers.placed]]\nid = {i}\ncentre = [{x * mm}, {y * mm}]\n" for i, (x, y) in corners)
    words = [f"piece{number}" for number in sorted({*ids, 1, 3, 4, 6, 7})]
    pieces = "".join(f'{word} = {{ shape = "tile", size = {0.5 * mm}, height = 1.0, count = 1 }}\n' for word in words)
    labels = "".join(f'{word} = "{word}"\n' for word in words)
    marks = "".join(f'"{word}" = {word.removeprefix("piece")}\n' for word in words)
    sections = f'[pieces]\n{pieces}[labels]\nempty = "empty"\n{labels}'
    sections += (
        f'[marks]\ndictionary = "DICT_ARUCO_ORIGINAL"\nsize_mm = {0.32 * mm}\nraised = true\n[marks.ids]\n{marks}'
    )
    markers = f'dictionary = "DICT_ARUCO_ORIGINAL"\nside = {mm}\n{placed}'
    return _board("marked", (8 * mm, 8 * mm), markers, 5, (1.5 * mm, 1.5 * mm), (mm, mm), sections)
