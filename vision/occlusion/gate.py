"""The occlusion gate: whether the table is still, and whether a hand, a shadow or a change of light is over it.

Two memories are used. The looks of the last moments show motion. The last clean board shows what is over it now, which
frame differences do not: a resting hand differs less from frame to frame than a lamp that settles.

No state lasts for ever: a look that has not changed for long enough becomes the clean board, a moved piece at once, a
lamp after a second, a shadow after several, an arm after half a minute.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.localization.locate import ScaledImage
from vision.occlusion.gate_change import changed_levels, compare
from vision.occlusion.gate_look import Canvas, Mask, PatchComparison, canvas_for, surroundings_stay, take_look
from vision.occlusion.gate_patches import Patch, PatchKind, hands_in, standing_out
from vision.recognition.refusal import is_dark

_LAG_S = 0.12
"""Age of the look that a new one is compared with; a slow hand moves little from one frame to the next."""

_STILL_S = 0.25
"""Time without motion after which a table is still."""

_MOVED_LEVELS = 14.0
"""Change in grey levels between looks that counts as motion; noise stays below it."""

_MOVING_PATCH = 0.0015
"""Least share of the board that a moving object covers: 300 mm² of a large board."""

_SAME_PLACE, _OTHER_PLACE = 0.0012, 0.003
"""Shift of a corner over the picture's width: below the first it is measurement noise, above the second a move."""

_LIGHT_SETTLES, _LIGHT_CHANGED = 0.015, 0.06
"""Relative changes of light: above the first within `_LAG_S` a lamp is still settling; above the second since the last
clean board it is a different light."""

_SHADED = 0.015
"""Least share of the board that a shadow or a local light covers."""

_LEAST_KEPT = 0.12
"""Share of the board's slopes below which something other than the board is visible."""

_LEFT_S, _TURNED_S = 0.2, 0.1
"""Time for which a hand must be gone, or any other state last, before it is reported."""


class OcclusionState(StrEnum):
    """The state of the board's view, in the public protocol's words."""

    CLEAN = "clean"
    HAND = "hand"
    SHADOW = "shadow"
    LIGHT = "light"
    MOVED = "moved"
    BLIND = "blind"


_PATIENCE_S = {
    OcclusionState.CLEAN: 0.8,
    OcclusionState.MOVED: 0.8,
    OcclusionState.LIGHT: 1.0,
    OcclusionState.SHADOW: 12.0,
    OcclusionState.BLIND: 60.0,
}
"""Time without motion in a state after which the look becomes the clean board; for hands see `PatchKind`."""

_GHOST_S, _GHOST = 0.5, 1.5
"""The same if a hand was there from the first look on and has left, and the factor by which its contour stood out."""

_PROVISIONAL_S = 0.5
"""Time for which looks must agree with the first clean board before it is trusted; the first pictures of a stream may
be torn, covered or wrongly exposed."""

_RICHER = 1.1
"""Ratio of structure from which on a later look replaces the first clean board. A hand hides about as much structure as
it adds (0.6 to 1.05 with 20 drawn hands); a torn or covered picture has less than the board."""

_PLAIN = 0.01
"""Root mean square of the slopes below which there is only noise, as with a covered lens: noise in a dim room reaches
0.005, boards start at 0.05."""

_BESIDE_PX = 11
"""Margin for the height of pieces, whose heads are hidden by things next to their feet: 1 cm to each side."""


@dataclass(frozen=True, slots=True, eq=False)
class OcclusionResult:
    """The result of one look.

    Attributes:
        state: what is over the board, delayed by a moment so that it does not flicker.
        still: whether nothing has moved for a moment; a resting hand is still.
        renewed: whether the look has become the clean board that later ones are compared with.
        hidden: a mask of what hands hide or a shadow darkens, uint8 (height, width) of the view.
        under_arms: the part of it hidden by arms, which is too large for pieces set down at once.
        solid_arms: the part of that without pieces set down close to an arm.
    """

    state: OcclusionState
    still: bool
    renewed: bool
    hidden: Mask
    under_arms: Mask
    solid_arms: Mask
    canvas: Canvas

    def hides(self, points_mm: Floats, size_mm: tuple[float, float]) -> NDArray[np.bool_]:
        """Return a mask of the points, float (n, xy) in mm, under a hand or in a shadow, bool (n,)."""
        return self._is_in(self.hidden, points_mm, size_mm)

    def arms_hide(self, points_mm: Floats, size_mm: tuple[float, float]) -> NDArray[np.bool_]:
        """Return a mask of the points, float (n, xy) in mm, under an arm, bool (n,)."""
        return self._is_in(self.under_arms, points_mm, size_mm)

    def beside_arms(self, points_mm: Floats, size_mm: tuple[float, float]) -> NDArray[np.bool_]:
        """Return a mask of the points, float (n, xy) in mm, that may be pieces set down close to an arm, bool (n,)."""
        return self.arms_hide(points_mm, size_mm) & ~self._is_in(self.solid_arms, points_mm, size_mm)

    def _is_in(self, mask: Mask, points_mm: Floats, size_mm: tuple[float, float]) -> NDArray[np.bool_]:
        """Return whether each point is in or close to a mask, bool (n,)."""
        first, last = self.canvas.corners_px[0], self.canvas.corners_px[2]
        share = np.asarray(points_mm, np.float64) / np.asarray(size_mm)
        spots = (first + share * (last - first)).astype(int).clip(0, np.array(self.canvas.size_wh) - 1)
        beside = cv2.dilate(mask, np.ones((_BESIDE_PX, _BESIDE_PX), np.uint8))
        return np.asarray(beside[spots[:, 1], spots[:, 0]] > 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Finding:
    """An unfiltered result, and the time without motion after which the look becomes the clean board.

    Attributes:
        state: what is over the board.
        patience_s: that time in seconds.
        hands: the patches that are hands.
        shade: a mask of a shadow, if that is the state.
    """

    state: OcclusionState
    patience_s: float
    hands: Sequence[Patch] = ()
    shade: Mask | None = None


class OcclusionDetector:
    """The detector of occlusions of one board. It is given each picture and remembers the last clean look."""

    def __init__(self) -> None:
        self._canvas: Canvas | None = None
        self._board: Mask = np.zeros((1, 1), np.uint8)
        self._clean: PatchComparison | None = None
        self._next_clean: PatchComparison | None = None
        self._recent: deque[PatchComparison] = deque()
        self._unrest_s = -np.inf
        self._moved_s = self._believed_s = -np.inf
        self._hand_seen = self._proven = False
        self._agreed = self._confirmed = False
        self._reported = self._next = OcclusionState.CLEAN
        self._since_s: float | None = None

    def look(self, scaled: ScaledImage, outline_px: Floats, at_s: float) -> OcclusionResult:
        """Compare a picture with those of the last moments and with the last clean board.

        Args:
            scaled: the picture.
            outline_px: the board's corners in it, float (4 clockwise from the board's top left, xy), by markers or by
                `Follower`.
            at_s: when it was taken, in seconds, later each time.
        """
        # 1. The board's place in the view is fixed by the first picture.
        if self._canvas is None:
            self._canvas = canvas_for(outline_px)
            self._board = self._canvas.board_mask()
        # 2. Bring the picture to that view, by the clean board's outline as long as the board has not moved, which
        #   suppresses jitter, and note motion against a look of a moment ago.
        if self._clean is not None and _shift(self._clean.outline_px, outline_px, scaled) < _SAME_PLACE:
            outline_px = self._clean.outline_px
        now = take_look(scaled, outline_px, self._canvas, at_s)
        self._feel_motion(now, scaled)
        # 3. What is over the board, against the last clean look.
        finding = self._finding(scaled, now)
        # 4. What has been unmoved for long enough becomes the clean board. A look that was clean already takes effect
        #   one renewal later, so that slow changes are compared with the earlier look. If an arm rested so long that it
        #   became the board, no hand has been seen leaving that board.
        renewed = at_s - max(self._unrest_s, self._believed_s) >= self._patience_s(finding, now)
        if renewed:
            at_once = finding.state is not OcclusionState.CLEAN
            self._hand_seen = self._hand_seen and finding.state is not OcclusionState.HAND
            self._agreed = self._agreed and not at_once
            self._clean = now if at_once or self._next_clean is None else self._next_clean
            self._next_clean, self._believed_s, self._proven = now, at_s, self._hand_seen
        # 5. Report the state with a moment's delay, a hand at once.
        state = self._settle(OcclusionState.CLEAN if renewed else finding.state, at_s, at_once=renewed)
        still = at_s - self._moved_s >= _STILL_S
        hidden = [patch.mask for patch in finding.hands] if finding.shade is None else [finding.shade]
        arms = [patch for patch in finding.hands if patch.kind is PatchKind.ARM]
        under_arms, solid = self._join([patch.mask for patch in arms]), self._join([patch.solid for patch in arms])
        return OcclusionResult(state, still, renewed, self._join(hidden), under_arms, solid, self._canvas)

    def _settle(self, state: OcclusionState, at_s: float, *, at_once: bool) -> OcclusionState:
        """Return the state to report: a hand at once, other states after a moment."""
        if self._since_s is None:
            self._reported = state
        if state is not self._next or self._since_s is None:
            self._next, self._since_s = state, at_s
        lasting = _LEFT_S if self._reported in (OcclusionState.HAND, OcclusionState.BLIND) else _TURNED_S
        if at_once or state is OcclusionState.HAND or at_s - self._since_s >= lasting:
            self._reported = state
        return self._reported

    def _feel_motion(self, now: PatchComparison, scaled: ScaledImage) -> None:
        """Note whether anything has moved, or the light changed, in the last moments."""
        # 1. Keep the looks of the last moments; the oldest is at least _LAG_S old, so that slow hands show.
        before = self._recent[0] if self._recent else None
        self._recent.append(now)
        while len(self._recent) > 1 and now.at_s - self._recent[1].at_s >= _LAG_S:
            self._recent.popleft()
        # 2. The board itself has moved.
        if before is None or _shift(before.outline_px, now.outline_px, scaled) > _SAME_PLACE:
            self._moved_s = self._unrest_s = now.at_s
            return
        # 3. A patch has changed by more than the change of light explains: motion. Only the light: unrest, not
        #   motion.
        light, _logs, differs = changed_levels(before, now, before.inside & now.inside, _MOVED_LEVELS)
        without_edges = cv2.morphologyEx(differs & self._board, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        _, _, stats, _ = cv2.connectedComponentsWithStats(without_edges)
        largest_px = int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))
        if largest_px > _MOVING_PATCH * cv2.countNonZero(self._board):
            self._moved_s = self._unrest_s = now.at_s
        elif light > _LIGHT_SETTLES:
            self._unrest_s = now.at_s

    def _patience_s(self, finding: _Finding, now: PatchComparison) -> float:
        """Return the time without motion after which the look becomes the clean board; shorter for the first one."""
        if self._clean is None or self._confirmed or finding.patience_s == np.inf:
            return finding.patience_s
        if finding.state in (OcclusionState.CLEAN, OcclusionState.LIGHT):
            self._agreed = True
            self._confirmed = now.at_s - self._clean.at_s >= _PROVISIONAL_S
            return finding.patience_s
        self._hand_seen = False
        if not self._agreed:
            return 0.0
        richer = self._structure(now) > _RICHER * self._structure(self._clean)
        return min(finding.patience_s, _PATIENCE_S[OcclusionState.CLEAN]) if richer else finding.patience_s

    def _structure(self, look: PatchComparison) -> float:
        """Return the mean square of the slopes on the board."""
        x, y = look.slopes
        return float(cv2.mean(x * x + y * y, mask=look.inside & self._board)[0])

    def _finding(self, scaled: ScaledImage, now: PatchComparison) -> _Finding:
        # 1. Nothing can be seen: dark, or without any structure.
        if is_dark(scaled.reduced_gray) or self._structure(now) < _PLAIN**2:
            return _Finding(OcclusionState.BLIND, np.inf)
        # 2. The first picture is clean until shown otherwise.
        if self._clean is None:
            return _Finding(OcclusionState.CLEAN, 0.0)
        # 3. Covered patches that are shaped like hands. If hardly any of the board's slopes are left, and no arm and
        #   unchanged surroundings explain it, something covers the whole board.
        change = compare(self._clean, now, self._board)
        hands = hands_in(change.covered, change.valid, self._board)
        if change.kept < _LEAST_KEPT and not (
            any(patch.kind is PatchKind.ARM for patch in hands) and surroundings_stay(self._clean, now)
        ):
            return _Finding(OcclusionState.BLIND, _PATIENCE_S[OcclusionState.BLIND])
        # 4. A hand, or only where one was: once it has left, the board is similar on both sides of its former contour,
        #   which stood out in the clean look only. Or a moved board.
        if hands:
            self._hand_seen, clean = True, self._clean
            has_left = not self._proven and all(
                standing_out(patch.mask, clean) > _GHOST * standing_out(patch.mask, now) for patch in hands
            )
            return _Finding(
                OcclusionState.HAND, _GHOST_S if has_left else max(patch.kind.value for patch in hands), hands
            )
        if _shift(self._clean.outline_px, now.outline_px, scaled) > _OTHER_PLACE:
            return _Finding(OcclusionState.MOVED, _PATIENCE_S[OcclusionState.MOVED])
        # 5. A shadow, another light, or the clean board.
        least_px, shade = _SHADED * cv2.countNonZero(self._board), _open(change.darker)
        if cv2.countNonZero(shade & self._board) > least_px:
            state = OcclusionState.SHADOW
        else:
            lit = cv2.countNonZero(_open(change.brighter) & self._board) > least_px
            state = OcclusionState.LIGHT if lit or change.light > _LIGHT_CHANGED else OcclusionState.CLEAN
        return _Finding(state, _PATIENCE_S[state], shade=shade if state is OcclusionState.SHADOW else None)

    def _join(self, masks: Sequence[Mask]) -> Mask:
        return np.asarray(np.bitwise_or.reduce([np.zeros_like(self._board), *masks]), np.uint8)


def _shift(one: Floats, other: Floats, scaled: ScaledImage) -> float:
    """Return the largest shift of a corner, over the picture's width."""
    return float(np.linalg.norm(one - other, axis=1).max()) / scaled.size_wh[0]


def _open(mask: Mask) -> Mask:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)), np.uint8)
