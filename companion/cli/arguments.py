"""The arguments of every command.

A command's module is imported when it runs, and a type that needs a game or a table imports it when it is called: so
`companion --help` starts fast.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from companion.app.output import as_typed
from companion.cli.parser import (
    Parser,
    Subparsers,
    a_word,
    at_least,
    examples,
    length_mm,
    millimetres,
    one_of,
    pair_mm,
    paragraph,
    placeholder,
)
from companion.games import SIMULATED
from companion.games.discovery import packages
from companion.locale import _
from companion.shell.devices import CAMERAS, PANELS, REAL_CAMERAS
from companion.shell.errors import unknown
from companion.ui.names import lens_steps, pieces_steps
from engines.kernel import Level

DICE = ("button", "camera", "typed")

REQUESTS = "new, actions, play, legal, chance, throw, playout, score, advise, solve, public"
"""The requests of `companion engine`, for its help text."""

PARTS = ("lamps", "rhythms", "bar", "digits", "buzzer", "buttons", "slider", "display")
"""The parts of the panel, in the order in which they are tested."""

_THEMES = ("paper", "wood", "dark")
_PAPERS = ("a4", "letter", "a3", "a2", "b2", "a1", "whole")
_BACKS = ("long", "short", "fold", "none")
_MOST_BLEED_MM = 20.0


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
    parser.flag("--fast", _("as fast as it can be computed, in plain lines"))
    parser.flag("--film", _("two minutes: some turns of one game on the screen, the others in brief"))
    parser.value("--seed", "N", _("another number is another game"), at_least(0), default=1)
    parser.value("--game", "NAME", _("may be given several times"), one_of(_("game"), SIMULATED), action="append")
    parser.value("--turns", "N", _("stop after that many turns"), at_least(1))
    parser.path("--folder", "FOLDER", _("where the journals go"))


def _add_play(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "play",
        help=_("play a game beside the camera"),
        description=_(
            "Watches a game: judges whether each move is legal, keeps the score, and writes accepted moves "
            "to a journal before a lamp shows them. Without --camera simulated people play on a simulated "
            "table; with --camera none, or with a page, people type what they do, in any of the five games. "
            "Without a game the camera looks which one is on the table, and who plays; DONE, or yes, begins."
        ),
        epilog=examples(
            "companion play royal-tee",
            "companion play --camera webcam:0",
            "companion play royal-tee --camera webcam:0 --panel desk --players red,green",
            "companion play --resume --camera picamera --panel gpio",
            "companion play royal-tee --unattended --camera picamera --panel gpio",
            "companion play royal-ur --camera none --players white,black --names Anna,Ben",
            "companion play royal-study --camera none --option level=2 --option hourglass=90",
            "companion play territory --camera none --against easy",
            above="\n".join(_kinds()),
            below=_("What is not given is taken from your settings: companion settings"),
        ),
    )
    listed = _("the game's name: {games}").format(games=", ".join(packages()))
    parser.value("game", "GAME", listed, one_of(_("game"), packages), nargs="?")
    parser.value("--camera", "CAMERA", _("where pictures come from; default: simulated"), a_word)
    parser.value("--panel", "PANEL", _("buttons and lamps; default: simulated, or else desk"), a_word)
    parser.path("--hardware", "FILE", _("how the panel on the pins is wired; see companion panel"))
    _add_own_table(parser)
    parser.value("--players", "COLOURS", _("who plays, such as red,green; default: all colours"))
    names = _(
        "what people are called, in the order of --players, such as Anna,Ben; "
        "without --players, as many play as have names"
    )
    parser.value("--names", "NAMES", names, as_typed)
    parser.value(
        "--option",
        "KEY=VALUE",
        _("an option of the game, such as level=2; can be given several times"),
        action="append",
        default=[],
    )
    parser.value(
        "--dice",
        "HOW",
        _("who throws: button (the companion), camera (it reads the dice on the table), typed; default: button"),
        one_of(_("kind of dice"), DICE),
    )
    parser.value(
        "--level",
        "LEVEL",
        _("how well the companion plays its seats and advises: easy, medium or strong; default: strong"),
        one_of(_("level"), [*Level]),
    )
    parser.value(
        "--against",
        "LEVEL",
        _("play against the computer: it plays all seats but the first, easy, medium or strong"),
        one_of(_("level"), [*Level]),
    )
    parser.value(
        "--voice",
        "VOICE",
        _("say what the screen shows: espeak, piper:FILE.onnx, text (lines in place of the screen), off; default: off"),
    )
    parser.value(
        "--voice-says",
        "WHAT",
        _("how much the voice says: all, or what matters to those who see the table; default: all"),
        one_of(_("amount"), ("all", "matters")),
    )
    parser.value(
        "--keypad", "DEVICE", _("a numeric keypad by which people ask: auto, or its device, such as /dev/input/event3")
    )
    parser.value(
        "--companion-seat",
        "COLOUR",
        _("a seat that the companion plays: it says what to move for it, and waits until that is done"),
        action="append",
        default=[],
    )
    parser.flag(
        "--keep-colours",
        _("keep the pieces' colours that the camera learns at this table in the journal, for the next time"),
    )
    parser.flag("--page", _("show and play it in the browser of this machine as well; needs the extra web"))
    parser.value(
        "--listen",
        "ADDRESS",
        _("serve the page for phones at this address, such as 0.0.0.0 or 0.0.0.0:8080; each is admitted once"),
    )
    parser.value(
        "--publish",
        "ADDRESS",
        _("tell an MQTT broker how the game stands, such as mqtt://192.168.1.5/table-1; needs the extra mqtt"),
    )
    parser.flag("--plain", _("lines of text instead of a full screen"))
    parser.flag("--resume", _("go on with the last game if it is not finished"))
    parser.value(
        "--number",
        "N",
        _("which game to go on with, by its number in companion games; default: the last one"),
        at_least(1),
    )
    parser.flag(
        "--unattended", _("as a service starts: go on with an unfinished game of this kind, or else begin a new one")
    )
    parser.path("--journal", "FILE", _("where accepted moves are kept"))
    parser.path(
        "--record",
        "FOLDER",
        _("keep pictures, presses and typed lines in a new folder; companion replay FOLDER plays them again"),
    )
    parser.value("--seed", "N", _("another number is another game"), at_least(0))


def _kinds() -> Iterator[str]:
    """Yield a line for every kind of camera and panel."""
    for title, kinds in (
        (_("cameras"), [(kind.usage, kind.about()) for kind in CAMERAS.values()]),
        (_("panels"), [(word, kind.about()) for word, kind in PANELS.items()]),
    ):
        yield f"{title}:"
        for usage, about in kinds:
            yield f"  {placeholder(usage):<16}{about}"


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
    parser.path("record", "FILE", _("the game's record, or a recording's folder"))
    parser.flag("--fast", _("a recording's folder: as fast as it can be computed, in plain lines"))
    parser.value("--at", "N", _("show the game as far as its action N"), at_least(0))
    parser.flag("--step", _("show the position after every action"))
    parser.flag("--json", _("a line of JSON for each action, and one for the end"))


def _add_games(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "games",
        aliases=["journal"],
        help=_("the games that were played: list, show, delete, export, import, resume, statistics"),
        description=_(
            "The journal keeps every accepted move of the games played here. A record is a game as text, which"
            " companion replay shows; moves that were taken back are not in it. A game that is entered and not over"
            " can be resumed: companion play --resume."
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
    parser.path("--journal", "FILE", _("where accepted moves are kept"))
    orders = parser.add_subparsers(dest="order", metavar="ORDER")

    def order(name: str, meaning: str) -> Parser:
        added: Parser = orders.add_parser(name, help=meaning)
        # SUPPRESS: otherwise its default would replace a --journal that was given before the order
        added.path("--journal", "FILE", _("where accepted moves are kept"), default=argparse.SUPPRESS)
        return added

    order("list", _("list the games")).flag("--json", _("one line of JSON"))
    order("statistics", _("wins, points and feats of each player in each game"))
    order("evening", _("who won what on the last evening"))
    of_a_game = {
        "show": _("show a game in words"),
        "export": _("write a game as a record to standard output"),
        "resume": _("go on with an unfinished game"),
        "delete": _("delete a game"),
        "mark": _("mark a game as played wrongly: it is kept, and left out of the statistics"),
        "unmark": _("take that mark away"),
    }
    for name, meaning in of_a_game.items():
        count = "?" if name == "resume" else None
        added = order(name, meaning)
        added.value("number", "N", _("the game's number in the list"), at_least(1), nargs=count)
        if name == "export":
            added.value("--as", "NOTATION", _("as other programs read it: ppn"), dest="notation")
    order("import", _("judge a record and enter it as a game")).path("record", "FILE", _("the game's record"))
    order("forget", _("take a person's name out of all games")).value("name", "NAME", _("the name"), as_typed)
    order("downgrade", _("bring the journal to an older version, for an older companion")).value(
        "version", "N", _("the version that it understands"), at_least(1)
    )


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
    parser.value("game", "GAME", _("the game's number in the list, or a record's file"), nargs="?")
    parser.path("--to", "FOLDER", _("where page and picture go"), default=Path())
    parser.path("--journal", "FILE", _("where accepted moves are kept"))
    parser.flag("--no-pictures", _("leave out the photographs that were kept"))


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


def _add_print(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "print",
        help=_("print boards, cards and pieces as PDF"),
        description=_(
            "Writes boards with markers, cards, pieces and sheets for the camera as PDF, to scale: print at 100 %."
            " Without a part a game's board is written; kit writes all of a game with a cover page."
        ),
        epilog=examples(
            "companion print royal-tee",
            "companion print royal-tee board pieces --paper letter",
            "companion print kit royal-study --preview",
            "companion print royal-tee markers --table my-board.toml",
            "companion print challenge territory --seed 7",
            "companion print measure front.jpg back.jpg",
            above=print_listing(),
        ),
    )
    parser.value("what", "WHAT", _("a game, or one of the words below"), nargs="?")
    parser.value("names", "PART", _("parts of the game; kit: the game; measure: pictures"), nargs="*")
    parser.flag("--list", _("list all that can be printed"))
    papers = ", ".join(_PAPERS)
    help_text = _("{papers}; whole: a board on one page").format(papers=papers)
    parser.value("--paper", "PAPER", help_text, one_of(_("paper"), _PAPERS), default="a4")
    parser.value(
        "--backs",
        "BACKS",
        _("long or short: both sides, turned on that edge; fold: one side, folded; none"),
        one_of(_("way of printing backs"), _BACKS),
        default="long",
    )
    parser.value(
        "--bleed", "MM", _("how far colours go over the cutting lines"), millimetres(0, _MOST_BLEED_MM), default=0.0
    )
    parser.flag("--no-crop-marks", _("print no cutting lines and marks"))
    parser.flag("--no-marks", _("pieces, cards and dice without markers; they are read with less certainty"))
    parser.value("--theme", "THEME", ", ".join(_THEMES), one_of(_("theme"), _THEMES), default="paper")
    parser.path("--table", "TABLE.toml", _("a table file of your own for board and markers"))
    parser.value("--seed", "N", _("challenge: which pieces are laid where"), at_least(0), default=1)
    parser.path("--out", "FILE.pdf", _("where to write"))
    parser.flag("--preview", _("also write each page as PNG"))
    parser.value("--bar", "MM", _("measure: length of the 100 mm bar by your ruler"), millimetres(50, 150))


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
    new.value("game", "GAME", _("the game that is played on it"), one_of(_("game"), game_names))
    new.value("--size", "WxH", _("width and height of the whole board"), pair_mm)
    new.value("--origin", "XxY", _("the top-left corner of cell A1, from the board's"), pair_mm)
    new.value("--cell", "WxH", _("width and height of a cell"), pair_mm)
    new.value("--marker", "MM", _("side of a marker's black square"), length_mm)
    new.path(
        "--from",
        "PHOTO.jpg",
        _("measure the board in photographs instead: put three or more printed markers round it, anywhere"),
        dest="photographs",
        nargs="+",
    )
    new.value(
        "--corners",
        '"X,Y X,Y X,Y X,Y"',
        _("the corners of the cells in the first photograph, in pixels, clockwise from the top left"),
    )
    new.flag(
        "--no-markers",
        _("find the board by what is printed on it; the first photograph shows it empty, the camera stands still"),
    )
    new.value("--dictionary", "DICT", _("the markers' dictionary, if it is not to be found out"))
    new.path("--out", "TABLE.toml", _("where to write"))
    show = actions.add_parser(
        "show",
        help=_("draw a game's table on standard output, as text or as SVG"),
        epilog=examples("companion table show royal-ur", "companion table show royal-tee --svg > royal-tee.svg"),
    )
    show.value("game", "GAME", _("the game that is played on it"), one_of(_("game"), game_names))
    show.path("--position", "FILE.json", _("a position as companion engine writes it; default: the start of a game"))
    show.flag("--svg", _("write SVG for pages and documents"))


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
            "mkdir -p ~/.config/companion",
            "companion panel example > ~/.config/companion/hardware.toml",
        ),
    )
    orders = parser.add_subparsers(dest="order", metavar="ORDER", required=True)
    orders.add_parser("example", help=_("write the commented example of a hardware.toml to standard output"))
    drawing = orders.add_parser("wiring", help=_("list and draw which part goes to which pin"))
    testing = orders.add_parser("test", help=_("walk through every part, and ask whether it works"))
    for order in (drawing, testing):
        order.path("--hardware", "FILE", _("the wiring; default: your hardware.toml"))
    drawing.path("--svg", "FILE", _("draw the header as a picture, too"))
    drawing.path("--schematic", "FILE", _("draw where each wire goes, with its resistors, as a picture"))
    drawing.path("--breadboard", "FILE", _("draw the parts on a breadboard, as a picture"))
    drawing.flag("--json", _("one line of JSON"))
    testing.value(
        "--parts",
        "PARTS",
        _("only some, such as lamps,bar; there are: {parts}").format(parts=", ".join(PARTS)),
        _parts,
        default=PARTS,
    )
    testing.flag("--yes", _("ask nothing: show everything and wait for presses only"))
    testing.flag("--simulated", _("on simulated pins, whose buttons press themselves"))
    testing.value("--seconds", "N", _("how long to wait for a press; default: 10"), at_least(1), default=10)


def _parts(text: str) -> Sequence[str]:
    """Parse a comma-separated list of parts; return them in the order of `PARTS`."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in PARTS:
            raise argparse.ArgumentTypeError(unknown(_("part"), word, PARTS))
    return [part for part in PARTS if part in words]


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
            "mkdir -p ~/.config/companion",
            "companion settings example > ~/.config/companion/companion.toml",
            "mkdir -p ~/.local/share/bash-completion/completions",
            "companion settings completion > ~/.local/share/bash-completion/completions/companion",
        ),
    )
    parser.value(
        "order",
        "ORDER",
        _("show, example, or completion for your shell; default: show"),
        one_of(_("order"), ("show", "example", "completion")),
        nargs="?",
        default="show",
    )
    parser.flag("--json", _("one line of JSON"))


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
    parser.flag("--json", _("one line of JSON"))


def _add_read(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "read",
        help=_("read photographs of a table"),
        description=_(
            "Reads photographs of a table: what is on each cell, how certain that is, and which cells "
            "cannot be relied on."
        ),
        epilog=examples(
            "companion read table.jpg",
            "companion read --picture read.png table.jpg",
            "companion read --game royal-tee --json first.jpg second.jpg",
            "companion read --table my-board.toml table.jpg",
            "companion read --explain C4 --picture c4.png table.jpg",
            above=paragraph(
                _(
                    "A file that is not a picture is reported on standard error and makes the exit code 2, which "
                    "outranks 3. With\n"
                    '--json it has its line too ("reason": "unreadable-file"). The other pictures are read all the '
                    "same."
                )
            ),
        ),
    )
    _add_table_arguments(parser, _("the game to look for; without it, the markers decide"))
    _add_image_arguments(parser)
    parser.value(
        "--explain",
        "CELL",
        _("also what each stage of reading made of this cell; --picture then has the cell alone"),
        a_word,
    )


def _add_score(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "score",
        help=_("score the position in a photograph"),
        description=_("Reads a photograph of a table and counts the score of the position in it."),
        epilog=examples(
            "companion score table.jpg",
            "companion score --picture score.png table.jpg",
            "companion score --game royal-tee --json table.jpg",
            above=_("Where cells are in doubt the most probable label counts, and the doubtful cells are named."),
        ),
    )
    _add_table_arguments(parser, _("the game to look for; without it, the markers decide"))
    parser.flag("--json", _("one line of JSON"))
    parser.path("--picture", "OUT.png", _("write the picture with what was read drawn over it"))
    parser.path("image", "IMAGE", _("a JPEG, PNG, WebP or BMP picture"))


def _add_dice(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "dice",
        help=_("read ordinary dice in a photograph"),
        description=_(
            "Reads ordinary dice with pips in a tray or anywhere in a picture: the top face of each, and "
            "how certain that is. A die that cannot be read is left out of the total."
        ),
        epilog=examples("companion dice throw.jpg", "companion dice --json --picture read.png throw.jpg"),
    )
    _add_image_arguments(parser)


def _add_cards(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "cards",
        help=_("read playing cards in a photograph"),
        description=_(
            "Reads single playing cards anywhere in a picture, face up or face down, without markers: which "
            "card each one is, and how certain that is."
        ),
        epilog=examples("companion cards hand.jpg", "companion cards --json --picture read.png hand.jpg"),
    )
    _add_image_arguments(parser)


def _add_judge(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "judge",
        help=_("judge a move from the position before it and a photograph after it"),
        description=_(
            "Reads a photograph and finds the legal actions that explain it best, or says why there is none. The side"
            " to move is the position's. A photograph from before the move, by the same camera in the same light,"
            " makes the judgement surer."
        ),
        epilog=examples(
            "companion judge --game royal-tee --position position.json --after after.jpg",
            "companion judge --position position.json --before before.jpg --after after.jpg",
        ),
    )
    _add_table_arguments(parser, _("the game that is played; without it, the position decides"))
    parser.path("--position", "P.json", _("the position before"), required=True)
    parser.path("--before", "IMAGE", _("a picture of the table before the move"))
    parser.path("--after", "IMAGE", _("a picture after the move"), required=True)
    parser.flag("--json", _("one line of JSON"))


def _add_watch(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "watch",
        help=_("report when the board in a recording is clean and still"),
        description=_(
            "Goes through a recording and reports for every picture what is over the board: nothing "
            "(clean), a hand, a shadow, another light than before, the board elsewhere than before (moved), "
            "or nothing to be seen (blind); and whether it is still."
        ),
        epilog=examples(
            "companion watch game.mp4",
            "companion watch --game royal-tee --json game.mp4",
            'companion watch --corners "412,96 1310,88 1522,960 230,981" chess.mp4',
            "companion watch pictures/",
            above=_(
                "Pieces that were moved leave a clean board. What has not moved for long counts as part of the board."
            ),
        ),
    )
    _add_table_arguments(parser, _("the game to look for; without it, the markers decide"))
    parser.value(
        "--corners",
        '"X,Y X,Y X,Y X,Y"',
        _("the board's corners in the first picture, in pixels, clockwise from its top left; it needs no markers"),
    )
    parser.flag("--json", _("one line of JSON for each picture"))
    parser.path("video", "VIDEO", _("a video file, or a folder of pictures"))


def _add_camera(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "camera",
        help=_("list the cameras, or test how well one sees the table"),
        description=_("Lists the cameras that there are, or tests one: sharpness, light, distance, slant and speed."),
        epilog=examples(
            "companion camera list",
            "companion camera test --camera webcam:0 --picture seen.png",
            "companion camera test --camera files:pictures --json",
        ),
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser(
        "list", help=_("list the cameras"), epilog=examples("companion camera list", "companion camera list --json")
    )
    listing.flag("--json", _("one line of JSON"))
    testing = actions.add_parser(
        "test",
        help=_("test a camera on the table before it"),
        description=_("Takes some pictures and reports what to change: nearer, more light, less slant. Needs a table."),
        epilog=examples("companion camera test", "companion camera test --camera webcam:0 --picture seen.png"),
    )
    testing.value(
        "--camera",
        "KIND",
        _("one of {cameras}; without it your settings decide").format(
            cameras=", ".join(kind.usage for kind in REAL_CAMERAS.values())
        ),
        a_word,
    )
    _add_table_arguments(testing, _("the game on the table"))
    testing.path("--picture", "OUT.png", _("write the picture with what was read drawn over it"))
    testing.flag("--json", _("one line of JSON"))


def _add_calibrate(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "calibrate",
        help=_("measure the camera's lens with a printed sheet"),
        description=_(
            "Measures the camera's lens from pictures of a printed sheet, checks it, and keeps it beside your settings."
            " Everything works without; with it boards are placed better when the camera looks straight down."
        ),
        epilog=examples(
            "companion print charuco",
            "companion calibrate --sheet sheet.svg",
            "companion calibrate sheet-*.jpg",
            "companion calibrate --output lens.toml sheet-*.jpg",
            above=paragraph(lens_steps()),
        ),
    )
    parser.path("--sheet", "OUT.svg", _("write the sheet to print, A4"))
    parser.path("--output", "LENS.toml", _("where to keep what is measured, if not beside your settings"))
    parser.flag("--json", _("one line of JSON"))
    parser.path("images", "IMAGE", _("a picture of the sheet"), nargs="*")


def _add_enrol(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "enrol",
        help=_("teach the camera your own pieces and board"),
        description=_(
            "Learns the colours of your own pieces and of your empty board from ten pictures or less, and "
            "keeps them beside your settings. Reading works without; with it unusual tints leave less doubt."
        ),
        epilog=examples(
            "companion enrol --game royal-tee --empty empty.jpg pieces-1.jpg pieces-2.jpg",
            'companion enrol --game territory --shows "red=A1,B2 white=C3" pieces.jpg',
            "companion enrol --game royal-tee --forget",
            above=paragraph(pieces_steps()),
        ),
    )
    parser.value("--game", "NAME", _("the game whose table it is"), one_of(_("game"), game_names), required=True)
    parser.path("--empty", "IMAGE", _("a picture of the empty board"), action="append", default=[])
    parser.value("--shows", "LABEL=CELL,CELL...", _("what is on some cells in the pictures"), default="")
    parser.flag("--forget", _("forget what was learned of this table"))
    parser.flag("--json", _("one line of JSON"))
    parser.path("images", "IMAGE", _("a picture of the board with pieces"), nargs="*")


def _add_table_arguments(parser: Parser, game_help: str) -> None:
    """Add `--game` with this help, `--table` and `--lens`."""
    parser.value("--game", "NAME", game_help, one_of(_("game"), game_names))
    _add_own_table(parser)
    parser.path(
        "--lens", "LENS.toml", _('what "companion calibrate" has measured, if not the file that it wrote for you')
    )


def _add_own_table(parser: Parser) -> None:
    """Add `--table`."""
    parser.path("--table", "FILE.toml", _("a table file of your own, where your board differs from ours"))


def _add_image_arguments(parser: Parser) -> None:
    """Add the images, `--json` and `--picture`."""
    parser.flag("--json", _("one line of JSON for each image, in order"))
    parser.path(
        "--picture",
        "OUT.png",
        _("write the picture with what was read drawn over it; of several images: OUT-1.png, OUT-2.png, ..."),
    )
    parser.path("images", "IMAGE", _("a JPEG, PNG, WebP or BMP picture"), nargs="+")


def game_names() -> Sequence[str]:
    """Return the games whose tables ship."""
    from vision.board import shipped_games

    return shipped_games()


COMMANDS: Mapping[str, Callable[[Subparsers], None]] = {
    "demo": _add_demo,
    "play": _add_play,
    "read": _add_read,
    "score": _add_score,
    "dice": _add_dice,
    "cards": _add_cards,
    "judge": _add_judge,
    "watch": _add_watch,
    "camera": _add_camera,
    "calibrate": _add_calibrate,
    "enrol": _add_enrol,
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
