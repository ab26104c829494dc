"""A folder of pictures as a camera."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.files import HELD_S, FilesCamera, FolderCamera, pictures_in
from vision.errors import CameraEndedError, CameraError, NoPictureYetError


def write(path: Path, grey: int = 0) -> Path:
    cv2.imwrite(str(path), np.full((70, 80, 3), grey, np.uint8))
    return path


def test_a_folders_pictures_come_in_natural_order_and_then_the_recording_has_ended(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        write(tmp_path / f"frame{number}.png", grey=number)
    (tmp_path / "notes.txt").write_text("no picture")
    with FilesCamera(pictures_in(tmp_path), clock_ns=lambda: 7) as camera:
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
    with FilesCamera(pictures_in(tmp_path)) as camera:
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
        pictures_in(tmp_path / name)


class Watched:
    """A folder that is looked at, with clocks that stand until they are moved."""

    def __init__(self, folder: Path) -> None:
        self.now_s = 1000.0
        self.folder = folder
        self.camera = FolderCamera(folder, clock_ns=lambda: round(self.now_s * 1e9), wall_s=lambda: self.now_s)

    def put(self, name: str, grey: int, age_s: float = 60.0) -> Path:
        path = write(self.folder / name, grey)
        os.utime(path, (self.now_s - age_s,) * 2)
        return path

    def seen(self, wait_s: float = HELD_S) -> int:
        """Return the grey of what is shown now, and let time go by."""
        grey = int(self.camera.read().image_bgr[0, 0, 0])
        self.now_s += wait_s
        return grey


def test_a_folder_shows_what_is_in_it_and_then_each_new_photograph_and_never_ends(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.put("10.png", 30)
    watched.put("2.png", 20)
    assert [watched.seen() for _ in range(4)] == [20, 30, 30, 30]
    watched.put("11.png", 40)
    assert [watched.seen() for _ in range(2)] == [40, 40]
    watched.put("1.png", 50)  # a later one may have an earlier name
    assert [watched.seen() for _ in range(2)] == [50, 50]


def test_each_photograph_is_shown_long_enough_to_be_accepted_and_its_first_frame_is_marked(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.put("1.png", 10)
    watched.put("2.png", 20)
    frames = []
    for _ in range(4):
        frames.append(watched.camera.read())
        watched.now_s += HELD_S / 3
    assert [int(frame.image_bgr[0, 0, 0]) for frame in frames] == [10, 10, 10, 20]
    assert [frame.retaken for frame in frames] == [True, False, False, True]
    assert watched.camera.read().captured_ns == round(watched.now_s * 1e9), "a photograph is seen again, as a table is"


def test_a_game_that_goes_on_begins_with_the_newest_photograph(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    for number in range(1, 4):
        watched.put(f"{number}.png", 10 * number)
    watched.camera = FolderCamera(
        tmp_path, newest=True, clock_ns=lambda: round(watched.now_s * 1e9), wall_s=lambda: watched.now_s
    )
    assert [watched.seen() for _ in range(2)] == [30, 30]
    watched.put("4.png", 40)
    assert watched.seen() == 40


def test_an_empty_folder_waits_and_says_so(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    with pytest.raises(NoPictureYetError, match="no photograph in this folder yet") as raised:
        watched.camera.read()
    assert not isinstance(raised.value, CameraEndedError)
    watched.put("1.png", 10)
    assert watched.seen() == 10


def test_a_photograph_that_is_still_being_written_is_read_when_it_is_whole(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.put("1.png", 10)
    assert watched.seen() == 10
    part = watched.put("2.png", 20, age_s=0.0)
    whole = part.read_bytes()
    part.write_bytes(whole[:50])
    os.utime(part, (watched.now_s,) * 2)
    assert watched.seen(0.5) == 10
    part.write_bytes(whole)
    os.utime(part, (watched.now_s,) * 2)
    assert [watched.seen(0.9) for _ in range(3)] == [10, 10, 20]


def test_a_damaged_photograph_is_named_once_and_read_when_it_has_changed(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.put("1.png", 10)
    assert watched.seen() == 10
    (tmp_path / "2.jpg").write_bytes(b"no picture")
    os.utime(tmp_path / "2.jpg", (0, 0))
    with pytest.raises(CameraError, match=r"2\.jpg: is not a JPEG"):
        watched.seen()
    assert [watched.seen() for _ in range(3)] == [10, 10, 10]
    watched.put("2.jpg", 20)
    assert abs(watched.seen() - 20) <= 2


def test_files_beside_the_photographs_are_no_photographs(tmp_path: Path) -> None:
    for name in ("._1.jpg", ".1.png.part", "2.heic"):
        (tmp_path / name).write_bytes(b"no picture")
    watched = Watched(tmp_path)
    with pytest.raises(CameraError, match="no photograph"):
        watched.seen()


def test_a_folder_that_is_taken_away_is_reported_and_looked_at_again_when_it_is_back(tmp_path: Path) -> None:
    folder = tmp_path / "phone"
    folder.mkdir()
    watched = Watched(folder)
    watched.put("1.png", 10)
    assert watched.seen() == 10
    folder.rename(tmp_path / "away")
    with pytest.raises(CameraError, match="cannot be listed"):
        watched.seen()
    (tmp_path / "away").rename(folder)
    assert watched.seen() == 10
    watched.camera.close()
    with pytest.raises(CameraError, match="closed"):
        watched.seen()
    with pytest.raises(CameraError, match="cannot be listed"):
        FolderCamera(tmp_path / "none")
