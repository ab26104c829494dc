"""Tables of cards on mats of many prints: python -m tests.evaluate.card_mats GAME FOLDER --seeds 20000 20240

Mats are bare or partly laid, with places of any colour, outlined or not, where cards would lie; backs may be plain;
some places are burnt out, which hides them. Pictures are written with their truth, in the form of tests/recorded, so
that `python -m vision.training GAME --photographs FOLDER` learns from them what is printed and what lies there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.kit import Drawing, Item, Rectangle, Rgb
from tests.evaluate.printed_pictures import (
    Laid,
    board_picture,
    inked,
    lay,
    near_scene,
    photograph,
    position,
    scale_of,
    table_of,
    visible_shares,
)
from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.labels import BACK, EMPTY
from vision.simulation.optics import lay_table
from vision.simulation.scene import Scene

_THEMES, _TIERS = ("dark", "paper", "wood", "dark"), ("hard", "medium", "hard", "easy", "hard")
_HIDDEN = 0.5
"""Visible share of a place below which nothing need be read there."""


@dataclass(frozen=True, slots=True, eq=False)
class CardTable:
    """A picture of a table of cards with its truth: labels by place, cards' middles in mm, and what is hidden."""

    tier: str
    image_bgr: ImageBgr
    labels: dict[str, str]
    middles_mm: dict[str, tuple[float, float]]
    hidden: set[str]


def table(game: str, seed: int) -> CardTable:
    """Make up a picture of a game's cards, whose seed is the only source of chance."""
    board, rng = table_of(game, marked=False), np.random.default_rng(seed)
    theme, tier = _THEMES[seed % 4], _TIERS[seed % 5]
    scene = near_scene(board, board, rng, tier=tier, least_px=0)
    # 1. What lies where: all places bare, none, or some.
    shares = (1.0, rng.uniform(0.2, 0.9), rng.uniform(0.6, 1), rng.uniform(0.05, 0.5), 0.0)
    labels = position(board, rng)
    labels |= {place: EMPTY for place in board.places if rng.random() < shares[seed // 4 % 5]}
    laid = lay(board, labels, rng, theme, marked=False)
    # 2. What is printed on the mat, and on the backs.
    strange = rng.random() < 0.65
    face = mat(board, rng, scale_of(scene)) if strange else board_picture(game, theme, scale_of(scene))
    if rng.random() < 0.6:
        plain, down = plain_back(board, rng), {place for place, label in labels.items() if label.split("+")[0] == BACK}
        laid = tuple(replace(one, drawing=plain) if one.cell in down and not one.foot_mm else one for one in laid)
    # 3. The picture.
    lying = lay_table(scene, rng)
    image = photograph(lying, laid, (), face, rng)
    hidden = {place for place, share in visible_shares(lying, laid, ()).items() if share < _HIDDEN}
    if rng.random() < 0.35:
        image, burnt = _burnt_out(image, scene, rng)
        hidden |= burnt
    return CardTable(tier, image, labels, _middles(board, laid), hidden)


def _middles(board: Board, laid: Sequence[Laid]) -> dict[str, tuple[float, float]]:
    """Return where each place's card lies, or would lie, in mm."""
    known = {place: (float(x), float(y)) for place, (x, y) in zip(board.places, board.places_mm(), strict=True)}
    return known | {one.cell: (one.x_mm, one.y_mm) for one in laid if not one.foot_mm}


def mat(board: Board, rng: np.random.Generator, px_per_mm: float) -> ImageBgr:
    """Print a mat: a ground, some with grain, and at each place an area, its outline or both, some with a symbol."""
    shipped = board_picture(board.game, "paper", px_per_mm)
    height, width = shipped.shape[:2]
    ground = np.full((height, width, 3), _bgr(rng), np.float32)
    if rng.random() < 0.5:
        noise = rng.normal(0, 1, (height, width)).astype(np.float32)
        ground += cv2.GaussianBlur(noise, (0, 0), rng.uniform(1, 8))[..., None] * rng.uniform(5, 60)
    kind, fill, line = rng.random(), _bgr(rng), _bgr(rng)
    thick_px = max(1, round(rng.uniform(0.3, 2) * px_per_mm))
    size = np.array(board.cards["size"]) * rng.uniform(0.97, 1.1)
    corner_mm = rng.uniform(0, 6) * (rng.random() < 0.6)
    has_symbol, symbol = rng.random() < 0.4, _bgr(rng)
    for x, y in board.places_mm():
        area = _rounded((height, width), np.array([x, y]) * px_per_mm, size * px_per_mm, round(corner_mm * px_per_mm))
        if kind < 0.75:
            ground[area > 0] = fill
        if kind > 0.5:
            outline, _ = cv2.findContours(area, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            cv2.drawContours(ground, outline, -1, line, thick_px)
        if has_symbol:
            radius_px = round((rng.uniform(2, 9) if kind < 0.3 else 4) * px_per_mm)
            middle = (int(x * px_per_mm), int(y * px_per_mm))
            cv2.circle(ground, middle, radius_px, symbol, -1 if kind < 0.6 else thick_px)
    printed = inked(np.asarray(np.clip(ground, 0, 255), np.uint8))
    half = board.markers.side * 0.72
    for x, y in board.markers.corners:
        rows, columns = (slice(int(max(0, (at - half) * px_per_mm)), int((at + half) * px_per_mm)) for at in (y, x))
        printed[rows, columns] = shipped[rows, columns]
    return printed


def _bgr(rng: np.random.Generator) -> tuple[int, int, int]:
    """Return a colour that is neither black nor quite pure."""
    hsv = np.array([[[rng.integers(180), rng.integers(0, 190), rng.integers(40, 250)]]], np.uint8)
    blue, green, red = (int(level) for level in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])
    return blue, green, red


def _rounded(shape: tuple[int, int], middle: Floats, size: Floats, corner_px: int) -> NDArray[np.uint8]:
    """Return a mask of a rectangle with round corners, in pixels, uint8 of 0 and 255."""
    mask = np.zeros(shape, np.uint8)
    (left, top), (right, bottom) = ((middle + side * size / 2).round().astype(int).tolist() for side in (-1, 1))
    cv2.rectangle(mask, (left + corner_px, top), (right - corner_px, bottom), 255, -1)
    cv2.rectangle(mask, (left, top + corner_px), (right, bottom - corner_px), 255, -1)
    for x in (left + corner_px, right - corner_px):
        for y in (top + corner_px, bottom - corner_px):
            cv2.circle(mask, (x, y), corner_px, 255, -1)
    return mask


def plain_back(board: Board, rng: np.random.Generator) -> Drawing:
    """Return a back of one colour, some with a white margin, some with stripes."""
    width, height = board.cards["size"]
    first, second, edge = _rgb(rng), _rgb(rng), rng.uniform(2, 7)
    inner = (edge, edge, width - 2 * edge, height - 2 * edge)
    items: list[Item] = [Rectangle((0, 0, width, height), fill=first if rng.random() < 0.5 else "white")]
    items.append(Rectangle(inner, fill=first))
    if rng.random() < 0.4:
        places = np.arange(edge, width - edge, rng.uniform(3, 9))
        items += [Rectangle((x, edge, edge / 2, height - 2 * edge), fill=second) for x in places]
    return Drawing(width, height, tuple(items))


def _rgb(rng: np.random.Generator) -> Rgb:
    blue, green, red = _bgr(rng)
    return red, green, blue


def _burnt_out(image_bgr: ImageBgr, scene: Scene, rng: np.random.Generator) -> tuple[ImageBgr, set[str]]:
    """Return a picture in which a lamp's reflection burns out some places, and these."""
    board, picture = scene.board, image_bgr
    middles = dict(zip(board.places, board.places_mm(), strict=True))
    burnt = [str(place) for place in rng.choice(board.places, rng.integers(1, 6), replace=False)]
    for place in burnt:
        half = np.array(board.cards["size"]) / 2 * rng.uniform(0.95, 1.45)
        angles = np.linspace(0, 2 * np.pi, rng.integers(4, 30), endpoint=False) + rng.uniform(0, 6)
        round_one = np.column_stack([np.cos(angles), np.sin(angles)]) * 1.3
        outline = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) if rng.random() < 0.5 else round_one
        corners = scene.camera.pose.project_at(middles[place] + rng.uniform(-6, 6, 2) + outline * half, 0.0)
        shine = np.zeros(picture.shape[:2], np.float32)
        cv2.fillConvexPoly(shine, cv2.convexHull(corners.astype(np.int32)), 1.0)
        soft = cv2.GaussianBlur(shine, (0, 0), rng.uniform(0.5, 8))[..., None]
        picture = np.asarray(np.clip(picture + soft * rng.uniform(200, 400), 0, 255), np.uint8)
    return picture, set(burnt)


def main() -> None:
    """Write pictures with their truth."""
    parser = argparse.ArgumentParser(prog="python -m tests.evaluate.card_mats", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, nargs=2, required=True, metavar=("FIRST", "END"))
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(*args.seeds):
        made = table(args.game, seed)
        pieces = [[place, "card", "", x, y, 0.0] for place, (x, y) in made.middles_mm.items()]
        truth = {"game": args.game, "tier": made.tier, "cells": made.labels, "hidden": sorted(made.hidden)}
        truth |= {"scene": f"card-mats/{seed}", "pieces": pieces}
        file = args.folder / f"{args.game}-{made.tier}-{seed:05d}.jpg"
        cv2.imwrite(str(file), made.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 90])
        file.with_suffix(".json").write_text(json.dumps(truth))


if __name__ == "__main__":
    main()
