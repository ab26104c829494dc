"""What goes into the turn and what comes out of it: events, effects, journal entries, verdicts and the view.

Events are facts in the past tense, effects are orders. `step(state, event) -> (state, effects)` is the only place
where one becomes the other; effects are performed in their order, so that a `WriteEntry` is on the disk before a lamp
or a screen shows what it says.
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
    """A frame was read; `still`: nothing moved since the frame before. Times are monotonic, in ns.

    `card` is the one that is beside the board, None without any.
    """

    observation: Observation
    still: bool
    at_ns: int
    card: ObjectiveCard | None = None


@dataclass(frozen=True, slots=True)
class FrameBlind:
    """A frame was refused; `facts` is what is known of it, as `vision.observation.Blind` has it."""

    reason: BlindReason
    at_ns: int
    facts: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ActionEntered:
    """The players put an action in: typed, on the page, or by overruling the camera."""

    action: Action
    at_ns: int
    source: ActionSource = ActionSource.TYPED


@dataclass(frozen=True, slots=True)
class Thrown:
    """Chance acted: the throw that `Throw` had ordered, or one that the players typed."""

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
    """The players set what is on a cell, overruling the camera until the next action is accepted."""

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
    """The players chose one of the view's choices directly, by its place."""

    index: int
    at_ns: int
    number: int | None = None


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
    """A timer that `StartTimer` had started has run out."""

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
    """An entry read back from the journal while the program starts; it is not written again."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Began:
    """All is set up: a new game, or all of the journal is recalled; from now on lamps and screen follow."""

    at_ns: int
    resumed: bool = False


Event: TypeAlias = (
    FrameRead
    | FrameBlind
    | ButtonPressed
    | SliderMoved
    | ActionEntered
    | Thrown
    | DiceRead
    | CellSet
    | TakeBackAsked
    | ChoiceMade
    | HintAsked
    | Asked
    | KeyPressed
    | Advised
    | SeatsArranged
    | TimerFired
    | DeviceFailed
    | DeviceReturned
    | Recalled
    | Began
)


# ---- effects


@dataclass(frozen=True, slots=True)
class WriteEntry:
    """Write this to the journal and wait until it is durable. Comes before all other effects of its event."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Show:
    """Show this on the screen."""

    view: View


@dataclass(frozen=True, slots=True)
class Light:
    """Light the panel like this instead of as before; its signal is ordered by `Buzz`."""

    lit: Lit


@dataclass(frozen=True, slots=True)
class Buzz:
    """Sound a signal once."""

    signal: Signal


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Send `TimerFired(name)` after that many seconds; starting it again restarts it."""

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
    """Ask the game's adviser about a position and send `Advised`; `level` None asks as well as the evening agreed."""

    position: Position
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """End the session. `code`: "over", "save", "rematch" or "new"."""

    code: str


Effect: TypeAlias = WriteEntry | Show | Light | Buzz | StartTimer | StopTimer | SavePicture | Throw | Advise | Leave
