"""Typing as a front of the one loop: lines become events, views become lines."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

from companion.app.formatting import drawn, fact
from companion.app.output import write_text
from companion.core.messages import (
    ActionEntered,
    ButtonPressed,
    ChoiceMade,
    Event,
    HintAsked,
    TakeBackAsked,
    Thrown,
)
from companion.core.verdicts import Button, Confirmed, Refused, Rhythm, Source, TookBack
from companion.core.view import View
from companion.games import GAMES
from companion.games.engines import ENGINES, AnyEngine
from companion.games.speech import SPEECHES
from companion.games.turns import THROW, is_throw
from companion.locale import _
from companion.shell.effects import Display
from companion.shell.loop import Inbox, LineTyped, Message, Stop
from companion.shell.opening import Setup, begin
from companion.ui.names import points
from companion.ui.words import with_rule, won_words
from engines.kernel import Advice, BadRequestError, JsonObject, Refusal, Seat

if TYPE_CHECKING:
    from rich.console import RenderableType

FEW = 12
"""So many possible actions are listed unasked."""

MANY = 60
"""So many are listed when somebody asks."""

_LONGEST_QUOTE = 40

_QUIT = "quit"

_NOT_SHOWN = ("game", "players", "over", "await")
"""What the other lines say of a position already."""


class TypedPlay:
    """People type what they do, line by line; fulfils `companion.shell.session.Front`.

    Args:
        lines: what they type.
        now_ns: the loop's clock.
    """

    def __init__(self, lines: Iterator[str], *, now_ns: Callable[[], int] = monotonic_ns) -> None:
        self._lines, self._now_ns = lines, now_ns
        self._engine: AnyEngine | None = None

    def source(self, inbox: Inbox) -> LineReader:
        """Return what puts typed lines into an inbox."""
        return LineReader(self._lines, inbox)

    def display(self, engine: AnyEngine) -> Display:
        """Return what writes views as lines."""
        self._engine = engine
        return TypedDisplay(engine)

    def interpret(self, view: View, line: LineTyped) -> Sequence[Event]:
        """Return the events that a line means; what it only asks is answered at once."""
        text, at_ns = " ".join(line.text.split()), self._now_ns()
        commands: Mapping[str, Callable[[], Sequence[Event]]] = {
            "": lambda: (),
            "?": lambda: self._answered(*self._help(view)),
            "advise": lambda: [HintAsked(at_ns)],
            "back": lambda: self._take_back(view, at_ns),
            "redo": lambda: self._redo(view, at_ns),
            "board": lambda: self._answered(*board_lines(self._known, view.position)),
            "score": lambda: self._answered(points(view.score)),
            "r": lambda: self._throw(view, at_ns),
        }
        return commands[text]() if text in commands else self._typed(view, text, at_ns)

    @property
    def _known(self) -> AnyEngine:
        if self._engine is None:
            message = "nothing is shown before a display is asked for"
            raise RuntimeError(message)
        return self._engine

    def _answered(self, *parts: RenderableType) -> Sequence[Event]:
        say(*parts)
        return ()

    def _help(self, view: View) -> Iterator[str]:
        if written := possible(self._known, view.position):
            yield possible_words(written, MANY)
        yield _("Type an action, or: ? (help), advise, back (take back), redo, board, score, quit.")

    def _take_back(self, view: View, at_ns: int) -> Sequence[Event]:
        return [TakeBackAsked(at_ns)] if view.undoable else self._answered(_("There is nothing to take back."))

    def _redo(self, view: View, at_ns: int) -> Sequence[Event]:
        if not view.redoable:
            return self._answered(_("There is nothing to play again."))
        return [TakeBackAsked(at_ns, redo=True)]

    def _throw(self, view: View, at_ns: int) -> Sequence[Event]:
        if not self._known.turns.throws(view.position):
            return self._answered(_("No throw is awaited."))
        return [ButtonPressed(Button.ROLL, at_ns)]

    def _typed(self, view: View, text: str, at_ns: int) -> Sequence[Event]:
        """Read an action, or the word of a choice."""
        words = [choice.code for choice in view.choices]
        if text in words and view.choices[words.index(text)].counts is None:
            return [ChoiceMade(words.index(text), at_ns)]
        try:
            action = self._known.game.action_to_json(read_typed(self._known, view.position, text))
        except BadRequestError as error:
            return self._answered(str(error))
        if is_throw(action) and self._known.turns.throws(view.position):
            return [Thrown(action, at_ns, Source.TYPED)]
        return [ActionEntered(action, at_ns)]


def ask_who_plays(setup: Setup, lines: Iterator[str]) -> Setup | None:
    """Ask who plays until a game can begin with them; return None when the lines end or somebody quits."""
    engine, colours = ENGINES[setup.game or ""], GAMES[setup.game or ""].board().colours
    say(_("Who plays? Type the colours in turn order, with commas between them."))
    if colours:
        say(_("The table has: {colours}").format(colours=", ".join(colours)))
    for line in map(str.strip, lines):
        if line == _QUIT:
            return None
        named = replace(setup, players=[Seat(name.strip()) for name in line.split(",")])
        try:
            begin(engine, named, colours)
        except BadRequestError as error:
            say(str(error))
        else:
            return named
    return None


class LineReader:
    """Puts one line into the inbox at a time, the next one when the loop is done with the last; a `Stop` at the end."""

    def __init__(self, lines: Iterator[str], inbox: Inbox) -> None:
        self._lines, self._inbox = lines, inbox
        self._wanted = threading.Semaphore(1)
        self._stopped = False
        self._thread = threading.Thread(target=self._run, name="lines", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read no further line; the one that is being waited for is dropped."""
        self._stopped = True
        self._wanted.release()

    def handled(self, message: Message) -> None:
        """Let the next line be read once the loop is done with the last."""
        if isinstance(message, LineTyped):
            self._wanted.release()

    def _run(self) -> None:
        try:
            while self._wanted.acquire() and not self._stopped:
                line = next(self._lines, _QUIT).strip()
                if line == _QUIT:
                    self._inbox.put(Stop())
                    return
                self._inbox.put(LineTyped(line))
        except Exception as error:  # a thread must not die silently: the loop raises it
            self._inbox.put(Stop(error))


class TypedDisplay:
    """Writes what has happened since the last view, and what is awaited now."""

    def __init__(self, engine: AnyEngine) -> None:
        self._engine = engine
        self._shown: View | None = None
        self._count = 0

    def show(self, view: View, _lamps: Mapping[Seat, Rhythm], _pictures: Sequence[Path]) -> None:
        """Write what is new in a view."""
        last, self._shown = self._shown, view
        if last is None:
            say(*board_lines(self._engine, view.position))
        if last is None or view.failed != last.failed:
            say(*view.failed.values())
        if last is not None and view.verdict is not last.verdict:
            say(*self._verdict(view, last))
        if last is None or view.verdict is not last.verdict or view.position != last.position:
            say(*self._awaited(view))
        if view.advice is not None and (last is None or view.advice is not last.advice):
            say(self._advice(view))

    def _verdict(self, view: View, last: View) -> Iterator[str]:
        names, speech = view.arrangement.names, SPEECHES[view.game]
        match view.verdict:
            case Confirmed(seat, action, _p, facts):
                self._count += 1
                yield f"{self._count:>4}  {speech.words.played(seat, action, facts, names)}"
            case Refused(code, rule, _p, cells, {"action": dict(action)}):
                refusal = Refusal(code, rule, cells)
                played = self._engine.game.action_from_json(action)
                yield with_rule(speech.refusal(last.position, played, refusal, names), rule)
            case TookBack():
                self._count = max(0, self._count - 1)
                yield _("The last action is taken back.")

    def _awaited(self, view: View) -> Iterator[str]:
        """Say who acts, what is awaited, and what is possible."""
        if view.over:
            return
        yield self._engine.lead.awaited(view.position)
        if self._engine.game.to_act(view.position) == "dice":
            yield _("r lets the companion throw; ? helps.") if view.buttons.get(Button.ROLL) else _("? helps.")
        else:
            yield possible_words(possible(self._engine, view.position))

    def _advice(self, view: View) -> str:
        advised = view.advice
        if advised is None or advised.action is None:
            return _("There is nothing to decide now.")
        action = self._engine.game.action_from_json(advised.action)
        advice = Advice(action, advised.code, advised.numbers, 0.0)
        written = self._engine.notation.write_action(action)
        return f"{written}: {SPEECHES[view.game].hint(view.position, advice, view.arrangement.names)}"


def ending_words(view: View, *, resumable: bool) -> Iterator[str]:
    """Say who has won, or how the game is gone on with."""
    if view.over:
        won = view.leaders
        yield won_words(won, view.score) if won else _("The game is over ({score})").format(score=points(view.score))
    elif resumable:
        yield _("The game is not over ({score}).").format(score=points(view.score))
        yield _("companion play --camera none --resume goes on with it.")


def say(*parts: RenderableType) -> None:
    """Write at once: whoever is asked may be waiting for it."""
    if parts:
        write_text(*parts)
        sys.stdout.flush()


# ---- the words of a game


def board_lines(engine: AnyEngine, position: Any) -> Sequence[RenderableType]:
    """Draw what everybody may know of a position."""
    table = drawn(engine.game.name, position)
    if table is not None:
        return [table]
    public: JsonObject = engine.public(position, None) if engine.public else engine.game.position_to_json(position)
    return [f"{key}: {fact(value)}" for key, value in public.items() if key not in _NOT_SHOWN]


def possible(engine: AnyEngine, position: Any) -> Sequence[str]:
    """Write the legal actions; none while dice are awaited."""
    return [engine.notation.write_action(action) for action in engine.game.actions(position)]


def possible_words(written: Sequence[str], most: int = FEW) -> str:
    """Say what is possible: all of it where that is not too much, else the first, or the first few when asked."""
    if len(written) <= most:
        return _("Possible: {actions}").format(actions=", ".join(written))
    if most == FEW:
        sentence = _('{count} actions are possible, such as "{action}"; ? lists them.')
        return sentence.format(count=len(written), action=written[0])
    sentence = _("Possible: {actions} and others, {count} in all")
    return sentence.format(actions=", ".join(written[:most]), count=len(written))


def read_typed(engine: AnyEngine, position: Any, line: str) -> Any:
    """Return the action that a line means; whether the rules allow it is another question.

    A throw may be typed without its word.

    Raises:
        BadRequestError: it means none.
    """
    text = " ".join(line.split())
    try:
        return engine.notation.read_action(text)
    except BadRequestError as error:
        if engine.game.to_act(position) == "dice":
            with suppress(BadRequestError):
                return engine.notation.read_action(f"{THROW} {text}")
        sentence = _('"{line}" is no action of this game ({error})')
        raise BadRequestError(sentence.format(line=text[:_LONGEST_QUOTE], error=error)) from error
