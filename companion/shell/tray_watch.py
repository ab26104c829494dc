"""The dice beside the board: read while a throw is expected, and reported when two readings are equal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from companion.core.messages import DiceRead, FrameBlind, FrameRead
from companion.core.verdicts import Action, Position
from companion.shell.frame_reader import FrameReader
from vision.board import Board
from vision.frame import ImageBgr
from vision.geometry import Pose
from vision.tray import TrayDie, read_dice

ReadDice: TypeAlias = Callable[[ImageBgr, Board, Pose], Sequence[TrayDie]]

_MOVED = 0.5
"""Part of its size by which two readings of a die at rest may differ at most."""

_THROWN = 0.15
"""Part of its size by which a die must have moved, or shown something else, to count as thrown."""


@dataclass(frozen=True, slots=True)
class RestingDie:
    """A die at rest: what it shows, None if that cannot be read, and where it is, (x, y) in mm on the board."""

    value: int | None
    is_read: bool
    at_mm: tuple[float, float]


class TrayWatch:
    """Reports each throw once. Dice that are there from the beginning were not thrown now.

    Args:
        board: a table with a section `[dice]`.
        throw_of: returns the throw that faces make in a position, None if they make none.
        report: takes the throw; must return at once.
        read: reads the dice of a picture.

    Attributes:
        rests: whether the last two readings were equal.
    """

    def __init__(
        self,
        board: Board,
        throw_of: Callable[[Position, Sequence[int | None]], Action | None],
        report: Callable[[DiceRead], object],
        read: ReadDice = read_dice,
    ) -> None:
        self._board, self._throw_of, self._report, self._read = board, throw_of, report, read
        self._old: tuple[RestingDie, ...] | None = None
        self._last: tuple[RestingDie, ...] = ()
        self.rests = self._cleared = False
        self._awaited: Position | None = None

    @property
    def is_new(self) -> bool:
        """Whether the tray was not looked at yet."""
        return self._old is None

    def look(self, image_bgr: ImageBgr, pose: Pose, at_ns: int, position: Position | None) -> None:
        """Read the dice of a still picture; return a throw that the position expects, None if it expects none."""
        self._await(position)
        seen = tuple(self._resting(die, pose) for die in self._read(image_bgr, self._board, pose))
        last, self._last = self._last, seen
        self.rests = self._same(seen, last)
        if self._old is None:
            self._old = seen
            return
        thrown = self._thrown(seen, self._old)
        if position is None or not self.rests or not all(die.is_read for die in thrown):
            return
        throw = self._throw_of(position, [die.value for die in thrown]) if thrown else None
        if throw is not None:
            self._old, self._awaited, self._cleared = seen, None, False
            self._report(DiceRead(throw, at_ns))

    def _thrown(self, seen: tuple[RestingDie, ...], old: tuple[RestingDie, ...]) -> Sequence[RestingDie]:
        """Return the dice that were thrown since: all of them where all had been taken up, and one shows that it was.

        One alone may have been under a hand only, so that it is new where it shows something else or lies elsewhere.
        """
        self._cleared |= self.rests and not seen
        new = [die for die in seen if not any(self._was_there(die, other) for other in old)]
        return seen if new and self._cleared else new

    def _await(self, position: Position | None) -> None:
        """Note which throw is expected. Dice of a throw that was counted by hand were not thrown for the next."""
        if position is not None and self._awaited not in (None, position):
            self._old, self._cleared = self._last, False
        self._awaited = self._awaited if position is None else position

    def _resting(self, die: TrayDie, pose: Pose) -> RestingDie:
        size = self._board.dice.size_mm if self._board.dice else 0.0
        ((x, y),) = pose.unproject(np.array([die.centre_px]), size)
        return RestingDie(die.value, die.is_read, (float(x), float(y)))

    def _same(self, seen: Sequence[RestingDie], before: Sequence[RestingDie]) -> bool:
        """Return whether the same dice are in the same places as before, and show the same."""
        alike = all(any(self._unmoved(die, other) for other in before) for die in seen)
        return len(seen) == len(before) and alike

    def _unmoved(self, die: RestingDie, other: RestingDie) -> bool:
        return (die.value, die.is_read) == (other.value, other.is_read) and self._is_near(die, other, _MOVED)

    def _was_there(self, die: RestingDie, old: RestingDie) -> bool:
        """Return whether a die is one that was not thrown, or something that is no die of the throw."""
        alike = not old.is_read or not die.is_read or die.value == old.value
        return alike and self._is_near(die, old, _THROWN)

    def _is_near(self, die: RestingDie, other: RestingDie, part: float) -> bool:
        size = self._board.dice.size_mm if self._board.dice else 0.0
        return bool(np.hypot(die.at_mm[0] - other.at_mm[0], die.at_mm[1] - other.at_mm[1]) < part * size)


class DiceEye:
    """A frame reader that reads the dice as well: for a throw while one is expected, and once at the beginning.

    Args:
        eye: looks at the board.
        watch: looks at the dice.
        awaited: returns the position that expects a throw from the table, None if it expects none; called by the eye's
            thread.
    """

    def __init__(self, eye: FrameReader, watch: TrayWatch, awaited: Callable[[], Any | None]) -> None:
        self._eye, self._watch, self._awaited = eye, watch, awaited

    @property
    def pause_s(self) -> float:
        """How long it is enough to wait until the next look, in s."""
        return self._eye.pause_s

    @property
    def problem(self) -> str:
        """What is not as it should be with the camera, as a sentence; "" if nothing is."""
        return self._eye.problem

    def look(self) -> FrameRead | FrameBlind:
        """Read the latest frame; raises as `FrameReader.look`."""
        seen = self._eye.look()
        position, sight = self._awaited(), self._eye.sight
        wanted = self._watch.is_new or (position is not None and not (self._watch.rests and self._eye.repeats))
        if wanted and isinstance(seen, FrameRead) and seen.still and sight is not None:
            self._watch.look(sight.frame.image_bgr, sight.reading.pose, seen.at_ns, position)
        return seen

    def close(self) -> None:
        """Let go of the camera."""
        self._eye.close()
