"""Who plays, what they are called and what is agreed: as last time, or as people type it before a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.app.history import arrangement_of, players_of
from companion.app.lines import is_quit
from companion.app.lobby_lines import language_typed, option_typed
from companion.app.offers import seats_of
from companion.app.output import say
from companion.games import GAMES
from companion.games.commands import command_words
from companion.games.engines import ENGINES
from companion.games.line import in_both_languages, plain
from companion.games.speech import option_words
from companion.games.typed import seats_by_word
from companion.locale import _, speak
from companion.shell.journal import Journal
from companion.shell.opening import Setup, begin
from companion.ui.names import enumerated, seat_name
from engines.kernel import BadRequestError, JsonObject, Seat

if TYPE_CHECKING:
    from companion.shell.clock import Clock


@dataclass(frozen=True, slots=True)
class LastEvening:
    """What is remembered of the last evening: who played a game and how, and in which language.

    Attributes:
        players: the seats in turn order; none where the game was not played yet.
        names: what people were called, by seat.
        options: what was agreed beside the usual rules.
        language: the code of the language that people chose in the game played last, "" where they did not.
    """

    players: tuple[Seat, ...] = ()
    names: Mapping[Seat, str] = field(default_factory=dict)
    options: JsonObject = field(default_factory=dict)
    language: str = ""


def last_evening(setup: Setup, clock: Clock) -> LastEvening:
    """Return what the journal remembers of the last evening; nothing where there is no journal yet.

    Raises:
        JournalError: the journal cannot be used.
    """
    if not setup.journal.exists():
        return LastEvening()
    with closing(Journal(setup.journal, clock)) as journal:
        latest = journal.latest()
        same = journal.latest(setup.game) if setup.game else None
    language = arrangement_of(latest).language if latest else ""
    if same is None:
        return LastEvening(language=language)
    agreed = arrangement_of(same)
    return LastEvening(players_of(same), agreed.names, agreed.options, language)


def as_last_time(setup: Setup, last: LastEvening) -> Setup | None:
    """Return the set-up with the people and options of the last evening; None where they cannot play it so.

    Options that are given stay as they are.
    """
    names = {seat: name for seat, name in last.names.items() if seat in last.players}
    again = replace(
        setup,
        players=last.players,
        options={**last.options, **setup.options},
        arrangement=replace(setup.arrangement, names=names),
    )
    return again if last.players and _problem(again) is None else None


def last_words(again: Setup) -> str:
    """Return who played last time and what was agreed, in one sentence."""
    people = [_named(seat, again.arrangement.names) for seat in again.players]
    agreed = option_words(again.game or "", again.options)
    return " ".join([_("Last time: {players}.").format(players=enumerated(people)), *agreed])


def _named(seat: Seat, names: Mapping[Seat, str]) -> str:
    """Return a player with the seat: "Anna (white)"."""
    called = {"name": names.get(seat, ""), "seat": seat_name(seat)}
    return _("{name} ({seat})").format_map(called) if called["name"] else called["seat"]


def ask_who_plays(setup: Setup, lines: Iterator[str], last: LastEvening | None = None) -> Setup | None:
    """Ask who plays until a game can begin with them; return None when the lines end or somebody quits."""
    questions = _Questions(setup, None if last is None else as_last_time(setup, last))
    questions.ask()
    for line in map(str.strip, lines):
        if is_quit(line):
            return None
        ready = questions.answered(line)
        if ready is not None:
            return ready
    return None


class _Questions:
    """What is asked before a game, and what people have answered so far."""

    def __init__(self, setup: Setup, again: Setup | None) -> None:
        self._setup, self._again = setup, again
        self._names: Sequence[str] = ()
        self._colours = GAMES[setup.game or ""].board().colours

    def ask(self) -> None:
        """Ask who plays; offer to play as last time."""
        if self._again is not None:
            say(last_words(self._again), _("Type yes to play like that again."))
        say(_("Who plays? Type the colours in turn order, with commas between them."))
        if self._colours:
            say(_("The table has: {colours}").format(colours=", ".join(map(seat_name, self._colours))))
        say(_("Before that you can type names Anna, Ben, options level=2, or language de."))

    def answered(self, line: str) -> Setup | None:
        """Take in a line; return the set-up once a game can begin."""
        word, _blank, rest = line.partition(" ")
        command = in_both_languages(command_words).get(plain(word), "")
        if command == "yes" and self._again is not None:
            return self._with_names(self._again)
        if command == "names" and self._seats(rest) is not None:
            return self._begun(rest)
        if self._is_no_player(line, command, rest):
            return None
        return self._begun(line)

    def _is_no_player(self, line: str, command: str, rest: str) -> bool:
        """Take in a line that says something else than who plays; return whether it is one."""
        if (language := language_typed(line)) is not None:
            speak(language)
            self._setup = self._spoken(self._setup, language)
            self._again = None if self._again is None else self._spoken(self._again, language)
            self.ask()
        elif command == "names":
            self._names = [name.strip() for name in rest.split(",") if name.strip()]
            say(_("The players are called, in turn order: {names}.").format(names=", ".join(self._names)))
        elif command == "options":
            self._agree(rest)
        elif command and not rest:
            self.ask()
        else:
            return False
        return True

    @staticmethod
    def _spoken(setup: Setup, language: str) -> Setup:
        return replace(setup, arrangement=replace(setup.arrangement, language=language))

    def _agree(self, text: str) -> None:
        """Agree on an option; one that no game of any players can have is refused when they are named."""
        option = option_typed(text)
        if option is None:
            say(_("Type an option with its value, such as options level=2."))
            return
        self._setup = replace(self._setup, options={**self._setup.options, option.key: option.value})
        agreed = ", ".join(f"{key}={value}" for key, value in self._setup.options.items())
        say(_("Agreed: {options}.").format(options=agreed))
        self._again = None

    def _seats(self, text: str) -> list[Seat] | None:
        """Return the seats that are named; None where a word is no colour of the table."""
        by_word = seats_by_word(seats_of(GAMES[self._setup.game or ""].board()), {})
        words = [plain(word.strip()) for word in text.split(",")]
        return [Seat(by_word[word]) for word in words] if all(word in by_word for word in words) else None

    def _begun(self, line: str) -> Setup | None:
        seats = self._seats(line) or [Seat(word.strip()) for word in line.split(",")]
        named = self._with_names(replace(self._setup, players=seats))
        problem = _problem(named)
        if problem is None:
            return named
        say(problem)
        return None

    def _with_names(self, setup: Setup) -> Setup:
        """Return the set-up with the names that were typed, in turn order."""
        if not self._names:
            return setup
        called = dict(zip(setup.players, self._names, strict=False))
        return replace(setup, arrangement=replace(setup.arrangement, names=called))


def _problem(setup: Setup) -> str | None:
    """Return why these people cannot play it so, None where they can."""
    game = setup.game or ""
    try:
        begin(ENGINES[game], setup, GAMES[game].board().colours)
    except BadRequestError as error:
        return str(error)
    return None
