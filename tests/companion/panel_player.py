"""Somebody who plays with four buttons and reads nothing but lamps, buzzer and the small display.

The buttons are contacts that bounce on mock pins. The player knows the rules and the cards that lie on the table, and
follows the game in a mind of its own: what the companion thinks is known only from what it shows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from companion.core.verdicts import Action, Button, Position
from companion.games import GAMES
from companion.games.simulated import Opportunity
from companion.games.speech import SPEECHES
from companion.shell.effects import HOLDS, Display, PanelDisplay, presses_into
from companion.shell.oled_display import OledDisplay
from companion.ui.names import player_name
from companion.ui.oled import Leaf
from companion.ui.page import button_name
from engines.kernel import Cell, Outcome, Seat
from hardware import panel as device
from hardware.panel import all_dark
from hardware.pins import DEFAULT_PINS, Lamps, PinMap, SmallDisplay
from hardware.simulated import SimulatedPanel
from tests.companion.evening_table import LONG_S, SHORT_S, EveningTable

PINS = PinMap(buttons=DEFAULT_PINS.buttons, lamps=Lamps((24, 25)), display=SmallDisplay(), buzzer=DEFAULT_PINS.buzzer)
"""The recommended panel: a display, four buttons, two lamps, and a buzzer."""

_PLACE = re.compile(r" \(\d+/\d+\)$")
_MOST_PRESSES = 400


class SeenLeaves:
    """What the display shows, leaf by leaf, without waiting for one after the other."""

    def __init__(self) -> None:
        self.leaves: Sequence[Leaf] = ()

    def show(self, leaves: Sequence[Leaf]) -> None:
        """Keep the leaves."""
        self.leaves = leaves


class HeardPanel(PanelDisplay):
    """A panel whose signals are counted as somebody hears them."""

    def __init__(self, panel: device.Panel, seats: Sequence[Seat]) -> None:
        super().__init__(panel, seats, read_elsewhere=True)
        self.heard: list[device.Signal | device.Tally | None] = []

    def show(self, shown: Any) -> None:
        """Show a view, and keep what was heard."""
        super().show(shown)
        if shown.lit.signal is not None:
            self.heard.append(self._panel.shown.signal)


class PanelPlayer(EveningTable):
    """A game at a box whose panel is all that tells anything.

    Attributes:
        mine: the position as the player follows it.
        actions: how many actions were played.
    """

    def __init__(self, game: str, seed: int) -> None:
        self.seen = SeenLeaves()
        self.panel: SimulatedPanel | None = None
        super().__init__(game, seed)
        self.mine: Any = self.opening
        self.actions = 0

    def displays(self) -> list[Display]:
        """Return the panel on mock pins and its display."""
        game = GAMES[self.game.name]
        self.panel = SimulatedPanel(
            presses_into(self.inbox), Random(7), pins=PINS, holds=HOLDS, clock_ns=self.clock.now_ns
        )
        assert self.panel.shown == all_dark(2)
        seats = tuple(map(Seat, game.board().colours)) or (Seat("white"), Seat("black"))
        self.ears = HeardPanel(self.panel, seats[:2])
        return [OledDisplay(self.seen, game.board()), self.ears]  # type: ignore[arg-type]  # a turner that does not wait

    def push(self, button: Button) -> None:
        """Push a button on its pin, and let the program do what it wants."""
        assert self.panel is not None
        self.pass_s(0.9)
        self.panel.press(device.Button(button.value)).result(timeout=5.0)
        self.pass_s(0.3)

    def text(self) -> str:
        """Return what the leaves say, one after the other."""
        return " ".join(" ".join(leaf.lines) for leaf in self.seen.leaves)

    def offered(self) -> str:
        """Return what DONE would play, "" if the display says nothing of the kind."""
        word = button_name(Button.DONE)
        lines = [line for leaf in self.seen.leaves for line in leaf.lines]
        first = " ".join(self.seen.leaves[0].lines) if self.seen.leaves else ""
        if not first.startswith(f"{word} "):
            return ""
        begun = [place for place, line in enumerate(lines) if line.startswith(f"{word} ")][-1]
        parts = [lines[begun].removeprefix(f"{word} ")]
        others = tuple(button_name(button) for button in Button)
        for line in lines[begun + 1 :]:
            if line.startswith(others):
                break
            parts.append(line)
        return " ".join(parts)

    # ---- one action after the other

    def play(self, most: int) -> None:
        """Play to the end, at most that many actions.

        Raises:
            AssertionError: what was shown is not what happened, or the game does not go on.
        """
        self.look(LONG_S)
        while self.actions < most and not self.game.engine.over(self.mine):
            seat = self.game.prompt(self.mine).seat
            if seat is not None:
                assert self.seen.leaves[0].heading == player_name(seat), self.text()
            chance = self.game.engine.to_act(self.mine) == "dice" and self.game.throws(self.mine)
            action = None if chance else self.plays.decide(self.mine, self.random)
            if action is None or self._rolls(action):
                self._roll()
            else:
                self._carry_out(action)
            self.actions += 1

    def _roll(self) -> None:
        """Press ROLL and read the large figures; a throw that ends the game is told in words."""
        heard = len(self.ears.heard)
        self.push(Button.ROLL)
        assert self.ears.heard[heard:], "a throw is heard"
        told = re.search(r"rolled (\d+)(?: and (\d+))?", self.text())
        shown = self.seen.leaves[0].number.split("+") if self.seen.leaves[0].number else told.groups() if told else ()
        numbers = tuple(int(number) for number in shown if number)
        self._go(self.game.throw_counted(self.mine, numbers))

    def _rolls(self, action: Action) -> bool:
        """Return whether an action is to throw again: it is no choice, and leaves no trace on the table."""
        outcome = self.game.engine.play(self.mine, action)
        assert isinstance(outcome, Outcome), (action, outcome)
        traced = self.game.placement(outcome.position) != self.game.placement(self.mine)
        chosen = any(self._is(choice, action) for choice in self.game.choices(self.mine))
        return bool(self.game.throws(self.mine)) and not (traced or chosen)

    def _go(self, action: Action) -> None:
        outcome = self.game.engine.play(self.mine, action)
        assert isinstance(outcome, Outcome), (action, outcome)
        self.mine = outcome.position

    def _carry_out(self, action: Action) -> None:
        before = self.mine
        heard = len(self.ears.heard)
        if not self._chosen(action):
            self._move(before, action)
        if device.Signal.CONFIRMED not in self.ears.heard[heard:] and not self.game.engine.over(self.mine):
            self.push(Button.DONE)
            self.look(SHORT_S)
        self._go(action)
        over = self.game.engine.over(self.mine)
        wanted = device.Signal.GAME_OVER if over else device.Signal.CONFIRMED
        assert wanted in self.ears.heard[heard:], (action, self.text())
        self.labels = dict(self.game.placement(self.mine))  # what is left to do is done
        self.card = self.plays.beside(self.mine, None)
        self.look(SHORT_S)

    def _move(self, before: Position, action: Action) -> None:
        outcome = self.game.engine.play(before, action)
        assert isinstance(outcome, Outcome)
        seat = self.game.prompt(before).seat or Seat("white")
        placed = [self.game.placement(position) for position in (before, outcome.position)]
        self.card = self.plays.beside(before, action)
        self.labels = dict(self.plays.leaves(Opportunity(before, seat, action, placed[0], placed[1], self.random)))
        self.look(LONG_S)

    def _chosen(self, action: Action) -> bool:
        """Play an action with MODE, ROLL and DONE, if it leaves no trace; return whether it is such a choice."""
        wanted = next((choice for choice in self.game.choices(self.mine) if self._is(choice, action)), None)
        if wanted is None:
            return False
        name = _plain(SPEECHES[self.game.name].action_name(self.mine, action, {}))
        for _ in range(_MOST_PRESSES):
            offered = _plain(_PLACE.sub("", self.offered()))
            if offered == name:
                self.push(Button.DONE)
                self.look(SHORT_S)
                return True
            caller = wanted.counts is not None and offered.startswith(_plain(player_name(wanted.by)))
            self.push(Button.ROLL if caller else Button.MODE)
        raise AssertionError(f"{name} is never offered: {self.text()}")

    def _is(self, choice: Any, action: Action) -> bool:
        if choice.counts is None:
            return bool(choice.action == action)
        numbers = self.game.prompt(self.mine).numbers
        return numbers is not None and any(
            choice.counts(number) == action for number in range(numbers[0], numbers[1] + 1)
        )

    def points_read(self) -> dict[str, int]:
        """Return the points as the display has them, by the players' names."""
        lines = [line for leaf in self.seen.leaves for line in leaf.lines]
        names = {player_name(seat): seat for seat in self.game.engine.score(self.mine)}
        found = {}
        for line in lines:
            for name in names:
                if match := re.fullmatch(rf"{name} (\d+)( · .*)?", line):
                    found[name] = int(match[1])
        return found

    def close(self) -> None:
        """Let the panel go."""
        if self.panel is not None:
            self.panel.close()


def _plain(text: str) -> str:
    return "".join(text.split())


__all__ = ["Cell", "PanelPlayer"]
