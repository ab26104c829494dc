"""The stability of a table: it is judged only when still, with hands away and agreeing frames, then ever more
rarely.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from companion.core.messages import FrameBlind, FrameRead
from companion.core.verdicts import Waiting
from engines.kernel import Cell
from vision.looks.memory import touched_since
from vision.observation import BlindReason, Observation

if TYPE_CHECKING:
    from vision.recognition.objective import ObjectiveCard

LEAST_FRAMES = 3
"""The least number of frames for a verdict."""

LEAST_FRAMES_PRESSED = 2

MOST_FRAMES = 6
"""Further frames of one still table add hardly any evidence (see `evidence`)."""

LOOKS_S = (0.6, 1.4, 4.0, 10.0, 20.0)
"""The times at which a still table is looked at, in s; after the last one, again after each interval of that length."""

ROW_LOOKS, PATIENT_LOOKS, HIDDEN_LOOKS = 2, 3, 4
"""Looks until moves of several players explain a table, until it is reported as wrong, and until it is reported as
undecided because a hand may hide cells.
"""

ASK_S = 1.5
"""A hand over the table, or unreadable pictures, are part of a move for this long: players are not asked about them."""

COLOURLESS_S = 10.0
"""The time after which missing colours of a table seen before are reported; before, a hand may cover it."""

PATIENCE_S = 3.0
"""The time after which cells under hands are taken as hidden for good."""

MOVE_S = 1.0
"""The least time in which a hand makes a move and presses DONE; an estimate. What a frame showed that long before the
press may have changed."""

DISAGREE = 0.9
"""Frames disagree on a cell if both exceed this confidence in different labels."""


@dataclass(frozen=True, slots=True)
class BlindSpell:
    """Consecutive refused frames: the first was taken at `began_ns`, the last, for this `reason`, at `at_ns`.

    The first of the latest frames that share the reason was taken at `since_ns`.
    """

    reason: BlindReason
    began_ns: int
    since_ns: int
    at_ns: int

    @property
    def lasts(self) -> bool:
        """Whether the spell is long enough to report; a hand that passes close to the lens is not.

        Missing colours are reported only if nothing else was wrong meanwhile, because a hand has one colour too.
        """
        since_ns = self.since_ns if self.reason is BlindReason.NO_COLOUR else self.began_ns
        return self.at_ns - since_ns >= ASK_S * 1e9

    @property
    def may_be_a_hand(self) -> bool:
        """Whether the colours of a table seen before may be missing because a hand covers it."""
        return self.reason is BlindReason.NO_COLOUR and self.at_ns - self.since_ns < COLOURLESS_S * 1e9


def blinded(spell: BlindSpell | None, frame: FrameBlind) -> BlindSpell:
    """Return a spell with one more frame, or a new one."""
    if spell is None:
        return BlindSpell(frame.reason, frame.at_ns, frame.at_ns, frame.at_ns)
    since_ns = spell.since_ns if spell.reason is frame.reason else frame.at_ns
    return BlindSpell(frame.reason, spell.began_ns, since_ns, frame.at_ns)


@dataclass(frozen=True, slots=True, eq=False)
class FrameWindow:
    """The latest frames of a table that is still.

    Attributes:
        frames: the last few that agree with one another.
        since_ns: when the first of them was taken; None if there are none.
        at_ns: when the last was taken.
        looks: how often the unchanged table has been judged.
        card: the card next to the board in the last frame, None if there is none.
        card_frames, card_since_ns: the number of consecutive frames with that card, and when the first was taken.
        blind: the frames that were refused since then; None if the last one was read.
        before: the frames before the camera was blind; None if it was not, or the table was touched.
    """

    frames: tuple[Observation, ...] = ()
    since_ns: int | None = None
    at_ns: int = 0
    looks: int = 0
    card: ObjectiveCard | None = None
    card_frames: int = 0
    card_since_ns: int = 0
    blind: BlindSpell | None = None
    before: FrameWindow | None = None

    @property
    def lies_s(self) -> float:
        """How long the table has been unchanged, in s."""
        return 0.0 if self.since_ns is None else (self.at_ns - self.since_ns) / 1e9

    @property
    def patient(self) -> bool:
        """Whether a wrong table has been unchanged for too long to be a move half made."""
        return self.looks >= PATIENT_LOOKS

    @property
    def card_lies_s(self) -> float:
        """How long the card next to the board has been unchanged, in s."""
        return (self.at_ns - self.card_since_ns) / 1e9


def watch(sight: FrameWindow, frame: FrameRead) -> FrameWindow:
    """Add a frame; one with motion, or one that disagrees with the last, starts a new window.

    A cell that becomes visible is looked at again at once. A table that looks as it did before the camera was blind
    counts as unchanged all the time.
    """
    # 1. Motion ends the window. The earlier one is kept, to know later whether the table was touched.
    if not frame.still:
        return FrameWindow(before=sight.before)
    before, sight = sight.before, replace(sight, blind=None, before=None)
    if sight.card_frames and frame.card == sight.card:
        sight = replace(sight, card_frames=sight.card_frames + 1)
    else:
        sight = replace(sight, card=frame.card, card_frames=1, card_since_ns=frame.at_ns)
    # 2. The first still frame, or one that disagrees with the last, starts a new window. If the table is as before the
    #   interruption, the clock and the number of looks continue.
    if not sight.frames or not agree(sight.frames[-1], frame.observation):
        since_ns, looks = frame.at_ns, 0
        if before is not None and before.since_ns is not None and lies_untouched(before.frames[-1], frame.observation):
            since_ns, looks = before.since_ns, before.looks
        return replace(sight, frames=(frame.observation,), since_ns=since_ns, at_ns=frame.at_ns, looks=looks)
    # 3. Any other frame joins the window; a cell that becomes visible is judged again at once.
    frames = (*sight.frames, frame.observation)[-MOST_FRAMES:]
    uncovered = len(hidden(frames)) < len(hidden(sight.frames))
    return replace(sight, frames=frames, at_ns=frame.at_ns, looks=0 if uncovered else sight.looks)


def interrupted(sight: FrameWindow, blind: BlindSpell | None = None) -> FrameWindow:
    """Return the window of a camera that is blind now."""
    before = replace(sight, before=None) if sight.frames else sight.before
    return FrameWindow(blind=blind, before=before)


def lies_untouched(one: Observation, other: Observation) -> bool:
    """Return whether the table was not touched between two frames."""
    return agree(one, other) and not bool(touched_since(other, one).any())


def why_wait(sight: FrameWindow, *, pressed: bool, doubt: Collection[Cell] = (), now_ns: int = 0) -> Waiting | None:
    """Return why the table cannot be judged yet, None if it can.

    `pressed` asks for a verdict as soon as possible; `now_ns` is the time of the press or a later one. Cells that were
    already in `doubt` at the last look, because of glare or a mug, are no reason to wait for a hand.
    """
    # 1. No still frame: something moves.
    if not sight.frames:
        return Waiting("moving")
    # 2. Cells that no frame shows: a hand, until it has stayed long enough to be an object.
    unseen = hidden(sight.frames)
    if not set(unseen) <= set(doubt) and sight.lies_s < PATIENCE_S:
        return Waiting("hand", unseen) if sight.lies_s >= ASK_S else Waiting("moving")
    # 3. Enough frames to add up; fewer if DONE was pressed, but the last shows what was done before.
    if pressed and now_ns - sight.at_ns > MOVE_S * 1e9:
        return Waiting("settling")
    if len(sight.frames) < (LEAST_FRAMES_PRESSED if pressed else LEAST_FRAMES):
        return Waiting("settling")
    # 4. Without DONE, the next look waits: ever longer for a table that does not change.
    further = sight.looks - len(LOOKS_S)
    due_s = LOOKS_S[sight.looks] if further < 0 else LOOKS_S[-1] * (further + 2)
    return None if pressed or sight.lies_s >= due_s else Waiting("settling")


def hidden(frames: Sequence[Observation]) -> tuple[Cell, ...]:
    """Return the cells that none of the frames shows."""
    seen = np.any([frame.visible for frame in frames], axis=0)
    return tuple(Cell(frames[0].cells[i]) for i in np.flatnonzero(~seen))


def agree(one: Observation, other: Observation) -> bool:
    """Return whether no cell has certain, different labels in the two frames.

    A cell that looks the same in both is the same, whatever labels are read.
    """
    differ = one.p.argmax(axis=1) != other.p.argmax(axis=1)
    sure = np.minimum(one.confidence(), other.confidence()) > DISAGREE
    differ &= sure & one.visible & other.visible
    if one.appearance is None or other.appearance is None or not differ.any():
        return not bool(differ.any())
    return not bool((differ & touched_since(other, one)).any())
