"""A service whose configuration cannot be used: it stays up, shows it on the panel, and goes on when a file is mended.

Without this the service manager would start it again every few seconds for ever, and nobody at the table would know.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from companion.shell.camera_files import LENS_FILE
from companion.shell.config_places import config_places
from companion.shell.device_files import HARDWARE_FILE
from companion.shell.errors import SetUpError
from companion.shell.settings import NAME as SETTINGS
from companion.shell.settings import Settings, find_settings, settings_file
from hardware.errors import HardwareError
from hardware.panel import Panel, Rhythm, Signal

LOOK_EVERY_S = 1.0

Stamp = tuple[int, int, int]
"""When a file was written, its size and its place on the disk: one of them changes when it is mended."""


def files_to_watch(environment: Mapping[str, str], given: Iterable[Path | None] = ()) -> list[Path]:
    """Return the files that a wrong configuration may come from, whether they are there or not.

    Args:
        environment: the process's variables.
        given: files that the command line names.
    """
    names = (SETTINGS, HARDWARE_FILE, LENS_FILE)
    found = [place for name in names for place in config_places(name, environment)]
    settings = Settings()
    try:
        settings = find_settings(environment).settings
        found += filter(None, [settings_file(environment)])
    except SetUpError:
        named = environment.get("COMPANION_SETTINGS")
        found += [Path(named)] if named else []
    return [*found, *filter(None, (settings.hardware, settings.lens, *settings.tables, *given))]


def wait_until_mended(
    files: Sequence[Path],
    open_panel: Callable[[], Panel],
    report: Callable[[], object] = lambda: None,
    *,
    wait: Callable[[float], object] = time.sleep,
) -> bool:
    """Show the fault rhythm on every lamp until one of the files changes; return False where there is no usable panel.

    Args:
        files: those that are looked at, once a second.
        open_panel: opens the panel.
        report: called once the panel shows the fault.
        wait: waits that many seconds.
    """
    before = stamps(files)

    def until_mended() -> None:
        report()
        while stamps(files) == before:
            wait(LOOK_EVERY_S)

    return show_fault(open_panel, until_mended)


def show_fault(open_panel: Callable[[], Panel], during: Callable[[], object]) -> bool:
    """Show the fault rhythm on every lamp while something is done; return False where there is no usable panel."""
    return show_on_all(open_panel, Rhythm.FAULT, Signal.FAULT, during)


def show_on_all(open_panel: Callable[[], Panel], rhythm: Rhythm, signal: Signal, during: Callable[[], object]) -> bool:
    """Show a rhythm on every lamp while something is done, then none; return False where there is no usable panel."""
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


def stamps(files: Iterable[Path]) -> dict[Path, Stamp | None]:
    """Return each file's stamp, None for one that is not there."""
    return {file: _stamp(file) for file in files}


def _stamp(file: Path) -> Stamp | None:
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
