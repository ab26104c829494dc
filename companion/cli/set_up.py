"""What of this table's own set-up the doctor looks at: settings, wiring, groups, SPI, the service, the clock."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.surroundings import Ask, Finding, State
from companion.locale import _
from companion.printing.paper import NO_CORRECTION
from companion.shell.errors import ShellError
from companion.shell.hardware_file import wiring
from companion.shell.printer_file import find_correction
from companion.shell.settings import Settings, find_settings, settings_file
from companion.ui.words import print_hint

if TYPE_CHECKING:
    from hardware.pins import PinMap

GROUPS = ("gpio", "video", "i2c", "spi")
"""Whose members may use pins, cameras and both buses on Raspberry Pi OS."""


def settings(environment: Mapping[str, str]) -> tuple[Settings, Finding]:
    """Return whether the settings can be used, and give them; the usual ones where they cannot."""
    try:
        found = find_settings(environment)
    except ShellError as error:
        return Settings(), Finding("settings", State.PROBLEM, str(error), "companion settings example")
    file = settings_file(environment)
    return found.settings, Finding("settings", State.OK, str(file or _("no file: the usual ones")))


def panel_wiring(file: Path | None, environment: Mapping[str, str], root: Path) -> Iterator[Finding]:
    """Return whether the wiring can be used, and whether the bus that it needs is switched on."""
    try:
        pins = wiring(file, environment)
    except ShellError as error:
        yield Finding("wiring", State.PROBLEM, str(error), "companion panel example")
        return
    count = sum(1 for _wire in pins.wires())
    yield Finding("wiring", State.OK, _("{count} pins, none used twice").format(count=count))
    yield from _bus(pins, root)


def printer(environment: Mapping[str, str]) -> Iterator[Finding]:
    """Yield whether the printer was measured, so that cards and boards come out to scale."""
    try:
        found = find_correction(environment)
    except ShellError as error:
        yield Finding("printer", State.PROBLEM, str(error), "companion print calibrate")
        return
    if found == NO_CORRECTION:
        yield Finding("printer", State.OK, "; ".join((_("not measured, which few need"), print_hint())))
    else:
        text = _("measured: {across:.1f} percent across, {down:.1f} percent down")
        yield Finding("printer", State.OK, text.format(across=100 * found.scale_x, down=100 * found.scale_y))


def _bus(pins: PinMap, root: Path) -> Iterator[Finding]:
    if pins.potentiometer is None:
        return
    devices = sorted((root / "dev").glob("spidev*"))
    if devices:
        yield Finding("spi", State.OK, ", ".join(device.name for device in devices))
    else:
        found = _("not switched on, and the wiring has a slider on it")
        yield Finding("spi", State.PROBLEM, found, "sudo raspi-config nonint do_spi 0")


def groups(root: Path, mine: Collection[str]) -> Iterator[Finding]:
    """Return in which of the groups that there are here the user is not."""
    lines = root.joinpath("etc/group").read_text(encoding="utf-8").splitlines() if (root / "etc/group").exists() else []
    here = [group for group in GROUPS if any(line.startswith(f"{group}:") for line in lines)]
    lacking = [group for group in here if group not in mine]
    if lacking and "root" not in mine:
        remedy = _("{command}, then log in again").format(command=f"sudo usermod -aG {','.join(lacking)} $USER")
        yield Finding("groups", State.WARNING, _("not in: {groups}").format(groups=", ".join(lacking)), remedy)
    elif here:
        yield Finding("groups", State.OK, ", ".join(here))


def service(root: Path, ask: Ask) -> Iterator[Finding]:
    """Return whether the service runs, where it is installed."""
    if not (root / "etc/systemd/system/companion.service").exists():
        return
    state = ask("systemctl", "is-active", "companion")
    remedies = {
        "active": (State.OK, ""),
        "inactive": (State.WARNING, "sudo systemctl start companion"),
        "": (State.WARNING, "systemctl status companion"),
    }
    how, remedy = remedies.get(state, (State.PROBLEM, "journalctl -u companion -n 20"))
    yield Finding("service", how, state or _("systemd does not answer"), remedy)


def clock(ask: Ask) -> Iterator[Finding]:
    """Return whether the network has set the clock, where systemd knows; a Pi without a battery starts in the past."""
    match ask("timedatectl", "show", "--property=NTPSynchronized", "--value"):
        case "yes":
            yield Finding("clock", State.OK, _("set by the network"))
        case "no":
            found = _("not set by the network: the journal's dates may be wrong")
            yield Finding("clock", State.WARNING, found, "sudo timedatectl set-ntp true")
