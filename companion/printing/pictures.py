"""Pages as pictures, rendered by PDFium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2

from companion.printing.text import MM
from vision.frame import ImageBgr

_ROUNDED = 1 - 1e-6
"""PDFium rounds page sizes up: with this factor a rounding error adds no pixel, which would stretch the page."""


def page_pictures(pdf: bytes, px_per_mm: float) -> Iterator[ImageBgr]:
    """Yield every page as a picture, uint8 (height, width, 3)."""
    document: Any = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            bitmap = page.render(scale=px_per_mm / MM * _ROUNDED)
            yield np.ascontiguousarray(bitmap.to_numpy()[..., :3])
    finally:
        document.close()


def page_files(pdf: Path, count: int) -> list[Path]:
    """Return the paths of the pictures of a PDF's pages, next to it."""
    if count == 1:
        return [pdf.with_suffix(".png")]
    return [pdf.with_name(f"{pdf.stem}-{number:02d}.png") for number in range(1, count + 1)]


def png(image_bgr: ImageBgr) -> bytes:
    """Return a picture encoded as PNG."""
    _done, data = cv2.imencode(".png", image_bgr, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return data.tobytes()
