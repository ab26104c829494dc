"""A service with a wrong configuration waits for a mended file, and the panel shows that it does."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from companion.cli import main, play
from companion.cli.exits import FAULT, UNUSABLE
from companion.cli.unattended import files_to_watch, wait_until_mended
from companion.shell.errors import JournalError, SetUpError
from companion.shell.frame_reader import FrameReader
from companion.shell.loop import Inbox, StopLoop
from hardware.errors import PanelError
from hardware.panel import Panel, Rhythm, Signal
from hardware.simulated import SimulatedPanel
from tests.companion.shell.tables import KeptPanel
from vision.errors import CameraError

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "deploy/pi").rglob("companion.toml"))


def _panel() -> SimulatedPanel:
    return SimulatedPanel(lambda _heard: None, Random(1))


def test_every_lamp_shows_the_fault_until_a_file_changes(tmp_path: Path) -> None:
    file, panel, rhythms = tmp_path / "companion.toml", _panel(), []

    def wait(_seconds: float) -> None:
        rhythms.append(set(panel.shown.rhythms))
        if len(rhythms) == 3:
            file.write_text("game = 'royal-tee'")

    assert wait_until_mended([file], lambda: panel, wait=wait)
    assert rhythms == [{Rhythm.FAULT}] * 3


@pytest.mark.parametrize("error", [PanelError("pin 4 is taken"), SetUpError("no such panel")])
def test_without_a_usable_panel_nothing_is_waited_for(tmp_path: Path, error: Exception) -> None:
    def broken() -> Panel:
        raise error

    assert not wait_until_mended([tmp_path / "x"], broken)


def test_the_files_that_may_be_wrong_are_watched(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text('lens = "mine.toml"\ntables = ["board.toml"]')
    environment = {"CONFIGURATION_DIRECTORY": str(tmp_path)}
    names = {"companion.toml", "hardware.toml", "lens.toml", "mine.toml", "board.toml", "given.toml"}
    watched = files_to_watch(environment, [tmp_path / "given.toml", None])
    assert {tmp_path / name for name in names} <= set(watched)
    (tmp_path / "companion.toml").write_text("width = 1")
    assert tmp_path / "companion.toml" in files_to_watch(environment)


def test_the_service_goes_on_when_the_file_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [SetUpError("companion.toml: game: expected another")]

    def once(_args: object) -> int:
        if wrong:
            raise wrong.pop()
        return 0

    monkeypatch.setattr(play, "_run_once", once)
    monkeypatch.setattr("companion.cli.unattended.wait_until_mended", lambda *_any: True)
    assert main(["play", "--unattended"]) == 0


def test_a_camera_that_is_not_there_at_the_start_is_shown_on_the_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = KeptPanel()
    missing: list[Exception] = [CameraError("no camera is there")]

    def look(_eye: FrameReader) -> None:
        raise missing[0]

    def sleep(_seconds: float) -> None:
        """Wait for nothing."""

    monkeypatch.setattr("hardware.pi.GpioPanel", lambda enqueue, **_how: panel.opened(enqueue))
    monkeypatch.setattr(FrameReader, "look", look)
    monkeypatch.setattr(play, "ended_by_signals", _ended_when(lambda: Rhythm.FAULT in panel.shown.rhythms))
    assert main(["play", "royal-tee", "--camera", "webcam:0", "--panel", "gpio", "--plain"]) == 0
    assert panel.signals[-1] is Signal.FAULT

    panel.signals.clear()
    monkeypatch.setattr("companion.cli.unattended.time.sleep", sleep)
    assert main(["play", "royal-tee", "--camera", "files:/nowhere", "--panel", "gpio"]) == UNUSABLE
    assert (panel.signals, set(panel.shown.rhythms)) == ([Signal.FAULT], {Rhythm.FAULT})


def _ended_when(shown: Callable[[], bool]) -> Callable[[Inbox], AbstractContextManager[None]]:
    """Return what ends a game as a signal does, as soon as something is shown."""

    def look_again(inbox: Inbox) -> None:
        deadline = time.monotonic() + 20.0
        while not shown() and time.monotonic() < deadline:
            time.sleep(0.01)
        inbox.put(StopLoop())

    @contextmanager
    def ended(inbox: Inbox) -> Iterator[None]:
        Thread(target=look_again, args=(inbox,), daemon=True).start()
        yield

    return ended


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SetUpError("wrong"), UNUSABLE),
        (CameraError("no folder"), UNUSABLE),
        (JournalError("busy"), FAULT),
        (PanelError("pin 4 is taken"), FAULT),
    ],
)
def test_without_a_panel_a_wrong_configuration_ends_it_and_a_journal_in_trouble_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: Exception, code: int
) -> None:
    def once(_args: object) -> int:
        raise error

    monkeypatch.setattr(play, "_run_once", once)
    monkeypatch.setattr("companion.cli.unattended.wait_until_mended", lambda *_any: False)
    assert main(["play", "--unattended"]) == code
    assert str(error) in capsys.readouterr().err
    unit = (ROOT / "deploy/pi/companion.service").read_text()
    assert f"RestartPreventExitStatus={UNUSABLE}" in unit.splitlines()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.parent.name)
def test_every_example_starts(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With simulated players in place of camera and panel, and nothing else changed."""
    settings: Mapping[str, object] = tomllib.loads(example.read_text())
    assert {"game", "camera", "panel"} <= settings.keys()
    monkeypatch.setenv("COMPANION_SETTINGS", str(example))
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setattr("companion.shell.loop.Loop.run", lambda _loop: None)
    assert main(["play", "--unattended", "--camera", "simulated", "--panel", "simulated"]) == 0
    assert "companion: " not in capsys.readouterr().err
