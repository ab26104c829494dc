"""The history of games: lists, winners, statistics. Pure, from the journal's games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from companion.core.entries import Played, folded, standing
from companion.core.state import winners_at
from companion.games.bundle import Turn
from companion.games.record import position_after
from companion.games.review import Feats, count_feats, turns_of
from companion.games.speech import title_of
from companion.locale import _, ngettext
from companion.shell.archive import arrangement_of, players_of, record_of
from companion.shell.clock import FIRST_DAY, wall_time
from companion.shell.errors import JournalError
from companion.shell.journal import RecordedGame
from companion.ui.names import Names, player_name, player_names
from companion.ui.phrases import tenths
from companion.ui.words import score_words
from engines.kernel import JsonObject, Seat

MOST_UNFINISHED = 2
"""The most unfinished games that are offered."""


def names_of(recorded: RecordedGame) -> Names:
    """Return the players' latest names in a game."""
    return arrangement_of(recorded).names


def unfinished_games(games: Iterable[RecordedGame], most: int | None = MOST_UNFINISHED) -> list[RecordedGame]:
    """Return the latest unfinished games with at least one action, latest first; None for all of them."""
    open_ones = [recorded for recorded in games if recorded.scores is None and _actions(recorded)]
    return open_ones[::-1][:most]


def game_line(recorded: RecordedGame) -> str:
    """Return a game as a line: number, day, title, length, result."""
    count = _actions(recorded)
    actions = ngettext("{count} action", "{count} actions", count).format(count=count)
    names = names_of(recorded)
    people = ", ".join(filter(None, [player_names(players_of(recorded), names), _("not finished")]))
    ending = people if recorded.scores is None else score_words(recorded.scores, names)
    mark = " " + _("(played wrongly)") if recorded.misplayed else ""
    course = _("{game}: {score}").format(game=title_of(recorded.game), score=f"{actions}, {ending}{mark}")
    return f"{recorded.number:>4}  {wall_time(recorded.started)}  {course}"


def game_json(recorded: RecordedGame) -> JsonObject:
    """Return a game of the journal as JSON; "scores" is null while it is unfinished."""
    names, scores = names_of(recorded), recorded.scores
    return {
        "number": recorded.number,
        "started": recorded.started,
        "game": recorded.game,
        "players": [str(seat) for seat in players_of(recorded)],
        "names": {str(seat): name for seat, name in names.items()},
        "actions": _actions(recorded),
        "scores": None if scores is None else {str(seat): points for seat, points in scores.items()},
        "misplayed": recorded.misplayed,
    }


def _actions(recorded: RecordedGame) -> int:
    return sum(isinstance(entry, Played) for entry in standing(recorded.entries))


def _replay(recorded: RecordedGame) -> tuple[Sequence[Turn], Sequence[Seat]]:
    """Return the turns and the winners of a finished game by its rules; none if it can no longer be read."""
    try:
        record = record_of(recorded)
    except JournalError:
        return (), ()
    turns, scores = list(turns_of(record)), recorded.scores or {}
    won = winners_at(record.engine.game, position_after(record, turns))
    return turns, won or [seat for seat, points in scores.items() if points == max(scores.values()) > 0]


# ---- statistics of players by game, and the tally of an evening


EVENING_BREAK = timedelta(hours=6)
"""Games that begin within this time of one another belong to one evening."""


@dataclass(slots=True)
class Standing:
    """One player's results in finished games of one kind; draws are `wins`, `feats` notable actions."""

    games: int = 0
    wins: int = 0
    points: list[int] = field(default_factory=list)
    feats: Feats = field(default_factory=Feats)

    @property
    def average(self) -> float:
        """The mean of the points."""
        return sum(self.points) / len(self.points)


def _counts(recorded: RecordedGame) -> bool:
    """Return whether a game counts: it is finished and was not marked as misplayed."""
    return recorded.scores is not None and not recorded.misplayed


def standings(games: Iterable[RecordedGame]) -> Mapping[str, Mapping[str, Standing]]:
    """Return the results of all games that count, by game and player; "anna" is Anna, who was typed so first."""
    found: dict[str, dict[str, Standing]] = {}
    spelled: dict[str, str] = {}
    for recorded in filter(_counts, games):
        players, names = found.setdefault(recorded.game, {}), names_of(recorded)
        turns, won = _replay(recorded)
        for seat, points in (recorded.scores or {}).items():
            standing = players.setdefault(_spelled(player_name(seat, names), spelled), Standing())
            standing.games += 1
            standing.wins += seat in won
            standing.points.append(points)
        for seat, place, number in count_feats(recorded.game, turns) if turns else ():
            player = players.setdefault(_spelled(player_name(seat, names), spelled), Standing())
            player.feats.numbers.setdefault(place, []).append(number)
    return found


def _spelled(name: str, known: dict[str, str]) -> str:
    """Return a name as it was spelled first, whatever its capitals; `known` has the spellings, and gets a new one."""
    return known.setdefault(folded(name), name)


def standing_lines(games: Iterable[RecordedGame]) -> Iterator[str]:
    """Yield the statistics as lines, the players with most wins first."""
    sentence = _("{player}: {played}, {won}, {average} points on average, {best} at best")
    for game, players in standings(games).items():
        yield title_of(game)
        for name, reached in sorted(players.items(), key=lambda item: (-item[1].wins, -item[1].average)):
            played = ngettext("{games} game", "{games} games", reached.games).format(games=reached.games)
            won, average, best = _wins(reached.wins), tenths(reached.average), max(reached.points)
            yield "  " + sentence.format(player=name, played=played, won=won, average=average, best=best)
            if feats := reached.feats.words(game):
                yield "    " + ", ".join(feats)


def _wins(number: int) -> str:
    return ngettext("{wins} win", "{wins} wins", number).format(wins=number)


# ---- an evening


def evening_of(games: Iterable[RecordedGame]) -> Sequence[int]:
    """Return the numbers of the last evening's games that count, oldest first.

    The last game is the one with the highest number, because a clock may have been wrong; an evening begins after a
    break, for which the times of such a clock do not count. Only the times of other games are kept: there may be
    thousands.
    """
    counted = [(datetime.fromisoformat(recorded.started), recorded.number) for recorded in games if _counts(recorded)]
    evening, earliest = list[int](), None
    for begun, number in reversed(counted):
        if begun >= FIRST_DAY:
            if earliest is not None and earliest - begun > EVENING_BREAK:
                break
            earliest = begun
        evening.append(number)
    return evening[::-1]


def evening_lines(evening: Iterable[RecordedGame]) -> Iterator[str]:
    """Yield the tally of an evening's games: the winners of each, then the players with most wins first."""
    wins: dict[str, int] = {}
    spelled: dict[str, str] = {}
    for recorded in evening:
        names, (_turns, won) = names_of(recorded), _replay(recorded)
        for seat in recorded.scores or {}:
            name = _spelled(player_name(seat, names), spelled)
            wins[name] = wins.get(name, 0) + (seat in won)
        winners = ", ".join(player_name(seat, names) for seat in won) or _("nobody")
        yield _("{game}: {winners}").format(game=title_of(recorded.game), winners=winners)
    if wins:
        tally = [f"{name} {_wins(number)}" for name, number in sorted(wins.items(), key=lambda item: -item[1])]
        yield _("The evening: {tally}").format(tally=", ".join(tally))
