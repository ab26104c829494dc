"""Who plays, what they are called and what is agreed: as last time, or as the players type it before a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.history import players_of
from companion.app.lines import is_quit
from companion.app.lobby_lines import language_typed, languages_offered, option_given
from companion.app.offers import seats_of
from companion.app.output import say
from companion.app.seating import PeopleTyped, group_like, numbers_of_players, people_typed, with_uncoloured
from companion.games import GAMES
from companion.games.commands import command_words
from companion.games.engines import ENGINES
from companion.games.guide import full_rules, option_lines, short_rules
from companion.games.line import in_both_languages, plain
from companion.games.rulebook import rule_lines
from companion.games.speech import SPEECHES, brief_options, option_words
from companion.games.typed import unknown_words
from companion.locale import _, speak
from companion.shell.archive import arrangement_of
from companion.shell.journal import Journal
from companion.shell.opening import Setup, begin
from companion.ui.names import NO_NAMES, enumerated, player_name, seat_name
from engines.kernel import BadRequestError, JsonObject, Seat

if TYPE_CHECKING:
    from companion.shell.clock import Clock


@dataclass(frozen=True, slots=True)
class LastEvening:
    """What is remembered of the last evening: who played a game and how, and in which language.

    Attributes:
        players: the seats in turn order; empty if the game was never played.
        names: what the players were called, by seat.
        options: what was agreed beside the usual rules.
        language: the code of the language that the players chose in the game played last, "" where they did not.
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
    """Return the set-up with the players and options of the last evening; None if it is not possible with them.

    Options that are given stay as they are.
    """
    names = {seat: name for seat, name in last.names.items() if seat in last.players}
    again = replace(
        setup,
        players=last.players,
        options={**last.options, **setup.options},
        arrangement=replace(setup.arrangement, names=names),
    )
    return again if last.players and can_play(again) else None


def last_words(again: Setup) -> str:
    """Return who played last time and what was agreed, in one sentence."""
    people = [_named(seat, again.arrangement.names) for seat in again.players]
    agreed = option_words(again.game or "", again.options)
    return " ".join([_("Last time: {players}.").format(players=enumerated(people)), *agreed])


def _named(seat: Seat, names: Mapping[Seat, str]) -> str:
    """Return a player with the seat: "Anna (White)"."""
    called = {"name": names.get(seat, ""), "seat": player_name(seat)}
    return _("{name} ({seat})").format_map(called) if called["name"] else called["seat"]


def ask_who_plays(setup: Setup, lines: Iterator[str], last: LastEvening | None = None) -> Setup | None:
    """Ask who plays until a game can begin with them; return None if the lines end or somebody quits."""
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
    """What is asked before a game, and what the players have answered so far."""

    def __init__(self, setup: Setup, again: Setup | None) -> None:
        self._setup, self._again = setup, again
        self._names: Sequence[str] = ()
        self._board = GAMES[setup.game or ""].board()
        self._seats = table_seats(setup.game or "")

    def ask(self) -> None:
        """Ask who plays; offer to play as last time."""
        if self._again is not None:
            say(last_words(self._again), _("Type yes to play like that again."))
        if self._board.colours:
            say(_("Who plays? Type the colours in turn order, with commas between them."))
            say(_("The table has: {colours}").format(colours=", ".join(map(seat_name, self._board.colours))))
        else:
            say(_("Who plays? Type the names in turn order, with commas between them."))
        say(_("Number of players: {numbers}").format(numbers=self._numbers()))
        say(*self._before())

    def _before(self) -> Iterator[str]:
        """Return what can be typed before the players, a line each."""
        if self._board.colours:
            yield _("Before that you can type names Anna, Ben or language de.")
        else:
            yield _("Before that you can type language de.")
        if (example := _option_example(self._setup.game or "")) is not None:
            yield _("To agree on something else than the usual rules: {example}; options alone lists it all.").format(
                example=example
            )

    def _numbers(self) -> str:
        """Return how many can play: "2, 4"."""
        return ", ".join(map(str, numbers_of_players(self._seats, self._can_play))) or "-"

    def _can_play(self, seats: Sequence[Seat]) -> bool:
        return can_play(replace(self._setup, players=seats))

    def answered(self, line: str) -> Setup | None:
        """Take in a line; return the set-up once a game can begin."""
        word, _blank, rest = line.partition(" ")
        command = in_both_languages(command_words).get(plain(word), "")
        if command == "yes" and self._again is not None:
            return self._with_names(self._again)
        if (language := language_typed(line)) is not None:
            self._speak(language)
        elif offered := languages_offered(line):
            say(offered)
        elif command == "names":
            return self._people(people_typed(rest, seats_of(self._board), coloured=True))
        elif command == "options":
            self._agree(rest)
        elif command == "rules":
            say(*self._rules(rest))
        elif command == "rule":
            say(*(rule_lines(self._setup.game or "", rest) or self._rules("")))
        elif not _may_name_people(line, command):
            self.ask()
        elif line.isdecimal():
            self._proposed(self._seats[: int(line)] if int(line) <= len(self._seats) else ())
        else:
            return self._people(people_typed(line, self._seats, coloured=bool(self._board.colours)))
        return None

    def _speak(self, language: str) -> None:
        speak(language)
        self._setup = _spoken(self._setup, language)
        self._again = None if self._again is None else _spoken(self._again, language)
        self.ask()

    def _agree(self, text: str) -> None:
        """Agree on an option; without one list what can be agreed on."""
        option = option_given(self._setup.game, text)
        if option is None:
            say(*_options_of(self._setup.game or ""))
            return
        agreed = replace(self._setup, options={**self._setup.options, option.key: option.value})
        if not somebody_can_play(agreed):
            refused = _("The game has no option {option}.").format(option=text.strip())
            say(refused, *_options_of(self._setup.game or "", option.key))
            return
        self._setup, self._again = agreed, None
        written = brief_options(agreed.game or "", agreed.options)
        say(_("Agreed: {options}.").format(options="; ".join(written)))

    def _rules(self, all_of_them: str) -> Sequence[str]:
        """Return the game's rules in short, or all of them; empty if it has no rules for players."""
        described = SPEECHES[self._setup.game or ""].guide
        if described is None:
            return ()
        return full_rules(described()) if all_of_them else short_rules(described())

    def _people(self, typed: PeopleTyped) -> Setup | None:
        """Handle a line on who plays, or on their names; return the set-up if a game can begin with them."""
        if typed.unknown:
            say(unknown_words(typed.unknown, typed.like))
        elif typed.only_names:
            self._names = typed.only_names
            say(_("The players are called, in turn order: {names}.").format(names=", ".join(self._names)))
            self._proposed(self._seats[: len(self._names)])
        elif typed.seats and self._can_play(typed.seats):
            return self._with_names(replace(self._setup, players=typed.seats), typed.names)
        elif typed.seats:
            say(_("These players cannot play it together."))
            self._proposed(typed.seats)
        else:
            self.ask()
        return None

    def _proposed(self, wished: Sequence[Seat]) -> None:
        """Propose players like the wished ones; without such say how many can play."""
        group = group_like(wished, self._seats, self._can_play) if wished else ()
        if not group:
            say(_("Number of players: {numbers}").format(numbers=self._numbers()))
            return
        self._again = self._with_names(replace(self._setup, players=group))
        people = enumerated([_named(seat, self._again.arrangement.names) for seat in group])
        say(_("Possible: {players}. Type yes, or other players.").format(players=people))

    def _with_names(self, setup: Setup, names: Mapping[Seat, str] = NO_NAMES) -> Setup:
        """Return the set-up with the names that were typed, in turn order or beside the seats."""
        called = {**dict(zip(setup.players, self._names, strict=False)), **names}
        return replace(setup, arrangement=replace(setup.arrangement, names=called)) if called else setup


def _may_name_people(line: str, command: str) -> bool:
    """Return whether a line may say who plays: it is a number, or has letters and does not begin with a command."""
    return line.isdecimal() or (not command and any(letter.isalpha() for letter in line))


def table_seats(game: str) -> tuple[Seat, ...]:
    """Return the seats at a game's table, in its order; a table without colours has room for more than are named."""
    board = GAMES[game].board()
    return seats_of(board) if board.colours else tuple(with_uncoloured(seats_of(board)))


def only_seats(game: str, count: int) -> tuple[Seat, ...]:
    """Return the seats for that many players if the table leaves no choice; empty if there is a choice."""
    groups = [
        group for group in combinations(table_seats(game), count) if can_play(Setup(game, group, Path(), options={}))
    ]
    return groups[0] if len(groups) == 1 or (groups and not GAMES[game].board().colours) else ()


def can_play(setup: Setup) -> bool:
    """Return whether these players can play the game with these options."""
    game = setup.game or ""
    try:
        begin(ENGINES[game], setup, GAMES[game].board().colours)
    except BadRequestError:
        return False
    return True


def refused_words(setup: Setup) -> str:
    """Return why the options or these players are impossible, and what is possible; "" where the game can begin."""
    if not setup.game:
        return ""
    if refused := _refused_option(setup):
        return refused
    if not setup.players or can_play(setup):
        return ""
    seats = table_seats(setup.game)
    if GAMES[setup.game].board().colours and not set(setup.players) <= set(seats):
        return ""

    def playable(group: Sequence[Seat]) -> bool:
        return can_play(replace(setup, players=group))

    group = group_like(setup.players, seats, playable)
    if group:
        possible = _("Possible: {players}.").format(players=enumerated(map(seat_name, group)))
    elif numbers := numbers_of_players(seats, playable):
        possible = _("Number of players: {numbers}").format(numbers=", ".join(map(str, numbers)))
    else:
        return ""
    return " ".join([_("These players cannot play it together."), possible])


def _refused_option(setup: Setup) -> str:
    """Name the first option that is impossible with any players, with its possible values; "" if all are possible."""
    game = setup.game or ""
    for key, value in setup.options.items() if SPEECHES[game].guide else ():
        if not somebody_can_play(replace(setup, options={key: value})):
            [option] = brief_options(game, {key: value})
            possible = _("Possible: {players}.").format(players="; ".join(_options_of(game, key)))
            return " ".join([_("The game has no option {option}.").format(option=option), possible])
    return ""


def _options_of(game: str, like: str = "") -> Sequence[str]:
    """Return what can be agreed before a game, line by line: all of it, or the option with a title or key like one."""
    described = SPEECHES[game].guide
    return (described and option_lines(described(), like)) or [_("There is nothing to agree on before this game.")]


def somebody_can_play(setup: Setup) -> bool:
    """Return whether a game can be played by anybody at its table with these options."""
    seats = table_seats(setup.game or "")
    return bool(numbers_of_players(seats, lambda group: can_play(replace(setup, players=group))))


def _spoken(setup: Setup, language: str) -> Setup:
    return replace(setup, arrangement=replace(setup.arrangement, language=language))


def _option_example(game: str) -> str | None:
    """Return how an option of a game is typed, None for a game without options."""
    described = SPEECHES[game].guide
    options = () if described is None else described().options
    word = command_words()["options"].split(",")[0].strip()
    return next((f"{word} {option.title}={len(option.values) or 3}" for option in options), None)
