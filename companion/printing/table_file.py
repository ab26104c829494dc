"""Table files that go with a print: the same board with paper pieces, or the same cells on a board of another size."""

from __future__ import annotations

import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import cv2
import msgspec
import numpy as np

from companion.games.kit import Kit, KitMarks, Point
from companion.games.kit_shapes import PIECES_DICTIONARY
from companion.locale import _
from companion.printing.kits import kit_of
from companion.printing.paper import PrintingError
from companion.printing.pieces import flat_sizes
from vision.board import Board, parse_board, shipped_board, table_file
from vision.board_sections import LEAST_PATCHES
from vision.errors import BoardFileError
from vision.frame import ImageBgr
from vision.geometry import Floats, box
from vision.localization.printed import make_print
from vision.localization.survey import Survey

PAPER_MM = 1.5
"""Height of a paper piece: paper on card."""

_SIZES = ("shape", "diameter", "head_diameter", "dot_diameter", "dot", "size", "height")
"""Keys of a piece that do not hold for one of paper."""


def printed_table(game: str, *, marked: bool, own: str | None = None) -> str:
    """Return the text of a printed kit's table file: its pieces are flat, and their markers, if any, are declared.

    Args:
        game: its name.
        marked: whether the pieces bear markers.
        own: the text of the users' own table file, if their board is not the printed one.

    Raises:
        PrintingError: a piece of that file is not written on one line.
    """
    kit, board, flat = kit_of(game), shipped_board(game), {}
    text, pieces = _text_and_pieces(game, own)
    for name, size in flat_sizes(kit, marked=marked).items():
        # its keys with shape and sizes of paper, and its colour if it is not that of a seat
        able = {key: value for key, value in pieces[name].items() if key not in _SIZES}
        shape = {"shape": "tile", "size": size} if marked else {"shape": "disc", "diameter": size}
        words = {str(label) for label in board.labels_of(name) if board.seat_of(label) is None}
        printed = (piece.colour for piece in kit.pieces if piece.label in words)
        rgb = [{"rgb": list(colour)} for colour in printed if not isinstance(colour, str)]
        flat[name] = {**shape, "height": PAPER_MM, **able} | (rgb[0] if rgb else {}) | _count(kit, name)
    head = "# The printed kit: its paper pieces on this board. Written by `companion print`.\n"
    text = head + _with_pieces(text, flat)
    if not marked:
        return text
    marks = kit.marks
    declared = [*_marks(marks, marks.ids, outlined=own is None)]
    if marks.dice:
        declared += ["", "[dice]", f"count = {marks.dice_count}", 'faces = "marks"', f"size_mm = {marks.dice_mm:g}"]
        declared += [f"mark_mm = {marks.dice_mark_mm:g}", "[dice.marks]"]
        declared += [f'"{value}" = {number}' for value, number in marks.dice_ids.items()]
    return _without(text, "dice").rstrip() + "\n" + "\n".join(declared) + "\n"


def kit_board(board: Board) -> Board | None:
    """Return the table of a game's printed kit, its marked pieces on this board.

    Return None if there is no such kit, or the board's table file declares marks of its own.
    """
    if board.marks is not None:
        return None
    try:
        table = parse_board(printed_table(board.game, marked=True), board.game)
    except (KeyError, PrintingError, BoardFileError):
        return None
    if table.marks is None or table.label_words != board.label_words or table.places != board.places:
        return None
    same = board.grid == table.grid  # outlines are printed on the kit's own board
    marks = msgspec.structs.replace(table.marks, outlined=table.marks.outlined and same)
    return msgspec.structs.replace(table, size=board.size, markers=board.markers, grid=board.grid, marks=marks)


def sticker_table(game: str, own: str | None) -> str:
    """Return the text of a table file for users' own pieces with the kit's markers: their shapes and heights stay.

    `own` is the text of the users' own table file, if there is one.

    Raises:
        PrintingError: a piece of that file is not written on one line.
    """
    kit, (text, pieces) = kit_of(game), _text_and_pieces(game, own)
    counted = {name: piece | _count(kit, name) for name, piece in pieces.items()}
    highest = max(piece["height"] for piece in pieces.values())
    marks = replace(kit.marks, standing_mm=highest) if kit.marks.standing_mm else kit.marks
    stuck = {piece.label for piece in kit.pieces}
    declared = "\n".join(_marks(marks, {label: number for label, number in marks.ids.items() if label in stuck}))
    head = "# Pieces with markers stuck on them. Written by `companion print`.\n"
    return head + _with_pieces(text, counted).rstrip() + f"\n{declared}\n"


def _text_and_pieces(game: str, own: str | None) -> tuple[str, dict[str, Any]]:
    """Return the text of a game's table file, or of the users' `own` without its marks, and its pieces."""
    text = table_file(game).read_text("utf-8") if own is None else _without(own, "marks")
    return text, tomllib.loads(text)["pieces"]


def _with_pieces(text: str, pieces: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text with the lines of pieces replaced by these values."""
    for name, values in pieces.items():
        line = f"{name} = {{ " + ", ".join(f"{key} = {_value(value)}" for key, value in values.items()) + " }"
        text, count = re.subn(rf"^{name} = \{{.*$", line, text, count=1, flags=re.MULTILINE)
        if not count:
            message = _("pieces.{name}: expected it on one line, as companion table new writes it")
            raise PrintingError(message.format(name=name))
    return text


def _count(kit: Kit, name: str) -> dict[str, Any]:
    """Return the key `count` of a piece, if the kit's markers stand: such figures can hide one another."""
    counts = {piece.count for piece in kit.pieces if piece.label == name or piece.label.startswith(f"{name}-")}
    return {"count": counts.pop()} if kit.marks.standing_mm and len(counts) == 1 else {}


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def _marks(marks: KitMarks, ids: Mapping[str, int], *, outlined: bool = False) -> Iterator[str]:
    """Yield the lines that declare the markers of these pieces, and that their board's places are outlined."""
    yield from ("", "[marks]", f'dictionary = "{PIECES_DICTIONARY}"', f"size_mm = {marks.size_mm:g}")
    if marks.standing_mm:
        yield f"standing_mm = {marks.standing_mm:g}"
    if outlined:
        yield "outlined = true"
    yield from ("[marks.ids]", *(f'"{label}" = {number}' for label, number in ids.items()))
    sizes = {label: size for label, size in marks.sizes.items() if label in ids}
    if sizes:
        yield from ("[marks.sizes]", *(f'"{label}" = {size:g}' for label, size in sizes.items()))


def _without(text: str, name: str) -> str:
    """Return the text without a section and its subsections."""
    sections = re.split(r"(?m)^(?=\[)", text)
    return "".join(section for section in sections if not re.match(rf"\[{name}[.\]]", section))


@dataclass(frozen=True, slots=True)
class BoardMeasures:
    """Measures of a user's own board in mm.

    Attributes:
        size: width and height of the whole board.
        origin: the top-left corner of A1, from the board's top-left corner.
        pitch: width and height of a cell.
        marker: side of a marker's black square.
    """

    size: Point
    origin: Point
    pitch: Point
    marker: float


def own_table(game: str, measures: BoardMeasures) -> str:
    """Return the text of a table file for a game on a board of other measures, with markers in its corners."""
    shipped = shipped_board(game)
    text = table_file(game).read_text("utf-8")
    # the distance of the markers' centres from the edges, so that their white border is inside the board
    inset = round(measures.marker / 2 + 1.25 * measures.marker / 8 + 1.0, 1)
    right, bottom = (round(length - inset, 1) for length in measures.size)
    replaced = {
        "size": [*measures.size],
        "side": measures.marker,
        "centres": [[inset, inset], [right, inset], [right, bottom], [inset, bottom]],
        "origin": [*measures.origin],
        "pitch": [*measures.pitch],
    }
    for key, value in replaced.items():
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, count=1, flags=re.MULTILINE)
    for seat in shipped.seat:
        if seat.zone is not None:
            # moved and scaled with the cells, and clipped to the board: left, top, width, height
            (x, y, wide, high), origin = seat.zone, shipped.grid.origin
            across, down = (new / old for new, old in zip(measures.pitch, shipped.grid.pitch, strict=True))
            left, top = measures.origin[0] + (x - origin[0]) * across, measures.origin[1] + (y - origin[1]) * down
            ends = min(left + wide * across, measures.size[0]), min(top + high * down, measures.size[1])
            left, top = max(left, 0.0), max(top, 0.0)
            zone = [round(v, 1) for v in (left, top, max(ends[0] - left, 0.1), max(ends[1] - top, 0.1))]
            pattern = rf'(colour = "{seat.colour}"(?:(?!\[\[seat).)*?^zone = )\[[^\]]*\]'
            text = re.sub(pattern, rf"\g<1>{zone}", text, count=1, flags=re.MULTILINE | re.DOTALL)
    return "# A board of your own; written by `companion table new`.\n" + text


def photographed_table(game: str, found: Survey, *, marker: float | None, cell: Point | None) -> str:
    """Return the text of a table file for a game on a board that was measured from photographs.

    Args:
        game: its name.
        found: the markers, in the units of a grid with cells of the size `cell`, or else of the shipped size.
        marker: side of the markers' black squares in mm, if known; it then gives the scale.
        cell: width and height of a cell in mm, if known.
    """
    shipped = shipped_board(game)
    # 1. the scale: by the markers, or by the cells, or as on the shipped board
    sides = [one.side or 0.0 for one in found.markers]
    scale = marker / (sum(sides) / len(sides)) if marker else 1.0
    pitch = (cell or shipped.grid.pitch)[0], found.height_mm / grid_span(shipped)[1]
    # 2. margins and size grow with the cells
    measures = _scale_measures(shipped, (scale * pitch[0], scale * pitch[1]))
    # 3. the markers were measured from the grid's corner, which is half a cell inside if cells are points
    origin, inset = measures.origin, _inset(shipped, measures.pitch)
    lines = [f'[markers]\ndictionary = "{found.dictionary}"', f"side = {scale * sum(sides) / len(sides):.2f}"]
    for one in found.markers:
        x, y = (round(scale * v + at + dx, 1) for v, at, dx in zip(one.centre, origin, inset, strict=True))
        lines += ["[[markers.placed]]", f"id = {one.id}", f"centre = [{x}, {y}]", f"angle = {one.angle}"]
        lines.append(f"side = {scale * (one.side or 0.0):.2f}")
    return _without(own_table(game, measures), "markers").rstrip() + "\n\n" + "\n".join(lines) + "\n"


def _scale_measures(shipped: Board, pitch: Point) -> BoardMeasures:
    """Return the measures of the shipped board scaled to another size of its cells."""
    across, down = pitch[0] / shipped.grid.pitch[0], pitch[1] / shipped.grid.pitch[1]
    origin = round(shipped.grid.origin[0] * across, 1), round(shipped.grid.origin[1] * down, 1)
    size = round(shipped.size[0] * across, 1), round(shipped.size[1] * down, 1)
    return BoardMeasures(size, origin, (round(pitch[0], 2), round(pitch[1], 2)), shipped.markers.side)


def _inset(shipped: Board, pitch: Point) -> Point:
    """Return the distance from the cells' corner to the grid's: half a cell if cells are points, else 0."""
    return (pitch[0] / 2, pitch[1] / 2) if shipped.grid.lines else (0.0, 0.0)


def unmarked_table(game: str, image_bgr: ImageBgr, corners_px: Floats, cell: Point | None) -> str:
    """Return the text of a table file for a game on a board without markers, which is found by its print.

    Args:
        game: its name.
        image_bgr: a photograph of the empty board, uint8 (height, width, 3).
        corners_px: the grid's corners in it, float (4 clockwise from the top left, xy).
        cell: width and height of a cell in mm, if known.

    Raises:
        PrintingError: too little is printed on the board.
    """
    # 1. the homography from the board's mm to pixels, by the grid's corners
    shipped = shipped_board(game)
    measures = _scale_measures(shipped, cell or shipped.grid.pitch)
    (x, y), (w, h), inset = measures.origin, measures.pitch, _inset(shipped, measures.pitch)
    across, down = grid_span(shipped)
    corners_mm = box(x + inset[0], y + inset[1], across * w, down * h).astype(np.float32)
    to_px = np.asarray(cv2.getPerspectiveTransform(corners_mm, corners_px.astype(np.float32)), np.float64)
    # 2. the print of the cells and of half a cell round them, where a board has at least a rim
    columns, rows = shipped.grid.columns, shipped.grid.rows
    rectangle = (x - w / 2, y - h / 2, (columns + 1) * w, (rows + 1) * h)
    found, side = make_print(image_bgr, rectangle, to_px)
    if len(found.patches) < LEAST_PATCHES:
        message = _("{count} patches of print that can be told from what is beside them: expected {least} or more")
        raise PrintingError(message.format(count=len(found.patches), least=LEAST_PATCHES))
    lines = [f'[markers]\ndictionary = "{shipped.markers.dictionary}"', f"side = {side:.3f}", "[markers.printed]"]
    lines += [f"{key} = {_value(getattr(found, key))}" for key in ("patches", "rectangle", "seen", "white")]
    lines.append('picture = """\\\n' + "\\\n".join(textwrap.wrap(found.picture, 120)) + '"""')
    return _without(own_table(game, measures), "markers").rstrip() + "\n\n" + "\n".join(lines) + "\n"


def grid_span(board: Board) -> tuple[int, int]:
    """Return how many cells wide and high a grid is from corner to corner: one less if cells are points."""
    less = 1 if board.grid.lines else 0
    return board.grid.columns - less, board.grid.rows - less


def checked(text: str, source: str) -> Board:
    """Parse the text of a table file before it is written.

    Raises:
        PrintingError: markers cover cells or are not on the board.
        BoardFileError: reading would reject it.
    """
    board = parse_board(text, source)
    corners = board.markers.corners_mm().reshape(-1, 2)
    if board.markers.base is not None and (corners.min() < 0 or (corners > board.size).any()):
        message = _("{file}: markers of {side:g} mm: expected a board that they fit on")
        raise PrintingError(message.format(file=source, side=board.markers.side))
    (x, y), (right, bottom) = board.grid.origin, board.grid.end
    for one in board.markers.each if board.markers.printed is None else ():
        (cx, cy), reach = one.centre, (one.side or 0.0) / 2
        if x - reach < cx < right + reach and y - reach < cy < bottom + reach:
            message = _("{file}: markers of {side:g} mm would cover cells; expected smaller ones or a wider margin")
            raise PrintingError(message.format(file=source, side=one.side or 0.0))
    return board
