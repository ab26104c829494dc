"""Dice that simulated people throw themselves: what they show, where they come to rest, how they are counted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

from companion.core.verdicts import Button
from companion.core.view import View
from companion.games.adaptor import Adaptor
from companion.games.engines import ENGINES
from companion.simulator.hands import LyingDie
from engines.kernel import JsonObject
from vision.board import Dice

TRAY_MM = 70.0
"""Side of the square in which dice come to rest."""

_APART_MM = 32.0


@dataclass(frozen=True, slots=True)
class HandThrow:
    """A throw that people made themselves.

    Attributes:
        action: what was thrown, in the protocol's form.
        numbers: what is counted on the panel for it.
        dice: how they came to rest; none where the table file describes no dice.
    """

    action: JsonObject
    numbers: tuple[int, ...]
    dice: tuple[LyingDie, ...] = ()

    def next_press(self, view: View) -> Button | None:
        """Return the button that counts this throw, one step further; None where nothing is counted."""
        place = len(view.dice_counted)
        if place >= min(view.dice_awaited, len(self.numbers)):
            return None
        if view.number == self.numbers[place]:
            return Button.DONE
        return Button.BACK if view.number is not None and view.number > self.numbers[place] else Button.ROLL


def throw_by_hand(game: Adaptor, position: Any, random: Random) -> HandThrow:
    """Throw the dice that a position awaits."""
    dice = game.board().dice
    thrown = None if dice is None else _throw(game, position, dice, random)
    if thrown is not None:
        return thrown
    numbers = tuple(random.randint(low, high) for low, high in game.throw_numbers(position))
    return HandThrow(game.throw_counted(position, numbers), numbers)


def _throw(game: Adaptor, position: Any, dice: Dice, random: Random) -> HandThrow | None:
    """Throw as many of the dice as the position awaits; None where it awaits no such throw."""
    for count in range(dice.count, 0, -1):
        pips = [_face(dice, random) for _die in range(count)]
        values = [None if face == dice.null else face for face in pips]
        action = ENGINES[game.name].turns.throw_of(position, values)
        if action is not None:
            return HandThrow(action, _numbers(game, position, action), _at_rest(pips, random))
    return None


def _face(dice: Dice, random: Random) -> int:
    return random.randint(0, 1) if dice.faces == "dots" else random.randint(1, 6)


def _numbers(game: Adaptor, position: Any, action: JsonObject) -> tuple[int, ...]:
    """Return the numbers that make a throw when they are counted."""
    ranges = [range(low, high + 1) for low, high in game.throw_numbers(position)]
    return next(numbers for numbers in product(*ranges) if game.throw_counted(position, numbers) == action)


def _at_rest(pips: list[int], random: Random) -> tuple[LyingDie, ...]:
    """Put dice at random within the tray, so far apart that each is seen."""
    middle = (len(pips) - 1) / 2
    return tuple(
        LyingDie(
            face,
            ((place - middle) * min(_APART_MM, TRAY_MM / len(pips)), random.uniform(-0.3, 0.3) * TRAY_MM),
            random.uniform(0.0, 90.0),
        )
        for place, face in enumerate(pips)
    )
