"""The stillness gate on filmed tables: what is over the board in every frame, whatever the room's light does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.occlusion.films import (
    BOARD,
    LABELS,
    LIMBS,
    SIZE_WH,
    Act,
    Moment,
    Take,
    always,
    arm_acts,
    clean,
    film,
    in_light,
    pause,
    scene,
    shaded,
)  # fmt: skip
from vision.board import shipped_board
from vision.localization.locate import ScaledImage
from vision.occlusion.gate import OcclusionDetector, OcclusionResult, OcclusionState
from vision.simulation.occluders import Limbs
from vision.simulation.scene import Scene, camera_over
from vision.simulation.truth import stand_pieces


def glances(
    acts: Sequence[tuple[float, Act]], table: Scene | None = None, *, slower: float = 1.0
) -> list[tuple[Take, OcclusionResult]]:
    """Look at a film of a table, with that many times the time between its frames."""
    gate = OcclusionDetector()
    takes = film(table or scene(), acts, np.random.default_rng(1))
    return [(take, gate.look(ScaledImage(take.image_bgr), take.outline_px, slower * take.at_s)) for take in takes]


def states_when(seen: Sequence[tuple[Take, OcclusionResult]], truth: OcclusionState) -> list[OcclusionState]:
    """Return the states of the frames of which that is the truth."""
    return [glance.state for take, glance in seen if take.truth is truth]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("limbs", LIMBS.values(), ids=LIMBS)
def test_a_hand_is_reported_while_it_rests_and_the_board_is_clean_soon_after(limbs: Limbs) -> None:
    seen = glances([(1.2, clean), *arm_acts(BOARD, (240.0, 210.0), limbs, "point"), pause(0.4), (0.4, clean)])
    assert set(states_when(seen, OcclusionState.HAND)) == {OcclusionState.HAND}
    assert set(states_when(seen, OcclusionState.CLEAN)) == {OcclusionState.CLEAN}


def test_a_resting_hand_is_still_and_hides_the_cells_under_it_and_no_others() -> None:
    seen = glances([(1.2, clean), *arm_acts(BOARD, (240.0, 210.0), Limbs(), "flat")[:2]])
    last = [glance for take, glance in seen if take.truth is OcclusionState.HAND][-1]
    hidden = dict(zip(BOARD.cells, last.hides(BOARD.centres_mm(), BOARD.size), strict=True))
    assert last.still
    assert hidden["F8"]
    assert hidden["G11"]
    assert not hidden["A1"]
    assert not hidden["L3"]


def test_pieces_that_a_hand_has_moved_leave_a_clean_board() -> None:
    moved = stand_pieces(
        BOARD, {**LABELS, "F10": "empty", "F9": "red", "E9": "red", "A1": "green"}, np.random.default_rng(4)
    )

    leaving, after = (always(Moment(truth, pieces=moved)) for truth in (None, OcclusionState.CLEAN))
    seen = glances([(1.2, clean), *arm_acts(BOARD, (200.0, 250.0), Limbs(), "pinch"), (0.4, leaving), (1.5, after)])
    assert set(states_when(seen, OcclusionState.CLEAN)) == {OcclusionState.CLEAN}
    assert seen[-1][1].still


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    ("depth", "soft_mm"), [(0.45, 1.0), (0.45, 12.0), (0.2, 12.0)], ids=["sun", "window", "hardly darker"]
)
def test_the_shadow_of_an_arm_outside_the_picture_is_no_hand(depth: float, soft_mm: float) -> None:
    shade = shaded(scene(), (150.0, 230.0), half_mm=45.0, depth=depth, soft_mm=soft_mm)
    falling = in_light(lambda share: 1 - (1 - shade) * share, None)
    staying = [(0.2, in_light(lambda _: shade, None)), (1.4, in_light(lambda _: shade, OcclusionState.SHADOW))]
    seen = glances([(1.2, clean), (0.4, falling), *staying])
    assert set(states_when(seen, OcclusionState.SHADOW)) == {OcclusionState.SHADOW}
    assert OcclusionState.HAND not in {glance.state for _, glance in seen}
    assert seen[-1][1].still


@pytest.mark.sampled(7)
@pytest.mark.parametrize("level", [0.55, 1.6], ids=["darker", "brighter"])
@pytest.mark.parametrize("seconds", [0.1, 1.5], ids=["at-once", "settling"])
def test_a_lamp_that_changes_is_no_hand_moves_nothing_and_is_clean_a_moment_later(level: float, seconds: float) -> None:
    lamp = in_light(lambda share: 1 + (level - 1) * share, None)
    seen = glances(
        [(1.2, clean), (seconds, lamp), (1.4, in_light(lambda _: level, None)), (0.6, in_light(lambda _: level))]
    )
    states = [glance.state for _, glance in seen]
    assert OcclusionState.LIGHT in states
    assert set(states) <= {OcclusionState.CLEAN, OcclusionState.LIGHT}
    assert all(glance.still for take, glance in seen if take.at_s > 0.4)
    assert set(states_when(seen, OcclusionState.CLEAN)) == {OcclusionState.CLEAN}


def test_a_lamp_beside_the_table_that_lights_one_side_more_is_light_and_no_shadow() -> None:
    side = np.exp(np.linspace(-0.5, 0.1, SIZE_WH[0], dtype=np.float32))[None, :, None] * np.array(
        [0.9, 1.0, 1.1], np.float32
    )
    seen = glances(
        [(1.2, clean), (0.8, in_light(lambda _: side, OcclusionState.LIGHT)), (0.9, in_light(lambda _: side, None))]
    )
    assert set(states_when(seen, OcclusionState.LIGHT)[2:]) == {OcclusionState.LIGHT}
    assert seen[-1][1].state is OcclusionState.CLEAN
    assert OcclusionState.HAND not in {glance.state for _, glance in seen}


@pytest.mark.long
def test_dusk_is_clean_all_along() -> None:
    seen = glances([(1.0, clean), (5.0, in_light(lambda share: 1 - 0.2 * share, OcclusionState.CLEAN))])
    assert set(states_when(seen, OcclusionState.CLEAN)) == {OcclusionState.CLEAN}


def test_a_board_that_was_pushed_has_moved_and_is_clean_where_it_lies_then() -> None:
    def pushed(share: float) -> Moment:
        return Moment(None, shift_px=(9.0 * share, -5.0 * share))

    seen = glances([(1.2, clean), (0.3, pushed), (1.5, always(pushed(1.0)))])
    states = [glance.state for _, glance in seen]
    assert set(states) == {OcclusionState.CLEAN, OcclusionState.MOVED}
    assert states[-1] is OcclusionState.CLEAN
    assert all(not glance.still for take, glance in seen if 1.25 < take.at_s < 1.5)


def test_a_camera_that_is_covered_is_blind_and_sees_the_clean_board_again() -> None:
    covered = always(Moment(OcclusionState.BLIND, covered=True))
    seen = glances([(1.2, clean), (0.8, covered), pause(0.4), (0.4, clean)])
    assert set(states_when(seen, OcclusionState.BLIND)[2:]) == {OcclusionState.BLIND}
    assert set(states_when(seen, OcclusionState.CLEAN)) == {OcclusionState.CLEAN}


@pytest.mark.long
def test_a_hand_that_was_there_from_the_first_frame_on_leaves_a_clean_board_when_it_goes() -> None:
    _enter, rest, leave = arm_acts(BOARD, (240.0, 210.0), Limbs(), "flat", rest_s=1.0)
    seen = glances([rest, leave, (1.0, in_light(lambda _: 1.0, None)), (0.5, clean)])
    assert set(states_when(seen, OcclusionState.CLEAN)) == {OcclusionState.CLEAN}


@pytest.mark.long
def test_frames_that_are_far_apart_in_time_are_reported_too() -> None:
    acts = [(0.3, clean), *arm_acts(BOARD, (240.0, 210.0), Limbs(), "flat", rest_s=0.3), (0.4, clean)]
    seen = glances(acts, slower=6.0)
    assert set(states_when(seen, OcclusionState.HAND)) == {OcclusionState.HAND}
    assert seen[-1][1].state is OcclusionState.CLEAN
    assert seen[-1][1].still


@pytest.mark.long
def test_a_tall_piece_taken_from_the_far_edge_of_a_small_board_is_no_arm() -> None:
    board = shipped_board("royal-study")
    labels = {**dict.fromkeys(board.cells, "empty"), "A1": "king", "C1": "queen", "B3": "rook"}
    pieces = stand_pieces(board, labels, np.random.default_rng(1))
    table = Scene(board, camera_over(board, SIZE_WH, tilt_deg=40.0), pieces)

    leaving, taken = (always(Moment(truth, pieces=pieces[1:])) for truth in (None, OcclusionState.CLEAN))
    seen = glances([(1.0, clean), (1.5, leaving), (0.5, taken)], table)
    assert set(states_when(seen, OcclusionState.CLEAN)) == {OcclusionState.CLEAN}
