"""What hands do besides moves (interludes), and careless ways of making a move (manners).

What careless people press, and what they are told then, is scripted in `tests.evaluate.cases`.

A habit is drawn before a move with its probability. An interlude leaves the table as it was; a manner changes how a
move is made, not its result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import cos, pi, sin
from random import Random
from typing import Any

from companion.core.hypothesis import Rules
from companion.core.view import View
from companion.simulator.behaviour import VerdictCounts
from companion.simulator.hands import Hands, PieceChange, Script, StandingPiece, Waypoint
from companion.simulator.planner import Means, SimulatedMove
from companion.simulator.players import PlayersPhase, SimulatedPlayers
from engines.kernel import Cell
from tests.evaluate.things import CarelessScript, Thing
from vision.board import Board, Point
from vision.simulation.truth import piece_of_label


class Habit(StrEnum):
    """A habit of players."""

    IDLE_HAND = "idle-hand"  # a hand hovers over the board while its owner thinks
    GIVEN_UP = "given-up"  # a move is begun, and the piece put back
    TAKEN_OFF = "taken-off"  # a piece is taken off, lies beside the board for a while, and comes back
    THING_ON = "thing-on"  # a mug, a glass, a die or crumbs are on the board for a while
    THING_BESIDE = "thing-beside"  # a phone, a glass, a die or crumbs lie beside the board for a while
    FALLEN = "fallen"  # a standing piece falls over, and is put up again
    ASKEW = "askew"  # pieces are put down up to a third of a cell off
    LEANING = "leaning"  # a piece is put down at a slant
    BETWEEN = "between"  # a piece is put down between two cells, and pushed to its own after some seconds
    TWO_HANDS = "two-hands"  # another hand comes before the first has left


_OFF_SHARE = 1 / 3
_LEAN_MM = 6.0
_STANDS_MM = 15.0
"""A piece at least this high stands, and can fall over."""

_ON, _BESIDE = ("mug", "glass", "die", "crumbs"), ("phone", "glass", "die", "crumbs")
_HOVERS_S, _ASIDE_S, _THING_S = (2.0, 12.0), (4.0, 10.0), (5.0, 15.0)


class Manners:
    """Draws habits and turns them into scripts.

    Args:
        board: the board.
        hands: the players' hands.
        random: the source of chance.
        shares: the probability of each habit.
    """

    def __init__(self, board: Board, hands: Hands, random: Random, shares: Mapping[str, float]) -> None:
        self._board, self._hands, self._random, self._shares = board, hands, random, shares
        self._middles = hands.middles
        self._interludes: Mapping[Habit, Callable[[Script], Script | None]] = {
            Habit.IDLE_HAND: self._idle_hand,
            Habit.GIVEN_UP: self._given_up,
            Habit.TAKEN_OFF: self._taken_off,
            Habit.THING_ON: self._thing_on,
            Habit.THING_BESIDE: self._thing_beside,
            Habit.FALLEN: self._fallen,
        }
        self._manners: Mapping[Habit, Callable[[Script], Script | None]] = {
            Habit.ASKEW: self._askew,
            Habit.LEANING: self._leaning,
            Habit.BETWEEN: self._between,
            Habit.TWO_HANDS: self._two_hands,
        }

    def interlude(self, lies: Script) -> tuple[Habit, Script] | None:
        """Draw an interlude before a move, on a table at rest; return None if there is none."""
        return self._drawn(self._interludes, lies)

    def made(self, script: Script) -> tuple[Habit, Script] | None:
        """Draw a manner of making a move; return None if it is made as planned."""
        return self._drawn(self._manners, script) if script.changes else None

    def _drawn(
        self, habits: Mapping[Habit, Callable[[Script], Script | None]], script: Script
    ) -> tuple[Habit, Script] | None:
        possible = [habit for habit in habits if self._shares.get(habit)]
        for habit in self._random.sample(possible, len(possible)):
            if self._random.random() < self._shares[habit] and (changed := habits[habit](script)) is not None:
                return habit, changed
        return None

    # ---- interludes

    def _idle_hand(self, lies: Script) -> Script:
        lasts_s = self._random.uniform(*_HOVERS_S)
        stops = [(self._any_place(), 0.7 + share * lasts_s) for share in (0.0, 0.4, 1.0)]
        return replace(lies, way=self._hands.way([Waypoint(at_s, place) for place, at_s in stops], self._side()))

    def _given_up(self, lies: Script) -> Script | None:
        if (cell := self._any_piece(lies)) is None:
            return None
        back_s = 0.7 + self._random.uniform(1.0, 3.0)
        changes = [PieceChange(0.7, cell, None), PieceChange(back_s, cell, lies.before[cell])]
        stops = [Waypoint(0.7, self._middles[cell]), Waypoint(0.7 + 0.6, self._any_place())]
        way = self._hands.way([*stops, Waypoint(back_s, self._middles[cell])], self._side())
        return replace(lies, changes=tuple(changes), way=way)

    def _taken_off(self, lies: Script) -> Script | None:
        if (cell := self._any_piece(lies)) is None:
            return None
        back_s = 1.0 + self._random.uniform(*_ASIDE_S)
        changes = (PieceChange(0.7, cell, None), PieceChange(back_s, cell, lies.before[cell]))
        first = self._hands.way([Waypoint(0.7, self._middles[cell])], "bottom")
        again = self._hands.way([Waypoint(back_s, self._middles[cell])], "bottom", from_s=back_s - 0.7)
        return replace(lies, changes=changes, way=(*first, *again))

    def _thing_on(self, lies: Script) -> Script | None:
        free = [cell for cell in self._middles if cell not in lies.before]
        if not free:
            return None
        return self._with_thing(lies, Thing(self._random.choice(_ON), self._middles[self._random.choice(free)]))

    def _thing_beside(self, lies: Script) -> Script:
        _width, height = self._board.size
        kind, at = self._random.choice(_BESIDE), (-70.0, self._random.uniform(0.2, 0.8) * height)
        return self._with_thing(lies, Thing(kind, at))

    def _with_thing(self, lies: Script, thing: Thing) -> Script:
        gone_s = 0.7 + self._random.uniform(*_THING_S)
        brings = self._hands.way([Waypoint(0.7, thing.at_mm)], "left")
        fetches = self._hands.way([Waypoint(gone_s, thing.at_mm)], "left", from_s=gone_s - 0.7)
        return CarelessScript.of(lies, way=(*brings, *fetches), thing=thing, thing_s=(0.7, gone_s))

    def _fallen(self, lies: Script) -> Script | None:
        """Let a standing piece fall over on its cell until a hand puts it up."""
        heights = {cell: self._height_mm(piece) for cell, piece in lies.before.items()}
        if not (standing := [cell for cell, height_mm in heights.items() if height_mm >= _STANDS_MM]):
            return None
        cell, way_rad = self._random.choice(standing), self._random.uniform(0.0, 2 * pi)
        top_mm = (heights[cell] * cos(way_rad), heights[cell] * sin(way_rad))
        put_up_s = 1.0 + self._random.uniform(*_ASIDE_S)
        falls = PieceChange(0.7, cell, replace(lies.before[cell], lean_mm=top_mm))
        again = self._hands.way([Waypoint(put_up_s, self._middles[cell])], self._side(), from_s=put_up_s - 0.7)
        return replace(lies, changes=(falls, PieceChange(put_up_s, cell, lies.before[cell])), way=again)

    def _height_mm(self, piece: StandingPiece) -> float:
        found = piece_of_label(self._board, piece.label)
        return 0.0 if found is None else self._board.pieces[found[0]].height

    # ---- manners

    def _between(self, script: Script) -> Script | None:
        """Put the last piece between its cell and a neighbour, and push it to its own after some seconds."""
        last = next((change for change in reversed(script.changes) if change.piece is not None), None)
        if last is None or last.piece is None:
            return None
        home = self._middles[last.cell]
        near = min((at for at in self._middles.values() if at != home), key=lambda at: _apart(at, home))
        halfway = replace(last.piece, at_mm=((home[0] + near[0]) / 2, (home[1] + near[1]) / 2))
        pushed_s = script.ends_s + self._random.uniform(2.0, 6.0)
        changes = [replace(c, piece=halfway) if c is last else c for c in script.changes]
        again = self._hands.way([Waypoint(pushed_s, home)], script.side, from_s=pushed_s - 0.7)
        return replace(script, changes=(*changes, replace(last, at_s=pushed_s)), way=(*script.way, *again))

    def _askew(self, script: Script) -> Script:
        middles, off = list(self._middles.values()), self._random.uniform
        apart_mm = min(_apart(middles[0], other) for other in middles[1:]) ** 0.5
        most_mm = _OFF_SHARE * apart_mm / 2**0.5  # along each axis, so that the whole is a third of a cell at most

        def put(piece: StandingPiece) -> StandingPiece:
            x, y = piece.at_mm
            return replace(piece, at_mm=(x + off(-most_mm, most_mm), y + off(-most_mm, most_mm)))

        return _put_otherwise(script, put)

    def _leaning(self, script: Script) -> Script:
        lean = (self._random.uniform(-1, 1) * _LEAN_MM, self._random.uniform(-1, 1) * _LEAN_MM)
        return _put_otherwise(script, lambda piece: replace(piece, lean_mm=lean))

    def _two_hands(self, script: Script) -> Script:
        """Let a second hand come from another side half a second before the first one leaves."""
        from_s = max(0.0, script.ends_s - 0.5)
        side = next(side for side in ("right", "left", "top") if side != script.side)
        guest = self._hands.way([Waypoint(from_s + 0.7, self._any_place())], side, from_s=from_s)
        return CarelessScript.of(script, guest=guest, guest_side=side)

    # ---- parts

    def _any_piece(self, lies: Script) -> Cell | None:
        return self._random.choice(list(lies.before)) if lies.before else None

    def _any_place(self) -> Point:
        return self._middles[self._random.choice(list(self._middles))]

    def _side(self) -> str:
        return self._random.choice(("bottom", "top", "left", "right"))


def _apart(one: Point, other: Point) -> float:
    """Return the squared distance of two points in mm^2."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _put_otherwise(script: Script, put: Callable[[StandingPiece], StandingPiece]) -> Script:
    """Return a script in which all pieces are put down as `put` returns them."""
    changes = (c if c.piece is None else replace(c, piece=put(c.piece)) for c in script.changes)
    return replace(script, changes=tuple(changes))


@dataclass(slots=True)
class HabitCounts(VerdictCounts):
    """The companion's verdicts on careless players.

    Attributes:
        habits: how often each habit was followed.
        misled: habits after which the companion held another position, by name.
    """

    habits: Counter[str] = field(default_factory=Counter)
    misled: Counter[str] = field(default_factory=Counter)


class CarelessPlayers(SimulatedPlayers):
    """Players with habits; `habits` has the probability per move of each."""

    counts: HabitCounts

    def __init__(self, game: Rules, position: Any, *, habits: Mapping[str, float], **options: Any) -> None:
        super().__init__(game, position, **options)
        self.counts = HabitCounts()
        self._manners = Manners(game.board(), self._hands, self._random, habits)
        self._habit: Habit | None = None

    def _begin_move(self, view: View) -> None:
        between = self._habit is None and self._follow(
            self._manners.interlude(self._script.rest()), PlayersPhase.THINKING
        )
        if not between:
            self._habit = None
            super()._begin_move(view)

    def _make(self, move: SimulatedMove, view: View) -> None:
        super()._make(move, view)
        if move.means is Means.HANDS:
            self._follow(self._manners.made(self._script), PlayersPhase.WAITING)

    def _follow(self, drawn: tuple[Habit, Script] | None, phase: PlayersPhase) -> bool:
        """Follow a habit that was drawn and count it; return whether one was."""
        if drawn is None:
            return False
        self._habit, script = drawn
        self.counts.habits[self._habit] += 1
        self._begin(script, phase)
        return True

    def _after(self) -> str:
        return "" if self._habit is None else f" after {self._habit}"

    def _lose_step(self, view: View) -> None:
        self.counts.misled.update([] if self._habit is None else [self._habit])
        super()._lose_step(view)
