"""Which game a session plays: a new one, or one that the journal has as far as it was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.core.entries import Arranged, Calibrated
from companion.core.messages import Recalled
from companion.core.state import State, new_state
from companion.core.step import step
from companion.core.tones import KnownTones
from companion.games import GAMES
from companion.games.adaptor import Adaptor
from companion.games.engines import ENGINES, AnyEngine
from companion.games.speech import SPEECHES, option_words, title_of
from companion.locale import _, ngettext
from companion.shell.clock import wall_time
from companion.shell.errors import JournalError, SetUpError
from companion.shell.game_log import GameLog
from companion.shell.journal import Journal, RecordedGame, fingerprint
from companion.shell.picture_policy import PicturePolicy
from companion.ui.names import seat_name
from engines.kernel import BadRequestError, JsonObject, Level, Seat
from vision.board import Board

RESUME = "--resume"
"""What sentences write before the option that names another journal than the usual one."""

UNCOLOURED = (Seat("white"), Seat("black"))
"""Who plays a game whose table has no colours, where the players say nothing else."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Which game is played, by whom and how, and where it is kept.

    Attributes:
        game: its name in commands; None, when resuming: whichever was played last.
        players: the seats in use; empty: all of the table.
        journal: the journal's file; kept pictures are in a folder beside it.
        resume: whether the last game is resumed.
        number: the game of the journal to resume; None for the last one.
        unattended: a new game begins if there is none to resume.
        tables: the players' own boards, by game, where they differ from those that ship.
        options: the game's options that are not as usual, in the protocol's form.
        arrangement: names, the companion's seats, how dice are thrown.
        lingers: the session goes on after the end of its game.
        learns: how the table looks, once it is known what is on it, weighs with what is read later.
        keeps_colours: the colours that the camera learns at this table are kept in the journal.
        tally: how many games of this evening each person has won: by name, or by seat where they have none.
        journal_option: the option that names the journal, as it was given on the command line; "" for the usual one.
        seed: feeds shuffles and layouts.
        sees: a camera looks at the table: what the players draw there is read, and not drawn by the program.
        pictures: which pictures of the table are kept, and for how long.
        level: how well the companion plays its seats and advises.
    """

    game: str | None
    players: Sequence[Seat]
    journal: Path
    resume: bool = False
    number: int | None = None
    unattended: bool = False
    tables: Mapping[str, Board] = field(default_factory=dict)
    options: JsonObject = field(default_factory=dict)
    arrangement: Arranged = field(default_factory=Arranged)
    lingers: bool = False
    learns: bool = True
    keeps_colours: bool = False
    tally: Mapping[str, int] = field(default_factory=dict)
    journal_option: str = ""
    seed: int = 0
    sees: bool = False
    pictures: PicturePolicy = field(default_factory=PicturePolicy)
    level: Level = Level.STRONG


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A game that is new, or as far as the journal has it.

    `hint` is shown on the screen, `notices` of the journal are part of it.
    """

    adaptor: Adaptor
    state: State
    log: GameLog[State]
    resumed: bool
    hint: str
    notices: tuple[str, ...] = ()

    @property
    def engine(self) -> AnyEngine:
        """The rules and what goes beside them."""
        return ENGINES[self.adaptor.name]


def open_game(journal: Journal, setup: Setup) -> OpenedGame:
    """Resume a game of the journal, or begin a new one.

    Raises:
        SetUpError: there is no such game, or none to resume.
        BadRequestError: these players cannot play it.
        JournalError: the journal cannot be read, or its game cannot be replayed.
    """
    notices = journal.take_notices()
    try:
        opened = _opened(journal, setup)
    except SetUpError as error:
        raise SetUpError(" ".join([*notices, str(error)])) from error
    return replace(opened, hint=" ".join(filter(None, (*notices, opened.hint))), notices=notices)


def _opened(journal: Journal, setup: Setup) -> OpenedGame:
    recorded = _to_resume(journal, setup) if setup.resume else None
    if recorded is not None and not _of_others(setup, recorded):
        return _resume(journal, setup, recorded)
    if setup.resume and not setup.unattended:
        raise SetUpError(_("there is no unfinished game to resume"))
    return _start(journal, setup)


def _to_resume(journal: Journal, setup: Setup) -> RecordedGame | None:
    """Return the game to resume; None if there is none.

    Raises:
        SetUpError: the game that is asked for is finished, or a game of another kind.
        JournalError: there is no such game.
    """
    if setup.number is None:
        return journal.unfinished(setup.game)
    recorded = journal.read(setup.number)
    if setup.game not in (None, recorded.game):
        sentence = _("game {number} is a game of {game}")
        raise SetUpError(sentence.format(number=setup.number, game=_title(recorded.game)))
    if recorded.scores is not None:
        raise SetUpError(_("game {number} is finished").format(number=setup.number))
    return recorded


def _of_others(setup: Setup, recorded: RecordedGame) -> bool:
    """Return whether a game is that of other players than those who are asked for."""
    players = recorded.opening.get("players")
    seats = list(players) if isinstance(players, list | tuple | Mapping) else []
    return bool(setup.players) and sorted(map(str, seats)) != sorted(setup.players)


def _start(journal: Journal, setup: Setup) -> OpenedGame:
    """Set up a new game; a game in the journal that was not finished is hinted at."""
    adaptor = _adaptor(setup.game or "")
    state = new_state(adaptor, begin(ENGINES[adaptor.name], setup, adaptor.board().colours))
    state = replace(state, earlier_tones=_earlier_tones(journal, adaptor.name))
    opening = adaptor.engine.position_to_json(state.position)
    left = journal.unfinished()
    hint = " ".join(option_words(adaptor.name, setup.options))
    if left is not None:
        sentence = _("A game of {game} from {time} is not finished: companion play --resume goes on with it.")
        unfinished = sentence.format(game=_title(left.game), time=wall_time(left.started))
        hint = f"{hint} {unfinished.replace(RESUME, RESUME + setup.journal_option)}".strip()
    return OpenedGame(adaptor, state, _log(journal, adaptor, opening), resumed=False, hint=hint)


def _title(game: str) -> str:
    """Return a game's title; for one that is no longer installed, its name in commands."""
    return title_of(game) if game in SPEECHES else game


def _earlier_tones(journal: Journal, game: str) -> KnownTones:
    """Return the colours that the last game of this kind has kept; empty if the players did not agree to that."""
    last = journal.latest(game)
    entries = [entry for entry in last.entries if isinstance(entry, Calibrated)] if last else []
    return reduce(KnownTones.with_entry, entries, KnownTones())


def begin(engine: AnyEngine, setup: Setup, colours: Sequence[str]) -> Any:
    """Return the position that a new game begins with; as much as possible is decided at the table.

    Raises:
        BadRequestError: these players cannot play it, or the table has no such colours.
    """
    players = setup.players or usual_players(engine, colours, setup.options)
    options = {**engine.turns.seen_options, **setup.options} if setup.sees else setup.options
    return new_position(engine, players, options, setup.seed, colours)


def new_position(
    engine: AnyEngine, players: Sequence[Seat], options: JsonObject, seed: int, colours: Sequence[str]
) -> Any:
    """Return the position that a game of these players begins with.

    Raises:
        BadRequestError: these players cannot play it, or the table has no such colours.
    """
    for seat in players:
        if colours and seat not in colours:
            sentence = _('the table has no "{colour}"; there are: {colours}')
            raise BadRequestError(sentence.format(colour=seat, colours=", ".join(map(seat_name, colours))))
    return engine.game.new(players, {**engine.turns.options, **options}, seed)


def usual_players(engine: AnyEngine, colours: Sequence[str], options: JsonObject = MappingProxyType({})) -> list[Seat]:
    """Return the seats that play where nobody says: as many of the table's as the game can have with its options.

    A table without colours is played at by `UNCOLOURED`.

    Raises:
        BadRequestError: no number of them can play.
    """
    problem: BadRequestError | None = None
    known = [Seat(colour) for colour in colours] or UNCOLOURED
    for count in range(len(known), 0, -1):
        seats = list(known[:count])
        try:
            engine.game.new(seats, {**engine.turns.options, **options}, 0)
        except BadRequestError as error:
            problem = problem or error
        else:
            return seats
    raise problem or BadRequestError(_("who plays? name the players"))


def _resume(journal: Journal, setup: Setup, recorded: RecordedGame) -> OpenedGame:
    """Resume a game: its entries through `step` give the state that it was left in."""
    adaptor = _adaptor(recorded.game)
    try:
        state = recalled(adaptor, recorded)
    except ValueError as error:
        raise JournalError(f"{setup.journal}: {_not_replayed(recorded)}") from error
    log = _log(journal, adaptor, recorded.opening, recorded.number)
    return OpenedGame(adaptor, state, log, resumed=True, hint=_resumed(recorded))


def _resumed(recorded: RecordedGame) -> str:
    count = len(recorded.entries)
    text = ngettext(
        "Resumed: the game of {time}, {count} entry in the journal.",
        "Resumed: the game of {time}, {count} entries in the journal.",
        count,
    )
    return text.format(time=wall_time(recorded.started), count=count)


def recalled(adaptor: Adaptor, recorded: RecordedGame) -> State:
    """Replay a game.

    Raises:
        ValueError: an entry does not follow from those before, or the end is not what it was.
    """
    state = new_state(adaptor, adaptor.engine.position_from_json(recorded.opening))
    for entry in recorded.entries:
        state, _effects = step(state, Recalled(entry))
    if recorded.position and fingerprint(_position_json(state)) != recorded.position:
        message = "the replayed game ends in another position"
        raise ValueError(message)
    return state


def _not_replayed(recorded: RecordedGame) -> str:
    sentence = _("game {number} cannot be replayed: its entries do not follow from one another")
    return sentence.format(number=recorded.number)


def _adaptor(game: str) -> Adaptor:
    if game not in GAMES:
        sentence = _('unknown {kind} "{word}"; there are: {known}')
        raise SetUpError(sentence.format(kind=_("game"), word=game, known=", ".join(GAMES)))
    return GAMES[game]


def _position_json(state: State) -> JsonObject:
    return state.rules.engine.position_to_json(state.position)


def _log(journal: Journal, adaptor: Adaptor, opening: JsonObject, number: int | None = None) -> GameLog[State]:
    return GameLog(
        journal,
        adaptor.name,
        opening,
        position=_position_json,
        scores=lambda state: state.rules.engine.score(state.position),
        agreed=lambda state: state.progress.arrangement,
        over=lambda state: state.over,
        number=number,
    )
