"""The messages of the turn: events that go in, effects that come out.

Events are facts in the past tense, effects are orders. `step(state, event) -> (state, effects)` is the only place where
one becomes the other. Effects are performed in order, so that a `WriteEntry` is on the disk before a lamp or a screen
shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from companion.core.entries import Advised, Arranged, Entry
from companion.core.verdicts import Action, ActionSource, Asked, Lit, Picture, Position
from companion.core.view import View
from engines.kernel import Cell, Level
from hardware.panel import ButtonPressed, KeyPressed, Signal, SliderMoved
from vision.observation import BlindReason, Observation

if TYPE_CHECKING:
    from vision.recognition.objective import ObjectiveCard

# ---- events


@dataclass(frozen=True, slots=True, eq=False)
class FrameRead:
    """A frame was read; `still` means that nothing moved since the frame before. Times are monotonic, in ns.

    `card` is the card next to the board, None if there is none. `repeated` means that the picture showed no change, so
    that an earlier reading stands for it.
    """

    observation: Observation
    still: bool
    at_ns: int
    card: ObjectiveCard | None = None
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class FrameBlind:
    """A frame was refused; `facts` describes it, see `vision.observation.Blind`; `repeated` as in `FrameRead`."""

    reason: BlindReason
    at_ns: int
    facts: Mapping[str, str | float] = field(default_factory=dict)
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class ActionEntered:
    """The players entered an action: typed, on the page, or by overruling the camera."""

    action: Action
    at_ns: int
    source: ActionSource = ActionSource.TYPED


@dataclass(frozen=True, slots=True)
class Thrown:
    """Chance acted: a throw ordered by `Throw`, or one that the players typed."""

    action: Action
    at_ns: int
    source: ActionSource = ActionSource.BUTTON


@dataclass(frozen=True, slots=True)
class DiceRead:
    """The camera read the dice in the tray as this throw."""

    action: Action
    at_ns: int


@dataclass(frozen=True, slots=True)
class CellSet:
    """The players set the label of a cell, overruling the camera until the next action is accepted."""

    cell: Cell
    label: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class TakeBackAsked:
    """The players asked to take the last action back, or (`redo`) to play it again."""

    at_ns: int
    redo: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceMade:
    """The players chose one of the view's choices directly, by its index."""

    index: int
    at_ns: int
    number: int | None = None


@dataclass(frozen=True, slots=True)
class ThrowAsked:
    """The players asked for a throw by a typed line, which, unlike a press of ROLL, is never the one before again."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class HintAsked:
    """The players asked for advice."""

    at_ns: int


@dataclass(frozen=True, slots=True)
class SeatsArranged:
    """The players changed names, the companion's seats, or how dice are thrown."""

    arrangement: Arranged
    at_ns: int


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A timer started by `StartTimer` ran out."""

    name: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class DeviceFailed:
    """A camera, panel or disk failed; `message` is one sentence for the players."""

    device: str
    message: str


@dataclass(frozen=True, slots=True)
class DeviceReturned:
    """A failed device works again."""

    device: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """An entry was read back from the journal at the start; it is not written again."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Began:
    """Everything is set up, or the whole journal is recalled; from now on lamps and screen follow."""

    at_ns: int
    resumed: bool = False


FromCamera: TypeAlias = FrameRead | FrameBlind | DiceRead
FromPlayers: TypeAlias = (
    ActionEntered | CellSet | TakeBackAsked | ThrowAsked | ChoiceMade | HintAsked | Asked | SeatsArranged
)
FromPanel: TypeAlias = ButtonPressed | SliderMoved | KeyPressed
FromProgram: TypeAlias = Thrown | Advised | TimerFired | DeviceFailed | DeviceReturned | Recalled | Began

Event: TypeAlias = FromCamera | FromPlayers | FromPanel | FromProgram


# ---- effects


@dataclass(frozen=True, slots=True)
class WriteEntry:
    """Write an entry to the journal and wait until it is durable; precedes all other effects of its event."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Show:
    """Show a view on every display, and light the panel; its signal is ordered by `Buzz`."""

    view: View
    lit: Lit = field(default_factory=Lit)


@dataclass(frozen=True, slots=True)
class Buzz:
    """Sound a signal once."""

    signal: Signal


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Send `TimerFired(name)` after this many seconds; a running timer restarts."""

    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class StopTimer:
    """Forget a timer, running or not."""

    name: str


@dataclass(frozen=True, slots=True)
class SavePicture:
    """Keep the latest frame, annotated with the view."""

    kind: Picture


@dataclass(frozen=True, slots=True)
class Throw:
    """Throw the dice that a position expects and send `Thrown`."""

    position: Position


@dataclass(frozen=True, slots=True)
class Advise:
    """Ask the game's adviser about a position and send `Advised`; `level` None means the level agreed for the
    evening.
    """

    position: Position
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """End the session. `code`: "over", "save", "rematch" or "new"."""

    code: str


Effect: TypeAlias = WriteEntry | Show | Buzz | StartTimer | StopTimer | SavePicture | Throw | Advise | Leave
