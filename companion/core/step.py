"""The turn: `step(state, event) -> (state, effects)`, the only place where events become orders.

Every state has a way forward: a table that cannot be explained is looked at again, ever more rarely. DONE asks for a
verdict now, BACK takes the last action back, MODE steps through the other choices, and putting pieces back takes an
action back without a button.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.core import choices, looking, messages, playing
from companion.core.asking import ask, ask_by_key
from companion.core.display import PRESSING, display
from companion.core.entries import Advised
from companion.core.playing import Step
from companion.core.stability import interrupted
from companion.core.state import State, applied, awaits_throw, before_play
from companion.core.verdicts import Action, ActionSource, Asked, Choice, Mode, Question, Refused, Unclear, Waiting
from engines.kernel import Cell
from hardware.panel import Button, ButtonPressed, KeyPressed, Signal, SliderMoved

BACK_GUARD_NS = 400_000_000
"""Presses of BACK within this time are one press: they come from a held key or a bouncing contact."""

ROLL_GUARD_NS = BACK_GUARD_NS
"""A press of ROLL this soon after another is not the next player's throw, which is not visible yet."""

DONE_GUARD_NS = 700_000_000
"""A press of DONE this soon after an action was accepted, or after such a press, belongs to that action.

Nobody can have read yet what DONE plays now, and an impatient player presses it more than once. Other buttons end that.
"""


def step(state: State, event: messages.Event) -> Step:
    """Handle an event; return the new state and the effects in order."""
    timed = replace(state, now_ns=max(state.now_ns, getattr(event, "at_ns", 0)))
    after, effects = _handle(timed, event)
    if isinstance(event, messages.Recalled):
        return after, ()
    if after.rolled_ns is not None:
        after, rolled = playing.rolled_early(timed, after)
        effects = (*effects, *rolled)
    after = choices.choice_kept(state, after)
    asked = isinstance(event, messages.ActionEntered | Advised)
    return after, (*effects, *display(None if isinstance(event, messages.Began) else state, after, asked=asked))


def _handle(state: State, event: messages.Event) -> Step:  # noqa: PLR0911, PLR0912 - one line an event
    match event:
        case messages.FrameRead():
            return looking.frame_read(state, event)
        case messages.FrameBlind():
            return looking.frame_blind(state, event)
        case ButtonPressed(button, _, held):
            return _hold(state, button) if held else _press(state, button)
        case messages.ActionEntered(action, _, source):
            return _while_playing(state, lambda: playing.entered(state, action, source))
        case messages.Thrown(action, _, source):
            return _came_back(state, action, source)
        case messages.DiceRead(action):
            return _dice_read(state, action)
        case messages.ChoiceMade(index, _, number):
            return _chosen(state, index, number)
        case messages.TakeBackAsked(_, redo):
            return _redo(state) if redo else _back(state)
        case messages.ThrowAsked():
            return _while_playing(state, lambda: _throw(state))
        case messages.HintAsked():
            return state, () if state.over else (messages.Advise(state.position),)
        case Asked():
            return ask(state, event), ()
        case KeyPressed():
            return ask_by_key(state, event), ()
        case Advised():
            return _handle_advice(state, event)
        case messages.TimerFired(name):
            return _fire(state, name)
        case messages.SeatsArranged(arrangement):
            after, effects = playing.recorded(state, arrangement)
            return after, (*effects, *playing.companion_acts(after))
        case messages.Began(_, resumed):
            return _began(state, resumed=resumed)
        case messages.CellSet(cell, label):
            return _while_playing(state, lambda: _set_cell(state, cell, label))
        case messages.DeviceFailed(device, message):
            new = device in PRESSING and device not in state.failed
            sight = interrupted(state.sight) if device == "camera" else state.sight
            after = replace(state, failed={**state.failed, device: message}, sight=sight)
            return after, (messages.Buzz(Signal.FAULT),) if new else ()
        case messages.DeviceReturned(device):
            return replace(state, failed={d: m for d, m in state.failed.items() if d != device}), ()
        case SliderMoved(steps):
            numbers = choices.number_range(state)
            counted_to = state.number if numbers is None else min(max(steps, numbers[0]), numbers[1])
            return replace(state, slider_by_hand=steps, number=counted_to), ()
        case messages.Recalled(entry):
            return replace(state, progress=applied(state.rules, state.progress, entry)), ()


def _handle_advice(state: State, event: Advised) -> Step:
    """Handle advice; a proposed move becomes the choice that DONE plays."""
    after, effects = playing.advised(state, event)
    codes = [choice.code for choice in choices.alternatives(after)]
    shown = after.advice is not state.advice and choices.TAKE_HINT in codes and not (after.paused or after.setting)
    return (replace(after, chosen=codes.index(choices.TAKE_HINT)) if shown else after), effects


def _began(state: State, *, resumed: bool) -> Step:
    after = replace(state, resumed=resumed and state.sees, setting_up=state.sees and not resumed)
    if after.over:
        return after, playing.leave_when_over(after)
    after, clocks = playing.run_clock(after)
    ordered = playing.companion_acts(after) if resumed else ()  # in a new game, once the seats are written
    return after, (*clocks, *ordered)


def _set_cell(state: State, cell: Cell, label: str) -> Step:
    """Accept the players' label of a cell, and judge the table by it."""
    overruled = {other: seen for other, seen in state.overruled.items() if other != cell}
    overrides = {**state.overrides, cell: label}
    return looking.look(
        replace(
            state, overrides=overrides, overruled=overruled, pressed=True, judges_only=True, chosen=None, setting=None
        )
    )


def _choose(state: State, choice: Choice[Action], source: ActionSource = ActionSource.BUTTON) -> Step:
    if choice.cell is None:
        return choices.choose(state, choice, source)
    if not choice.label and state.setting is not None:
        return replace(state, setting=choices.with_labels(state, state.setting)), ()
    return _set_cell(state, choice.cell, choice.label)


def _while_playing(state: State, act: Callable[[], Step]) -> Step:
    """Call `act`, unless the game is over or paused."""
    return (state, ()) if state.over or state.paused else act()


def _fire(state: State, name: str) -> Step:  # noqa: PLR0911 - one line a timer
    match name:
        case looking.ANSWER if state.pressed:  # nothing was visible since DONE was pressed
            waiting = state.waiting or Waiting("moving")
            unclear = Unclear(waiting.code, waiting.cells)
            return replace(state, pressed=False, verdict=unclear), (messages.Buzz(Signal.UNSURE),)
        case playing.DEADLINE:
            return _while_playing(state, lambda: playing.time_up(state))
        case playing.TICK:
            return state, (messages.StartTimer(playing.TICK, playing.TICK_S),) if state.clock else ()
        case playing.CALL if playing.calls_first(state):
            if before_play(state):
                return state, (messages.StartTimer(playing.CALL, playing.CALL_S),)
            caller = state.progress.arrangement.companion_seats[0]
            return replace(state, calling=True), (messages.Advise(state.position, playing.level_of(state, caller)),)
        case choices.DICE if state.dice_read is not None:
            read = state.dice_read
            return _while_playing(state, lambda: playing.entered(state, read, ActionSource.CAMERA))
    return state, ()


# ---- buttons


def _press(state: State, button: Button) -> Step:  # noqa: PLR0911 - one line a button
    if button is not Button.DONE:
        state = replace(state, confirms=False)
    match button:
        case Button.DONE:
            return _done_button(state)
        case Button.BACK:
            return _back_button(state)
        case Button.MODE if state.setting is not None and not (state.over or state.paused):
            return replace(state, setting=None, chosen=None), ()
        case Button.MODE:
            offered = choices.alternatives(state)
            shown = state.chosen is None and choices.shown_place(state) is not None  # then one choice has no next
            return choices.next_choice(state) if len(offered) > 1 or (offered and not shown) else state, ()
        case Button.ROLL if state.over or state.paused:
            return choices.next_count(state), ()
        case Button.ROLL if state.setting is not None:
            return replace(state, setting=state.setting.stepped(1)), ()
        case Button.ROLL if choices.counts(state):
            return choices.counted(state, 1), ()
        case Button.ROLL:
            # a press soon after the one that threw belongs to it
            follows = state.roll_ns is not None and state.now_ns - state.roll_ns < ROLL_GUARD_NS
            return (state, ()) if follows else _throw(state)


def _throw(state: State) -> Step:
    """Throw, now or once the move is confirmed."""
    if awaits_throw(state):
        return playing.thrown(replace(state, roll_ns=state.now_ns))
    if playing.may_roll_early(state):
        return replace(state, roll_ns=state.now_ns, rolled_ns=state.now_ns), ()
    return state, ()


def _hold(state: State, button: Button) -> Step:
    """Handle a held button: MODE pauses or resumes, BACK redoes an action, ROLL repeats the last answer."""
    state = replace(state, confirms=False)
    match button:
        case Button.MODE:
            return choices.resume(state) if state.paused else choices.pause(state)
        case Button.BACK:
            return _redo(state)
        case Button.ROLL:
            return ask(state, Asked(Question.AGAIN, state.now_ns)), ()
    return _press(state, button)


def _done_button(state: State) -> Step:
    """Handle DONE, unless it still belongs to the action that was accepted just now."""
    stepped = state.chosen is not None or state.number is not None or bool(state.dice_counted)
    settled_ns = None if state.paused or state.setting is not None or stepped else state.settled_ns
    if settled_ns is not None and state.now_ns - settled_ns < DONE_GUARD_NS:
        return replace(state, settled_ns=state.now_ns), ()
    return _done(state)


def _done(state: State) -> Step:
    """Judge a changed table; on an unchanged one, play the choice that is shown."""
    choice, throw = choices.shown_choice(state), choices.offered_throw(state)
    if state.setting is not None and choice is not None and not state.paused:
        return _choose(state, choice)
    if throw is not None:
        return playing.entered(state, throw, ActionSource.TYPED if state.dice_read is None else ActionSource.CAMERA)
    if state.number is not None and choices.counts_dice(state):
        return choices.die_counted(state)
    blind = not state.sees or "camera" in state.failed or state.over or state.paused
    of_table = (choices.GO_BACK, choices.TAKE_TABLE, *(() if state.stepped else (choices.EXPLANATION,)))
    takes_as_is = choice is not None and choice.code in of_table
    if takes_as_is and not (blind or looking.lies_as_reported(state)):
        state, choice = replace(state, chosen=None), None
    hands = not blind and state.waiting is not None and state.waiting.code in ("moving", "hand")
    judges = not blind and (choices.takes_hint(state) or hands)  # first: the players may have made a move meanwhile
    if choice is not None and (blind or state.chosen is not None) and not judges:
        return _choose(state, choice)
    current = state.progress.mode is Mode.AUTOMATIC  # without it nobody has looked since DONE was last pressed
    if not state.sees or state.over or (current and choices.layout_doubted(state) and not blind):
        return choices.doubt_asked(state), ()
    complained = isinstance(state.verdict, Refused | Unclear) and state.complained_look is not None
    doubted = bool(state.out_of_step) and choice is None  # the players may mean that the table is right
    judges_only = complained or doubted or (hands and state.chosen is not None and not choices.takes_hint(state))
    if state.memory is not None:  # who presses DONE has come to the table, even if no frame shows it
        state = replace(state, memory=replace(state.memory, reached=True))
    after, effects = looking.look(replace(looking.insisted(state), pressed=True, judges_only=judges_only))
    return after, (messages.StartTimer(looking.ANSWER, looking.ANSWER_S), *effects)


def _back_button(state: State) -> Step:
    """Count a number down, reject a throw that was read, or take the last action back, once per press."""
    follows = state.back_ns is not None and state.now_ns - state.back_ns < BACK_GUARD_NS
    state = replace(state, back_ns=state.now_ns)
    if follows:
        return state, ()
    if state.setting is not None and not (state.over or state.paused):
        return replace(state, setting=state.setting.stepped(-1)), ()
    if state.dice_read is not None and not state.paused:
        return replace(state, dice_read=None), ()
    if choices.counts(state) and (state.number is not None or state.dice_counted):
        return choices.die_uncounted(state), ()
    return _back(state)


def _back(state: State) -> Step:
    if not state.progress.past or state.paused:
        return state, ()
    return playing.took_back(state, rejected_position=state.position)


def _redo(state: State) -> Step:
    return playing.played_again(state) if state.progress.future and not state.paused else (state, ())


# ---- what the players choose, and dice


def _chosen(state: State, index: int, number: int | None) -> Step:
    offered = choices.alternatives(state)
    if not 0 <= index < len(offered):
        return state, ()
    return _choose(
        replace(state, number=state.number if number is None else number), offered[index], ActionSource.TYPED
    )


def _came_back(state: State, action: Action, source: ActionSource) -> Step:
    """Play a throw; drop it during a pause, or if the position no longer expects one.

    A throw that was taken back counts instead of one that the companion made, also for its own seat.
    """
    back = replace(state, throwing=False)
    if state.over or state.paused or not awaits_throw(state):
        return back, ()
    again = playing.kept_throw(back) if source is ActionSource.BUTTON else None
    return playing.entered(back, again or action, source)


def _dice_read(state: State, action: Action) -> Step:
    """Show a throw that the camera has read; it counts shortly, or when DONE is pressed.

    Players who count a throw have seen it better than the camera, so they are not interrupted.
    """
    counting = state.number is not None or state.dice_counted
    if state.over or state.paused or not awaits_throw(state) or state.dice_read == action or counting:
        return state, ()
    return replace(state, dice_read=action), (messages.StartTimer(choices.DICE, choices.DICE_S),)
