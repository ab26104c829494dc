"""A small sample of the printed kits' evaluation: right and sure where marks are large, doubt where they are small."""

from __future__ import annotations

import numpy as np
import pytest

from companion.printing.table_file import kit_board
from tests.evaluate.printed import SMALL, compare, main, measure
from tests.evaluate.printed_pictures import picture
from vision.board import shipped_board, shipped_games
from vision.recognition.marks import SURE_MODULE_PX
from vision.recognition.reader import Reading, TableReader

_FIRST = 500
"""Seeds from here on are not among those that the long evaluation begins with."""


@pytest.mark.sampled(7)
@pytest.mark.parametrize("tier", ["easy", "hard"])
@pytest.mark.parametrize("game", shipped_games())
def test_a_printed_kit_is_read_whole(game: str, tier: str) -> None:
    outcome, _image = measure(game, tier, _FIRST)
    assert outcome.exact, outcome
    assert outcome.silent == 0, outcome


@pytest.mark.parametrize("game", ["royal-racers", "royal-tee"])
def test_small_marks_leave_doubt_and_no_error(game: str) -> None:
    outcome, _image = measure(game, SMALL, _FIRST)
    assert outcome.silent == 0, outcome
    assert not outcome.exact


@pytest.mark.parametrize("game", ["royal-ur", "territory"])
def test_a_printed_kit_is_recognised_without_its_table_file(game: str) -> None:
    board = shipped_board(game)
    made = picture(game, np.random.default_rng(_FIRST), tier="easy", least_px=SURE_MODULE_PX)
    plain, known = (TableReader(board, kit=kit).read(made.image_bgr) for kit in (None, kit_board(board)))
    assert compare(game, "easy", made, known).exact
    assert not compare(game, "easy", made, plain).exact


def test_standing_pieces_are_read_by_their_feet() -> None:
    outcome, _image = measure("royal-study", "easy", _FIRST, standing=True)
    assert outcome.exact, outcome
    assert outcome.silent == 0, outcome


def test_a_kit_is_read_without_colour() -> None:
    outcome, image = measure("royal-tee", "medium", _FIRST, gray=True)
    assert (image[..., 0] == image[..., 2]).all()
    assert outcome.exact, outcome
    assert outcome.silent == 0, outcome


def test_white_paper_discs_on_a_dark_board_are_not_taken_for_certain_for_its_numbers() -> None:
    outcome, _image = measure("territory", "easy", 14012, marked=False)
    assert outcome.silent == 0, outcome
    assert (outcome.right & ~outcome.unsure).mean() > 0.5


def test_black_paper_discs_that_may_be_stacked_are_not_taken_for_certain_for_empty_cells() -> None:
    outcome, _image = measure("royal-ur", "medium", 12100, marked=False)
    assert outcome.silent == 0, outcome
    assert (outcome.right & ~outcome.unsure).any()


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pictures", "1", "--games", "royal-study", "--tiers", "easy", "--seed", str(_FIRST)]) == 0
    assert "100.0%" in capsys.readouterr().out


@pytest.mark.sampled(4)
@pytest.mark.parametrize("theme", ["paper", "wood", "dark"])
@pytest.mark.parametrize("game", shipped_games())
def test_nothing_is_seen_for_certain_on_an_empty_printed_board(game: str, theme: str) -> None:
    board, chance = shipped_board(game), np.random.default_rng(_FIRST)
    made = picture(game, chance, tier="easy", least_px=SURE_MODULE_PX, theme=theme, bare=True)
    seen = TableReader(board).read(made.image_bgr)
    assert isinstance(seen, Reading)
    observation = seen.observation
    sure = [best for best, unsure in zip(observation.best(), observation.unsure(), strict=True) if not unsure]
    assert set(sure) <= {"empty"}
