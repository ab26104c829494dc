"""Reading of photographs: the tables to look for, the reading, and the annotated picture."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.games.speech import table_title
from companion.locale import _
from companion.printing.table_file import kit_board
from companion.shell.config_files import find_calibration, find_enrolments
from companion.shell.config_places import first_place
from companion.shell.errors import SetUpError
from companion.shell.settings import find_settings
from companion.ui.picture import annotate, save_picture
from vision.board import Board, load_board, shipped_board, shipped_games
from vision.camera.check import small_places
from vision.errors import UnreadableImageError
from vision.frame import ImageBgr
from vision.geometry import box
from vision.image_file import load_image
from vision.observation import Blind, BlindReason
from vision.recognition.reader import AnyTableReader, Reading


@dataclass(frozen=True, slots=True, eq=False)
class PhotoReading:
    """A picture, the table found in it, its reading, and the time of the reading."""

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
        """The cells that are unsure."""
        seen = self.reading.observation
        return list(compress(seen.cells, seen.unsure()))

    @property
    def heights(self) -> dict[str, tuple[int, int]]:
        """The least and greatest possible height of stacks, by cell, if it is uncertain."""
        return self.reading.observation.open_heights()

    @property
    def hidden(self) -> list[str]:
        """The unsure cells that are mostly hidden."""
        seen = self.reading.observation
        return list(compress(seen.cells, ~seen.visible))


def tables(game: str | None, table: Path | None) -> dict[str, Board]:
    """Load the tables to look for, by game: that of a file, that of a game, or all. The user's own take precedence.

    Raises:
        SetUpError: game and table file contradict each other, or the settings cannot be used.
        BoardFileError: a table file cannot be used.
    """
    if table is not None:
        board = table_for(game, table)
        return {board.game: board}
    own = own_tables()
    return {name: own.get(name) or shipped_board(name) for name in ([game] if game else shipped_games())}


def table_for(game: str | None, file: Path) -> Board:
    """Load a table file; raise SetUpError if it is not for the game, if one is given."""
    board = load_board(file)
    if game not in (None, board.game):
        text = _('{file}: expected a table for {game}, found one for "{found}"')
        raise SetUpError(text.format(file=file, game=game, found=board.game))
    return board


def own_table(game: str) -> str:
    """Return the file name of the user's own table of a game, among the configuration files."""
    return f"{game}-own.toml"


def own_tables() -> dict[str, Board]:
    """Load the user's own tables, by game: those of the settings, and those among the configuration files.

    Raises:
        SetUpError: the settings cannot be used.
        BoardFileError: a table file cannot be used.
    """
    found = [place for game in shipped_games() if (place := first_place(own_table(game), os.environ))]
    return {board.game: board for board in map(load_board, (*found, *find_settings(os.environ).settings.tables))}


def reader_of(boards: Mapping[str, Board], lens: Path | None) -> AnyTableReader:
    """Return a reader for these tables, with the given lens file or the user's own, and the enrolments.

    Raises:
        SetUpError: the lens file or an enrolment cannot be used.
        BoardFileError: the only table cannot be read.
    """
    calibration = find_calibration(lens, os.environ)
    kits = {game: kit for game, board in boards.items() if (kit := kit_board(board))}
    return AnyTableReader(list(boards.values()), calibration, find_enrolments(list(boards), os.environ), kits)


def look(path: Path, boards: Mapping[str, Board], reader: AnyTableReader) -> PhotoReading | Blind:
    """Read one picture with the reader of these tables; an invalid file is refused like an unreadable picture.

    Raises:
        BoardFileError: the table in the picture cannot be read.
    """
    try:
        image_bgr = load_image(path)
    except UnreadableImageError as error:
        return Blind(BlindReason.UNREADABLE_FILE, {"error": str(error)})
    return read_picture(image_bgr, boards, reader)


def read_picture(image_bgr: ImageBgr, boards: Mapping[str, Board], reader: AnyTableReader) -> PhotoReading | Blind:
    """Read a picture, uint8 (height, width, 3), with the reader of these tables; raise the same as `look`."""
    start = time.perf_counter()
    result = reader.read(image_bgr)
    milliseconds = 1000 * (time.perf_counter() - start)
    return result if isinstance(result, Blind) else PhotoReading(image_bgr, boards[result.game], result, milliseconds)


def write_picture(out: Path, seen: PhotoReading, lines: Sequence[str]) -> None:
    """Write the annotated picture with these lines under the game's title.

    Raises:
        OSError: it cannot be written there.
    """
    pose, titled = seen.reading.pose, (table_title(seen.board), *lines)
    drawn = annotate(
        seen.image_bgr, seen.board, pose, seen.labels, unsure=seen.unsure, hidden=seen.hidden, lines=titled
    )
    save_picture(out, drawn)


MOST_LABELS = 3
"""The number of most probable labels that are shown of each stage."""

CELL_PICTURE_PX = 320
"""Side of the picture of one cell, which includes half a cell on each side."""


def stages_of(seen: PhotoReading, cell: str) -> list[dict[str, Any]]:
    """Return the result of each stage of recognition for a cell, as JSON: name, visibility, most probable labels."""
    observation = seen.reading.observation
    row = observation.cells.index(cell)
    found = []
    for made in seen.reading.stages:
        likely = sorted(zip(made.p[row].tolist(), observation.labels, strict=True), reverse=True)[:MOST_LABELS]
        labels = {label: round(p, 4) for p, label in likely}
        found.append({"stage": made.stage, "visible": round(float(made.p_visible[row]), 4), "labels": labels})
    return found


def write_cell(out: Path, seen: PhotoReading, cell: str) -> None:
    """Write a rectified picture of a cell and half a cell around it.

    Raises:
        OSError: it cannot be written there.
    """
    board = seen.board
    middle = board.places_mm()[board.places.index(cell)]
    corners_mm = middle + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * board.grid.pitch
    pixels = seen.reading.pose.project_at(corners_mm, 0.0).astype(np.float32)
    warp = cv2.getPerspectiveTransform(pixels, box(0, 0, CELL_PICTURE_PX, CELL_PICTURE_PX).astype(np.float32))
    flat = cv2.warpPerspective(seen.image_bgr, warp, (CELL_PICTURE_PX, CELL_PICTURE_PX))
    save_picture(out, np.asarray(flat, dtype=np.uint8))


def doubt_sentences(seen: PhotoReading) -> tuple[str, ...]:
    """Return sentences with the unsure cells, that the picture is too small for some, and heights that are unsure."""
    sentences = [doubt_sentence(seen.unsure)]
    if {*small_places(seen.board, seen.reading)} & ({*seen.unsure} - {*seen.hidden}):
        sentences.append(nearer_sentence())
    ranges = [
        _("{cell} {least} to {most}").format(cell=cell, least=low, most=high)
        for cell, (low, high) in seen.heights.items()
    ]
    if ranges:
        sentences.append(_("How many are on one another cannot be seen well: {cells}.").format(cells=", ".join(ranges)))
    return tuple(sentences)


def nearer_sentence() -> str:
    """Return what to do if a board is too small in the picture."""
    return _("-> nearer, or a larger picture: the markers or cards are too small")


def doubt_sentence(unsure: Sequence[str]) -> str:
    """Return a sentence with the unsure cells."""
    if not unsure:
        return _("no cell in doubt")
    return _("unsure ({number}): {cells}").format(number=len(unsure), cells=" ".join(unsure))
