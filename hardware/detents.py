"""Steps out of a slider that has none: nine of them, which do not flicker at their borders."""

from __future__ import annotations

from hardware.panel import SLIDER_STEPS


class Detents:
    """Divides a position from 0 to 1 into equal steps from 1.

    Args:
        steps: how many.
        slack: how far beyond its border, in parts of a step, a position still counts as the old step.
    """

    def __init__(self, steps: int = SLIDER_STEPS, *, slack: float = 0.25) -> None:
        self._steps, self._slack = steps, slack
        self._step: int | None = None

    def moved_to(self, position: float) -> int | None:
        """Return the step that the slider was moved to; None where it stays in the one it was in."""
        place = position * self._steps
        if self._step is not None and self._step - 1 - self._slack <= place <= self._step + self._slack:
            return None
        self._step = min(int(place) + 1, self._steps)
        return self._step
