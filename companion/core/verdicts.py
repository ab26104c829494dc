"""The vocabulary of a turn: buttons and lamps, the expected action, choices, and the verdicts on a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Generic, NewType, TypeAlias

from engines.kernel import ActionT_co, Cell, Event, JsonObject, Seat
from hardware.panel import Rhythm, Signal

Position = NewType("Position", object)
"""A position of any game; only the game looks into it."""

Action = NewType("Action", object)
"""An action of any game; it is JSON only in the journal and for other programs."""


class Mode(StrEnum):
    """When a move is judged: as soon as the table is still, or only when "done" is pressed."""

    AUTOMATIC = "automatic"
    ON_DONE = "on-done"


class ActionSource(StrEnum):
    """The source of an action."""

    CAMERA = "camera"
    BUTTON = "button"  # chosen, thrown or counted on the panel
    TYPED = "typed"
    PAGE = "page"
    CLOCK = "clock"  # a deadline passed
    COMPANION = "companion"  # played by the companion for its own seat
    OVERRULED = "overruled"  # the players chose what the camera could not decide


class Attention(StrEnum):
    """What the players have to look at before the turn continues; every display follows it."""

    FAULT = "fault"  # camera or journal does not work
    BLIND = "blind"  # the camera works and sees no table
    REFUSED = "refused"  # the table is against the rules
    UNSURE = "unsure"  # the table is too close to call, or partly hidden
    SET_UP = "set-up"  # the starting position has not been seen on the table
    RESUMED = "resumed"  # the table has not been seen as the game was left
    THROW = "throw"  # a throw that was read is shown: DONE accepts it
    CHOICE = "choice"  # a choice that MODE stepped to is shown: DONE plays it
    ON_DONE = "on-done"  # moves are judged on DONE only


class Picture(StrEnum):
    """The reason to keep a picture."""

    REFUSED = "refused"
    FINAL = "final"
    MOVE = "move"  # the camera's view of an accepted move


class Question(StrEnum):
    """A question that players ask without looking at the table; the displays have the words."""

    CELL = "cell"  # what is on a cell
    COLUMN = "column"  # the letter of a column whose key was pressed
    TURN = "turn"  # whose turn it is, and what is expected
    CHANGED = "changed"  # what happened last
    POSSIBLE = "possible"  # what can be done, and by which button
    AROUND = "around"  # what is round a cell
    PIECES = "pieces"  # where the pieces of the player to act are
    SCORE = "score"
    BOARD = "board"  # everything, row by row
    AGAIN = "again"  # what was said last
    KEYS = "keys"  # which key asks what


class Wanted(StrEnum):
    """How much is said to listeners."""

    ALL = "all"
    MATTERS = "matters"  # to somebody who sees the table


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that players typed or asked by keys; every display answers in its own words.

    `cell` is what it is about, None for the last one asked about; `column` is the letter of a column, "" for none.
    """

    question: Question
    at_ns: int
    cell: Cell | None = None
    column: str = ""


@dataclass(frozen=True, slots=True)
class PendingPlacement:
    """A placement left to the players: put `expected` on `cell`, where `observed` is seen (labels)."""

    cell: Cell
    expected: str
    observed: str


@dataclass(frozen=True, slots=True)
class Deadline(Generic[ActionT_co]):
    """A clock that runs while something is expected, and the action that is played when its `seconds` are over.

    It continues over actions that lead to a deadline of the same name.
    """

    name: str
    seconds: float
    time_up: ActionT_co


@dataclass(frozen=True, slots=True)
class Prompt(Generic[ActionT_co]):
    """What a game expects now.

    Attributes:
        seat: whose turn it is, also while dice are expected; None if anyone may act, and when the game is over.
        code: the game's own word for it, such as "move"; its messages turn it into a sentence.
        deadline: the clock that runs meanwhile, None if there is none.
        numbers: the lowest and highest number that can be counted on the panel, None if no number is.
    """

    seat: Seat | None
    code: str = ""
    deadline: Deadline[ActionT_co] | None = None
    numbers: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Choice(Generic[ActionT_co]):
    """A choice for the buttons: MODE steps through the choices, DONE plays the shown one.

    Attributes:
        code: its name; the messages turn it into words.
        action: the action to play; None if the choice concerns the evening, not the game.
        counts: returns the action with the number being counted, None for a choice without a number; can be pickled,
            for a simulated table in another process.
        standing: whether it is shown before MODE is pressed.
        by: the seat that it is for, if several may act.
        cell, label: the players' label of a cell.
    """

    code: str
    action: ActionT_co | None = None
    counts: Callable[[int], ActionT_co] | None = field(default=None, compare=False, repr=False)
    standing: bool = True
    by: Seat | None = None
    cell: Cell | None = None
    label: str = ""


ALTERED = "altered"
"""The code of a table on which cells certainly differ from any explanation.

The fact "changed" lists each with its expected and its observed label.
"""

SET_ANY = "set-any"
"""The choice of setting any cell by hand."""


@dataclass(frozen=True, slots=True)
class CellSetting:
    """A cell that is being set by hand.

    Attributes:
        cells: the cells that can be set, in order.
        labels: the possible labels of the chosen cell; empty while the cell itself is being chosen.
        cell_place, label_place: the index of the one that is shown.
    """

    cells: tuple[Cell, ...]
    labels: tuple[str, ...] = ()
    cell_place: int = 0
    label_place: int = 0

    @property
    def cell(self) -> Cell:
        """The shown cell."""
        return self.cells[self.cell_place]

    @property
    def choice(self) -> Choice[Action]:
        """The choice that DONE accepts."""
        label = self.labels[self.label_place] if self.labels else ""
        return Choice(SET_ANY, standing=False, cell=self.cell, label=label)

    def stepped(self, by: int) -> CellSetting:
        """Return the setting with the next (1) or previous (-1) cell or label shown."""
        if self.labels:
            return replace(self, label_place=(self.label_place + by) % len(self.labels))
        return replace(self, cell_place=(self.cell_place + by) % len(self.cells))


@dataclass(frozen=True, slots=True)
class Count:
    """A player's number on the panel: points of this game, or wins of this evening (`wins`)."""

    seat: Seat
    number: int
    wins: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers that a panel shows one after another: dice, a number being counted, a choice's place, a score's digits.

    Attributes:
        numbers: the numbers.
        seat: whose they are, None for everybody's.
        throw: the place of their throw in the game, so that two equal throws differ; 0 for no throw.
        choice: they are the place of a choice.
        cards: they are printed cards, two figures for each.
    """

    numbers: tuple[int, ...]
    seat: Seat | None = None
    throw: int = 0
    choice: bool = False
    cards: bool = False


@dataclass(frozen=True, slots=True)
class Lit:
    """The state of a panel: each seat's lamp, the steps of its bar, the number on its digits; None for dark digits.

    `signal` sounds once, None for no sound; `figures` are counted out by lamps if there are no digits.
    """

    lamps: Mapping[Seat, Rhythm] = field(default_factory=dict)
    slider: int = 0
    number: int | None = None
    signal: Signal | None = None
    figures: Figures | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """The reason why there is no verdict yet.

    `code`: "hand", "moving", "settling", "on-done", "put-back", "set-up", "blind-<reason>". `facts` describes a picture
    that cannot be read, see `vision.observation.Blind`.
    """

    code: str
    cells: tuple[Cell, ...] = ()
    facts: Mapping[str, str | float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """Nothing has been moved."""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An accepted action; `todo` is what it leaves for the players to do on the table.

    `seat` is the seat that acted, None for a throw. `events` are its consequences. `then` are actions of others that
    followed before the next look; `earlier` is an action confirmed just before, which nobody can have read yet.
    """

    seat: Seat | None
    action: Action
    events: tuple[Event, ...] = ()
    todo: tuple[PendingPlacement, ...] = ()
    source: ActionSource = ActionSource.CAMERA
    then: tuple[Confirmed, ...] = ()
    earlier: Confirmed | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A table that the rules do not explain: a stable code, the paragraph of RULES.md, the cells, short facts.

    `action` is an entered action that is forbidden, None if the table itself is refused.
    """

    code: str
    rule: str
    cells: tuple[Cell, ...] = ()
    facts: JsonObject = field(default_factory=dict)
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Unclear:
    """A table that is too close to call, or partly hidden; `cells` decide between the rivals, `actions` are the legal
    ones.
    """

    code: str
    cells: tuple[Cell, ...] = ()
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class TookBack:
    """The last action was taken back; `todo` is what must be put back on the table, `action` what was played."""

    seat: Seat
    todo: tuple[PendingPlacement, ...] = ()
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Shuffled(Generic[ActionT_co]):
    """Things that the players lay out in an order of their own.

    Attributes:
        things: their labels; each is there once.
        action: returns the action that reports which thing is on each cell.
        awaited: whether play waits until they are laid out; if not, they may have been laid out again.
    """

    things: tuple[str, ...]
    action: Callable[[Mapping[Cell, str]], ActionT_co]
    awaited: bool = False


@dataclass(frozen=True, slots=True)
class LayoutRead:
    """The reading of things that were laid out.

    Attributes:
        labels: by cell, the thing that is there with certainty or most probably; each thing once.
        doubt: cells where that is not certain.
        bare: cells on which no thing is seen.
        doubled: things that are seen on more than one cell, with these cells.
        missing: things whose cell is not known.
    """

    labels: Mapping[Cell, str] = field(default_factory=dict)
    doubt: tuple[Cell, ...] = ()
    bare: tuple[Cell, ...] = ()
    doubled: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    @property
    def certain(self) -> bool:
        """Whether each thing is certainly on a cell of its own."""
        return not (self.doubt or self.bare)

    @property
    def known(self) -> Mapping[Cell, str]:
        """The things that are certainly on cells."""
        return {cell: thing for cell, thing in self.labels.items() if cell not in self.doubt}


Verdict: TypeAlias = Confirmed | Refused | Unclear | Unchanged | TookBack
