"""Finding the markers: searched for in a reduced picture, refined and completed in the whole one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.geometry import Floats

Gray = NDArray[np.uint8]
Corners = NDArray[np.float32]
"""Corners of a marker's black square in pixels, float32 (4, xy), clockwise from its top left."""

MarkerDetections = Mapping[int, Corners]
"""Where each marker was seen, by id."""


class Sightings(dict[int, Corners]):
    """Detections of markers that were seen twice: `copies` are the other ones, with their ids."""

    def __init__(self, found: Mapping[int, Corners], copies: Sequence[tuple[int, Corners]] = ()) -> None:
        super().__init__(found)
        self.copies = tuple(copies)


SEARCH_WIDTH_PX = 820
"""Width at which the whole picture is searched: a quarter of the work of a 1640 px picture, and 95 of 100 markers
of the samples are still found; `find_near` gets the others."""


@lru_cache
def modules_of(dictionary: str) -> int:
    """Return how many modules are along the side of a dictionary's markers, the black frame included."""
    return 2 + int(cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, dictionary))).markerSize)


_LEAST_IN_PICTURE = 0.05
"""A marker 10 px wide in a picture 820 px wide: its modules are little more than a pixel, too small to be read."""

_LEAST_IN_WINDOW = 0.7
"""In the window that is searched for one marker, mostly 3 times as wide as it, its perimeter is 1.3 of the window's
side; in the widest, round a marker that is turned, 0.9."""

_REACH_SIDES = 1.0
"""How far beside its expected place a marker is searched for at least, in its sides: thresholds need the white and the
print around it, and narrower windows lost markers that a search of the whole picture finds."""


@lru_cache
def _detector(dictionary: str, *, windows: int, least_perimeter: float) -> cv2.aruco.ArucoDetector:
    """Make a detector that thresholds with that many window sizes; each costs about as much as the rest together.

    `least_perimeter` is a marker's, over the longer side of the picture: noise and cloth are full of small squares.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = least_perimeter
    parameters.adaptiveThreshWinSizeMin = 11 if windows == 1 else 5
    parameters.adaptiveThreshWinSizeMax = 11 if windows == 1 else 5 + 10 * (windows - 1)
    parameters.adaptiveThreshWinSizeStep = 10
    known = cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, dictionary)))
    return cv2.aruco.ArucoDetector(known, parameters)


def _detect(detector: cv2.aruco.ArucoDetector, gray: Gray) -> Sightings:
    corners, ids, _ = detector.detectMarkers(gray)
    found: dict[int, Corners] = {}
    copies = []
    for number, square in zip(np.ravel(ids), corners, strict=True) if len(corners) else ():  # `ids` may be None
        at = np.asarray(square, dtype=np.float32).reshape(4, 2)
        if found.setdefault(int(number), at) is not at:
            copies.append((int(number), at))
    return Sightings(found, copies)


def find_markers(gray: Gray, reduced_gray: Gray, dictionary: str = "DICT_APRILTAG_36h11") -> MarkerDetections:
    """Find all markers of a dictionary.

    Args:
        gray: the whole picture, uint8 (height, width).
        reduced_gray: the same picture made smaller, in which the search goes on.
        dictionary: name of one of OpenCV's ArUco dictionaries.

    Returns:
        The detections, in pixels of `gray`, refined there.
    """
    found = _detect(_detector(dictionary, windows=1, least_perimeter=_LEAST_IN_PICTURE), reduced_gray)
    if not found:
        found = _detect(_detector(dictionary, windows=3, least_perimeter=_LEAST_IN_PICTURE), reduced_gray)
    ratio = gray.shape[1] / reduced_gray.shape[1]
    refined = {i: refine_corners(gray, (c + 0.5) * ratio - 0.5) for i, c in found.items()}
    return Sightings(refined, [(i, refine_corners(gray, (c + 0.5) * ratio - 0.5)) for i, c in found.copies])


def find_faint(gray: Gray, dictionary: str = "DICT_APRILTAG_36h11") -> MarkerDetections:
    """Find markers in a whole picture, uint8 (height, width), whose black is eaten by white that light spills over it.

    Only for pictures in which nothing else was found: it takes several times as long.
    """
    thinned = cv2.erode(gray, np.ones((3, 3), dtype=np.uint8))
    return _detect(_detector(dictionary, windows=3, least_perimeter=_LEAST_IN_PICTURE), np.asarray(thinned, np.uint8))


def count_markers(reduced_gray: Gray, dictionary: str = "DICT_APRILTAG_36h11") -> int:
    """Count the markers that can be read in a picture as wide as the search's, with more care than the search takes."""
    return len(_detect(_detector(dictionary, windows=3, least_perimeter=_LEAST_IN_PICTURE), reduced_gray))


def refine_corners(gray: Gray, corners_px: Floats | Corners) -> Corners:
    """Move corners (4, xy) to where the picture's edges cross, to a fraction of a pixel."""
    points = np.asarray(corners_px, dtype=np.float32).reshape(-1, 1, 2).copy()
    side_px = float(np.linalg.norm(points[0, 0] - points[1, 0]))
    reach = int(np.clip(side_px / 14, 2, 8))  # less than one of the marker's eight modules
    if not _inside(points[:, 0], gray.shape, reach + 2):
        return points[:, 0]
    cv2.cornerSubPix(
        gray, points, (reach, reach), (-1, -1), (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.02)
    )
    return points[:, 0]


def find_near(
    gray: Gray, expected_px: Floats, marker_id: int, dictionary: str, *, sigma_px: float = 0.0
) -> Corners | None:
    """Look for one marker near where its corners, float (4, xy), are expected; None if it is not visible there.

    `sigma_px` is the standard deviation of where they are expected.
    """
    side_px = float(np.linalg.norm(expected_px[0] - expected_px[1]))
    reach_px = np.clip(2 * sigma_px, _REACH_SIDES * side_px, 1.5 * side_px)
    low = np.floor(expected_px.min(axis=0) - reach_px).astype(int).clip(0)
    high = np.ceil(expected_px.max(axis=0) + reach_px).astype(int)
    window = gray[low[1] : high[1], low[0] : high[0]]
    if min(window.shape) < 12:
        return None
    detector = _detector(dictionary, windows=3, least_perimeter=_LEAST_IN_WINDOW)
    corners = _detect(detector, np.ascontiguousarray(window)).get(marker_id)
    return None if corners is None else refine_corners(gray, corners + low.astype(np.float32))


def of_board(detections: MarkerDetections, board: Board) -> dict[int, Corners]:
    """Keep the markers of one board."""
    return {i: corners for i, corners in detections.items() if i in board.markers.ids}


def whose(detections: MarkerDetections, boards: Sequence[Board]) -> Board | None:
    """Return the board that most of the markers belong to; None if they belong to none."""
    best = max(boards, key=lambda board: len(of_board(detections, board)), default=None)
    return best if best is not None and of_board(detections, best) else None


@lru_cache
def module_is_white(dictionary: str, marker_id: int) -> NDArray[np.bool_]:
    """Which modules of a marker are white, bool (modules, modules), its black frame included."""
    known = cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, dictionary)))
    image = cv2.aruco.generateImageMarker(known, marker_id, modules_of(dictionary))
    return np.asarray(image, dtype=np.uint8) > 127


def module_middles_mm(corners_mm: Floats, dictionary: str) -> Floats:
    """Middles of a marker's modules, float64 (n, xy), row by row, from the corners (4, xy) of its black square."""
    modules = modules_of(dictionary)
    steps = (np.arange(modules) + 0.5) / modules
    across, down = np.meshgrid(steps, steps)
    right, below = corners_mm[1] - corners_mm[0], corners_mm[3] - corners_mm[0]
    return np.asarray(corners_mm[0] + across.reshape(-1, 1) * right + down.reshape(-1, 1) * below)


def _inside(points_px: Corners, shape: tuple[int, ...], margin_px: int) -> bool:
    height, width = shape[:2]
    low, high = points_px.min(axis=0), points_px.max(axis=0)
    return bool((low >= margin_px).all() and high[0] < width - margin_px and high[1] < height - margin_px)
