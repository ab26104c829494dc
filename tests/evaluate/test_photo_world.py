"""The second world: its pictures are read, and an evening can be played in it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from companion.core.verdicts import Position
from companion.games import GAMES
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Pace
from companion.simulator.table import Plan, SimulatedTable
from engines.kernel import Seat
from tests.companion.games.test_territory_hypotheses import stands
from tests.companion.simulator.frame_clock import FrameClock
from tests.evaluate.disturbances import Disturbances
from tests.evaluate.photo_world import PhotoCamera
from vision.recognition.reader import Reading, TableReader

GAME = GAMES["territory"]


def table(game: str, position: Position, seed: int) -> SimulatedTable:
    clock = FrameClock(frame_s=0.2)
    plan = Plan(seed, PlayerBehaviour(think_s=1e6), Pace(), size_wh=(1024, 768))
    plan = replace(plan, camera=partial(PhotoCamera, disturbances=Disturbances()))
    simulated = SimulatedTable(plan, clock=clock, shutter=clock.next_frame_ns)
    simulated.equip(GAMES[game], position)
    return simulated


def test_a_table_of_the_second_world_is_read_as_it_is() -> None:
    position = Position(stands(white=[]))
    reading = TableReader(GAME.board()).read(table("territory", position, 1).open_camera().read().image_bgr)
    assert isinstance(reading, Reading), reading
    seen, truth = reading.observation, GAME.placement(position)
    right = np.array([truth[cell] == label for cell, label in zip(seen.cells, seen.best(), strict=True)])  # type: ignore[index]
    assert right[~seen.unsure()].all()
    assert (~seen.unsure()).mean() > 0.9


def test_cards_cannot_be_drawn_in_it() -> None:
    game = GAMES["royal-racers"]
    position = game.engine.new([Seat("suns"), Seat("moons")], {}, 0)
    with pytest.raises(ValueError, match="no cards"):
        table("royal-racers", position, 1).open_camera().read()
