"""`companion play --unattended`: shows on the panel that a configuration or a journal cannot be used."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from companion.app.output import complain
from companion.app.photo_reading import own_table
from companion.cli.exits import FAULT
from companion.cli.parser import UsageError
from companion.locale import _, translated
from companion.shell.config_files import HARDWARE_FILE, LENS_FILE, enrolment_file, find_wiring
from companion.shell.config_places import config_places
from companion.shell.devices import panel_opener
from companion.shell.errors import JournalError, SetUpError
from companion.shell.settings import NAME as SETTINGS
from companion.shell.settings import Settings, find_settings, settings_file
from engines.kernel import BadRequestError
from hardware.errors import HardwareError, PanelError, PinMapError
from hardware.panel import Panel, Rhythm, Signal
from hardware.pins import DEFAULT_PINS, PinMap
from vision.board import shipped_games
from vision.errors import BoardFileError, CameraError

_SHOWN_S = 3.0


def run_as_service(args: argparse.Namespace, play: Callable[[], int]) -> int:
    """Play as a service; show a configuration that cannot be used on the panel until one of its files changes.

    Return `FAULT` if the journal or the panel cannot be opened: the service manager then starts it again.
    """
    while True:
        try:
            return play()
        except (JournalError, PanelError) as error:
            complain(translated(str(error)))
            return FAULT
        except (UsageError, SetUpError, BadRequestError, BoardFileError, CameraError, PinMapError) as error:
            files, sentence = files_to_watch(os.environ, (args.hardware, args.table)), translated(str(error))
            if not wait_until_mended(files, _fault_panel(args), lambda: complain(sentence)):  # noqa: B023 - called at once
                raise


def shown_on_panel(args: argparse.Namespace, play: Callable[[], int]) -> int:
    """Play; if a game cannot begin, show the fault for a moment on a panel on the pins and raise it."""
    try:
        return play()
    except (UsageError, SetUpError, BadRequestError, BoardFileError, CameraError):
        if args.panel == "gpio":
            show_on_all(_fault_panel(args), lambda: time.sleep(_SHOWN_S))
        raise


def _fault_panel(args: argparse.Namespace) -> Callable[[], Panel]:
    """Return a function that opens the panel on the pins, with defaults for what cannot be read."""
    try:
        settings = find_settings(os.environ).settings
    except SetUpError:
        settings = Settings()

    def pins() -> PinMap:
        try:
            return find_wiring(args.hardware or settings.hardware, os.environ)
        except SetUpError:
            return DEFAULT_PINS

    def opened() -> Panel:
        if (args.panel or settings.panel or "gpio") != "gpio":
            raise SetUpError(_("there is no panel on the pins to show it on"))
        open_panel = panel_opener("gpio", pins)
        assert open_panel is not None  # noqa: S101 - only a simulated one has none
        return open_panel(lambda _heard: None)

    return opened


# ---- the fault state

LOOK_EVERY_S = 1.0


def files_to_watch(environment: Mapping[str, str], given: Iterable[Path | None] = ()) -> list[Path]:
    """Return the files that a wrong configuration may come from, whether they exist or not; `given` are some more."""
    of_games = (name(game) for game in shipped_games() for name in (own_table, enrolment_file))
    names = (SETTINGS, HARDWARE_FILE, LENS_FILE, *of_games)
    found = [place for name in names for place in config_places(name, environment)]
    settings = Settings()
    try:
        settings = find_settings(environment).settings
        found += filter(None, [settings_file(environment)])
    except SetUpError:
        named = environment.get("COMPANION_SETTINGS")
        found += [Path(named)] if named else []
    named_there = (settings.hardware, settings.lens, settings.certificate, settings.certificate_key, *settings.tables)
    return [*found, *filter(None, (*named_there, *given))]


def wait_until_mended(
    files: Sequence[Path],
    open_panel: Callable[[], Panel],
    report: Callable[[], object] = lambda: None,
    *,
    wait: Callable[[float], object] = time.sleep,
) -> bool:
    """Show the fault rhythm on every lamp until one of the files changes; return False if no panel can be opened.

    `report` is called once the panel shows it; then the files are checked once a second.
    """
    before = [*map(_stamp, files)]

    def until_mended() -> None:
        report()
        while [*map(_stamp, files)] == before:
            wait(LOOK_EVERY_S)

    return show_on_all(open_panel, until_mended)


def show_on_all(
    open_panel: Callable[[], Panel],
    during: Callable[[], object],
    rhythm: Rhythm = Rhythm.FAULT,
    signal: Signal = Signal.FAULT,
) -> bool:
    """Show a rhythm on every lamp during a call, then close the panel; return False if none can be opened."""
    try:
        panel = open_panel()
    except (HardwareError, SetUpError):
        return False
    with panel:
        for lamp in range(len(panel.shown.rhythms)):
            panel.lamp(lamp, rhythm)
        panel.buzz(signal)
        during()
    return True


def _stamp(file: Path) -> tuple[int, int, int] | None:
    """Return time of writing, size and inode: one of them changes when a file is edited. None if there is no file."""
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
