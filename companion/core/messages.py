"""What goes into the turn and what comes out of it: events, effects, journal entries, verdicts and the view.

Events are facts in the past tense, effects are orders. `step(state, event) -> (state, effects)` is the only place
where one becomes the other; whoever performs the effects does so in their order, so that a `Record` is on the disk
before a lamp or a screen shows what it says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from engines.kernel import Cell, JsonObject, Seat, ToAct
from vision.observation import BlindReason, Observation


class Button(StrEnum):
    """The panel's four buttons."""

    ROLL = "roll"
    DONE = "done"
    BACK = "back"
    MODE = "mode"


class Mode(StrEnum):
    """When a move is judged: as soon as the table is still, or only when "done" is pressed."""

    AUTOMATIC = "automatic"
    ON_DONE = "on-done"


class Rhythm(StrEnum):
    """How a seat's lamp is lit; each can be told without its colour."""

    OFF = "off"
    TURN = "turn"  # this seat acts
    TODO = "todo"  # accepted, and something is left to do on the table
    WRONG = "wrong"  # the table cannot be explained by the rules
    UNSURE = "unsure"  # too close to call, or nothing to be seen
    WON = "won"


class Signal(StrEnum):
    """What the buzzer tells."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNSURE = "unsure"
    OVER = "over"


class Picture(StrEnum):
    """Why a picture is kept."""

    REFUSED = "refused"
    FINAL = "final"


# ---- on the table


@dataclass(frozen=True, slots=True)
class PendingPlacement:
    """Something left to do with the hands: put `expected` on `cell`, which is observed to bear `observed` (labels)."""

    cell: Cell
    expected: str
    observed: str


# ---- verdicts


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why there is no verdict yet. `code`: "hand", "moving", "settling", "on-done", "put-back", "blind-<reason>"."""

    code: str
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Nothing has been moved."""

    probability: float


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A legal action was seen and accepted; `todo` is what the players still have to put right on the table."""

    seat: Seat
    action: JsonObject
    probability: float
    facts: JsonObject = field(default_factory=dict)
    todo: tuple[PendingPlacement, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """The rules do not explain the table: a stable code, the paragraph of RULES.md, the cells, short facts."""

    code: str
    rule: str
    probability: float
    cells: tuple[Cell, ...] = ()
    facts: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unclear:
    """Too close to call, or not to be seen; `cells` decide between the rivals, `actions` are the legal ones."""

    code: str
    cells: tuple[Cell, ...] = ()
    actions: tuple[JsonObject, ...] = ()


@dataclass(frozen=True, slots=True)
class TookBack:
    """The last action was taken back; `todo` is what must be put back on the table."""

    seat: Seat
    todo: tuple[PendingPlacement, ...] = ()


Verdict: TypeAlias = Confirmed | Refused | Unclear | Unchanged | TookBack


# ---- journal entries: what replaying through `step` needs, and nothing else


@dataclass(frozen=True, slots=True)
class Played:
    """An accepted action in the protocol's form; `open` are the things left to do on the table."""

    action: JsonObject
    open: tuple[PendingPlacement, ...] = ()


@dataclass(frozen=True, slots=True)
class Put:
    """The players have done what was left to do on these cells."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """The last accepted action was taken back."""


@dataclass(frozen=True, slots=True)
class ModeSet:
    """The players chose when a move is judged."""

    mode: Mode


Entry: TypeAlias = Played | Put | Undone | ModeSet


# ---- events


@dataclass(frozen=True, slots=True, eq=False)
class FrameRead:
    """A frame was read; `still`: nothing moved since the frame before. Times are monotonic, in ns."""

    observation: Observation
    still: bool
    at_ns: int


@dataclass(frozen=True, slots=True)
class FrameBlind:
    """A frame was refused."""

    reason: BlindReason
    at_ns: int


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button was pressed, bounces already removed."""

    button: Button
    at_ns: int


@dataclass(frozen=True, slots=True)
class SliderMoved:
    """The slider that people set by hand stands at another step."""

    steps: int
    at_ns: int


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A timer that `StartTimer` had started has run out."""

    name: str
    at_ns: int


@dataclass(frozen=True, slots=True)
class DeviceFailed:
    """A camera, panel or disk failed; `message` is one sentence for people."""

    device: str
    message: str


@dataclass(frozen=True, slots=True)
class DeviceReturned:
    """A failed device works again."""

    device: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """The journal told this entry while the program started; it is not written again."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Began:
    """All is set up: a new game, or all of the journal is recalled; from now on lamps and screen follow."""

    at_ns: int
    resumed: bool = False


Event: TypeAlias = (
    FrameRead | FrameBlind | ButtonPressed | SliderMoved | TimerFired | DeviceFailed | DeviceReturned | Recalled | Began
)


# ---- the view: all that a screen shows


@dataclass(frozen=True, slots=True)
class View:
    """All that a screen shows of the state.

    Attributes:
        game: the game's name in commands.
        players: the seats in turn order.
        to_act: whose turn it is, "dice", or None when the game is over.
        slider: steps on the slider bar, 0 where the game has none.
        board: label that lies, or should lie, on each cell.
        score: running score.
        leaders: who is ahead; after the end, who has won.
        verdict: the last one, None before the first.
        waiting: why the table as it lies now has no verdict yet.
        doubt: cells that the camera could not tell last time.
        differs: cells that are seen otherwise than `board` says.
        todo: what is left to do on the table.
        mode: when moves are judged.
        failed: devices that do not work, with their sentence.
        resumed: the game goes on from the journal and the table has not yet been seen to agree.
        over: the game has ended.
        slider_by_hand: where people have set a slider of their own, None where they have none.
    """

    game: str
    players: tuple[Seat, ...]
    to_act: ToAct
    slider: int
    board: Mapping[Cell, str]
    score: Mapping[Seat, int]
    leaders: tuple[Seat, ...]
    verdict: Verdict | None
    doubt: tuple[Cell, ...]
    differs: tuple[Cell, ...]
    todo: tuple[PendingPlacement, ...]
    mode: Mode
    failed: Mapping[str, str]
    resumed: bool
    over: bool
    waiting: Waiting | None = None
    slider_by_hand: int | None = None


# ---- effects


@dataclass(frozen=True, slots=True)
class Record:
    """Write this to the journal and wait until it is durable. Comes before all other effects of its event."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Show:
    """Show this on the screen."""

    view: View


@dataclass(frozen=True, slots=True)
class Lamp:
    """Give a seat's lamp a rhythm; it stays until the next order."""

    seat: Seat
    rhythm: Rhythm


@dataclass(frozen=True, slots=True)
class Slider:
    """Light so many steps of the slider bar."""

    steps: int


@dataclass(frozen=True, slots=True)
class Buzz:
    """Sound a signal once."""

    signal: Signal


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Send `TimerFired(name)` after so many seconds; starting it again begins anew."""

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
class Finish:
    """The game is over and told; the program may end."""


Effect: TypeAlias = Record | Show | Lamp | Slider | Buzz | StartTimer | StopTimer | SavePicture | Finish
