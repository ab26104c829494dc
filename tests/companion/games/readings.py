"""Simulated readings of any table whose probabilities are right by construction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any, Generic

import numpy as np

from companion.core.evidence import Evidence, fuse_observations
from companion.core.hypothesis import GameRules
from companion.core.inference import GameFinding, judge
from companion.core.verdicts import PendingPlacement
from companion.games import GAMES, SIMULATED
from companion.games.simulated import Labels, Opportunity
from engines.kernel import ActionT, Cell, PositionT, Seat
from vision.observation import Observation

PERFECT, EASY, MEDIUM, HARD = 30.0, 7.0, 5.5, 4.7
"""Sharpness of a reading: another label is the most probable never, on one cell in a million, in 2,000, in 200."""


def cheated(game: str, cheat: str, position: Any, action: Any, random: Random) -> Labels | None:
    """Cheat in the place of an action, None if chance acts, or if the rules may leave the table so."""
    adaptor, plays = GAMES[game], SIMULATED[game]
    before = after = adaptor.placement(position)
    if action is not None:
        after = adaptor.placement(adaptor.engine.after(position, action).position)
    seat = Seat(adaptor.turns.prompt(position).seat or next(iter(adaptor.engine.score(position))))
    left = plays.cheats[cheat](Opportunity(position, seat, action, before, after, random)) if before else None
    is_cheat = isinstance(left, Mapping) and left != before and not plays.allows(position, left)
    return left if is_cheat and isinstance(left, Mapping) else None


def observe(
    cells: Sequence[str],
    words: Sequence[str],
    labels: Mapping[Cell, str],
    seed: int | np.random.Generator = 0,
    sharpness: float = EASY,
    hidden: Collection[str] = (),
) -> Observation:
    """Read a table through normal noise: each label gives a signal of unit variance, raised by `sharpness` where it
    is the true one. The probabilities are the exact posterior for that, so they are calibrated."""
    truth = np.array([[labels.get(Cell(cell), "empty") == word for word in words] for cell in cells])
    signal = np.random.default_rng(seed).normal(size=truth.shape) + sharpness * truth
    weight = np.exp(sharpness * (signal - signal.max(axis=1, keepdims=True)))
    visible = np.array([cell not in hidden for cell in cells])
    return Observation(tuple(cells), tuple(words), weight / weight.sum(axis=1, keepdims=True), visible)


class Judging(Generic[PositionT, ActionT]):
    """Judges tables of one game with given placements."""

    def __init__(self, game: GameRules[PositionT, ActionT], cells: Sequence[str]) -> None:
        self.game, self.cells, self.words = game, cells, game.board().label_words

    def evidence(self, labels: Mapping[Cell, str], seed: int = 0, sharpness: float = EASY, frames: int = 1) -> Evidence:
        seen = [observe(self.cells, self.words, labels, 1000 * seed + n, sharpness) for n in range(frames)]
        return self.game.with_confusions(fuse_observations(seen))

    def judged(
        self,
        position: PositionT,
        labels: Mapping[Cell, str],
        seed: int = 0,
        sharpness: float = EASY,
        *,
        frames: int = 1,
        left_open: Sequence[PendingPlacement] = (),
        pressed: bool = False,
    ) -> GameFinding[PositionT, ActionT]:
        return judge(self.game, position, left_open, self.evidence(labels, seed, sharpness, frames), pressed=pressed)
