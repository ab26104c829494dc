"""The printed face of a table file's board, seen from straight above, in canvas values.

It is drawn in mm by OpenCV at a given number of pixels per mm: zones, start spaces, numbers, dark and missing cells and
markers as in the table file.
"""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, Point, Rgb, SeatPlace, cell_column_row
from vision.frame import ImageBgr
from vision.geometry import Floats, box
from vision.localization.markers import module_is_white
from vision.simulation.canvas import HEADROOM, blend, canvas_bgr, weave_field
from vision.simulation.outlines import SQUARE, Sheet, ellipse, ring, turn
from vision.simulation.scene import BoardSkin

LINE_ART = "lines-"
"""What the names of random ornaments begin with; their seed follows."""


def draw_motifs(sheet: Sheet, board: Board, skin: BoardSkin) -> None:
    """Draw a skin's motifs in single cells, and the frames of the pads."""
    size_mm, middles = skin.motif_size * min(board.grid.pitch), dict(zip(board.places, board.places_mm(), strict=True))
    for cell, motif in skin.motifs.items():
        if motif.startswith(LINE_ART):
            _line_art(sheet, np.random.default_rng(int(motif.removeprefix(LINE_ART))), middles[cell], size_mm, skin)
        else:
            _motif(sheet, motif, middles[cell], size_mm, skin)
    if skin.pads:
        for pads in board.pads.values():
            for place in pads.values():
                sheet.frame(middles[place] + 0.44 * min(board.grid.pitch) * SQUARE, skin.motif_inks[0], 0.8)


def _motif(sheet: Sheet, motif: str, middle: Floats, size_mm: float, skin: BoardSkin) -> None:
    """Draw one of random_looks.MOTIFS, or nothing for ""."""
    first, second = skin.motif_inks

    def oval(at: Floats, radii: tuple[float, float], turn_rad: float, ink: Rgb) -> None:
        sheet.fill([at + ellipse((0.0, 0.0), np.multiply(radii, size_mm), 24) @ turn(turn_rad)], ink)

    match motif:
        case "rosette":
            number, slimness, twist = skin.petals
            for petal, way in enumerate(np.arange(number) * 2 * np.pi / number):
                out = 0.24 * size_mm * np.array([np.cos(way), np.sin(way)])
                oval(middle + out, (0.18, 0.18 * slimness), way + twist, skin.motif_inks[petal % 2])
            sheet.circle(middle, 0.07 * size_mm, second)
        case "star":
            radii = np.where(np.arange(16) % 2 == 0, 0.42, 0.17) * size_mm
            sheet.fill([middle + radii[:, None] * ring(16)], first)
        case "eyes":
            for corner in middle + 0.22 * size_mm * SQUARE:
                oval(corner, (0.15, 0.1), 0.0, first)
                oval(corner, (0.12, 0.075), 0.0, (240, 236, 226))
                sheet.circle(corner, 0.045 * size_mm, second)
        case "dots" | "rings":
            for place in np.concatenate([middle[None], middle + 0.24 * size_mm * SQUARE]):
                if motif == "dots":
                    sheet.circle(place, 0.06 * size_mm, first)
                else:
                    sheet.circle(place, 0.085 * size_mm, first, 0.05 * size_mm)
        case "frame":
            sheet.frame(middle + 0.38 * size_mm * SQUARE, second, 0.04 * size_mm)
            _motif(sheet, "dots", middle, 0.8 * size_mm, skin)
        case "diamond":
            for size, ink in ((0.4, first), (0.25, second)):
                sheet.fill([middle + size * size_mm * np.array([(0, -1), (1, 0), (0, 1), (-1, 0)])], ink)


def _line_art(sheet: Sheet, rng: np.random.Generator, middle: Floats, size_mm: float, skin: BoardSkin) -> None:
    """Draw a random ornament of lines and areas: nobody knows what is printed on other people's boards."""
    width_mm = rng.uniform(0.02, 0.1) * size_mm

    def strokes(points: Floats, ink: Rgb) -> None:
        for start, end in pairwise(middle + points * size_mm):
            sheet.line(start, end, ink, width_mm)

    for _element in range(int(rng.integers(1, 4))):
        ink, size = skin.motif_inks[int(rng.integers(2))], rng.uniform(0.1, 0.42)
        match int(rng.integers(6)):
            case 0:
                sheet.frame(middle + size * size_mm * SQUARE, ink, width_mm)
            case 1:
                sheet.circle(middle, size * size_mm, ink, width_mm)
            case 2:  # a zigzag, or rows of them
                across = np.linspace(-0.38, 0.38, int(rng.integers(4, 10)))
                for row in np.linspace(-0.25, 0.25, int(rng.integers(1, 4))):
                    strokes(np.column_stack([across, row + 0.07 * (-1.0) ** np.arange(len(across))]), ink)
            case 3 | 4:  # strokes, some of them filled, mirrored both ways
                points = rng.uniform(0.0, 0.42, (int(rng.integers(2, 5)), 2))
                is_filled = len(points) > 2 and rng.random() < 0.4
                for mirrored in SQUARE:
                    strokes(points * mirrored, ink)
                    if is_filled:
                        sheet.fill([middle + points * mirrored * size_mm], ink)
            case _:  # a stroke without symmetry, as in writing
                strokes(rng.uniform(-0.4, 0.4, (int(rng.integers(3, 7)), 2)), ink)


_MARKER_INK = (238 / HEADROOM, 24 / HEADROOM)  # white and black of the print


def draw_board(board: Board, skin: BoardSkin, rng: np.random.Generator, px_per_mm: float) -> ImageBgr:
    """Draw a board's face, canvas values uint8 (height, width, 3) at the given pixels per mm."""
    width, height = (round(s * px_per_mm) for s in board.size)
    sheet = Sheet(np.zeros((height, width, 3), np.uint8), px_per_mm, HEADROOM)
    sheet.image_bgr[:] = canvas_bgr(skin.frame)
    if skin.border is not None:
        sheet.frame(box(3.0, 3.0, board.size[0] - 6.0, board.size[1] - 6.0), skin.border, 1.0)
    _cells(sheet, board, skin)
    for seat in board.seat:
        _seat(sheet, board, seat, skin)
    _lines(sheet, board, skin)
    draw_motifs(sheet, board, skin)
    for middle in board.centres_mm():
        if skin.ring is not None:
            sheet.circle(middle, skin.ring_mm / 2, skin.ring, 0.35)
        if skin.hole_mm:
            sheet.circle(middle, skin.hole_mm / 2, skin.hole)
    for cell in board.cells if board.grid.numbers else ():
        column, row = cell_column_row(cell)
        x, y, w, h = _box(board, cell)
        number = board.grid.numbers[row][column]
        ink = skin.second_ink.get(number, skin.number_ink or skin.line)
        _write(sheet, str(number), (x + w / 2, y + h / 2), skin, colour=ink, height_mm=h * skin.number_size)
    if skin.grain:  # the ground's texture over the print
        field = weave_field(rng, skin.weave, (width, height), px_per_mm)
        factor = cv2.cvtColor(cv2.convertScaleAbs(field, alpha=skin.grain * 32, beta=128), cv2.COLOR_GRAY2BGR)
        sheet = Sheet(np.asarray(cv2.multiply(sheet.image_bgr, factor, scale=1 / 128), np.uint8), px_per_mm, HEADROOM)
    if board.markers.printed is None:
        for number, at in zip(board.markers.ids, board.markers.centres, strict=True):
            bits = np.pad(module_is_white(board.markers.dictionary, number), 1, constant_values=True)
            _marker(sheet, bits, at, board.markers.side, skin.quiet_mm)
    return sheet.image_bgr


def _box(board: Board, cell: str) -> tuple[float, float, float, float]:
    column, row = cell_column_row(cell)
    (x, y), (w, h) = board.grid.origin, board.grid.pitch
    return round(x + column * w, 6), round(y + row * h, 6), w, h


def _cells(sheet: Sheet, board: Board, skin: BoardSkin) -> None:
    if board.grid.lines:
        width, height = np.multiply((board.grid.columns, board.grid.rows), board.grid.pitch).tolist()
        sheet.fill([box(*board.grid.origin, width, height)], skin.ground)
        return
    for cell in board.cells:
        column, row = cell_column_row(cell)
        second = cell in board.grid.dark if board.grid.dark else (column + row) % 2 == 1
        colour = skin.second if skin.second is not None and (second or skin.motifs) else skin.ground
        if skin.tints:
            colour = skin.tints[board.grid.numbers[row][column]]
        sheet.fill([box(*_box(board, cell))], colour)


def _lines(sheet: Sheet, board: Board, skin: BoardSkin) -> None:
    """Draw the lines through cells that are points, or between cells that are areas."""
    middles = dict(zip(board.cells, board.centres_mm().tolist(), strict=True))
    for line in board.grid.lines:
        for start, end in pairwise(line):
            sheet.line(middles[start], middles[end], skin.line, max(skin.line_mm, 0.7))
    if board.grid.lines or not skin.line_mm:
        return
    edges: dict[tuple[Point, Point], None] = {}  # neighbours share an edge
    for cell in board.cells:
        x, y, w, h = _box(board, cell)
        right, bottom = round(x + w, 6), round(y + h, 6)
        sides = (
            ((x, y), (right, y)),
            ((x, bottom), (right, bottom)),
            ((x, y), (x, bottom)),
            ((right, y), (right, bottom)),
        )
        edges.update(dict.fromkeys(sides))
    for one, other in edges:
        sheet.line(one, other, skin.line, skin.line_mm)


def _seat(sheet: Sheet, board: Board, seat: SeatPlace, skin: BoardSkin) -> None:
    """Draw a seat's start space and its zone, if there are any."""
    colour = skin.zones.get(seat.colour, seat.rgb)
    if seat.start is not None and skin.start != "none":
        x, y, w, h = _box(board, seat.start)
        if skin.start == "ring":
            sheet.circle((x + w / 2, y + h / 2), w * 0.36, colour, 1.2)
        else:
            sheet.fill([box(x, y, w, h)], blend(skin.ground, colour, skin.start_opacity))
    if seat.zone is None:
        return
    x, y, w, h = seat.zone
    sheet.fill([box(*seat.zone)], colour)
    if skin.border is not None:
        for start, end in (((x, y), (x + w, y)), ((x, y + h), (x + w, y + h))):
            sheet.line(start, end, skin.border, 0.8)
    words = {"colour": seat.colour.upper(), "title": board.title.upper()}.get(skin.zone_text, "")
    if words:
        quarter_turns = {"bottom": 0, "right": 1, "top": 2, "left": 3}.get(seat.side or "bottom", 0)
        middle = (x + w / 2, y + h / 2)
        _write(sheet, words, middle, skin, colour=skin.text, height_mm=min(w, h) * 0.36, quarter_turns=quarter_turns)


def _write(
    sheet: Sheet, words: str, middle: Point, skin: BoardSkin, *, colour: Rgb, height_mm: float, quarter_turns: int = 0
) -> None:
    """Write words centred at a point, turned counter-clockwise by quarter turns."""
    height_px = height_mm * sheet.px_per_mm
    font = cv2.FONT_HERSHEY_TRIPLEX if skin.serif else cv2.FONT_HERSHEY_DUPLEX
    thick = max(1, round(height_px / 9))
    (w, h), drop = cv2.getTextSize(words, font, height_px / 22, thick)
    mask = np.zeros((h + drop + 4, w + 4), np.uint8)
    cv2.putText(mask, words, (2, h + 2), font, height_px / 22, 255, thick, cv2.LINE_AA)
    mask = np.rot90(mask, quarter_turns)
    left, top = (round(m * sheet.px_per_mm - s / 2) for m, s in zip(middle, mask.shape[::-1], strict=True))
    patch = sheet.image_bgr[max(top, 0) : top + mask.shape[0], max(left, 0) : left + mask.shape[1]]
    mask = mask[max(-top, 0) :, max(-left, 0) :][: patch.shape[0], : patch.shape[1]]
    share = mask[..., None].astype(np.float32) / 255
    patch[:] = patch * (1 - share) + np.array(canvas_bgr(colour), np.float32) * share


def _marker(sheet: Sheet, bits: NDArray[np.bool_], middle: Point, side_mm: float, quiet_mm: float) -> None:
    """Print a marker's bits with a white border of one module, with four by four samples per pixel."""
    half = side_mm / 2 + quiet_mm
    first = [int(np.floor((m - half) * sheet.px_per_mm)) for m in middle]
    count = int(np.ceil(2 * half * sheet.px_per_mm)) + 1
    samples = (np.arange(4 * count) + 0.5) / 4
    module = side_mm / (len(bits) - 2)
    index = [
        np.clip(((f + samples) / sheet.px_per_mm - m + side_mm / 2) / module + 1, 0, len(bits) - 0.5).astype(int)
        for f, m in zip(first, middle, strict=True)
    ]
    ink = np.where(bits[np.ix_(index[1], index[0])], *_MARKER_INK).astype(np.float32)
    tile = cv2.resize(ink, (count, count), interpolation=cv2.INTER_AREA)
    sheet.image_bgr[first[1] : first[1] + count, first[0] : first[0] + count] = tile[..., None]
