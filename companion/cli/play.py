"""`companion play`: a game at a table, watched, judged and scored."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from companion.app.output import complain, write_text
from companion.cli.arranging import add_arguments, arrangement, lingers, options, refuse_changes
from companion.cli.exits import DONE, FAULT, ended_by_signals
from companion.cli.journal import opened
from companion.cli.menu import menu
from companion.cli.parser import Subparsers, UsageError, at_least, examples, one_of
from companion.cli.play_devices import NOTHING, SIMULATED, USUAL_SEED, link_to, own_boards, play_devices
from companion.locale import _

if TYPE_CHECKING:
    from companion.app.evening import EveningPlan, PlayDevices
    from companion.shell.clock import Clock
    from companion.shell.journal import RecordedGame
    from companion.shell.opening import Setup
    from companion.shell.settings import Settings
    from engines.kernel import Seat


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
        + "\n"
        + _(
            "stream:  the address that a phone's camera app or a network camera shows: stream:http://192.168.1.20:8080/video\n"
            "files:   the photographs in the folder, then each new one that is put there; with --panel simulated it "
            "ends after the last"
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
            "companion play territory --camera none --against easy",
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
    from companion.app.evening import hold_evening
    from companion.shell.settings import find_settings

    settings = find_settings(os.environ).settings
    if _has_to_be_asked(args, settings):
        return _menu()
    args.camera = args.camera or settings.camera or _camera_as_before(args, settings)
    if args.camera == NOTHING:
        _refuse_devices(args)
    if args.camera is None:
        write_text(_("No --camera is given: simulated people play on a simulated table."))
    end = hold_evening(_plan(args, settings))
    if end.wants_menu:
        return _menu()
    if end.unwritten:
        complain(_("The journal could not be written: what was done last is not in it."))
    return FAULT if end.unwritten else DONE


def _refuse_devices(args: argparse.Namespace) -> None:
    """Raise UsageError if users who type what they do ask for something that needs a camera."""
    if args.panel:
        raise UsageError(_("--panel needs a camera"))
    if args.unattended:
        raise UsageError(_("--unattended needs a camera"))
    if args.record:
        raise UsageError(_("--record needs a camera"))


def _plan(args: argparse.Namespace, settings: Settings) -> EveningPlan:
    """Return how the evening is held.

    Without a seed no two games have the same cards and dice; only a simulated table is as usual.
    """
    from companion.app.evening import EveningPlan, drawn_seed
    from companion.shell.clock import RealClock

    sees, link = args.camera != NOTHING, link_to(args.camera)
    clock: Clock = RealClock() if link is None else link.clock
    setup = replace(_setup(args, settings), sees=sees)
    dice_seed = SystemRandom().getrandbits(64) if args.seed is None and args.record else args.seed
    dice = None if dice_seed is None else Random(dice_seed)  # noqa: S311 - a seed repeats a game, as a recording does
    seed = args.seed if sees else drawn_seed(dice)
    if seed is None:
        seed = USUAL_SEED if (args.camera or SIMULATED) == SIMULATED else drawn_seed()
    plan = EveningPlan(
        replace(setup, seed=seed),
        replace(play_devices(args, settings, clock, link), dice=dice),
        clock,
        ended_by_signals,
        plain=args.plain,
        language_given=settings.language is not None,
    )
    if args.record is None:
        return plan
    return replace(plan, recording=partial(_recording, args, clock, dice_seed))


@contextmanager
def _recording(
    args: argparse.Namespace, clock: Clock, dice_seed: int, base: Setup, devices: PlayDevices
) -> Iterator[PlayDevices]:
    """Keep an evening in a folder; users learn where, how much at most, and that it stays here."""
    from companion.shell.recording import MOST_BYTES, Recorder

    with closing(Recorder(args.record, clock, say=complain)) as recorder:
        text = _("This evening is kept in {folder}, pictures too, at most {size} MB; it is sent nowhere.")
        write_text(text.format(folder=args.record, size=MOST_BYTES // 1_000_000))
        recorder.begin(base, dice_seed, args.table)
        yield replace(devices, open_camera=recorder.camera(devices.opens_camera()), heard=recorder.heard)


def _camera_as_before(args: argparse.Namespace, settings: Settings) -> str | None:
    """Return and print the camera that a resumed game was begun with; None if no game is resumed, or it had none."""
    from companion.shell.archive import camera_of

    recorded = None if args.unattended else _recorded(args, settings)
    if recorded is None:
        return None
    if recorded.scores is not None:
        return NOTHING
    camera = camera_of(recorded)
    sentences = {
        SIMULATED: _("This game was played by simulated people, and they go on. Another camera: --camera."),
        "": _("This game was typed, and you go on by typing. With a camera: --camera."),
        None: _("The camera of this game is not known any more: go on by typing, or name it with --camera."),
    }
    again = _("This game was played with the camera {camera}, which is used again. Another camera: --camera.")
    write_text(sentences.get(camera, again.format(camera=camera)))
    return camera or NOTHING


def _recorded(args: argparse.Namespace, settings: Settings) -> RecordedGame | None:
    """Return the game that is resumed, None if a new one is begun."""
    from companion.shell.journal import default_path

    path = args.journal or default_path(os.environ, settings.data)
    if not (args.resume or args.number) or not path.exists():
        return None
    with opened(path) as journal:
        return journal.unfinished(args.game) if args.number is None else journal.read(args.number)


def _has_to_be_asked(args: argparse.Namespace, settings: Settings) -> bool:
    """Return whether nobody has said which game is played, and there are users at a terminal who can be asked."""
    said = args.game or settings.game or args.resume or args.number or args.unattended
    return not said and (args.camera or settings.camera) in (None, NOTHING) and sys.stdin.isatty()


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
    sees = (args.camera or settings.camera or NOTHING) != NOTHING  # then the table itself shows which game
    if game is None and not (args.resume or sees):
        raise UsageError(_("which game? there are: {games}").format(games=", ".join(_games())))
    if args.resume:
        refuse_changes(args)
    players = _players(args, settings)
    return Setup(
        game,
        players,
        args.journal or default_path(os.environ, settings.data),
        journal_option=f" --journal {shlex.quote(str(args.journal))}" if args.journal else "",
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
    if args.against and not args.resume:
        from companion.app.offers import seats_against_computer

        if not game:
            raise UsageError(_("which game? there are: {games}").format(games=", ".join(_games())))
        return [*seats_against_computer(game, options(args, settings))]
    if args.names and game and not args.resume:
        from companion.app.offers import only_seats

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
