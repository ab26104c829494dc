"""Lights off, glare, a bumped camera and one that fails: what the reader makes of them, and that play goes on."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from companion.games import GAMES
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Pace
from companion.simulator.table import Plan, SimulatedTable
from engines.kernel import Seat
from tests.companion.simulator.frame_clock import FrameClock
from tests.evaluate.disturbances import SHAKES_S, Disturbance, Disturbances, DisturbedCamera, Trouble, bumped, spread
from tests.evaluate.evenings import Evening, figures, play
from vision.errors import CameraError
from vision.observation import Blind, BlindReason
from vision.recognition.reader import Reading, TableReader
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import camera_over, sees_board

GAME = GAMES["royal-ur"]
BOARD = GAME.board()
FRAME_S = 0.5


class Watched:
    """Reads a simulated table, frame by frame, on which one thing goes wrong after a second."""

    def __init__(self, trouble: Trouble) -> None:
        clock = FrameClock(frame_s=FRAME_S)
        plan = Plan(
            2,
            PlayerBehaviour(think_s=1e6),
            Pace(),
            size_wh=(820, 616),
            camera=partial(DisturbedCamera, disturbances=Disturbances((Disturbance(trouble, 1.0, 1.0),))),
        )
        self._table = SimulatedTable(plan, clock=clock, shutter=clock.next_frame_ns)
        self._table.equip(GAME, GAME.engine.new([Seat("white"), Seat("black")], {}, 3))
        self._reader, self._camera = TableReader(BOARD), self._table.open_camera()

    def look(self) -> Reading | Blind:
        return self._reader.read(self._camera.read().image_bgr)

    def looks(self, number: int) -> list[Reading | Blind]:
        return [self.look() for _ in range(number)]

    def opened_anew(self) -> None:
        self._camera.close()
        self._camera = self._table.open_camera()


def read(seen: Reading | Blind) -> Reading:
    assert isinstance(seen, Reading), seen
    return seen


def test_troubles_come_and_go() -> None:
    planned = spread([Trouble.DARK, Trouble.BUMP], 10.0, 5.0)
    assert [planned.now(at_s) for at_s in (9.9, 10.0, 13.9, 14.1)] == [set(), {"dark"}, {"dark"}, set()]
    assert [planned.now(at_s) for at_s in (15.0, 15.0 + SHAKES_S)] == [{"bump"}, set()]
    assert [planned.times(Trouble.BUMP, at_s) for at_s in (14.9, 15.0, 99.0)] == [0, 1, 1]


@pytest.mark.parametrize("times", range(1, 6))
def test_a_bumped_camera_hangs_elsewhere_and_still_sees_the_board(times: int) -> None:
    camera = camera_over(BOARD, (820, 616), tilt_deg=10.0)
    moved = bumped(camera, BOARD, times)
    assert sees_board(moved, BOARD)
    assert 5.0 < np.linalg.norm(moved.pose.eye_mm[:2] - camera.pose.eye_mm[:2]) < 60.0


def test_in_the_dark_nothing_is_read_and_with_the_light_all_is_as_before() -> None:
    watched = Watched(Trouble.DARK)
    before, _, dark, _, after = watched.looks(5)
    assert isinstance(dark, Blind)
    assert dark.reason is BlindReason.DARK
    assert read(after).observation.best() == read(before).observation.best()


def test_under_glare_nothing_is_read_wrongly_for_certain() -> None:
    before, _, bright, *_ = Watched(Trouble.GLARE).looks(3)
    was, seen = read(before).observation, read(bright).observation
    sure = ~seen.unsure() & seen.visible
    assert sure.mean() > 0.7
    assert (np.array(seen.best()) == np.array(was.best()))[sure].all()


def test_a_bumped_camera_is_blind_while_it_shakes_and_then_finds_the_board_anew() -> None:
    watched = Watched(Trouble.BUMP)
    before, _, shaken, _, after = watched.looks(5)
    assert isinstance(shaken, Blind)
    assert np.linalg.norm(read(after).pose.eye_mm - read(before).pose.eye_mm) > 5.0
    assert read(after).observation.best() == read(before).observation.best()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("trouble", [Trouble.DIMMED, Trouble.SWITCHED, Trouble.LAMP_MOVED, Trouble.DUSK])
def test_in_other_light_nothing_is_read_otherwise_for_certain(trouble: Trouble) -> None:
    before, _, other, *_ = Watched(trouble).looks(3)
    was, seen = read(before).observation, read(other).observation
    assert (np.array(seen.best()) == np.array(was.best()))[~seen.unsure() & seen.visible].all()


def test_the_lamp_stays_where_it_is_when_the_board_is_turned() -> None:
    scene = random_scene(BOARD, np.random.default_rng(1), tier="easy", size_wh=(820, 616))
    after = Disturbances((Disturbance(Trouble.TURNED, 1.0, 1.0),)).scene_at(scene, 3.0)
    assert np.allclose(np.add(after.light.lamp_mm, scene.light.lamp_mm)[:2], BOARD.size)
    assert after.light.lamp_mm[2] == scene.light.lamp_mm[2]


def test_a_board_that_is_turned_round_is_read_as_before() -> None:
    watched = Watched(Trouble.TURNED)
    before, _, _, _, after = watched.looks(5)
    one, other = (np.array(read(seen).pose.board_to_camera) for seen in (before, after))
    assert (one @ other.T)[0, 0] < -0.9
    assert read(after).observation.best() == read(before).observation.best()


def test_a_camera_that_fails_gives_pictures_of_the_same_table_once_it_is_opened_anew() -> None:
    watched = Watched(Trouble.FAILURE)
    before, _ = watched.looks(2)
    with pytest.raises(CameraError, match="gives no picture"):
        watched.look()
    watched.opened_anew()
    assert read(watched.look()).observation.best() == read(before).observation.best()


@pytest.mark.sampled(7)
@pytest.mark.parametrize("game", ["royal-racers", "royal-study"])
def test_play_goes_on_through_all_of_it(game: str, tmp_path: Path) -> None:
    outcome = play(Evening(game, 3, turns=14, disturbed=True), tmp_path)
    found = figures(game, outcome)
    assert found["confirmed"] == found["legal"] >= 10, outcome.notes
    assert found["caught"] == found["cheats"], outcome.notes
    assert (found["accepted"], found["refused_for_good"], found["score_equal"]) == (0, 0, 1), outcome.notes
