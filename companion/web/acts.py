"""Acts of players on the page, as the same events that buttons, keyboard and typed lines cause.

A request is one JSON object; unknown fields are rejected. It names the moment in which it was made, so that a question
that has changed is not answered by mistake: neither when it arrives, nor when the loop comes to it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal, TypeAlias

import msgspec

from companion.app.lobby import GamePicked, LobbyAct
from companion.app.typed_commands import TypedCommands
from companion.core.lobby import Lobby, NamesGiven, OfferShown, OptionGiven, PlayersNamed
from companion.core.messages import ActionEntered, CellSet, ChoiceMade, Event, HintAsked, TakeBackAsked, Thrown
from companion.core.verdicts import ActionSource, Asked, Question
from companion.core.view import View
from companion.games import GAMES
from companion.games.asking import answer_lines
from companion.games.speech import SPEECHES
from companion.locale import _
from companion.shell.loop import ConditionalEvents
from companion.ui.names import player_name, player_names
from companion.ui.page import acting_seats
from companion.ui.words import thing_name
from companion.web.scene import moment_of
from engines.kernel import Cell, Level, Seat
from hardware.panel import Button, ButtonPressed, LineTyped

Word = Annotated[str, msgspec.Meta(max_length=40)]
Line = Annotated[str, msgspec.Meta(max_length=200)]
Place = Annotated[int, msgspec.Meta(ge=0, le=1000)]

MOST_LABELS = 24
"""If a table has more labels, a cell's label is typed instead of chosen from a list."""

ANSWER_S = 0.5
"""The longest time that a phone waits to hear whether its act counted."""


class _Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="do"):
    moment: Word = ""
    seat: Word = ""  # the phone's seat; "" for everybody's


class Press(_Act, frozen=True, tag="press"):
    """A button press or hold."""

    button: Literal["roll", "done", "back", "mode"]
    held: bool = False


class Choose(_Act, frozen=True, tag="choose"):
    """A choice, with a number if it needs one."""

    place: Place
    number: Place | None = None


class Type(_Act, frozen=True, tag="type"):
    """A typed line, or the number of a listed action."""

    line: Line


class SetCell(_Act, frozen=True, tag="cell"):
    """The label of a cell; without one, a question for the possible labels."""

    cell: Word
    label: Word = ""


class Step(_Act, frozen=True, tag="step"):
    """Taking back or redoing the last action, or a question for a hint."""

    what: Literal["undo", "redo", "hint"]


class Pick(_Act, frozen=True, tag="pick"):
    """The game on the table."""

    game: Word


class Offered(_Act, frozen=True, tag="offer"):
    """An offer of the lobby, shown or taken."""

    place: Place
    take: bool = False


class People(_Act, frozen=True, tag="people"):
    """The players in turn order, their names, and the levels of the computer's seats."""

    seats: Annotated[list[Word], msgspec.Meta(min_length=1, max_length=8)]
    names: Annotated[list[Annotated[str, msgspec.Meta(max_length=24)]], msgspec.Meta(max_length=8)] = []
    computer: Annotated[dict[Word, Level], msgspec.Meta(max_length=8)] = {}


class Agree(_Act, frozen=True, tag="agree"):
    """An option with its value."""

    key: Word
    value: bool | int | Word | None


Act: TypeAlias = Press | Choose | Type | SetCell | Step | Pick | Offered | People | Agree


class Answer(msgspec.Struct, frozen=True):
    """The response to an act: sentences for the player, and the names of a cell's possible labels if that was asked.

    `stale`: the table has changed, and nothing was done.
    """

    lines: Sequence[str] = ()
    labels: dict[str, str] = {}
    stale: bool = False


class GameActs:
    """The converter of acts to a game's events; each phone has its own, with its last question."""

    def __init__(self, put: Callable[[Event | ConditionalEvents], None], now_ns: Callable[[], int]) -> None:
        self._put, self._now_ns = put, now_ns
        self._typed = TypedCommands(now_ns=now_ns)
        self._asked = Asked(Question.TURN, 0)
        self._lock = threading.Lock()

    def take(self, act: Act, view: View) -> Answer:
        """Handle an act on a view, in the current language."""
        if not still_applies(act, view):
            return Answer(stale=True)
        if isinstance(act, SetCell) and not act.label:
            return Answer(labels=labels_for(view, act.cell))
        if isinstance(act, Type):
            return self._line(act, view)
        events, at_ns, board = list[Event](), self._now_ns(), GAMES[view.game].board()
        match act:
            case Press(button=button, held=held):
                events.append(ButtonPressed(Button(button), at_ns, held))
            case Choose(place=place, number=number) if place < len(view.choices):
                events.append(ChoiceMade(place, at_ns, number))
            case Step(what="hint"):
                events.append(HintAsked(at_ns))
            case Step(what=what):
                events.append(TakeBackAsked(at_ns, redo=what == "redo"))
            case SetCell(cell=cell, label=label) if view.sees and label in board.label_words and cell in view.board:
                events.append(CellSet(Cell(cell), label, at_ns))
        if events and (refused := out_of_turn(act, view)):
            return Answer([refused])
        return self._answer_to(act, events)

    def _answer_to(self, act: Act, events: Sequence[Event], said: Sequence[str] = ()) -> Answer:
        """Put events into the inbox that count while the act still applies; return the answer when the loop has come to
        them.

        A loop that is busy for longer than `ANSWER_S` is not waited for; its act is answered as if it counted.
        """
        if not events:
            return Answer(said)
        given = ConditionalEvents(events, partial(still_applies, act))
        self._put(given)
        try:
            return Answer(said, stale=not given.counted.result(ANSWER_S))
        except TimeoutError:
            return Answer(said)

    def _line(self, act: Type, view: View) -> Answer:
        """Interpret a line as if typed on the keyboard."""
        with self._lock:
            said: list[str] = []
            self._typed.echo = lambda *parts: said.extend(map(str, parts))
            events = self._typed.interpret(view, LineTyped(act.line))
            if asked := next((event for event in events if isinstance(event, Asked)), None):
                # the answer is for this phone alone; a question without a cell is about the last one asked about
                if asked.question is not Question.AGAIN:
                    self._asked = replace(asked, cell=asked.cell or self._asked.cell)
                return Answer(answer_lines(replace(view, asked=self._asked), GAMES[view.game].board()))
            if any(not isinstance(event, HintAsked) for event in events) and (refused := out_of_turn(act, view)):
                return Answer([refused])
        given = [
            replace(event, source=ActionSource.PAGE)
            if isinstance(event, ActionEntered | Thrown) and event.source is ActionSource.TYPED
            else event
            for event in events
        ]
        return self._answer_to(act, given, said)


def still_applies(act: Act, view: View) -> bool:
    """Return whether an act means on a view what it was meant for.

    DONE means the choice or the number that is shown. A cell's label and a typed line mean the same at any time, except
    the number of a listed action.
    """
    if isinstance(act, SetCell) or (isinstance(act, Type) and not act.line.strip().isdecimal()):
        return True
    now = moment_of(view)
    if isinstance(act, Press) and act.button == "done":
        return act.moment == now
    return act.moment.partition(".")[0] == now.partition(".")[0]


def out_of_turn(act: Act, view: View) -> str:
    """Return why a player's phone may not act now; "" if it may."""
    acting = acting_seats(view)
    if act.seat not in view.players or act.seat in acting or view.paused or view.over:
        return ""
    names = view.arrangement.names
    sentence = _("This phone is for {player}, and it is the turn of {others}.")
    return sentence.format(player=player_name(act.seat, names), others=player_names(acting, names))


def labels_for(view: View, cell: str) -> dict[str, str]:
    """Return the names of a cell's possible labels, the expected one first; empty if there are too many."""
    words, board = SPEECHES[view.game].words, GAMES[view.game].board()
    if cell not in view.board or not view.sees or len(board.label_words) > MOST_LABELS:
        return {}
    labels = dict.fromkeys((view.board[Cell(cell)], *board.label_words))
    return {label: thing_name(words, label) for label in labels if label in board.label_words}


def lobby_acts(act: Act, lobby: Lobby) -> Sequence[LobbyAct]:
    """Return the lobby's events for an act."""
    match act:
        case Pick(game=game) if game in GAMES:
            return [GamePicked(game)]
        case Offered(place=place, take=take):
            return [OfferShown(place, takes=take)]
        case People(seats=seats, names=names) if lobby.offer and set(seats) <= set(lobby.seats):
            players = tuple(Seat(seat) for seat in dict.fromkeys(seats))
            computer = {Seat(seat): level for seat, level in act.computer.items() if seat in seats}
            return [PlayersNamed(players, {}, computer), NamesGiven(tuple(name.strip() for name in names))]
        case Agree(key=key, value=value) if lobby.offer:  # a page has the game's options, no language or sound
            options = SPEECHES[lobby.offer.game].guide().options
            return [OptionGiven(key, value)] if any(option.key == key for option in options) else []
    return []
