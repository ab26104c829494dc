"""Throws that simulated players make themselves, seen in pictures or counted on the panel."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from rich.console import Console

from companion.app.typed_commands import TypedCommands
from companion.core.entries import Arranged, Played
from companion.core.messages import DiceRead
from companion.core.verdicts import ActionSource
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell.journal import Journal
from companion.shell.loop import StopLoop
from companion.shell.session import Setup, open_session
from companion.shell.tray_watch import TrayWatch
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.camera import SimulatedCamera
from companion.simulator.dice import TRAY_MM, DiceByHand, throw_by_hand
from companion.simulator.hands import LyingDie, Pace, Tabletop
from companion.simulator.table import Plan, SimulatedTable, _hang
from engines.kernel import JsonObject, Seat
from tests.companion.core.tables import act
from tests.companion.shell.clocks import ManualClock
from tests.companion.shell.tables import lines_on
from tests.companion.simulator.frame_clock import FrameClock
from tests.evaluate.evenings import Evening, play
from vision.simulation.dice import room_beside
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import camera_over

if TYPE_CHECKING:
    from companion.core.view import View

TERRITORY = GAMES["territory"]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("game", "faces", "expected"), [("territory", (4, 6), {"roll": [4, 6]}), ("royal-ur", (0, 1, 0), {"roll": 1})]
)
def test_dice_beside_the_board_are_read_in_a_picture(game: str, faces: tuple[int, ...], expected: JsonObject) -> None:
    board, rng, size_wh = GAMES[game].board(), np.random.default_rng(7), (1296, 972)
    scene = random_scene(board, rng, tier="easy", labels={}, size_wh=size_wh)
    scene = replace(scene, camera=_hang(board, size_wh, rng, dice=True))
    dice = tuple(LyingDie(face, (24.0 * (k - 1), 9.0 - 8.0 * k), 20.0 + 45.0 * k) for k, face in enumerate(faces))
    tables = iter([Tabletop({}), Tabletop({}, dice=dice), Tabletop({}, dice=dice)])
    camera = SimulatedCamera(scene, lambda _s: next(tables), lambda: 0, rng)
    throws: list[DiceRead] = []
    position = GAMES[game].engine.new([Seat(colour) for colour in board.colours[:3]], {}, 0)
    thrown = ENGINES[game].turns.dice
    watch = TrayWatch(board, thrown.of_faces, throws.append)
    for _look in range(3):
        watch.look(camera.read().image_bgr, scene.camera.pose, 0, position)
    assert [_sorted(GAMES[game].engine.action_to_json(throw.action)) for throw in throws] == [expected]


def _sorted(throw: JsonObject) -> JsonObject:
    """Return a throw with its values in order: dice have none."""
    return {key: sorted(value) if isinstance(value, list | tuple) else value for key, value in throw.items()}


@pytest.mark.long
def test_dice_that_are_thrown_beside_the_board_are_read_in_pictures(tmp_path: Path) -> None:
    clock, colours = FrameClock(frame_s=0.2), GAMES["territory"].board().colours
    table = SimulatedTable(
        Plan(2, PlayerBehaviour(think_s=0.0, turns=4), Pace(0.3, 0.1), size_wh=(1296, 972)),
        clock=clock,
        shutter=clock.next_frame_ns,
    )
    setup = Setup(
        "territory",
        [Seat(colour) for colour in colours[:3]],
        tmp_path / "journal.sqlite3",
        options={"roll_off": False},
        arrangement=Arranged(dice="camera"),
    )
    console = Console(file=StringIO(), width=100)
    with open_session(setup, table.equip, TypedCommands(lines_on(console)), clock=clock, random=Random(1)) as session:
        table.when_over(lambda: session.loop.inbox.put(StopLoop()))
        session.loop.run()
        counts = table.conclude()
    journal = Journal(tmp_path / "journal.sqlite3", ManualClock())
    (game,) = journal.games()
    journal.close()
    played = [entry for entry in game.entries if isinstance(entry, Played) and "roll" in entry.action]
    sources = {entry.source for entry in played}
    assert ActionSource.CAMERA in sources
    assert sources <= {ActionSource.CAMERA, ActionSource.TYPED}, "people count a throw that the camera doubts"
    assert (counts.mistaken, counts.unanswered) == (0, 0)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("dice", "game", "turns"),
    [
        ("typed", "territory", 2),
        ("typed", "royal-ur", 2),
        ("typed", "royal-racers", 14),
        pytest.param("camera", "territory", 2, marks=pytest.mark.long),
        pytest.param("camera", "royal-ur", 1, marks=pytest.mark.long),
        pytest.param("camera", "royal-racers", 14, marks=pytest.mark.long),
    ],
)
def test_dice_that_no_camera_can_read_are_counted(game: str, turns: int, dice: str, tmp_path: Path) -> None:
    outcome = play(Evening(game, 1, turns=turns, dice=dice), tmp_path)
    (counts,) = outcome.counts
    assert outcome.score_equal == 1, outcome.notes
    assert (counts.mistaken, counts.unanswered, counts.refused_for_good) == (0, 0, 0), outcome.notes
    journal = Journal(tmp_path / f"{game}-1.sqlite3", ManualClock())
    (recorded,) = journal.games()
    journal.close()
    thrown = Counter(e.source for e in recorded.entries if isinstance(e, Played) and "roll" in e.action)
    assert set(thrown) == {ActionSource.TYPED}


@pytest.mark.parametrize("game", ["territory", "royal-ur"])
def test_what_people_throw_is_what_they_count(game: str) -> None:
    adaptor = GAMES[game]
    players = [Seat(colour) for colour in adaptor.board().colours[:3]]
    position = adaptor.engine.new(players, {}, 0)
    for seed in range(40):
        thrown = throw_by_hand(adaptor, position, Random(seed))
        assert adaptor.turns.dice.counted(position, thrown.numbers) == thrown.action


def test_people_take_their_dice_in_any_order_and_no_others() -> None:
    seats = [Seat(colour) for colour in TERRITORY.board().colours[:3]]
    people = DiceByHand(TERRITORY, Random(1))
    people.throw_in(TERRITORY.engine.new(seats, {"roll_off": False}, 0))
    assert people.throw is not None
    first, second = people.throw.numbers
    assert first != second
    swapped, other = (act(TERRITORY, roll=[second, one]) for one in (first, first % 6 + 1))
    assert not people.counts(cast("View", SimpleNamespace(dice_read=swapped)), 9.0)
    assert people.throw.action == swapped
    assert people.counts(cast("View", SimpleNamespace(dice_read=other)), 0.0)


@pytest.mark.parametrize("dice", [True, False])
def test_a_camera_hangs_so_that_dice_beside_the_board_are_in_the_picture(dice: bool) -> None:
    board, size_wh = GAMES["royal-ur"].board(), (1296, 972)
    rooms = [
        room_beside(_hang(board, size_wh, np.random.default_rng(seed), dice=dice), board.size, TRAY_MM)
        for seed in range(20)
    ]
    assert (None not in rooms) is dice


def test_dice_outside_the_picture_are_not_drawn() -> None:
    board, rng = GAMES["royal-ur"].board(), np.random.default_rng(4)
    scene = random_scene(board, rng, tier="easy", labels={}, size_wh=(324, 243))
    scene = replace(scene, camera=camera_over(board, (324, 243), tilt_deg=4.0))
    thrown = Tabletop({}, dice=(LyingDie(1, (0.0, 0.0), 20.0),))
    assert SimulatedCamera(scene, lambda _s: thrown, lambda: 0, rng).read().image_bgr.shape == (243, 324, 3)
