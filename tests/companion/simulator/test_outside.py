"""The program that watches a simulated table gets what it would get at a real one, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any

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
from companion.simulator.link import as_sent, to_send
from companion.simulator.outside import EndedEarlyError, EveningOutside, OutsideTable, Program
from companion.simulator.table import Plan
from engines.kernel import Cell, Event, Seat
from engines.royal_ur.position import Decline, Enter, Move, Roll

SEED = 918273645546372819
PLAYERS = (Seat("white"), Seat("black"))


def people(turns: int) -> OutsideTable:
    return OutsideTable(Plan(SEED, PlayerBehaviour(think_s=0.2, turns=turns), Pace(0.4, 0.1), size_wh=(800, 600)))


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


def test_the_command_line_and_the_surroundings_of_the_program_have_no_seed(tmp_path: Path) -> None:
    words = Program("royal-ur", PLAYERS, tmp_path / "j").words("table")
    assert "--seed" not in words
    assert not any(str(SEED) in word for word in (*words, *os.environ.values()))


def test_the_program_is_sent_pixels_presses_and_the_time_alone(tmp_path: Path) -> None:
    table, played = people(turns=3), []
    run = threading.Thread(target=lambda: played.append(table.play(Idle("royal-ur", PLAYERS, tmp_path / "j"))))
    Idle.address = ""
    run.start()
    while not Idle.address:
        pass
    told: list[dict[str, Any]] = []
    with Client(Idle.address, family="AF_UNIX") as program:
        state = opening()
        program.send({"view": to_send(view_of(state)), "verdict": 0})
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
    program.send(to_send(view))
    return as_sent(table.recv())


def verdicts() -> Iterator[Any]:
    todo = (PendingPlacement(Cell("A1"), "white", "empty"),)
    yield None
    events = (Event("hit", {"cells": ["B1"]}),)
    yield Confirmed(Seat("white"), Action(Move(2)), 0.99, events, todo, ActionSource.CLOCK)
    yield Refused("too-far", "4.2", 0.99, (Cell("A1"),), {"steps": 4})
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


def test_a_program_that_does_not_begin_is_an_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(EndedEarlyError, match="ended with 2"):
        people(1).play(Program("royal-ur", (Seat("purple"),), tmp_path / "j"))
    assert "purple" in capfd.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("game", ["royal-ur", "territory"])
def test_people_play_beside_a_program_that_only_sees_them(game: str, tmp_path: Path) -> None:
    seats = PLAYERS if game == "royal-ur" else (Seat("blue"), Seat("red"), Seat("green"))
    played: EveningOutside = people(turns=8).play(Program(game, seats, tmp_path / "j"))
    assert played.exit_code == 0
    assert played.counts.confirmed == played.counts.legal == 8, played.counts.notes
