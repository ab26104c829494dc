"""Tables as SVG: every cell that has something on it has it in its middle, and what is alike is defined once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from companion.app.formatting import drawn_svg, shipped_table
from companion.cli import main
from companion.cli.exits import DONE, UNUSABLE
from companion.games.engines import ENGINES
from companion.printing.board_face import cell_box, middle
from companion.printing.board_svg import TableSvg, board_svg, shown_cells
from companion.ui.board_text import CellMarks
from engines.kernel import Seat
from tests.evaluate.advisers import SEATS
from vision.board import shipped_board
from vision.labels import parse_label

SVG = "{http://www.w3.org/2000/svg}"


def pieces_of(svg: str) -> dict[tuple[float, float], str]:
    """Return the id of what lies at each place of a drawing."""
    group = next(g for g in ET.fromstring(svg).iter(f"{SVG}g") if g.get("class") == "pieces")  # noqa: S314 - our own
    return {(float(use.attrib["x"]), float(use.attrib["y"])): use.attrib["href"] for use in group}


@pytest.mark.parametrize("game", SEATS)
def test_what_is_on_the_table_is_drawn_in_the_middle_of_its_cell(game: str) -> None:
    engine = ENGINES[game]
    position = engine.game.new([Seat(name) for name in SEATS[game]], {}, 3)
    table = shipped_table(game, position)
    assert table is not None
    svg = drawn_svg(game, position)
    assert svg is not None
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


def test_pieces_on_one_another_show_their_number_and_marked_cells_a_frame() -> None:
    board = shipped_board("royal-ur")
    assert ">7<" in board_svg(board, {"A3": "white*7"})
    assert ">7<" not in board_svg(board, {"A3": "white"})
    plain, marked = (
        board_svg(board, {}, marks=marks) for marks in (CellMarks(), CellMarks(wrong=["A3"], doubt=["B2"]))
    )
    assert marked.count("<rect") == plain.count("<rect") + 2


def test_positions_drawn_one_after_the_other_share_their_definitions() -> None:
    table = TableSvg(shipped_board("royal-ur"))
    first, second = shown_cells({"A3": "white"}), shown_cells({"B3": "white", "A1": "black"})
    assert [*pieces_of(table.svg(first)).values()] == [f"#{table.piece(first['A3'])}"]
    assert f"#{table.piece(first['A3'])}" in pieces_of(table.svg(second)).values()


def test_the_command_draws_the_start_or_a_position_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = ENGINES["territory"]
    position = engine.game.new([Seat(name) for name in SEATS["territory"]], {}, 0)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(engine.game.position_to_json(position)))
    assert main(["table", "show", "territory", "--svg", "--position", str(file)]) == DONE
    assert pieces_of(capsys.readouterr().out) == {}
    assert main(["table", "show", "royal-study", "--svg"]) == DONE
    assert len(pieces_of(capsys.readouterr().out)) == 5
    assert main(["table", "show", "royal-ur", "--position", str(file)]) == UNUSABLE
