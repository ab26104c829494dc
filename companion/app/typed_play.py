"""Typing as a front of the one loop: lines become events, views become lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic_ns
from typing import TYPE_CHECKING, Any

from companion.app.conversation import answer
from companion.app.formatting import drawn, fact
from companion.app.lines import LineReader
from companion.app.lobby_lines import language_typed
from companion.app.output import say
from companion.app.seating import names_typed
from companion.core.choices import NEW_GAME, REMATCH
from companion.core.messages import (
    ActionEntered,
    ButtonPressed,
    ChoiceMade,
    Event,
    HintAsked,
    SeatsArranged,
    TakeBackAsked,
    Thrown,
)
from companion.core.verdicts import ActionSource, Button, Confirmed, Refused, Rhythm, TookBack
from companion.core.view import View
from companion.games import GAMES
from companion.games.captions import choice_words, prompt_words
from companion.games.engines import AnyEngine
from companion.games.line import plain
from companion.games.showing import extras_of
from companion.games.speech import SPEECHES, option_words, parse_line, possible_lines, score_lines
from companion.games.turns import is_throw
from companion.games.typed import Command, Entered, Mistake
from companion.locale import _, speak
from companion.shell.effects import Display
from companion.shell.loop import Inbox, LineTyped
from companion.ui.names import player_name
from companion.ui.words import score_words, with_rule, won_words
from engines.kernel import Advice, JsonObject, Refusal, Seat

if TYPE_CHECKING:
    from rich.console import RenderableType

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
        self._reader: LineReader | None = None
        self._engine: AnyEngine | None = None
        self._proposed: Entered[Any] | None = None

    def source(self, inbox: Inbox) -> LineReader:
        """Return what puts typed lines into an inbox; the same reader serves one game after the other."""
        if self._reader is None:
            self._reader = LineReader(self._lines, inbox)
        else:
            self._reader.attach(inbox)
        return self._reader

    def display(self, engine: AnyEngine) -> Display:
        """Return what writes views as lines."""
        self._engine = engine
        return TypedDisplay(engine)

    def interpret(self, view: View, line: LineTyped) -> Sequence[Event]:
        """Return the events that a line means; what it only asks is answered at once."""
        text, at_ns = line.text.strip(), self._now_ns()
        if not text:
            return ()
        if (language := language_typed(text)) is not None:
            speak(language)
            return [SeatsArranged(replace(view.arrangement, language=language), at_ns)]
        chosen = _choice(view, text)
        return self._typed(view, text, at_ns) if chosen is None else [ChoiceMade(chosen, at_ns)]

    def _typed(self, view: View, text: str, at_ns: int) -> Sequence[Event]:
        proposed, self._proposed = self._proposed, None
        reading = parse_line(view.game, view.position, text, view.arrangement.names)
        match reading:
            case Mistake(sentence):
                return self._answered(sentence)
            case Command("yes") if proposed is not None:
                return self._events(view, proposed, at_ns)
            case Command():
                return self._command(view, reading, at_ns)
            case Entered(confirm=question) if question:
                self._proposed = reading
                return self._answered(question, _("Type yes, or another walk."))
        return self._events(view, reading, at_ns)

    def _events(self, view: View, entered: Entered[Any], at_ns: int) -> Sequence[Event]:
        actions = [self._known.game.action_to_json(action) for action in (entered.action, *entered.then)]
        return [self._event(view, action, at_ns, first=place == 0) for place, action in enumerate(actions)]

    def _event(self, view: View, action: JsonObject, at_ns: int, *, first: bool) -> Event:
        if is_throw(action) and (not first or self._known.turns.throws(view.position)):
            return Thrown(action, at_ns, ActionSource.TYPED)
        return ActionEntered(action, at_ns)

    def _command(self, view: View, command: Command, at_ns: int) -> Sequence[Event]:
        """Return the events of a command; a question is answered at once."""
        events: Mapping[str, Callable[[], Sequence[Event]]] = {
            "hint": lambda: [HintAsked(at_ns)],
            "undo": lambda: self._take_back(view, at_ns),
            "redo": lambda: self._redo(view, at_ns),
            "roll": lambda: self._throw(view, at_ns),
            "board": lambda: self._answered(*board_lines(self._known, view.position)),
            "pause": lambda: [ButtonPressed(Button.MODE, at_ns, held=True)],
            "new": lambda: self._after_the_end(view, REMATCH, at_ns),
            "games": lambda: self._after_the_end(view, NEW_GAME, at_ns),
            "names": lambda: self._rename(view, command.argument, at_ns),
        }
        if command.name in events:
            return events[command.name]()
        lines = answer(view, command)
        return self._answered(*(lines or [_explained(view)]))

    @property
    def _known(self) -> AnyEngine:
        if self._engine is None:
            message = "nothing is shown before a display is asked for"
            raise RuntimeError(message)
        return self._engine

    def _answered(self, *parts: RenderableType) -> Sequence[Event]:
        say(*parts)
        return ()

    def _after_the_end(self, view: View, code: str, at_ns: int) -> Sequence[Event]:
        codes = [choice.code for choice in view.choices]
        if view.over and code in codes:
            return [ChoiceMade(codes.index(code), at_ns)]
        return self._answered(_("This game is not over. Type quit to stop here; it is kept."))

    def _take_back(self, view: View, at_ns: int) -> Sequence[Event]:
        return [TakeBackAsked(at_ns)] if view.undoable else self._answered(_("There is nothing to take back."))

    def _redo(self, view: View, at_ns: int) -> Sequence[Event]:
        if not view.redoable:
            return self._answered(_("There is nothing to play again."))
        return [TakeBackAsked(at_ns, redo=True)]

    def _throw(self, view: View, at_ns: int) -> Sequence[Event]:
        if not self._known.turns.throws(view.position):
            return self._answered(_("No throw is awaited."), _explained(view))
        return [ButtonPressed(Button.ROLL, at_ns)]

    def _rename(self, view: View, argument: str, at_ns: int) -> Sequence[Event]:
        """Change names of players: "names red Anna", or those of all in turn order: "names Anna, Ben"."""
        renamed = names_typed(argument, view.players, view.arrangement.names)
        if not renamed:
            return self._answered(
                _("Type a colour or name and the new name: names {player} Anna.").format(
                    player=player_name(view.players[0], view.arrangement.names)
                )
            )
        for seat, name in renamed.items():
            say(
                _("{player} is {name} from now on.").format(player=player_name(seat, view.arrangement.names), name=name)
            )
        names = {**view.arrangement.names, **renamed}
        return [SeatsArranged(replace(view.arrangement, names=names), at_ns)]


def _choice(view: View, text: str) -> int | None:
    """Return the place of a choice that is no action of the game, by its number, code or name."""
    if not (view.over or view.paused):
        return None
    words = [
        {str(place), choice.code, plain(choice_words(view, choice))} for place, choice in enumerate(view.choices, 1)
    ]
    return next((place for place, known in enumerate(words) if plain(text) in known), None)


def _moment(view: View) -> tuple[object, ...]:
    """Return what the sentence of what is awaited depends on."""
    return id(view.verdict), view.position, view.paused, view.over


def _offered(view: View) -> Iterator[str]:
    """Return what can be chosen in a pause or after the end, by number; before that how the game ended."""
    if view.over and view.choices:
        yield from ending_words(view, resumable=False)
    for place, choice in enumerate(view.choices, 1):
        yield _("{number}: {action}").format(number=place, action=choice_words(view, choice))


def _explained(view: View) -> str:
    return (
        prompt_words(view) if view.over else SPEECHES[view.game].grammar.explain(view.position, view.arrangement.names)
    )


class TypedDisplay:
    """Writes what has happened since the last view, and what is awaited now."""

    def __init__(self, engine: AnyEngine) -> None:
        self._engine = engine
        self._shown: View | None = None
        self._count = 0
        self._drawn: tuple[list[str], ...] = [], [], []
        self._explained: set[str] = set()

    def show(self, view: View, _lamps: Mapping[Seat, Rhythm], _pictures: Sequence[Path]) -> None:
        """Write what is new in a view."""
        last, self._shown = self._shown, view
        if last is None:
            say(*option_words(view.game, view.arrangement.options))
        if last is None or view.failed != last.failed:
            say(*view.failed.values())
        if last is not None and view.verdict is not last.verdict:
            say(*self._verdict(view, last))
        self._table(view)
        if last is None or _moment(view) != _moment(last):
            say(*self._awaited(view))
        if view.advice is not None and (last is None or view.advice is not last.advice):
            say(self._advice(view))

    def _table(self, view: View) -> None:
        """Draw the board and the cards in force where they look otherwise than when they were drawn last."""
        board, card = board_lines(self._engine, view.position), SPEECHES[view.game].card(view.position)
        facts = beside_lines(view)
        drawn_now = [*map(str, board)], [*card], [*facts]
        for parts, last in zip((board, card, facts), self._drawn, strict=True):
            if [*map(str, parts)] != last:
                say(*parts)
        self._drawn = drawn_now

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
            case TookBack(seat, _todo, action):
                self._count = max(0, self._count - 1)
                yield (
                    _("The last action is taken back.")
                    if action is None
                    else _("Taken back: {action}").format(
                        action=speech.words.played(view.prompt.seat or seat, action, {}, names)
                    )
                )

    def _awaited(self, view: View) -> Iterator[str]:
        """Return who acts, what is awaited, and what is possible."""
        if view.over or view.paused:
            yield from _offered(view)
            return
        yield prompt_words(view)
        lines = possible_lines(view.game, view.position, view.arrangement.names)
        if lines != [_explained(view)]:
            yield from lines
        elif view.prompt.code not in self._explained:
            self._explained.add(view.prompt.code)
            yield from lines

    def _advice(self, view: View) -> str:
        advised = view.advice
        if advised is None or advised.action is None:
            return _("There is nothing to decide now.")
        action = self._engine.game.action_from_json(advised.action)
        advice = Advice(action, advised.code, advised.numbers, 0.0)
        return SPEECHES[view.game].hint(view.position, advice, view.arrangement.names)


def ending_words(view: View, *, resumable: bool) -> Iterator[str]:
    """Return who has won and how the score comes about, or how the game is gone on with."""
    names = view.arrangement.names
    if view.over:
        won = view.leaders
        yield (
            won_words(won, view.score, names)
            if won
            else _("The game is over ({score})").format(score=score_words(view.score, names))
        )
        yield from score_lines(view.game, view.position, names)
    elif resumable:
        yield _("The game is not over ({score}).").format(score=score_words(view.score, names))
        yield _("companion play --camera none --resume goes on with it.")


# ---- the words of a game


def beside_lines(view: View) -> list[str]:
    """Return what is to be known beside the board: the round, what each player has, the points."""
    board, names = GAMES[view.game].board(), view.arrangement.names
    extras = extras_of(view.game, view.position, board, names)
    facts = " · ".join(fact.rstrip(".") for fact in extras.facts)
    players = [
        f"{player_name(seat, names)} {points}" + (f" ({extras.of_player[seat]})" if seat in extras.of_player else "")
        for seat, points in view.score.items()
    ]
    return [line for line in (facts, " · ".join(players)) if line]


def board_lines(engine: AnyEngine, position: Any) -> Sequence[RenderableType]:
    """Draw what everybody may know of a position."""
    table = drawn(engine.game.name, position)
    if table is not None:
        return [table]
    public: JsonObject = engine.public(position, None) if engine.public else engine.game.position_to_json(position)
    return [f"{key}: {fact(value)}" for key, value in public.items() if key not in _NOT_SHOWN]
