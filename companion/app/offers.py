"""Offers of games: with the colours on the table, with the players of the last evening, or a game to resume."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import combinations
from types import MappingProxyType

from companion.app.history import names_of, unfinished_games
from companion.app.lines import LANGUAGES
from companion.core import lobby
from companion.core.entries import Arranged
from companion.core.lobby import Agreement, Offer, TableRecognised, group_like, numbers_of_players
from companion.games import GAMES
from companion.games.engines import ENGINES
from companion.games.guide import NO_GUIDE, Option, json_or_word, option_lines
from companion.games.speech import SPEECHES, brief_options, options_for
from companion.locale import _
from companion.shell.archive import arrangement_of, players_of
from companion.shell.clock import Clock
from companion.shell.journal import Journal, RecordedGame
from companion.shell.session import UNCOLOURED, Setup, new_position, recalled
from companion.ui.names import COMPUTER, clauses, computer_note, enumerated, seat_name, seated_name
from engines.kernel import BadRequestError, Json, JsonObject, Level, Seat
from vision.board import Board, known_boards
from vision.labels import parse_label


def seats_of(board: Board) -> tuple[Seat, ...]:
    """Return all the seats of a table."""
    return tuple(map(Seat, board.colours)) or UNCOLOURED


def can_begin(offer: Offer, options: JsonObject) -> bool:
    """Return whether a game can begin as offered; True for one of the journal."""
    if offer.number is not None:
        return True
    engine, colours = ENGINES[offer.game], GAMES[offer.game].board().colours
    try:
        new_position(engine, colours, offer.players, {**options, **offer.options})
    except BadRequestError:
        return False
    return True


_ROUND = (*range(1, 11), 12, 15, 20, 25, 30, 45, 60, 90, 120, 180, 240, 300, 600, 900, 1800, 3600)
"""The values offered from a wide range of numbers, together with its ends."""


MOST_NAMES = 9
"""The most names that are offered, latest first."""


def agreements(game: str, seats: Sequence[Seat] = (), names: Sequence[str] = ()) -> tuple[Agreement, ...]:
    """Return what buttons can set before a game: options, language, volume, and names for the seats."""
    called = tuple(names[:MOST_NAMES])
    return (
        *(Agreement(option.key, _values(option)) for option in SPEECHES[game].guide().options),
        Agreement(lobby.LANGUAGE, tuple(LANGUAGES)),
        Agreement(lobby.SOUND, lobby.LOUDNESS),
        *(Agreement(f"{lobby.NAME}{seat}", called) for seat in seats if called),
    )


def _values(option: Option) -> tuple[Json, ...]:
    if option.span is None:
        return tuple(map(json_or_word, option.values))
    least, most = option.span
    return tuple(sorted({least, *(number for number in _ROUND if least < number < most), most}))


class OfferBook:
    """The offers for a recognised table: the journal's `games`, oldest first, and new ones with their options.

    A table with the seats of the given players is offered to them only, with their names and the computer's levels.
    """

    def __init__(
        self,
        games: Iterable[RecordedGame],
        options: JsonObject,
        players: Sequence[Seat] = (),
        names: Sequence[str] = (),
        computer: Mapping[Seat, Level] = MappingProxyType({}),
    ) -> None:
        # of a finished game only the agreement: a long journal does not fit into a small machine's memory
        self._games = [one if one.scores is None else replace(one, entries=(arrangement_of(one),)) for one in games]
        self._options, self._players = options, tuple(players)
        self._called, self._computer = dict(zip(players, names, strict=False)), computer
        self._going_on = unfinished_games(self._games)
        # the labels of the table at the end of each game to resume, by its number, if the game can be read
        self._left_as: dict[int, Mapping[str, str]] = {}
        for recorded in self._going_on:
            if (adaptor := GAMES.get(recorded.game)) is not None:
                with suppress(ValueError, BadRequestError):
                    left = adaptor.placement(recalled(adaptor, recorded).position)
                    self._left_as[recorded.number] = {str(cell): label for cell, label in left.items()}

    def can_begin(self, offer: Offer) -> bool:
        """Return whether a game can begin as offered; True for one of the journal."""
        return can_begin(offer, options_for(offer.game, self._options))

    def offers(self, board: Board, labels: Mapping[str, str]) -> TableRecognised:
        """Return the offers for a table, most probable first; `labels` are certain, by cell."""
        named = self._given_players(board)
        going_on = [] if named else [recorded for recorded in self._going_on if recorded.game == board.game]
        left_as = ((recorded, self._left_as.get(recorded.number)) for recorded in going_on)
        fitting = [
            recorded
            for recorded, left in left_as
            if left is not None and all(labels.get(cell, label) == label for cell, label in left.items())
        ]
        others = [recorded for recorded in going_on if recorded not in fitting]
        in_view = {colour for label in labels.values() for colour in parse_label(label).colours}
        new = self._new(board, [Seat(colour) for colour in board.colours if colour in in_view])
        offers = (*map(_resume_offer, fitting), *new, *map(_resume_offer, others))
        # known names: given ones first, then those of the latest games
        before = (name for recorded in reversed(self._games) for name in names_of(recorded).values())
        known = [*dict.fromkeys([*self._called.values(), *before])]
        return TableRecognised(seats_of(board), offers, agreements(board.game, seats_of(board), known))

    def _new(self, board: Board, seen: Sequence[Seat]) -> Sequence[Offer]:
        """Return the new games, by players; the first one even if these players cannot play it.

        The agreement of last time is offered again, with the given options unchanged; the first players are also
        offered the default options.
        """
        last = next((recorded for recorded in reversed(self._games) if recorded.game == board.game), None)
        named = self._given_players(board)
        names = self._called if named and self._called else (names_of(last) if last else {})
        before = arrangement_of(last) if last else Arranged()
        agreed = {k: v for k, v in before.options.items() if k not in self._options}
        seated = self._computer or computer_of(before, Level.STRONG)
        seats = seats_of(board)
        # those with pieces on the table, those of last time, and the first seats of the table that can play
        first = [
            group_like(seats[:number], seats, lambda group: self.can_begin(Offer(board.game, tuple(group))))
            for number in range(len(seats), 0, -1)
        ]
        found = (tuple(seen), players_of(last) if last else (), *first)
        groups = [named] if named else [*dict.fromkeys(filter(None, found))]
        new = [
            Offer(
                board.game,
                group,
                {seat: names[seat] for seat in group if seat in names},
                options=agreed,
                computer={seat: seated[seat] for seat in group if seat in seated},
            )
            for group in groups
        ]
        new[1:1] = [replace(new[0], options={})] if agreed else []
        return [offer for offer in new if self.can_begin(offer)] or new[:1]

    def _given_players(self, board: Board) -> tuple[Seat, ...]:
        """Return the given players; empty at a table that lacks their seats.

        A table without colours accepts any name except the colours of other tables.
        """
        own = set(seats_of(board))
        strange = {Seat(colour) for other in known_boards() for colour in other.colours} - own
        has_them = set(self._players) <= own if board.colours else strange.isdisjoint(self._players)
        return self._players if has_them else ()


def computer_of(agreed: Arranged, usual: Level) -> Mapping[Seat, Level]:
    """Return the level of each seat of the computer; `usual` if none was agreed."""
    return {seat: agreed.levels.get(seat, usual) for seat in agreed.companion_seats}


def _resume_offer(recorded: RecordedGame) -> Offer:
    return Offer(recorded.game, players_of(recorded), names_of(recorded), recorded.number)


# ---- the last evening


def last_evening(setup: Setup, clock: Clock) -> tuple[Offer | None, str]:
    """Return the set-up's game as it was played last, None if it was not, and the language of the last evening or "".

    Raises:
        JournalError: the journal cannot be used.
    """
    if not setup.journal.exists():
        return None, ""
    with closing(Journal(setup.journal, clock)) as journal:
        latest = journal.latest()
        same = journal.latest(setup.game) if setup.game else None
    language = arrangement_of(latest).language if latest else ""
    if same is None:
        return None, language
    agreed = arrangement_of(same)
    computer = computer_of(agreed, setup.level)
    return Offer(same.game, players_of(same), agreed.names, None, agreed.options, computer), language


def as_last_time(setup: Setup, last: Offer) -> Offer | None:
    """Return the set-up's game with the players and options of last time; None if they cannot play it.

    Given options take precedence.
    """
    names = {seat: name for seat, name in last.names.items() if seat in last.players}
    computer = {seat: level for seat, level in last.computer.items() if seat in last.players}
    options = {**last.options, **setup.options}
    again = Offer(last.game, last.players, names, options=options, computer=computer)
    return again if can_begin(again, {}) else None


def people_words(offer: Offer) -> str:
    """Return the players of an offer with their seats: "Anna (White) and Black"."""
    computers = {seat: computer_note(seat, level) for seat, level in offer.computer.items()}
    return enumerated([seated_name(s, offer.names.get(s, ""), computers.get(s, "")) for s in offer.players])


def offer_words(offer: Offer) -> str:
    """Return an offer as a line: a new game or one to resume, its players, and what else was agreed."""
    sentence = _("new game: {players}") if offer.number is None else _("go on with game {number}: {players}")
    words = sentence.format(number=offer.number, players=people_words(offer))
    return " · ".join([words, *brief_options(offer.game, offer.options)])


# ---- impossible games


MOST_SEATS = 8
"""The highest number of players that is tried, more than any game has."""


def table_seats(game: str) -> tuple[Seat, ...]:
    """Return a table's seats in order; without colours also seats for players whose names are not known yet."""
    board = GAMES[game].board()
    seats = seats_of(board)
    further = () if board.colours else range(len(seats) + 1, MOST_SEATS + 1)
    return (*seats, *(Seat(f"player-{place}") for place in further))


def seats_for(game: str, count: int, options: JsonObject) -> tuple[Seat, ...]:
    """Return that many seats of a table that can play together, the first ones if possible.

    The first ones are also returned if nobody can play with these options, which are refused later.

    Raises:
        BadRequestError: that many cannot play, but others can; the message has the possible numbers.
    """

    def playable(players: Sequence[Seat]) -> bool:
        return can_begin(Offer(game, tuple(players), options=options), {})

    seats = table_seats(game)
    if count <= len(seats) and (group := group_like(seats[:count], seats, playable)):
        return group
    if not (numbers := numbers_words(seats, playable)):
        return seats[:count]
    raise BadRequestError(" ".join([_("These players cannot play it together."), numbers]))


def seats_against_computer(game: str, options: JsonObject) -> tuple[Seat, ...]:
    """Return the seats of one player against the fewest seats of the computer that make the game possible."""
    colours = GAMES[game].board().colours
    seats = table_seats(game) if colours else (Seat("player-1"), Seat(COMPUTER))
    return fewest_seats(game, seats, options)


def fewest_seats(game: str, seats: Sequence[Seat], options: JsonObject) -> tuple[Seat, ...]:
    """Return the fewest of these seats that can play a game together, at least two; empty if they cannot."""
    groups = (group for count in range(2, len(seats) + 1) for group in combinations(seats, count))
    return next((group for group in groups if can_begin(Offer(game, group, options=options), {})), ())


def refused_words(setup: Setup) -> str:
    """Return why these options or players are impossible, and what is possible; "" if the game can begin."""
    if not setup.game:
        return ""
    # the first option that no number of players allows, with the possible values
    for key, value in setup.options.items() if SPEECHES[setup.game].guide() != NO_GUIDE else ():
        if refused := refused_option(setup.game, key, value):
            if option_lines(SPEECHES[setup.game].guide(), key):
                refused = [refused[0], _("Possible: {players}.").format(players=clauses(refused[1:]))]
            return " ".join(refused)
    if not setup.players or _can_play(setup, setup.players):
        return ""
    seats = table_seats(setup.game)
    if GAMES[setup.game].board().colours and not set(setup.players) <= set(seats):
        return ""
    possible = possible_words(setup.players, seats, partial(_can_play, setup))
    return " ".join([_("These players cannot play it together."), possible]) if possible else ""


def possible_words(players: Sequence[Seat], seats: Sequence[Seat], can_play: lobby.CanPlay) -> str:
    """Return players who can play together instead, or the possible numbers of players; "" if nobody can."""
    if group := group_like(players, seats, can_play):
        return _("Possible: {players}.").format(players=enumerated(map(seat_name, group)))
    return numbers_words(seats, can_play)


def numbers_words(seats: Sequence[Seat], can_play: lobby.CanPlay) -> str:
    """Return the possible numbers of players; "" if nobody can play."""
    numbers = ", ".join(map(str, numbers_of_players(seats, can_play)))
    return _("Number of players: {numbers}").format(numbers=numbers) if numbers else ""


def _can_play(setup: Setup, players: Sequence[Seat]) -> bool:
    return can_begin(Offer(setup.game or "", tuple(players), options=setup.options), {})


def refused_option(game: str, key: str, value: Json) -> Sequence[str]:
    """Return that the game has no such option, or not with that value, and the possible ones; empty if it has."""

    def playable(players: Sequence[Seat]) -> bool:
        return can_begin(Offer(game, tuple(players), options={key: value}), {})

    if numbers_of_players(table_seats(game), playable):
        return ()
    [option] = brief_options(game, {key: value})
    return [_("The game has no option {option}.").format(option=option), *options_like(game, key)]


def options_like(game: str, like: str = "") -> Sequence[str]:
    """Return the options of a game as lines: all, or the one whose title or key is most like `like`."""
    return option_lines(SPEECHES[game].guide(), like) or [_("There is nothing to agree on before this game.")]
