"""The checks of `companion doctor`: versions, camera, pins, terminal, memory, disk, and this table's set-up.

Every check takes the place where it looks (a folder such as /dev, an environment) as a parameter, for tests.
"""

from __future__ import annotations

import grp
import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import metadata, util
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeAlias

from companion.app.output import is_encodable
from companion.games.discovery import broken
from companion.locale import _, translated
from companion.printing.paper import NO_CORRECTION
from companion.shell.config_files import find_correction, find_wiring
from companion.shell.config_places import forgetting_words
from companion.shell.devices import CAMERAS, PANELS, webcams
from companion.shell.errors import ShellError, os_reason
from companion.shell.settings import USUAL_WPM, Settings, find_settings, settings_file
from companion.shell.voice import ESPEAK, open_voice
from companion.ui.names import clauses
from companion.ui.wiring import shows_nothing_words
from companion.ui.words import print_hint
from vision.camera.picamera import sensors
from vision.errors import CameraError


class CheckState(StrEnum):
    """The result of a check: fine, worth a look, missing but optional, or a problem."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check's finding, with a remedy if something is wrong.

    `code` is the name in every language of what `companion play` may need; a program's name is one itself.
    """

    name: str
    state: CheckState
    found: str
    remedy: str = ""
    code: str = ""


PACKAGES = ("numpy", "opencv-python-headless", "gpiozero", "msgspec", "platformdirs", "rich")
EXTRAS = {
    "display": ("luma.oled", "reportlab"),
    "mqtt": ("paho-mqtt",),
    "print": ("reportlab", "pypdfium2"),
    "report": ("jinja2", "reportlab", "pypdfium2"),
    "web": ("starlette", "uvicorn", "segno", "cryptography"),
}
"""The packages of optional commands, by the name of the extra in pyproject.toml."""

GROUPS = ("gpio", "video", "i2c", "spi")
"""Groups with access to pins, cameras and both buses on Raspberry Pi OS."""

_GLYPHS = "■□·─"
_LEAST_FREE_MB = 200
_HOT_CELSIUS = 75
_PATIENCE_S = 5.0

Ask: TypeAlias = Callable[..., str]
"""Runs a program and returns its output; "" if it does not exist or does not answer."""


def ask_program(*command: str, errors: bool = False) -> str:
    """Run a system program; return its output, or with `errors` its error."""
    try:
        asked = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE_S)  # noqa: S603 - the commands of this package
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error) if errors else ""
    wrong = asked.stderr if asked.returncode else ""
    return (wrong if errors else asked.stdout).strip()


def versions() -> Iterator[CheckResult]:
    """Check the versions of Python and of all libraries."""
    yield CheckResult("python", CheckState.OK, f"{platform.python_version()} ({platform.machine()})")
    for package in PACKAGES:
        version = _version(package)
        if not version and package.startswith("opencv") and util.find_spec("cv2"):  # apt's OpenCV has no metadata
            import cv2

            version = str(cv2.__version__)
        lacks = CheckResult(package, CheckState.PROBLEM, _("not installed"), pip_command([package]))
        yield CheckResult(package, CheckState.OK, version) if version else lacks
    yield CheckResult("sqlite", CheckState.OK, sqlite3.sqlite_version)
    for extra in EXTRAS:
        if lacking := lacking_of(extra):
            found = _("not installed: {packages}").format(packages=", ".join(lacking))
            yield CheckResult(extra, CheckState.MISSING, found, pip_command(lacking))
        else:
            yield CheckResult(extra, CheckState.OK, _("installed"))


def games() -> Iterator[CheckResult]:
    """Check the games of other packages, which are left out if they fail."""
    for package, reason in broken().items():
        yield CheckResult(package, CheckState.PROBLEM, reason, f"{sys.executable} -m pip uninstall {package}")


def lacking_of(extra: str) -> list[str]:
    """Return the packages of an extra that are not installed."""
    return [package for package in EXTRAS[extra] if not _version(package)]


def pip_command(packages: Iterable[str]) -> str:
    """Return the command that installs packages for this program."""
    return f"{sys.executable} -m pip install {' '.join(packages)}"


def _version(package: str) -> str:
    """Return the version of an installed package, "" if missing; a module may differ in name (paho-mqtt has paho)."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def computer(root: Path, ask: Ask) -> Iterator[CheckResult]:
    """Check the machine; on a Raspberry Pi also its temperature and throttling."""
    model = _text(root / "proc/device-tree/model") or f"{platform.system()} {platform.machine()}"
    yield CheckResult(_("computer"), CheckState.OK, model)
    throttled = _text(root / "sys/devices/platform/soc/soc:firmware/get_throttled")
    throttled = throttled or ask("vcgencmd", "get_throttled").removeprefix("throttled=")
    if re.fullmatch("(0x)?[0-9a-f]+", throttled):
        bits = int(throttled, 16)  # 0 to 3 mean now, 16 to 19 since the start
        past = _("was throttled since the start") if bits else _("never throttled since the start")
        found, remedy = _("throttled now") if bits & 0xF else past, _("use the official power supply and a heat sink")
        yield _warn_if(_("power"), found, remedy, wrong=bits != 0)
    millidegrees = _text(root / "sys/class/thermal/thermal_zone0/temp")
    if millidegrees.isdecimal():  # a Raspberry Pi throttles at 80 °C (its documentation on frequency)
        celsius = int(millidegrees) / 1000
        remedy = _("give it air or a heat sink")
        yield _warn_if(_("temperature"), f"{celsius:.0f} °C", remedy, wrong=celsius >= _HOT_CELSIUS)


def _warn_if(name: str, found: str, remedy: str, *, wrong: bool) -> CheckResult:
    """Return what was found, as a warning with its remedy if it is wrong."""
    return CheckResult(name, CheckState.WARNING, found, remedy) if wrong else CheckResult(name, CheckState.OK, found)


def cameras(root: Path) -> Iterator[CheckResult]:
    """List the kinds of camera; check USB cameras and the library of the ribbon camera."""
    yield CheckResult(_("cameras"), CheckState.OK, ", ".join(kind.usage for kind in CAMERAS.values()))
    devices, found = sorted((root / "dev").glob("video*")), webcams(root)
    if not devices:
        remedy = _("plug in a USB camera, or take a phone: --camera stream:http://ADDRESS, as its camera app shows it")
        yield CheckResult(_("webcam"), CheckState.MISSING, _("no /dev/video*"), remedy, code="webcam")
    elif not any(os.access(device, os.R_OK | os.W_OK) for device in devices):
        refused, remedy = _("no permission for /dev/video*"), _join_group("video")
        yield CheckResult(_("webcam"), CheckState.WARNING, refused, remedy, code="webcam")
    else:
        named = [f"{word} ({name})" for word, name in found] or [device.name for device in devices]
        yield CheckResult(_("webcam"), CheckState.OK, ", ".join(named))
    if not util.find_spec("picamera2"):
        install = "sudo apt install --no-install-recommends python3-picamera2"
        remedy = _("on a Raspberry Pi: {command}").format(command=install)
        yield CheckResult("picamera2", CheckState.MISSING, _("not installed: no ribbon camera"), remedy)
        return
    try:
        ribbons = ", ".join(sensors())
    except CameraError as error:
        yield CheckResult("picamera2", CheckState.PROBLEM, translated(str(error)), "rpicam-hello --list-cameras")
    else:
        remedy = _("with the power off, look at the ribbon cable's both ends")
        yield _warn_if(
            "picamera2", ribbons or _("installed, but no ribbon camera is connected"), remedy, wrong=not ribbons
        )


def pins(root: Path) -> Iterator[CheckResult]:
    """List the kinds of panel; check the pin controller, its permission and its library."""
    yield CheckResult(_("panels"), CheckState.OK, ", ".join(PANELS))
    chips = sorted((root / "dev").glob("gpiochip*"))
    if not chips:
        found = _("no /dev/gpiochip*: this computer has no pins")
        remedy = _("play with the keyboard instead: --panel desk")
        yield CheckResult(_("pins"), CheckState.MISSING, found, remedy, code="pins")
        return
    if any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        yield CheckResult(_("pins"), CheckState.OK, ", ".join(chip.name for chip in chips))
    else:
        found, remedy = _("no permission for /dev/gpiochip*"), _join_group("gpio")
        yield CheckResult(_("pins"), CheckState.WARNING, found, remedy, code="pins")
    if util.find_spec("lgpio"):
        yield CheckResult("lgpio", CheckState.OK, _("installed"))
    else:
        found = _("not installed: the pins cannot be used")
        yield CheckResult("lgpio", CheckState.MISSING, found, "sudo apt install python3-lgpio")


def terminal(environment: Mapping[str, str], encoding: str) -> Iterator[CheckResult]:
    """Check the language, and the terminal's character set and size."""
    variables = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    language = next((f"{name}={environment[name]}" for name in variables if environment.get(name)), None)
    yield CheckResult(_("language"), CheckState.OK, language or _("none set: English"))
    if is_encodable(_GLYPHS, encoding):
        lacks_boxes = environment.get("TERM") == "linux"
        found = _("{encoding} on a text console, whose font may lack boxes").format(encoding=encoding)
        remedy = "sudo dpkg-reconfigure console-setup"
        yield _warn_if(_("letters"), found if lacks_boxes else encoding, remedy, wrong=lacks_boxes)
    else:
        found = _("{encoding} lacks {glyphs}").format(encoding=encoding, glyphs=ascii(_GLYPHS))
        yield CheckResult(_("letters"), CheckState.WARNING, found, "export LC_ALL=C.UTF-8")
    columns, lines = shutil.get_terminal_size()
    remedy = _("make it at least 80 columns by 24 lines")
    yield _warn_if(_("window"), f"{columns} x {lines}", remedy, wrong=columns < 80 or lines < 24)


def memory(root: Path) -> Iterator[CheckResult]:
    """Check the free memory, if the system reports it."""
    for line in _text(root / "proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            free_mb = int(line.split()[1]) // 1024
            yield _amount(_("memory"), free_mb, _("close other programs"))


def storage(folder: Path) -> Iterator[CheckResult]:
    """Check that the journal's folder, or its nearest existing parent, is writable and has room."""
    there = next(place for place in (folder, *folder.parents) if _is_there(place))
    try:
        with TemporaryFile(dir=there) as file:  # written and synced, as the journal does
            file.write(b"kept")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        found = _("{folder} keeps nothing: {error}").format(folder=there, error=os_reason(error))
        remedy = _("make it yours: {command}").format(command=f"sudo chown $USER {there}")
        yield CheckResult(_("journal"), CheckState.PROBLEM, found, remedy)
    else:
        forgets = forgetting_words(there)
        yield CheckResult(_("journal"), CheckState.WARNING if forgets else CheckState.OK, forgets or str(folder))
    with suppress(OSError):  # the problem is already reported
        yield _amount(_("disk"), shutil.disk_usage(there).free // 1_000_000, _("delete what is not needed"))


def _is_there(folder: Path) -> bool:
    """Return whether a folder exists, or cannot be inspected: then writing shows whether it is usable."""
    try:
        return folder.is_dir()
    except OSError:
        return True


def _amount(name: str, free_mb: int, remedy: str) -> CheckResult:
    return _warn_if(name, _("{free} MB free").format(free=free_mb), remedy, wrong=free_mb < _LEAST_FREE_MB)


def settings(environment: Mapping[str, str]) -> tuple[Settings, CheckResult]:
    """Return the settings and the check of their file; the defaults if the file is unusable."""
    try:
        found = find_settings(environment)
    except ShellError as error:
        return Settings(), CheckResult(_("settings"), CheckState.PROBLEM, str(error), "companion settings example")
    file = settings_file(environment)
    return found.settings, CheckResult(_("settings"), CheckState.OK, str(file or _("no file: the usual ones")))


def with_needed(results: Iterable[CheckResult], settings: Settings, root: Path) -> Iterator[CheckResult]:
    """Yield checks; turn what is missing into a problem if `companion play` needs it with these settings."""
    kind, _colon, device = (settings.camera or "").partition(":")
    needed = {kind.replace("picamera", "picamera2"), *(("pins", "lgpio") if settings.panel == "gpio" else ())}
    if os.environ.get("GPIOZERO_PIN_FACTORY") == "mock":
        needed -= {"pins", "lgpio"}
    for result in results:
        lacks = (result.code or result.name) in needed and result.state is not CheckState.OK
        yield replace(result, state=CheckState.PROBLEM) if lacks else result
    node = Path(device if device.startswith("/") else f"/dev/video{device or 0}")
    if kind == "webcam" and any((root / "dev").glob("video*")) and not (root / node.relative_to("/")).exists():
        found = _("{file}: it does not exist").format(file=node)
        yield CheckResult(_("webcam"), CheckState.PROBLEM, found, "companion camera list")


def panel_wiring(file: Path | None, environment: Mapping[str, str], root: Path) -> Iterator[CheckResult]:
    """Check the wiring, and that the buses that it needs are enabled."""
    try:
        pins = find_wiring(file, environment)
    except ShellError as error:
        yield CheckResult(_("wiring"), CheckState.PROBLEM, str(error), "companion panel example")
        return
    count = sum(1 for _wire in pins.wires())
    yield CheckResult(_("wiring"), CheckState.OK, _("{count} pins, none used twice").format(count=count))
    if not pins.shows_numbers:
        yield CheckResult(_("wiring"), CheckState.WARNING, shows_nothing_words(), "companion panel example")
    for bus, nodes, part in (("spi", "spidev*", pins.potentiometer), ("i2c", "i2c-1", pins.display)):
        if part is None:
            continue
        if devices := sorted((root / "dev").glob(nodes)):
            yield CheckResult(bus, CheckState.OK, ", ".join(device.name for device in devices))
        else:
            found = _("not switched on, and the wiring has a part on it")
            yield CheckResult(bus, CheckState.PROBLEM, found, f"sudo raspi-config nonint do_{bus} 0")


def printer(environment: Mapping[str, str]) -> Iterator[CheckResult]:
    """Check whether the printer was measured, so that prints are to scale."""
    try:
        found = find_correction(environment)
    except ShellError as error:
        yield CheckResult(_("printer"), CheckState.PROBLEM, str(error), "companion print calibrate")
        return
    if found == NO_CORRECTION:
        yield CheckResult(_("printer"), CheckState.OK, clauses((_("not measured, which few need"), print_hint())))
    else:
        text = _("measured: {across:.1f} percent across, {down:.1f} percent down")
        yield CheckResult(
            _("printer"), CheckState.OK, text.format(across=100 * found.scale_x, down=100 * found.scale_y)
        )


def voice(asked: str | None) -> Iterator[CheckResult]:
    """Check the voice of the settings; without one, whether a voice is available."""
    try:
        opened = open_voice(asked or "off", USUAL_WPM, lambda: 0, print)
    except ShellError as error:  # it names what is missing, and where to get it
        yield CheckResult(_("voice"), CheckState.PROBLEM, str(error))
        return
    if opened is not None:
        opened.close()
        yield CheckResult(_("voice"), CheckState.OK, str(asked))
    elif program := shutil.which(ESPEAK):
        yield CheckResult(_("voice"), CheckState.OK, f"off, {program}")
    else:
        yield CheckResult(_("voice"), CheckState.MISSING, _("not installed"), f"sudo apt install {ESPEAK}")


def groups(root: Path, mine: Collection[str]) -> Iterator[CheckResult]:
    """Check that the user is in all device groups that exist here."""
    lines = root.joinpath("etc/group").read_text(encoding="utf-8").splitlines() if (root / "etc/group").exists() else []
    here = [group for group in GROUPS if any(line.startswith(f"{group}:") for line in lines)]
    lacking = [group for group in here if group not in mine]
    if lacking and "root" not in mine:
        found = _("not in: {groups}").format(groups=", ".join(lacking))
        yield CheckResult(_("groups"), CheckState.WARNING, found, _join_group(",".join(lacking)))
    elif here:
        yield CheckResult(_("groups"), CheckState.OK, ", ".join(here))


def own_groups() -> set[str]:
    """Return the names of the user's groups; the number of one without a name."""
    names = {entry.gr_gid: entry.gr_name for entry in grp.getgrall()}
    return {names.get(gid, str(gid)) for gid in (os.getegid(), *os.getgroups())}


def service(root: Path, ask: Ask) -> Iterator[CheckResult]:
    """Check that the service runs, if it is installed."""
    if not (root / "etc/systemd/system/companion.service").exists():
        return
    state = ask("systemctl", "is-active", "companion")
    remedies = {
        "active": (CheckState.OK, ""),
        "inactive": (CheckState.WARNING, "sudo systemctl start companion"),
        "": (CheckState.WARNING, "systemctl status companion"),
    }
    how, remedy = remedies.get(state, (CheckState.PROBLEM, "journalctl -u companion -n 20"))
    yield CheckResult(_("service"), how, state or _("systemd does not answer"), remedy)


def clock(ask: Ask) -> Iterator[CheckResult]:
    """Check that the network has set the clock, if systemd knows; without a battery a Pi starts in the past."""
    match ask("timedatectl", "show", "--property=NTPSynchronized", "--value"):
        case "yes":
            yield CheckResult(_("clock"), CheckState.OK, _("set by the network"))
        case "no":
            found = _("not set by the network: the journal's dates may be wrong")
            yield CheckResult(_("clock"), CheckState.WARNING, found, "sudo timedatectl set-ntp true")


def _join_group(groups: str) -> str:
    return _("{command}, then log in again").format(command=f"sudo usermod -aG {groups} $USER")


def _text(file: Path) -> str:
    """Return the content of a small system file, "" if it is missing."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""
