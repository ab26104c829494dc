"""A camera or a disk that fails shows on the panel, and no longer does when it works again."""

from __future__ import annotations

from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from companion.app.typed_commands import TypedCommands
from companion.core.hypothesis import Rules
from companion.shell.archive import GameLog
from companion.shell.devices import Devices
from companion.shell.frame_reader import FrameReader, Stillness
from companion.shell.session import Setup, open_session
from engines.kernel import Outcome, Seat
from hardware.panel import Rhythm, Tally
from tests.companion.shell.cameras import PlayedCamera, grey_frames
from tests.companion.shell.tables import KeptPanel, ToldReader, lines_on
from tests.companion.simulator.frame_clock import FrameClock
from vision.errors import CameraError

FRAMES = 40


class NotingPanel(KeptPanel):
    """Notes the rhythms that the first lamp was ordered to show."""

    def __init__(self) -> None:
        super().__init__()
        self.rhythms: list[Rhythm | Tally] = []

    def lamp(self, seat_index: int, rhythm: Rhythm | Tally) -> None:
        super().lamp(seat_index, rhythm)
        if seat_index == 0:
            self.rhythms.append(rhythm)


def play(
    tmp_path: Path, moved: bool, screen: StringIO | None = None, *, loose: bool = False, **faults: str
) -> NotingPanel:
    """Look at a table; in the middle the first tee is put down if it is `moved`, and a `loose` camera fails once."""
    clock, panel = FrameClock(frame_s=0.1), NotingPanel()
    panel.faults = faults

    def equip(game: Rules, position: Any) -> Devices:
        start = game.placement(position)
        outcome = game.engine.play(position, game.engine.action_from_json({"walk": ["E12"]}))
        assert isinstance(outcome, Outcome)
        after = game.placement(outcome.position)
        lying = [start] * (FRAMES // 2) + [after if moved else start] * FRAMES
        still = Stillness(still=True, hidden=np.zeros(len(game.board().places), bool))
        failures = [CameraError("the plug is loose")] if loose else []
        frames = grey_frames(FRAMES, clock)
        camera = PlayedCamera(chain(islice(frames, FRAMES // 2), failures, frames))
        eye = FrameReader(lambda: camera, ToldReader(game.board(), iter(lying)).read, lambda _frame, _pose: still)
        return Devices("loose", eye, "kept", panel.opened)

    setup = Setup("royal-tee", [Seat("red"), Seat("green")], tmp_path / "journal.sqlite3")
    with open_session(setup, equip, TypedCommands(lines_on(Console(file=screen or StringIO()))), clock=clock) as table:
        table.loop.run()
    return panel


def test_a_camera_that_fails_shows_on_the_panel_until_it_works_again(tmp_path: Path) -> None:
    rhythms = play(tmp_path, moved=False, loose=True).rhythms
    assert Rhythm.FAULT in rhythms
    assert rhythms[rhythms.index(Rhythm.FAULT) + 1] is Rhythm.TURN


def test_a_disk_that_takes_no_move_shows_on_the_panel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_any: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(GameLog, "record", full)
    assert play(tmp_path, moved=True).rhythms[-1] is Rhythm.FAULT


def test_a_part_of_the_panel_that_does_not_open_is_shown_and_the_game_goes_on(tmp_path: Path) -> None:
    screen, sentence = StringIO(), "the panel's bar cannot be opened: GPIO4 is in use"
    assert Rhythm.FAULT not in play(tmp_path, moved=True, screen=screen, bar=sentence).rhythms
    assert "The panel's bar cannot be opened: GPIO4 is in use" in screen.getvalue()
