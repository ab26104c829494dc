"""Reading of the latest frame into the queue, without decisions.

`FrameReader.look` reads once; `CaptureThread` reads repeatedly. Only one reading at a time is in the queue: frames that
arrive while the loop is busy are dropped, so that what is judged is the table as it is now.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.core.messages import FrameBlind, FrameRead
from companion.core.stability import MOST_FRAMES, agree
from companion.printing.table_file import kit_board
from companion.shell.loop import DeviceHealth, Inbox, Message, StopLoop
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
from vision.recognition.reader import Reading, TableReader

CAMERA_ENDED = "camera-ended"
"""The code of the `StopLoop` at the end of a recording."""

FIRST_RETRY_S, LONGEST_RETRY_S = 0.5, 8.0
PATIENCE_S = 1.5
REOPENED_AFTER = 3
"""Failures in a row after which a camera is closed and opened again."""

CERTAIN = 0.98
"""The confidence above which a piece next to an arm counts as visible: the gaps that an arm leaves show only pieces."""


@dataclass(frozen=True, slots=True, eq=False)
class Stillness:
    """Whether nothing moves, and which cells are under a hand or in a passing shadow, bool (n_cells,).

    `settled`: further pictures of the same scene would give the same result. `beside`: the hidden cells that may be
    pieces set down close to an arm; a piece that is read on one counts as visible. `relit`: as in `Observation`.
    """

    still: bool
    hidden: NDArray[np.bool_]
    settled: bool = False
    beside: NDArray[np.bool_] | None = None
    relit: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The latest frame that could be read, and its reading."""

    frame: Frame
    reading: Reading


class FrameReader:
    """A camera and a reader; it opens the camera at the first look, and reopens it after repeated failures.

    Args:
        open_camera: opens it.
        read: reads its pictures, uint8 (height, width, 3), or returns why one cannot be read.
        gate: returns whether a frame with the board in a pose is still, and which cells are hidden in it.

    Attributes:
        sight: the latest frame that could be read; any thread may read it at any time.
        latest: the latest frame, readable or not; any thread may read it.
        repeats: whether the latest frame shows no change, so that it was not read again.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        read: Callable[[ImageBgr], Reading | Blind],
        gate: Callable[[Frame, Pose], Stillness],
    ) -> None:
        self._open_camera, self._read, self._gate = open_camera, read, gate
        self._idle = IdleTable()
        self._flicker = FlickerFilter()
        self._camera: Camera | None = None
        self._failures = 0
        self.repeats = False
        self.sight: Sight | None = None
        self.latest: Frame | None = None

    def look(self) -> FrameRead | FrameBlind:
        """Read the latest frame; return the last reading again if the frame shows no change.

        Raises:
            CameraError: the camera cannot be opened or gives no frame.
            CameraEndedError: it is a recording, and has ended.
        """
        try:
            self._camera = self._camera or self._open_camera()
            frame = self.latest = self._flicker.steadied(self._camera.read())
        except NoPictureYetError as error:
            self.repeats = True
            return FrameBlind(BlindReason.NO_PICTURE, error.at_ns)
        except CameraError:
            # a recording may have one damaged picture; a camera that fails repeatedly is reopened
            self._failures += 1
            if self._failures % REOPENED_AFTER == 0:
                self.close()
            raise
        self._failures = 0
        repeated = self._idle.repeat(frame)
        self.repeats = repeated is not None
        if isinstance(repeated, FrameRead) and self.sight is not None:
            self.sight = replace(self.sight, frame=frame)
        return repeated or self._read_anew(frame)

    @property
    def pause_s(self) -> float:
        """Seconds to wait before the next look, 0 unless the table is idle."""
        return self._camera.idle_pause_s if self._camera is not None and self.repeats else 0.0

    @property
    def problem(self) -> str:
        """A problem of the camera although frames arrive, as a sentence; "" if there is none."""
        return "" if self._camera is None else self._camera.problem

    def close(self) -> None:
        """Close the camera."""
        if self._camera is not None:
            camera, self._camera = self._camera, None
            camera.close()

    def _read_anew(self, frame: Frame) -> FrameRead | FrameBlind:
        reading = self._read(frame.image_bgr)
        seen: FrameRead | FrameBlind
        if isinstance(reading, Blind):
            seen, settled = FrameBlind(reading.reason, frame.captured_ns, reading.facts), True
        else:
            self.sight = Sight(frame, reading)
            gated = self._gate(frame, reading.pose)
            hidden, read = really_hidden(reading.observation, gated), reading.observation
            # labels under a hand or a shadow may come from a knuckle: they become equally probable
            p = np.where(hidden[:, None], 1.0 / len(read.labels), read.p)
            observation = replace(read, p=p, visible=read.visible & ~hidden, relit=gated.relit)
            seen, settled = FrameRead(observation, gated.still, frame.captured_ns, reading.card), gated.settled
        self._idle.add(frame, seen, settled=settled)
        return seen


def really_hidden(observation: Observation, seen: Stillness) -> NDArray[np.bool_]:
    """Return the hidden cells, except those next to an arm on which a piece is read with certainty."""
    if seen.beside is None:
        return seen.hidden
    pieces = np.array([label != EMPTY for label in observation.best()]) & (observation.confidence() > CERTAIN)
    return seen.hidden & ~(seen.beside & pieces & observation.visible)


class CaptureThread:
    """A thread that looks until it is stopped. A camera that fails is retried with growing delays, and reported once.

    Args:
        eye: the frame source.
        inbox: receives what was read, and a `StopLoop` at the end of a recording.
        seen: called with what was read, before the inbox receives it.
        wait: waits that many seconds, or until the flag is set.
    """

    def __init__(
        self,
        eye: FrameReader,
        inbox: Inbox,
        *,
        seen: Callable[[FrameRead | FrameBlind], object] = lambda _seen: None,
        wait: Callable[[threading.Event, float], object] = threading.Event.wait,
    ) -> None:
        self._eye, self._inbox, self._seen, self._wait = eye, inbox, seen, wait
        self._guard, self._lens = DeviceHealth("camera", inbox.put), DeviceHealth("lens", inbox.put)
        self._stopped = threading.Event()
        self._wanted = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, name="eye", daemon=True)

    def start(self) -> None:
        """Start looking."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread after its current look."""
        self._stopped.set()
        self._wanted.release()
        self._thread.join()

    def handled(self, message: Message) -> None:
        """Allow the next look after the loop has handled the last one."""
        if isinstance(message, FrameRead | FrameBlind):
            self._wanted.release()

    def _run(self) -> None:
        retry_s = FIRST_RETRY_S
        try:
            while not self._stopped.is_set():
                try:
                    seen = self._eye.look()
                except CameraError as error:
                    if isinstance(error, CameraEndedError):
                        raise
                    self._guard.failed(str(error), again=True)  # what to do about it is another thing now
                    self._wait(self._stopped, retry_s)
                    retry_s = min(2 * retry_s, LONGEST_RETRY_S)
                    continue
                retry_s = FIRST_RETRY_S
                self._guard.mark_ok()
                self._lens.failed(problem) if (problem := self._eye.problem) else self._lens.mark_ok()
                self._seen(seen)
                self._inbox.put(seen)
                if self._eye.pause_s:
                    self._wait(self._stopped, self._eye.pause_s)
                self._wanted.acquire()
        except CameraEndedError:
            self._inbox.put(StopLoop(code=CAMERA_ENDED))
        except Exception as error:  # a thread must not die silently: the loop raises the error
            self._inbox.put(StopLoop(error))
        finally:
            self._eye.close()


def eye_on(
    open_camera: Callable[[], Camera],
    board: Board,
    calibration: Calibration | None = None,
    enrolment: Enrolment | None = None,
) -> FrameReader:
    """Return a frame reader for a table and a camera, with the lens calibration and the enrolment."""
    reader = TableReader(board, calibration, enrolment, kit_board(board), played=True)
    return FrameReader(open_camera, reader.read, gate_over(board))


def gate_over(board: Board) -> Callable[[Frame, Pose], Stillness]:
    """Return a function that reports, frame after frame, whether the table is still and which cells are hidden.

    It starts again at another photograph: pieces moved between two photographs are not hands.

    A group of pieces set down at once may look like a hand, and the game must go on: what looks like one while nothing
    moves counts as one for `PATIENCE_S` at most, unless it is an arm. Pieces do not look like an arm; the gate itself
    takes an arm for part of the board once it has not moved for long.
    """
    gate = OcclusionDetector()
    still_since_s: float | None = None

    def stillness(frame: Frame, pose: Pose) -> Stillness:
        nonlocal gate, still_since_s
        at_s = frame.captured_ns / 1e9
        if frame.retaken:
            gate, still_since_s = OcclusionDetector(), None
        glance = gate.look(ScaledImage(frame.image_bgr, frame.small_bgr), outline_of(board, pose), at_s)
        if not glance.still:
            still_since_s = None
        elif still_since_s is None:
            still_since_s = at_s
        in_doubt = still_since_s is None or at_s - still_since_s < PATIENCE_S
        places_mm = board.places_mm()
        hidden = glance.hides(places_mm, board.size) & (in_doubt | glance.arms_hide(places_mm, board.size))
        beside = hidden & glance.beside_arms(places_mm, board.size)
        settled = glance.still and glance.state is OcclusionState.CLEAN and not glance.hidden.any()
        return Stillness(glance.still, hidden, settled, beside, relit=glance.state is OcclusionState.LIGHT)

    return stillness


# ---- an idle table: its readings are repeated, not redone


HEARTBEAT_S = 10.0
"""After that many seconds an unchanged picture is read again."""


class IdleTable:
    """The latest readings of a table, repeated while it does not change.

    It is idle if `MOST_FRAMES` readings in a row agree, come from pictures that look alike, and were `settled`.
    """

    def __init__(self) -> None:
        self._detector = ChangeDetector()
        self._readings: deque[FrameRead | FrameBlind] = deque(maxlen=MOST_FRAMES)
        self._read_ns = 0

    def add(self, frame: Frame, reading: FrameRead | FrameBlind, *, settled: bool) -> None:
        """Add a new reading; `settled`: the same picture would be read the same way later."""
        self._read_ns = frame.captured_ns
        if self._detector.changed(frame) or not all(_agree(kept, reading) for kept in self._readings):
            self.forget()
        if not settled:
            self.forget()
            return
        self._detector.add(frame)
        self._readings.append(reading)

    def repeat(self, frame: Frame) -> FrameRead | FrameBlind | None:
        """Return the reading of a picture that shows no change; None if it has to be read."""
        waited_s = (frame.captured_ns - self._read_ns) / 1e9
        if len(self._readings) < MOST_FRAMES or waited_s >= HEARTBEAT_S or self._detector.changed(frame):
            return None
        self._readings.rotate(-1)
        return replace(self._readings[-1], at_ns=frame.captured_ns, repeated=True)

    def forget(self) -> None:
        """Stop repeating until enough new readings agree."""
        self._readings.clear()
        self._detector.forget()


def _agree(one: FrameRead | FrameBlind, other: FrameRead | FrameBlind) -> bool:
    if isinstance(one, FrameRead) and isinstance(other, FrameRead):
        return one.card == other.card and agree(one.observation, other.observation)
    return isinstance(one, FrameBlind) and isinstance(other, FrameBlind) and one.reason is other.reason
