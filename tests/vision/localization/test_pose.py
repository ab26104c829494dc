"""The pose from markers' corners: lens, bloom, doubt, and markers that mislead."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.drawn_tables import pose_towards
from vision.board import shipped_board
from vision.geometry import Floats, Lens, Pose
from vision.localization import pose as module
from vision.localization.markers import Sightings
from vision.localization.pose import FOCAL_PRIOR, K1_PRIOR, PoseEstimate, estimate_pose, find_misfit

BOARD = shipped_board("royal-tee")
SIZE_WH = (1640, 1232)
HEADS_MM = np.column_stack([BOARD.centres_mm(), np.full(144, 22.0)])


def looking_at_the_middle(tilt_deg: float, turn_deg: float, distance_mm: float, focal: float, k1: float) -> Pose:
    lens = Lens(focal * SIZE_WH[0], Lens.middle_of(SIZE_WH), k1)
    return pose_towards((228.0, 228.0), tilt_deg, turn_deg, distance_mm, lens)


def corners_seen(
    pose: Pose, rng: np.random.Generator, bloom_px: float = 0.0, noise_px: float = 0.1
) -> dict[int, Floats]:
    squares = pose.project_at(BOARD.markers.corners_mm().reshape(-1, 2), 0.0).reshape(4, 4, 2)
    arms = squares - squares.mean(axis=1, keepdims=True)
    bloomed = squares - bloom_px * arms / np.linalg.norm(arms, axis=2, keepdims=True)
    noisy = bloomed + rng.normal(0, noise_px, squares.shape)
    return dict(zip(BOARD.markers.ids, noisy.astype(np.float32), strict=True))


def fit(detections: dict[int, Floats], lens: Lens | None = None) -> PoseEstimate:
    estimate = estimate_pose(BOARD, detections, SIZE_WH, lens)  # type: ignore[arg-type]  # float64 corners do as well
    assert estimate is not None
    return estimate


def worst_px(estimate: PoseEstimate, pose: Pose) -> float:
    return float(np.linalg.norm(estimate.pose.project(HEADS_MM) - pose.project(HEADS_MM), axis=1).max())


@settings(max_examples=40, deadline=None)
@given(
    tilt=st.floats(12, 45),
    turn=st.floats(-180, 180),
    focal=st.floats(0.6, 1.15),
    k1=st.floats(-0.08, 0.03),
    bloom=st.floats(-1.0, 1.0),
    seed=st.integers(0, 1000),
)
def test_four_markers_place_every_head_within_its_doubt_with_an_unknown_lens_and_bloom(
    tilt: float, turn: float, focal: float, k1: float, bloom: float, seed: int
) -> None:
    pose = looking_at_the_middle(tilt, turn, 700 * focal, focal, k1)
    seen = corners_seen(pose, np.random.default_rng(seed), bloom)
    estimate = fit(seen)
    sigma_px = estimate.sigma_px(HEADS_MM).max()
    assert worst_px(estimate, pose) < max(2.5, 5 * sigma_px)
    assert sigma_px < 6.0


@pytest.mark.parametrize("focal", [0.45, 1.4, 1.8, 2.2])
@pytest.mark.parametrize("tilt", [20.0, 40.0])
def test_a_very_wide_or_narrow_lens_is_found_and_no_marker_is_said_to_be_moved(focal: float, tilt: float) -> None:
    pose = looking_at_the_middle(tilt, 30.0, 700 * focal, focal, 0.0)
    seen = corners_seen(pose, np.random.default_rng(4))
    assert worst_px(fit(seen), pose) < 2.5
    assert find_misfit(BOARD, Sightings(seen), SIZE_WH) is None  # type: ignore[arg-type]  # float64 corners do as well


@pytest.mark.parametrize("gone", [(10, 11), (10, 12), (11, 13)])
def test_two_markers_are_enough_for_a_third_of_a_cell(gone: tuple[int, int]) -> None:
    pose = looking_at_the_middle(25, 10, 600, 0.85, -0.03)
    seen = corners_seen(pose, np.random.default_rng(2), bloom_px=0.4)
    for marker_id in gone:
        del seen[marker_id]
    assert worst_px(fit(seen), pose) < 0.33 * 60


def test_fewer_markers_leave_more_doubt() -> None:
    seen = corners_seen(looking_at_the_middle(25, 10, 600, 0.85, -0.03), np.random.default_rng(3))
    doubts = []
    for marker_id in (10, 11, 12):
        doubts.append(fit(seen).sigma_px(HEADS_MM).max())
        del seen[marker_id]
    doubts.append(fit(seen).sigma_px(HEADS_MM).max())
    assert doubts == sorted(doubts)
    assert doubts[-1] > 5 * doubts[0]


def test_a_half_covered_marker_is_left_out() -> None:
    pose = looking_at_the_middle(20, 30, 600, 0.85, 0.0)
    seen = corners_seen(pose, np.random.default_rng(4))
    seen[11] = seen[11] + np.array([(14, 0), (14, 0), (0, 0), (0, 0)], dtype=np.float32)
    estimate = fit(seen)
    assert worst_px(estimate, pose) < 2.5
    assert estimate.worst_px < 4.0


def test_a_calibrated_lens_is_held() -> None:
    pose = looking_at_the_middle(3, 0, 600, 0.7, -0.05)
    estimate = fit(corners_seen(pose, np.random.default_rng(5)), pose.lens)
    assert estimate.pose.lens.focal_px == pytest.approx(pose.lens.focal_px, rel=1e-3)
    assert worst_px(estimate, pose) < 1.0


def test_from_straight_above_the_unknown_focal_length_shows_in_the_doubt_of_raised_points() -> None:
    estimate = fit(corners_seen(looking_at_the_middle(0.1, 0, 600, 0.8, 0.0), np.random.default_rng(6)))
    flat, raised = (np.column_stack([BOARD.centres_mm(), np.full(144, h)]) for h in (0.0, 34.0))
    assert estimate.sigma_px(raised).max() > 2 * estimate.sigma_px(flat).max()


def test_no_marker_of_the_board_gives_no_pose() -> None:
    assert estimate_pose(BOARD, {}, SIZE_WH) is None
    assert estimate_pose(BOARD, {20: np.zeros((4, 2), dtype=np.float32)}, SIZE_WH) is None


@pytest.mark.parametrize("gone", [(), (12, 13), (11, 12, 13)])
def test_from_straight_above_the_focal_length_is_what_is_usual_and_as_uncertain_as_that(gone: tuple[int, ...]) -> None:
    seen = corners_seen(looking_at_the_middle(0, 0, 900, 1.0, 0.0), np.random.default_rng(1))
    estimate = fit({marker: corners for marker, corners in seen.items() if marker not in gone})
    assert estimate.pose.lens.focal_px == pytest.approx(FOCAL_PRIOR[0] * SIZE_WH[0], rel=0.01)
    assert estimate.covariance[6, 6] ** 0.5 == pytest.approx(FOCAL_PRIOR[1], rel=0.01)


def test_one_marker_says_nothing_of_the_lens_which_is_then_taken_to_be_straight_within_what_is_usual() -> None:
    seen = corners_seen(looking_at_the_middle(0, 0, 900, 1.0, -0.04), np.random.default_rng(1))
    estimate = fit({10: seen[10]})
    assert estimate.pose.lens.k1 == pytest.approx(K1_PRIOR[0], abs=1e-3)
    assert estimate.covariance[7, 7] ** 0.5 == pytest.approx(K1_PRIOR[1], rel=0.01)


AMBIGUOUS = [((8.6, 65, 1310, 1.056), 22), ((8.6, 65, 1310, 1.056), 1338), ((10.2, 82, 1442, 1.086), 22)]
"""Two markers far away: a tilt and its mirror image fit them about as well, the wrong one at first better."""


@pytest.mark.parametrize(("view", "seed"), AMBIGUOUS)
def test_of_the_two_poses_that_two_far_markers_allow_the_better_one_is_taken(
    view: tuple[float, float, float, float], seed: int
) -> None:
    pose = looking_at_the_middle(*view, k1=0.0)
    seen = corners_seen(pose, np.random.default_rng(seed), noise_px=0.3)
    estimate = fit({marker: seen[marker] for marker in (10, 11)})
    assert worst_px(estimate, pose) < 7.0


@pytest.fixture
def refined(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list to which each start that is refined from now on is added; nothing is known of earlier fits."""
    starts: list[Any] = []
    minimise = module.minimise

    def noted(linearise: Any, start: Any) -> Any:
        starts.append(start)
        return minimise(linearise, start)

    module._fit_corners.cache_clear()
    monkeypatch.setattr(module, "minimise", noted)
    return starts


def test_a_second_pose_is_refined_only_where_it_may_be_the_better_one(refined: list[Any]) -> None:
    fit(corners_seen(looking_at_the_middle(30, 40, 600, 0.85, 0.0), np.random.default_rng(1)))
    clear = len(refined)
    view, seed = AMBIGUOUS[0]
    seen = corners_seen(looking_at_the_middle(*view, k1=0.0), np.random.default_rng(seed), noise_px=0.3)
    fit({marker: seen[marker] for marker in (10, 11)})
    assert (clear, len(refined) - clear) == (1, 2)


def test_whether_markers_are_at_their_places_and_where_the_board_is_is_fitted_once(refined: list[Any]) -> None:
    seen = corners_seen(looking_at_the_middle(30, 40, 600, 0.85, 0.0), np.random.default_rng(1))
    assert find_misfit(BOARD, Sightings(seen), SIZE_WH) is None  # type: ignore[arg-type]  # float64 corners do as well
    fit(seen)
    assert len(refined) == 1
