"""Reads the latest frame and puts the result into the queue. It decides nothing.

`FrameReader.look` is one look; `CaptureThread` looks again and again. One reading at a time is in the queue: while the
loop is busy the camera's older frames are dropped, so what is judged is always what is there now.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.core.messages import DeviceFailed, DeviceReturned, Event, FrameBlind, FrameRead
from companion.core.stability import MOST_FRAMES, agree
from companion.printing.table_file import kit_board
from companion.shell.loop import Inbox, Message, StopLoop
from vision.board import Board
from vision.calibration import Calibration
from vision.camera.camera import Camera
from vision.camera.flicker import FlickerFilter
from vision.enrolment import Enrolment
from vision.errors import CameraEndedError, CameraError, NoPictureYetError
from vision.frame import Frame, ImageBgr
from vision.geometry import Pose
from vision.labels import EMPTY
from vision.localization.locate import ScaledImage
from vision.observation import Blind, BlindReason, Observation
from vision.occlusion.change_detector import ChangeDetector
from vision.occlusion.gate import OcclusionDetector, OcclusionState
from vision.occlusion.gate_look import outline_of
from vision.recognition.objective import ObjectiveCard
from vision.recognition.reader import TableReader

FIRST_RETRY_S, LONGEST_RETRY_S = 0.5, 8.0
PATIENCE_S = 1.5
REOPENED_AFTER = 3
"""Failures in a row after which a camera is closed and opened again."""

CERTAIN = 0.98
"""Above that probability a piece read beside an arm is seen: nothing but pieces lies in the gaps that an arm leaves."""


@dataclass(frozen=True, slots=True, eq=False)
class Stillness:
    """Whether nothing moves, and which cells are under a hand or in a passing shadow, bool (n_cells,).

    `settled`: the same pictures will be found as still and as clear later on; nothing is only being waited for.
    `beside`: the hidden cells that may be pieces set down close beside an arm; where one is read, it is seen.
    """

    still: bool
    hidden: NDArray[np.bool_]
    settled: bool = False
    beside: NDArray[np.bool_] | None = None


class FrameReading(Protocol):
    """What a reader makes of a picture in which it found the board."""

    @property
    def observation(self) -> Observation:
        """What is on each cell."""
        ...

    @property
    def pose(self) -> Pose:
        """Where the board is."""
        ...

    @property
    def card(self) -> ObjectiveCard | None:
        """The card with a marker that is beside the board, None without any."""
        ...


class Reader(Protocol):
    """Reads one picture, uint8 (height, width, 3)."""

    def read(self, image_bgr: ImageBgr) -> FrameReading | Blind:
        """Read it, or say why that cannot be done."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The latest frame that could be read, and what was read in it."""

    frame: Frame
    reading: FrameReading


class Eye(Protocol):
    """What a `CaptureThread` looks with."""

    @property
    def pause_s(self) -> float:
        """How long it is enough to wait until the next look, in s."""
        ...

    @property
    def problem(self) -> str:
        """What is not as it should be although frames come, as a sentence; "" if nothing is."""
        ...

    def look(self) -> FrameRead | FrameBlind:
        """Read the latest frame; raises as `FrameReader.look`."""
        ...

    def close(self) -> None:
        """Let go of the camera."""
        ...


class FrameReader:
    """A camera and a reader. Opens the camera at the first look, and again after it failed some times in a row.

    Args:
        open_camera: opens it.
        reader: reads its pictures.
        gate: returns whether a frame with the board in a pose is still, and what is hidden in it.

    Attributes:
        sight: the latest frame that could be read; another thread may take it at any time.
        latest: the latest frame, whether it could be read or not; the same holds for it.
        repeats: whether the latest frame shows the same as those before, so that it was not read again.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        reader: Reader,
        gate: Callable[[Frame, Pose], Stillness],
    ) -> None:
        self._open_camera = open_camera
        self._reader = reader
        self._gate = gate
        self._idle = IdleTable()
        self._flicker = FlickerFilter()
        self._camera: Camera | None = None
        self._failures = 0
        self.repeats = False
        self.sight: Sight | None = None
        self.latest: Frame | None = None

    def look(self) -> FrameRead | FrameBlind:
        """Read the latest frame; one that shows the same as those before is not read again but has their reading.

        Raises:
            CameraError: the camera cannot be opened or gives no frame.
            CameraEndedError: it is a recording, and at its end.
        """
        try:
            self._camera = self._camera or self._open_camera()
            frame = self.latest = self._flicker.steadied(self._camera.read())
        except NoPictureYetError as error:
            self.repeats = True
            return FrameBlind(BlindReason.NO_PICTURE, error.at_ns)
        except CameraError:
            # a picture of a recording may be damaged and the next one good; a camera that fails again is opened again
            self._failures += 1
            if self._failures % REOPENED_AFTER == 0:
                self.close()
            raise
        self._failures = 0
        return self._repeated(frame) or self._read(frame)

    @property
    def pause_s(self) -> float:
        """How long it is enough to wait until the next look, in s, since nothing happens on the table."""
        return self._camera.idle_pause_s if self._camera is not None and self.repeats else 0.0

    @property
    def problem(self) -> str:
        """What is not as it should be with the camera although frames come, as a sentence; "" if nothing is."""
        return "" if self._camera is None else self._camera.problem

    def close(self) -> None:
        """Let go of the camera."""
        if self._camera is not None:
            camera, self._camera = self._camera, None
            camera.close()

    def _repeated(self, frame: Frame) -> FrameRead | FrameBlind | None:
        seen = self._idle.repeat(frame)
        self.repeats = seen is not None
        if isinstance(seen, FrameRead) and self.sight is not None:
            self.sight = replace(self.sight, frame=frame)
        return seen

    def _read(self, frame: Frame) -> FrameRead | FrameBlind:
        reading = self._reader.read(frame.image_bgr)
        if isinstance(reading, Blind):
            return self._noted(frame, FrameBlind(reading.reason, frame.captured_ns, reading.facts), settled=True)
        self.sight = Sight(frame, reading)
        seen = self._gate(frame, reading.pose)
        cells = _without(reading.observation, really_hidden(reading.observation, seen))
        read = FrameRead(cells, seen.still, frame.captured_ns, reading.card)
        return self._noted(frame, read, settled=seen.settled)

    def _noted(self, frame: Frame, seen: FrameRead | FrameBlind, *, settled: bool) -> FrameRead | FrameBlind:
        self._idle.add(frame, seen, settled=settled)
        return seen


def really_hidden(observation: Observation, seen: Stillness) -> NDArray[np.bool_]:
    """Return the hidden cells without those beside an arm on which a piece is read with certainty."""
    if seen.beside is None:
        return seen.hidden
    pieces = np.array([label != EMPTY for label in observation.best()]) & (observation.confidence() > CERTAIN)
    return seen.hidden & ~(seen.beside & pieces & observation.visible)


def _without(observation: Observation, hidden: NDArray[np.bool_]) -> Observation:
    """Take back what was read where a hand or a shadow is: it may have been read off a knuckle."""
    p = np.where(hidden[:, None], 1.0 / len(observation.labels), observation.p)
    return replace(observation, p=p, visible=observation.visible & ~hidden)


class CaptureThread:
    """Looks, in a thread, until it is stopped. A camera that fails is tried again, ever less often, and reported once.

    Args:
        eye: what looks.
        inbox: takes what was seen; a `StopLoop` when a recording is at its end.
        wait: waits that many seconds, or until the flag is set.
    """

    def __init__(
        self, eye: Eye, inbox: Inbox, *, wait: Callable[[threading.Event, float], object] = threading.Event.wait
    ) -> None:
        self._eye = eye
        self._inbox = inbox
        self._wait = wait
        self._guard, self._lens = DeviceHealth("camera", inbox.put), DeviceHealth("lens", inbox.put)
        self._stopped = threading.Event()
        self._wanted = threading.Semaphore(1)
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread; waits for the look that is on."""
        self._stopped.set()
        self._wanted.release()
        self._thread.join()

    def handled(self, message: Message) -> None:
        """If it was a look that the loop is done with, the next one is wanted."""
        if isinstance(message, FrameRead | FrameBlind):
            self._wanted.release()

    def _run(self) -> None:
        try:
            while not self._stopped.is_set():
                self._wanted.acquire()
                self._look_until_seen()
        except CameraEndedError:
            self._inbox.put(StopLoop())
        except Exception as error:  # a thread must not die silently: the loop raises it
            self._inbox.put(StopLoop(error))
        finally:
            self._eye.close()

    def _look_until_seen(self) -> None:
        """Put one look into the queue, however often the camera has to be tried."""
        retry_s = FIRST_RETRY_S
        while not self._stopped.is_set():
            seen = self._look()
            if seen is not None:
                self._inbox.put(seen)
                if self._eye.pause_s:
                    self._wait(self._stopped, self._eye.pause_s)
                return
            self._wait(self._stopped, retry_s)
            retry_s = min(2 * retry_s, LONGEST_RETRY_S)

    def _look(self) -> FrameRead | FrameBlind | None:
        try:
            seen = self._eye.look()
        except CameraEndedError:
            raise
        except CameraError as error:
            self._guard.failed(str(error))
            return None
        self._guard.mark_ok()
        self._lens.failed(problem) if (problem := self._eye.problem) else self._lens.mark_ok()
        return seen


class DeviceHealth:
    """Uses one device and reports, once each, when it stops working and when it works again.

    Args:
        device: what the events call it.
        report: takes the events; must return at once.
    """

    def __init__(self, device: str, report: Callable[[Event], None]) -> None:
        self._device = device
        self._report = report
        self.failing = False

    def use(self, action: Callable[[], object]) -> bool:
        """Use the device; return whether it worked. Only `OSError`, the devices' own kind, is a failure."""
        try:
            action()
        except OSError as error:
            self.failed(str(error))
            return False
        self.mark_ok()
        return True

    def failed(self, message: str) -> None:
        """Report that the device does not work, unless that is known."""
        if not self.failing:
            self.failing = True
            self._report(DeviceFailed(self._device, message))

    def mark_ok(self) -> None:
        """Report that the device works again, if it did not."""
        if self.failing:
            self.failing = False
            self._report(DeviceReturned(self._device))


def eye_on(
    open_camera: Callable[[], Camera],
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


# ---- a table on which nothing happens: its readings are repeated, not redone


HEARTBEAT_S = 10.0
"""After so long a picture is read again, even if it shows no change: a table is judged as rarely as that by then."""


class IdleTable:
    """Remembers the latest readings of a table, and repeats them while it does not change.

    It is idle when `MOST_FRAMES` readings in a row agree, were taken of pictures that look alike, and were `settled`.
    """

    def __init__(self) -> None:
        self._detector = ChangeDetector()
        self._readings: deque[FrameRead | FrameBlind] = deque(maxlen=MOST_FRAMES)
        self._read_ns = 0

    def add(self, frame: Frame, reading: FrameRead | FrameBlind, *, settled: bool) -> None:
        """Take in a reading that was made; `settled`: the same picture would be read so later as well."""
        self._read_ns = frame.captured_ns
        if self._detector.changed(frame) or not all(_agree(kept, reading) for kept in self._readings):
            self.forget()
        if not settled:
            self.forget()
            return
        self._detector.add(frame)
        self._readings.append(reading)

    def repeat(self, frame: Frame) -> FrameRead | FrameBlind | None:
        """Return the reading of a picture that shows no change; None: it has to be read."""
        waited_s = (frame.captured_ns - self._read_ns) / 1e9
        if len(self._readings) < MOST_FRAMES or waited_s >= HEARTBEAT_S or self._detector.changed(frame):
            return None
        self._readings.rotate(-1)
        return replace(self._readings[-1], at_ns=frame.captured_ns)

    def forget(self) -> None:
        """Repeat nothing until the table has been read often enough again."""
        self._readings.clear()
        self._detector.forget()


def _agree(one: FrameRead | FrameBlind, other: FrameRead | FrameBlind) -> bool:
    if isinstance(one, FrameRead) and isinstance(other, FrameRead):
        return one.card == other.card and agree(one.observation, other.observation)
    return isinstance(one, FrameBlind) and isinstance(other, FrameBlind) and one.reason is other.reason
