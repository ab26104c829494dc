"""What can be begun at a recognised table: with the colours on it, last time's players, or a game to resume."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from companion.app.history import names_of, players_of, unfinished_games
from companion.core.lobby import Offer, TableRecognised
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.games.speech import options_for
from companion.shell.archive import arrangement_of
from companion.shell.opening import UNCOLOURED, new_position, recalled
from engines.kernel import BadRequestError, JsonObject, Seat
from vision.labels import parse_label

if TYPE_CHECKING:
    from companion.shell.journal import RecordedGame
    from vision.board import Board
    from vision.observation import Observation


def seats_of(board: Board) -> tuple[Seat, ...]:
    """Return all the seats of a table."""
    return tuple(map(Seat, board.colours)) or UNCOLOURED


def labels_seen(observation: Observation) -> Mapping[str, str]:
    """Return the labels that are certain, by cell."""
    unsure = observation.unsure()
    read = zip(observation.cells, observation.best(), unsure, strict=True)
    return {cell: label for cell, label, doubted in read if not doubted}


def colours_seen(board: Board, labels: Mapping[str, str]) -> tuple[Seat, ...]:
    """Return the table's colours of which a piece is seen, in their order."""
    parsed = [parse_label(label) for label in labels.values()]
    seen = {label.piece for label in parsed} | {colour for label in parsed for _kind, colour in label.on_card}
    return tuple(Seat(colour) for colour in board.colours if colour in seen)


def can_begin(offer: Offer, options: JsonObject) -> bool:
    """Return whether a game can be begun as it is offered; one of the journal is taken as it is."""
    if offer.number is not None:
        return True
    engine, colours = ENGINES[offer.game], GAMES[offer.game].board().colours
    try:
        new_position(engine, offer.players, {**options, **offer.options}, 0, colours)
    except BadRequestError:
        return False
    return True


class OfferBook:
    """What can be begun at a table that is recognised.

    Args:
        games: those of the journal, the oldest first.
        options: those that hold from the beginning, in each game that has them.
        players: those who were named already; then nobody else is offered at a table that has their seats.
        names: what these are called.
    """

    def __init__(
        self,
        games: Sequence[RecordedGame],
        options: JsonObject,
        players: Sequence[Seat] = (),
        names: Sequence[str] = (),
    ) -> None:
        self._games, self._options, self._players = games, options, tuple(players)
        self._called = dict(zip(players, names, strict=False))
        self._going_on = unfinished_games(games)

    def can_begin(self, offer: Offer) -> bool:
        """Return whether a game can be begun as it is offered; one of the journal is taken as it is."""
        return can_begin(offer, options_for(offer.game, self._options))

    def offers(self, board: Board, labels: Mapping[str, str]) -> TableRecognised:
        """Return what can be begun at a table, the most probable first; `labels` are certain, by cell."""
        named = self._named(board)
        going_on = [] if named else [recorded for recorded in self._going_on if recorded.game == board.game]
        fitting = [recorded for recorded in going_on if _agrees(self._left_as(recorded.number), labels)]
        others = [recorded for recorded in going_on if recorded not in fitting]
        new = self._new(board, colours_seen(board, labels))
        return TableRecognised(seats_of(board), (*map(_resumed, fitting), *new, *map(_resumed, others)))

    def _new(self, board: Board, seen: Sequence[Seat]) -> Sequence[Offer]:
        """Return the new games, by who plays; the first one also where these players cannot play it.

        What was agreed last time is offered again; what the players have set themselves stays. The first players are
        offered the usual rules, too.
        """
        last, named = _last(board.game, self._games), self._named(board)
        names = self._called if named and self._called else (names_of(last) if last else {})
        agreed = {k: v for k, v in arrangement_of(last).options.items() if k not in self._options} if last else {}
        groups = [named] if named else list(_groups(seats_of(board), seen, last))
        new = [
            Offer(board.game, group, {seat: names[seat] for seat in group if seat in names}, options=agreed)
            for group in groups
        ]
        new[1:1] = [replace(new[0], options={})] if agreed else []
        return [offer for offer in new if self.can_begin(offer)] or new[:1]

    def _named(self, board: Board) -> tuple[Seat, ...]:
        """Return the players who were named; none at a table that has no such seats."""
        return self._players if not board.colours or set(self._players) <= set(seats_of(board)) else ()

    @lru_cache(maxsize=4)  # noqa: B019 - a book is used in one lobby
    def _left_as(self, number: int) -> Mapping[str, str] | None:
        """Return the labels of the table as a game of the journal was left; None if it cannot be read."""
        recorded = next(recorded for recorded in self._going_on if recorded.number == number)
        adaptor = GAMES[recorded.game]
        try:
            return {str(cell): label for cell, label in adaptor.placement(recalled(adaptor, recorded).position).items()}
        except (ValueError, BadRequestError):
            return None


def _groups(seats: Sequence[Seat], seen: Sequence[Seat], last: RecordedGame | None) -> Iterator[tuple[Seat, ...]]:
    """Yield who may play: whose pieces are on the table, who played last time, and the first seats of the table."""
    groups = [tuple(seen), players_of(last) if last else (), *(tuple(seats[:n]) for n in range(len(seats), 0, -1))]
    yield from dict.fromkeys(group for group in groups if group)


def _last(game: str, games: Sequence[RecordedGame]) -> RecordedGame | None:
    return next((recorded for recorded in reversed(games) if recorded.game == game), None)


def _resumed(recorded: RecordedGame) -> Offer:
    return Offer(recorded.game, players_of(recorded), names_of(recorded), recorded.number)


def _agrees(left: Mapping[str, str] | None, labels: Mapping[str, str]) -> bool:
    """Return whether the table is as a game was left, in all that is certain."""
    return left is not None and all(labels.get(cell, label) == label for cell, label in left.items())
