"""What may be played before anybody looks again: one action, or a few with no throw of dice between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic

from engines.kernel import ActionT, Event, Game, Outcome, PositionT


@dataclass(frozen=True, slots=True)
class PlyLine(Generic[PositionT, ActionT]):
    """Some actions in order.

    Attributes:
        actions: what is played.
        before: the position before the last of them.
        events: what the last of them brings.
        position: the position after all of them.
    """

    actions: tuple[ActionT, ...]
    before: PositionT
    events: tuple[Event, ...]
    position: PositionT


def lines(
    game: Game[PositionT, ActionT], position: PositionT, hinted: Callable[[PositionT, PositionT], bool], most: int
) -> Iterator[PlyLine[PositionT, ActionT]]:
    """Return every legal action, and the longer lines of which every action is hinted at by what is seen.

    Args:
        game: the rules.
        position: where the lines begin.
        hinted: reports whether what is seen hints at the action between two positions.
        most: how many actions a line may have.
    """
    unfinished: list[PlyLine[PositionT, ActionT]] = [_line((), position, Outcome(position))]
    for line in unfinished:
        for action in game.actions(line.position):
            outcome = game.play(line.position, action)
            if not isinstance(outcome, Outcome):
                message = f"the rules list {action}, which they refuse: {outcome}"
                raise AssertionError(message)
            longer = _line((*line.actions, action), line.position, outcome)
            is_hinted = hinted(longer.before, longer.position)
            if is_hinted or not line.actions:
                yield longer
            if is_hinted and len(longer.actions) < most:
                unfinished.append(longer)


def _line(actions: tuple[ActionT, ...], before: PositionT, outcome: Outcome[PositionT]) -> PlyLine[PositionT, ActionT]:
    line: PlyLine[PositionT, ActionT] = PlyLine(actions, before, outcome.events, outcome.position)
    return line
