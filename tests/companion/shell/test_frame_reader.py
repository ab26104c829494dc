from __future__ import annotations

import queue
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.core.messages import DeviceFailed, DeviceReturned, FrameBlind, FrameRead
from companion.shell.frame_reader import (
    CAMERA_ENDED,
    FIRST_RETRY_S,
    LONGEST_RETRY_S,
    REOPENED_AFTER,
    CaptureThread,
    FrameReader,
    Stillness,
)
from companion.shell.loop import Inbox, Message, StopLoop
from vision.camera.camera import Camera
from vision.errors import CameraEndedError, CameraError, NoPictureYetError
from vision.frame import Frame, ImageBgr
from vision.geometry import Lens, Pose
from vision.observation import Blind, BlindReason, Observation
from vision.recognition.reader import Reading

SEEN = Observation(("A1",), ("empty", "red"), np.array([[0.9, 0.1]]), np.array([True]))
POSE = Pose(Lens(100.0, (1.0, 1.0)), np.zeros(3), np.array([0.0, 0.0, 500.0]))


def read(image_bgr: ImageBgr) -> Reading | Blind:
    """Find a table in every picture that is not black; a picture of sevens raises an error."""
    if image_bgr.max() == 7:
        raise ZeroDivisionError
    return Reading("hopping", SEEN, POSE) if image_bgr.any() else Blind(BlindReason.DARK)


class FakeCamera(Camera):
    """Gives what the script says: a grey level, or an exception; at 201 its lens has found no focus."""

    name = "fake"

    def __init__(self, script: list[int | Exception]) -> None:
        self._script = script
        self.closed = False

    def read(self, timeout_s: float = 0.0) -> Frame:  # noqa: ARG002 - a fake never waits
        if not self._script:
            raise CameraEndedError("the script is at its end")
        level = self._script.pop(0)
        if isinstance(level, Exception):
            raise level
        self.problem = "no focus" if level == 201 else ""
        return Frame(np.full((2, 2, 3), level, np.uint8), len(self._script))

    def close(self) -> None:
        self.closed = True


@dataclass
class Bench:
    """An eye on a scripted camera, and what comes of it."""

    script: list[int | Exception]
    opened: list[FakeCamera] = field(default_factory=list)
    waited_s: list[float] = field(default_factory=list)
    inbox: Inbox = field(default_factory=queue.SimpleQueue)

    def eye(self) -> FrameReader:
        return FrameReader(self._open, read, self._gate)

    def watch(self) -> Sequence[Message]:
        """Let the thread run until it ends the loop; give what it put into the inbox."""
        watcher = CaptureThread(self.eye(), self.inbox, wait=lambda _stopped, time_s: self.waited_s.append(time_s))
        watcher.start()
        seen: list[Message] = []
        while not isinstance(event := self.inbox.get(timeout=10), StopLoop):
            seen.append(event)
            watcher.handled(event)
        watcher.stop()
        return [*seen, event]

    def _gate(self, frame: Frame, _pose: Pose) -> Stillness:
        """Pictures above level 100 are still; at 150 a hand is over the only cell."""
        level = frame.image_bgr.max()
        return Stillness(bool(level > 100), np.array([level == 150]))

    def _open(self) -> FakeCamera:
        self.opened.append(FakeCamera(self.script))
        return self.opened[-1]


def test_a_look_reports_what_was_read_whether_it_was_still_and_when() -> None:
    seen = Bench([200]).eye().look()
    assert isinstance(seen, FrameRead)
    assert (seen.observation.p.tolist(), seen.still, seen.at_ns) == (SEEN.p.tolist(), True, 0)
    assert seen.observation.visible.all()


def test_what_was_read_under_a_hand_is_taken_back() -> None:
    seen = Bench([150]).eye().look()
    assert isinstance(seen, FrameRead)
    assert not seen.observation.visible.any()
    assert seen.observation.p.tolist() == [[0.5, 0.5]]


def test_a_look_at_a_picture_that_cannot_be_read_reports_why_and_keeps_the_last_sight() -> None:
    eye = Bench([200, 0]).eye()
    eye.look()
    sight = eye.sight
    assert eye.look() == FrameBlind(BlindReason.DARK, 0)
    assert eye.sight is sight is not None


def test_a_camera_that_waits_for_its_first_picture_is_no_fault() -> None:
    eye = Bench([NoPictureYetError("an empty folder", 5), 200]).eye()
    assert eye.look() == FrameBlind(BlindReason.NO_PICTURE, 5)
    assert isinstance(eye.look(), FrameRead)


def test_the_thread_looks_until_the_recording_ends_and_closes_the_camera() -> None:
    bench = Bench([200, 50, 0])
    *looks, end = bench.watch()
    assert [type(look) for look in looks] == [FrameRead, FrameRead, FrameBlind]
    assert end == StopLoop(code=CAMERA_ENDED)
    assert [camera.closed for camera in bench.opened] == [True]


def test_a_camera_that_fails_is_reported_once_opened_anew_and_reported_when_it_returns() -> None:
    failures: list[int | Exception] = [CameraError("unplugged")] * (REOPENED_AFTER + 1)
    bench = Bench([*failures, 200])
    first, second, look, end = bench.watch()
    assert (first, second, end) == (
        DeviceFailed("camera", "unplugged"),
        DeviceReturned("camera"),
        StopLoop(code=CAMERA_ENDED),
    )
    assert isinstance(look, FrameRead)
    assert len(bench.opened) == 2


def test_a_lens_without_focus_is_reported_while_frames_come_until_it_has_found_it() -> None:
    told = [seen for seen in Bench([201, 201, 200]).watch() if not isinstance(seen, FrameRead)]
    assert told == [DeviceFailed("lens", "no focus"), DeviceReturned("lens"), StopLoop(code=CAMERA_ENDED)]


def test_a_camera_that_stays_away_is_tried_ever_less_often() -> None:
    bench = Bench([CameraError("unplugged")] * 8)
    bench.watch()
    assert bench.waited_s[:3] == [FIRST_RETRY_S, 2 * FIRST_RETRY_S, 4 * FIRST_RETRY_S]
    assert bench.waited_s[-1] == LONGEST_RETRY_S


def test_a_fault_of_ours_while_reading_ends_the_loop_instead_of_the_thread_alone() -> None:
    end = Bench([7]).watch()[-1]
    assert isinstance(end, StopLoop)
    assert isinstance(end.error, ZeroDivisionError)


def test_no_look_is_taken_while_the_loop_is_busy_with_the_last_one() -> None:
    bench = Bench([200] * 5)
    watcher = CaptureThread(bench.eye(), bench.inbox)
    watcher.start()
    bench.inbox.get(timeout=10)
    watcher.stop()
    assert bench.inbox.empty()
    assert len(bench.script) == 4
