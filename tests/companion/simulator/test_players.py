"""Simulated players and a companion that is slower than they are patient."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.core.display import view
from companion.core.verdicts import Confirmed
from companion.core.verdicts import Position as Opaque
from companion.games import GAMES
from companion.simulator.behaviour import PlayerBehaviour
from companion.simulator.hands import Hands, Pace, Tabletop
from companion.simulator.players import SimulatedPlayers
from engines.kernel import Cell, Seat
from engines.royal_tee import GAME as ENGINE
from hardware.panel import Button
from tests.companion.core.tables import TEE, ChoosingTable, SteppedTable
from vision.labels import EMPTY

POSITION = ENGINE.new([Seat("red"), Seat("green")], {}, 0)
AT_THE_START = TEE.placement(Opaque(POSITION))


def labels(table: Tabletop) -> dict[Cell, str]:
    """Return the label of every cell of a table."""
    lying = table.placement()
    return {cell: lying.get(cell, EMPTY) for cell in AT_THE_START}


class SlowCompanion:
    """A table of simulated players whose companion reads only when it is told to."""

    def __init__(self) -> None:
        self.companion, self.now_s, self.told = SteppedTable(POSITION), 0.0, list[str]()
        random = Random(5)
        self.people = SimulatedPlayers(
            TEE,
            POSITION,
            hands=Hands(TEE.board(), random, Pace(0.2, 0.1)),
            random=random,
            behaviour=PlayerBehaviour(think_s=0.0, patience_s=3.0, regrets=0.0, attempts=3),
            press=self.press,
            hold=str,
            tell=self.told.append,
        )
        self.hears_presses = True

    def press(self, button: Button) -> None:
        if self.hears_presses:
            self.companion.press(button)

    def pass_by(self, seconds: float) -> Tabletop:
        """Let the players do what they like while nobody reads the table; they see the screen all the time."""
        for _ in range(round(seconds / 0.2)):
            self.people.see(view(self.companion.state))
            self.now_s += 0.2
            lying = self.people.at(self.now_s)
        return lying

    def until(self, *, moved: bool) -> Tabletop:
        """Let time pass until no hand is over a table that is, or is no longer, as the game began."""
        while (lying := self.pass_by(0.2)).hands or (labels(lying) == AT_THE_START) is moved:
            assert self.now_s < 60.0
        return lying


def test_a_move_that_is_confirmed_after_it_was_given_up_is_made_again() -> None:
    table = SlowCompanion()
    table.hears_presses = False
    moved = table.until(moved=True)
    table.until(moved=False)
    table.hears_presses = True
    table.companion.lie(labels(moved), 3.0)
    assert table.companion.position != POSITION
    assert labels(table.until(moved=True)) == labels(moved)
    assert not table.people.over


def test_a_number_is_chosen_although_the_screen_follows_late() -> None:
    study, random = GAMES["royal-study"], Random(1)
    table = ChoosingTable(study, "white black", dice="button")
    people = SimulatedPlayers(
        study,
        table.start,
        hands=Hands(study.board(), random, Pace(0.2, 0.1)),
        random=random,
        behaviour=PlayerBehaviour(think_s=0.0, regrets=0.0, turns=1),
        press=table.press,
        hold=str,
        tell=lambda _sentence: None,
    )
    shown = [replace(view(table.state), setting_up=False)] * 4
    for tick in range(1, 400):
        people.see(shown[-4])
        people.at(0.2 * tick)
        assert people.counts.confirmed == isinstance(shown[-4].verdict, Confirmed), "the game may end with it"
        shown.append(replace(view(table.state), setting_up=False))
        if people.counts.confirmed:
            break
    assert (people.counts.confirmed, people.counts.mistaken) == (1, 0), people.counts.notes
