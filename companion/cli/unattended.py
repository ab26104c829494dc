"""`companion play --unattended`: how the service deals with a configuration or a journal that cannot be used."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.app.output import complain
from companion.cli.exits import FAULT
from companion.cli.parser import UsageError
from companion.locale import _

if TYPE_CHECKING:
    from hardware.panel import Panel
    from hardware.pins import PinMap

_SHOWN_S = 3.0


def run_as_service(args: argparse.Namespace, play: Callable[[], int]) -> int:
    """Play as a service: a configuration that cannot be used is shown on the panel until one of its files changes.

    Returns `FAULT` where the journal or the panel cannot be opened: the service manager tries that again.
    """
    from companion.shell.errors import JournalError, SetUpError
    from companion.shell.fault_state import files_to_watch, wait_until_mended
    from engines.kernel import BadRequestError
    from hardware.errors import PanelError, PinMapError
    from vision.errors import BoardFileError, CameraError

    while True:
        try:
            return play()
        except (JournalError, PanelError) as error:
            complain(str(error))
            return FAULT
        except (UsageError, SetUpError, BadRequestError, BoardFileError, CameraError, PinMapError) as error:
            files, sentence = files_to_watch(os.environ, (args.hardware, args.table)), str(error)
            if not wait_until_mended(files, _fault_panel(args), lambda: complain(sentence)):  # noqa: B023 - called at once
                raise


def shown_on_panel(args: argparse.Namespace, play: Callable[[], int]) -> int:
    """Play; where a game cannot begin, show the fault on a panel on the pins for a moment before it is reported."""
    from companion.shell.errors import SetUpError
    from companion.shell.fault_state import show_fault
    from engines.kernel import BadRequestError
    from vision.errors import BoardFileError, CameraError

    try:
        return play()
    except (UsageError, SetUpError, BadRequestError, BoardFileError, CameraError):
        if args.panel == "gpio":
            show_fault(_fault_panel(args), lambda: time.sleep(_SHOWN_S))
        raise


def _fault_panel(args: argparse.Namespace) -> Callable[[], Panel]:
    """Return what opens the panel on the pins, whatever of the configuration cannot be read."""
    from companion.shell.device_files import find_wiring
    from companion.shell.devices import panel_opener
    from companion.shell.errors import SetUpError
    from companion.shell.settings import Settings, find_settings
    from hardware.pins import DEFAULT_PINS

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
