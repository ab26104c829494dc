"""From light to a picture's bytes: blur, exposure, noise, contrast, compression."""

from __future__ import annotations

from math import sqrt

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.simulation.colour import HEADROOM
from vision.simulation.lighting import SHINE_UNIT, Mask
from vision.simulation.rays import Floats32
from vision.simulation.scene import Sensor

_NOISE_UNIT = 32.0  # one standard deviation in the grains' bytes, whose middle is 128
_GRAINS = 262_147  # prime, so that the grains do not stand in columns


def expose(
    canvas: ImageBgr,
    shine: Mask | None,
    light: Floats32,
    sensor: Sensor,
    rng: np.random.Generator,
    *,
    level: float = 1.0,
) -> ImageBgr:
    """Photograph a canvas: uint8 (height, width, 3) in, the same out.

    `light` is the square root of the light on each pixel, float32 (height, width, bgr), at the lamp's `level` 1.
    """
    dimmed = sqrt(level)
    image = cv2.multiply(_blurred(canvas, sensor), light, scale=HEADROOM * dimmed, dtype=cv2.CV_8U)
    if shine is not None:
        _add_shine(np.asarray(image, np.uint8), shine, light, dimmed)
    if sensor.covered:
        # red light through the finger on the lens, from one corner, uint8 of a shape
        y, x = np.mgrid[0 : 1 : image.shape[0] * 1j, 0 : 1 : image.shape[1] * 1j]
        glow = 45 * sensor.covered * np.exp(-3 * np.hypot(1.1 - x, y))
        image = cv2.add(image, np.asarray(glow[..., None] * (0.1, 0.25, 1.0), np.uint8))
    if sensor.saturation != 1:
        image = cv2.transform(image, _saturation(sensor.saturation))
    image = cv2.LUT(image, _curve(sensor.contrast)) if sensor.contrast else image
    if sensor.sharpen:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = cv2.addWeighted(image, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    return _compressed(_noisy(np.asarray(image, np.uint8), sensor, rng), sensor)


def _blurred(canvas: ImageBgr, sensor: Sensor) -> ImageBgr:
    image = canvas
    if sensor.blur_px > 0.2:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sensor.blur_px), np.uint8)
    length = float(np.hypot(*sensor.shake_px))
    if length > 0.3:
        image = np.asarray(cv2.filter2D(image, -1, _streak(sensor.shake_px)), np.uint8)
    return image


def _streak(shake_px: tuple[float, float]) -> Floats32:
    """A line of the given way as a kernel of sum 1 about its middle."""
    half = int(np.ceil(np.hypot(*shake_px) / 2)) + 1
    along = np.linspace(-0.5, 0.5, 4 * half)[:, None, None]
    y, x = np.mgrid[-half : half + 1, -half : half + 1]
    near = np.maximum(1 - np.abs(x - along * shake_px[0]), 0) * np.maximum(1 - np.abs(y - along * shake_px[1]), 0)
    return np.asarray(near.sum(axis=0) / near.sum(), np.float32)


def _add_shine(image: ImageBgr, shine: Mask, light: Floats32, dimmed: float) -> None:
    """Add mirrored light where there is any, in place; the square root's scale makes it a hypotenuse."""
    x, y, w, h = cv2.boundingRect(cv2.threshold(shine, 2, 255, cv2.THRESH_BINARY)[1])
    if w == 0:
        return
    rows, columns = slice(y, y + h), slice(x, x + w)
    added = cv2.multiply(
        cv2.cvtColor(shine[rows, columns], cv2.COLOR_GRAY2BGR),
        light[rows, columns],
        scale=255 / SHINE_UNIT * dimmed,
        dtype=cv2.CV_32F,
    )
    image[rows, columns] = cv2.convertScaleAbs(cv2.magnitude(image[rows, columns].astype(np.float32), added))


def _saturation(factor: float) -> Floats32:
    grey = np.array([0.114, 0.587, 0.299], np.float32)
    return np.asarray(np.eye(3, dtype=np.float32) * factor + (1 - factor) * grey, np.float32)


def _curve(contrast: float) -> ImageBgr:
    x = np.arange(256) / 255
    bent = x + contrast * (x * x * (3 - 2 * x) - x)
    return np.asarray(np.round(np.clip(bent, 0, 1) * 255), np.uint8)


def _noisy(image: ImageBgr, sensor: Sensor, rng: np.random.Generator) -> ImageBgr:
    if sensor.noise <= 0:
        return image
    weight = sensor.noise / _NOISE_UNIT
    out = cv2.addWeighted(image, 1, _grains(image.shape, rng), weight, -128 * weight)
    if sensor.blotch > 0:
        small = _grains((image.shape[0] // 6 + 1, image.shape[1] // 6 + 1, 3), rng)
        weight = sensor.blotch / _NOISE_UNIT
        slow = cv2.resize(small, image.shape[1::-1])
        out = cv2.addWeighted(out, 1, slow, weight, -128 * weight)
    return np.asarray(out, np.uint8)


def _grains(shape: tuple[int, ...], rng: np.random.Generator) -> ImageBgr:
    """Normal noise about 128, uint8 of a shape; repeats after a large prime number of values."""
    count = int(np.prod(shape))
    few = rng.standard_normal(min(count, _GRAINS), dtype=np.float32) * np.float32(_NOISE_UNIT) + np.float32(128)
    return np.asarray(np.resize(cv2.convertScaleAbs(few).ravel(), shape), np.uint8)


def _compressed(image: ImageBgr, sensor: Sensor) -> ImageBgr:
    if sensor.jpeg is None:
        return image
    _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
