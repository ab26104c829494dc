"""`--picture`: the photograph with what was read drawn over it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from companion.cli.looking import Look
from companion.cli.parser import UsageError
from companion.locale import _

_KINDS = (".png", ".jpg", ".jpeg", ".webp")


def pictures_for(picture: Path | None, images: Sequence[Path]) -> list[Path | None]:
    """Name the annotated picture of each image: one as asked for, several numbered from 1 in the images' order.

    Raises:
        UsageError: no picture could be written there, or it would take the place of a photograph.
    """
    if picture is None:
        return [None] * len(images)
    if picture.suffix.lower() not in _KINDS:
        text = _("{file}: expected a name that ends in one of {kinds}")
        raise UsageError(text.format(file=picture, kinds=" ".join(_KINDS)))
    if not picture.parent.is_dir():
        raise UsageError(_("{file}: there is no folder {folder}").format(file=picture, folder=picture.parent))
    outs = [picture]
    if len(images) > 1:
        numbers = range(1, len(images) + 1)
        outs = [picture.with_name(f"{picture.stem}-{number}{picture.suffix}") for number in numbers]
    for out in outs:
        _refuse_photograph(out, images)
    return [*outs]


def _refuse_photograph(out: Path, images: Sequence[Path]) -> None:
    """Raise UsageError if a picture to write is one of the photographs to read."""
    if any(os.path.realpath(out) == os.path.realpath(image) or _same_file(out, image) for image in images):
        text = _("{file}: expected another name: this is a photograph that is read, and it would be overwritten")
        raise UsageError(text.format(file=out))


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there yet
        return False


def write_picture(out: Path, seen: Look, lines: Sequence[str]) -> None:
    """Write the annotated picture with these lines under the game's title.

    Raises:
        OSError: it cannot be written there.
    """
    from companion.ui.picture import Decision, annotate, save_picture

    told = Decision(seen.labels, seen.unsure, seen.hidden, seen.board.title, lines)
    save_picture(out, annotate(seen.image_bgr, seen.board, seen.reading.pose, told))
