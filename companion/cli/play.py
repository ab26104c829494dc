"""`companion play`: a game at a table, watched, judged and scored."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random, SystemRandom
from types import FrameType
from typing import TYPE_CHECKING

from companion.app.output import complain, say, write_text
from companion.cli.arranging import add_arguments, arrangement, lingers, options, refuse_changes
from companion.cli.exits import DONE, FAULT
from companion.cli.journal import opened
from companion.cli.menu import menu
from companion.cli.parser import Subparsers, UsageError, at_least, examples, one_of
from companion.cli.play_devices import PlayDevices, link_to, own_boards, play_devices
from companion.locale import _

if TYPE_CHECKING:
    from rich.console import RenderableType

    from companion.shell.clock import Clock
    from companion.shell.journal import RecordedGame
    from companion.shell.loop import Inbox
    from companion.shell.opening import Setup
    from companion.shell.recording import Recorder
    from companion.shell.session import Session
    from companion.shell.settings import Settings
    from companion.simulator.link import Link
    from engines.kernel import Seat

SIMULATED = "simulated"
_NONE = "none"
_USUAL_SEED = 1
_FRAME_S = 0.2


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "play",
        help=_("play a game beside the camera"),
        description=_(
            "Watches a game: judges whether each move is legal, keeps the score, and writes accepted moves "
            "to a journal before a lamp shows them. Without --camera simulated people play on a simulated "
            "table; with --camera none people type what they do, in any of the five games. Without a game "
            "the camera looks which one is on the table, and who plays; DONE, or yes, begins."
        ),
        epilog=_(
            "cameras: simulated, webcam:0, picamera, stream:URL (MJPEG or RTSP), files:FOLDER, none (people type)\n"
            "panels:  simulated, desk (this keyboard), gpio (a Raspberry Pi's pins)"
        )
        + "\n\n"
        + examples(
            "companion play royal-tee",
            "companion play --camera webcam:0",
            "companion play royal-tee --camera webcam:0 --panel desk --players red,green",
            "companion play --resume --camera picamera --panel gpio",
            "companion play royal-tee --unattended --camera picamera --panel gpio",
            "companion play royal-ur --camera none --players white,black --names Anna,Ben",
            "companion play royal-study --camera none --option level=2 --option hourglass=90",
        )
        + "\n\n"
        + _("What is not given is taken from your settings: companion settings"),
    )
    listed = _("the game's name: {games}").format(games=", ".join(_games()))
    parser.add_argument("game", nargs="?", type=one_of(_("game"), _games), metavar="GAME", help=listed)
    parser.add_argument("--camera", metavar="CAMERA", help=_("where pictures come from; default: simulated"))
    parser.add_argument("--panel", metavar="PANEL", help=_("buttons and lamps; default: simulated, or else desk"))
    parser.add_argument(
        "--hardware", type=Path, metavar="FILE", help=_("how the panel on the pins is wired; see companion panel")
    )
    parser.add_argument(
        "--table",
        type=Path,
        metavar="FILE.toml",
        help=_("a table file of your own, where your board differs from ours"),
    )
    parser.add_argument("--players", metavar="COLOURS", help=_("who plays, such as red,green; default: all colours"))
    add_arguments(parser)
    parser.add_argument(
        "--keep-colours",
        action="store_true",
        help=_("keep the pieces' colours that the camera learns at this table in the journal, for the next time"),
    )
    parser.add_argument("--plain", action="store_true", help=_("lines of text instead of a full screen"))
    parser.add_argument("--resume", action="store_true", help=_("go on with the last game if it is not finished"))
    parser.add_argument(
        "--number",
        type=at_least(1),
        metavar="N",
        help=_("which game to go on with, by its number in companion games; default: the last one"),
    )
    parser.add_argument(
        "--unattended",
        action="store_true",
        help=_("as a service starts: go on with an unfinished game of this kind, or else begin a new one"),
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help=_("where accepted moves are kept"))
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FOLDER",
        help=_("keep pictures, presses and typed lines in a new folder; companion replay FOLDER plays them again"),
    )
    parser.add_argument(
        "--seed",
        type=at_least(0),
        metavar="N",
        help=_("another number is another game"),
    )


def run(args: argparse.Namespace) -> int:
    """Play until the game is over or somebody ends it; as a service, wait in the fault state for a mended file."""
    from companion.cli.unattended import run_as_service, shown_on_panel

    run = run_as_service if args.unattended else shown_on_panel
    return run(args, lambda: _run_once(args))


def _menu() -> int:
    from companion.cli import main

    return menu(main)


def _run_once(args: argparse.Namespace) -> int:
    from companion.shell.clock import RealClock
    from companion.shell.settings import find_settings

    clock: Clock = RealClock()
    settings = find_settings(os.environ).settings
    if _has_to_be_asked(args, settings):
        return _menu()
    args.camera = args.camera or settings.camera or _camera_as_before(args, settings)
    if args.camera == _NONE:
        return _by_hand(args, settings, clock)
    if args.camera is None:
        write_text(_("No --camera is given: simulated people play on a simulated table."))
    link = link_to(args.camera)
    return _evening(args, settings, clock if link is None else link.clock, link)


def _camera_as_before(args: argparse.Namespace, settings: Settings) -> str | None:
    """Return and print the camera that a resumed game was begun with; None if no game is resumed, or it had none."""
    from companion.shell.archive import camera_of

    recorded = None if args.unattended else _recorded(args, settings)
    if recorded is None:
        return None
    if recorded.scores is not None:
        return _NONE
    camera = camera_of(recorded)
    sentences = {
        SIMULATED: _("This game was played by simulated people, and they go on. Another camera: --camera."),
        "": _("This game was typed, and you go on by typing. With a camera: --camera."),
        None: _("The camera of this game is not known any more: go on by typing, or name it with --camera."),
    }
    again = _("This game was played with the camera {camera}, which is used again. Another camera: --camera.")
    write_text(sentences.get(camera, again.format(camera=camera)))
    return camera or _NONE


def _recorded(args: argparse.Namespace, settings: Settings) -> RecordedGame | None:
    """Return the game that is resumed, None if a new one is begun."""
    from companion.shell.journal import default_path

    path = args.journal or default_path(os.environ, settings.data)
    if not (args.resume or args.number) or not path.exists():
        return None
    with opened(path) as journal:
        return journal.unfinished(args.game) if args.number is None else journal.read(args.number)


def _evening(args: argparse.Namespace, settings: Settings, clock: Clock, link: Link | None = None) -> int:
    """Play an evening, and keep it where that is asked for."""
    from companion.app.begin import drawn_seed

    base = replace(_remembering(_setup(args, settings), args, settings, clock), sees=True)
    simulated = (args.camera or settings.camera or SIMULATED) == SIMULATED
    usual = _USUAL_SEED if simulated else drawn_seed()  # a simulated table is as usual, a real evening a new one
    base = replace(base, seed=usual if args.seed is None else args.seed)
    _check_players(base)
    devices = play_devices(args, settings, clock, link)
    dice_seed = SystemRandom().getrandbits(64) if args.seed is None and args.record else args.seed
    if dice_seed is not None:
        devices = replace(devices, dice=Random(dice_seed))  # noqa: S311 - a seed repeats a game, as a recording does
    if args.record is None or dice_seed is None:
        return play_evening(base, devices, clock, plain=args.plain)
    with _recorder(args.record, clock) as recorder:
        recorder.begin(base, dice_seed, args.table)
        kept = recorder.camera(devices.opens_camera())
        return play_evening(base, replace(devices, open_camera=kept, heard=recorder.heard), clock, plain=args.plain)


@contextmanager
def _recorder(folder: Path, clock: Clock) -> Iterator[Recorder]:
    """Return what keeps an evening; people learn where, how much at most, and that it stays here."""
    from companion.shell.recording import MOST_BYTES, Recorder

    with closing(Recorder(folder, clock, say=complain)) as recorder:
        text = _("This evening is kept in {folder}, pictures too, at most {size} MB; it is sent nowhere.")
        write_text(text.format(folder=folder, size=MOST_BYTES // 1_000_000))
        yield recorder


def play_evening(base: Setup, devices: PlayDevices, clock: Clock, *, plain: bool) -> int:
    """Play one game after the other, each agreed on at the table where nobody has said which."""
    from companion.app.begin import REMATCH, agreed, drawn_seed, goes_on, is_open, next_setup, tally_after
    from companion.app.typed_play import TypedBeside
    from companion.shell.session import forget_earlier_games, open_session
    from companion.ui.console import SafeConsole

    unattended = base.unattended
    console, lobbies, setup = SafeConsole(file=sys.stdout), 0, None if is_open(base, clock) else base
    while True:
        if setup is None:
            at_table = devices.for_lobby(lobbies, typed=not unattended)
            setup, lobbies = agreed(base, at_table, devices.tables, clock=clock, ended_by=ended_by_signals), lobbies + 1
        if setup is None:
            return DONE
        typed = TypedBeside(now_ns=clock.now_ns)
        with (
            open_session(
                setup,
                devices.equip,
                console=console,
                clock=clock,
                typed=typed,
                random=devices.dice,
                plain=plain,
                heard=devices.heard,
            ) as table,
            ended_by_signals(table.inbox),
        ):
            table.run()
        say(*_ending(table))
        wanted = typed.wish or table.next
        if not goes_on(wanted, unattended=unattended):
            return _exit_code(table)
        base = replace(base, tally=tally_after(setup, table), seed=drawn_seed(devices.dice))
        setup = replace(next_setup(setup, table), seed=base.seed) if wanted == REMATCH else None
        del table  # its reader and its pictures
        forget_earlier_games()


def _remembering(setup: Setup, args: argparse.Namespace, settings: Settings, clock: Clock) -> Setup:
    """Return the set-up with the language of the last evening and, where a game but no players are named, its users.

    The simulated players of a simulated table are no evening.
    """
    from companion.app.who_plays import as_last_time, last_evening, last_words

    if (args.camera or settings.camera or SIMULATED) == SIMULATED:
        return setup
    last = last_evening(setup, clock)
    spoken = _spoken(setup, settings, last.language)
    new = spoken.game and not spoken.players and (spoken.unattended or not spoken.resume)
    again = as_last_time(spoken, last) if new else None
    if again is None:
        return spoken
    write_text(last_words(again))
    return again


def _spoken(setup: Setup, settings: Settings, language: str) -> Setup:
    """Speak the language that users chose last time, unless the settings name one."""
    from companion.locale import speak

    if not language or settings.language:
        return setup
    speak(language)
    return replace(setup, arrangement=replace(setup.arrangement, language=language))


def _has_to_be_asked(args: argparse.Namespace, settings: Settings) -> bool:
    """Return whether nobody has said which game is played, and there are users at a terminal who can be asked."""
    said = args.game or settings.game or args.resume or args.number or args.unattended
    return not said and (args.camera or settings.camera) in (None, _NONE) and sys.stdin.isatty()


def _exit_code(session: Session) -> int:
    """Return 1 where something that users did could not be written to the journal."""
    if not session.unwritten:
        return DONE
    complain(_("The journal could not be written: what was done last is not in it."))
    return FAULT


def _by_hand(args: argparse.Namespace, settings: Settings, clock: Clock) -> int:
    """Let users type what they do. Without a seed no two games have the same cards and dice."""
    from companion.app.begin import REMATCH, next_setup
    from companion.app.lines import read_line
    from companion.app.typed_display import ending_words
    from companion.app.typed_play import TypedPlay, run_typed
    from companion.app.who_plays import ask_who_plays, last_evening
    from companion.core.choices import NEW_GAME
    from companion.games.record import LARGEST_SEED
    from companion.shell.devices import no_devices
    from companion.shell.session import open_session
    from companion.ui.console import SafeConsole

    if args.panel:
        raise UsageError(_("--panel needs a camera"))
    if args.unattended:
        raise UsageError(_("--unattended needs a camera"))
    if args.record:
        raise UsageError(_("--record needs a camera"))
    lines, setup = iter(read_line, ""), _setup(args, settings)
    dice = SystemRandom() if args.seed is None else Random(args.seed)  # noqa: S311 - a seed repeats a game
    setup = replace(setup, seed=dice.randint(0, LARGEST_SEED))
    last = last_evening(setup, clock)
    setup = _spoken(setup, settings, last.language)
    _check_players(setup)
    ready = setup if setup.players or setup.resume else ask_who_plays(setup, lines, last)
    if ready is None:
        return DONE
    front = TypedPlay(lines, now_ns=clock.now_ns, plain=args.plain)
    while True:
        with open_session(
            ready, lambda _game, _position: no_devices(), console=SafeConsole(), clock=clock, front=front, random=dice
        ) as session:
            run_typed(session)
        if session.view is not None and not (session.view.over and ready.lingers):
            say(*ending_words(session.view, resumable=session.resumable))
        wanted = front.wish or session.next
        if wanted == NEW_GAME:
            return _menu()
        if wanted != REMATCH:
            return _exit_code(session)
        ready = next_setup(ready, session)


def _check_players(setup: Setup) -> None:
    """Raise UsageError if these players cannot play the game together, with players who can."""
    from companion.app.who_plays import refused_words

    if not setup.resume and (refused := refused_words(setup)):
        raise UsageError(refused)


def _games() -> list[str]:
    from companion.games.discovery import packages

    return list(packages())


def _setup(args: argparse.Namespace, settings: Settings) -> Setup:
    """Return which game is played and by whom: from the arguments, or from the journal if a game is resumed."""
    from companion.shell.journal import default_path
    from companion.shell.opening import Setup
    from companion.shell.picture_policy import PicturePolicy
    from engines.kernel import Level

    if args.number is not None:
        args.resume = True
    game = args.game or (None if args.resume else settings.game)
    sees = (args.camera or settings.camera or _NONE) != _NONE  # then the table itself shows which game
    if game is None and not (args.resume or sees):
        raise UsageError(_("which game? there are: {games}").format(games=", ".join(_games())))
    if args.resume:
        refuse_changes(args)
    players = _players(args, settings)
    return Setup(
        game,
        players,
        args.journal or default_path(os.environ, settings.data),
        resume=args.resume or args.unattended,
        number=args.number,
        unattended=args.unattended,
        tables=own_boards(args.table, game or _resumed(args, settings)),
        options=options(args, settings),
        arrangement=arrangement(args, settings, players),
        lingers=lingers(args, settings),
        keeps_colours=args.keep_colours or settings.keep_colours,
        pictures=PicturePolicy(settings.pictures, settings.pictures_kept, settings.pictures_days),
        level=Level(args.level) if args.level else settings.level or Level.STRONG,
    )


def _resumed(args: argparse.Namespace, settings: Settings) -> str | None:
    """Return the name of the game that is resumed, which a table file has to fit."""
    recorded = _recorded(args, settings) if args.table else None
    return None if recorded is None else recorded.game


def _players(args: argparse.Namespace, settings: Settings) -> list[Seat]:
    """Return those who play; those of the settings play the game of the settings only, and no game of the journal."""
    from engines.kernel import Seat

    game = args.game or settings.game
    if args.players:
        return _seats(args.players, game)
    if args.names and game and not args.resume:
        from companion.app.who_plays import only_seats

        return [*only_seats(game, len(args.names.split(",")))]
    usual = args.game is None or settings.game in (None, args.game)
    return [*map(Seat, settings.players)] if usual and not args.resume else []


def _seats(typed: str, game: str | None) -> list[Seat]:
    """Return the seats that users name; colours and signs of a known game in their own language or in English."""
    from companion.games import GAMES
    from companion.games.line import plain
    from companion.games.typed import seats_by_word
    from companion.ui.names import NO_NAMES
    from engines.kernel import Seat

    colours = [Seat(colour) for colour in GAMES[game].board().colours] if game else []
    by_word = seats_by_word(colours, NO_NAMES)
    return [by_word.get(plain(name), Seat(name.strip())) for name in typed.split(",")]


@contextmanager
def ended_by_signals(inbox: Inbox) -> Iterator[None]:
    """Let SIGINT and SIGTERM end the loop between two events; a second one of a kind ends the program as ever."""
    from companion.shell.loop import StopLoop

    def end(number: int, _frame: FrameType | None) -> None:
        signal.signal(number, before[signal.Signals(number)])
        inbox.put(StopLoop())

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ending(table: Session) -> Iterator[RenderableType]:
    """Return sentences: how the game ended or stands, where the pictures are, and how to resume it."""
    from companion.app.typed_display import ending_words, final_lines
    from companion.games.engines import ENGINES
    from companion.ui.words import standing_words

    if table.view is not None and table.view.over:
        yield from final_lines(ENGINES[table.view.game], table.view)
        yield from ending_words(table.view, resumable=False)
    elif table.view is not None:
        yield standing_words(table.view)
    for picture in table.pictures:
        yield _("picture: {path}").format(path=picture)
    if table.resumable:
        yield _("The game is not over: companion play --resume goes on with it.")
