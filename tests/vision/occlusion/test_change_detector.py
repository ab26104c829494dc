"""The cheap comparison of pictures: what happens on a table is always a change, noise and flicker never are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.occlusion.films import (
    BOARD,
    LIMBS,
    SIZE_WH,
    Act,
    Moment,
    always,
    arm_acts,
    clean,
    film,
    in_light,
    scene,
    shaded,
)
from vision.frame import Frame, ImageBgr
from vision.occlusion.change_detector import REFERENCES, ChangeDetector
from vision.simulation.occluders import Limbs, reaching_arm
from vision.simulation.scene import ScenePiece


def filmed(*acts: tuple[float, Act]) -> list[ImageBgr]:
    return [take.image_bgr for take in film(scene(), acts, np.random.default_rng(1))]


def at_once(moment: Moment) -> tuple[float, Act]:
    """A single frame."""
    return 0.1, always(moment)


def detector_on(images: Sequence[ImageBgr]) -> ChangeDetector:
    detector = ChangeDetector()
    for image_bgr in images:
        detector.add(Frame(image_bgr, 0))
    return detector


def changes(*acts: tuple[float, Act]) -> list[bool]:
    """Whether the frames of acts, after those of a clean table, count as changed."""
    images = filmed((REFERENCES / 10, clean), *acts)
    detector = detector_on(images[:REFERENCES])
    return [detector.changed(Frame(image_bgr, 0)) for image_bgr in images[REFERENCES:]]


def noisy(images: Sequence[ImageBgr], sigma: float) -> list[ImageBgr]:
    rng = np.random.default_rng(5)
    return [(image + rng.normal(0.0, sigma, image.shape)).clip(0, 255).astype(np.uint8) for image in images]


def without(cell: str) -> tuple[ScenePiece, ...]:
    return tuple(piece for piece in scene().pieces if piece.cell != cell)


def test_everything_is_a_change_until_pictures_are_added_and_after_they_are_forgotten() -> None:
    image_bgr, *_ = filmed((0.1, clean))
    detector = ChangeDetector()
    assert detector.changed(Frame(image_bgr, 0))
    detector.add(Frame(image_bgr, 0))
    assert not detector.changed(Frame(image_bgr, 0))
    detector.forget()
    assert detector.changed(Frame(image_bgr, 0))


def test_a_picture_of_another_size_is_a_change() -> None:
    image_bgr, *_ = filmed((0.1, clean))
    assert detector_on([image_bgr]).changed(Frame(np.ascontiguousarray(image_bgr[:400]), 0))


def test_a_sensors_noise_is_no_change() -> None:
    assert not any(changes((2.0, clean)))


@pytest.mark.parametrize("sigma", [6.0, 15.0])
def test_the_noise_of_a_dark_room_is_no_change_and_a_hand_in_it_is_one(sigma: float) -> None:
    arm = Moment(None, (reaching_arm(BOARD, (240.0, 210.0)),))
    *images, hand = noisy(filmed((2.0, clean), at_once(arm)), sigma)
    detector = detector_on(images[:REFERENCES])
    assert not any(detector.changed(Frame(image, 0)) for image in images[REFERENCES:])
    assert detector.changed(Frame(hand, 0))


def test_pictures_that_are_nothing_but_noise_are_always_changed() -> None:
    images = noisy(filmed((1.0, clean)), 80.0)
    detector = detector_on(images[:REFERENCES])
    assert all(detector.changed(Frame(image, 0)) for image in images[REFERENCES:])


def test_a_lamp_that_flickers_is_no_change() -> None:
    assert not any(changes((2.0, in_light(lambda share: 1.0 + 0.02 * float(np.sin(20 * share))))))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("limbs", LIMBS.values(), ids=LIMBS)
def test_fingertips_at_the_edge_of_the_board_are_a_change(limbs: Limbs) -> None:
    _reach, rest, _leave = arm_acts(BOARD, (240.0, BOARD.size[1] - 20.0), limbs, "point")
    assert all(changes(rest))


def warm(_share: float) -> np.ndarray:
    return np.ones((SIZE_WH[1], SIZE_WH[0], 3), np.float32) * np.array([1.2, 1.0, 0.85], np.float32)


def shadow(_share: float) -> np.ndarray:
    return shaded(scene(), (240.0, 210.0), half_mm=30.0, depth=0.15, soft_mm=15.0)


def pushed(cell: str) -> tuple[ScenePiece, ...]:
    """Push a piece by half a cell."""
    (piece,) = set(scene().pieces) - set(without(cell))
    return *without(cell), replace(piece, x_mm=piece.x_mm + BOARD.size[0] / 24)


def lit_by(factor: float) -> Act:
    return in_light(lambda _share: factor)


CELLS, BUMPS_PX = ("F10", "G10", "C3", "J4"), ((2.0, 0.0), (0.0, -2.0), (1.5, 1.5), (12.0, 5.0))
CHANGES: Mapping[str, tuple[float, Act]] = {
    **{f"light of {factor}": (0.3, lit_by(factor)) for factor in (0.7, 0.86, 1.16, 1.5)},
    "a light that changes colour": (0.3, in_light(warm)),
    "a soft shadow": (0.3, in_light(shadow)),
    **{f"{cell} is taken": at_once(Moment(None, pieces=without(cell))) for cell in CELLS},
    **{f"{cell} is pushed": at_once(Moment(None, pieces=pushed(cell))) for cell in CELLS},
    **{f"a bump of {px}": at_once(Moment(None, shift_px=px)) for px in BUMPS_PX},
    "a covered lens": at_once(Moment(None, covered=True)),
}


@pytest.mark.parametrize("act", CHANGES.values(), ids=CHANGES)
def test_what_happens_on_a_table_is_a_change(act: tuple[float, Act]) -> None:
    assert all(changes(act))
