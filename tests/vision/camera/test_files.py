"""A folder of pictures as a camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.files import FilesCamera, pictures_in
from vision.errors import CameraEndedError, CameraError


def write(path: Path, grey: int = 0) -> Path:
    cv2.imwrite(str(path), np.full((70, 80, 3), grey, np.uint8))
    return path


def test_a_folders_pictures_come_in_natural_order_and_then_the_recording_has_ended(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        write(tmp_path / f"frame{number}.png", grey=number)
    (tmp_path / "notes.txt").write_text("no picture")
    with FilesCamera(tmp_path, clock_ns=lambda: 7) as camera:
        frames = [camera.read() for _ in range(3)]
        assert [int(frame.image_bgr[0, 0, 0]) for frame in frames] == [1, 2, 10]
        assert {frame.captured_ns for frame in frames} == {7}
        with pytest.raises(CameraEndedError, match="no more pictures"):
            camera.read()


def test_digits_sort_by_value_and_mixed_names_do_not_clash(tmp_path: Path) -> None:
    names = ["2a.JPG", "10.jpg", "a2b10.png", "a2b9.png", "a.webp", "²3.jpg"]
    for name in names:
        (tmp_path / name).touch()
    listed = [path.name for path in pictures_in(tmp_path)]
    assert sorted(listed) == sorted(names)
    assert listed.index("2a.JPG") < listed.index("10.jpg")
    assert listed.index("a2b9.png") < listed.index("a2b10.png")


def test_files_given_one_by_one_keep_their_order(tmp_path: Path) -> None:
    files = [write(tmp_path / "b.png", 5), write(tmp_path / "a.png", 9)]
    with FilesCamera(files) as camera:
        assert [int(camera.read().image_bgr[0, 0, 0]) for _ in files] == [5, 9]


def test_a_broken_picture_is_named_and_the_recording_goes_on(tmp_path: Path) -> None:
    (tmp_path / "1.jpg").write_bytes(b"no picture")
    write(tmp_path / "2.png", grey=3)
    with FilesCamera(tmp_path) as camera:
        with pytest.raises(CameraError, match=r"1\.jpg: is not a JPEG") as raised:
            camera.read()
        assert not isinstance(raised.value, CameraEndedError)
        assert camera.read().size_wh == (80, 70)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(".", "no picture in this folder"), ("none", "cannot be listed"), ("a\0b", "cannot be listed")],
)
def test_a_folder_without_pictures_is_reported_when_it_is_opened(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(CameraError, match=sentence):
        FilesCamera(tmp_path / name)
