"""The arguments of every command.

A command's module is imported when it runs, and a type that needs a game or a table imports it when it is called: so
`companion --help` starts fast.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from companion.app.output import as_typed
from companion.cli.parser import Parser, Subparsers, at_least, examples, one_of, placeholder, unknown
from companion.cli.photo_arguments import PHOTO_COMMANDS, add_own_table
from companion.locale import _
from companion.shell.devices import CAMERAS, PANELS


def _add_demo(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "demo",
        help=_("watch whole games on a simulated table"),
        description=_(
            "Simulated people play a whole game on a simulated table, with cheats and a hand in view. The real reader,"
            " judge and journal watch them, and in the end their verdicts are counted against what really happened."
        ),
        epilog=examples("companion demo", "companion demo --fast --seed 3"),
    )
    parser.add_argument("--fast", action="store_true", help=_("as fast as it can be computed, in plain lines"))
    parser.add_argument(
        "--film", action="store_true", help=_("two minutes: some turns of one game on the screen, the others in brief")
    )
    parser.add_argument("--seed", type=at_least(0), default=1, metavar="N", help=_("another number is another game"))
    parser.add_argument(
        "--game",
        action="append",
        metavar="NAME",
        type=one_of(_("game"), _simulated_games),
        help=_("may be given several times"),
    )
    parser.add_argument("--turns", type=at_least(1), metavar="N", help=_("stop after that many turns"))
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help=_("where the journals go"))


DICE = ("button", "camera", "typed")


LEVELS = ("easy", "medium", "strong")
"""The names of `engines.kernel.Level`, the strongest last, written here so that no engine is imported."""


def _add_play(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "play",
        help=_("play a game beside the camera"),
        description=_(
            "Watches a game: judges whether each move is legal, keeps the score, and writes accepted moves "
            "to a journal before a lamp shows them. Without --camera simulated people play on a simulated "
            "table; with --camera none people type what they do, in any of the five games. Without a game "
            "the camera looks which one is on the table, and who plays; DONE, or yes, begins."
        ),
        epilog="\n".join(_kinds())
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
    listed = _("the game's name: {games}").format(games=", ".join(known_games()))
    parser.add_argument("game", nargs="?", type=one_of(_("game"), known_games), metavar="GAME", help=listed)
    parser.add_argument("--camera", metavar="CAMERA", help=_("where pictures come from; default: simulated"))
    parser.add_argument("--panel", metavar="PANEL", help=_("buttons and lamps; default: simulated, or else desk"))
    parser.add_argument(
        "--hardware", type=Path, metavar="FILE", help=_("how the panel on the pins is wired; see companion panel")
    )
    add_own_table(parser)
    parser.add_argument("--players", metavar="COLOURS", help=_("who plays, such as red,green; default: all colours"))
    parser.add_argument(
        "--names",
        type=as_typed,
        metavar="NAMES",
        help=_("what people are called, in the order of --players, such as Anna,Ben"),
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help=_("an option of the game, such as level=2; can be given several times"),
    )
    parser.add_argument(
        "--dice",
        type=one_of(_("kind of dice"), lambda: DICE),
        metavar="HOW",
        help=_("who throws: button (the companion), camera (it reads the dice on the table), typed; default: button"),
    )
    parser.add_argument(
        "--level",
        type=one_of(_("level"), lambda: LEVELS),
        metavar="LEVEL",
        help=_("how well the companion plays its seats and advises: easy, medium or strong; default: strong"),
    )
    parser.add_argument(
        "--against",
        type=one_of(_("level"), lambda: LEVELS),
        metavar="LEVEL",
        help=_("play against the computer: it plays all seats but the first, easy, medium or strong"),
    )
    parser.add_argument(
        "--voice",
        metavar="VOICE",
        help=_(
            "say what the screen shows: espeak, piper:FILE.onnx, text (lines in place of the screen), off; default: off"
        ),
    )
    parser.add_argument(
        "--voice-says",
        type=one_of(_("amount"), lambda: ("all", "matters")),
        metavar="WHAT",
        help=_("how much the voice says: all, or what matters to those who see the table; default: all"),
    )
    parser.add_argument(
        "--keypad",
        metavar="DEVICE",
        help=_("a numeric keypad by which people ask: auto, or its device, such as /dev/input/event3"),
    )
    parser.add_argument(
        "--companion-seat",
        action="append",
        default=[],
        metavar="COLOUR",
        help=_("a seat that the companion plays: it says what to move for it, and waits until that is done"),
    )
    parser.add_argument(
        "--keep-colours",
        action="store_true",
        help=_("keep the pieces' colours that the camera learns at this table in the journal, for the next time"),
    )
    parser.add_argument(
        "--page",
        action="store_true",
        help=_("show and play it in the browser of this machine as well; needs the extra web"),
    )
    parser.add_argument(
        "--listen",
        metavar="ADDRESS",
        help=_("serve the page for phones at this address, such as 0.0.0.0 or 0.0.0.0:8080; each is admitted once"),
    )
    parser.add_argument(
        "--publish",
        metavar="ADDRESS",
        help=_("tell an MQTT broker how the game stands, such as mqtt://192.168.1.5/table-1; needs the extra mqtt"),
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


def _kinds() -> Iterator[str]:
    """Yield a line for every kind of camera and panel."""
    for title, kinds in (
        (_("cameras"), [(kind.usage, kind.about()) for kind in CAMERAS.values()]),
        (_("panels"), [(word, kind.about()) for word, kind in PANELS.items()]),
    ):
        yield f"{title}:"
        for usage, about in kinds:
            yield f"  {placeholder(usage):<16}{about}"


def _simulated_games() -> list[str]:
    from companion.games import SIMULATED

    return list(SIMULATED)


def known_games() -> list[str]:
    """Return the names of all games, including those of other packages."""
    from companion.games.discovery import packages

    return list(packages())


def _add_replay(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "replay",
        help=_("show a recorded game and judge it again"),
        description=_(
            "Plays a record action by action: what was played, what came of it, how the game stands at the "
            "end. The first action that the rules forbid is reported, and so is a result that the game does "
            "not come to. A record reveals everything, cards that are face down too."
        )
        + " "
        + _(
            "The folder of companion play --record is played again through the same loop, and what was accepted is "
            "compared with that evening."
        ),
        epilog=examples(
            "companion games export 3 > evening.txt",
            "companion replay evening.txt",
            "companion replay evening.txt --at 20",
            "companion replay evening.txt --json",
            "companion replay FOLDER --fast",
        ),
    )
    parser.add_argument("record", type=Path, metavar="FILE", help=_("the game's record, or a recording's folder"))
    parser.add_argument(
        "--fast", action="store_true", help=_("a recording's folder: as fast as it can be computed, in plain lines")
    )
    parser.add_argument("--at", type=at_least(0), metavar="N", help=_("show the game as far as its action N"))
    parser.add_argument("--step", action="store_true", help=_("show the position after every action"))
    parser.add_argument("--json", action="store_true", help=_("a line of JSON for each action, and one for the end"))


def _add_games(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "games",
        aliases=["journal"],
        help=_("the games that were played: list, show, delete, export, import, resume, statistics"),
        description=_(
            "The journal keeps every accepted move of the games played here. A record is a game as text, which"
            " companion replay shows; moves that were taken back are not in it. A game that is entered and not over"
            " can be gone on with: companion play --resume."
        )
        + " "
        + _(
            "Without an order the games are listed. Games can be listed, shown and exported while one is being"
            " played; the others wait for its end."
        ),
        epilog=examples(
            "companion games",
            "companion games show 3",
            "companion games resume 3",
            "companion games export 3 > evening.txt",
            "companion games export 4 --as ppn > race.ppn",
            "companion games forget Anna",
        ),
    )
    parser.add_argument("--journal", type=Path, metavar="FILE", help=_("where accepted moves are kept"))
    orders = parser.add_subparsers(dest="order", metavar="ORDER")

    def order(name: str, meaning: str) -> Parser:
        added: Parser = orders.add_parser(name, help=meaning)
        # SUPPRESS: otherwise its default would replace a --journal that was given before the order
        added.add_argument(
            "--journal", type=Path, metavar="FILE", default=argparse.SUPPRESS, help=_("where accepted moves are kept")
        )
        return added

    order("list", _("list the games")).add_argument("--json", action="store_true", help=_("one line of JSON"))
    order("statistics", _("wins, points and feats of each player in each game"))
    order("evening", _("who won what on the last evening"))
    for name, meaning in _of_a_game().items():
        count = "?" if name == "resume" else None
        added = order(name, meaning)
        added.add_argument(
            "number", nargs=count, type=at_least(1), metavar="N", help=_("the game's number in the list")
        )
        if name == "export":
            added.add_argument("--as", dest="notation", metavar="NOTATION", help=_("as other programs read it: ppn"))
    order("import", _("judge a record and enter it as a game")).add_argument(
        "record", type=Path, metavar="FILE", help=_("the game's record")
    )
    order("forget", _("take a person's name out of all games")).add_argument(
        "name", type=as_typed, metavar="NAME", help=_("the name")
    )
    order("downgrade", _("bring the journal to an older version, for an older companion")).add_argument(
        "version", type=at_least(1), metavar="N", help=_("the version that it understands")
    )


def _of_a_game() -> Mapping[str, str]:
    return {
        "show": _("show a game in words"),
        "export": _("write a game as a record to standard output"),
        "resume": _("go on with an unfinished game"),
        "delete": _("delete a game"),
        "mark": _("mark a game as played wrongly: it is kept, and left out of the statistics"),
        "unmark": _("take that mark away"),
    }


def _add_report(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "report",
        help=_("a game as one page to keep: result, course, key moments, the whole game in words"),
        description=_(
            "Writes a game as one HTML page that needs nothing beside it, and the course of the game as a picture"
            " (PNG). Without a number it is the game that was played last. The page is in your language."
        ),
        epilog=examples(
            "companion report",
            "companion report 3 --to ~/Documents",
            "companion report evening.txt",
        ),
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help=_("the game's number in the list, or a record's file"))
    parser.add_argument("--to", type=Path, default=Path(), metavar="FOLDER", help=_("where page and picture go"))
    parser.add_argument("--journal", type=Path, metavar="FILE", help=_("where accepted moves are kept"))
    parser.add_argument("--no-pictures", action="store_true", help=_("leave out the photographs that were kept"))


REQUESTS = "new, actions, play, legal, chance, throw, playout, score, advise, solve, public"
"""The requests, for the help text."""


def _add_engine(subparsers: Subparsers) -> None:
    subparsers.add_parser(
        "engine",
        help=_("answer other programs' questions about the rules, one JSON object a line"),
        description=_(
            "Reads one JSON object a line from standard input and answers each with one line:"
            " {requests}. A bad request gets an error as its answer, and the next line is read."
        ).format(requests=REQUESTS),
        epilog=examples(
            """echo '{"do": "new", "game": "royal-ur", "players": ["white", "black"]}' > asked""",
            "companion engine < asked",
        ),
    )


_THEMES = ("paper", "wood", "dark")


_PAPERS = ("a4", "letter", "a3", "a2", "b2", "a1", "whole")


_BACKS = ("long", "short", "fold", "none")


_MOST_BLEED_MM = 20.0


def _add_print(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "print",
        help=_("print boards, cards and pieces as PDF"),
        description=_(
            "Writes boards with markers, cards, pieces and sheets for the camera as PDF, to scale: print at 100 %."
            " Without a part a game's board is written; kit writes all of a game with a cover page."
        ),
        epilog=print_listing()
        + "\n\n"
        + examples(
            "companion print royal-tee",
            "companion print royal-tee board pieces --paper letter",
            "companion print kit royal-study --preview",
            "companion print royal-tee markers --table my-board.toml",
            "companion print challenge territory --seed 7",
            "companion print measure front.jpg back.jpg",
        ),
    )
    parser.add_argument("what", nargs="?", metavar="WHAT", help=_("a game, or one of the words below"))
    parser.add_argument(
        "names", nargs="*", metavar="PART", help=_("parts of the game; kit: the game; measure: pictures")
    )
    parser.add_argument("--list", action="store_true", help=_("list all that can be printed"))
    _add_paper(parser)
    parser.add_argument(
        "--no-marks",
        action="store_true",
        help=_("pieces, cards and dice without markers; they are read with less certainty"),
    )
    parser.add_argument("--theme", type=one_of(_("theme"), lambda: _THEMES), default="paper", help=", ".join(_THEMES))
    parser.add_argument(
        "--table", type=Path, metavar="TABLE.toml", help=_("a table file of your own for board and markers")
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help=_("challenge: which pieces are laid where"))
    parser.add_argument("--out", type=Path, metavar="FILE.pdf", help=_("where to write"))
    parser.add_argument("--preview", action="store_true", help=_("also write each page as PNG"))
    parser.add_argument(
        "--bar", type=_millimetres(50, 150), metavar="MM", help=_("measure: length of the 100 mm bar by your ruler")
    )


def _add_paper(parser: argparse.ArgumentParser) -> None:
    papers = ", ".join(_PAPERS)
    help_text = _("{papers}; whole: a board on one page").format(papers=papers)
    parser.add_argument("--paper", type=one_of(_("paper"), lambda: _PAPERS), default="a4", help=help_text)
    parser.add_argument(
        "--backs",
        type=one_of(_("way of printing backs"), lambda: _BACKS),
        default="long",
        help=_("long or short: both sides, turned on that edge; fold: one side, folded; none"),
    )
    parser.add_argument(
        "--bleed",
        type=_millimetres(0, _MOST_BLEED_MM),
        default=0.0,
        metavar="MM",
        help=_("how far colours go over the cutting lines"),
    )
    parser.add_argument("--no-crop-marks", action="store_true", help=_("print no cutting lines and marks"))


def _millimetres(least: float, most: float) -> Callable[[str], float]:
    """Return an argument's type that accepts lengths in mm from `least` to `most`."""

    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not least <= value <= most:
            sentence = _('expected a length in mm from {least:g} to {most:g}, not "{word}"')
            raise argparse.ArgumentTypeError(sentence.format(least=least, most=most, word=text))
        return value

    return convert


def print_jobs() -> Mapping[str, str]:
    """Return the meaning of each word on the command line that prints something other than a game."""
    return {
        "kit": _("everything of a game in one file, with a cover page"),
        "charuco": _("the sheet that measures the camera's lens"),
        "grey": _("grey patches for the camera's white balance"),
        "page": _("a card with the code that leads phones to the page"),
        "panel": _("the panel's drill plan and labels"),
        "manual": _("the box's manual on one page: buttons, lamps, an evening"),
        "calibrate": _("the two-sided sheet that measures the printer"),
        "challenge": _("a sheet that says which pieces to lay where, and a code of that position"),
        "measure": _("read photographs of that sheet, and correct later prints"),
    }


def print_listing() -> str:
    """Return these words with their meanings, one a line."""
    return "\n".join([_("besides games:"), *(f"  {word:<10} {meaning}" for word, meaning in print_jobs().items())])


Pair = tuple[float, float]


_MOST_MM = 3000.0
"""Largest width and height of a board; a print of a larger one has hundreds of pages."""


_LEAST_MARKER_MM = 8.0
"""Smallest marker: its modules are 1 mm wide, less than two pixels of the recommended camera."""


def _add_table(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "table",
        help=_("write a table file for a board of your own"),
        description=_("Writes the file that says where markers and cells are on a board of your own, in mm."),
        epilog=examples("companion table new royal-tee", "companion table show royal-tee --svg > royal-tee.svg"),
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    new = actions.add_parser(
        "new",
        help=_("ask for the measures and write the file"),
        description=_(
            "Asks for the measures of your board, or takes them from the options, and writes a table file."
            " Then print its markers: companion print GAME markers --table FILE"
        ),
        epilog=examples(
            "companion table new royal-tee",
            "companion table new royal-study --size 300x300 --origin 50x50 --cell 66x66",
            'companion table new territory --from board.jpg --corners "412,96 1310,88 1522,960 230,981"',
            'companion table new royal-ur --from empty.jpg --no-markers --corners "412,96 1310,88 1522,960 230,981"',
        ),
    )
    new.add_argument(
        "game", type=one_of(_("game"), _printable_games), metavar="GAME", help=_("the game that is played on it")
    )
    new.add_argument("--size", type=pair_mm, metavar="WxH", help=_("width and height of the whole board"))
    new.add_argument(
        "--origin", type=pair_mm, metavar="XxY", help=_("the top-left corner of cell A1, from the board's")
    )
    new.add_argument("--cell", type=pair_mm, metavar="WxH", help=_("width and height of a cell"))
    new.add_argument("--marker", type=length_mm, metavar="MM", help=_("side of a marker's black square"))
    new.add_argument(
        "--from",
        dest="photographs",
        nargs="+",
        type=Path,
        metavar="PHOTO.jpg",
        help=_("measure the board in photographs instead: put three or more printed markers round it, anywhere"),
    )
    new.add_argument(
        "--corners",
        metavar='"X,Y X,Y X,Y X,Y"',
        help=_("the corners of the cells in the first photograph, in pixels, clockwise from the top left"),
    )
    new.add_argument(
        "--no-markers",
        action="store_true",
        help=_("find the board by what is printed on it; the first photograph shows it empty, the camera stands still"),
    )
    new.add_argument("--dictionary", metavar="DICT", help=_("the markers' dictionary, if it is not to be found out"))
    new.add_argument("--out", type=Path, metavar="TABLE.toml", help=_("where to write"))
    show = actions.add_parser(
        "show",
        help=_("draw a game's table on standard output, as text or as SVG"),
        epilog=examples("companion table show royal-ur", "companion table show royal-tee --svg > royal-tee.svg"),
    )
    show.add_argument(
        "game", type=one_of(_("game"), _printable_games), metavar="GAME", help=_("the game that is played on it")
    )
    show.add_argument(
        "--position",
        type=Path,
        metavar="FILE.json",
        help=_("a position as companion engine writes it; default: the start of a game"),
    )
    show.add_argument("--svg", action="store_true", help=_("write SVG for pages and documents"))


def _printable_games() -> list[str]:
    from companion.printing.kits import games_with_kits

    return list(games_with_kits())


def pair_mm(text: str) -> Pair:
    """Parse two lengths in mm, as in "300x300"."""
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*[x, ]\s*([0-9]+(?:\.[0-9]+)?)\s*", text)
    if found is None or not all(0 < float(length) <= _MOST_MM for length in found.groups()):
        message = _('expected two lengths in mm such as 300x250, not "{word}"').format(word=text)
        raise argparse.ArgumentTypeError(message)
    return float(found[1]), float(found[2])


def length_mm(text: str) -> float:
    """Parse the side of a marker in mm."""
    if not re.fullmatch(r"\s*[0-9]+(\.[0-9]+)?\s*", text) or not _LEAST_MARKER_MM <= float(text) <= _MOST_MM:
        raise argparse.ArgumentTypeError(_('expected a length in mm such as 30, not "{word}"').format(word=text))
    return float(text)


PARTS = ("lamps", "rhythms", "bar", "digits", "buzzer", "buttons", "slider", "display")
"""The parts of the panel, in the order in which they are tested."""


def _add_panel(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "panel",
        help=_("show how the panel is wired, and try every part of it"),
        description=_("Buttons, lamps, slider bar, digits and buzzer on a Raspberry Pi's pins."),
        epilog=examples(
            "companion panel wiring --svg wiring.svg",
            "companion panel test",
            "companion panel test --parts lamps,buttons",
            "companion panel test --simulated --yes",
            "companion panel example > ~/.config/companion/hardware.toml",
        ),
    )
    orders = parser.add_subparsers(dest="order", metavar="ORDER", required=True)
    orders.add_parser("example", help=_("write the commented example of a hardware.toml to standard output"))
    drawing = _with_hardware(orders.add_parser("wiring", help=_("list and draw which part goes to which pin")))
    drawing.add_argument("--svg", type=Path, metavar="FILE", help=_("draw the header as a picture, too"))
    drawing.add_argument(
        "--schematic", type=Path, metavar="FILE", help=_("draw where each wire goes, with its resistors, as a picture")
    )
    drawing.add_argument(
        "--breadboard", type=Path, metavar="FILE", help=_("draw the parts on a breadboard, as a picture")
    )
    drawing.add_argument("--json", action="store_true", help=_("one line of JSON"))
    testing = _with_hardware(orders.add_parser("test", help=_("walk through every part, and ask whether it works")))
    testing.add_argument(
        "--parts",
        type=_parts,
        default=PARTS,
        metavar="PARTS",
        help=_("only some, such as lamps,bar; there are: {parts}").format(parts=", ".join(PARTS)),
    )
    testing.add_argument("--yes", action="store_true", help=_("ask nothing: show everything and wait for presses only"))
    testing.add_argument(
        "--simulated", action="store_true", help=_("on simulated pins, whose buttons press themselves")
    )
    testing.add_argument(
        "--seconds", type=at_least(1), default=10, metavar="N", help=_("how long to wait for a press; default: 10")
    )


def _with_hardware(parser: Parser) -> Parser:
    parser.add_argument("--hardware", type=Path, metavar="FILE", help=_("the wiring; default: your hardware.toml"))
    return parser


def _parts(text: str) -> Sequence[str]:
    """Parse a comma-separated list of parts; return them in the order of `PARTS`."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in PARTS:
            raise argparse.ArgumentTypeError(unknown(_("part"), word, PARTS))
    return [part for part in PARTS if part in words]


ORDERS = ("show", "example", "completion")


def _add_settings(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "settings",
        help=_("show what is set, and where each setting comes from"),
        description=_(
            "What the command line leaves open is taken from environment variables, then from "
            "companion.toml, then from the defaults. The command show lists it all; example writes a "
            "commented file to begin with."
        ),
        epilog=examples(
            "companion settings",
            "COMPANION_CAMERA=webcam:0 companion settings",
            "companion settings --json",
            "companion settings example > ~/.config/companion/companion.toml",
            "companion settings completion > ~/.local/share/bash-completion/completions/companion",
        ),
    )
    parser.add_argument(
        "order",
        nargs="?",
        type=one_of(_("order"), lambda: ORDERS),
        default="show",
        metavar="ORDER",
        help=_("show, example, or completion for your shell; default: show"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))


def _add_doctor(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "doctor",
        help=_("show what is here, what is missing and how to get it"),
        description=_(
            "Looks for camera, pins, libraries, memory and disk, at settings, wiring and the service, and "
            "shows how to get what is missing. The exit code is 3 if there is a problem, not only a part "
            "that is missing."
        ),
        epilog=examples("companion doctor", "companion doctor --json"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))


COMMANDS: Mapping[str, Callable[[Subparsers], None]] = {
    "demo": _add_demo,
    "play": _add_play,
    **PHOTO_COMMANDS,
    "replay": _add_replay,
    "games": _add_games,
    "report": _add_report,
    "engine": _add_engine,
    "print": _add_print,
    "table": _add_table,
    "panel": _add_panel,
    "settings": _add_settings,
    "doctor": _add_doctor,
}
"""Each command's function that adds its arguments, in the order of the help."""
