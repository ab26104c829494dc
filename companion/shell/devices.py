"""What a game is played with, and the one place that names concrete cameras and panels."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypeVar

from companion.core.view import View
from companion.locale import _
from companion.printing.table_file import kit_board
from companion.shell.errors import SetUpError
from companion.shell.frame_reader import FrameReader, Stillness
from companion.shell.lights import HOLDS
from hardware.desk import DeskPanel
from hardware.panel import DarkPanel, Enqueue, Panel
from hardware.pi import GpioPanel
from hardware.pins import PinMap
from vision.board import Board
from vision.calibration import Calibration
from vision.camera.address import SCHEMES, checked_url
from vision.camera.camera import Camera
from vision.camera.files import FilesCamera, FolderCamera, listed, pictures_in
from vision.camera.picamera import PicameraCamera
from vision.camera.stream import StreamCamera
from vision.camera.webcam import WebcamCamera
from vision.enrolment import Enrolment
from vision.frame import Frame
from vision.geometry import Pose
from vision.localization.locate import ScaledImage
from vision.occlusion.gate import OcclusionDetector, OcclusionState
from vision.occlusion.gate_look import outline_of
from vision.recognition.reader import TableReader

OpenCamera: TypeAlias = Callable[[], Camera]
OpenPanel: TypeAlias = Callable[[Enqueue], Panel]
ItemT = TypeVar("ItemT")

Choices: TypeAlias = Mapping[str, Callable[[str], ItemT]]
"""By name, what makes a choice out of the text behind its colon ("0" of "webcam:0", "" when there is none)."""


PATIENCE_S = 1.5


@dataclass(frozen=True, slots=True)
class Devices:
    """What a game is played with.

    Attributes:
        camera: the name of the camera for users.
        eye: reads its frames; None if no camera looks at the table.
        panel: what to call the panel.
        open_panel: opens it.
        see: the one who else looks at the screen; called with every view, from the loop's thread.
        caption: what to say of the table itself, "" for nothing.
    """

    camera: str
    eye: FrameReader | None
    panel: str
    open_panel: OpenPanel
    see: Callable[[View], object] = lambda _view: None
    caption: Callable[[], str] = lambda: ""


def no_devices() -> Devices:
    """Return the devices of a game that nothing looks at: no camera, and a panel that nobody sees."""
    return Devices(_("none"), None, _("none"), lambda _enqueue: DarkPanel())


def eye_on(
    open_camera: OpenCamera,
    board: Board,
    calibration: Calibration | None = None,
    enrolment: Enrolment | None = None,
) -> FrameReader:
    """Return a frame reader for a table and a camera, with the calibrated lens and what was learned of the table."""
    return FrameReader(open_camera, TableReader(board, calibration, enrolment, kit_board(board)), gate_over(board))


def gate_over(board: Board) -> Callable[[Frame, Pose], Stillness]:
    """Return what reports whether a board's table is still, frame after frame, and which cells are hidden.

    At another photograph it starts again: pieces that were moved between the two are no hands.
    """
    gate, patience = OcclusionDetector(), _Patience()

    def stillness(frame: Frame, pose: Pose) -> Stillness:
        nonlocal gate, patience
        if frame.retaken:
            gate, patience = OcclusionDetector(), _Patience()
        at_s = frame.captured_ns / 1e9
        glance = gate.look(ScaledImage(frame.image_bgr, frame.small_bgr), outline_of(board, pose), at_s)
        places_mm = board.places_mm()
        hidden, in_doubt = glance.hides(places_mm, board.size), not patience.is_over(glance.still, at_s)
        hidden &= in_doubt | glance.arms_hide(places_mm, board.size)
        beside = hidden & glance.beside_arms(places_mm, board.size)
        settled = glance.still and glance.state is OcclusionState.CLEAN and not glance.hidden.any()
        return Stillness(glance.still, hidden, settled, beside)

    return stillness


class _Patience:
    """How long what looks like a hand is taken for one while nothing moves, unless it is an arm.

    A group of pieces set down at once may look like a hand to the gate, and the game must go on. No
    pieces look like an arm; the gate itself takes one for the board when it has not moved for long.
    """

    def __init__(self) -> None:
        self._still_since_s: float | None = None

    def is_over(self, still: bool, at_s: float) -> bool:  # noqa: FBT001 - what a glance says, no switch
        if not still:
            self._still_since_s = None
            return False
        if self._still_since_s is None:
            self._still_since_s = at_s
        return at_s - self._still_since_s >= PATIENCE_S


def choose(kind: str, asked: str, choices: Choices[ItemT]) -> ItemT:
    """Return the choice that a word of the command line names; `kind` is what the error message calls such a choice.

    Raises:
        SetUpError: there is no such choice.
        CameraError: there is no such folder of pictures, or an address is not that of a stream.
    """
    name, _colon, text = asked.partition(":")
    if name in choices:
        return choices[name](text)
    near = difflib.get_close_matches(name, choices, n=1)
    if name in SCHEMES and "stream" in choices:
        sentence = _('a network camera has "stream:" before its address: stream:{scheme}://...').format(scheme=name)
    elif near:
        sentence = _('unknown {kind} "{word}"; did you mean "{near}"?').format(kind=kind, word=name, near=near[0])
    else:
        sentence = _('unknown {kind} "{word}"; there are: {known}')
        sentence = sentence.format(kind=kind, word=name, known=", ".join(choices))
    raise SetUpError(sentence)


def _is_number(text: str) -> bool:
    """Return whether a text is the number of a camera: none has more than a few."""
    return text.isascii() and text.isdecimal() and len(text) <= 3


def _webcam(text: str) -> OpenCamera:
    if text.startswith("/dev/"):
        return lambda: WebcamCamera(text)
    if not _is_number(text):
        sentence = _('a webcam is given by its number or its device, such as "webcam:0", not "webcam:{text}"')
        raise SetUpError(sentence.format(text=text))
    return lambda: WebcamCamera(int(text))


def _picamera(text: str) -> OpenCamera:
    if text and not _is_number(text):
        sentence = _('a second ribbon camera is given by its number, such as "picamera:1", not "picamera:{text}"')
        raise SetUpError(sentence.format(text=text))
    return lambda: PicameraCamera(number=int(text or 0))


def _files(text: str) -> OpenCamera:
    pictures = pictures_in(Path(text))  # now, so that a wrong folder is reported before the game begins
    return lambda: FilesCamera(pictures)


def _photographs(text: str) -> OpenCamera:
    folder = Path(text)
    listed(folder)  # now, so that a wrong folder is reported before the game begins
    return lambda: FolderCamera(folder)


def _stream(text: str) -> OpenCamera:
    url = checked_url(text)  # now, so that a wrong address is reported before the game begins
    return lambda: StreamCamera(url)


CAMERAS: Choices[OpenCamera] = {
    "webcam": _webcam,
    "picamera": _picamera,
    "files": _files,
    "stream": _stream,
}

LIVE_CAMERAS: Choices[OpenCamera] = {**CAMERAS, "files": _photographs}
"""Those before which people play: a folder waits for new photographs instead of ending after its last."""


def panels(pins: Callable[[], PinMap]) -> Choices[OpenPanel]:
    """Return the panels that there are; `pins` returns the wiring, and is called only for a wired one."""
    return {"desk": lambda _text: DeskPanel, "gpio": lambda _text: partial(GpioPanel, pins=pins(), holds=HOLDS)}
