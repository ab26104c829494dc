"""A whole simulated table as the devices of one game: the players, the camera and the panel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

import numpy as np

from companion.core.hypothesis import Rules
from companion.locale import _
from companion.shell.clock import Clock
from companion.shell.devices import Devices
from companion.shell.effects import HOLDS
from companion.shell.frame_reader import FrameReader, eye_on
from companion.simulator.behaviour import PlayerBehaviour, VerdictCounts
from companion.simulator.camera import Shutter, SimulatedCamera
from companion.simulator.dice import TRAY_MM
from companion.simulator.hands import Hands, Pace, Tabletop, beside_mm
from companion.simulator.players import SimulatedPlayers
from hardware.panel import Button, Enqueue
from hardware.simulated import SimulatedPanel
from vision.board import Board
from vision.camera.camera import Camera
from vision.recognition.objective import has_objective_cards
from vision.simulation.card_table import random_card_scene
from vision.simulation.dice import room_beside
from vision.simulation.random_looks import bought_tints
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import SceneCamera as PlacedCamera
from vision.simulation.scene import camera_over


@dataclass(frozen=True, slots=True)
class Plan:
    """The kind of table that is simulated.

    Attributes:
        seed: the seed of everything random.
        behaviour: how the players play.
        pace: how fast their hands are.
        tier: how hard the room is for the camera ("easy", "medium", "hard").
        size_wh: the picture's width and height in pixels.
        dice: whether dice are thrown beside the board, in view of the camera.
        camera: makes the camera, with the arguments of `SimulatedCamera`.
        players: makes the players, with the arguments of `SimulatedPlayers`.
    """

    seed: int
    behaviour: PlayerBehaviour
    pace: Pace
    tier: str = "easy"
    size_wh: tuple[int, int] = (1296, 972)
    dice: bool = False
    camera: Callable[..., Camera] = SimulatedCamera
    players: Callable[..., SimulatedPlayers] = SimulatedPlayers


Watch: TypeAlias = Callable[[Rules, Callable[[float], Tabletop]], FrameReader]
"""Makes the reader of a game's table, from a function that returns the table at a time in s since the first frame."""


class SimulatedTable:
    """The players, camera and panel of one game. Hand `equip` to `companion.shell.session.open_session`.

    `watch` makes the reader of the table; None for the real reader with the simulated camera.

    Attributes:
        players: the players, once `equip` has laid the table.
        when_over: called once, from the camera's thread, when the players stop.
        when_told: called with each sentence about what the players do.
    """

    players: SimulatedPlayers
    _game: Rules

    def __init__(self, plan: Plan, *, clock: Clock, shutter: Shutter, watch: Watch | None = None) -> None:
        self._plan, self._clock, self._shutter, self._watch = plan, clock, shutter, watch
        self.when_over: Callable[[], object] = lambda: None
        self.when_told: Callable[[str], object] = lambda _sentence: None
        self._panel: SimulatedPanel | None = None
        self._caption = ""
        self._left = False
        self._now_s = 0.0

    def equip(self, game: Rules, position: Any) -> Devices:
        """Lay the table for a position; return its camera and panel."""
        board, random = game.board(), self._random()
        self._game = game
        self.players = self._plan.players(
            game,
            position,
            hands=Hands(board, random, self._plan.pace),
            random=random,
            behaviour=self._plan.behaviour,
            press=self.push,
            tell=self._tell,
        )
        return Devices(
            camera=_("simulated"),
            eye=self._watch(game, self._table_at) if self._watch else eye_on(self.open_camera, board),
            panel=_("simulated"),
            open_panel=self._open_panel,
            see=self.players.see,
            caption=lambda: self._caption,
        )

    def open_camera(self) -> Camera:
        """Open a camera over the table, which `equip` has laid."""
        rng = np.random.default_rng(self._plan.seed)
        board, size_wh = self._game.board(), self._plan.size_wh
        if board.card_words:
            scene = random_card_scene(board, rng, tier=self._plan.tier, size_wh=size_wh)
        else:
            scene = random_scene(board, rng, tier=self._plan.tier, labels={}, size_wh=size_wh)
        hung = _hang(board, size_wh, rng, dice=self._plan.dice and board.dice is not None)
        tints = bought_tints(board, np.random.default_rng([self._plan.seed, 1]))
        scene = replace(scene, camera=hung, tints=tints)
        # above 0 if a camera that failed is opened again
        return self._plan.camera(scene, self._table_at, self._shutter, rng, began_s=self._now_s)

    def conclude(self) -> VerdictCounts:
        """Let the players read the last screen after the game; return their counts of verdicts."""
        self.players.at(self._now_s + _HANDS_LEAVE_S)
        return self.players.counts

    def _table_at(self, time_s: float) -> Tabletop:
        self._now_s = time_s
        table = self.players.at(time_s)
        if self.players.over and not self._left:
            self._left = True
            self.when_over()
        return table

    def _open_panel(self, enqueue: Enqueue) -> SimulatedPanel:
        self._panel = SimulatedPanel(enqueue, self._random(), holds=HOLDS, clock_ns=self._clock.now_ns)
        return self._panel

    def push(self, button: Button, *, held: bool = False) -> None:
        """Press a button, or keep it down for a while, and wait until it is released.

        On a panel that is not simulated the users have to press it, and are told so.
        """
        if self._panel is None:
            self._tell(_("The simulated players leave the buttons of this panel to you."))
        else:
            self._panel.press(button, held=held).result()

    def _random(self) -> Random:
        return Random(self._plan.seed)  # noqa: S311 - players and contacts, no secrets

    def _tell(self, sentence: str) -> None:
        self._caption = sentence
        self.when_told(sentence)


def _hang(board: Board, size_wh: tuple[int, int], rng: np.random.Generator, *, dice: bool = False) -> PlacedCamera:
    """Return a camera over a board, with the game's card or dice next to it in the picture, if it has any."""
    tilt_deg, turn_deg = rng.uniform(4.0, 16.0), rng.normal(0.0, 6.0)
    near = camera_over(board, size_wh, tilt_deg=tilt_deg, turn_deg=turn_deg)
    width, height = board.size
    distance_mm = float(np.linalg.norm(near.pose.eye_mm - (width / 2, height / 2, 0.0)))
    if has_objective_cards(board):
        aim = ((beside_mm(board)[0] + board.cards["size"][1] / 2 - width) / 2, 0.0)
        farther_mm = distance_mm * _FARTHER
        return camera_over(board, size_wh, tilt_deg=tilt_deg, turn_deg=turn_deg, aim_mm=aim, distance_mm=farther_mm)
    hung = near
    while dice and room_beside(hung, board.size, TRAY_MM) is None:
        distance_mm *= _FARTHER
        hung = camera_over(board, size_wh, tilt_deg=tilt_deg, turn_deg=turn_deg, distance_mm=distance_mm)
    return hung


_HANDS_LEAVE_S = 5.0
"""Time after which hands have left that were over the table when the last move was confirmed."""

_FARTHER = 1.15
"""Factor of the camera's distance for seeing what is next to the board as well."""
