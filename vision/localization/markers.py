"""Marker detection: in a reduced picture first, then refined and completed in the whole one."""

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
    """Marker detections by id; `copies` are further detections of the same ids."""

    def __init__(self, found: Mapping[int, Corners], copies: Sequence[tuple[int, Corners]] = ()) -> None:
        super().__init__(found)
        self.copies = tuple(copies)


SEARCH_WIDTH_PX = 820
"""Width to which a picture is reduced for the search: a quarter of the work of 1640 px, and 95 % of the samples'
markers are still found; `find_near` gets the others."""


@lru_cache
def dictionary_of(name: str) -> cv2.aruco.Dictionary:
    """Return one of OpenCV's marker dictionaries."""
    return cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, name)))


def modules_of(dictionary: str) -> int:
    """Return the number of modules along the side of a dictionary's markers, including the black frame."""
    return 2 + int(dictionary_of(dictionary).markerSize)


@lru_cache
def detector(dictionary: str, **settings: float) -> cv2.aruco.ArucoDetector:
    """Return a detector of a dictionary's markers; settings are by their names in OpenCV's `DetectorParameters`."""
    parameters = cv2.aruco.DetectorParameters()
    for name, value in settings.items():
        setattr(parameters, name, value)
    return cv2.aruco.ArucoDetector(dictionary_of(dictionary), parameters)


def detect(gray: Gray, dictionary: str, **settings: float) -> list[tuple[int, Corners]]:
    """Return the ids and corners of the markers in a picture, uint8 (height, width); settings as for `detector`."""
    corners, ids, _ = detector(dictionary, **settings).detectMarkers(gray)
    squares = np.asarray(corners, np.float32).reshape(-1, 4, 2)
    return list(zip(map(int, np.ravel(ids)), squares, strict=True)) if len(squares) else []  # `ids` may be None


_LEAST_IN_PICTURE = 0.05
"""Least perimeter over the picture's width: a marker 10 px wide in 820 px, whose modules are just over a pixel."""

_LEAST_IN_WINDOW = 0.7
"""Least perimeter over the window's side in a search for one marker: the window is mostly 3 times as wide as the
marker, which makes it 1.3; in the widest window, around a rotated marker, 0.9."""

_REACH_SIDES = 1.0
"""Least margin around a marker's expected place, in its sides: the adaptive threshold needs the white and the print
around it, and narrower windows lost markers that a search of the whole picture finds."""


_ONE_WINDOW, _THREE_WINDOWS = (11, 11), (5, 25)
"""Least and largest side, in pixels, of the windows by which a picture is thresholded, in steps of 10: each costs as
much as all the rest."""


def _sightings(gray: Gray, dictionary: str, windows: tuple[int, int], least_perimeter: float) -> Sightings:
    """Detect markers; `least_perimeter` is over the picture's longer side: noise and cloth contain small squares."""
    sides = {"adaptiveThreshWinSizeMin": windows[0], "adaptiveThreshWinSizeMax": windows[1]}
    found: dict[int, Corners] = {}
    copies = []
    for number, at in detect(
        gray, dictionary, minMarkerPerimeterRate=least_perimeter, adaptiveThreshWinSizeStep=10, **sides
    ):
        if found.setdefault(number, at) is not at:
            copies.append((number, at))
    return Sightings(found, copies)


_FAINT_WIDTH_PX = 4 * SEARCH_WIDTH_PX
"""Width to which a picture is reduced for the search for faint markers."""


def find_markers(gray: Gray, reduced_gray: Gray, dictionary: str = "DICT_APRILTAG_36h11") -> MarkerDetections:
    """Detect all markers of a dictionary.

    Args:
        gray: the whole picture, uint8 (height, width).
        reduced_gray: the same picture, reduced, which is searched.
        dictionary: name of one of OpenCV's ArUco dictionaries.

    Returns:
        The detections, in pixels of `gray`, refined there.
    """
    found = _sightings(reduced_gray, dictionary, _ONE_WINDOW, _LEAST_IN_PICTURE)
    if not found:
        found = _sightings(reduced_gray, dictionary, _THREE_WINDOWS, _LEAST_IN_PICTURE)
    ratio = gray.shape[1] / reduced_gray.shape[1]
    refined = {i: refine_corners(gray, (c + 0.5) * ratio - 0.5) for i, c in found.items()}
    return Sightings(refined, [(i, refine_corners(gray, (c + 0.5) * ratio - 0.5)) for i, c in found.copies])


def _with_more_black(gray: cv2.typing.MatLike) -> Gray:
    """Return a picture whose black areas are a pixel wider, where white that blooms had made them thinner."""
    return np.asarray(cv2.erode(gray, np.ones((3, 3), dtype=np.uint8)), np.uint8)


def find_faint(gray: Gray, dictionary: str = "DICT_APRILTAG_36h11") -> MarkerDetections:
    """Detect markers, in a picture, uint8 (height, width), whose black is thinned by blooming white.

    Use it only if nothing else was found; it takes several times as long. A picture of more than `_FAINT_WIDTH_PX` is
    reduced, or it would take 100 MB.
    """
    ratio = min(1.0, _FAINT_WIDTH_PX / gray.shape[1])
    reduced = cv2.resize(gray, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA) if ratio < 1 else gray
    found = _sightings(_with_more_black(reduced), dictionary, _THREE_WINDOWS, _LEAST_IN_PICTURE)
    copies = [(number, (at + 0.5) / ratio - 0.5) for number, at in found.copies]
    return Sightings({number: (at + 0.5) / ratio - 0.5 for number, at in found.items()}, copies)


def count_markers(reduced_gray: Gray, boards: Sequence[Board]) -> int:
    """Count the markers of these boards in a reduced picture, with a more thorough search than `find_markers`."""
    count = 0
    for dictionary in {board.markers.dictionary for board in boards}:
        ids = {i for board in boards if board.markers.dictionary == dictionary for i in board.markers.ids}
        count += len(ids & _sightings(reduced_gray, dictionary, _THREE_WINDOWS, _LEAST_IN_PICTURE).keys())
    return count


def refine_corners(gray: Gray, corners_px: Floats | Corners) -> Corners:
    """Refine corners (4, xy) to subpixel precision; corners near the picture's border stay as they are."""
    points = np.asarray(corners_px, dtype=np.float32).reshape(-1, 1, 2).copy()
    side_px = float(np.linalg.norm(points[0, 0] - points[1, 0]))
    reach = int(np.clip(side_px / 14, 2, 8))  # less than one of the marker's eight modules
    low, high, end = points.min(axis=(0, 1)), points.max(axis=(0, 1)), np.array(gray.shape[1::-1]) - (reach + 2)
    if (low < reach + 2).any() or (high >= end).any():
        return points[:, 0]
    cv2.cornerSubPix(
        gray, points, (reach, reach), (-1, -1), (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 0.02)
    )
    return points[:, 0]


def find_near(
    gray: Gray, expected_px: Floats, marker_id: int, dictionary: str, *, sigma_px: float = 0.0
) -> Corners | None:
    """Return the corners of a marker near its expected corners, float (4, xy); None if it is not visible there.

    `sigma_px` is the standard deviation of the expected corners.
    """
    side_px = float(np.linalg.norm(expected_px[0] - expected_px[1]))
    reach_px = np.clip(2 * sigma_px, _REACH_SIDES * side_px, 1.5 * side_px)
    low = np.floor(expected_px.min(axis=0) - reach_px).astype(int).clip(0)
    high = np.ceil(expected_px.max(axis=0) + reach_px).astype(int)
    window = gray[low[1] : high[1], low[0] : high[0]]
    if min(window.shape) < 12:
        return None
    for searched in (np.ascontiguousarray(window), _with_more_black(window)):
        corners = _sightings(searched, dictionary, _THREE_WINDOWS, _LEAST_IN_WINDOW).get(marker_id)
        if corners is not None:
            return refine_corners(gray, corners + low.astype(np.float32))
    return None


def of_board(detections: MarkerDetections, board: Board) -> dict[int, Corners]:
    """Return the detections of one board's markers."""
    return {i: corners for i, corners in detections.items() if i in board.markers.ids}


@lru_cache
def module_is_white(dictionary: str, marker_id: int) -> NDArray[np.bool_]:
    """Return a mask of a marker's white modules, bool (modules, modules), including the black frame."""
    image = cv2.aruco.generateImageMarker(dictionary_of(dictionary), marker_id, modules_of(dictionary))
    return np.asarray(image, dtype=np.uint8) > 127


def module_middles_mm(corners_mm: Floats, dictionary: str) -> Floats:
    """Return the centres of a marker's modules, float64 (n, xy), row by row, from its corners (4, xy)."""
    modules = modules_of(dictionary)
    steps = (np.arange(modules) + 0.5) / modules
    across, down = np.meshgrid(steps, steps)
    right, below = corners_mm[1] - corners_mm[0], corners_mm[3] - corners_mm[0]
    return np.asarray(corners_mm[0] + across.reshape(-1, 1) * right + down.reshape(-1, 1) * below)
