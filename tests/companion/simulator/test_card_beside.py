"""A card beside the simulated board: in every picture its marker says which one it is, which side is up, how turned."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from companion.games import GAMES
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Hand, Hands, Pace, Script, Tabletop, beside_mm
from companion.simulator.table import Plan, SimulatedTable
from engines.kernel import Seat
from tests.companion.shell.clocks import FrameClock
from tests.narrow import there
from vision.camera.camera import Camera
from vision.frame import ImageBgr
from vision.localization.locate import ScaledImage, locate, search
from vision.recognition.objective import ObjectiveCard, find_card

GAME = GAMES["royal-study"]
BOARD = GAME.board()
CARDS = [ObjectiveCard(17, "face", 0), ObjectiveCard(0, "back", 1), ObjectiveCard(59, "face", 2), None]


class StillTable(SimulatedTable):
    """A table at which nobody does anything."""

    def __init__(self, seed: int, table: Tabletop) -> None:
        clock = FrameClock(frame_s=0.2)
        super().__init__(Plan(seed, PlayerBehaviour(), Pace()), clock=clock, shutter=clock.next_frame_ns)
        self._table = table

    def _table_at(self, _time_s: float) -> Tabletop:
        return self._table


def camera(seed: int, table: Tabletop) -> Camera:
    still = StillTable(seed, table)
    still.equip(GAME, GAME.engine.new([Seat("white"), Seat("black")], {}, 1))
    return still.open_camera()


def card_in(image_bgr: ImageBgr) -> ObjectiveCard | None:
    scaled = ScaledImage(image_bgr)
    detections = search(scaled)
    located = there(locate(scaled, BOARD, detections, None))
    return find_card(scaled.gray, BOARD, located.estimate.pose, detections)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_card_is_read_as_it_is(seed: int, card: ObjectiveCard | None) -> None:
    with camera(seed, Tabletop({}, card=card)) as simulated:
        assert card_in(simulated.read().image_bgr) == card


def test_a_hand_over_a_card_hides_it() -> None:
    x, y = beside_mm(BOARD)
    table = Tabletop({}, Hand((x, y - 60.0), "bottom"), card=CARDS[0])
    with camera(1, table) as simulated:
        assert card_in(simulated.read().image_bgr) is None


def test_a_card_changes_only_its_own_part_of_the_picture() -> None:
    with camera(1, Tabletop({}, card=CARDS[0])) as one, camera(1, Tabletop({})) as other:
        change = np.abs(one.read().image_bgr.astype(int) - other.read().image_bgr).max(axis=2) > 60
    assert 0.005 < change.mean() < 0.08


def test_a_script_turns_the_card_once_the_hand_is_there() -> None:
    card = there(CARDS[0])
    turned = replace(card, quarter_turns=1)
    script = Hands(BOARD, Random(1), Pace()).script({}, {}, (), "bottom", cards=(card, turned))
    moment = there(script.card_change).at_s
    assert [script.at(t).card for t in (0.0, moment - 0.01, moment, script.ends_s)] == [card, card, turned, turned]
    hand = there(script.at(moment).hand)
    assert hand.tip_mm == beside_mm(BOARD)
    assert script.rest() == Script({}, card=turned)
