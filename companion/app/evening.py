"""An evening: the lobby, then one game after another at the same table, with a camera or with typed actions."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, TypeAlias

from rich.console import RenderableType

from companion.app.line_display import LineDisplay, ending_words, final_lines
from companion.app.lines import LineReader, read_line
from companion.app.lobby import LobbyDevices, WatchLobby, hold_lobby, lobby_eye, on_leaves
from companion.app.offers import OfferBook, as_last_time, computer_of, last_evening, people_words, refused_words
from companion.app.output import write_text
from companion.app.typed_commands import TypedCommands
from companion.core.choices import NEW_GAME, REMATCH, SAVE, SWITCH_OFF
from companion.core.display import view as view_of
from companion.core.entries import Arranged
from companion.core.hypothesis import Rules
from companion.core.lobby import Lobby, Offer, TableRecognised, lobby_step
from companion.core.state import winners
from companion.core.verdicts import Wanted
from companion.core.view import View
from companion.games import GAMES, SIMULATED
from companion.games.engines import ENGINES
from companion.games.record import LARGEST_SEED
from companion.games.speech import option_words, options_for, title_of
from companion.locale import _, speak
from companion.printing.table_file import kit_board
from companion.shell.clock import Clock, Timers
from companion.shell.config_files import find_calibration, find_enrolments
from companion.shell.devices import Devices, OpenCamera, OpenKeypad, OpenPanel, no_devices
from companion.shell.frame_reader import eye_on
from companion.shell.journal import Journal
from companion.shell.loop import ConditionalEvents, Inbox, Message
from companion.shell.oled_display import OledDisplay, OpenLeaves
from companion.shell.session import (
    RESUME,
    OpenDisplay,
    Session,
    SessionTable,
    Setup,
    Writer,
    forget_earlier_games,
    new_position,
    open_session,
    remarks_on,
    screen_display,
)
from companion.shell.voice import Voice, VoiceDisplay
from companion.ui.console import SafeConsole
from companion.ui.hearing import Utterance, for_the_ear
from companion.ui.words import standing_words
from engines.kernel import BadRequestError
from hardware.panel import Button, ButtonPressed, Enqueue, Panel, PanelInput
from vision.board import Board, known_boards, shipped_board
from vision.calibration import Calibration
from vision.enrolment import Enrolment
from vision.recognition.reader import AnyTableReader

if TYPE_CHECKING:
    from companion.simulator.table import SimulatedTable

DESK = "desk"
EndedBy: TypeAlias = "Callable[[Inbox], AbstractContextManager[None]]"
"""A context manager that ends whatever owns an inbox when a signal arrives."""


@dataclass(frozen=True)
class PlayDevices:
    """The devices of an evening, named as on the command line.

    Attributes:
        camera, panel: their names, as shown to users.
        open_camera, open_panel: open them; None for those of the simulated table, and if there is no camera.
        simulated: the table with simulated players; None if nothing is simulated.
        seed: of the simulated table.
        dice: throws the dice; None for the system's random source.
        heard: called with each message before it is handled.
        see: called with every view, to show it to another process.
        open_keypad: opens the keypad for questions; None if there is none apart from the panel's keys.
        open_leaves: opens the panel's small display; None if it has none.
        panel_alone: nobody looks at a screen.
        lens: returns the calibration of the camera's lens, None without one.
        enrolments: returns the enrolments of some games' tables, by game.
    """

    camera: str = ""
    panel: str = ""
    open_camera: OpenCamera | None = None
    open_panel: OpenPanel | None = None
    simulated: SimulatedTable | None = None
    seed: int = 0
    dice: Random | None = None
    heard: Callable[[Message], object] = lambda _message: None
    see: Callable[[View], object] | None = None
    open_keypad: OpenKeypad | None = None
    open_leaves: OpenLeaves | None = None
    panel_alone: bool = False
    lens: Callable[[], Calibration | None] = lambda: find_calibration(None, os.environ)
    enrolments: Callable[[Sequence[str]], Mapping[str, Enrolment]] = lambda games: find_enrolments(games, os.environ)

    @property
    def sees(self) -> bool:
        """Whether a camera looks at the table."""
        return self.open_camera is not None or self.simulated is not None

    def equip(self, game: Rules, position: Any, tables: Mapping[str, Board]) -> Devices:
        """Return the devices of a game; simulated ones belong to one table with simulated players.

        `tables` are the players' own boards, by game.
        """
        devices = Devices(self.camera, None, self.panel, no_panel) if self.sees else no_devices()
        if self.simulated is not None:
            devices = self.simulated.equip(game, position)
        if self.open_camera is not None:
            board = tables.get(game.name, game.board())
            eye = eye_on(self.open_camera, board, self.lens(), self.enrolments([board.game]).get(board.game))
            devices = replace(devices, camera=self.camera, eye=eye)
        if self.open_panel is not None:
            devices = replace(devices, panel=self.panel, open_panel=self.open_panel)
        return replace(
            devices,
            see=self.see or devices.see,
            open_keypad=self.open_keypad,
            reads_elsewhere=self.open_leaves is not None,
            panel_alone=self.panel_alone,
        )

    def opens_camera(self) -> OpenCamera:
        """Return what opens the camera, if one looks at the table: the given camera, else the simulated table's."""
        if self.open_camera is not None:
            return self.open_camera
        assert self.simulated is not None  # noqa: S101 - one of both looks
        return self.simulated.open_camera

    def for_lobby(self, turn: int, lines: LineReader | None, tables: Mapping[str, Board]) -> LobbyDevices:
        """Return the devices of the lobby that is number `turn` of this evening, from 0; `tables` as in `equip`.

        The simulated players lay out a different game each time. `lines` is None if nobody can type.
        """
        devices = LobbyDevices(no_panel, lines=lines, open_keypad=self.open_keypad)
        if not self.sees:
            return devices
        if self.simulated is not None:
            game = list(SIMULATED)[(self.seed + turn) % len(SIMULATED)]
            engine, board = ENGINES[game], GAMES[game].board()
            position = new_position(engine, board.colours)
            laid = self.simulated.equip(GAMES[game], position)
            accept = partial(self.simulated.push, Button.DONE)  # the lobby's offer
            devices = replace(devices, open_panel=laid.open_panel, present=accept)
        open_panel = self.open_panel or devices.open_panel
        open_panel = no_panel if self.panel == DESK else open_panel  # the desk's keys are words in the lobby
        boards = [tables.get(board.game, board) for board in known_boards()]
        kits = {board.game: kit for board in boards if (kit := kit_board(board))}
        reader = AnyTableReader(boards, self.lens(), self.enrolments([board.game for board in boards]), kits)
        eye, elsewhere = lobby_eye(self.opens_camera(), reader), self.open_leaves is not None
        return replace(devices, open_panel=open_panel, eye=eye, heard=self.heard, reads_elsewhere=elsewhere)

    def line_reader(self, *, unattended: bool, alone: bool = True) -> LineReader | None:
        """Return the reader of typed lines, None if nobody can type; `alone`: typing is the only way to play."""
        typed = (alone and not self.sees) or self.panel == DESK or (not unattended and sys.stdin.isatty())
        return LineReader(iter(read_line, "")) if typed else None


def no_panel(_enqueue: object) -> Panel:
    """Open a panel without lamps."""
    return Panel()


@dataclass(frozen=True)
class Pages:
    """Other places where the evening is shown and played, such as a page for phones.

    Attributes:
        lobby: show the lobby there and handle its input.
        displays: show each game.
        admits: admits a phone that asks to join; returns False if none does.
        caption: returns what every screen adds about the page, "" for nothing.
        digits: returns the number on the digits in the lobby: that of a phone that asks to join.
    """

    lobby: Sequence[WatchLobby] = ()
    displays: Sequence[OpenDisplay] = ()
    admits: Callable[[], bool] = lambda: False
    caption: Callable[[], str] = str
    digits: Callable[[], int | None] = lambda: None

    def equip(self, game: Rules, position: Any, devices: PlayDevices, tables: Mapping[str, Board]) -> Devices:
        """Return the devices of a game, with the page's address in the caption."""
        equipped = devices.equip(game, position, tables)
        return replace(
            equipped,
            open_panel=self.admitting(equipped.open_panel),
            caption=lambda: " ".join(filter(None, (equipped.caption(), self.caption()))),
        )

    def admitting(self, open_panel: OpenPanel) -> OpenPanel:
        """Return an opener of a panel on which DONE only admits a phone while one asks to join."""

        def opened(enqueue: Enqueue) -> Panel:
            def put(event: PanelInput) -> None:
                if not (isinstance(event, ButtonPressed) and event.button is Button.DONE and self.admits()):
                    enqueue(event)

            return open_panel(put)

        return opened


@dataclass(frozen=True)
class EveningPlan:
    """The settings of an evening.

    Attributes:
        setup: the first game, as far as it is given.
        devices: the devices to play with.
        clock: waits for messages.
        ended_by: ends an evening with a camera by signals; at a keyboard they are exceptions.
        recording: records the evening while it is entered, starting with its set-up; returns devices that record.
        plain: lines of text instead of a full screen.
        voice: speaks what the screen shows, None for nothing; `voice_says` how much.
        language_given: the settings name the language, so that of the last evening does not replace it.
        pages: other places where the evening is shown and played; None for the terminal alone.
        displays: other places where each game is shown.
        timers: returns the timers of a game's loop.
    """

    setup: Setup
    devices: PlayDevices
    clock: Clock
    ended_by: EndedBy
    recording: Callable[[Setup, PlayDevices], AbstractContextManager[PlayDevices]] = lambda _setup, devices: (
        nullcontext(devices)
    )
    plain: bool = False
    voice: Voice | None = None
    voice_says: Wanted = Wanted.ALL
    language_given: bool = False
    pages: Pages | None = None
    displays: Sequence[OpenDisplay] = ()
    timers: Callable[[], Timers] = Timers


@dataclass(frozen=True, slots=True)
class EveningEnd:
    """The outcome of an evening.

    Attributes:
        unwritten: an action of the players could not be written to the journal.
        wants_menu: the players want another game, and there is no camera to recognise it.
        switched_off: the players switch the box off.
    """

    unwritten: bool = False
    wants_menu: bool = False
    switched_off: bool = False


def hold_evening(plan: EveningPlan) -> EveningEnd:
    """Play one game after another; agree on each in the lobby if its players are not given.

    Raises:
        BadRequestError: these players cannot play the game, or it has no such option; the message names who can.
        JournalError, PanelError, SetUpError: the same as `open_session` and `hold_lobby`.
    """
    devices, base = plan.devices, plan.setup
    # 1. the language of the last evening, and its players if only a game is given; without a camera the lobby offers
    # them, and simulated players remember nothing
    if devices.simulated is None or devices.open_camera is not None:
        last, language = last_evening(base, plan.clock)
        if language and not plan.language_given:
            speak(language)
            base = replace(base, arrangement=replace(base.arrangement, language=language))
        new = base.game and not base.players and (base.unattended or not base.resume)
        if new and devices.sees and last is not None and (again := as_last_time(base, last)) is not None:
            people = _("Last time: {players}.").format(players=people_words(again))
            write_text(" ".join([people, *option_words(again.game, again.options)]))
            arrangement = seated(replace(base.arrangement, names=again.names), again)
            base = replace(base, players=again.players, options=again.options, arrangement=arrangement)
    # 2. what cannot be played, before any device is opened
    if not base.resume and (refused := refused_words(base)):
        raise BadRequestError(refused)
    # 3. the games; a button press silences the voice
    with plan.recording(base, devices) as devices:
        if (voice := plan.voice) is None:
            return _play(base, replace(plan, devices=devices))
        recorded = devices.heard

        def heard(message: Message) -> None:
            recorded(message)
            for pressed in message.events if isinstance(message, ConditionalEvents) else (message,):
                voice.heard(pressed)

        with closing(voice):
            return _play(base, replace(plan, devices=replace(devices, heard=heard)))


def _play(base: Setup, plan: EveningPlan) -> EveningEnd:
    devices, clock, pages = plan.devices, plan.clock, plan.pages or Pages()
    ended_by: EndedBy = plan.ended_by if devices.sees or plan.pages else lambda _inbox: nullcontext()
    console, lobbies = SafeConsole(file=sys.stdout), 0
    lines = devices.line_reader(unattended=base.unattended, alone=plan.pages is None)
    front = _front(plan, console, lines)
    setup: Setup | EveningEnd | None = None if is_open(base, clock, sees=devices.sees) else base
    dots = [] if devices.open_leaves is None else [partial(_on_display, devices.open_leaves)]
    while True:
        if setup is None:
            leaves = [] if devices.open_leaves is None else [on_leaves(devices.open_leaves, pages.caption)]
            at_table = replace(devices.for_lobby(lobbies, lines, base.tables), watches=(*pages.lobby, *leaves))
            at_table = replace(at_table, open_panel=pages.admitting(at_table.open_panel), digits=pages.digits)
            setup = agreed(base, devices, at_table, clock=clock, ended_by=ended_by, voice=plan.voice)
            lobbies += 1
        if isinstance(setup, EveningEnd):
            return setup
        with (
            open_session(
                setup,
                partial(pages.equip, devices=devices, tables=setup.tables),
                front,
                clock=clock,
                displays=(*pages.displays, *plan.displays, *_voices(plan, front, setup), *dots),
                timers=plan.timers(),
                random=devices.dice,
                heard=devices.heard,
            ) as session,
            ended_by(session.loop.inbox),
        ):
            run_session(session, sees=devices.sees, journal_option=setup.journal_option)
        write_text(*_ending(session, setup, sees=devices.sees))
        wanted = front.wish or session.loop.stopped.code
        if wanted == NEW_GAME and not devices.sees and plan.pages is None:
            return EveningEnd(wants_menu=True)
        if wanted == SWITCH_OFF:
            return EveningEnd(unwritten=session.loop.journal.failing, switched_off=True)
        kept = plan.pages is not None and wanted == SAVE  # with a page, the lobby follows
        if not goes_on(wanted, unattended=base.unattended or kept):
            return EveningEnd(unwritten=session.loop.journal.failing)
        base = replace(base, tally=tally_after(setup, session), seed=drawn_seed(devices.dice), loudness=setup.loudness)
        setup = replace(next_setup(setup, session), tally=base.tally, seed=base.seed) if wanted == REMATCH else None
        del session  # frees its reader and pictures
        forget_earlier_games()


def _front(plan: EveningPlan, console: SafeConsole, lines: LineReader | None) -> TypedCommands:
    """Return the terminal display: a screen with a camera, otherwise lines that the players also type on.

    A voice that writes lines replaces both.
    """
    open_writer: Callable[[SessionTable], AbstractContextManager[Writer]] = partial(screen_display, console=console)
    if plan.voice is not None and plan.voice.writes:
        open_writer = partial(_spoken, plan.voice, plan.voice_says)
    elif not plan.devices.sees or plan.plain or not console.is_terminal or console.is_dumb_terminal:
        open_writer = partial(lines_display, plain=plan.plain)
    lines = None if plan.devices.sees else lines
    return TypedCommands(open_writer, now_ns=plan.clock.now_ns, lines=lines)


def lines_display(
    table: SessionTable, *, plain: bool = False, say: Callable[..., int] = write_text
) -> AbstractContextManager[LineDisplay]:
    """Open the display of lines; beside a camera they are drawn to on a terminal only."""
    if table.devices.eye is None:
        return nullcontext(LineDisplay(plain=plain, notices=table.game.notices, say=say))
    remarks = partial(remarks_on, table=table)
    return nullcontext(LineDisplay(plain=plain, draws=sys.stdout.isatty(), remarks=remarks, say=say))


@contextmanager
def _on_display(open_leaves: OpenLeaves, table: SessionTable) -> Iterator[OledDisplay]:
    """Show a game on a small display, which is closed at the end of the game."""
    with open_leaves(table.report) as leaves:
        yield OledDisplay(leaves, table.game.adaptor.board())


def _voices(plan: EveningPlan, front: TypedCommands, setup: Setup) -> Sequence[OpenDisplay]:
    """Return the voice as an additional display; empty if it is absent, muted, or replaces the screen."""
    if plan.voice is None or plan.voice.writes or not setup.loudness:
        return ()
    plan.voice.loudness = setup.loudness
    return (partial(_spoken, plan.voice, plan.voice_says, beside=front),)


def _spoken(
    voice: Voice, says: Wanted, table: SessionTable, *, beside: TypedCommands | None = None
) -> AbstractContextManager[VoiceDisplay]:
    """Open the voice for a game; it first names the game and its options.

    `beside` is the screen whose answers it speaks as well.
    """
    game, view = table.game, view_of(table.game.state)
    agreed = option_words(view.game, view.arrangement.options)
    greeting = [*game.notices, title_of(view.game) + ".", *agreed]
    display = VoiceDisplay(voice, game.adaptor.board(), says, greeting)
    if beside is not None:
        beside.echo = display.answer
    return nullcontext(display)


def is_open(setup: Setup, clock: Clock, *, sees: bool) -> bool:
    """Return whether the lobby is needed: to choose the game, or without a camera to name its players.

    Raises:
        JournalError: the journal cannot be used.
    """
    if not sees and setup.game:
        return not (setup.players or setup.resume)
    if setup.game is not None or setup.number is not None:
        return False
    if not setup.resume:
        return True
    with closing(Journal(setup.journal, clock)) as journal:
        return setup.unattended and journal.unfinished() is None


def agreed(
    base: Setup,
    devices: PlayDevices,
    at_table: LobbyDevices,
    *,
    clock: Clock,
    ended_by: EndedBy,
    voice: Voice | None = None,
) -> Setup | EveningEnd:
    """Hold the lobby until the players agree on a game; return its set-up, or the end of the evening if they leave.

    `base` has the settings of every game.

    Raises:
        JournalError: the journal cannot be used.
        PanelError: the panel cannot be opened.
        SetUpError: a recording has ended, and no table was recognised in it.
    """
    names, computer = tuple(base.arrangement.names.values()), computer_of(base.arrangement, base.level)
    with closing(Journal(base.journal, clock)) as journal:
        book = OfferBook(journal.games(), base.options, base.players, names, computer)
    lobby = Lobby(book.can_begin, can_leave=not base.unattended, switches_off=base.switches_off)
    lobby = replace(lobby, loudness=base.loudness)

    def recognised(game: str, labels: Mapping[str, str]) -> TableRecognised:
        return book.offers(base.tables.get(game) or shipped_board(game), labels)

    if not devices.sees and base.game:  # no camera, and the game is known
        begins = not at_table.watches
        lobby = replace(lobby, begins=begins, computer=computer if begins else {})
        lobby = lobby_step(lobby, recognised(base.game, {}))

    told: Sequence[str] = ()

    def shown(lines: Sequence[str]) -> None:
        nonlocal told
        told = lines
        write_text(*lines, "")
        if voice is not None and not voice.writes:
            with suppress(OSError):  # the game reports a voice that does not work
                voice.say([Utterance(for_the_ear(line, ()), interrupts=not place) for place, line in enumerate(lines)])

    def again() -> None:
        if voice is None or voice.writes:
            write_text(*told, "")
        else:
            voice.repeat()

    at_table = replace(at_table, again=again)
    left = hold_lobby(at_table, lobby, recognised, clock=clock, say=shown, ended_by=ended_by)
    if left.taken is None:
        return EveningEnd(switched_off=left.off)
    language = left.language or base.arrangement.language
    base = replace(base, loudness=left.loudness, arrangement=replace(base.arrangement, language=language))
    return setup_of(base, left.taken)


def setup_of(base: Setup, offer: Offer) -> Setup:
    """Return the set-up of the game that the players agreed on."""
    return replace(
        base,
        game=offer.game,
        players=offer.players,
        number=offer.number,
        resume=offer.number is not None,
        unattended=False,
        options={**options_for(offer.game, base.options), **offer.options},
        arrangement=seated(replace(base.arrangement, names=offer.names), offer),
    )


def seated(arrangement: Arranged, offer: Offer) -> Arranged:
    """Return an arrangement with the computer's seats of an offer; a game to resume has its own in the journal."""
    if offer.number is not None:
        return arrangement
    return replace(arrangement, companion_seats=tuple(offer.computer), levels=offer.computer)


def run_session(session: Session, *, sees: bool, journal_option: str = "") -> None:
    """Play a session; after a keyboard interrupt print how to resume the game."""
    try:
        session.loop.run()
    except KeyboardInterrupt:
        if session.runner.view is not None and not sees:
            write_text(
                "", *ending_words(session.runner.view, resumable=session.resumable, journal_option=journal_option)
            )
        raise


def _ending(session: Session, setup: Setup, *, sees: bool) -> Iterator[RenderableType]:
    """Yield the sentences after a game: how it ended or stands, where the pictures are, and how to resume it."""
    view = session.runner.view
    if view is None:
        return
    if not sees:
        if not (view.over and setup.lingers):  # otherwise it was reported before the players chose what comes next
            yield from ending_words(view, resumable=session.resumable, journal_option=setup.journal_option)
        return
    if view.over:
        yield from final_lines(view)
        yield from ending_words(view, resumable=False)
    else:
        yield standing_words(view)
    for picture in session.runner.pictures:
        yield _("picture: {path}").format(path=picture)
    if session.resumable:
        sentence = _("The game is not over: companion play --resume goes on with it.")
        yield sentence.replace(RESUME, RESUME + setup.journal_option)


def goes_on(wanted: str, *, unattended: bool) -> bool:
    """Return whether another game follows at this table; `wanted` is as in `Session`.

    A service continues even if the players end the evening: with a new game, which is in no journal before its first
    move. A game that they save for another day is not resumed at once.
    """
    return wanted in (REMATCH, NEW_GAME) or (unattended and wanted in ("save", "over"))


def tally_after(setup: Setup, session: Session) -> Mapping[str, int]:
    """Return the number of games that each player has won this evening, by name, or by seat if unnamed."""
    state = session.loop.state
    if not state.over:
        return setup.tally
    person = state.progress.arrangement.person
    won = Counter(map(person, winners(state)))
    people = {person(seat): 0 for seat in state.players}
    return {**people, **setup.tally, **{person: setup.tally.get(person, 0) + number for person, number in won.items()}}


def next_setup(setup: Setup, session: Session) -> Setup:
    """Return the set-up of the next game at the same table, with the same players and options."""
    state = session.loop.state
    return replace(
        setup,
        game=state.rules.engine.name,
        players=state.players,
        resume=False,
        number=None,
        arrangement=state.progress.arrangement,
    )


def drawn_seed(random: Random | None = None) -> int:
    """Draw the seed of a new game."""
    return (random or SystemRandom()).randint(0, LARGEST_SEED)
