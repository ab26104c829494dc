"""Simulated players beside a program in a process of its own, which knows of their table only what it sees.

The program is `companion play` with the camera and the panel of a socket. It never gets the players' seed; they get
from it what its screen and panel show.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from random import Random
from typing import IO, Any

from companion.core.view import View
from companion.games import GAMES
from companion.shell.clock import FollowingClock
from companion.shell.devices import SOCKET
from companion.shell.feed import input_to_json
from companion.simulator.behaviour import VerdictCounts
from companion.simulator.link import send
from companion.simulator.planner import laid_out_by_people
from companion.simulator.table import Plan, SimulatedTable
from engines.kernel import JsonObject, Seat
from hardware.panel import PanelInput
from vision.camera.camera import Camera
from vision.errors import CameraError

_ENDS_S = 20.0
"""How long the program may take to end before it is killed."""


@dataclass(frozen=True)
class Program:
    """How the program under test is started.

    Attributes:
        game: the game's name.
        players: the seats in turn order.
        journal: its journal's file.
        options: the game's options, in the protocol's form.
        more: further words of its command line.
        output: its standard output; None discards it. Its standard error is that of this process.
        surroundings: environment variables that are added to those of this process, or replace them.
        command: the command before the words of `words`.
    """

    game: str
    players: Sequence[Seat]
    journal: Path
    options: JsonObject = field(default_factory=dict)
    more: Sequence[str] = ()
    output: IO[Any] | None = None
    surroundings: Mapping[str, str] = field(default_factory=dict)
    command: Sequence[str] = (sys.executable, "-m", "companion")

    def words(self, address: str) -> list[str]:
        """Return the words of its command line, with camera and panel at a socket."""
        options = ((name, json.dumps(value).strip('"')) for name, value in self.options.items())
        devices = ["--camera", f"{SOCKET}:{address}", "--panel", f"{SOCKET}:{address}"]
        chosen = [f"--option={name}={word}" for name, word in options]
        seats = ["--players", ",".join(self.players)]
        return ["play", self.game, *seats, *devices, "--journal", str(self.journal), *chosen, *self.more]

    def start(self, address: str) -> subprocess.Popen[bytes]:
        """Start the program in a new process."""
        words = [*self.command, *self.words(address)]
        surroundings = {**os.environ, "STATE_DIRECTORY": str(self.journal.parent), **self.surroundings}
        output = subprocess.DEVNULL if self.output is None else self.output
        return subprocess.Popen(words, env=surroundings, stdin=subprocess.DEVNULL, stdout=output)  # noqa: S603 - ourselves


class EndedEarlyError(RuntimeError):
    """A program that ended before it showed anything; `code` is its exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the program ended with {code} before it showed anything")
        self.code = code


@dataclass(frozen=True)
class EveningOutside:
    """How an evening went.

    Attributes:
        view: the last view of the program's screen.
        table: the table, whose players know the truth.
        counts: the program's verdicts, compared with the truth.
        exit_code: the program's exit code.
        seconds: how long the evening lasted at the table.
    """

    view: View
    table: SimulatedTable
    counts: VerdictCounts
    exit_code: int
    seconds: float

    @property
    def truth(self) -> Mapping[Seat, int]:
        """The score that the players at the table have."""
        return GAMES[self.view.game].engine.score(self.table.players.position)

    @property
    def scored(self) -> bool:
        """Whether the program kept that score."""
        return dict(self.view.score) == dict(self.truth)

    @property
    def gave_up(self) -> bool:
        """Whether the game was not played to its end."""
        return self.table.players.gave_up or self.exit_code != 0

    @property
    def went_well(self) -> bool:
        """Whether it was played to its end with the right score."""
        return self.scored and not self.gave_up


class OutsideTable:
    """A simulated table that another process watches.

    Args:
        plan: the kind of table, and the players' seed.
        frame_s: the shortest time between two frames.
        slowness: how much longer the program is taken to work on a frame than on this machine.
        wait: waits a number of seconds, to play in real time; None to play as fast as can be computed.
        tell: called with a sentence about each thing that the players do.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        frame_s: float = 0.2,
        slowness: float = 1.0,
        wait: Callable[[float], object] | None = None,
        tell: Callable[[str], object] = lambda _sentence: None,
    ) -> None:
        self._clock = FollowingClock()
        self._frame_s, self._slowness, self._wait = frame_s, slowness, wait
        self._worked_s, self._began_s = 0.0, time.monotonic()
        self._table = SimulatedTable(plan, clock=self._clock, shutter=self._next_ns)
        self._table.when_told, self._table.when_over = tell, self._end
        self._over, self._random = False, Random(plan.seed)  # noqa: S311 - people, no secrets
        self._see: Callable[[View], object] = lambda _view: None
        self._camera: Camera | None = None
        self._view: View | None = None
        self._verdict: tuple[int, Any] = (-1, None)

    def play(self, program: Program) -> EveningOutside:
        """Start the program and play until the players stop or it ends.

        Raises:
            EndedEarlyError: it ended before it showed anything.
        """
        with tempfile.TemporaryDirectory(prefix="companion-table-") as folder:
            address = str(Path(folder) / "table")
            with Listener(address, family="AF_UNIX") as listener, program.start(address) as process:
                threading.Thread(target=_knock_after, args=(process, address), daemon=True).start()
                with closing(listener.accept()) as connection:
                    self._serve(connection, process)
                try:
                    code = process.wait(_ENDS_S)
                except subprocess.TimeoutExpired:
                    process.kill()
                    code = process.wait()
        if self._view is None:
            raise EndedEarlyError(code)
        return EveningOutside(self._view, self._table, self._table.conclude(), code, self._clock.now_ns() / 1e9)

    def _serve(self, connection: Connection, process: subprocess.Popen[bytes]) -> None:
        """Answer the program's messages: each time it asks for a frame, time goes on and players act."""
        wanted: float | None = None
        with suppress(OSError, EOFError):
            while True:
                said = connection.recv()
                if "view" in said:
                    self._shown(connection, said)
                self._lit(said)
                wanted = said.get("worked_s", wanted)
                if wanted is not None and self._camera is not None:
                    self._worked_s, wanted = wanted, None
                    self._take_frame(connection, self._camera)
                if self._over:
                    process.send_signal(signal.SIGINT)
                    self._over = False

    def _shown(self, connection: Connection, said: Mapping[str, Any]) -> None:
        """Show the screen to the players; the first time, they lay the table for its position."""
        view = said["view"]
        if said["verdict"] != self._verdict[0]:
            self._verdict = said["verdict"], view.verdict
        object.__setattr__(view, "verdict", self._verdict[1])  # an unchanged verdict stays the same object
        if self._camera is None:
            game = GAMES[view.game]
            position = laid_out_by_people(game, view.position, self._random)
            devices = self._table.equip(game, position)
            devices.open_panel(lambda heard: self._pressed(connection, heard))
            self._see, self._camera = devices.see, self._table.open_camera()
        self._view = view
        self._see(view)

    def _lit(self, said: Mapping[str, Any]) -> None:
        """Handle what the panel and the small display show; these players look at the screen only."""

    def _pressed(self, connection: Connection, heard: PanelInput) -> None:
        """Send an input at the panel."""
        send(connection, input_to_json(heard), self._clock.now_ns())

    def _take_frame(self, connection: Connection, camera: Camera) -> None:
        try:
            frame = camera.read()
        except CameraError as error:
            send(connection, {"failed": str(error)}, self._clock.now_ns())
            camera.close()
            self._camera = self._table.open_camera()
            return
        send(connection, {"shape": frame.image_bgr.shape}, frame.captured_ns)
        connection.send_bytes(frame.image_bgr.tobytes())

    def _next_ns(self) -> int:
        """Advance the clock by the time that the program has worked, at least by `frame_s`; return it in ns."""
        passed_s = max(self._frame_s, self._worked_s * self._slowness)
        self._worked_s = 0.0
        self._clock.move_to(self._clock.now_ns() + round(passed_s * 1e9))
        if self._wait is not None:
            self._wait(max(0.0, self._began_s + self._clock.now_ns() / 1e9 - time.monotonic()))
        return self._clock.now_ns()

    def _end(self) -> None:
        self._over = True


def _knock_after(process: subprocess.Popen[bytes], address: str) -> None:
    """Connect once the program has ended, so that `accept` does not wait for it for ever."""
    process.wait()
    with suppress(OSError):
        Client(address, family="AF_UNIX").close()
