"""The effect of each action, or why it is forbidden. Paragraph numbers are those of RULES.md next to this file."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import comb
from typing import TypeAlias

from engines.kernel import Cell, Event, Outcome, Refusal
from engines.royal_ur import scoring
from engines.royal_ur.board import HOME, OFF, START, Board, Sign
from engines.royal_ur.position import ALL_HOME, Action, Await, Decline, Enter, Lane, Lanes, Move, Position, Roll

# ---- where a counter lands

COUNT_OF_DOTS = {0: 4, 2: 1, 3: 5}
"""How far a throw moves a counter; one dot moves none (RULES.md 3.1 and 3.2)."""

ENTERING_DOTS = 3
ENDING_DOTS = 1
FORFEIT_COUNT = 4


@dataclass(frozen=True, slots=True)
class LandedOn:
    """A square that a counter landed on, and whether it hit another there or was sent off."""

    index: int
    hit: bool = False
    sent_off: bool = False


@dataclass(frozen=True, slots=True)
class Landing:
    """The result of a counter's move.

    Attributes:
        lanes: both players' counters after it.
        stops: the squares that the counter landed on, in order; more than one after four-fives.
        sign: the sign under the counter; None at home and off the board.
    """

    lanes: Lanes
    stops: tuple[LandedOn, ...]
    sign: Sign | None


def starts(lane: Lane, count: int) -> list[int]:
    """Return the indices from which a counter can move by a count: on the board, not beyond home (RULES.md 3.5)."""
    return sorted({index for index in lane if START <= index <= HOME - count})


def moved(lane: Lane, start: int, end: int) -> Lane:
    """Return a lane with one of its counters moved."""
    counters = list(lane)
    counters.remove(start)
    insort(counters, end)
    return tuple(counters)


def land(board: Board, lanes: Lanes, place: int, start: int, count: int) -> Landing:
    """Return the result of a move of the player at a place; whether it is legal is not checked."""
    theirs = lanes[1 - place]
    stops: list[LandedOn] = []
    end, going_on = start, True
    while going_on:
        end += count
        enemies = theirs.count(end) if board.shared[end] else 0
        stops.append(LandedOn(end, hit=enemies == 1, sent_off=enemies > 1))
        if enemies > 1:
            return Landing(_pair(place, moved(lanes[place], start, OFF), theirs), tuple(stops), None)
        if enemies:
            theirs = moved(theirs, end, OFF)
        going_on = board.signs[end] is Sign.FOUR_FIVES and end + count <= HOME
    return Landing(_pair(place, moved(lanes[place], start, end), theirs), tuple(stops), board.signs[end])


def entered(lanes: Lanes, place: int) -> Lanes:
    """Return the lanes after the player at a place has entered a counter on S."""
    return _pair(place, moved(lanes[place], OFF, START), lanes[1 - place])


def _pair(place: int, mine: Lane, theirs: Lane) -> Lanes:
    return (theirs, mine) if place else (mine, theirs)


DICE = 3

Option: TypeAlias = list[Lanes]


def throw_chances(dot_chance: float) -> tuple[float, ...]:
    """Return the probability of 0, 1, 2 and 3 dots."""
    return tuple(comb(DICE, dots) * dot_chance**dots * (1 - dot_chance) ** (DICE - dots) for dots in range(DICE + 1))


def options(board: Board, lanes: Lanes, dots: int) -> list[Option]:
    """Return the thrower's options with 0, 2 or 3 dots; empty if no counter can move."""
    count = COUNT_OF_DOTS[dots]
    listed: list[Option] = []
    for start in starts(lanes[0], count):
        landing = land(board, lanes, 0, start, count)
        if landing.sign is Sign.EYES:
            # the results of the opponent's forfeit; the eyes that it lands on are ignored (RULES.md 5.4)
            counters = starts(landing.lanes[1], FORFEIT_COUNT)
            forfeits = (land(board, landing.lanes, 1, counter, FORFEIT_COUNT) for counter in counters)
            listed.append([after for forfeit in forfeits for after in _with_offer(forfeit, 1)] or [landing.lanes])
        else:
            listed += [[after] for after in _with_offer(landing, 0)]
    if dots == ENTERING_DOTS and OFF in lanes[0]:
        listed.append([entered(lanes, 0)])
    return listed


def _with_offer(landing: Landing, place: int) -> Iterator[Lanes]:
    yield landing.lanes
    if landing.sign is Sign.ROSETTE and OFF in landing.lanes[place]:
        yield entered(landing.lanes, place)


# ---- what an action does


def count_of(position: Position) -> int:
    """Return the number of squares of the expected move or forfeit."""
    if position.awaits is Await.FORFEIT or position.dots is None:
        return FORFEIT_COUNT
    return COUNT_OF_DOTS[position.dots]


def legal_starts(position: Position) -> list[int]:
    """Return the indices from which the deciding player can move a counter; empty if no move is expected."""
    if position.awaits not in (Await.MOVE, Await.FORFEIT):
        return []
    return starts(position.lane(position.decides), count_of(position))


def can_enter(position: Position) -> bool:
    """Return whether the deciding player may enter a counter, by the throw or a rosette, and has one."""
    by_throw = position.awaits is Await.MOVE and position.dots == ENTERING_DOTS
    return (by_throw or position.awaits is Await.ENTER) and OFF in position.lane(position.decides)


def actions(position: Position) -> list[Action]:
    """Return the legal decisions; empty if the game is over or a throw is expected."""
    listed: list[Action] = [Move(start) for start in legal_starts(position)]
    if can_enter(position):
        listed.append(Enter())
    if position.awaits is Await.ENTER:
        listed.append(Decline())
    return listed


def play(position: Position, action: Action) -> Outcome[Position] | Refusal:
    """Apply an action, or return why the rules forbid it."""
    if refusal := _refuse(position, action):
        return refusal
    if isinstance(action, Roll):
        return throw_off(position, action) if position.awaits is Await.THROW_OFF else _throw(position, action)
    if isinstance(action, Move):
        return _move(position, action)
    if isinstance(action, Decline):
        return _next_throw(position, position.lanes, [Event("declined", {"player": position.decides})])
    facts = {"player": position.decides, "cell": position.cell(START)}
    lanes = entered(position.lanes, position.place(position.decides))
    return _next_throw(position, lanes, [Event("entered", facts)])


def _refuse(position: Position, action: Action) -> Refusal | None:
    if position.awaits is None:
        return Refusal("game-over", "6.1")
    if position.awaits in (Await.ROLL, Await.THROW_OFF):
        rule = "3.1" if position.awaits is Await.ROLL else "2.1"
        return None if isinstance(action, Roll) else Refusal("throw-awaited", rule)
    if isinstance(action, Roll):
        return Refusal("decision-awaited", _RULE_OF_DECISION[position.awaits])
    if isinstance(action, Move):
        return _refuse_move(position, action)
    if isinstance(action, Enter):
        return _refuse_enter(position)
    rule = "5.3" if position.awaits is Await.FORFEIT else "3.4"
    return None if position.awaits is Await.ENTER else Refusal("must-move", rule, _can_move_from(position))


_RULE_OF_DECISION = {Await.MOVE: "3.4", Await.ENTER: "5.2", Await.FORFEIT: "5.3"}


def _refuse_move(position: Position, move: Move) -> Refusal | None:
    if position.awaits is Await.ENTER:
        return Refusal("offer-open", "5.2", (position.cell(START),))
    if move.start not in position.lane(position.decides):
        return Refusal("no-counter", "3.3", (position.cell(move.start),))
    if move.start + count_of(position) > HOME:
        return Refusal("beyond-home", "3.5", (position.cell(move.start), position.cell(HOME)))
    return None


def _refuse_enter(position: Position) -> Refusal | None:
    if position.awaits is Await.FORFEIT:
        return Refusal("must-move", "5.3", _can_move_from(position))
    if position.awaits is Await.MOVE and position.dots != ENTERING_DOTS:
        return Refusal("needs-three-dots", "3.1", (position.cell(START),))
    if not can_enter(position):
        return Refusal("none-to-enter", "3.1", (position.cell(START),))
    return None


def _can_move_from(position: Position) -> tuple[Cell, ...]:
    entering = (position.cell(START),) if can_enter(position) else ()
    return (*(position.cell(start) for start in legal_starts(position)), *entering)


def _throw(position: Position, roll: Roll) -> Outcome[Position]:
    seat = position.turn
    thrown = Event("threw", {"player": seat, "dots": roll.dots})
    if roll.dots == ENDING_DOTS:
        turn = position.other(seat)
        passed = position.then(Await.ROLL, position.lanes, turn, turn, None)
        return Outcome(passed, (thrown, Event("turn", {"player": turn})))
    waiting = position.then(Await.MOVE, position.lanes, seat, seat, roll.dots)
    if not legal_starts(waiting) and not can_enter(waiting):
        return Outcome(position, (thrown, Event("no-move", {"player": seat, "dots": roll.dots})))
    return Outcome(waiting, (thrown,))


def _move(position: Position, move: Move) -> Outcome[Position]:
    place, count = position.place(position.decides), count_of(position)
    landing = land(position.board, position.lanes, place, move.start, count)
    # the events of a counter's move in order: each stop, and what happened there
    events: list[Event] = []
    name, here = "moved", position.cell(move.start)
    for stop in landing.stops:
        there = position.cell(stop.index)
        events.append(Event(name, {"player": position.decides, "from": here, "to": there}))
        if stop.hit:
            events.append(Event("hit", {"player": position.other(position.decides), "cell": there}))
        elif stop.sent_off:
            events.append(Event("sent-off", {"player": position.decides, "cell": there}))
        elif stop.index == HOME:
            home = landing.lanes[place].count(HOME)
            events.append(Event("home", {"player": position.decides, "counters": home}))
        name, here = "moved-on", there
    if landing.lanes[place] == ALL_HOME:
        after = position.then(None, landing.lanes, position.turn, position.turn, None)
        points = scoring.score(after)[position.decides]
        return Outcome(after, (*events, Event("game-over", {"winner": position.decides, "points": points})))
    if landing.sign is Sign.ROSETTE and OFF in landing.lanes[place]:
        offered = Event("offered", {"player": position.decides, "cell": position.cell(landing.stops[-1].index)})
        after = position.then(Await.ENTER, landing.lanes, position.turn, position.decides, position.dots)
        return Outcome(after, (*events, offered))
    if landing.sign is Sign.EYES and position.awaits is Await.MOVE:
        return _forfeit(position, landing, events)
    return _next_throw(position, landing.lanes, events)


def _forfeit(position: Position, landing: Landing, events: list[Event]) -> Outcome[Position]:
    """Expect the opponent's forfeit if they can move; otherwise add an event that they cannot."""
    opponent = position.other(position.turn)
    facts = {"player": opponent, "cell": position.cell(landing.stops[-1].index)}
    if not starts(landing.lanes[position.place(opponent)], FORFEIT_COUNT):
        return _next_throw(position, landing.lanes, [*events, Event("forfeit-void", facts)])
    after = position.then(Await.FORFEIT, landing.lanes, position.turn, opponent, position.dots)
    return Outcome(after, (*events, Event("forfeit", facts)))


def _next_throw(position: Position, lanes: Lanes, events: list[Event]) -> Outcome[Position]:
    """Expect another throw of the player whose turn it is, as after every move, offer and forfeit (3.1)."""
    return Outcome(position.then(Await.ROLL, lanes, position.turn, position.turn, None), tuple(events))


def throw_off(position: Position, roll: Roll) -> Outcome[Position]:
    """Apply a throw of the throw-off; the second one decides, or both throw again."""
    thrown = Event("threw-off", {"player": position.turn, "dots": roll.dots})
    if position.thrown is None:
        return _pass_dice(position, roll.dots, thrown)
    if roll.dots == position.thrown:
        return _pass_dice(position, None, thrown, Event("throw-off-tied"))
    beginner = position.turn if roll.dots > position.thrown else position.other(position.turn)
    begun = replace(position, turn=beginner, decides=beginner, awaits=Await.ROLL, thrown=None)
    return Outcome(begun, (thrown, Event("turn", {"player": beginner})))


def _pass_dice(position: Position, thrown: int | None, *events: Event) -> Outcome[Position]:
    following = position.other(position.turn)
    return Outcome(replace(position, turn=following, decides=following, thrown=thrown), events)
