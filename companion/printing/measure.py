"""Measures a printer from photographs of its test sheet: its scale, by the paper's edges, and the offset of backs.

The four markers of a side give a first homography. With it the paper's edges are found, which give a second one in true
millimetres. The deviation of the markers' corners in it is the printer's error.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit import SCALE_PT, Box, Item, KitLine, Mark, Point, Rectangle, Words
from companion.locale import _
from companion.printing.document import Document
from companion.printing.page_marks import CHECK_MM, check_bar
from companion.printing.paper import PAPERS, Correction, HiddenEdgeError, MeasuringError, Paper
from vision.frame import ImageBgr
from vision.geometry import Floats, box
from vision.image_file import load_image
from vision.localization.markers import detect

_SEARCH_MM = 9.0
"""Search range for an edge of the paper, on either side of its expected place."""

_PROFILES = 60
"""Number of places along an edge at which it is searched for."""

_USUAL, _CLEARLY_LESS = ("a4", "letter"), 0.5
"""Papers that are mistaken for one another, and the largest share of the error by one that is left by the right one."""

_LEAST_CONTRAST = 12.0
_MOST_BEND_MM = 1.0
"""Largest median distance of an edge's points from a straight line: beyond that the paper is not flat."""


@dataclass(frozen=True, slots=True)
class SheetSide:
    """How the print is scaled, moved and turned on one side of the paper.

    Attributes:
        scale_x, scale_y: printed over true length.
        x_mm, y_mm: offset of the print's middle to the right and down.
        deg: rotation of the print, clockwise.
        error_mm: root mean square distance of the markers' corners from this description.
        is_placed: whether the paper's edges were seen; without them only the scale is known.
    """

    scale_x: float
    scale_y: float
    x_mm: float
    y_mm: float
    deg: float
    error_mm: float
    is_placed: bool = True


def measure(front: Path, back: Path | None, paper: Paper, bar_mm: float | None = None) -> Correction:
    """Measure a printer from a photograph of each side of its test sheet.

    Args:
        front, back: the photographs; without one of the back only the scale is measured.
        paper: what the sheet was printed on.
        bar_mm: length of the check bar as measured with a ruler, in place of the paper's edges for the scale.

    Raises:
        MeasuringError: a picture does not show the sheet as needed; the message is one sentence.
        UnreadableImageError: a file is not a picture.
    """
    image = load_image(front)
    first = _front(image, paper, str(front), bar_mm)
    if back is None:
        return Correction(first.scale_x, first.scale_y)
    second = measure_side(load_image(back), BACK_BASE, paper, str(back))
    for side, file in ((first, front), (second, back)):
        if not side.is_placed:
            text = _("{file}: without the edges of the paper only the scale can be measured; leave the back out")
            raise MeasuringError(text.format(file=file))
    # offset and rotation of the back against the front, seen from the back: left and right are exchanged
    return Correction(
        first.scale_x, first.scale_y, *(second.x_mm + first.x_mm, second.y_mm - first.y_mm, second.deg + first.deg)
    )


def _front(image_bgr: ImageBgr, paper: Paper, name: str, bar_mm: float | None) -> SheetSide:
    """Measure the front; a length of the bar by ruler overrides the picture's scale, and needs no edges."""
    try:
        first = measure_side(image_bgr, FRONT_BASE, paper, name)
    except HiddenEdgeError:
        if bar_mm is None:
            raise
        return SheetSide(bar_mm / CHECK_MM, bar_mm / CHECK_MM, 0.0, 0.0, 0.0, 0.0, is_placed=False)
    # with the wrong one of two usual papers the sizes of the markers disagree with their distances
    for other in (PAPERS[word] for word in _USUAL if word != paper.name):
        try:
            error_mm = measure_side(image_bgr, FRONT_BASE, other, name).error_mm
        except MeasuringError:
            continue
        if 0 < error_mm < _CLEARLY_LESS * first.error_mm:
            message = _("{file}: the sheet looks like {paper} paper; give --paper {word} if it is")
            raise MeasuringError(message.format(file=name, paper=other.title, word=other.name))
    ratio = 1.0 if bar_mm is None else bar_mm / CHECK_MM / first.scale_x
    return replace(first, scale_x=first.scale_x * ratio, scale_y=first.scale_y * ratio)


def measure_side(image_bgr: ImageBgr, base: int, paper: Paper, name: str) -> SheetSide:
    """Measure one side of the sheet in a picture, uint8 (height, width, 3).

    Raises:
        MeasuringError: markers or edges of the paper cannot be seen.
    """
    # 1. the corners of the four markers, float64 (16, xy) in pixels
    gray = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = dict(detect(gray, DICTIONARY, cornerRefinementMethod=cv2.aruco.CORNER_REFINE_SUBPIX))
    wanted = [number for number in range(base, base + 4) if number in found]
    if len(wanted) < 4:
        side = _("back") if base == BACK_BASE else _("front")
        text = _("{file}: expected the 4 markers of the test sheet's {side}, found {number}")
        raise MeasuringError(text.format(file=name, side=side, number=len(wanted)))
    corners_px = np.concatenate([found[number] for number in wanted]).astype(np.float64)
    # 2. a first homography, nominal mm to pixels, from them
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * MARKER_MM / 2
    nominal = np.asarray((np.array(marker_middles(paper))[:, None] + square).reshape(-1, 2), np.float64)
    guess = _homography(nominal, corners_px)
    # 3. the paper's edges, near where it expects them; without them only the scale, by a bank card
    outline_mm = box(0.0, 0.0, paper.width_mm, paper.height_mm)
    edges = [_edge_line(gray, guess, *side) for side in _sides(outline_mm)]
    hidden = [
        named
        for named, edge in zip((_("upper"), _("right"), _("lower"), _("left")), edges, strict=True)
        if edge is None
    ]
    if hidden and (by_card := _by_card(gray, guess, paper)) is not None:
        return by_card
    if hidden:
        text = _(
            "{file}: the {edge} edge of the paper cannot be seen; expected a dark table, or a bank card in its place"
        )
        raise HiddenEdgeError(text.format(file=name, edge=hidden[0]))
    # 4. pixels to true mm by the paper's corners, and how the markers lie there
    to_mm = np.asarray(np.linalg.inv(_homography(outline_mm, _crossings(edges))), np.float64)
    return _describe(nominal, _project(to_mm, corners_px), paper)


def _by_card(gray: NDArray[np.uint8], guess: Floats, paper: Paper) -> SheetSide | None:
    """Measure the scale alone, by a bank card in its place on the sheet; None if there is none.

    In the units of a print that is too small, the card appears too large.
    """
    edges = [_edge_line(gray, guess, *side, inwards=True) for side in _sides(box(*card_place(paper)))]
    if any(edge is None for edge in edges):
        return None
    corners = _project(np.asarray(np.linalg.inv(guess), np.float64), _crossings(edges))
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    across, down = (float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2)
    return SheetSide(CARD_MM[0] / across, CARD_MM[1] / down, 0.0, 0.0, 0.0, 0.0, is_placed=False)


def _homography(source: Floats, target: Floats) -> Floats:
    matrix, _inliers = cv2.findHomography(source, target)
    return np.asarray(matrix, dtype=np.float64)


def _project(matrix: Floats, points: Floats) -> Floats:
    return np.asarray(cv2.perspectiveTransform(points[None], matrix)[0], dtype=np.float64)


def _sides(outline: Floats) -> list[tuple[Floats, Floats]]:
    """Return the upper, right, lower and left side of an outline, float64 (4, xy), from corner to corner."""
    return [(outline[k], outline[(k + 1) % 4]) for k in range(4)]


def _crossings(edges: Sequence[Floats | None]) -> Floats:
    """Return the corners, float64 (4, xy) in pixels, where neighbouring lines cross, clockwise from the top left."""
    lines = np.array([edge for edge in edges if edge is not None])
    pairs = np.stack([np.roll(lines, 1, axis=0), lines], axis=1)
    return np.linalg.solve(pairs[:, :, :2], pairs[:, :, 2:])[:, :, 0]


def _edge_line(
    gray: NDArray[np.uint8], guess: Floats, start: Floats, end: Floats, *, inwards: bool = False
) -> Floats | None:
    """Fit a line a x + b y = c in pixels to one edge, where white turns dark.

    Return (a, b, c), None if the edge is not found or not straight. A table is dark outside the paper's edges; a card
    on the paper is dark inside its own (`inwards`).
    """
    # 1. points of the edge
    along = (end - start) / np.linalg.norm(end - start)
    out = np.array([along[1], -along[0]]) * (-1 if inwards else 1)
    places = np.linspace(0.1, 0.9, _PROFILES)[:, None] * (end - start) + start
    points = np.array([point for place in places if (point := _step(gray, guess, place, out)) is not None])
    if len(points) < _PROFILES // 2:
        return None
    # 2. a first line, and its outliers
    vx, vy, x, y = (float(v) for v in np.ravel(cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)))
    normal = np.array([-vy, vx])
    off_px = np.abs((points - (x, y)) @ normal)
    px_per_mm = float(np.linalg.norm(np.diff(_project(guess, np.stack([start, start + np.array([1.0, 0.0])])), axis=0)))
    if float(np.median(off_px)) > _MOST_BEND_MM * px_per_mm:
        return None
    # 3. the line without them
    kept = points[off_px <= max(3 * float(np.median(off_px)), 0.5)]
    vx, vy, x, y = (float(v) for v in np.ravel(cv2.fitLine(kept.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01)))
    return np.array([-vy, vx, -vy * x + vx * y])


def _step(gray: NDArray[np.uint8], guess: Floats, place: Floats, out: Floats) -> Floats | None:
    """Return the point in pixels where brightness drops most on a line across an edge; None if it hardly does."""
    # 1. sample the brightness along the line, from inside to outside
    reach = np.linspace(-_SEARCH_MM, _SEARCH_MM, 121)
    points = _project(guess, place + reach[:, None] * out).astype(np.float32)
    height, width = gray.shape
    if (points < 1).any() or (points[:, 0] >= width - 2).any() or (points[:, 1] >= height - 2).any():
        return None
    values = np.ravel(cv2.remap(gray, points[None, :, 0], points[None, :, 1], cv2.INTER_LINEAR)).astype(np.float64)
    # 2. the derivative of the smoothed profile
    kernel = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16
    drop = -np.gradient(np.asarray(np.convolve(np.pad(values, 2, mode="edge"), kernel, mode="valid")))
    best = int(drop.argmax())
    low, high = max(0, best - 8), min(len(values), best + 9)
    if values[low : best + 1].max() - values[best:high].min() < _LEAST_CONTRAST:
        return None
    # 3. the steepest place to a part of a sample: the centroid of the drop about its maximum
    weights = np.clip(drop[low:high], 0, None)
    at = float((weights * reach[low:high]).sum() / weights.sum())
    found: Floats = _project(guess, (place + at * out)[None])[0]
    return found


def _describe(nominal: Floats, printed: Floats, paper: Paper) -> SheetSide:
    """Fit an affine map about the paper's middle, from nominal to printed corners, both float64 (n, xy) in mm."""
    middle = np.array([paper.width_mm, paper.height_mm]) / 2
    rows = np.column_stack([nominal - middle, np.ones(len(nominal))])
    solution, *_rest = np.linalg.lstsq(rows, printed - middle, rcond=None)
    matrix, shift = solution[:2].T, solution[2]
    error = float(np.sqrt(np.square(rows @ solution - (printed - middle)).sum(axis=1).mean()))
    angle = math.degrees(math.atan2(matrix[1, 0], matrix[0, 0]))
    scales = np.linalg.norm(matrix, axis=0)
    return SheetSide(float(scales[0]), float(scales[1]), float(shift[0]), float(shift[1]), angle, error)


def in_words(found: Correction) -> Sequence[str]:
    """Return sentences for what was measured: the scale, and the offset of backs if there is one."""
    scale = _("scale: {x:.2f} percent across, {y:.2f} percent down").format(
        x=100 * found.scale_x, y=100 * found.scale_y
    )
    back = _("back: {x:+.2f} mm right, {y:+.2f} mm down, {deg:+.2f} degrees clockwise").format(
        x=found.back_x_mm, y=found.back_y_mm, deg=found.back_deg
    )
    return (scale, back) if (found.back_x_mm, found.back_y_mm, found.back_deg) != (0, 0, 0) else (scale,)


# ---- the two-sided test sheet: markers at known places on both sides

DICTIONARY = "DICT_5X5_100"
FRONT_BASE, BACK_BASE = 60, 70
"""First of the four marker ids of each side, clockwise from the top left; the lens sheet has smaller ones."""

MARKER_MM = 30.0
_INSET_MM = 34.0
CARD_MM = (85.60, 53.98)
"""A bank card (ISO/IEC 7810 ID-1)."""


def marker_middles(paper: Paper) -> tuple[Point, Point, Point, Point]:
    """Return the centres of a side's markers on a true print, mm from the top-left corner."""
    x, y = paper.width_mm - _INSET_MM, paper.height_mm - _INSET_MM
    return (_INSET_MM, _INSET_MM), (x, _INSET_MM), (x, y), (_INSET_MM, y)


def draw_printer_sheet(document: Document, paper: Paper) -> None:
    """Draw both sides of the test sheet."""
    for back, base in ((False, FRONT_BASE), (True, BACK_BASE)):
        with document.page(paper, back=back) as pen:
            pen.items(_side(paper, base, back=back))


def _side(paper: Paper, base: int, *, back: bool) -> Iterator[Item]:
    for number, middle in enumerate(marker_middles(paper)):
        yield Mark(DICTIONARY, base + number, middle, MARKER_MM, 5.0)
    width, middle_y = paper.width_mm - 2 * 26.0, paper.height_mm / 2
    title = _("Printer test: back") if back else _("Printer test: front")
    yield Words((26.0, middle_y - 58, width, 12.0), title, SCALE_PT["title"], "ink", "centre", "bold")
    steps = (
        _("Print this sheet on both sides, at 100 %, turned on the edge that you use for cards."),
        _("Put it flat on something dark. Photograph each side from above with the whole sheet in the picture."),
        _("companion print measure FRONT.jpg BACK.jpg") + measuring_option(paper),
        _("If an edge of the paper cannot be seen, measure this bar and give its length: --bar 99.4"),
    )
    for number, step in enumerate(steps, 1):
        y = middle_y - 42 + (number - 1) * 15.0
        yield Words((26.0, y, 8.0, 13.0), str(number), SCALE_PT["heading"], "accent", "left", "bold", upright="top")
        yield Words((34.0, y + 0.6, width - 8, 13.0), step, SCALE_PT["text"], "ink", "left", upright="top")
    yield Rectangle((26.0, middle_y + 20, width, 22.0), line="hairline", corner_mm=2.0)
    yield from check_bar((paper.width_mm - CHECK_MM) / 2, middle_y + 26)
    # corner ticks outside the card's place, away from its edges, and a sentence on its use
    x, y, w, h = card_place(paper)
    gap, length = 2.5, 6.0
    for cx, cy, right, down in ((x, y, -1, -1), (x + w, y, 1, -1), (x + w, y + h, 1, 1), (x, y + h, -1, 1)):
        corner = (cx + right * gap, cy + down * gap)
        yield KitLine(corner, (corner[0] - right * length, corner[1]), "hairline", 0.3)
        yield KitLine(corner, (corner[0], corner[1] - down * length), "hairline", 0.3)
    text = _("a bank card (85.60 x 53.98 mm) goes here if an edge of the paper is out of the picture")
    yield Words((x + 8, y + 18, w - 16, 18.0), text, SCALE_PT["text"], "soft", "centre", "italic")


def card_place(paper: Paper) -> Box:
    """Return the place of a bank card, for pictures without all edges of the paper: left, top, width, height in mm."""
    width, height = CARD_MM
    return (paper.width_mm - width) / 2, paper.height_mm / 2 + 47.0, width, height


def measuring_option(paper: Paper) -> str:
    """Return the option that `companion print measure` needs for this paper, with a space before it; "" for A4."""
    return "" if paper.name == "a4" else f" --paper {paper.name}"
