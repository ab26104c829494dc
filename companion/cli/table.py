"""`companion table`: a table file for a board that users own, from its measures."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

from companion.app.formatting import drawn, drawn_svg
from companion.app.lines import read_line
from companion.app.output import write_plain, write_text
from companion.cli.exits import DONE, REFUSED
from companion.cli.judge import load_position
from companion.cli.parser import Pair, UsageError, length_mm, pair_mm
from companion.cli.photographs import corners_px, refuse_overwriting
from companion.games.engines import ENGINES
from companion.locale import _, ngettext
from companion.printing import table_file
from companion.printing.board_svg import board_svg
from companion.printing.paper import PrintingError
from companion.printing.table_file import checked, grid_span
from companion.shell.session import new_position
from companion.ui.board_text import board_text
from vision.board import Board, shipped_board
from vision.board_sections import markers_in
from vision.file_access import write_atomically
from vision.geometry import Floats
from vision.image_file import load_image
from vision.localization.locate import ScaledImage, locate, search_board
from vision.localization.survey import SurveyedPicture, find_any, survey

_AnswerT = TypeVar("_AnswerT")


def run(args: argparse.Namespace) -> int:
    """Write a table file from photographs, or else from measures; ask for what the options leave open.

    Raises:
        UsageError: a measure is missing and nobody can be asked.
        PrintingError, BoardFileError: no table can be made from these measures.
    """
    if args.action == "show":
        return _show(args)
    path, code = args.out or Path(f"{args.game}-own.toml"), DONE
    if args.no_markers and not args.photographs:
        raise UsageError(_("--no-markers: expected a photograph of the empty board: --from empty.jpg"))
    if not path.parent.is_dir():
        raise UsageError(_("{file}: there is no folder {folder}").format(file=path, folder=path.parent))
    if args.photographs:
        refuse_overwriting([path], args.photographs)
        code = _measure_print(args, path) if args.no_markers else _measure_photographs(args, path)
        then = _("Look how well it fits: companion read --table {file} --picture seen.png {photo}")
        then = then.format(file=path, photo=args.photographs[0])
    else:
        shipped = shipped_board(args.game)
        grid = shipped.grid
        size = args.size or _ask(_("Width and height of the whole board in mm"), shipped.size)
        cells = _("{columns} by {rows} cells").format(columns=grid.columns, rows=grid.rows)
        pitch = args.cell or _ask(_("Width and height of one of the {cells}").format(cells=cells), grid.pitch)
        corner = _("Where the top-left corner of the cells is, from the left and the top")
        origin = args.origin or _ask(corner, grid.origin)
        marker = args.marker or _ask_until(_("Side of a marker's black square"), f"{shipped.markers.side:g}", length_mm)
        _write(path, table_file.own_table(args.game, table_file.BoardMeasures(size, origin, pitch, marker)))
        then = _("Print its markers: companion print {game} markers --table {file}").format(game=args.game, file=path)
    write_text(_("{file}: written and checked").format(file=path), then)
    return code


def _write(path: Path, text: str) -> Board:
    """Write the text of a table file and return its board."""
    board = checked(text, str(path))
    write_atomically(path, text)
    return board


def _show(args: argparse.Namespace) -> int:
    """Draw a table, with a position on it if there is an engine for the game.

    Raises:
        UsageError, BadRequestError: the file does not hold a position of the game.
    """
    board = shipped_board(args.game)
    table = board_svg(board, {}) if args.svg else board_text(board, {})
    if args.game in ENGINES:
        engine = ENGINES[args.game]
        if args.position is None:
            position = new_position(engine, board.colours)
        else:
            position = engine.game.position_from_json(load_position(args.position))
        table = (drawn_svg if args.svg else drawn)(args.game, position) or table
    write_plain(f"{table}\n") if isinstance(table, str) else write_text(table)
    return DONE


def _measure_photographs(args: argparse.Namespace, path: Path) -> int:
    """Measure in photographs where the markers are, and write the file.

    Raises:
        UsageError: the corners are missing; SurveyError, UnreadableImageError: these photographs cannot be used.
    """
    if args.dictionary is not None and not markers_in(args.dictionary):
        message = _(
            '--dictionary: expected the name of one of OpenCV\'s dictionaries such as DICT_4X4_50, found "{word}"'
        )
        raise UsageError(message.format(word=args.dictionary))
    board = shipped_board(args.game)
    images = [load_image(photograph) for photograph in args.photographs]  # before anybody looks for corners in one
    corners = _corners(args)
    pictures, dictionary = [], args.dictionary
    for number, (photograph, image_bgr) in enumerate(zip(args.photographs, images, strict=True)):
        scaled = ScaledImage(image_bgr)
        dictionary, seen = find_any(scaled, dictionary)
        pictures.append(SurveyedPicture(str(photograph), scaled.size_wh, seen, corners if number == 0 else None))
    pitch = args.cell or board.grid.pitch
    across, down = grid_span(board)
    found = survey(pictures, (across * pitch[0], down * pitch[1]), dictionary, hold_height=args.cell is not None)
    text = table_file.photographed_table(args.game, found, marker=args.marker, cell=args.cell)
    _require_own_picture(checked(text, str(path)), args.photographs[0], corners)
    _write(path, text)
    ids = ", ".join(str(one.id) for one in found.markers)
    write_text(_("markers of {dictionary}: {ids}").format(dictionary=dictionary, ids=ids))
    for one in found.disagreements:
        moved = _("{file}: marker {id} is {off:.0f} px from where the other pictures have it; was it moved?")
        write_text(moved.format(file=one.name, id=one.marker, off=one.off_px))
    if args.marker is None and args.cell is None:
        write_text(_("Lengths are as on the board that ships; --marker MM or --cell WxH gives their scale."))
    return REFUSED if found.disagreements else DONE


def _measure_print(args: argparse.Namespace, path: Path) -> int:
    """Write a table file with patches of the empty board's print, by which it is found without markers.

    Raises:
        UsageError: the corners are missing; PrintingError: too little is printed on the board; UnreadableImageError:
            this photograph cannot be used.
    """
    image_bgr = load_image(args.photographs[0])
    corners = _corners(args)
    text = table_file.unmarked_table(args.game, image_bgr, corners, args.cell)
    _require_own_picture(checked(text, str(path)), args.photographs[0], corners)
    patches = len(_write(path, text).markers.ids)
    found = ngettext(
        "without markers: found by {count} patch of its print",
        "without markers: found by {count} patches of its print",
        patches,
    )
    write_text(found.format(count=patches))
    if args.cell is None:
        write_text(_("Lengths are as on the board that ships; --cell WxH gives their scale."))
    return DONE


def _require_own_picture(board: Board, photograph: Path, corners: Floats) -> None:
    """Raise PrintingError if a table that was measured in a photograph is not found there where its corners are."""
    scaled = ScaledImage(load_image(photograph))
    located = locate(scaled, board, search_board(scaled, board), None)
    if located is not None:
        (x, y), (right, bottom) = board.grid.origin, board.grid.end
        inset = np.array(board.grid.pitch) / 2 if board.grid.lines else np.zeros(2)
        outer = np.array([(x, y), (right, y), (right, bottom), (x, bottom)])
        corners_mm = outer + inset * np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)])
        off_px = np.linalg.norm(located.estimate.pose.project_at(corners_mm, 0.0) - corners, axis=1)
        cell_px = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) / max(grid_span(board))
        if (off_px < cell_px).all():
            return
    raise PrintingError(
        _("{file}: the table measured here is not found where the corners are; are they those of the cells?").format(
            file=photograph
        )
    )


def _corners(args: argparse.Namespace) -> Floats:
    """Return the grid's corners in the first photograph in pixels, as typed or asked for, float64 (4, xy)."""
    text = args.corners
    if text is None:
        write_text(_("Where are the corners of the cells in the first photograph? In pixels, such as 412,96."))
        names = (_("top left"), _("top right"), _("bottom right"), _("bottom left"))
        text = " ".join(_ask_until(name, "", _pixel) for name in names)
    return corners_px(text)


def _pixel(text: str) -> str:
    """Parse a point of a picture, as in "412,96", and return it without blanks."""
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*[, x]\s*([0-9]+(?:\.[0-9]+)?)\s*", text)
    if found is None:
        raise argparse.ArgumentTypeError(_('expected two numbers such as 412,96, not "{word}"').format(word=text))
    return f"{found[1]},{found[2]}"


def _ask(question: str, usual: Pair) -> Pair:
    return _ask_until(question, f"{usual[0]:g}x{usual[1]:g}", pair_mm)


def _ask_until(question: str, usual: str, understand: Callable[[str], _AnswerT]) -> _AnswerT:
    """Ask until `understand` accepts the answer; an empty answer stands for the usual one."""
    while True:
        sys.stdout.write(f"{question} [{usual}]: " if usual else f"{question}: ")
        sys.stdout.flush()
        line = read_line()
        if not line:
            sys.stdout.write("\n")  # the sentence has a line of its own
            raise UsageError(_("expected an answer, or the options that give it"))
        try:
            return understand(line.strip() or usual)
        except argparse.ArgumentTypeError as error:
            write_text(str(error))
