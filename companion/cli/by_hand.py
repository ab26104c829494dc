"""A game without eyes: people type what they do, line by line, and are led from the set-up to the score."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from companion.cli.output import write_text
from companion.cli.telling import drawn, fact, ply_line
from companion.core.messages import Played, Undone
from companion.games.by_hand import MANY, choices, choices_words, read_typed, set_up, shown_to_all
from companion.games.engines import ENGINES, AnyEngine
from companion.games.record import LARGEST_SEED, Ply, Record, check, forbidden, replay
from companion.locale import _
from companion.shell.archive import record_of
from companion.shell.errors import SetUpError
from companion.shell.journal import GameLog, Journal
from companion.ui.names import points
from companion.ui.words import won_words
from engines.kernel import BadRequestError, Event, Outcome, Refusal, Seat
from vision.board import shipped_board

if TYPE_CHECKING:
    from rich.console import RenderableType

    from companion.shell.clock import Clock
    from companion.shell.session import Setup

Lines: TypeAlias = Iterator[str]

_QUIT = "quit"

_NOT_SHOWN = ("game", "players", "over", "await")
"""What the other lines tell of a position already."""


def play_by_hand(setup: Setup, *, lines: Lines, random: Random, clock: Clock) -> None:
    """Lead people through a game until it is over, they quit, or the lines end.

    Raises:
        SetUpError: there is no game to resume.
        BadRequestError: the players named in the set-up cannot play it.
        JournalError: the journal cannot be used.
    """
    with closing(Journal(setup.journal, clock)) as journal:
        sitting = _resumed(journal, setup) if setup.resume else _begun(journal, setup, lines, random)
        if sitting is not None:
            _Talk(sitting, random).run(lines)


class _Sitting:
    """A game as far as it has been played; whatever is accepted is in the journal before anybody is told.

    Attributes:
        told: the events of the last action accepted here.
    """

    def __init__(self, record: Record, log: GameLog[Any]) -> None:
        self.name, self.engine = record.game, record.engine
        self._log = log
        self.told: Sequence[Event] = ()
        outcomes = (ply.outcome for ply in replay(record))
        self._positions = [record.start, *(after.position for after in outcomes if isinstance(after, Outcome))]

    @property
    def position(self) -> Any:
        """The position as it stands."""
        return self._positions[-1]

    @property
    def resumable(self) -> bool:
        """Whether the journal has something to go on with."""
        return self._log.entered

    def play(self, action: Any) -> Ply:
        """Play an action and record it, unless the rules forbid it."""
        game = self.engine.game
        outcome = game.play(self.position, action)
        ply = Ply(len(self._positions), game.to_act(self.position), action, outcome)
        if isinstance(outcome, Outcome):
            self._log.record(Played(game.action_to_json(action)), outcome.position)
            self._positions.append(outcome.position)
            self.told = outcome.events
            if game.over(self.position):
                self._log.finish(self.position)
        return ply

    def take_back(self) -> bool:
        """Take the last action back; False where there is none."""
        if len(self._positions) == 1:
            return False
        self._log.record(Undone(), self._positions[-2])
        self._positions.pop()
        return True


# ---- how a game begins


def _begun(journal: Journal, setup: Setup, lines: Lines, random: Random) -> _Sitting | None:
    """Set a new game up; None if the lines end before it is known who plays."""
    name = setup.game or ""
    engine, colours, seed = ENGINES[name], shipped_board(name).colours, random.randint(0, LARGEST_SEED)
    start = set_up(engine, setup.players, colours, seed) if setup.players else _asked(engine, colours, seed, lines)
    return None if start is None else _sitting(journal, Record(name, {}, start, (), None))


def _asked(engine: AnyEngine, colours: tuple[str, ...], seed: int, lines: Lines) -> Any:
    """Ask who plays until a game can begin with them; None when the lines end or somebody quits."""
    _say(_("Who plays? Type the colours in turn order, with commas between them."))
    if colours:
        _say(_("The table has: {colours}").format(colours=", ".join(colours)))
    for line in map(str.strip, lines):
        if line == _QUIT:
            return None
        try:
            return set_up(engine, [Seat(name.strip()) for name in line.split(",")], colours, seed)
        except BadRequestError as error:
            _say(str(error))
    return None


def _resumed(journal: Journal, setup: Setup) -> _Sitting:
    """Go on with the last game, as far as it was played."""
    recorded = journal.unfinished(setup.game)
    if recorded is None:
        raise SetUpError(_("there is no unfinished game to resume"))
    record = record_of(recorded)
    check(record, tuple(replay(record)))
    return _sitting(journal, record, recorded.number)


def _sitting(journal: Journal, record: Record, number: int | None = None) -> _Sitting:
    game = record.engine.game
    opening = game.position_to_json(record.start)
    log = GameLog(journal, record.game, opening, position=game.position_to_json, scores=game.score, number=number)
    return _Sitting(record, log)


# ---- what is said


class _Talk:
    """Asks, takes a line, answers; and so on until the game is over."""

    def __init__(self, sitting: _Sitting, random: Random) -> None:
        self._sitting, self._random = sitting, random
        self._engine = sitting.engine
        self._words: Mapping[str, Callable[[], None]] = {
            "?": self._help,
            "advise": self._advise,
            "back": self._take_back,
            "board": self._board,
            "score": self._score,
        }
        if self._engine.lead.throw is not None:
            self._words = {**self._words, "r": self._throw}

    @property
    def _position(self) -> Any:
        return self._sitting.position

    @property
    def _over(self) -> bool:
        return bool(self._engine.game.over(self._position))

    def run(self, lines: Lines) -> None:
        """Talk until the game is over, somebody quits, or the lines end."""
        self._board()
        self._ask()
        while not self._over and (line := next(lines, _QUIT).strip()) != _QUIT:
            if line:
                self._words.get(line, lambda typed=line: self._typed(typed))()
        self._end()

    def _ask(self) -> None:
        """Say who acts, what is awaited, and what is possible."""
        if self._over:
            return
        _say(self._engine.lead.awaited(self._position))
        if self._engine.game.to_act(self._position) == "dice":
            _say(_("r lets the companion throw; ? helps.") if "r" in self._words else _("? helps."))
        else:
            _say(choices_words(choices(self._engine, self._position)))

    def _typed(self, line: str) -> None:
        try:
            action = read_typed(self._engine, self._position, line)
        except BadRequestError as error:
            _say(str(error))
        else:
            self._play(action)

    def _throw(self) -> None:
        throw = self._engine.lead.throw
        if throw is None or self._engine.game.to_act(self._position) != "dice":
            _say(_("No throw is awaited."))
        else:
            self._play(throw(self._position, self._random))

    def _play(self, action: Any) -> None:
        ply = self._sitting.play(action)
        if isinstance(ply.outcome, Refusal):
            _say(forbidden(self._engine, action, ply.outcome))
        else:
            _say(ply_line(self._engine, ply))
        self._ask()

    def _help(self) -> None:
        if written := choices(self._engine, self._position):
            _say(choices_words(written, MANY))
        _say(_("Type an action, or: ? (help), advise, back (take back), board, score, quit."))

    def _advise(self) -> None:
        advice = self._engine.advise(self._position)
        if advice is None:
            _say(_("There is nothing to decide now."))
            return
        action = self._engine.notation.write_action(advice.action)
        _say(_("The adviser proposes: {action} ({code})").format(action=action, code=advice.code))

    def _take_back(self) -> None:
        _say(_("The last action is taken back.") if self._sitting.take_back() else _("There is nothing to take back."))
        self._ask()

    def _score(self) -> None:
        _say(points(self._engine.game.score(self._position)))

    def _board(self) -> None:
        """Show what everybody may know of the position."""
        table = drawn(self._sitting.name, self._position)
        if table is not None:
            _say(table)
            return
        public = shown_to_all(self._engine, self._position)
        _say(*(f"{key}: {fact(value)}" for key, value in public.items() if key not in _NOT_SHOWN))

    def _end(self) -> None:
        score = self._engine.game.score(self._position)
        if self._over:
            won = self._engine.game.winners(self._position)
            _say(won_words(won, score) if won else _("The game is over ({score})").format(score=points(score)))
        elif self._sitting.resumable:
            _say(_("The game is not over ({score}).").format(score=points(score)))
            _say(_("companion play --camera none --resume goes on with it."))


def _say(*parts: RenderableType) -> None:
    """Say it at once: whoever is asked may be waiting for it."""
    write_text(*parts)
    sys.stdout.flush()
