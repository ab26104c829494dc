"""Conversions between games of the journal and records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from companion.core.entries import Adopted, Arranged, Entry, Played, standing
from companion.core.state import State
from companion.core.verdicts import ActionSource
from companion.games.engines import ENGINES
from companion.games.record import GameRecord, check, position_after, replay
from companion.locale import _
from companion.shell.errors import JournalError
from companion.shell.journal import Journal, RecordedGame
from engines.kernel import BadRequestError, JsonObject, Seat
from vision.camera.address import HIDDEN


def record_of(recorded: RecordedGame) -> GameRecord:
    """Return the record of a game: its first position, the actions not taken back, and the points once it is finished.

    If users adopted the table as the new position, the record begins there: no actions lead to it.

    Raises:
        JournalError: the journal's game cannot be read.
    """
    opening, actions_json = recorded.opening, list[JsonObject]()
    for entry in standing(recorded.entries):
        if isinstance(entry, Adopted):
            opening, actions_json = entry.position, []
        elif isinstance(entry, Played):
            actions_json.append(entry.action)
    try:
        engine = ENGINES[recorded.game]
        start = engine.game.position_from_json(opening)
        actions = tuple(map(engine.game.action_from_json, actions_json))
    except (KeyError, BadRequestError) as error:
        sentence = _("game {number} of the journal is none of a game that is known here: {game}")
        raise JournalError(sentence.format(number=recorded.number, game=recorded.game)) from error
    headers = recorded.headers
    if headers is None or opening is not recorded.opening:
        headers = {"started": recorded.started, "position": engine.notation.write_position(start)}
    return GameRecord(recorded.game, headers, start, actions, recorded.scores, arrangement_of(recorded).names)


def arrangement_of(recorded: RecordedGame) -> Arranged:
    """Return the latest agreement of a game, without forgotten names."""
    arranged = [entry for entry in recorded.entries if isinstance(entry, Arranged)]
    return arranged[-1] if arranged else Arranged()


def players_of(recorded: RecordedGame) -> tuple[Seat, ...]:
    """Return the players of a game, in turn order."""
    players = recorded.opening.get("players")
    return tuple(Seat(str(player)) for player in players) if isinstance(players, list | tuple | Mapping) else ()


def camera_of(recorded: RecordedGame) -> str | None:
    """Return the camera of a game; "" if the actions were typed, None if it is no longer known."""
    camera = arrangement_of(recorded).camera
    if camera:
        return None if HIDDEN in camera else camera
    sources = {entry.source for entry in recorded.entries if isinstance(entry, Played)}
    return None if recorded.headers is None and ActionSource.CAMERA in sources else ""


def enter(journal: Journal, record: GameRecord) -> int:
    """Validate a record and enter it in a journal as a new game; return its number.

    A game that is over, or has a result, is finished; any other can be resumed.

    Raises:
        RecordError: the record is invalid; the journal stays as it was.
        JournalError: the journal cannot be written.
    """
    turns = tuple(replay(record))
    check(record, turns)
    game, end = record.engine.game, position_after(record, turns)
    with journal.together():
        number = journal.start_game(record.game, game.position_to_json(record.start), record.headers)
        if record.names:
            journal.record(number, Arranged(record.names), game.position_to_json(record.start))
        for turn in turns:
            journal.record(number, Played(game.action_to_json(turn.action)), game.position_to_json(turn.after))
        if game.over(end) or record.result is not None:
            journal.finish_game(number, game.score(end))
    journal.keep_copy()
    return number


# ---- one game in the journal: its entries and its end


def game_name(recorded: RecordedGame) -> str:
    """Return a name of a journal's game that is unique among all journals, from the time when it began."""
    return f"{recorded.game}-{recorded.number}-{recorded.started[:19].replace('-', '').replace(':', '')}"


class GameLog:
    """One game in a journal, entered with its first entry, so that an empty game never hides one to resume.

    The agreement, if any, is the first entry. The game is marked as over in the transaction of the entry that ends it,
    and unmarked in that of one that takes the end back. `number` is that of a game that is in the journal already.
    """

    def __init__(self, journal: Journal, game: str, opening: JsonObject, number: int | None = None) -> None:
        self._journal, self._game, self._opening, self._number = journal, game, opening, number
        self._finished = False
        self._doubtful: tuple[int, int | None] | None = None  # a game, and its entries before a failed attempt

    @property
    def entered(self) -> bool:
        """Whether the game is in the journal."""
        return self._number is not None

    @property
    def name(self) -> str:
        """The game's name, for the names of kept pictures."""
        return self._game if self._number is None else game_name(self._journal.read(self._number))

    def record(self, entries: Sequence[Entry], state: State) -> None:
        """Add entries and the position after them, all or none."""
        engine, agreed, over = state.rules.engine, state.progress.arrangement, state.over
        position = engine.position_to_json(state.position)
        if not self.entered and agreed != Arranged() and not any(isinstance(entry, Arranged) for entry in entries):
            entries = (agreed, *entries)
        with self._together() as number:
            for entry in entries:
                self._journal.record(number, entry, position)
            if over:
                self._journal.finish_game(number, engine.score(state.position))
            elif self._finished:
                self._journal.reopen_game(number)
        if over != self._finished:
            self._journal.keep_copy()
        self._finished = over

    @contextmanager
    def _together(self) -> Iterator[int]:
        """Write to the game of this number in one transaction; the first one enters the game itself.

        What a failed attempt has written is removed first: SQLite reports a transaction as failed whose last sync
        fails, although it is on the disk.
        """
        with self._journal.together():
            if self._doubtful is not None:
                self._journal.discard(*self._doubtful, self._opening)
            number = self._number or self._journal.start_game(self._game, self._opening)
            self._doubtful = number, self._journal.count_entries(number) if self.entered else None
            yield number
        self._doubtful = None
        if self._number is None:
            self._number = number
            self._journal.keep_copy()  # a game that is in the copy can be recovered from its entries alone
