"""An evening that was kept can be played again: the same inputs, in the same order, at the same moments."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.core.messages import DeviceFailed, FrameBlind
from companion.shell.clock import ManualClock
from companion.shell.errors import SetUpError
from companion.shell.loop import Message
from companion.shell.recording import RecordedEvening, Recorder
from companion.shell.session import Setup
from engines.kernel import Seat
from hardware.panel import Button, ButtonPressed, LineTyped, PanelInput, SliderMoved
from vision.camera.camera import Camera
from vision.errors import CameraEndedError, CameraError
from vision.frame import Frame
from vision.observation import BlindReason


def grey(level: int) -> np.ndarray:
    return np.full((120, 160, 3), level, np.uint8)


class Shown(Camera):
    """Shows pictures of one grey after the other, a tenth of a second apart."""

    name = "grey"

    def __init__(self, levels: list[int]) -> None:
        self._left = iter(enumerate(levels))

    def read(self, timeout_s: float = 5.0) -> Frame:  # noqa: ARG002
        number, level = next(self._left)
        return Frame(grey(level), number * 100_000_000)

    def close(self) -> None:
        pass


def looked(at_ns: int) -> FrameBlind:
    return FrameBlind(BlindReason.NO_BOARD, at_ns)


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup("royal-ur", [Seat("white"), Seat("black")], tmp_path / "journal.sqlite3", seed=7)


def record(folder: Path, setup: Setup, levels: list[int], between: dict[int, list[Message]], most: int = 10**9) -> str:
    """Record looks at pictures, each followed by other messages; return what was said."""
    said: list[str] = []
    recorder = Recorder(folder, ManualClock(), say=said.append, most_bytes=most)
    recorder.begin(setup, 99)
    with recorder.camera(lambda: Shown(levels))() as camera:
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
    assert [kind for kind, _given in kinds] == [
        "frame",
        "press",
        "press",
        "frame",
        "press",
        "press",
        "frame",
        "failed",
        "frame",
    ]
    assert [given for kind, given in kinds if kind == "frame"] == [
        (level, n * 100_000_000) for n, level in enumerate([40, 40, 200, 40])
    ]
    again = recording.setup(tmp_path / "other.sqlite3")
    assert (again.game, again.players, again.seed, recording.begun.dice_seed) == ("royal-ur", setup.players, 7, 99)
    assert recording.clock.now_ns() == 300_000_000


def test_a_view_that_does_not_change_is_kept_once(tmp_path: Path, setup: Setup) -> None:
    record(tmp_path / "kept", setup, [40] * 20 + [41] * 20, {})
    assert len(list((tmp_path / "kept" / "frames").iterdir())) == 1


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


def test_an_evening_of_pictures_is_recorded_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    (tmp_path / "seen").mkdir()
    for number in range(3):
        cv2.imwrite(str(tmp_path / "seen" / f"{number}.png"), grey(100 + 40 * number))
    arguments = [
        "royal-ur",
        "--players",
        "white,black",
        "--camera",
        f"files:{tmp_path / 'seen'}",
        "--panel",
        "simulated",
    ]
    assert main(["play", *arguments, "--plain", "--record", str(tmp_path / "kept")]) == 0
    assert "sent nowhere" in capfd.readouterr().out
    assert main(["replay", str(tmp_path / "kept"), "--fast"]) == 0
    assert "as that evening" in capfd.readouterr().out
