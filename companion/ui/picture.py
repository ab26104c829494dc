"""Annotated pictures: the reading of each cell drawn over the photograph, with doubt visible without colour.

Every cell is outlined where the pose puts it. Its letter is in a corner, next to the piece: small for a plain piece, a
capital in a second outline for a special one. Hatching and "?" mean unsure, a cross means hidden.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.locale import _
from companion.ui.board_text import legend, letter, piece_of
from companion.ui.names import label_name
from vision.board import Board
from vision.file_access import write_atomically
from vision.frame import ImageBgr
from vision.geometry import Floats, Pose
from vision.labels import EMPTY, parse_label
from vision.markerless.cards import LooseCard
from vision.markerless.dice import LooseDie

Bgr = tuple[int, int, int]

LEAST_CELL_PX = 56
"""Pictures with smaller cells are enlarged, so that letters are readable."""

_MOST_PX = 16_000_000
"""The limit of enlarged pictures, which would otherwise fill the memory."""

_INK, _PAPER, _EMPTY = (245, 245, 245), (28, 28, 28), (170, 170, 170)
_FONT = cv2.FONT_HERSHEY_DUPLEX
_CORNERS = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
_LETTER_FROM_CORNER = 0.22
_LETTER = 1.5
"""A letter's height over the radius of the disc below it."""

_HATCHES = 4
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "œ": "oe"})
"""Letters that are spelt out; others lose their accent."""


def annotate(
    image_bgr: ImageBgr,
    board: Board,
    pose: Pose,
    labels: Mapping[str, str],
    *,
    unsure: Collection[str] = (),
    hidden: Collection[str] = (),
    lines: Sequence[str] = (),
) -> ImageBgr:
    """Return a copy of a picture with the cells' labels, the lines above it, and a legend below.

    `hidden` are the `unsure` cells that cannot be seen at all.
    """
    canvas = _Canvas.over(image_bgr, board, pose)
    places = [place for place in board.places if place in labels]
    # 1. the outlines: crossed if hidden, hatched if unsure, thin if empty, in the piece's colour otherwise; important
    # cells are drawn later, over their neighbours'
    for cell in sorted(places, key=lambda cell: 2 * (cell in unsure) or _is_special(board, labels[cell])):
        if cell in hidden:
            canvas.outline(cell, 0.0, _INK, canvas.thin)
            canvas.lines(cell, [(0.0, 0.0, 1.0, 1.0), (0.0, 1.0, 1.0, 0.0)], 2 * canvas.thin)
        elif cell in unsure:
            canvas.outline(cell, 0.0, _INK, 2 * canvas.thin)
            reaches = (k / _HATCHES for k in range(1, 2 * _HATCHES))
            ends = ((max(0.0, reach - 1), min(1.0, reach)) for reach in reaches)
            canvas.lines(cell, [(low, high, high, low) for low, high in ends], canvas.thin)
        elif labels[cell] == EMPTY:
            canvas.outline(cell, 0.0, _EMPTY, canvas.thin, seam=0)
        else:
            place = piece_of(board, labels[cell])
            colour = _INK if place is None else place.rgb[::-1]  # B, G, R; light grey without colour
            for inset in (0.03, 0.12) if _is_special(board, labels[cell]) else (0.03,):
                canvas.outline(cell, inset, colour, 2 * canvas.thin)
    # 2. the signs after all lines, so that none crosses a letter
    for cell in places:
        if cell in unsure and cell not in hidden:
            canvas.write(cell, "?", 0.5)
        elif cell not in unsure and labels[cell] != EMPTY:
            canvas.write(cell, letter(board, labels[cell]), 0.5 if _is_special(board, labels[cell]) else 0.4)
    # 3. the letters in use, unless they are those of cards, which speak for themselves; then the signs of doubt
    seen = dict.fromkeys(label for cell, label in labels.items() if cell not in unsure)
    plain_first = sorted(seen, key=lambda label: (bool(parse_label(label).kind), label))
    letters = [f"{sign} {label_name(word)}" for sign, word in legend(board, plain_first).items()]
    bare = _("all cells empty") if {*seen} == {EMPTY} else ""
    signs = (_("no letter: empty"), _("hatched, ?: unsure"), _("crossed: hidden"))
    width = canvas.image.shape[1]
    header = _strip(width, lines)
    footer = _strip(width, ("   ".join(letters) or bare, "   ".join(signs)))
    return np.vstack([header, canvas.image, footer])


def save_picture(path: Path, image_bgr: ImageBgr, *, private: bool = False, quality: int = 95) -> None:
    """Write a picture in the format of the file's suffix; a private one is readable only by its owner.

    `quality`, 1 to 100, applies to JPEG.

    Raises:
        OSError: it cannot be written there.
    """
    how = [cv2.IMWRITE_JPEG_QUALITY, quality] if path.suffix == ".jpg" else []
    coded = cv2.imencode(path.suffix, image_bgr, how)[1]  # imwrite does not report a full disk
    write_atomically(path, coded.tobytes(), private=private)


@dataclass(frozen=True, slots=True, eq=False)
class _Canvas:
    """A picture to draw on, with the place of each cell's unit square.

    `corners_px` is float64 (n_places, 4, xy); `cell_px` is the side of a typical cell.
    """

    image: ImageBgr
    index: Mapping[str, int]
    corners_px: NDArray[np.float64]
    cell_px: float

    @staticmethod
    def over(image_bgr: ImageBgr, board: Board, pose: Pose) -> _Canvas:
        pitch = np.array(board.grid.pitch)
        corners_mm = board.places_mm()[:, None, :] + (_CORNERS - 0.5) * pitch
        corners_px = pose.project_at(corners_mm.reshape(-1, 2), 0.0).reshape(-1, 4, 2)
        sides = np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=1), axis=2)
        cell_px = float(np.median(sides))
        largest = max(1.0, float(np.sqrt(_MOST_PX / (image_bgr.shape[0] * image_bgr.shape[1]))))
        scale = float(np.clip(LEAST_CELL_PX / max(cell_px, 1.0), 1.0, min(4.0, largest)))
        image = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
        index = {cell: i for i, cell in enumerate(board.places)}
        return _Canvas(np.array(image, dtype=np.uint8), index, corners_px * scale, cell_px * scale)

    @property
    def thin(self) -> int:
        """Width of a plain line in pixels."""
        return max(1, round(self.cell_px / 40))

    def place(self, cell: str, unit: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map points of the cell's unit square, float (n, xy), to the picture; bilinear, because a cell is small."""
        corners = self.corners_px[self.index[cell]]
        x, y = unit[:, :1], unit[:, 1:]
        top, bottom = corners[0] * (1 - x) + corners[1] * x, corners[3] * (1 - x) + corners[2] * x
        return np.asarray(top * (1 - y) + bottom * y)

    def outline(self, cell: str, inset: float, colour: Bgr, width: int, *, seam: int = 2) -> None:
        """Draw the cell's outline, inset by a part of the cell."""
        unit = inset + _CORNERS[[0, 1, 2, 3, 0]] * (1 - 2 * inset)
        _stroke(self.image, [self.place(cell, unit)], colour, width, seam)

    def lines(self, cell: str, ends: Iterable[tuple[float, float, float, float]], width: int) -> None:
        """Draw light lines between points of the cell's unit square (x, y, x, y)."""
        _stroke(self.image, [self.place(cell, np.reshape(line, (2, 2))) for line in ends], _INK, width, 2)

    def write(self, cell: str, text: str, size: float) -> None:
        """Write in the cell's lower left corner; `size` is the diameter of a letter's disc over the cell's side.

        Several letters are written smaller.
        """
        x, y = self.corners_px[self.index[cell]].T
        corner = _CORNERS[np.argmax(y - x)]
        middle = self.place(cell, (corner + (0.5 - corner) * 2 * _LETTER_FROM_CORNER)[None, :])[0]
        _write(self.image, text, middle, self.cell_px * size * _LETTER / (2.0 if len(text) == 1 else 3.6))


def _is_special(board: Board, label: str) -> bool:
    place = piece_of(board, label)
    return label != EMPTY and (place is None or label != place.colour)


def _strip(width: int, lines: Iterable[str]) -> ImageBgr:
    """Return lines of text on a dark strip, each as large as fits, uint8 (height, width, 3)."""
    # converted to the letters that OpenCV can draw
    spelt = [unicodedata.normalize("NFKD", line.translate(_SPELT)) for line in lines if line]
    texts = [line.encode("ascii", "ignore").decode() for line in spelt]
    height = max(18, width // 40)
    strip = np.full((round(height * 1.5) * len(texts) + height // 2, width, 3), _PAPER, dtype=np.uint8)
    for row, text in enumerate(texts):
        scale = height / 30
        length = cv2.getTextSize(text, _FONT, scale, 1)[0][0]
        scale *= min(1.0, 0.97 * width / max(length, 1))
        origin = (round(0.015 * width), round(height * 1.5) * (row + 1) - height // 4)
        cv2.putText(strip, text, origin, _FONT, scale, _INK, max(1, round(scale)), cv2.LINE_AA)
    return strip


def _stroke(image: ImageBgr, lines: Sequence[Floats], colour: Bgr, width: int, seam: int) -> None:
    """Draw open lines, each float (n, xy) in pixels, with a dark seam so that they show on any ground."""
    points = [np.round(line).astype(np.int32) for line in lines]
    for ink, thick in ((_PAPER, width + seam), (colour, width)):
        cv2.polylines(image, points, False, ink, thick, cv2.LINE_AA)  # noqa: FBT003 - OpenCV's signature


def _write(image: ImageBgr, text: str, middle_px: Floats, height_px: float) -> None:
    """Write centred on a place (x, y): a single letter on a dark disc, several on a plate."""
    scale = height_px / 22
    thick = max(1, round(2 * scale))
    (wide, high), _base = cv2.getTextSize(text, _FONT, scale, thick)
    left, bottom = np.round(middle_px + np.array((-wide, high)) / 2).astype(int).tolist()
    if len(text) == 1:
        centre = np.round(middle_px).astype(int).tolist()
        cv2.circle(image, centre, round(height_px / _LETTER), _PAPER, cv2.FILLED, cv2.LINE_AA)
    else:
        rim = round(5 * scale)
        plate = (left - rim, bottom - high - rim, wide + 2 * rim, high + 2 * rim)
        cv2.rectangle(image, plate, _PAPER, cv2.FILLED)
    cv2.putText(image, text, (left, bottom), _FONT, scale, _INK, thick, cv2.LINE_AA)


# ---- pictures of loose cards and dice with their reading; what is unreadable has a "?" and a dashed outline


_DASHES = 12


def annotate_cards(image_bgr: ImageBgr, cards: Sequence[LooseCard]) -> ImageBgr:
    """Return an annotated copy of a picture."""
    canvas = image_bgr.copy()
    for card in cards:
        width = max(1, round(float(np.hypot(*(card.corners_px[2] - card.corners_px[0]))) / 150))
        sides = zip(card.corners_px, np.roll(card.corners_px, -1, axis=0), strict=True)
        steps = 2 if card.card else 2 * _DASHES
        dashes = [dash for side in sides for dash in np.linspace(*side, steps).reshape(-1, 2, 2)]
        _stroke(canvas, dashes, _INK, width, 2 * width)
        _write(canvas, card.card or "?", card.corners_px.mean(axis=0), max(8.0 * width, 9.0))
    return canvas


def annotate_dice(image_bgr: ImageBgr, dice: Sequence[LooseDie]) -> ImageBgr:
    """Return a copy of a picture with a ring round each die.

    Its value is next to it, so that the pips stay visible.
    """
    canvas = image_bgr.copy()
    for die in dice:
        middle, radius = np.round(die.centre_px).astype(int), max(6, round(0.75 * die.size_px))
        arcs = [(0, 360)] if die.value else [(start, start + 25) for start in range(0, 360, 45)]
        ring = [np.array(cv2.ellipse2Poly(middle.tolist(), (radius, radius), 0, *arc, 5), np.float64) for arc in arcs]
        width = max(1, radius // 12)
        _stroke(canvas, ring, _INK, width, 2 * width)
        beside = middle + round(0.75 * radius) * np.array((1, -1))
        _write(canvas, str(die.value or "?"), beside, max(8.0, 0.4 * radius) * _LETTER)
    return canvas
