"""Hypotheses on what happened in a turn of the Royal Game of Ur, for the core to weigh."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from companion.core.hypothesis import Hypothesis
from companion.games.hypotheses import Explainer, PlyLine, Shift, TableLikelihood, most_probable
from companion.games.royal_ur.table import counters_of, label_of, placement
from engines.kernel import Cell, Event, Refusal, Seat
from engines.royal_ur import GAME
from engines.royal_ur.board import START
from engines.royal_ur.position import Action, Await, Move, Position
from engines.royal_ur.rules import count_of
from vision.labels import EMPTY

# ---- mistakes with counters: one is moved against the rules, or more than one


Explanation: TypeAlias = Hypothesis[Position, Action]

SEVERAL = -5.0
EACH = -1.5
"""Log priors that more than one counter was moved, and for each place that differs."""


_REASONS: Mapping[str, tuple[str, float]] = {
    "wrong-count": ("3.1", -4.0),
    "backwards": ("3.1", -5.0),
    "stack-hit": ("4.3", -5.0),
    "entered-elsewhere": ("3.1", -5.0),
    "off-the-way": ("1.1", -5.0),
    "taken-off": ("3.5", -5.3),
    "out-of-turn": ("3.1", -4.6),
    "put-on": ("3.1", -5.3),
}
"""Why a counter must not be moved like that: the paragraph of RULES.md and the log prior, by the code."""


_Gains: TypeAlias = Mapping[Cell | None, float]


def mistakes(position: Position, seen: TableLikelihood, _allowed: Sequence[Explanation]) -> Iterator[Explanation]:
    """Yield the best explanations: one counter moved anywhere, and everything that looks different as it looks."""
    shifts: list[tuple[float, Shift]] = []
    for seat in position.players:
        lifted = _gains(seen, {c: _less(label) for c, label in seen.before.items() if counters_of(label)[0] == seat})
        put = _gains(seen, {cell: _more(seat, label) for cell, label in seen.before.items()})
        moves = ((start, end) for start in lifted for end in put if end != start)
        shifts += [(lifted[start] + put[end], Shift(seat, start, end)) for start, end in moves]
    for shift in most_probable(shifts):
        yield _one(position, seen, shift)
    # everything as it looks, unless that is at most one moved counter
    odd = seen.odd()
    owners = [(counters_of(seen.before[cell])[0], counters_of(label)[0]) for cell, label in odd.items()]
    seats = [  # the players whose counters have changed other than by being hit
        seat
        for seat in position.players
        if any((was == seat and now in (None, seat)) or (now == seat and was != seat) for was, now in owners)
    ]
    changes = [cell for cell, label in odd.items() if _number(label, seats) != _number(seen.before[cell], seats)]
    steps = sorted(_number(label, seats) - _number(seen.before[cell], seats) for cell, label in odd.items())
    if len(changes) > 1 and not (len(seats) == 1 and len(changes) == 2 and steps == [-1, 1]):
        refusal = Refusal("several-counters", "3.3", tuple(changes))
        yield seen.refused(odd, refusal, SEVERAL + EACH * len(odd), {"turn": position.decides})


def _gains(seen: TableLikelihood, labels: Mapping[Cell, str]) -> _Gains:
    return {None: 0.0, **{cell: seen.gain(cell, label) for cell, label in labels.items()}}


def _less(label: str) -> str:
    seat, number = counters_of(label)
    return EMPTY if seat is None else label_of(seat, number - 1)


def _more(seat: Seat, label: str) -> str:
    """Return the label of a place on which a counter is put; it replaces counters of another player."""
    owner, number = counters_of(label)
    return label_of(seat, number + 1 if owner == seat else 1)


def _one(position: Position, seen: TableLikelihood, shift: Shift) -> Explanation:
    expects = {}
    if shift.start is not None:
        expects[shift.start] = _less(seen.before[shift.start])
    if shift.end is not None:
        expects[shift.end] = _more(shift.seat, seen.before[shift.end])
    refusal, log_prior = _reason(position, shift)
    facts = {
        "player": shift.seat,
        "turn": position.decides,
        "start": shift.start,
        "end": shift.end,
        "squares": _squares(position, shift),
        "count": count_of(position) if position.awaits in (Await.MOVE, Await.FORFEIT) else 0,
    }
    return seen.refused(expects, replace(refusal, cells=shift.cells), log_prior, facts)


def _reason(position: Position, shift: Shift) -> tuple[Refusal, float]:
    """Return why a counter must not be moved like that, and the log prior that players do it."""
    refused = GAME.play(position, Move(START))
    rule, log_prior = _REASONS["out-of-turn"]
    if position.awaits in (Await.ROLL, Await.THROW_OFF, Await.ENTER) and isinstance(refused, Refusal):
        return refused, log_prior
    if shift.seat != position.decides:
        return Refusal("out-of-turn", "5.3" if position.awaits is Await.FORFEIT else rule), log_prior
    # a counter of the player to move, which must not come to this place
    way, squares = _way(position, shift.seat), _squares(position, shift)
    if shift.end is None:
        code = "taken-off"
    elif shift.end not in way:
        code = "off-the-way"
    elif shift.start is None:
        code = "put-on" if way.index(shift.end) == START else "entered-elsewhere"
    elif squares == count_of(position):
        code = "stack-hit"
    else:
        code = "wrong-count" if squares > 0 else "backwards"
    rule, log_prior = _REASONS[code]
    return Refusal(code, rule), log_prior


def _way(position: Position, seat: Seat) -> tuple[Cell, ...]:
    return position.board.ways[position.place(seat)]


def _squares(position: Position, shift: Shift) -> int:
    """Return how many squares a counter went on its way; 0 if it started or ended off it."""
    way = _way(position, shift.seat)
    if shift.start not in way or shift.end not in way:
        return 0
    return way.index(shift.end) - way.index(shift.start)


def _number(label: str, seats: list[Seat]) -> int:
    """Return the number of counters of these players in a label."""
    seat, number = counters_of(label)
    return number if seat in seats else 0


# ---- what may have happened


MOST_ACTIONS = 3  # a move onto eyes, the forfeit for it, and then the offer of a rosette


def _halfway(_seen: TableLikelihood, line: PlyLine[Position, Action]) -> Iterator[dict[Cell, str]]:
    """Yield the labels that some places may have until a move is complete."""
    lay = placement(line.before)
    seat = line.before.decides
    stops = [_to(event) for event in line.events if event.name in ("moved", "moved-on")]
    for event in line.events:
        cell = _to(event)
        if event.name == "hit":  # the counter that was hit is still alone there, or under the other
            yield {cell: lay[cell]}
            if cell == stops[-1]:
                yield {cell: _on_top(seat, lay[cell])}
        elif event.name == "sent-off":
            yield {cell: _on_top(seat, lay[cell])}
        elif cell in stops[:-1]:  # the counter was not carried on yet
            yield {cell: _more(seat, lay[cell]), **{last: lay[last] for last in stops[-1:] if last in lay}}


def _on_top(seat: Seat, label: str) -> str:
    """Return the label of a counter on others, which looks like a stack of its colour."""
    return label_of(seat, counters_of(label)[1] + 1)


def _to(event: Event) -> Cell:
    return Cell(str(event.facts.get("to", event.facts.get("cell"))))


EXPLAINER: Explainer[Position, Action] = Explainer(
    game=GAME,
    labels=placement,
    most_actions=MOST_ACTIONS,
    mistakes=mistakes,
    halfway=_halfway,
)
