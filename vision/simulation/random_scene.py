"""Random scenes: boards, sets, rooms, cameras and hands that vary more widely than those of one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vision.board import Board, cell_column_row, cell_name
from vision.labels import EMPTY, parse_label
from vision.simulation import random_looks
from vision.simulation.figures import random_figures
from vision.simulation.scene import Scene, SceneCamera, camera_over, sees_board
from vision.simulation.truth import stand_pieces


def random_labels(board: Board, rng: np.random.Generator) -> dict[str, str]:
    """Return a random position: a label of the table file for every cell.

    There are empty boards, trails of walking pieces, grown regions, full boards and scatter; each colour in play has at
    most one piece that walks.
    """
    # 1. the colours in play: all, or two opposite ones
    colours = tuple(c for c in board.colours if c in board.label_words)
    if len(colours) == 4 and rng.random() < 0.4:
        colours = colours[int(rng.integers(2)) :: 2]
    labels = dict.fromkeys(board.places, EMPTY)
    if not colours:  # each word once, on any cell
        words = [w for w in board.label_words if w != EMPTY]
        cells = rng.permutation(len(board.cells))[: len(words)]
        return labels | {board.cells[c]: w for c, w in zip(cells, words, strict=False)}
    # 2. their pieces, and the single one that walks, mostly among its own
    labels.update(_owners(board, colours, rng))
    for colour in colours:
        words = [str(board.label_of(name, colour)) for name in board.walkers]
        if words and rng.random() >= 0.04:
            own = [cell for cell, label in labels.items() if label == colour]
            free = [cell for cell, label in labels.items() if not parse_label(label).kind]
            labels[str(rng.choice(own if own and rng.random() < 0.75 else free))] = str(rng.choice(words))
    # 3. the neutral colour on some cells, and pieces on some of the pads, each its own colour's
    if board.saved is not None:
        share = rng.choice([0.0, 0.08, 0.3])
        labels.update({cell: board.saved.colour for cell in board.cells if rng.random() < share})
    for pads in board.pads.values():
        labels.update({place: colour for colour, place in pads.items() if rng.random() < 0.3})
    # 4. stacks of some of the pieces that can be stacked; high ones are rare
    for cell, label in labels.items():
        stack = replace(parse_label(label), height=1 + min(int(rng.geometric(0.55)), 6))
        if not stack.is_empty and stack in board.cell_labels and rng.random() < 0.4:
            labels[cell] = str(stack)
    return labels


def _owners(board: Board, colours: tuple[str, ...], rng: np.random.Generator) -> dict[str, str]:
    """Return the colours of the cells that have one, in one of five styles."""

    def start(colour: str) -> str:
        return next((s.start for s in board.seat if s.colour == colour), None) or str(rng.choice(board.cells))

    style = rng.choice(["few", "trails", "regions", "full", "scatter"], p=[0.1, 0.3, 0.3, 0.15, 0.15])
    owners: dict[str, str] = {}
    if style == "few":
        return {start(colour): colour for colour in colours if rng.random() < 0.5}
    if style == "trails":  # walks of each colour from its start space
        steps = int(rng.integers(1, 60))
        for colour in colours:
            cell = start(colour)
            for _ in range(steps):
                owners[cell] = colour
                cell = _neighbour(board, cell, rng)
        return owners
    if style == "scatter":
        share = rng.uniform(0.05, 0.95)
        return {c: str(rng.choice(colours)) for c in board.cells if rng.random() < share}
    # regions: each colour owns what is nearest to its seed, up to a distance, with ragged edges
    middles, pitch = board.centres_mm(), board.grid.pitch[0]
    seeds = middles[[board.cells.index(start(c)) for c in colours]]
    seeds = seeds + rng.normal(0, 2 * pitch, seeds.shape)
    far = np.linalg.norm(middles[:, None] - seeds, axis=-1) + rng.normal(0, 0.5 * pitch, (len(middles), len(seeds)))
    limit = np.quantile(far.min(axis=1), 1.0 if style == "full" else float(rng.uniform(0.2, 0.95)))
    nearest = far.argmin(axis=1)
    return {c: colours[nearest[i]] for i, c in enumerate(board.cells) if far[i, nearest[i]] <= limit}


def _neighbour(board: Board, cell: str, rng: np.random.Generator) -> str:
    column, row = cell_column_row(cell)
    ways = [(column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)]
    inside = [cell_name(c, r) for c, r in ways if c >= 0 and r >= 0]
    free = [name for name in inside if name in board.cells]
    return str(rng.choice(free)) if free else cell


TIERS = ("easy", "medium", "hard", "occluded")

_SIZES = ((1640, 1232), (1280, 960), (1920, 1080), (2304, 1296), (1296, 972), (3280, 2464), (4608, 2592))
_TILTS_DEG = {"easy": (0.0, 15.0), "medium": (15.0, 30.0), "hard": (30.0, 45.0), "occluded": (8.0, 32.0)}


def random_scene(
    board: Board,
    rng: np.random.Generator,
    *,
    tier: str,
    labels: Mapping[str, str] | None = None,
    size_wh: tuple[int, int] | None = None,
) -> Scene:
    """Return a random scene.

    Args:
        board: the table.
        rng: the source of chance.
        tier: one of TIERS: "easy" (to 15 degrees off the vertical, even light), "medium" (to 30, white balance and
            exposure off), "hard" (to 45, from any side, any light), "occluded" (arms or mugs over the board or
            its markers).
        labels: the labels of the cells; None for a random position.
        size_wh: the picture's size in pixels; None for one of the usual ones.
    """
    labels = random_labels(board, rng) if labels is None else labels
    size_wh = size_wh or _SIZES[int(rng.choice(len(_SIZES), p=[0.45, 0.2, 0.1, 0.15, 0.05, 0.03, 0.02]))]
    shapes, tints = random_looks.random_set(board, rng)
    camera = _random_camera(board, rng, tier, size_wh)
    scene = Scene(
        board,
        camera,
        stand_pieces(board, labels, rng, jitter_mm=float(rng.uniform(0.1, 0.8))),
        skin=random_looks.random_skin(board, rng),
        shapes=shapes,
        figures=random_figures(board, rng),
        tints=tints,
        light=random_looks.random_light(board, rng, tier),
        surface=random_looks.random_surface(rng),
        sensor=random_looks.random_sensor(rng, tier, size_wh),
        clutter=random_looks.random_clutter(board, rng),
    )
    if tier != "occluded":
        return scene
    kind = rng.choice(["arm", "arms", "mugs", "both"], p=[0.5, 0.1, 0.25, 0.15])
    arms = {"arm": 1, "arms": 2, "both": 1}.get(str(kind), 0)
    mugs = random_looks.random_mugs(board, rng, int(rng.integers(1, 3))) if kind in ("mugs", "both") else ()
    return replace(scene, occluders=(*mugs, *(random_looks.random_arm(board, rng) for _ in range(arms))))


def _random_camera(board: Board, rng: np.random.Generator, tier: str, size_wh: tuple[int, int]) -> SceneCamera:
    """Return a camera that sees the whole board, large."""
    any_side = tier == "hard" or rng.random() < 0.3
    turn = rng.uniform(-180, 180) if any_side else rng.normal(0, 7)
    tilt = rng.uniform(*_TILTS_DEG[tier])
    hfov, roll, k1 = rng.uniform(52, 78), rng.normal(0, 2), rng.uniform(-0.1, 0.05)
    # 1. the offset of the aim from the board's middle in mm that centres the board's outline in the picture
    aim, middle = np.zeros(2), np.array(board.size) / 2
    corners = np.array([(x, y) for x in (0, board.size[0]) for y in (0, board.size[1])])
    slant = {"hfov_deg": hfov, "tilt_deg": tilt, "turn_deg": turn}
    for _ in range(3):
        far = camera_over(board, size_wh, aim_mm=(aim[0], aim[1]), distance_mm=2 * max(board.size), **slant)
        pixels = far.pose.project_at(corners, 0.0)
        centre = (pixels.min(axis=0) + pixels.max(axis=0)) / 2
        plane = np.linalg.inv(far.pose.homography(0.0)) @ np.append(centre, 1.0)
        aim = plane[:2] / plane[2] - middle
    # 2. a camera from there, mostly a little farther away and off the aim
    views = {**slant, "roll_deg": roll, "k1": k1}
    nearest = camera_over(board, size_wh, aim_mm=(aim[0], aim[1]), **views)
    distance = float(np.linalg.norm(nearest.pose.eye_mm - (*(aim + middle), 0.0)))
    farther = rng.uniform(1.0, 1.2) if rng.random() < 0.8 else rng.uniform(1.2, 1.6)
    aim = aim + rng.uniform(-0.5, 0.5, 2) * (farther - 1) * max(board.size)
    moved = camera_over(board, size_wh, distance_mm=distance * farther, aim_mm=(aim[0], aim[1]), **views)
    return moved if sees_board(moved, board) else nearest
