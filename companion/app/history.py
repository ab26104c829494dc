"""The games that were played: lists, who won. Pure, over what the journal has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.core.entries import Played, standing
from companion.games import speech
from companion.games.engines import ENGINES
from companion.locale import _, ngettext
from companion.shell.archive import arrangement_of, end_of
from companion.shell.clock import wall_time
from companion.shell.journal import RecordedGame
from companion.ui.names import Names, player_names
from companion.ui.words import score_words
from engines.kernel import Seat

__all__ = ["game_line", "names_of", "players_of", "title_of", "unfinished_games", "winners_of"]

MOST_UNFINISHED = 2
"""This many unfinished games are offered."""


def names_of(recorded: RecordedGame) -> Names:
    """Return what the players of a game were called last."""
    return arrangement_of(recorded).names


def players_of(recorded: RecordedGame) -> tuple[Seat, ...]:
    """Return who played a game, in turn order."""
    players = recorded.opening.get("players")
    return tuple(Seat(str(player)) for player in players) if isinstance(players, list | tuple | Mapping) else ()


def title_of(game: str) -> str:
    """Return a game's title; for a game that is not installed, its name in commands."""
    return speech.title_of(game) if game in speech.SPEECHES else game


def unfinished_games(games: Iterable[RecordedGame], most: int | None = MOST_UNFINISHED) -> list[RecordedGame]:
    """Return the latest unfinished games in which something was played, the latest first; None: all of them."""
    open_ones = [recorded for recorded in games if recorded.scores is None and _actions(recorded)]
    return open_ones[::-1][:most]


def game_line(recorded: RecordedGame) -> str:
    """Return a game in one line: number, day, title, how long it is, how it ended."""
    count = _actions(recorded)
    actions = ngettext("{count} action", "{count} actions", count).format(count=count)
    ending = _unfinished(recorded) if recorded.scores is None else score_words(recorded.scores, names_of(recorded))
    mark = " " + _("(played wrongly)") if recorded.misplayed else ""
    course = _("{game}: {score}").format(game=title_of(recorded.game), score=f"{actions}, {ending}{mark}")
    return f"{recorded.number:>4}  {wall_time(recorded.started)}  {course}"


def _unfinished(recorded: RecordedGame) -> str:
    """Return who plays a game that is not finished."""
    people = player_names(players_of(recorded), names_of(recorded))
    return ", ".join(filter(None, [people, _("not finished")]))


def _actions(recorded: RecordedGame) -> int:
    return sum(isinstance(entry, Played) for entry in standing(recorded.entries))


def winners_of(recorded: RecordedGame) -> tuple[str, ...]:
    """Return who won a finished game, as its rules say; nobody where it cannot be read any more."""
    if recorded.game not in ENGINES or recorded.scores is None:
        return ()
    won = tuple(map(str, ENGINES[recorded.game].game.winners(end_of(recorded))))
    most = max(recorded.scores.values())
    return won or tuple(str(seat) for seat, points in recorded.scores.items() if points == most > 0)
