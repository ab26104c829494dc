"""The devices of a game, and the lists of cameras and panels that settings, help, `camera list` and doctor read.

A kind imports its driver only when a device is opened, so that commands that list them need not load OpenCV.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from companion.locale import _
from companion.shell.errors import SetUpError, unknown
from hardware.panel import Enqueue, Panel
from vision.camera.address import SCHEMES, checked_url
from vision.errors import CameraError

if TYPE_CHECKING:
    from companion.core.view import View
    from companion.shell.frame_reader import FrameReader
    from companion.shell.oled_display import OpenLeaves
    from hardware.keypad import Keypad
    from hardware.pins import PinMap
    from vision.camera.camera import Camera

OpenCamera: TypeAlias = "Callable[[], Camera]"
OpenPanel: TypeAlias = Callable[[Enqueue], Panel]
OpenKeypad: TypeAlias = "Callable[[Enqueue], Keypad]"
Connected: TypeAlias = tuple[str, str]
"""What is typed after --camera for a connected camera, and its name."""

KindT = TypeVar("KindT")

SIMULATED, NOTHING = "simulated", "none"
SOCKET = "socket"
"""A camera or a panel in another process, "socket:PATH"; used by tests and the demonstration."""

_PI_PARTS = ("unicam", "rp1-cfe", "bcm2835", "pispbe", "rpi-", "rpivid")
"""Name prefixes of a Pi's own video nodes: its ribbon camera and its decoders, not webcams."""


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices of a game.

    Attributes:
        camera: the camera's name for users.
        eye: reads its frames; None if no camera looks at the table.
        panel: the panel's name for users.
        open_panel: opens it.
        see: called with every view, from the loop's thread, to show it to simulated players.
        caption: returns a sentence about the table itself, "" for nothing.
        open_keypad: opens the keypad for questions; None if there is none apart from the panel's keys.
        reads_elsewhere: a display shows the numbers, so lamps need not count them out.
        panel_alone: nobody looks at a screen.
    """

    camera: str
    eye: FrameReader | None
    panel: str
    open_panel: OpenPanel
    see: Callable[[View], object] = lambda _view: None
    caption: Callable[[], str] = lambda: ""
    open_keypad: OpenKeypad | None = None
    reads_elsewhere: bool = False
    panel_alone: bool = False


def no_devices() -> Devices:
    """Return the devices of a game without camera and panel."""
    return Devices(_("none"), None, _("none"), lambda _enqueue: Panel())


# ---- the cameras


@dataclass(frozen=True, slots=True)
class CameraKind:
    """A kind of camera.

    Attributes:
        usage: what is typed after --camera, with an example or a placeholder after the colon.
        about: describes it in a few words, in the user's language.
        make: returns an opener from the text after the colon ("0" of "webcam:0", "" if there is none); raises
            SetUpError or CameraError if the text is unusable. None: there is nothing to open.
        make_live: the same for a table with players, if that differs, also called with `resumed`: a folder waits for
            new photographs instead of ending after its last, and a resumed game begins with the newest.
        connected: lists the connected ones, under a root folder such as "/".
        hint: explains how to use one that cannot be listed, "" for no hint.
    """

    usage: str
    about: Callable[[], str]
    make: Callable[[str], OpenCamera] | None = None
    make_live: Callable[..., OpenCamera] | None = None
    connected: Callable[[Path], Sequence[Connected]] = lambda _root: ()
    hint: Callable[[], str] = str


def _is_number(text: str) -> bool:
    """Return whether a text is a camera's number, of at most three digits."""
    return text.isascii() and text.isdecimal() and len(text) <= 3


def _webcam(text: str) -> OpenCamera:
    from vision.camera.webcam import WebcamCamera

    if text.startswith("/dev/"):
        return lambda: WebcamCamera(text)
    if not _is_number(text):
        sentence = _('a webcam is given by its number or its device, such as "webcam:0", not "webcam:{text}"')
        raise SetUpError(sentence.format(text=text))
    return lambda: WebcamCamera(int(text))


def webcams(root: Path) -> Sequence[Connected]:
    """List the capture devices that Linux knows; of a device with several nodes the first."""
    found: list[Connected] = []
    for node in sorted(root.glob("sys/class/video4linux/video*"), key=lambda node: (len(node.name), node.name)):
        name, index = node / "name", node / "index"
        if not name.is_file() or (index.is_file() and index.read_text().strip() != "0"):
            continue
        called = name.read_text().strip()
        if not called.startswith(_PI_PARTS):
            found.append((f"webcam:{node.name.removeprefix('video')}", called))
    return found


def _picamera(text: str) -> OpenCamera:
    from vision.camera.picamera import PicameraCamera

    if text and not _is_number(text):
        sentence = _('a second ribbon camera is given by its number, such as "picamera:1", not "picamera:{text}"')
        raise SetUpError(sentence.format(text=text))
    return lambda: PicameraCamera(number=int(text or 0))


def _ribbon_cameras(_root: Path) -> Sequence[Connected]:
    from vision.camera.picamera import sensors

    try:
        return [(f"picamera:{number}" if number else "picamera", model) for number, model in enumerate(sensors())]
    except CameraError:  # without picamera2 there are none
        return []


def _files(text: str) -> OpenCamera:
    from vision.camera.files import FilesCamera, pictures_in

    pictures = pictures_in(Path(text))  # now, so that a wrong folder is reported before the game begins
    return lambda: FilesCamera(pictures)


def _photographs(text: str, *, resumed: bool) -> OpenCamera:
    from vision.camera.files import FolderCamera, listed

    folder = Path(text)
    listed(folder)  # now, so that a wrong folder is reported before the game begins
    return lambda: FolderCamera(folder, newest=resumed)


def _stream(text: str) -> OpenCamera:
    from vision.camera.stream import StreamCamera

    url = checked_url(text)  # now, so that a wrong address is reported before the game begins
    return lambda: StreamCamera(url)


def _phone(_text: str) -> OpenCamera:
    from vision.camera.phone import PhoneCamera

    return PhoneCamera


CAMERAS: Mapping[str, CameraKind] = {
    SIMULATED: CameraKind(SIMULATED, lambda: _("a simulated table, at which simulated people play")),
    "picamera": CameraKind(
        "picamera", lambda: _("a Raspberry Pi's ribbon camera"), _picamera, connected=_ribbon_cameras
    ),
    "webcam": CameraKind("webcam:0", lambda: _("a USB camera, by its number or device"), _webcam, connected=webcams),
    "stream": CameraKind(
        "stream:URL",
        lambda: _(
            "the address that a phone's camera app or a network camera shows (MJPEG or RTSP), such as "
            "http://192.168.1.20:8080/video"
        ),
        _stream,
        hint=lambda: _(
            "A phone or network camera: --camera stream:http://ADDRESS, as its camera app shows it (rtsp:// as well)."
        ),
    ),
    "phone": CameraKind("phone", lambda: _("a phone that has the page open, with --listen"), _phone),
    "files": CameraKind(
        "files:FOLDER",
        lambda: _(
            "the photographs in a folder, then each new one that is put there; with --panel simulated it ends after "
            "the last"
        ),
        _files,
        _photographs,
        hint=lambda: _("A phone that sends its photographs to a folder: companion play --camera files:FOLDER"),
    ),
    NOTHING: CameraKind(NOTHING, lambda: _("no camera: people type what they do")),
}
"""By the word before the colon. To add a kind of camera, add an entry."""

REAL_CAMERAS: Mapping[str, CameraKind] = {word: kind for word, kind in CAMERAS.items() if kind.make}
"""The cameras that take pictures of a real table."""


def connected_cameras() -> Iterator[Connected]:
    """Yield what is typed after --camera for every connected camera, and its name."""
    for kind in CAMERAS.values():
        yield from kind.connected(Path("/"))


def camera_opener(
    asked: str, kinds: Mapping[str, CameraKind] = CAMERAS, *, live: bool = False, resumed: bool = False
) -> OpenCamera | None:
    """Return the opener of the camera that a user names, such as "webcam:0"; None for the simulated one, or none.

    `live`: there are players at the table; `resumed`: they resume a game.

    Raises:
        SetUpError: there is no such kind.
        CameraError: there is no such folder of pictures, or an address is not that of a stream.
    """
    kind, text = choose(_("camera"), asked, kinds)
    if live and kind.make_live:
        return kind.make_live(text, resumed=resumed)
    return kind.make(text) if kind.make else None


# ---- the panels


@dataclass(frozen=True, slots=True)
class PanelKind:
    """A kind of panel.

    Attributes:
        about: describes it in a few words, in the user's language.
        make: returns its opener from a function that returns the wiring, which is called only for a wired panel, and
            `asks`: whether players listen, and ask questions with its keys. None: the simulated table has the panel.
    """

    about: Callable[[], str]
    make: Callable[..., OpenPanel] | None = None


def _desk(_pins: Callable[[], PinMap], *, asks: bool) -> OpenPanel:
    from hardware.desk import DeskPanel

    return partial(DeskPanel, asks=asks)


def _gpio(pins: Callable[[], PinMap], *, asks: bool) -> OpenPanel:
    from companion.shell.effects import AGAIN, HOLDS
    from hardware.pi import GpioPanel

    return partial(GpioPanel, pins=pins(), holds=(*HOLDS, AGAIN) if asks else HOLDS)


PANELS: Mapping[str, PanelKind] = {
    SIMULATED: PanelKind(lambda: _("buttons and lamps of the simulated table")),
    "desk": PanelKind(lambda: _("this keyboard"), _desk),
    "gpio": PanelKind(lambda: _("a Raspberry Pi's pins"), _gpio),
}
"""By what is typed after --panel. To add a kind of panel, add an entry."""


def panel_opener(asked: str, pins: Callable[[], PinMap], *, asks: bool = False) -> OpenPanel | None:
    """Return the opener of the panel that a user names, such as "desk"; None for the simulated one.

    `asks`: players listen, and ask questions with the panel's keys.

    Raises:
        SetUpError: there is no such kind, or the wiring cannot be used.
    """
    kind, _text = choose(_("panel"), asked, PANELS)
    return kind.make(pins, asks=asks) if kind.make else None


def display_opener(asked: str, pins: Callable[[], PinMap]) -> OpenLeaves | None:
    """Return the opener of the panel's small display; None if its wiring has none.

    Raises:
        SetUpError: the wiring cannot be used.
    """
    wired = pins().display if asked == "gpio" else None
    if wired is None:
        return None
    from companion.shell.oled_display import LeafTurner
    from hardware.oled import Oled

    return lambda report: closing(LeafTurner(partial(Oled, wired), report))


def choose(kind: str, asked: str, kinds: Mapping[str, KindT]) -> tuple[KindT, str]:
    """Return the kind that a user names and the text after its colon; `kind` is what an error message calls it.

    Raises:
        SetUpError: there is no such kind.
    """
    name, _colon, text = asked.partition(":")
    if name in kinds:
        return kinds[name], text
    if name in SCHEMES and "stream" in kinds:
        sentence = _('a network camera has "stream:" before its address: stream:{scheme}://...')
        raise SetUpError(sentence.format(scheme=name))
    raise SetUpError(unknown(kind, name, kinds))
