"""A phone as camera: what it sends is as old as it says, and why nothing comes is named."""

from __future__ import annotations

import threading

import cv2
import pytest

from tests.vision.camera.stand_ins import Clock, coloured, start_reading
from vision.camera.phone import PhoneCamera, PhonePictures, PhoneState
from vision.errors import CameraError
from vision.frame import Frame


def jpeg(width: int = 160, height: int = 120) -> bytes:
    return cv2.imencode(".jpg", coloured(width, height))[1].tobytes()


def sent_while_waiting(camera: PhoneCamera, pictures: PhonePictures, *sent: tuple[bytes, int]) -> Frame:
    """Read while others send: what began to come before the call is not taken."""
    read: list[Frame] = []
    reading = threading.Thread(target=lambda: read.append(camera.read(5.0)))
    start_reading(reading, pictures)
    for data, begun in sent:
        pictures.put(data, begun or pictures.begin())
    reading.join(5.0)
    return read[0]


def test_a_picture_that_began_to_come_before_it_was_asked_for_is_not_taken() -> None:
    pictures = PhonePictures()
    early = pictures.begin()
    frame = sent_while_waiting(PhoneCamera(pictures), pictures, (jpeg(64, 64), early), (jpeg(160, 120), 0))
    assert frame.size_wh == (160, 120)


def test_a_picture_that_was_overtaken_is_dropped() -> None:
    pictures = PhonePictures()
    first, second = pictures.begin(), pictures.begin()
    pictures.put(jpeg(160, 120), second, photograph=True)
    pictures.put(jpeg(64, 64), first, photograph=True)
    assert PhoneCamera(pictures).read(0.0).size_wh == (160, 120)


def test_a_photograph_stays_until_there_is_another_and_is_marked_as_retaken() -> None:
    pictures, clock = PhonePictures(), Clock()
    camera = PhoneCamera(pictures, clock_ns=clock)
    pictures.put(jpeg(), pictures.begin(), photograph=True)
    first, again = camera.read(0.0), camera.read(0.0)
    assert (first.retaken, again.retaken) == (True, False)
    pictures.put(jpeg(), pictures.begin(), photograph=True)
    assert camera.read(0.0).retaken


def test_a_phone_that_is_turned_gives_another_view() -> None:
    pictures = PhonePictures()
    camera = PhoneCamera(pictures)
    upright = sent_while_waiting(camera, pictures, (jpeg(160, 120), 0))
    again = sent_while_waiting(camera, pictures, (jpeg(160, 120), 0))
    turned = sent_while_waiting(camera, pictures, (jpeg(120, 160), 0))
    assert [frame.retaken for frame in (upright, again, turned)] == [False, False, True]


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (PhoneState.NOT_THERE, "open the page"),
        (PhoneState.HIDDEN, "locked"),
        (PhoneState.STOPPED, "switched off"),
        (PhoneState.REFUSED, "does not allow"),
        (PhoneState.SENDING, "in the network"),
    ],
)
def test_why_no_picture_comes_is_named(state: PhoneState, said: str) -> None:
    pictures = PhonePictures()
    pictures.note(state)
    with pytest.raises(CameraError, match=said):
        PhoneCamera(pictures).read(0.0)


@pytest.mark.parametrize(
    "data", [b"", b"<html>", b"\xff\xd8\xff\xe0broken", jpeg()[:300], b"\x89PNG\r\n\x1a\n" + b"0" * 50]
)
def test_what_is_no_picture_is_refused_in_a_sentence_and_the_next_one_is_read(data: bytes) -> None:
    pictures = PhonePictures()
    camera = PhoneCamera(pictures)
    pictures.put(data, pictures.begin(), photograph=True)
    with pytest.raises(CameraError, match=r"^phone"):
        camera.read(0.0)
    pictures.put(jpeg(), pictures.begin(), photograph=True)
    assert camera.read(0.0).size_wh == (160, 120)
