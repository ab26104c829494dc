"""What players do on the page, as events: the same ones that buttons, keyboard and typed lines cause.

A request is one JSON object; one with anything unexpected in it is refused. An answer names the moment in which it was
given: a question that has changed meanwhile is not answered by mistake.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, TypeVar

import msgspec

from companion.app.lobby import GamePicked, LobbyAct
from companion.app.typed_commands import TypedCommands
from companion.core.lobby import NamesGiven, OfferShown, OfferTaken, OptionGiven, PlayersNamed
from companion.core.messages import (
    ActionEntered,
    CellSet,
    ChoiceMade,
    Event,
    HintAsked,
    TakeBackAsked,
    Thrown,
)
from companion.core.verdicts import ActionSource
from companion.games import GAMES
from companion.games.speech import SPEECHES
from companion.locale import _
from companion.ui.names import player_name, player_names
from companion.ui.page import acting_seats
from companion.ui.words import thing_name
from companion.web.scene import moment_of
from engines.kernel import Cell, Level, Seat
from hardware.panel import Button, ButtonPressed, LineTyped

if TYPE_CHECKING:
    from rich.console import RenderableType

    from companion.core.lobby import Lobby
    from companion.core.view import View
    from companion.shell.effects import ShownView
    from companion.shell.session import SessionTable

Word = Annotated[str, msgspec.Meta(max_length=40)]
Line = Annotated[str, msgspec.Meta(max_length=200)]
Place = Annotated[int, msgspec.Meta(ge=0, le=1000)]

MOST_LABELS = 24
"""If a table has more labels, the label of a cell is typed, not chosen from a list."""


class _Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do"):
    moment: Word = ""
    seat: Word = ""  # whose phone it is; "" for everybody's


class Press(_Act, frozen=True, tag="press"):
    """A button was pressed or held."""

    button: Literal["roll", "done", "back", "mode"]
    held: bool = False


class Choose(_Act, frozen=True, tag="choose"):
    """One of the choices was taken, with a number if it needs one."""

    place: Place
    number: Place | None = None


class Type(_Act, frozen=True, tag="type"):
    """A line was typed, or the number of a listed action."""

    line: Line


class SetCell(_Act, frozen=True, tag="cell"):
    """What is on a cell was set; without a label it is asked what may be there."""

    cell: Word
    label: Word = ""


class Step(_Act, frozen=True, tag="step"):
    """The last action is taken back or played again, or a hint is asked for."""

    what: Literal["undo", "redo", "hint"]


class Pick(_Act, frozen=True, tag="pick"):
    """The game on the table was named."""

    game: Word


class Offered(_Act, frozen=True, tag="offer"):
    """One of the offers of the lobby was looked at, or taken."""

    place: Place
    take: bool = False


class People(_Act, frozen=True, tag="people"):
    """Who plays, in turn order, what they are called, and how well the computer plays seats of its own."""

    seats: Annotated[list[Word], msgspec.Meta(min_length=1, max_length=8)]
    names: Annotated[list[Annotated[str, msgspec.Meta(max_length=24)]], msgspec.Meta(max_length=8)] = []
    computer: Annotated[dict[Word, Level], msgspec.Meta(max_length=8)] = {}


class Agree(_Act, frozen=True, tag="agree"):
    """An option was agreed on."""

    key: Word
    value: bool | int | Word | None


Act: TypeAlias = Press | Choose | Type | SetCell | Step | Pick | Offered | People | Agree

ACTS: msgspec.json.Decoder[Act] = msgspec.json.Decoder(Act)
_Read = TypeVar("_Read")


class Answer(msgspec.Struct, frozen=True):
    """What a page is answered at once.

    Attributes:
        lines: what is said to the one who did it.
        labels: the names of what may be on a cell, by label, if that was asked.
        stale: the table has changed meanwhile, and nothing was done.
    """

    lines: Sequence[str] = ()
    labels: dict[str, str] = {}
    stale: bool = False


def read_json(body: bytes, decoder: msgspec.json.Decoder[_Read]) -> _Read:
    """Read a request.

    Raises:
        ValueError: it does not have the form that the decoder reads; the message is not for users.
    """
    try:
        return decoder.decode(body)
    except msgspec.DecodeError as error:  # a ValueError in later versions only
        raise ValueError(str(error)) from error


class GameActs:
    """Turns acts into events of a game; each phone has one of its own, with the question that it was asked last.

    Args:
        put: takes the events.
        now_ns: the loop's clock.
    """

    def __init__(self, put: Callable[[Event], None], now_ns: Callable[[], int]) -> None:
        self._put, self._now_ns = put, now_ns
        self._said: list[str] = []
        self._typed = TypedCommands(lambda _table: nullcontext(self), now_ns=now_ns)
        self._lock = threading.Lock()

    def take(self, act: Act, view: View, table: SessionTable) -> Answer:
        """Do what was asked for while a view was shown, in the language that is spoken."""
        if act.moment != moment_of(view) and not isinstance(act, Type | SetCell):
            return Answer(stale=True)
        if isinstance(act, SetCell) and not act.label:
            return Answer(labels=labels_for(view, act.cell))
        if isinstance(act, Type):
            return self._line(act, view, table)
        events = self._events(act, view)
        if events and (refused := out_of_turn(act, view)):
            return Answer([refused])
        for event in events:
            self._put(event)
        return Answer()

    def _events(self, act: Act, view: View) -> Sequence[Event]:
        at_ns = self._now_ns()
        match act:
            case Press(button=button, held=held):
                return [ButtonPressed(Button(button), at_ns, held)]
            case Choose(place=place, number=number) if place < len(view.choices):
                return [ChoiceMade(place, at_ns, number)]
            case Step(what="hint"):
                return [HintAsked(at_ns)]
            case Step(what=what):
                return [TakeBackAsked(at_ns, redo=what == "redo")]
            case SetCell(cell=cell, label=label) if view.sees and label in GAMES[view.game].board().label_words:
                return [CellSet(Cell(cell), label, at_ns)] if cell in view.board else []
        return []

    def _line(self, act: Type, view: View, table: SessionTable) -> Answer:
        """Read a line as the keyboard's are; the number of a listed action counts in its moment only."""
        if act.line.strip().isdecimal() and act.moment != moment_of(view):
            return Answer(stale=True)
        with self._lock, self._typed.display(table):
            self._said = []
            events = self._typed.interpret(view, LineTyped(act.line))
            if any(not isinstance(event, HintAsked) for event in events) and (refused := out_of_turn(act, view)):
                return Answer([refused])
            for event in events:
                if isinstance(event, ActionEntered | Thrown) and event.source is ActionSource.TYPED:
                    self._put(replace(event, source=ActionSource.PAGE))
                else:
                    self._put(event)
            return Answer(self._said)

    # ---- as the display on which lines are typed

    name, language = "answers", ""

    def show(self, _shown: ShownView) -> None:
        """Show nothing: the page does."""

    def typed(self, _line: LineTyped, _view: View) -> None:
        """Note nothing."""

    def answer(self, *parts: RenderableType) -> None:
        """Keep what is answered."""
        self._said += map(str, parts)

    def leave(self) -> None:
        """Note nothing."""


def out_of_turn(act: Act, view: View) -> str:
    """Return why the phone of one player may not do anything now; "" if it may, as any other phone may."""
    acting = acting_seats(view)
    if act.seat not in view.players or act.seat in acting or view.paused or view.over:
        return ""
    names = view.arrangement.names
    sentence = _("This phone is for {player}, and it is the turn of {others}.")
    return sentence.format(player=player_name(act.seat, names), others=player_names(acting, names))


def labels_for(view: View, cell: str) -> dict[str, str]:
    """Return the names of what may be on a cell, by label, the expected one first; nothing if there are too many."""
    words, board = SPEECHES[view.game].words, GAMES[view.game].board()
    if cell not in view.board or not view.sees or len(board.label_words) > MOST_LABELS:
        return {}
    labels = dict.fromkeys((view.board[Cell(cell)], *board.label_words))
    return {label: thing_name(words, label) for label in labels if label in board.label_words}


def lobby_acts(act: Act, lobby: Lobby) -> Sequence[LobbyAct]:
    """Return the acts of the lobby that a request stands for."""
    match act:
        case Pick(game=game) if game in GAMES:
            return [GamePicked(game)]
        case Offered(place=place, take=take):
            return [OfferTaken(place) if take else OfferShown(place)]
        case People(seats=seats, names=names) if lobby.offer and set(seats) <= set(lobby.seats):
            players = tuple(Seat(seat) for seat in dict.fromkeys(seats))
            computer = {Seat(seat): level for seat, level in act.computer.items() if seat in seats}
            return [PlayersNamed(players, {}, computer), NamesGiven(tuple(name.strip() for name in names))]
        case Agree(key=key, value=value) if lobby.offer:
            return [OptionGiven(key, value)]
    return []
