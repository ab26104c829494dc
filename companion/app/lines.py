"""Typed lines: a thread that reads them, and the parsing of players and languages."""

from __future__ import annotations

import queue
import re
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import AnyStr

from companion.core.lobby import NamesGiven, PlayersNamed
from companion.games.commands import command_words, computer_named
from companion.games.line import in_both_languages, nearest, plain
from companion.games.typed import seats_by_word
from companion.locale import _, english
from companion.shell.errors import SetUpError
from companion.shell.loop import Inbox, Message, StopLoop
from companion.ui.names import COMPUTER, NO_NAMES, enumerated, seat_name
from engines.kernel import Level, Seat
from hardware.panel import LineTyped

_QUIT = "quit"

MOST_LETTERS = 1000
"""Of a line: endless lines would fill the memory, and Python refuses numbers of 5,000 digits."""

MOST_DROPPED = 10_000_000
"""Letters or bytes of a line that are skipped; a device such as /dev/zero never ends its line."""


def read_line() -> str:
    """Return the next line of standard input, "" at its end; see `whole_line`."""
    return whole_line(sys.stdin.readline, MOST_LETTERS, "\n")


def whole_line(readline: Callable[[int], AnyStr], most: int, end: AnyStr) -> AnyStr:
    """Return the next line, empty at the end of the input; what exceeds `most` letters or bytes of it is dropped.

    Args:
        readline: reads at most that many letters or bytes of a line, as a file's method does.
        most: how many of them are kept.
        end: what a whole line ends with.

    Raises:
        SetUpError: the line does not end within MOST_DROPPED more.
    """
    line = part = readline(most)
    dropped = 0
    while len(part) == most and not part.endswith(end):
        part = readline(most)
        dropped += len(part)
        if dropped > MOST_DROPPED:
            raise SetUpError(_("standard input has a line that does not end"))
    return line


def is_quit(line: str) -> bool:
    """Return whether a line ends the evening, in the user's language or in English."""
    return in_both_languages(command_words).get(plain(line)) == _QUIT


class LineReader:
    """A thread that puts lines into an inbox, one at a time as the loop handles them; a `StopLoop` at the end.

    One reader serves the lobby and all games: a line goes to the inbox that is attached when it arrives.
    """

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._inbox: Inbox = queue.SimpleQueue()
        self._changed = threading.Condition()
        self._wanted = self._stopped = self._reading = False
        self._thread: threading.Thread | None = None

    def attach(self, inbox: Inbox) -> LineReader:
        """Put all following lines into another inbox, including the one being read."""
        self._inbox = inbox
        return self

    def start(self) -> None:
        """Start reading, or continue."""
        with self._changed:
            self._stopped, self._wanted = False, not self._reading
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lines", daemon=True)
                self._thread.start()

    def stop(self) -> None:
        """Stop reading."""
        with self._changed:
            self._stopped = True
            self._changed.notify()

    def handled(self, message: Message) -> None:
        """Release the reader after the loop has handled the last line."""
        if isinstance(message, LineTyped):
            with self._changed:
                self._wanted = True
                self._changed.notify()

    def _run(self) -> None:
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._wanted or self._stopped)
                    self._wanted, self._reading = False, not self._stopped
                    if self._stopped:
                        self._thread = None
                        return
                line = next(self._lines, _QUIT).strip()
                self._reading = False
                self._inbox.put(StopLoop() if is_quit(line) else LineTyped(line))
        except Exception as error:  # a thread must not die silently: the loop raises the error
            with self._changed:
                self._thread, self._reading = None, False
            self._inbox.put(StopLoop(error))


# ---- the language


LANGUAGES = {
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
}
"""Each language's own name, by its code."""


def language_typed(text: str) -> str | None:
    """Return the language that a line asks for, by code or its own name: "language de"; None for any other line.

    It is "" if the line names none of ours.
    """
    word, _blank, language = text.strip().partition(" ")
    asks = plain(word) in ("language", plain(_("language")))
    codes = {word: code for code, name in LANGUAGES.items() for word in (code, plain(name))}
    return codes.get(plain(language.strip()), "") if asks else None


def languages_offered() -> str:
    """Return a sentence with the available languages."""
    return _("These languages are spoken: {languages}.").format(languages=", ".join(LANGUAGES))


# ---- players


_LONGEST_NAME = 24


@dataclass(frozen=True, slots=True)
class UnknownSeat:
    """A word of a line, as typed, that should be a seat; `like` is the seat's name most like it, "" if none is."""

    word: str
    like: str


def people_typed(
    line: str, seats: Sequence[Seat], names: Mapping[Seat, str] = NO_NAMES, *, coloured: bool
) -> PlayersNamed | NamesGiven | UnknownSeat:
    """Return the players that a line names: "red, blue", "red and blue", "red blue", "Anna red, Ben blue", "Anna, Ben".

    The computer may be one of them: "Anna, computer easy", "red, blue computer". At a table that is not `coloured`
    any word names a player. Players who have `names` may be named by these instead of their seats.
    """
    by_word = seats_by_word(seats, names)
    # 1. the parts of the line, one for each player: divided at commas, at "and", or at spaces between seats
    with english():
        english_and = enumerated(["", ""]).strip()
    conjunctions = {english_and, enumerated(["", ""]).strip()}
    divided = re.split(rf"[,;/+&]|\s(?:{'|'.join(map(re.escape, conjunctions))})\s", line)
    parts, words = [part.strip() for part in divided if part.strip()], line.split()
    if len(parts) == 1 and (not coloured or all(plain(word) in by_word for word in words)):
        parts = words
    # 2. the seat, the name and the level in each part
    found = [_player_said(part, by_word) for part in parts]
    if not coloured:
        seats_said = _uncoloured([said.seat or said.name for said in found])
        return _name_players([replace(said, seat=seat) for said, seat in zip(found, seats_said, strict=True)])
    if any(said.seat for said in found):
        # the computer takes the first free colour if none was given for it
        free = iter([seat for seat in seats if seat not in {said.seat for said in found}])
        found = [
            said if said.seat or said.name or said.level is None else replace(said, seat=next(free, None))
            for said in found
        ]
    if found and all(said.seat is not None for said in found):
        return _name_players(found)
    # 3. names without seats, unless one of them is much like a seat's
    guesses = {
        said.name: nearest(said.name, map(seat_name, seats)) for said in found if said.seat is None and said.name
    }
    if any(said.seat for said in found) or all(guesses.values()):
        unknown = next(iter(guesses), "")
        return UnknownSeat(unknown, guesses.get(unknown) or "")
    return NamesGiven(tuple(said.name for said in found), tuple(said.level for said in found))


@dataclass(frozen=True, slots=True)
class _PlayerSaid:
    """One player as a part of a line names it; None for what is not given."""

    seat: Seat | None
    name: str
    level: Level | None


def _player_said(part: str, by_word: Mapping[str, Seat]) -> _PlayerSaid:
    words, level = computer_named([word for word in re.split(r"[\s:=()]+", part) if word])
    place = next((place for place, word in enumerate(words) if plain(word) in by_word), None)
    seat = None if place is None else by_word[plain(words.pop(place))]
    return _PlayerSaid(seat, " ".join(words)[:_LONGEST_NAME].rstrip(), level)


def _uncoloured(names: Sequence[str]) -> Iterator[Seat]:
    """Yield one-word seats for the names at a table without colours; a player without a name is the computer."""
    computers = 0
    for name in names:
        computers += not name
        number = f"-{computers}" if computers > 1 else ""
        yield Seat("-".join(name.split()) or f"{COMPUTER}{number}")


def _name_players(people: Sequence[_PlayerSaid]) -> PlayersNamed:
    """Return players whose seats are all known."""
    seated = {said.seat: said for said in people if said.seat is not None}
    names = {seat: said.name for seat, said in seated.items() if said.name and said.name != seat}
    computer = {seat: said.level for seat, said in seated.items() if said.level is not None}
    return PlayersNamed(tuple(said.seat for said in people if said.seat is not None), names, computer)
