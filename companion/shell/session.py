"""The composition root: puts game, devices, journal and screen together. Tests call it with stand-ins."""

from __future__ import annotations

import gc
import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random, SystemRandom
from typing import Protocol, TypeAlias

from rich.console import Console, RenderableType

from companion.core.choices import throws_by_hand
from companion.core.display import view as view_of
from companion.core.entries import Advised, Arranged
from companion.core.messages import Began, DeviceFailed, Event, SeatsArranged, Thrown
from companion.core.state import BY_CAMERA, State
from companion.core.step import step
from companion.core.verdicts import Position
from companion.core.view import View
from companion.games.adaptor import Adaptor
from companion.games.asking import answer_lines
from companion.games.captions import advice_words, count_words, dice_words
from companion.games.engines import AnyEngine
from companion.games.showing import page_for
from companion.locale import _
from companion.shell.clock import Clock, Timers
from companion.shell.devices import Devices
from companion.shell.effects import Adviser, Display, EffectRunner, ShownView
from companion.shell.errors import SetUpError
from companion.shell.frame_reader import CaptureThread
from companion.shell.game_log import GameLog
from companion.shell.journal import Journal
from companion.shell.lights import PanelDisplay, presses_into
from companion.shell.loop import Inbox, LineTyped, Loop, Message
from companion.shell.opening import OpenedGame, Setup, open_game
from companion.shell.pictures import SnapshotStore
from companion.shell.tray_watch import DiceEye, TrayWatch
from companion.ui.screen import Screen, ScreenSetting, open_screen
from engines.kernel import Level, Seat
from hardware.desk import DeskPanel
from hardware.errors import PanelError
from hardware.panel import Panel
from vision.image_file import give_memory_back

Equip: TypeAlias = Callable[[Adaptor, Position], Devices]
"""Returns the devices for a game in a position: a simulated table has to be laid out like a real one."""


class MessageSource(Protocol):
    """A thread that puts messages into the inbox."""

    def start(self) -> None:
        """Begin."""
        ...

    def stop(self) -> None:
        """End; returns when the thread has ended or waits for the players only."""
        ...

    def handled(self, message: Message) -> None:
        """Note that the loop is done with a message."""
        ...


@dataclass(frozen=True, slots=True)
class SessionTable:
    """What a display may show of: the game, its devices, and the panel that was opened; `report` takes its failures."""

    game: OpenedGame
    devices: Devices
    panel: Panel
    report: Callable[[Event], None]


OpenDisplay: TypeAlias = Callable[[SessionTable], AbstractContextManager[Display]]
"""Opens a display for a game; what it opens is closed at the end."""


class Writer(Display, Protocol):
    """A display that people type on, and that shows what is answered."""

    def typed(self, line: LineTyped, view: View) -> None:
        """Note a line, whole or as far as it is typed."""
        ...

    def answer(self, *parts: RenderableType) -> None:
        """Show the answer to the last line."""
        ...

    def leave(self) -> None:
        """Note that people leave the game: nothing more is shown."""
        ...


class Front(Protocol):
    """What people look at and type on."""

    def display(self, table: SessionTable) -> AbstractContextManager[Display]:
        """Open what shows views of a game."""
        ...

    def source(self, inbox: Inbox) -> MessageSource | None:
        """Return what puts typed lines into an inbox; None if the panel does."""
        ...

    def interpret(self, view: View, line: LineTyped) -> Sequence[Event]:
        """Return the events that a line means; what it only asks is answered at once."""
        ...


class ScreenFront:
    """The screen on a console; nothing is typed.

    Args:
        console: where it is shown.
        plain: write lines of text even on a terminal.
    """

    def __init__(self, console: Console, *, plain: bool = False) -> None:
        self._console, self._plain = console, plain

    def display(self, table: SessionTable) -> AbstractContextManager[ScreenDisplay]:
        """Open the screen."""
        return screen_display(table, self._console, plain=self._plain)

    def source(self, _inbox: Inbox) -> None:
        """Nothing is typed."""

    def interpret(self, _view: View, _line: LineTyped) -> Sequence[Event]:
        """Return no events."""
        return ()


class Session:
    """A game that is set up.

    Attributes:
        inbox: where anybody may put events, or a `Stop`.
    """

    def __init__(
        self,
        inbox: Inbox,
        loop: Loop[State],
        runner: EffectRunner[State],
        sources: Sequence[MessageSource],
        log: GameLog[State],
    ) -> None:
        self.inbox = inbox
        self._loop, self._runner, self._sources, self._log = loop, runner, sources, log

    @property
    def view(self) -> View | None:
        """What was shown last."""
        return self._runner.view

    @property
    def state(self) -> State:
        """The state of the table."""
        return self._loop.state

    @property
    def pictures(self) -> Sequence[Path]:
        """The pictures kept so far."""
        return tuple(self._runner.pictures)

    @property
    def resumable(self) -> bool:
        """Whether there is a game in the journal to resume."""
        return self._log.entered and not self._loop.state.over

    @property
    def unwritten(self) -> bool:
        """Whether something was not accepted because the journal cannot be written."""
        return self._loop.failing

    @property
    def next(self) -> str:
        """What the players want next: "over", "save", "rematch", "new", or "" where nobody said."""
        return self._loop.stopped.code

    def run(self) -> None:
        """Play until the game is over or a `Stop` comes."""
        for source in self._sources:
            source.start()
        try:
            self._loop.run()
        finally:
            for source in self._sources:
                source.stop()


@contextmanager
def open_session(
    setup: Setup,
    equip: Equip,
    front: Front,
    *,
    clock: Clock,
    displays: Sequence[OpenDisplay] = (),
    random: Random | None = None,
    heard: Callable[[Message], object] = lambda _message: None,
) -> Iterator[Session]:
    """Set a game up with journal, displays, panel and camera; all are closed at the end.

    Args:
        setup: which game is played.
        equip: gives the devices.
        front: what people look at and type on.
        clock: the loop's.
        displays: where else views are shown.
        random: throws the dice; None: the system's source of chance.
        heard: told each message once the loop is done with it, as a recording wants it.

    Raises:
        SetUpError: there is no such game, or none to resume.
        BadRequestError: these players cannot play it.
        JournalError: the journal cannot be used.
        PanelError: the panel cannot be opened.
    """
    with ExitStack() as stack:
        stack.callback(give_memory_back)
        journal = stack.enter_context(closing(Journal(setup.journal, clock)))
        game = open_game(journal, setup)
        devices = equip(game.adaptor, game.state.position)
        agreed = _agreed(setup, devices)
        game = _named(_looked_at(game, setup, sees=devices.eye is not None), agreed)
        game = _with_tally(game, setup.tally)
        inbox: Inbox = queue.SimpleQueue()
        timers = Timers()
        panel = stack.enter_context(devices.open_panel(presses_into(inbox)))
        _open_keypad(devices, inbox, stack)
        table = SessionTable(game, devices, panel, inbox.put)
        runner = EffectRunner(
            log=game.log,
            displays=(
                _People(devices.see),
                *(stack.enter_context(opened(table)) for opened in (front.display, *displays)),
                PanelDisplay(panel, _lamp_seats(panel, game)),
            ),
            keep_picture=_keeper(setup, game, devices).keep,
            timers=timers,
            clock=clock,
            inbox=inbox,
            throw=_thrower(game.engine, random or SystemRandom(), clock),
            advise=_adviser(game.engine, clock, setup.level),
        )
        watch = _tray_watch(setup, game, inbox)
        sources: list[MessageSource] = []
        loop = Loop(
            game.state,
            step=step,
            log=game.log,
            perform=runner,
            inbox=inbox,
            timers=timers,
            clock=clock,
            interpret=_interpreter(front, runner),
            after=lambda message: _report(sources, message, heard),
        )
        if devices.eye is not None:
            eye = devices.eye if watch is None else DiceEye(devices.eye, watch, lambda: _awaiting_dice(loop.state))
            sources.append(CaptureThread(eye, inbox))
        if (source := front.source(inbox)) is not None:
            sources.append(source)
        inbox.put(Began(clock.now_ns(), resumed=game.resumed))
        for part, sentence in panel.faults.items():
            inbox.put(DeviceFailed(f"panel-{part}", sentence))
        if agreed != Arranged(camera=agreed.camera, panel=agreed.panel) and not game.resumed:
            inbox.put(SeatsArranged(agreed, clock.now_ns()))
        yield Session(inbox, loop, runner, sources, game.log)


def _open_keypad(devices: Devices, inbox: Inbox, stack: ExitStack) -> None:
    """Let people ask by a keypad; the game goes on without one that cannot be opened."""
    if devices.open_keypad is None:
        return
    try:
        stack.enter_context(closing(devices.open_keypad(presses_into(inbox))))
    except PanelError as error:
        inbox.put(DeviceFailed("keypad", str(error)))


def _interpreter(front: Front, runner: EffectRunner[State]) -> Callable[[State, LineTyped], Sequence[Event]]:
    """Return what reads typed lines; what is typed, and what is answered, is shown at once."""

    def interpret(state: State, line: LineTyped) -> Sequence[Event]:
        events = front.interpret(view_of(state), line)
        runner.redraw()
        return events

    return interpret


def forget_earlier_games() -> None:
    """Release the memory of earlier games, whose parts refer to one another in cycles."""
    gc.collect()
    give_memory_back()


def _tray_watch(setup: Setup, game: OpenedGame, inbox: Inbox) -> TrayWatch | None:
    """Return what reads the dice beside the board, None for a game without dice or where they are not read.

    Raises:
        SetUpError: the camera is to read dice that the table file does not describe.
    """
    arrangement = game.state.progress.arrangement if game.resumed else setup.arrangement
    dice = game.engine.turns.dice
    if arrangement.dice != BY_CAMERA or dice is None or not game.state.sees:
        return None
    board = setup.tables.get(game.adaptor.name, game.adaptor.board())
    if board.dice is None:
        sentence = _("--dice camera: the table file of {game} has no section [dice] that says which dice are thrown")
        raise SetUpError(sentence.format(game=game.adaptor.name))
    return TrayWatch(board, dice.of_faces, inbox.put)


def _awaiting_dice(state: State) -> Position | None:
    """Return the position that expects a throw from the table, None if it expects none."""
    by_camera = state.progress.arrangement.dice == BY_CAMERA
    return state.position if by_camera and throws_by_hand(state) else None


def _report(sources: Sequence[MessageSource], message: Message, heard: Callable[[Message], object]) -> None:
    heard(message)
    for source in sources:
        source.handled(message)


def _looked_at(game: OpenedGame, setup: Setup, *, sees: bool) -> OpenedGame:
    learning = replace(game.state, learns=setup.learns, calibrates=setup.keeps_colours)
    return replace(game, state=replace(learning, sees=sees, lingers=setup.lingers))


def _named(game: OpenedGame, agreed: Arranged) -> OpenedGame:
    """Call the players by their names from the first page on; a seat of the companion's begins with its entry."""
    if game.resumed:
        return game
    progress = replace(game.state.progress, arrangement=replace(agreed, companion_seats=()))
    return replace(game, state=replace(game.state, progress=progress))


def _agreed(setup: Setup, devices: Devices) -> Arranged:
    """Return what the players have agreed on, the options, the camera and the panel among it."""
    camera, panel = (devices.camera, devices.panel) if devices.eye else ("", "")
    return replace(setup.arrangement, options=setup.options, camera=camera, panel=panel)


def _with_tally(game: OpenedGame, tally: Mapping[str, int]) -> OpenedGame:
    """Return the game with what each seat's player has won this evening."""
    if not tally:
        return game
    names = game.state.progress.arrangement.names
    won = {seat: tally.get(names.get(seat, seat), 0) for seat in game.state.players}
    return replace(game, state=replace(game.state, tally=won))


def _thrower(engine: AnyEngine, random: Random, clock: Clock) -> Callable[[Position], Event]:
    """Return what throws the dice of a game."""

    def throw(position: Position) -> Event:
        if engine.turns.dice is None:
            message = f"{engine.game.name} has no dice to throw"
            raise ValueError(message)
        return Thrown(engine.turns.dice.throw(position, random), clock.now_ns())

    return throw


def _adviser(engine: AnyEngine, clock: Clock, usual: Level) -> Adviser:
    """Return what asks a game's adviser, one of the usual level unless another is named."""

    def advise(position: Position, level: Level | None = None) -> Event:
        advice = engine.advise(position, level=level or usual)
        if advice is None:
            return Advised(None, "nothing-to-decide", {}, position, clock.now_ns())
        return Advised(advice.action, advice.code, advice.numbers, position, clock.now_ns())

    return advise


# ---- what shows it


@contextmanager
def screen_display(table: SessionTable, console: Console, *, plain: bool = False) -> Iterator[ScreenDisplay]:
    """Open the screen of a game: a full one on a terminal, plain lines anywhere else, or where they are wanted."""
    desk = table.panel if isinstance(table.panel, DeskPanel) else None
    panel, asks = table.devices.panel if desk is None else None, desk is not None and desk.asks
    setting = ScreenSetting(table.game.adaptor.board(), table.devices.camera, panel, asks)
    with open_screen(console, setting, plain=plain) as screen:
        yield ScreenDisplay(screen, table)


def _lamp_seats(panel: Panel, game: OpenedGame) -> Sequence[Seat]:
    """Name the panel's lamps: by the table's colours, or where it has too few for that by the players in turn order."""
    colours = game.adaptor.board().colours
    return [Seat(colour) for colour in colours] if len(panel.shown.rhythms) >= len(colours) else game.state.players


def _keeper(setup: Setup, game: OpenedGame, devices: Devices) -> SnapshotStore:
    folder = setup.journal.parent / "pictures"
    board = setup.tables.get(game.adaptor.name, game.adaptor.board())
    eye = devices.eye
    sight = None if eye is None else lambda: eye.sight
    return SnapshotStore(folder, board, game.adaptor.words, sight, policy=setup.pictures, game=lambda: game.log.name)


class _People:
    """Those who look at the screen without a device of their own: simulated players."""

    name, language = "people", ""

    def __init__(self, see: Callable[[View], object]) -> None:
        self._see = see

    def show(self, shown: ShownView) -> None:
        """Let them see a view."""
        self._see(shown.view)


class ScreenDisplay:
    """The screen as a place for views; what is typed, and what is answered, stand on it until somebody acts."""

    name, language = "screen", ""

    def __init__(self, screen: Screen, table: SessionTable) -> None:
        self._screen, self._table = screen, table
        self._board = table.game.adaptor.board()
        self._begun: str | None = None
        self._answer: tuple[str, ...] = ()
        self._asked_in: Position | None = None

    def show(self, shown: ShownView) -> None:
        """Put a view into words and show it."""
        view = shown.view
        hint = self._table.game.hint if view.resumed or view.verdict is None else ""
        caption = self._table.devices.caption()
        remarks = (advice_words(view), dice_words(view), count_words(view), caption, hint)
        page = page_for(view, self._board, lamps=shown.lit.lamps, remarks=remarks)
        answer = answer_lines(view, self._board) or (self._answer if view.position == self._asked_in else ())
        self._screen.show(replace(page, typed=self._begun, answer=tuple(answer)))

    def typed(self, line: LineTyped, view: View) -> None:
        """Show a line that is being typed; one that is whole makes room for its answer."""
        self._answer, self._begun = (), None if line.is_whole else line.text
        if line.is_whole:
            self._asked_in = view.position

    def answer(self, *parts: RenderableType) -> None:
        """Show an answer until the game goes on."""
        self._answer = tuple(map(str, parts))

    def leave(self) -> None:
        """Take the last answer off."""
        self._answer = ()
