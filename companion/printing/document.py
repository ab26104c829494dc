"""A PDF of pages to scale: printed at 100 % (`PrintScaling: None`), fonts embedded, corrected for the printer.

Its pages as pictures are rendered by PDFium.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
import pypdfium2
from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from companion.printing.paper import NO_CORRECTION, Correction, Flip, Paper
from companion.printing.pen import Pen, font
from companion.printing.text import MM
from companion.printing.themes import Theme
from vision.frame import ImageBgr

rl_config.useA85 = 0  # bytes instead of letters: files are a fifth smaller


class Document:
    """A PDF that grows page by page.

    Args:
        title: the document's title, shown by viewers.
        theme: the colours of roles.
        correction: that of the measured printer.
        flip: the edge on which the printer turns a sheet to print its other side.

    Attributes:
        pages: how many pages there are so far.
    """

    def __init__(
        self, title: str, theme: Theme, correction: Correction = NO_CORRECTION, flip: Flip | None = None
    ) -> None:
        self._file = io.BytesIO()
        self._canvas: Any = Canvas(self._file, invariant=1, pageCompression=1, initialFontName=font("regular"))
        self._theme, self._correction, self._flip = theme, correction, flip
        self._canvas.setTitle(title)
        self._canvas.setCreator("companion")
        self._canvas.setViewerPreference("PrintScaling", "None")
        if flip is not None:
            self._canvas.setViewerPreference("Duplex", f"DuplexFlip{flip.capitalize()}Edge")
        self.pages = 0

    @contextmanager
    def page(self, paper: Paper, *, back: bool = False) -> Iterator[Pen]:
        """Add a page and yield its pen, to scale; a back is drawn as it is seen when the sheet is turned over."""
        canvas, found = self._canvas, self._correction
        canvas.setPageSize((paper.width_mm * MM, paper.height_mm * MM))
        canvas.saveState()
        if found != NO_CORRECTION:  # move, turn and scale the page by the inverse of the printer's error
            upright = paper.height_mm >= paper.width_mm
            scales = (found.scale_x, found.scale_y) if upright else (found.scale_y, found.scale_x)
            canvas.translate(paper.width_mm / 2 * MM, paper.height_mm / 2 * MM)
            canvas.scale(1 / scales[0], 1 / scales[1])
            if back:  # turned on its short edge, a sheet's back is upside down
                way = -1 if self._flip == "short" else 1
                canvas.translate(-way * found.back_x_mm * MM, way * found.back_y_mm * MM)
                canvas.rotate(found.back_deg)
            canvas.translate(-paper.width_mm / 2 * MM, -paper.height_mm / 2 * MM)
        yield Pen(canvas, paper.height_mm, self._theme)
        canvas.restoreState()
        canvas.showPage()
        self.pages += 1

    def pdf(self) -> bytes:
        """Return the finished PDF."""
        self._canvas.save()
        return self._file.getvalue()


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


def png(image_bgr: ImageBgr) -> bytes:
    """Return a picture encoded as PNG."""
    _done, data = cv2.imencode(".png", image_bgr, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return data.tobytes()
