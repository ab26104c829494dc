"""Marked pieces: each marker is found on the table from the recommended height, and its number is its label."""

from __future__ import annotations

import tomllib
from itertools import combinations

import numpy as np
import pytest

from companion.games.kit import Drawing, Item, KitLine, Mark, Rectangle
from companion.games.kit_shapes import PIECES_DICTIONARY, moved
from companion.printing.contents import parts_of, print_parts
from companion.printing.kits import games_with_kits, kit_of
from companion.printing.paper import Options
from companion.printing.pieces import marked_side, piece_sheet, sticker_sheet
from companion.printing.table_file import checked, printed_table
from companion.printing.themes import THEMES
from tests.companion.printing.pages import board_page, lay, markers, pages, photographed
from tests.narrow import narrowed, there
from tests.vision.readings import throw_of
from vision.board import shipped_board, table_file
from vision.recognition.reader import Reading, TableReader
from vision.tray import read_dice

_PX = 5.0
_LEAST_MODULE_MM = 2.3
"""At the 2.3 pixels a millimetre of the recommended camera and height (deploy/CAMERA.md) some 5 pixels a module."""


def _marks(drawing: Drawing) -> list[Mark]:
    return [item for item in drawing.items if isinstance(item, Mark) and item.dictionary == PIECES_DICTIONARY]


def _all_drawings(game: str) -> list[Drawing]:
    kit = kit_of(game)
    sheets = (piece_sheet(kit, THEMES["paper"], marked=True), *kit.sheets(True), sticker_sheet(kit))
    return [drawing for sheet in sheets for drawing in (*sheet.fronts, *sheet.backs)]


def test_no_two_games_share_a_number() -> None:
    taken = {
        game: {*kit_of(game).marks.ids.values(), *kit_of(game).marks.dice_ids.values()} for game in games_with_kits()
    }
    for one, other in combinations(games_with_kits(), 2):
        assert not taken[one] & taken[other]
    assert all(0 <= number < 250 for numbers in taken.values() for number in numbers)


@pytest.mark.parametrize("game", games_with_kits())
def test_every_number_on_paper_is_declared_in_the_table_file(game: str) -> None:
    table = tomllib.loads(printed_table(game, marked=True))
    declared = {*table["marks"]["ids"].values(), *table.get("dice", {}).get("marks", {}).values()}
    printed = {mark.number for drawing in _all_drawings(game) for mark in _marks(drawing)}
    assert printed == declared
    assert table["marks"]["dictionary"] == PIECES_DICTIONARY
    assert table["marks"]["outlined"]
    own = printed_table(game, marked=True, own=table_file(game).read_text("utf-8"))
    assert "outlined" not in tomllib.loads(own)["marks"]  # the players' boards may have no lines


@pytest.mark.parametrize("game", games_with_kits())
def test_markers_are_as_large_as_declared_and_have_their_white_border(game: str) -> None:
    table = tomllib.loads(printed_table(game, marked=True))["marks"]
    labels = {number: label for label, number in table["ids"].items()}
    for drawing in _all_drawings(game):
        for mark in _marks(drawing):
            assert mark.side_mm / 6 >= _LEAST_MODULE_MM
            assert mark.border_mm >= mark.side_mm / 6 - 1e-9
            if mark.number in labels:
                assert mark.side_mm == table.get("sizes", {}).get(labels[mark.number], table["size_mm"])


@pytest.mark.parametrize("game", games_with_kits())
def test_marked_pieces_fit_on_their_cells(game: str) -> None:
    kit, board = kit_of(game), shipped_board(game)
    room = min(board.grid.pitch) if not board.cards.get("ranks") else min(board.cards["size"])
    assert max(marked_side(kit, piece) for piece in kit.pieces) < room


def test_marked_cards_show_the_same_marker_twice_and_backs_another() -> None:
    (cards,) = [sheet for sheet in kit_of("royal-racers").sheets(True) if sheet.key == "cards"]
    ids = kit_of("royal-racers").marks.ids
    for word, front, back in zip(shipped_board("royal-racers").card_words, cards.fronts, cards.backs, strict=True):
        assert [mark.number for mark in _marks(front)] == [ids[word]] * 2
        assert [mark.number for mark in _marks(back)] == [ids["back"]] * 2


def test_a_piece_with_room_bears_its_marker_twice() -> None:
    drawings = piece_sheet(kit_of("royal-study"), THEMES["paper"], marked=True).fronts
    for drawing in drawings:
        one, other = (item for item in drawing.items if isinstance(item, Mark))
        assert one.number == other.number
        assert np.abs(np.subtract(one.centre, other.centre)).min() > one.side_mm


def test_stickers_are_printed_for_every_piece_of_a_set() -> None:
    part = next(part for part in parts_of("territory", Options()) if part.key == "stickers")
    found = markers(pages(print_parts("", [part], Options()), 4.0)[0], PIECES_DICTIONARY)
    ids = kit_of("territory").marks.ids
    assert set(found) <= set(ids.values())
    assert sum(len(places) for places in found.values()) > 40


def _face(net: Drawing, number: int, side: float) -> Drawing:
    """The face of a die's net that bears a marker: all that is drawn over one of its squares."""
    mark = next(mark for mark in _marks(net) if mark.number == number)
    squares = [item.box for item in net.items if isinstance(item, Rectangle)]
    x, y = next((x, y) for x, y, w, h in squares if x < mark.centre[0] < x + w and y < mark.centre[1] < y + h)

    def inside(item: Item) -> bool:
        at = getattr(item, "centre", None) or getattr(item, "start", None) or getattr(item, "box", (-1.0, -1.0))[:2]
        return x <= at[0] < x + side and y <= at[1] < y + side

    return Drawing(side, side, tuple(moved(item, -x, -y) for item in net.items if inside(item)))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("game", [game for game in games_with_kits() if kit_of(game).marks.dice])
def test_marked_dice_beside_a_printed_board_are_read(game: str) -> None:
    kit = kit_of(game)
    table = checked(printed_table(game, marked=True), game)
    assert table.dice is not None
    page = board_page(table, px_per_mm=_PX)
    scene = np.vstack([page, np.full((round(80 * _PX), page.shape[1], 3), 90, np.uint8)])
    faces = list(kit.marks.dice_ids)
    values = [faces[-1 - place % len(faces)] for place in range(table.dice.count)]
    side = kit.marks.dice_mm
    [net] = [part.fronts[0] for part in kit.sheets(True) if part.key == "dice"]
    for place, value in enumerate(values):
        top = _face(net, kit.marks.dice_ids[value], side)
        lay(scene, top, (80.0 + 60 * place, table.size[1] + 40), _PX, 90.0 * place)
    image = photographed(scene, _PX, tilt_deg=4.0, turn_deg=2.0, size_wh=(2304, 1728))
    seen = narrowed(TableReader(table).read(image), Reading)
    thrown = there(throw_of(read_dice(image, table, seen.pose), table))
    assert sorted(map(str, thrown)) == sorted(values)


@pytest.mark.parametrize(("game", "sheet"), [("royal-study", "standees"), ("royal-racers", "pawns")])
def test_figures_stand_between_two_feet_with_their_marker(game: str, sheet: str) -> None:
    kit, table = kit_of(game), checked(printed_table(game, marked=True), game)
    (strips,) = [part.fronts for part in kit.sheets(True) if part.key == sheet]
    assert table.marks is not None
    assert [piece.count for name, piece in table.pieces.items() if name in kit.flat] == [1] * len(kit.flat)
    for strip in strips:
        back, front = sorted(_marks(strip), key=lambda mark: mark.centre[1])
        first, middle, last = sorted(item.start[1] for item in strip.items if isinstance(item, KitLine))
        assert back.number == front.number
        assert back.centre[1] + back.side_mm / 2 + back.border_mm <= first + 1e-6
        assert front.centre[1] - front.side_mm / 2 - front.border_mm >= last - 1e-6
        assert middle - first == pytest.approx(table.marks.standing_mm)
        assert 2 * first < min(table.grid.pitch)
