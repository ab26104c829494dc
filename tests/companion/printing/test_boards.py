"""Printed boards: to scale, whole when their pages are glued together, and read by our own reader."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import cv2
import numpy as np
import pytest

from companion.app.formatting import drawn_svg, shipped_table
from companion.cli import main
from companion.cli.exits import UNUSABLE
from companion.games.engines import ENGINES
from companion.printing.board_face import cell_box, middle
from companion.printing.board_svg import TableSvg, board_svg, shown_cells
from companion.printing.contents import parts_of, print_parts
from companion.printing.cut_sheets import pack, room_of
from companion.printing.kits import kit_of
from companion.printing.paper import PAPERS, Options
from companion.printing.pieces import piece_sheet
from companion.printing.themes import THEMES, Theme, contrast
from companion.printing.tiling import OVERLAP_MM, tile
from engines.kernel import Seat
from tests.companion.conftest import Told
from tests.companion.printing.pages import board_page, markers, pages
from tests.evaluate.advisers import SEATS
from tests.narrow import there
from vision.board import shipped_board, shipped_games
from vision.labels import parse_label

_PX = 4.0


@pytest.mark.parametrize("game", shipped_games())
def test_the_markers_are_where_the_table_file_has_them(game: str) -> None:
    board = shipped_board(game)
    found = markers(board_page(board, px_per_mm=_PX), board.markers.dictionary)
    assert set(found) == set(board.markers.ids)
    for number, expected in zip(board.markers.ids, board.markers.corners_mm(), strict=True):
        (corners,) = found[number]
        assert np.abs((corners + 0.5) / _PX - expected).max() < 0.25


@pytest.mark.sampled(4)
@pytest.mark.parametrize("paper", ["a4", "letter", "a3"])
@pytest.mark.parametrize("game", ["royal-tee", "royal-ur"])
def test_pages_cut_and_glued_are_the_whole_board(game: str, paper: str) -> None:
    board, options = shipped_board(game), Options(paper=PAPERS[paper], cutting=False)
    part = parts_of(game, options)[0]
    printed = pages(print_parts("", [part], options), _PX)
    tiling = tile(*board.size, options.paper)
    assert len(printed) == tiling.pages
    whole = board_page(board, px_per_mm=_PX)
    glued = np.zeros_like(whole)
    for page, one in zip(printed, tiling.tiles, strict=True):
        left, top = one.corner
        x, y, w, h = (round(v * _PX) for v in one.window)
        u, v = round(left * _PX), round(top * _PX)
        part_of_board = page[v : v + h, u : u + w][: glued.shape[0] - y, : glued.shape[1] - x]
        glued[y : y + part_of_board.shape[0], x : x + part_of_board.shape[1]] = part_of_board
    near = [cv2.blur(image, (9, 9)).astype(int) for image in (glued, whole)]  # pages begin within a pixel
    assert np.abs(near[0] - near[1]).max() < 64
    assert set(markers(glued, board.markers.dictionary)) == set(board.markers.ids)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("game", shipped_games())
def test_no_seam_crosses_a_marker_and_neighbours_overlap(game: str, paper: str) -> None:
    board = shipped_board(game)
    tiling = tile(*board.size, PAPERS[paper])
    windows = [one.window for one in tiling.tiles]
    assert min(w for _x, _y, w, _h in windows) <= tiling.paper.width_mm - 2 * tiling.paper.margin_mm
    for column in range(1, tiling.columns):
        assert windows[column - 1][0] + windows[column - 1][2] - windows[column][0] == pytest.approx(OVERLAP_MM)
    reach = board.markers.side / 2 + 4
    for cx, cy in board.markers.centres:
        for x, y, _w, _h in windows:
            assert x == 0 or not cx - reach < x < cx + reach
            assert y == 0 or not cy - reach < y < cy + reach


INK_ON_GROUND = (
    *(("frame-ink", "frame"), ("number", "ground"), ("number", "second"), ("ornament", "ground")),
    *(("ornament-2", "ground"), ("ink", "page"), ("ink", "tint"), ("soft", "page"), ("accent", "page")),
    ("accent-2", "page"),
)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_words_and_ornaments_of_a_theme_have_a_contrast_of_at_least_four_and_a_half(theme: Theme) -> None:
    assert min(contrast(theme.rgb(ink), theme.rgb(ground)) for ink, ground in INK_ON_GROUND) >= 4.5


def test_marks_are_outside_the_bleed_and_on_the_page() -> None:
    """Marks on a dark ground would not be seen, and what bleeds would be cut off beyond the page's room."""
    options = Options(theme=THEMES["dark"], bleed_mm=6.0)
    page = pages(print_parts("", [parts_of("territory", options)[0]], options), _PX)[0]
    tiling = tile(*shipped_board("territory").size, options.paper, options.bleed_mm)
    left, top = (round(at * _PX) for at in tiling.tiles[0].corner)
    width, bleed = round(tiling.tiles[0].window[2] * _PX), round(6.0 * _PX)
    above = page[top - bleed - 4 * round(_PX) : top - bleed - 1, left : left + width]
    assert (above.max(axis=2) < 200).any()  # "glue", and where the next page begins
    ground = page[top - bleed + 2 : top - 2, left + 5 : left + width - 2]
    assert np.abs(ground.astype(int) - ground[0, 0]).max() < 8
    room = room_of(PAPERS["a4"])
    style = Options(bleed_mm=6.0)
    places = pack(piece_sheet(kit_of("territory"), options.theme, marked=True).fronts, PAPERS["a4"], style) or []
    assert places
    assert min(y for page in places for _part, (_x, y) in page) >= room[1] + 6.0


# ---- tables as SVG: every cell that has something on it has it in its middle, and what is alike is defined once


SVG = "{http://www.w3.org/2000/svg}"


def pieces_of(svg: str) -> dict[tuple[float, float], str]:
    """Return the id of what lies at each place of a drawing."""
    group = next(g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("class") == "pieces")  # noqa: S314 - our own
    return {(float(use.attrib["x"]), float(use.attrib["y"])): use.attrib["href"] for use in group}


@pytest.mark.parametrize("game", SEATS)
def test_what_is_on_the_table_is_drawn_in_the_middle_of_its_cell(game: str) -> None:
    engine = ENGINES[game]
    position = engine.game.new([Seat(name) for name in SEATS[game]], {}, 3)
    table = there(shipped_table(game, position))
    svg = there(drawn_svg(game, position))
    on_table = {cell: label for cell, label in table.labels.items() if not parse_label(label).is_empty}
    drawn = pieces_of(svg)
    assert set(drawn) == {middle(cell_box(table.board, cell)) for cell in on_table}
    kinds = {label: drawn[middle(cell_box(table.board, cell))] for cell, label in on_table.items()}
    assert len(set(kinds.values())) == len(kinds), "each label is drawn by a definition of its own"


@pytest.mark.parametrize("game", SEATS)
def test_everything_that_is_used_is_defined_once_and_nothing_is_loaded_from_elsewhere(game: str) -> None:
    board = shipped_board(game)
    svg = board_svg(board, dict.fromkeys(board.cells, board.label_words[-1]), title='"<&>', prefix="x")
    defined = re.findall(r'id="([^"]+)"', svg)
    assert len(defined) == len(set(defined))
    assert {use.removeprefix("#") for use in re.findall(r'href="([^"]+)"', svg)} <= set(defined)
    assert all(name.startswith("x") for name in defined)
    assert '"-0"' not in svg
    assert ET.fromstring(svg).get("aria-label") == '"<&>'  # noqa: S314 - our own


def test_pieces_on_one_another_show_their_number() -> None:
    board = shipped_board("royal-ur")
    assert ">7<" in board_svg(board, {"A3": "white*7"})
    assert ">7<" not in board_svg(board, {"A3": "white"})


def test_positions_drawn_one_after_the_other_share_their_definitions() -> None:
    table = TableSvg(shipped_board("royal-ur"))
    first, second = shown_cells({"A3": "white"}), shown_cells({"B3": "white", "A1": "black"})
    assert [*pieces_of(table.svg(first)).values()] == [f"#{table.piece(first['A3'])}"]
    assert f"#{table.piece(first['A3'])}" in pieces_of(table.svg(second)).values()


def test_the_command_draws_the_start_or_a_position_of_a_file(tmp_path: Path, told: Told) -> None:
    engine = ENGINES["territory"]
    position = engine.game.new([Seat(name) for name in SEATS["territory"]], {}, 0)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(engine.game.position_to_json(position)))
    assert pieces_of(told("table", "show", "territory", "--svg", "--position", file)) == {}
    assert len(pieces_of(told("table", "show", "royal-study", "--svg"))) == 5
    assert main(["table", "show", "royal-ur", "--position", str(file)]) == UNUSABLE
