"""What lamp, lens and sensor do to a picture of one card."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32


def photographed(card_bgr: ImageBgr, rng: np.random.Generator) -> Floats32:
    """Light a card, look at it through a poor camera and divide by what the light is taken to be.

    Args:
        card_bgr: sRGB uint8 (height, width, 3).
        rng: all chance.

    Returns:
        float32 (bgr, height, width), white paper about 1.
    """
    height, width = card_bgr.shape[:2]
    lit = _lit(np.asarray(card_bgr, np.float32) / np.float32(255), rng)
    across, down = rng.uniform(0.85, 1.15, 2) * (1.0 if rng.random() < 0.5 else rng.uniform(0.5, 1.0))
    small = cv2.resize(
        _blurred(lit, rng), (round(width * min(across, 1)), round(height * min(down, 1))), interpolation=cv2.INTER_AREA
    )
    seen = _sensed(np.asarray(small, np.float32), rng)
    large = np.asarray(cv2.resize(seen, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    return np.ascontiguousarray(_judged(large / np.float32(255), rng).transpose(2, 0, 1))


def _lit(card: Floats32, rng: np.random.Generator) -> Floats32:
    """Uneven light, the edge of a shadow, glare on a spot or all over."""
    height, width = card.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    if rng.random() < 0.5:
        slope = np.float32(rng.normal(0, 0.12)) * x + np.float32(rng.normal(0, 0.12)) * y
        card = card * np.exp(slope)[..., None]
    if rng.random() < 0.25:
        angle, dark = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.9)
        edge = (x * np.cos(angle) + y * np.sin(angle) - rng.uniform(-0.8, 0.8)) / rng.uniform(0.02, 0.3)
        card = card * (1 - np.float32(1 - dark) * _step(-edge))[..., None]
    if rng.random() < 0.25:
        middle, radius = rng.uniform(-1, 1, 2), rng.uniform(0.1, 0.8)
        off = (np.hypot(x - middle[0], (y - middle[1]) * 1.33) - radius) / rng.uniform(0.03, 0.4)
        card = card + (np.float32(rng.uniform(0.1, 0.9)) * _step(-off))[..., None]
    if rng.random() < 0.12:
        veil = np.float32(rng.uniform(0.1, 0.85))  # a lamp mirrored by the whole card
        card = card * (1 - veil) + veil * np.float32(rng.uniform(0.9, 1.15))
    return np.asarray(card, np.float32)


def _step(x: Floats32 | Floats) -> Floats32:
    """Go from 0 to 1 about 0, over a length of about 4."""
    return np.asarray(1 / (1 + np.exp(np.clip(-x, -30, 30))), np.float32)


def _blurred(card: Floats32, rng: np.random.Generator) -> Floats32:
    """Blur by a slanted ellipse: slant, focus and movement together."""
    if rng.random() < 0.25:
        return card
    long = rng.uniform(0.3, 1.2) if rng.random() < 0.8 else rng.uniform(1.0, 2.4)
    short, angle = long * rng.uniform(0.3, 1.0), rng.uniform(0, np.pi)
    y, x = np.mgrid[-5:6, -5:6]
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    kernel = np.exp(-0.5 * ((u / long) ** 2 + (v / max(short, 0.25)) ** 2))
    reach = min(5, int(np.ceil(2.5 * long)))
    kernel = kernel[5 - reach : 6 + reach, 5 - reach : 6 + reach]
    return np.asarray(cv2.filter2D(card, -1, (kernel / kernel.sum()).astype(np.float32)), np.float32)


def _sensed(card: Floats32, rng: np.random.Generator) -> ImageBgr:
    """Exposure, colour cast, tone curve, noise, sharpening and JPEG: uint8, as a camera gives it."""
    exposure = np.exp(rng.normal(-0.25, 0.25) + rng.normal(0, 0.08, 3)).astype(np.float32)
    seen = np.clip(card * exposure, 0, 1.5) ** np.float32(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.7:
        noise = rng.standard_normal(card.shape, np.float32) * np.float32(rng.uniform(0, 0.05) ** 1.2)
        seen = seen + _softened(noise, rng.uniform(0.3, 1.0))
    if rng.random() < 0.5:
        seen = seen + np.float32(rng.uniform(0, 1.6)) * (seen - _softened(seen, rng.uniform(0.6, 1.6)))
    image_bgr = np.clip(seen * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, coded = cv2.imencode(".jpg", image_bgr, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))))
        image_bgr = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(image_bgr, np.uint8)


def _softened(image: Floats32, sigma_px: float) -> Floats32:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma_px), np.float32)


def _judged(image: Floats32, rng: np.random.Generator) -> Floats32:
    """Divide by the light as a reader would estimate it: near what paper shows, and not quite."""
    paper = np.quantile(image[::5, ::5].reshape(-1, 3), 0.9, axis=0)
    white = np.maximum(paper, 0.2) * np.exp(rng.normal(0.03, 0.14)) * np.exp(rng.normal(0, 0.05, 3))
    black = np.float32(rng.uniform(0, 0.06))
    return np.asarray(np.clip((image - black) * (1 / (white - black)).astype(np.float32), -0.25, 2.0), np.float32)


def relit(card: Floats32, rng: np.random.Generator) -> Floats32:
    """Show a card in another light, as cheaply as can be."""
    gain = np.exp(rng.normal(0, 0.08) + rng.normal(0, 0.03, 3)).astype(np.float32)
    return np.asarray(card * gain[:, None, None] + np.float32(rng.normal(0, 0.02)), np.float32)
