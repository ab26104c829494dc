"""`companion table`: a table file for a board that users own, from its measures."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.app.output import write_text
from companion.cli.exits import DONE
from companion.cli.parser import Subparsers, UsageError, examples, one_of
from companion.locale import _

if TYPE_CHECKING:
    from companion.printing.table_file import BoardMeasures
    from vision.board import Board

_AnswerT = TypeVar("_AnswerT")
_Pair = tuple[float, float]

_MOST_MM = 3000.0
"""Width and height that a board on a table can have; a print of a larger one has hundreds of pages."""

_LEAST_MARKER_MM = 8.0
"""A module of such a marker is 1 mm, less than two pixels of the recommended camera."""


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = subparsers.add_parser(
        "table",
        help=_("write a table file for a board of your own"),
        description=_("Writes the file that says where markers and cells are on a board of your own, in mm."),
        epilog=examples("companion table new royal-tee"),
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
        ),
    )
    new.add_argument("game", type=one_of(_("game"), _games), metavar="GAME", help=_("the game that is played on it"))
    new.add_argument("--size", type=_pair, metavar="WxH", help=_("width and height of the whole board"))
    new.add_argument("--origin", type=_pair, metavar="XxY", help=_("the top-left corner of cell A1, from the board's"))
    new.add_argument("--cell", type=_pair, metavar="WxH", help=_("width and height of a cell"))
    new.add_argument("--marker", type=_length, metavar="MM", help=_("side of a marker's black square"))
    new.add_argument("--out", type=Path, metavar="TABLE.toml", help=_("where to write"))


def _games() -> list[str]:
    from companion.printing.kits import games_with_kits

    return list(games_with_kits())


def _pair(text: str) -> _Pair:
    """Understand two lengths, as in "300x300"."""
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*[x, ]\s*([0-9]+(?:\.[0-9]+)?)\s*", text)
    if found is None or not all(0 < float(length) <= _MOST_MM for length in found.groups()):
        message = _('expected two lengths in mm such as 300x250, not "{word}"').format(word=text)
        raise argparse.ArgumentTypeError(message)
    return float(found[1]), float(found[2])


def _length(text: str) -> float:
    """Understand the side of a marker in mm."""
    if not re.fullmatch(r"\s*[0-9]+(\.[0-9]+)?\s*", text) or not _LEAST_MARKER_MM <= float(text) <= _MOST_MM:
        raise argparse.ArgumentTypeError(_('expected a length in mm such as 30, not "{word}"').format(word=text))
    return float(text)


def run(args: argparse.Namespace) -> int:
    """Ask for what the options leave open, and write the file.

    Raises:
        UsageError: something is missing and nobody can be asked.
        PrintingError, BoardFileError: no table can be made from these measures.
    """
    from companion.printing.table_file import checked, own_table
    from vision.board import shipped_board
    from vision.file_access import write_atomically

    measures = _measures(args, shipped_board(args.game))
    path = args.out or Path(f"{args.game}-own.toml")
    text = own_table(args.game, measures)
    checked(text, str(path))
    write_atomically(path, text)
    write_text(_("{file}: written and checked").format(file=path))
    write_text(_("Print its markers: companion print {game} markers --table {file}").format(game=args.game, file=path))
    return DONE


def _measures(args: argparse.Namespace, shipped: Board) -> BoardMeasures:
    from companion.printing.table_file import BoardMeasures

    grid = shipped.grid
    size = args.size or _ask(_("Width and height of the whole board in mm"), shipped.size)
    columns_rows = _("{columns} by {rows} cells").format(columns=grid.columns, rows=grid.rows)
    pitch = args.cell or _ask(_("Width and height of one of the {cells}").format(cells=columns_rows), grid.pitch)
    origin = args.origin or _ask(_("Where the top-left corner of the cells is, from the left and the top"), grid.origin)
    marker = args.marker or _ask_length(_("Side of a marker's black square"), shipped.markers.side)
    return BoardMeasures(size, origin, pitch, marker, {})


def _ask(question: str, usual: _Pair) -> _Pair:
    return _asked(question, f"{usual[0]:g}x{usual[1]:g}", _pair)


def _ask_length(question: str, usual: float) -> float:
    return _asked(question, f"{usual:g}", _length)


def _asked(question: str, usual: str, understand: Callable[[str], _AnswerT]) -> _AnswerT:
    """Ask until the answer is understood; an empty one takes what is usual."""
    from companion.app.lines import read_line

    while True:
        sys.stdout.write(f"{question} [{usual}]: ")
        sys.stdout.flush()
        line = read_line()
        if not line:
            raise UsageError(_("expected an answer, or the options --size, --cell, --origin and --marker"))
        try:
            return understand(line.strip() or usual)
        except argparse.ArgumentTypeError as error:
            write_text(str(error))
