"""What the commands that read loose things share: one look at each image, and how it is reported."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.app.output import write_json, write_text
from companion.cli.drawn import pictures_for
from companion.cli.exits import DONE, REFUSED, UNUSABLE
from companion.cli.looking import tell_refusal
from companion.locale import _

if TYPE_CHECKING:
    from vision.frame import ImageBgr
    from vision.observation import Blind


class Telling(Protocol):
    """One kind of loose things: how they are read and shown. It may hold a network, so one thread uses it at a time."""

    def read(self, image_bgr: ImageBgr) -> Sequence[Any] | Blind:
        """Read a picture."""

    def as_json(self, things: Sequence[Any]) -> dict[str, Any]:
        """Return what was read as the public protocol writes it."""

    def lines(self, things: Sequence[Any]) -> list[str]:
        """Return what was read."""

    def annotate(self, image_bgr: ImageBgr, things: Sequence[Any]) -> ImageBgr:
        """Draw what was read over a picture."""


def run_each(args: argparse.Namespace, telling: Telling) -> int:
    """Read every image; the exit code reports the worst that happened to any: unusable, refused, done."""
    outs = pictures_for(args.picture, args.images)
    codes = [_tell_image(path, out, telling, as_json=args.json) for path, out in zip(args.images, outs, strict=True)]
    return min(codes, key=(UNUSABLE, REFUSED, DONE).index)


def _tell_image(path: Path, out: Path | None, telling: Telling, *, as_json: bool) -> int:
    from vision.errors import UnreadableImageError
    from vision.image_file import load_image
    from vision.observation import Blind, BlindReason

    try:
        image_bgr = load_image(path)
    except UnreadableImageError as error:
        return tell_refusal(path, Blind(BlindReason.UNREADABLE_FILE, {"error": str(error)}), as_json=as_json)
    start = time.perf_counter()
    things = telling.read(image_bgr)
    milliseconds = 1000 * (time.perf_counter() - start)
    if isinstance(things, Blind):
        return tell_refusal(path, things, as_json=as_json)
    if out is not None:
        from companion.ui.picture import save_picture

        save_picture(out, telling.annotate(image_bgr, things))
    if as_json:
        head = {"image": str(path), "status": "ok"}
        write_json({**head, **telling.as_json(things), "milliseconds": round(milliseconds, 1)})
    else:
        title = _("{image}: read in {time:.0f} ms").format(image=path, time=milliseconds)
        write_text(title, *telling.lines(things))
    return DONE
