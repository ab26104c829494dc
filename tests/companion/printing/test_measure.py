"""The camera measures the printer: scale from the paper's edges, and where the back comes to be."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import pytest

from companion.printing.contents import parts_of, print_parts
from companion.printing.document import Document
from companion.printing.measure import card_place, draw_printer_sheet, measure
from companion.printing.paper import NO_CORRECTION, PAPERS, Correction, MeasuringError, Options, Paper
from companion.printing.themes import THEMES
from companion.shell.config_files import find_correction
from tests.companion.conftest import Refused, Told
from tests.companion.printing.pages import markers, pages, photographed
from vision.board import shipped_board
from vision.frame import ImageBgr

_PX = 6.0
_RECORDED = Path(__file__).parents[2] / "recorded" / "printer"


def _printed(page: ImageBgr, scale: tuple[float, float], offset_mm: tuple[float, float], deg: float) -> ImageBgr:
    """What a printer makes of a page: stretched, turned clockwise about the middle, and moved."""
    height, width = page.shape[:2]
    middle = np.array([width, height]) / 2
    angle = np.radians(deg)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    matrix = turn @ np.diag(scale)
    shift = middle - matrix @ middle + np.array(offset_mm) * _PX
    moved = cv2.warpAffine(page, np.column_stack([matrix, shift]), (width, height), borderValue=(255, 255, 255))
    return np.asarray(moved, np.uint8)


@cache
def _sheet(paper: Paper) -> list[ImageBgr]:
    document = Document("", THEMES["paper"])
    draw_printer_sheet(document, paper)
    return pages(document.pdf(), _PX)


def _photographs(folder: Path, sides: list[ImageBgr]) -> tuple[Path, Path]:
    files = (folder / "front.png", folder / "back.png")
    for file, side, tilt, turn in zip(files, sides, (14.0, 8.0), (5.0, -95.0), strict=True):
        image = photographed(side, _PX, tilt_deg=tilt, turn_deg=turn, size_wh=(3000, 3000))
        cv2.imwrite(str(file), image)
    return files


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_scale_offset_and_turn_are_measured(paper: str, tmp_path: Path) -> None:
    front, back = _sheet(PAPERS[paper])
    sides = [_printed(front, (0.97, 0.985), (0.6, -0.4), 0.3), _printed(back, (0.97, 0.985), (1.1, 0.5), 0.2)]
    found = measure(*_photographs(tmp_path, sides), PAPERS[paper])
    assert (found.scale_x, found.scale_y) == pytest.approx((0.97, 0.985), abs=0.0015)
    # seen from the back the front is moved to the other side and turned the other way
    assert (found.back_x_mm, found.back_y_mm) == pytest.approx((1.1 + 0.6, 0.5 + 0.4), abs=0.2)
    assert found.back_deg == pytest.approx(0.2 + 0.3, abs=0.06)


def test_pictures_of_a_sheet_on_a_table_in_a_room_are_measured() -> None:
    """Path-traced: a sheet printed 1.5 and 0.9 % too small, its back 1.7 mm, 0.9 mm and half a degree off."""
    found = measure(_RECORDED / "front.jpg", _RECORDED / "back.jpg", PAPERS["a4"])
    assert (found.scale_x, found.scale_y) == pytest.approx((0.985, 0.991), abs=0.001)
    assert (found.back_x_mm, found.back_y_mm) == pytest.approx((1.7, 0.9), abs=0.1)
    assert found.back_deg == pytest.approx(0.5, abs=0.03)


@pytest.mark.long
def test_a_print_that_is_corrected_comes_out_true(tmp_path: Path) -> None:
    wrong: tuple[tuple[float, float], tuple[float, float], float] = (0.97, 0.98), (0.9, -0.6), 0.25
    sides = [_printed(_sheet(PAPERS["a4"])[0], *wrong), _printed(_sheet(PAPERS["a4"])[1], wrong[0], (-0.7, 0.8), 0.3)]
    found = measure(*_photographs(tmp_path, sides), PAPERS["a4"])
    options = Options(correction=found)
    cards = next(part for part in parts_of("royal-study", options) if part.key == "cards")
    front, back = pages(print_parts("", [cards], options), _PX)[:2]
    seen = markers(_printed(front, *wrong), "DICT_APRILTAG_36h11")
    behind = markers(_printed(back, wrong[0], (-0.7, 0.8), 0.3), "DICT_APRILTAG_36h11")
    base = shipped_board("royal-study").cards
    off = [
        behind[number - base["face_base"] + base["back_base"]][0].mean(axis=0)
        - (np.array([front.shape[1] - 1, 0]) + np.array([-1, 1]) * corners[0].mean(axis=0))
        for number, corners in seen.items()
    ]
    assert np.abs(off).max() / _PX < 0.35
    apart = np.linalg.norm(seen[102][0].mean(axis=0) - seen[100][0].mean(axis=0)) / _PX
    assert apart == pytest.approx(2 * base["size"][0], abs=0.25)


def test_a_typed_length_of_the_bar_needs_no_edges(tmp_path: Path, told: Told) -> None:
    side = photographed(_sheet(PAPERS["a4"])[0], _PX, tilt_deg=0.0, turn_deg=0.0, size_wh=(2400, 2400), table=238)
    front, kept = str(tmp_path / "front.png"), tmp_path / "printer.toml"
    cv2.imwrite(front, side)
    assert "98.00 percent across, 98.00 percent down" in (
        words := told("print", "measure", front, "--bar", "98", "--out", kept)
    )
    assert "back:" not in words  # that was not measured
    assert "scale_x = 0.98000" in kept.read_text(encoding="utf-8")


@pytest.mark.parametrize("paper", ["letter"])
def test_a_bank_card_gives_the_scale_if_an_edge_is_out_of_the_picture(paper: str, tmp_path: Path) -> None:
    side = _printed(_sheet(PAPERS[paper])[0], (0.97, 0.985), (0.0, 0.0), 0.0)
    x, y, _w, _h = card_place(PAPERS[paper])
    left, top = round((x + 1.5) * _PX), round((y - 1.0) * _PX)
    side[top : top + round(53.98 * _PX), left : left + round(85.60 * _PX)] = (150, 60, 30)
    image = photographed(side, _PX, tilt_deg=8.0, turn_deg=2.0, size_wh=(3000, 3000))
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    white = np.flatnonzero((gray > 200).any(axis=0))
    cut = image[:, int(white.min()) + 60 :]
    cv2.imwrite(str(tmp_path / "front.png"), cut)
    found = measure(tmp_path / "front.png", None, PAPERS[paper])
    assert (found.scale_x, found.scale_y) == pytest.approx((0.97, 0.985), abs=0.006)
    back = photographed(_sheet(PAPERS[paper])[1], _PX, tilt_deg=0.0, turn_deg=0.0, size_wh=(2400, 2400))
    cv2.imwrite(str(tmp_path / "back.png"), back)
    with pytest.raises(MeasuringError, match="only the scale"):
        measure(tmp_path / "front.png", tmp_path / "back.png", PAPERS[paper])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("edge", ["long", "short"])
def test_backs_meet_their_fronts_whichever_edge_the_sheet_is_turned_on(
    paper: str, edge: Literal["long", "short"]
) -> None:
    """The printer moves the back; a correction moves it back, however the sheet is turned."""
    back_off = np.array([1.2, -0.8])
    plain = Options(paper=PAPERS[paper], backs=edge)
    corrected = Options(paper=PAPERS[paper], backs=edge, correction=Correction(back_x_mm=1.2, back_y_mm=-0.8))
    middles = []
    for options in (plain, corrected):
        cards = next(part for part in parts_of("royal-study", options) if part.key == "cards")
        back = pages(print_parts("", [cards], options), _PX)[1]
        seen = markers(back, "DICT_APRILTAG_36h11")
        middles.append({number: corners[0].mean(axis=0) / _PX for number, corners in seen.items()})
    way = 1 if edge == "long" else -1  # turned on its short edge, a back is printed upside down
    moved = np.mean([middles[1][number] - middles[0][number] for number in middles[0]], axis=0)
    assert moved == pytest.approx(-way * back_off, abs=0.15)


def test_what_was_measured_is_kept_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: Told) -> None:
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(tmp_path))
    front, back = (str(file) for file in _photographs(tmp_path, _sheet(PAPERS["a4"])))
    assert find_correction({}) == NO_CORRECTION
    assert told("print", "measure", front, back, "--out", tmp_path / "printer.toml").startswith("scale: ")
    assert isinstance(find_correction({"CONFIGURATION_DIRECTORY": str(tmp_path)}), Correction)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ("swapped", "expected the 4 markers of the test sheet's front, found 0"),
        ("white table", "edge of the paper cannot be seen; expected a dark table"),
        ("other paper", "the sheet looks like Letter paper; give --paper letter"),
    ],
)
def test_pictures_that_do_not_serve_are_refused(spoil: str, sentence: str, tmp_path: Path, refused: Refused) -> None:
    front, back = _photographs(tmp_path, _sheet(PAPERS["letter" if spoil == "other paper" else "a4"]))
    if spoil == "swapped":
        front, back = back, front
    elif spoil == "white table":
        side = _sheet(PAPERS["a4"])[0]
        image = photographed(side, _PX, tilt_deg=0.0, turn_deg=0.0, size_wh=(2400, 2400), table=238)
        cv2.imwrite(str(front), image)
    assert sentence in refused("print", "measure", front, back)
