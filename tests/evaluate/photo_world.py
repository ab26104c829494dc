"""A second simulated world, in which the reader was not trained: photographs and a renderer of its own.

The table top and the light on it are taken from a real photograph, pieces are turned solids with shading by their
normals, and the sensor is one with a colour mosaic. Of the first world it has the print on the board, where things
stand and move, and arms. Cards and chess pieces it cannot draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from matplotlib import cbook
from numpy.typing import NDArray

from companion.simulator.camera import scene_pieces
from tests.evaluate.disturbances import DisturbedCamera
from vision.frame import ImageBgr
from vision.image_file import load_image
from vision.simulation.board_art import draw_board
from vision.simulation.canvas import HEADROOM
from vision.simulation.occluders import draw_occluder
from vision.simulation.outlines import sixteenths
from vision.simulation.pieces import shape_of
from vision.simulation.scene import Occluder, Scene, ScenePiece

Floats = NDArray[np.float32]

SLICES = 14
"""From this many slices a turned piece is built up."""

_DARKENS = 0.45
"""The share of the light that a piece takes from where its shadow is darkest."""

_ROUND = np.linspace(0.0, 2 * np.pi, 40, endpoint=False)
_GAMMA = 2.2


class PhotoCamera(DisturbedCamera):
    """A camera over the same table as a simulated one, in the second world."""

    _laid: tuple[object, _Table] | None = None

    def picture(self, time_s: float) -> ImageBgr:
        self._fail(time_s)
        table, scene = self._table_at(time_s), self.scene_at(time_s)
        if scene.layout is not None or scene.figures:
            message = "the second world has no cards and no chess pieces"
            raise ValueError(message)
        if self._laid is None or self._laid[0] != scene.camera:
            self._laid = scene.camera, _lay(scene, np.random.default_rng(self._rng.bit_generator.seed_seq.entropy))  # type: ignore[attr-defined]
        laid = self._laid[1]
        pieces = list(scene_pieces(scene.board, table))
        lit = np.sqrt(1.0 - _DARKENS * _shadows(scene, pieces))
        canvas = np.asarray(laid.canvas * lit[..., None], np.uint8)
        for piece in sorted(pieces, key=lambda p: (-_away(scene, p), p.z_mm)):
            _stand(canvas, scene, piece, laid.lamp)
        _cover(canvas, scene, self.occluders(table), self._rng)
        return _developed(canvas, laid.light * self.level_at(time_s), scene.sensor.shake_px, self._rng)


@dataclass(frozen=True, eq=False)
class _Table:
    """The empty table: canvas values uint8 (height, width, 3), its light float32 alike, and the lamp's direction."""

    canvas: ImageBgr
    light: Floats
    lamp: NDArray[np.float64]


@lru_cache(maxsize=1)
def photograph() -> ImageBgr:
    """Return the photograph that a package brings along, uint8 (height, width, 3)."""
    return load_image(Path(str(cbook.get_sample_data("grace_hopper.jpg", asfileobj=False))))


def _cut(rng: np.random.Generator, size_wh: tuple[int, int]) -> ImageBgr:
    """Return a part of the photograph, turned or not, as large as a picture."""
    whole = np.rot90(photograph(), int(rng.integers(4)))
    height, width = whole.shape[:2]
    y, x = int(rng.integers(height // 2)), int(rng.integers(width // 2))
    return np.asarray(
        cv2.resize(whole[y : y + height // 2, x : x + width // 2], size_wh, interpolation=cv2.INTER_CUBIC)
    )


def _lay(scene: Scene, rng: np.random.Generator) -> _Table:
    """Lay the board on the photographed top, in light whose course is that of a photograph as well."""
    size_wh, pose = scene.camera.size_wh, scene.camera.pose
    canvas = (_cut(rng, size_wh) / HEADROOM).astype(np.uint8)
    px_per_mm = 4.0
    face = draw_board(scene.board, scene.skin, rng, px_per_mm)
    width, height = scene.board.size
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    matrix, _found = cv2.findHomography(corners * px_per_mm, pose.project_at(corners, 0.0))
    cv2.warpPerspective(face, matrix, size_wh, dst=canvas, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    course = cv2.GaussianBlur(cv2.cvtColor(_cut(rng, size_wh), cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 120)
    course = 0.8 + 0.4 * (course - course.min()) / max(float(np.ptp(course)), 1.0)
    tint = rng.uniform(0.94, 1.06, 3).astype(np.float32)
    lamp = np.array([rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6), 1.0])
    return _Table(canvas, course[..., None] * tint, lamp / np.linalg.norm(lamp))


def _away(scene: Scene, piece: ScenePiece) -> float:
    eye = scene.camera.pose.eye_mm
    return float(np.hypot(piece.x_mm - eye[0], piece.y_mm - eye[1]))


def _profile(scene: Scene, piece: ScenePiece) -> Iterator[tuple[float, float]]:
    """Yield height above the foot and radius, in mm, of the slices of a turned piece, from below."""
    shape = shape_of(scene, piece)
    for share in np.linspace(0.0, 1.0, SLICES).tolist():
        radius = shape.head_mm / 2
        if shape.height_mm > shape.head_mm:  # it stands on a foot: a waist, and a head
            radius *= 1.0 - 0.45 * np.sin(np.pi * min(share / 0.7, 1.0)) if share < 0.7 else 0.8
        edge = 0.94 if share in (0.0, 1.0) else 1.0
        yield share * shape.height_mm, float(radius * edge)


def _circle(scene: Scene, piece: ScenePiece, z_mm: float, radius_mm: float) -> NDArray[np.float64]:
    """Return the picture of a horizontal circle about a piece's axis, in pixels (n, xy)."""
    share = z_mm / max(shape_of(scene, piece).height_mm, 1.0)
    x, y = piece.x_mm + piece.lean_mm[0] * share, piece.y_mm + piece.lean_mm[1] * share
    ring = np.column_stack([x + radius_mm * np.cos(_ROUND), y + radius_mm * np.sin(_ROUND)])
    return np.asarray(scene.camera.pose.project(np.column_stack([ring, np.full(len(ring), piece.z_mm + z_mm)])))


def _stand(canvas: ImageBgr, scene: Scene, piece: ScenePiece, lamp: NDArray[np.float64]) -> None:
    """Draw a piece slice by slice: sides in the light of their normals, the top bevelled at its rim; in place."""
    slices = list(_profile(scene, piece))
    rings = [_circle(scene, piece, z_mm, radius) for z_mm, radius in slices]
    low, high = np.floor(np.min(rings, axis=(0, 1))) - 1, np.ceil(np.max(rings, axis=(0, 1))) + 2
    (left, top), (right, bottom) = low.astype(int), high.astype(int)
    left, top = max(left, 0), max(top, 0)
    patch = canvas[top:bottom, left:right]
    if not patch.size:
        return
    y, x = np.mgrid[top : top + patch.shape[0], left : left + patch.shape[1]].astype(np.float64)
    paint, share = np.zeros(patch.shape, np.float32), np.zeros(patch.shape[:2], np.float32)
    albedo = _colour(scene, piece)
    for number, ring in enumerate(rings):
        mask = np.zeros(patch.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, sixteenths(ring - (left, top)), 255, cv2.LINE_AA, 4)
        cover = mask.astype(np.float32) / 255
        middle, radius_px = ring.mean(axis=0), float(np.hypot(*(ring - ring.mean(axis=0)).T).mean())
        u, v = (x - middle[0]) / radius_px, (y - middle[1]) / radius_px
        rho = np.clip(np.hypot(u, v), 1e-6, 1.0)
        up = np.ones_like(rho) if number == len(rings) - 1 else np.full_like(rho, 0.15)
        bevel = np.where(rho > 0.86, (rho - 0.86) / 0.14, 0.0) if number == len(rings) - 1 else np.ones_like(rho)
        out = np.stack([u / rho * bevel, v / rho * bevel, up], axis=-1)
        out /= np.linalg.norm(out, axis=-1, keepdims=True)
        lit = 0.42 + 0.58 * np.clip(out @ lamp, 0.0, 1.0)
        gleam = 0.25 * np.clip(out @ lamp, 0.0, 1.0) ** 40
        colour = np.sqrt(np.clip(albedo * lit[..., None] + gleam[..., None], 0.0, 1.5)) * (255 / HEADROOM)
        paint += cover[..., None] * (colour.astype(np.float32) - paint)
        share = np.maximum(share, cover)
    patch[:] = np.clip(patch + share[..., None] * (paint - patch), 0, 255).astype(np.uint8)


def _colour(scene: Scene, piece: ScenePiece) -> NDArray[np.float64]:
    seats = {seat.colour: seat.rgb for seat in scene.board.seats_and_saved}
    red, green, blue = scene.tints.get(piece.colour) or seats.get(piece.colour, (128, 128, 128))
    return (np.array([blue, green, red]) / 255) ** 2


def _shadows(scene: Scene, pieces: Iterable[ScenePiece]) -> Floats:
    """Return the share of the light that pieces take from the table, softly, float32 (height, width)."""
    width, height = scene.camera.size_wh
    mask = np.zeros((height // 2, width // 2), np.uint8)
    lamp = np.array(scene.light.lamp_mm)
    for piece in pieces:
        shape = shape_of(scene, piece)
        away = np.array([piece.x_mm, piece.y_mm]) - lamp[:2]
        shift = away / max(float(np.linalg.norm(away)), 1.0) * 0.6 * shape.height_mm
        moved = ScenePiece(piece.kind, piece.colour, piece.x_mm + shift[0], piece.y_mm + shift[1])
        foot = (_circle(scene, one, 0.0, shape.head_mm / 2) for one in (piece, moved))
        hull = cv2.convexHull(np.round(np.concatenate(list(foot)) / 2).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), 3.0)
    return np.asarray(cv2.resize(soft, (width, height)) / np.float32(255), np.float32)


def _cover(canvas: ImageBgr, scene: Scene, things: Iterable[Occluder], rng: np.random.Generator) -> None:
    for thing in things:
        layer = draw_occluder(thing, scene.camera, scene.light, rng)
        if layer is not None:
            layer.lay(canvas, None)


def _developed(canvas: ImageBgr, light: Floats, shake_px: tuple[float, float], rng: np.random.Generator) -> ImageBgr:
    """Photograph a canvas through a colour mosaic, with the noise of photons, sharpening and compression."""
    # 1. Linear light through a slightly soft lens, smeared while the camera shakes.
    lit = (canvas.astype(np.float32) * np.float32(HEADROOM / 255)) ** 2 * light
    length = max(1, round(float(np.hypot(*shake_px))))
    linear = np.asarray(cv2.blur(cv2.GaussianBlur(lit, (0, 0), 0.7), (length, 1)), np.float32)
    # 2. One colour for each pixel, as a Bayer sensor has it, with photon noise: its variance follows the light.
    mosaic = np.empty(linear.shape[:2], np.float32)
    for row, column, channel in ((0, 0, 2), (0, 1, 1), (1, 0, 1), (1, 1, 0)):
        mosaic[row::2, column::2] = linear[row::2, column::2, channel]
    mosaic += rng.standard_normal(mosaic.shape, np.float32) * np.sqrt(np.maximum(mosaic, 0.0) * 0.0004 + 0.00001)
    raw = np.clip(mosaic * 0.8 * 65535, 0, 65535).astype(np.uint16)
    seen = cv2.cvtColor(raw, cv2.COLOR_BayerBG2BGR).astype(np.float32) / 65535
    # 3. The camera's own curve, a halo round edges, and JPEG.
    image = np.clip(255 * seen ** (1 / _GAMMA), 0, 255).astype(np.uint8)
    soft = cv2.GaussianBlur(image, (0, 0), 1.0)
    image = np.asarray(cv2.addWeighted(image, 1.5, soft, -0.5, 0), np.uint8)
    _done, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)


WORLDS: Mapping[str, type[DisturbedCamera]] = {"drawn": DisturbedCamera, "photo": PhotoCamera}
"""What pictures may be made of, with the classes of their cameras."""
