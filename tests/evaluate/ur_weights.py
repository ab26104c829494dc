"""How the weights of the evaluation are learned: self-play, then a fit to how the games ended, and again.

Players take the option with the most expected points by the evaluation that they have, seldom a random one. A fit is
least squares for points and a logistic regression for the chance to win. The weights that ship are those of

    python -c "from tests.evaluate.ur_weights import learned, module_text; print(module_text(learned()))"

which takes about a minute; the result depends on the arguments alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import numpy.typing as npt

from engines.kernel import Seat
from engines.royal_ur.board import COUNTERS, HOME, OFF, Board
from engines.royal_ur.evaluation import CENTRE, PLACES, Evaluation
from engines.royal_ur.position import ALL_HOME, FAIR_DIE, Lane, Lanes, set_up
from engines.royal_ur.rules import DICE, ENDING_DOTS, Option, options
from engines.royal_ur.scoring import lane_value

GAMES = (1000, 4000, 12000)
"""Games of each generation; the first is played at random."""

FEATURES = 2 * (PLACES + len(CENTRE)) + 1

_KEPT = 4  # of that many throws one is kept: neighbours report nearly the same
_CURIOSITY = 0.03  # so often a random option is tried, so that the weights know bad positions too
_RIDGE = 1e-6
_NEWTON_STEPS = 12
_IN_A_ROW = 8

_Floats = npt.NDArray[np.float64]
Sample = tuple[Lanes, float]
"""Lanes before a throw, and what the game brought the thrower in the end."""


def learned(games: Sequence[int] = GAMES, seed: int = 0) -> Evaluation:
    """Learn the weights, generation by generation."""
    evaluation = Evaluation((0.0,) * FEATURES, (0.0,) * FEATURES)
    random = Random(seed)
    for number in games:
        samples = [sample for _ in range(number) for sample in self_played(evaluation, random)]
        evaluation = fitted(samples)
    return evaluation


def self_played(evaluation: Evaluation, random: Random) -> Iterator[Sample]:
    """Play a game of the evaluation against itself and give some of its positions with how it ended."""
    board = set_up((Seat("white"), Seat("black")), {}).board
    seen, turns = _throws(board, evaluation, random)
    final, first = seen[-1], turns[-1]
    points = lane_value(board, final[1]) if final[0] == ALL_HOME else -lane_value(board, final[0])
    for lanes, turn in list(zip(seen, turns, strict=True))[random.randrange(_KEPT) : -1 : _KEPT]:
        yield lanes, float(points if turn == first else -points)


def _throws(board: Board, evaluation: Evaluation, random: Random) -> tuple[list[Lanes], list[int]]:
    """Play a game; give the lanes before each throw, the thrower's first, the last ones, and whose throw it was."""
    lanes: Lanes = ((OFF,) * COUNTERS,) * 2
    seen, turns = [lanes], [0]
    while ALL_HOME not in lanes:
        dots = sum(random.random() < FAIR_DIE for _ in range(DICE))
        if dots == ENDING_DOTS:
            lanes = lanes[1], lanes[0]
        elif found := options(board, lanes, dots):
            lanes = _choose(board, evaluation, found, random)
        seen.append(lanes)
        turns.append(turns[-1] ^ (dots == ENDING_DOTS))
    return seen, turns


def _choose(board: Board, evaluation: Evaluation, found: Sequence[Option], random: Random) -> Lanes:
    """Choose the option that is worth most, and in it what the opponent likes best; any, for curiosity or ignorance."""

    def worth(lanes: Lanes) -> float:
        if lanes[0] == ALL_HOME:
            return lane_value(board, lanes[1])
        if lanes[1] == ALL_HOME:
            return -lane_value(board, lanes[0])
        return evaluation.value(lanes)[0]

    curious = random.random() < _CURIOSITY or not any(evaluation.points)
    option = random.choice(found) if curious else max(found, key=lambda option: min(map(worth, option)))
    return min(option, key=worth)


def features(lanes: Lanes) -> list[int]:
    """Return the counts that are weighted, in the order of the weights."""
    return [*_lane_features(lanes[0]), *_lane_features(lanes[1]), 1]


def _lane_features(lane: Lane) -> list[int]:
    counts = [lane.count(index) for index in range(OFF, HOME)]
    return [*counts, *(int(counts[index - OFF] == 1) for index in CENTRE)]


def fitted(samples: Sequence[Sample]) -> Evaluation:
    """Fit both sums of weights to samples."""
    counts = np.array([features(lanes) for lanes, _ in samples], np.float64)
    points = np.array([brought for _, brought in samples])
    square = counts.T @ counts + _ridge(counts)
    return Evaluation(
        tuple(np.linalg.solve(square, counts.T @ points).tolist()), _logistic(counts, (points > 0).astype(np.float64))
    )


def _logistic(counts: _Floats, won: _Floats) -> tuple[float, ...]:
    """Newton's method for the logistic regression."""
    weights = np.zeros(counts.shape[1])
    for _ in range(_NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-counts @ weights))
        slope = counts.T @ (won - chance) - _ridge(counts) @ weights
        bend = (counts * (chance * (1 - chance))[:, None]).T @ counts + _ridge(counts)
        weights += np.linalg.solve(bend, slope)
    return tuple(weights.tolist())


def _ridge(counts: _Floats) -> _Floats:
    """Hold weights small that no sample speaks for, such as those of the four-fives, where no counter stays."""
    ridge: _Floats = np.eye(counts.shape[1]) * len(counts) * _RIDGE
    return ridge


def module_text(evaluation: Evaluation) -> str:
    """Write the weights as the module that ships."""
    lines = [
        '"""The weights that `tests.evaluate.ur_weights` learned, in rows of eight; it also reproduces them."""',
        "",
    ]
    lines += ["from engines.royal_ur.evaluation import Evaluation", "", "LEARNED = Evaluation("]
    for name, weights in (("points", evaluation.points), ("win", evaluation.win)):
        rows = [weights[first : first + _IN_A_ROW] for first in range(0, len(weights), _IN_A_ROW)]
        lines += [
            f"    {name}=(",
            *("        " + " ".join(f"{weight:.3f}," for weight in row) for row in rows),
            "    ),",
        ]
    return "\n".join([*lines, ")  # fmt: skip", ""])
