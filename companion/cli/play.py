"""`companion play`: a game at a table, watched, judged and scored."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from companion.app.diagnostics import ask_program
from companion.app.evening import DESK, EveningPlan, PlayDevices, drawn_seed, hold_evening, no_panel
from companion.app.offers import refused_words, seats_against_computer, seats_for
from companion.app.output import complain, write_text
from companion.app.photo_reading import own_tables, table_for
from companion.cli import help_text, main
from companion.cli.arguments import COMMANDS
from companion.cli.exits import DONE, FAULT, ended_by_signals
from companion.cli.journal import opened
from companion.cli.menu import menu
from companion.cli.parser import Parser, UsageError, require_extra
from companion.cli.unattended import run_as_service, show_on_all, shown_on_panel
from companion.core.entries import Arranged
from companion.core.verdicts import Wanted
from companion.games import GAMES
from companion.games.discovery import packages
from companion.games.engines import ENGINES
from companion.games.line import plain
from companion.games.speech import options_for, read_option
from companion.games.typed import seats_by_word
from companion.locale import _, translated
from companion.shell.archive import arrangement_of, camera_of
from companion.shell.clock import Clock
from companion.shell.config_files import find_wiring
from companion.shell.devices import NOTHING, SIMULATED, SOCKET, OpenPanel, camera_opener, display_opener, panel_opener
from companion.shell.errors import SetUpError, ShellError
from companion.shell.feed import FedCamera, FedPanel
from companion.shell.journal import RecordedGame, default_path
from companion.shell.picture_policy import PicturePolicy
from companion.shell.recording import MOST_BYTES, Recorder
from companion.shell.session import Setup, begin
from companion.shell.settings import Settings, find_settings
from companion.shell.voice import open_voice
from companion.ui.names import NO_NAMES
from engines.kernel import BadRequestError, Level, Seat
from hardware.keypad import open_keypad
from hardware.panel import ALL_PARTS, MOST_LAMPS, Rhythm, Signal
from hardware.pins import PinMap
from vision.board import Board, known_boards, shipped_board
from vision.camera.address import masked
from vision.errors import VisionError

if TYPE_CHECKING:
    from companion.simulator.link import Link

USUAL_SEED = 1
_FRAME_S = 0.2
_USUAL_PORT = 8080


def run(args: argparse.Namespace) -> int:
    """Play until the game is over or somebody ends it; as a service, wait in the fault state for a repaired file."""
    if args.unattended:  # each attempt takes what the command line leaves open from the settings of its time
        return run_as_service(args, lambda: _run_once(copy(args)))
    return shown_on_panel(args, partial(_run_once, args))


def _run_once(args: argparse.Namespace) -> int:
    settings = find_settings(os.environ).settings
    args.listen = args.listen or settings.listen
    args.page = args.page or settings.page or bool(args.listen)
    said = args.page or args.game or settings.game or args.resume or args.number or args.unattended
    if not said and (args.camera or settings.camera) in (None, NOTHING) and sys.stdin.isatty():
        return menu(main, help_text=help_text)  # users can be asked what they want
    args.camera = args.camera or settings.camera or _devices_as_before(args, settings)
    if args.camera is None and args.page:
        args.camera = NOTHING
    if args.page and args.record:
        raise UsageError(_("--record does not keep what is done on a page"))
    if args.camera == NOTHING:
        needing = {
            "--panel": args.panel,
            "--unattended": args.unattended and not args.page,
            "--record": args.record,
            "--dice camera": args.dice == "camera",
        }
        _refuse_given(needing, _("{option} needs a camera"))
    if args.camera is None:
        write_text(_("No --camera is given: simulated people play on a simulated table."))
    plan = _plan(args, settings)
    try:
        voice = open_voice(args.voice or settings.voice or "off", settings.voice_wpm, plan.clock.now_ns, write_text)
    except SetUpError as error:
        if args.voice is not None:
            raise
        complain(str(error))  # the settings' voice: the game goes on without it
        voice = None
    with _show_elsewhere(args, settings, replace(plan, voice=voice)) as shown:
        end = hold_evening(shown)
    if end.wants_menu:
        return menu(main, help_text=help_text)
    if end.unwritten:
        complain(_("The journal could not be written: what was done last is not in it."))
    if end.switched_off:
        return switch_off(plan.devices.open_panel)
    return FAULT if end.unwritten else DONE


_FAREWELL_S = 2.2


def switch_off(open_panel: OpenPanel | None) -> int:
    """Light every lamp once as a farewell, leave the panel dark, and power the box off; systemd asks polkit."""
    if open_panel is not None:
        opened = partial(open_panel, lambda _heard: None)
        show_on_all(opened, lambda: time.sleep(_FAREWELL_S), Rhythm.CONFIRMED, Signal.OVER)
    if refused := ask_program("systemctl", "poweroff", errors=True):
        complain(_("the box cannot be switched off: {reason}").format(reason=refused))
        return FAULT
    return DONE


def refusal(settings: Settings) -> str:
    """Return why a game cannot begin from the settings alone, "" if it can or the users would be asked."""
    parser = Parser()
    COMMANDS["play"](parser.add_subparsers())
    args = parser.parse_args(["play"])
    args.camera = settings.camera
    try:
        if settings.page or settings.listen:
            require_extra("web")
            from companion.web.host import listening_at

            host, _port = _address(settings.listen or "")
            listening_at(host, 0).close()  # the port itself is in use where the service runs
        if settings.publish:
            require_extra("mqtt")
            from companion.shell.broker import broker_address

            broker_address(settings.publish)
        if settings.game is None and settings.camera in (None, NOTHING):
            return ""
        plan = _plan(args, settings)
        plan.devices.lens()
        plan.devices.enrolments([board.game for board in known_boards()])
        setup = plan.setup
        refused = refused_words(setup)
        if setup.game and not refused:
            begin(ENGINES[setup.game], setup, GAMES[setup.game].board().colours)
    except (UsageError, ShellError, VisionError, BadRequestError) as error:
        return translated(str(error))
    return refused


def _refuse_given(options: Mapping[str, object], sentence: str) -> None:
    """Raise UsageError with a sentence about the first of these options that is given."""
    for option, given in options.items():
        if given:
            raise UsageError(sentence.format(option=option))


def _plan(args: argparse.Namespace, settings: Settings) -> EveningPlan:
    """Return the plan of the evening, without a voice.

    Without a seed every game has other cards and dice, except at a simulated table.
    """
    sees, link, (kind, _colon, address) = args.camera != NOTHING, None, (args.camera or "").partition(":")
    if kind == "phone" and not (args.page or settings.page or settings.listen):
        raise UsageError(_("--camera phone needs --listen: the phone opens the page"))
    if kind == SOCKET:
        from companion.simulator.link import Link

        link = Link(address)
    clock: Clock = Clock() if link is None else link.clock
    setup = replace(read_setup(args, settings), sees=sees)
    dice_seed = SystemRandom().getrandbits(64) if args.seed is None and args.record else args.seed
    dice = None if dice_seed is None else Random(dice_seed)  # noqa: S311 - a seed repeats a game, as a recording does
    seed = args.seed if sees else drawn_seed(dice)
    if seed is None:
        seed = USUAL_SEED if (args.camera or SIMULATED) == SIMULATED else drawn_seed()
    devices, keypad = play_devices(args, settings, clock, link), args.keypad or settings.keypad
    plan = EveningPlan(
        replace(setup, seed=seed),
        replace(devices, dice=dice, open_keypad=partial(open_keypad, keypad) if keypad else None),
        clock,
        ended_by_signals,
        plain=args.plain,
        voice_says=Wanted(args.voice_says) if args.voice_says else settings.voice_says,
        language_given=settings.language is not None,
    )
    if args.record is None:
        return plan
    return replace(plan, recording=partial(_recording, args, clock, dice_seed))


@contextmanager
def _recording(
    args: argparse.Namespace, clock: Clock, dice_seed: int, base: Setup, devices: PlayDevices
) -> Iterator[PlayDevices]:
    """Record an evening in a folder; tell the users where, the size limit, and that nothing is sent."""
    with closing(Recorder(args.record, clock, say=complain)) as recorder:
        text = _("This evening is kept in {folder}, pictures too, at most {size} MB; it is sent nowhere.")
        write_text(text.format(folder=args.record, size=MOST_BYTES // 1_000_000))
        enrolments = devices.enrolments([board.game for board in known_boards()])
        recorder.begin(base, dice_seed, args.table, devices.lens(), enrolments)
        yield replace(devices, open_camera=recorder.camera(devices.opens_camera()), heard=recorder.heard)


def _devices_as_before(args: argparse.Namespace, settings: Settings) -> str | None:
    """Return and print the camera of a resumed game; None if no game is resumed, or it had none.

    Its panel is used again as well, unless another one is given.
    """
    recorded = None if args.unattended else _find_recorded(args, settings)
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
    usual = (args.panel, settings.panel, "", SIMULATED if camera == SIMULATED else "desk")
    if camera and (panel := arrangement_of(recorded).panel) not in usual and usual[:2] == (None, None):
        args.panel = panel
        write_text(_("Its panel is {panel}, as before. Another panel: --panel.").format(panel=panel))
    return camera or NOTHING


def _find_recorded(args: argparse.Namespace, settings: Settings) -> RecordedGame | None:
    """Return the game to resume, None if a new one begins."""
    path = args.journal or default_path(os.environ, settings.data)
    if not (args.resume or args.number) or not path.exists():
        return None
    with opened(path) as journal:
        return journal.unfinished(args.game) if args.number is None else journal.read(args.number)


def read_setup(args: argparse.Namespace, settings: Settings) -> Setup:
    """Return the set-up: from the arguments, or from the journal if a game is resumed."""
    if args.number is not None:
        args.resume = True
    game = args.game or (None if args.resume else settings.game)
    sees = (args.camera or settings.camera or NOTHING) != NOTHING  # the camera recognises the game
    if game is None and not (args.resume or sees or args.page):
        raise UsageError(_("which game? there are: {games}").format(games=", ".join(packages())))
    if args.resume:
        agreed = {
            "--players": args.players,
            "--names": args.names,
            "--option": args.option,
            "--dice": args.dice,
            "--companion-seat": args.companion_seat,
            "--against": args.against,
        }
        _refuse_given(agreed, _("{option} cannot be changed in a game that is resumed"))
    players = _players(args, settings)
    recorded = _find_recorded(args, settings) if args.table and not game else None
    table_of = game if recorded is None else recorded.game  # the game that a table file has to fit
    return Setup(
        game,
        players,
        args.journal or default_path(os.environ, settings.data),
        journal_option=f" --journal {shlex.quote(str(args.journal))}" if args.journal else "",
        resume=args.resume or args.unattended,
        number=args.number,
        unattended=args.unattended,
        switches_off=args.unattended and (args.panel or settings.panel) == "gpio",
        tables=own_boards(args.table, table_of),
        options=_options(args, settings),
        arrangement=_arrangement(args, settings, players),
        lingers=_lingers(args, settings),
        keeps_colours=args.keep_colours or settings.keep_colours,
        pictures=PicturePolicy(
            settings.pictures, settings.pictures_kept, settings.pictures_days, settings.pictures_moves
        ),
        level=_level(args, settings),
    )


def _level(args: argparse.Namespace, settings: Settings) -> Level:
    """Return how well the companion advises and plays, if nothing else is said."""
    return Level(args.level) if args.level else settings.level or Level.STRONG


def _players(args: argparse.Namespace, settings: Settings) -> list[Seat]:
    """Return the given players, or as many as have names; those of the settings apply only to the game of the settings.

    Raises:
        UsageError: no game is given for the computer to play.
        BadRequestError: that many people cannot play the game.
    """
    game = args.game or settings.game
    if args.players:
        return read_seats(args.players, game)
    if args.against and not args.resume:
        if not game:
            raise UsageError(_("which game? there are: {games}").format(games=", ".join(packages())))
        return [*seats_against_computer(game, _options(args, settings))]
    of_settings = not args.resume and (args.game is None or settings.game in (None, args.game))
    players = [*map(Seat, settings.players)] if of_settings else []
    if args.names and game and not args.resume and len(players) != (count := args.names.count(",") + 1):
        return [*seats_for(game, count, _options(args, settings))]
    return players


def read_seats(typed: str, game: str | None) -> list[Seat]:
    """Return the seats that users name; for a known game, in the user's language or in English."""
    colours = [Seat(colour) for colour in GAMES[game].board().colours] if game else []
    by_word = seats_by_word(colours, NO_NAMES)
    return [by_word.get(plain(name), Seat(name.strip())) for name in typed.split(",")]


# ---- agreements before a game


def _lingers(args: argparse.Namespace, settings: Settings) -> bool:
    """Return whether the session stays open after the end: with a panel or page that players use."""
    if args.page:
        return True
    camera, panel = args.camera or settings.camera or SIMULATED, args.panel or settings.panel
    if camera == NOTHING:
        return sys.stdin.isatty()
    if camera.startswith("files"):
        return False
    wired = panel == "gpio" or bool(args.hardware)  # which a table in another process may also have
    return wired or (SIMULATED not in (panel, camera) and sys.stdin.isatty())


def _options(args: argparse.Namespace, settings: Settings) -> dict[str, Any]:
    """Return the game's options; text that is not JSON is a word. The engine validates them.

    Options of the settings apply to the game of the settings, or if it names none, to every game that has them.
    """
    usual: dict[str, Any] = {}
    if args.game is None or settings.game in (None, args.game):
        usual = _read_options(settings.game_options, args.game or settings.game, "game_options")
        usual = {**options_for(args.game, usual)} if args.game and settings.game is None else usual
    return {**usual, **_read_options(args.option, args.game or settings.game, "--option")}


def _read_options(texts: Sequence[str], game: str | None, place: str) -> dict[str, Any]:
    """Parse options written as KEY=VALUE; `place`, such as "--option", is for error messages."""
    chosen: dict[str, Any] = {}
    for text in texts:
        option = read_option(game, text)
        if option is None:
            raise UsageError(_('{place}: expected KEY=VALUE, found "{text}"').format(place=place, text=text))
        chosen[option[0]] = option[1]
    return chosen


def _arrangement(args: argparse.Namespace, settings: Settings, players: Sequence[Seat]) -> Arranged:
    """Return the seats, names and levels, and how dice are thrown.

    Names of the settings are for the players of the settings; of others only for the first people, not the computer.

    Raises:
        UsageError: there are more names than players, or the companion has a colour that does not play.
    """
    names = [name.strip() for name in args.names.split(",")] if args.names else list(settings.names)
    if names and args.names and not players:
        raise UsageError(_("--names needs --players"))
    is_of_settings = [*players] == [*map(Seat, settings.players)]
    if players and len(names) > len(players) and (args.names or is_of_settings):
        place = "--names" if args.names else "names"
        sentence = _("{place}: expected at most {players} names, found {names}")
        raise UsageError(sentence.format(place=place, players=len(players), names=len(names)))
    game = args.game or settings.game
    known = players or (GAMES[game].board().colours if game else ())
    for seat in args.companion_seat:
        if known and seat not in known:
            sentence = _('--companion-seat: expected one of {players}, found "{seat}"')
            raise UsageError(sentence.format(players=", ".join(known), seat=seat))
    own = tuple(map(Seat, args.companion_seat)) or tuple(players[1:] if args.against else ())
    levels = dict.fromkeys(own, Level(args.against) if args.against else _level(args, settings))
    named = players if args.names or is_of_settings else [seat for seat in players if seat not in own]
    called = dict(zip(named, names, strict=False))
    return Arranged(called, own, args.dice or settings.dice or "button", levels=levels)


# ---- the devices


def play_devices(args: argparse.Namespace, settings: Settings, clock: Clock, link: Link | None = None) -> PlayDevices:
    """Return the devices that the arguments ask for, else the settings; those of a table in another process by `link`.

    Raises:
        UsageError: the arguments contradict one another.
        ShellError, VisionError: there are no such devices.
    """
    camera = args.camera or settings.camera or SIMULATED
    if camera == NOTHING:
        return PlayDevices()
    alone = not args.page or sys.stdin.isatty()  # otherwise the page replaces the panel
    panel = args.panel or settings.panel or (SIMULATED if camera == SIMULATED else DESK if alone else NOTHING)
    if args.hardware and panel != "gpio" and link is None:
        raise UsageError(_("--hardware needs --panel gpio"))
    if link is not None:
        return _link(link, args)
    live = panel != SIMULATED  # with a simulated panel nobody takes photographs
    open_camera = camera_opener(camera, live=live, resumed=bool(args.resume or args.number))
    listens = (args.voice or settings.voice or "off") != "off"  # players who listen also ask
    wiring = partial(wiring_of, args.hardware or settings.hardware, sound=settings.sound)
    open_panel = no_panel if panel == NOTHING else panel_opener(panel, wiring, asks=listens)
    seed = USUAL_SEED if args.seed is None else args.seed
    simulated = None
    if open_camera is None or open_panel is None:
        from companion.simulator.behaviour import PlayerBehaviour
        from companion.simulator.camera import LiveShutter
        from companion.simulator.hands import Pace
        from companion.simulator.table import Plan, SimulatedTable

        table = Plan(seed, PlayerBehaviour(), Pace(), dice=(args.dice or settings.dice) == "camera")
        simulated = SimulatedTable(table, clock=clock, shutter=LiveShutter(clock, frame_s=_FRAME_S))
    devices = PlayDevices(masked(camera), panel, open_camera, open_panel, simulated, seed)
    panel_alone = bool(args.unattended and panel == "gpio" and not args.page)
    return replace(devices, open_leaves=display_opener(panel, wiring), panel_alone=panel_alone)


def _link(link: Link, args: argparse.Namespace) -> PlayDevices:
    """Return camera and panel of a simulated table in another process; its games are resumed at a table of our own.

    With a wiring the panel has the wired parts, otherwise all but a display.
    """
    pins = wiring_of(args.hardware, sound=True) if args.hardware else None
    lamps, parts = (MOST_LAMPS, ALL_PARTS) if pins is None else (len(pins.lamps.pins), pins.parts)
    return PlayDevices(
        SIMULATED,
        SIMULATED,
        lambda: FedCamera(link, SIMULATED),
        lambda enqueue: FedPanel(link, enqueue, lamps, parts),
        see=link.see,
        open_leaves=(lambda _report: nullcontext(link)) if pins is not None and pins.display else None,
    )


def own_boards(file: Path | None, game: str | None = None) -> Mapping[str, Board]:
    """Load the players' own boards, by game.

    Args:
        file: a given table file, None for the tables of the settings.
        game: the game that is played, None while it is not known.

    Raises:
        UsageError, SetUpError: one has other cells or labels than the game's, or the file is another game's.
    """
    tables = own_tables() if file is None else {(board := table_for(game, file)).game: board}
    for name, own in tables.items():
        ours = shipped_board(name)
        if (own.places, own.label_words) != (ours.places, ours.label_words):
            raise UsageError(
                _("the table of {game} needs the cells and labels of ours to be played on").format(game=name)
            )
    return tables


def wiring_of(file: Path | None, *, sound: bool) -> PinMap:
    """Return the panel's wiring, without the buzzer if sound is off.

    Raises:
        SetUpError: the file cannot be used.
    """
    pins = find_wiring(file, os.environ)
    return pins if sound else replace(pins, buzzer=None)


# ---- the page and the broker


@contextmanager
def _show_elsewhere(args: argparse.Namespace, settings: Settings, plan: EveningPlan) -> Iterator[EveningPlan]:
    """Yield the plan of an evening with its page and its broker, which run until the block ends.

    Raises:
        UsageError: the address of the page is not valid, or a package is not installed.
        SetUpError: the page's address cannot be listened at, or the broker's address is not valid.
    """
    with ExitStack() as stack:
        if args.page:
            require_extra("web")
            from companion.web.host import SHORT_PORT, PagePlan, serve_page

            host, port = _address(args.listen or "")
            devices, journal = plan.devices, plan.setup.journal
            folder = journal.parent / "page"
            paged = PagePlan(host, port, plan.clock, folder, devices.sees, devices.camera, journal)
            own = (settings.certificate, settings.certificate_key)
            paged = replace(paged, certificate=own, authority=settings.authority, short_port=SHORT_PORT)
            plan = replace(plan, pages=stack.enter_context(serve_page(paged, lambda lines: write_text(*lines))).pages())
        if publish := args.publish or settings.publish:
            require_extra("mqtt")
            from companion.shell.broker import BrokerLink, broker_address, broker_display

            link = BrokerLink(broker_address(publish))
            stack.callback(link.close)
            plan = replace(plan, displays=(*plan.displays, partial(broker_display, link)))
        yield plan


def _address(text: str) -> tuple[str, int]:
    """Return host and port of "HOST", "HOST:PORT" or "[ADDRESS]:PORT"; of "" those of loopback.

    Raises:
        UsageError: it is not one of these.
    """
    if not text:
        return "127.0.0.1", _USUAL_PORT
    host, colon, port = text.rpartition(":") if not text.endswith("]") else (text, "", "")
    if not colon or (":" in host and not host.startswith("[")):
        host, port = text, str(_USUAL_PORT)
    if not host or not port.isdecimal() or len(port) > len("65535") or int(port) > 65_535:
        raise UsageError(_("--listen: expected an address such as 0.0.0.0:8080, found {text}").format(text=text))
    return host.strip("[]"), int(port)
