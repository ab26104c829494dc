"""What fingers read: Braille as the standard has it, notches that tell the colours apart, markers that stay whole."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.kit import Circle, Polygon
from companion.games.kit_shapes import PIECES_DICTIONARY
from companion.printing.contents import kit_parts, parts_of
from companion.printing.document import Document
from companion.printing.kits import games_with_kits, kit_of
from companion.printing.paper import Options
from companion.printing.themes import THEMES
from companion.printing.touch import braille, braille_sheet, notched_sheet, notches_by_label, raised_lines
from tests.companion.printing.pages import markers, pages
from vision.board import shipped_board

DICTIONARY = PIECES_DICTIONARY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", "⠁⠃⠉"),
        ("jkt", "⠚⠅⠞"),
        ("uvwxyz", "⠥⠧⠺⠭⠽⠵"),
        ("E10", "⠑⠼⠁⠚"),
        ("12a", "⠼⠁⠃⠰⠁"),
        ("Dé ü", "⠙⠑⠀⠥"),
        ("Weiß", "⠺⠑⠊⠎⠎"),
    ],
)
def test_braille_has_the_dots_of_the_standard(text: str, expected: str) -> None:
    assert braille(text) == expected


def test_the_lines_of_a_board_are_mirrored_for_its_back() -> None:
    board = shipped_board("royal-tee")
    drawing = raised_lines(board)
    dots = [item for item in drawing.items if isinstance(item, Circle)]
    of_cells = sum(bin(ord(sign) - 0x2800).count("1") for cell in board.cells for sign in braille(cell))
    assert len(dots) == of_cells
    left, top = board.grid.origin
    width, pitch = board.size[0], board.grid.pitch
    a1 = [
        dot for dot in dots if width - left - pitch[0] < dot.centre[0] < width - left and dot.centre[1] < top + pitch[1]
    ]
    assert len(a1) == 1 + 4 + 1  # a, number sign, 1
    assert max(dot.centre[0] for dot in a1) == pytest.approx([dot for dot in a1 if dot.centre[0] > 0][-6].centre[0])


@pytest.mark.parametrize("game", [game for game in games_with_kits() if kit_of(game).pieces])
def test_every_colour_has_a_number_of_notches_of_its_own(game: str) -> None:
    kit = kit_of(game)
    by_label = notches_by_label(kit)
    colours = {piece.colour: by_label[piece.label] for piece in kit.pieces}
    assert len(set(colours.values())) == len(colours)
    sheet = notched_sheet(kit, THEMES["paper"], marked=True)
    for piece, front in zip([p for p in kit.pieces for _number in range(p.count)], sheet.fronts, strict=True):
        outlined = [item for item in front.items if isinstance(item, Polygon) and item.line == "ink"]
        assert len(outlined) == by_label[piece.label]


def test_notches_leave_the_markers_whole() -> None:
    found = []
    for key in ("pieces", "notched"):
        document = Document("", THEMES["paper"])
        next(part for part in parts_of("royal-ur", Options()) if part.key == key).draw(document)
        seen = Counter[int]()
        for page in pages(document.pdf(), 4.0):
            seen.update({number: len(corners) for number, corners in markers(page, DICTIONARY).items()})
        found.append(seen)
    assert found[0] == found[1]
    assert found[0].total() >= 14


def test_each_piece_has_one_strip_and_a_whole_kit_none() -> None:
    names = [front.items[-1] for front in braille_sheet(shipped_board("royal-racers")).fronts]
    assert len(names) == len({str(name) for name in names})
    assert 36 < len(names) < 60
    assert not {"touch", "notched"} & {part.key for part in kit_parts("royal-racers", Options())}
