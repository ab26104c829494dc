"""The composition root: assembles game, devices, journal and displays. Tests call it with stand-ins."""

from __future__ import annotations

import gc
import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from rich.console import Console, RenderableType
from rich.live import Live

from companion.core.choices import throws_by_hand
from companion.core.display import view as view_of
from companion.core.entries import Advised, Arranged, Calibrated
from companion.core.hypothesis import Rules
from companion.core.messages import Began, DeviceFailed, Event, FrameBlind, FrameRead, Recalled, SeatsArranged, Thrown
from companion.core.state import BY_BUTTON, BY_CAMERA, State, new_state
from companion.core.step import step
from companion.core.verdicts import Position
from companion.core.view import View
from companion.games import GAMES
from companion.games.asking import answer_lines
from companion.games.captions import advice_words, count_words, dice_words, page_for
from companion.games.engines import ENGINES, AnyEngine
from companion.games.speech import SPEECHES, option_words, title_of
from companion.locale import _, ngettext
from companion.shell.archive import GameLog, players_of
from companion.shell.clock import Clock, Timers, wall_time
from companion.shell.devices import Devices, OpenKeypad
from companion.shell.effects import Adviser, Display, EffectRunner, PanelDisplay, ShownView
from companion.shell.errors import JournalError, SetUpError, unknown
from companion.shell.frame_reader import CaptureThread
from companion.shell.journal import Journal, RecordedGame, fingerprint
from companion.shell.loop import ConditionalEvents, Inbox, Loop, Message, MessageSource
from companion.shell.picture_policy import FOLDER, PicturePolicy
from companion.shell.pictures import picture_keeper
from companion.shell.tray_watch import TrayWatch
from companion.ui.layout import PageView, device_words, key_words
from companion.ui.names import seat_name
from companion.ui.page import Page
from companion.ui.wiring import shows_nothing_words
from engines.kernel import BadRequestError, JsonObject, Level, Seat
from hardware.desk import DeskPanel
from hardware.errors import PanelError
from hardware.panel import LineTyped, Panel
from vision.board import Board
from vision.image_file import give_memory_back
from vision.looks.tones import KnownTones

Equip: TypeAlias = Callable[[Rules, Position], Devices]
"""Returns the devices for a game in a position: a simulated table is laid out like a real one."""


@dataclass(frozen=True, slots=True)
class SessionTable:
    """What a display may show: the game, its devices and the open panel.

    `report` is called with its failures, and with what players do on it.
    """

    game: OpenedGame
    devices: Devices
    panel: Panel
    report: Callable[[Event | ConditionalEvents], None]


OpenDisplay: TypeAlias = Callable[[SessionTable], AbstractContextManager[Display]]
"""Opens a display for a game and closes it at the end."""


class Writer(Display, Protocol):
    """A display that users type on, and that shows the answers."""

    def typed(self, line: LineTyped, view: View) -> None:
        """Show a typed line, complete or not."""

    def answer(self, *parts: RenderableType) -> None:
        """Show the answer to the last line."""

    def leave(self) -> None:
        """Clear the answer when the players leave the game."""


class Front(Protocol):
    """The terminal's side of a game: a display and typed input."""

    def display(self, table: SessionTable) -> AbstractContextManager[Display]:
        """Open the display of a game."""

    def source(self, inbox: Inbox) -> MessageSource | None:
        """Return the thread that puts typed lines into an inbox; None if the panel reads the keyboard."""

    def interpret(self, view: View, line: LineTyped) -> Sequence[Event]:
        """Return the events of a line; answer a question at once."""

    def cannot_keep(self, view: View) -> None:
        """Answer what was typed or pressed last: the journal cannot keep it."""


@dataclass(frozen=True, slots=True)
class Session:
    """A game that is ready to play: its loop, the performer of its effects, and its place in the journal.

    `loop.stopped.code` is what the players want next: "over", "save", "rematch", "new"; "camera-ended" or "" if nobody
    chose.
    """

    loop: Loop[State]
    runner: EffectRunner
    log: GameLog

    @property
    def resumable(self) -> bool:
        """Whether the journal has an unfinished game to resume."""
        return self.log.entered and not self.loop.state.over


@contextmanager
def open_session(
    setup: Setup,
    equip: Equip,
    front: Front,
    *,
    clock: Clock,
    displays: Sequence[OpenDisplay] = (),
    timers: Timers | None = None,
    random: Random | None = None,
    heard: Callable[[Message], object] = lambda _message: None,
) -> Iterator[Session]:
    """Open a game with journal, displays, panel and camera; all are closed at the end.

    Args:
        setup: which game is played.
        equip: returns the devices.
        front: the terminal's display and input.
        clock: the loop's.
        displays: other places where views are shown.
        timers: the loop's; None for new ones.
        random: throws the dice; None for the system's random source.
        heard: called with each message before the loop handles it, for a recording.

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
        eye, board = devices.eye, setup.tables.get(game.adaptor.name, game.adaptor.board())
        camera, panel_used = (devices.camera, devices.panel) if eye else ("", "")
        agreed = replace(setup.arrangement, options=setup.options, camera=camera, panel=panel_used)
        game = _set_up(game, setup, agreed, sees=eye is not None)
        inbox: Inbox = queue.SimpleQueue()
        timers, chance = timers or Timers(), random or SystemRandom()
        panel = stack.enter_context(devices.open_panel(inbox.put))
        _refuse_unseen_throws(game, panel, devices)
        plug_in_keypad(devices.open_keypad, inbox, stack)
        table = SessionTable(game, devices, panel, inbox.put)
        words, folder = SPEECHES[game.adaptor.name].words, setup.journal.parent / FOLDER
        runner = EffectRunner(
            displays=(
                _People(devices.see),
                *(stack.enter_context(opened(table)) for opened in (*displays, front.display)),
                PanelDisplay(
                    panel, _lamp_seats(panel, game), read_elsewhere=devices.reads_elsewhere, loudness=setup.loudness
                ),
            ),
            keep_picture=picture_keeper(folder, board, words, eye, policy=setup.pictures, game=lambda: game.log.name),
            timers=timers,
            clock=clock,
            inbox=inbox,
            throw=lambda position: Thrown(game.engine.turns.dice.throw(position, chance), clock.now_ns()),
            advise=_adviser(game.engine, chance, clock, setup.level),
        )
        watch = _tray_watch(setup, game, board, inbox)
        loop = Loop(
            game.state,
            step=step,
            record=game.log.record,
            perform=runner,
            inbox=inbox,
            timers=timers,
            clock=clock,
            interpret=partial(_interpret, front, runner),
            cannot_keep=lambda state: front.cannot_keep(view_of(state)),
            before=heard,
        )
        if eye is not None:

            def read_dice(seen: FrameRead | FrameBlind) -> None:
                state = loop.state
                by_camera = state.progress.arrangement.dice == BY_CAMERA
                if watch is not None:
                    watch.follow(eye, seen, state.position if by_camera and throws_by_hand(state) else None)

            loop.sources.append(CaptureThread(eye, inbox, seen=read_dice))
        if (source := front.source(inbox)) is not None:
            loop.sources.append(source)
        inbox.put(Began(clock.now_ns(), resumed=game.resumed))
        for part, sentence in panel.faults.items():
            inbox.put(DeviceFailed(f"panel-{part}", sentence))
        if agreed != Arranged(camera=camera, panel=panel_used) and not game.resumed:
            inbox.put(SeatsArranged(agreed, clock.now_ns()))
        yield Session(loop, runner, game.log)


def _refuse_unseen_throws(game: OpenedGame, panel: Panel, devices: Devices) -> None:
    """Raise SetUpError if the button throws the dice and nothing shows the throw."""
    by_button = game.state.progress.arrangement.dice == BY_BUTTON
    shown = panel.parts or devices.reads_elsewhere or not devices.panel_alone
    if game.adaptor.engine.has_dice and by_button and not shown:
        raise SetUpError(shows_nothing_words())


def plug_in_keypad(open_keypad: OpenKeypad | None, inbox: Inbox, stack: ExitStack) -> None:
    """Open the keypad, if there is one; a keypad that fails is reported, and the game goes on without it."""
    if open_keypad is None:
        return
    try:
        stack.enter_context(closing(open_keypad(inbox.put)))
    except PanelError as error:
        inbox.put(DeviceFailed("keypad", str(error)))


def _interpret(
    front: Front, runner: EffectRunner, state: State, given: LineTyped | ConditionalEvents
) -> Sequence[Event]:
    """Return the events of an answer to what is shown, or of a typed line, which redraws the displays at once."""
    view = view_of(state)
    if isinstance(given, ConditionalEvents):
        counted = given.holds(view)
        given.counted.set_result(counted)
        return given.events if counted else ()
    events = front.interpret(view, given)
    runner.redraw()
    return events


def forget_earlier_games() -> None:
    """Release the memory of earlier games, whose objects refer to one another in cycles."""
    gc.collect()
    give_memory_back()


def _tray_watch(setup: Setup, game: OpenedGame, board: Board, inbox: Inbox) -> TrayWatch | None:
    """Return the reader of the dice, None if the game has none or the camera does not read them.

    Raises:
        SetUpError: the camera is to read dice that the table file does not describe.
    """
    arrangement = game.state.progress.arrangement if game.resumed else setup.arrangement
    if arrangement.dice != BY_CAMERA or not game.adaptor.engine.has_dice or not game.state.sees:
        return None
    if board.dice is None:
        sentence = _("--dice camera: the table file of {game} has no section [dice] that says which dice are thrown")
        raise SetUpError(sentence.format(game=game.adaptor.name))
    return TrayWatch(board, game.adaptor.turns.dice.of_faces, inbox.put)


def _set_up(game: OpenedGame, setup: Setup, agreed: Arranged, *, sees: bool) -> OpenedGame:
    """Return a game with the settings of this table, and with how often each seat's player has won this evening.

    A new game also gets the names of the players and the seats of the computer.
    """
    state = replace(game.state, sees=sees, learns=setup.learns, calibrates=setup.keeps_colours)
    state = replace(state, lingers=setup.lingers, switches_off=setup.switches_off)
    if not game.resumed:
        state = replace(state, progress=replace(state.progress, arrangement=agreed))
    person = state.progress.arrangement.person
    won = {seat: setup.tally.get(person(seat), 0) for seat in state.players} if setup.tally else {}
    return replace(game, state=replace(state, tally=won))


def _adviser(engine: AnyEngine, random: Random, clock: Clock, usual: Level) -> Adviser:
    """Return a function that asks a game's adviser: for a hint of the usual level, or a computer's action."""

    def advise(position: Position, level: Level | None = None) -> Event:
        advice = engine.decide(position, level, random) if level else engine.advise(position, level=usual)
        if advice is None:
            return Advised(None, "nothing-to-decide", {}, position, clock.now_ns())
        return Advised(advice.action, advice.code, advice.numbers, position, clock.now_ns())

    return advise


# ---- displays


@contextmanager
def screen_display(table: SessionTable, console: Console) -> Iterator[ScreenDisplay]:
    """Open the full screen of a game, and restore the terminal afterwards."""
    with Live(console=console, screen=True, auto_refresh=False) as live:
        yield ScreenDisplay(live, table)


def _lamp_seats(panel: Panel, game: OpenedGame) -> Sequence[Seat]:
    """Return the seats of the panel's lamps: the table's colours, or the players if lamps or colours are too few."""
    colours, players = [Seat(colour) for colour in game.adaptor.board().colours], game.state.players
    return colours if len(panel.shown.rhythms) >= len(colours) and {*players} <= {*colours} else players


class _People:
    """A display for simulated players, who look at the screen without a device of their own."""

    name, language = "people", ""

    def __init__(self, see: Callable[[View], object]) -> None:
        self._see = see

    def show(self, shown: ShownView) -> None:
        """Pass a view to them."""
        self._see(shown.view)


def remarks_on(view: View, table: SessionTable) -> Sequence[str]:
    """Return what is said of a view at its table: dice, counts, the devices' caption, and what began or is resumed."""
    hint = table.game.hint if view.resumed or view.verdict is None else ""
    return dice_words(view), count_words(view), table.devices.caption(), hint


def page_of_table(shown: ShownView, table: SessionTable) -> Page:
    """Return the page of a view, in the current language."""
    view = shown.view
    remarks = (advice_words(view), *remarks_on(view, table))
    return page_for(view, table.game.adaptor.board(), lamps=shown.lit.lamps, remarks=remarks)


class ScreenDisplay:
    """A display that fills the terminal; typed text and answers stay on it until somebody acts."""

    name, language = "screen", ""

    def __init__(self, live: Live, table: SessionTable) -> None:
        self._live, self._table = live, table
        self._board = table.game.adaptor.board()
        self._shown: tuple[Page, object] | None = None
        self._begun: str | None = None
        self._answer: tuple[str, ...] = ()
        self._asked_in: Position | None = None

    def show(self, shown: ShownView) -> None:
        """Draw a view as text unless it is already shown; draw it again if the terminal has another size."""
        view, page = shown.view, page_of_table(shown, self._table)
        answer = answer_lines(view, self._board) or (self._answer if view.position == self._asked_in else ())
        answer = tuple(line for line in answer if line not in page.notes)
        now = replace(page, typed=self._begun, answer=answer), self._live.console.size
        if now == self._shown:
            return
        self._shown = now
        desk = self._table.panel if isinstance(self._table.panel, DeskPanel) else None
        devices = device_words(self._table.devices.camera, self._table.devices.panel if desk is None else None)
        keys = key_words(typed=desk is not None, asks=desk is not None and desk.asks)
        self._live.update(PageView(now[0], self._board, devices, keys), refresh=True)

    def typed(self, line: LineTyped, view: View) -> None:
        """Show a line that is being typed; a complete line clears the last answer."""
        self._answer, self._begun = (), None if line.is_whole else line.text
        if line.is_whole:
            self._asked_in = view.position

    def answer(self, *parts: RenderableType) -> None:
        """Show an answer until the position changes."""
        self._answer = tuple(map(str, parts))

    def leave(self) -> None:
        """Clear the last answer."""
        self._answer = ()


# ---- which game a session plays: a new one, or one from the journal


RESUME = "--resume"
"""The text in sentences after which the option for another journal is inserted."""

UNCOLOURED = (Seat("white"), Seat("black"))
"""The seats of a table without colours, if the players name none."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Which game is played, by whom and how, and where it is kept.

    Attributes:
        game: its name in commands; None, when resuming: the game that was played last.
        players: the seats in use; empty: all of the table.
        journal: the journal's file; kept pictures are in a folder next to it.
        resume: whether the last game is resumed.
        number: the game of the journal to resume; None for the last one.
        unattended: a new game begins if there is none to resume.
        tables: the players' own boards, by game, where they differ from those that ship.
        options: the game's options that differ from the defaults, in the protocol's form.
        arrangement: names, the companion's seats, how dice are thrown.
        lingers: the session goes on after the end of its game.
        switches_off: the players may switch the box off.
        learns: what the table looks like once its labels are known influences later readings.
        keeps_colours: the colours that the camera learns at this table are kept in the journal.
        tally: how many games of this evening each player has won, by name, or by seat if unnamed.
        journal_option: the option for the journal as given on the command line; "" for the usual one.
        seed: of shuffles and layouts.
        sees: a camera looks at the table: it reads what the players draw there, and the program draws nothing.
        pictures: which pictures of the table are kept, and for how long.
        level: how well the companion plays its seats and advises.
        loudness: of buzzer and voice, from 1 to 0 (silent).
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
    switches_off: bool = False
    learns: bool = True
    keeps_colours: bool = False
    tally: Mapping[str, int] = field(default_factory=dict)
    journal_option: str = ""
    seed: int = 0
    sees: bool = False
    pictures: PicturePolicy = field(default_factory=PicturePolicy)
    level: Level = Level.STRONG
    loudness: float = 1.0


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A new game, or one resumed from the journal.

    The screen shows `hint`, which includes the journal's `notices`.
    """

    adaptor: Rules
    state: State
    log: GameLog
    resumed: bool
    hint: str
    notices: tuple[str, ...] = ()

    @property
    def engine(self) -> AnyEngine:
        """The game's rules and search."""
        return ENGINES[self.adaptor.name]


def open_game(journal: Journal, setup: Setup) -> OpenedGame:
    """Resume a game of the journal, or begin a new one.

    Raises:
        SetUpError: there is no such game, or none to resume; a given one is finished, or is of another kind.
        BadRequestError: these players cannot play it.
        JournalError: the journal cannot be read, has no game of that number, or its game cannot be replayed.
    """
    notices = journal.take_notices()
    try:
        recorded = None
        if setup.resume and setup.number is None:
            recorded = journal.unfinished(setup.game)
        elif setup.resume and setup.number is not None:
            recorded = journal.read(setup.number)
            if setup.game not in (None, recorded.game):
                sentence = _("game {number} is a game of {game}")
                raise SetUpError(sentence.format(number=setup.number, game=title_of(recorded.game)))
            if recorded.scores is not None:
                raise SetUpError(_("game {number} is finished").format(number=setup.number))
        # without players named, a game of any players is resumed
        if recorded is not None and (not setup.players or sorted(players_of(recorded)) == sorted(setup.players)):
            opened = _resume(journal, setup, recorded)
        elif setup.resume and not setup.unattended:
            raise SetUpError(_("there is no unfinished game to resume"))
        else:
            opened = _start(journal, setup)
    except SetUpError as error:
        raise SetUpError(" ".join([*notices, str(error)])) from error
    return replace(opened, hint=" ".join(filter(None, (*notices, opened.hint))), notices=notices)


def _start(journal: Journal, setup: Setup) -> OpenedGame:
    """Set up a new game; the hint mentions an unfinished game in the journal."""
    adaptor = _adaptor(setup.game or "")
    state = new_state(adaptor, begin(ENGINES[adaptor.name], setup, adaptor.board().colours))
    # the colours kept with the last game of this kind; none if the players did not agree to keep them
    last, tones = journal.latest(adaptor.name), KnownTones()
    for entry in last.entries if last else ():
        if isinstance(entry, Calibrated):
            tones = tones.joined(entry.tones, replaces=entry.replaces)
    state = replace(state, earlier_tones=tones)
    opening = adaptor.engine.position_to_json(state.position)
    left = journal.unfinished()
    hint = " ".join(option_words(adaptor.name, setup.options))
    if left is not None:
        sentence = _("A game of {game} from {time} is not finished: companion play --resume goes on with it.")
        unfinished = sentence.format(game=title_of(left.game), time=wall_time(left.started))
        hint = f"{hint} {unfinished.replace(RESUME, RESUME + setup.journal_option)}".strip()
    return OpenedGame(adaptor, state, GameLog(journal, adaptor.name, opening), resumed=False, hint=hint)


def begin(engine: AnyEngine, setup: Setup, colours: Sequence[str]) -> Any:
    """Return the first position of a new game; what the table can decide is left to the table.

    Raises:
        BadRequestError: these players cannot play it, or the table has no such colours.
    """
    options = {**engine.turns.seen_options, **setup.options} if setup.sees else setup.options
    return new_position(engine, colours, setup.players or None, options, setup.seed)


def new_position(
    engine: AnyEngine,
    colours: Sequence[str],
    players: Sequence[Seat] | None = None,
    options: JsonObject = MappingProxyType({}),
    seed: int = 0,
) -> Any:
    """Return the first position of a game with these players, or for None with as many of the table as it allows.

    A table without colours has the seats `UNCOLOURED`.

    Raises:
        BadRequestError: these players cannot play it, or the table has no such colours.
    """
    for seat in players or ():
        if colours and seat not in colours:
            sentence = _('the table has no "{colour}"; there are: {colours}')
            raise BadRequestError(sentence.format(colour=seat, colours=", ".join(map(seat_name, colours))))
    problem: BadRequestError | None = None
    known = [Seat(colour) for colour in colours] or UNCOLOURED
    for seats in [known[:count] for count in range(len(known), 0, -1)] if players is None else [players]:
        try:
            return engine.game.new(list(seats), {**engine.turns.options, **options}, seed)
        except BadRequestError as error:
            problem = problem or error
    raise problem or BadRequestError(_("who plays? name the players"))


def _resume(journal: Journal, setup: Setup, recorded: RecordedGame) -> OpenedGame:
    """Resume a game by replaying its entries."""
    adaptor = _adaptor(recorded.game)
    try:
        state = recalled(adaptor, recorded)
    except ValueError as error:
        sentence = _("game {number} cannot be replayed: its entries do not follow from one another")
        raise JournalError(f"{setup.journal}: {sentence.format(number=recorded.number)}") from error
    log = GameLog(journal, adaptor.name, recorded.opening, recorded.number)
    if state.over:  # the journal does not have its end yet
        log.record((), state)
    count = len(recorded.entries)
    hint = ngettext(
        "Resumed: the game of {time}, {count} entry in the journal.",
        "Resumed: the game of {time}, {count} entries in the journal.",
        count,
    )
    hint = hint.format(time=wall_time(recorded.started), count=count)
    return OpenedGame(adaptor, state, log, resumed=True, hint=hint)


def recalled(adaptor: Rules, recorded: RecordedGame) -> State:
    """Replay a game.

    Raises:
        ValueError: an entry does not follow from those before, or the final position differs.
    """
    state = new_state(adaptor, adaptor.engine.position_from_json(recorded.opening))
    for entry in recorded.entries:
        state, _effects = step(state, Recalled(entry))
    if recorded.position and fingerprint(adaptor.engine.position_to_json(state.position)) != recorded.position:
        raise ValueError("the replayed game ends in another position")
    return state


def _adaptor(game: str) -> Rules:
    if game not in GAMES:
        raise SetUpError(unknown(_("game"), game, GAMES))
    return GAMES[game]
