"""The simulated table's camera: renders the table at the moment of a frame, with lens, light and noise."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import exp, pi, sin
from typing import TypeAlias

import numpy as np

from companion.shell.clock import Clock
from companion.simulator.dice import TRAY_MM
from companion.simulator.hands import Tabletop, beside_mm
from vision.board import Board
from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.errors import CameraError
from vision.frame import Frame, ImageBgr
from vision.labels import parse_label
from vision.simulation.card_table import CardTable
from vision.simulation.dice import draw_dice, room_beside
from vision.simulation.occluders import reaching_arm
from vision.simulation.optics import StaticTable, lay_table, render_frame
from vision.simulation.random_looks import random_limbs
from vision.simulation.scene import Occluder, Scene, SceneObjective, ScenePiece
from vision.simulation.truth import piece_of_label

_ASKEW_RAD = 0.08


_COLD, _WARMS_S = 0.15, 6.0
"""Share of a lamp's light that is missing when it is switched on, and the time constant of its warming-up."""

_FLICKER, _FLICKER_S = 0.02, 0.73
"""Amplitude of a lamp's flicker, as a share of the light, and its period."""


def lamp_level(time_s: float) -> float:
    """Return a lamp's light at a moment after it was switched on; 1 is warm and without flicker."""
    warm = 1.0 - _COLD * exp(-time_s / _WARMS_S)
    return warm * (1.0 + _FLICKER * sin(2 * pi * time_s / _FLICKER_S))


Shutter: TypeAlias = Callable[[], int]
"""Waits for the next frame, in real or simulated time, and returns its time in ns of the clock."""


class LiveShutter:
    """A shutter at a steady rate in real time; a frame that is late is taken at once."""

    def __init__(self, clock: Clock, *, frame_s: float, sleep: Callable[[float], None] = time.sleep) -> None:
        self._clock, self._frame_ns, self._sleep = clock, round(frame_s * 1e9), sleep
        self._last_ns = clock.now_ns() - self._frame_ns

    def __call__(self) -> int:
        """Sleep until the next frame is due; return its time in ns of the clock."""
        now_ns = self._clock.now_ns()
        self._last_ns = max(self._last_ns + self._frame_ns, now_ns)
        self._sleep((self._last_ns - now_ns) / 1e9)
        return self._last_ns


class SimulatedCamera(Camera):
    """A camera over a simulated table; a camera that something disturbs overrides `picture` and what it is made of.

    Args:
        scene: board, camera pose, light and sensor; its pieces and hands are replaced.
        table_at: returns the table at a moment, in s since the first frame.
        shutter: waits for the next frame.
        rng: the source of noise.
        began_s: the table's time at this camera's first frame: above 0 for one that is opened again.
    """

    name = "simulated"

    def __init__(
        self,
        scene: Scene,
        table_at: Callable[[float], Tabletop],
        shutter: Shutter,
        rng: np.random.Generator,
        *,
        began_s: float = 0.0,
    ) -> None:
        self._scene, self._table_at, self._shutter, self._rng = scene, table_at, shutter, rng
        self._cards = None if scene.layout is None else CardTable(scene.board, scene.layout, rng)
        self._grain = int(rng.integers(1 << 31))
        self._lying: tuple[object, StaticTable] | None = None
        whose = rng.spawn(1)[0]
        self._limbs = {side: random_limbs(whose) for side in ("bottom", "top", "left", "right")}
        self._first_ns: int | None = None
        self._began_s = began_s
        self._open = True

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:  # noqa: ARG002 - a simulated frame is never late
        """Wait for the next frame and return it.

        Raises:
            CameraError: the camera is closed.
        """
        if not self._open:
            raise CameraError("the simulated camera is closed")
        at_ns = self._shutter()
        return Frame(self.picture(self._time_s(at_ns)), at_ns)

    def _time_s(self, at_ns: int) -> float:
        if self._first_ns is None:
            self._first_ns = at_ns
        return self._began_s + (at_ns - self._first_ns) / 1e9

    def close(self) -> None:
        """Close the camera: `read` raises CameraError from now on."""
        self._open = False

    def picture(self, time_s: float) -> ImageBgr:
        """Return the picture of the table at a moment."""
        # 1. the cards and the pieces that stand on the table
        table, scene = self._table_at(time_s), self.scene_at(time_s)
        if self._cards is None:
            pieces: Sequence[ScenePiece] = tuple(scene_pieces(scene.board, table))
        else:
            layout, pieces = self._cards.lay({str(cell): piece.label for cell, piece in table.pieces.items()})
            scene = replace(scene, layout=layout)
        # 2. what does not move, which is drawn again only if camera, light or cards have changed
        lies = scene.camera, scene.light, scene.layout
        if self._lying is None or self._lying[0] != lies:
            self._lying = lies, lay_table(scene, np.random.default_rng(self._grain))
        static = replace(self._lying[1], scene=scene)
        # 3. dice and a card next to the board, dice if the picture has room for them there
        board, camera = scene.board, scene.camera
        if table.dice and (room := room_beside(camera, board.size, TRAY_MM)) is not None:
            static, (x, y) = replace(static, canvas=static.canvas.copy()), room
            at_rest = [replace(die, at_mm=(x + die.at_mm[0], y + die.at_mm[1])) for die in table.dice]
            draw_dice(static.canvas, camera, at_rest)
        objective = None
        if (card := table.card) is not None:  # placed and turned with small errors that depend on the card
            (x, y), askew = beside_mm(static.scene.board), np.random.default_rng((card.number, card.quarter_turns))
            turn = card.quarter_turns * pi / 2 + askew.normal(0, _ASKEW_RAD)
            x, y = x + askew.normal(0, 2.0), y + askew.normal(0, 2.0)
            objective = SceneObjective(card.number, card.side, x, y, turn)
        static = replace(static, scene=replace(static.scene, objective=objective))
        return render_frame(replace(static, level=self.level_at(time_s)), pieces, self.occluders(table), self._rng)

    def occluders(self, table: Tabletop) -> list[Occluder]:
        """Return what is over a table: the arms, each with its side's limbs."""
        board, limbs = self._scene.board, self._limbs
        return [reaching_arm(board, hand.tip_mm, side=hand.side, limbs=limbs[hand.side]) for hand in table.hands]

    def scene_at(self, _time_s: float) -> Scene:
        """Return the scene at a moment, in which camera, board and lamps may have other places."""
        return self._scene

    def level_at(self, time_s: float) -> float:
        """Return the light at a moment; 1 is the lamp's when it is warm."""
        return lamp_level(time_s)


def scene_pieces(board: Board, table: Tabletop) -> Iterator[ScenePiece]:
    """Yield the pieces on a table, those of a stack from the lowest to the highest."""
    for cell, standing in table.pieces.items():
        if (found := piece_of_label(board, standing.label)) is not None:
            kind, colour = found
            for level in range(parse_label(standing.label).height):
                z_mm = level * board.pieces[kind].height
                yield ScenePiece(kind, colour, *standing.at_mm, z_mm, cell, standing.lean_mm)
