"""The program that watches a simulated table gets what it would get at a real one, and nothing else."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.core.display import view as view_of
from companion.core.entries import Arranged
from companion.core.state import State, new_state
from companion.core.verdicts import (
    Action,
    ActionSource,
    Choice,
    Confirmed,
    PendingPlacement,
    Refused,
    TookBack,
    Unclear,
    Waiting,
)
from companion.core.view import View
from companion.games import GAMES
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Pace
from companion.simulator.outside import OutsideTable, Program
from companion.simulator.table import Plan, SimulatedTable
from engines.kernel import Cell, Event, Seat
from engines.royal_ur.position import Decline, Enter, Move, Roll
from tests.companion.shell.clocks import FrameClock
from tests.evaluate.disturbances import Disturbance, Disturbances, DisturbedCamera, Trouble
from tests.evaluate.evenings import Evening, figures, play
from vision.errors import CameraError
from vision.observation import Blind, BlindReason
from vision.recognition.reader import Reading, TableReader
from vision.simulation.random_scene import random_scene

SEED = 918273645546372819
PLAYERS = (Seat("white"), Seat("black"))


class Idle(Program):
    """A program that does nothing until it is let go: the test itself connects to the table in its place."""

    address = ""
    process: subprocess.Popen[bytes]

    def start(self, address: str) -> subprocess.Popen[bytes]:
        type(self).process = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
        type(self).address = address
        return self.process


def opening() -> State:
    game = GAMES["royal-ur"]
    return new_state(game, game.engine.new(PLAYERS, {}, 0))


def test_the_program_is_sent_pixels_presses_and_the_time_alone(tmp_path: Path) -> None:
    behaviour, played = PlayerBehaviour(think_s=0.2, turns=3), []
    table = OutsideTable(Plan(SEED, behaviour, Pace(0.4, 0.1), size_wh=(800, 600)))
    run = threading.Thread(target=lambda: played.append(table.play(Idle("royal-ur", PLAYERS, tmp_path / "j"))))
    Idle.address = ""
    run.start()
    while not Idle.address:
        time.sleep(0.01)
    told: list[dict[str, Any]] = []
    with Client(Idle.address, family="AF_UNIX") as program:
        state = opening()
        program.send({"view": view_of(state), "verdict": 0})
        while len(told) < 12:
            program.send({"worked_s": 0.7})
            while "shape" not in (said := json.loads(program.recv_bytes())):
                told.append(said)
            height, width, channels = said["shape"]
            assert len(program.recv_bytes()) == height * width * channels
            told.append(said)
    Idle.process.communicate()
    run.join()
    assert {key for said in told for key in said} <= {"ns", "shape", "failed", "press", "held", "slider", "line", "key"}
    assert str(SEED) not in json.dumps(told)
    shown = [said["ns"] for said in told if "shape" in said]
    assert {later - earlier for earlier, later in pairwise(shown)} == {700_000_000}


def on_the_other_side(view: View) -> View:
    program, table = Pipe()
    program.send(view)
    received: View = table.recv()
    return received


def verdicts() -> Iterator[Any]:
    todo = (PendingPlacement(Cell("A1"), "white", "empty"),)
    yield None
    events = (Event("hit", {"cells": ["B1"]}),)
    yield Confirmed(Seat("white"), Action(Move(2)), events, todo, ActionSource.CLOCK)
    yield Refused("too-far", "4.2", (Cell("A1"),), {"steps": 4})
    yield Unclear("several", (Cell("A1"),), (Action(Move(0)), Action(Enter())))
    yield TookBack(Seat("black"), todo, Action(Roll(3)))


@pytest.mark.parametrize("verdict", list(verdicts()))
def test_what_the_screen_shows_is_the_same_on_the_other_side(verdict: Any) -> None:
    arranged = Arranged(names={Seat("white"): "Anna"}, companion_seats=(Seat("black"),))
    view = replace(
        view_of(opening()),
        verdict=verdict,
        waiting=Waiting("hand", (Cell("B1"),)),
        choices=(Choice("decline", Action(Decline())), Choice("hint")),
        arrangement=arranged,
    )
    assert on_the_other_side(view) == view


def test_a_number_can_be_counted_on_the_other_side() -> None:
    game = GAMES["royal-study"]
    view = view_of(new_state(game, game.engine.new(PLAYERS, {}, 0)))
    seen = on_the_other_side(view)
    calls = [choice.counts(7) for choice in seen.choices if choice.counts is not None]
    assert [*map(game.engine.action_to_json, calls)] == [{"call": 7, "by": seat} for seat in PLAYERS]


# ---- lights off, glare, a bumped camera and one that fails: what the reader makes of them, and that play goes on


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


@pytest.mark.parametrize("trouble", [Trouble.DARK, Trouble.BUMP, Trouble.TURNED])
def test_after_a_trouble_all_is_read_as_before_wherever_camera_and_board_are_then(trouble: Trouble) -> None:
    before, _, meanwhile, _, after = Watched(trouble).looks(5)
    if trouble is not Trouble.TURNED:
        assert isinstance(meanwhile, Blind)
        assert (meanwhile.reason is BlindReason.DARK) is (trouble is Trouble.DARK)
    one, other = (read(seen) for seen in (before, after))
    assert other.observation.best() == one.observation.best()
    if trouble is Trouble.BUMP:
        assert np.linalg.norm(other.pose.eye_mm - one.pose.eye_mm) > 5.0
    turned = (np.array(one.pose.board_to_camera) @ np.array(other.pose.board_to_camera).T)[0, 0]
    assert (turned < -0.9) == (trouble is Trouble.TURNED)


def test_under_glare_nothing_is_read_wrongly_for_certain() -> None:
    before, _, bright, *_ = Watched(Trouble.GLARE).looks(3)
    was, seen = read(before).observation, read(bright).observation
    sure = ~seen.unsure() & seen.visible
    assert sure.mean() > 0.7
    assert (np.array(seen.best()) == np.array(was.best()))[sure].all()


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
