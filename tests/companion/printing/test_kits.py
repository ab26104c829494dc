"""A game that describes no kit gets one from its table file, in full: board, pieces, markers, table file."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.cli import main
from companion.cli.exits import DONE
from companion.printing import kits
from companion.printing.contents import kit_parts, parts_of, print_kit
from companion.printing.kits import KITS, games_with_kits, plain_kit
from companion.printing.paper import Options
from companion.printing.pictures import page_pictures
from companion.printing.pieces import piece_sheet
from companion.printing.themes import THEMES
from tests.architecture.source import ROOT
from vision.board import load_board, shipped_board, shipped_games

_SIXTH = load_board(ROOT / "tests/sixth_game/four_in_line/board.toml")


def test_every_game_with_a_table_can_be_printed() -> None:
    assert games_with_kits() == shipped_games()
    assert set(KITS) == set(shipped_games())


def test_a_table_file_alone_gives_a_kit() -> None:
    kit = plain_kit(_SIXTH)
    assert kit.title == "Four in Line"
    assert [piece.label for piece in kit.pieces] == ["red", "blue"]
    assert {piece.count for piece in kit.pieces} == {13}
    assert len(piece_sheet(kit, THEMES["paper"], marked=True).fronts) == 26
    assert set(kit.marks.ids.values()) == {120, 121}


def test_ids_of_plain_kits_are_apart_from_those_of_described_ones() -> None:
    taken = {number for kit in KITS.values() for number in (*kit().marks.ids.values(), *kit().marks.dice_ids.values())}
    assert max(taken) < min(plain_kit(_SIXTH).marks.ids.values())


def test_a_game_without_a_kit_of_its_own_is_printed_by_the_same_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(kits, "KITS", {})
    assert main(["print", "kit", "territory"]) == DONE
    marks = load_board(Path("territory-marked.toml")).marks
    assert marks is not None
    assert set(marks.ids) == {*shipped_board("territory").colours, "white"}
    assert [part.key for part in kit_parts("territory", Options())] == ["board", "pieces", "aid"]
    assert {part.key for part in parts_of("territory", Options())} == {
        "board",
        "pieces",
        "aid",
        "markers",
        "stickers",
        "notched",
        "touch",
    }


def test_a_kit_has_the_board_of_a_table_file_of_ones_own() -> None:
    board = msgspec.structs.replace(shipped_board("royal-ur"), size=(500.0, 260.0))
    _cover, face, *_rest = page_pictures(print_kit("royal-ur", Options(whole=True), board=board), 1.0)
    assert face.shape[1] == pytest.approx(500 + 30, abs=2)


def test_pieces_without_a_seat_are_printed_in_ink() -> None:
    kit = plain_kit(shipped_board("royal-study"))
    assert {piece.colour for piece in kit.pieces} == {"ink"}
