"""What every command that looks at photographs shares: which tables to look for, one look, and a refusal's words."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.output import complain, write_json, write_text
from companion.cli.exits import REFUSED, UNUSABLE
from companion.cli.parser import UsageError, one_of
from companion.locale import _, english

if TYPE_CHECKING:
    from vision.board import Board
    from vision.frame import ImageBgr
    from vision.observation import Blind
    from vision.recognition.reader import AnyTableReader, Reading


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A picture, the table found in it, its reading, and the time from the decoded picture to the result."""

    image_bgr: ImageBgr
    board: Board
    reading: Reading
    milliseconds: float

    @property
    def labels(self) -> dict[str, str]:
        """The most probable label of each cell."""
        seen = self.reading.observation
        return dict(zip(seen.cells, seen.best(), strict=True))

    @property
    def unsure(self) -> list[str]:
        """The cells on which nothing should be built."""
        seen = self.reading.observation
        return list(compress(seen.cells, seen.unsure()))

    @property
    def hidden(self) -> list[str]:
        """Those of the unsure cells of which too little can be seen."""
        seen = self.reading.observation
        return list(compress(seen.cells, ~seen.visible))


def add_table_arguments(parser: argparse.ArgumentParser, game_help: str) -> None:
    """Add `--game`, with what is to be said of it, and `--table`."""
    parser.add_argument(
        "--game",
        type=one_of(_("game"), _game_names),
        metavar="NAME",
        help=game_help,
    )
    parser.add_argument(
        "--table",
        type=Path,
        metavar="FILE.toml",
        help=_("a table file of your own, where your board differs from ours"),
    )
    parser.add_argument(
        "--lens",
        type=Path,
        metavar="LENS.toml",
        help=_('what "companion calibrate" has measured, if not the file that it wrote for you'),
    )


def add_image_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the images, of which there may be several, and the ways to report what is seen in each."""
    parser.add_argument("--json", action="store_true", help=_("one line of JSON for each image, in order"))
    parser.add_argument(
        "--picture",
        type=Path,
        metavar="OUT.png",
        help=_("write the picture with what was read drawn over it; of several images: OUT-1.png, OUT-2.png, ..."),
    )
    parser.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help=_("a JPEG, PNG, WebP or BMP picture"))


def tables(args: argparse.Namespace) -> dict[str, Board]:
    """Load the tables that these arguments ask to look for, by their game; one that is set counts for one that ships.

    Raises:
        UsageError: `--game` and `--table` contradict each other.
        SetUpError: the settings cannot be used.
        BoardFileError: a table file cannot be used.
    """
    from vision.board import load_board, shipped_board, shipped_games

    if args.table is not None:
        boards: Sequence[Board] = [load_board(args.table)]
    else:
        own = own_tables()
        boards = [own.get(name) or shipped_board(name) for name in ([args.game] if args.game else shipped_games())]
    for board in boards:
        if args.game not in (None, board.game):
            text = _('{file}: expected a table for {game}, found one for "{found}"')
            raise UsageError(text.format(file=args.table, game=args.game, found=board.game))
    return {board.game: board for board in boards}


def own_tables() -> dict[str, Board]:
    """Load the tables that the settings name, by their game.

    Raises:
        SetUpError: the settings cannot be used.
        BoardFileError: a table file cannot be used.
    """
    from companion.shell.settings import find_settings
    from vision.board import load_board

    return {board.game: board for board in map(load_board, find_settings(os.environ).settings.tables)}


def reader_of(boards: Mapping[str, Board], lens: Path | None) -> AnyTableReader:
    """Make ready to look for tables, by their game, through the lens of a file or the user's own; enrolled or not.

    Raises:
        SetUpError: the lens file cannot be used, or what was enrolled.
        BoardFileError: the only one of the tables cannot be read.
    """
    from companion.shell.enrolled_file import find_enrolments
    from companion.shell.lens_file import find_calibration
    from vision.recognition.reader import AnyTableReader

    calibration = find_calibration(lens, os.environ)
    return AnyTableReader(list(boards.values()), calibration, find_enrolments(list(boards), os.environ))


def look(path: Path, boards: Mapping[str, Board], reader: AnyTableReader) -> Look | Blind:
    """Read one picture with the reader of these tables; a file that is no picture is a refusal too.

    Raises:
        BoardFileError: the table in the picture cannot be read.
    """
    from vision.errors import UnreadableImageError
    from vision.image_file import load_image
    from vision.observation import Blind, BlindReason

    try:
        image_bgr = load_image(path)
    except UnreadableImageError as error:
        return Blind(BlindReason.UNREADABLE_FILE, {"error": str(error)})
    start = time.perf_counter()
    result = reader.read(image_bgr)
    milliseconds = 1000 * (time.perf_counter() - start)
    return result if isinstance(result, Blind) else Look(image_bgr, boards[result.game], result, milliseconds)


def tell_refusal(path: Path, blind: Blind, *, as_json: bool) -> int:
    """Return why a picture was refused; give the exit code.

    What is no picture at all is unusable input: one sentence on standard error, and its line of JSON where asked for.
    """
    from companion.ui.words import blind_words
    from vision.observation import BlindReason

    if as_json:
        with english():
            message = blind_words(blind)
        write_json({"image": str(path), "status": "refused", "reason": blind.reason, "message": message})
    if blind.reason is BlindReason.UNREADABLE_FILE:
        complain(blind_words(blind))
        return UNUSABLE
    if not as_json:
        write_text(_("{image}: refused: {why}").format(image=path, why=blind_words(blind)))
    return REFUSED


def doubt_sentence(unsure: Sequence[str]) -> str:
    """Return on which cells nothing should be built."""
    if not unsure:
        return _("no cell in doubt")
    return _("unsure ({number}): {cells}").format(number=len(unsure), cells=" ".join(unsure))


def _game_names() -> Sequence[str]:
    from vision.board import shipped_games

    return shipped_games()
