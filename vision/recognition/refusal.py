"""Why a picture shows no board that can be read: measured, so that the players are told what to change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from vision.board import Board, known_boards
from vision.frame import ImageBgr
from vision.localization.locate import ScaledImage, search
from vision.localization.markers import Gray, count_markers, find_markers, of_board
from vision.observation import Blind, BlindReason

DARK_LEVEL = 72
"""A picture whose brightest hundredth stays below this grey level has no white in it: in the samples, covered lenses
reach 57 and the dimmest lamps 109."""

BLURRED_EDGE_PX = 6.2
"""Width of the sharpest tenth of strong edges above which a picture 820 px wide is blurred. In the samples and in
photographs sharp pictures reach 5.1 (5.8 on wood grain), blurred ones begin at 8.3; of samples blurred so little by us
that half of their markers can still be read most lie above."""

_COLOUR_STEP = 4
_LEAST_COLOUR = 1.2
"""Grey levels by which colours differ in any picture taken in colour; shades of one colour differ by their rounding."""

_COLOURED = 40
"""Difference of a seat's red, green and blue from which on its pieces have a colour."""

_MIRRORED = 2
"""Markers of one board in a mirror image that are no chance."""

_ORIENTATIONS = 6
_LEAST_CONTRAST = 45
_LEAST_SLOPE = 2.0
_LEAST_EDGES, _FEW_EDGES = 25, 5
"""Edges of one orientation that are enough to measure their width, and to count as edges across another."""


def is_dark(gray: Gray) -> bool:
    """Return whether a picture, uint8 (height, width), is too dark to show anything."""
    return float(np.percentile(gray[::4, ::4], 99)) < DARK_LEVEL


def has_no_colour(reduced_bgr: ImageBgr) -> bool:
    """Return whether a picture, uint8 (height, width, 3), is in shades of one colour, as grey or sepia ones are.

    What blue and red have beside green is explained by the brightness alone.
    """
    width, height = (max(8, side // _COLOUR_STEP) for side in reduced_bgr.shape[1::-1])
    small = cv2.resize(reduced_bgr, (width, height), interpolation=cv2.INTER_AREA)
    blue, green, red = (np.ravel(channel).astype(np.float32) for channel in cv2.split(small))
    bright = green - green.mean()
    unexplained = []
    for beside in (blue - green, red - green):
        around = beside - beside.mean()
        explained = bright * (float(bright @ around) / max(float(bright @ bright), 1e-9))
        unexplained.append(np.abs(np.asarray(around - explained, np.float32)))
    return float(np.quantile(np.maximum(*unexplained), 0.995)) < _LEAST_COLOUR


def needs_colour(board: Board) -> bool:
    """Return whether a table's labels cannot be read without colour: seats are red and blue, not black and white."""
    return board.marks is None and any(max(seat.rgb) - min(seat.rgb) > _COLOURED for seat in board.seat)


def blur_px(reduced_gray: Gray) -> float:
    """Width in pixels of the sharpest edges in the orientation in which they are widest; 0 without strong edges.

    Motion blurs edges across it and leaves those along it sharp, so each orientation is measured by itself. The width
    of an edge is its contrast over its steepest slope (Marziliano et al., "A no-reference perceptual blur metric",
    2002).

    Soft edges that all run one way are the grain of wood, which is soft in any picture. So are many soft edges beside
    some sharp ones of the same orientation: blur leaves none sharp.
    """
    # 1. The width and the angle of each strong edge.
    smooth = cv2.GaussianBlur(reduced_gray, (0, 0), 1.0).astype(np.float32)
    slope_x, slope_y = (cv2.Sobel(smooth, cv2.CV_32F, 1 - k, k, scale=1 / 8) for k in (0, 1))
    slope = cv2.magnitude(slope_x, slope_y)
    around = np.ones((21, 21), np.uint8)
    contrast = cv2.dilate(smooth, around) - cv2.erode(smooth, around)
    ridge = slope >= 0.999 * cv2.dilate(slope, np.ones((7, 7), np.uint8))
    edges = ridge & (contrast > _LEAST_CONTRAST) & (slope > _LEAST_SLOPE)
    widths_px, angles = np.asarray(contrast[edges] / slope[edges]), np.arctan2(slope_y[edges], slope_x[edges])
    # 2. The sharpest ones of each orientation across which there are others, too.
    aside = np.arange(_ORIENTATIONS)[:, None] * np.pi / _ORIENTATIONS
    near = np.abs(np.mod(angles - aside + np.pi / 2, np.pi) - np.pi / 2) < np.pi / 8
    crossed = np.roll(near.sum(axis=1), _ORIENTATIONS // 2) >= _FEW_EDGES
    widths = [np.sort(widths_px[along]) for along in near]
    return max(
        (
            float(of[min(len(of) // 10, _LEAST_EDGES)])
            for of, cross in zip(widths, crossed, strict=True)
            if cross and len(of) >= _LEAST_EDGES
        ),
        default=0.0,
    )


def is_blurred(reduced_gray: Gray, boards: Sequence[Board], seen: int) -> bool:
    """Return whether a picture, 820 px wide, in which these boards cannot be read, is so blurred that one may be there.

    Its edges are wide, or more of their markers than those `seen` can be read when a lens out of focus is undone.
    """
    if blur_px(reduced_gray) > BLURRED_EDGE_PX:
        return True
    return any(count_markers(gray, boards) > seen for gray in refocused(reduced_gray))


def why_nothing(scaled: ScaledImage, boards: Sequence[Board]) -> Blind:
    """Return why none of these boards could be found in a picture."""
    if is_dark(scaled.gray):
        return Blind(BlindReason.DARK)
    # 1. The known board of which most markers are there instead, if none of these boards has its markers.
    ours = {(board.markers.dictionary, number) for board in boards for number in board.markers.ids}
    others = [one for one in known_boards() if not any((one.markers.dictionary, i) in ours for i in one.markers.ids)]
    seen = {name: search(scaled, name) for name in dict.fromkeys(one.markers.dictionary for one in (*boards, *others))}
    other = max(others, key=lambda one: len(of_board(seen[one.markers.dictionary], one)), default=None)
    games = [board.game for board in boards]
    of_game = {"game": games[0]} if len(games) == 1 else {}
    if other is not None and of_board(seen[other.markers.dictionary], other):
        if other.game in games:
            return Blind(BlindReason.NO_BOARD, {"game": other.game, "instead": other.title})
        return Blind(BlindReason.WRONG_GAME, {"title": other.title})
    # 2. The picture is mirrored, or blurred, or shows no board.
    flipped = np.ascontiguousarray(scaled.reduced_gray[:, ::-1])
    mirrored = {name: find_markers(flipped, flipped, name) for name in seen}
    if any(len(of_board(mirrored[one.markers.dictionary], one)) >= _MIRRORED for one in (*boards, *others)):
        return Blind(BlindReason.MIRRORED)
    count = sum(len(of_board(seen[one.markers.dictionary], one)) for one in boards)
    if is_blurred(scaled.reduced_gray, [*boards, *others], count):
        return Blind(BlindReason.BLURRED)
    is_printed = len(games) == 1 and boards[0].markers.printed is not None
    return Blind(BlindReason.NO_BOARD, {"printed": games[0]} if is_printed else of_game)


_RADII_PX = (1.6, 2.5, 3.2, 4.0)
"""What a point becomes in pictures 820 px wide: from one whose smallest markers can no longer be read to one whose
edges are nearly as wide as only blur makes them."""

_NOISE_TO_SIGNAL = 0.01
"""Power of the noise over that of the picture, at all frequencies alike: less lets the noise of dim pictures ring."""


def refocused(gray: Gray) -> Iterator[Gray]:
    """Undo that a lens has made a disc of each point, once for each radius, the least blurred first.

    Wiener's filter ("Extrapolation, Interpolation, and Smoothing of Stationary Time Series", 1949). Pictures are uint8
    (height, width), 820 px wide, and stay so. Edges ring: what is seen there shows that something is there, but not
    where exactly.
    """
    # 1. Distances from the first pixel, to which the picture's other corners are as near as its own: float32 halves
    # the memory of all that follows.
    row, column = (np.minimum(np.arange(n), n - np.arange(n)).astype(np.float32) for n in gray.shape)
    away_px = np.hypot(row[:, None], column)
    frequencies = np.fft.rfft2(gray.astype(np.float32))
    for radius_px in _RADII_PX:
        # 2. The disc into which a lens out of focus spreads a point, and what it does to each frequency.
        disc = np.clip(radius_px + 0.5 - away_px, 0, 1)
        spread = np.fft.rfft2(disc / disc.sum()).real
        # 3. Divide by that, less where it left hardly more than noise.
        undone = np.fft.irfft2(frequencies * (spread / (spread**2 + _NOISE_TO_SIGNAL)), s=gray.shape)
        yield np.asarray(np.clip(undone, 0, 255), np.uint8)
