"""A table on which nothing happens: while a camera's pictures stay the same, their readings are repeated, not redone.

The loop receives the same messages at the same moments as if every picture were read, so nothing is confirmed earlier
or later. The latest readings are repeated in turn, for they are what the pictures were found to show.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from companion.core.messages import FrameBlind, FrameRead
from companion.core.stability import MOST_FRAMES, agree
from vision.frame import Frame
from vision.occlusion.change_detector import ChangeDetector

HEARTBEAT_S = 10.0
"""After so long a picture is read again, even if it shows no change: a table is judged as rarely as that by then."""


class IdleTable:
    """Remembers the latest readings of a table, and repeats them while it does not change.

    It is idle when `MOST_FRAMES` readings in a row agree, were taken of pictures that look alike, and were `settled`.
    """

    def __init__(self) -> None:
        self._detector = ChangeDetector()
        self._readings: deque[FrameRead | FrameBlind] = deque(maxlen=MOST_FRAMES)
        self._read_ns = 0

    def add(self, frame: Frame, reading: FrameRead | FrameBlind, *, settled: bool) -> None:
        """Take in a reading that was made; `settled`: the same picture would be read so later as well."""
        self._read_ns = frame.captured_ns
        if self._detector.changed(frame) or not all(_agree(kept, reading) for kept in self._readings):
            self.forget()
        if not settled:
            self.forget()
            return
        self._detector.add(frame)
        self._readings.append(reading)

    def repeat(self, frame: Frame) -> FrameRead | FrameBlind | None:
        """Return the reading of a picture that shows no change; None: it has to be read."""
        waited_s = (frame.captured_ns - self._read_ns) / 1e9
        if len(self._readings) < MOST_FRAMES or waited_s >= HEARTBEAT_S or self._detector.changed(frame):
            return None
        self._readings.rotate(-1)
        return replace(self._readings[-1], at_ns=frame.captured_ns)

    def forget(self) -> None:
        """Repeat nothing until the table has been read often enough again."""
        self._readings.clear()
        self._detector.forget()


def _agree(one: FrameRead | FrameBlind, other: FrameRead | FrameBlind) -> bool:
    if isinstance(one, FrameRead) and isinstance(other, FrameRead):
        return one.card == other.card and agree(one.observation, other.observation)
    return isinstance(one, FrameBlind) and isinstance(other, FrameBlind) and one.reason is other.reason
