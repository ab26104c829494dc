"""The evaluation of photographs: truth files of other boards, and challenge sheets that say what is on the table."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import msgspec
import numpy as np
import pytest

from companion.printing.challenge import challenge_position, draw_challenge, position_code, rest_of
from companion.printing.document import Document, page_pictures
from companion.printing.paper import NO_CORRECTION, PAPERS
from companion.printing.themes import THEMES
from tests.evaluate import photographs
from tests.evaluate.challenges import ChallengeCodeError, find_code, read_code
from tests.evaluate.truth import UnusableTruthError
from tests.vision.drawn_tables import draw, pose_above
from vision.board import shipped_board, shipped_games

_A4_MM = (210.0, 297.0)


def _challenge_picture(game: str, seed: int, size_wh: tuple[int, int] = (2000, 1500)) -> np.ndarray:
    """Return a drawn table with the pieces of a challenge on it, and its sheet on the right."""
    board = shipped_board(game)
    pose = pose_above(board, 12.0, away=2.6, size_wh=size_wh)
    picture = draw(board, challenge_position(board, seed), pose, size_wh=size_wh)
    document = Document("challenge", THEMES["paper"], NO_CORRECTION)
    draw_challenge(document, PAPERS["a4"], board, seed)
    page = next(iter(page_pictures(document.pdf(), 5.0)))
    place = np.array([board.size[0] + 25.0, 20.0]) + np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * _A4_MM
    corners = np.array([(0, 0), (page.shape[1], 0), (page.shape[1], page.shape[0]), (0, page.shape[0])], np.float32)
    there = cv2.getPerspectiveTransform(corners, pose.project_at(place, 0.0).astype(np.float32))
    warped = cv2.warpPerspective(page, there, size_wh, flags=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.full(page.shape[:2], 255, np.uint8), there, size_wh) > 127
    picture[inside] = warped[inside]
    return picture


def test_a_picture_with_a_challenge_sheet_says_what_is_on_its_table(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "mine.jpg"), _challenge_picture("territory", 7))
    report = photographs.evaluate(tmp_path, timed=False)
    figures = report.figures["territory challenge"]
    assert (figures["pictures"], figures["cells"], figures["pieces"]) == (1, 64, 16)
    assert figures["cells_right"] > 0.9


@pytest.mark.parametrize("game", shipped_games())
def test_a_code_gives_back_the_position_that_the_sheet_shows(game: str) -> None:
    board = shipped_board(game)
    for seed in range(5):
        position = challenge_position(board, seed)
        read_game, labels = read_code(position_code(board, position))
        assert (read_game, {cell: word for cell, word in labels.items() if word != rest_of(board)}) == (game, position)
    assert challenge_position(board, 1) != challenge_position(board, 2)
    for text in ("https://example.org", "COMPANION1:CHESS:00:", position_code(board, position)[:-1], "COMPANION1:"):
        with pytest.raises(ChallengeCodeError):
            read_code(text)


def test_a_game_of_cards_without_pieces_has_challenges_too() -> None:
    shipped = shipped_board("royal-racers")
    labels = {name: label for name, label in shipped.labels.items() if name not in shipped.pieces}
    board = msgspec.structs.replace(shipped, pieces={}, labels=labels)
    assert set(challenge_position(board, 3).values()) <= set(board.card_words)


def test_a_picture_without_a_code_has_none() -> None:
    assert find_code(draw(shipped_board("territory"))) is None


def test_a_truth_file_of_another_form_is_refused_and_a_folder_without_boards_has_no_figures(tmp_path: Path) -> None:
    assert not photographs.evaluate(tmp_path, timed=False).figures
    (tmp_path / "truth.json").write_text(json.dumps({"a.jpg": {"rows": ["..x....." * 1] * 8}}))
    with pytest.raises(UnusableTruthError, match=r"a\.jpg"):
        photographs.evaluate(tmp_path, timed=False)
