"""The view: everything that a screen, a page or a voice shows of the state of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.core.entries import Advised, Arranged
from companion.core.verdicts import (
    Action,
    Asked,
    Attention,
    Choice,
    Count,
    LayoutRead,
    Mode,
    PendingPlacement,
    Position,
    Prompt,
    Verdict,
    Waiting,
)
from engines.kernel import Cell, Seat, ToAct
from hardware.panel import Button


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStatus:
    """The part of the state of a table that every screen shows as it is.

    Attributes:
        players: the seats in turn order.
        sees: whether a camera looks at the table.
        verdict: the last one, None before the first.
        waiting: why the table has no verdict yet, None if it has one.
        doubt: cells that could not be read with certainty at the last look.
        out_of_step: cells whose reading differs from the game's position, with the expected and the observed label.
        failed: devices that do not work, with their sentence.
        resumed: the game is resumed from the journal, and the table has not yet been seen to agree.
        setting_up: the game is new, and its starting position has not yet been seen on the table.
        slider_by_hand: the step of the players' own slider, None if they have none.
        paused: play is interrupted and no clock runs.
        number: the number being counted, None until counting begins.
        dice_counted: the numbers of a throw that the players have already counted.
        advice: the last advice for this position.
        asked: the players' last question, None once somebody has acted.
        layout: the reading so far of what the players are laying out, None if nothing is.
    """

    players: tuple[Seat, ...]
    sees: bool = True
    verdict: Verdict | None = None
    waiting: Waiting | None = None
    doubt: tuple[Cell, ...] = ()
    out_of_step: tuple[PendingPlacement, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    resumed: bool = False
    setting_up: bool = False
    slider_by_hand: int | None = None
    paused: bool = False
    number: int | None = None
    dice_counted: tuple[int, ...] = ()
    advice: Advised | None = None
    asked: Asked | None = None
    layout: LayoutRead | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class View(TableStatus):
    """Everything that a screen shows of the state.

    Attributes:
        game: the game's name in commands.
        to_act: whose turn it is, "dice", or None if the game is over.
        slider: steps on the slider bar, 0 if the game has none.
        board: the label that is, or should be, on each cell.
        score: the current score.
        leaders: who is ahead; after the end, who has won.
        todo: what is left to do on the table.
        mode: when moves are judged.
        over: the game has ended.
        prompt: the expected action.
        choices: what MODE steps through.
        shown: the index of the choice that DONE plays, None if DONE plays none.
        buttons: the code of what each button does now; a button that does nothing is left out.
        remaining_s: the time left on the clock, whole seconds rounded up, None if no clock runs.
        dice_read: a throw that the camera has read and that will count shortly, unless the players object.
        dice_awaited: how many numbers the throw has; 0 if no throw is being counted.
        count: the number that is shown player by player, None if no number is.
        tally: the games won this evening by each seat's player, including this one; empty in the first game.
        attention: what calls for attention before the turn continues, None for the turn itself.
        changed: the cells changed by the last action that left a trace, with their labels before it.
        request: the move that the companion asks the players to make for its own seat.
        arrangement: names, the companion's seats, and how dice are thrown.
        undoable, redoable: whether there is an action to take back, and one to play again.
        played: how many actions have been played, including those before a resumption.
        position: the game's position, for screens that draw more than labels; opaque here.
    """

    game: str
    to_act: ToAct
    slider: int
    board: Mapping[Cell, str]
    score: Mapping[Seat, int]
    leaders: tuple[Seat, ...]
    todo: tuple[PendingPlacement, ...] = ()
    mode: Mode = Mode.AUTOMATIC
    over: bool = False
    prompt: Prompt[Action] = field(default_factory=lambda: Prompt(None))
    choices: tuple[Choice[Action], ...] = ()
    shown: int | None = None
    buttons: Mapping[Button, str] = field(default_factory=dict)
    remaining_s: int | None = None
    dice_read: Action | None = None
    dice_awaited: int = 0
    count: Count | None = None
    tally: Mapping[Seat, int] = field(default_factory=dict)
    attention: Attention | None = None
    changed: Mapping[Cell, str] = field(default_factory=dict)
    request: Action | None = None
    arrangement: Arranged = field(default_factory=Arranged)
    undoable: bool = False
    redoable: bool = False
    played: int = 0
    position: Position = field(default=Position(None), repr=False)
