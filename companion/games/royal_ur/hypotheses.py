"""All that may have happened in a turn of the Royal Game of Ur, as hypotheses for the core to weigh.

The log priors are relative to a legal action, which has 0. They are estimates, not measurements; where the picture is
clear (a place seen well speaks with 9 and more) they matter little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from typing import TypeAlias

from companion.core.evidence import Evidence
from companion.core.hypothesis import Hypothesis, Kind
from companion.core.verdicts import PendingPlacement
from companion.games.hypotheses import (
    NOTEWORTHY,
    PlyLine,
    TableLikelihood,
    drop_explainable_mistakes,
    lines_of_play,
    table_likelihood,
)
from companion.games.royal_ur.table import counters_of, label_of, placement
from engines.kernel import Cell, Event, JsonObject, Refusal, Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import START
from engines.royal_ur.position import Action, Await, Move, Position
from engines.royal_ur.rules import count_of
from vision.labels import EMPTY

# ---- mistakes with counters: one is moved against the rules, or more than one


Explanation: TypeAlias = Hypothesis[Position, Action]

LIKELIEST = 16
"""This many ways of moving one counter are weighed; the others explain worse what is seen."""

SEVERAL = -5.0
EACH = -1.5
"""log priors that more than one counter was moved, and for each place where it shows."""


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why a counter must not be moved like that: paragraph of RULES.md and weight before looking."""

    code: str
    rule: str
    log_prior: float


_WRONG_COUNT = _Reason("wrong-count", "3.1", -4.0)
_BACKWARDS = _Reason("backwards", "3.1", -5.0)
_STACK_HIT = _Reason("stack-hit", "4.3", -5.0)
_ENTERED_ELSEWHERE = _Reason("entered-elsewhere", "3.1", -5.0)
_OFF_THE_WAY = _Reason("off-the-way", "1.1", -5.0)
_TAKEN_OFF = _Reason("taken-off", "3.5", -5.3)
_OUT_OF_TURN = _Reason("out-of-turn", "3.1", -4.6)
_OUT_OF_FORFEIT = _Reason("out-of-turn", "5.3", -4.6)
_PUT_ON = _Reason("put-on", "3.1", -5.3)


@dataclass(frozen=True, slots=True)
class _Shift:
    """A counter moved from one place to another; None: not on the board, or not to be seen there."""

    seat: Seat
    start: Cell | None
    end: Cell | None
    gain: float

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The places that it shows on."""
        return tuple(cell for cell in (self.start, self.end) if cell is not None)


_Gains: TypeAlias = Mapping[Cell | None, float]


def mistakes(position: Position, seen: TableLikelihood) -> Iterator[Explanation]:
    """Return the best explanations, legal or not: one counter moved anywhere, and everything that looks different."""
    hinted = (shift for shift in _shifts(position, seen) if shift.gain > NOTEWORTHY)
    for shift in nlargest(LIKELIEST, hinted, key=lambda shift: shift.gain):
        yield _one(position, seen, shift)
    if several := _several(position, seen):
        yield several


def _shifts(position: Position, seen: TableLikelihood) -> Iterator[_Shift]:
    for seat in position.players:
        lifted = _gains(seen, {c: _less(label) for c, label in seen.before.items() if counters_of(label)[0] == seat})
        put = _gains(seen, {cell: _more(seat, label) for cell, label in seen.before.items()})
        for start, gain in lifted.items():
            yield from (_Shift(seat, start, end, gain + put[end]) for end in put if end != start)


def _gains(seen: TableLikelihood, labels: Mapping[Cell, str]) -> _Gains:
    return {None: 0.0, **{cell: seen.gain(cell, label) for cell, label in labels.items()}}


def _less(label: str) -> str:
    seat, number = counters_of(label)
    return EMPTY if seat is None else label_of(seat, number - 1)


def _more(seat: Seat, label: str) -> str:
    """Return what is where a counter is put; another player's counters make room for it."""
    owner, number = counters_of(label)
    return label_of(seat, number + 1 if owner == seat else 1)


def _one(position: Position, seen: TableLikelihood, shift: _Shift) -> Explanation:
    expects = {}
    if shift.start is not None:
        expects[shift.start] = _less(seen.before[shift.start])
    if shift.end is not None:
        expects[shift.end] = _more(shift.seat, seen.before[shift.end])
    reason = _reason(position, shift)
    return Hypothesis(
        Kind.ILLEGAL,
        reason.log_prior,
        expects,
        seen.still_open(expects),
        code=reason.code,
        rule=reason.rule,
        cells=shift.cells,
        facts=_facts(position, shift),
    )


def _reason(position: Position, shift: _Shift) -> _Reason:
    """Return why a counter must not be moved like that."""
    if position.awaits in (Await.ROLL, Await.THROW_OFF, Await.ENTER):
        refused = GAME.play(position, Move(START))
        if isinstance(refused, Refusal):
            return _Reason(refused.code, refused.rule, _OUT_OF_TURN.log_prior)
    if shift.seat != position.decides:
        return _OUT_OF_FORFEIT if position.awaits is Await.FORFEIT else _OUT_OF_TURN
    return _TAKEN_OFF if shift.end is None else _wrong_end(position, shift, shift.end)


def _wrong_end(position: Position, shift: _Shift, end: Cell) -> _Reason:
    """Return why a counter of the one who moves must not come to a place."""
    way = _way(position, shift.seat)
    if end not in way:
        return _OFF_THE_WAY
    if shift.start is None:
        return _PUT_ON if way.index(end) == START else _ENTERED_ELSEWHERE
    squares = _squares(position, shift)
    if squares == count_of(position):
        return _STACK_HIT
    return _WRONG_COUNT if squares > 0 else _BACKWARDS


def _way(position: Position, seat: Seat) -> tuple[Cell, ...]:
    return position.board.ways[position.place(seat)]


def _squares(position: Position, shift: _Shift) -> int:
    """Count how far a counter has gone on its way; 0 where it was not on it, or no longer is."""
    way = _way(position, shift.seat)
    if shift.start not in way or shift.end not in way:
        return 0
    return way.index(shift.end) - way.index(shift.start)


def _facts(position: Position, shift: _Shift) -> JsonObject:
    return {
        "player": shift.seat,
        "turn": position.decides,
        "start": shift.start,
        "end": shift.end,
        "squares": _squares(position, shift),
        "count": count_of(position) if position.awaits in (Await.MOVE, Await.FORFEIT) else 0,
    }


def _several(position: Position, seen: TableLikelihood) -> Explanation | None:
    """Accept everything that looks different as it looks, if that is more than one moved counter."""
    odd = seen.odd()
    seats = [seat for seat in position.players if _more_than_hit(seen, odd, seat)]
    changes = [cell for cell, label in odd.items() if _number(label, seats) != _number(seen.before[cell], seats)]
    if len(changes) < 2 or (len(seats) == 1 and len(changes) == 2 and _is_one_shift(seen, odd, seats[0])):
        return None
    return Hypothesis(
        Kind.ILLEGAL,
        SEVERAL + EACH * len(odd),
        odd,
        seen.still_open(odd),
        code="several-counters",
        rule="3.3",
        cells=tuple(changes),
        facts={"turn": position.decides},
    )


def _more_than_hit(seen: TableLikelihood, odd: Mapping[Cell, str], seat: Seat) -> bool:
    """Return whether a player's counters have changed by more than making room for others."""
    before = {cell: counters_of(seen.before[cell]) for cell in odd}
    now = {cell: counters_of(label) for cell, label in odd.items()}
    return any(
        (before[c][0] == seat and now[c][0] in (None, seat)) or (now[c][0] == seat and before[c][0] != seat)
        for c in odd
    )


def _number(label: str, seats: list[Seat]) -> int:
    """Count the counters of these players that a label means."""
    seat, number = counters_of(label)
    return number if seat in seats else 0


def _is_one_shift(seen: TableLikelihood, odd: Mapping[Cell, str], seat: Seat) -> bool:
    """Return whether a player has one counter less at one place and one more at another."""
    change = sorted(_number(label, [seat]) - _number(seen.before[cell], [seat]) for cell, label in odd.items())
    return change == [-1, 1]


# ---- what may have happened


NOTHING = 2.0  # nobody has moved yet: seven times as often as any one of the actions has been taken
UNSEEN = -1.0  # of a table that looks as before twenty times as often nobody has acted, as without a trace
HALF_DONE = -2.3  # one look in ten comes between the parts of a move
FOLLOWED = -2.3  # for each further action that one look in ten comes too late to see apart
MOST_ACTIONS = 3  # a move onto eyes, the forfeit for it, and what a rosette offers then
REFUTED = -9.0  # what is seen so much less likely does not hint at an action

UrLine: TypeAlias = PlyLine[Position, Action]


def explanations(position: Position, left_open: Sequence[PendingPlacement], evidence: Evidence) -> list[Explanation]:
    """List what may have happened since a position, led by what is seen."""
    seen = table_likelihood(placement(position), left_open, evidence)
    played = list(lines_of_play(GAME, position, lambda before, after: _is_hinted(seen, before, after), MOST_ACTIONS))
    legal = [_of_line(seen, line) for line in played]
    halves = [half for line, whole in zip(played, legal, strict=True) for half in _half_done(seen, line, whole)]
    allowed = [*legal, *halves, *_nothing(seen, legal)]
    return [*allowed, *drop_explainable_mistakes(mistakes(position, seen), allowed, seen.before)]


def _is_hinted(seen: TableLikelihood, before: Position, after: Position) -> bool:
    """Return whether an action changes what can be seen, and the evidence allows that it was made."""
    earlier, later = placement(before), placement(after)
    changed = [cell for cell in seen.before if earlier[cell] != later[cell]]
    gains = (seen.evidence.of(c, later[c]) - seen.evidence.of(c, earlier[c]) for c in changed)
    return bool(changed) and sum(gains) > REFUTED


def _of_line(seen: TableLikelihood, line: UrLine) -> Explanation:
    expects = seen.changed(placement(line.position))
    first, *then = line.actions
    optional = seen.still_open(expects)
    log_prior = FOLLOWED * len(then) + (0.0 if expects else UNSEEN)
    return Hypothesis(Kind.LEGAL, log_prior, expects, optional, action=first, then=tuple(then), position=line.position)


def _nothing(seen: TableLikelihood, legal: Sequence[Explanation]) -> list[Explanation]:
    """Nobody has moved; where a single action is left and cannot be seen, it goes without saying."""
    if len(legal) == 1 and not legal[0].expects:
        return []
    return [Hypothesis(Kind.UNCHANGED, NOTHING, optional=tuple(seen.left_open.values()))]


# ---- work half done


def _half_done(seen: TableLikelihood, line: UrLine, whole: Explanation) -> Iterator[Explanation]:
    """Return the placements of a move that is partly done; the last one of a line."""
    after = {**seen.before, **whole.expects}
    for lies in _halfway(line):
        todo = tuple(
            PendingPlacement(cell, after[cell], label)
            for cell, label in lies.items()
            if after.get(cell, label) != label
        )
        expects = {**whole.expects, **{t.cell: t.observed for t in todo}}
        if todo and any(seen.before[cell] != label for cell, label in expects.items()):
            yield replace(whole, log_prior=whole.log_prior + HALF_DONE, expects=expects, undone=todo)


def _halfway(line: UrLine) -> Iterator[dict[Cell, str]]:
    """Return what may be on some places until a move is complete."""
    lay = placement(line.before)
    seat = line.before.decides
    stops = [_to(event) for event in line.events if event.name in ("moved", "moved-on")]
    for event in line.events:
        cell = _to(event)
        if event.name == "hit":  # the counter that was hit has not been taken off, or is under the other
            yield {cell: lay[cell]}
            if cell == stops[-1]:
                yield {cell: _on_top(seat, lay[cell])}
        elif event.name == "sent-off":
            yield {cell: _on_top(seat, lay[cell])}
        elif cell in stops[:-1]:  # the counter has not been moved on
            owner, number = counters_of(lay[cell])
            stopped = label_of(seat, number + 1 if owner == seat else 1)
            yield {cell: stopped, **{last: lay[last] for last in stops[-1:] if last in lay}}


def _on_top(seat: Seat, label: str) -> str:
    """Return how a counter looks that is on others: as a stack of its colour."""
    return label_of(seat, counters_of(label)[1] + 1)


def _to(event: Event) -> Cell:
    return Cell(str(event.facts.get("to", event.facts.get("cell"))))
