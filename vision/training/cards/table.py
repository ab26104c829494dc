"""One card on a table: a little off its place, with neighbours, and with things lying and standing on it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.geometry import Floats, Floats32
from vision.recognition.cards.words import CARD_MM, CARD_PX, PX_PER_MM, card_to_px
from vision.simulation.canvas import weave_field

Bgr = NDArray[np.float64]

_MATS = ((60, 110, 50), (235, 235, 235), (60, 90, 140), (170, 210, 225), (130, 130, 130), (40, 45, 80), (30, 30, 30))


def random_mat(rng: np.random.Generator) -> ImageBgr:
    """Draw what cards are on: uint8 (192, 144, bgr)."""
    colour = np.array(_MATS[rng.integers(len(_MATS))]) if rng.random() < 0.7 else rng.uniform(10, 250, 3)
    colour = np.clip(colour + rng.normal(0, 15, 3), 5, 250)
    weave = weave_field(rng, str(rng.choice(("wood", "mottle", "cloth"))), CARD_PX, PX_PER_MM)
    mat = colour * (1 + rng.uniform(0, 0.2) * weave[..., None])
    return np.asarray(np.clip(mat, 0, 255), np.uint8)


def lay(table: ImageBgr, face: ImageBgr, mask: NDArray[np.uint8], homography: Floats) -> None:
    """Lay a card, drawn at any scale with the mask of its corners, on the table by a homography from its px."""
    share = _share(cv2.warpPerspective(mask, homography, CARD_PX, flags=cv2.INTER_LINEAR))
    picture = cv2.warpPerspective(face, homography, CARD_PX, flags=cv2.INTER_LINEAR)
    shadow = np.asarray(cv2.GaussianBlur(share, (0, 0), 1.2), np.float32)[..., None]
    darker = table * (1 - np.float32(0.35) * shadow)
    table[:] = (darker + (picture - darker) * share).astype(np.uint8)


def _share(mask: Any) -> Floats32:
    return np.asarray(mask[..., None], np.float32) / np.float32(255)


def place(rng: np.random.Generator, face: ImageBgr, at_mm: tuple[float, float], spread: float) -> Floats:
    """Draw a homography from a face's px to the picture's: `at_mm` from the middle, off by about `spread` mm."""
    height, width = face.shape[:2]
    half = np.array(CARD_MM) / 2
    corners_px = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
    corners_mm = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half * np.exp(rng.normal(0, 0.008 * spread, 2))
    corners_mm += rng.normal(0, 0.25 * spread, (4, 2))
    angle = np.radians(np.clip(rng.normal(0, 1.2 * spread), -4, 4))
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    placed = corners_mm @ turn + np.clip(rng.normal(0, 0.8 * spread, 2), -2.5, 2.5) + at_mm
    corners_to = np.array([card_to_px(x, y) for x, y in placed], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(corners_px, corners_to), np.float64)


def cover(table: ImageBgr, rng: np.random.Generator) -> None:
    """Stand a pawn on the card, or lay a tile, a finger or something else over a part of it."""
    kind = rng.random()
    colour = rng.uniform(10, 245, 3)
    if kind < 0.6:
        _pawn(table, rng, colour)
    elif kind < 0.75:
        _finger(table, rng)
    else:
        _tile(table, rng, colour, rng.uniform(12, 50))


def _pawn(table: ImageBgr, rng: np.random.Generator, colour: Bgr) -> None:
    """A round foot, a waist and a head, seen from any side and height."""
    foot = rng.uniform((-24, -34), (24, 34))
    angle, lean = rng.uniform(0, 2 * np.pi), rng.uniform(0, 26)
    head = foot + lean * np.array([np.cos(angle), np.sin(angle)])
    radius = rng.uniform(5, 9.5)
    sun = rng.normal(0, 9, 2)
    _shade(table, [_blob(foot, foot + sun, radius, radius * 0.6)], rng)
    parts = [_blob(foot, foot, radius, radius), _blob(foot, head, radius * 0.7, radius * 0.45)]
    parts.append(_blob(head, head, radius * 0.6, radius * 0.6))
    for part in parts:
        _paint(table, part, colour * rng.uniform(0.6, 1.15))
    _paint(table, _blob(head + sun * -0.1, head + sun * -0.1, radius * 0.2, radius * 0.2), colour * 1.2 + 30)


def _finger(table: ImageBgr, rng: np.random.Generator) -> None:
    tip = rng.uniform((-22, -36), (22, 36))
    angle = rng.uniform(0, 2 * np.pi)
    far = tip + 90 * np.array([np.cos(angle), np.sin(angle)])
    radius = rng.uniform(6, 10)
    skin = np.array([150, 175, 225]) * rng.uniform(0.3, 1.05)
    shape = _blob(tip, far, radius, radius * 1.2)
    _shade(table, [shape + rng.normal(0, 3, 2)], rng)
    _paint(table, shape, skin)


def _tile(table: ImageBgr, rng: np.random.Generator, colour: Bgr, side: float) -> None:
    """A square with a rim and some print, or a dull one."""
    middle = rng.uniform((-26, -38), (26, 38)) * (1.0 if side < 30 else 0.3)
    angle = rng.uniform(0, np.pi / 2)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ turn * side / 2
    _shade(table, [square + middle + rng.normal(0, 2.5, 2)], rng)
    _paint(table, square + middle + rng.normal(0, 1.2, 2), colour * 0.6)
    _paint(table, square + middle, colour)
    if rng.random() < 0.5:
        ink = rng.uniform(0, 200, 3)
        _paint(table, square * 0.85 + middle, ink)
        _paint(table, square * 0.8 + middle, colour)
        spot = rng.uniform(0.1, 0.3) * side
        _paint(table, _blob(middle, middle + rng.normal(0, 4, 2), spot, spot * 0.6), ink)


def _blob(start: Floats, end: Floats, radius: float, end_radius: float) -> Floats:
    """Outline what two circles span, in mm."""
    angle = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    points = np.vstack([circle * radius + start, circle * end_radius + end])
    return np.asarray(cv2.convexHull(points.astype(np.float32)), np.float64).reshape(-1, 2)


def _px(outline_mm: Floats) -> NDArray[np.int32]:
    return np.asarray(np.round([card_to_px(x, y) for x, y in outline_mm]), np.int32)


def _paint(table: ImageBgr, outline_mm: Floats, colour: Bgr) -> None:
    cv2.fillPoly(table, [_px(outline_mm)], tuple(np.clip(colour, 0, 255).tolist()), cv2.LINE_AA)


def _shade(table: ImageBgr, outlines_mm: list[Floats], rng: np.random.Generator) -> None:
    mask = np.zeros(table.shape[:2], np.uint8)
    cv2.fillPoly(mask, [_px(outline) for outline in outlines_mm], 255)
    soft = _share(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.8, 5)))
    table[:] = (table * (1 - np.float32(rng.uniform(0.15, 0.6)) * soft)).astype(np.uint8)
