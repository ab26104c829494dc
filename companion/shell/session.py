"""The composition root: puts game, devices, journal and screen together. Tests call it with stand-ins."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

from rich.console import Console

from companion.core.messages import Began, Recalled, Rhythm, View
from companion.core.state import State, new_state
from companion.core.step import step
from companion.games import GAMES
from companion.games.adaptor import Adaptor
from companion.games.engines import ENGINES
from companion.locale import _, ngettext
from companion.shell.clock import Clock
from companion.shell.devices import Devices
from companion.shell.effects import EffectRunner
from companion.shell.errors import JournalError, SetUpError
from companion.shell.frame_reader import CaptureThread
from companion.shell.journal import GameLog, Journal, RecordedGame, fingerprint
from companion.shell.lights import PanelLights, presses_into
from companion.shell.loop import Inbox, Loop
from companion.shell.pictures import SnapshotStore
from companion.shell.timers import Timers
from companion.ui.page import page_of
from companion.ui.screen import Screen, Setting, open_screen
from engines.kernel import JsonObject, Seat
from hardware.desk import DeskPanel
from hardware.panel import Panel
from vision.board import Board

Equip: TypeAlias = Callable[[Adaptor, Any], Devices]
"""Gives the devices for a game in a position: a simulated table has to be laid out like a real one."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Which game is played, and where it is kept.

    Attributes:
        game: its name in commands; None, when resuming: whichever was played last.
        players: the seats in use; empty: all of the table.
        journal: the journal's file; kept pictures lie in a folder beside it.
        resume: go on with the last game.
        unattended: where there is none to go on with, a new one begins instead.
        tables: the players' own boards, by game, where they differ from those that ship.
    """

    game: str | None
    players: Sequence[Seat]
    journal: Path
    resume: bool = False
    unattended: bool = False
    tables: Mapping[str, Board] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Opened:
    """A game that is new, or as far as the journal has it; `hint` is told on the screen."""

    adaptor: Adaptor
    state: State
    log: GameLog[State]
    resumed: bool
    hint: str


class Table:
    """A game that is set up.

    Attributes:
        inbox: where anybody may put events, or a `Stop`.
    """

    def __init__(
        self,
        inbox: Inbox,
        loop: Loop[State],
        performer: EffectRunner[State],
        eye: CaptureThread,
        log: GameLog[State],
    ) -> None:
        self.inbox = inbox
        self._loop, self._performer, self._eye, self._log = loop, performer, eye, log

    @property
    def view(self) -> View | None:
        """What was shown last."""
        return self._performer.view

    @property
    def pictures(self) -> Sequence[Path]:
        """The pictures kept so far."""
        return tuple(self._performer.pictures)

    @property
    def resumable(self) -> bool:
        """Whether there is something in the journal to go on with."""
        return self._log.entered and not self._loop.state.over

    def run(self) -> None:
        """Play until the game is over or a `Stop` comes."""
        self._eye.start()
        try:
            self._loop.run()
        finally:
            self._eye.stop()


@contextmanager
def open_session(setup: Setup, equip: Equip, *, console: Console, clock: Clock) -> Iterator[Table]:
    """Set a game up with journal, screen, panel and eye; all are let go of at the end.

    Raises:
        SetUpError: there is no such game, or none to resume.
        BadRequestError: these players cannot play it.
        JournalError: the journal cannot be used.
        PanelError: the panel cannot be opened.
    """
    with ExitStack() as stack:
        journal = stack.enter_context(closing(Journal(setup.journal, clock)))
        game = _game(journal, setup)
        devices = equip(game.adaptor, game.state.position)
        inbox: Inbox = queue.SimpleQueue()
        timers = Timers()
        panel = stack.enter_context(devices.open_panel(presses_into(inbox)))
        screen = stack.enter_context(open_screen(console, _setting(game.adaptor.board(), devices, panel)))
        eye = CaptureThread(devices.eye, inbox)
        performer = EffectRunner(
            log=game.log,
            display=_Display(screen, devices, game),
            lights=PanelLights(panel, _lamp_seats(panel, game)),
            keep_picture=_keeper(setup, game, devices, clock).keep,
            timers=timers,
            clock=clock,
            inbox=inbox,
        )
        loop = Loop(
            game.state, step=step, perform=performer, inbox=inbox, timers=timers, clock=clock, after=eye.handled
        )
        inbox.put(Began(clock.now_ns(), resumed=game.resumed))
        yield Table(inbox, loop, performer, eye, game.log)


def _game(journal: Journal, setup: Setup) -> _Opened:
    recorded = journal.unfinished(setup.game) if setup.resume else None
    if recorded is not None:
        return _resume(journal, setup, recorded)
    if setup.resume and not setup.unattended:
        raise SetUpError(_("there is no unfinished game to resume"))
    return _start(journal, setup)


def _start(journal: Journal, setup: Setup) -> _Opened:
    """Set up a new game; a game in the journal that was not finished is hinted at."""
    adaptor = _adaptor(setup.game or "")
    players = setup.players or [Seat(colour) for colour in adaptor.board().colours]
    state = new_state(adaptor, adaptor.engine.new(players, {}, 0))
    opening = adaptor.engine.position_to_json(state.position)
    left = journal.unfinished()
    hint = ""
    if left is not None:
        hint = _("A game of {game} from {time} is not finished: companion play --resume goes on with it.")
        hint = hint.format(game=left.game, time=_when(left))
    return _Opened(adaptor, state, _log(journal, adaptor, opening), resumed=False, hint=hint)


def _resume(journal: Journal, setup: Setup, recorded: RecordedGame) -> _Opened:
    """Go on with a game: its entries through `step` give the state that it was left in."""
    adaptor = _adaptor(recorded.game)
    try:
        state = _recalled(adaptor, recorded)
    except ValueError as error:
        raise JournalError(f"{setup.journal}: {_not_replayed(recorded)}") from error
    log = _log(journal, adaptor, recorded.opening, recorded.number)
    return _Opened(adaptor, state, log, resumed=True, hint=_resumed(recorded))


def _resumed(recorded: RecordedGame) -> str:
    count = len(recorded.entries)
    text = ngettext(
        "Resumed: the game of {time}, {count} entry in the journal.",
        "Resumed: the game of {time}, {count} entries in the journal.",
        count,
    )
    return text.format(time=_when(recorded), count=count)


def _recalled(adaptor: Adaptor, recorded: RecordedGame) -> State:
    """Replay a game.

    Raises:
        ValueError: an entry does not follow from those before, or the end is not what it was.
    """
    state = new_state(adaptor, adaptor.engine.position_from_json(recorded.opening))
    for entry in recorded.entries:
        state, _effects = step(state, Recalled(entry))
    if recorded.entries and fingerprint(_position_json(state)) != recorded.position:
        message = "the replayed game ends in another position"
        raise ValueError(message)
    return state


def _when(recorded: RecordedGame) -> str:
    """Tell when a game began, by the clock on the wall."""
    return f"{datetime.fromisoformat(recorded.started).astimezone():%Y-%m-%d %H:%M}"


def _not_replayed(recorded: RecordedGame) -> str:
    sentence = _("game {number} cannot be replayed: its entries do not follow from one another")
    return sentence.format(number=recorded.number)


def _adaptor(game: str) -> Adaptor:
    if game not in ENGINES:
        sentence = _('unknown {kind} "{word}"; there are: {known}')
        raise SetUpError(sentence.format(kind=_("game"), word=game, known=", ".join(GAMES)))
    if game not in GAMES:
        sentence = _("no camera can read a table of {game} yet; --camera none plays it by typing")
        raise SetUpError(sentence.format(game=game))
    if ENGINES[game].lead.throw is not None:
        sentence = _("{game} needs dice, which nobody throws beside a camera yet; --camera none plays it by typing")
        raise SetUpError(sentence.format(game=game))
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
        number=number,
    )


def _setting(board: Board, devices: Devices, panel: Panel) -> Setting:
    names = _("camera: {camera} · panel: {panel}").format(camera=devices.camera, panel=devices.panel)
    keys = _("d done   b back   m mode   r roll   ctrl-c ends") if isinstance(panel, DeskPanel) else _("ctrl-c ends")
    return Setting(board, names, keys)


def _lamp_seats(panel: Panel, game: _Opened) -> Sequence[Seat]:
    """Name the panel's lamps: by the table's colours, or where it has too few for that by the players in turn order."""
    colours = game.adaptor.board().colours
    return [Seat(colour) for colour in colours] if len(panel.shown.rhythms) >= len(colours) else game.state.players


def _keeper(setup: Setup, game: _Opened, devices: Devices, clock: Clock) -> SnapshotStore:
    folder = setup.journal.parent / "pictures"
    stem = f"{game.adaptor.name}-{clock.utc():%Y%m%d-%H%M%S}"
    board = setup.tables.get(game.adaptor.name, game.adaptor.board())
    return SnapshotStore(folder, stem, board, game.adaptor.words, lambda: devices.eye.sight)


class _Display:
    """The screen as a place for views; whoever else looks at it is shown them too."""

    def __init__(self, screen: Screen, devices: Devices, game: _Opened) -> None:
        self._screen, self._devices, self._game = screen, devices, game

    def show(self, view: View, lamps: Mapping[Seat, Rhythm], pictures: Sequence[Path]) -> None:
        """Put a view into words and show it."""
        self._devices.see(view)
        hint = self._game.hint if view.resumed or view.verdict is None else ""
        words = self._game.adaptor.words
        remarks = (self._devices.caption(), hint)
        self._screen.show(page_of(view, words, lamps=lamps, pictures=pictures, remarks=remarks))
