"""Pictures from files: what is read, and in which single sentence everything else is refused."""

from __future__ import annotations

import os
import struct
import zlib
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from vision.errors import UnreadableImageError
from vision.frame import ImageBgr
from vision.image_file import LEAST_SIDE_PX, decode_image, load_image, reduction


def picture(width: int = 160, height: int = 120) -> ImageBgr:
    """A smooth picture: red at the left, blue at the bottom, as no rotation of itself."""
    image = np.zeros((height, width, 3), np.uint8)
    image[:, : width // 2, 2] = 200
    image[height // 2 :, :, 0] = 150
    return image


def encoded(extension: str, image: ImageBgr | None = None, *options: int) -> bytes:
    return cv2.imencode(extension, picture() if image is None else image, list(options))[1].tobytes()


def with_exif_orientation(jpeg: bytes, orientation: int) -> bytes:
    tiff = b"MM\x00*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\x00\x00" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def png_that_claims(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")


WEBP_LOSSLESS = (cv2.IMWRITE_WEBP_QUALITY, 101)
PROGRESSIVE = (cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
RESTARTS = (cv2.IMWRITE_JPEG_RST_INTERVAL, 2)


@pytest.mark.parametrize(
    ("extension", "options"),
    [
        (".jpg", ()),
        (".jpg", PROGRESSIVE),
        (".jpg", RESTARTS),
        (".png", ()),
        (".webp", ()),
        (".webp", WEBP_LOSSLESS),
        (".bmp", ()),
    ],
)
def test_every_format_that_is_promised_is_read_as_blue_green_red(
    tmp_path: Path, extension: str, options: tuple[int, ...]
) -> None:
    path = tmp_path / f"grün{extension}"
    path.write_bytes(encoded(extension, None, *options))
    image = load_image(path)
    assert image.shape == (120, 160, 3)
    assert image.dtype == np.uint8
    assert np.abs(image.astype(int) - picture()).mean() < 4


@pytest.mark.parametrize("channels", [1, 4])
def test_grey_pictures_and_pictures_with_transparency_become_three_channels(channels: int) -> None:
    image = np.full((70, 80, channels), 90, np.uint8)
    assert decode_image(encoded(".png", image), "t.png").shape == (70, 80, 3)


@pytest.mark.parametrize(
    ("orientation", "turn"),
    [(1, None), (3, cv2.ROTATE_180), (6, cv2.ROTATE_90_CLOCKWISE), (8, cv2.ROTATE_90_COUNTERCLOCKWISE)],
)
def test_a_picture_stands_as_its_exif_orientation_says(orientation: int, turn: int | None) -> None:
    upright = picture() if turn is None else cv2.rotate(picture(), turn)
    image = decode_image(with_exif_orientation(encoded(".jpg"), orientation), "t.jpg")
    assert image.shape == upright.shape
    assert np.abs(image.astype(int) - upright).mean() < 4


def test_bytes_after_the_end_of_a_jpeg_as_phones_append_them_do_no_harm() -> None:
    assert decode_image(encoded(".jpg") + b"MotionPhoto" * 100, "t.jpg").shape == (120, 160, 3)


def test_a_thumbnail_in_the_metadata_does_not_pass_for_the_end_of_a_truncated_picture() -> None:
    thumbnail = encoded(".jpg", picture(32, 24))
    body = b"Exif\x00\x00" + thumbnail
    jpeg = encoded(".jpg")
    cut = (jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:])[:-20]
    with pytest.raises(UnreadableImageError, match="cut short"):
        decode_image(cut, "t.jpg")


JPEG, PNG, WEBP, BMP = encoded(".jpg"), encoded(".png"), encoded(".webp"), encoded(".bmp")
NOISE = np.random.default_rng(1).integers(0, 255, (128, 128, 3)).astype(np.uint8)


def with_hole(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(400) + data[middle + 400 :]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "is not a JPEG, PNG, WebP or BMP picture"),
        (b"not a picture", "is not a JPEG"),
        (b"BM" + bytes(60), "the BMP is cut short or damaged"),
        (encoded(".bmp")[:-30_000], "the BMP is cut short"),
        (b"\xff\xd8\xff", "the JPEG is cut short or damaged"),
        (JPEG[:-2], "the JPEG is cut short or damaged"),
        (JPEG[: len(JPEG) // 2] + bytes(len(JPEG) // 2), "the JPEG is cut short or damaged"),
        (encoded(".jpg", None, *PROGRESSIVE)[:-500], "the JPEG is cut short or damaged"),
        (with_hole(encoded(".jpg", NOISE)), "damaged"),
        (PNG[:-5], "the PNG is cut short or damaged"),
        (with_hole(encoded(".png", NOISE)), "the PNG is cut short or damaged"),
        (WEBP[:-5], "the WebP is cut short or damaged"),
        (b"RIFF\x10\0\0\0WEBPXXXX" + bytes(50), "the WebP is cut short or damaged"),
        (encoded(".jpg", picture(1, 1)), "is 1 x 1 pixels, expected at least 64 x 64"),
        (encoded(".png", picture(500, 40)), "is 500 x 40 pixels, expected at least 64 x 64"),
        (png_that_claims(20_000, 10_000), "is 20000 x 10000 pixels, expected at most 24 megapixels, or a JPEG"),
        (encoded(".webp", picture(4200, 3200)), "is 4200 x 3200 pixels, expected at most 12.6 megapixels, or a JPEG"),
        (png_that_claims(100, 100), "cut short or damaged"),
        (b"GIF89a" + bytes(100), "is not a JPEG"),
    ],
)
def test_what_is_no_whole_picture_of_a_sensible_size_is_refused_in_one_sentence_and_silently(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], data: bytes, sentence: str
) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(data)
    with pytest.raises(UnreadableImageError, match=sentence) as raised:
        load_image(path)
    assert str(raised.value).startswith(f"{path}: ")
    assert "\n" not in str(raised.value)
    assert capfd.readouterr() == ("", "")


def test_what_is_no_file_is_refused_with_what_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "huge.jpg").open("wb") as huge:
        huge.truncate(300_000_000)
    cases = {".": "Is a directory", "none.jpg": "no such file", "pipe": "not a regular", "huge.jpg": "more than 64 MB"}
    for name, sentence in cases.items():
        with pytest.raises(UnreadableImageError, match=sentence):
            load_image(tmp_path / name)


def test_a_forged_jpeg_whose_size_is_hidden_from_a_reader_of_headers_is_refused_before_it_is_decoded() -> None:
    """Marker FF01 has no length in libjpeg; a parser that gives it one reads the small frame instead of the large."""
    small, large = encoded(".jpg", picture(64, 64)), encoded(".jpg", picture(160, 120))
    frame = small.index(b"\xff\xc0")
    hidden = b"\xff\x01" + struct.pack(">H", 2 + len(large)) + large[2:] + small[frame:]
    with pytest.raises(UnreadableImageError, match="JPEG is cut short or damaged"):
        decode_image(small[:2] + hidden, "t.jpg")


def test_a_picture_that_moves_is_refused() -> None:
    frames = [Image.fromarray(np.roll(picture(), shift, 0)) for shift in (0, 20, 40)]
    for kind in ("PNG", "WEBP"):
        film = BytesIO()
        frames[0].save(film, kind, save_all=True, append_images=frames[1:])
        with pytest.raises(UnreadableImageError, match="is a film of 3 pictures"):
            decode_image(film.getvalue(), "t")


@given(st.binary(max_size=60), st.sampled_from([JPEG, PNG, WEBP, BMP]), st.integers(0, 60))
def test_of_no_header_however_broken_more_is_said_than_one_sentence(tail: bytes, start: bytes, kept: int) -> None:
    with suppress(UnreadableImageError):
        assert min(decode_image(start[:kept] + tail, "t").shape[:2]) >= LEAST_SIDE_PX


@given(st.sampled_from([JPEG, PNG, WEBP, BMP]), st.data())
def test_every_truncation_is_noticed(whole: bytes, data: st.DataObject) -> None:
    with pytest.raises(UnreadableImageError):
        decode_image(whole[: data.draw(st.integers(1, len(whole) - 1))], "t")


@pytest.mark.parametrize(
    ("size_wh", "expected"),
    [((4096, 3072), 1), ((4608, 3456), 2), ((8160, 6120), 2), ((12000, 9000), 4), ((40000, 40000), 8)],
)
def test_large_pictures_are_made_smaller_while_they_are_decoded(size_wh: tuple[int, int], expected: int) -> None:
    assert reduction(size_wh) == expected


def test_a_large_picture_shows_the_same_at_half_its_size_and_the_right_way_up() -> None:
    large = picture(4800, 3600)
    jpeg, png = encoded(".jpg", large), encoded(".png", large, cv2.IMWRITE_PNG_COMPRESSION, 1)
    for data in (jpeg, png):
        assert cv2.absdiff(decode_image(data, "t"), picture(2400, 1800)).mean() < 4
    turned = decode_image(with_exif_orientation(jpeg, 6), "t.jpg")
    assert turned.shape == (2400, 1800, 3)


def jpeg_that_claims(width: int, height: int, jpeg: bytes) -> bytes:
    frame = next(at for at in range(len(jpeg)) if jpeg[at : at + 2] in (b"\xff\xc0", b"\xff\xc2"))
    return jpeg[: frame + 5] + struct.pack(">HH", height, width) + jpeg[frame + 9 :]


@pytest.mark.parametrize(("options", "most"), [((), 120), (PROGRESSIVE, 24)])
def test_a_jpeg_that_is_held_whole_while_it_is_decoded_may_be_less_large(options: tuple[int, ...], most: int) -> None:
    jpeg = encoded(".jpg", None, *options)
    with pytest.raises(UnreadableImageError, match=f"at most {most} megapixels"):
        decode_image(jpeg_that_claims(6000, 170 * most, jpeg), "t.jpg")
