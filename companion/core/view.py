"""The view: all that a screen, a page or a voice shows of the state of a table."""

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


@dataclass(frozen=True, slots=True)
class View:
    """All that a screen shows of the state.

    Attributes:
        game: the game's name in commands.
        players: the seats in turn order.
        to_act: whose turn it is, "dice", or None if the game is over.
        slider: steps on the slider bar, 0 where the game has none.
        board: label that is, or should be, on each cell.
        score: running score.
        leaders: who is ahead; after the end, who has won.
        verdict: the last one, None before the first.
        waiting: why the table as it is now has no verdict yet, None if it has one.
        doubt: cells that the camera could not read last time.
        differs: cells whose reading differs from `board`.
        todo: what is left to do on the table.
        mode: when moves are judged.
        failed: devices that do not work, with their sentence.
        resumed: the game goes on from the journal and the table has not yet been seen to agree.
        over: the game has ended.
        slider_by_hand: the step at which the players have set their own slider, None if they have no such slider.
        prompt: the expected action.
        choices: what MODE steps through.
        shown: the index of the choice that DONE plays, None if DONE plays none.
        number: the number being counted, None if no number is.
        buttons: what each button does now, by a code; a button that does nothing is left out.
        remaining_s: the time left on the clock, whole seconds rounded up, None if no clock runs.
        dice_read: a throw that the camera has read and that counts in a moment, unless the players object.
        dice_counted: the numbers of a throw that the players have already counted, and `dice_awaited` their number;
            0 if no number is counted.
        count: the number that is shown player by player, None if no number is.
        tally: the games of this evening that each seat's player has won, with this one; empty in the first game.
        out_of_step: cells whose reading differs from the game's position: expected and observed labels.
        attention: what calls for attention before the turn goes on, None for the turn itself.
        layout: what is read so far of what the players are laying out, None if nothing is.
        setting_up: the table has not yet been seen as the game begins.
        paused: play is interrupted and the clocks stand still.
        advice: what was advised last for this position.
        changed: the cells that the last action changed that left a trace, with the label of each before it.
        asked: what people asked last, None since somebody has acted.
        request: what the companion wants to be moved for its own seat.
        arrangement: names, the companion's seats, how dice are thrown.
        undoable, redoable: whether there is an action to take back, and one to play again.
        played: how many actions have been played, those before a resumption too.
        sees: whether a camera looks at the table.
        position: the game's position, for screens that draw more than labels; opaque here.
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
    prompt: Prompt[Action] = field(default_factory=lambda: Prompt(None))
    choices: tuple[Choice[Action], ...] = ()
    shown: int | None = None
    number: int | None = None
    buttons: Mapping[Button, str] = field(default_factory=dict)
    remaining_s: int | None = None
    dice_read: Action | None = None
    dice_counted: tuple[int, ...] = ()
    dice_awaited: int = 0
    count: Count | None = None
    tally: Mapping[Seat, int] = field(default_factory=dict)
    out_of_step: tuple[PendingPlacement, ...] = ()
    setting_up: bool = False
    attention: Attention | None = None
    layout: LayoutRead | None = None
    paused: bool = False
    advice: Advised | None = None
    changed: Mapping[Cell, str] = field(default_factory=dict)
    asked: Asked | None = None
    request: Action | None = None
    arrangement: Arranged = field(default_factory=Arranged)
    undoable: bool = False
    played: int = 0
    redoable: bool = False
    sees: bool = True
    position: Position = field(default=Position(None), repr=False)
