"""What people can choose with the buttons: actions without a trace on the table, explanations, and what to do next."""

from __future__ import annotations

from dataclasses import replace

from companion.core.entries import ClockStopped
from companion.core.messages import Buzz, Leave
from companion.core.playing import Step, adopted, ended, entered, recorded, run_clock
from companion.core.state import State
from companion.core.verdicts import Choice, Refused, Signal, Source, Unclear
from engines.kernel import JsonObject

EXPLANATION, TAKE_TABLE = "explanation", "take-table"
CONTINUE, SAVE, COUNT_NOW = "continue", "save", "count-now"
REMATCH, NEW_GAME, END = "rematch", "new", "over"

PAUSED = (Choice(CONTINUE), Choice(SAVE), Choice(COUNT_NOW))
AFTER_THE_END = (Choice(REMATCH), Choice(NEW_GAME), Choice(END))


def alternatives(state: State) -> tuple[Choice, ...]:
    """Return all that can be chosen now, in the order in which MODE steps through it."""
    if state.paused:
        return PAUSED
    if state.over:
        return AFTER_THE_END if state.lingers else ()
    choices = (*state.rules.choices(state.position), *_explanations(state))
    return (*choices, Choice(TAKE_TABLE, standing=False)) if _can_take_table(state) else choices


def _explanations(state: State) -> tuple[Choice, ...]:
    if not isinstance(state.verdict, Unclear):
        return ()
    return tuple(Choice(EXPLANATION, action, standing=False) for action in state.verdict.actions)


def _can_take_table(state: State) -> bool:
    disagrees = state.resumed or state.setting_up or isinstance(state.verdict, Refused)
    return bool(disagrees and state.out_of_step) and _table_position(state) is not None


def _table_position(state: State) -> object | None:
    """Return the position that the table has, as far as labels say; None where they do not say enough."""
    labels = dict(state.rules.placement(state.position))
    labels.update((difference.cell, difference.observed) for difference in state.out_of_step)
    position: object | None = state.rules.adopt(state.position, labels)
    return position


def shown_place(state: State) -> int | None:
    """Return the place of the choice that DONE plays, None where DONE plays none."""
    choices = alternatives(state)
    if state.chosen is not None and state.chosen < len(choices):
        return state.chosen
    return 0 if choices and choices[0].standing else None


def shown_choice(state: State) -> Choice | None:
    """Return the choice that DONE plays."""
    place = shown_place(state)
    return None if place is None else alternatives(state)[place]


def next_choice(state: State) -> State:
    """Step to the next choice."""
    choices, place = alternatives(state), shown_place(state)
    return replace(state, chosen=0 if place is None else (place + 1) % len(choices))


def choose(state: State, choice: Choice, source: Source = Source.BUTTON) -> Step:
    """Play a choice, or do what it says about the evening."""
    if choice.action is not None:
        return _play(state, choice, choice.action, source)
    match choice.code:
        case _ if choice.code == CONTINUE:
            return resume(state)
        case _ if choice.code == COUNT_NOW:
            return ended(state)
        case _ if choice.code == TAKE_TABLE:
            return adopted(state, _table_position(state))
    return state, (Leave(choice.code),)


def _play(state: State, choice: Choice, action: JsonObject, source: Source) -> Step:
    if choice.counts is None:
        return entered(state, action, Source.OVERRULED if choice.code == EXPLANATION else source)
    if state.number is None:
        return state, (Buzz(Signal.UNSURE),)
    return entered(state, {**action, choice.counts: state.number}, source)


# ---- counting a number on the panel


def counts(state: State) -> bool:
    """Return whether ROLL and BACK count a number now."""
    choice = shown_choice(state)
    return choice is not None and choice.counts is not None


def counted(state: State, by: int) -> State:
    """Count up or down, within the range that the game allows; the first press shows the lowest number but one."""
    numbers = state.rules.prompt(state.position).numbers
    if numbers is None:
        return state
    low, high = numbers
    number = low - 1 if state.number is None else state.number
    return replace(state, number=min(max(number + by, low), high))


# ---- pausing


def pause(state: State) -> Step:
    """Interrupt play; the clocks stand still."""
    if state.over or state.paused:
        return state, ()
    held = replace(state, paused=True, chosen=None)
    if state.clock is None:
        return held, ()
    noted, effects = recorded(held, ClockStopped(state.clock.remaining_s(state.now_ns)))
    after, clocks = run_clock(noted)
    return after, (*effects, *clocks)


def resume(state: State) -> Step:
    """Go on after a pause, with the time that was left."""
    return run_clock(replace(state, paused=False, chosen=None))
