"""The devices that the arguments of `companion play` ask for: camera, panel, table files, the simulated table."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.cli.parser import UsageError
from companion.locale import _

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from companion.app.lobby import LobbyDevices
    from companion.core.view import View
    from companion.games.adaptor import Adaptor
    from companion.shell.clock import Clock
    from companion.shell.devices import Devices, OpenCamera, OpenPanel
    from companion.shell.loop import Message
    from companion.shell.settings import Settings
    from companion.simulator.link import Link
    from companion.simulator.table import SimulatedTable
    from hardware.pins import PinMap
    from vision.board import Board

SIMULATED = "simulated"
DESK = "desk"
SOCKET = "socket"
"""A table in another process, by the path of its socket; only tests and the demonstration start one."""

_USUAL_SEED = 1
_FRAME_S = 0.2


@dataclass(frozen=True)
class PlayDevices:
    """What a game is played with, by the words of the command line.

    Attributes:
        camera, panel: as they are shown.
        open_camera, open_panel: open them; None for those of the simulated table.
        simulated: the simulated table with its players; None if nothing is simulated.
        tables: the players' own boards, by game.
        seed: of the simulated table.
        dice: throws the dice; None: the system's source of chance.
        heard: told each message that the loop has taken in.
        see: shown every view: who looks at the screen from another process.
    """

    camera: str
    panel: str
    open_camera: OpenCamera | None
    open_panel: OpenPanel | None
    simulated: SimulatedTable | None
    tables: Mapping[str, Board]
    seed: int = _USUAL_SEED
    dice: Random | None = None
    heard: Callable[[Message], object] = lambda _message: None
    see: Callable[[View], object] | None = None

    def equip(self, game: Adaptor, position: Any) -> Devices:
        """Return the devices of a game; what is simulated is one table with users round it."""
        from companion.shell.camera_files import find_calibration, find_enrolments
        from companion.shell.devices import Devices, eye_on
        from hardware.panel import DarkPanel

        devices = Devices(self.camera, None, self.panel, lambda _enqueue: DarkPanel())
        if self.simulated is not None:
            devices = self.simulated.equip(game, position)
        if self.open_camera is not None:
            board = self.tables.get(game.name, game.board())
            enrolled = find_enrolments([board.game], os.environ).get(board.game)
            eye = eye_on(self.open_camera, board, find_calibration(None, os.environ), enrolled)
            devices = replace(devices, camera=self.camera, eye=eye)
        if self.open_panel is not None:
            devices = replace(devices, panel=self.panel, open_panel=self.open_panel)
        return devices if self.see is None else replace(devices, see=self.see)

    def opens_camera(self) -> OpenCamera:
        """Return what opens the camera, the simulated table's where nothing else was asked for.

        Raises:
            RuntimeError: there is neither.
        """
        if self.open_camera is not None:
            return self.open_camera
        if self.simulated is None:
            message = "a camera that is not simulated has a way to open it"
            raise RuntimeError(message)
        return self.simulated.open_camera

    def for_lobby(self, turn: int, *, typed: bool) -> LobbyDevices:
        """Return what the lobby is held with; the simulated players lay another game on the table every time.

        Args:
            turn: which lobby of the evening it is, counted from 0.
            typed: whether users can type.
        """
        from companion.app.lines import read_line
        from companion.app.lobby import LobbyDevices
        from hardware.panel import DarkPanel

        open_panel = self.open_panel
        if self.simulated is not None:
            laid = self._laid(self.simulated, turn)
            open_panel = open_panel or laid.open_panel
        if open_panel is None:
            message = "a panel that is not simulated has a way to open it"
            raise RuntimeError(message)
        at_keyboard = self.panel == DESK  # its keys are words in the lobby
        return LobbyDevices(
            self.opens_camera(),
            (lambda _enqueue: DarkPanel()) if at_keyboard else open_panel,
            self._reader(),
            iter(read_line, "") if at_keyboard or (typed and sys.stdin.isatty()) else None,
            (lambda: None) if self.simulated is None else self.simulated.agree,
            can_leave=typed,
            heard=self.heard,
        )

    def _laid(self, simulated: SimulatedTable, turn: int) -> Devices:
        """Lay a game on the simulated table."""
        from companion.app.offers import seats_of
        from companion.games import GAMES
        from companion.games.engines import ENGINES
        from companion.games.simulated import SIMULATED as PLAYED
        from companion.shell.opening import new_position, usual_players

        games = list(PLAYED)
        game = games[(self.seed + turn) % len(games)]
        engine, colours = ENGINES[game], GAMES[game].board().colours
        position = new_position(engine, usual_players(engine, seats_of(GAMES[game].board())), {}, 0, colours)
        return simulated.equip(GAMES[game], position)

    def _reader(self) -> Any:
        from companion.shell.camera_files import find_calibration, find_enrolments
        from vision.board import known_boards
        from vision.recognition.reader import AnyTableReader

        boards = [self.tables.get(board.game, board) for board in known_boards()]
        enrolments = find_enrolments([board.game for board in boards], os.environ)
        return AnyTableReader(boards, find_calibration(None, os.environ), enrolments)


def link_to(camera: str | None) -> Link | None:
    """Return the connection to a simulated table in another process where a camera is one of those ("socket:PATH").

    Raises:
        SetUpError: nobody listens there.
    """
    kind, _colon, address = (camera or "").partition(":")
    if kind != SOCKET:
        return None
    from companion.simulator.link import Link

    return Link(address)


def play_devices(args: argparse.Namespace, settings: Settings, clock: Clock, link: Link | None = None) -> PlayDevices:
    """Find out which devices the arguments ask for.

    Args:
        args: the command line.
        settings: what is taken where it says nothing.
        clock: the loop's.
        link: the connection to a simulated table in another process, as `link_to` returns it.

    Raises:
        UsageError: the arguments contradict one another.
        ShellError, VisionError: there are no such devices.
    """
    from companion.shell.devices import CAMERAS, choose, panels
    from vision.camera.address import masked

    camera = args.camera or settings.camera or SIMULATED
    panel = args.panel or settings.panel or (SIMULATED if camera == SIMULATED else DESK)
    if args.hardware and panel != "gpio":
        raise UsageError(_("--hardware needs --panel gpio"))
    if link is not None:
        return _linked(link, camera, panel, args)
    open_camera = choose(_("camera"), camera, {SIMULATED: lambda _text: None, **CAMERAS})
    wired = panels(lambda: _wiring(args.hardware or settings.hardware, sound=settings.sound))
    open_panel = choose(_("panel"), panel, {SIMULATED: lambda _text: None, **wired})
    seed = _USUAL_SEED if args.seed is None else args.seed
    dice = (args.dice or settings.dice) == "camera"
    simulated = _simulated_table(seed, clock, dice=dice) if open_camera is None or open_panel is None else None
    return PlayDevices(masked(camera), panel, open_camera, open_panel, simulated, own_boards(args.table), seed)


def _linked(link: Link, camera: str, panel: str, args: argparse.Namespace) -> PlayDevices:
    from companion.shell.feed import FedCamera, FedPanel
    from hardware.panel import MOST_LAMPS

    return PlayDevices(
        camera,
        panel,
        lambda: FedCamera(link, camera),
        lambda enqueue: FedPanel(link, enqueue, MOST_LAMPS),
        None,
        own_boards(args.table),
        see=link.see,
    )


def own_boards(file: Path | None, game: str | None = None) -> Mapping[str, Board]:
    """Load the players' own boards, by game.

    Args:
        file: a table file that is named beside a game, None for the tables of the settings.
        game: the game that is played, None while it is not known.

    Raises:
        UsageError: one has other cells or labels than the game's, or the file is another game's.
    """
    from companion.app.photo_reading import own_tables
    from vision.board import load_board, shipped_board

    tables = own_tables() if file is None else {(board := load_board(file)).game: board}
    if file is not None and game not in (None, *tables):
        text = _('{file}: expected a table for {game}, found one for "{found}"')
        raise UsageError(text.format(file=file, game=game, found=", ".join(tables)))
    for name, own in tables.items():
        ours = shipped_board(name)
        if (own.places, own.label_words) != (ours.places, ours.label_words):
            raise UsageError(
                _("the table of {game} needs the cells and labels of ours to be played on").format(game=name)
            )
    return tables


def _simulated_table(seed: int, clock: Clock, *, dice: bool) -> SimulatedTable:
    """Return a simulated table, with dice beside the board; its modules are imported only for that."""
    from companion.simulator.behaviour import PlayerBehaviour
    from companion.simulator.clock import LiveShutter
    from companion.simulator.hands import Pace
    from companion.simulator.table import Plan, SimulatedTable

    plan = Plan(seed, PlayerBehaviour(), Pace(), dice=dice)
    return SimulatedTable(plan, clock=clock, shutter=LiveShutter(clock, frame_s=_FRAME_S))


def _wiring(file: Path | None, *, sound: bool) -> PinMap:
    """Return the panel's wiring, without the buzzer where no sound is wanted.

    Raises:
        SetUpError: the file cannot be used.
    """
    from companion.shell.device_files import find_wiring

    pins = find_wiring(file, os.environ)
    return pins if sound else replace(pins, buzzer=None)
