"""Recordings of an evening in a folder, for fault reports: all inputs, in order.

    evening.json     how it began: set-up, seed of the dice, time
    inputs.jsonl     a line for each message that the loop handled: frame, press, slider, line, timer, failed camera
    frames/          the pictures that were read (JPEG)
    before.sqlite3   the journal before it, if there was one; journal.sqlite3 the journal after it
    table.toml       the players' own table file, if they named one; lens.toml and GAME.enrolled.toml, if there were any

A `RecordedEvening` feeds the same inputs to the same loop, in the same order. While an evening is recorded the program
reads each picture as it is kept, so that a replay reads the same pixels. Nothing is sent anywhere.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

import cv2
import msgspec

from companion import __version__
from companion.core.entries import Arranged
from companion.core.messages import DeviceFailed, FrameBlind, FrameRead, TimerFired
from companion.locale import _
from companion.shell.clock import Clock, FollowingClock, Timers
from companion.shell.config_files import LENS_FILE, enrolment_file, read_enrolment
from companion.shell.devices import OpenCamera
from companion.shell.errors import SetUpError, os_reason
from companion.shell.feed import Feed, input_from_json, input_to_json
from companion.shell.journal_recovery import copy_as_it_is
from companion.shell.loop import Message
from companion.shell.session import Setup
from companion.shell.toml_file import read_toml
from engines.kernel import Level
from hardware.panel import Button, ButtonPressed, Enqueue, KeyPressed, LineTyped, Shown, SliderMoved
from vision.calibration import Calibration, calibration_toml
from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.enrolment import Enrolment, enrolment_toml
from vision.errors import CameraEndedError, CameraError, NoPictureYetError
from vision.file_access import write_atomically
from vision.frame import Frame
from vision.image_file import decode_image, load_image
from vision.observation import BlindReason

MOST_BYTES = 4_000_000_000
"""Of pictures in one recording; five a second of 1296 x 972 are 2,300 MB an hour, if hands hardly ever rest."""

_LEAST_FREE_BYTES = 500_000_000
"""That much disk space is left free: the journal comes first."""

_FORMAT = 2
_QUALITY = 95
_EVENING, _INPUTS, _FRAMES, _TABLE = "evening.json", "inputs.jsonl", "frames", "table.toml"
BEFORE, AFTER = "before.sqlite3", "journal.sqlite3"


@dataclass(frozen=True)
class Begun:
    """How a recorded evening began: its set-up from command line and settings, without journal and tables, and when.

    `at_ns` is the clock's time at that moment. `format` is that of the folder.
    """

    setup: dict[str, Any]
    dice_seed: int
    began: datetime
    at_ns: int
    version: str = __version__
    format: int = _FORMAT


class Recorder:
    """A recorder of one evening, into a new folder.

    Args:
        folder: where; it must not exist, or be empty.
        clock: the loop's.
        say: called with a sentence for users once the recording is full.
        most_bytes: of pictures.

    Raises:
        SetUpError: the folder is not empty.
        OSError: it cannot be made.
    """

    def __init__(
        self, folder: Path, clock: Clock, *, say: Callable[[str], object], most_bytes: int = MOST_BYTES
    ) -> None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise SetUpError(_("{folder}: a recording needs a new folder, or an empty one").format(folder=folder))
        (folder / _FRAMES).mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)  # it contains pictures and names of people
        self._folder, self._clock, self._say, self._left = folder, clock, say, most_bytes
        self._inputs: IO[str] | None = (folder / _INPUTS).open("w", encoding="utf-8")
        self._picture, self._number = "", 0
        # by time: a frame's picture as a JPEG file, and whether it is another photograph than the one before
        self._taken: dict[int, tuple[bytes, bool]] = {}
        self._journal: Path | None = None

    def begin(
        self,
        setup: Setup,
        dice_seed: int,
        table: Path | None = None,
        lens: Calibration | None = None,
        enrolments: Mapping[str, Enrolment] = MappingProxyType({}),
    ) -> None:
        """Write the set-up, a copy of the journal, and the players' own files of table and camera."""
        self._journal = setup.journal
        plain = msgspec.to_builtins(replace(setup, journal=Path(AFTER), tables={}), enc_hook=str)
        kept = {key: value for key, value in plain.items() if key not in ("journal", "tables", "pictures")}
        begun = Begun(kept, dice_seed, self._clock.utc(), self._clock.now_ns())
        (self._folder / _EVENING).write_bytes(msgspec.json.format(msgspec.json.encode(begun), indent=1))
        copy_as_it_is(setup.journal, self._folder / BEFORE)
        if table is not None:
            shutil.copyfile(table, self._folder / _TABLE)
        if lens is not None:
            write_atomically(self._folder / LENS_FILE, calibration_toml(lens))
        for game, enrolment in enrolments.items():
            write_atomically(self._folder / enrolment_file(game), enrolment_toml(enrolment))

    def camera(self, open_camera: OpenCamera) -> OpenCamera:
        """Return an opener of the same camera that records its pictures."""
        return lambda: _RecordedCamera(open_camera(), self)

    def taken(self, frame: Frame) -> Frame:
        """Return a frame with its picture as it is kept, once the loop is told that it was read."""
        if self._inputs is None:
            return frame
        done, coded = cv2.imencode(".jpg", frame.image_bgr, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
        if not done:
            self._end_early()
            return frame
        data = coded.tobytes()
        self._taken[frame.captured_ns] = data, frame.retaken
        return replace(frame, image_bgr=decode_image(data, _FRAMES), small_bgr=None)

    def heard(self, message: Message) -> None:
        """Write a message that the loop is about to handle, unless it follows from others."""
        if self._inputs is None or (line := _line_of(message, self._clock.now_ns())) is None:
            return
        if isinstance(message, FrameRead | FrameBlind):
            if (picture := self._kept(message)) is None:
                return
            line |= picture
        try:
            self._inputs.write(json.dumps(line) + "\n")
            self._inputs.flush()
        except OSError:
            self._end_early()

    def close(self) -> None:
        """Copy the journal as it is now, and end."""
        if self._inputs is not None:
            self._inputs.close()
            self._inputs = None
        if self._journal is not None:
            copy_as_it_is(self._journal, self._folder / AFTER)

    def _kept(self, message: FrameRead | FrameBlind) -> Mapping[str, Any] | None:
        """Write the picture of a frame that was read; return the `_Input` fields that name it, or the one before it.

        Return None if there is no room for it.
        """
        picture = self._taken.get(message.at_ns)
        self._taken = {taken_ns: kept for taken_ns, kept in self._taken.items() if taken_ns > message.at_ns}
        if picture is None and isinstance(message, FrameBlind) and message.reason is BlindReason.NO_PICTURE:
            return {"frame": ""}
        if picture is None or message.repeated:
            return {"frame": self._picture}
        (data, retaken), name = picture, f"{self._number:06d}.jpg"
        try:
            fits = len(data) <= min(self._left, shutil.disk_usage(self._folder).free - _LEAST_FREE_BYTES)
            if fits:
                (self._folder / _FRAMES / name).write_bytes(data)
        except OSError:
            fits = False
        if not fits:
            self._end_early()
            return None
        self._picture, self._number, self._left = name, self._number + 1, self._left - len(data)
        return {"frame": name, "retaken": retaken}

    def _end_early(self) -> None:
        """Stop recording; the evening goes on without it."""
        self._left = 0
        if self._inputs is not None:
            self._inputs.close()
            self._inputs = None
        self._say(_("The recording is full: what happens from now on is not kept in it."))


class _RecordedCamera(Camera):
    """A camera whose frames are recorded."""

    def __init__(self, camera: Camera, recorder: Recorder) -> None:
        self._camera, self._recorder = camera, recorder
        self.name, self.idle_pause_s = camera.name, camera.idle_pause_s

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return the camera's next frame with its picture as it is kept; raise the same as the camera does."""
        frame = self._camera.read(timeout_s)
        self.problem = self._camera.problem
        return self._recorder.taken(frame)

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


@dataclass(frozen=True)
class _Input:
    """A line of a recording; one of `frame`, `press`, `key`, `slider`, `line`, `timer` and `failed` is set.

    Attributes:
        ns: the time of the input.
        at: when the loop handled it, on its clock.
        frame: the name of a picture; "" if there was none yet.
        retaken: whether the picture is another photograph than the one before.
        held: whether a button or key was kept down.
    """

    ns: int
    at: int
    frame: str | None = None
    retaken: bool = False
    press: Button | None = None
    key: str | None = None
    held: bool = False
    slider: int | None = None
    line: str | None = None
    timer: str | None = None
    failed: str | None = None


class RecordedEvening(Feed):
    """A replay of a recorded evening.

    The camera's thread reads the pictures and delivers the presses between them; the loop's thread moves the clock, and
    fires the timers where they fired that evening.

    Args:
        folder: the folder of a `Recorder`.
        wait: waits that many seconds before each input, as the players did; None to replay at full speed.

    Raises:
        SetUpError: there is no recording in it, or it cannot be read.
    """

    def __init__(self, folder: Path, *, wait: Callable[[float], object] | None = None) -> None:
        self._folder, self._wait = folder, wait
        try:
            self.begun = msgspec.json.decode((folder / _EVENING).read_bytes(), type=Begun)
        except (OSError, msgspec.DecodeError) as error:
            raise SetUpError(_unreadable(folder, error)) from error
        if self.begun.format != _FORMAT:
            text = _("{folder}: recorded by version {version}, in a form that this version does not read")
            raise SetUpError(text.format(folder=folder, version=self.begun.version))
        with (folder / _INPUTS).open(encoding="utf-8") as lines:  # the last one may be incomplete
            self._inputs = [msgspec.json.decode(line, type=_Input) for line in lines if line.endswith("\n")]
        super().__init__(FollowingClock(self.begun.began, self.begun.at_ns, got=self.handle))
        self._delivered = self._handled = 0
        self.name = folder.name

    def timers(self) -> Timers:
        """Return timers that fire where they fired that evening."""
        return _RecordedTimers(self)

    def setup(self, journal: Path) -> Setup:
        """Return the evening's set-up, with a copy of the journal from before the evening.

        Raises:
            SetUpError: the set-up is not valid.
        """
        with suppress(FileNotFoundError):
            shutil.copyfile(self._folder / BEFORE, journal)
        kept = dict(self.begun.setup)
        try:
            arranged, level = Arranged(**kept.pop("arrangement")), Level(kept.pop("level"))
            levels = {seat: Level(played) for seat, played in arranged.levels.items()}
            arranged = replace(arranged, levels=levels)
            return Setup(**kept, arrangement=arranged, level=level, journal=journal)
        except (KeyError, TypeError, ValueError) as error:
            raise SetUpError(_unreadable(self._folder, error)) from error

    @property
    def table(self) -> Path | None:
        """The players' own table file, None if they named none."""
        return path if (path := self._folder / _TABLE).exists() else None

    def lens(self) -> Calibration | None:
        """Return the calibration of the lens that evening, None without one."""
        return read_toml(path, Calibration) if (path := self._folder / LENS_FILE).exists() else None

    def enrolments(self, games: Sequence[str]) -> Mapping[str, Enrolment]:
        """Return the enrolments that evening of some games' tables, by game."""
        files = {game: self._folder / enrolment_file(game) for game in games}
        return {game: read_enrolment(path, game) for game, path in files.items() if path.exists()}

    @property
    def journal_after(self) -> Path:
        """The journal after the evening; missing if the recording was cut short."""
        return self._folder / AFTER

    def next_frame(self) -> Frame:
        """Deliver the presses before the next frame, then return the frame; raise the same as `Feed.next_frame`."""
        while self._delivered < len(self._inputs):
            given = self._inputs[self._delivered]
            if self._wait is not None:
                before_ns = self._inputs[self._delivered - 1].at if self._delivered else self.begun.at_ns
                self._wait((given.at - before_ns) / 1e9)
            self._delivered += 1
            if given.frame == "":
                raise NoPictureYetError(self.name, given.ns)
            if given.frame is not None:
                picture = load_image(self._folder / _FRAMES / Path(given.frame).name)
                return Frame(picture, given.ns, retaken=given.retaken)
            if given.failed is not None:
                raise CameraError(given.failed)
            if (heard := input_from_json(vars(given))) is not None:
                self._enqueue(heard)
        raise CameraEndedError(f"{self._folder}: the recording has no more inputs")

    def listen(self, enqueue: Enqueue) -> None:
        """Deliver presses to this function from now on, and what the last game or lobby did not handle once more."""
        super().listen(enqueue)
        self._delivered = self._handled

    def handle(self, message: object) -> None:
        """Move the clock to where it stood when that evening's loop got this message."""
        if _line_of(message, 0) is not None and self._handled < len(self._inputs):
            self.clock.move_to(self._inputs[self._handled].at)
            self._handled += 1

    def fire(self) -> str | None:
        """Return the name of the timer that fired next; None if something else came before it."""
        given = self._inputs[self._handled] if self._handled < len(self._inputs) else None
        if given is None or given.timer is None:
            return None
        self.clock.move_to(given.ns)
        self._handled += 1
        return given.timer

    def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
        """Do nothing: nobody looks at the panel."""


class _RecordedTimers(Timers):
    """Timers that fire where they fired in a recording, instead of at a time."""

    def __init__(self, evening: RecordedEvening) -> None:
        super().__init__()
        self._evening = evening

    def next_ns(self) -> None:
        """Let the loop wait for as long as it takes: no time passes meanwhile."""

    def pop_due(self, now_ns: int) -> str | None:  # noqa: ARG002 - the recording says when
        """Remove and return the timer that fired next; None if something else came before it."""
        if (name := self._evening.fire()) is not None:
            self.stop(name)
        return name


def _line_of(message: object, now_ns: int) -> dict[str, Any] | None:
    """Return the line of a message that the loop gets at a time in ns, without the picture; None if it has none."""
    given: dict[str, Any] = {"ns": getattr(message, "at_ns", now_ns), "at": now_ns}
    match message:
        case FrameRead() | FrameBlind():
            pass
        case LineTyped(is_whole=False):
            return None
        case ButtonPressed() | KeyPressed() | SliderMoved() | LineTyped():
            given |= input_to_json(message)
        case TimerFired(name):
            given["timer"] = name
        case DeviceFailed("camera", sentence):
            given["failed"] = sentence
        case _:
            return None
    return given


def _unreadable(folder: Path, error: Exception) -> str:
    reason = os_reason(error) if isinstance(error, OSError) else error
    text = _("{folder}: expected a recording of companion play --record ({reason})")
    return text.format(folder=folder, reason=reason)
