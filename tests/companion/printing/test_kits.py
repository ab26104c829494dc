"""A game that describes no kit gets one from its table file, in full: board, pieces, markers, table file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.cli.exits import DONE
from companion.games import playing_cards
from companion.games.kit import Circle, Drawing, Polygon, Symbol
from companion.games.kit_shapes import PIECES_DICTIONARY
from companion.games.speech import table_title
from companion.locale import speaking
from companion.printing import kits
from companion.printing.contents import kit_parts, parts_of, print_kit
from companion.printing.document import Document, page_pictures
from companion.printing.kits import KITS, games_with_kits, kit_of, plain_kit
from companion.printing.paper import Options
from companion.printing.pieces import disc, piece_sheet
from companion.printing.table_file import checked, printed_table
from companion.printing.themes import THEMES
from companion.printing.touch import braille, braille_sheet, notched_sheet, notches_by_label, raised_lines
from tests.architecture.source import ROOT
from tests.companion.printing.pages import board_page, lay, markers, pages, photographed
from tests.narrow import there
from vision.board import load_board, shipped_board, shipped_games
from vision.markerless.cards import CardReader
from vision.recognition.reader import Reading, TableReader

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
    marks = there(load_board(Path("territory-marked.toml")).marks)
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


# ---- plain paper discs, without markers, are read by their colours; other kits say that they need markers


_PX = 5.0
_OF_A_KIND = 3
_DISC_TABLES = [game for game in games_with_kits() if kit_of(game).plain and not shipped_board(game).card_words]


def _position(game: str, seed: int) -> dict[str, str]:
    """A few pieces of every kind on cells drawn by chance."""
    cells = list(np.random.default_rng(seed).permutation(shipped_board(game).cells))
    kinds = [piece for piece in kit_of(game).pieces for _number in range(min(_OF_A_KIND, piece.count))]
    return {str(cells.pop()): piece.label for piece in kinds}


@pytest.mark.sampled(17)
@pytest.mark.parametrize(("theme", "tilt"), [("paper", 5.0), ("paper", 20.0), ("wood", 12.0)])
@pytest.mark.parametrize("game", _DISC_TABLES)
def test_discs_without_markers_are_read(game: str, theme: str, tilt: float) -> None:
    kit, board = kit_of(game), shipped_board(game)
    table = checked(printed_table(game, marked=False), "table.toml")
    drawings = {piece.label: disc(piece, THEMES[theme]) for piece in kit.pieces}
    page = board_page(board, theme, _PX).copy()
    expected = _position(game, seed=round(tilt))
    for cell, label in expected.items():
        x, y = board.centres_mm()[board.cells.index(cell)]
        lay(page, drawings[label], (float(x), float(y)), _PX, turn_deg=13.0)
    seen = TableReader(table).read(photographed(page, _PX, tilt_deg=tilt, turn_deg=5.0, size_wh=(1640, 1232)))
    assert isinstance(seen, Reading)
    best = [seen.observation.labels[column] for column in seen.observation.p.argmax(axis=1)]
    wrong = {
        cell: (label, expected.get(cell, "empty"))
        for cell, label in zip(seen.observation.cells, best, strict=True)
        if label != expected.get(cell, "empty")
    }
    assert len(wrong) <= 1, wrong


# ---- printed cards are read by our own reader: objective cards by their markers, playing cards by their faces


@pytest.mark.parametrize(
    ("number", "side", "turn_deg", "size_wh"),
    [(0, "face", 0.0, (1640, 1232)), (17, "back", 90.0, (2304, 1728)), (59, "face", 180.0, (1640, 1232))],
)
def test_an_objective_card_beside_the_board_is_read(
    number: int, side: str, turn_deg: float, size_wh: tuple[int, int]
) -> None:
    board = shipped_board("royal-study")
    (cards,) = [sheet for sheet in kit_of("royal-study").sheets(False) if sheet.key == "cards"]
    page = board_page(board, px_per_mm=_PX)
    table = np.vstack([page, np.full((round(120 * _PX), page.shape[1], 3), 90, np.uint8)])
    drawing = (cards.fronts if side == "face" else cards.backs)[number]
    lay(table, drawing, (120.0, 300.0), _PX, turn_deg)
    seen = TableReader(board).read(photographed(table, _PX, tilt_deg=15.0, turn_deg=3.0, size_wh=size_wh))
    assert isinstance(seen, Reading)
    assert seen.card is not None
    assert (seen.card.number, seen.card.side, seen.card.quarter_turns) == (number, side, round(turn_deg / 90))


def _pieces(side: Drawing) -> dict[str, tuple[float, float]]:
    return {item.name: item.centre for item in side.items if isinstance(item, Symbol)}


def test_backs_show_the_mirror_image_of_their_faces() -> None:
    (cards,) = [sheet for sheet in kit_of("royal-study").sheets(False) if sheet.key == "cards"]
    for front, back in zip(cards.fronts, cards.backs, strict=True):
        faces, behind = _pieces(front), _pieces(back)
        assert faces.keys() == behind.keys() == {"king", "queen", "rook", "bishop", "knight"}
        for name, (x, y) in faces.items():
            assert behind[name] == pytest.approx((front.width_mm - x, y))


@pytest.mark.sampled(11)
@pytest.mark.parametrize("first", range(0, 36, 6))
def test_playing_cards_are_read_by_their_faces(first: int) -> None:
    words = shipped_board("royal-racers").card_words[first : first + 6]
    table = np.full((round(240 * _PX), round(270 * _PX), 3), (70, 110, 60), np.uint8)
    for k, word in enumerate(words):
        rank, suit = word.split("-")
        lay(table, playing_cards.face(rank, suit), (50.0 + 82 * (k % 3), 64.0 + 110 * (k // 3)), _PX)
    seen = CardReader().read(photographed(table, _PX, tilt_deg=12.0, turn_deg=6.0, size_wh=(1640, 1232)))
    assert sorted(str(card.card) for card in seen) == sorted(words)
    assert min(card.confidence for card in seen) > 0.9


# ---- what fingers read: Braille as the standard has it, notches that tell the colours apart, markers that stay whole


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


def test_a_kit_has_the_title_that_its_game_has_elsewhere_in_this_language() -> None:
    board = shipped_board("royal-ur")
    own = msgspec.structs.replace(board, title="Mein Ur")
    with speaking("de"):
        assert kit_of("royal-ur").title == table_title(board) == "Das Königliche Spiel von Ur"
        assert table_title(own) == "Mein Ur", "users' tables keep theirs"
