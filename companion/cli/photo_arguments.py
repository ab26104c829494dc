"""The arguments of the commands that read photographs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from companion.cli.parser import Subparsers, examples, one_of, paragraph
from companion.locale import _
from companion.shell.devices import REAL_CAMERAS
from companion.ui.names import lens_steps, pieces_steps


def _add_read(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "read",
        help=_("read photographs of a table"),
        description=_(
            "Reads photographs of a table: what is on each cell, how certain that is, and which cells "
            "cannot be relied on."
        ),
        epilog=paragraph(
            _(
                "A file that is no picture is reported on standard error and makes the exit code 2, which "
                "outranks 3. With\n"
                '--json it has its line too ("reason": "unreadable-file"). The other pictures are read all the '
                "same."
            )
        )
        + "\n\n"
        + examples(
            "companion read table.jpg",
            "companion read --picture read.png table.jpg",
            "companion read --game royal-tee --json first.jpg second.jpg",
            "companion read --table my-board.toml table.jpg",
            "companion read --explain C4 --picture c4.png table.jpg",
        ),
    )
    add_table_arguments(parser, _("the game to look for; without it, the markers decide"))
    add_image_arguments(parser)
    parser.add_argument(
        "--explain",
        metavar="CELL",
        help=_("also what each stage of reading made of this cell; --picture then has the cell alone"),
    )


def _add_score(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "score",
        help=_("score the position in a photograph"),
        description=_("Reads a photograph of a table and counts the score of the position in it."),
        epilog=_("Where cells are in doubt the most probable label counts, and the doubtful cells are named.")
        + "\n\n"
        + examples(
            "companion score table.jpg",
            "companion score --picture score.png table.jpg",
            "companion score --game royal-tee --json table.jpg",
        ),
    )
    add_table_arguments(parser, _("the game to look for; without it, the markers decide"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    parser.add_argument(
        "--picture", type=Path, metavar="OUT.png", help=_("write the picture with what was read drawn over it")
    )
    parser.add_argument("image", type=Path, metavar="IMAGE", help=_("a JPEG, PNG, WebP or BMP picture"))


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
    add_image_arguments(parser)


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
    add_image_arguments(parser)


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
    add_table_arguments(parser, _("the game that is played; without it, the position decides"))
    parser.add_argument("--position", type=Path, metavar="P.json", required=True, help=_("the position before"))
    parser.add_argument("--before", type=Path, metavar="IMAGE", help=_("a picture of the table before the move"))
    parser.add_argument("--after", type=Path, metavar="IMAGE", required=True, help=_("a picture after the move"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))


def _add_watch(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "watch",
        help=_("report when the board in a recording is clean and still"),
        description=_(
            "Goes through a recording and reports for every picture what is over the board: nothing "
            "(clean), a hand, a shadow, another light than before, the board elsewhere than before (moved), "
            "or nothing to be seen (blind); and whether it is still."
        ),
        epilog=_("Pieces that were moved leave a clean board. What has not moved for long counts as part of the board.")
        + "\n\n"
        + examples(
            "companion watch game.mp4",
            "companion watch --game royal-tee --json game.mp4",
            'companion watch --corners "412,96 1310,88 1522,960 230,981" chess.mp4',
            "companion watch pictures/",
        ),
    )
    add_table_arguments(parser, _("the game to look for; without it, the markers decide"))
    parser.add_argument(
        "--corners",
        metavar='"X,Y X,Y X,Y X,Y"',
        help=_("the board's corners in the first picture, in pixels, clockwise from its top left; it needs no markers"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each picture"))
    parser.add_argument("video", type=Path, metavar="VIDEO", help=_("a video file, or a folder of pictures"))


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
    listing.add_argument("--json", action="store_true", help=_("one line of JSON"))
    testing = actions.add_parser(
        "test",
        help=_("test a camera on the table before it"),
        description=_("Takes some pictures and reports what to change: nearer, more light, less slant. Needs a table."),
        epilog=examples("companion camera test", "companion camera test --camera webcam:0 --picture seen.png"),
    )
    testing.add_argument(
        "--camera",
        metavar="KIND",
        help=_("one of {cameras}; without it your settings decide").format(
            cameras=", ".join(kind.usage for kind in REAL_CAMERAS.values())
        ),
    )
    add_table_arguments(testing, _("the game on the table"))
    testing.add_argument(
        "--picture", type=Path, metavar="OUT.png", help=_("write the picture with what was read drawn over it")
    )
    testing.add_argument("--json", action="store_true", help=_("one line of JSON"))


def _add_calibrate(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "calibrate",
        help=_("measure the camera's lens with a printed sheet"),
        description=_(
            "Measures the camera's lens from pictures of a printed sheet, checks it, and keeps it beside your settings."
            " Everything works without; with it boards are placed better when the camera looks straight down."
        ),
        epilog=paragraph(lens_steps())
        + "\n\n"
        + examples(
            "companion print charuco",
            "companion calibrate --sheet sheet.svg",
            "companion calibrate sheet-*.jpg",
            "companion calibrate --output lens.toml sheet-*.jpg",
        ),
    )
    parser.add_argument("--sheet", type=Path, metavar="OUT.svg", help=_("write the sheet to print, A4"))
    parser.add_argument(
        "--output",
        type=Path,
        metavar="LENS.toml",
        help=_("where to keep what is measured, if not beside your settings"),
    )
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    parser.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help=_("a picture of the sheet"))


def _add_enrol(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "enrol",
        help=_("teach the camera your own pieces and board"),
        description=_(
            "Learns the colours of your own pieces and of your empty board from ten pictures or less, and "
            "keeps them beside your settings. Reading works without; with it unusual tints leave less doubt."
        ),
        epilog=paragraph(pieces_steps())
        + "\n\n"
        + examples(
            "companion enrol --game royal-tee --empty empty.jpg pieces-1.jpg pieces-2.jpg",
            'companion enrol --game territory --shows "red=A1,B2 white=C3" pieces.jpg',
            "companion enrol --game royal-tee --forget",
        ),
    )
    parser.add_argument(
        "--game",
        type=one_of(_("game"), game_names),
        metavar="NAME",
        required=True,
        help=_("the game whose table it is"),
    )
    parser.add_argument(
        "--empty", type=Path, action="append", default=[], metavar="IMAGE", help=_("a picture of the empty board")
    )
    parser.add_argument(
        "--shows", default="", metavar="LABEL=CELL,CELL...", help=_("what is on some cells in the pictures")
    )
    parser.add_argument("--forget", action="store_true", help=_("forget what was learned of this table"))
    parser.add_argument("--json", action="store_true", help=_("one line of JSON"))
    parser.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help=_("a picture of the board with pieces"))


def add_table_arguments(parser: argparse.ArgumentParser, game_help: str) -> None:
    """Add `--game` with this help, `--table` and `--lens`."""
    parser.add_argument("--game", type=one_of(_("game"), game_names), metavar="NAME", help=game_help)
    add_own_table(parser)
    parser.add_argument(
        "--lens",
        type=Path,
        metavar="LENS.toml",
        help=_('what "companion calibrate" has measured, if not the file that it wrote for you'),
    )


def add_own_table(parser: argparse.ArgumentParser) -> None:
    """Add `--table`."""
    meaning = _("a table file of your own, where your board differs from ours")
    parser.add_argument("--table", type=Path, metavar="FILE.toml", help=meaning)


def add_image_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the images, `--json` and `--picture`."""
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each image, in order"))
    parser.add_argument(
        "--picture",
        type=Path,
        metavar="OUT.png",
        help=_("write the picture with what was read drawn over it; of several images: OUT-1.png, OUT-2.png, ..."),
    )
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help=_("a JPEG, PNG, WebP or BMP picture"))


def game_names() -> Sequence[str]:
    """Return the games whose tables ship."""
    from vision.board import shipped_games

    return shipped_games()


PHOTO_COMMANDS: Mapping[str, Callable[[Subparsers], None]] = {
    "read": _add_read,
    "score": _add_score,
    "dice": _add_dice,
    "cards": _add_cards,
    "judge": _add_judge,
    "watch": _add_watch,
    "camera": _add_camera,
    "calibrate": _add_calibrate,
    "enrol": _add_enrol,
}
