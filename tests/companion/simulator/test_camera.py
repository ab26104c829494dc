"""The simulated camera: its frames show the table at their moment, and hands can be distinguished from pieces."""

from __future__ import annotations

import queue
from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from rich.console import Console

from companion.app.typed_commands import TypedCommands
from companion.core.entries import Arranged, Played
from companion.core.messages import DiceRead
from companion.core.verdicts import ActionSource
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.shell.loop import StopLoop
from companion.shell.session import Setup, open_session
from companion.shell.tray_watch import TrayWatch
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.camera import LiveShutter, SimulatedCamera, lamp_level
from companion.simulator.dice import TRAY_MM, DiceByHand, throw_by_hand
from companion.simulator.hands import Hand, Hands, Pace, Script, Tabletop, beside_mm
from companion.simulator.table import Plan, SimulatedTable, _hang
from engines.kernel import Cell, Seat
from tests.companion.core.tables import act
from tests.companion.shell.clocks import FrameClock, ManualClock
from tests.companion.shell.fakes import games_in
from tests.companion.shell.tables import lines_on
from tests.evaluate.evenings import Evening, play
from tests.narrow import narrowed, there
from vision.board import Dice
from vision.camera.camera import Camera
from vision.errors import CameraError
from vision.frame import Frame, ImageBgr
from vision.localization.locate import ScaledImage, locate, search
from vision.occlusion.gate import OcclusionDetector, OcclusionResult, OcclusionState
from vision.occlusion.gate_look import outline_of
from vision.recognition.objective import ObjectiveCard, find_card
from vision.simulation.dice import SceneDie, room_beside
from vision.simulation.random_scene import random_scene
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


def test_a_frame_has_the_size_and_the_moment_that_were_asked_for_and_a_closed_camera_gives_none() -> None:
    clock = FrameClock(frame_s=FRAME_S)
    with camera(a_walk(), clock) as simulated:
        first, second = simulated.read(), simulated.read()
    assert first.size_wh == SIZE_WH
    assert (first.captured_ns, second.captured_ns) == (500_000_000, 1_000_000_000)
    assert clock.now_ns() == second.captured_ns
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


# ---- simulated time passes with frames; real frames come at a steady rate


def test_simulated_time_passes_with_frames_and_with_nothing_else() -> None:
    clock = FrameClock(frame_s=0.25)
    items: queue.SimpleQueue[str] = queue.SimpleQueue()
    items.put("look")
    assert clock.get(items, until_ns=10**12) == "look"
    assert clock.now_ns() == 0
    assert [clock.next_frame_ns() for _ in range(3)] == [250_000_000, 500_000_000, 750_000_000]
    assert clock.now_ns() == 750_000_000


def test_frames_come_at_a_steady_rate_and_a_late_one_at_once() -> None:
    clock = ManualClock(at_ns=5_000_000_000)
    shutter = LiveShutter(clock, frame_s=0.5, sleep=lambda seconds: clock.advance(round(seconds * 1e9)))
    assert (shutter(), shutter()) == (5_000_000_000, 5_500_000_000)
    clock.advance(2_000_000_000)
    assert (shutter(), clock.now_ns()) == (7_500_000_000, 7_500_000_000)


# ---- throws that simulated players make themselves, seen in pictures or counted on the panel


if TYPE_CHECKING:
    from companion.core.view import View

TERRITORY = GAMES["territory"]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("game", "faces", "expected"), [("territory", (4, 6), [4, 6]), ("royal-ur", (0, 1, 0), 1)])
def test_dice_beside_the_board_are_read_in_a_picture(game: str, faces: tuple[int, ...], expected: Any) -> None:
    board, rng, size_wh = GAMES[game].board(), np.random.default_rng(7), (1296, 972)
    scene = random_scene(board, rng, tier="easy", labels={}, size_wh=size_wh)
    scene = replace(scene, camera=_hang(board, size_wh, rng, dice=True))
    kind = narrowed(board.dice, Dice)
    dice = tuple(
        SceneDie(face, (24.0 * (k - 1), 9.0 - 8.0 * k), kind.size_mm, 20.0 + 45.0 * k, dotted=kind.faces == "dots")
        for k, face in enumerate(faces)
    )
    tables = iter([Tabletop({}), Tabletop({}, dice=dice), Tabletop({}, dice=dice)])
    camera = SimulatedCamera(scene, lambda _s: next(tables), lambda: 0, rng)
    throws: list[DiceRead] = []
    position = GAMES[game].engine.new([Seat(colour) for colour in board.colours[:3]], {}, 0)
    thrown = ENGINES[game].turns.dice
    watch = TrayWatch(board, thrown.of_faces, throws.append)
    for _look in range(3):
        watch.look(camera.read().image_bgr, scene.camera.pose, 0, position)
    [throw] = throws
    [rolled] = GAMES[game].engine.action_to_json(throw.action).values()
    assert (sorted(rolled) if isinstance(rolled, list | tuple) else rolled) == expected, "dice have no order"


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
        table.when_over = lambda: session.loop.inbox.put(StopLoop())
        session.loop.run()
        counts = table.conclude()
    (game,) = games_in(tmp_path / "journal.sqlite3")
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
    (recorded,) = games_in(tmp_path / f"{game}-1.sqlite3")
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
    thrown = Tabletop({}, dice=(SceneDie(1, (0.0, 0.0), 16.0),))
    assert SimulatedCamera(scene, lambda _s: thrown, lambda: 0, rng).read().image_bgr.shape == (243, 324, 3)


# ---- a card beside the board: in every picture its marker says which one it is, which side is up, how turned


STUDY = GAMES["royal-study"]
MAT = STUDY.board()
CARDS = [ObjectiveCard(17, "face", 0), ObjectiveCard(0, "back", 1), ObjectiveCard(59, "face", 2), None]


def over_the_mat(seed: int, table: Tabletop) -> Camera:
    """Return the camera over a table at which nobody does anything."""
    clock = FrameClock(frame_s=0.2)
    still = SimulatedTable(Plan(seed, PlayerBehaviour(), Pace()), clock=clock, shutter=clock.next_frame_ns)
    still._table_at = lambda _time_s: table  # type: ignore[assignment, method-assign] # it lies there
    still.equip(STUDY, STUDY.engine.new([Seat("white"), Seat("black")], {}, 1))
    return still.open_camera()


def card_in(image_bgr: ImageBgr) -> ObjectiveCard | None:
    scaled = ScaledImage(image_bgr)
    detections = search(scaled)
    located = there(locate(scaled, MAT, detections, None))
    return find_card(scaled.gray, MAT, located.estimate.pose, detections)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_card_is_read_as_it_is(seed: int, card: ObjectiveCard | None) -> None:
    with over_the_mat(seed, Tabletop({}, card=card)) as simulated:
        assert card_in(simulated.read().image_bgr) == card


def test_a_hand_over_a_card_hides_it() -> None:
    x, y = beside_mm(MAT)
    table = Tabletop({}, Hand((x, y - 60.0), "bottom"), card=CARDS[0])
    with over_the_mat(1, table) as simulated:
        assert card_in(simulated.read().image_bgr) is None


def test_a_script_turns_the_card_once_the_hand_is_there() -> None:
    card = there(CARDS[0])
    turned = replace(card, quarter_turns=1)
    script = Hands(MAT, Random(1), Pace()).script({}, {}, (), "bottom", cards=(card, turned))
    moment = there(script.card_change).at_s
    assert [script.at(t).card for t in (0.0, moment - 0.01, moment, script.ends_s)] == [card, card, turned, turned]
    hand = there(script.at(moment).hand)
    assert hand.tip_mm == beside_mm(MAT)
    assert script.rest() == Script({}, card=turned)
