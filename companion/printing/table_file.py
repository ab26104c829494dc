"""Table files that go with a print: the same board with flat paper pieces, or the same cells on a board of other measures."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from companion.games.kit import Kit
from companion.printing.pieces import flat_sizes
from vision.board import Board, parse_board

PAPER_MM = 1.5
"""Height of a paper piece: paper on card."""


def shipped_text(game: str) -> str:
    """Return the text of the table file that ships for a game."""
    file = resources.files("vision.boards").joinpath(game.replace("-", "_"), "board.toml")
    return file.read_text(encoding="utf-8")


def printed_table(game: str, kit: Kit, *, marked: bool) -> str:
    """Return the table file of a printed kit: its pieces are flat, and their markers are declared if they have any."""
    text = shipped_text(game)
    pieces = tomllib.loads(text)["pieces"]
    sizes = flat_sizes(kit, marked=marked)
    for name, size in sizes.items():
        line = f"{name} = {_inline(_flat(pieces[name], size, marked=marked))}"
        text = re.sub(rf"^{name} = \{{.*$", line, text, count=1, flags=re.MULTILINE)
    head = "# The printed kit: the same board, with paper pieces. Written by `companion print`.\n"
    return head + text.rstrip() + "\n" + (_marks(kit) if marked else "")


def _flat(piece: Mapping[str, Any], size: float, *, marked: bool) -> dict[str, Any]:
    """Keep what a piece can do, and replace its shape and sizes."""
    sizes = ("shape", "diameter", "head_diameter", "dot_diameter", "dot", "size", "height")
    able = {key: value for key, value in piece.items() if key not in sizes}
    shape = {"shape": "tile", "size": size} if marked else {"shape": "disc", "diameter": size}
    return {**shape, "height": PAPER_MM, **able}


def _inline(values: Mapping[str, Any]) -> str:
    return "{ " + ", ".join(f"{key} = {_value(value)}" for key, value in values.items()) + " }"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"


def _marks(kit: Kit) -> str:
    """Declare the markers of the pieces, and of the dice."""
    marks = kit.marks
    lines = ["", "[marks]", 'dictionary = "DICT_4X4_250"', f"size_mm = {marks.size_mm:g}", "[marks.ids]"]
    lines += [f'"{label}" = {number}' for label, number in marks.ids.items()]
    if marks.sizes:
        lines += ["[marks.sizes]", *(f'"{label}" = {size:g}' for label, size in marks.sizes.items())]
    return "\n".join(lines) + "\n"


def resized_table(game: str, size: tuple[float, float], grid: Mapping[str, tuple[float, float]], marker_mm: float) -> str:
    """Return a table file with the cells of a game on a board of other measures, markers in its corners.

    Args:
        game: whose pieces, labels and cells these are.
        size: width and height of the whole board in mm.
        grid: "origin", the top-left corner of A1, and "pitch", width and height of a cell, in mm.
        marker_mm: side of a marker's black square.
    """
    text = shipped_text(game)
    inset = marker_mm / 2 + 9.0 * marker_mm / 30
    (w, h) = size
    centres = [[inset, inset], [w - inset, inset], [w - inset, h - inset], [inset, h - inset]]
    replaced = {
        "size": [w, h],
        "side": marker_mm,
        "centres": [[round(v, 2) for v in centre] for centre in centres],
        "origin": list(grid["origin"]),
        "pitch": list(grid["pitch"]),
    }
    for key, value in replaced.items():
        text = re.sub(rf"^{key} = .*$", f"{key} = {value}", text, count=1, flags=re.MULTILINE)
    return "# A board of your own; written by `companion table new`.\n" + text


def checked(text: str, source: str) -> Board:
    """Parse a table file that was written here, so that nothing is written that reading would reject.

    Raises:
        BoardFileError: it would be rejected.
    """
    return parse_board(text, source)
