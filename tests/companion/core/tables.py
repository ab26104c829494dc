"""A table that is stepped by hand: what lies there, for how long, and which buttons are pressed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from companion.core.choices import alternatives
from companion.core.entries import Arranged, Entry, Played
from companion.core.hypothesis import Rules
from companion.core.messages import Began, ChoiceMade, Effect, Event, FrameRead, SeatsArranged, WriteEntry
from companion.core.state import State, new_state
from companion.core.step import BACK_GUARD_NS, step
from companion.core.verdicts import Action, ActionSource
from companion.core.verdicts import Position as Opaque
from companion.games import GAMES
from engines.kernel import Cell, Json, Seat
from engines.royal_tee.position import Position
from hardware.panel import Button, ButtonPressed
from tests.companion.games.looks import observe
from tests.companion.games.readings import EASY
from tests.evaluate.advisers import SEATS

TEE = GAMES["royal-tee"]
FRAME_NS = 200_000_000

EffectT = TypeVar("EffectT", bound=Effect)


def begun(game: str) -> State:
    """Return the state of a game that has begun where no camera looks."""
    rules = GAMES[game]
    return step(new_state(rules, rules.engine.new([*map(Seat, SEATS[game])], {}, 1), sees=False), Began(1))[0]


def act(game: Rules, **written: Json) -> Action:
    """Return the action that is so in the protocol's form."""
    return game.engine.action_from_json(written)


class Stepped:
    """A game that is stepped event by event; what is written of it is kept."""

    def __init__(self, game: Any, position: Opaque) -> None:
        self.start: Any = position
        self.state, self.at_ns = new_state(game, position), 0
        self.effects: list[Effect] = []
        self.entries: list[Entry] = []
        self.take(Began(0))

    def take(self, event: Event) -> list[Effect]:
        self.state, effects = step(self.state, event)
        self.effects += effects
        self.entries += [effect.entry for effect in effects if isinstance(effect, WriteEntry)]
        return list(effects)

    def press(self, *buttons: Button, held: bool = False) -> list[Effect]:
        """Press buttons one after the other, as slowly as a finger."""
        effects: list[Effect] = []
        for button in buttons:
            self.at_ns += 2 * BACK_GUARD_NS
            effects += self.take(ButtonPressed(button, self.at_ns, held))
        return effects

    def choose(self, code: str) -> list[Effect]:
        """Choose what is offered under a code."""
        codes = [choice.code for choice in alternatives(self.state)]
        return self.take(ChoiceMade(codes.index(code), self.at_ns))


class SteppedTable(Stepped):
    """A table of Royal Tee: what lies there, and for how long."""

    def __init__(self, position: Position) -> None:
        self.rng = np.random.default_rng(0)
        super().__init__(TEE, Opaque(position))
        self.state = replace(self.state, setting_up=False)  # the table has been seen as the game begins

    @property
    def position(self) -> Position:
        assert isinstance(self.state.position, Position)
        return self.state.position

    def lie(self, labels: Mapping[Cell, str], seconds: float, hidden: tuple[str, ...] = ()) -> list[Effect]:
        """Let the table lie still for a while."""
        effects: list[Effect] = []
        for _ in range(round(seconds * 1e9 / FRAME_NS)):
            effects += self.frame(labels, hidden=hidden)
        return effects

    def frame(self, labels: Mapping[Cell, str], *, still: bool = True, hidden: tuple[str, ...] = ()) -> list[Effect]:
        self.at_ns += FRAME_NS
        return self.take(FrameRead(observe(labels, self.rng, EASY, hidden), still, self.at_ns))


class ChoosingTable(Stepped):
    """A game that no camera frame reaches: players press buttons, and dice are thrown by hand unless said otherwise."""

    def __init__(self, game: Any, players: str, dice: str = "camera", **options: Any) -> None:
        self.game = game
        super().__init__(game, game.engine.new([Seat(player) for player in players.split()], options, 0))
        self.take(SeatsArranged(Arranged(dice=dice), 0))

    @property
    def played(self) -> list[tuple[Any, ActionSource]]:
        return [(entry.action, entry.source) for entry in self.entries if isinstance(entry, Played)]


def of_type(effects: list[Effect], kind: type[EffectT]) -> list[EffectT]:
    return [effect for effect in effects if isinstance(effect, kind)]
