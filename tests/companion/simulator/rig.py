"""A simulated table judged by the core without pictures: what a reader would say is derived from what lies there."""

from math import hypot
from random import Random
from typing import Any

import numpy as np

from companion.core.display import view
from companion.core.messages import Began, ButtonPressed, Event, FrameBlind, FrameRead, Record
from companion.core.state import State, new_state
from companion.core.step import step
from companion.core.verdicts import Button
from companion.core.view import View
from companion.games import GAMES
from companion.games.adaptor import Adaptor
from companion.simulator.hands import Hand, Hands, Pace, Tabletop
from companion.simulator.party import Manners, Party
from engines.kernel import Cell, Seat
from vision.board import Board
from vision.observation import BlindReason, Observation

FRAME_S = 0.5
COVERED_MM = 60.0


class Rig:
    """Plays on a simulated table, one frame after another, with `step` in the place of the whole shell."""

    def __init__(
        self, seed: int, manners: Manners, *, position: Any = None, game: str = "royal-tee", players: str = "red green"
    ) -> None:
        self.game: Adaptor = GAMES[game]
        self.told: list[str] = []
        if position is None:
            position = self.game.engine.new([Seat(seat) for seat in players.split()], {}, seed)
        hands = Hands(self.game.board(), Random(seed), Pace(reach_s=0.6, piece_s=0.1))
        self.party = Party(
            self.game,
            position,
            hands=hands,
            random=Random(seed),
            manners=manners,
            press_done=self._press_done,
            tell=self.told.append,
        )
        self.state: State = new_state(self.game, position)
        self.records: list[Record] = []
        self.now_s = 0.0
        self.blind = False
        self.presses = 0
        self._rng = np.random.default_rng(seed)
        self._last: Tabletop | None = None
        self._handle(Began(0))

    def play(self, most_s: float = 3000.0) -> None:
        """Play until the party stops."""
        while not self.party.over and self.now_s < most_s:
            self.step()

    def step(self) -> None:
        """Take one frame and tell what is seen in it."""
        self.now_s += FRAME_S
        table, at_ns = self.party.at(self.now_s), round(self.now_s * 1e9)
        self._handle(
            FrameBlind(BlindReason.DARK, at_ns)
            if self.blind
            else FrameRead(seen(self.game.board(), table, self._rng), table == self._last, at_ns)
        )
        self._last = table

    def _press_done(self) -> None:
        self.presses += 1
        self._handle(ButtonPressed(Button.DONE, round(self.now_s * 1e9)))

    def _handle(self, event: Event) -> None:
        self.state, effects = step(self.state, event)
        self.records += [effect for effect in effects if isinstance(effect, Record)]
        self.party.see(self.shown)

    @property
    def shown(self) -> View:
        """What is on the screen."""
        return view(self.state)


def seen(board: Board, table: Tabletop, rng: np.random.Generator) -> Observation:
    """Tell what a good reader would say of a table."""
    labels, placement = board.label_words, table.placement()
    truth = [labels.index(placement.get(Cell(cell), "empty")) for cell in board.cells]
    p = rng.dirichlet(np.full(len(labels), 0.02), size=len(truth)) * 0.05
    p[np.arange(len(truth)), truth] += 0.95
    visible = np.array([not _covers(table.hand, x, y) for x, y in board.centres_mm()])
    p[~visible] = 1 / len(labels)
    return Observation(board.cells, labels, p, visible)


def _covers(hand: Hand | None, x_mm: float, y_mm: float) -> bool:
    return hand is not None and hypot(x_mm - hand.tip_mm[0], y_mm - hand.tip_mm[1]) < COVERED_MM
