"""Throwing for who begins (RULES.md 2.1)."""

from __future__ import annotations

from dataclasses import replace

from engines.kernel import Event, Outcome
from engines.royal_ur.position import Await, Position, Roll


def throw_off(position: Position, roll: Roll) -> Outcome[Position]:
    """Let the one whose turn it is throw; the second throw decides, or both throw again."""
    thrown = Event("threw-off", {"player": position.turn, "dots": roll.dots})
    if position.thrown is None:
        return _pass_dice(position, roll.dots, thrown)
    if roll.dots == position.thrown:
        return _pass_dice(position, None, thrown, Event("throw-off-tied"))
    beginner = position.turn if roll.dots > position.thrown else position.other(position.turn)
    begun = replace(position, turn=beginner, decides=beginner, awaits=Await.ROLL, thrown=None)
    return Outcome(begun, (thrown, Event("turn", {"player": beginner})))


def _pass_dice(position: Position, thrown: int | None, *events: Event) -> Outcome[Position]:
    following = position.other(position.turn)
    return Outcome(replace(position, turn=following, decides=following, thrown=thrown), events)
