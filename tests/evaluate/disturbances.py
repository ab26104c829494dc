"""A plan in time of what disturbs a camera over a table: light, glare, a bump, a turned board, a loose cable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from companion.simulator.camera import SimulatedCamera, lamp_level
from companion.simulator.hands import Tabletop
from tests.evaluate.things import bodies, thing_on
from vision.board import Board
from vision.errors import CameraError
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.simulation.scene import Occluder, Scene, SceneCamera, SceneLight, sees_board

SHAKES_S = 0.7
"""How long the camera shakes after a bump."""

_SHAKE_PX = 0.02
"""Length of the motion blur while the camera shakes, in picture widths."""

_DARK = 0.002
_GLARE, _GLARE_WIDTH = 0.9, 0.045
_BUMP_MM, _BUMP_DEG = 12.0, 2.0


class Trouble(StrEnum):
    """A kind of disturbance."""

    DARK = "dark"  # the lights are off
    GLARE = "glare"  # a lamp is mirrored on the board
    BUMP = "bump"  # the camera shakes, and has another pose from then on
    FAILURE = "failure"  # the camera delivers no pictures
    DIMMED = "dimmed"  # the lamp has less than half of its light
    SWITCHED = "switched"  # a warm lamp on the other side is lit instead
    LAMP_MOVED = "lamp-moved"  # the lamp stands elsewhere from then on
    DUSK = "dusk"  # daylight fades, until a lamp is lit
    TURNED = "turned"  # the board is turned by 180 degrees, with all that is on it


_LAST_S = {
    Trouble.DARK: 4.0,
    Trouble.GLARE: 8.0,
    Trouble.BUMP: SHAKES_S,
    Trouble.FAILURE: 2.2,
    Trouble.DIMMED: 10.0,
    Trouble.SWITCHED: 10.0,
    Trouble.LAMP_MOVED: SHAKES_S,
    Trouble.DUSK: 15.0,
    Trouble.TURNED: SHAKES_S,
}
"""Durations of the troubles that `spread` plans."""

_FOR_GOOD = (Trouble.BUMP, Trouble.LAMP_MOVED, Trouble.TURNED)
"""Troubles whose effect stays."""

_SHAKING = frozenset({Trouble.BUMP, Trouble.TURNED})
_DIMMED, _DUSKY = 0.45, 0.3
_WARM_RGB = (1.15, 1.0, 0.72)


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A trouble, its begin and duration in s; one whose effect stays lasts as long as the shaking."""

    trouble: Trouble
    at_s: float
    lasts_s: float = 4.0

    def is_on(self, time_s: float) -> bool:
        """Return whether it is going on."""
        return self.at_s <= time_s < self.at_s + (SHAKES_S if self.trouble in _FOR_GOOD else self.lasts_s)


@dataclass(frozen=True, slots=True)
class Disturbances:
    """All that disturbs one game."""

    planned: Sequence[Disturbance] = ()

    def now(self, time_s: float) -> frozenset[Trouble]:
        """Return the troubles at a moment."""
        return frozenset(one.trouble for one in self.planned if one.is_on(time_s))

    def shakes(self, time_s: float) -> bool:
        """Return whether camera or board move at a moment."""
        return bool(_SHAKING & self.now(time_s))

    def times(self, trouble: Trouble, time_s: float) -> int:
        """Return how often a trouble has begun until a moment."""
        return sum(one.trouble is trouble and one.at_s <= time_s for one in self.planned)

    def scene_at(self, scene: Scene, time_s: float) -> Scene:
        """Return a scene at a moment, with the pose of the camera, the lamp, motion blur and glare of that moment."""
        camera = bumped(scene.camera, scene.board, self.times(Trouble.BUMP, time_s))
        turned = self.times(Trouble.TURNED, time_s) % 2
        camera = turned_round(camera) if turned else camera
        now, sensor = self.now(time_s), scene.sensor
        # in the board's coordinates, turning the board by 180 degrees turns camera and lamp instead
        light = _move_lamp(scene.light, scene.board, self.times(Trouble.LAMP_MOVED, time_s) + 2 * turned)
        if Trouble.SWITCHED in now:
            light = replace(_move_lamp(light, scene.board, 2), gain_rgb=_WARM_RGB)
        light = with_glare(light, scene.board, camera) if Trouble.GLARE in now else light
        if self.shakes(time_s):
            sensor = replace(sensor, shake_px=(_SHAKE_PX * camera.size_wh[0], 0.4 * _SHAKE_PX * camera.size_wh[0]))
        return replace(scene, camera=camera, light=light, sensor=sensor)

    def level_at(self, time_s: float) -> float:
        """Return the light at a moment as a share of the full light."""
        now, dusk = self.now(time_s), [one for one in self.planned if one.trouble is Trouble.DUSK]
        faded = max(((time_s - one.at_s) / one.lasts_s for one in dusk if one.is_on(time_s)), default=0.0)
        return (
            _DARK if Trouble.DARK in now else (1.0 - (1.0 - _DUSKY) * faded) * (_DIMMED if Trouble.DIMMED in now else 1)
        )


def turned_round(camera: SceneCamera) -> SceneCamera:
    """Return a camera that sees the table turned by 180 degrees about the point where its axis meets the board."""
    pose = camera.pose
    down = pose.board_to_camera[2]  # the optical axis, in the board's directions
    aim = pose.eye_mm + down * (-pose.eye_mm[2] / down[2])
    half_turn = np.diag((-1.0, -1.0, 1.0))
    eye = aim + half_turn @ (pose.eye_mm - aim)
    return SceneCamera(Pose.from_matrix(pose.lens, pose.board_to_camera @ half_turn, eye), camera.size_wh)


def _move_lamp(light: SceneLight, board: Board, times: int) -> SceneLight:
    """Return a light with its lamp moved by `times` quarter turns round the middle of the board."""
    middle = np.array([board.size[0] / 2, board.size[1] / 2])
    x, y = (np.linalg.matrix_power(np.array([(0, -1), (1, 0)]), times) @ (light.lamp_mm[:2] - middle) + middle).tolist()
    return replace(light, lamp_mm=(x, y, light.lamp_mm[2])) if times else light


def bumped(camera: SceneCamera, board: Board, times: int) -> SceneCamera:
    """Return a camera after some bumps: shifted by about a centimetre and turned by two degrees.

    If it would no longer see the whole board, it is also raised.
    """
    if not times:
        return camera
    rng = np.random.default_rng(times)
    x, y = (rng.choice((-1.0, 1.0), 2) * rng.uniform(0.5, 1.0, 2) * _BUMP_MM).tolist()
    turn_rad = float(np.radians(_BUMP_DEG) * rng.choice((-1.0, 1.0)))
    moved = (_move(camera, board, turn_rad, (x, y, raised)) for raised in np.arange(0.0, 200.0, 10.0).tolist())
    return next((one for one in moved if sees_board(one, board)), camera)


def _move(camera: SceneCamera, board: Board, turn_rad: float, shift_mm: tuple[float, float, float]) -> SceneCamera:
    """Return a camera turned about the vertical through the board's middle, and shifted."""
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    turned = np.array([(c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)])
    middle = np.array([board.size[0] / 2, board.size[1] / 2, 0.0])
    eye = middle + turned @ (camera.pose.eye_mm - middle) + shift_mm
    return SceneCamera(Pose.from_matrix(camera.pose.lens, camera.pose.board_to_camera @ turned.T, eye), camera.size_wh)


def with_glare(light: SceneLight, board: Board, camera: SceneCamera) -> SceneLight:
    """Return a light with the reflection of a small bright lamp on the board, between its middle and a corner."""
    x, y = (0.35 * length for length in board.size)
    eye = camera.pose.eye_mm
    lamp = (float(2 * x - eye[0]), float(2 * y - eye[1]), float(eye[2]))
    return replace(light, glare=_GLARE, glare_width=_GLARE_WIDTH, glare_mm=lamp, glare_panes=0)


def spread(troubles: Iterable[Trouble], first_s: float, every_s: float) -> Disturbances:
    """Return a plan of troubles at regular intervals."""
    moments = ((trouble, first_s + number * every_s) for number, trouble in enumerate(troubles))
    return Disturbances(tuple(Disturbance(trouble, at_s, _LAST_S[trouble]) for trouble, at_s in moments))


_FRAMES_IN_VAIN = 4


class DisturbedCamera(SimulatedCamera):
    """A camera over a simulated table, with what disturbs it and what careless players leave there."""

    def __init__(self, *arguments: Any, disturbances: Disturbances, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._disturbances = disturbances

    def picture(self, time_s: float) -> ImageBgr:
        """Return a picture; while the camera fails, raise CameraError after some frames in which the players go on."""
        if Trouble.FAILURE not in self._disturbances.now(time_s):
            return super().picture(time_s)
        for _ in range(_FRAMES_IN_VAIN):
            self._table_at(self._time_s(self._shutter()))
        message = "the simulated camera gives no picture"
        raise CameraError(message)

    def scene_at(self, time_s: float) -> Scene:
        return self._disturbances.scene_at(self._scene, time_s)

    def occluders(self, table: Tabletop) -> list[Occluder]:
        thing = thing_on(table)
        return [*super().occluders(table), *(() if thing is None else bodies(thing))]

    def level_at(self, time_s: float) -> float:
        return lamp_level(time_s) * self._disturbances.level_at(time_s)
