"""Recordings of an evening in a folder, for fault reports: all inputs, in order.

    evening.json     how it began: set-up, seed of the dice, time
    inputs.jsonl     a line for each message that the loop handled: frame, press, slider, typed line, failed device
    frames/          a picture whenever the view changed (JPEG)
    before.sqlite3   the journal before it, if there was one; journal.sqlite3 the journal after it
    table.toml       the players' own table file, if they named one

A `RecordedEvening` feeds the same inputs to the same loop. Nothing is sent anywhere.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Protocol

import cv2
import msgspec

from companion import __version__
from companion.core.entries import Arranged
from companion.core.messages import DeviceFailed, FrameBlind, FrameRead
from companion.locale import _
from companion.shell.clock import Clock, FollowingClock
from companion.shell.devices import OpenCamera
from companion.shell.errors import SetUpError, os_reason
from companion.shell.journal_recovery import copy_as_it_is
from companion.shell.loop import Message
from companion.shell.session import Setup
from engines.kernel import Level
from hardware.panel import (
    ALL_PARTS,
    Button,
    ButtonPressed,
    DarkPanel,
    Enqueue,
    KeyPressed,
    LineTyped,
    PanelInput,
    Shown,
    Signal,
    SliderMoved,
    Tally,
    guarded,
)
from vision.camera.camera import READ_TIMEOUT_S, Camera
from vision.errors import CameraEndedError, CameraError
from vision.frame import Frame
from vision.image_file import load_image
from vision.occlusion.change_detector import ChangeDetector

MOST_BYTES = 2_000_000_000
"""Of pictures in one recording; an hour takes some 500 MB."""

_LEAST_FREE_BYTES = 500_000_000
"""That much disk space is left free: the journal comes first."""

_FORMAT = 1
_QUALITY = 95
_EVENING, _INPUTS, _FRAMES, _TABLE = "evening.json", "inputs.jsonl", "frames", "table.toml"
BEFORE, AFTER = "before.sqlite3", "journal.sqlite3"


# ---- frames and presses from elsewhere: a recording, or a table that another process simulates
#
# A feed has its own time: the clock stands at the latest frame or press that was delivered.


class Feed(Protocol):
    """A source of frames and presses."""

    @property
    def clock(self) -> FollowingClock:
        """The clock of the feed."""
        ...

    def next_frame(self) -> Frame:
        """Deliver the presses before the next frame to the listener, then return the frame.

        Raises:
            CameraError: the camera gives no frame just now.
            CameraEndedError: there are no more frames.
        """
        ...

    def listen(self, enqueue: Enqueue) -> None:
        """Deliver presses to this function from now on."""
        ...

    def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
        """Store what the panel shows, and whether its signal plays now."""
        ...


class FedCamera(Camera):
    """A camera whose frames come from a feed."""

    def __init__(self, feed: Feed, name: str) -> None:
        self._feed, self._name = feed, name

    @property
    def name(self) -> str:
        """The feed's name."""
        return self._name

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:  # noqa: ARG002 - a feed has a time of its own
        """Return the feed's next frame; raise the same as `Feed.next_frame`."""
        return self._feed.next_frame()

    def close(self) -> None:
        """Do nothing: the feed continues when a camera is opened again."""


class FedPanel(DarkPanel):
    """A panel whose presses come from a feed, and whose lamps are passed to it."""

    def __init__(self, feed: Feed, enqueue: Enqueue, lamps: int, parts: Collection[str] = ALL_PARTS) -> None:
        super().__init__(lamps)
        self._feed, self._parts = feed, parts
        feed.listen(guarded(enqueue))
        feed.lit(self.shown)

    @property
    def parts(self) -> Collection[str]:
        """The panel's parts."""
        return self._parts

    def order(self, shown: Shown) -> None:
        """Replace what is shown."""
        super().order(shown)
        self._feed.lit(shown)

    def buzz(self, signal: Signal | Tally) -> None:
        """Play a signal, even if it is the same as the last one."""
        super().buzz(signal)
        self._feed.lit(self.shown, buzzes=True)


# ---- recording an evening, and replaying it


@dataclass(frozen=True)
class Begun:
    """How a recorded evening began.

    Attributes:
        setup: the set-up from command line and settings, without journal and tables.
        dice_seed: the seed of the dice.
        began: the calendar's time.
        at_ns: the clock's time at that moment.
        version: of the program that recorded it.
        format: of the folder.
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
        self._detector, self._picture, self._number = ChangeDetector(), "", 0
        self._taken: dict[int, str] = {}
        self._journal: Path | None = None

    def begin(self, setup: Setup, dice_seed: int, table: Path | None = None) -> None:
        """Write the set-up, a copy of the journal, and the players' own table file."""
        self._journal = setup.journal
        plain = msgspec.to_builtins(replace(setup, journal=Path(AFTER), tables={}), enc_hook=str)
        kept = {key: value for key, value in plain.items() if key not in ("journal", "tables", "pictures")}
        begun = Begun(kept, dice_seed, self._clock.utc(), self._clock.now_ns())
        (self._folder / _EVENING).write_bytes(msgspec.json.format(msgspec.json.encode(begun), indent=1))
        copy_as_it_is(setup.journal, self._folder / BEFORE)
        if table is not None:
            shutil.copyfile(table, self._folder / _TABLE)

    def camera(self, open_camera: OpenCamera) -> OpenCamera:
        """Return an opener of the same camera that records its pictures."""
        return lambda: _RecordedCamera(open_camera(), self)

    def taken(self, frame: Frame) -> None:
        """Write a frame's picture if it differs from the last one written."""
        if self._detector.changed(frame) or not self._picture:
            self._keep(frame)
        if self._picture:
            self._taken[frame.captured_ns] = self._picture

    def heard(self, message: Message) -> None:
        """Write a message that the loop has handled."""
        match message:
            case FrameRead(at_ns=at_ns) | FrameBlind(at_ns=at_ns):
                picture = self._taken.pop(at_ns, self._picture)
                self._taken = {taken_ns: kept for taken_ns, kept in self._taken.items() if taken_ns > at_ns}
                self._write({"ns": at_ns, "frame": picture})
            case ButtonPressed(button, at_ns, held):
                self._write({"ns": at_ns, "press": button.value, "held": held})
            case KeyPressed(key, at_ns, held):
                self._write({"ns": at_ns, "key": key, "held": held})
            case SliderMoved(steps, at_ns):
                self._write({"ns": at_ns, "slider": steps})
            case LineTyped(text, True):
                self._write({"ns": self._clock.now_ns(), "line": text})
            case DeviceFailed("camera", sentence):
                self._write({"ns": self._clock.now_ns(), "failed": sentence})

    def close(self) -> None:
        """Copy the journal as it is now, and end."""
        if self._inputs is not None:
            self._inputs.close()
            self._inputs = None
        if self._journal is not None:
            copy_as_it_is(self._journal, self._folder / AFTER)

    def _keep(self, frame: Frame) -> None:
        if self._inputs is None:
            return
        name = f"{self._number:06d}.jpg"
        done, coded = cv2.imencode(".jpg", frame.image_bgr, (cv2.IMWRITE_JPEG_QUALITY, _QUALITY))
        if not done or len(coded) > min(self._left, shutil.disk_usage(self._folder).free - _LEAST_FREE_BYTES):
            self._end_early()
            return
        try:
            (self._folder / _FRAMES / name).write_bytes(coded.tobytes())
        except OSError:
            self._end_early()
            return
        self._left -= len(coded)
        self._number += 1
        self._picture = name
        self._detector.forget()
        self._detector.add(frame)

    def _end_early(self) -> None:
        """Stop recording; the evening goes on without it."""
        self._left = 0
        if self._inputs is not None:
            self._inputs.close()
            self._inputs = None
        self._say(_("The recording is full: what happens from now on is not kept in it."))

    def _write(self, line: Mapping[str, Any]) -> None:
        if self._inputs is None:
            return
        try:
            self._inputs.write(json.dumps(line) + "\n")
            self._inputs.flush()
        except OSError:
            self._end_early()


class _RecordedCamera(Camera):
    """A camera whose frames are recorded."""

    def __init__(self, camera: Camera, recorder: Recorder) -> None:
        self._camera, self._recorder = camera, recorder
        self.idle_pause_s = camera.idle_pause_s

    @property
    def name(self) -> str:
        """The camera's name."""
        return self._camera.name

    def read(self, timeout_s: float = READ_TIMEOUT_S) -> Frame:
        """Return the camera's next frame; raise the same as the camera does."""
        frame = self._camera.read(timeout_s)
        self.problem = self._camera.problem
        self._recorder.taken(frame)
        return frame

    def close(self) -> None:
        """Close the camera."""
        self._camera.close()


@dataclass(frozen=True)
class _Input:
    """A line of a recording; one of `frame`, `press`, `key`, `slider`, `line` and `failed` is set."""

    ns: int
    frame: str | None = None
    press: Button | None = None
    key: str | None = None
    held: bool = False
    slider: int | None = None
    line: str | None = None
    failed: str | None = None


class RecordedEvening(Feed):
    """A replay of a recorded evening.

    Args:
        folder: the folder of a `Recorder`.
        wait: waits that many seconds before each input, as the players did; None to replay at full speed.

    Attributes:
        begun: how the evening began.
        name: of the folder.

    Raises:
        SetUpError: there is no recording in it, or it cannot be read.
    """

    def __init__(self, folder: Path, *, wait: Callable[[float], object] | None = None) -> None:
        self._folder, self._wait = folder, wait
        self.begun = _begun(folder)
        self._clock = FollowingClock(self.begun.began, self.begun.at_ns)
        self._inputs = _inputs(folder / _INPUTS)
        self._enqueue: Enqueue = lambda _heard: None
        self.name = folder.name

    @property
    def clock(self) -> FollowingClock:
        """The clock, which stands at the latest input."""
        return self._clock

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

    @property
    def journal_after(self) -> Path:
        """The journal after the evening; missing if the recording was cut short."""
        return self._folder / AFTER

    def next_frame(self) -> Frame:
        """Deliver the presses before the next frame, then return the frame; raise the same as `Feed.next_frame`."""
        for given in self._inputs:
            if self._wait is not None:
                self._wait(max(0, given.ns - self._clock.now_ns()) / 1e9)
            self._clock.move_to(given.ns)
            if given.frame:
                return Frame(load_image(self._folder / _FRAMES / Path(given.frame).name), given.ns)
            if given.failed is not None:
                raise CameraError(given.failed)
            if (heard := _heard(given)) is not None:
                self._enqueue(heard)
        message = f"{self._folder}: the recording has no more inputs"
        raise CameraEndedError(message)

    def listen(self, enqueue: Enqueue) -> None:
        """Deliver presses to this function from now on."""
        self._enqueue = enqueue

    def lit(self, shown: Shown, *, buzzes: bool = False) -> None:
        """Do nothing: nobody looks at the panel."""


def _heard(given: _Input) -> PanelInput | None:
    if given.press is not None:
        return ButtonPressed(given.press, given.ns, given.held)
    if given.key is not None:
        return KeyPressed(given.key, given.ns, given.held)
    if given.slider is not None:
        return SliderMoved(given.slider, given.ns)
    return None if given.line is None else LineTyped(given.line, is_whole=True, at_ns=given.ns)


def _begun(folder: Path) -> Begun:
    try:
        begun = msgspec.json.decode((folder / _EVENING).read_bytes(), type=Begun)
    except (OSError, msgspec.DecodeError) as error:
        raise SetUpError(_unreadable(folder, error)) from error
    if begun.format != _FORMAT:
        text = _("{folder}: recorded by version {version}, in a form that this version does not read")
        raise SetUpError(text.format(folder=folder, version=begun.version))
    return begun


def _unreadable(folder: Path, error: Exception) -> str:
    reason = os_reason(error) if isinstance(error, OSError) else error
    text = _("{folder}: expected a recording of companion play --record ({reason})")
    return text.format(folder=folder, reason=reason)


def _inputs(path: Path) -> Iterator[_Input]:
    """Yield the inputs; an incomplete last line is skipped."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.endswith("\n"):
                yield msgspec.json.decode(line, type=_Input)
