"""The canvas on which the simulated table is painted: its scale of light, the rays of its pixels, and patterns.

Canvas values are square roots of linear light, which is also the camera's tone curve. So light falling on a colour is
one multiplication of bytes, and photon noise has the same strength everywhere. `HEADROOM` leaves room for highlights
brighter than paper.

A ray through a lens with distortion takes an iteration, but rays vary slowly: they are computed on a coarse grid of
pixels and interpolated.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.board import Rgb
from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32
from vision.simulation.scene import SceneCamera, Surface

HEADROOM = 1.25

Bgr = tuple[float, float, float]
Mask = NDArray[np.uint8]
"""Coverage, uint8 (height, width)."""


def canvas_bgr(colour: Rgb) -> Bgr:
    """Return a colour's canvas value (blue, green, red), 0 to 255 / HEADROOM."""
    red, green, blue = colour
    return blue / HEADROOM, green / HEADROOM, red / HEADROOM


def albedo_bgr(colour: Rgb) -> NDArray[np.float32]:
    """Return the share of light that a colour reflects, float32 (blue, green, red)."""
    return np.square(np.array(colour[::-1], np.float32) / 255)


def canvas_of_light(light: ArrayLike) -> NDArray[np.uint8]:
    """Return canvas values, uint8, of linear light (1 = white paper in the board's middle)."""
    scaled = np.sqrt(np.maximum(np.asarray(light, np.float32), 0)) * np.float32(255 / HEADROOM)
    return np.asarray(np.minimum(scaled, 255), np.uint8)


def blend(colour: Rgb, other: Rgb, share: float) -> Rgb:
    """Return a mixture of two colours, `share` of it the other."""
    mixed = [round(a + (b - a) * share) for a, b in zip(colour, other, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def toned(colour: Rgb, tone: float) -> Rgb:
    """Return a colour that is lighter or darker by a factor."""
    red, green, blue = (min(255, round(part * tone)) for part in colour)
    return red, green, blue


STEP_PX = 8
"""Distance between coarse rays, for which interpolation errors are far below a tenth of a pixel."""

_LOWEST_SLOPE = -0.02  # rays at or above the horizon are bent down to this: they meet the table very far away


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """Coarse rays of a camera: `direction` float64 (rows, columns, xyz) in the board's frame, with one row and column
    of margin all round, and the eye.
    """

    direction: Floats
    eye_mm: Floats
    size_wh: tuple[int, int]

    def on_plane(self, z_mm: float) -> Floats:
        """Return the intersections of the coarse rays with the plane at a height, (rows, columns, xy) in mm."""
        reach = (z_mm - self.eye_mm[2]) / np.minimum(self.direction[..., 2], _LOWEST_SLOPE)
        return np.asarray(self.eye_mm[:2] + self.direction[..., :2] * reach[..., None], dtype=np.float64)

    def stretch(self, coarse: Floats | Floats32, shrink: int = 1) -> Floats32:
        """Return coarse values (rows, columns, ...) interpolated to all pixels, float32 (height, width, ...).

        The result is for a picture smaller by the factor `shrink`, rounded up.
        """
        rows, columns = coarse.shape[:2]
        step = STEP_PX // shrink
        full = cv2.resize(np.asarray(coarse, np.float32), (columns * step, rows * step))
        width, height = (-(-length // shrink) for length in self.size_wh)
        return np.ascontiguousarray(full[step : step + height, step : step + width])


def cast_rays(camera: SceneCamera) -> Rays:
    """Return a camera's coarse rays."""
    width, height = camera.size_wh
    x_px, y_px = np.meshgrid(_stations(width), _stations(height))
    lens, pose = camera.pose.lens, camera.pose
    pixels = np.stack([x_px, y_px], axis=-1).reshape(-1, 1, 2)
    flat = cv2.undistortPoints(pixels, lens.matrix, lens.distortion).reshape(*x_px.shape, 2)
    seen = np.concatenate([flat, np.ones_like(flat[..., :1])], axis=-1)
    return Rays(np.asarray(seen @ pose.board_to_camera, dtype=np.float64), pose.eye_mm, camera.size_wh)


def _stations(length_px: int) -> Floats:
    """Return the middles of the coarse squares along one side, with one square of margin at either end."""
    count = -(-length_px // STEP_PX)
    return np.asarray((np.arange(-1, count + 1) + 0.5) * STEP_PX - 0.5, np.float64)


TILE_MM = 1024
"""Side of a table's pattern, which repeats."""


def noise_field(rng: np.random.Generator, size_wh: tuple[int, int], period_wh: tuple[float, float]) -> Floats32:
    """Return smooth noise of about unit strength, float32 (height, width), with a period in pixels."""
    cells = [max(2, round(s / p) + 1) for s, p in zip(size_wh, period_wh, strict=True)]
    seed = rng.standard_normal((cells[1], cells[0]), dtype=np.float32)
    return np.asarray(cv2.resize(seed, size_wh, interpolation=cv2.INTER_CUBIC), np.float32)


def weave_field(rng: np.random.Generator, weave: str, size_wh: tuple[int, int], px_per_mm: float) -> Floats32:
    """Return the texture of a material, mostly within -1 to 1, float32 (height, width)."""
    fine = noise_field(rng, size_wh, (1.2, 1.2)) * 0.5
    if weave == "wood":
        # long fibres and the bent bands of year rings
        fibre = noise_field(rng, size_wh, (60 * px_per_mm, 0.9 * px_per_mm)) * 0.4
        bend = noise_field(rng, size_wh, (160 * px_per_mm, 24 * px_per_mm)) * 1.6
        across = np.arange(size_wh[1], dtype=np.float32)[:, None] / (px_per_mm * rng.uniform(5, 14))
        return np.asarray(fine * 0.4 + np.asarray(fibre + 0.5 * np.sin(across + bend), np.float32), np.float32)
    if weave == "mottle":
        return np.asarray(fine * 0.3 + noise_field(rng, size_wh, (9 * px_per_mm, 9 * px_per_mm)) * 0.6, np.float32)
    return fine


def table_tile(surface: Surface, rng: np.random.Generator, px_per_mm: float) -> ImageBgr:
    """Return one tile of a table's top, TILE_MM wide, canvas values uint8 (side, side, 3)."""
    side = round(TILE_MM * px_per_mm)
    share = np.maximum(_pattern(surface, rng, side, px_per_mm) * 255, 0)
    first, second = (np.array(canvas_bgr(c)) for c in (surface.colour, surface.second))
    palette = np.round(first + np.linspace(0, 1, 256)[:, None] * (second - first)).astype(np.uint8)
    return np.asarray(cv2.LUT(cv2.cvtColor(cv2.convertScaleAbs(share), cv2.COLOR_GRAY2BGR), palette[None]), np.uint8)


def _pattern(surface: Surface, rng: np.random.Generator, side: int, px_per_mm: float) -> Floats32:
    """Return the share of the second colour, float32 (side, side)."""
    size, scale = (side, side), surface.scale_mm * px_per_mm
    grain = noise_field(rng, size, (1.5, 1.5)) * 0.06
    if surface.kind in ("wood", "planks"):
        bend = noise_field(rng, size, (400 * px_per_mm, scale)) * 2.5
        across = np.arange(side, dtype=np.float32)[:, None] / (px_per_mm * surface.scale_mm / 4)
        fibre = noise_field(rng, size, (100 * px_per_mm, 1.5 * px_per_mm)) * 0.16
        wood = 0.5 + 0.28 * np.sin(across + bend) + fibre
        if surface.kind == "planks":
            plank = (np.arange(side) / (px_per_mm * 2.2 * surface.scale_mm)).astype(int)
            shift = rng.uniform(-0.22, 0.22, plank.max() + 1).astype(np.float32)[plank][:, None]
            wood = wood + shift + np.diff(plank, prepend=plank[:1])[:, None] * 0.8  # with gaps between them
        return np.asarray(grain + np.asarray(wood, np.float32), np.float32)
    if surface.kind == "cloth":
        threads, waves = noise_field(rng, size, (3, 1)), noise_field(rng, size, (scale, scale))
        return np.asarray(0.5 + grain * 4 + threads * 0.12 + waves * 0.1, np.float32)
    if surface.kind == "marble":
        # veins are dark lines where slow noise crosses zero
        slow = noise_field(rng, size, (scale * 1.6, scale * 1.6)) + 0.4 * noise_field(rng, size, (scale / 3, scale / 3))
        cloud = noise_field(rng, size, (scale, scale)) * 0.1 + 0.15
        return grain + np.asarray(cloud + 0.5 * np.exp(-np.square(slow * 12)), np.float32)
    return np.asarray(0.3 + grain * 0.5 + noise_field(rng, size, (scale * 4, scale * 4)) * 0.1, np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """A layer of the picture: canvas colours and coverage, and the pixel of its top left corner."""

    paint: ImageBgr
    share: Mask
    left_top: tuple[int, int]

    def lay(self, canvas: ImageBgr, shine: Mask | None) -> None:
        """Paint the layer over the canvas, and remove the reflections behind it."""
        x, y = self.left_top
        rows, columns = slice(y, y + self.share.shape[0]), slice(x, x + self.share.shape[1])
        share = self.share.astype(np.float32) * np.float32(1 / 255)
        patch = canvas[rows, columns]
        patch[:] = cv2.blendLinear(self.paint, np.ascontiguousarray(patch), share, 1 - share)
        if shine is not None:
            shine[rows, columns] = cv2.multiply(shine[rows, columns], 255 - self.share, scale=1 / 255)


def unit(vectors: Floats) -> Floats:
    """Return vectors (..., n) scaled to unit length."""
    return np.asarray(vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + 1e-9), np.float64)
