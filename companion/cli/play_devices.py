"""The devices that the arguments of `companion play` ask for: camera, panel, table files, the simulated table."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.cli.parser import UsageError
from companion.locale import _

if TYPE_CHECKING:
    from pathlib import Path

    from companion.app.evening import PlayDevices
    from companion.shell.clock import Clock
    from companion.shell.settings import Settings
    from companion.simulator.link import Link
    from companion.simulator.table import SimulatedTable
    from hardware.pins import PinMap
    from vision.board import Board

SIMULATED, NOTHING = "simulated", "none"
SOCKET = "socket"
"""A table in another process, by the path of its socket; only tests and the demonstration start one."""

USUAL_SEED = 1
_FRAME_S = 0.2


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
    from companion.app.evening import DESK, PlayDevices
    from companion.shell.devices import CAMERAS, LIVE_CAMERAS, choose, panels
    from vision.camera.address import masked

    camera = args.camera or settings.camera or SIMULATED
    if camera == NOTHING:
        return PlayDevices(tables=own_boards(args.table))
    panel = args.panel or settings.panel or (SIMULATED if camera == SIMULATED else DESK)
    if args.hardware and panel != "gpio":
        raise UsageError(_("--hardware needs --panel gpio"))
    if link is not None:
        return _linked(link, args)
    cameras = CAMERAS if panel == SIMULATED else LIVE_CAMERAS  # at a simulated panel nobody takes photographs
    open_camera = choose(_("camera"), camera, {SIMULATED: lambda _text: None, **cameras})
    wired = panels(lambda: _wiring(args.hardware or settings.hardware, sound=settings.sound))
    open_panel = choose(_("panel"), panel, {SIMULATED: lambda _text: None, **wired})
    seed = USUAL_SEED if args.seed is None else args.seed
    dice = (args.dice or settings.dice) == "camera"
    simulated = _simulated_table(seed, clock, dice=dice) if open_camera is None or open_panel is None else None
    return PlayDevices(masked(camera), panel, open_camera, open_panel, simulated, own_boards(args.table), seed)


def _linked(link: Link, args: argparse.Namespace) -> PlayDevices:
    """Return camera and panel of a simulated table in another process; a game at it is resumed at one of our own."""
    from companion.app.evening import PlayDevices
    from companion.shell.feed import FedCamera, FedPanel
    from hardware.panel import MOST_LAMPS

    return PlayDevices(
        SIMULATED,
        SIMULATED,
        lambda: FedCamera(link, SIMULATED),
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
