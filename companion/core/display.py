"""The display of a state on screen, lamps, bar and digits, and which of these has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import chain
from math import ceil

from companion.core import choices
from companion.core.messages import Show
from companion.core.state import State, awaits_throw, before_play, named_before_play, once, placement, prompt, winners
from companion.core.verdicts import SET_ANY, Action, Attention, Figures, Lit, Mode, Refused, Unclear
from companion.core.view import TableStatus, View
from engines.kernel import Cell, Seat
from hardware.panel import SLIDER_STEPS, Button, Rhythm
from vision.labels import EMPTY

PRESSING = ("camera", "journal")
"""Devices that play depends on; the lamps show their failure."""


SETTING_BUTTONS = {Button.ROLL: "next-one", Button.DONE: "", Button.BACK: "previous-one", Button.MODE: "leave-it"}
"""The codes of the buttons while a cell is set by hand."""


def display(before: State | None, after: State, *, asked: bool = False) -> tuple[Show, ...]:
    """Order an update of the displays if what they show has changed, or if there is no state before.

    A new verdict is shown even if it equals the last one. `asked`: somebody waits for an answer, so they are updated
    even if nothing has changed.
    """
    if before == after and not asked:
        return ()
    new = before is None or asked or before.verdict is not after.verdict
    if not new and before is not None and (view(before), lit(before)) == (view(after), lit(after)):
        return ()
    return (Show(view(after), lit(after)),)


@once
def lit(state: State) -> Lit:
    """Return the state of the panel."""
    return Lit(lamps(state), bar(state), digits(state), figures=figures(state))


@once
def view(state: State) -> View:
    """Return everything that a screen shows."""
    rules, progress, position = state.rules, state.progress, state.position
    status = {one.name: getattr(state, one.name) for one in fields(TableStatus)}
    return View(
        **status,
        game=rules.engine.name,
        to_act=rules.engine.to_act(position),
        slider=rules.bar(position),
        board={**placement(state), **(state.layout.labels if state.layout else {})},
        score=rules.engine.score(position),
        leaders=winners(state),
        todo=progress.left_open,
        mode=progress.mode,
        over=state.over,
        prompt=prompt(state),
        choices=choices.alternatives(state),
        shown=choices.shown_place(state),
        buttons=buttons(state),
        remaining_s=None if state.clock is None else ceil(state.clock.remaining_s(state.now_ns)),
        dice_read=choices.offered_throw(state),
        dice_awaited=len(rules.turns.dice.numbers(position)) if choices.counts_dice(state) else 0,
        count=choices.count_shown(state),
        tally=choices.tally(state),
        attention=attention(state),
        changed=changed(state),
        request=None if state.request is None else state.request.action,
        arrangement=progress.arrangement,
        undoable=bool(progress.past),
        redoable=bool(progress.future),
        played=len(progress.past),
        position=position,
    )


def buttons(state: State) -> Mapping[Button, str]:
    """Return the code of what each button does now; a button that does nothing is left out."""
    counting, offered = choices.counts(state), choices.alternatives(state)
    playing = not (state.over or state.paused)
    if state.setting is not None and playing:
        return {**SETTING_BUTTONS, Button.DONE: offered[0].code}
    choice = choices.shown_choice(state)
    # for each button the first meaning whose condition holds
    meanings: Mapping[Button, Sequence[tuple[object, str]]] = {
        Button.ROLL: [
            (choices.numbers_shown(state), "show-count"),
            (counting, "count-up"),
            (state.rolled_ns is not None, "throw-soon"),
            (playing and awaits_throw(state), "throw"),
        ],
        Button.DONE: [
            (choices.offered_throw(state) is not None, "accept-dice"),
            (state.number is not None and choices.counts_dice(state), "count-die"),
            (choice is not None, "" if choice is None else choice.code),
            (choices.layout_doubted(state), SET_ANY),
            (named_before_play(state), "insist"),
            (state.sees and not state.over, "judge"),
        ],
        Button.BACK: [
            (state.dice_read is not None and not state.paused, "reject-dice"),
            (counting and (state.number is not None or state.dice_counted), "count-down"),
            (state.progress.past and not state.paused, "take-back"),
        ],
        Button.MODE: [(len(offered) > 1 or (offered and not offered[0].standing), "next")],
    }
    codes = {button: next((code for holds, code in of if holds), "") for button, of in meanings.items()}
    return {button: code for button, code in codes.items() if code}


@once
def changed(state: State) -> Mapping[Cell, str]:
    """Return the cells changed by the last action that left a trace on the table, with their labels before it."""
    now = placement(state)
    for past in reversed(state.progress.past):
        before = state.rules.placement(past.position)
        if before != now:
            return {cell: was for cell, label in now.items() if (was := before.get(cell, EMPTY)) != label}
    return {}


def _last_throw(state: State) -> tuple[Action, int] | None:
    """Return the last throw, and its place among the game's actions, counted from 1.

    None once a player other than the one to act has acted.
    """
    if not state.rules.engine.has_dice:
        return None
    seat, actions = prompt(state).seat, state.progress.past
    for place in range(len(actions), 0, -1):
        past = actions[place - 1]
        if past.played is not None and isinstance(past.played.action, state.rules.turns.dice.kind):
            return past.played.action, place
        if past.seat not in (None, seat):
            return None
    return None


def lamps(state: State) -> Mapping[Seat, Rhythm]:  # noqa: PLR0911 - one line a reason
    """Return the rhythm of each seat's lamp; while a player may leave, only that player's lamp is lit."""
    lit = dict.fromkeys(state.players, Rhythm.OFF)
    if state.confirms:
        return dict.fromkeys(state.players, Rhythm.CHOICE)
    if (shown := choices.count_shown(state)) is not None:
        return lit | {shown.seat: Rhythm.TURN}
    if state.over:
        return lit | dict.fromkeys(winners(state), Rhythm.WON)
    if state.paused:
        leaving = choices.shown_choice(state)
        if leaving is not None and leaving.by is not None:
            return lit | {leaving.by: Rhythm.TURN}
        return dict.fromkeys(state.players, Rhythm.FAULT if _has_fault(state) else Rhythm.PAUSED)
    progress, left = state.progress, dict[Seat, Rhythm]()
    if progress.left_open and progress.past and (mover := progress.past[-1].seat) is not None:
        left[mover] = Rhythm.TODO
    called = attention(state)
    if called in _OF_ALL:
        return dict.fromkeys(state.players, _RHYTHMS[called])
    choice, seat = choices.shown_choice(state), prompt(state).seat
    if called is Attention.CHOICE and choice is not None and choice.by is not None:
        seat = choice.by
    acting = state.players if seat is None else (seat,)
    turn = dict.fromkeys(acting, _RHYTHMS[called])
    return lit | turn | left if called is None else lit | left | turn  # an own turn goes on once nothing is left


def _has_fault(state: State) -> bool:
    return any(device in state.failed for device in PRESSING)


@once
def attention(state: State) -> Attention | None:  # noqa: PLR0911 - one line a reason
    """Return the most pressing reason for attention before the turn continues, None for the turn itself."""
    if _has_fault(state):
        return Attention.FAULT
    if state.over or state.paused:
        return None
    if state.waiting is not None and state.waiting.code.startswith("blind-"):
        return Attention.BLIND
    chooses = state.chosen is not None and choices.shown_choice(state) is not None
    if isinstance(state.verdict, Refused | Unclear) and not (chooses and state.stepped):
        return Attention.REFUSED if isinstance(state.verdict, Refused) else Attention.UNSURE
    if state.dice_read is not None:
        return Attention.THROW
    if chooses or state.setting is not None:
        return Attention.CHOICE
    if before_play(state):
        return Attention.SET_UP if state.setting_up else Attention.RESUMED
    if state.layout is not None:
        return Attention.SET_UP
    return Attention.ON_DONE if state.sees and state.progress.mode is Mode.ON_DONE else None


_RHYTHMS = {
    None: Rhythm.TURN,
    Attention.FAULT: Rhythm.FAULT,
    Attention.BLIND: Rhythm.BLIND,
    Attention.REFUSED: Rhythm.WRONG,
    Attention.UNSURE: Rhythm.UNSURE,
    Attention.SET_UP: Rhythm.SET_UP,
    Attention.RESUMED: Rhythm.SET_UP,
    Attention.THROW: Rhythm.CHOICE,
    Attention.CHOICE: Rhythm.CHOICE,
    Attention.ON_DONE: Rhythm.ON_DONE,
}

_OF_ALL = (Attention.BLIND, Attention.SET_UP, Attention.RESUMED)
"""Reasons that concern everybody at the table."""


def bar(state: State) -> int:
    """Return the steps of the bar: the number being counted, the time that is left, or the game's slider.

    With a player's points on the digits it shows their hundreds; with the wins of the evening it is full. While MODE
    steps through choices, in a pause and after the end, it shows the place of the choice that DONE plays, counted from
    1.
    """
    if (shown := choices.count_shown(state)) is not None:
        return SLIDER_STEPS if shown.wins else min(shown.number // 100, SLIDER_STEPS)
    place = choices.shown_place(state)
    if choices.counts(state) and not (state.over or state.paused):
        return min(state.number or 0, SLIDER_STEPS)
    stepped = state.chosen is not None and not state.rules.bar(state.position)
    if place is not None and (state.over or state.paused or stepped):
        return min(place + 1, SLIDER_STEPS)
    if state.clock is not None:
        return ceil(SLIDER_STEPS * state.clock.remaining_s(state.now_ns) / state.clock.seconds)
    return state.rules.bar(state.position)


def digits(state: State) -> int | None:
    """Return the number on the digits: a player's, the one being counted, that of the throw, or the game's slider."""
    if (shown := choices.count_shown(state)) is not None:
        return max(shown.number, 0) % 100
    if choices.counts(state) and (state.number is not None or not choices.counts_dice(state)):
        return state.number
    offered, last = choices.offered_throw(state), _last_throw(state)
    thrown = last[0] if offered is None and last is not None else offered
    number = None if thrown is None else state.rules.turns.dice.number(thrown)
    return number if number is not None else state.rules.bar(state.position) or None


def figures(state: State) -> Figures | None:  # noqa: PLR0911 - one line a number
    """Return the numbers that a panel without digits counts out, None for nothing.

    These are a score digit by digit, the place of the choice that MODE stepped to, the number being counted, the dice
    of a throw, the drawn cards as two figures each, or the game's slider.
    """
    # 1. What the players look at: a score, the number being counted, a choice's place.
    seat, choice = prompt(state).seat, choices.shown_choice(state)
    if (shown := choices.count_shown(state)) is not None:
        return Figures(tuple(map(int, str(max(shown.number, 0)))), shown.seat)
    if state.number is not None and choices.counts(state):
        return Figures((state.number,), seat if choice is None else choice.by or seat)
    if state.chosen is not None and (place := choices.shown_place(state)) is not None:
        return Figures((place + 1,), None if choice is None else choice.by, choice=True)
    if state.paused:
        return None
    # 2. Without a throw, the cards that count now, or the slider.
    turns, past = state.rules.turns, state.progress.past
    offered, last = choices.offered_throw(state), _last_throw(state)
    thrown = last if offered is None else (offered, len(past) + 1)
    if thrown is None:
        if cards := turns.cards(state.position):
            return Figures(tuple(chain.from_iterable(divmod(card, 10) for card in cards)), seat, cards=True)
        steps = state.rules.bar(state.position)
        return Figures((steps,), seat) if steps else None
    # 3. A throw, as the numbers that players would count to enter it.
    throw, place = thrown
    position = past[place - 1].position if place <= len(past) else state.position
    numbers = turns.dice.numbers_of(position, throw)
    return None if numbers is None else Figures(numbers, turns.prompt(position).seat, place)
