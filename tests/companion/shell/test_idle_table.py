"""An idle table: its pictures are not read again, what happens on it is, and the loop is none the wiser."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.messages import FrameBlind, FrameRead
from companion.core.stability import MOST_FRAMES
from companion.shell.frame_reader import (
    HEARTBEAT_S,
    PATIENCE_S,
    FrameReader,
    Stillness,
    eye_on,
    gate_over,
    really_hidden,
)
from tests.companion.shell import cameras
from tests.companion.shell.cameras import PlayedCamera
from tests.narrow import narrowed, there
from tests.vision.occlusion.films import Act, Moment, arm_acts, clean, film, in_light
from vision.board import shipped_board
from vision.frame import Frame, ImageBgr
from vision.geometry import Lens, Pose
from vision.observation import Blind, BlindReason, Observation
from vision.occlusion.gate import OcclusionState
from vision.occlusion.gate_patches import PatchKind
from vision.recognition import reader as recognition
from vision.recognition.reader import Reading
from vision.simulation.occluders import Limbs
from vision.simulation.scene import Scene, camera_over
from vision.simulation.truth import stand_pieces

FRAME_S = 0.2
HEARTBEAT = round(HEARTBEAT_S / FRAME_S)
POSE = Pose(Lens(100.0, (1.0, 1.0)), np.zeros(3), np.array([0.0, 0.0, 500.0]))


def film_of(images: Iterable[ImageBgr], frame_s: float = FRAME_S) -> Iterator[Frame]:
    frame_ns = round(frame_s * 1e9)
    return cameras.film(images, frame_ns, frame_ns)


@dataclass
class LevelReader:
    """Reads the grey level of a picture, black ones not at all, and counts the pictures that it was given."""

    read_count: int = 0

    def read(self, image_bgr: ImageBgr) -> Reading | Blind:
        self.read_count += 1
        if not image_bgr.any():
            return Blind(BlindReason.DARK)
        p = np.array([[0.01, 0.99] if image_bgr[0, 0, 0] % 2 else [0.99, 0.01]])
        return Reading("hopping", Observation(("A1",), ("empty", "red"), p, np.array([True])), POSE)


@dataclass
class Idle:
    """An eye on grey pictures of these levels."""

    levels: Sequence[int]
    settled: bool = True
    reader: LevelReader = field(default_factory=LevelReader)

    def looks(self) -> list[FrameRead | FrameBlind]:
        still = Stillness(still=True, hidden=np.zeros(1, bool), settled=self.settled)
        images = (np.full((30, 40, 3), level, np.uint8) for level in self.levels)
        eye = FrameReader(lambda: PlayedCamera(film_of(images)), self.reader.read, lambda _frame, _pose: still)
        return [eye.look() for _ in self.levels]


def red(look: FrameRead | FrameBlind) -> bool:
    assert isinstance(look, FrameRead)
    return bool(look.observation.p[0, 1] > 0.5)


@pytest.mark.parametrize(
    ("levels", "settled", "read_count"),
    [
        ([100] * (MOST_FRAMES + 2 * HEARTBEAT), True, MOST_FRAMES + 2),
        ([100] * 20 + [131] * 20, True, 2 * MOST_FRAMES),
        ([100] * 30, False, 30),
        ([100, 101] * 15, True, 30),  # too alike to count as a change, but read differently
    ],
    ids=["at first and now and then", "again after a change", "something is waited for", "readings contradict"],
)
def test_pictures_of_an_idle_table_are_read_only_so_often(levels: list[int], settled: bool, read_count: int) -> None:
    idle = Idle(levels, settled)
    idle.looks()
    assert idle.reader.read_count == read_count


def test_a_picture_with_a_change_is_read_and_so_are_those_after_it() -> None:
    idle = Idle([100] * 20 + [131] * 3)
    looks = idle.looks()
    assert [red(look) for look in looks] == [False] * 20 + [True] * 3
    assert idle.reader.read_count == MOST_FRAMES + 3


def test_pictures_that_cannot_be_read_are_not_tried_over_and_over() -> None:
    idle = Idle([0] * 20 + [100])
    looks = idle.looks()
    assert [type(look) for look in looks] == [FrameBlind] * 20 + [FrameRead]
    assert idle.reader.read_count == MOST_FRAMES + 1


def test_the_picture_that_is_kept_is_the_latest() -> None:
    still = Stillness(still=True, hidden=np.zeros(1, bool), settled=True)
    images = iter([np.full((30, 40, 3), 100, np.uint8)] * 20)
    eye = FrameReader(lambda: PlayedCamera(film_of(images)), LevelReader().read, lambda _frame, _pose: still)
    looks = [eye.look() for _ in range(20)]
    assert there(eye.sight).frame.captured_ns == looks[-1].at_ns


# ---- with the real reader and gate

BOARD = shipped_board("royal-tee")
LABELS = {**dict.fromkeys(BOARD.cells, "empty"), "F10": "red", "C3": "green"}
SETTLING_S = 2.5


@dataclass
class Filmed:
    """What the real reader makes of a film of a rendered table, and how many of its frames it read."""

    looks: list[FrameRead | FrameBlind]
    read: list[bool]


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Filmed]:
    """Returns what lets the real eye look at the acts of a film, after a clean table for long enough to be idle."""
    read_at: list[int] = []
    real_read = recognition.TableReader.read

    def noted(reader: recognition.TableReader, image_bgr: ImageBgr) -> recognition.Reading | Blind:
        read_at.append(len(looks))
        return real_read(reader, image_bgr)

    looks: list[FrameRead | FrameBlind] = []
    monkeypatch.setattr(recognition.TableReader, "read", noted)

    def watched(*acts: tuple[float, Act], fps: float = 5.0) -> Filmed:
        camera = camera_over(BOARD, (960, 720), tilt_deg=14.0)
        scene = Scene(BOARD, camera, stand_pieces(BOARD, LABELS, np.random.default_rng(3)))
        takes = list(film(scene, [(SETTLING_S, clean), *acts], np.random.default_rng(1), fps))
        frames = film_of((take.image_bgr for take in takes), 1 / fps)
        eye = eye_on(lambda: PlayedCamera(frames), BOARD)
        for _ in takes:
            looks.append(eye.look())
        from_frame = round(SETTLING_S * fps)
        return Filmed(looks[from_frame:], [n in read_at for n in range(from_frame, len(takes))])

    return watched


def test_a_hand_is_read_at_once_and_hides_what_is_under_it(watch: Callable[..., Filmed]) -> None:
    _reach, rest, _leave = arm_acts(BOARD, (240.0, 210.0), Limbs(), "flat")
    seen = watch((1.0, clean), (1.0, rest[1]))
    assert seen.read == [False] * 5 + [True] * 5
    first = narrowed(seen.looks[5], FrameRead)
    assert not first.still
    assert not first.observation.visible.all()


def test_a_bump_is_read_at_once_and_the_table_is_idle_again_where_it_is_now(watch: Callable[..., Filmed]) -> None:
    seen = watch((0.4, clean), (6.0, lambda _share: Moment(None, shift_px=(6.0, -4.0))))
    assert seen.read[:4] == [False, False, True, True]
    assert not seen.read[-1]
    last = narrowed(seen.looks[-1], FrameRead)
    assert dict(zip(last.observation.cells, last.observation.best(), strict=True))["F10"] == "red"


@pytest.mark.long
def test_light_that_fades_slowly_is_read_now_and_then_and_no_hand_is_seen_in_it(watch: Callable[..., Filmed]) -> None:
    seen = watch((60.0, in_light(lambda share: 1.0 - 0.3 * share)), fps=2.5)
    assert 5 <= sum(seen.read) <= 0.4 * len(seen.read)
    assert all(isinstance(look, FrameRead) and look.observation.visible.all() for look in seen.looks)


@pytest.mark.long
def test_a_camera_that_sags_slowly_is_followed(watch: Callable[..., Filmed]) -> None:
    seen = watch((60.0, lambda share: Moment(None, shift_px=(0.0, 12.0 * share))), fps=2.5)
    assert sum(seen.read) >= 5
    last = narrowed(seen.looks[-1], FrameRead)
    assert last.observation.visible.all()
    assert dict(zip(last.observation.cells, last.observation.best(), strict=True)) == LABELS


# ---- what an arm hides stays hidden while the arm rests, what pieces set down at once hide does not


LYING = {**dict.fromkeys(BOARD.cells, "empty"), "F10": "red", "G10": "red", "C3": "green"}
SET_DOWN = {**LYING, **{f"{column}{row}": "red" for column in "DEFGH" for row in range(4, 9)}}
TIP_MM = (240.0, 210.0)
FPS = 5.0
UNDER_THE_ARM = ("F8", "G11")
AT_THE_FINGERS = ("G5", "H5")

ENCLOSED = tuple(f"{column}{row}" for column in "ABCDEFGHIJKL" for row in range(1, 6))


def hidden_in(*acts: tuple[float, Act], fps: float = FPS) -> Sequence[NDArray[np.bool_]]:
    """Return the cells that the gate finds hidden in each frame of a film."""
    return [seen.hidden for seen in watched(*acts, fps=fps)]


def watched(*acts: tuple[float, Act], fps: float = FPS) -> Sequence[Stillness]:
    camera = camera_over(BOARD, (640, 480), tilt_deg=14.0)
    scene = Scene(BOARD, camera, stand_pieces(BOARD, LYING, np.random.default_rng(3)))
    gate = gate_over(BOARD)
    takes = film(scene, [(max(1.2, 4 / fps), clean), *acts], np.random.default_rng(1), fps)
    frames = (Frame(take.image_bgr, round(take.at_s * 1e9)) for take in takes)
    return [gate(frame, camera.pose) for frame in frames]


def under_the_arm(hidden: NDArray[np.bool_]) -> list[bool]:
    return [bool(hidden[BOARD.cells.index(cell)]) for cell in UNDER_THE_ARM]


def test_cells_under_a_resting_arm_stay_hidden_until_it_leaves() -> None:
    reach, rest, leave = arm_acts(BOARD, TIP_MM, Limbs(), "flat", rest_s=4 * PATIENCE_S)
    hidden = hidden_in(reach, rest, leave, (1.0, clean))
    resting = hidden[round(1.7 * FPS) + 1 : round((1.7 + rest[0]) * FPS)]
    assert len(resting) > 3 * PATIENCE_S * FPS
    assert all(all(under_the_arm(cells)) for cells in resting)
    assert not hidden[-1].any()


@pytest.mark.long
def test_cells_are_not_hidden_for_ever() -> None:
    _reach, rest, _leave = arm_acts(BOARD, TIP_MM, Limbs(), "flat")
    at_rest = rest[1](0.5)
    rests_s = PatchKind.ARM.value + 6.0
    hidden = hidden_in((rests_s, lambda _share: at_rest), (4.0, clean), fps=1.0)
    assert all(under_the_arm(hidden[4 + round(PatchKind.ARM.value / 2)]))
    assert not hidden[4 + round(rests_s) - 1].any()
    assert not hidden[-1].any(), "nor is what was under it, once the arm has left that was taken for the board"


def test_a_lamp_that_was_switched_is_another_light_until_it_is_the_usual_one() -> None:
    dimmer = np.exp(np.linspace(-0.5, 0.1, 640, dtype=np.float32))[None, :, None]
    seen = watched((2.5, lambda _share: Moment(OcclusionState.LIGHT, light=dimmer)))
    relit = [one.relit for one in seen]
    assert not any(relit[: round(1.2 * FPS)])
    assert any(relit)
    assert not relit[-1]


def test_pieces_set_down_at_once_are_not_taken_for_an_arm() -> None:
    pieces = stand_pieces(BOARD, SET_DOWN, np.random.default_rng(4))
    hidden = hidden_in((PATIENCE_S + 0.8, lambda _share: Moment(OcclusionState.CLEAN, pieces=pieces)))
    assert not hidden[-1].any()


def test_pieces_that_were_moved_between_two_photographs_are_no_hands() -> None:
    camera = camera_over(BOARD, (640, 480), tilt_deg=14.0)

    def moved(*, retaken: bool) -> Sequence[Stillness]:
        """Return what is found in a second of the first photograph, and then in a second of the other."""
        gate, seen = gate_over(BOARD), []
        for first_s, labels in ((0.0, LYING), (1.0, SET_DOWN)):
            scene = Scene(BOARD, camera, stand_pieces(BOARD, labels, np.random.default_rng(3)))
            image_bgr = next(iter(film(scene, [(0.2, clean)], np.random.default_rng(1), FPS))).image_bgr
            for place in range(round(FPS)):
                at_ns = round((first_s + place / FPS) * 1e9)
                seen.append(gate(Frame(image_bgr, at_ns, retaken=retaken and place == 0), camera.pose))
        return seen[round(FPS) :]

    assert any(seen.hidden.any() for seen in moved(retaken=False)), "a camera that stands still would have seen a hand"
    photographs = moved(retaken=True)
    assert not any(seen.hidden.any() for seen in photographs)
    assert photographs[-1].still


def test_tees_of_an_enclosure_are_seen_beside_the_arm_that_set_them_down() -> None:
    reach, rest, _leave = arm_acts(BOARD, TIP_MM, Limbs(), "flat")
    labels = {**LYING, **dict.fromkeys(ENCLOSED, "red")}
    pieces = stand_pieces(BOARD, labels, np.random.default_rng(4))
    seen = watched(reach, (1.0, lambda share: replace(rest[1](share), pieces=pieces)))[-1]
    hidden = dict(zip(BOARD.cells, really_hidden(read_for_certain(labels), seen), strict=True))
    assert seen.hidden.sum() > len(ENCLOSED)
    assert all(hidden[cell] for cell in UNDER_THE_ARM)
    assert [cell for cell in ENCLOSED if hidden[cell] and cell not in AT_THE_FINGERS] == []


def test_what_is_read_as_empty_beside_an_arm_stays_hidden() -> None:
    beside = np.ones(len(BOARD.cells), bool)
    seen = Stillness(still=True, hidden=beside, beside=beside)
    assert really_hidden(read_for_certain(dict.fromkeys(BOARD.cells, "empty")), seen).all()
    assert not really_hidden(read_for_certain(dict.fromkeys(BOARD.cells, "red")), seen).any()


def read_for_certain(labels: Mapping[str, str]) -> Observation:
    p = np.array([[float(labels[cell] == word) for word in BOARD.label_words] for cell in BOARD.cells])
    return Observation(BOARD.cells, tuple(BOARD.label_words), p, np.ones(len(BOARD.cells), bool))
