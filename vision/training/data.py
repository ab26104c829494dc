"""What the models of boards learn from: rendered scenes and labelled pictures, registered as by the reader, and varied.

Nothing here needs torch. Figures, cards and dice are drawn by modules of their own.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board import Board, cell_column_row
from vision.frame import ImageBgr
from vision.geometry import Floats, Lens, Pose
from vision.image_file import load_image
from vision.labels import BACK, EMPTY, parse_label
from vision.localization import planes
from vision.localization.planes import Planes, PlaneSource, choose_source, warp_planes
from vision.localization.pose import PoseEstimate
from vision.recognition.cards import layout
from vision.recognition.cards.layout import FACE, NOTHING, lying_words, standing_words
from vision.recognition.labeller import height_mm
from vision.recognition.light import Illumination
from vision.recognition.trust import view_table
from vision.simulation.card_table import random_card_scene
from vision.simulation.decks.random_deck import any_deck
from vision.simulation.optics import render
from vision.simulation.random_looks import with_line_art
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene
from vision.simulation.truth import CardTruth, card_truth_of, truth_of

SampleT = TypeVar("SampleT")
TruthT = TypeVar("TruthT")

# ---- samples, each of which is used several times

_FIRST = 64
"""Least number of samples that a pool begins with."""


class Pool(Generic[SampleT]):
    """A pool of samples: making one costs more than a training step, so that each is used several times.

    Args:
        make: makes a sample.
        turn: varies a sample cheaply each time that it is used.
        size: the number of samples that are kept.
        rng: the source of chance.
    """

    def __init__(
        self,
        make: Callable[[], SampleT],
        turn: Callable[[SampleT, np.random.Generator], SampleT],
        size: int,
        rng: np.random.Generator,
    ) -> None:
        self._make, self._turn, self._size, self._rng = make, turn, size, rng
        self._samples: list[SampleT] = []

    def batch(self, number: int, fresh: int) -> list[SampleT]:
        """Return `number` random samples, after `fresh` new ones were made."""
        for _ in range(fresh if self._samples else max(_FIRST, 2 * number)):
            sample = self._make()
            if len(self._samples) < self._size:
                self._samples.append(sample)
            else:
                self._samples[int(self._rng.integers(self._size))] = sample
        picks = self._rng.integers(len(self._samples), size=number)
        return [self._turn(self._samples[i], self._rng) for i in picks]


class Supply(Generic[SampleT]):
    """Examples to draw from: labelled pictures, and scenes that are rendered one by one while others are drawn from.

    Args:
        pictures: examples of labelled pictures.
        share: how often one of them is drawn.
        scenes: renders examples of scenes.
        uses: the number of draws after which another scene is rendered, while there are more.
        rng: the source of chance.
    """

    def __init__(
        self,
        pictures: Sequence[SampleT],
        share: float,
        scenes: Iterator[SampleT],
        uses: int,
        rng: np.random.Generator,
    ) -> None:
        self._pictures, self._share, self._scenes, self._uses, self._rng = pictures, share, scenes, uses, rng
        self._rendered: list[SampleT] = []
        self._drawn = 0

    def pick(self) -> SampleT:
        """Return a random example."""
        if self._drawn % self._uses == 0:
            self._rendered.extend(islice(self._scenes, 1))
        self._drawn += 1
        among = self._pictures if not self._rendered or self._rng.random() < self._share else self._rendered
        return among[int(self._rng.integers(len(among)))]


# ---- examples of any board

_POSE_SPREAD = 1.2
"""Factor on the standard deviation of poses, since their covariance ignores a warped sheet."""

_MOST_FOCAL_STEP = 0.05
"""Largest relative step of the focal length. From straight above it is undetermined, together with the distance, and a
covariance holds for small steps only."""

_TIERS = ("easy", "medium", "hard", "hard", "occluded")


@dataclass(frozen=True, slots=True, eq=False)
class Example(Generic[TruthT]):
    """One picture with its truth, ready to be warped.

    Attributes:
        source: the picture, reduced for warping.
        estimate: the board's estimated pose with its covariance.
        light: the estimated light.
        truth: what is on the board.
    """

    source: PlaneSource
    estimate: PoseEstimate
    light: Illumination
    truth: TruthT


@dataclass(frozen=True, slots=True, eq=False)
class Sample(Generic[TruthT]):
    """A variation of an example: the network's input, and its true outputs."""

    planes: Planes
    truth: TruthT


def register(image_bgr: ImageBgr, board: Board, truth: TruthT, *, cell_px: int) -> Example[TruthT] | None:
    """Return a picture, uint8 (height, width, 3), registered as by the reader; None if the reader would refuse it."""
    if (view := view_table(image_bgr, board)) is None:
        return None
    source = choose_source(image_bgr, view.scaled.reduced_bgr, board, view.pose, cell_px=cell_px)
    return Example(source, view.located.estimate, view.light, truth)


class BoardData(ABC, Generic[TruthT]):
    """What the model of a board learns from.

    Attributes:
        board: the table.
        cell_px: side of a cell in the pictures that the network sees.
    """

    cell_px: int

    def __init__(self, board: Board) -> None:
        self.board = board

    @abstractmethod
    def _drawn(self, rng: np.random.Generator, seed: int) -> tuple[Scene, TruthT]:
        """Return a random scene with its truth; the seed decides how hard it is."""

    @abstractmethod
    def _truth_in(self, file: Mapping[str, Any]) -> TruthT:
        """Return the truth in a picture's truth file, in the form of tests/recorded."""

    def register(self, image_bgr: ImageBgr, truth: TruthT) -> Example[TruthT] | None:
        """Return an example of a picture, uint8 (height, width, 3); None if the reader would refuse it."""
        return register(image_bgr, self.board, truth, cell_px=self.cell_px)

    def rendered(self, seeds: Iterable[int]) -> Iterator[Example[TruthT]]:
        """Yield an example of one random scene for each seed, without those that the reader would refuse."""
        for seed in seeds:
            rng = np.random.default_rng(seed)
            scene, truth = self._drawn(rng, seed)
            if (example := self.register(render(scene, rng), truth)) is not None:
                yield example

    def photographed(self, pictures: Iterable[Path]) -> Iterator[Example[TruthT]]:
        """Yield examples of pictures that have a truth file next to them."""
        for picture in pictures:
            truth = self._truth_in(json.loads(picture.with_suffix(".json").read_text(encoding="utf-8")))
            if (example := self.register(load_image(picture), truth)) is not None:
                yield example


class PlaneData(BoardData[TruthT]):
    """What a model learns from that reads all cells at once, from planes at the heights `heights_mm`."""

    heights_mm: Sequence[float]

    @abstractmethod
    def draw(self, example: Example[TruthT], rng: np.random.Generator) -> Sample[TruthT]:
        """Return a random sample of an example."""

    @abstractmethod
    def turned(self, sample: Sample[TruthT], rng: np.random.Generator) -> Sample[TruthT]:
        """Return a sample turned and mirrored at random: the board's orientation must not matter."""

    def warp(self, example: Example[TruthT], rng: np.random.Generator) -> tuple[Planes, Pose]:
        """Return planes of a picture that is sometimes blurred and warped by a slightly wrong pose, and that pose."""
        source = example.source
        if rng.random() <= 0.3:
            soft = cv2.GaussianBlur(source.image_bgr, (0, 0), rng.uniform(0.3, 1.0))
            source = replace(source, image_bgr=np.asarray(soft, np.uint8))
        # The pose is drawn from the estimate's covariance.
        known, estimate = example.estimate.pose, example.estimate
        variances, axes = np.linalg.eigh(estimate.covariance)
        step = axes @ (np.sqrt(np.maximum(variances, 0)) * rng.normal(size=len(variances))) * _POSE_SPREAD
        step *= min(1.0, _MOST_FOCAL_STEP / max(abs(step[6]), 1e-9))
        lens = Lens(known.lens.focal_px * float(np.exp(step[6])), known.lens.centre_px, known.lens.k1 + float(step[7]))
        pose = Pose(lens, known.rotation + step[:3], known.shift_mm + step[3:6])
        return warp_planes(source, self.board, pose, example.light, self.heights_mm, cell_px=self.cell_px), pose


def _turned(sample: Sample[TruthT], quarters: int, *, mirrored: bool) -> Sample[TruthT]:
    """Return a sample turned counter-clockwise by quarters and then mirrored, with every array of its truth."""
    columns, truth = slice(None, None, -1 if mirrored else 1), cast("Any", sample.truth)
    whole = np.ascontiguousarray(np.rot90(sample.planes, quarters, (1, 2))[:, :, columns])
    parts = {part.name: np.rot90(getattr(truth, part.name), quarters)[:, columns] for part in fields(truth)}
    return Sample(whole, replace(truth, **{name: np.ascontiguousarray(part) for name, part in parts.items()}))


def relit(planes: Planes, rng: np.random.Generator, *, tint: float = 0.03) -> Planes:
    """Return planes with other colour, contrast, evenness and noise, alike at all heights.

    `tint` is the strength of a cast on black, small enough that dark pieces of different hues stay distinguishable.
    """
    heights = len(planes) // 3
    views = planes.reshape(heights, 3, *planes.shape[1:])
    views = np.sign(views) * np.abs(views) ** np.exp(rng.normal(0, 0.15))
    mixed = np.einsum("ij,hjrc->hirc", np.eye(3) + rng.normal(0, 0.04, (3, 3)), views)
    gain = np.exp(rng.normal(0, 0.1, 3) + rng.normal(0, 0.15))
    lit = mixed * gain[:, None, None] + rng.normal(0, tint, 3)[:, None, None]
    # a gradient, a wide glare or shade, and mirror images of lamps, from half a piece to some pieces wide
    rows, columns = planes.shape[1:]
    y, x = np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j]
    if rng.random() < 0.5:
        lit = lit * np.exp(rng.normal(0, 0.15) * x + rng.normal(0, 0.15) * y)
    if rng.random() < 0.35:
        spot = _spot(x, y, rng, (0.1, 0.8))
        lit = lit + spot * rng.uniform(0.1, 0.8) if rng.random() < 0.5 else lit * (1 - spot * rng.uniform(0.1, 0.6))
    for _ in range(int(rng.integers(1, 5)) if rng.random() < 0.4 else 0):
        colour = np.exp(rng.normal(0, 0.25, 3))[:, None, None]
        lit = lit + _spot(x, y, rng, (0.03, 0.3)) * rng.uniform(0.3, 3.0) * colour
    if rng.random() < 0.4:
        lit = lit + rng.normal(0, rng.uniform(0.005, 0.06), lit.shape)
    # a sensor's highest level, white paper being 1, so that it differs by channel beside a coloured light
    most = rng.uniform(1.0, 2.0) * np.exp(rng.normal(0, 0.12, 3))[:, None, None]
    return np.asarray(np.clip(lit, -0.25, most).reshape(planes.shape), np.float32)


def _spot(x: Floats, y: Floats, rng: np.random.Generator, radii: tuple[float, float]) -> Floats:
    """Return a round spot at a random place of a grid from -1 to 1: 1 inside, 0 outside, its edge sharp or soft."""
    radius, (u, v) = np.exp(rng.uniform(*np.log(radii))), rng.uniform(-1, 1, 2)
    return np.asarray(0.5 + 0.5 * np.tanh((1 - np.hypot(x - u, y - v) / radius) / rng.uniform(0.02, 0.5)))


# ---- boards of which each cell is read by itself

_OPENING_EVERY = 2
"""One scene in this many is an opening, the hardest to read; with five tiers, openings come in all of them."""

_SCENES_ASKEW, _PIECES_ASKEW = 0.5, 0.4
"""The share of scenes in which pieces lie askew, and of the pieces in them."""

_FINE_PX = 24
"""Side of a cell in the planes if only detail distinguishes a flat piece from a print."""


@dataclass(frozen=True, slots=True, eq=False)
class CellTruth:
    """The labels of cells, and how much of them is visible.

    Attributes:
        labels: int64 (n,) or (rows, columns), indices of the board's label words.
        visible: float32, of the same shape, the share that no hand, mug or edge hides; 0 for cells that are missing.
    """

    labels: NDArray[np.int64]
    visible: NDArray[np.float32]


def cell_truth(board: Board, words: Sequence[str], visible: Floats) -> CellTruth:
    """Return the truth of all places, (n_places,), from their labels and the visible share of each."""
    return CellTruth(np.array([board.label_words.index(word) for word in words]), visible.astype(np.float32))


def cell_truth_of(scene: Scene) -> CellTruth:
    """Return the truth of a scene, (n_places,)."""
    truth = truth_of(scene)
    return cell_truth(scene.board, truth.labels, truth.visible)


def cell_truth_in(file: Mapping[str, Any], board: Board) -> CellTruth:
    """Return the truth in a truth file, (n_places,)."""
    visible = [float(place not in file["hidden"]) for place in board.places]
    return cell_truth(board, [file["cells"].get(place, EMPTY) for place in board.places], np.array(visible))


class CellData(PlaneData[CellTruth]):
    """What a network learns from that labels every cell; its truth is (rows, columns)."""

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.cell_px = _FINE_PX if all(piece.shape == "disc" for piece in board.pieces.values()) else planes.CELL_PX
        # one plane for each piece's height, and for that of a medium stack if pieces are stacked
        pieces = sorted(board.pieces, key=lambda name: board.pieces[name].height)
        stacks = pieces if any(label.height > 1 for label in board.cell_labels) else []
        self.heights = [*pieces, *(f"{name}*3" for name in stacks)]
        self.heights_mm = (0.0, *(height_mm(board, name) for name in self.heights))

    def _drawn(self, rng: np.random.Generator, seed: int) -> tuple[Scene, CellTruth]:
        has_start = any(seat.start for seat in self.board.seat)
        labels = opening(self.board, rng) if seed % _OPENING_EVERY == 0 and has_start else None
        scene = random_scene(self.board, rng, tier=_TIERS[seed % len(_TIERS)], labels=labels)
        scene = replace(scene, skin=with_line_art(scene.skin, rng))
        scene = put_askew(scene, rng) if rng.random() < _SCENES_ASKEW else scene
        return scene, self.on_grid(cell_truth_of(scene))

    def _truth_in(self, file: Mapping[str, Any]) -> CellTruth:
        return self.on_grid(cell_truth_in(file, self.board))

    def on_grid(self, truth: CellTruth) -> CellTruth:
        """Return the truth of the places (n_places,) on the grid (rows, columns), with 0 for missing cells."""
        columns, rows = np.transpose([cell_column_row(place) for place in self.board.places])
        shape = (self.board.grid.rows, self.board.grid.columns)
        grid = CellTruth(np.zeros(shape, np.int64), np.zeros(shape, np.float32))
        grid.labels[rows, columns], grid.visible[rows, columns] = truth.labels, truth.visible
        return grid

    def draw(self, example: Example[CellTruth], rng: np.random.Generator) -> Sample[CellTruth]:
        """Return a random sample of an example."""
        warped, _pose = self.warp(example, rng)
        return self.turned(Sample(relit(warped, rng), example.truth), rng)

    def turned(self, sample: Sample[CellTruth], rng: np.random.Generator) -> Sample[CellTruth]:
        """Return a sample turned and mirrored; only boards with as many rows as columns turn by single quarters."""
        quarters, mirrored = int(rng.integers(4)), rng.random() < 0.5
        rows, columns = sample.truth.labels.shape
        return _turned(sample, quarters if rows == columns else quarters // 2 * 2, mirrored=mirrored)


def put_askew(scene: Scene, rng: np.random.Generator) -> Scene:
    """Return a scene in which pieces of some cells lie up to a third of a cell off its middle, as people lay them."""
    most_mm = min(scene.board.grid.pitch) / 3 / np.sqrt(2)  # along each axis
    places = scene.board.places
    off = dict(zip(places, rng.uniform(-most_mm, most_mm, (len(places), 2)), strict=True))
    askew = {place for place in places if rng.random() < _PIECES_ASKEW}
    pieces = (
        replace(piece, x_mm=piece.x_mm + off[piece.cell][0], y_mm=piece.y_mm + off[piece.cell][1])
        if piece.cell in askew
        else piece
        for piece in scene.pieces
    )
    return replace(scene, pieces=tuple(pieces))


def opening(board: Board, rng: np.random.Generator) -> dict[str, str]:
    """Return random labels as after the first turns: tees on start spaces, which have their tint, and few elsewhere.

    A tee on a ground of its own colour is the hardest to read, and every game begins with it.
    """
    labels = dict.fromkeys(board.cells, EMPTY)
    for cell in rng.choice(board.cells, size=int(rng.integers(0, 10)), replace=False):
        labels[str(cell)] = str(rng.choice(board.colours))
    for seat in board.seat:
        if seat.start is not None:
            labels[seat.start] = seat.colour if rng.random() < 0.7 else EMPTY
            steps = np.subtract([cell_column_row(cell) for cell in board.cells], cell_column_row(seat.start))
            beside = np.array(board.cells)[np.abs(steps).sum(axis=1) == 1]
            for name in board.walkers:
                labels[str(rng.choice(beside))] = str(board.label_of(name, seat.colour))
    return labels


# ---- tables of cards

_SIZE_WH = ((1280, 960), (1280, 720), (1640, 1232))
"""Sizes of rendered pictures: small ones are sufficient for the coarse planes, and fast."""

_BLACK_TINT = 0.01
"""Strength of a cast on black, small because dark green pawns must differ from black ones."""

_REACHED_OVER = 0.3
"""Share of the samples with something like an arm over the table."""


@dataclass(frozen=True, slots=True, eq=False)
class LayoutTruth:
    """The true outputs for each cell; arrays (rows, columns, ...).

    Attributes:
        lying, standing: int64, indices of the layout's words.
        visible: float32, the visible share of the cell's card.
        place: float32 (rows, columns, 3), NaN if it is not known.
    """

    lying: NDArray[np.int64]
    standing: NDArray[np.int64]
    visible: NDArray[np.float32]
    place: NDArray[np.float32]


class LayoutData(PlaneData[LayoutTruth]):
    """What a network learns from that finds cards and what is on them."""

    cell_px = layout.CELL_PX

    def __init__(self, board: Board) -> None:
        super().__init__(board)
        self.heights_mm = layout.heights_mm(board)

    def _drawn(self, rng: np.random.Generator, seed: int) -> tuple[Scene, LayoutTruth]:
        size = _SIZE_WH[int(rng.integers(len(_SIZE_WH)))]
        tier, crowded = _TIERS[seed % len(_TIERS)], seed % 2 == 0
        scene = random_card_scene(self.board, rng, tier=tier, size_wh=size, deck_of=any_deck, crowded=crowded)
        return scene, self.in_words(card_truth_of(scene))

    def _truth_in(self, file: Mapping[str, Any]) -> LayoutTruth:
        board = self.board  # the file lists pieces; the cards' rotation is missing in it
        middles = {piece[0]: piece[3:5] for piece in file["pieces"] if piece[1] == "card"}
        off = [np.asarray(middles[c], np.float64) - m for c, m in zip(board.cells, board.centres_mm(), strict=True)]
        place = np.column_stack([off, np.full(len(off), np.nan)])
        visible = np.array([float(cell not in file["hidden"]) for cell in board.cells])
        return self.in_words(CardTruth(tuple(file["cells"][cell] for cell in board.cells), place, visible))

    def in_words(self, truth: CardTruth) -> LayoutTruth:
        """Return a table's truth in the layout's words."""
        shape = (self.board.grid.rows, self.board.grid.columns)
        lying, standing = [], []
        for label in truth.labels:
            card, *things = parse_label(label or EMPTY).parts() or ("",)
            covering, on_top = (
                next((thing for thing in things if thing in self.board.parts_on_cards(covers=covers)), None)
                for covers in (True, False)
            )
            word = covering or {"": NOTHING, BACK: BACK}.get(card, FACE)
            lying.append(lying_words(self.board).index(word))
            standing.append(standing_words(self.board).index(on_top or NOTHING))
        return LayoutTruth(
            np.array(lying).reshape(shape),
            np.array(standing).reshape(shape),
            truth.visible.astype(np.float32).reshape(shape),
            truth.place.astype(np.float32).reshape(*shape, 3),
        )

    def draw(self, example: Example[LayoutTruth], rng: np.random.Generator) -> Sample[LayoutTruth]:
        """Return a random sample of an example."""
        warped, pose = self.warp(example, rng)
        place = shifted(example.truth.place, self.board, example.estimate.pose, pose)
        sample = Sample(relit(warped, rng, tint=_BLACK_TINT), replace(example.truth, place=place))
        return _reach_over(sample, rng) if rng.random() < _REACHED_OVER else sample

    def turned(self, sample: Sample[LayoutTruth], rng: np.random.Generator) -> Sample[LayoutTruth]:
        """Return a sample turned by 180 degrees and mirrored at random."""
        half_turn, mirrored = rng.random() < 0.5, rng.random() < 0.5
        turned = _turned(sample, 2 if half_turn else 0, mirrored=mirrored)
        # what is right or below is then left or above
        x, y = -1 if half_turn != mirrored else 1, -1 if half_turn else 1
        place = turned.truth.place * np.array((x, y, x * y), np.float32)
        return Sample(turned.planes, replace(turned.truth, place=place))


def shifted(place: NDArray[np.float32], board: Board, true_pose: Pose, pose: Pose) -> NDArray[np.float32]:
    """Return the places of cards (rows, columns, 3) as they appear under a wrong pose."""
    known = np.nan_to_num(place.reshape(-1, 3)[:, :2])
    middles = board.centres_mm() + known
    ahead = [pose.project_at(middles + np.array(step), 0.0) for step in ((0, 0), (1, 0), (0, 1))]
    jacobians = np.stack([ahead[1] - ahead[0], ahead[2] - ahead[0]], axis=-1)
    shift = np.linalg.solve(jacobians, (true_pose.project_at(middles, 0.0) - ahead[0])[..., None])[..., 0]
    return place + np.pad(shift, ((0, 0), (0, 1))).reshape(place.shape).astype(np.float32)


def _reach_over(sample: Sample[LayoutTruth], rng: np.random.Generator) -> Sample[LayoutTruth]:
    """Return a sample with something like an arm: a smooth bar with a round end, shifted a little at each height."""
    heights, shape = len(sample.planes) // 3, sample.planes.shape[1:]
    angle = rng.uniform(0, 2 * np.pi)
    tip, towards = rng.uniform(0.1, 0.9, 2) * shape[::-1], np.array([np.cos(angle), np.sin(angle)])
    radius = float(rng.uniform(0.25, 0.8) * layout.CELL_PX)
    colour = rng.uniform(0.05, 1.1, 3)
    reached, shift = sample.planes.copy(), rng.normal(0, 2.0, 2)
    hidden = np.zeros(shape, np.float32)
    for level in range(heights):
        # how far each pixel is from the axis of a bar that begins at `tip`, in radii, float64 (rows, columns)
        y, x = np.mgrid[: shape[0], : shape[1]] - (tip + level * shift)[::-1, None, None]
        along = np.maximum(x * towards[0] + y * towards[1], 0)
        across = np.asarray(np.hypot(x - along * towards[0], y - along * towards[1]) / radius)
        inside = across < 1
        shade = np.sqrt(np.clip(1 - across[inside] ** 2, 0, 1)) * 0.6 + 0.4
        reached[3 * level : 3 * level + 3, inside] = colour[:, None] * shade + rng.normal(0, 0.02, shade.shape)
        hidden += inside / heights
    # the share of each cell's middle part that is hidden
    side = layout.CELL_PX
    half, rim = side // 2, side // 12
    rows, columns = sample.truth.visible.shape
    cells = hidden[half:-half, half:-half].reshape(rows, side, columns, side)[:, rim:-rim, :, rim:-rim]
    visible = sample.truth.visible * (1 - cells.mean(axis=(1, 3), dtype=np.float32))
    return Sample(reached, replace(sample.truth, visible=visible))
