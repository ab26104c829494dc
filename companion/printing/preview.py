"""Pages of a PDF as pictures, drawn by PDFium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2

from companion.printing.text import MM
from vision.frame import ImageBgr


def page_pictures(pdf: bytes, px_per_mm: float) -> Iterator[ImageBgr]:
    """Yield every page, uint8 (height, width, 3), at a resolution."""
    document: Any = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            bitmap = page.render(scale=px_per_mm / MM)
            yield np.ascontiguousarray(bitmap.to_numpy()[..., :3])
    finally:
        document.close()


def page_files(pdf: Path, count: int) -> list[Path]:
    """Return the names of the pictures of a PDF's pages, beside it."""
    if count == 1:
        return [pdf.with_suffix(".png")]
    return [pdf.with_name(f"{pdf.stem}-{number:02d}.png") for number in range(1, count + 1)]


def png(image_bgr: ImageBgr) -> bytes:
    """Return a picture as a PNG file's content."""
    _done, data = cv2.imencode(".png", image_bgr, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return data.tobytes()
