from __future__ import annotations

import queue
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from companion.core.messages import DeviceFailed, DeviceReturned, DiceRead, FrameBlind, FrameRead
from companion.games import GAMES
from companion.games.engines import ENGINES
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
from companion.shell.tray_watch import TrayWatch
from engines.kernel import Seat
from tests.companion.shell.cameras import PlayedCamera, grey
from tests.narrow import narrowed, there
from vision.board import Board
from vision.errors import CameraError, NoPictureYetError
from vision.frame import Frame, ImageBgr
from vision.geometry import Lens, Pose
from vision.observation import Blind, BlindReason, Observation
from vision.recognition.reader import Reading
from vision.simulation.scene import camera_over
from vision.tray import TrayDie

SEEN = Observation(("A1",), ("empty", "red"), np.array([[0.9, 0.1]]), np.array([True]))
POSE = Pose(Lens(100.0, (1.0, 1.0)), np.zeros(3), np.array([0.0, 0.0, 500.0]))


def read(image_bgr: ImageBgr) -> Reading | Blind:
    """Find a table in every picture that is not black; a picture of sevens raises an error."""
    if image_bgr.max() == 7:
        raise ZeroDivisionError
    return Reading("hopping", SEEN, POSE) if image_bgr.any() else Blind(BlindReason.DARK)


class FakeCamera(PlayedCamera):
    """A camera that knows whether it was closed, and whose lens has found no focus at level 201."""

    closed = False

    def read(self, timeout_s: float = 0.0) -> Frame:
        frame = super().read(timeout_s)
        self.problem = "no focus" if frame.image_bgr.max() == 201 else ""
        return frame

    def close(self) -> None:
        self.closed = True


class Bench:
    """An eye on cameras that give grey frames of these levels, and raise the exceptions among them."""

    def __init__(self, *script: int | Exception) -> None:
        self.frames = (
            level if isinstance(level, Exception) else Frame(grey(level, (2, 2)), len(script) - number)
            for number, level in enumerate(script, 1)
        )
        self.opened, self.waited_s = list[FakeCamera](), list[float]()
        self.inbox: Inbox = queue.SimpleQueue()

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
        self.opened.append(FakeCamera(self.frames))
        return self.opened[-1]


def test_a_look_reports_what_was_read_whether_it_was_still_and_when() -> None:
    seen = narrowed(Bench(200).eye().look(), FrameRead)
    assert (seen.observation.p.tolist(), seen.still, seen.at_ns) == (SEEN.p.tolist(), True, 0)
    assert seen.observation.visible.all()


def test_what_was_read_under_a_hand_is_taken_back() -> None:
    seen = narrowed(Bench(150).eye().look(), FrameRead)
    assert not seen.observation.visible.any()
    assert seen.observation.p.tolist() == [[0.5, 0.5]]


def test_a_look_at_a_picture_that_cannot_be_read_reports_why_and_keeps_the_last_sight() -> None:
    eye = Bench(200, 0).eye()
    eye.look()
    sight = eye.sight
    assert eye.look() == FrameBlind(BlindReason.DARK, 0)
    assert eye.sight is sight is not None


def test_a_camera_that_waits_for_its_first_picture_is_no_fault() -> None:
    eye = Bench(NoPictureYetError("an empty folder", 5), 200).eye()
    assert eye.look() == FrameBlind(BlindReason.NO_PICTURE, 5)
    assert isinstance(eye.look(), FrameRead)


def test_the_thread_looks_until_the_recording_ends_and_closes_the_camera() -> None:
    bench = Bench(200, 50, 0)
    *looks, end = bench.watch()
    assert [type(look) for look in looks] == [FrameRead, FrameRead, FrameBlind]
    assert end == StopLoop(code=CAMERA_ENDED)
    assert [camera.closed for camera in bench.opened] == [True]


def test_a_camera_that_fails_is_reported_once_opened_anew_and_reported_when_it_returns() -> None:
    failures: list[int | Exception] = [CameraError("unplugged")] * (REOPENED_AFTER + 1)
    bench = Bench(*failures, 200)
    first, second, look, end = bench.watch()
    assert (first, second, end) == (
        DeviceFailed("camera", "unplugged"),
        DeviceReturned("camera"),
        StopLoop(code=CAMERA_ENDED),
    )
    assert isinstance(look, FrameRead)
    assert len(bench.opened) == 2


def test_a_camera_that_fails_for_another_reason_is_reported_again() -> None:
    locked, refused = CameraError("is the phone locked?"), CameraError("its browser does not allow it")
    told = [seen for seen in Bench(locked, locked, refused, refused, 200).watch() if not isinstance(seen, FrameRead)]
    assert told[:-1] == [
        DeviceFailed("camera", str(locked)),
        DeviceFailed("camera", str(refused)),
        DeviceReturned("camera"),
    ]


def test_a_lens_without_focus_is_reported_while_frames_come_until_it_has_found_it() -> None:
    told = [seen for seen in Bench(201, 201, 200).watch() if not isinstance(seen, FrameRead)]
    assert told == [DeviceFailed("lens", "no focus"), DeviceReturned("lens"), StopLoop(code=CAMERA_ENDED)]


def test_a_camera_that_stays_away_is_tried_ever_less_often() -> None:
    bench = Bench(*[CameraError("unplugged")] * 8)
    bench.watch()
    assert bench.waited_s[:3] == [FIRST_RETRY_S, 2 * FIRST_RETRY_S, 4 * FIRST_RETRY_S]
    assert bench.waited_s[-1] == LONGEST_RETRY_S


def test_a_fault_of_ours_while_reading_ends_the_loop_instead_of_the_thread_alone() -> None:
    end = narrowed(Bench(7).watch()[-1], StopLoop)
    assert isinstance(end.error, ZeroDivisionError)


def test_no_look_is_taken_while_the_loop_is_busy_with_the_last_one() -> None:
    bench = Bench(*[200] * 5)
    watcher = CaptureThread(bench.eye(), bench.inbox)
    watcher.start()
    bench.inbox.get(timeout=10)
    watcher.stop()
    assert bench.inbox.empty()
    assert len([*bench.frames]) == 4


GAME = GAMES["territory"]
TERRITORY, ABOVE = GAME.board(), camera_over(GAME.board(), (1296, 972)).pose
START: Any = GAME.engine.new([Seat(colour) for colour in TERRITORY.colours[:3]], {}, 0)
PICTURE = np.zeros((4, 4, 3), np.uint8)


def lying(*dice: tuple[int | None, float, float]) -> tuple[TrayDie, ...]:
    """Dice by what they show, None for one that cannot be read, and where they are, in mm."""
    pixels = [ABOVE.project_at([(x, y)], 16.0)[0] for _value, x, y in dice]
    return tuple(
        TrayDie(value, False, 0.99 if value else 0.5, (float(px), float(py)))
        for (value, _x, _y), (px, py) in zip(dice, pixels, strict=True)
    )


class Tray:
    """A tray in which dice are put by hand."""

    def __init__(self) -> None:
        self.dice: tuple[TrayDie, ...] = ()
        self.reported: list[DiceRead] = []
        dice = there(ENGINES["territory"].turns.dice)
        self.watch = TrayWatch(TERRITORY, dice.of_faces, self.reported.append, self._read)

    def _read(self, _image_bgr: ImageBgr, _board: Board, _pose: Pose) -> Sequence[TrayDie]:
        return self.dice

    def look(self, *dice: tuple[int | None, float, float], awaited: Any = START, times: int = 1) -> list[Any]:
        self.dice = lying(*dice)
        self.reported.clear()
        for _ in range(times):
            self.watch.look(PICTURE, ABOVE, 5, awaited)
        return [ENGINES["territory"].game.action_to_json(throw.action) for throw in self.reported]


@pytest.fixture
def tray() -> Tray:
    empty = Tray()
    empty.look()
    return empty


THREE, FOUR = (3, 450.0, 100.0), (4, 480.0, 130.0)


def test_two_equal_readings_are_a_throw_and_one_is_none(tray: Tray) -> None:
    assert tray.look(THREE, FOUR) == []
    assert tray.look(THREE, FOUR) == [{"roll": [3, 4]}]


def test_a_throw_is_reported_once_and_not_again_for_the_next_one(tray: Tray) -> None:
    assert tray.look(THREE, FOUR, times=9) == [{"roll": [3, 4]}]
    assert tray.look(THREE, FOUR, times=9, awaited=None) == []
    assert tray.look(THREE, FOUR, times=9) == []


def test_the_same_numbers_elsewhere_are_a_new_throw(tray: Tray) -> None:
    tray.look(THREE, FOUR, times=2)
    assert tray.look((3, 470.0, 60.0), (4, 500.0, 110.0), times=2) == [{"roll": [3, 4]}]


def test_a_die_that_stays_while_the_others_are_thrown_is_none_of_the_throw(tray: Tray) -> None:
    assert tray.look(THREE, FOUR, times=2) == [{"roll": [3, 4]}]
    assert tray.look(THREE, (4, 500.0, 110.0), times=9) == []
    assert tray.look(THREE, (5, 500.0, 110.0), (6, 470.0, 60.0), times=2) == [{"roll": [5, 6]}]


def test_a_die_that_falls_where_it_lay_before_counts_once_all_were_taken_up(tray: Tray) -> None:
    assert tray.look(THREE, FOUR, times=2) == [{"roll": [3, 4]}]
    assert tray.look(times=2) == tray.look(THREE, FOUR, times=9) == [], "a hand may only have hidden them"
    assert tray.look(times=2) == []
    assert tray.look(THREE, (5, 500.0, 110.0), times=2) == [{"roll": [3, 5]}]


def test_dice_that_people_counted_are_not_read_as_the_next_throw(tray: Tray) -> None:
    later: Any = GAME.engine.new([Seat(colour) for colour in TERRITORY.colours[:3]], {}, 1)
    assert tray.look((None, 450.0, 100.0), FOUR, times=3) == []
    assert tray.look(THREE, FOUR, awaited=later, times=9) == []
    assert tray.look((1, 470.0, 60.0), (2, 500.0, 110.0), awaited=later, times=2) == [{"roll": [1, 2]}]


def test_dice_that_were_there_before_the_game_are_no_throw() -> None:
    tray = Tray()
    assert tray.look(THREE, FOUR, times=9) == []
    assert tray.look((3, 470.0, 60.0), (5, 500.0, 90.0), times=2) == [{"roll": [3, 5]}]


@pytest.mark.parametrize("dice", [[THREE], [THREE, (None, 480.0, 130.0)], [THREE, FOUR, (1, 500.0, 50.0)]])
def test_a_die_that_is_missing_unread_or_too_many_makes_no_throw(tray: Tray, dice: list[Any]) -> None:
    assert tray.look(*dice, times=9) == []


def test_nothing_is_reported_while_no_throw_is_awaited(tray: Tray) -> None:
    assert tray.look(THREE, FOUR, times=9, awaited=None) == []
    assert tray.look(THREE, FOUR, times=1) == [{"roll": [3, 4]}], "a throw that came early counts when it is awaited"
