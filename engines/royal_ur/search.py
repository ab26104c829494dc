"""The value of the rest of the game, the best action and the chance to win.

The method is expectimax: over a number of throws ahead the thrower chooses the option of the highest value, the
opponent's forfeits the lowest, and throws are averaged by their probabilities. If both players have few counters left
the leaves are solved endings (`solve`), and exact; otherwise they are estimates (`evaluation`). Both sides are assumed
to maximize points won less points lost; the chance to win is the one under such play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engines.kernel import Advice, Level, Seat, require_legal
from engines.royal_ur.board import HOME, Board
from engines.royal_ur.position import ALL_HOME, Action, Await, Lane, Lanes, Position
from engines.royal_ur.rules import COUNT_OF_DOTS, ENDING_DOTS, actions, options, play, throw_chances
from engines.royal_ur.scoring import lane_value
from engines.royal_ur.solve import LEFT, endings
from engines.royal_ur.weights import LEARNED

THROWS_AHEAD = 1

_WINNING = "game-over"
_REASONS = {
    "hit": "hits",
    "home": "comes-home",
    "offered": "reaches-rosette",
    "moved-on": "reaches-four-fives",
    "entered": "enters",
    "declined": "keeps-counter-off",
}
"""The reason for an action by the first of these events that it causes."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """The expectation of the rest of the game for a player.

    Attributes:
        points: expected points, won less lost.
        win: the chance to win.
        exact: whether both come from solved endings alone; otherwise they are estimates.
    """

    points: float
    win: float
    exact: bool

    def turned(self) -> Prospect:
        """Return the opponent's prospect."""
        return Prospect(-self.points, 1 - self.win, self.exact)


def prospect(position: Position, seat: Seat, throws_ahead: int = THROWS_AHEAD) -> Prospect:
    """Return a player's prospect; each throw ahead multiplies the time by ten to twenty."""
    mine = _Search.of(position, throws_ahead).of_turn(position)
    return mine if seat == position.turn else mine.turned()


def prospects(position: Position, throws_ahead: int = THROWS_AHEAD) -> Mapping[Action, Prospect]:
    """Return the deciding player's prospect after each legal decision; empty while none is expected."""
    return {
        action: prospect(require_legal(play(position, action)).position, position.decides, throws_ahead)
        for action in actions(position)
    }


_OFFERS = (_WINNING, "home", "hit", "offered", "moved-on")
"""Events that a medium adviser prefers, the best first."""


def advise(
    position: Position, throws_ahead: int | None = None, *, level: Level = Level.STRONG
) -> Advice[Action] | None:
    """Return the decision with the most expected points, which are its value; None if no decision is expected.

    An easy adviser moves the counter that gets furthest. A medium one prefers, in this order, coming home, a hit, a
    rosette and four-fives, and otherwise plays like an easy one. EXACT.md has the strength of each. A search one throw
    ahead wins as often as the estimate alone, so that there is no level between. `throws_ahead` makes a strong adviser
    search further.

    `numbers` has "points", "win", "exact" (1 or 0), "choices", and with several choices "ahead": the lead of the best
    over the next in points.
    """
    usual = THROWS_AHEAD if level is Level.STRONG else 0
    held = prospects(position, usual if throws_ahead is None else throws_ahead)
    if not held:
        return None
    if level is Level.STRONG or throws_ahead is not None:
        first, *others = sorted(held, key=lambda action: held[action].points, reverse=True)
    else:
        first, *others = sorted(held, key=lambda action: _preference(position, action, level), reverse=True)
    best = held[first]
    numbers = {"points": best.points, "win": best.win, "exact": float(best.exact), "choices": float(len(held))}
    if others:
        numbers["ahead"] = best.points - held[others[0]].points
    names = {event.name for event in require_legal(play(position, first)).events}
    if _WINNING in names:
        code = "wins"
    elif not others:
        code = "only-choice"
    else:
        code = next((code for name, code in _REASONS.items() if name in names), "best-expectation")
    return Advice(first, code, numbers, best.points)


def _preference(position: Position, action: Action, level: Level) -> tuple[int, Lane]:
    """Return an action's preference, 0 for an easy adviser, and the deciding player's counters, furthest first."""
    outcome = require_legal(play(position, action))
    names = {event.name for event in outcome.events}
    taken = next((len(_OFFERS) - place for place, name in enumerate(_OFFERS) if name in names), 0)
    return taken if level is Level.MEDIUM else 0, tuple(sorted(outcome.position.lane(position.decides), reverse=True))


@dataclass(frozen=True, slots=True)
class _Search:
    """Expectimax on one board; all prospects are the thrower's, whose lane is first."""

    board: Board
    dot_chance: float
    chances: tuple[float, ...]
    throws_ahead: int

    @classmethod
    def of(cls, position: Position, throws_ahead: int) -> _Search:
        chances = throw_chances(position.dot_chance)
        return cls(position.board, position.dot_chance, chances, throws_ahead)

    def of_turn(self, position: Position) -> Prospect:
        """Return the prospect of the player whose turn it is, in any position."""
        if position.awaits is Await.THROW_OFF:
            # the mean over beginning and coming second; a tie starts again, with equal chances
            first = self.before_throw(position.lanes, self.throws_ahead)
            if position.thrown is None:
                begins = 0.5
            else:
                begins = sum(self.chances[position.thrown + 1 :]) + self.chances[position.thrown] / 2
            return _mean([(begins, first), (1 - begins, first.turned())])
        if position.awaits is None or position.awaits is Await.ROLL:
            mine, theirs = position.lane(position.turn), position.lane(position.other(position.turn))
            return self.before_throw((mine, theirs), self.throws_ahead)
        followers = (self.of_turn(require_legal(play(position, action)).position) for action in actions(position))
        choose = max if position.decides == position.turn else min
        return choose(followers, key=_points)

    def before_throw(self, lanes: Lanes, throws: int) -> Prospect:
        """Return the prospect before a throw, searching `throws` throws ahead."""
        if ALL_HOME in lanes:
            won = lanes[0] == ALL_HOME
            points = float(lane_value(self.board, lanes[1] if won else lanes[0]))
            return Prospect(points, 1.0, exact=True) if won else Prospect(-points, 0.0, exact=True)
        if all(len(lane) - lane.count(HOME) <= LEFT for lane in lanes):
            return Prospect(*endings(self.board, self.dot_chance).value(lanes), exact=True)
        if not throws:
            return Prospect(*LEARNED.value(lanes), exact=False)
        # the mean over the throws; one without a move is thrown again, which renormalizes the others
        weighed = [(self.chances[ENDING_DOTS], self.before_throw((lanes[1], lanes[0]), throws - 1).turned())]
        for dots in COUNT_OF_DOTS:
            if found := options(self.board, lanes, dots):
                worst = (min((self.before_throw(leaf, throws - 1) for leaf in option), key=_points) for option in found)
                weighed.append((self.chances[dots], max(worst, key=_points)))
        return _mean(weighed)


def _points(held: Prospect) -> float:
    return held.points


def _mean(weighed: list[tuple[float, Prospect]]) -> Prospect:
    whole = sum(chance for chance, _ in weighed)
    return Prospect(
        sum(chance * held.points for chance, held in weighed) / whole,
        sum(chance * held.win for chance, held in weighed) / whole,
        all(held.exact for _, held in weighed),
    )


# ---- what a played game of Ur shows afterwards: how much chance to win each decision gave away


def chance_given_away(position: Position, action: Action, throws_ahead: int = THROWS_AHEAD) -> float:
    """Return the chance to win of the best decision less that of the one that was made, from 0 to 1.

    The chances are those of `prospects`: exact for endings, estimates otherwise.

    Raises:
        ValueError: the action is not one of the open decisions.
    """
    held = prospects(position, throws_ahead)
    if action not in held:
        message = f"{action} is none of the {len(held)} open decisions"
        raise ValueError(message)
    return max(prospect.win for prospect in held.values()) - held[action].win
