"""Accepting actions, taking them back and playing them again, with their clocks and the companion's own seats."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.core.entries import Adopted, Advised, Ended, Entry, Played, Redone, Undone
from companion.core.messages import Advise, Buzz, Effect, Leave, SavePicture, StartTimer, StopTimer, Throw, WriteEntry
from companion.core.stability import FrameWindow
from companion.core.state import (
    BY_BUTTON,
    LegalAction,
    RunningClock,
    State,
    allowed,
    applied,
    awaits_throw,
    once,
    placement,
    play,
    prompt,
)
from companion.core.turns import acting
from companion.core.verdicts import (
    Action,
    ActionSource,
    Confirmed,
    PendingPlacement,
    Picture,
    Position,
    Refused,
    TookBack,
    Unclear,
)
from engines.kernel import Cell, Level, Refusal, Seat
from hardware.panel import Signal
from vision.looks.memory import learn, same_since_known
from vision.observation import Observation

DEADLINE = "deadline"
"""The timer of the game's clock."""

TICK = "tick"
"""The timer that shows the remaining time again."""

TICK_S = 1.0

CALL, CALL_S = "call", 45.0
"""The timer after which the companion acts if anyone may, and its seconds: the players can be first until then."""

EARLY_S = 5.0
"""How long a press of ROLL before the move is confirmed is remembered."""

Step: TypeAlias = tuple[State, tuple[Effect, ...]]


def recorded(state: State, entry: Entry, legal: LegalAction | None = None) -> Step:
    """Apply an entry and order it to be written; `legal` is its action, if it has one."""
    return replace(state, progress=applied(state.rules, state.progress, entry, legal)), (WriteEntry(entry),)


# ---- accepting


def entered(state: State, action: Action | LegalAction, source: ActionSource) -> Step:
    """Play an action that was not read from the table; a forbidden one is refused and changes nothing."""
    if not isinstance(action, LegalAction):
        legal = play(state.rules, state.position, action)
        if isinstance(legal, LegalAction):
            return entered(state, legal, source)
        refused = Refused(legal.code, legal.rule, legal.cells, action=action)
        return replace(state, verdict=refused), (Buzz(Signal.REFUSED),)
    after = state.rules.placement(action.outcome.position)
    changed = to_put(placement(state), after)
    if source is not ActionSource.OVERRULED:
        return accepted(state, (action,), carried(state.progress.left_open, changed) if state.sees else (), source)
    # The players say that the table shows it, and what they were asked about. What looks as it did before is still to
    #   be done; the rest is learned.
    asked = state.verdict.cells if isinstance(state.verdict, Unclear) else ()
    frames, cells = state.sight.frames, {*asked, *(todo.cell for todo in changed)}
    same = same_since_known(frames[-1], state.memory) if frames else {}
    todo = tuple(
        todo
        for todo in carried(state.progress.left_open, changed)
        if todo.cell not in cells or same.get(todo.cell) == todo.observed
    )
    return accepted(learned(state, frames, after, todo, put_right=True) if frames else state, (action,), todo, source)


def learned(
    state: State,
    frames: Sequence[Observation],
    labels: Mapping[Cell, str],
    left_open: Sequence[PendingPlacement],
    *,
    put_right: bool | NDArray[np.bool_] = False,
    unchanged: bool = False,
    beside: Collection[Cell] = (),
) -> State:
    """Remember how cells with agreed labels look in still frames (`vision.looks.memory.learn`)."""
    undone = {todo.cell: todo.observed for todo in left_open}
    memory, coloured = state.memory, bool(state.rules.board().colours)
    memory = learn(
        frames, labels, undone, memory, put_right=put_right, unchanged=unchanged, coloured=coloured, beside=beside
    )
    return replace(state, memory=memory)


def accepted(
    state: State,
    actions: Sequence[LegalAction],
    todo: tuple[PendingPlacement, ...],
    source: ActionSource,
) -> Step:
    """Record legal actions one after another; what is left to do on the table belongs to the last."""
    effects: list[Effect] = []
    parts: list[Confirmed] = []
    earlier, told = None if state.unread is not state.verdict else state.unread, state.progress.left_open
    for number, legal in enumerate(actions, 1):
        seat, events = acting(state.rules.engine, state.position), tuple(legal.outcome.events)
        if parts and parts[-1].seat == seat:
            parts[-1] = replace(parts[-1], events=(*parts[-1].events, *events))
        else:
            parts.append(Confirmed(seat, legal.action, events, source=source))
        last_todo = todo if number == len(actions) else ()
        written = state.rules.engine.action_to_json(legal.action)
        entry = Played(written, last_todo, source, _remaining_after(state, legal))
        state, ordered = recorded(state, entry, legal)
        effects += ordered
    # what was told with an earlier action may be done by now, and is shown until that is seen
    new = todo if earlier else tuple(one for one in todo if one not in told)
    verdict = replace(parts[0], todo=new, then=tuple(parts[1:]), earlier=earlier)
    if source in (ActionSource.CAMERA, ActionSource.OVERRULED):
        effects.append(SavePicture(Picture.MOVE))
    return _settle(replace(state, verdict=verdict), effects)


def in_a_row(state: State, actions: Sequence[Action]) -> tuple[LegalAction, ...]:
    """Play legal actions one after another."""
    position, played = state.position, list[LegalAction]()
    for action in actions:
        played.append(allowed(state.rules, position, action))
        position = played[-1].outcome.position
    return tuple(played)


def _settle(state: State, effects: Sequence[Effect]) -> Step:
    """Forget everything about the position before, and order what the new one needs."""
    after, clocks = run_clock(replace(_afresh(state), setting_up=False, settled_ns=state.now_ns))
    if after.over:
        return after, (*effects, *clocks, Buzz(Signal.OVER), SavePicture(Picture.FINAL), *leave_when_over(after))
    return after, (*effects, Buzz(Signal.ACCEPTED), *clocks, *companion_acts(after))


def _afresh(state: State) -> State:
    """Drop what was pressed, seen, chosen, counted and advised for the position before."""
    sight = state.sight  # the card next to the board is still the same
    return replace(
        state,
        sight=FrameWindow(card=sight.card, card_frames=sight.card_frames, card_since_ns=sight.at_ns),
        pressed=False,
        resumed=False,
        throwing=False,
        rejected_position=None,
        waiting=None,
        out_of_step=(),
        goes_back=0,
        overrides={},
        overruled={},
        complained_look=None,
        layout=None,
        unread=None,
        setting=None,
        chosen=None,
        number=None,
        dice_read=None,
        dice_counted=(),
        count_shown=None,
        advice=None,
        asked=None,
        request=None,
        calling=False,
    )


def leave_when_over(state: State) -> tuple[Effect, ...]:
    """Order the session to end with its game, unless it lingers."""
    return () if state.lingers else (Leave("over"),)


# ---- what is left to do on the table


def to_put(before: Mapping[Cell, str], after: Mapping[Cell, str]) -> tuple[PendingPlacement, ...]:
    """Return the placements that lead from one placement to another."""
    return tuple(
        PendingPlacement(cell, label, before[cell]) for cell, label in after.items() if before.get(cell, label) != label
    )


def carried(left_open: Sequence[PendingPlacement], changed: Sequence[PendingPlacement]) -> tuple[PendingPlacement, ...]:
    """Return what an action leaves to do, added to what was left before; earlier observed labels are kept."""
    earlier = {todo.cell: todo for todo in left_open}
    new = {
        todo.cell: replace(todo, observed=earlier[todo.cell].observed) if todo.cell in earlier else todo
        for todo in changed
    }
    return tuple(todo for todo in {**earlier, **new}.values() if todo.expected != todo.observed)


# ---- taking back and playing again


def took_back(state: State, rejected_position: Position | None, actions: int = 1) -> Step:
    """Take the last actions back; `rejected_position` is the position after them if it is still on the table."""
    effects: list[Effect] = []
    for _action in range(actions):
        last, lies, frames = state.progress.past[-1], placement(state), state.sight.frames
        on_table = rejected_position is not None and state.sees
        todo = to_put(lies, state.rules.placement(last.position)) if on_table else ()
        state, ordered = recorded(state, Undone())
        state = replace(
            _afresh(state),
            verdict=TookBack(last.seat or state.players[0], todo, last.played.action if last.played else None),
            rejected_position=rejected_position if todo else None,
            rejected_look=frames[-1] if todo and frames else None,
            unsettled=frozenset(one.cell for one in todo),
        )
        state, clocks = run_clock(state)
        effects += (*ordered, *clocks)
    return state, (*effects, *companion_acts(state))


def played_again(state: State) -> Step:
    """Play the action that was taken back last again."""
    again, seat = state.progress.future[-1], acting(state.rules.engine, state.position)
    legal = allowed(state.rules, state.position, again.action)
    after = legal.outcome.position
    on_table = state.rejected_position == after
    changed = () if on_table else to_put(placement(state), state.rules.placement(after))
    todo = carried(state.progress.left_open, changed) if state.sees else ()
    state, effects = recorded(state, Redone(todo, _remaining_after(state, legal)), legal)
    verdict = Confirmed(seat, again.action, legal.outcome.events, todo, again.entry.source)
    return _settle(replace(state, verdict=verdict), effects)


def adopted(state: State, position: Position) -> Step:
    """Adopt a position as the new truth."""
    data = state.rules.engine.position_to_json(position)
    state, effects = recorded(state, Adopted(data))
    return _settle(replace(state, verdict=None), effects)


def ended(state: State) -> Step:
    """End the game before its rules do, and count the score."""
    state, effects = recorded(replace(state, paused=False), Ended())
    return _settle(state, effects)


# ---- clocks


def run_clock(state: State) -> Step:
    """Start, keep or stop the position's clock."""
    deadline = None if state.over or state.paused else prompt(state).deadline
    if deadline is None:
        stop = (StopTimer(DEADLINE), StopTimer(TICK)) if state.clock else ()
        return replace(state, clock=None), stop
    if state.clock and state.clock.name == deadline.name:
        return state, ()
    seconds = deadline.seconds if state.progress.remaining_s is None else state.progress.remaining_s
    clock = RunningClock(deadline.name, deadline.seconds, state.now_ns + round(seconds * 1e9))
    return replace(state, clock=clock), (StartTimer(DEADLINE, seconds), StartTimer(TICK, TICK_S))


def _remaining_after(state: State, legal: LegalAction) -> float | None:
    """Return the time left on the clock after an action: of a clock that keeps running, or of a new one."""
    deadline = state.rules.turns.prompt(legal.outcome.position).deadline
    if deadline is None:
        return None
    running = state.clock
    return running.remaining_s(state.now_ns) if running and running.name == deadline.name else deadline.seconds


def time_up(state: State) -> Step:
    """Play the action that an expired clock causes."""
    deadline = prompt(state).deadline
    if deadline is None or state.clock is None or state.paused:
        return state, ()
    return entered(replace(state, clock=None), deadline.time_up, ActionSource.CLOCK)


# ---- throws, and the seats that the companion plays


def thrown(state: State) -> Step:
    """Order a throw, or use again one that was taken back."""
    if (again := kept_throw(state)) is not None:
        return entered(state, again, ActionSource.BUTTON)
    if state.throwing:
        return state, ()
    return replace(state, throwing=True), (Throw(state.position),)


def may_roll_early(state: State) -> bool:
    """Return whether ROLL, pressed before the table was judged, throws once a move is confirmed."""
    playing = state.sees and not (state.over or state.paused)
    return playing and state.rules.engine.has_dice and state.progress.arrangement.dice == BY_BUTTON


def rolled_early(before: State, after: State) -> Step:
    """Throw once the move is confirmed after an early press of ROLL; forget the press if none is confirmed in time."""
    if after.position != before.position and may_roll_early(after) and awaits_throw(after):
        own = prompt(after).seat in after.progress.arrangement.companion_seats
        ready = replace(after, rolled_ns=None, unread=after.verdict if isinstance(after.verdict, Confirmed) else None)
        return (ready, ()) if own else thrown(ready)
    waits = after.verdict is before.verdict and may_roll_early(after)
    in_time = after.now_ns - (after.rolled_ns or 0) < EARLY_S * 1e9
    return (after if waits and in_time else replace(after, rolled_ns=None)), ()


@once
def kept_throw(state: State) -> LegalAction | None:
    """Return the taken-back throw that counts again; None if there is none, or the rules forbid it by now."""
    if not state.progress.kept:
        return None
    legal = play(state.rules, state.position, state.progress.kept[-1])
    return None if isinstance(legal, Refusal) else legal


def companion_acts(state: State) -> tuple[Effect, ...]:
    """Order the companion's action for its own seat, unless it waits until the players ask for it."""
    return () if state.paused or held_back(state) else companion_ordered(state)


def held_back(state: State) -> bool:
    """Return whether the companion's own seat waits, because an action was taken back and may be played again.

    The players take back several actions one by one; an action of the companion in between would prevent that.
    """
    return bool(state.progress.future) and state.request is None and _plays_next(state)


def _plays_next(state: State) -> bool:
    return not state.over and prompt(state).seat in state.progress.arrangement.companion_seats


def companion_ordered(state: State) -> tuple[Effect, ...]:
    """Order a throw or advice for one of the companion's own seats."""
    if calls_first(state):
        return (StartTimer(CALL, CALL_S),)
    if not _plays_next(state):
        return ()
    if acting(state.rules.engine, state.position) is None and awaits_throw(state):
        return (Throw(state.position),)
    return (Advise(state.position, level_of(state, prompt(state).seat)),)


def level_of(state: State, seat: Seat | None) -> Level | None:
    """Return how well the companion plays its own seat; None for the level agreed for the evening."""
    return None if seat is None else state.progress.arrangement.levels.get(seat)


@once
def hinted(state: State) -> LegalAction | None:
    """Return the advised move that can be accepted because it shows on the table, None if there is none."""
    if state.advice is None or state.advice.action is None or prompt(state).seat is None:
        return None
    legal = play(state.rules, state.position, state.advice.action)
    shows = not isinstance(legal, Refusal) and state.rules.placement(legal.outcome.position) != placement(state)
    return legal if shows and not isinstance(legal, Refusal) else None


def calls_first(state: State) -> bool:
    """Return whether the companion has a seat of its own and may act before the others do."""
    seats = state.progress.arrangement.companion_seats
    free = not (state.over or state.paused) and prompt(state).seat is None
    return free and any(choice.by in seats for choice in state.rules.turns.choices(state.position))


def advised(state: State, event: Advised) -> Step:
    """Show advice, or play it for the companion's own seat."""
    if event.position != state.position or state.over:
        return state, ()
    if state.calling:  # the advice is to the first to act; the companion plays that number for its own seat
        seats, (low, high) = state.progress.arrangement.companion_seats, prompt(state).numbers or (0, -1)
        calls = [(one.by, one.counts) for one in state.rules.turns.choices(state.position) if one.counts is not None]
        number = next((n for n in range(low, high + 1) for _by, count in calls if count(n) == event.action), None)
        own = next((count for by, count in calls if by in seats), None)
        if number is not None and own is not None:
            return entered(replace(state, calling=False), own(number), ActionSource.COMPANION)
    if event.action is None or not _plays_next(state):
        return replace(state, advice=event), ()
    legal = play(state.rules, state.position, event.action)
    if isinstance(legal, Refusal):
        return entered(state, event.action, ActionSource.COMPANION)
    if state.sees and state.rules.placement(legal.outcome.position) != placement(state):
        return replace(state, request=legal), ()
    return entered(state, legal, ActionSource.COMPANION)
