"""The state of a table between two events, and the application of journal entries to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.core import entries
from companion.core.hypothesis import Rules
from companion.core.stability import FrameWindow
from companion.core.turns import acting
from companion.core.verdicts import (
    Action,
    ActionSource,
    CellSetting,
    Confirmed,
    Mode,
    PendingPlacement,
    Position,
    Prompt,
    Refused,
    Unclear,
)
from companion.core.view import TableStatus
from engines.kernel import ActionT, Cell, Game, Outcome, PositionT, PositionT_co, Refusal, Seat, leaders
from hardware.panel import KeyPressed
from vision.looks.memory import TableMemory
from vision.looks.tones import KnownTones
from vision.observation import Observation

if TYPE_CHECKING:
    from vision.recognition.objective import ObjectiveCard

BY_BUTTON, BY_CAMERA = "button", "camera"
"""How dice are thrown: by the companion, or on the table, where the camera reads them."""


@dataclass(frozen=True, slots=True)
class AcceptedAction:
    """An accepted action with its journal entry."""

    action: Action
    entry: entries.Played


@dataclass(frozen=True, slots=True)
class Past(Generic[PositionT_co]):
    """The state before an accepted entry: the seat that acted, None for chance, the position and what was left to do.

    `played` is the accepted action, None for an entry that is not an action of the game.
    """

    seat: Seat | None
    position: PositionT_co
    left_open: tuple[PendingPlacement, ...]
    played: AcceptedAction | None = None


@dataclass(frozen=True, slots=True)
class LegalAction:
    """A legal action and its outcome, passed on so that each action is played only once."""

    action: Action
    outcome: Outcome[Position]


def allowed(rules: Rules, position: Position, action: Action) -> LegalAction:
    """Play an action that must be legal.

    Raises:
        ValueError: the rules refuse it.
    """
    legal = play(rules, position, action)
    if isinstance(legal, Refusal):
        message = f"the rules refuse {rules.engine.action_to_json(action)}: {legal.code}"
        raise ValueError(message)
    return legal


def play(rules: Rules, position: Position, action: Action) -> LegalAction | Refusal:
    """Play an action, or return why the rules forbid it."""
    outcome = rules.engine.play(position, action)
    return outcome if isinstance(outcome, Refusal) else LegalAction(action, outcome)


@dataclass(frozen=True, slots=True)
class Progress:
    """The part of the state that the journal keeps; replaying the entries restores it.

    Attributes:
        position: the game's position.
        past: the state before each accepted action, oldest first.
        left_open: what is left to do on the table.
        mode: when a move is judged.
        future: the actions that were taken back and can be played again, the next one last.
        kept: throws that were taken back and count again instead of a second throw; the next one last.
        remaining_s: the time left on the clock at the last entry, None if no clock ran.
        arrangement: names, the companion's seats, and how dice are thrown.
        ended: the players ended the game before its rules did.
        tones: the colours of pieces, if the players agreed to keep them.
    """

    position: Position
    past: tuple[Past[Position], ...] = ()
    left_open: tuple[PendingPlacement, ...] = ()
    mode: Mode = Mode.AUTOMATIC
    future: tuple[AcceptedAction, ...] = ()
    kept: tuple[Action, ...] = ()
    remaining_s: float | None = None
    arrangement: entries.Arranged = field(default_factory=entries.Arranged)
    ended: bool = False
    tones: KnownTones = field(default_factory=KnownTones)


@dataclass(frozen=True, slots=True)
class RunningClock:
    """A running clock: its name, its full time in s, and the moment when it runs out, in ns."""

    name: str
    seconds: float
    ends_ns: int

    def remaining_s(self, now_ns: int) -> float:
        """Return the time that is left, in s, never below 0."""
        return max(0.0, (self.ends_ns - now_ns) / 1e9)


ResultT = TypeVar("ResultT")


def once(compute: Callable[[State], ResultT]) -> Callable[[State], ResultT]:
    """Return a function that computes its result once per state, because a state never changes."""

    @wraps(compute)
    def computed(state: State) -> ResultT:
        if compute not in state.memo:
            state.memo[compute] = compute(state)
        result: ResultT = state.memo[compute]
        return result

    return computed


@dataclass(frozen=True, slots=True)
class State(TableStatus):
    """A table between two events.

    Attributes:
        rules: the game.
        progress: what the journal keeps.
        switches_off: whether the players may switch the box off.
        lingers: whether the session continues after the end, so that the players can look, take back, or play again.
        learns: whether the look of cells with known labels is used in later readings.
        calibrates: the players agreed to keep the learned colours in the journal.
        earlier_tones: the colours kept in the journal from an earlier game at this table.
        now_ns: the time of the latest event that had one.
        sight: the latest frames.
        memory: how the cells looked when their labels were known.
        pressed: "done" was pressed and not yet answered.
        judges_only: "done" asks for a verdict alone and plays nothing that leaves no trace, because hands were over the
            table, a fault of it had been reported, or it looked different from the game.
        rejected_position: a position that was taken back and is still on the table; accepted again only on "done".
        rejected_look: how the table looked then; None if it was not seen, or was touched since.
        complained_look: how the table looked when it was last refused or asked about; None before.
        unsettled: cells on which the last accepted move may not be complete yet, or one that was taken back not be put
            back.
        goes_back: how many actions ago the table was as it is seen, 0 if it never was.
        overrides: the players' labels of cells, which outweigh the camera's until it sees another label than then.
        overruled: the label that the camera saw on such a cell then.
        setting: the cell that the players are setting by hand, None if they are not.
        confirms: the next press of DONE switches the box off.
        clock: the running clock, None if no clock runs.
        chosen: the index of the choice that MODE stepped to or a report proposes, None for none.
        stepped: MODE was pressed since the last report.
        chosen_before: the index that was chosen before the pause.
        throwing: a throw was ordered and has not come back.
        dice_read: a throw that the camera has read and that will count shortly.
        tally: how many games of this evening each seat's player won before this one.
        count_shown: the index of the number that is shown player by player, None if no number is.
        back_ns: when BACK was last pressed.
        roll_ns: when ROLL was last pressed to throw.
        settled_ns: when an action was accepted last, or DONE pressed too soon after that to be about the next one.
        rolled_ns: when ROLL was pressed to throw after the move is confirmed, None if it was not.
        unread: the move that was confirmed when such a throw was ordered; it is reported with the throw.
        first_key: the first of two keys of a question, None if none waits for the second.
        calling: the companion asked for advice in order to act before the others do.
        request: the move that the companion asks the players to make for its own seat.
        card: the card next to the board when it was last in its expected state.
        memo: cached results of functions of this state; see `once`.
    """

    rules: Rules
    progress: Progress
    lingers: bool = False
    switches_off: bool = False
    confirms: bool = False
    learns: bool = True
    calibrates: bool = False
    earlier_tones: KnownTones = field(default_factory=KnownTones)
    now_ns: int = 0
    sight: FrameWindow = field(default_factory=FrameWindow)
    memory: TableMemory | None = None
    pressed: bool = False
    judges_only: bool = False
    rejected_position: Position | None = None
    rejected_look: Observation | None = None
    complained_look: Observation | None = None
    unsettled: frozenset[Cell] = frozenset()
    goes_back: int = 0
    overrides: Mapping[Cell, str] = field(default_factory=dict)
    overruled: Mapping[Cell, str] = field(default_factory=dict)
    setting: CellSetting | None = None
    clock: RunningClock | None = None
    chosen: int | None = None
    stepped: bool = False
    chosen_before: int | None = None
    throwing: bool = False
    dice_read: Action | None = None
    tally: Mapping[Seat, int] = field(default_factory=dict)
    count_shown: int | None = None
    back_ns: int | None = None
    roll_ns: int | None = None
    settled_ns: int | None = None
    rolled_ns: int | None = None
    unread: Confirmed | None = None
    first_key: KeyPressed | None = None
    calling: bool = False
    request: LegalAction | None = None
    card: ObjectiveCard | None = None
    memo: dict[object, Any] = field(init=False, default_factory=dict, compare=False, repr=False)

    @property
    def position(self) -> Position:
        """The game's position."""
        return self.progress.position

    @property
    @once
    def over(self) -> bool:
        """Whether the game has ended, by its rules or by its players."""
        return self.progress.ended or self.rules.engine.over(self.position)


@once
def placement(state: State) -> Mapping[Cell, str]:
    """Return the label that a camera should see on every cell in the game's position."""
    return state.rules.placement(state.position)


@once
def prompt(state: State) -> Prompt[Action]:
    """Return what the game expects now."""
    return state.rules.turns.prompt(state.position)


@once
def awaits_throw(state: State) -> bool:
    """Return whether a throw may be made now."""
    return state.rules.turns.dice.awaited(state.position)


def new_state(rules: Rules, position: Position, *, sees: bool = True, lingers: bool = False) -> State:
    """Return the state of a game in a position; the journal's entries are then `Recalled` into it."""
    players = tuple(rules.engine.score(position))
    return State(rules, Progress(position), players=players, sees=sees, lingers=lingers)


@once
def winners(state: State) -> tuple[Seat, ...]:
    """Return the winners; of a game ended early, the players with most points, or nobody if all have none."""
    if not state.progress.ended:
        return winners_at(state.rules.engine, state.position)
    score = state.rules.engine.score(state.position)
    return leaders(score) if any(score.values()) else ()


def winners_at(engine: Game[PositionT, ActionT], position: PositionT) -> tuple[Seat, ...]:
    """Return the winners of a position by the rules; nobody if all have 0 points, whatever the rules say of a tie."""
    return tuple(engine.winners(position)) if any(engine.score(position).values()) else ()


def before_play(state: State) -> bool:
    """Return whether the table has not yet been seen to agree with a game that begins or is resumed."""
    return state.setting_up or state.resumed


def named_before_play(state: State) -> frozenset[Cell]:
    """Return the cells that the players were asked to correct before play begins; empty until they press DONE."""
    asked = before_play(state) and isinstance(state.verdict, Refused | Unclear)
    return frozenset(difference.cell for difference in state.out_of_step) if asked else frozenset()


def applied(  # noqa: PLR0911 - one line an entry
    rules: Rules, progress: Progress, entry: entries.Entry, legal: LegalAction | None = None
) -> Progress:
    """Apply a journal entry, just accepted or read back; `legal` is its action if it was played already.

    Raises:
        ValueError: the entry does not follow from the progress.
    """
    match entry:
        case entries.Played():
            return replace(_play(rules, progress, entry, legal), future=())
        case entries.Redone():
            if not progress.future:
                message = "the journal plays an action again where none was taken back"
                raise ValueError(message)
            *future, again = progress.future
            played = replace(again.entry, open=entry.open, remaining_s=entry.remaining_s)
            legal = legal or allowed(rules, progress.position, again.action)
            return replace(_play(rules, progress, played, legal), future=tuple(future))
        case entries.Put(cells):
            left_open = tuple(todo for todo in progress.left_open if todo.cell not in cells)
            return replace(progress, left_open=left_open)
        case entries.Undone():
            return _undone(rules, progress)
        case entries.ModeSet(mode):
            return replace(progress, mode=mode)
        case entries.ClockStopped(remaining_s):
            return replace(progress, remaining_s=remaining_s)
        case entries.Arranged():
            return replace(progress, arrangement=entry)
        case entries.Adopted(position):
            after, read = _remembering(rules, progress), rules.engine.position_from_json(position)
            return replace(after, position=read, left_open=(), future=(), kept=(), remaining_s=None)
        case entries.Ended():
            return replace(_remembering(rules, progress), ended=True)
        case entries.Calibrated():
            return replace(progress, tones=progress.tones.joined(entry.tones, replaces=entry.replaces))


def _remembering(rules: Rules, progress: Progress, played: AcceptedAction | None = None) -> Progress:
    """Add the current state to the past."""
    past = Past(acting(rules.engine, progress.position), progress.position, progress.left_open, played)
    return replace(progress, past=(*progress.past, past))


def _play(rules: Rules, progress: Progress, entry: entries.Played, legal: LegalAction | None) -> Progress:
    legal = legal or allowed(rules, progress.position, rules.engine.action_from_json(entry.action))
    kept = progress.kept[:-1] if isinstance(legal.action, rules.turns.dice.kind) else progress.kept
    return replace(
        _remembering(rules, progress, AcceptedAction(legal.action, entry)),
        position=legal.outcome.position,
        left_open=entry.open,
        kept=kept,
        remaining_s=entry.remaining_s,
    )


def _undone(rules: Rules, progress: Progress) -> Progress:
    if not progress.past:
        message = "the journal takes back an action, but there is none"
        raise ValueError(message)
    last, played = progress.past[-1], progress.past[-1].played
    future, kept = progress.future, progress.kept
    if played is not None:
        future = (*future, played)
        by_hand = progress.arrangement.dice != BY_BUTTON
        if (by_hand or played.entry.source is ActionSource.BUTTON) and isinstance(played.action, rules.turns.dice.kind):
            kept = (*kept, played.action)
    return replace(
        progress,
        position=last.position,
        past=progress.past[:-1],
        left_open=last.left_open,
        future=future,
        kept=kept,
        remaining_s=None,
        ended=False,
    )
