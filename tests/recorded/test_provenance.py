"""No model was trained on a recorded picture, nor on another frame of the same scene."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.evaluate.truth import find_cases
from vision.shipped_network import describe, model_names
from vision.training.model_files import PROVENANCE, scene_of

_FOLDER = Path(__file__).parent


def _lines(model: str) -> list[tuple[str, str]]:
    """Return scene and digest of every picture that a model was trained on; "-" for a digest that is not known."""
    text = (PROVENANCE / f"{model}.txt").read_text(encoding="utf-8")
    return [(scene, digest) for scene, _, digest in (line.partition(" ") for line in text.splitlines())]


@pytest.mark.parametrize("model", model_names())
def test_the_list_of_what_a_model_was_trained_on_is_the_one_in_its_file(model: str) -> None:
    training = describe(model).training
    assert hashlib.sha256((PROVENANCE / f"{model}.txt").read_bytes()).hexdigest() == training.sha256
    assert {scene for scene, _ in _lines(model)} == set(training.pictures)


@pytest.mark.parametrize("model", model_names())
def test_no_recorded_scene_was_trained_on(model: str) -> None:
    readable = [case.image for case in find_cases(_FOLDER) if case.refusal is None]
    assert len(readable) >= 20
    trained_on = set(describe(model).training.pictures)
    assert [image for image in readable if scene_of(image) in trained_on] == []


@pytest.mark.parametrize("model", model_names())
def test_no_recorded_picture_was_trained_on(model: str) -> None:
    trained_on = {digest for _, digest in _lines(model)}
    pictures = sorted(_FOLDER.rglob("*.jpg"))
    assert [p for p in pictures if hashlib.sha256(p.read_bytes()).hexdigest() in trained_on] == []


def test_frames_of_a_sequence_are_one_scene(tmp_path: Path) -> None:
    for name in ("royal-ur-seq03-1", "royal-ur-seq03-6", "royal-ur-seq04-1", "royal-ur-hard-01"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"game": "royal-ur"}))
    scenes = {path.stem: scene_of(path) for path in tmp_path.iterdir()}
    assert scenes["royal-ur-seq03-1"] == scenes["royal-ur-seq03-6"] != scenes["royal-ur-seq04-1"]
    assert scenes["royal-ur-hard-01"] == "samples/royal-ur-hard-01"
