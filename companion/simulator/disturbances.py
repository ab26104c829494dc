"""What disturbs a camera over a table: lights off, glare, a bump, a cable that is loose. A plan of them in time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from vision.board import Board
from vision.geometry import Pose
from vision.simulation.scene import Scene, SceneCamera, SceneLight, sees_board

SHAKES_S = 0.7
"""How long a camera shakes that was bumped."""

_SHAKE_PX = 0.02
"""How far a picture is smeared while the camera shakes, in picture widths."""

_DARK = 0.002
_GLARE, _GLARE_WIDTH = 0.9, 0.045
_BUMP_MM, _BUMP_DEG = 12.0, 2.0


class Trouble(StrEnum):
    """What may happen."""

    DARK = "dark"  # the lights are off
    GLARE = "glare"  # a lamp is mirrored on the board
    BUMP = "bump"  # the camera shakes, and hangs otherwise from then on
    FAILURE = "failure"  # the camera gives no pictures


_LAST_S = {Trouble.DARK: 4.0, Trouble.GLARE: 8.0, Trouble.BUMP: SHAKES_S, Trouble.FAILURE: 2.2}
"""How long troubles last that are planned one after the other."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A trouble, when it begins and how long it lasts, in s; after a bump all stays as it is then."""

    trouble: Trouble
    at_s: float
    lasts_s: float = 4.0

    def is_on(self, time_s: float) -> bool:
        """Return whether it is going on."""
        return self.at_s <= time_s < self.at_s + (SHAKES_S if self.trouble is Trouble.BUMP else self.lasts_s)


@dataclass(frozen=True, slots=True)
class Disturbances:
    """All that disturbs one game."""

    planned: Sequence[Disturbance] = ()

    def now(self, time_s: float) -> frozenset[Trouble]:
        """Return what is going on at a moment."""
        return frozenset(one.trouble for one in self.planned if one.is_on(time_s))

    def bumps(self, time_s: float) -> int:
        """Return how often the camera has been bumped."""
        return sum(one.trouble is Trouble.BUMP and one.at_s <= time_s for one in self.planned)

    def scene_at(self, scene: Scene, time_s: float) -> Scene:
        """Return a scene as it is at a moment: where the camera hangs, how it shakes, what is mirrored."""
        camera = bumped(scene.camera, scene.board, self.bumps(time_s))
        now, sensor = self.now(time_s), scene.sensor
        light = with_glare(scene.light, scene.board, camera) if Trouble.GLARE in now else scene.light
        if Trouble.BUMP in now:
            sensor = replace(sensor, shake_px=(_SHAKE_PX * camera.size_wh[0], 0.4 * _SHAKE_PX * camera.size_wh[0]))
        return replace(scene, camera=camera, light=light, sensor=sensor)

    def level_at(self, time_s: float) -> float:
        """Return the share of the light that is left at a moment."""
        return _DARK if Trouble.DARK in self.now(time_s) else 1.0


def bumped(camera: SceneCamera, board: Board, times: int) -> SceneCamera:
    """Return a camera after some bumps: moved by about a centimetre and turned by a degree or two.

    One that would no longer see the whole board is raised as far as need be.
    """
    if not times:
        return camera
    rng = np.random.default_rng(times)
    x, y = (rng.choice((-1.0, 1.0), 2) * rng.uniform(0.5, 1.0, 2) * _BUMP_MM).tolist()
    turn_rad = float(np.radians(_BUMP_DEG) * rng.choice((-1.0, 1.0)))
    moved = (_moved(camera, board, turn_rad, (x, y, raised)) for raised in np.arange(0.0, 200.0, 10.0).tolist())
    return next((one for one in moved if sees_board(one, board)), camera)


def _moved(camera: SceneCamera, board: Board, turn_rad: float, shift_mm: tuple[float, float, float]) -> SceneCamera:
    """Turn a camera about the vertical through the board's middle, and shift it."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    turned = np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])
    middle = np.array([board.size[0] / 2, board.size[1] / 2, 0.0])
    eye = middle + turned @ (camera.pose.eye_mm - middle) + shift_mm
    return SceneCamera(Pose.from_matrix(camera.pose.lens, camera.pose.board_to_camera @ turned.T, eye), camera.size_wh)


def with_glare(light: SceneLight, board: Board, camera: SceneCamera) -> SceneLight:
    """Return light in which a small bright lamp is mirrored on the board, between its middle and a corner."""
    x, y = (0.35 * length for length in board.size)
    eye = camera.pose.eye_mm
    lamp = (float(2 * x - eye[0]), float(2 * y - eye[1]), float(eye[2]))
    return replace(light, glare=_GLARE, glare_width=_GLARE_WIDTH, glare_mm=lamp, glare_panes=0)


def spread(troubles: Iterable[Trouble], first_s: float, every_s: float) -> Disturbances:
    """Plan troubles one after the other."""
    moments = ((trouble, first_s + number * every_s) for number, trouble in enumerate(troubles))
    return Disturbances(tuple(Disturbance(trouble, at_s, _LAST_S[trouble]) for trouble, at_s in moments))
