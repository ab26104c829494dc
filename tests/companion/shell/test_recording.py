"""An evening that was kept can be played again: the same inputs, in the same order, at the same moments."""

from __future__ import annotations

import json
import queue
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.messages import Began, DeviceFailed, FrameBlind, TimerFired
from companion.shell.errors import SetUpError
from companion.shell.loop import Loop, Message, StopLoop
from companion.shell.recording import RecordedEvening, Recorder
from companion.shell.session import Setup
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Pace
from companion.simulator.outside import OutsideTable, Program
from companion.simulator.table import Plan
from engines.kernel import Seat
from hardware.panel import Button, ButtonPressed, LineTyped, PanelInput, SliderMoved
from tests.companion.conftest import Told
from tests.companion.shell.cameras import PlayedCamera, film, grey
from tests.companion.shell.clocks import ManualClock
from tests.evaluate.habits import CarelessPlayers, Habit
from vision.calibration import Calibration
from vision.enrolment import Enrolment
from vision.errors import CameraEndedError, CameraError, NoPictureYetError
from vision.frame import Frame
from vision.observation import BlindReason


def looked(at_ns: int) -> FrameBlind:
    return FrameBlind(BlindReason.NO_BOARD, at_ns)


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup("royal-ur", [Seat("white"), Seat("black")], tmp_path / "journal.sqlite3", seed=7)


@contextmanager
def recorder_of(folder: Path, setup: Setup, clock: ManualClock | None = None) -> Iterator[Recorder]:
    """Record an evening whose dice have the seed 99, and close the recording."""
    recorder = Recorder(folder, clock or ManualClock(), say=print)
    recorder.begin(setup, 99)
    yield recorder
    recorder.close()


def record(folder: Path, setup: Setup, levels: list[int], between: dict[int, list[Message]], most: int = 10**9) -> str:
    """Record looks at pictures, each followed by other messages; return what was said."""
    said: list[str] = []
    recorder = Recorder(folder, ManualClock(), say=said.append, most_bytes=most)
    recorder.begin(setup, 99)
    with recorder.camera(lambda: PlayedCamera(film(map(grey, levels), 10**8)))() as camera:
        for number in range(len(levels)):
            recorder.heard(looked(camera.read().captured_ns))
            for message in between.get(number, []):
                recorder.heard(message)
    recorder.close()
    return " ".join(said)


def played(recording: RecordedEvening) -> Iterator[tuple[str, object]]:
    """Yield what a recording hands over, presses and frames in their order."""
    heard: list[PanelInput] = []
    recording.listen(heard.append)
    while True:
        try:
            frame = recording.next_frame()
        except CameraEndedError:
            return
        except CameraError:
            yield "failed", None
            continue
        finally:
            yield from (("press", given) for given in heard)
            heard.clear()
        yield "frame", (round(float(frame.image_bgr.mean())), frame.captured_ns)


def test_what_came_in_comes_in_again_in_the_same_order(tmp_path: Path, setup: Setup) -> None:
    between: dict[int, list[Message]] = {
        0: [ButtonPressed(Button.ROLL, 50_000_000), LineTyped("/hint"), LineTyped("/hi", is_whole=False)],
        1: [ButtonPressed(Button.BACK, 150_000_000, held=True), SliderMoved(4, 160_000_000)],
        2: [DeviceFailed("camera", "the cable"), DeviceFailed("screen", "gone")],
    }
    record(tmp_path / "kept", setup, [40, 40, 200, 40], between)
    recording = RecordedEvening(tmp_path / "kept")
    kinds = [(kind, getattr(given, "button", given)) for kind, given in played(recording)]
    assert " ".join(kind for kind, _given in kinds) == "frame press press frame press press frame failed frame"
    assert [given for kind, given in kinds if kind == "frame"] == [
        (level, n * 100_000_000) for n, level in enumerate([40, 40, 200, 40])
    ]
    again = recording.setup(tmp_path / "other.sqlite3")
    assert (again.game, again.players, again.seed, recording.begun.dice_seed) == ("royal-ur", setup.players, 7, 99)


def test_lens_and_enrolments_of_that_evening_are_kept_with_it(tmp_path: Path, setup: Setup) -> None:
    lens, enrolment = Calibration(500.0, (320.0, 240.0), 0.1, (640, 480), 0.2, 8), Enrolment("royal-ur", 3)
    recorder = Recorder(tmp_path / "kept", ManualClock(), say=print)
    recorder.begin(setup, 99, None, lens, {"royal-ur": enrolment})
    recorder.close()
    recording = RecordedEvening(tmp_path / "kept")
    assert recording.lens() == lens
    assert recording.enrolments(["royal-tee", "royal-ur"]) == {"royal-ur": enrolment}


def test_the_program_reads_the_very_pictures_that_are_kept(tmp_path: Path, setup: Setup) -> None:
    random, read = np.random.default_rng(1), list[Frame]()
    noisy = (Frame(random.integers(90, 110, (120, 160, 3), np.uint8), n * 10**8, retaken=n == 1) for n in range(1, 9))
    with recorder_of(tmp_path / "kept", setup) as recorder:
        camera = recorder.camera(lambda: PlayedCamera(noisy))()
        for number in range(8):
            read.append(camera.read())
            recorder.heard(FrameBlind(BlindReason.NO_BOARD, read[-1].captured_ns, repeated=number in (5, 6)))
    again = [recording.next_frame() for recording in [RecordedEvening(tmp_path / "kept")] for _look in read]
    shown = [*read[:5], read[4], read[4], read[7]]  # what was not read again needs no picture
    assert all(np.array_equal(frame.image_bgr, other.image_bgr) for frame, other in zip(again, shown, strict=True))
    assert [frame.captured_ns for frame in again] == [frame.captured_ns for frame in read]
    assert [frame.retaken for frame in again] == [True, *[False] * 7]


def test_a_camera_without_a_picture_yet_has_none_again(tmp_path: Path, setup: Setup) -> None:
    with recorder_of(tmp_path / "kept", setup) as recorder:
        recorder.heard(FrameBlind(BlindReason.NO_PICTURE, 7))
    with pytest.raises(NoPictureYetError) as none:
        RecordedEvening(tmp_path / "kept").next_frame()
    assert none.value.at_ns == 7


def handled(recording: RecordedEvening, messages: Sequence[Message]) -> list[tuple[str, int]]:
    """Return which messages a loop gets, and when, if each of them orders a timer that is due at once."""
    seen: list[tuple[str, int]] = []
    clock, timers, inbox = recording.clock, recording.timers(), queue.SimpleQueue[Message]()
    for message in (*messages, StopLoop()):
        inbox.put(message)

    def heard(message: Message) -> None:
        seen.append((type(message).__name__, clock.now_ns()))
        timers.start("answer", clock.now_ns())

    loop = Loop(
        None,
        step=lambda state, _event: (state, []),
        record=lambda _entries, _state: None,
        perform=lambda _effects: (),
        inbox=inbox,
        timers=timers,
        clock=clock,
        before=heard,
    )
    loop.run()
    return seen


def test_timers_fire_between_the_same_messages_again(tmp_path: Path, setup: Setup) -> None:
    clock, press = ManualClock(at_ns=1_000), ButtonPressed(Button.DONE, 1_100)
    with recorder_of(tmp_path / "kept", setup, clock) as recorder:
        for at_ns, message in ((1_200, press), (1_300, press), (1_400, TimerFired("answer", 1_350)), (1_500, press)):
            clock.advance(at_ns - clock.now_ns())
            recorder.heard(message)
    assert handled(RecordedEvening(tmp_path / "kept"), [press, Began(0), press, press]) == [
        ("ButtonPressed", 1_200),
        ("Began", 1_200),  # nobody's input: it comes of itself again
        ("ButtonPressed", 1_300),
        ("TimerFired", 1_350),
        ("ButtonPressed", 1_500),
    ]


def test_players_take_as_long_as_that_evening(tmp_path: Path, setup: Setup) -> None:
    clock = ManualClock(at_ns=10**9)
    with recorder_of(tmp_path / "kept", setup, clock) as recorder:
        for message in (ButtonPressed(Button.DONE, 10**9), TimerFired("answer", 3 * 10**9), SliderMoved(4, 7 * 10**9)):
            clock.advance(10**9)
            recorder.heard(message)
    waited: list[float] = []
    with pytest.raises(CameraEndedError):
        RecordedEvening(tmp_path / "kept", wait=waited.append).next_frame()
    assert waited == [1.0, 1.0, 1.0], "as the loop came to them, whenever they were made"


def test_what_the_lobby_did_not_handle_comes_to_the_game(tmp_path: Path, setup: Setup) -> None:
    record(tmp_path / "kept", setup, [40, 200], {0: [ButtonPressed(Button.DONE, 50)]})
    recording, inbox = RecordedEvening(tmp_path / "kept"), queue.SimpleQueue[PanelInput | FrameBlind]()
    recording.listen(inbox.put)
    inbox.put(looked(recording.next_frame().captured_ns))
    ahead = recording.next_frame()  # read while the loop handles DONE, by which the lobby ends
    assert [recording.clock.get(inbox, None) for _message in range(2)] == [looked(0), ButtonPressed(Button.DONE, 50)]
    recording.listen(inbox.put)
    assert recording.next_frame().captured_ns == ahead.captured_ns


def test_a_full_folder_is_told_once_and_the_evening_goes_on(tmp_path: Path, setup: Setup) -> None:
    size = len(cv2.imencode(".jpg", grey(40), (cv2.IMWRITE_JPEG_QUALITY, 95))[1])
    said = record(tmp_path / "kept", setup, [40, 200, 40, 200], {3: [ButtonPressed(Button.DONE, 1)]}, most=2 * size)
    assert "full" in said
    pictures = sum(path.stat().st_size for path in (tmp_path / "kept" / "frames").iterdir())
    assert 0 < pictures <= 2 * size
    assert [kind for kind, _given in played(RecordedEvening(tmp_path / "kept"))] == ["frame", "frame"]


def test_half_a_line_at_the_end_of_an_evening_that_was_cut_short_is_left_out(tmp_path: Path, setup: Setup) -> None:
    record(tmp_path / "kept", setup, [40, 200], {})
    inputs = tmp_path / "kept" / "inputs.jsonl"
    inputs.write_text(inputs.read_text()[:-9])
    assert [kind for kind, _given in played(RecordedEvening(tmp_path / "kept"))] == ["frame"]


@pytest.mark.parametrize("broken", ["", "{}", "[1]", '{"format": 9}'])
def test_a_folder_that_is_no_recording_is_refused_in_a_sentence(tmp_path: Path, broken: str) -> None:
    (tmp_path / "evening.json").write_text(broken)
    with pytest.raises(SetUpError, match=r"expected a recording"):
        RecordedEvening(tmp_path)


def test_a_set_up_of_another_kind_is_refused_in_a_sentence(tmp_path: Path, setup: Setup) -> None:
    record(tmp_path / "kept", setup, [40], {})
    evening = tmp_path / "kept" / "evening.json"
    evening.write_text(json.dumps({**json.loads(evening.read_text()), "setup": {"level": "divine", "colour": 3}}))
    with pytest.raises(SetUpError, match=r"expected a recording"):
        RecordedEvening(tmp_path / "kept").setup(tmp_path / "j")


def test_a_folder_with_something_in_it_is_not_recorded_to(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(SetUpError, match="new folder"):
        Recorder(tmp_path, ManualClock(), say=print)


@pytest.mark.usefixtures("state")
def test_an_evening_of_pictures_is_recorded_and_replayed(tmp_path: Path, recording: Path, told: Told) -> None:
    arguments = ["royal-ur", "--players", "white,black", "--camera", f"files:{recording}", "--panel", "simulated"]
    assert "sent nowhere" in told("play", *arguments, "--plain", "--record", tmp_path / "kept")
    assert "as that evening" in told("replay", tmp_path / "kept", "--fast")


@pytest.mark.long
def test_an_evening_of_people_is_replayed_to_the_same_journal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], told: Told
) -> None:
    """Frames with noise, presses, dice and a cheat: the replay reads, throws and decides as the evening did."""
    behaviour = PlayerBehaviour(think_s=0.4, turns=4, tricks={2: "other-throw"})
    careless = partial(CarelessPlayers, habits={Habit.GIVEN_UP: 0.3})
    people = OutsideTable(Plan(11, behaviour, Pace(0.4, 0.1), size_wh=(800, 600), players=careless))
    players, kept = (Seat("white"), Seat("black")), tmp_path / "kept"
    people.play(Program("royal-ur", players, tmp_path / "journal.sqlite3", more=("--plain", f"--record={kept}")))
    capfd.readouterr()
    assert int(told("replay", kept, "--fast").splitlines()[-1].split()[0]) > 6, "entries, as that evening"
