"""Pages of a PDF as pictures, seen from above or at a slant, and what is on them."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit import Drawing
from companion.printing.board_face import board_face
from companion.printing.document import Document, page_pictures
from companion.printing.kits import kit_of
from companion.printing.paper import Paper
from companion.printing.themes import THEMES
from vision.board import Board
from vision.frame import ImageBgr

PX_PER_MM = 6.0


def pages(pdf: bytes, px_per_mm: float = PX_PER_MM) -> list[ImageBgr]:
    return list(page_pictures(pdf, px_per_mm))


def board_page(board: Board, theme: str = "paper", px_per_mm: float = PX_PER_MM) -> ImageBgr:
    """The face of a board, exactly as large as the board."""
    document = Document("", THEMES[theme])
    with document.page(Paper("board", *board.size)) as pen:
        pen.items(board_face(board, kit_of(board.game).board, THEMES[theme]).items)
    return pages(document.pdf(), px_per_mm)[0]


def photographed(
    page: ImageBgr, px_per_mm: float, *, tilt_deg: float, turn_deg: float, size_wh: tuple[int, int], table: int = 90
) -> ImageBgr:
    """A page that lies on a table of some grey, seen by a camera of 60 degrees from a slant, as large as fits."""
    width_mm, height_mm = page.shape[1] / px_per_mm, page.shape[0] / px_per_mm
    focal = 0.87 * size_wh[0]
    rotation = cv2.Rodrigues(np.array((np.radians(tilt_deg), 0.0, 0.0)))[0]
    rotation = rotation @ cv2.Rodrigues(np.array((0.0, 0.0, np.radians(turn_deg))))[0]
    distance = 1.35 * max(width_mm / size_wh[0], height_mm / size_wh[1]) * focal
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], (0.0, 0.0, distance)])
    lens = np.array([(focal, 0.0, size_wh[0] / 2), (0.0, focal, size_wh[1] / 2), (0.0, 0.0, 1.0)])
    to_mm = np.array([(1 / px_per_mm, 0, -width_mm / 2), (0, 1 / px_per_mm, -height_mm / 2), (0, 0, 1.0)])
    inked = (24 + page * (214 / 255)).astype(np.uint8)  # ink is not black and paper not white
    big = (2 * size_wh[0], 2 * size_wh[1])
    scale = np.diag([2.0, 2.0, 1.0])
    image = cv2.warpPerspective(inked, scale @ lens @ plane @ to_mm, big, borderValue=(table, table, table))
    return np.asarray(cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), np.uint8)


def markers(page: ImageBgr, dictionary: str) -> Mapping[int, list[NDArray[np.float64]]]:
    """Corners of all markers of a dictionary, float64 (4, xy) in pixels, by id."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    known = cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, dictionary)))
    gray = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    corners, ids, _rejected = cv2.aruco.ArucoDetector(known, parameters).detectMarkers(gray)
    found: dict[int, list[NDArray[np.float64]]] = {}
    for number, places in zip(np.ravel(ids) if len(corners) else (), corners, strict=True):
        found.setdefault(int(number), []).append(np.asarray(places, np.float64).reshape(4, 2))
    return found


def drawn(drawing: Drawing, px_per_mm: float = PX_PER_MM) -> ImageBgr:
    """A drawing alone, as a picture."""
    document = Document("", THEMES["paper"])
    with document.page(Paper("drawing", drawing.width_mm, drawing.height_mm)) as pen:
        pen.items(drawing.items)
    return pages(document.pdf(), px_per_mm)[0]


def lay(
    page: ImageBgr, drawing: Drawing, middle_mm: tuple[float, float], px_per_mm: float, turn_deg: float = 0.0
) -> None:
    """Put a cut-out on a page, turned clockwise about its middle, in place; a round one is cut along its circle."""
    face = drawn(drawing, px_per_mm)
    height, width = face.shape[:2]
    cut = np.zeros((height, width), np.uint8)
    if drawing.outline == "circle":
        cv2.circle(cut, (width // 2, height // 2), width // 2, 255, -1, cv2.LINE_AA)
    else:
        cut[:] = 255
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -turn_deg, 1.0)
    matrix[:, 2] += np.array(middle_mm) * px_per_mm - (width / 2, height / 2)
    size = (page.shape[1], page.shape[0])
    share = cv2.warpAffine(cut, matrix, size, flags=cv2.INTER_LINEAR)[..., None] / 255
    page[:] = cv2.warpAffine(face, matrix, size, flags=cv2.INTER_LINEAR) * share + page * (1 - share)
