"""The state of a table between two events, and what a screen and the lamps show of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.core.hypothesis import Rules
from companion.core.messages import (
    Entry,
    Mode,
    ModeSet,
    PendingPlacement,
    Played,
    Put,
    Refused,
    Rhythm,
    Unclear,
    Undone,
    Verdict,
    View,
    Waiting,
)
from companion.core.stability import FrameWindow
from engines.kernel import Cell, Outcome, Seat


@dataclass(frozen=True, slots=True)
class Past:
    """How things stood before an accepted action, and who acted (None: chance did)."""

    seat: Seat | None
    position: Any
    left_open: tuple[PendingPlacement, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """What the journal keeps: everything that replaying its entries gives back.

    Attributes:
        position: how the game stands.
        past: before each accepted action, oldest first.
        left_open: what is left to do on the table.
        mode: when a move is judged.
    """

    position: Any
    past: tuple[Past, ...] = ()
    left_open: tuple[PendingPlacement, ...] = ()
    mode: Mode = Mode.AUTOMATIC


@dataclass(frozen=True, slots=True)
class State:
    """A table between two events.

    Attributes:
        rules: the game.
        players: the seats in turn order.
        progress: what the journal keeps.
        sight: the latest frames.
        verdict: the last one told.
        waiting: why there is none of the table as it lies now.
        pressed: "done" was pressed and not yet answered.
        rejected_position: a position that was taken back and is still on the table; it is not accepted again by
            itself.
        doubt, differs: cells that could not be told at the last look, and those seen otherwise than the game stands.
        failed: devices that do not work, with their sentence.
        resumed: the game goes on from the journal, and the table has not been seen to agree.
        slider_by_hand: where people have set a slider of their own.
    """

    rules: Rules
    players: tuple[Seat, ...]
    progress: Progress
    sight: FrameWindow = field(default_factory=FrameWindow)
    verdict: Verdict | None = None
    waiting: Waiting | None = None
    pressed: bool = False
    rejected_position: Any = None
    doubt: tuple[Cell, ...] = ()
    differs: tuple[Cell, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    resumed: bool = False
    slider_by_hand: int | None = None

    @property
    def position(self) -> Any:
        """How the game stands."""
        return self.progress.position

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.rules.engine.over(self.position)


def new_state(rules: Rules, position: Any) -> State:
    """Give the state of a game that stands at a position; the journal's entries are then `Recalled` into it."""
    return State(rules, tuple(rules.engine.score(position)), Progress(position))


def applied(rules: Rules, progress: Progress, entry: Entry) -> Progress:
    """Apply a journal entry; the same whether it has just been accepted or is read back.

    Raises:
        ValueError: it does not follow from what was before.
    """
    match entry:
        case Played():
            return _played(rules, progress, entry)
        case Put(cells):
            left_open = tuple(todo for todo in progress.left_open if todo.cell not in cells)
            return Progress(progress.position, progress.past, left_open, progress.mode)
        case Undone() if progress.past:
            last = progress.past[-1]
            return Progress(last.position, progress.past[:-1], last.left_open, progress.mode)
        case Undone():
            message = "the journal takes back an action where there is none"
            raise ValueError(message)
        case ModeSet(mode):
            return Progress(progress.position, progress.past, progress.left_open, mode)


def _played(rules: Rules, progress: Progress, entry: Played) -> Progress:
    engine, position = rules.engine, progress.position
    outcome = engine.play(position, engine.action_from_json(entry.action))
    if not isinstance(outcome, Outcome):
        message = f"the journal plays {entry.action}, which the rules refuse: {outcome.code}"
        raise ValueError(message)
    past = Past(actor(rules, position), position, progress.left_open)
    return Progress(outcome.position, (*progress.past, past), entry.open, progress.mode)


def actor(rules: Rules, position: Any) -> Seat | None:
    """Give the seat that acts, None where chance does or the game is over."""
    to_act = rules.engine.to_act(position)
    return None if to_act is None or to_act == "dice" else Seat(to_act)


def view(state: State) -> View:
    """Give all that a screen shows."""
    rules, progress, position = state.rules, state.progress, state.position
    score = rules.engine.score(position)
    return View(
        game=rules.engine.name,
        players=state.players,
        to_act=rules.engine.to_act(position),
        slider=rules.slider(position),
        board=rules.placement(position),
        score=score,
        leaders=rules.engine.winners(position) if state.over else leaders(score),
        verdict=state.verdict,
        doubt=state.doubt,
        differs=state.differs,
        todo=progress.left_open,
        mode=progress.mode,
        failed=state.failed,
        resumed=state.resumed,
        over=state.over,
        waiting=state.waiting,
        slider_by_hand=state.slider_by_hand,
    )


def leaders(score: Mapping[Seat, int]) -> tuple[Seat, ...]:
    """Give who has the most points, several in a tie."""
    return tuple(seat for seat, points in score.items() if points == max(score.values()))


def lamps(state: State) -> Mapping[Seat, Rhythm]:
    """Tell how each seat's lamp is lit."""
    lit = dict.fromkeys(state.players, Rhythm.OFF)
    if state.over:
        return lit | dict.fromkeys(state.rules.engine.winners(state.position), Rhythm.WON)
    progress = state.progress
    if progress.left_open and progress.past and (mover := progress.past[-1].seat) is not None:
        lit[mover] = Rhythm.TODO
    if (seat := actor(state.rules, state.position)) is not None:
        lit[seat] = _rhythm(state.verdict)
    return lit


def _rhythm(verdict: Verdict | None) -> Rhythm:
    match verdict:
        case Refused():
            return Rhythm.WRONG
        case Unclear():
            return Rhythm.UNSURE
    return Rhythm.TURN
