"""The location of a board without markers, by patches of its print, each of which then serves as a marker.

The empty board was photographed once (`Printed` in its table file). Homographies from that picture to another one are
proposed: where the board was seen before, then what SIFT features agree on (Lowe, "Distinctive image features", 2004).
One counts if enough patches correlate with the print where it puts them, and the picture shows that the board is not
a cell away: most prints repeat from cell to cell, so what does not (a rim, a number, the grain of wood) must decide.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board
from vision.board_sections import LEAST_PATCHES, Printed, Rectangle, empty_board
from vision.frame import ImageBgr, made_smaller
from vision.geometry import Floats, box
from vision.localization.markers import Corners, Gray

Smooth = NDArray[np.float32]

_REFERENCE_PX = 640
"""Longer side of the picture of the empty board: a board fills as much of a picture in which markers are searched for.
"""

_PATCH_PX, _STRIDE_PX = 48, 40
_REACH_PX, _NEAR_PX = 9, 5
"""Search radius of a patch, at first and once the other patches have corrected its place, up to lens distortion."""

_CORRELATED = 0.6
_CONTRAST = 6.0
"""Least standard deviation of a patch's grey levels, twice that of camera noise; a patch below it shows no print."""

_PECULIAR = 0.8
"""Correlation with its surroundings below which a patch is distinctive."""

_RATIO = 0.8
"""Distance of a match over that of the next best, from the paper on SIFT, section 7.1."""

_FEATURES, _TRIALS, _SQUARE_PX = 2000, 5000, 2
_ROOM = 0.3
"""Distance around its place in which a moved board is searched for, in its widths."""

_ROUGHLY_PX, _GROWN = 5.0, 0.1
_CLEAR, _CORRECTIONS = 2.0, 4
"""Standard errors that decide between two places (their usual 5 %), and how often a better place is tried."""

_SHIFTS = tuple(step for step in product((0, -1, 1), repeat=2) if any(step))
"""The cells, across and down, that a board may lie off its place unnoticed."""

_BLOCKS, _LEAST_BLOCKS = 48, 4
"""How many squares of the print are compared between two places, at most and at least."""

_NEAR_HALVED_PX = 3
_UNEVEN, _NOISE = 1.5, 0.02
"""Grey levels, as a standard deviation, of a square that shows more than noise; share of its variance that is noise."""

_MOST_PATCHES = 90
_AGREE_PX = 2.5
_LEAST_AREA_PX = 64.0**2
_LEAST_SHARE = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """A square of the board at (x, y) px, and the print there if the board lies where it is taken to be, or elsewhere.

    Both are from pictures of half the size, float32 (side, side).
    """

    spot: tuple[int, int]
    own: Smooth
    other: Smooth


@dataclass(frozen=True, slots=True, eq=False)
class _Rival:
    """A motion, a homography of the reference, after which the print looks much the same, and where it does not."""

    motion: Floats
    blocks: tuple[_Block, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Reference:
    """The empty board from above: its features and the top-left corners of its patches, intp (n, xy), in pixels."""

    gray: Gray
    keypoints_px: Floats
    descriptors: NDArray[np.float32]
    patches_px: NDArray[np.intp]
    patch_px: int
    cell_px: Floats
    rivals: tuple[_Rival, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """A homography, each patch's correlation, float64 (n,), 0 if it does not fit, and its corners (n, 4, xy)."""

    homography: Floats
    alike: Floats
    corners_px: Floats


def find_print(gray: Gray, board: Board, known: Floats | None = None) -> dict[int, Corners]:
    """Return the corners of the patches of a board's print, by marker id; {} if the board is not found.

    Args:
        gray: the whole picture, uint8 (height, width).
        board: which has `markers.printed`.
        known: the last position of the corners of the print's rectangle, float (4, xy); the board is then not searched
            for elsewhere.
    """
    printed = board.markers.printed
    assert printed is not None  # noqa: S101 - the caller asked
    reference = _reference(printed, board.markers.side, board.grid.pitch)
    there = np.asarray(printed.seen) * gray.shape[::-1] - 0.5 if known is None else known
    outline = box(-0.5, -0.5, *reference.gray.shape[::-1]).astype(np.float32)
    here = np.asarray(cv2.getPerspectiveTransform(outline, there.astype(np.float32)), np.float64)
    if known is not None:
        fit = _fit(gray, reference, here)
        if fit is not None and (_leads(gray, reference, fit.homography) < -_CLEAR).any():
            fit = None
    elif (fit := _clearest(gray, reference, here)) is None:
        moved = _by_features(gray, reference, here)
        fit = None if moved is None else _clearest(gray, reference, here @ moved)
    if fit is None:
        return {}
    ids = np.asarray(board.markers.ids)
    return {int(ids[k]): fit.corners_px[k].astype(np.float32) for k in np.flatnonzero(fit.alike)}


def make_print(image_bgr: ImageBgr, rectangle: Rectangle, to_px: Floats) -> tuple[Printed, float]:
    """Build a `Printed` section from a photograph of the empty board; return it and the side of its patches in mm.

    Args:
        image_bgr: the photograph, uint8 (height, width, 3).
        rectangle: the part of the board plane to keep.
        to_px: homography from mm on the board plane to the photograph.
    """
    scale = _REFERENCE_PX / max(rectangle[2:])
    to_mm = np.array([(1 / scale, 0, rectangle[0]), (0, 1 / scale, rectangle[1]), (0, 0, 1)])
    width, height = (round(side * scale) for side in rectangle[2:])
    homography = to_px @ to_mm
    flat = np.asarray(_rectify(image_bgr, homography, (width, height)), np.uint8)
    outline = box(-0.5, -0.5, width, height)
    seen = (cv2.perspectiveTransform(outline[None], homography)[0] + 0.5) / image_bgr.shape[1::-1]
    gray = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    # The middles of patches whose print differs from its surroundings a few pixels away in each direction.
    found, half = [], (_PATCH_PX - 1) / 2
    starts = (range(_NEAR_PX, length - _PATCH_PX - _NEAR_PX + 1, _STRIDE_PX) for length in (height, width))
    for y, x in product(*starts):
        patch = gray[y : y + _PATCH_PX, x : x + _PATCH_PX]
        around = gray[y - _NEAR_PX : y + _PATCH_PX + _NEAR_PX, x - _NEAR_PX : x + _PATCH_PX + _NEAR_PX]
        alike = cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED)
        alike[1:-1, 1:-1] = -1.0
        if float(cv2.GaussianBlur(patch, (0, 0), 1.0).std()) >= _CONTRAST and alike.max() < _PECULIAR:
            found.append((x + half, y + half))
    kept = found[:: -(-len(found) // _MOST_PATCHES)] if found else []
    patches = [(x / scale + rectangle[0], y / scale + rectangle[1]) for x, y in kept]
    white = float(np.percentile(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)[::4, ::4], 99))
    picture = b64encode(cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()).decode()
    spots = tuple((round(x, 2), round(y, 2)) for x, y in patches)
    corners = tuple((round(float(x), 6), round(float(y), 6)) for x, y in seen)
    return Printed(patches=spots, rectangle=rectangle, seen=corners, white=white, picture=picture), _PATCH_PX / scale


@lru_cache(maxsize=8)
def _reference(printed: Printed, side_mm: float, pitch_mm: tuple[float, float]) -> _Reference:
    gray = np.asarray(cv2.cvtColor(empty_board(printed), cv2.COLOR_BGR2GRAY), np.uint8)
    scale = gray.shape[1] / printed.rectangle[2]
    patch_px = max(8, round(side_mm * scale))
    corners = (np.asarray(printed.patches) - printed.rectangle[:2]) * scale - (patch_px - 1) / 2
    inside = np.rint(corners).clip(0, np.array(gray.shape[::-1]) - patch_px).astype(np.intp)
    cell_px = np.asarray(pitch_mm) * scale
    # The motions by a cell in each direction and by quarter or half turns, with the blocks that differ most.
    print_px, side, rivals = _halve(gray), patch_px // 2, []
    height, width = print_px.shape
    ends = (range(_NEAR_HALVED_PX, end - side - _NEAR_HALVED_PX + 1, side // 2) for end in print_px.shape)
    spots = [(x, y) for y, x in product(*ends)]
    turns = range(1, 4) if _is_square(gray) else (2,)
    halve = np.diag((0.5, 0.5, 1.0))
    for across, down, turn in [(x, y, 0) for x, y in _SHIFTS] + [(0, 0, turn) for turn in turns]:
        middle = ((gray.shape[1] - 1) / 2, (gray.shape[0] - 1) / 2)
        motion = np.vstack([cv2.getRotationMatrix2D(middle, 90.0 * turn, 1.0), (0, 0, 1)])
        motion[:2, 2] += (across, down) * cell_px
        halved = (halve @ motion @ np.linalg.inv(halve))[:2]
        moved = np.asarray(cv2.warpAffine(print_px, halved, (width, height), borderValue=(-1e9,)), np.float32)
        blocks = (_Block((x, y), *(one[y : y + side, x : x + side] for one in (print_px, moved))) for x, y in spots)
        known = [one for one in blocks if one.other.min() >= 0 and min(one.own.std(), one.other.std()) > _UNEVEN]
        known.sort(key=lambda one: _unexplained_share(print_px, one.spot, one.other), reverse=True)
        rivals.append(_Rival(motion, tuple(known[:_BLOCKS])))
    return _Reference(gray, *_features(gray), inside, patch_px, cell_px, tuple(rivals))


def _halve(gray: Gray) -> Smooth:
    return cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32)


def _is_square(gray: Gray) -> bool:
    return bool(abs(gray.shape[0] - gray.shape[1]) <= _SQUARE_PX)


def _features(gray: Gray) -> tuple[Floats, NDArray[np.float32]]:
    """Return the positions, float64 (n, xy), and descriptors, float32 (n, 128), of SIFT features."""
    keypoints, descriptors = cv2.SIFT.create(_FEATURES).detectAndCompute(gray, None)
    places = np.array([point.pt for point in keypoints], np.float64).reshape(-1, 2)
    return places, np.asarray(descriptors if len(places) else np.zeros((0, 128)), np.float32)


def _by_features(gray: Gray, reference: _Reference, here: Floats) -> Floats | None:
    """Return the board's motion on the table, as a homography of the reference; None if too few features agree.

    Seen from above, a board that was pushed or turned keeps its size, so two features determine the motion and a tenth
    of all matches is enough.
    """
    # 1. Match the features of the rectified surroundings with the reference's (Lowe's ratio test).
    height, width = reference.gray.shape
    rim = np.array([(1, 0, -_ROOM * width), (0, 1, -_ROOM * height), (0, 0, 1)], np.float64)
    about = _rectify(gray, here @ rim, (round((1 + 2 * _ROOM) * width), round((1 + 2 * _ROOM) * height)))
    places, descriptors = _features(about)
    if min(len(places), len(reference.keypoints_px)) < LEAST_PATCHES:
        return None
    pairs = cv2.BFMatcher().knnMatch(reference.descriptors, descriptors, k=2)
    good = [best for best, second in pairs if best.distance < _RATIO * second.distance]
    if len(good) < LEAST_PATCHES:
        return None
    before = reference.keypoints_px[[match.queryIdx for match in good]]
    now = cv2.perspectiveTransform(places[[match.trainIdx for match in good]][None], rim)[0]
    # 2. In complex numbers now = turn * before + shift. Solve it for random pairs of matches, keep those with
    #   |turn| = 1, and take the one that most matches agree with (RANSAC).
    z, w = before @ (1, 1j), now @ (1, 1j)
    one, other = np.random.default_rng(0).integers(len(z), size=(2, _TRIALS))
    far = np.abs(z[one] - z[other]) > reference.cell_px.max()
    turn = np.divide(w[one] - w[other], z[one] - z[other], where=far, out=np.zeros(_TRIALS, complex))
    rigid = np.abs(np.abs(turn) - 1) < _GROWN
    turn, shift = turn[rigid], (w[one] - turn * z[one])[rigid]
    if not len(turn):
        return None
    agree = (np.abs(turn[:, None] * z + shift[:, None] - w) < _ROUGHLY_PX).sum(axis=1)
    turn, shift = turn[agree.argmax()], shift[agree.argmax()]
    # 3. Undo quarter or half turns, which a symmetric print cannot show; `_clearest` finds them.
    middle = (width / 2 - 0.5) + 1j * (height / 2 - 0.5)
    quarters = 1 if _is_square(reference.gray) else 2
    back = np.exp(-1j * np.pi / 2 * quarters * np.rint(np.angle(turn) / (np.pi / 2 * quarters)))
    turn, shift = turn * back, shift + turn * middle * (1 - back)
    return np.array([(turn.real, -turn.imag, shift.real), (turn.imag, turn.real, shift.imag), (0.0, 0.0, 1.0)])


def _clearest(gray: Gray, reference: _Reference, proposed: Floats) -> _Fit | None:
    """Fit the board at the proposed place, or where that shows it to lie; None if it may as well be a cell away.

    A board that looks the same when it is turned is taken to lie as proposed, one that looks rather turned is lost.
    """
    for _ in range(_CORRECTIONS):
        if (fit := _fit(gray, reference, proposed)) is None:
            return None
        leads = _leads(gray, reference, fit.homography)
        shifted, turned = leads[: len(_SHIFTS)], leads[len(_SHIFTS) :]
        if shifted.min() < -_CLEAR:
            better = int(shifted.argmin())
        elif shifted.min() <= _CLEAR:
            return None
        elif turned.min() < -4 * _CLEAR:  # boards are rarely turned unseen
            better = len(_SHIFTS) + int(turned.argmin())
        elif turned.min() < -_CLEAR:
            return None
        else:
            return fit
        proposed = fit.homography @ reference.rivals[better].motion
    return None


def _leads(gray: Gray, reference: _Reference, homography: Floats) -> Floats:
    """Return by how many standard errors a homography explains the picture better than each of its rivals.

    Only what the board shows in both places is compared, so what is out of the picture speaks for neither; a piece on
    a block leaves as much unexplained of the one as of the other.
    """
    # 1. The log likelihood ratio of a block, whose pixels have Gaussian noise of unknown strength, is in proportion to
    #   the logarithm of the ratio of the residual variances.
    flat = _halve(_rectify(gray, homography, reference.gray.shape[::-1]))
    own = {block.spot: block.own for rival in reference.rivals for block in rival.blocks}
    left = {spot: _unexplained_share(flat, spot, print_px) for spot, print_px in own.items()}
    gains = [
        np.array([_unexplained_share(flat, block.spot, block.other) - left[block.spot] for block in rival.blocks])
        for rival in reference.rivals
    ]
    # 2. Blocks are independent trials: the paired t statistic.
    return np.array(
        [one.mean() * np.sqrt(len(one)) / max(one.std(), 1e-6) if len(one) >= _LEAST_BLOCKS else 0.0 for one in gains]
    )


def _unexplained_share(picture: Smooth, spot: tuple[int, int], print_px: Smooth) -> float:
    """Return the logarithm of the share of a picture's variance near a spot (x, y) that a square of print leaves."""
    (x, y), side, reach = spot, len(print_px), _NEAR_HALVED_PX
    around = picture[y - reach : y + side + reach, x - reach : x + side + reach]
    alike = max(0.0, float(cv2.matchTemplate(around, print_px, cv2.TM_CCOEFF_NORMED).max()))
    return float(np.log(1.0 - alike**2 + _NOISE))


def _fit(gray: Gray, reference: _Reference, homography: Floats) -> _Fit | None:
    """Search for the patches where a homography puts them, and correct it; None if too few are found."""
    middles = np.asarray(reference.patches_px + (reference.patch_px - 1) / 2, np.float64)
    for reach in (_REACH_PX, _NEAR_PX):
        flat = _rectify(gray, homography, reference.gray.shape[::-1])
        alike, off = _matches(np.asarray(flat, np.uint8), reference, reach)
        found = alike > _CORRELATED
        if found.sum() < LEAST_PATCHES:
            return None
        mended, _ = cv2.findHomography(middles[found], (middles + off)[found], cv2.USAC_MAGSAC, _AGREE_PX)
        if np.shape(mended) != (3, 3):
            return None
        outline = cv2.perspectiveTransform(box(-0.5, -0.5, *reference.gray.shape[::-1])[None], homography @ mended)[0]
        if cv2.contourArea(outline.astype(np.float32), oriented=True) < _LEAST_AREA_PX:  # its lower side, or folded
            return None
        fit = cv2.perspectiveTransform(middles[None], mended)[0]
        found &= np.linalg.norm(fit - middles - off, axis=1) < _AGREE_PX
        square = box(-0.5, -0.5, reference.patch_px, reference.patch_px)
        corners = middles[:, None] + off[:, None] + square - (reference.patch_px - 1) / 2
        there = cv2.perspectiveTransform(corners.reshape(1, -1, 2), homography).reshape(-1, 4, 2)
        homography = homography @ mended
    if found.sum() < max(LEAST_PATCHES, _LEAST_SHARE * len(found)):
        return None
    return _Fit(homography, np.where(found, alike, 0.0), np.asarray(there, np.float64))


def _matches(flat: Gray, reference: _Reference, reach: int) -> tuple[Floats, Floats]:
    """Return each patch's best correlation near its place, float64 (n,), and its offset there, float64 (n, xy)."""
    side = reference.patch_px
    wide = cv2.copyMakeBorder(flat, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
    alike, off = np.zeros(len(reference.patches_px)), np.zeros((len(reference.patches_px), 2))
    for k, (x, y) in enumerate(reference.patches_px):
        around = wide[y : y + side + 2 * reach, x : x + side + 2 * reach]
        scores = cv2.matchTemplate(around, reference.gray[y : y + side, x : x + side], cv2.TM_CCOEFF_NORMED)
        row, column = np.unravel_index(int(scores.argmax()), scores.shape)
        if 0 < row < 2 * reach and 0 < column < 2 * reach:  # at the rim the best place may be farther
            alike[k] = scores[row, column]
            off[k] = (
                column - reach + _vertex(scores[row, column - 1 : column + 2]),
                row - reach + _vertex(scores[row - 1 : row + 2, column]),
            )
    return alike, off


def _vertex(scores: NDArray[Any]) -> float:
    """Return the maximum of a parabola through three scores, in steps from the middle one."""
    left, middle, right = map(float, scores)
    bend = left - 2 * middle + right
    return 0.0 if bend >= 0 else 0.5 * (left - right) / bend


def _rectify(image: NDArray[np.uint8], homography: Floats, size_wh: tuple[int, ...]) -> NDArray[np.uint8]:
    """Return a picture rectified to `size_wh`, after reducing one with far more pixels."""
    width, height = size_wh[:2]
    outline = cv2.perspectiveTransform(box(-0.5, -0.5, width, height)[None], homography)[0].astype(np.float32)
    ratio = max(1.0, float(np.sqrt(cv2.contourArea(outline) / (width * height))))
    if ratio > 1.5:
        small = (max(1, round(image.shape[1] / ratio)), max(1, round(image.shape[0] / ratio)))
        factor = small[0] / image.shape[1]
        homography = np.array([(factor, 0, (factor - 1) / 2), (0, factor, (factor - 1) / 2), (0, 0, 1)]) @ homography
        image = made_smaller(image, small)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, homography, (width, height), flags=flags), np.uint8)
