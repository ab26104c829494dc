"""Files of a trained model: model.toml, and the digests of its training pictures."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

import vision.models
from vision.shipped_network import ModelFile, Training

MODELS = Path(vision.models.__path__[0])
PROVENANCE = Path(__file__).parent / "provenance"

_FRAME = re.compile(r"(?<=-seq\d\d)-\d+$")
"""The number of a frame in the name of a picture of a sequence."""


def write_model_file(file: ModelFile) -> None:
    """Write a model.toml, without keys whose value is None."""
    (MODELS / file.name / "model.toml").write_bytes(msgspec.toml.encode(_known(msgspec.to_builtins(file))))


def _known(value: object) -> object:
    if isinstance(value, dict):
        return {key: _known(part) for key, part in value.items() if part is not None}
    return [_known(part) for part in value] if isinstance(value, list | tuple) else value


def record_training(name: str, pictures: Iterable[Path], rendered: str, seed: int) -> Training:
    """Write the digests of a model's training pictures to provenance/NAME.txt; return the summary."""
    lines = sorted({f"{scene_of(path)} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in pictures})
    text = "".join(f"{line}\n" for line in lines)
    PROVENANCE.mkdir(exist_ok=True)
    (PROVENANCE / f"{name}.txt").write_text(text, encoding="utf-8")
    scenes = sorted({line.split()[0] for line in lines})
    return Training(rendered, tuple(scenes), hashlib.sha256(text.encode()).hexdigest(), seed)


def scene_of(picture: Path) -> str:
    """Return the id of the scene of a labelled picture; frames of one scene have the same id."""
    truth = json.loads(picture.with_suffix(".json").read_text(encoding="utf-8"))
    return str(truth.get("scene") or truth.get("seed") or f"samples/{_FRAME.sub('', picture.stem)}")


def pictures_with_truth(folder: Path | None, game: str) -> Iterator[Path]:
    """Yield the pictures of a game that have a truth file and are not to be refused, sorted."""
    for picture in sorted(folder.rglob("*.jpg")) if folder is not None else ():
        beside = picture.with_suffix(".json")
        truth = msgspec.json.decode(beside.read_bytes()) if beside.is_file() else {"tier": "refuse"}
        if truth["tier"] != "refuse" and truth["game"] == game:
            yield picture
