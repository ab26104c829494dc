"""Games between the journal and records: an evening at a table as text, and a text as a game that can be resumed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.core.entries import Adopted, Arranged, Played, standing
from companion.core.verdicts import ActionSource
from companion.games.engines import ENGINES
from companion.games.record import GameRecord, check, position_after, replay
from companion.locale import _
from companion.shell.errors import JournalError
from companion.shell.journal import Journal, RecordedGame
from engines.kernel import BadRequestError, JsonObject, Outcome
from vision.camera.address import HIDDEN


def record_of(recorded: RecordedGame) -> GameRecord:
    """Return the record of a game: how it began, what was played and not taken back, the points once it is finished.

    Where users took the table as the new truth, the record begins with that position: actions do not lead there.

    Raises:
        JournalError: the journal's game cannot be read.
    """
    if recorded.game not in ENGINES:
        raise JournalError(_unreadable(recorded))
    engine = ENGINES[recorded.game]
    opening, actions_json = _course(recorded)
    try:
        start = engine.game.position_from_json(opening)
        actions = tuple(map(engine.game.action_from_json, actions_json))
    except BadRequestError as error:
        raise JournalError(_unreadable(recorded)) from error
    headers = recorded.headers
    if headers is None or opening is not recorded.opening:
        headers = {"started": recorded.started, "position": engine.notation.write_position(start)}
    return GameRecord(recorded.game, headers, start, actions, recorded.scores, arrangement_of(recorded).names)


def end_of(recorded: RecordedGame) -> Any:
    """Return the position that a game of the journal ended in.

    Raises:
        JournalError: the journal's game cannot be read.
    """
    record = record_of(recorded)
    return position_after(record, tuple(replay(record)))


def _course(recorded: RecordedGame) -> tuple[JsonObject, Sequence[JsonObject]]:
    """Return the position that a game began with, or that was adopted last, and the actions since."""
    opening, actions = recorded.opening, list[JsonObject]()
    for entry in standing(recorded.entries):
        if isinstance(entry, Adopted):
            opening, actions = entry.position, []
        elif isinstance(entry, Played):
            actions.append(entry.action)
    return opening, actions


def arrangement_of(recorded: RecordedGame) -> Arranged:
    """Return what users had agreed on last in a game; what was forgotten is not in it."""
    arranged = [entry for entry in recorded.entries if isinstance(entry, Arranged)]
    return arranged[-1] if arranged else Arranged()


def camera_of(recorded: RecordedGame) -> str | None:
    """Return the camera that a game was begun with; "" if the moves were typed, None if that is no longer known."""
    camera = arrangement_of(recorded).camera
    if camera:
        return None if HIDDEN in camera else camera
    sources = {entry.source for entry in recorded.entries if isinstance(entry, Played)}
    return None if recorded.headers is None and ActionSource.CAMERA in sources else ""


def _unreadable(recorded: RecordedGame) -> str:
    sentence = _("game {number} of the journal is none of a game that is known here: {game}")
    return sentence.format(number=recorded.number, game=recorded.game)


def enter(journal: Journal, record: GameRecord) -> int:
    """Judge a record and enter it in a journal as a game of its own; give its number.

    A game that is over, or has a result, is finished; any other can be resumed.

    Raises:
        RecordError: the record is not right; the journal stays as it was.
        JournalError: the journal cannot be written.
    """
    plies = tuple(replay(record))
    check(record, plies)
    game, end = record.engine.game, position_after(record, plies)

    def write(number: int) -> None:
        if record.names:
            journal.record(number, Arranged(record.names), game.position_to_json(record.start))
        for ply in plies:
            if isinstance(ply.outcome, Outcome):
                played = Played(game.action_to_json(ply.action))
                journal.record(number, played, game.position_to_json(ply.outcome.position))
        if game.over(end) or record.result is not None:
            journal.finish_game(number, game.score(end))

    number = journal.start_game_with(record.game, game.position_to_json(record.start), write, record.headers)
    journal.keep_copy()
    return number
