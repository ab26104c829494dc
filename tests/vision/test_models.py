"""Every shipped model has its folder, says what it takes, and reads grids of any size or says that it cannot."""

from __future__ import annotations

from importlib import resources

import cv2
import msgspec
import numpy as np
import pytest

from vision.board import Board, shipped_board, shipped_games
from vision.errors import BoardFileError
from vision.markerless.dice_network import PipClassifierFile
from vision.recognition.figure_labeller import FigureFile
from vision.recognition.labeller import NetworkFile
from vision.recognition.reader import labeller_of
from vision.shipped_network import FallibleOutputs, Input, describe, load, model_names, of_board, weights_of

_MOST_BYTES = 12_000_000


def test_every_shipped_board_has_a_model() -> None:
    assert set(shipped_games()) <= set(model_names())


def test_models_together_stay_small() -> None:
    assert sum(len(weights_of(name)) for name in model_names()) < _MOST_BYTES


@pytest.mark.parametrize("name", model_names())
def test_a_model_says_what_it_is(name: str) -> None:
    file = describe(name)
    assert file.name == name
    assert file.licence == "MIT"
    assert len(file.inputs) == 1
    assert file.training.rendered
    card = resources.files("vision.models").joinpath(name, "MODEL_CARD.md").read_text(encoding="utf-8")
    assert card.startswith(f"# {name}\n")


def _shape(given: Input, rows: int, columns: int) -> tuple[int, ...]:
    """Evaluate the shape of an input: numbers, "n" for any, "(rows + 1) * 24" and the like."""
    known = {"n": 2, "cells": rows * columns, "height": 64, "width": 96, "rows": rows, "columns": columns}
    return tuple(int(eval(text, {}, known)) for text in given.shape)  # noqa: S307 - of a file of ours


@pytest.mark.parametrize("name", model_names())
def test_a_network_takes_the_input_that_its_file_declares(name: str) -> None:
    file = describe(name)
    grids = [file.grid] if file.grid else [(3, 4), (5, 2)]
    for rows, columns in grids:
        shape = _shape(next(iter(file.inputs.values())), rows, columns)
        network = cv2.dnn.readNetFromONNX(weights_of(name))
        network.setInput(np.zeros(shape, np.float32))
        assert np.isfinite(np.asarray(network.forward())).all()


def _one_row_less(board: Board) -> Board:
    return msgspec.structs.replace(board, grid=msgspec.structs.replace(board.grid, rows=board.grid.rows - 1))


@pytest.mark.parametrize("game", shipped_games())
def test_another_grid_is_read_or_refused_in_a_sentence(game: str) -> None:
    board = _one_row_less(shipped_board(game))
    if describe(game).grid is None:
        labeller_of(board)
        return
    with pytest.raises(BoardFileError, match=f"{game}: grid: expected the model's rows and columns, .*, found"):
        of_board(board, msgspec.Struct)


def test_a_model_of_another_kind_than_its_table_is_reported() -> None:
    class Other(msgspec.Struct, forbid_unknown_fields=True):
        """Parameters of some other program."""

    with pytest.raises(BoardFileError, match="the table file lacks a section that its model needs"):
        of_board(shipped_board("royal-racers"), Other)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("royal-ur", NetworkFile),
        ("royal-study", FigureFile),
        ("dice-values", PipClassifierFile),
        ("cards", FallibleOutputs),
    ],
)
def test_a_model_whose_file_does_not_say_how_often_it_errs_is_refused(
    name: str, kind: type[FallibleOutputs], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = describe(name)
    network = {key: value for key, value in known.network.items() if key != "residual"}
    monkeypatch.setattr(
        "vision.shipped_network.describe", lambda _name: msgspec.structs.replace(known, network=network)
    )
    with pytest.raises(BoardFileError, match=f"{name}: .* the model's file is broken .*residual"):
        load(name, kind)
