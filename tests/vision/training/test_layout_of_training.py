"""Every shipped model can be trained by one command.

What the models learn from is made without torch, so that the other tests here can look at all of it: the pictures, the
truth and its variations. Where torch is installed each model is also trained for two steps and written.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from vision.shipped_network import model_names
from vision.training.__main__ import kind_of, main, trainable


def test_what_the_models_learn_from_needs_no_torch() -> None:
    modules = ", ".join(f"vision.training.{name}" for name in ("data", "figures", "cards", "dice.data"))
    script = f"import sys; sys.modules['torch'] = None; import {modules}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_command_lists_its_models(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert ", ".join(trainable()) in capsys.readouterr().out


def test_an_unknown_model_is_refused_in_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vision.training", "chess"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith('vision.training: "chess" is not a model; expected one of ')


needs_torch = pytest.mark.skipif(find_spec("torch") is None, reason="the extra train is not installed")

_BOARD = "--scenes 1 --held-out 1 --steps 2"
_LITTLE = {
    "cells": _BOARD,
    "figures": _BOARD,
    "layout": _BOARD,
    "cards": "--tables 1 --held-out 4 --steps 2",
    "dice": "--first 3 --held-out 3 --steps 2",
}


@needs_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch.*")
@pytest.mark.parametrize("model", model_names())
def test_every_model_can_be_trained_a_little(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("model_files", "learning"):
        monkeypatch.setattr(f"vision.training.{module}.MODELS", tmp_path)
    monkeypatch.setattr("vision.training.model_files.PROVENANCE", tmp_path)
    assert main([model, *_LITTLE[kind_of(model)].split()]) == 0
    assert {path.name for path in (tmp_path / model).iterdir()} == {"model.onnx", "model.toml"}


@needs_torch
@pytest.mark.parametrize("model", model_names())
def test_every_model_has_a_command(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([model, "--help"])
    assert model in capsys.readouterr().out
