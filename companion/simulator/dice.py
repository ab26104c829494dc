"""Dice that simulated players throw by hand: their faces, where they come to rest, how a throw is counted in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from companion.core.hypothesis import Rules
from companion.core.verdicts import Action, Position
from companion.core.view import View
from hardware.panel import Button
from vision.board import Dice
from vision.simulation.dice import SceneDie

TRAY_MM = 70.0
"""Side of the square beside the board in which dice come to rest."""

ROLLS_S = 0.8
"""Time from a throw until the dice are at rest."""

_APART_MM, _ASIDE_MM = 32.0, 8.0
_UNREAD_S = 5.0
"""How long the players wait for the camera to read the dice before they count the throw in with the buttons."""


@dataclass(frozen=True, slots=True)
class HandThrow:
    """A throw by hand.

    Attributes:
        action: the throw as an action of the game.
        numbers: the numbers that are counted on the panel for it.
        dice: the dice at rest, at places from the tray's middle; empty if the table file describes no dice.
    """

    action: Action
    numbers: tuple[int, ...]
    dice: tuple[SceneDie, ...] = ()


class DiceByHand:
    """The dice of players who throw by hand.

    Attributes:
        throw: the throw that is not accepted yet, None if there is none.
        lying: the dice next to the board.
    """

    def __init__(self, game: Rules, random: Random) -> None:
        self._game, self._random = game, random
        self.throw: HandThrow | None = None
        self.lying: tuple[SceneDie, ...] = ()
        self._position: Position = Position(None)
        self._counting = False

    def throw_in(self, position: Position) -> None:
        """Throw the dice that a position expects."""
        self.throw, self._position = throw_by_hand(self._game, position, self._random), position
        self.lying, self._counting = self.throw.dice, False

    def counts(self, view: View, since_s: float) -> bool:
        """Return whether the players count the throw in, because the camera cannot read it or has misread it.

        The dice have been at rest for `since_s`.
        """
        if self.throw is None:
            return False
        if view.dice_read is not None:
            read_numbers = self._game.turns.dice.numbers_of(self._position, view.dice_read)
            if sorted(read_numbers or ()) == sorted(self.throw.numbers):  # dice on a table have no order
                self.throw = replace(self.throw, action=view.dice_read)
                return False
        self._counting |= not self.throw.dice or view.dice_read is not None or since_s >= _UNREAD_S
        return self._counting

    def next_press(self, view: View) -> Button | None:
        """Return the button that the players press next: BACK if the throw was misread, else to count it in.

        Return None if no number is expected.
        """
        if self.throw is None:
            return None
        if view.dice_read is not None:
            return Button.BACK
        place, numbers = len(view.dice_counted), self.throw.numbers
        if place >= min(view.dice_awaited, len(numbers)):
            return None
        if view.number == numbers[place]:
            return Button.DONE
        return Button.BACK if view.number is not None and view.number > numbers[place] else Button.ROLL


def throw_by_hand(game: Rules, position: Position, random: Random) -> HandThrow:
    """Throw the dice that a position expects."""
    dice = game.board().dice or Dice(count=0)  # none lies beside the board: its numbers are counted
    for count in range(dice.count, 0, -1):  # as many as the position expects
        pips = [(random.randint(0, 1) if dice.faces == "dots" else random.randint(1, 6)) for _die in range(count)]
        values = [None if face == dice.null else face for face in pips]
        action = game.turns.dice.of_faces(position, values)
        if action is not None:
            # dice at random places in the tray, far enough apart to be read
            apart_mm, row_mm = min(_APART_MM, TRAY_MM / len(pips)), random.uniform(-_ASIDE_MM, _ASIDE_MM)
            lying = tuple(
                SceneDie(
                    face,
                    (row_mm + (place - (len(pips) - 1) / 2) * apart_mm, random.uniform(-0.3, 0.3) * TRAY_MM),
                    dice.size_mm,
                    random.uniform(0.0, 90.0),
                    dotted=dice.faces == "dots",
                )
                for place, face in enumerate(pips)
            )
            return HandThrow(action, game.turns.dice.numbers_of(position, action) or (), lying)
    numbers = tuple(random.randint(low, high) for low, high in game.turns.dice.numbers(position))
    return HandThrow(game.turns.dice.counted(position, numbers), numbers)
