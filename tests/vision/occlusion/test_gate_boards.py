"""Every board, on a table and under a camera by chance, is watched through hands, shadows, lamps and pushes."""

from __future__ import annotations

from collections import defaultdict
from itertools import cycle

import numpy as np
import pytest

from tests.vision.occlusion.films import Act, Moment, always, arm_acts, clean, film, in_light, pause, shaded
from vision.board import shipped_board, shipped_games
from vision.localization.locate import ScaledImage
from vision.occlusion.gate import OcclusionDetector, OcclusionState
from vision.simulation.occluders import Limbs
from vision.simulation.random_scene import random_scene
from vision.simulation.scene import Scene

_HAPPENINGS = (
    ("easy", "pinch", 0.25, 0.6),
    ("hard", "point", 0.3, 1.5),
    ("medium", "flat", 0.22, 1.5),
    ("hard", "fist", 0.4, 0.6),
    ("medium", "point", 0.22, 0.6),
)
"""Where the camera is, what the hand does, how much light a shadow takes, and what a lamp multiplies the light by."""

_PUSHED_PX = (12.0, -7.0)
_SLEEVE = Limbs(sleeve=(150, 60, 40), sleeve_from_mm=150.0)


def _acts(scene: Scene, gesture: str, depth: float, lamp: float) -> list[tuple[float, Act]]:
    width, height = scene.board.size
    shade = shaded(scene, (0.4 * width, 0.5 * height), half_mm=0.12 * max(width, height), depth=depth, soft_mm=8.0)
    hand = arm_acts(scene.board, (0.45 * width, 0.6 * height), _SLEEVE, gesture)

    def pushed(truth: OcclusionState | None) -> Act:
        return always(Moment(truth, light=lamp, shift_px=_PUSHED_PX))

    return [
        *[(1.2, clean), *hand, pause(0.4), (0.4, clean)],
        *[(0.3, in_light(lambda share: 1 - (1 - shade) * share, None)), (0.2, in_light(lambda _: shade, None))],
        *[(0.5, in_light(lambda _: shade, OcclusionState.SHADOW)), pause(0.5), (0.3, clean)],
        *[(1.8, in_light(lambda _: lamp, None)), (0.3, in_light(lambda _: lamp))],
        *[
            (0.2, pushed(None)),
            (0.3, pushed(OcclusionState.MOVED)),
            (1.2, pushed(None)),
            (0.3, pushed(OcclusionState.CLEAN)),
        ],
    ]


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("game", "happening"), list(zip(shipped_games(), cycle(_HAPPENINGS), strict=False)), ids=shipped_games()
)
def test_what_is_over_a_board_is_reported_in_every_frame(game: str, happening: tuple[str, str, float, float]) -> None:
    tier, gesture, depth, lamp = happening
    rng = np.random.default_rng(20)
    scene = random_scene(shipped_board(game), rng, tier=tier, size_wh=(640, 480))
    gate, found = OcclusionDetector(), defaultdict[OcclusionState, set[OcclusionState]](set)
    for take in film(scene, _acts(scene, gesture, depth, lamp), rng):
        state = gate.look(ScaledImage(take.image_bgr), take.outline_px, take.at_s).state
        if take.truth is not None:
            found[take.truth].add(state)
    assert found == {
        state: {state}
        for state in (OcclusionState.CLEAN, OcclusionState.HAND, OcclusionState.SHADOW, OcclusionState.MOVED)
    }
