"""The PDF itself: printed at 100 %, fonts inside, sizes in mm, fronts and backs that line up."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from companion.games.kit import FlatPiece, Rgb
from companion.printing.contents import parts_of, print_kit, print_parts
from companion.printing.kits import games_with_kits, kit_of
from companion.printing.ornaments import _symbols, ornament
from companion.printing.paper import PAPERS, Options
from companion.printing.text import MM
from companion.printing.themes import THEMES, contrast, readable_on
from tests.architecture.source import ROOT
from tests.companion.printing.pages import markers, pages
from tests.evaluate.gallery import kit_picture
from vision.board import shipped_board, shipped_games

_PX = 8.0


def _cards(options: Options) -> bytes:
    return print_parts("", [part for part in parts_of("royal-study", options) if part.key == "cards"], options)


@pytest.mark.sampled(7)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", shipped_games())
def test_a_kit_is_printed_at_100_percent_on_its_paper_with_its_fonts(game: str, paper: str) -> None:
    pdf = print_kit(game, Options(paper=PAPERS[paper]))
    assert re.search(rb"/PrintScaling\s*/None", pdf)
    assert pdf.count(b"/FontFile2") >= 2
    assert b"Helvetica" not in pdf  # no font is left to the printer
    document = pypdfium2.PdfDocument(pdf)
    expected = {(PAPERS[paper].width_mm, PAPERS[paper].height_mm), (PAPERS[paper].height_mm, PAPERS[paper].width_mm)}
    sizes = {tuple(round(side / MM, 1) for side in page.get_size()) for page in document}
    document.close()
    assert sizes <= expected


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_check_bar_is_100_mm_long(paper: str) -> None:
    page = pages(print_parts("", [parts_of("royal-tee", Options())[0]], Options(paper=PAPERS[paper])), _PX)[0]
    dark = page[-round(24 * _PX) :, round(80 * _PX) :].max(axis=2) < 128
    lengths = [int(np.flatnonzero(row).max() - np.flatnonzero(row).min()) for row in dark if row.sum() > 90 * _PX]
    assert lengths
    assert np.median(lengths) / _PX == pytest.approx(100.0, abs=0.3)


@pytest.mark.sampled(7)
@pytest.mark.parametrize(("paper", "backs"), [("a4", "long"), ("a4", "short"), ("letter", "long"), ("letter", "short")])
def test_backs_lie_behind_their_faces_when_the_sheet_is_turned_over(paper: str, backs: str) -> None:
    cards = shipped_board("royal-study").cards
    printed = pages(_cards(Options(paper=PAPERS[paper], backs=backs)), _PX)  # type: ignore[arg-type]
    front, back = (markers(page, "DICT_APRILTAG_36h11") for page in printed[:2])
    assert len(front) == len(back) >= 6
    width, height = printed[0].shape[1], printed[0].shape[0]
    for number, (corners,) in front.items():
        (behind,) = back[number - cards["face_base"] + cards["back_base"]]
        x, y = behind.mean(axis=0)
        seen_through = (width - 1 - x, y) if backs == "long" else (x, height - 1 - y)
        if backs == "long":
            assert np.abs(np.array(seen_through) - corners.mean(axis=0)).max() < 0.2 * _PX
        else:  # the marker is near a card's upper edge on both sides, and the sheet is turned on its short one
            assert seen_through[0] == pytest.approx(corners.mean(axis=0)[0], abs=0.1 * _PX)


def test_cards_have_the_measures_of_the_table_file() -> None:
    board = shipped_board("royal-study")
    for corners in markers(pages(_cards(Options()), _PX)[0], board.markers.dictionary).values():
        sides = np.linalg.norm(np.roll(corners[0], -1, axis=0) - corners[0], axis=1) / _PX
        assert sides == pytest.approx(board.cards["marker_side"], abs=0.15)


def test_single_sided_cards_have_their_backs_beside_them() -> None:
    (page, *rest) = pages(_cards(Options(backs="fold")), _PX)
    found = markers(page, "DICT_APRILTAG_36h11")
    faces = [number for number in found if number < 160]
    assert faces
    assert {number + 60 for number in faces} == {number for number in found if number >= 160}
    assert len(rest) < 30


def test_the_same_print_is_the_same_file() -> None:
    assert _cards(Options()) == _cards(Options())


def test_the_gallery_has_a_small_picture_of_every_kit() -> None:
    folder = ROOT / "deploy/pictures/kits"
    assert {file.stem for file in folder.glob("*.png")} == set(shipped_games())
    assert all(file.stat().st_size < 150_000 for file in folder.glob("*.png"))
    picture = kit_picture("royal-ur", Options(whole=True))
    assert picture.shape[0] < 400


# ---- colours that stay apart: for the players who see few of them, on a grey printer, and by a symbol besides


_SEEN = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009."""

_APART = 10.0
"""Distance in CIE L*a*b* (1976) at which two areas beside one another are clearly unlike; 2.3 is just noticeable."""


def _linear(rgb: Rgb) -> NDArray[np.float64]:
    values = np.array(rgb) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def _lab(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    to_xyz = np.array([(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)])
    ratio = (to_xyz @ np.clip(linear, 0, 1)) / np.array([0.9505, 1.0, 1.089])
    f = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def _rgb(piece: FlatPiece) -> Rgb:
    return THEMES["paper"].rgb(piece.colour)


def _pairs(game: str) -> list[tuple[FlatPiece, FlatPiece]]:
    return list(combinations(kit_of(game).pieces, 2))


@pytest.mark.parametrize("deficiency", _SEEN)
@pytest.mark.parametrize("game", games_with_kits())
def test_pieces_of_two_colours_stay_apart_for_colour_blind_people(game: str, deficiency: str) -> None:
    seen = np.array(_SEEN[deficiency])
    for one, other in _pairs(game):
        if _rgb(one) == _rgb(other):
            continue
        apart = np.linalg.norm(_lab(seen @ _linear(_rgb(one))) - _lab(seen @ _linear(_rgb(other))))
        assert apart > _APART, (one.label, other.label, round(float(apart), 1))


@pytest.mark.parametrize("game", games_with_kits())
def test_pieces_differ_by_symbol_or_ring_too_so_that_grey_prints_serve(game: str) -> None:
    for one, other in _pairs(game):
        looks = [(piece.symbol, piece.ring) for piece in (one, other)]
        assert looks[0] != looks[1], (one.label, other.label)


@pytest.mark.parametrize("game", games_with_kits())
def test_symbols_contrast_with_their_discs(game: str) -> None:
    for piece in kit_of(game).pieces:
        assert contrast(readable_on(_rgb(piece)), _rgb(piece)) >= 4.0, piece.label


def test_ornaments_stay_inside_their_square() -> None:
    for name in sorted(_symbols()):
        points = [point for area in ornament(name) for outline in area.outlines for point in outline]
        assert np.abs(points).max() <= 0.505, name


def test_no_two_ornaments_are_alike() -> None:
    drawn = {name: ornament(name) for name in sorted(_symbols())}
    assert len(set(drawn.values())) == len(drawn)
    assert len(drawn) > 30


def test_readable_ink_is_the_better_of_two() -> None:
    assert readable_on((255, 255, 255)) == THEMES["paper"].rgb("ink")
    assert readable_on((20, 20, 30)) == THEMES["paper"].rgb("white")
