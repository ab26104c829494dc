"""Dice next to the board: read while a throw is expected, and reported once two readings are equal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from companion.core.messages import DiceRead, FrameBlind, FrameRead
from companion.core.verdicts import Action, Position
from companion.shell.frame_reader import FrameReader
from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.tray import TrayDie, read_dice

_MOVED = 0.5
"""The most by which two readings of a die at rest may differ, as a part of its size."""

_THROWN = 0.15
"""The least distance that a thrown die has moved if it shows the same, as a part of its size."""


@dataclass(frozen=True, slots=True)
class RestingDie:
    """A die at rest: its value, None if unreadable, and its centre, (x, y) in mm on the board."""

    value: int | None
    is_read: bool
    at_mm: tuple[float, float]


class TrayWatch:
    """A reader that reports each throw once. Dice that are there at the start do not count as thrown.

    The table has a section `[dice]`. `throw_of` returns the throw that these faces make in a position, None if they
    make none; `report` is called with it, and must return at once.

    Attributes:
        rests: whether the last two readings were equal.
    """

    def __init__(
        self,
        board: Board,
        throw_of: Callable[[Position, Sequence[int | None]], Action | None],
        report: Callable[[DiceRead], object],
        read: Callable[[ImageBgr, Board, Pose], Sequence[TrayDie]] = read_dice,
    ) -> None:
        self._board, self._throw_of, self._report, self._read = board, throw_of, report, read
        self._size_mm = board.dice.size_mm if board.dice else 0.0
        self._old: tuple[RestingDie, ...] | None = None
        self._last: tuple[RestingDie, ...] = ()
        self.rests = self._cleared = False
        self._awaited: Position | None = None

    def follow(self, eye: FrameReader, seen: FrameRead | FrameBlind, position: Position | None) -> None:
        """Read the dice in what was just read, if it is still: the first time, and while a throw is expected."""
        wanted = self._old is None or (position is not None and not (self.rests and eye.repeats))
        if wanted and isinstance(seen, FrameRead) and seen.still and eye.sight is not None:
            self.look(eye.sight.frame.image_bgr, eye.sight.reading.pose, seen.at_ns, position)

    def look(self, image_bgr: ImageBgr, pose: Pose, at_ns: int, position: Position | None) -> None:
        """Read the dice of a still picture; report the throw that the position expects. None: no throw is expected."""
        if position is not None and self._awaited not in (None, position):
            self._old, self._cleared = self._last, False  # dice of a throw that was typed do not count for the next one
        self._awaited = self._awaited if position is None else position
        dice = self._read(image_bgr, self._board, pose)
        at = [pose.unproject(np.array([die.centre_px]), self._size_mm)[0] for die in dice]
        seen = tuple(RestingDie(d.value, d.is_read, (float(x), float(y))) for d, (x, y) in zip(dice, at, strict=True))
        last, self._last = self._last, seen
        self.rests = self._same(seen, last)
        if self._old is None:
            self._old = seen
            return
        # Thrown are all of them if the tray was empty in between and one is new. If it was not empty, a die may only
        # have been under a hand: then only dice that moved or show another value are new.
        self._cleared |= self.rests and not seen
        new = tuple(die for die in seen if not any(self._was_there(die, other) for other in self._old))
        thrown = seen if new and self._cleared else new
        if position is None or not self.rests or not all(die.is_read for die in thrown):
            return
        throw = self._throw_of(position, [die.value for die in thrown]) if thrown else None
        if throw is not None:
            self._old, self._awaited, self._cleared = seen, None, False
            self._report(DiceRead(throw, at_ns))

    def _same(self, seen: Sequence[RestingDie], before: Sequence[RestingDie]) -> bool:
        """Return whether the same dice with the same values are in the same places."""

        def unmoved(die: RestingDie, other: RestingDie) -> bool:
            return (die.value, die.is_read) == (other.value, other.is_read) and self._is_near(die, other, _MOVED)

        return len(seen) == len(before) and all(any(unmoved(die, other) for other in before) for die in seen)

    def _was_there(self, die: RestingDie, old: RestingDie) -> bool:
        """Return whether a die was there before with the same value, or one of the readings is not of a die."""
        alike = not old.is_read or not die.is_read or die.value == old.value
        return alike and self._is_near(die, old, _THROWN)

    def _is_near(self, die: RestingDie, other: RestingDie, part: float) -> bool:
        return math.dist(die.at_mm, other.at_mm) < part * self._size_mm
