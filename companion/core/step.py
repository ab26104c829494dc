"""The turn: `step(state, event) -> (state, effects)`, the only place where events become orders.

Every state has a way forward: a table that cannot be explained is looked at again, ever more rarely; "done" asks for a
verdict now, "back" takes the last action back, and putting pieces back does the same without a button.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from companion.core.evidence import Evidence, fuse_observations
from companion.core.inference import Decision, Finding
from companion.core.messages import (
    Began,
    Button,
    ButtonPressed,
    Buzz,
    Confirmed,
    DeviceFailed,
    DeviceReturned,
    Effect,
    Entry,
    Event,
    Finish,
    FrameBlind,
    FrameRead,
    Lamp,
    Mode,
    ModeSet,
    PendingPlacement,
    Picture,
    Played,
    Put,
    Recalled,
    Record,
    Refused,
    SavePicture,
    Show,
    Signal,
    Slider,
    SliderMoved,
    StartTimer,
    StopTimer,
    TimerFired,
    TookBack,
    Unchanged,
    Unclear,
    Undone,
    Verdict,
    Waiting,
)
from companion.core.stability import FrameWindow, looked, watch, why_wait
from companion.core.state import State, actor, applied, lamps, view
from companion.core.verdicts import judge, left_to_do, still_open, to_put_back
from engines.kernel import Cell, Json, JsonObject, Outcome

ANSWER = "answer"
"""The timer within which "done" gets an answer, if only that nothing can be seen."""

ANSWER_S = 5.0

Step: TypeAlias = tuple[State, tuple[Effect, ...]]


def step(state: State, event: Event) -> Step:
    """Take in what happened; give the new state and what is to be done, in that order."""
    after, effects = _taken_in(state, event)
    if isinstance(event, Recalled):
        return after, ()
    return after, (*effects, *_display(None if isinstance(event, Began) else state, after))


def _taken_in(state: State, event: Event) -> Step:
    match event:
        case FrameRead():
            return _look(replace(state, sight=watch(state.sight, event)))
        case FrameBlind(reason):
            return replace(state, sight=FrameWindow(), waiting=Waiting(f"blind-{reason.value}")), ()
        case ButtonPressed(button):
            return _pressed(state, button)
        case TimerFired(name):
            return _no_answer(state) if name == ANSWER and state.pressed else (state, ())
        case Began(_, resumed):
            return replace(state, resumed=resumed), (Finish(),) if state.over else ()
        case _:
            return _noted(state, event), ()


def _noted(state: State, event: SliderMoved | DeviceFailed | DeviceReturned | Recalled) -> State:
    """Note what calls for nothing but being shown."""
    match event:
        case SliderMoved(steps):
            return replace(state, slider_by_hand=steps)
        case DeviceFailed(device, message):
            return replace(state, failed={**state.failed, device: message})
        case DeviceReturned(device):
            return replace(state, failed={d: m for d, m in state.failed.items() if d != device})
        case Recalled(entry):
            return replace(state, progress=applied(state.rules, state.progress, entry))


# ---- buttons


def _pressed(state: State, button: Button) -> Step:
    match button:
        case Button.DONE if not state.over:
            after, effects = _look(replace(state, pressed=True))
            return after, (StartTimer(ANSWER, ANSWER_S), *effects)
        case Button.BACK if state.progress.past:
            return _took_back(state, rejected_position=state.position)
        case Button.MODE:
            mode = Mode.ON_DONE if state.progress.mode is Mode.AUTOMATIC else Mode.AUTOMATIC
            return _recorded(state, ModeSet(mode))
    return state, ()


def _no_answer(state: State) -> Step:
    """Nothing was to be seen since "done" was pressed."""
    cells = state.waiting.cells if state.waiting else ()
    code = state.waiting.code if state.waiting else "moving"
    return replace(state, pressed=False, verdict=Unclear(code, cells)), (Buzz(Signal.UNSURE),)


# ---- looking and telling


def _look(state: State) -> Step:
    """Judge the table if it is time to."""
    if state.over:
        return replace(state, waiting=None), ()
    if state.progress.mode is Mode.ON_DONE and not state.pressed:
        return replace(state, waiting=Waiting("on-done")), ()
    if waiting := why_wait(state.sight, pressed=state.pressed, doubt=state.doubt):
        told = waiting.code == "settling" and state.sight.looks > 0
        return replace(state, waiting=state.waiting if told else waiting), ()
    evidence = state.rules.with_confusions(fuse_observations(state.sight.frames))
    finding = _judged(state, evidence)
    seen = _with_doubts(replace(state, sight=looked(state.sight), waiting=None), finding, evidence)
    after, effects = _told(seen, finding, evidence)
    return after, (*effects, *((StopTimer(ANSWER),) if state.pressed and not after.pressed else ()))


def _judged(state: State, evidence: Evidence) -> Finding:
    progress = state.progress
    before = progress.past[-1] if progress.past else None
    return judge(state.rules, progress.position, progress.left_open, evidence, pressed=state.pressed, before=before)


def _with_doubts(state: State, finding: Finding, evidence: Evidence) -> State:
    """Name the cells in doubt, and those that are surely seen otherwise than the game stands."""
    unsure = set(evidence.unsure())
    open_cells = {todo.cell for todo in state.progress.left_open}
    accepted = finding.told in (Decision.LEGAL, Decision.UNCHANGED, Decision.PUT_BACK)
    placement = {} if accepted else evidence.in_sight(state.rules.placement(state.position))
    sure = ((c, label) for c, label in placement.items() if c not in unsure | open_cells)
    differs = (c for c, label in sure if evidence.of(c, evidence.best(c)) > evidence.of(c, label))
    return replace(state, doubt=tuple(c for c in evidence.cells if c in unsure), differs=tuple(differs))


def _told(state: State, finding: Finding, evidence: Evidence) -> Step:
    match finding.told:
        case Decision.LEGAL if state.pressed or finding.best.position != state.rejected_position:
            return _accepted(state, finding, evidence)
        case Decision.LEGAL:
            return replace(state, waiting=Waiting("put-back", state.differs)), ()
        case Decision.UNCHANGED:
            return _unchanged(state, finding, evidence)
        case Decision.PUT_BACK:
            return _took_back(state, rejected_position=None)
        case Decision.ILLEGAL:
            best = finding.best
            return _complained(state, Refused(best.code, best.rule, finding.probability, finding.cells, best.facts))
        case Decision.AMBIGUOUS:
            actions = tuple(rival.action for rival in finding.rivals if rival.action is not None)
            return _complained(state, Unclear("ambiguous", finding.cells, actions))


def _complained(state: State, verdict: Refused | Unclear) -> Step:
    """Tell what is wrong once it has lain a while; what was told before is not told again."""
    if not (state.pressed or state.sight.patient):
        return replace(state, waiting=Waiting("settling")), ()
    after = replace(state, verdict=verdict, pressed=False, rejected_position=None)
    if not state.pressed and _reason(state.verdict) == _reason(verdict):
        return after, ()
    if isinstance(verdict, Unclear):
        return after, (Buzz(Signal.UNSURE),)
    return after, (Buzz(Signal.REFUSED), SavePicture(Picture.REFUSED))


def _reason(verdict: Verdict | None) -> tuple[str, tuple[Cell, ...]] | None:
    return (verdict.code, verdict.cells) if isinstance(verdict, Refused | Unclear) else None


def _unchanged(state: State, finding: Finding, evidence: Evidence) -> Step:
    """Nothing has moved, or what was wrong is put right; what was left to do may be done now."""
    settled = replace(state, resumed=False, rejected_position=None, pressed=False)
    if state.pressed or not isinstance(state.verdict, Confirmed | TookBack):
        settled = replace(settled, verdict=Unchanged(finding.probability))
    left = still_open(state.progress.left_open, evidence)
    done = tuple(todo.cell for todo in state.progress.left_open if todo not in left)
    after, effects = _recorded(settled, Put(done)) if done else (settled, ())
    return after, (*effects, *((Buzz(Signal.UNSURE),) if state.pressed else ()))


def _accepted(state: State, finding: Finding, evidence: Evidence) -> Step:
    best, seat = finding.best, actor(state.rules, state.position)
    if best.action is None or seat is None:
        message = f"a legal explanation without an action or an actor: {best}"
        raise ValueError(message)
    todo = left_to_do(best, evidence)
    after, effects, facts = _all_played(state, best.actions, todo)
    verdict = Confirmed(seat, best.action, finding.probability, facts, todo)
    after = replace(after, verdict=verdict, sight=FrameWindow(), pressed=False, rejected_position=None, resumed=False)
    if not after.over:
        return after, (*effects, Buzz(Signal.ACCEPTED))
    return after, (*effects, Buzz(Signal.OVER), SavePicture(Picture.FINAL), Finish())


def _all_played(
    state: State, actions: Sequence[JsonObject], todo: tuple[PendingPlacement, ...]
) -> tuple[State, tuple[Effect, ...], JsonObject]:
    """Record one action after the other and collect the engine's events; what is left to do belongs to the last."""
    effects: list[Effect] = []
    events: list[Json] = []
    for number, action in enumerate(actions, 1):
        events += _events(state, action)
        state, recorded = _recorded(state, Played(action, todo if number == len(actions) else ()))
        effects += recorded
    return state, tuple(effects), {"events": events}


def _events(state: State, action: JsonObject) -> list[JsonObject]:
    engine = state.rules.engine
    outcome = engine.play(state.position, engine.action_from_json(action))
    return [event.to_json() for event in outcome.events] if isinstance(outcome, Outcome) else []


def _took_back(state: State, rejected_position: object) -> Step:
    """Take the last action back; `rejected_position` is its position where it still lies on the table."""
    last, rules = state.progress.past[-1], state.rules
    after, effects = _recorded(state, Undone())
    todo = (
        to_put_back(rules.placement(state.position), rules.placement(last.position))
        if rejected_position is not None
        else ()
    )
    seat = last.seat or state.players[0]
    after = replace(
        after,
        verdict=TookBack(seat, todo),
        sight=FrameWindow(),
        pressed=False,
        rejected_position=rejected_position,
        resumed=False,
    )
    return after, effects


def _recorded(state: State, entry: Entry) -> Step:
    return replace(state, progress=applied(state.rules, state.progress, entry)), (Record(entry),)


# ---- showing


def _display(before: State | None, after: State) -> list[Effect]:
    """Order what has changed on screen, lamps and slider bar; everything where there is no before."""
    shown = view(after)
    effects: list[Effect] = []
    if before is None or view(before) != shown:
        effects.append(Show(shown))
    lit = {} if before is None else lamps(before)
    effects += [Lamp(seat, rhythm) for seat, rhythm in lamps(after).items() if lit.get(seat) is not rhythm]
    if before is None or before.rules.slider(before.position) != shown.slider:
        effects.append(Slider(shown.slider))
    return effects
