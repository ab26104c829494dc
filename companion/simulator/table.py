"""A whole simulated table as the devices of one game: people who play, the camera over them, the panel before them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np

from companion.games.adaptor import Adaptor
from companion.locale import _
from companion.shell.clock import Clock
from companion.shell.devices import Devices, eye_on
from companion.simulator.camera import SimulatedCamera
from companion.simulator.clock import Shutter
from companion.simulator.hands import Hands, Pace, Tabletop
from companion.simulator.party import Manners, Party, Tally
from hardware.panel import Button, Enqueue
from hardware.simulated import SimulatedPanel
from vision.camera.camera import Camera
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import camera_over


@dataclass(frozen=True, slots=True)
class Plan:
    """What kind of table is simulated.

    Attributes:
        seed: everything that is left to chance follows from it.
        manners: how the people play.
        pace: how fast their hands are.
        tier: how hard the room makes it for the camera ("easy", "medium", "hard").
        size_wh: the picture's width and height in pixels.
    """

    seed: int
    manners: Manners
    pace: Pace
    tier: str = "easy"
    size_wh: tuple[int, int] = (1296, 972)


class SimulatedTable:
    """People, camera and panel of one game. Hand `equip` to `companion.shell.session.open_session`.

    Args:
        plan: what kind of table.
        clock: the loop's.
        shutter: waits for each frame.
    """

    def __init__(self, plan: Plan, *, clock: Clock, shutter: Shutter) -> None:
        self._plan, self._clock, self._shutter = plan, clock, shutter
        self._tell_over: Callable[[], object] = lambda: None
        self._panel: SimulatedPanel | None = None
        self._party: Party | None = None
        self._caption = ""
        self._left = False
        self._now_s = 0.0

    @property
    def party(self) -> Party:
        """The people.

        Raises:
            RuntimeError: nobody has asked for the devices yet.
        """
        if self._party is None:
            message = "the simulated table is laid by `equip`"
            raise RuntimeError(message)
        return self._party

    def when_over(self, tell: Callable[[], object]) -> None:
        """Let `tell` be called once, from the eye's thread, when the people stop playing."""
        self._tell_over = tell

    def equip(self, game: Adaptor, position: Any) -> Devices:
        """Lay the table as a position wants it, and give what it is seen and told with."""
        board, random = game.board(), self._random()
        self._party = Party(
            game,
            position,
            hands=Hands(board, random, self._plan.pace),
            random=random,
            manners=self._plan.manners,
            press_done=self._press_done,
            tell=self._tell,
        )
        return Devices(
            camera=_("simulated"),
            eye=eye_on(lambda: self._camera(game), board),
            panel=_("simulated"),
            open_panel=self._open_panel,
            see=self._party.see,
            caption=lambda: self._caption,
        )

    def _camera(self, game: Adaptor) -> Camera:
        rng = np.random.default_rng(self._plan.seed)
        board, size_wh = game.board(), self._plan.size_wh
        scene = random_scene(board, rng, tier=self._plan.tier, labels={}, size_wh=size_wh)
        hung = camera_over(board, size_wh, tilt_deg=rng.uniform(4.0, 16.0), turn_deg=rng.normal(0.0, 6.0))
        return SimulatedCamera(replace(scene, camera=hung), self._table_at, self._shutter, rng)

    def conclude(self) -> Tally:
        """Let the people take in what the screen showed last, once the game is over; give their count of verdicts."""
        self.party.at(self._now_s)
        return self.party.tally

    def _table_at(self, time_s: float) -> Tabletop:
        self._now_s = time_s
        table = self.party.at(time_s)
        if self.party.over and not self._left:
            self._left = True
            self._tell_over()
        return table

    def _open_panel(self, enqueue: Enqueue) -> SimulatedPanel:
        self._panel = SimulatedPanel(enqueue, self._random(), clock_ns=self._clock.now_ns)
        return self._panel

    def _press_done(self) -> None:
        """Push the button and wait until it is let go, so that what follows is later."""
        if self._panel is not None:
            self._panel.press(Button.DONE).result()

    def _random(self) -> Random:
        return Random(self._plan.seed)  # noqa: S311 - players and contacts, no secrets

    def _tell(self, sentence: str) -> None:
        self._caption = sentence
