"""What the commands that read photographs share: checks of their arguments, refusals, and the loop over images."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np

from companion.app.output import complain, write_json, write_text
from companion.cli.exits import DONE, REFUSED, UNUSABLE
from companion.cli.parser import UsageError
from companion.locale import _, english
from companion.ui.words import blind_words
from vision.errors import UnreadableImageError
from vision.frame import ImageBgr
from vision.geometry import Floats
from vision.image_file import give_memory_back, load_image
from vision.observation import Blind, BlindReason

ThingT = TypeVar("ThingT")

_LEAST_AREA_PX = 1000.0
"""Smallest area of a board that can be read in a picture."""

_KINDS = (".png", ".jpg", ".jpeg", ".webp")


def report_refusal(path: Path, blind: Blind, *, as_json: bool) -> int:
    """Report why a picture was refused; return the exit code.

    A file that is not a picture is unusable input, reported on standard error, with `as_json` also as a line of JSON.
    """
    if as_json:
        with english():
            message = blind_words(blind)
        write_json({"image": str(path), "status": "refused", "reason": blind.reason, "message": message})
    if blind.reason is BlindReason.UNREADABLE_FILE:
        complain(blind_words(blind))
        return UNUSABLE
    if not as_json:
        write_text(_("{image}: refused: {why}").format(image=path, why=blind_words(blind)))
    return REFUSED


def pictures_for(picture: Path | None, images: Sequence[Path]) -> list[Path | None]:
    """Return the path of each image's annotated picture: that of a single image as given, several numbered from 1.

    Raises:
        UsageError: no picture can be written there, or it would overwrite a photograph.
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
    refuse_overwriting(outs, images)
    return [*outs]


def refuse_overwriting(written: Sequence[Path | None], read: Sequence[Path | None]) -> None:
    """Raise UsageError if a file to write is one of those to read; None stands for no file."""
    for out, file in product(filter(None, written), filter(None, read)):
        same = os.path.realpath(out) == os.path.realpath(file)
        with suppress(OSError):  # one of them is not there yet
            same = same or out.samefile(file)
        if same:
            text = _("{file}: expected another name: this file is read, and it would be overwritten")
            raise UsageError(text.format(file=out))


def run_each(
    args: argparse.Namespace,
    read: Callable[[ImageBgr], Sequence[ThingT] | Blind],
    report: Callable[[Sequence[ThingT]], tuple[dict[str, Any], list[str]]],
    annotate: Callable[[ImageBgr, Sequence[ThingT]], ImageBgr],
) -> int:
    """Read one kind of loose things, dice or cards, in every image; return the exit code of the worst result.

    Pictures are uint8 (height, width, 3); `report` returns what was read as JSON of the public protocol, and as lines.
    """

    def read_image(path: Path, out: Path | None) -> int:
        try:
            image_bgr = load_image(path)
        except UnreadableImageError as error:
            return report_refusal(path, Blind(BlindReason.UNREADABLE_FILE, {"error": str(error)}), as_json=args.json)
        start = time.perf_counter()
        things = read(image_bgr)
        milliseconds = 1000 * (time.perf_counter() - start)
        if isinstance(things, Blind):
            return report_refusal(path, things, as_json=args.json)
        if out is not None:
            from companion.ui.picture import save_picture

            give_memory_back()
            annotated = annotate(image_bgr, things)
            del image_bgr  # a picture of 12 megapixels has 36 MB
            save_picture(out, annotated)
        found, lines = report(things)
        if args.json:
            head = {"image": str(path), "status": "ok"}
            write_json({**head, **found, "milliseconds": round(milliseconds, 1)})
        else:
            title = _("{image}: read in {time:.0f} ms").format(image=path, time=milliseconds)
            write_text(title, *lines)
        return DONE

    codes = [*map(read_image, args.images, pictures_for(args.picture, args.images))]
    return min(codes, key=(UNUSABLE, REFUSED, DONE).index)


def corners_px(text: str) -> Floats:
    """Parse four corners in pixels, float64 (4, xy).

    Raises:
        UsageError: they are not four corners of a board, clockwise.
    """
    try:
        corners = np.array([[float(part) for part in pair.split(",")] for pair in text.split()])
    except ValueError:
        corners = np.empty(0)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        sentence = _('--corners: expected four corners such as "412,96 1310,88 1522,960 230,981", found "{text}"')
        raise UsageError(sentence.format(text=text))
    outline = corners.astype(np.float32)
    is_clockwise = cv2.contourArea(outline, oriented=True) > 0  # y points down
    if not cv2.isContourConvex(outline) or not is_clockwise or cv2.contourArea(outline) < _LEAST_AREA_PX:
        sentence = _('--corners: expected corners in order round a board, clockwise from its top left, found "{text}"')
        raise UsageError(sentence.format(text=text))
    return corners
