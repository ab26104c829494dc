"""Typed lines as events: the actions of the game, and the commands of every game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from time import monotonic_ns

from rich.console import RenderableType

from companion.app.line_display import board_lines, explained, offered_lines
from companion.app.lines import LineReader, UnknownSeat, is_quit, language_typed, languages_offered, people_typed
from companion.app.output import terminal_room
from companion.core import messages
from companion.core.choices import COMPANION, END, NEW_GAME, PAUSED, REMATCH, SAVE, TAKE_HINT
from companion.core.lobby import NamesGiven, PlayersNamed
from companion.core.messages import ChoiceMade, Event, SeatsArranged, TakeBackAsked
from companion.core.verdicts import Action, ActionSource, Choice
from companion.core.view import View
from companion.games import GAMES, speech
from companion.games.asking import question_help, question_typed
from companion.games.captions import choice_words, extras_of, prompt_words
from companion.games.commands import command_help, command_words, done_words, noise_words
from companion.games.engines import ENGINES
from companion.games.guide import NO_GUIDE, option_lines, pairs, short_rules
from companion.games.line import Command, Entered, Mistake, as_typed, in_both_languages, plain
from companion.games.rulebook import all_rules, rule_lines
from companion.games.speech import SPEECHES
from companion.games.typed import unknown_words
from companion.locale import _, english, speak
from companion.shell.loop import JOURNAL, Inbox
from companion.shell.session import SessionTable, Writer
from companion.ui.layout import in_columns
from companion.ui.names import label_name, player_name
from companion.ui.page import failed_words
from companion.ui.words import score_words, thing_name, with_rule
from engines.kernel import Cell, Refusal
from hardware.panel import Button, ButtonPressed, LineTyped
from vision.labels import EMPTY, parse_label


class TypedCommands:
    """A `companion.shell.session.Front` that interprets typed lines and answers them on the writer's display.

    There is no display if answers go to `echo` alone, and no reader of `lines` if the panel's keyboard reads them.

    Attributes:
        wish: the choice made when leaving an unfinished game; "" if none was left.
        echo: called with each answer, for a voice.
    """

    def __init__(
        self,
        open_writer: Callable[[SessionTable], AbstractContextManager[Writer]] | None = None,
        *,
        now_ns: Callable[[], int] = monotonic_ns,
        lines: LineReader | None = None,
    ) -> None:
        self._open_writer, self._now_ns, self._lines = open_writer, now_ns, lines
        self._writer: Writer | None = None
        self._proposed: Entered[Action] | None = None
        self._leaving = ""
        self.wish = ""
        self.echo: Callable[..., object] = lambda *_parts: None

    @contextmanager
    def display(self, table: SessionTable) -> Iterator[Writer]:
        """Open the display on which users type."""
        assert self._open_writer is not None  # noqa: S101 - a display is opened for games on a terminal only
        self.wish = ""
        with self._open_writer(table) as writer:
            self._writer = writer
            yield writer
        self._writer = None  # releases the game, its reader and its pictures

    def source(self, inbox: Inbox) -> LineReader | None:
        """Return the reader of typed lines for an inbox; the same for all games."""
        return None if self._lines is None else self._lines.attach(inbox)

    def interpret(self, view: View, line: LineTyped) -> Sequence[Event]:
        """Return the events of a line; answer a question at once, and only show a line that is being typed."""
        text, at_ns = line.text.strip(), self._now_ns()
        if self._writer is not None:
            self._writer.typed(line, view)
        if not text or not line.is_whole:
            return ()
        if is_quit(text):
            codes = [choice.code for choice in view.choices]
            return [ChoiceMade(codes.index(END), at_ns)] if END in codes else _save(view, at_ns)
        if (language := language_typed(text)) is not None:
            if not language:
                return self._answer(languages_offered())
            speak(language)
            return [SeatsArranged(replace(view.arrangement, language=language), at_ns)]
        # the words for each choice: its number, code and name; during a game for the one that DONE makes
        choices, done = enumerate(view.choices, 1), view.buttons.get(Button.DONE) == COMPANION
        words = [{*map(plain, done_words())}] if done else []
        if view.over or view.paused:
            words = [{str(place), choice.code, plain(choice_words(view, choice))} for place, choice in choices]
        chosen = next((place for place, known in enumerate(words) if plain(text) in known), None)
        return self._interpret(view, text, at_ns) if chosen is None else [ChoiceMade(chosen, at_ns)]

    def cannot_keep(self, view: View) -> None:
        """Answer what was typed or pressed last with why the journal does not work."""
        self._answer(failed_words(JOURNAL, view.failed[JOURNAL]))

    def _answer(self, *parts: RenderableType) -> Sequence[Event]:
        """Show an answer; return no events."""
        if self._writer is not None:
            self._writer.answer(*parts)
        self.echo(*parts)
        return ()

    def _interpret(self, view: View, text: str, at_ns: int) -> Sequence[Event]:  # noqa: PLR0911 - one line a reading
        proposed, self._proposed = self._proposed, None
        leaving, self._leaving = self._leaving, ""
        advised = None if view.advice is None or proposed or leaving else view.advice.action
        if advised is not None and in_both_languages(command_words).get(plain(text)) == "yes":
            codes = [choice.code for choice in view.choices]
            taken = ChoiceMade(codes.index(TAKE_HINT), at_ns) if TAKE_HINT in codes else None
            return [taken or _event(view, advised, at_ns, first=True)]
        asked, names = text.rstrip("? "), view.arrangement.names
        reading = speech.parse_line(view.game, view.position, asked or text, names)
        if isinstance(reading, Entered) and asked != text:  # whether it is possible, as in "A1?"; a yes then plays it
            words, refusal = SPEECHES[view.game], ENGINES[view.game].game.play(view.position, reading.action)
            if isinstance(refusal, Refusal):
                why = words.refusal(view.position, reading.action, refusal, names)
                return self._answer(with_rule(why, refusal.rule))
            self._proposed = reading
            action = words.action_name(view.position, reading.action, names)
            return self._answer(_("That is possible: {action}. Type yes to do it.").format(action=action))
        match reading:
            case Mistake(sentence):
                stands = view.over or view.paused
                return self._answer(*self._with_choices(view, ended(view) if stands else [sentence]))
            case Command("yes") if proposed is not None:
                reading = proposed
            case Command("yes") if leaving:
                self.wish = leaving
                if self._writer is not None:
                    self._writer.leave()
                return _save(view, at_ns)
            case Command():
                return self._command(view, reading, at_ns)
            case Entered(confirm=question) if question:
                self._proposed = reading
                return self._answer(question, _("Type yes, or another walk."))
        actions = (reading.action, *reading.then)
        return [_event(view, action, at_ns, first=place == 0) for place, action in enumerate(actions)]

    def _command(self, view: View, command: Command, at_ns: int) -> Sequence[Event]:  # noqa: PLR0911, PLR0912 - one line a command
        """Return the events of a command; answer a question at once."""
        match command.name:
            case "hint" if not (view.over or view.paused):
                return [messages.HintAsked(at_ns)]
            case "undo" if view.undoable:
                return [TakeBackAsked(at_ns)]
            case "undo":
                return self._answer(_("There is nothing to take back."))
            case "redo" if view.redoable:
                return [TakeBackAsked(at_ns, redo=True)]
            case "redo":
                return self._answer(_("There is nothing to play again."))
            case "roll" if ENGINES[view.game].turns.dice.awaited(view.position):
                return [messages.ThrowAsked(at_ns)]
            case "roll":
                return self._answer(_("It is not time to throw."), explained(view))
            case "pause":
                return [ButtonPressed(Button.MODE, at_ns, held=True)]
            case "new" | "games":  # another game; leaving an unfinished one needs a confirmation
                code = REMATCH if command.name == "new" else NEW_GAME
                codes = [choice.code for choice in view.choices]
                if view.over and code in codes:
                    return [ChoiceMade(codes.index(code), at_ns)]
                self._leaving = code
                kept = _("This game is not over; it is kept, and you can go on with it. Type yes to leave it now.")
                return self._answer(kept)
            case "board":
                return self._answer(*board_lines(view.game, view.position))
            case "cell":
                return self._set_cell(view, command.argument, at_ns)
            case "names":
                return self._rename(view, command.argument, at_ns)
            case "ask":  # a question that every display answers: "ask E3", "ask around E3", "ask turn"
                asked = question_typed(command.argument, view.board, at_ns)
                return self._answer(question_help()) if asked is None else [asked]
        answered = answer(view, command)
        lines = [explained(view)] if answered is None else answered
        if command.name == "possible":
            lines = [*in_columns(lines, terminal_room().columns)]
        return self._answer(*self._with_choices(view, lines))

    @staticmethod
    def _with_choices(view: View, lines: Sequence[str]) -> Sequence[str]:
        """Return an answer; in a pause and after the end with the choices."""
        return [*lines, *offered_lines(view)] if view.paused or view.over else lines

    def _set_cell(self, view: View, argument: str, at_ns: int) -> Sequence[Event]:
        """Return events that set cells as the players see them: "cell E3 white", "cell B2 7h, E5 9s"."""
        if not view.sees:
            return self._answer(_("No camera looks at the table; type what you play."))
        # 1. the words after each cell's name
        named = cells_named(view, argument) or cells_named(view, as_typed(argument))
        if not named:
            example = next(iter(view.board))
            return self._answer(_("Type a space and what is on it: cell {cell} empty.").format(cell=example))
        # 2. the labels that they stand for
        labels = {cell: label_typed(view, cell, words) for cell, words in named.items()}
        unclear = next((cell for cell, label in labels.items() if label is None), None)
        if unclear is not None:
            offered = ", ".join(labels_offered(view, unclear))
            return self._answer(_("What is on {cell}? You can type: {labels}").format(cell=unclear, labels=offered))
        return [messages.CellSet(cell, label, at_ns) for cell, label in labels.items() if label is not None]

    def _rename(self, view: View, argument: str, at_ns: int) -> Sequence[Event]:
        """Return the event that renames some players, "names red Anna", or all in turn order, "names Anna, Ben"."""
        called = view.arrangement.names
        match people_typed(argument, view.players, called, coloured=True):
            case PlayersNamed(names=renamed) if renamed:
                pass
            case NamesGiven(names=names) if len(names) == len(view.players):
                renamed = dict(zip(view.players, names, strict=True))
            case UnknownSeat(unknown, like) if unknown:
                return self._answer(unknown_words(unknown, like))
            case _:
                sentence = _("Type a colour or name and the new name: names {player} Anna.")
                return self._answer(sentence.format(player=player_name(view.players[0])))
        sentence = _("From now on {player} plays as {name}.")
        self._answer(*(sentence.format(player=player_name(seat, called), name=name) for seat, name in renamed.items()))
        return [SeatsArranged(replace(view.arrangement, names={**called, **renamed}), at_ns)]


def _save(view: View, at_ns: int) -> Sequence[Event]:
    """Return the events that keep a game for another day, and end the session."""
    pause = [] if view.paused else [ButtonPressed(Button.MODE, at_ns, held=True)]
    return [*pause, ChoiceMade(PAUSED.index(Choice(SAVE)), at_ns)]


def _event(view: View, action: Action, at_ns: int, *, first: bool) -> Event:
    turns = ENGINES[view.game].turns
    if isinstance(action, turns.dice.kind) and (not first or turns.dice.awaited(view.position)):
        return messages.Thrown(action, at_ns, ActionSource.TYPED)
    return messages.ActionEntered(action, at_ns)


# ---- names of pieces as labels of the table. Pure


def cells_named(view: View, text: str) -> dict[Cell, str]:
    """Return the words after each cell's name; none unless the text begins with a cell."""
    named: dict[Cell, str] = {}
    cell = None
    for word in re.split(r"[\s,;]+", text.strip()):
        if word.upper() in view.board:
            cell = Cell(word.upper())
            named[cell] = ""
        elif cell is not None:
            named[cell] = f"{named[cell]} {word}"
        else:
            break
    return named


MOST_OFFERED = 6
"""The most labels that are suggested."""

_WORD = re.compile(r"[^\W_]+")


def label_typed(view: View, cell: Cell, text: str) -> str | None:
    """Return the label for words such as "white", "2 black" or "pawn suns"; None if they are ambiguous.

    Of the labels that have all the words in one of their names, it is the one with the fewest others; the card that
    belongs on the cell need not be named. Names are the table's, the game's, and those in English.
    """
    noise, words = in_both_languages(noise_words), SPEECHES[view.game].words
    typed = [word for word in _words(text) if word not in noise]
    if not typed:
        return None
    missing: dict[str, int] = {}
    expected = parse_label(view.board[cell]).card
    for label in GAMES[view.game].board().label_words:
        # 1. the label's names; the pieces on a card also in reverse order, a card alone also as "7h"
        seen = parse_label(label)
        first, *on_card = seen.parts() or (label,)
        rank, _dash, suit = seen.card.partition("-")
        short = [rank + suit[:1]] if seen.is_face and not on_card else []
        names = [label, " ".join((first, *reversed(on_card))), *short, label_name(label), thing_name(words, label)]
        with english():
            names += [label_name(label), thing_name(words, label)]
        # 2. the fewest words of a name that were not typed and do not go without saying
        given = {*typed, *noise, *(_words(seen.card) if seen.card == expected else ())}
        fitting = (name for name in map(_words, names) if _within(typed, name))
        if others := [sum(word not in given for word in name) for name in fitting]:
            missing[label] = min(others)
    fewest = min(missing.values(), default=0)
    meant = [label for label, number in missing.items() if number == fewest]
    return meant[0] if len(meant) == 1 else None


def _within(typed: Sequence[str], name: Sequence[str]) -> bool:
    """Return whether a name has all typed words in the same order."""
    rest = iter(name)
    return all(word in rest for word in typed)


def labels_offered(view: View, cell: Cell) -> list[str]:
    """Return examples of labels to type for a cell: the expected one, empty, and others of the table."""
    known = GAMES[view.game].board().label_words
    first = [label for label in (view.board[cell], EMPTY) if label in known]
    words = SPEECHES[view.game].words
    return [thing_name(words, label) for label in dict.fromkeys((*first, *known))][:MOST_OFFERED]


def _words(text: str) -> list[str]:
    return [*map(plain, _WORD.findall(text))]


# ---- answers to questions: rules, help, cards, terms, score. Pure


def answer(view: View, command: Command) -> list[str] | None:  # noqa: PLR0911 - one line a question
    """Return the answer to a question, as lines; None if a command is not a question."""
    stands, names, guide = view.over or view.paused, view.arrangement.names, SPEECHES[view.game].guide()
    match command.name:
        case "hint" | "possible" if stands:
            return ended(view)
        case "possible":
            return speech.possible_lines(view.game, view.position, names)
        case "help":
            return _help(view, command.argument)
        case "rules" | "rule":
            return rules_answer(view.game, command.argument, numbered=command.name == "rule")
        case "card":
            return [*speech.card_lines(view.game, view.position)] or [_("No card is in force now.")]
        case "legend":  # the game's signs, those that only the drawing of the board has, and those of all games
            drawn = extras_of(view.game, view.position, GAMES[view.game].board(), names).legend
            shared = {"!": _("put this right"), "+": _("put a piece here"), "?": _("the camera is not sure")}
            return pairs({**guide.signs, **drawn, **shared})
        case "terms":
            return pairs(guide.terms)
        case "options" if not guide.options:
            return [_("There is nothing to agree on before this game.")]
        case "options" if command.argument:  # all possible ones
            return [*option_lines(guide)]
        case "options":
            agreed = speech.agreed_options(view.game, view.position)
            return agreed or [_("The usual rules; nothing else was agreed.")]
        case "score" if view.over and view.choices:
            return ended(view)
        case "score":
            return [score_words(view.score, names), *speech.score_lines(view.game, view.position, names)]
    return None


def ended(view: View) -> list[str]:
    """Return that a game is over or paused; empty if the choices say so."""
    return [] if view.choices else [prompt_words(view)]


def _help(view: View, argument: str) -> list[str]:
    """Return what can be typed now, with the commands in one sentence so that the board stays on the screen.

    With an argument, explain each command.
    """
    if view.over or view.paused:
        return ended(view)
    meanings = {
        **command_help(cards=SPEECHES[view.game].card is not None, sees=view.sees),
        _("language").lower() + " de": _("speak another language"),
    }
    if argument:
        width = max(map(len, meanings))
        return [_("At any time:"), *(f"  {word:<{width}}  {text}" for word, text in meanings.items())]
    explained = SPEECHES[view.game].explain(view.position, view.arrangement.names)
    commands = _("At any time:") + f" {', '.join(meanings)}."
    return [prompt_words(view), explained, commands, _("What each of them does: help all.")]


def rules_answer(game: str, argument: str, *, numbered: bool = False) -> list[str]:
    """Return the rules in short or all of them, or a paragraph, as lines; `numbered`: its number is the argument."""
    guide = SPEECHES[game].guide()
    if numbered or guide == NO_GUIDE:
        found = rule_lines(game, argument)
        return found or [_("There is no rule with that number. Type one like this: rule 3.1.")]
    if argument:
        return [*all_rules(game), "", guide.credit]
    return [speech.title_of(game), *short_rules(guide), _("All of them: rules all. A paragraph: rule 3.1.")]
