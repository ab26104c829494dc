"""Pictures with truth files: beside each NAME.jpg its NAME.json, in folders of any depth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from vision.observation import BlindReason

T = TypeVar("T")

REFUSALS = {
    "no-board": BlindReason.NO_BOARD,
    "other-game": BlindReason.WRONG_GAME,
    "motion-blur": BlindReason.BLURRED,
    "defocus": BlindReason.BLURRED,
    "lens-covered": BlindReason.DARK,
    "cut-off": BlindReason.CUT_OFF,
}
"""The reason that a reading should give for each way in which a picture was made unreadable."""


class UnusableTruthError(ValueError):
    """A folder or truth file that cannot be measured on; the message is one sentence."""


class _Camera(msgspec.Struct, frozen=True):
    tilt_deg: float | None = None


class CardTruth(msgspec.Struct, frozen=True):
    """The objective card beside a board."""

    id: int
    side: str
    turns: int


class _File(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a truth file that is measured against; other keys are left alone."""

    game: str | None
    tier: str
    cells: dict[str, str]
    hidden: list[str] = []
    refuse: str | None = None
    asked: str | None = None
    camera: _Camera = _Camera()
    card: CardTruth | None = None


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One picture: what to ask for, each cell's label, which are hidden, whether to refuse it, the camera's tilt.

    On some tables a card lies beside the board.
    """

    image: Path
    game: str
    tier: str
    cells: dict[str, str]
    hidden: frozenset[str]
    refusal: BlindReason | None
    tilt_deg: float | None = None
    card: CardTruth | None = None


def listed(folder: Path, kind: type[T], fits: Callable[[Any], object]) -> Iterator[tuple[Path, dict[str, T]]]:
    """Yield the files truth.json of a folder and those in it, each with the truth of its pictures that fits a kind.

    Raises:
        UnusableTruthError: what seems to be of this kind is not.
    """
    for path in sorted(folder.rglob("truth.json")):
        try:
            raw = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
            found = {name: msgspec.convert(one, kind) for name, one in raw.items() if fits(one)}
        except msgspec.DecodeError as error:
            message = f"{path}: {error}"
            raise UnusableTruthError(message) from error
        if found:
            yield path, found


def find_cases(folder: Path) -> list[Case]:
    """Find every picture with a truth file in a folder and the folders in it, sorted by name.

    Raises:
        UnusableTruthError: a truth file is not as expected.
    """
    paths = ((path.with_suffix(".jpg"), path) for path in sorted(folder.rglob("*.json")))
    return [_case(image, path) for image, path in paths if image.is_file()]


def _case(image: Path, path: Path) -> Case:
    try:
        truth = msgspec.json.decode(path.read_bytes(), type=_File)
    except msgspec.DecodeError as error:
        message = f"{path}: {error}"
        raise UnusableTruthError(message) from error
    game = truth.asked or truth.game
    if game is None or (truth.refuse is not None and truth.refuse not in REFUSALS):
        message = f"{path}: expected a game to ask for and a refusal of {', '.join(REFUSALS)}"
        raise UnusableTruthError(message)
    return Case(
        image=image,
        game=game,
        tier=truth.tier,
        cells=truth.cells,
        hidden=frozenset(truth.hidden),
        refusal=REFUSALS[truth.refuse] if truth.refuse else None,
        tilt_deg=truth.camera.tilt_deg,
        card=truth.card,
    )
