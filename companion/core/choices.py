"""The choices made with the buttons: actions without a trace on the table, explanations, and what to do next.

A cell can also be set by hand: ROLL and BACK step through the cells, then through the labels for the chosen cell. DONE
accepts the label shown, MODE leaves the cell unchanged. Cells that the camera doubts come first; among the labels, the
expected one comes first, then the most probable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from companion.core import playing
from companion.core.entries import ClockStopped, ModeSet
from companion.core.messages import Advise, Buzz, Leave, StartTimer
from companion.core.playing import Step
from companion.core.state import BY_BUTTON, State, awaits_throw, before_play, once, placement, prompt, winners
from companion.core.verdicts import (
    ALTERED,
    SET_ANY,
    Action,
    ActionSource,
    CellSetting,
    Choice,
    Count,
    Mode,
    Position,
    Refused,
    Unclear,
    Verdict,
)
from engines.kernel import Cell, Seat
from hardware.panel import Signal
from vision.observation import Observation

EXPLANATION, TAKE_TABLE = "explanation", "take-table"
GO_BACK, SET_CELL = "go-back", "set-cell"
CONTINUE, SAVE, COUNT_NOW, HINT = "continue", "save", "count-now", "hint"
THROW_DICE, COMPANION, TAKE_HINT = "throw-dice", "companion", "take-hint"
SWITCH_OFF = "switch-off"
"""Switches the box off; DONE has to be pressed twice."""

REMATCH, NEW_GAME, END = "rematch", "new", "over"

LEAVE, RETURN = "leave", "return"
JUDGE_ON_DONE, JUDGE_BY_ITSELF = "judge-on-done", "judge-by-itself"

DICE = "dice"
"""The timer after which a throw read by the camera counts, unless the players object."""

DICE_S = 2.0

MOST_CELLS = 4
"""The largest number of misread cells for which the players are offered a correction of each."""

Choices: TypeAlias = tuple[Choice[Action], ...]

PAUSED: Choices = (Choice(CONTINUE), Choice(SAVE), Choice(COUNT_NOW))
AFTER_THE_END: Choices = (Choice(REMATCH), Choice(NEW_GAME), Choice(END))


@once
def alternatives(state: State) -> Choices:
    """Return all choices available now, in the order in which MODE steps through them."""
    if state.paused:
        other = JUDGE_ON_DONE if state.progress.mode is Mode.AUTOMATIC else JUDGE_BY_ITSELF
        mode: Choices = (Choice(other),) if state.sees else ()
        # players may leave, so that the companion plays on for them, and return; a seat with a level was never theirs
        own, agreed = state.progress.arrangement.companion_seats, state.progress.arrangement.levels
        present = [seat for seat in state.players if seat not in own]
        leaving: Choices = tuple(Choice(LEAVE, by=seat) for seat in present) if len(present) > 1 else ()
        returning: Choices = tuple(Choice(RETURN, by=seat) for seat in own if seat not in agreed)
        return (*PAUSED, *leaving, *returning, Choice(HINT), *mode, *_switching_off(state))
    if state.over:
        return (*AFTER_THE_END, *_switching_off(state)) if state.lingers else ()
    if state.setting is not None:
        return (state.setting.choice,)
    offered: list[Choice[Action]] = [Choice(COMPANION)] if playing.held_back(state) else []
    offered += state.rules.turns.choices(state.position)
    if isinstance(state.verdict, Unclear):
        offered += [Choice(EXPLANATION, action, standing=False) for action in state.verdict.actions]
    if (hint := playing.hinted(state)) is not None:
        offered.append(Choice(TAKE_HINT, hint.action, standing=False))
    if throws_by_hand(state):
        offered.append(Choice(THROW_DICE, standing=False))
    if state.goes_back:
        offered.append(Choice(GO_BACK, standing=False))
    disagrees = state.out_of_step and (before_play(state) or isinstance(state.verdict, Refused))
    can_take = disagrees and _table_position(state) is not None
    takes: Choices = (Choice(TAKE_TABLE, standing=False),) if can_take else ()
    altered = isinstance(state.verdict, Refused) and state.verdict.code == ALTERED
    return (*offered, *takes, *_cells_to_set(state)) if altered else (*offered, *_cells_to_set(state), *takes)


def _switching_off(state: State) -> Choices:
    return (Choice(SWITCH_OFF),) if state.switches_off else ()


def _cells_to_set(state: State) -> Choices:
    """Return the choices that correct a few misread cells, and the one that sets any cell by hand."""
    if not (isinstance(state.verdict, Refused) or _is_ambiguous(state.verdict) or state.layout):
        return ()
    few = state.out_of_step if len(state.out_of_step) <= MOST_CELLS else ()
    as_expected: Choices = tuple(Choice(SET_CELL, standing=False, cell=odd.cell, label=odd.expected) for odd in few)
    return (*as_expected, Choice(SET_ANY, standing=False)) if _observation(state) is not None else as_expected


def _table_position(state: State) -> Position | None:
    """Return the position that the labels show, None if they do not determine one."""
    labels = dict(placement(state))
    labels.update((difference.cell, difference.observed) for difference in state.out_of_step)
    return state.rules.adopt(state.position, labels)


@once
def shown_place(state: State) -> int | None:
    """Return the index of the choice that DONE plays, None if DONE plays none.

    On a doubtful table, and on one that looks different from the game, DONE plays none until the players step to one
    themselves. An action that was taken back comes before the first choice, so that players who pressed BACK by
    accident can play it again.
    """
    if state.setting is not None and not (state.over or state.paused):
        return 0
    if state.chosen is not None and state.chosen < len(alternatives(state)):
        return state.chosen
    choices = alternatives(state)
    standing = bool(choices) and choices[0].standing
    differs = standing and choices[0].counts is None and bool(state.out_of_step)  # a number being counted goes on
    if not standing or ((_is_ambiguous(state.verdict) or differs) and not (state.over or state.paused)):
        return None
    future = state.progress.future
    taken_back = future[-1].action if future and not (state.over or state.paused) else None
    again = (place for place, one in enumerate(choices) if taken_back is not None and one.action == taken_back)
    return next(again, 0)


def _is_ambiguous(verdict: Verdict | None) -> bool:
    return isinstance(verdict, Unclear) and verdict.code in ("ambiguous", "hand")


def has_standing(state: State) -> bool:
    """Return whether there is a choice that DONE plays on an unchanged table."""
    choices = alternatives(state)
    return (bool(choices) and choices[0].standing) or takes_hint(state)


def takes_hint(state: State) -> bool:
    """Return whether DONE plays the advised action on an unchanged table."""
    choices = alternatives(state)
    return state.chosen is not None and state.chosen < len(choices) and choices[state.chosen].code == TAKE_HINT


def shown_choice(state: State) -> Choice[Action] | None:
    """Return the choice that DONE plays."""
    place = shown_place(state)
    return None if place is None else alternatives(state)[place]


def next_choice(state: State) -> State:
    """Step to the next choice; after the last one, to what DONE does when nothing is chosen."""
    place = shown_place(state)
    begins = place is None or (state.chosen is None and (place > 0 or offered_throw(state) is not None))
    following = 0 if begins or place is None else place + 1
    chosen = following if following < len(alternatives(state)) else None
    return replace(state, chosen=chosen, stepped=True, count_shown=None)


def explanation_proposed(state: State) -> State:
    """Return the state in which DONE plays the only explanation of a table, unless the players touch it first."""
    codes = [choice.code for choice in alternatives(state)]
    return replace(state, chosen=codes.index(EXPLANATION) if codes.count(EXPLANATION) == 1 else None)


def choice_kept(before: State, after: State) -> State:
    """Return a state that still shows the choice that MODE stepped to, or none if it is no longer available.

    A choice is stored by its index, and a table that was corrected or refused has other choices than before.
    """
    if after.chosen is None or after.chosen != before.chosen:
        return after
    was, now = alternatives(before), alternatives(after)
    if was == now or after.chosen >= len(was):
        return after
    shown = was[after.chosen]
    return replace(after, chosen=now.index(shown) if shown in now else None)


def choose(state: State, choice: Choice[Action], source: ActionSource = ActionSource.BUTTON) -> Step:  # noqa: PLR0911, PLR0912
    """Play a choice, or do what it says about the evening. Any other choice cancels switching off."""
    confirmed, state = state.confirms, replace(state, confirms=False)
    if choice.counts is not None:
        if state.number is None:
            return state, (Buzz(Signal.UNSURE),)
        return playing.entered(state, choice.counts(state.number), source)
    if choice.action is not None:
        return playing.entered(state, choice.action, ActionSource.OVERRULED if choice.code == EXPLANATION else source)
    match choice.code:
        case _ if choice.code == THROW_DICE:
            return playing.thrown(replace(state, chosen=None))
        case _ if choice.code == COMPANION:
            return replace(state, chosen=None), playing.companion_ordered(state)
        case _ if choice.code == CONTINUE:
            return resume(state)
        case _ if choice.code == HINT:
            after, effects = resume(state)
            return after, (*effects, Advise(after.position))
        case _ if choice.code == COUNT_NOW:
            return playing.ended(state)
        case _ if choice.code in (JUDGE_ON_DONE, JUDGE_BY_ITSELF):
            mode = Mode.ON_DONE if choice.code == JUDGE_ON_DONE else Mode.AUTOMATIC
            return playing.recorded(replace(state, chosen=None), ModeSet(mode))
        case _ if choice.code in (LEAVE, RETURN) and choice.by is not None:
            # the companion plays on for a player who leaves, or returns the seat; the game stays paused
            arrangement = state.progress.arrangement
            others = tuple(other for other in arrangement.companion_seats if other != choice.by)
            entry = replace(arrangement, companion_seats=(*others, choice.by) if choice.code == LEAVE else others)
            return playing.recorded(replace(state, chosen=None, chosen_before=None, request=None), entry)
        case _ if choice.code == SWITCH_OFF and not confirmed:
            return replace(state, confirms=True), (Buzz(Signal.UNSURE),)
        case _ if choice.code == GO_BACK:
            return playing.took_back(state, rejected_position=None, actions=state.goes_back)
        case _ if choice.code == SET_ANY:
            return _setting_begun(state), ()
        case _ if choice.code == TAKE_TABLE:
            position = _table_position(state)
            return (state, ()) if position is None else playing.adopted(state, position)
    return state, (Leave(choice.code),)


# ---- counting a number on the panel


def counts(state: State) -> bool:
    """Return whether ROLL and BACK count a number now."""
    return state.setting is None and number_range(state) is not None


@once
def number_range(state: State) -> tuple[int, int] | None:
    """Return the lowest and highest number that can be counted now, None if nothing can be counted."""
    if counts_dice(state):
        return state.rules.turns.dice.numbers(state.position)[len(state.dice_counted)]
    choice = shown_choice(state)
    return None if choice is None or choice.counts is None else prompt(state).numbers


def counted(state: State, by: int) -> State:
    """Count up or down within the allowed range; the first press shows the lowest number."""
    numbers = number_range(state)
    if numbers is None:
        return state
    low, high = numbers
    number = low - 1 if state.number is None else state.number
    return replace(state, number=min(max(number + by, low), high))


# ---- points and wins, player by player


@once
def numbers_shown(state: State) -> tuple[Count, ...]:
    """Return the numbers that ROLL shows one after another: every player's points, then the wins of the evening."""
    if not (state.over or state.paused):
        return ()
    points = tuple(Count(seat, number) for seat, number in state.rules.engine.score(state.position).items())
    return (*points, *(Count(seat, number, wins=True) for seat, number in tally(state).items()))


@once
def tally(state: State) -> Mapping[Seat, int]:
    """Return the games that each seat's player has won this evening; empty until the first game is over."""
    if not state.tally and not state.over:
        return {}
    won = winners(state) if state.over else ()
    return {seat: state.tally.get(seat, 0) + (seat in won) for seat in state.players}


def count_shown(state: State) -> Count | None:
    """Return the number that is shown now, None if no number is."""
    shown = numbers_shown(state)
    return None if state.count_shown is None or state.count_shown >= len(shown) else shown[state.count_shown]


def next_count(state: State) -> State:
    """Show the next player's number, or none after the last."""
    following = 0 if state.count_shown is None else state.count_shown + 1
    return replace(state, count_shown=following if following < len(numbers_shown(state)) else None)


# ---- throws by hand


def throws_by_hand(state: State) -> bool:
    """Return whether the game expects a throw that the players make; the camera reads it or they enter it."""
    goes_on = not (state.over or state.paused)
    return goes_on and state.progress.arrangement.dice != BY_BUTTON and awaits_throw(state)


def counts_dice(state: State) -> bool:
    """Return whether a throw is being counted now: no choice is selected, and no throw read by the camera is shown."""
    free = state.chosen is None and state.dice_read is None and state.setting is None
    return free and throws_by_hand(state) and bool(state.rules.turns.dice.numbers(state.position))


@once
def offered_throw(state: State) -> Action | None:
    """Return the throw that DONE enters: one read by the camera, or one that was taken back and still applies."""
    if state.over or state.paused or state.setting is not None:
        return None
    if state.dice_read is not None:
        return state.dice_read
    begun = state.number is not None or state.dice_counted
    kept = playing.kept_throw(state) if throws_by_hand(state) and state.chosen is None and not begun else None
    return None if kept is None else kept.action


def die_counted(state: State) -> Step:
    """Add the counted number to the throw; the last one enters the throw."""
    numbers = (*state.dice_counted, *(() if state.number is None else (state.number,)))
    if len(numbers) < len(state.rules.turns.dice.numbers(state.position)):
        return replace(state, dice_counted=numbers, number=None), ()
    throw = state.rules.turns.dice.counted(state.position, numbers)
    return playing.entered(replace(state, dice_counted=(), number=None), throw, ActionSource.TYPED)


def die_uncounted(state: State) -> State:
    """Count down, or return to the previous number of the throw."""
    numbers = number_range(state)
    if state.number is None:
        return replace(state, number=state.dice_counted[-1], dice_counted=state.dice_counted[:-1])
    at_lowest = numbers is not None and state.number == numbers[0]
    return replace(state, number=None) if at_lowest else counted(state, -1)


# ---- pausing


def pause(state: State) -> Step:
    """Interrupt play and stop the clocks."""
    if state.over or state.paused:
        return state, ()
    held = replace(state, paused=True, chosen=None, chosen_before=state.chosen, count_shown=None)
    if state.clock is None:
        return held, ()
    noted, effects = playing.recorded(held, ClockStopped(state.clock.remaining_s(state.now_ns)))
    after, clocks = playing.run_clock(noted)
    return after, (*effects, *clocks)


def resume(state: State) -> Step:
    """Resume play with the earlier choice, the time that was left, and a throw that was about to count."""
    after, clocks = playing.run_clock(replace(state, paused=False, chosen=state.chosen_before, count_shown=None))
    counts_soon = () if after.dice_read is None else (StartTimer(DICE, DICE_S),)
    return after, (*clocks, *counts_soon, *playing.companion_acts(after))


def layout_doubted(state: State) -> bool:
    """Return whether the players have laid everything out, but some cells are uncertain."""
    return state.layout is not None and bool(state.layout.doubt) and not state.layout.bare


def doubt_asked(state: State) -> State:
    """Return the state that asks the players for the label of a doubtful cell; unchanged while any cell is bare."""
    if state.layout is None or not layout_doubted(state):
        return state
    begun = _setting_begun(state, sorted(state.layout.doubt, key=lambda cell: cell in state.overrides))
    return begun if begun.setting is None else replace(begun, setting=with_labels(begun, begun.setting))


def _setting_begun(state: State, first: Sequence[Cell] = ()) -> State:
    """Return the state in which a cell is being chosen, or the same state if the table was never seen."""
    seen = _observation(state)
    if seen is None:
        return state
    doubted = [difference.cell for difference in state.out_of_step]
    named = state.verdict.cells if isinstance(state.verdict, Refused | Unclear) else ()
    order = dict.fromkeys(cell for cell in (*first, *doubted, *named, *state.doubt, *map(Cell, seen.cells)))
    known = set(seen.cells)
    return replace(state, setting=CellSetting(tuple(cell for cell in order if cell in known)), chosen=None)


def with_labels(state: State, setting: CellSetting) -> CellSetting:
    """Return a setting whose cell is chosen, with the possible labels of that cell."""
    seen = _observation(state)
    if seen is None:
        return setting
    expected = {**placement(state), **(state.layout.labels if state.layout else {})}.get(setting.cell)
    p = seen.p[seen.cells.index(setting.cell)]
    likely = [seen.labels[column] for column in (-p).argsort(kind="stable")]
    missing = state.layout.missing if state.layout else ()
    first = [label for label in (expected, *sorted(missing, key=likely.index)) if label in likely]
    return replace(setting, labels=tuple(dict.fromkeys(label for label in (*first, *likely) if label is not None)))


def _observation(state: State) -> Observation | None:
    """Return the last observation of the table, None if there is none."""
    if state.sight.frames:
        return state.sight.frames[-1]
    return None if state.memory is None else state.memory.seen
