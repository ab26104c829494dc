"""What a played execution of the Study shows afterwards: the best line beside the steps that were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.royal_study.position import Puzzle, Step
from engines.royal_study.search import best_line


@dataclass(frozen=True, slots=True)
class Comparison:
    """An execution beside one of the lines of fewest steps.

    Attributes:
        played: the steps that were made.
        best: a line of fewest steps from the same position.
    """

    played: tuple[Step, ...]
    best: tuple[Step, ...]

    @property
    def too_many(self) -> int:
        """How many steps were made beyond the fewest; negative if the execution was broken off before."""
        return len(self.played) - len(self.best)


def compare(begun: Puzzle, played: Sequence[Step]) -> Comparison:
    """Return the steps of an execution beside the best line from where it began."""
    return Comparison(tuple(played), tuple(best_line(begun)))
