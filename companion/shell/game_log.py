"""One game's place in the journal: its entries as they are accepted, and its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from companion.core.entries import Arranged, Entry
from companion.shell.journal import Journal
from engines.kernel import JsonObject, Seat

StateT = TypeVar("StateT")


def game_name(game: str, number: int, started: str) -> str:
    """Return what distinguishes a game of a journal, by the time, ISO 8601, when it was begun there."""
    return f"{game}-{number}-{started[:19].replace('-', '').replace(':', '')}"


class GameLog(Generic[StateT]):
    """One game in a journal. A new one is entered with its first entry: an empty game never hides one to resume.

    What was agreed stands before everything else, unless nothing was.

    Args:
        number: the game's number if it is in the journal already.
        position: gives a state's position as JSON.
        scores: gives a state's scores.
        agreed: returns what was agreed for the game.
        over: returns whether a state's game has ended; it is marked so together with the entry that ends it, and
            unmarked together with one that takes the end back.
    """

    def __init__(
        self,
        journal: Journal,
        game: str,
        opening: JsonObject,
        *,
        position: Callable[[StateT], JsonObject],
        scores: Callable[[StateT], Mapping[Seat, int]],
        agreed: Callable[[StateT], Arranged] = lambda _state: Arranged(),
        over: Callable[[StateT], bool] = lambda _state: False,
        number: int | None = None,
    ) -> None:
        self._journal = journal
        self._game = game
        self._opening = opening
        self._position, self._scores, self._agreed, self._over = position, scores, agreed, over
        self._number = number
        self._finished = False

    @property
    def entered(self) -> bool:
        """Whether the game is in the journal."""
        return self._number is not None

    @property
    def name(self) -> str:
        """What distinguishes the game from all others, also those of another journal: kept pictures are named so."""
        if self._number is None:
            return self._game
        return game_name(self._game, self._number, self._journal.read_started(self._number))

    def record(self, entries: Sequence[Entry], state: StateT) -> None:
        """Add entries and the position of the state that they lead to, all of them or none."""
        position, over = self._position(state), self._over(state)
        before = () if self.entered else self._first(entries, state)

        def write(number: int) -> None:
            for entry in (*before, *entries):
                self._journal.record(number, entry, position)
            if over:
                self._journal.finish_game(number, self._scores(state))
            elif self._finished:
                self._journal.reopen_game(number)

        self._write(write)
        if over != self._finished:
            self._journal.keep_copy()
        self._finished = over

    def _first(self, entries: Sequence[Entry], state: StateT) -> Sequence[Entry]:
        """Return what stands before a game's first entries."""
        agreed = self._agreed(state)
        known = agreed == Arranged() or any(isinstance(entry, Arranged) for entry in entries)
        return () if known else (agreed,)

    def finish(self, state: StateT) -> None:
        """Mark the game as ended, with the scores of this state."""
        scores = self._scores(state)
        self._write(lambda number: self._journal.finish_game(number, scores))
        self._journal.keep_copy()

    def _write(self, write: Callable[[int], None]) -> None:
        """Write to the game; the first time in one transaction with the game itself."""
        if self._number is None:
            self._number = self._journal.start_game_with(self._game, self._opening, write)
            self._journal.keep_copy()  # a game that the copy knows can be put together from its entries alone
        else:
            with self._journal.together():
                write(self._number)
