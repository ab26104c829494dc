"""Light on horizontal surfaces: its distribution, lamps reflected in the varnish, and shadows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Pose
from vision.simulation.canvas import Mask, Rays, unit
from vision.simulation.outlines import SQUARE, ring, turn
from vision.simulation.scene import Arm, Box, Mug, Occluder, SceneCamera, SceneLight, Sensor

SHINE_UNIT = 64.0
"""A shine value of 64 adds the light of white paper; values are square roots of light, as on the canvas."""

_CIRCLE = ring(14)


def light_shares(light: SceneLight, lamp_slope: float) -> tuple[float, float]:
    """Return the ambient light, and the lamp's on a surface that faces it; a horizontal surface gets 1 in all."""
    return 1 - light.lamp, light.lamp / max(lamp_slope, 0.15)


def light_map(rays: Rays, light: SceneLight, sensor: Sensor, middle_mm: tuple[float, float]) -> Floats:
    """Return the square root of the exposed light on the table, coarse (rows, columns, bgr)."""
    place = np.concatenate([rays.on_plane(0), np.zeros((*rays.direction.shape[:2], 1))], axis=-1)
    level = (1 - light.lamp) + light.lamp * _falling(place, light.lamp_mm) / _falling(
        np.array([*middle_mm, 0.0]), light.lamp_mm
    )
    if light.spot is not None:
        away = np.hypot(place[..., 0] - light.spot.x_mm, place[..., 1] - light.spot.y_mm) - light.spot.radius_mm
        level = level + light.spot.strength / (1 + np.exp(np.clip(away / light.spot.edge_mm * 4, -40, 40)))
    y, x = np.mgrid[-1 : 1 : level.shape[0] * 1j, -1 : 1 : level.shape[1] * 1j]
    level = np.maximum(level, 0.02) * (1 - sensor.vignette * (x * x + y * y) / 2) * (1 - sensor.covered)
    gain = np.array(light.gain_rgb[::-1]) * np.array(sensor.white_rgb[::-1]) * sensor.exposure
    return np.asarray(np.sqrt(np.maximum(level[..., None] * gain, 0)), np.float64)


def _falling(place: Floats, lamp_mm: tuple[float, float, float]) -> Floats:
    """Return a lamp's light on a horizontal surface: the cosine over the square of the distance."""
    way = np.array(lamp_mm) - place
    return np.asarray(way[..., 2] / np.maximum(np.linalg.norm(way, axis=-1), 1) ** 3, np.float64)


def shine_map(rays: Rays, light: SceneLight, z_mm: float) -> Floats:
    """Return the lamp's reflection in a varnished plane, coarse (rows, columns), in shine values."""
    place = np.concatenate([rays.on_plane(z_mm), np.full((*rays.direction.shape[:2], 1), z_mm)], axis=-1)
    to_lamp = unit(np.array(light.glare_mm or light.lamp_mm) - place)
    off = unit(rays.direction * (1, 1, -1)) - to_lamp
    across = unit(np.stack([-to_lamp[..., 1], to_lamp[..., 0], np.zeros(to_lamp.shape[:2])], axis=-1))
    sideways, far = np.sum(off * across, axis=-1) / light.glare_width, np.linalg.norm(off, axis=-1) / light.glare_width
    upright = np.sqrt(np.maximum(far**2 - sideways**2, 0))
    core = np.exp(-(np.minimum(far, 9) ** 4))
    if light.glare_panes:  # a window with bars between its panes
        inside = np.exp(-(np.minimum(np.maximum(np.abs(sideways), upright), 3) ** 12))
        core = inside * (1 - 0.8 * np.exp(-np.square(((sideways + 1) * light.glare_panes / 2 + 0.5) % 1 - 0.5) / 0.004))
    level = light.glare * (core + 0.25 * np.exp(-np.square(np.minimum(far, 20) / 2.5)))
    return np.asarray(np.minimum(np.sqrt(level) * SHINE_UNIT, 255), np.float64)


def disc(at: Floats, radius: float, z: float) -> Floats:
    """Return points round a horizontal disc, float64 (n, xyz)."""
    return np.column_stack([at + radius * _CIRCLE, np.full(len(_CIRCLE), z)])


def occluder_shadows(
    camera: SceneCamera, light: SceneLight, occluders: Sequence[Occluder], floor_mm: float = 0.0
) -> Mask:
    """Return the coverage of the shadows of hands, mugs and boxes on the plane at `floor_mm`, uint8 at half size."""
    # sets of points whose convex hulls make up the occluders
    hulls: list[Floats] = []
    for occluder in occluders:
        match occluder:
            case Arm():
                ends = ((limb.start, limb.end) for limb in occluder.limbs)
                hulls += [np.concatenate([disc(np.array([b.x, b.y]), b.r, b.z) for b in pair]) for pair in ends]
            case Mug(x, y, z, radius):
                discs = [disc(np.array([x, y]), radius, level) for level in (z, z + occluder.height_mm)]
                hulls.append(np.concatenate(discs))
            case Box():
                hulls.append(box_corners(occluder))
    height = max((float(h[:, 2].mean()) for h in hulls), default=0.0)
    return shadow_of(hulls, 0.6 * height, camera, light, floor_mm)


def box_corners(box: Box) -> Floats:
    """Return the eight corners of a box, float64 (8, xyz): four below, four above."""
    w, d, h = box.size_mm
    flat = SQUARE * (w, d) / 2 @ turn(box.turn_rad) + (box.x_mm, box.y_mm)
    return np.concatenate([np.column_stack([flat, np.full(4, box.z_mm + z)]) for z in (0.0, h)])


def shadow_of(hulls: Sequence[Floats], high_mm: float, camera: SceneCamera, light: SceneLight, floor_mm: float) -> Mask:
    """Return the coverage of the shadows of convex parts, uint8 at half size, the softer the higher they are."""
    mask = np.zeros((camera.size_wh[1] // 2, camera.size_wh[0] // 2), np.uint8)
    if hulls:
        pixels = shadow_px(camera.pose, fallen(np.concatenate(hulls), light, floor_mm), floor_mm)
        for part in np.split(pixels, np.cumsum([len(h) for h in hulls])[:-1]):
            cv2.fillConvexPoly(mask, cv2.convexHull(part), 255, cv2.LINE_AA, 4)
    # a wide blur is computed on a smaller picture
    sigma_px = light.penumbra * high_mm * px_per_mm(camera.pose) / 2
    if sigma_px >= 5:
        rows, columns = (max(1, n // 4) for n in mask.shape)
        small = cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), min(sigma_px, 60.0) / 4)
        cv2.resize(small, mask.shape[::-1], dst=mask)
    elif sigma_px > 0.3:
        cv2.GaussianBlur(mask, (0, 0), sigma_px, dst=mask)
    return mask


def fallen(points_mm: Floats, light: SceneLight, floor_mm: float) -> Floats:
    """Return the shadows of points (n, xyz) on the plane at a height, float64 (n, xy)."""
    lamp = np.array(light.lamp_mm)
    reach = (points_mm[:, 2] - floor_mm) / np.maximum(lamp[2] - points_mm[:, 2], 50)
    return np.asarray(points_mm[:, :2] + (points_mm[:, :2] - lamp[:2]) * reach[:, None], np.float64)


def shadow_px(pose: Pose, flat_mm: Floats, floor_mm: float) -> NDArray[np.int32]:
    """Return points (n, xy) on the plane at a height in sixteenths of a half-size mask's pixels, int32 (n, xy)."""
    return np.round((pose.project_at(flat_mm, floor_mm) - 0.5) / 2 * 16).clip(-(2**20), 2**20).astype(np.int32)


def px_per_mm(pose: Pose) -> float:
    """Return the resolution of a picture on the board plane below the eye."""
    return pose.lens.focal_px / max(float(pose.eye_mm[2]), 50.0)


def darken(image: NDArray[np.uint8], coverage: Mask, light: SceneLight) -> None:
    """Remove the lamp's share of the light where it is hidden, in place; `coverage` is at half size."""
    x, y, w, h = cv2.boundingRect(coverage)
    if w == 0:
        return
    left = np.sqrt(1 - light.lamp * np.arange(256) / 255 * 0.96)
    factor = cv2.LUT(coverage[y : y + h, x : x + w], np.round(255 * left).astype(np.uint8))
    full = cv2.cvtColor(cv2.resize(factor, (2 * w, 2 * h)), cv2.COLOR_GRAY2BGR)
    patch = image[2 * y : 2 * (y + h), 2 * x : 2 * (x + w)]
    patch[:] = cv2.multiply(patch, full[: patch.shape[0], : patch.shape[1]], scale=1 / 255)
