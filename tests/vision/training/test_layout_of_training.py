"""Every shipped model can be trained by one command, and each kind of model has the same files."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import vision.training
from vision.shipped_network import model_names
from vision.training.__main__ import kind_of, main, trainable

_FOLDER = Path(vision.training.__path__[0])


@pytest.mark.parametrize("model", model_names())
def test_every_model_has_data_and_train(model: str) -> None:
    folder = _FOLDER / kind_of(model)
    assert {"data.py", "train.py"} <= {path.name for path in folder.iterdir()}


def test_the_command_lists_its_models(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert ", ".join(trainable()) in capsys.readouterr().out


def test_an_unknown_model_is_refused_in_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "vision.training", "chess"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith('vision.training: "chess" is no model; expected one of ')


@pytest.mark.skipif(find_spec("torch") is None, reason="the extra train is not installed")
@pytest.mark.parametrize("model", model_names())
def test_every_model_has_a_command(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([model, "--help"])
    assert model in capsys.readouterr().out
