"""Recordings: video files, and folders of pictures taken in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from engines.sentence import Sentence
from vision.camera.files import load_picture, pictures_in
from vision.errors import CameraError
from vision.frame import ImageBgr
from vision.image_file import LEAST_SIDE_PX, MOST_KEPT_MEGAPIXELS, decoder_messages, is_picture

EXPECTED = Sentence("a video (mp4, avi, mkv) or a folder of pictures")

USUAL_FPS = 25.0
"""Frames per second of a folder of pictures, and of a video that does not say."""

_SIGNATURE_BYTES = 64


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """Pictures of one size, uint8 (height, width, 3), `fps` a second; `pictures` can be iterated once.

    Going through them raises CameraError where one cannot be read.
    """

    fps: float
    pictures: Iterator[ImageBgr]


def open_recording(path: Path) -> Recording:
    """Open a recording.

    Raises:
        CameraError: it is not a recording, or its first picture cannot be read; one sentence.
    """
    fps, pictures = (USUAL_FPS, map(load_picture, pictures_in(path))) if path.is_dir() else _video(path)
    first = next(pictures, None)
    if first is None:
        message = Sentence("{file}: there is no picture in it, expected {expected}")
        raise CameraError(message.format(file=path, expected=EXPECTED))
    if min(first.shape[:2]) < LEAST_SIDE_PX:
        message = Sentence("{file}: {size} pixels, expected at least {least} x {least}")
        raise CameraError(message.format(file=path, size=_size(first), least=LEAST_SIDE_PX))
    return Recording(fps, _alike(path, first, pictures))


def _alike(path: Path, first: ImageBgr, others: Iterator[ImageBgr]) -> Iterator[ImageBgr]:
    """Return the pictures, of which none is held while the next is decoded: one of a 4K video takes 25 MB."""
    shape, size, number = first.shape, _size(first), 1
    yield first
    del first
    for image_bgr in others:  # enumerate would hold the one before
        number += 1
        if image_bgr.shape != shape:
            message = Sentence("{file}: picture {number} has {size} pixels, expected {first} as the first")
            raise CameraError(message.format(file=path, number=number, size=_size(image_bgr), first=size))
        yield image_bgr
        del image_bgr


def _video(path: Path) -> tuple[float, Iterator[ImageBgr]]:
    if not path.is_file():
        message = Sentence("{file}: there is no such file, expected {expected}")
        raise CameraError(message.format(file=path, expected=EXPECTED))
    try:
        with path.open("rb") as file:
            start = file.read(_SIGNATURE_BYTES)
    except OSError:
        start = b""
    if is_picture(start):  # which is made smaller as others are; the pictures of a video are not
        return USUAL_FPS, iter([load_picture(path)])
    if any("\ud800" <= letter <= "\udfff" for letter in str(path)):  # OpenCV crashes on such a name
        message = Sentence("{file}: its name is not UTF-8, expected {expected} with another name")
        raise CameraError(message.format(file=path, expected=EXPECTED))
    with decoder_messages():
        capture = cv2.VideoCapture(str(path))
        opened, fps = capture.isOpened(), capture.get(cv2.CAP_PROP_FPS)
        width, height = capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
    if not opened:
        message = Sentence("{file}: is no video that can be decoded, expected {expected}")
        raise CameraError(message.format(file=path, expected=EXPECTED))
    if width * height > MOST_KEPT_MEGAPIXELS * 1e6:
        message = Sentence(
            "{file}: its pictures are {width:.0f} x {height:.0f} pixels, expected at most {most} megapixels"
        )
        raise CameraError(message.format(file=path, width=width, height=height, most=MOST_KEPT_MEGAPIXELS))
    return fps if 1.0 <= fps <= 1000.0 else USUAL_FPS, _decode(capture)


def _decode(capture: cv2.VideoCapture) -> Iterator[ImageBgr]:
    """Return a video's pictures; one that is cut short ends where it was cut."""
    try:
        while True:
            with decoder_messages():
                there, image_bgr = capture.read()
            if not there:
                return
            if image_bgr.ndim == 2:
                image_bgr = cv2.cvtColor(image_bgr, cv2.COLOR_GRAY2BGR)
            yield np.asarray(image_bgr, np.uint8)
            del image_bgr
    finally:
        capture.release()


def _size(image_bgr: ImageBgr) -> str:
    return f"{image_bgr.shape[1]} x {image_bgr.shape[0]}"
