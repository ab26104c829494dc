"""The simulated camera: its frames show the table at their moment, and hands can be distinguished from pieces."""

from random import Random

import numpy as np
import pytest

from companion.games import GAMES
from companion.simulator.camera import SimulatedCamera, lamp_level
from companion.simulator.hands import Hands, Pace, Script
from engines.kernel import Cell, Seat
from tests.companion.simulator.frame_clock import FrameClock
from vision.errors import CameraError
from vision.frame import Frame
from vision.localization.locate import ScaledImage
from vision.occlusion.gate import OcclusionDetector, OcclusionResult, OcclusionState
from vision.occlusion.gate_look import outline_of
from vision.simulation.scene import Scene, camera_over

GAME = GAMES["royal-tee"]
BOARD = GAME.board()
SIZE_WH = (820, 616)
FRAME_S = 0.5
PATH = tuple(map(Cell, ("F12", "F11", "F10", "E10", "D10")))


def scene() -> Scene:
    return Scene(
        BOARD, camera_over(BOARD, SIZE_WH, tilt_deg=12.0), tints={seat.colour: seat.rgb for seat in BOARD.seat}
    )


def a_walk(rest_s: float = 0.0) -> Script:
    """Walk after two seconds of nothing."""
    hands = Hands(BOARD, Random(1), Pace(reach_s=0.5, piece_s=0.1))
    before = GAME.placement(GAME.engine.new([Seat("red"), Seat("green")], {}, 0))
    after = {**before, **dict.fromkeys(PATH, "red"), PATH[-1]: "red-royal"}
    return hands.script(hands.set_up(before), after, PATH, "bottom", rest_s)


def camera(script: Script, clock: FrameClock) -> SimulatedCamera:
    return SimulatedCamera(
        scene(), lambda time_s: script.at(time_s - 2.0), clock.next_frame_ns, np.random.default_rng(1)
    )


def looks(script: Script, count: int) -> list[OcclusionResult]:
    """Look at each frame as the eye does; the first ones are clean."""
    gate, outline_px = OcclusionDetector(), outline_of(BOARD, scene().camera.pose)
    with camera(script, FrameClock(frame_s=FRAME_S)) as simulated:
        frames = [simulated.read() for _ in range(count)]
    return [gate.look(ScaledImage(frame.image_bgr), outline_px, frame.captured_ns / 1e9) for frame in frames]


def hides_some(glance: OcclusionResult) -> bool:
    return bool(glance.hides(BOARD.centres_mm(), BOARD.size).any())


def test_a_frame_has_the_size_and_the_moment_that_were_asked_for() -> None:
    clock = FrameClock(frame_s=FRAME_S)
    with camera(a_walk(), clock) as simulated:
        first, second = simulated.read(), simulated.read()
    assert first.size_wh == SIZE_WH
    assert (first.captured_ns, second.captured_ns) == (500_000_000, 1_000_000_000)
    assert clock.now_ns() == second.captured_ns


def test_a_closed_camera_gives_no_frame() -> None:
    simulated = camera(a_walk(), FrameClock(frame_s=FRAME_S))
    simulated.close()
    simulated.close()
    with pytest.raises(CameraError, match="closed"):
        simulated.read()


def test_a_walk_is_to_be_seen_where_its_pieces_stand() -> None:
    middle = BOARD.centres_mm()[BOARD.cells.index("F11")]
    x, y = scene().camera.pose.project_at([middle], BOARD.pieces["tee"].height - 4.0)[0].round().astype(int)
    clock, script = FrameClock(frame_s=FRAME_S), a_walk()
    with camera(script, clock) as simulated:
        before, after = simulated.read(), simulated.read()
        while clock.now_ns() / 1e9 < 3.0 + script.ends_s:
            after = simulated.read()

    def is_red(frame: Frame) -> bool:
        blue, green, red = frame.image_bgr[y, x].astype(int)
        return bool(red > 2 * max(blue, green))

    assert (is_red(before), is_red(after)) == (False, True)


def test_hands_that_work_are_reported_from_the_pieces_that_they_leave() -> None:
    found = looks(a_walk(), 14)
    assert any(not look.still and hides_some(look) for look in found[3:9])
    assert all(look.still and not hides_some(look) for look in found[-4:])
    assert found[-1].state is OcclusionState.CLEAN


def test_a_hand_that_rests_is_still_but_hides_something() -> None:
    found = looks(a_walk(rest_s=6.0), 14)
    assert all(look.still and look.state is OcclusionState.HAND and hides_some(look) for look in found[-3:])


def test_a_lamp_gets_warm_and_flickers_a_little() -> None:
    levels = [lamp_level(0.1 * k) for k in range(600)]
    assert levels[0] == pytest.approx(0.85)
    assert max(levels[400:]) == pytest.approx(1.02, abs=0.01)
    assert min(levels[400:]) == pytest.approx(0.98, abs=0.01)


def test_the_picture_follows_the_lamp() -> None:
    def brightness(began_s: float) -> float:
        clock, still = FrameClock(frame_s=FRAME_S), Script(a_walk().before)
        rng = np.random.default_rng(1)
        with SimulatedCamera(scene(), still.at, clock.next_frame_ns, rng, began_s=began_s) as simulated:
            return float(simulated.read().image_bgr.mean())

    warm_s = 73.0  # a whole number of flickers
    assert brightness(0.0) == pytest.approx(0.85**0.5 * brightness(warm_s), rel=0.02)
