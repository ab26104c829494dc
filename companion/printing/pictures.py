"""Pages as pictures, rendered by PDFium: previews, and the gallery of kits for guides.

`python -m companion.printing.pictures FOLDER` writes one PNG a game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2

from companion.locale import english
from companion.printing.contents import kit_keys, parts_of, print_parts
from companion.printing.kits import games_with_kits
from companion.printing.paper import Options
from companion.printing.text import MM
from companion.printing.themes import THEMES
from vision.file_access import write_atomically
from vision.frame import ImageBgr

_ROUNDED = 1 - 1e-6
"""PDFium rounds page sizes up: with this factor a rounding error adds no pixel, which would stretch the page."""

_HEIGHT_PX, _GAP_PX = 300, 10
_GROUND = (122, 126, 130)
_SHOWN = 2
"""How many pages are shown next to the board."""


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


def kit_picture(game: str, options: Options) -> ImageBgr:
    """Return a game's board and the first pages of two other parts in a row, uint8 (height, width, 3)."""
    parts = [part for part in parts_of(game, options) if part.key in kit_keys(game, options)]
    board, *others = (next(page_pictures(print_parts(part.title, [part], options), 3.0)) for part in parts)
    # the darkest pages have most on them
    return np.hstack([_frame(page) for page in (board, *sorted(others, key=lambda page: float(page.mean()))[:_SHOWN])])


def _frame(page: ImageBgr) -> ImageBgr:
    """Return a page at the common height with a gap round it."""
    ratio = _HEIGHT_PX / page.shape[0]
    small = cv2.resize(page, None, fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA)
    gaps = (_GAP_PX,) * 4
    return np.asarray(cv2.copyMakeBorder(small, *gaps, cv2.BORDER_CONSTANT, value=_GROUND), np.uint8)


def main(folder: Path) -> None:
    """Write the pictures of all kits."""
    folder.mkdir(parents=True, exist_ok=True)
    with english():
        for place, game in enumerate(games_with_kits()):
            theme = list(THEMES.values())[place % len(THEMES)]
            picture = kit_picture(game, Options(theme=theme, whole=True))
            write_atomically(folder / f"{game}.png", png(picture))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
