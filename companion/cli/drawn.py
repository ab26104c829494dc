"""`--picture`: the photograph with what was read drawn over it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from companion.cli.looking import Look
from companion.cli.parser import UsageError
from companion.locale import _

_KINDS = (".png", ".jpg", ".jpeg", ".webp")


def pictures_for(picture: Path | None, images: int) -> list[Path | None]:
    """Name the annotated picture of each image: one as asked for, several numbered from 1 in the images' order.

    Raises:
        UsageError: no picture could be written there.
    """
    if picture is None:
        return [None] * images
    if picture.suffix.lower() not in _KINDS:
        text = _("{file}: expected a name that ends in one of {kinds}")
        raise UsageError(text.format(file=picture, kinds=" ".join(_KINDS)))
    if not picture.parent.is_dir():
        raise UsageError(_("{file}: there is no folder {folder}").format(file=picture, folder=picture.parent))
    if images == 1:
        return [picture]
    return [picture.with_name(f"{picture.stem}-{number}{picture.suffix}") for number in range(1, images + 1)]


def write_picture(out: Path, seen: Look, lines: Sequence[str]) -> None:
    """Write the annotated picture with these lines under the game's title.

    Raises:
        OSError: it cannot be written there.
    """
    from companion.ui.picture import Decision, annotate, save_picture

    told = Decision(seen.labels, seen.unsure, seen.hidden, seen.board.title, lines)
    save_picture(out, annotate(seen.image_bgr, seen.board, seen.reading.pose, told))
